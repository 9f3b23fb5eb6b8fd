//! Recall: answers the tool's calls from the conversation as it is when a call runs.
//!
//! A call sees the branch and the view of that moment, never what a person kept from the model.
//! What was given before in the turn counts against its limits.

mod answer;
mod elsewhere;
mod limits;
mod report;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use self::elsewhere::{OtherSessions, RecallElsewhere};
use crate::agent::children::inherited_entries;
use crate::agent::children::report::recall_name;
use crate::agent::memory::single_notes;
use crate::agent::setup::AgentSetup;
use crate::agent::thread::Thread;
use crate::agent::thread::conversation::Conversation;
use crate::context::ContextView;
use crate::engine::recall::RecallIndex;
use crate::session::outputs_folder;
use crate::tool::{RecallRequest, RecallSource, ToolOutcome};
use crate::transcript::{EntryBody, Transcript};

/// The index of the open session; made when something is first asked for.
#[derive(Clone, Debug, Default)]
pub(in crate::agent) struct RecallDesk {
    index: Arc<Mutex<SessionIndex>>,
}

#[derive(Debug, Default)]
struct SessionIndex {
    /// The session that it was made of.
    session: String,
    index: RecallIndex,
}

/// A conversation at the moment of a call.
pub(super) struct RecallSnapshot {
    session: String,
    transcript: Transcript,
    view: ContextView,
    desk: RecallDesk,
    elsewhere: RecallElsewhere,
}

impl RecallDesk {
    /// Everything that a call of now may be answered from.
    pub(in crate::agent) fn source(
        &self,
        thread: &mut Thread,
        setup: &AgentSetup,
    ) -> Arc<dyn RecallSource> {
        let view = thread.current_view();
        let elsewhere = reach_beside(thread, setup);
        let conversation = &thread.conversation;
        Arc::new(RecallSnapshot {
            session: conversation.id().to_owned(),
            transcript: conversation.transcript().clone(),
            view,
            desk: self.clone(),
            elsewhere,
        })
    }

    /// Reads the index, brought up to date.
    pub(super) fn with_index<T>(
        &self,
        session: &str,
        transcript: &Transcript,
        read: impl FnOnce(&RecallIndex) -> T,
    ) -> T {
        let mut held = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        if held.session != session || held.index.entries() > transcript.len() {
            *held = SessionIndex {
                session: session.to_owned(),
                index: RecallIndex::default(),
            };
        }
        held.index.sync(transcript);
        read(&held.index)
    }
}

/// The logs of the sub-agents that this branch started, newest first.
fn agent_logs(conversation: &Conversation) -> Vec<(String, PathBuf)> {
    let Some(folder) = conversation.path().map(|path| outputs_folder(&path)) else {
        return Vec::new();
    };
    let branch = conversation.transcript().branch();
    let own = branch.iter().skip(inherited_entries(&branch));
    let links = own.filter_map(|entry| match &entry.body {
        EntryBody::Child(link) if !link.file.is_empty() => {
            Some((link.number, folder.join(&link.file)))
        }
        _ => None,
    });
    let logs: BTreeMap<u64, PathBuf> = links.collect();
    let newest = logs.into_iter().rev();
    newest
        .map(|(number, path)| (recall_name(number), path))
        .collect()
}

/// Notes that the prompt does not hold, the logs of sub-agents, and the other sessions where they may be read.
fn reach_beside(thread: &Thread, setup: &AgentSetup) -> RecallElsewhere {
    let shown = setup.memory().0.show().ok();
    let notes = shown.iter().flat_map(|shown| single_notes(&shown.text));
    let prompt = &thread.context.system;
    let is_shown = |note: &String| note.lines().all(|line| prompt.contains(line));
    let may_read_others = setup.settings.agent.tools.recall_sessions;
    RecallElsewhere {
        notes: notes.filter(|note| !is_shown(note)).collect(),
        notes_place: shown
            .as_ref()
            .map(|it| it.place.clone())
            .unwrap_or_default(),
        agents: agent_logs(&thread.conversation),
        sessions: may_read_others.then(|| OtherSessions {
            folder: setup.paths.sessions_dir(),
            cwd: setup.cwd.clone(),
            open: thread.conversation.path(),
        }),
    }
}

impl fmt::Debug for RecallSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RecallSnapshot({})", self.session)
    }
}

impl RecallSource for RecallSnapshot {
    fn answer(&self, request: &RecallRequest) -> ToolOutcome {
        let limits = limits::RecallLimits::of(&self.transcript, &self.view);
        if let Some(refusal) = limits.refusal(request) {
            return answer::notice("limit", refusal);
        }
        if limits::is_above(&self.view, request) {
            let text = "You have this above: the same recall was answered before, and its result \
                is in the window.";
            return answer::notice("above", text.to_owned());
        }
        match request {
            RecallRequest::Entry { id, offset } => self.entry(id, *offset, &limits),
            RecallRequest::Search { query, hits } => self.search(query, *hits, &limits),
        }
    }
}
