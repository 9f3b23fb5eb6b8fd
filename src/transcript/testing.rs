//! Entries and transcripts for tests, from what was said alone.

use std::sync::Arc;

use super::{Entry, EntryBody, EntryId, Timestamp, Transcript};

/// An entry that follows nothing.
pub(crate) fn entry(id: &str, body: EntryBody) -> Entry {
    Entry {
        id: EntryId::new(id),
        parent: None,
        timestamp: Timestamp(0),
        body,
    }
}

/// A transcript of one branch; its entries are called `0`, `1`, `2`, …
pub(crate) fn branch(bodies: Vec<EntryBody>) -> Transcript {
    let mut transcript = Transcript::new();
    for (n, body) in bodies.into_iter().enumerate() {
        let parent = transcript.leaf().cloned();
        let next = Entry {
            parent,
            ..entry(&n.to_string(), body)
        };
        transcript.push(Arc::new(next)).unwrap();
    }
    transcript
}
