//! `/rules`: every standing rule, where the next request holds it and who said it. Strikes,
//! restores, confirms, rewords and adds; each of these is one act that can be undone.
//!
//! Invariant: what is drawn is what the newest view says of the rules, never what was wished
//! for.

mod draw;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::inspect::item::ItemView;
use super::super::{Overlay, OverlayScene, Reaction};
use crate::agent::{
    AgentEvent, ContextEvent, ContextOp, NoticeLevel, Op, QueryReply, RuleAct, RuleList,
    RuleListing, SessionEvent, UndoOp, UndoWay,
};
use crate::context::rules::{MAX_RULE_CHARS, RuleState};
use crate::transcript::{RuleChange, RuleId, signed};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::widget::{ListCursor, Needle, ScrollMotion, TextField};

/// The list.
pub struct Rules {
    list: RuleList,
    /// Positions in the list, in the order of the screen.
    shown: Vec<usize>,
    cursor: ListCursor,
    /// The rule under the cursor: the cursor follows it when rules come and go.
    anchor: Option<RuleId>,
    /// Only rules with these words are shown.
    filter: String,
    field: Option<RuleField>,
    /// What became of the newest act, or why a key did nothing.
    remark: Option<RuleRemark>,
}

/// What is being typed.
enum RuleField {
    /// Words that filter the list.
    Filter(TextField),
    /// A new rule.
    Added(TextField),
    /// Other words for a rule.
    Reworded { rule: RuleId, field: TextField },
}

/// A sentence below the list, until the next key.
struct RuleRemark {
    text: String,
    is_refusal: bool,
}

/// The parts of the list, in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RuleGroup {
    Active,
    Possible,
    Ended,
}

impl RuleGroup {
    fn of(state: RuleState) -> Self {
        match state {
            RuleState::Active => Self::Active,
            RuleState::Possible => Self::Possible,
            RuleState::Struck | RuleState::Superseded => Self::Ended,
        }
    }
}

impl RuleField {
    fn screen(&self) -> Screen {
        match self {
            Self::Filter(_) => Screen::Filter,
            Self::Added(_) | Self::Reworded { .. } => Screen::Field,
        }
    }

    fn field(&self) -> &TextField {
        match self {
            Self::Filter(field) | Self::Added(field) | Self::Reworded { field, .. } => field,
        }
    }

    fn field_mut(&mut self) -> &mut TextField {
        match self {
            Self::Filter(field) | Self::Added(field) | Self::Reworded { field, .. } => field,
        }
    }
}

impl Rules {
    /// Shows these.
    pub fn new(list: RuleList) -> Self {
        let mut it = Self {
            list,
            shown: Vec::new(),
            cursor: ListCursor::default(),
            anchor: None,
            filter: String::new(),
            field: None,
            remark: None,
        };
        it.arrange();
        it
    }

    /// Finds the rules that are shown, and the one under the cursor among them.
    fn arrange(&mut self) {
        let needle = Needle::new(self.filter.trim());
        let is_wanted = |listing: &RuleListing| {
            let rule = &listing.standing.rule;
            let texts = [
                rule.text.as_str(),
                rule.id.as_str(),
                listing.state_word(),
                listing.place_words(),
            ];
            needle.is_empty() || texts.into_iter().any(|text| needle.is_in(text))
        };
        let rules = self.list.rules.iter().enumerate();
        self.shown = rules
            .filter(|(_, listing)| is_wanted(listing))
            .map(|(at, _)| at)
            .collect();
        let group = |at: &usize| self.list.rules.get(*at).map(|it| self::group(it) as u8);
        self.shown.sort_by_key(group);
        let anchored = self.anchor.as_ref().and_then(|id| {
            let mut shown = self.shown.iter();
            shown.position(|&at| self.list.rules.get(at).is_some_and(|it| has_id(it, id)))
        });
        let at = anchored.unwrap_or(self.cursor.selected());
        self.cursor.select(at, self.shown.len());
    }

    fn selected(&self) -> Option<&RuleListing> {
        let at = self.shown.get(self.cursor.selected())?;
        self.list.rules.get(*at)
    }

    fn move_cursor(&mut self, motion: ScrollMotion) {
        self.cursor.motion(motion, self.shown.len());
        self.anchor = self.selected().map(|it| it.standing.rule.id.clone());
    }

    fn refuse(&mut self, why: impl Into<String>) -> Reaction {
        self.remark = Some(RuleRemark {
            text: why.into(),
            is_refusal: true,
        });
        Reaction::Consumed
    }

    /// Does this to the selected rule, or says why not.
    fn change(&mut self, change: RuleChange) -> Reaction {
        let Some(listing) = self.selected() else {
            return Reaction::Consumed;
        };
        if let Some(why) = needless(listing, &change) {
            return self.refuse(why);
        }
        let id = listing.standing.rule.id.clone();
        // The next one moves up: several are gone through with one key.
        self.anchor = None;
        act(RuleAct { rule: id, change })
    }

