//! The effect of a pin, drop, restore or undo on the totals, before it is done. First an
//! estimate from the view alone; the agent is asked to try it, and its answer takes the
//! estimate's place.

use crate::agent::{ContextOp, Op, UndoOp};
use crate::context::{ContextView, Role};
use crate::transcript::{Entry, EntryBody, EntryId};

use crate::tui::keymap::ScreenAction;
use crate::tui::overlay::inspect::facts::{EntryMap, ItemFacts, LedgerItem};
use crate::tui::overlay::numbers;

/// About what the placeholder of a dropped message costs: a few words and the message
/// overhead.
const DROPPED_PLACEHOLDER_TOKENS: u64 = 9;

/// Something the user can do to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowAction {
    /// Always send, never summarise.
    Pin,
    /// Take out of the context.
    Drop,
    /// Send in full again.
    Restore,
    /// Undo the newest of these.
    Undo,
}

impl RowAction {
    /// The action on a row, where a key of the screen is one.
    pub(super) fn from_screen(action: ScreenAction) -> Option<Self> {
        match action {
            ScreenAction::Pin => Some(Self::Pin),
            ScreenAction::Drop => Some(Self::Drop),
            ScreenAction::Restore => Some(Self::Restore),
            ScreenAction::Undo => Some(Self::Undo),
            _ => None,
        }
    }

    /// Whose key does it.
    pub(super) fn on_screen(self) -> ScreenAction {
        match self {
            Self::Pin => ScreenAction::Pin,
            Self::Drop => ScreenAction::Drop,
            Self::Restore => ScreenAction::Restore,
            Self::Undo => ScreenAction::Undo,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Pin => "pin",
            Self::Drop => "drop",
            Self::Restore => "restore",
            Self::Undo => "undo",
        }
    }
}

/// An action that waits for its second key press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PendingAction {
    /// The planned action.
    pub action: RowAction,
    /// To what; `None` for undo.
    pub target: Option<EntryId>,
    /// By how much the total would change.
    pub change: i64,
    /// One line for the user.
    pub text: String,
    /// The planned action, for that line.
    what: String,
}

impl PendingAction {
    /// Plans an action on a leaf; the error says why there is nothing to do.
    pub(super) fn new(
        action: RowAction,
        leaf: Option<LedgerItem>,
        view: &ContextView,
        entries: &EntryMap,
    ) -> Result<Self, String> {
        if action == RowAction::Undo {
            return Ok(Self {
                action,
                target: None,
                change: 0,
                text: "undo: nothing to undo".to_owned(),
                what: "undo".to_owned(),
            });
        }
        let leaf = leaf.ok_or_else(|| "select a message first".to_owned())?;
        let facts = ItemFacts::of(leaf, view, entries).ok_or("this row is gone; select again")?;
        let target = facts.entry.cloned().ok_or_else(|| {
            format!(
                "{} is always sent; it cannot be changed here",
                facts.category.name()
            )
        })?;
        let is_summary =
            |entry: &std::sync::Arc<Entry>| matches!(entry.body, EntryBody::Compaction(_));
        if entries.get(&target).is_some_and(is_summary) {
            return Err("a summary is undone with /uncompact".to_owned());
        }
        let group = group(leaf, view, entries);
        let change = change(action, &group);
        refusal(action, &facts, change)?;
        let what = format!("{}{}", action.name(), company(action, &target, &group));
        let text = format!("{what}: ~{}", outcome(change, view));
        Ok(Self {
            action,
            target: Some(target),
            change,
            text,
            what,
        })
    }

    /// Takes over what the agent found by trying it: no estimate any more.
    pub(super) fn take(&mut self, tokens_after: u64, undoes: Option<&str>, view: &ContextView) {
        let signed = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        self.change = signed(tokens_after).saturating_sub(signed(view.usage.tokens));
        let what = match undoes {
            Some(undone) => undone.to_owned(),
            None => self.what.clone(),
        };
        self.text = format!("{what}: {}", outcome(self.change, view));
    }

