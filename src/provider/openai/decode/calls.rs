//! Tool calls in pieces, as the many servers send them: with or without an index, an
//! id or a name, whole or in fragments, all under the index 0.

use std::collections::VecDeque;

use serde_json::Value;

use crate::provider::event::StreamEvent;

/// The calls of one answer.
#[derive(Debug, Default)]
pub(super) struct ChatCalls {
    calls: Vec<CallPieces>,
}

#[derive(Debug)]
struct CallPieces {
    wire_index: Option<u64>,
    id: String,
    /// Some servers send it in pieces, some again with every piece.
    name: String,
    /// Passed on; not before something shows that the name is whole.
    started: bool,
    /// Arguments that came before that.
    waiting: String,
}

impl ChatCalls {
    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Takes one element of `tool_calls`.
    pub(super) fn take(&mut self, piece: &Value, out: &mut VecDeque<StreamEvent>) {
        let id = piece["id"].as_str().unwrap_or_default();
        let name = piece["function"]["name"].as_str().unwrap_or_default();
        let at = self.which(piece["index"].as_u64(), id, name);
        self.start_before(at, out);
        let Some(call) = self.calls.get_mut(at) else {
            return;
        };
        let index = u32::try_from(at).unwrap_or(u32::MAX);
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if !call.started && call.name != name {
            call.name.push_str(name);
        }
        let fragment = match &piece["function"]["arguments"] {
            Value::String(text) => text.clone(),
            object @ Value::Object(_) => object.to_string(),
            _ => String::new(),
        };
        call.waiting.push_str(&fragment);
        if !call.waiting.is_empty() && !call.name.is_empty() {
            call.pass_on(index, out);
        }
    }

    /// A later call shows that the names of those before it are whole.
    fn start_before(&mut self, at: usize, out: &mut VecDeque<StreamEvent>) {
        for (index, call) in (0..).zip(self.calls.iter_mut().take(at)) {
            if !call.started && !call.name.is_empty() {
                call.pass_on(index, out);
            }
        }
    }

    /// The end: calls that never got a name are passed on without one, so that the
    /// model is told.
    pub(super) fn flush(&mut self, out: &mut VecDeque<StreamEvent>) {
        for (index, call) in (0..).zip(&mut self.calls) {
            if !call.started {
                call.pass_on(index, out);
            }
        }
    }

    /// Which call a piece belongs to; makes a new one when it begins one.
    fn which(&mut self, wire_index: Option<u64>, id: &str, name: &str) -> usize {
        let newest = |test: &dyn Fn(&CallPieces) -> bool| self.calls.iter().rposition(test);
        let found = match wire_index {
            // Another id under the same index, with a name: some servers number every call 0.
            Some(_) => newest(&|call| call.wire_index == wire_index).filter(|&at| {
                self.calls
                    .get(at)
                    .is_some_and(|call| call.may_go_on(id, name))
            }),
            None if !id.is_empty() => newest(&|call| call.id == id),
            None if !name.is_empty() => None,
            None => self.calls.len().checked_sub(1),
        };
        found.unwrap_or_else(|| {
            self.calls.push(CallPieces {
                wire_index,
                id: id.to_owned(),
                name: String::new(),
                started: false,
                waiting: String::new(),
            });
            self.calls.len() - 1
        })
    }
}

impl CallPieces {
    /// Whether a piece under the same index can be more of this call.
    fn may_go_on(&self, id: &str, name: &str) -> bool {
        if name.is_empty() {
            return true;
        }
        let has_ids = !id.is_empty() && !self.id.is_empty();
        if has_ids {
            return self.id == id;
        }
        !self.started || self.name == name
    }

    /// Everything that is known and has not been passed on.
    fn pass_on(&mut self, index: u32, out: &mut VecDeque<StreamEvent>) {
        if !std::mem::replace(&mut self.started, true) {
            out.push_back(StreamEvent::ToolCallStart {
                index,
                id: self.id.clone(),
                name: self.name.clone(),
            });
        }
        let fragment = std::mem::take(&mut self.waiting);
        if !fragment.is_empty() {
            out.push_back(StreamEvent::ToolCallArguments { index, fragment });
        }
    }
}
