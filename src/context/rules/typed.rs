//! What a person typed themselves in a message, sentence by sentence: without code, quotes,
//! logs and other pasted blocks. Linear in the text.

use std::ops::Range;

use plimsoll_cues::{MASK, is_telling};

use crate::transcript::SERVER_TEXT;

/// Before what a program printed into the message.
const PIPED_INPUT: &str = "\n<stdin>\n";
/// Of a longer line nobody typed all.
const MAX_LINE_BYTES: usize = 2_000;
/// A message with more typed lines than this holds a document,
const MAX_LINES: usize = 60;
/// of which only so many lines at each end are taken for typed.
const END_LINES: usize = 6;
/// A quote between single quotation marks has at most this many bytes.
const MAX_QUOTE_BYTES: usize = 400;
/// A first word in this many lines of a paragraph makes it a log.
const SAME_BEGINNINGS: usize = 2;

/// A line as it was typed, without a bullet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypedLine<'a> {
    pub text: &'a str,
    /// The same bytes, with [`MASK`] in the place of what is quoted.
    pub masked: String,
    /// Where its sentences are.
    pub sentences: Vec<Range<usize>>,
    /// The number of its paragraph.
    pub paragraph: usize,
    /// It is an item of a list.
    pub is_item: bool,
}

/// The lines of a message that were typed.
pub(super) fn typed(text: &str) -> Vec<TypedLine<'_>> {
    // What is piped in or a server gave stands at the end, and may hold the closing tag itself.
    let text = text.split(PIPED_INPUT).next().unwrap_or(text);
    let text = text.split(SERVER_TEXT).next().unwrap_or(text);
    let mut paragraph = 0;
    let mut end = 0;
    let lines = typed_lines(text).into_iter().map(|range| {
        let between = text.get(end..range.start).unwrap_or_default();
        end = range.end;
        paragraph += usize::from(between.matches('\n').count() > 1);
        let line = text.get(range).unwrap_or_default();
        let text = without_bullet(line);
        let masked = masked(text);
        TypedLine {
            is_item: text.len() < line.trim().len() && !line.trim_start().starts_with('#'),
            sentences: sentence_ranges(&masked),
            text,
            masked,
            paragraph,
        }
    });
    lines
        .filter(|line| line.masked.chars().any(char::is_alphanumeric))
        .collect()
}

/// The ranges of the lines that were typed.
fn typed_lines(text: &str) -> Vec<Range<usize>> {
    let mut filter = PasteFilter::default();
    let mut at = 0;
    let mut lines: Vec<TextLine<'_>> = Vec::new();
    for line in text.split_inclusive(['\n', '\r']) {
        let range = at..at + line.trim_end_matches(['\n', '\r']).len();
        at += line.len();
        let line = text.get(range.clone()).unwrap_or_default();
        let is_typed = filter.is_typed(line) && line.len() <= MAX_LINE_BYTES;
        lines.push(TextLine {
            range,
            text: line,
            is_typed,
        });
    }
    for block in filter.unclosed(&lines) {
        lines[block].is_typed = true;
    }
    drop_logs(&mut lines);
    drop_document(&mut lines);
    let typed: Vec<Range<usize>> = lines
        .iter()
        .filter(|line| line.is_typed && !line.text.trim().is_empty())
        .map(|line| line.range.clone())
        .collect();
    if typed.len() <= MAX_LINES {
        return typed;
    }
    let (head, tail) = (&typed[..END_LINES], &typed[typed.len() - END_LINES..]);
    head.iter().chain(tail).cloned().collect()
}

struct TextLine<'a> {
    range: Range<usize>,
    text: &'a str,
    is_typed: bool,
}

/// Tells lines that were pasted by what stands around them.
#[derive(Default)]
struct PasteFilter<'a> {
    /// The mark that ends the block that is open.
    open: Option<BlockEnd<'a>>,
    was_blank: bool,
    was_indented: bool,
    line: usize,
    opened_at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockEnd<'a> {
    /// A line of so many of this mark.
    Fence(char, usize),
    /// The closing tag of this name.
    Tag(&'a str),
    /// A line that begins with dashes.
    Ruler,
}

