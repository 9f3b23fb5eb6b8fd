//! The review of a compaction before it counts: numbers, the new summary against the old
//! one or beside the turns that go, what the audit found, where each claim comes from.
//!
//! Invariant: exactly one answer leaves for each proposal; until then the context is
//! what it was.

mod claims;
mod draw;
mod focus;
mod panel;
mod rows;
mod stored;

pub(super) use rows::{ALIASES_TITLE, compare};

use claims::{LineClaims, ReviewStop, StopRows};

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::question::{Question, QuestionKey};
use super::{Overlay, OverlayScene, Reaction, hints};
use crate::agent::{
    AgentEvent, CompactionEvent, CompactionProposal, ContextOp, Op, ReviewDecision,
};
use crate::transcript::{AuditDetail, CompactionStanding, EntryId};
use crate::tui::effect::{EditPurpose, Effect};
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::widget::{ScrollMotion, ScrollText, TextArea, TextField, TextSides};

/// The name of a review that waits for an answer.
pub const NAME: &str = "review";

/// The review.
pub struct Review {
    proposal: Box<CompactionProposal>,
    /// The compaction of the log that is shown, with whether it counts; `None` while one
    /// waits for an answer.
    stored: Option<(EntryId, CompactionStanding)>,
    /// Somebody moved the keyboard here, or opened it.
    has_keyboard: bool,
    /// The remark on a try that gave no summary, so that the one before it is shown.
    remark: Option<String>,
    mode: ReviewMode,
    pane: ReviewPane,
    sheet: ScrollText,
    unfolded: bool,
    /// The other layout than the one that the width suggests.
    flips_layout: bool,
    focus: ReviewFocus,
    /// What in the rows can be chosen, in their order.
    stops: Vec<ReviewStop>,
    /// What the audit found.
    details: Vec<AuditDetail>,
    /// How the newest layout divides the body.
    sides: TextSides,
}

/// The use of keys.
enum ReviewMode {
    Read,
    AskCancel,
    Instructions(TextField),
    Edit(TextArea),
    /// Esc was pressed on a summary that was changed.
    AskDiscard(TextArea),
    /// An answer was sent; another proposal, or the end, will follow.
    Waiting {
        stage: String,
        stream: ScrollText,
        /// It is a model that writes, and that can be stopped.
        can_stop: bool,
    },
    /// It is over without a compaction.
    Ended(String),
}

/// What the keys move in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReviewFocus {
    /// They scroll.
    Text,
    /// Something in the text that can be opened.
    Stop(usize),
    /// A part of the audit's words.
    Part(usize),
    /// One of its findings.
    Finding(usize),
}

/// The text in the body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReviewPane {
    Diff,
    Extractive,
    Sources,
}

impl Review {
    /// Whether it shows a compaction of the log, and asks nothing.
    pub fn is_stored(&self) -> bool {
        self.stored.is_some()
    }

    /// Reviews a proposal.
    pub fn new(proposal: Box<CompactionProposal>) -> Self {
        Self::of(proposal, None)
    }

    /// Shows a compaction of the log.
    pub fn stored(
        entry: EntryId,
        standing: CompactionStanding,
        proposal: Box<CompactionProposal>,
    ) -> Self {
        Self::of(proposal, Some((entry, standing)))
    }

    fn of(
        proposal: Box<CompactionProposal>,
        stored: Option<(EntryId, CompactionStanding)>,
    ) -> Self {
        let mut review = Self {
            proposal,
            has_keyboard: stored.is_some(),
            stored,
            remark: None,
            mode: ReviewMode::Read,
            pane: ReviewPane::Diff,
            sheet: ScrollText::default(),
            unfolded: false,
            flips_layout: false,
            focus: ReviewFocus::Text,
            stops: Vec::new(),
            details: Vec::new(),
            sides: TextSides::default(),
        };
        review.details = review.proposal.verdict.details();
        review.rebuild();
        review
    }

    fn rebuild(&mut self) {
        let proposal = &self.proposal;
        let found = proposal.sources.as_ref();
        let claims = found.map_or_else(LineClaims::default, |it| LineClaims::of(&it.claims));
        let mut out = StopRows::new(&claims, self.chosen_stop(), self.sides);
        let summary = proposal.summary.as_str();
        match self.pane {
            ReviewPane::Diff if self.is_first() => rows::turns(proposal, self.sides, &mut out),
            ReviewPane::Diff => {
                rows::comparison(&proposal.comparison.left, summary, self.unfolded, &mut out);
            }
            ReviewPane::Extractive => {
                let extractive = &proposal.comparison.extractive;
                rows::comparison(extractive, summary, self.unfolded, &mut out);
            }
            ReviewPane::Sources => rows::sources(proposal, &mut out),
        }
        let StopRows { rows, stops, .. } = out;
        let rows = [rows, rows::aliases(proposal)].concat();
        self.sheet.replace(rows);
        self.stops = stops;
    }

