//! The summary without a model, on a coding session whose answers were written down
//! beforehand in `fixtures/coding-session.answers.toml`: is it enough to go on from?

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plimsoll::context::ruler::{Approximate, Ruler};
use plimsoll::context::summary::{self, SourceMessage, SummaryJob, SummaryResult};
use plimsoll::session::load;

/// Longer, and it would be quicker to read the session.
const SENSIBLE_CHARS: usize = 9_000;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/fixtures")
        .join(name)
}

fn messages() -> Vec<SourceMessage> {
    let loaded = load(&fixture("coding-session.jsonl")).unwrap();
    assert_eq!(loaded.problems.len(), 0, "{:?}", loaded.problems);
    let branch = loaded.transcript.branch();
    let messages = branch.iter().filter_map(|entry| {
        let message = Arc::clone(entry.message()?);
        Some(SourceMessage {
            entry: entry.id.clone(),
            tokens: Approximate.message_tokens(&message),
            message,
        })
    });
    messages.collect()
}

fn extract(instructions: Option<&str>) -> SummaryResult {
    let job = SummaryJob {
        instructions: instructions.map(str::to_owned),
        ..SummaryJob::new(
            messages(),
            Arc::new(|text: &str| Approximate.text_tokens(text)),
        )
    };
    summary::extract(&job)
}

fn answers() -> toml::Table {
    let text = std::fs::read_to_string(fixture("coding-session.answers.toml")).unwrap();
    text.parse().unwrap()
}

fn answer(answers: &toml::Table, question: &str) -> Vec<String> {
    let lines = answers[question].as_array().unwrap();
    let lines = lines.iter().map(|line| line.as_str().unwrap().to_owned());
    lines.collect()
}

/// The lines under a heading, up to the next of any level.
fn section<'a>(summary: &'a str, heading: &str) -> &'a str {
    let (_, rest) = summary.split_once(&format!("{heading}\n")).unwrap();
    rest.split("\n#").next().unwrap()
}

#[test]
fn the_answers_written_down_beforehand_are_in_the_summary() {
    let result = extract(None);
    let summary = &result.summary;
    let answers = answers();
    for (question, heading) in [
        ("goal", "## Goal"),
        ("last_request", "## Pending user asks"),
        ("modified_files", "## Relevant Files"),
        ("open_failures", "## Critical Context"),
        ("fixed_failures", "### Done"),
        ("open_steps", "## Next Steps"),
        ("decisions", "## Decisions"),
    ] {
        for line in answer(&answers, question) {
            assert!(
                section(summary, heading).contains(&line),
                "{question}: {line}\n{summary}"
            );
        }
    }
    for line in answer(&answers, "stale") {
        assert!(!summary.contains(&line), "stale: {line}\n{summary}");
    }
    let chars = summary.chars().count();
    assert!(chars <= SENSIBLE_CHARS, "{chars} characters\n{summary}");
    assert!(result.audit.passed, "{:?}\n{summary}", result.findings);
}

#[test]
fn every_modified_file_is_named_and_no_other_is_said_to_be() {
    let result = extract(None);
    let files = section(&result.summary, "## Relevant Files");
    let mut named: Vec<&str> = files
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.strip_suffix("` (modified)"))
        .collect();
    named.sort_unstable();
    assert_eq!(named, answer(&answers(), "modified_files"));
}

#[test]
fn words_of_the_instructions_rank_first_and_the_result_says_which() {
    let plain = extract(None);
    let told = extract(Some(
        "keep everything about the metrics and config, forget giraffes",
    ));
    let first = |result: &SummaryResult, heading: &str| {
        let lines = section(&result.summary, heading).lines();
        lines.map(str::to_owned).next().unwrap()
    };
    for (heading, wanted) in [
        ("## Next Steps", "metrics"),
        ("## Relevant Files", "config.rs"),
    ] {
        assert!(!first(&plain, heading).contains(wanted), "{heading}");
        assert!(
            first(&told, heading).contains(wanted),
            "{heading}\n{}",
            told.summary
        );
    }
    assert_eq!(plain.instruction_effects, Vec::<String>::new());
    let effects = told.instruction_effects.join("\n");
    assert!(
        effects.contains("“metrics”") && effects.contains("“config”"),
        "{effects}"
    );
    assert!(!effects.contains("giraffes"), "{effects}");
}
