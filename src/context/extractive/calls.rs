//! The outcomes of a session's tool calls: counts, commands that ran, failures, and
//! which of them were put right. Linear; a call is known by what it is about.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::context::appendix::{self, CallSubject, shown, subject_of};
use crate::context::summary::SourceMessage;
use crate::transcript::{BashExecution, Message, ToolResult};

/// The name under which commands of the user are counted.
const USER_COMMAND: &str = "!";
/// Longest account of a failure, in characters.
const FAILURE_CHARS: usize = 240;
/// Longest account of a failure that was put right, in characters.
const FIXED_CHARS: usize = 220;
/// Commands that a shell line only prepares with: `cd x && `.
const PREPARES: [&str; 3] = ["cd ", "export ", "source "];

/// Commands that only look: nobody needs to know that they ran.
const LOOKS: [&str; 16] = [
    "ls",
    "cat ",
    "git log",
    "git status",
    "git diff",
    "git show",
    "rg ",
    "grep ",
    "find ",
    "pwd",
    "head ",
    "tail ",
    "sed -n",
    "wc ",
    "which ",
    "tree",
];

/// How often a tool ran.
#[derive(Clone, Copy, Debug, Default)]
struct ToolCount {
    calls: u64,
    failed: u64,
}

/// One way in which a call failed, once or more often.
struct FailedCall {
    /// The tool with its subject.
    who: String,
    gist: String,
    times: u64,
    /// This call worked later, or failed otherwise.
    is_fixed: bool,
    /// Position of the newest time.
    newest: usize,
}

/// The calls of some messages.
#[derive(Default)]
pub(super) struct CallHistory {
    tools: BTreeMap<String, ToolCount>,
    /// Commands that worked, in the order of their newest run.
    ran: Vec<Option<String>>,
    ran_at: HashMap<String, usize>,
    failures: Vec<FailedCall>,
    /// Failures by what their call is about.
    failed: HashMap<String, Vec<usize>>,
    /// The subjects of calls.
    known: HashSet<String>,
    results: usize,
}

impl CallHistory {
    pub(super) fn read(messages: &[SourceMessage]) -> Self {
        let mut out = Self::default();
        let mut open: HashMap<&str, CallSubject> = HashMap::new();
        for source in messages {
            match source.message.as_ref() {
                Message::Assistant(assistant) => {
                    open.clear();
                    for call in assistant.tool_calls() {
                        out.count(&call.name).calls += 1;
                        open.insert(call.id.as_str(), subject_of(call));
                    }
                }
                Message::ToolResult(result) => {
                    let subject = open.remove(result.call_id.as_str()).unwrap_or_default();
                    out.on_result(result, &subject);
                }
                Message::BashExecution(run) => out.on_user_command(run),
                Message::User(_) => {}
            }
        }
        out
    }

    fn count(&mut self, tool: &str) -> &mut ToolCount {
        if !self.tools.contains_key(tool) {
            self.tools.insert(tool.to_owned(), ToolCount::default());
        }
        self.tools.entry(tool.to_owned()).or_default()
    }

    fn on_result(&mut self, result: &ToolResult, subject: &CallSubject) {
        let gist = result
            .is_error
            .then(|| appendix::gist(&result.text(), FAILURE_CHARS));
        if gist.is_some() {
            self.count(&result.tool_name).failed += 1;
        }
        self.record(&result.tool_name, subject, gist);
    }

    fn on_user_command(&mut self, run: &BashExecution) {
        let has_failed = run.exit_code.is_some_and(|code| code != 0);
        let count = self.count(USER_COMMAND);
        count.calls += 1;
        count.failed += u64::from(has_failed);
        let subject = CallSubject {
            text: shown(&run.command),
            is_command: true,
        };
        let gist = has_failed.then(|| appendix::gist(&run.output, FAILURE_CHARS));
        self.record(USER_COMMAND, &subject, gist);
    }

    /// Notes an outcome. It settles the earlier outcome of the same call.
    fn record(&mut self, tool: &str, subject: &CallSubject, gist: Option<String>) {
        self.results += 1;
        let key = key(subject);
        let earlier = key.as_ref().and_then(|key| self.failed.get(key));
        let mut again = None;
        for &at in earlier.into_iter().flatten() {
            let Some(failure) = self.failures.get_mut(at) else {
                continue;
            };
            failure.is_fixed = true;
            if gist
                .as_deref()
                .is_some_and(|gist| is_alike(gist, &failure.gist))
            {
                again = Some(at);
            }
        }
        if let Some(key) = &key
            && !self.known.contains(key)
        {
            self.known.insert(key.clone());
        }
        match gist {
            None if subject.is_command && !only_looks(&subject.text) => self.worked(&subject.text),
            None => {}
            Some(gist) => self.fail(tool, subject, key, gist, again),
        }
    }

