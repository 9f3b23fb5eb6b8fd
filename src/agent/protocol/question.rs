//! Questions that the agent asks a person, and their answers.

use std::path::PathBuf;

use super::AskingChild;
use crate::tool::QuestionForm;
use crate::transcript::{ModelRef, ToolCall};

/// The user has to agree before a call runs.
#[derive(Clone, Debug)]
pub struct ApprovalRequest {
    /// Names this request in [`Op::Approve`](super::Op).
    pub id: u64,
    /// The call.
    pub call: ToolCall,
    /// One line: what would happen.
    pub title: String,
    /// Where.
    pub cwd: PathBuf,
    /// Unified diff of an edit.
    pub diff: Option<String>,
    /// The pattern that "always" would allow, a glob on the title.
    pub pattern: String,
    /// Paths outside the workspace.
    pub outside: Vec<PathBuf>,
    /// Why it is asked wherever the call works, and whatever was allowed before.
    pub cautions: Vec<String>,
    /// The sub-agent that asks; `None` for the agent itself.
    pub asked_by: Option<AskingChild>,
}

/// A message that does not fit into the window, and what can be done about it.
#[derive(Clone, Debug, PartialEq)]
pub struct OversizeOffer {
    /// Names this offer in [`Op::FitMessage`](super::Op).
    pub id: u64,
    /// Estimated tokens of the system prompt, the tools and the message.
    pub needed_tokens: u64,
    /// Tokens that the model's window leaves for them.
    pub usable_tokens: u64,
    /// The model that would answer.
    pub model: ModelRef,
    /// Tokens of the message that are sent beside a file with the whole; `None` when there is
    /// no place for a file, or cutting the text does not help.
    pub file_tokens: Option<u64>,
    /// Tokens of the message that trimming leaves; `None` when cutting the text does not help.
    pub trim_tokens: Option<u64>,
    /// A configured model that takes it whole, with its window in tokens.
    pub larger: Option<(ModelRef, u64)>,
}

/// A tool that runs asks the person something.
#[derive(Clone, Debug, PartialEq)]
pub struct FormRequest {
    /// Names this question in [`Op::AnswerForm`](super::TurnOp).
    pub id: u64,
    /// What is asked.
    pub form: QuestionForm,
    /// The sub-agent whose tool asks; `None` for the agent itself.
    pub asked_by: Option<AskingChild>,
}

/// The user's answer to an approval request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApprovalDecision {
    /// This call.
    Once,
    /// This tool, until the session is closed.
    Session,
    /// Calls of this tool whose title matches this glob, until the session is closed.
    Pattern(String),
    /// Calls of this tool whose title matches this glob, in this folder, until it is revoked.
    Always(String),
    /// No, with words for the model.
    Deny {
        /// Words for the model; `None` says only that the call was refused.
        feedback: Option<String>,
    },
}

/// Choices for a message that is larger than the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OversizeChoice {
    /// Send its beginning and its end; the whole text goes into a file that the read tool
    /// can page.
    File,
    /// Send as much of its beginning and its end as fits.
    Trim,
    /// Have the larger model of the offer answer.
    Larger,
    /// Do not send it; its text comes back.
    Cancel,
}

/// The user's answer to a compaction review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewDecision {
    /// Apply it unchanged.
    Accept,
    /// Replace the text, audit it again, and show it again.
    Edit(String),
    /// Strike what nothing in the conversation says, and show what is left.
    Strike,
    /// Ask again; `instructions` replace the old ones when given.
    Retry {
        /// New instructions.
        instructions: Option<String>,
    },
    /// Stop the summary that was asked for again; the one before it is shown once more.
    /// Comes to nothing when none is being written.
    StopRetry,
    /// Leave everything as it was.
    Cancel,
}