    /// Whether there is no earlier summary to compare with.
    fn is_first(&self) -> bool {
        !self.proposal.comparison.turns.is_empty()
    }

    /// Whether it says what nothing in the conversation says, without a mark.
    fn has_unsaid(&self) -> bool {
        let check = &self.proposal.verdict.check;
        check.has_unmarked_claims(&self.proposal.summary)
    }

    fn show(&mut self, pane: ReviewPane) -> Reaction {
        self.pane = if self.pane == pane {
            ReviewPane::Diff
        } else {
            pane
        };
        self.sheet = ScrollText::default();
        self.focus = ReviewFocus::Text;
        self.rebuild();
        Reaction::Consumed
    }

    fn enter(&mut self, mode: ReviewMode) -> Reaction {
        self.mode = mode;
        Reaction::Consumed
    }

    /// Sends an answer after which the summary is written or checked again.
    fn wait(&mut self, stage: &str, decision: ReviewDecision) -> Reaction {
        self.mode = ReviewMode::Waiting {
            stage: stage.to_owned(),
            stream: ScrollText::default(),
            can_stop: matches!(decision, ReviewDecision::Retry { .. }),
        };
        (self.focus, self.remark) = (ReviewFocus::Text, None);
        Reaction::Act(vec![Effect::Send(Op::Context(ContextOp::Review(decision)))])
    }

    /// Stops what is being written; the summary that was shown before comes back.
    fn stop_retry(&mut self) -> Reaction {
        match &mut self.mode {
            ReviewMode::Waiting {
                can_stop, stage, ..
            } if *can_stop => {
                "stopping; the summary before is shown again".clone_into(stage);
                *can_stop = false;
                Reaction::Act(vec![Effect::Send(Op::Context(ContextOp::Review(
                    ReviewDecision::StopRetry,
                )))])
            }
            _ => Reaction::Consumed,
        }
    }

    fn edited(&mut self, text: String) -> Reaction {
        if text.trim_end() == self.proposal.summary.trim_end() {
            return self.enter(ReviewMode::Read);
        }
        self.wait("audit of your edit", ReviewDecision::Edit(text))
    }

    /// The place of its keys, but for the field of a search.
    fn own_screen(&self) -> Screen {
        match &self.mode {
            ReviewMode::Read if self.focus != ReviewFocus::Text => Screen::ReviewCursor,
            ReviewMode::Read => self.reading_screen(),
            ReviewMode::AskCancel => Screen::CancelPrompt,
            ReviewMode::AskDiscard(_) => Screen::DiscardPrompt,
            ReviewMode::Instructions(_) => Screen::Field,
            ReviewMode::Edit(_) => Screen::SummaryEdit,
            ReviewMode::Waiting { .. } => Screen::ReviewWaiting,
            ReviewMode::Ended(_) => Screen::ReviewEnded,
        }
    }

    fn reading_screen(&self) -> Screen {
        if self.stored.is_some() {
            Screen::StoredReview
        } else {
            Screen::Review
        }
    }

    fn on_read_key(&mut self, key: KeyEvent, action: Option<ScreenAction>) -> Reaction {
        if self.focus != ReviewFocus::Text {
            return action.map_or(Reaction::Ignored, |action| self.on_focus_action(action));
        }
        if hints::scrolls_text(&mut self.sheet, action, key) {
            return Reaction::Consumed;
        }
        match (action, self.stored.as_ref()) {
            (Some(ScreenAction::Input), None) => {
                self.has_keyboard = false;
                Reaction::Consumed
            }
            (Some(ScreenAction::Back), Some(_)) => Reaction::Close(Vec::new()),
            (Some(ScreenAction::Back), None) => self.enter(ReviewMode::AskCancel),
            (Some(ScreenAction::Audit), _) => self.focus_on(ReviewFocus::Part(0)),
            (Some(ScreenAction::Open), _) => self.choose_first_stop(),
            (Some(action), Some(stored)) => {
                let standing = stored.1;
                self.stored_command(action, standing)
            }
            (Some(action), None) => self.command(action),
            (None, _) => Reaction::Ignored,
        }
    }

