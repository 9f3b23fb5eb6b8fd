//! The state of a tool card: the call, how far it is, and its result.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::cell::part;
use crate::agent::ChildInfo;
use crate::transcript::{AssistantPart, Entry, EntryId, Message, Timestamp, ToolCall, ToolResult};

/// Bytes of live output that are kept for the screen; the result has all of it.
const LIVE_OUTPUT_BYTES: usize = 16 * 1024;
/// Arguments that say what a call is about, best first.
const TITLE_ARGUMENTS: [&str; 7] = [
    "command",
    "path",
    "file_path",
    "pattern",
    "query",
    "url",
    "name",
];

/// A tool call on screen.
#[derive(Debug)]
pub struct ToolCard {
    call_id: String,
    name: String,
    title: Option<String>,
    call: Option<(Arc<Message>, usize)>,
    /// How far it is.
    pub state: ToolState,
    result: Option<Arc<Entry>>,
    elapsed: Option<Duration>,
    /// The sub-agent that it started.
    pub agent: Option<ChildInfo>,
}

/// How far a call is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolState {
    /// Written by the model, not started.
    Waiting,
    /// Running.
    Running {
        /// Since when.
        since: Timestamp,
        /// The newest output.
        output: String,
    },
    /// Over.
    Done,
}

/// The subject of a call, from its arguments; foreign text, empty when there is none.
pub fn call_title(arguments: &Value) -> String {
    let Some(arguments) = arguments.as_object() else {
        return String::new();
    };
    let told = TITLE_ARGUMENTS
        .iter()
        .find_map(|name| arguments.get(*name)?.as_str());
    let first = || arguments.values().find_map(Value::as_str);
    told.or_else(first).unwrap_or_default().to_owned()
}

impl ToolCard {
    /// A call of an answer.
    pub fn of_call(message: &Arc<Message>, at: usize, call: &ToolCall) -> Self {
        Self {
            call_id: call.id.clone(),
            name: call.name.clone(),
            title: None,
            call: Some((Arc::clone(message), at)),
            state: ToolState::Waiting,
            result: None,
            elapsed: None,
            agent: None,
        }
    }

    /// A run that no answer asked for: a command of the user.
    pub fn of_run(call_id: String, name: String, title: String, since: Timestamp) -> Self {
        Self {
            call_id,
            name,
            title: Some(title),
            call: None,
            state: ToolState::Running {
                since,
                output: String::new(),
            },
            result: None,
            elapsed: None,
            agent: None,
        }
    }

    /// The call's id.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// The tool.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it runs now.
    pub fn is_running(&self) -> bool {
        matches!(self.state, ToolState::Running { .. })
    }

    /// Whether an answer asked for it.
    pub fn is_of_call(&self) -> bool {
        self.call.is_some()
    }

    /// The entry with the result.
    pub fn result_entry(&self) -> Option<&EntryId> {
        self.result.as_ref().map(|entry| &entry.id)
    }

    /// The result.
    pub fn result(&self) -> Option<&ToolResult> {
        match self.result.as_ref()?.message()?.as_ref() {
            Message::ToolResult(result) => Some(result),
            _ => None,
        }
    }

    /// How long it took, when that is known.
    pub fn elapsed(&self) -> Option<Duration> {
        self.elapsed.or_else(|| {
            let millis = self.detail("durationMs")?.as_u64()?;
            Some(Duration::from_millis(millis))
        })
    }

    /// A number or text that the tool left for the screen.
    pub fn detail(&self, name: &str) -> Option<&Value> {
        self.result()?.details.as_ref()?.get(name)
    }

    /// The arguments.
    pub fn arguments(&self) -> Option<&Value> {
        let (message, at) = self.call.as_ref()?;
        match part(message, *at)? {
            AssistantPart::ToolCall(call) => Some(&call.arguments),
            _ => None,
        }
    }

    /// One line that says what the call does; foreign text.
    pub fn title(&self) -> String {
        if let Some(title) = &self.title {
            return title.clone();
        }
        self.arguments().map_or_else(String::new, call_title)
    }

    /// It runs from now on.
    pub fn start(&mut self, title: String, since: Timestamp) {
        self.title = Some(title);
        self.state = ToolState::Running {
            since,
            output: String::new(),
        };
    }

    /// It wrote something. Only the end is kept.
    pub fn write(&mut self, text: &str) {
        let ToolState::Running { output, .. } = &mut self.state else {
            return;
        };
        output.push_str(text);
        if output.len() > 2 * LIVE_OUTPUT_BYTES {
            let mut cut = output.len() - LIVE_OUTPUT_BYTES;
            while !output.is_char_boundary(cut) {
                cut += 1;
            }
            output.drain(..cut);
        }
    }

    /// Its result was written to the log.
    pub fn finish(&mut self, result: Arc<Entry>) {
        self.result = Some(result);
        self.state = ToolState::Done;
    }

    /// It ended.
    pub fn end(&mut self, elapsed: Duration) {
        self.elapsed = Some(elapsed);
        self.state = ToolState::Done;
    }

    /// The turn ended: what did not start never will.
    pub fn stop(&mut self) {
        self.state = ToolState::Done;
    }
}
