//! What the outputs of tools list: tests by their outcome, and tallies of runs.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use regex::Regex;

/// Longer outputs list more than anybody counts.
const MAX_LISTING_BYTES: usize = 20_000;

/// What an output lists, one a line.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::context::grounding) struct OutputTally {
    /// Tests that passed: `✓`,
    pub passed: usize,
    /// and that failed: `--- FAIL`.
    pub failed: usize,
    /// Runs with a tally: `3 passed`,
    pub runs: usize,
    /// and those of them that failed.
    pub bad_runs: usize,
}

impl OutputTally {
    /// What an output lists; `None` where it lists nothing, or more than anybody counts.
    pub(in crate::context::grounding) fn of(text: &str) -> Option<Self> {
        let is_listing = text.len() <= MAX_LISTING_BYTES
            && MARK_OR_TALLY.as_ref().is_none_or(|any| any.is_match(text));
        if !is_listing {
            return None;
        }
        let mut tally = Self::default();
        tally.count_tests(text);
        tally.count_runs(text);
        (tally.passed + tally.failed + tally.runs > 0).then_some(tally)
    }

    fn count_tests(&mut self, text: &str) {
        let lines = LINE_OUTCOME.iter();
        for found in lines.flat_map(|line| line.captures_iter(text)) {
            self.passed += usize::from(found.name("pass").is_some());
            self.failed += usize::from(found.name("fail").is_some());
        }
    }

    fn count_runs(&mut self, text: &str) {
        for line in text.lines() {
            let numbers: Vec<&str> = TALLY
                .iter()
                .flat_map(|tally| tally.captures_iter(line))
                .filter(|found| found.get(1).is_some_and(|number| number.as_str() != "0"))
                .filter_map(|found| found.get(2).map(|word| word.as_str()))
                .collect();
            self.runs += usize::from(!numbers.is_empty());
            let is_bad = numbers
                .iter()
                .any(|word| word.starts_with(['f', 'F', 'e', 'E']));
            self.bad_runs += usize::from(is_bad);
        }
    }
}

static LINE_OUTCOME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let passed = r"PASS(?:ED)?\b|ok\b|✓|✔|√";
    let failed = r"FAIL(?:ED)?\b|not ok\b|✗|✘|✕|×";
    Regex::new(&format!(
        r"(?m)^\s*(?:-+\s*)?(?:(?P<pass>{passed})|(?P<fail>{failed}))"
    ))
    .ok()
});

/// Numbers with the outcome that they count: `3 passed`.
pub(in crate::context::grounding) static TALLY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(\d+)\s+(passed|failed|skipped|ignored|errors?|flaky|passing|failing)").ok()
});

/// What [`LINE_OUTCOME`] or [`TALLY`] cannot do without.
static MARK_OR_TALLY: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = [
        "pass", "fail", "ok", "skipped", "ignored", "error", "flaky", "✓", "✔", "√", "✗", "✘", "✕",
        "×",
    ];
    AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .build(words)
        .ok()
});
