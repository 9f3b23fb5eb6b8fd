//! Parts of a turn: pieces of an answer, inputs that wait, the end.

use super::{Notice, SubmitWhen};
use crate::transcript::{Image, StopReason};

/// A piece of a streaming answer.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerDelta {
    /// Visible text.
    Text(String),
    /// Reasoning.
    Thinking(String),
    /// The model is writing a tool call.
    ToolCall {
        /// Which call of this answer.
        index: u32,
        /// The tool.
        name: String,
        /// Bytes of arguments so far.
        argument_bytes: usize,
    },
    /// The text streamed so far is void: the request is tried again.
    Reset,
}

impl AnswerDelta {
    /// Both as one when that says the same, else each for itself.
    pub fn followed_by(self, next: Self) -> (Self, Option<Self>) {
        match (self, next) {
            (Self::Text(mut text), Self::Text(more)) => {
                text.push_str(&more);
                (Self::Text(text), None)
            }
            (Self::Thinking(mut text), Self::Thinking(more)) => {
                text.push_str(&more);
                (Self::Thinking(text), None)
            }
            (Self::ToolCall { index, .. }, next @ Self::ToolCall { index: same, .. })
                if index == same =>
            {
                (next, None)
            }
            (before, after) => (before, Some(after)),
        }
    }
}

/// A message or a command that waits until something that runs is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedInput {
    /// Names it in [`Op::Unqueue`](super::Op).
    pub id: u64,
    /// The typed text; a command with its slash.
    pub text: String,
    /// When its turn comes.
    pub when: SubmitWhen,
    /// It is a command, and no message.
    pub is_command: bool,
}

/// An input that was given back.
#[derive(Clone, Debug, PartialEq)]
pub struct ReturnedInput {
    /// The typed text; a command with its slash.
    pub text: String,
    /// The attachments of a message.
    pub images: Vec<Image>,
    /// It is a command, and no message.
    pub is_command: bool,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnEnd {
    /// Why.
    pub stop: StopReason,
    /// The final answer's text, as far as it arrived; what came before a pause included.
    pub text: String,
    /// The error, if there was one.
    pub error: Option<Notice>,
    /// Its name for programs: as [`ProviderError::kind`](crate::provider::ProviderError::kind)
    /// says, or `window_too_small`, `max_turns`, `max_cost`, `read_only`.
    pub error_kind: Option<&'static str>,
    /// Exit code for headless runs: 0 done, 1 failed, 3 credentials, 4 overflow,
    /// 5 refused, 130 interrupted.
    pub exit_code: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deltas_of_a_kind_become_one() {
        let text = |text: &str| AnswerDelta::Text(text.to_owned());
        let thinking = |text: &str| AnswerDelta::Thinking(text.to_owned());
        let call = |index, argument_bytes| AnswerDelta::ToolCall {
            index,
            name: "read".to_owned(),
            argument_bytes,
        };
        let check = |before: AnswerDelta, after: AnswerDelta, expected: Option<AnswerDelta>| {
            let apart = (before.clone(), Some(after.clone()));
            let expected = expected.map_or(apart, |both| (both, None));
            assert_eq!(before.followed_by(after), expected);
        };
        check(text("a"), text("b"), Some(text("ab")));
        check(thinking("a"), thinking("b"), Some(thinking("ab")));
        check(call(1, 3), call(1, 9), Some(call(1, 9)));
        check(call(1, 3), call(2, 9), None);
        check(text("a"), thinking("b"), None);
        check(thinking("a"), AnswerDelta::Reset, None);
        check(AnswerDelta::Reset, AnswerDelta::Reset, None);
    }
}
