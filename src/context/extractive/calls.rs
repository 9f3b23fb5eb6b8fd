//! What the tool calls of a session came to: counts, commands that ran, and failures
//! that nothing later put right. Linear; a call is known by its tool and its subject.

use std::collections::{BTreeMap, HashMap};

use crate::context::appendix::{self, Subject, shown, subject_of};
use crate::context::redact;
use crate::context::summary::{SourceMessage, excerpt};
use crate::transcript::{BashExecution, Message, ToolResult};

/// Only this much of an output is looked at for secrets, in characters.
const READ_CHARS: usize = 2_000;
/// The name under which commands of the user are counted.
const USER_COMMAND: &str = "!";
/// Longest output of a user's command that is quoted, in characters.
const OUTPUT_CHARS: usize = 160;

/// How often a tool ran.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    calls: u64,
    failed: u64,
}

/// The newest outcome of one tool on one subject.
struct Outcome {
    subject: Subject,
    failure: Option<String>,
}

/// The calls of some messages.
#[derive(Default)]
pub struct Calls {
    tools: BTreeMap<String, Count>,
    outcomes: Vec<Option<Outcome>>,
    index: HashMap<String, usize>,
}

impl Calls {
    /// Reads the messages.
    pub fn read(messages: &[SourceMessage]) -> Self {
        let mut out = Self::default();
        let mut open: HashMap<&str, Subject> = HashMap::new();
        for source in messages {
            match source.message.as_ref() {
                Message::Assistant(assistant) => {
                    open.clear();
                    for call in assistant.tool_calls() {
                        out.tools.entry(call.name.clone()).or_default().calls += 1;
                        open.insert(call.id.as_str(), subject_of(call));
                    }
                }
                Message::ToolResult(result) => {
                    let subject = open.remove(result.call_id.as_str()).unwrap_or_default();
                    out.on_result(result, subject);
                }
                Message::BashExecution(run) => out.on_user_command(run),
                Message::User(_) => {}
            }
        }
        out
    }

    fn on_result(&mut self, result: &ToolResult, subject: Subject) {
        let failure = result
            .is_error
            .then(|| appendix::failure_line(result, &subject));
        if failure.is_some() {
            let tool = self.tools.entry(result.tool_name.clone()).or_default();
            tool.failed += 1;
        }
        self.record(&result.tool_name, subject, failure);
    }

    fn on_user_command(&mut self, run: &BashExecution) {
        let has_failed = run.exit_code.is_some_and(|code| code != 0);
        let tool = self.tools.entry(USER_COMMAND.to_owned()).or_default();
        tool.calls += 1;
        tool.failed += u64::from(has_failed);
        let subject = Subject {
            text: shown(&run.command),
            is_command: true,
        };
        let failure = has_failed.then(|| {
            let output = redact::redact(excerpt::head(&run.output, READ_CHARS)).into_owned();
            let output = excerpt::one_line(&output, OUTPUT_CHARS);
            format!("{USER_COMMAND} `{}`: {output}", subject.text)
        });
        self.record(USER_COMMAND, subject, failure);
    }

    /// A later outcome of the same call replaces the earlier one.
    fn record(&mut self, tool: &str, subject: Subject, failure: Option<String>) {
        if !subject.text.is_empty() {
            let key = format!("{tool} {}", subject.text);
            if let Some(known) = self.index.insert(key, self.outcomes.len())
                && let Some(earlier) = self.outcomes.get_mut(known)
            {
                *earlier = None;
            }
        }
        self.outcomes.push(Some(Outcome { subject, failure }));
    }

    /// Calls by tool, on one line; `None` without any.
    pub fn counts(&self) -> Option<String> {
        let counts: Vec<String> = self
            .tools
            .iter()
            .map(|(name, count)| match count.failed {
                0 => format!("{name} ×{}", count.calls),
                failed => format!("{name} ×{} ({failed} failed)", count.calls),
            })
            .collect();
        (!counts.is_empty()).then(|| counts.join(", "))
    }

    /// The newest distinct commands that worked, oldest first.
    pub fn commands(&self, most: usize) -> Vec<&str> {
        let worked: Vec<&str> = self
            .outcomes
            .iter()
            .flatten()
            .filter(|outcome| outcome.failure.is_none() && outcome.subject.is_command)
            .map(|outcome| outcome.subject.text.as_str())
            .filter(|text| !text.is_empty())
            .collect();
        let from = worked.len().saturating_sub(most);
        worked.get(from..).unwrap_or_default().to_vec()
    }

    /// The newest failures that the same call did not put right later, oldest first.
    pub fn failures(&self, most: usize) -> Vec<&str> {
        let failures: Vec<&str> = self
            .outcomes
            .iter()
            .flatten()
            .filter_map(|outcome| outcome.failure.as_deref())
            .collect();
        let from = failures.len().saturating_sub(most);
        failures.get(from..).unwrap_or_default().to_vec()
    }

    /// Whether the call of an earlier failure line was made again: how it ended now
    /// counts.
    pub fn repeats(&self, failure: &str) -> bool {
        failure
            .split_once(" `")
            .and_then(|(tool, rest)| Some((tool, rest.split_once("`: ")?.0)))
            .is_some_and(|(tool, subject)| self.index.contains_key(&format!("{tool} {subject}")))
    }
}
