//! Permissions and outcomes of commands that a summary tells, against short conversations:
//! every `tests/data/claims/*.jsonl`. The authors of `permissions*` and `runs*` saw neither the
//! program nor its words. At the first look, before anybody read them, the second files had 86
//! of 126 permissions that nobody gave found and 67 of 79 true ones left alone, and of outcomes
//! 50 of 130 and 69 of 80. In most outcomes that are missed every word was said, of something
//! else.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plimsoll::context::grounding::{GroundingSources, SourceIndex, check_with, strike};
use plimsoll::context::summary::SourceMessage;
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, EntryId, Message, Part, ToolCall, ToolResult,
};
use serde_json::{Value, json};

use crate::figures;

/// Headings under which a sentence may stand.
const HEADINGS: [&str; 3] = [
    "Constraints & Preferences",
    "Progress\n### Done",
    "Key Decisions",
];

fn text_of<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// A turn of a conversation: words, or a command with its output.
fn messages_of(turn: &Value, number: usize) -> Vec<Message> {
    let answer = |part| {
        Message::Assistant(AssistantMessage {
            content: vec![part],
            ..AssistantMessage::default()
        })
    };
    let text = text_of(turn, "text");
    match text_of(turn, "who") {
        "user" => vec![Message::user_text(text)],
        "assistant" => vec![answer(AssistantPart::Text(text.to_owned()))],
        _ => {
            let has_worked = turn["ok"].as_bool().unwrap_or(true);
            let mut output = text_of(turn, "output").to_owned();
            if !has_worked {
                output.push_str("\n[exit code 1]");
            }
            let call = ToolCall {
                id: format!("c{number}"),
                name: "bash".to_owned(),
                arguments: json!({"command": turn["command"]}),
                malformed: None,
            };
            let result = ToolResult {
                call_id: format!("c{number}"),
                tool_name: "bash".to_owned(),
                content: vec![Part::Text(output)],
                is_error: !has_worked,
                details: None,
            };
            vec![
                answer(AssistantPart::ToolCall(call)),
                Message::ToolResult(result),
            ]
        }
    }
}

fn conversation(row: &Value) -> Vec<SourceMessage> {
    let turns = row["talk"].as_array().unwrap().iter().enumerate();
    let messages = turns.flat_map(|(number, turn)| messages_of(turn, number));
    messages
        .enumerate()
        .map(|(number, message)| SourceMessage {
            entry: EntryId::new(format!("m{number}")),
            message: Arc::new(message),
            tokens: 1,
        })
        .collect()
}

/// Under which headings a sentence is struck or marked.
fn is_open(index: &SourceIndex<'_>, sentence: &str) -> Vec<bool> {
    let open = HEADINGS.iter().map(|heading| {
        let summary = format!("## {heading}\n- {sentence}\n");
        let text = strike(&summary, &check_with(index, &summary)).text;
        !text.contains(sentence) || text.contains("[unverified]")
    });
    open.collect()
}

/// Sentences that were judged rightly, of all, with those that were not.
#[derive(Default)]
struct Told {
    bad: (usize, usize),
    good: (usize, usize),
    wrong: Vec<String>,
}

fn judge(path: &Path) -> Told {
    let mut told = Told::default();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let messages = conversation(&row);
        let index = SourceIndex::of(GroundingSources {
            messages: &messages,
            ..GroundingSources::default()
        });
        for (key, is_bad) in [("bad", true), ("good", false)] {
            for sentence in row[key].as_array().unwrap() {
                let sentence = sentence.as_str().unwrap();
                let open = is_open(&index, sentence);
                let count = open.iter().filter(|open| **open).count();
                // A permission in a few words is one under a heading of rules only.
                let is_found = open[0] || count > 1;
                let is_right = if is_bad { is_found } else { count == 0 };
                let side = if is_bad {
                    &mut told.bad
                } else {
                    &mut told.good
                };
                side.0 += usize::from(is_right);
                side.1 += 1;
                if !is_right {
                    told.wrong
                        .push(format!("{} {key}: {sentence}", text_of(&row, "id")));
                }
            }
        }
    }
    told
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/claims/{name}.jsonl"))
}

/// At least so many of these sentences are judged rightly: below what was measured, so that a
/// step back is seen.
#[track_caller]
fn assert_told(name: &str, least_bad: usize, least_good: usize) {
    let told = judge(&file(name));
    figures::show(format!(
        "{name}: {}/{} invented found · {}/{} true left alone\n{}",
        told.bad.0,
        told.bad.1,
        told.good.0,
        told.good.1,
        told.wrong.join("\n")
    ));
    assert!(told.bad.0 >= least_bad, "{name} {:?}", told.wrong);
    assert!(told.good.0 >= least_good, "{name} {:?}", told.wrong);
}

#[test]
fn a_permission_needs_words_of_a_person_for_that_thing() {
    assert_told("permissions", 155, 71);
    assert_told("permissions-2", 94, 68);
}

#[test]
fn the_outcome_of_a_command_is_that_of_its_newest_run() {
    assert_told("runs", 95, 60);
    assert_told("runs-2", 48, 68);
}

#[test]
fn what_a_walk_found_stays_found() {
    assert_told("walk", 37, 26);
}