impl<'a> PasteFilter<'a> {
    fn is_typed(&mut self, line: &'a str) -> bool {
        let at = self.line;
        self.line += 1;
        let trimmed = line.trim();
        if let Some(end) = self.open {
            if ends_block(end, trimmed) {
                self.open = None;
            }
            return false;
        }
        if let Some(end) = block_end(trimmed) {
            let is_one_line = matches!(end, BlockEnd::Tag(name) if closes_tag(trimmed, name));
            if !is_one_line {
                self.open = Some(end);
                self.opened_at = at;
            }
            return false;
        }
        let is_code = (line.starts_with("    ") || line.starts_with('\t'))
            && (self.was_blank || self.was_indented || at == 0);
        self.was_indented = is_code;
        self.was_blank = trimmed.is_empty();
        !is_code && !trimmed.starts_with('>') && !trimmed.starts_with('<')
    }

    /// Lines after a ruler or a tag that nothing closes: only that line was none of theirs.
    fn unclosed(&self, lines: &[TextLine<'_>]) -> Range<usize> {
        match self.open {
            Some(BlockEnd::Ruler | BlockEnd::Tag(_)) => {
                let from = (self.opened_at + 1).min(lines.len());
                // What opens a block with words is meant as one.
                let opening = lines.get(self.opened_at).map_or("", |line| line.text);
                let is_named = opening.chars().any(char::is_alphabetic);
                if is_named { 0..0 } else { from..lines.len() }
            }
            _ => 0..0,
        }
    }
}

fn block_end(line: &str) -> Option<BlockEnd<'_>> {
    for mark in ['`', '~'] {
        let count = line.chars().take_while(|c| *c == mark).count();
        let rest = line.trim_start_matches(mark);
        if count >= 3 && !rest.contains(mark) {
            return Some(BlockEnd::Fence(mark, count));
        }
    }
    if let Some(rest) = line.strip_prefix('<') {
        let length = rest
            .find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | ':'))
            .unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default();
        if name.starts_with(|c: char| c.is_alphabetic()) {
            return Some(BlockEnd::Tag(name));
        }
    }
    let is_ruler = [
        "---", "===", "***", "###", "___", "+++", ">>>", "<<<", "-----",
    ]
    .iter()
    .any(|ruler| line.starts_with(ruler));
    is_ruler.then_some(BlockEnd::Ruler)
}

fn ends_block(end: BlockEnd<'_>, line: &str) -> bool {
    match end {
        BlockEnd::Fence(mark, count) => {
            let length = line.chars().take_while(|c| *c == mark).count();
            length >= count && line.trim_start_matches(mark).trim().is_empty()
        }
        BlockEnd::Tag(name) => closes_tag(line, name),
        BlockEnd::Ruler => block_end(line) == Some(BlockEnd::Ruler),
    }
}

fn closes_tag(line: &str, name: &str) -> bool {
    line.match_indices("</").any(|(at, _)| {
        let rest = line.get(at + 2..).unwrap_or_default();
        rest.get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
    }) || line.ends_with("/>")
}

