//! The words that tell what a sentence is: a decision, an obligation, an announced step,
//! an obstacle, something done; in English and Chinese.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// The kind of a sentence, by its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SentenceCue {
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

/// Words that turn what follows into its opposite.
const NOT: [&str; 4] = ["not ", "not yet ", "never ", "to be "];
/// Words of a proposal: what comes with them was not decided.
const HEDGES: [&str; 6] = ["would ", "could ", "might ", "should we", "maybe", "也许"];

/// The kinds, in the order in which they are preferred, with their words.
const KINDS: [(SentenceCue, &[&str]); 5] = [
    (SentenceCue::Blocked, BLOCKED),
    (SentenceCue::Decision, DECISION),
    (SentenceCue::Constraint, CONSTRAINT),
    (SentenceCue::NextStep, NEXT),
    (SentenceCue::Done, DONE),
];

/// Finds the words of all kinds in one pass.
static WORDS: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(KINDS.iter().flat_map(|(_, words)| words.iter())).ok());

/// The cue in the words of a sentence, in lower case, and the number of its kind: the more,
/// the surer. A word counts where it begins, not inside another (`supported`).
pub(super) fn cue_of(lower: &str) -> Option<(SentenceCue, u64)> {
    let mut counts = [0; KINDS.len()];
    for found in WORDS
        .iter()
        .flat_map(|words| words.find_overlapping_iter(lower))
    {
        let before = lower.get(..found.start()).unwrap_or_default();
        let is_ascii = lower
            .as_bytes()
            .get(found.start())
            .is_some_and(u8::is_ascii);
        if is_ascii && before.ends_with(|c: char| c.is_ascii_alphanumeric()) {
            continue;
        }
        let mut word = found.pattern().as_usize();
        for ((cue, words), count) in KINDS.iter().zip(&mut counts) {
            if word < words.len() {
                let is_denied =
                    *cue == SentenceCue::Done && NOT.iter().any(|not| before.ends_with(not));
                *count += u64::from(!is_denied);
                break;
            }
            word -= words.len();
        }
    }
    let is_hedged = HEDGES.iter().any(|hedge| lower.contains(hedge));
    KINDS
        .iter()
        .zip(counts)
        .find(|((cue, _), count)| *count > 0 && !(is_hedged && *cue == SentenceCue::Decision))
        .map(|((cue, _), count)| (*cue, count))
}

/// A text without its code spans: their text is quoted, not said.
pub(super) fn without_code_spans(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues() {
        for (text, expected) in [
            ("we decided to keep it", Some(SentenceCue::Decision)),
            ("you must not touch it", Some(SentenceCue::Constraint)),
            ("next i will run tests", Some(SentenceCue::NextStep)),
            ("blocked by the missing key", Some(SentenceCue::Blocked)),
            ("我们决定采用新方案", Some(SentenceCue::Decision)),
            ("接下来运行测试", Some(SentenceCue::NextStep)),
            ("i fixed the order", Some(SentenceCue::Done)),
            ("not yet implemented", None),
            ("it is supported everywhere", None),
            ("i would do it because it is slow", None),
            ("the sky is blue", None),
        ] {
            assert_eq!(cue_of(text).map(|(cue, _)| cue), expected, "{text}");
        }
        for (text, said) in [
            ("run `todo must` then", "run ` ` then"),
            ("an odd ` must", "an odd ` ` must"),
        ] {
            assert_eq!(without_code_spans(text), said);
        }
        assert_eq!(cue_of("must never"), Some((SentenceCue::Constraint, 2)));
    }
}
