//! The tools that a model calls: those of servers, and the two that reach the ones that are not
//! in the list.

pub(super) mod find_tools;
pub(super) mod server_tool;
pub(super) mod use_tool;