/// Takes out a document that a question is about: what begins with a heading after it.
fn drop_document(lines: &mut [TextLine<'_>]) {
    let is_said = |line: &TextLine<'_>| line.is_typed && !line.text.trim().is_empty();
    let mut before: Option<usize> = None;
    for at in 0..lines.len() {
        if !is_said(&lines[at]) {
            continue;
        }
        let asked = before.filter(|before| before + 1 < at);
        let is_asked = asked.is_some_and(|it| lines[it].text.trim_end().ends_with(['?', '？']));
        if is_asked && is_heading(lines[at].text) {
            for line in &mut lines[at..] {
                line.is_typed = false;
            }
            return;
        }
        before = Some(at);
    }
}

fn is_heading(line: &str) -> bool {
    let title = line.trim_start().trim_start_matches('#');
    line.trim_start().starts_with('#') && title.starts_with(' ')
}

/// Takes out lines that a program printed: marked as such, or several of a paragraph with the
/// same beginning.
fn drop_logs(lines: &mut [TextLine<'_>]) {
    let mut from = 0;
    while from < lines.len() {
        let is_blank = |line: &TextLine<'_>| line.text.trim().is_empty() || !line.is_typed;
        let length = lines[from..]
            .iter()
            .position(is_blank)
            .unwrap_or(lines.len() - from);
        drop_log(&mut lines[from..from + length]);
        from += length.max(1);
    }
}

fn drop_log(paragraph: &mut [TextLine<'_>]) {
    let first_words: Vec<&str> = paragraph.iter().map(|line| first_word(line.text)).collect();
    for at in 0..paragraph.len() {
        let word = first_words[at];
        let neighbours = [at.checked_sub(1), at.checked_add(1)];
        let is_repeated = neighbours
            .into_iter()
            .flatten()
            .any(|other| first_words.get(other) == Some(&word) && ends_label(word));
        let is_remark = || {
            let line = paragraph[at].text.trim_start();
            // People write notes, too, and quote less in them.
            REMARKS_BELOW.iter().any(|it| line.starts_with(it))
                && line.contains('`')
                && paragraph[..at].iter().any(|above| !above.is_typed)
        };
        if is_printed(paragraph[at].text) || is_repeated || is_remark() {
            paragraph[at].is_typed = false;
        }
    }
    let printed = paragraph.iter().filter(|line| !line.is_typed).count();
    let is_diff = paragraph
        .iter()
        .any(|line| line.text.starts_with("@@ ") || line.text.starts_with("diff --git"));
    // Most of it was printed: so was the rest.
    if is_diff || printed >= SAME_BEGINNINGS && printed * 2 > paragraph.len() {
        for line in paragraph {
            line.is_typed = false;
        }
    }
}

fn first_word(line: &str) -> &str {
    let line = line.trim_start();
    let end = line.find([' ', '\t', ':', '：']).map_or(line.len(), |at| {
        let mark = line.get(at..).and_then(|rest| rest.chars().next());
        at + mark
            .filter(|c| matches!(c, ':' | '：'))
            .map_or(0, char::len_utf8)
    });
    line.get(..end).unwrap_or(line)
}

/// Whether a word at the beginning of a line labels it.
fn ends_label(word: &str) -> bool {
    word.ends_with([':', '：', ']', '>', '|']) || is_shouted(word)
}

fn is_shouted(word: &str) -> bool {
    let letters = word.trim_end_matches([':', '：']);
    letters.chars().count() >= 4 && letters.chars().all(char::is_uppercase)
}

/// How much a line of a log matters, as loggers write it.
const LEVELS: [&str; 14] = [
    "ERR", "NOTICE", "ERROR", "ERRO", "ERREUR", "FEHLER", "WARN", "WARNING", "INFO", "DEBUG",
    "TRACE", "FATAL", "PANIC", "CRITICAL",
];

/// What compilers begin a finding with,
const COMPILER_WORDS: [&str; 3] = ["error", "warning", "fatal"];
/// and what explains it.
const COMPILER_REMARKS: [&str; 2] = ["= note:", "= help:"];
/// What programs begin a remark on a failure with, below it,
const REMARKS_BELOW: [&str; 4] = ["note:", "help:", "hint:", "Caused by:"];
/// and a failure with that ended them.
const CRASHES: [&str; 5] = ["thread '", "panic: ", "goroutine ", "Traceback (", "** ("];
/// How the name of what failed ends.
const FAILURE_NAMES: [&str; 3] = ["Error:", "Exception:", "Failure:"];

/// Whether a line begins like one of a system log: `Nov 12 03:12:44`.
fn is_syslog(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_month = |word: &str| word.len() == 3 && word.chars().all(char::is_alphabetic);
    let is_day = |word: &str| word.len() <= 2 && word.chars().all(|c| c.is_ascii_digit());
    let is_time = |word: &str| {
        let is_part = |part: &str| part.len() == 2 && part.chars().all(|c| c.is_ascii_digit());
        word.split(':').count() == 3 && word.split(':').all(is_part)
    };
    words.next().is_some_and(is_month)
        && words.next().is_some_and(is_day)
        && words.next().is_some_and(is_time)
}

/// Whether a word is the number of a finding: `C2668:`, `TS2345:`.
fn is_finding_number(word: &str) -> bool {
    let number = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let digits = number.strip_suffix(':').unwrap_or_default();
    number.len() < word.len()
        && digits.len() >= 3
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a line begins with a place in code: `src/lib.rs:12:5:`, `geom.cpp(142):`.
fn is_place_in_code(line: &str) -> bool {
    let place = line.split_whitespace().next().unwrap_or_default();
    let Some(place) = place.strip_suffix(':') else {
        return false;
    };
    let has_line = match place.strip_suffix(')') {
        Some(place) => place.rsplit_once('('),
        None => place.rsplit_once(':'),
    };
    has_line.is_some_and(|(file, line)| {
        let is_number = |c: char| c.is_ascii_digit() || c == ',';
        file.contains('.') && !line.is_empty() && line.chars().all(is_number)
    })
}

/// Whether a line has the form of something printed.
fn is_printed(line: &str) -> bool {
    let line = line.trim();
    let first = first_word(line);
    let second = line.get(first.len()..).unwrap_or_default().trim_start();
    let is_level = |word: &str| {
        let word = word.trim_matches(['[', ']', ':', '(', ')', '<', '>', '!']);
        LEVELS.contains(&word)
    };
    let is_tool = first.chars().all(char::is_lowercase) && is_level(first_word(second));
    let is_finding = COMPILER_WORDS.iter().any(|word| {
        let rest = first.strip_prefix(word);
        rest.is_some_and(|rest| match rest {
            "" => is_finding_number(first_word(second)),
            rest => rest == ":" || rest.starts_with('[') && rest.ends_with(':'),
        })
    });
    let is_finding = is_finding
        || COMPILER_REMARKS.iter().any(|it| line.starts_with(it))
        || CRASHES.iter().any(|it| line.starts_with(it))
        || FAILURE_NAMES.iter().any(|it| first.ends_with(it))
        || is_place_in_code(line);
    let is_dated = first.starts_with(|c: char| c.is_ascii_digit())
        && first
            .bytes()
            .filter(|b| matches!(b, b'-' | b':' | b'/' | b'.'))
            .count()
            >= 2
        && first
            .bytes()
            .all(|b| b.is_ascii_digit() || b"-:/.TZ+,".contains(&b));
    let is_dated = is_dated || is_syslog(line);
    let is_bracketed = line.starts_with('[') && line.contains(']') && !line.contains("](");
    let is_code = line.ends_with(['{', ';']) && line.contains(['(', '=', '{'])
        || line.starts_with("//")
        || line.starts_with("/*")
        || line.starts_with("@@ ")
        || line.starts_with("+++")
        || line.starts_with("--- a/")
        || line.starts_with("diff --git")
        || line.starts_with("index ") && line.contains("..")
        || line.starts_with("#!")
        || line.starts_with("at ") && line.contains('(')
        || line.starts_with("File \"")
        || line.starts_with("$ ")
        || line.starts_with('{') && line.ends_with('}')
        || line.starts_with('|') && line.ends_with('|');
    is_level(first)
        || is_tool
        || is_finding
        || is_dated
        || is_bracketed
        || is_code
        || is_shouted(first)
            && !second.is_empty()
            && !is_all_shouted(line)
            && !is_stressed(first, line)
}

/// Whether a first word in capitals is one that people stress, or the line is too long for a log.
fn is_stressed(first: &str, line: &str) -> bool {
    const LOG_CHARS: usize = 200;
    !first.ends_with([':', '：'])
        && (is_telling(&first.to_lowercase()) || line.chars().count() > LOG_CHARS)
}

/// Whether somebody typed with the shift key locked.
fn is_all_shouted(line: &str) -> bool {
    !line.chars().any(char::is_lowercase)
}

fn without_bullet(line: &str) -> &str {
    let line = line.trim();
    for bullet in ["- ", "* ", "• ", "– ", "· ", "+ ", "[ ] ", "[x] "] {
        if let Some(rest) = line.strip_prefix(bullet) {
            return without_bullet(rest);
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).unwrap_or_default();
    if (1..=2).contains(&digits)
        && let Some(rest) = rest
            .strip_prefix([')', '.'])
            .filter(|rest| rest.starts_with(' '))
    {
        return rest.trim_start();
    }
    line.trim_start_matches('#').trim_start()
}

/// A line with everything between quotation marks or backticks masked, byte by byte.
fn masked(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut at = 0;
    while let Some(c) = line.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = line.get(at + c.len_utf8()..).unwrap_or_default();
        let before = out.chars().next_back();
        if let Some(length) = quote_length(c, rest, before) {
            let whole = c.len_utf8() + length;
            out.extend(std::iter::repeat_n(MASK, whole));
            at += whole;
        } else {
            out.push(c);
            at += c.len_utf8();
        }
    }
    out
}

/// Bytes of a quote after its first mark, the last mark included.
fn quote_length(mark: char, rest: &str, before: Option<char>) -> Option<usize> {
    let ends: &[char] = match mark {
        '"' => &['"', '”', '“'],
        '“' => &['”', '“', '"'],
        '„' => &['“', '”', '"'],
        '«' => &['»'],
        '»' => &['«'],
        '「' => &['」'],
        '『' => &['』'],
        '‹' => &['›'],
        '`' => &['`'],
        '\'' | '‘' if before.is_none_or(|c| !c.is_alphanumeric()) => &['\'', '’'],
        _ => return None,
    };
    let is_single = matches!(mark, '\'' | '‘');
    let at = rest.match_indices(ends).find(|(at, end)| {
        let after = rest
            .get(at + end.len()..)
            .and_then(|rest| rest.chars().next());
        !is_single || after.is_none_or(|c| !c.is_alphanumeric())
    });
    let (at, end) = at?;
    (at > 0 && at <= MAX_QUOTE_BYTES).then_some(at + end.len())
}

/// Where the sentences of a masked line are.
fn sentence_ranges(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map_or(' ', |(_, after)| *after);
        let is_end = match c {
            '。' | '！' | '？' | '；' => true,
            '.' => {
                let before = line.get(from..at).unwrap_or_default();
                let rest = line.get(at + 1..).unwrap_or_default();
                let is_end = after.is_whitespace() && !before.ends_with(' ');
                is_end && !is_abbreviated(before, rest)
            }
            ')' => line
                .get(from..at)
                .is_some_and(|it| it.trim_start().starts_with('(')),
            '!' | '?' | ';' => after.is_whitespace() || after == MASK,
            '…' => after.is_whitespace(),
            // “1) …, 2) …” in one line.
            '1'..='9' if after == ')' => {
                let before = line.get(from..at).unwrap_or_default();
                if before.is_empty() || before.ends_with([' ', ':', '：', '，', ',']) {
                    found.push(from..at);
                    chars.next();
                    from = at + 2;
                }
                false
            }
            _ => false,
        };
        if is_end {
            let end = at + c.len_utf8();
            found.push(from..end);
            from = end;
        }
    }
    if from < line.len() {
        found.push(from..line.len());
    }
    found.retain(|range| !range.is_empty());
    found
}

/// Whether the text before a full stop ends with an abbreviation.
fn is_abbreviated(text: &str, rest: &str) -> bool {
    const SHORT: [&str; 16] = [
        "e.g", "i.e", "eg", "ie", "z.b", "z. b", "bzw", "d.h", "vs", "ca", "p.ej", "p. ej", "bv",
        "bijv", "т.е", "np",
    ];
    let word = text
        .rsplit([' ', '('])
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let is_number_next = rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    SHORT.contains(&word.as_str())
        || word == "max" && is_number_next
        || word.chars().count() == 1 && word.chars().all(|c| c.is_alphabetic() && c < '\u{1100}')
}
