//! Failures of tools, one line each. A call is known by its tool and its subject, in the
//! line as well, so that a later compaction recognises what was put right since.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use crate::context::redact;
use crate::context::summary::excerpt;
use crate::transcript::{ToolCall, ToolResult};

use super::{files_of, gist};

/// Longest failure line, in characters.
const FAILURE_CHARS: usize = 240;
/// Failure lines that are kept over compactions: the newest.
const FAILURES_KEPT: usize = 64;
/// Longest command or path that is shown, in characters.
const SUBJECT_CHARS: usize = 100;
/// Only this much of a command is looked at for secrets, in characters.
const READ_CHARS: usize = 2_000;
/// Arguments that hold a command line.
const COMMAND_ARGUMENTS: [&str; 3] = ["command", "cmd", "script"];

/// What stands before the address of a failed result.
const ADDRESS_MARK: &str = " · recall ";

/// The subject of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallSubject {
    /// The command or path on one line, fit for a code span; empty when unknown.
    pub text: String,
    /// It is a command.
    pub is_command: bool,
}

/// The command or the file that a call is about.
pub fn subject_of(call: &ToolCall) -> CallSubject {
    let files = files_of(call);
    let command = COMMAND_ARGUMENTS
        .iter()
        .find_map(|name| command_line(call.arguments.get(*name)?));
    match (command, files.first()) {
        // An editor's `command` says what it does to its file.
        (Some(command), None) => CallSubject {
            text: shown(&command),
            is_command: true,
        },
        (_, file) => CallSubject {
            text: file.map(|(_, path)| shown(path)).unwrap_or_default(),
            is_command: false,
        },
    }
}

/// A command line, or its words; of `sh -c …` what the shell is told.
fn command_line(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [] => None,
                [_, flag, script] if flag.starts_with('-') && flag.ends_with('c') => {
                    Some(Cow::Borrowed(script))
                }
                words => Some(Cow::Owned(words.join(" "))),
            }
        }
        _ => None,
    }
}

/// On one line, without secrets (looked for before the cut: a cut secret is not
/// recognised), fit for a code span.
pub fn shown(text: &str) -> String {
    let clean = redact::redact(excerpt::head(text, READ_CHARS)).replace('`', "'");
    excerpt::one_line(&clean, SUBJECT_CHARS)
}

/// One failed result on one line, with its subject, and with status and exit code where
/// they are known.
pub(super) fn failure_line(result: &ToolResult, subject: &CallSubject) -> String {
    let told = gist(&result.text(), FAILURE_CHARS);
    let codes: Vec<String> = ["status", "exitCode"]
        .into_iter()
        .filter_map(|key| {
            let value = result.details.as_ref()?.get(key)?;
            let shown = match value {
                Value::String(text) => excerpt::one_line(text, 20),
                Value::Number(number) => number.to_string(),
                _ => return None,
            };
            Some(format!("{key}={shown}"))
        })
        .collect();
    let suffix = if codes.is_empty() {
        String::new()
    } else {
        format!(" ({})", codes.join(" "))
    };
    let room = FAILURE_CHARS.saturating_sub(suffix.chars().count());
    let who = match subject.text.as_str() {
        "" => result.tool_name.clone(),
        subject => format!("{} `{subject}`", result.tool_name),
    };
    let line = excerpt::one_line(&format!("{who}: {told}"), room);
    format!("{line}{suffix}")
}

/// A failure line without the address at its end.
pub(super) fn without_address(line: &str) -> &str {
    let marked = line.rsplit_once(ADDRESS_MARK);
    let marked = marked.filter(|(_, address)| {
        let digits = address.strip_prefix('r');
        digits.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
    });
    marked.map_or(line, |(bare, _)| bare)
}

/// Failures that are not put right, oldest first.
#[derive(Default)]
pub(super) struct ToolFailures {
    lines: Vec<Option<String>>,
    /// Positions by tool and subject as they are in the line.
    index: HashMap<String, usize>,
}

impl ToolFailures {
    /// Takes over the failures that an earlier compaction listed.
    pub(super) fn inherit(&mut self, lines: &[String]) {
        for line in lines {
            let key = line.split_once("`: ").filter(|(key, _)| key.contains('`'));
            if let Some((key, _)) = key {
                self.index.insert(key.to_owned(), self.lines.len());
            }
            self.lines.push(Some(line.clone()));
        }
    }

    /// The newest outcome of a call takes the place of the earlier one.
    pub(super) fn on_result(
        &mut self,
        result: &ToolResult,
        subject: &CallSubject,
        address: impl Fn() -> Option<String>,
    ) {
        if !subject.text.is_empty() {
            let key = format!("{} `{}", result.tool_name, subject.text);
            let earlier = self.index.remove(&key);
            if let Some(line) = earlier.and_then(|at| self.lines.get_mut(at)) {
                *line = None;
            }
            if result.is_error {
                self.index.insert(key, self.lines.len());
            }
        }
        if result.is_error {
            let mut line = failure_line(result, subject);
            if let Some(address) = address() {
                line.push_str(ADDRESS_MARK);
                line.push_str(&address);
            }
            self.lines.push(Some(line));
        }
    }

    /// The newest lines, oldest first.
    pub(super) fn newest(self) -> Vec<String> {
        let mut lines: Vec<String> = self.lines.into_iter().flatten().collect();
        let surplus = lines.len().saturating_sub(FAILURES_KEPT);
        lines.drain(..surplus);
        lines
    }
}
