//! Numbers that a text writes in digits.

use crate::context::grounding::quantity::{self, Quantity};
use crate::context::identifiers::is_unspaced;

/// The numbers of any text, in its order.
pub(super) fn quantities_in(text: &str) -> Vec<Quantity> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(from) = text
        .get(at..)
        .and_then(|rest| rest.find(|c: char| c.is_ascii_digit()))
    {
        at += from;
        let end = run_end(text, at);
        let found = starts_number(text, at)
            .then(|| quantity::quantity_at(text, at))
            .flatten();
        match found.filter(|quantity| is_whole(text, quantity)) {
            Some(quantity) => {
                at = quantity.numeral.span.end.max(at + 1);
                out.push(quantity);
            }
            None => at = end.max(at + 1),
        }
    }
    out
}

/// The end of the word at a place.
pub(super) fn run_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(rest.len())
}

/// Whether a number begins at `at`: not in the middle of a name.
pub(super) fn starts_number(text: &str, at: usize) -> bool {
    let mut back = text.get(..at).unwrap_or_default().chars().rev();
    match (back.next(), back.next()) {
        (Some('#' | '_'), _) => false,
        (Some('-' | '.' | '/'), Some(c)) => !c.is_alphanumeric() || c.is_ascii_digit(),
        (Some(c), _) => !c.is_alphanumeric() || is_unspaced(c),
        (None, _) => true,
    }
}

/// Whether the number and its unit end where the word ends.
pub(super) fn is_whole(text: &str, quantity: &Quantity) -> bool {
    let after = text
        .get(quantity.span.end.max(quantity.numeral.span.end)..)
        .unwrap_or_default();
    let touches = after.starts_with(|c: char| c.is_alphanumeric() && !is_unspaced(c));
    !touches || after.starts_with(|c: char| c.is_ascii_digit())
}