    /// Confirms every possible rule that is shown.
    fn confirm_all(&mut self) -> Reaction {
        let possible = self.possible().map(|listing| {
            let id = listing.standing.rule.id.as_str();
            let act = RuleAct::on(id, RuleChange::Confirm);
            Effect::Send(Op::Context(ContextOp::Rule(act)))
        });
        let effects: Vec<Effect> = possible.collect();
        if effects.is_empty() {
            return self.refuse("there is no possible rule to confirm");
        }
        self.anchor = None;
        Reaction::Act(effects)
    }

    /// The possible rules that are shown.
    fn possible(&self) -> impl Iterator<Item = &RuleListing> {
        let shown = self.shown.iter();
        shown
            .filter_map(|&at| self.list.rules.get(at))
            .filter(|it| group(it) == RuleGroup::Possible)
    }

    fn begin_rewording(&mut self) -> Reaction {
        let Some(listing) = self.selected() else {
            return Reaction::Consumed;
        };
        let rule = &listing.standing.rule;
        if group(listing) == RuleGroup::Ended {
            return self.refuse("it is struck; restore it first");
        }
        self.field = Some(RuleField::Reworded {
            rule: rule.id.clone(),
            field: TextField::new(&rule.text),
        });
        Reaction::Consumed
    }

    /// Opens the message that says the selected rule.
    fn open_source(&mut self, scene: &OverlayScene<'_>) -> Reaction {
        let Some(listing) = self.selected() else {
            return Reaction::Consumed;
        };
        let rule = &listing.standing.rule;
        let entry = scene.entries.get(&rule.source);
        if entry.is_none_or(|entry| entry.message().is_none()) {
            return self.refuse("you added it here: no message says it");
        }
        let view = ItemView::entry(rule.source.clone()).saying(&rule.text);
        Reaction::Open(Box::new(view))
    }

    fn on_field_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Option<Reaction> {
        let field = self.field.as_mut()?;
        let screen = field.screen();
        let action = scene.keymap.screen_action(screen, key);
        match action {
            Some(ScreenAction::Open) => return Some(self.finish()),
            Some(ScreenAction::Back) => {
                if matches!(self.field.take(), Some(RuleField::Filter(_))) {
                    self.filter.clear();
                    self.arrange();
                }
                return Some(Reaction::Consumed);
            }
            _ => {}
        }
        if let Some(ScreenAction::Scroll(motion)) = action {
            self.move_cursor(motion);
        } else if field.field_mut().on_key(key) {
            self.follow_filter();
        }
        Some(Reaction::Consumed)
    }

    /// Filters the list by what is typed, where that is a filter.
    fn follow_filter(&mut self) {
        if let Some(RuleField::Filter(field)) = &self.field {
            self.filter = field.text();
            self.arrange();
        }
    }

    /// Enter in a field: it is sent, or stays open with what is wrong with it.
    fn finish(&mut self) -> Reaction {
        let Some(field) = self.field.take() else {
            return Reaction::Consumed;
        };
        let text = field.field().text().trim().to_owned();
        let wrong = match field {
            RuleField::Filter(_) => return Reaction::Consumed,
            _ if text.is_empty() => Some("a rule needs words; esc cancels".to_owned()),
            _ => too_long(&text),
        };
        if let Some(wrong) = wrong {
            self.field = Some(field);
            return self.refuse(wrong);
        }
        match field {
            RuleField::Reworded { rule, .. } => act(RuleAct {
                rule,
                change: RuleChange::Reword(text),
            }),
            RuleField::Added(_) | RuleField::Filter(_) => act(RuleAct::add(text)),
        }
    }

    fn command(&mut self, action: ScreenAction, scene: &OverlayScene<'_>) -> Reaction {
        match action {
            ScreenAction::Back if !self.filter.is_empty() => {
                self.filter.clear();
                self.arrange();
            }
            ScreenAction::Back => return Reaction::Close(Vec::new()),
            ScreenAction::Scroll(motion) => self.move_cursor(motion),
            ScreenAction::Open => return self.open_source(scene),
            ScreenAction::Find => {
                self.field = Some(RuleField::Filter(TextField::new(&self.filter)));
            }
            ScreenAction::Strike => return self.change(RuleChange::Strike),
            ScreenAction::Restore => return self.change(RuleChange::BringBack),
            ScreenAction::Confirm => return self.change(RuleChange::Confirm),
            ScreenAction::ConfirmAll => return self.confirm_all(),
            ScreenAction::Edit => return self.begin_rewording(),
            ScreenAction::Add => self.field = Some(RuleField::Added(TextField::default())),
            ScreenAction::Undo => {
                let undo = Op::Context(ContextOp::Undo(UndoOp::UNDO));
                return Reaction::Act(vec![Effect::Send(undo)]);
            }
            _ => return Reaction::Ignored,
        }
        Reaction::Consumed
    }

