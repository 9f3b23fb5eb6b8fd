//! The guard against loops: a model that makes the same calls and gets the same results, again
//! and again, with nothing in between.
//!
//! Where somebody can be asked, the next such call asks. Elsewhere the model is told, and at
//! last the run ends. Looking at a background job and waiting for it is no loop.

use serde_json::{Map, Value};

use crate::agent::protocol::Notice;
use crate::tool::JobTool;
use crate::transcript::{AssistantMessage, Entry, Message, Part, ToolCall, ToolResult};

use std::sync::Arc;

/// From so many equal answers on, the user is asked or the model is told.
const TOLD_AT: u32 = 3;
/// With so many, a run without a user ends.
const ENDS_AT: u32 = 8;

/// The calls of the newest answer with their results, and how often they came.
#[derive(Debug, Default)]
pub(in crate::agent) struct CallRepeats {
    last: Vec<AnsweredCall>,
    times: u32,
}

/// What is done about a loop where nobody can be asked.
#[derive(Debug)]
pub(in crate::agent) enum RepeatVerdict {
    /// Nothing.
    Nothing,
    /// The model is told this.
    Tell(String),
    /// The run ends and says so.
    End(Notice),
}

/// A call with its result.
#[derive(Debug, PartialEq)]
struct AnsweredCall {
    name: String,
    arguments: Map<String, Value>,
    content: Vec<Part>,
    is_error: bool,
}

impl CallRepeats {
    /// Counts the calls of an answer. Equal calls of one answer count once.
    pub(super) fn count(&mut self, answer: &AssistantMessage, results: &[&ToolResult]) {
        let mut calls = Vec::new();
        for call in answer
            .tool_calls()
            .filter(|call| call.name != JobTool::NAME)
        {
            let Some(result) = results.iter().find(|it| it.call_id == call.id) else {
                continue;
            };
            let answered = AnsweredCall {
                name: call.name.clone(),
                arguments: call.arguments_object(),
                content: result.content.clone(),
                is_error: result.is_error,
            };
            if !calls.contains(&answered) {
                calls.push(answered);
            }
        }
        if !calls.is_empty() && calls == self.last {
            self.times += 1;
        } else {
            self.times = u32::from(!calls.is_empty());
            self.last = calls;
        }
    }

    /// What follows from the newest answer where nobody can be asked.
    pub(in crate::agent) fn verdict(&self) -> RepeatVerdict {
        let times = self.times;
        if times >= ENDS_AT {
            let text =
                format!("stopped: the same call gave the same result {times} times in a row");
            RepeatVerdict::End(
                Notice::error(text).with_hint(
                    "everything is kept; rephrase the message, or set loop_guard = false",
                ),
            )
        } else if times == TOLD_AT {
            RepeatVerdict::Tell(format!(
                "[Your last {times} answers made the same call and got the same result. Once \
                 more gives nothing new: do something else, or say what is missing. After \
                 {ENDS_AT} times the run ends.]"
            ))
        } else {
            RepeatVerdict::Nothing
        }
    }

    /// Whether a call would only go on with what was the same often enough.
    pub(in crate::agent) fn is_again(&self, call: &ToolCall) -> bool {
        self.times >= TOLD_AT
            && self
                .last
                .iter()
                .any(|last| last.name == call.name && last.arguments == call.arguments_object())
    }

    /// Why such a call asks.
    pub(in crate::agent) fn caution(&self) -> String {
        format!(
            "the same call gave the same result {} times in a row",
            self.times
        )
    }

    /// Begins to count anew: something else happened, or the user wants it so.
    pub(in crate::agent) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// The results that follow the newest answer.
pub(super) fn newest_results(entries: &[Arc<Entry>]) -> Vec<&ToolResult> {
    let messages = entries.iter().rev().filter_map(|entry| entry.message());
    messages
        .map_while(|message| match message.as_ref() {
            Message::Assistant(_) => None,
            other => Some(other),
        })
        .filter_map(|message| match message {
            Message::ToolResult(result) => Some(result),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::transcript::AssistantPart;

    fn call(id: &str, name: &str, path: &str) -> ToolCall {
        ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments: json!({ "path": path }),
            malformed: None,
        }
    }

    fn result(id: &str, text: &str) -> ToolResult {
        ToolResult {
            call_id: id.to_owned(),
            content: vec![Part::Text(text.to_owned())],
            ..ToolResult::default()
        }
    }

    /// One answer with these calls, whose results have this text.
    fn heed(repeats: &mut CallRepeats, calls: &[ToolCall], text: &str) -> u32 {
        let parts = calls.iter().cloned().map(AssistantPart::ToolCall);
        let answer = AssistantMessage {
            content: parts.collect(),
            ..AssistantMessage::default()
        };
        let results: Vec<ToolResult> = calls.iter().map(|it| result(&it.id, text)).collect();
        repeats.count(&answer, &results.iter().collect::<Vec<_>>());
        repeats.times
    }

    #[test]
    fn equal_calls_with_equal_results_count_and_everything_else_begins_anew() {
        let mut repeats = CallRepeats::default();
        let a = || call("1", "read", "a");
        assert_eq!(heed(&mut repeats, &[a()], "x"), 1);
        assert_eq!(heed(&mut repeats, &[call("2", "read", "a")], "x"), 2);
        assert!(!repeats.is_again(&a()));
        assert_eq!(heed(&mut repeats, &[a()], "x"), 3);
        assert!(repeats.is_again(&a()));
        assert!(!repeats.is_again(&call("3", "read", "b")));
        assert!(repeats.caution().contains("3 times"));
        assert_eq!(heed(&mut repeats, &[a()], "other"), 1, "another result");
        assert_eq!(heed(&mut repeats, &[call("1", "list", "a")], "other"), 1);
        assert_eq!(heed(&mut repeats, &[a(), call("2", "read", "b")], "x"), 1);
        repeats.forget();
        assert_eq!(heed(&mut repeats, &[a()], "x"), 1);
    }

    #[test]
    fn equal_calls_of_one_answer_are_one_and_jobs_are_none() {
        let mut repeats = CallRepeats::default();
        let many: Vec<_> = (0..300)
            .map(|n| call(&n.to_string(), "read", "a"))
            .collect();
        assert_eq!(heed(&mut repeats, &many, "x"), 1);
        assert_eq!(heed(&mut repeats, &many[..1], "x"), 2);
        for _ in 0..5 {
            assert_eq!(heed(&mut repeats, &[call("1", "job", "7")], "runs"), 0);
        }
        assert_eq!(heed(&mut repeats, &many, "x"), 1);
    }
}
