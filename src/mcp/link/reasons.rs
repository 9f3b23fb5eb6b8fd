//! Reasons in the words of others, as clauses: one line, nothing that a terminal obeys, no
//! secrets.

use std::error::Error;

use crate::engine::text::{one_line, redact};
use crate::mcp::content::harmless;

/// Characters of a reason.
const REASON_CHARS: usize = 300;

/// Words of a server in one line, without secrets.
pub(in crate::mcp) fn reason(text: &str) -> String {
    one_line(&redact(&harmless(text)), REASON_CHARS)
}

/// The cause that says most: what wraps it repeats that there was one.
pub(in crate::mcp) fn innermost(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// An error with the cause that says most.
pub(in crate::mcp) fn with_cause(error: &dyn Error) -> String {
    let (outer, inner) = (error.to_string(), innermost(error));
    if outer.contains(&inner) {
        reason(&outer)
    } else {
        reason(&format!("{outer}: {inner}"))
    }
}