    fn command(&mut self, action: ScreenAction) -> Reaction {
        match action {
            ScreenAction::Accept => Reaction::Close(vec![Effect::Send(Op::Context(
                ContextOp::Review(ReviewDecision::Accept),
            ))]),
            ScreenAction::Cancel => cancel(),
            ScreenAction::Strike if self.has_unsaid() => {
                self.wait("striking what was never said", ReviewDecision::Strike)
            }
            ScreenAction::Edit => {
                self.enter(ReviewMode::Edit(TextArea::new(&self.proposal.summary)))
            }
            ScreenAction::Editor => Reaction::Act(vec![Effect::Edit {
                text: self.proposal.summary.clone(),
                purpose: EditPurpose::Review,
            }]),
            ScreenAction::Instructions => {
                let old = self
                    .proposal
                    .writing
                    .instructions
                    .clone()
                    .unwrap_or_default();
                self.enter(ReviewMode::Instructions(TextField::new(&old)))
            }
            ScreenAction::Retry => {
                self.wait("asked again", ReviewDecision::Retry { instructions: None })
            }
            ScreenAction::Sources => self.show(ReviewPane::Sources),
            ScreenAction::Extractive => self.show(ReviewPane::Extractive),
            ScreenAction::Layout => {
                self.flips_layout = !self.flips_layout;
                Reaction::Consumed
            }
            ScreenAction::Fold => {
                self.unfolded = !self.unfolded;
                self.rebuild();
                Reaction::Consumed
            }
            _ => Reaction::Ignored,
        }
    }

    fn on_mode_key(&mut self, key: KeyEvent, action: Option<ScreenAction>) -> Reaction {
        match &mut self.mode {
            ReviewMode::Read => self.on_read_key(key, action),
            ReviewMode::AskCancel if action == Some(ScreenAction::Confirm) => cancel(),
            ReviewMode::AskCancel => self.enter(ReviewMode::Read),
            ReviewMode::AskDiscard(_) if action == Some(ScreenAction::Confirm) => {
                self.enter(ReviewMode::Read)
            }
            ReviewMode::AskDiscard(editor) => {
                let editor = std::mem::take(editor);
                self.enter(ReviewMode::Edit(editor))
            }
            ReviewMode::Instructions(field) => match action {
                Some(ScreenAction::Back) => self.enter(ReviewMode::Read),
                Some(ScreenAction::Open) => {
                    let text = field.text().trim().to_owned();
                    let instructions = Some(text);
                    self.proposal.writing.instructions.clone_from(&instructions);
                    self.wait("asked again", ReviewDecision::Retry { instructions })
                }
                _ => {
                    field.on_key(key);
                    Reaction::Consumed
                }
            },
            ReviewMode::Edit(editor) => match action {
                Some(ScreenAction::Back) if !editor.is_changed() => self.enter(ReviewMode::Read),
                // What was typed is not lost to one key.
                Some(ScreenAction::Back) => {
                    let editor = std::mem::take(editor);
                    self.enter(ReviewMode::AskDiscard(editor))
                }
                Some(ScreenAction::Save) => {
                    let text = editor.text();
                    self.edited(text)
                }
                _ => {
                    editor.on_key(key);
                    Reaction::Consumed
                }
            },
            ReviewMode::Waiting { .. } if action == Some(ScreenAction::Stop) => self.stop_retry(),
            ReviewMode::Waiting { stream, .. } => {
                hints::scrolls_text(stream, action, key);
                Reaction::Consumed
            }
            ReviewMode::Ended(_) => Reaction::Close(Vec::new()),
        }
    }
}

fn cancel() -> Reaction {
    Reaction::Close(vec![Effect::Send(Op::Context(ContextOp::Review(
        ReviewDecision::Cancel,
    )))])
}

impl Question for Review {
    fn has_keyboard(&self) -> bool {
        self.has_keyboard
    }

    fn give_keyboard(&mut self, has: bool) {
        self.has_keyboard = has;
        if matches!(self.mode, ReviewMode::AskCancel) {
            self.mode = ReviewMode::Read;
        }
    }

    fn is_read_first(&self) -> bool {
        !matches!(self.mode, ReviewMode::Ended(_))
    }

    /// Nothing here is accepted before the keyboard was moved in.
    fn on_question_key(&mut self, key: QuestionKey, _scene: &OverlayScene<'_>) -> Reaction {
        match (key, &self.mode) {
            (QuestionKey::PageUp, _) => self.sheet.motion(ScrollMotion::PageUp),
            (QuestionKey::PageDown, _) => self.sheet.motion(ScrollMotion::PageDown),
            (QuestionKey::Refuse | QuestionKey::Choose, ReviewMode::Ended(_)) => {
                return Reaction::Close(Vec::new());
            }
            (QuestionKey::Refuse, ReviewMode::AskCancel) => return cancel(),
            (QuestionKey::Refuse, ReviewMode::Waiting { .. }) => return self.stop_retry(),
            (QuestionKey::Refuse, _) => self.mode = ReviewMode::AskCancel,
            (
                QuestionKey::Up | QuestionKey::Down | QuestionKey::Choose | QuestionKey::Switch,
                _,
            ) => return Reaction::Ignored,
        }
        Reaction::Consumed
    }

