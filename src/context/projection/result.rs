//! A tool result of the list, with what guard and pruning want to know of it.

use std::sync::{Arc, OnceLock};

use crate::context::prune::CallKey;
use crate::transcript::{AssistantPart, EntryId, Message, ToolCall};

/// A tool result or the output of a command that the user ran.
#[derive(Clone, Debug)]
pub(crate) struct ResultInfo {
    /// Position in the items.
    pub at: usize,
    /// Its entry.
    pub entry: EntryId,
    /// The result before any cut: what cuts are made from and applied to.
    pub whole: Arc<Message>,
    /// Length of the original text, in the unit of the ruler.
    pub chars: usize,
    /// The call that it answers; `None` for what the user ran.
    pub call: Option<CallPlace>,
    /// The key by which pruning compares calls; made when it is first asked for.
    pub key: OnceLock<CallKey>,
    /// One number for each line of a file that it holds; made when it is first asked for.
    pub lines: OnceLock<Arc<[u64]>>,
    /// Failed.
    pub is_error: bool,
    /// Pinned or restored.
    pub is_exempt: bool,
}

/// Where a call is.
#[derive(Clone, Debug)]
pub(crate) struct CallPlace {
    /// Position of the answer in the items.
    pub at: usize,
    /// The answer before any cut.
    pub answer: Arc<Message>,
    /// Which part of it the call is.
    pub part: usize,
}

impl CallPlace {
    /// The call.
    pub(crate) fn call(&self) -> Option<&ToolCall> {
        let Message::Assistant(answer) = self.answer.as_ref() else {
            return None;
        };
        match answer.content.get(self.part)? {
            AssistantPart::ToolCall(call) => Some(call),
            _ => None,
        }
    }

    /// Which of the answer's calls it is, from 0.
    pub(crate) fn number(&self) -> usize {
        let Message::Assistant(answer) = self.answer.as_ref() else {
            return 0;
        };
        let before = answer.content.iter().take(self.part);
        before
            .filter(|part| matches!(part, AssistantPart::ToolCall(_)))
            .count()
    }
}

impl ResultInfo {
    /// The text that cuts are made from: of a command of the user's what it printed.
    pub(crate) fn text(&self) -> String {
        match self.whole.as_ref() {
            Message::BashExecution(run) => run.output.clone(),
            whole => whole.text(),
        }
    }
}
