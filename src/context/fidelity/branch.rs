//! A branch at a compaction: what the summary stands for, what stays beside it, and what was
//! said afterwards. Read from the log alone: settings do not matter.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::transcript::{
    Compaction, Decision, Entry, EntryBody, EntryId, Message, Part, Transcript, UserMessage,
    undone_entries,
};

/// A message that was said, and by whom.
#[derive(Clone, Debug)]
pub(super) struct SaidMessage {
    pub entry: EntryId,
    pub message: Arc<Message>,
    /// A person typed it.
    pub is_typed: bool,
}

/// See the module's description.
#[derive(Clone, Debug, Default)]
pub(super) struct DividedLog {
    /// What nobody sees any more but through the summary, oldest first.
    pub replaced: Vec<SaidMessage>,
    /// What stays verbatim beside it.
    pub kept: Vec<SaidMessage>,
    /// What came afterwards.
    pub later: Vec<SaidMessage>,
}

impl DividedLog {
    /// All messages before the compaction, oldest first.
    pub(super) fn all(&self) -> Vec<SaidMessage> {
        self.replaced.iter().chain(&self.kept).cloned().collect()
    }

    /// Divides the branch that a compaction is on. `later_messages`: so many are read after
    /// it at most.
    pub(super) fn of(
        transcript: &Transcript,
        entry: &Entry,
        compaction: &Compaction,
        later_messages: usize,
    ) -> Self {
        let path = transcript.path_before(entry);
        let standing = StandingDecisions::of(&path);
        let from = first_kept(&path, entry, compaction);
        // The newest ask stays verbatim, wherever a turn is divided.
        let newest_ask = path.iter().rfind(|it| it.is_ask()).map(|it| &it.id);
        let kept_asks: HashSet<&EntryId> = compaction.details.exceptions.kept_asks.iter().collect();
        let mut out = Self::default();
        for (at, entry) in path.iter().enumerate() {
            let Some(said) = standing.said(entry) else {
                continue;
            };
            let is_kept = at >= from
                || newest_ask == Some(&entry.id)
                || kept_asks.contains(&entry.id)
                || standing.held.contains(&entry.id);
            if is_kept {
                out.kept.push(said);
            } else {
                out.replaced.push(said);
            }
        }
        let nothing = StandingDecisions::default();
        let later = path_from(transcript, entry);
        let later = later.iter().filter_map(|entry| nothing.said(entry));
        out.later = later.take(later_messages).collect();
        out
    }
}

/// The entries after this one: those of the active branch when it is on it, else what
/// followed it first.
fn path_from(transcript: &Transcript, entry: &Entry) -> Vec<Arc<Entry>> {
    let branch = transcript.branch();
    if let Some(at) = branch.iter().position(|it| it.id == entry.id) {
        return branch.get(at + 1..).unwrap_or_default().to_vec();
    }
    let mut at = &entry.id;
    let mut out = Vec::new();
    let from = transcript.position(&entry.id).map_or(0, |at| at + 1);
    for next in transcript.entries().get(from..).unwrap_or_default() {
        if next.parent.as_ref() == Some(at) {
            at = &next.id;
            out.push(Arc::clone(next));
        }
    }
    out
}

/// Where the kept part begins in the path before a compaction.
fn first_kept(path: &[Arc<Entry>], entry: &Entry, compaction: &Compaction) -> usize {
    let Some(first) = compaction.first_kept.as_ref().filter(|id| **id != entry.id) else {
        return path.len();
    };
    // A first kept entry that is nowhere keeps everything since the compaction before.
    path.iter()
        .position(|it| it.id == *first)
        .unwrap_or_else(|| {
            let is_compaction = |it: &Arc<Entry>| matches!(it.body, EntryBody::Compaction(_));
            path.iter().rposition(is_compaction).map_or(0, |at| at + 1)
        })
}

/// What the person decided about entries before a compaction.
#[derive(Default)]
struct StandingDecisions {
    dropped: HashSet<EntryId>,
    /// Pinned, or restored in full.
    held: HashSet<EntryId>,
    edits: HashMap<EntryId, Option<Vec<Part>>>,
}

impl StandingDecisions {
    fn of(path: &[Arc<Entry>]) -> Self {
        let undone = undone_entries(path);
        let mut out = Self::default();
        for entry in path.iter().filter(|entry| !undone.contains(&entry.id)) {
            match &entry.body {
                EntryBody::Decision(Decision::Drop { target }) => {
                    let group = group_of(path, target);
                    out.held.retain(|id| !group.contains(id));
                    out.dropped.extend(group);
                }
                EntryBody::Decision(Decision::Pin { target } | Decision::Restore { target }) => {
                    let group = group_of(path, target);
                    out.dropped.retain(|id| !group.contains(id));
                    out.held.extend(group);
                }
                EntryBody::ContextEdit {
                    target,
                    replacement,
                } => {
                    out.edits.insert(target.clone(), replacement.clone());
                }
                _ => {}
            }
        }
        out
    }

    /// The message of an entry as a model reads it; `None` where it reads none.
    fn said(&self, entry: &Entry) -> Option<SaidMessage> {
        if self.dropped.contains(&entry.id) {
            return None;
        }
        let (message, is_typed) = match &entry.body {
            EntryBody::Message(message) => match message.as_ref() {
                Message::BashExecution(run) if run.excluded => return None,
                Message::User(_) => (Arc::clone(message), true),
                _ => (Arc::clone(message), false),
            },
            EntryBody::CustomMessage { content, .. } => (user(content.clone()), false),
            EntryBody::BranchSummary { summary, .. } => {
                (Arc::new(Message::user_text(summary.clone())), false)
            }
            _ => return None,
        };
        let message = match self.edits.get(&entry.id) {
            None => message,
            Some(None) => return None,
            Some(Some(parts)) => edited(&message, parts),
        };
        Some(SaidMessage {
            entry: entry.id.clone(),
            message,
            is_typed,
        })
    }
}

fn user(content: Vec<Part>) -> Arc<Message> {
    Arc::new(Message::User(UserMessage { content }))
}

fn edited(message: &Message, parts: &[Part]) -> Arc<Message> {
    match message {
        Message::ToolResult(result) => {
            let mut result = result.clone();
            result.content = parts.to_vec();
            Arc::new(Message::ToolResult(result))
        }
        _ => user(parts.to_vec()),
    }
}

/// A call's answer and its results go together.
fn group_of(path: &[Arc<Entry>], target: &EntryId) -> Vec<EntryId> {
    let is_result = |entry: &Arc<Entry>| {
        matches!(
            entry.message().map(AsRef::as_ref),
            Some(Message::ToolResult(_))
        )
    };
    let Some(at) = path.iter().position(|entry| entry.id == *target) else {
        return vec![target.clone()];
    };
    let before = path.get(..=at).unwrap_or_default();
    let start = before
        .iter()
        .rposition(|entry| !is_result(entry))
        .unwrap_or(at);
    let rest = path.get(start + 1..).unwrap_or_default();
    let results = rest.iter().take_while(|entry| is_result(entry));
    let own = path.get(start).into_iter();
    own.chain(results).map(|entry| entry.id.clone()).collect()
}