    fn on_edited(&mut self, text: String, _scene: &OverlayScene<'_>) -> Reaction {
        self.edited(text)
    }
}

impl Overlay for Review {
    fn name(&self) -> &'static str {
        if self.stored.is_some() {
            "stored review"
        } else {
            NAME
        }
    }

    fn question(&self) -> Option<&dyn Question> {
        self.stored.is_none().then_some(self)
    }

    fn question_mut(&mut self) -> Option<&mut dyn Question> {
        self.stored.is_none().then_some(self)
    }

    fn is_full_screen(&self) -> bool {
        self.has_keyboard
    }

    fn hides_transcript(&self) -> bool {
        true
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = draw::ReviewAreas::of(self, area, scene).body;
        let sides = self.text_sides(area.width);
        if self.sides != sides {
            self.sides = sides;
            self.rebuild();
        }
        if let Some(stop) = self.chosen_stop().and_then(|at| self.stops.get(at)) {
            self.sheet.reveal(stop.row);
        }
        self.sheet.layout(body, sides);
        match &mut self.mode {
            ReviewMode::Edit(editor) | ReviewMode::AskDiscard(editor) => editor.layout(body),
            ReviewMode::Waiting { stream, .. } => stream.layout(body, TextSides::Unified),
            _ => {}
        }
    }

    fn screen(&self) -> Option<Screen> {
        let is_read = matches!(self.mode, ReviewMode::Read);
        Some(if is_read && self.sheet.is_searching() {
            Screen::Find
        } else {
            self.own_screen()
        })
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(self.own_screen(), key);
        self.on_mode_key(key, action)
    }

    /// The wheel only ever scrolls: it answers nothing and closes nothing.
    fn on_wheel(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(self.own_screen(), key);
        let motion = match action {
            Some(ScreenAction::Scroll(motion)) => Some(motion),
            _ => ScrollMotion::from_special(key),
        };
        match (&mut self.mode, motion) {
            (ReviewMode::Waiting { stream, .. }, Some(motion)) => stream.motion(motion),
            (ReviewMode::Edit(editor), _) => drop(editor.on_key(key)),
            (_, Some(motion)) => self.sheet.motion(motion),
            (_, None) => {}
        }
        Reaction::Consumed
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        match &mut self.mode {
            ReviewMode::Instructions(field) => field.insert(text),
            ReviewMode::Edit(editor) | ReviewMode::AskDiscard(editor) => editor.insert(text),
            _ => {
                self.sheet.on_paste(text);
            }
        }
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        if self.stored.is_some() {
            return stored::on_event(event);
        }
        let AgentEvent::Compaction(event) = event else {
            return Reaction::Ignored;
        };
        match event {
            CompactionEvent::Review(proposal) => {
                // A failed try: this is the summary from before it.
                let remark = match &self.mode {
                    ReviewMode::Ended(why) => Some(format!("no new summary: {why}")),
                    _ => None,
                };
                // How it is looked at was chosen for the whole review, and so was who has
                // the keyboard.
                *self = Self {
                    remark,
                    unfolded: self.unfolded,
                    flips_layout: self.flips_layout,
                    has_keyboard: self.has_keyboard,
                    ..Self::new(proposal.clone())
                };
                self.rebuild();
            }
            CompactionEvent::Sources(sources) => {
                self.proposal.sources = Some(sources.clone());
                if self.chosen_stop().is_some() {
                    self.focus = ReviewFocus::Text;
                }
                self.rebuild();
            }
            CompactionEvent::Progress { stage: now } => {
                if let ReviewMode::Waiting { stage, stream, .. } = &mut self.mode {
                    // What is written in another stage is another text.
                    if stage != now {
                        *stream = ScrollText::default();
                    }
                    stage.clone_from(now);
                }
            }
            CompactionEvent::Delta(text) => {
                if let ReviewMode::Waiting { stream, .. } = &mut self.mode {
                    stream.append(text);
                }
            }
            CompactionEvent::Applied { .. } => {
                return Reaction::Close(Vec::new());
            }
            CompactionEvent::Failed { message, .. } => {
                self.mode = ReviewMode::Ended(message.clone());
            }
            CompactionEvent::Cancelled { reason } => {
                self.mode = ReviewMode::Ended(reason.clone());
            }
            CompactionEvent::Started { .. }
            | CompactionEvent::Audited(_)
            | CompactionEvent::Planned(_)
            | CompactionEvent::Undone { .. } => return Reaction::Ignored,
        }
        Reaction::Consumed
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        draw::review(self, area, buffer, scene)
    }
}

#[cfg(test)]
pub(in crate::tui) mod tests;
