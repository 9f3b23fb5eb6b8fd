//! `/context` and `/pruned`: the view as a ledger, one row per item, with its price,
//! what happened to it and why. Reads the scene's view on every draw, so it is live.
//!
//! Invariant: nothing is changed on the first press of `p`, `d`, `r` or `u`; that press
//! only asks and shows what the totals would become.

mod draw;
mod index;
mod plan;
mod totals;

use std::collections::HashSet;
use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::index::{
    LedgerFilter, LedgerIndex, LedgerOptions, LedgerRow, LedgerScope, LedgerSort, ViewIndex,
};
use self::plan::{PendingAction, RowAction};
use super::super::{Overlay, OverlayScene, Reaction};
use super::facts::LedgerItem;
use super::item::ItemView;
use crate::agent::{AgentEvent, Op, Query, QueryReply};
use crate::context::ContextView;
use crate::transcript::EntryId;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::widget::{ListCursor, ScrollMotion, TextField};

/// The ledger.
pub struct Ledger {
    options: LedgerOptions,
    cursor: ListCursor,
    /// The entry under the cursor: the cursor follows it when rows come and go.
    anchor: Option<EntryId>,
    /// The rows for the newest view; built again when that or the options change.
    cached: ViewIndex,
    words: Option<TextField>,
    plan: Option<PendingAction>,
    /// Why the last key did nothing.
    note: Option<String>,
    /// The cursor was put where it is at first.
    is_placed: bool,
}

impl Ledger {
    /// Everything that is sent, with what is left out folded under its summary.
    pub fn all() -> Self {
        Self::new(LedgerScope::All)
    }

    /// A ledger of items that are not sent in full.
    pub fn pruned() -> Self {
        Self::new(LedgerScope::Pruned)
    }

    fn new(scope: LedgerScope) -> Self {
        Self {
            options: LedgerOptions {
                scope,
                sort: LedgerSort::Order,
                filter: LedgerFilter::Everything,
                words: String::new(),
                by_turn: false,
                toggled: HashSet::new(),
            },
            cursor: ListCursor::default(),
            anchor: None,
            cached: ViewIndex::default(),
            words: None,
            plan: None,
            note: None,
            is_placed: false,
        }
    }

    /// Builds the rows for the newest view, if they are for another one.
    fn refresh(&mut self, scene: &OverlayScene<'_>) {
        if let Some(view) = scene.view
            && !self.cached.is_for(view)
        {
            self.cached = ViewIndex::build(view, scene.entries, &self.options);
        }
        if !self.is_placed && scene.view.is_some() {
            self.is_placed = true;
            if self.options.scope == LedgerScope::Pruned {
                self.anchor = index::pruned_last(scene);
            }
        }
    }

    fn index(&self) -> &LedgerIndex {
        &self.cached.index
    }

    /// Where the cursor is: at its entry when that is still listed.
    fn selected(&self, view: &ContextView) -> usize {
        let index = self.index();
        let last = index.rows.len().saturating_sub(1);
        let at = self.cursor.selected().min(last);
        let Some(anchor) = &self.anchor else {
            return at;
        };
        let here = index.rows.get(at);
        if here.and_then(|row| index::entry_of(row, view)) == Some(anchor) {
            return at;
        }
        index.position(anchor, view).unwrap_or(at)
    }

    fn row(&mut self, scene: &OverlayScene<'_>) -> Option<LedgerRow> {
        self.refresh(scene);
        let at = self.selected(scene.view?);
        self.index().rows.get(at).cloned()
    }

    fn move_cursor(&mut self, motion: ScrollMotion, scene: &OverlayScene<'_>) {
        let Some(view) = scene.view else { return };
        self.refresh(scene);
        let (len, at) = (self.index().rows.len(), self.selected(view));
        self.cursor.select(at, len);
        self.cursor.motion(motion, len);
        let row = self.index().rows.get(self.cursor.selected());
        self.anchor = row.and_then(|row| index::entry_of(row, view)).cloned();
    }

    /// Changes how rows are chosen; they are built again when next needed.
    fn change(&mut self, change: impl FnOnce(&mut LedgerOptions)) {
        change(&mut self.options);
        self.cached = ViewIndex::default();
    }

    fn cycle_filter(&mut self, scene: &OverlayScene<'_>) {
        let Some(view) = scene.view else { return };
        let filters = index::filters(view);
        let at = filters.iter().position(|f| *f == self.options.filter);
        let next = at.map_or(0, |at| (at + 1) % filters.len());
        let filter = filters.get(next).copied().unwrap_or_default();
        self.change(|options| options.filter = filter);
    }

    fn open(&mut self, scene: &OverlayScene<'_>) -> Reaction {
        match (self.row(scene), scene.view) {
            (Some(LedgerRow::Leaf(LedgerItem::Item(at))), Some(view)) => match view.items.get(at) {
                Some(item) => Reaction::Open(Box::new(ItemView::sent(Arc::clone(item)))),
                None => Reaction::Consumed,
            },
            (Some(LedgerRow::Leaf(LedgerItem::Left(at))), Some(view)) => {
                match view.left_out.get(at) {
                    Some(left) => Reaction::Open(Box::new(ItemView::left_out(Arc::clone(left)))),
                    None => Reaction::Consumed,
                }
            }
            (Some(LedgerRow::Compaction { id, .. }), _) => {
                Reaction::Open(Box::new(ItemView::entry(id)))
            }
            _ => Reaction::Consumed,
        }
    }

