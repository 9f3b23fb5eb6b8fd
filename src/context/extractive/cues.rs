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
}

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
    ]
    .into_iter()
    .find(|(_, words)| words.iter().any(|word| lower.contains(word)))
    .map(|(cue, _)| cue)
}

/// How many cue words of its kind a sentence has: the more, the surer.
pub fn strength(lower: &str, cue: Cue) -> u64 {
    let words = match cue {
        Cue::Decision => DECISION,
        Cue::Constraint => CONSTRAINT,
        Cue::NextStep => NEXT,
        Cue::Blocked => BLOCKED,
    };
    words.iter().filter(|word| lower.contains(*word)).count() as u64
}

/// The sentences of a text outside fenced code: lines, and in long lines their
/// sentences. List marks are removed; overlong and tiny ones left out.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for (line, in_code) in crate::context::summary::document::Document::lines_with_code(text) {
        let line = line.trim().trim_start_matches(['-', '*', '>', '#', ' ']);
        if in_code || line.is_empty() {
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

fn push<'a>(sentence: &'a str, out: &mut Vec<&'a str>) {
    /// Shorter ones say nothing (`Ok.`).
    const MIN_BYTES: usize = 8;
    let sentence = sentence.trim();
    let too_long = crate::context::summary::excerpt::is_longer(sentence, MAX_SENTENCE_CHARS);
    if sentence.len() >= MIN_BYTES && !too_long {
        out.push(sentence);
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
        let text = "- We decided to use sqlite. It is 3.14 times faster!\n```\nlet must = 1;\n```\n必须保留迁移步骤。不要改动接口。";
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
            ("the sky is blue", None),
        ] {
            assert_eq!(cue_of(text), expected, "{text}");
        }
        assert_eq!(strength("must never", Cue::Constraint), 2);
    }
}
