//! Texts that are no prose: code, data, pages, tables, talks, answers.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::fold::folded_text;
use crate::context::grounding::index::SourceIndex;
use crate::context::grounding::prose::{self, LineKind, ProseLine};

use super::apology::any_of;

/// Whether a text without a heading is code, data, a page, a table, a talk with roles or an
/// answer to what was asked; or whether a text with headings goes on as a talk.
pub(super) fn is_no_prose(index: &SourceIndex<'_>, summary: &str) -> bool {
    let lines = prose::lines(summary);
    let speaks = |line: &&ProseLine<'_>| {
        let folded = folded_text(line.text.trim_start());
        let is_speaker = SPEAKERS.iter().any(|speaker| folded.starts_with(speaker));
        is_speaker && !is_said(index, line.text)
    };
    let is_talk = lines.iter().filter(speaks).count() > 1;
    let mut told = lines
        .iter()
        .filter(|line| line.kind != LineKind::Blank)
        .peekable();
    if told.peek().is_none() {
        return false;
    }
    let has_headings = lines
        .iter()
        .any(|line| line.text.trim_start().starts_with("##"));
    if has_headings {
        return is_talk;
    }
    let text = summary.trim();
    let is_data = text.starts_with('{') && text.ends_with('}')
        || text.starts_with('<') && text.ends_with('>');
    is_data
        || is_talk
        || answers(text)
        || is_indented_data(text)
        || is_said_already(index, text)
        || is_code(text)
        || told.all(|line| matches!(line.kind, LineKind::Code | LineKind::Row | LineKind::Rule))
}

/// In percent: from this share of its lines on, a text without headings only repeats.
const REPEATED_SHARE: usize = 60;

/// Whether most lines of a text stand in the conversation as they are: an output, pasted.
fn is_said_already(index: &SourceIndex<'_>, text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: BTreeSet<&str> = lines.collect();
    let said = index.said_verbatim(&lines).len();
    lines.len() > 2 && said * 100 >= lines.len() * REPEATED_SHARE
}

static DATA_LINE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^\s*(?:- )?[a-z][\w.-]*:(?: \S.*)?$|^\s*- \S").ok());

/// Whether a text is keys and values in indented lines: at least two keys that open a level.
fn is_indented_data(text: &str) -> bool {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let is_data = |line: &&str| DATA_LINE.as_ref().is_some_and(|data| data.is_match(line));
    let opens = lines
        .iter()
        .filter(|line| line.trim_end().ends_with(':'))
        .count();
    let is_indented = lines.iter().any(|line| line.starts_with("  "));
    opens > 1 && is_indented && lines.iter().all(is_data)
}

/// Words with which somebody speaks of what they would do, folded.
const OWN_WORDS: &[&str] = &[
    r"\bi(?:'d| would|'ll| will| suggest| recommend| think)\b|\bmy (?:suggestion|recommendation)\b",
    r"\bich (?:wurde|werde|schlage|empfehle|denke)\b",
    r"\bje (?:suggere|propose|recommande|pense|vais)\b",
    r"\b(?:yo )?(?:sugiero|propongo|recomiendo|sugiro|proponho|recomendo)\b",
    r"\b(?:suggerisco|consiglio di|ik zou|ik stel|proponuje|sugeruje)\b",
    r"\bя (?:бы|предлагаю|думаю|рекомендую)\b",
    "我(?:的)?建议|我会|我认为",
    "おすすめ|提案します|と思います",
    "제안합니다|생각합니다|추천",
];

static OWN: LazyLock<Option<Regex>> = LazyLock::new(|| any_of(OWN_WORDS));

/// Whether a text without headings answers: it says what the writer would do, or asks at its
/// end.
fn answers(text: &str) -> bool {
    let asks = text.ends_with(['?', '？']);
    let speaks = OWN
        .as_ref()
        .is_some_and(|cue| cue.is_match(&folded_text(text)));
    asks || speaks
}

/// In percent: from this share of lines on, code is what a text without headings is.
const CODE_SHARE: usize = 60;

/// Whether most lines of a text are lines of a program or of a diff.
fn is_code(text: &str) -> bool {
    let is_code_line = |line: &&str| {
        let line = line.trim();
        let ends = line.ends_with(['{', '}', ';', '(', ')', ',']) && !line.ends_with("),");
        let begins = [
            "diff --git",
            "@@",
            "+++",
            "---",
            "+",
            "-\t",
            "import ",
            "package ",
            "#!",
            "def ",
            "fn ",
            "func ",
            "class ",
            "return ",
            "const ",
            "let ",
            "var ",
            "if (",
            "index ",
        ]
        .iter()
        .any(|word| line.starts_with(word));
        ends || begins
    };
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let code = lines.iter().filter(|line| is_code_line(line)).count();
    lines.len() > 2 && code * 100 >= lines.len() * CODE_SHARE || text.starts_with("diff --git")
}

/// Tags that a request is fenced with: one that closes in the middle of a text lets what
/// follows speak as somebody else.
const FENCES: [&str; 10] = [
    "</summary",
    "</context",
    "</conversation",
    "</system",
    "</instructions",
    "</transcript",
    "<|im_start",
    "<|im_end",
    "[/inst]",
    "<system",
];

/// Whether a text closes a fence and goes on, or speaks as the system.
pub(super) fn forges_a_speaker(index: &SourceIndex<'_>, summary: &str) -> bool {
    let lines = prose::lines(summary);
    lines.iter().enumerate().any(|(number, line)| {
        let text = line.text.get(line.body.clone()).unwrap_or_default();
        let folded = folded_text(text);
        let goes_on = || {
            let rest = lines.get(number + 1..).unwrap_or_default();
            rest.iter()
                .any(|line| line.text.contains(char::is_alphabetic) && !line.text.starts_with('<'))
        };
        let closes = FENCES.iter().any(|fence| folded.starts_with(fence)) && goes_on();
        let speaks = SYSTEM.iter().any(|speaker| folded.starts_with(speaker));
        (closes || speaks) && line.kind != LineKind::Code && !is_said(index, text)
    })
}

/// How the system would begin to speak, folded.
const SYSTEM: [&str; 4] = ["[system]", "system:", "### system", "<<sys>>"];

/// Whether somebody said a line as it stands.
fn is_said(index: &SourceIndex<'_>, line: &str) -> bool {
    let line = line.trim();
    index.texts().any(|text| text.text.contains(line))
}

/// How a line of a talk begins, folded.
const SPEAKERS: [&str; 6] = [
    "[user]",
    "[assistant]",
    "user:",
    "assistant:",
    "human:",
    "ai:",
];
