//! Calls of tools: what they were given, and whether they run commands.

use std::ops::Range;

use super::{SourceIndex, SourceText};

/// A call of a tool, or a command of the user, that came to an end.
#[derive(Clone, Debug)]
pub(in crate::context::grounding) struct SourceCall {
    /// Number of the message that makes it.
    pub message: usize,
    /// The id of the call.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// Numbers of its texts.
    pub arguments: Range<usize>,
    /// Number of the text of its result.
    pub output: Option<usize>,
    /// Whether there is a result and it is no failure.
    pub has_worked: bool,
    /// Whether there is a result at all.
    pub has_ended: bool,
}

impl SourceCall {
    /// Whether its tool runs command lines.
    pub(in crate::context::grounding) fn is_shell(&self) -> bool {
        let tool = self.tool.to_lowercase();
        let names = ["bash", "shell", "exec", "command", "terminal", "run"];
        names.iter().any(|name| tool.contains(name))
    }
}

impl<'a> SourceIndex<'a> {
    /// The texts of what a call was given: the name of the tool, then its arguments.
    pub(in crate::context::grounding) fn arguments_of(
        &self,
        call: &SourceCall,
    ) -> impl Iterator<Item = &str> {
        let texts = call
            .arguments
            .clone()
            .filter_map(|number| self.text(number));
        texts.map(|text: &SourceText<'a>| text.text.as_ref())
    }
}