    fn worked(&mut self, command: &str) {
        let earlier = self.ran_at.insert(command.to_owned(), self.ran.len());
        if let Some(known) = earlier.and_then(|at| self.ran.get_mut(at)) {
            *known = None;
        }
        self.ran.push(Some(command.to_owned()));
    }

    fn fail(
        &mut self,
        tool: &str,
        subject: &CallSubject,
        key: Option<String>,
        gist: String,
        again: Option<usize>,
    ) {
        if let Some(failure) = again.and_then(|at| self.failures.get_mut(at)) {
            failure.times += 1;
            failure.is_fixed = false;
            failure.newest = self.results;
            return;
        }
        if let Some(key) = key {
            self.failed
                .entry(key)
                .or_default()
                .push(self.failures.len());
        }
        let who = match subject.text.as_str() {
            "" => tool.to_owned(),
            subject => format!("{tool} `{subject}`"),
        };
        self.failures.push(FailedCall {
            who,
            gist,
            times: 1,
            is_fixed: false,
            newest: self.results,
        });
    }

    /// Calls by tool, on one line; `None` without any.
    pub(super) fn counts(&self) -> Option<String> {
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
    pub(super) fn commands(&self, most: usize) -> Vec<&str> {
        let mut newest: Vec<&str> = self
            .ran
            .iter()
            .rev()
            .flatten()
            .map(String::as_str)
            .take(most)
            .collect();
        newest.reverse();
        newest
    }

    /// The newest failures that are not put right, oldest first.
    pub(super) fn failures(&self, most: usize) -> Vec<String> {
        self.newest(most, false)
            .into_iter()
            .map(|failure| format!("{}: {}{}", failure.who, failure.gist, times(failure.times)))
            .collect()
    }

    /// The newest failures that were put right, oldest first.
    pub(super) fn fixed(&self, most: usize) -> Vec<String> {
        self.newest(most, true)
            .into_iter()
            .map(|failure| {
                let gist = crate::context::summary::excerpt::ellipsized(&failure.gist, FIXED_CHARS);
                format!("{}: {gist}{}", failure.who, times(failure.times))
            })
            .collect()
    }

    fn newest(&self, most: usize, is_fixed: bool) -> Vec<&FailedCall> {
        let mut found: Vec<&FailedCall> = self
            .failures
            .iter()
            .filter(|failure| failure.is_fixed == is_fixed)
            .collect();
        found.sort_by_key(|failure| failure.newest);
        found.split_off(found.len().saturating_sub(most))
    }

    /// Whether the call of an earlier failure line was made again: how it ended now
    /// counts.
    pub(super) fn repeats(&self, failure: &str) -> bool {
        let subject = failure
            .split_once(" `")
            .and_then(|(_, rest)| Some(rest.split_once("`: ")?.0));
        subject.is_some_and(|subject| {
            [true, false].into_iter().any(|is_command| {
                let text = subject.to_owned();
                key(&CallSubject { text, is_command }).is_some_and(|key| self.known.contains(&key))
            })
        })
    }
}

fn only_looks(command: &str) -> bool {
    command.split("&&").map(str::trim).all(|piece| {
        let prepares = PREPARES.iter().any(|start| piece.starts_with(start));
        piece.is_empty() || prepares || LOOKS.iter().any(|start| piece.starts_with(start))
    })
}

fn times(times: u64) -> String {
    match times {
        0 | 1 => String::new(),
        many => format!(" ({many} times)"),
    }
}

/// The key that makes two calls the same: the file, or the command without what only prepares
/// it or trims its output.
fn key(subject: &CallSubject) -> Option<String> {
    let mut text = subject.text.as_str();
    if text.is_empty() {
        return None;
    }
    if !subject.is_command {
        return Some(format!("file {text}"));
    }
    while let Some((first, rest)) = text.split_once("&& ") {
        if !PREPARES.iter().any(|start| first.starts_with(start)) {
            break;
        }
        text = rest.trim_start();
    }
    let trims = [" 2>&1", " | tail", " | head"];
    let end = trims.iter().filter_map(|mark| text.find(mark)).min();
    let text = end.and_then(|end| text.get(..end)).unwrap_or(text);
    Some(format!("run {}", text.trim()))
}

/// Whether two failures differ in numbers only: times, process ids, line numbers.
fn is_alike(a: &str, b: &str) -> bool {
    let letters =
        |text: &str| -> Vec<char> { text.chars().filter(|c| !c.is_ascii_digit()).collect() };
    a == b || letters(a) == letters(b)
}
