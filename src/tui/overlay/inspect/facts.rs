//! One way to look at what is sent and at what is left out: the facts of a ledger row.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::numbers;
use crate::context::{Category, ContextView, Disposition, LeftOut, Role, RulerReport, ViewItem};
use crate::transcript::{
    AssistantPart, Author, Entry, EntryId, Message, NoteKind, Timestamp, ToolResult,
};
use crate::tui::transcript::call_title;

/// Entries between a result and its call that are looked at: the other results of a
/// batch, and whatever was noted meanwhile.
const MAX_STEPS_TO_CALL: usize = 256;

/// Entries of the session by id.
pub(crate) type EntryMap = HashMap<EntryId, Arc<Entry>>;

/// Something that is in the view or was left out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LedgerItem {
    /// Position in `items`.
    Item(usize),
    /// Position in `left_out`.
    Left(usize),
}

/// The facts of an item.
#[derive(Clone, Debug)]
pub(crate) struct ItemFacts<'a> {
    /// Its entry, when it has one.
    pub entry: Option<&'a EntryId>,
    /// The role.
    pub role: Role,
    /// Its category, or the one it would have.
    pub category: Category,
    /// Tokens as sent; 0 when left out.
    pub tokens: u64,
    /// Tokens in full.
    pub tokens_full: u64,
    /// Its disposition.
    pub disposition: Disposition,
    /// Why.
    pub reason: &'a str,
    /// Its turn.
    pub turn: u32,
    /// Pinned by the user.
    pub pinned: bool,
    /// Restored by the user.
    pub restored: bool,
    /// When it was written.
    pub timestamp: Option<Timestamp>,
    /// First words.
    pub preview: &'a str,
    /// No part of the request; its full size is a rough estimate.
    pub is_left_out: bool,
}

impl<'a> ItemFacts<'a> {
    /// The facts of a leaf; `None` when the view has changed since.
    pub(crate) fn of(
        leaf: LedgerItem,
        view: &'a ContextView,
        entries: &'a EntryMap,
    ) -> Option<Self> {
        match leaf {
            LedgerItem::Item(at) => view
                .items
                .get(at)
                .map(|item| Self::of_item(item, &view.ruler)),
            LedgerItem::Left(at) => view
                .left_out
                .get(at)
                .map(|left| Self::of_left(left, entries)),
        }
    }

    /// The facts of an item.
    pub(crate) fn of_item(item: &'a ViewItem, ruler: &RulerReport) -> Self {
        Self {
            entry: item.entry.as_ref(),
            role: item.role,
            category: item.category,
            tokens: item.tokens,
            tokens_full: item.tokens_full(ruler),
            disposition: item.disposition,
            reason: item.reason.as_deref().unwrap_or_default(),
            turn: item.turn,
            pinned: item.is_pinned(),
            restored: item.is_restored(),
            timestamp: item.timestamp,
            preview: &item.preview,
            is_left_out: false,
        }
    }

    /// The facts of what is left out; who speaks is read from its entry.
    pub(crate) fn of_left(left: &'a LeftOut, entries: &'a EntryMap) -> Self {
        let entry = entries.get(&left.entry);
        let (role, category) = entry.map_or((Role::User, Category::Notes), |entry| speaker(entry));
        Self {
            entry: Some(&left.entry),
            role,
            category,
            tokens: 0,
            tokens_full: left.tokens_full,
            disposition: left.disposition,
            reason: &left.reason,
            turn: left.turn,
            pinned: false,
            restored: false,
            timestamp: entry.map(|entry| entry.timestamp),
            preview: &left.preview,
            is_left_out: true,
        }
    }

    /// The speaker in a word: the tool of a result, else the role. Foreign text.
    pub(crate) fn speaker(&self, entries: &'a EntryMap) -> &'a str {
        match self.category {
            Category::Summary => "summary",
            Category::Tools => "tools",
            Category::Servers => "servers",
            Category::Memory => "memory",
            Category::Skills => "skills",
            _ => {
                let entry = self.entry.and_then(|id| entries.get(id));
                let kind = entry.and_then(|entry| entry.body.note_kind());
                if kind == Some(NoteKind::Hook) {
                    return "hook";
                }
                let result = self.entry.and_then(|id| result_of(entries.get(id)?));
                result.map_or(self.role.name(), |result| result.tool_name.as_str())
            }
        }
    }

    /// The call that a result answers, as its card shows it; `None` for all else.
    pub(crate) fn call(&self, entries: &EntryMap) -> Option<String> {
        let entry = entries.get(self.entry?)?;
        let result = result_of(entry)?;
        let mut at = entry.parent.as_ref();
        for _ in 0..MAX_STEPS_TO_CALL {
            let before = entries.get(at?)?;
            if let Some(Message::Assistant(answer)) = before.message().map(AsRef::as_ref) {
                let call = answer.content.iter().find_map(|part| match part {
                    AssistantPart::ToolCall(call) if call.id == result.call_id => Some(call),
                    _ => None,
                });
                return call.map(|call| call_title(&call.arguments));
            }
            at = before.parent.as_ref();
        }
        None
    }

    /// The full size in digits; with a `~` where a quick ruler found it.
    pub(crate) fn grouped_full(&self) -> String {
        let about = if self.is_left_out { "~" } else { "" };
        format!("{about}{}", numbers::grouped(self.tokens_full))
    }

    /// Tokens that are on disk and not sent.
    pub(crate) fn tokens_out(&self) -> u64 {
        self.tokens_full.saturating_sub(self.tokens)
    }
}

fn result_of(entry: &Entry) -> Option<&ToolResult> {
    match entry.message()?.as_ref() {
        Message::ToolResult(result) => Some(result),
        _ => None,
    }
}

/// The speaker of an entry, and its category.
fn speaker(entry: &Entry) -> (Role, Category) {
    let role = match entry.body.author() {
        Author::Model => Role::Assistant,
        Author::Tool => Role::Tool,
        _ => Role::User,
    };
    (role, Category::of(&entry.body))
}
