//! What the compactions of the session left within reach. Changes nothing; runs beside the
//! conversation.

use crate::agent::protocol::{AgentEvent, QueryId, QueryReply};
use crate::agent::sessions::SessionActs;
use crate::engine::summary;
use crate::transcript::{EntryBody, EntryId, Transcript};

impl SessionActs<'_> {
    /// Scores every compaction of the log and reports it: in a long session that takes a
    /// while.
    pub(crate) fn show_fidelity(&self, to: Option<QueryId>) {
        let transcript = self.agent.thread.conversation.transcript().clone();
        let events = self.agent.events.sender();
        tokio::spawn(async move {
            let scored =
                tokio::task::spawn_blocking(move || QueryReply::Fidelity(scores(&transcript)));
            if let Ok(reply) = scored.await {
                let _ = events.send(AgentEvent::Reply { to, reply }).await;
            }
        });
    }
}

fn scores(transcript: &Transcript) -> Vec<(EntryId, summary::FidelityScore)> {
    let entries = transcript.entries().iter();
    let compactions = entries.filter(|entry| matches!(entry.body, EntryBody::Compaction(_)));
    compactions
        .filter_map(|entry| Some((entry.id.clone(), summary::score(transcript, &entry.id)?)))
        .collect()
}
