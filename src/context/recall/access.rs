//! What a model may have back. Everything of its branch that the window does not show whole,
//! and nothing that a person kept from it.

use std::collections::{HashMap, HashSet};

use crate::context::projection::BranchPlan;
use crate::context::{ContextView, Disposition};
use crate::transcript::{Entry, EntryBody, EntryId, EntryOverride, Message, Transcript};

use super::address::RecallAddress;
use super::spoken::{RECALL_TOOL, spoken_text};

/// Whether a model may have an entry back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecallAccess {
    /// It may: the window does not show all of it.
    Open,
    /// The window shows it whole.
    InWindow,
    /// A person or the program keeps it from the model.
    Withheld(WithheldReason),
}

/// Why a model may not have an entry back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithheldReason {
    /// Dropped by a person.
    Dropped,
    /// Run with `!!`.
    Private,
    /// Replaced or emptied by an edit.
    Edited,
    /// Taken back.
    Undone,
    /// An answer that broke off.
    Broken,
    /// Sent again as another message.
    Replayed,
    /// On another branch.
    OtherBranch,
    /// A copy that recall gave before.
    Recalled,
    /// It says nothing.
    Silent,
}

impl WithheldReason {
    /// For people and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Private => "run with !!",
            Self::Edited => "edited",
            Self::Undone => "undone",
            Self::Broken => "answer that broke off",
            Self::Replayed => "sent again",
            Self::OtherBranch => "on another branch",
            Self::Recalled => "recalled before",
            Self::Silent => "no text",
        }
    }
}

/// An entry of a branch, as recall sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecallPlace {
    /// Where it is.
    pub address: RecallAddress,
    /// Whether the model may have it.
    pub access: RecallAccess,
}

/// The entries of the active branch with what a model may have of them.
#[derive(Clone, Debug, Default)]
pub struct RecallScope {
    places: HashMap<EntryId, RecallPlace>,
}

impl RecallScope {
    /// The scope of a branch whose next request is `view`; without a view nothing is in the
    /// window.
    pub fn of(transcript: &Transcript, view: Option<&ContextView>) -> Self {
        let branch = transcript.branch();
        let plan = BranchPlan::of(&branch);
        let shown = view.map(shown_whole).unwrap_or_default();
        let places = branch.iter().enumerate().map(|(position, entry)| {
            let withheld = withheld(entry, &plan).or_else(|| {
                let is_silent = spoken_text(entry).is_none();
                is_silent.then_some(WithheldReason::Silent)
            });
            let access = match withheld {
                Some(reason) => RecallAccess::Withheld(reason),
                None if shown.contains(&entry.id) => RecallAccess::InWindow,
                None => RecallAccess::Open,
            };
            let address = RecallAddress::at(position);
            (entry.id.clone(), RecallPlace { address, access })
        });
        Self {
            places: places.collect(),
        }
    }

    /// The place of an entry on the branch; `None` on another one.
    pub fn place(&self, entry: &EntryId) -> Option<RecallPlace> {
        self.places.get(entry).copied()
    }

    /// Whether a model may have this entry.
    pub fn is_open(&self, entry: &EntryId) -> bool {
        self.place(entry)
            .is_some_and(|place| place.access == RecallAccess::Open)
    }

    /// Whether a model may have it, or why not.
    pub fn access(&self, entry: &EntryId) -> RecallAccess {
        let elsewhere = RecallAccess::Withheld(WithheldReason::OtherBranch);
        self.place(entry).map_or(elsewhere, |place| place.access)
    }
}

/// Entries of which nothing is missing in the window.
fn shown_whole(view: &ContextView) -> HashSet<EntryId> {
    let whole = view.items.iter().filter(|item| {
        matches!(
            item.disposition,
            Disposition::Sent | Disposition::MediaStripped
        )
    });
    whole.filter_map(|item| item.entry.clone()).collect()
}

fn withheld(entry: &Entry, plan: &BranchPlan) -> Option<WithheldReason> {
    let id = &entry.id;
    if plan.override_of(id) == Some(EntryOverride::Drop) {
        return Some(WithheldReason::Dropped);
    }
    if plan.edits.contains_key(id) {
        return Some(WithheldReason::Edited);
    }
    if plan.undone.contains(id) {
        return Some(WithheldReason::Undone);
    }
    if plan.replayed.contains_key(id) {
        return Some(WithheldReason::Replayed);
    }
    let EntryBody::Message(message) = &entry.body else {
        return None;
    };
    match message.as_ref() {
        Message::BashExecution(run) => run.excluded.then_some(WithheldReason::Private),
        Message::Assistant(answer) => (answer.stop.is_broken()).then_some(WithheldReason::Broken),
        Message::ToolResult(result) => {
            (result.tool_name == RECALL_TOOL).then_some(WithheldReason::Recalled)
        }
        Message::User(_) => None,
    }
}
