//! `/recall`: a search for the user, who may see everything. What the model may not have is
//! marked.

use super::RecallDesk;
use crate::agent::protocol::{RecallListing, RecallReport};
use crate::agent::thread::Thread;
use crate::engine::recall::{RecallAccess, RecallHit, RecallScope, spoken_text};
use crate::transcript::Transcript;

/// Hits that are listed.
const MAX_HITS: usize = 30;

impl RecallDesk {
    /// The places of a text in the whole session, best first.
    pub(in crate::agent) fn report(&self, thread: &mut Thread, query: &str) -> RecallReport {
        let view = thread.current_view();
        let transcript = thread.conversation.transcript();
        let scope = RecallScope::of(transcript, Some(&view));
        let hits = self.with_index(thread.conversation.id(), transcript, |index| {
            index.search(transcript, query, MAX_HITS, &|_| true)
        });
        let listed = hits.into_iter().map(|hit| listing(hit, transcript, &scope));
        RecallReport {
            query: query.to_owned(),
            entries: transcript.len(),
            hits: listed.collect(),
        }
    }
}

fn listing(hit: RecallHit, transcript: &Transcript, scope: &RecallScope) -> RecallListing {
    let place = scope.place(&hit.entry);
    let spoken = transcript.get(&hit.entry).and_then(|it| spoken_text(it));
    let tool = hit.tool.as_deref().map(|tool| format!(" of {tool}"));
    RecallListing {
        label: place.map_or_else(|| hit.entry.to_string(), |it| it.address.to_string()),
        source: format!("{}{}", hit.speaker.name(), tool.unwrap_or_default()),
        timestamp: hit.timestamp,
        line: hit.line,
        snippet: hit.snippet,
        mark: match scope.access(&hit.entry) {
            RecallAccess::Open => String::new(),
            RecallAccess::InWindow => "in the window".to_owned(),
            RecallAccess::Withheld(reason) => format!("not for the model: {}", reason.name()),
        },
        text: spoken.map(|it| it.text).unwrap_or_default(),
        entry: hit.entry,
    }
}
