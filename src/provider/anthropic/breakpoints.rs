//! Where the prompt cache is written, which is also where it is found again. Pure.
//!
//! A request writes an entry at each of its breakpoints, and a later one finds it only from
//! a breakpoint at that very block or at one of the next twenty. So the places are those of
//! which it is certain that a request to this model ended there, however many blocks ago.

use serde_json::{Value, json};

use super::wire::Wire;

/// Marks the end of the newest summary, the end of what the user said last, and where the
/// request ended that the newest answer of this very model came from; together with tools
/// and system prompt at most four.
pub(super) fn mark(messages: &mut [Wire]) {
    let summary = messages
        .iter_mut()
        .rev()
        .find_map(|m| m.summary_end.and_then(|end| m.blocks.get_mut(end)));
    summary.map(cache);
    let is_asked = |message: &Wire| message.role == "user";
    let last = messages.iter().rposition(is_asked);
    let answered = messages.iter().rposition(|message| message.is_ours);
    // Another model answered all of it: nothing is found, whatever is marked.
    let before = answered.or(last).and_then(|at| {
        let earlier = messages.get(..at)?;
        earlier.iter().rposition(is_asked)
    });
    for at in [last, before].into_iter().flatten() {
        let blocks = messages.get_mut(at).map(|message| &mut message.blocks);
        blocks.and_then(|blocks| blocks.last_mut()).map(cache);
    }
}

/// Makes a block a breakpoint.
pub(super) fn cache(block: &mut Value) {
    if let Some(block) = block.as_object_mut() {
        block.insert("cache_control".to_owned(), json!({"type": "ephemeral"}));
    }
}