    fn say(&mut self, text: String) {
        self.remark = Some(RuleRemark {
            text,
            is_refusal: false,
        });
    }

    /// Takes over what an event says of the rules, or of an act on them.
    fn follow(&mut self, event: &ContextEvent) -> Reaction {
        match event {
            ContextEvent::View(view) => {
                self.list = RuleList::of(view);
                self.arrange();
            }
            ContextEvent::RuleChanged {
                what,
                rule,
                tokens_change,
            } => {
                let change = signed(*tokens_change);
                let text = rule.head();
                self.say(format!("{what} · u: undo · {change} tokens: {text}"));
                if *what == "added" {
                    self.anchor = Some(rule.standing.rule.id.clone());
                }
            }
            ContextEvent::ActUndone { way, what, .. } => {
                let back = match way {
                    UndoWay::Undo => "/redo repeats it",
                    UndoWay::Redo => "/undo reverses it",
                };
                self.say(format!("{}: {what} · {back}", way.done()));
            }
            ContextEvent::Overflow { .. }
            | ContextEvent::Replayed { .. }
            | ContextEvent::Pruned { .. }
            | ContextEvent::Guarded { .. }
            | ContextEvent::OverrideApplied { .. }
            | ContextEvent::UndoPlanned(_) => return Reaction::Ignored,
        }
        Reaction::Consumed
    }
}

fn group(listing: &RuleListing) -> RuleGroup {
    RuleGroup::of(listing.standing.rule.state)
}

fn has_id(listing: &RuleListing, id: &RuleId) -> bool {
    listing.standing.rule.id == *id
}

fn act(act: RuleAct) -> Reaction {
    Reaction::Act(vec![Effect::Send(Op::Context(ContextOp::Rule(act)))])
}

fn too_long(text: &str) -> Option<String> {
    let count = text.chars().count();
    (count > MAX_RULE_CHARS)
        .then(|| format!("a rule has at most {MAX_RULE_CHARS} characters, this has {count}"))
}

/// Why a key would change nothing, and which one would.
fn needless(listing: &RuleListing, change: &RuleChange) -> Option<&'static str> {
    let is_confirmed = listing.standing.rule.is_confirmed;
    match (change, group(listing)) {
        (RuleChange::Strike | RuleChange::Confirm, RuleGroup::Ended) => {
            Some("it is struck or replaced; restore it first")
        }
        (RuleChange::BringBack, RuleGroup::Active) => Some("it is active already"),
        (RuleChange::BringBack, RuleGroup::Possible) => Some("it is only possible; confirm it"),
        (RuleChange::Confirm, RuleGroup::Active) if is_confirmed => Some("it is confirmed already"),
        _ => None,
    }
}

impl Overlay for Rules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn screen(&self) -> Option<Screen> {
        let field = self.field.as_ref();
        Some(field.map_or(Screen::Rules, RuleField::screen))
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        self.remark = None;
        if let Some(reaction) = self.on_field_key(key, scene) {
            return reaction;
        }
        let action = scene.keymap.screen_action(Screen::Rules, key);
        action.map_or(Reaction::Ignored, |action| self.command(action, scene))
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        let Some(field) = &mut self.field else {
            return Reaction::Ignored;
        };
        field.field_mut().insert(text);
        self.follow_filter();
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        match event {
            AgentEvent::Context(event) => self.follow(event),
            AgentEvent::Reply {
                reply: QueryReply::Rules(list),
                ..
            } => {
                self.list = RuleList::clone(list);
                self.arrange();
                Reaction::Consumed
            }
            AgentEvent::Notice(notice) => {
                let hint = notice.hint.as_ref();
                let hint = hint.map_or_else(String::new, |hint| format!(" · {hint}"));
                self.remark = Some(RuleRemark {
                    text: format!("{}{hint}", notice.text),
                    is_refusal: notice.level != NoticeLevel::Info,
                });
                // The transcript keeps it.
                Reaction::Ignored
            }
            AgentEvent::Session(SessionEvent::Opened(_)) => Reaction::Close(Vec::new()),
            AgentEvent::Stream(_)
            | AgentEvent::Turn(_)
            | AgentEvent::Compaction(_)
            | AgentEvent::Child(_)
            | AgentEvent::Session(
                SessionEvent::Entry(_)
                | SessionEvent::BranchMoved(_)
                | SessionEvent::ModelSwitched { .. }
                | SessionEvent::Reasoning(_)
                | SessionEvent::Engine(_)
                | SessionEvent::PlanMode(_)
                | SessionEvent::Saved(_)
                | SessionEvent::Approvals(_)
                | SessionEvent::ServersOffer(_)
                | SessionEvent::ModelsListed(_)
                | SessionEvent::Ended(_),
            )
            | AgentEvent::Reply { .. } => Reaction::Ignored,
        }
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        draw::layout(self, area, scene);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        draw::screen(self, area, buffer, scene)
    }
}

#[cfg(test)]
mod tests;
