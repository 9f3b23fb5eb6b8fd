//! `Test_expiry was fixed`: held against the newest run of a check. Where it still names the
//! thing among what failed, and nothing was changed since, it is not fixed.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::folded_text;
use crate::context::grounding::index::{OutputTally, SourceCall, SourceIndex, TextOrigin};

use super::super::reader::{Finding, LineReader};
use super::is_open;
use super::outcome::{command_of, has_word, output_of};

/// Something was fixed, folded.
static FIXED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "fixed|repaired|resolved|solved|behoben|repariert|gelost|corrige\\w*|resolu\\w*|repare\\w*|corregid\\w+|arreglad\\w+|resuelt\\w+\
        |corrigid\\w+|consertad\\w+|corrett\\w+|risolt\\w+|opgelost|naprawion\\w+|исправлен\\w*|duzeltildi";
    Regex::new(&format!(r"\b(?:{words})\b|修复|修正|解决|수정|해결")).ok()
});

/// A person says that it works, folded.
static PASSES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "passe?s?|passed|passing|green|works?|good|fine|grun|lauft|passent|marche|pasan|funciona|passam|funziona|slagen|werkt|przechodz\\w*|dziala|проход\\w*|работает|geciyor";
    Regex::new(&format!(r"\b(?:{words})\b|通过|好了|通った|통과")).ok()
});

/// A line of an output that tells of a failure, in lower case.
static FAILURE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?:fail|failed|failure|failing|error|errors|panicked)\b|✗|✘|✕|×|not ok").ok()
});

pub(super) fn read(reader: &mut LineReader<'_>, clause: &Range<usize>) {
    let told = reader.text().get(clause.clone()).unwrap_or_default();
    let folded = folded_text(told);
    let Some(at) = FIXED.as_ref().and_then(|cue| cue.find(&folded)) else {
        return;
    };
    if is_open(&folded, &at.range()) {
        return;
    }
    let Some(failing) = newest_failures(reader.index) else {
        return;
    };
    let lowered = told.to_lowercase();
    let names = lowered.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')));
    let mut names = names
        .map(|word| word.trim_matches('.'))
        .filter(|word| is_name(word, told));
    let is_named = names.any(|name| failing.iter().any(|line| has_word(line, name)));
    let is_all = [
        "all",
        "both",
        "alle",
        "tous",
        "todos",
        "todas",
        "tutti",
        "wszystkie",
        "все",
    ]
    .iter()
    .any(|word| has_word(&folded, word));
    let is_of_tests = folded.contains("test") || folded.contains("prueba");
    if is_named || is_all && is_of_tests {
        reader.note(clause.clone(), ClaimClass::DoneAction, Finding::Nowhere);
    }
}

/// Whether a word in lower case is the name of a test, a file or a type.
fn is_name(word: &str, told: &str) -> bool {
    let is_camel = || {
        let mut spelled = told.split(|c: char| !c.is_alphanumeric());
        let capitals = |spelled: &str| spelled.chars().filter(|c| c.is_uppercase()).count();
        spelled.any(|spelled| spelled.to_lowercase() == word && capitals(spelled) > 1)
    };
    word.len() > 3 && (word.contains(['_', '.']) || is_camel())
}

/// The failing lines of the newest run of a check, in lower case; `None` where it has none, or
/// something was changed or said since.
fn newest_failures(index: &SourceIndex<'_>) -> Option<Vec<String>> {
    let calls = index.calls().iter().rev().filter(|call| call.has_ended);
    let newest = calls
        .take_while(|call| is_check(index, call) || only_looks(index, call))
        .find(|call| is_check(index, call) && !call.has_worked)?;
    let is_told = index.texts().any(|text| {
        let is_later = text.message.is_some_and(|at| at > newest.message);
        let says = |cue: &Regex| cue.is_match(&folded_text(&text.text));
        text.origin == TextOrigin::Person
            && is_later
            && (FIXED.as_ref().is_some_and(says) || PASSES.as_ref().is_some_and(says))
    });
    let output = output_of(index, newest);
    let failing: Vec<String> = output
        .lines()
        .filter(|line| FAILURE.as_ref().is_some_and(|cue| cue.is_match(line)))
        .map(str::to_owned)
        .collect();
    (!is_told && !failing.is_empty()).then_some(failing)
}

fn is_check(index: &SourceIndex<'_>, call: &SourceCall) -> bool {
    let output = output_of(index, call);
    let is_tallied = OutputTally::of(&output).is_some_and(|tally| tally.runs > 0);
    let command = command_of(index, call).unwrap_or_default();
    let words = [
        "test", "tsc", "mypy", "lint", "clippy", "ruff", "check", "build",
    ];
    let runs = words.iter().any(|word| command.contains(word));
    runs && (is_tallied || output.contains("error"))
}

/// Whether a call only looks at something.
fn only_looks(index: &SourceIndex<'_>, call: &SourceCall) -> bool {
    let Some(command) = command_of(index, call) else {
        return super::super::counts::is_read_only(&call.tool);
    };
    let first = command.split_whitespace().next().unwrap_or_default();
    let looks = [
        "cat", "ls", "grep", "rg", "head", "tail", "git", "npm", "cargo",
    ]
    .contains(&first);
    looks && !command.contains('>')
}
