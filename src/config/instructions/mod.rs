//! The model's instructions before the conversation: the system prompt, the project's rules,
//! and the user's own commands.

pub(super) mod prompt;
pub(super) mod rules;
pub(super) mod user_commands;