    /// The op for the agent.
    pub(super) fn op(&self) -> Option<Op> {
        let target = self.target.clone();
        match self.action {
            RowAction::Pin => target.map(|it| Op::Context(ContextOp::Pin(it))),
            RowAction::Drop => target.map(|it| Op::Context(ContextOp::Drop(it))),
            RowAction::Restore => target.map(|it| Op::Context(ContextOp::Restore(it))),
            RowAction::Undo => {
                // The first press has said which files change.
                Some(Op::Context(ContextOp::Undo(UndoOp::UNDO.confirmed())))
            }
        }
    }
}

fn outcome(change: i64, view: &ContextView) -> String {
    let after = view.usage.tokens.saturating_add_signed(change);
    let level = view
        .window
        .tokens
        .and_then(|window| numbers::percent(after, window))
        .map_or_else(
            || format!("{} tokens", numbers::short(after)),
            |percent| format!("{percent}%"),
        );
    let line = view.window.load_line_effective;
    let beyond = if line > 0 && after >= line && change > 0 {
        ", over the load line!"
    } else {
        ""
    };
    format!("{} tokens → {level}{beyond}", numbers::signed(change))
}

/// Entries that an action takes along: for a restore, those that come back besides the target.
fn company(action: RowAction, target: &EntryId, group: &[ItemFacts<'_>]) -> String {
    if action != RowAction::Restore {
        return match group.len() {
            0 | 1 => String::new(),
            n => format!(" (group of {n})"),
        };
    }
    let others = group.iter().filter(|facts| facts.entry != Some(target));
    let back: Vec<u64> = others
        .map(ItemFacts::tokens_out)
        .filter(|&tokens| tokens > 0)
        .collect();
    match back.len() {
        0 => String::new(),
        n => {
            let tokens = back.iter().copied().fold(0, u64::saturating_add);
            format!(" and {n} more (~{})", numbers::short(tokens))
        }
    }
}

fn refusal(action: RowAction, facts: &ItemFacts<'_>, change: i64) -> Result<(), String> {
    let is_left_out = facts.is_left_out;
    match action {
        RowAction::Pin if facts.pinned => Err("already pinned".to_owned()),
        RowAction::Restore if change == 0 && !is_left_out => {
            Err("already sent in full: nothing to restore".to_owned())
        }
        RowAction::Drop if is_left_out => Err("not sent anyway: nothing to drop".to_owned()),
        _ => Ok(()),
    }
}

fn change(action: RowAction, group: &[ItemFacts<'_>]) -> i64 {
    match action {
        RowAction::Pin | RowAction::Restore => total(group.iter().map(ItemFacts::tokens_out)),
        RowAction::Drop => {
            let placeholder = |facts: &ItemFacts<'_>| match facts.role {
                Role::Tool => DROPPED_PLACEHOLDER_TOKENS.min(facts.tokens),
                _ => 0,
            };
            total(group.iter().map(placeholder)) - total(group.iter().map(|facts| facts.tokens))
        }
        RowAction::Undo => 0,
    }
}

fn total(tokens: impl Iterator<Item = u64>) -> i64 {
    i64::try_from(tokens.fold(0, u64::saturating_add)).unwrap_or(i64::MAX)
}

/// The leaves that are changed together: an answer with tool calls and its results.
fn group<'a>(leaf: LedgerItem, view: &'a ContextView, entries: &'a EntryMap) -> Vec<ItemFacts<'a>> {
    let at = |position: usize| {
        let leaf = match leaf {
            LedgerItem::Item(_) => LedgerItem::Item(position),
            LedgerItem::Left(_) => LedgerItem::Left(position),
        };
        ItemFacts::of(leaf, view, entries)
    };
    let (LedgerItem::Item(own) | LedgerItem::Left(own)) = leaf;
    let is_result = |position: usize| at(position).is_some_and(|facts| facts.role == Role::Tool);
    let mut start = own;
    while start > 0 && is_result(start) {
        start -= 1;
    }
    if at(start).is_none_or(|facts| facts.role != Role::Assistant) {
        start = own;
    }
    let mut end = start + 1;
    while is_result(end) {
        end += 1;
    }
    (start..end).filter_map(at).collect()
}
