//! Where the prompt cache is written, which is also where it is found again. Pure.
//!
//! A request writes an entry at each of its breakpoints, and a later one finds it only from
//! a breakpoint at that very block or at one of the next twenty. So the places are those of
//! which it is certain that a request to this model ended there, however many blocks ago.

use super::body::AnthropicMessage;

/// Marks the end of the newest summary, the end of what the user said last, and where the
/// request ended that the newest answer of this very model came from; together with tools
/// and system prompt at most four.
pub(super) fn mark(messages: &mut [AnthropicMessage<'_>]) {
    let summary = messages
        .iter_mut()
        .rev()
        .find_map(|m| m.summary_end.and_then(|end| m.blocks.get_mut(end)));
    if let Some(block) = summary {
        block.cache();
    }
    let is_asked = |message: &AnthropicMessage<'_>| message.role == "user";
    let last = messages.iter().rposition(is_asked);
    let answered = messages.iter().rposition(|message| message.is_ours);
    // Another model answered all of it: nothing is found, whatever is marked.
    let before = answered.or(last).and_then(|at| {
        let earlier = messages.get(..at)?;
        earlier.iter().rposition(is_asked)
    });
    for at in [last, before].into_iter().flatten() {
        let blocks = messages.get_mut(at).map(|message| &mut message.blocks);
        if let Some(block) = blocks.and_then(|blocks| blocks.last_mut()) {
            block.cache();
        }
    }
}
