//! What the user decides about parts of the context, from a shell: the agent's own ops, sent
//! one by one.

pub(super) mod overrides;
pub(super) mod rules;
