//! A short title of a conversation, taken from its first message.

/// A title is no longer, in characters.
const MAX_CHARS: usize = 60;
/// Only so much of a message is looked at, in characters: a title says how it begins.
const LOOKED_AT_CHARS: usize = 4_000;
/// How requests begin that say nothing of what they are about.
const FILLERS: [&str; 14] = [
    "please",
    "hi",
    "hello",
    "hey",
    "ok",
    "okay",
    "so",
    "can you",
    "could you",
    "would you",
    "will you",
    "i want you to",
    "i would like you to",
    "help me to",
];

/// The title of a conversation that begins with this text: its first sentence that says
/// something, on one line, without code, quotations and politeness; `None` where there is none.
pub fn title_from_text(text: &str) -> Option<String> {
    let text = without_colours(text);
    let mut in_code = false;
    let mut short = None;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
            continue;
        }
        if in_code || line.starts_with('>') || line.starts_with('<') {
            continue;
        }
        for sentence in sentences(line) {
            let Some(title) = title_of(sentence) else {
                continue;
            };
            // A greeting or a single word, when something better follows.
            if title.contains(char::is_whitespace) || !title.is_ascii() {
                return Some(title);
            }
            short.get_or_insert(title);
        }
    }
    short
}

/// The looked-at part of a text, without the colours of a terminal.
fn without_colours(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().take(LOOKED_AT_CHARS).peekable();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' && chars.next_if_eq(&'[').is_some() {
            let _ = chars.find(char::is_ascii_alphabetic);
        } else {
            out.push(c);
        }
    }
    out
}

/// The sentences of a line. A dot ends one only before a space: names of files have dots too.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut chars = rest.char_indices().peekable();
        let end = loop {
            let Some((at, c)) = chars.next() else {
                break rest.len();
            };
            let next = chars.peek();
            let is_end = match c {
                '.' | '!' | '?' => next.is_none_or(|(_, next)| next.is_whitespace()),
                '。' | '！' | '？' => true,
                _ => false,
            };
            if is_end {
                break at + c.len_utf8();
            }
        };
        let (sentence, after) = rest.split_at(end);
        rest = after.trim_start();
        Some(sentence)
    })
}

fn title_of(sentence: &str) -> Option<String> {
    let is_mark = |c: char| matches!(c, '#' | '*' | '-' | '_' | '`' | '"' | '“' | '”' | ' ' | '•');
    let mut rest = sentence.trim_matches(is_mark).to_owned();
    while let Some(behind) = behind_filler(&rest) {
        rest = behind.to_owned();
    }
    let words: Vec<String> = rest
        .split_whitespace()
        .map(|word| word.chars().filter(|c| !c.is_control()).collect())
        .collect();
    let line = words.join(" ").replace("**", "");
    let line = line.trim_end_matches(['.', ':', ',', ';', '!', '。', '！']);
    let line = line.trim_matches(is_mark);
    if !line.chars().any(char::is_alphanumeric) {
        return None;
    }
    Some(cut(line))
}

/// What follows a word of politeness.
fn behind_filler(text: &str) -> Option<&str> {
    FILLERS.iter().find_map(|filler| {
        let head = text.get(..filler.len())?;
        let behind = text.get(filler.len()..)?;
        let is_whole = behind.starts_with([' ', ',', '!', ':']);
        let behind = behind.trim_start_matches([' ', ',', '!', ':']);
        (is_whole && head.eq_ignore_ascii_case(filler) && !behind.is_empty()).then_some(behind)
    })
}

/// A text of so many characters at most, that ends with a whole word where it has some.
fn cut(line: &str) -> String {
    if line.chars().count() <= MAX_CHARS {
        return line.to_owned();
    }
    let head: String = line.chars().take(MAX_CHARS - 1).collect();
    let whole = head.rsplit_once(' ').map(|(whole, _)| whole);
    let whole = whole.filter(|it| it.chars().count() * 2 > MAX_CHARS);
    format!(
        "{}…",
        whole.unwrap_or(&head).trim_end_matches([',', ';', ':'])
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_title_is_the_first_sentence_that_says_something() {
        for (text, title) in [
            ("Fix the login.", "Fix the login"),
            (
                "Hi! Please, can you fix src/auth.rs? It fails since Monday.",
                "fix src/auth.rs?",
            ),
            (
                "Hello\n\nThe build of 2.0 is red",
                "The build of 2.0 is red",
            ),
            (
                "```rust\nfn main() {}\n```\n> quoted\nwhy does this not compile",
                "why does this not compile",
            ),
            ("# Plan\n\n- first **thing** to do", "first thing to do"),
            ("请修复登录。然后测试。", "请修复登录"),
            ("thanks", "thanks"),
            ("\u{1b}[31mred\u{1b}[0m alarm in logs", "red alarm in logs"),
        ] {
            assert_eq!(title_from_text(text).as_deref(), Some(title), "{text}");
        }
        let long = title_from_text(&"where is the tide table ".repeat(9)).unwrap();
        assert_eq!(
            long,
            "where is the tide table where is the tide table where is…"
        );
        for nothing in ["", " \n\t", "...", "```\ncode\n", "> only\n> quoted"] {
            assert_eq!(title_from_text(nothing), None, "{nothing:?}");
        }
    }

    proptest! {
        #[test]
        fn a_title_is_one_short_line(text in "(.|\n){0,200}") {
            if let Some(title) = title_from_text(&text) {
                prop_assert!(title.chars().count() <= MAX_CHARS);
                prop_assert!(!title.chars().any(char::is_control), "{title:?}");
                prop_assert!(!title.trim().is_empty());
            }
        }
    }
}