    fn toggle(&mut self, scene: &OverlayScene<'_>) {
        let Some(LedgerRow::Compaction { id, .. }) = self.row(scene) else {
            return;
        };
        self.change(|options| {
            if !options.toggled.remove(&id) {
                options.toggled.insert(id);
            }
        });
    }

    /// First press plans, second press of the same key on the same row acts.
    fn act(&mut self, action: RowAction, scene: &OverlayScene<'_>) -> Reaction {
        let Some(view) = scene.view else {
            return Reaction::Consumed;
        };
        let leaf = match self.row(scene) {
            Some(LedgerRow::Leaf(leaf)) => Some(leaf),
            _ => None,
        };
        match PendingAction::new(action, leaf, view, scene.entries) {
            Ok(plan) => {
                let waiting = self.plan.take();
                let is_second = waiting.is_some_and(|waiting| {
                    waiting.action == plan.action && waiting.target == plan.target
                });
                if is_second {
                    return match plan.op() {
                        Some(op) => Reaction::Act(vec![Effect::Send(op)]),
                        None => Reaction::Consumed,
                    };
                }
                let question = plan.op().map(|op| Op::query(Query::Foresee(Box::new(op))));
                self.plan = Some(plan);
                let question = question.map(Effect::Send);
                return Reaction::Act(question.into_iter().collect());
            }
            Err(why) => {
                self.plan = None;
                self.note = Some(why);
            }
        }
        Reaction::Consumed
    }

    fn on_words_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Option<Reaction> {
        let field = self.words.as_mut()?;
        match scene.keymap.screen_action(Screen::Filter, key) {
            Some(ScreenAction::Open) => self.words = None,
            Some(ScreenAction::Back) => {
                self.words = None;
                self.change(|options| options.words.clear());
            }
            Some(ScreenAction::Scroll(motion)) => self.move_cursor(motion, scene),
            _ if field.on_key(key) => {
                let words = field.text();
                self.change(|options| options.words = words);
            }
            _ => {}
        }
        Some(Reaction::Consumed)
    }

    /// Esc clears one thing at a time, then closes.
    fn leave(&mut self) -> Reaction {
        if self.plan.take().is_some() || self.note.is_some() {
            return Reaction::Consumed;
        }
        if !self.options.words.is_empty() || self.options.filter != LedgerFilter::Everything {
            self.change(|options| {
                options.words.clear();
                options.filter = LedgerFilter::Everything;
            });
            return Reaction::Consumed;
        }
        Reaction::Close(Vec::new())
    }

    fn command(&mut self, action: ScreenAction, scene: &OverlayScene<'_>) -> Reaction {
        match action {
            ScreenAction::Scroll(motion) => self.move_cursor(motion, scene),
            ScreenAction::Open => return self.open(scene),
            ScreenAction::Sort => self.change(|options| options.sort = options.sort.next()),
            ScreenAction::Filter => self.cycle_filter(scene),
            ScreenAction::ByTurn => self.change(|options| options.by_turn = !options.by_turn),
            ScreenAction::Find => self.words = Some(TextField::new(&self.options.words)),
            ScreenAction::Fold => self.toggle(scene),
            ScreenAction::Request => {
                return Reaction::Act(vec![Effect::Send(Op::query(Query::Wire))]);
            }
            _ => return Reaction::Ignored,
        }
        Reaction::Consumed
    }
}

impl Overlay for Ledger {
    fn name(&self) -> &'static str {
        match self.options.scope {
            LedgerScope::All => "context",
            LedgerScope::Pruned => "pruned",
        }
    }

    fn screen(&self) -> Option<Screen> {
        Some(if self.words.is_some() {
            Screen::Filter
        } else {
            Screen::Ledger
        })
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        if let Some(reaction) = self.on_words_key(key, scene) {
            return reaction;
        }
        let Some(action) = scene.keymap.screen_action(Screen::Ledger, key) else {
            (self.plan, self.note) = (None, None);
            return Reaction::Ignored;
        };
        if let Some(act) = RowAction::from_screen(action) {
            self.note = None;
            return self.act(act, scene);
        }
        if action == ScreenAction::Back {
            let reaction = self.leave();
            self.note = None;
            return reaction;
        }
        (self.plan, self.note) = (None, None);
        self.command(action, scene)
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        let Some(field) = &mut self.words else {
            return Reaction::Ignored;
        };
        field.insert(text);
        let words = field.text();
        self.change(|options| options.words = words);
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, scene: &OverlayScene<'_>) -> Reaction {
        let AgentEvent::Reply {
            reply:
                QueryReply::Foreseen {
                    op,
                    undoes,
                    tokens_after,
                },
            ..
        } = event
        else {
            return Reaction::Ignored;
        };
        // The answer may come when something else is planned by then.
        let plan = self.plan.as_mut();
        let plan = plan.filter(|plan| plan.op().as_ref() == Some(op));
        if let (Some(plan), Some(view)) = (plan, scene.view) {
            plan.take(*tokens_after, undoes.as_deref(), view);
        }
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        self.refresh(scene);
        let Some(view) = scene.view else { return };
        let (at, len) = (self.selected(view), self.index().rows.len());
        let height = draw::body(self, area, scene).height;
        self.cursor.layout_around(at, height, len);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        draw::ledger(self, area, buffer, scene)
    }
}

#[cfg(test)]
mod tests;
