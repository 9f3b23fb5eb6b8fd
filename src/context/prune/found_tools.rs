//! Schemas that were found and are in use: without them the model would have to look for them
//! again. Each stays in the newest result that holds it; what was found and not used goes.

use std::collections::HashSet;

use super::call_of;
use crate::context::projection::ViewBuilder;
use crate::transcript::{Message, ToolCall};

/// The positions of results that hold the schema of a tool in use.
pub(super) fn in_use(list: &ViewBuilder) -> HashSet<usize> {
    let mut held = HashSet::new();
    let calls = list.results.iter().filter_map(|info| call_of(info));
    let mut used: HashSet<&str> = calls.filter_map(ToolCall::used_tool).collect();
    if used.is_empty() {
        return held;
    }
    for index in (0..list.results.len()).rev() {
        let Some(info) = list.results.get(index) else {
            continue;
        };
        let Message::ToolResult(result) = info.whole.as_ref() else {
            continue;
        };
        for name in result.found_tools() {
            if used.remove(name) {
                held.insert(info.at);
            }
        }
    }
    held
}
