//! Sentences and the words that tell what they are: decisions, obligations, announced
//! steps, obstacles; in English and Chinese.

/// Longest sentence that is quoted, in characters.
const MAX_SENTENCE_CHARS: usize = 300;

/// What a sentence is, by its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cue {
    /// Something was decided.
    Decision,
    /// Something has to be, or must not be.
    Constraint,
    /// A step was announced.
    NextStep,
    /// Something hinders.
    Blocked,
    /// Something was finished.
    Done,
}

const DONE: &[&str] = &[
    "fixed",
    "implemented",
    "added ",
    "created ",
    "removed ",
    "renamed ",
    "ported",
    "replaced ",
    "updated ",
    "done:",
    "is done",
    "finished",
    "completed",
    "now passes",
    "tests pass",
    "已完成",
    "完成了",
    "已修复",
    "已添加",
    "已更新",
    "已实现",
    "测试通过",
];

const BLOCKED: &[&str] = &[
    "blocked",
    "waiting for",
    "waiting on",
    "cannot proceed",
    "can't proceed",
    "stuck",
    "unresolved",
    "阻塞",
    "卡住",
    "无法继续",
    "等待",
];
const NEXT: &[&str] = &[
    "next i",
    "next, i",
    "i'll ",
    "i will ",
    "let me ",
    "next step",
    "then i ",
    "now i need",
    "remaining",
    "todo",
    "to do:",
    "still need",
    "接下来",
    "下一步",
    "我将",
    "我会",
    "然后我",
    "还需要",
    "待办",
];
const CONSTRAINT: &[&str] = &[
    "must",
    "never",
    "always",
    "do not",
    "don't",
    "should not",
    "shouldn't",
    "required",
    "make sure",
    "only use",
    "prefer",
    "avoid",
    "not allowed",
    "keep the ",
    "unchanged",
    "保持",
    "保留",
    "必须",
    "不要",
    "不能",
    "不得",
    "务必",
    "禁止",
    "只能",
    "应该",
    "确保",
    "尽量",
];
const DECISION: &[&str] = &[
    "decided",
    "decision",
    "we chose",
    "i chose",
    "chosen",
    "agreed",
    "instead of",
    "rather than",
    "because",
    "we use ",
    "we'll use",
    "going with",
    "settled on",
    "the reason",
    "root cause",
    "决定",
    "选择了",
    "采用",
    "改用",
    "因为",
    "原因是",
    "同意",
    "结论",
];

/// What the words of a sentence, in lower case, say.
pub fn cue_of(lower: &str) -> Option<Cue> {
    [
        (Cue::Blocked, BLOCKED),
        (Cue::Decision, DECISION),
        (Cue::Constraint, CONSTRAINT),
        (Cue::NextStep, NEXT),
        (Cue::Done, DONE),
    ]
    .into_iter()
    .find(|(_, words)| words.iter().any(|word| lower.contains(word)))
    .map(|(cue, _)| cue)
}

/// A text without its code spans: what stands in them is quoted, not said.
pub fn without_code_spans(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    let is_open = pieces.len().is_multiple_of(2);
    let said = pieces
        .iter()
        .enumerate()
        // An odd mark opens nothing.
        .filter(|(at, _)| at % 2 == 0 || is_open && at + 1 == pieces.len())
        .map(|(_, piece)| *piece);
    said.collect::<Vec<_>>().join("` `")
}

/// How many cue words of its kind a sentence has: the more, the surer.
pub fn strength(lower: &str, cue: Cue) -> u64 {
    let words = match cue {
        Cue::Decision => DECISION,
        Cue::Constraint => CONSTRAINT,
        Cue::NextStep => NEXT,
        Cue::Blocked => BLOCKED,
        Cue::Done => DONE,
    };
    words.iter().filter(|word| lower.contains(*word)).count() as u64
}

/// The sentences of a text: lines, and in long lines their sentences. List marks are
/// removed. Code, headings, table rows and check boxes are no sentences; overlong and
/// tiny ones are left out.
pub fn sentences(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (line, in_code) in crate::context::summary::document::Document::lines_with_code(text) {
        let line = line.trim();
        if in_code || line.starts_with(['#', '|']) {
            continue;
        }
        let line = without_mark(line);
        if line.starts_with("[ ] ") || line.starts_with("[x] ") || line.starts_with("[X] ") {
            continue;
        }
        let mut rest = line;
        while let Some(end) = sentence_end(rest) {
            let (sentence, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            push(sentence, &mut out);
            rest = after;
        }
        push(rest, &mut out);
    }
    out
}

/// A line without quote and list marks: `- `, `> `, `3. `.
pub fn without_mark(line: &str) -> &str {
    let mut rest = line.trim_start();
    while let Some(after) = ["- ", "* ", "+ ", "> "]
        .iter()
        .find_map(|mark| rest.strip_prefix(mark))
    {
        rest = after.trim_start();
    }
    let unnumbered = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    match unnumbered
        .strip_prefix(". ")
        .or_else(|| unnumbered.strip_prefix(") "))
    {
        Some(after) if unnumbered.len() < rest.len() => after.trim_start(),
        _ => rest,
    }
}

fn push(sentence: &str, out: &mut Vec<String>) {
    /// Shorter ones say nothing (`Ok.`).
    const MIN_BYTES: usize = 8;
    let sentence = sentence.trim();
    let too_long = crate::context::summary::excerpt::is_longer(sentence, MAX_SENTENCE_CHARS);
    if sentence.len() >= MIN_BYTES && !too_long {
        out.push(without_lead_emphasis(sentence));
    }
}

/// `**Decision**: we …` without its asterisks, of which a sentence may hold only half.
fn without_lead_emphasis(sentence: &str) -> String {
    let Some(inner) = sentence.strip_prefix("**") else {
        return sentence.to_owned();
    };
    match inner.split_once("**") {
        Some((strong, rest)) => format!("{strong}{rest}"),
        None => inner.to_owned(),
    }
}

/// The byte after the first sentence end: a full stop before white space, or a Chinese one.
fn sentence_end(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let ends = match c {
            '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' => next.is_some_and(char::is_whitespace),
            _ => false,
        };
        if ends {
            return Some(at + c.len_utf8());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_of_two_languages() {
        let text = "# We must\n| a | must |\n- [ ] must do\n2. **We** decided to use sqlite. It is 3.14 times faster!\n```\nlet must = 1;\n```\n必须保留迁移步骤。不要改动接口。";
        assert_eq!(
            sentences(text),
            [
                "We decided to use sqlite.",
                "It is 3.14 times faster!",
                "必须保留迁移步骤。",
                "不要改动接口。"
            ]
        );
    }

    #[test]
    fn cues() {
        for (text, expected) in [
            ("we decided to keep it", Some(Cue::Decision)),
            ("you must not touch it", Some(Cue::Constraint)),
            ("next i will run tests", Some(Cue::NextStep)),
            ("blocked by the missing key", Some(Cue::Blocked)),
            ("我们决定采用新方案", Some(Cue::Decision)),
            ("接下来运行测试", Some(Cue::NextStep)),
            ("i fixed the order", Some(Cue::Done)),
            ("the sky is blue", None),
        ] {
            assert_eq!(cue_of(text), expected, "{text}");
        }
        for (text, said) in [
            ("run `todo must` then", "run ` ` then"),
            ("an odd ` must", "an odd ` ` must"),
        ] {
            assert_eq!(without_code_spans(text), said);
        }
        assert_eq!(strength("must never", Cue::Constraint), 2);
    }
}
