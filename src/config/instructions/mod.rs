//! The model's instructions before the conversation: the system prompt, the project's rules,
//! the user's own commands, and skills.

pub(super) mod agents;
pub(super) mod front_matter;
pub(super) mod imports;
pub(super) mod prompt;
pub(super) mod rules;
pub(super) mod skills;
pub(super) mod user_commands;
