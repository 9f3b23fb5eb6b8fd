//! Asks what becomes of a message that is larger than the window. A panel at the bottom, so
//! that the message stays readable.
//!
//! Invariant: what cannot be done has no row, nothing that is typed chooses one, and the key
//! that refuses gives the text back.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::super::{Overlay, OverlayScene, Reaction};
use crate::agent::{AgentEvent, Op, OversizeChoice, OversizeOffer, TurnEvent, TurnOp};
use crate::tui::effect::Effect;
use crate::tui::numbers;
use crate::tui::overlay::question::{
    self, PanelLayout, Question, QuestionChoice, QuestionKey, QuestionWords,
};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::paint;

/// Columns of a model's name.
const MODEL_COLUMNS: usize = 40;

/// The offer.
pub struct Oversize {
    offer: Box<OversizeOffer>,
    has_keyboard: bool,
    selected: usize,
    /// The facts of the message, at the width of the newest layout.
    facts: Vec<Line<'static>>,
}

impl Oversize {
    /// Shows this offer, its first choice selected.
    pub fn new(offer: Box<OversizeOffer>) -> Self {
        Self {
            offer,
            has_keyboard: false,
            selected: 0,
            facts: Vec::new(),
        }
    }

    fn choices(&self) -> Vec<(OversizeChoice, QuestionChoice, &'static str)> {
        choices(&self.offer)
    }

    fn answer(&self, choice: OversizeChoice) -> Reaction {
        Reaction::Close(vec![Effect::Send(Op::Turn(TurnOp::FitMessage {
            id: self.offer.id,
            choice,
        }))])
    }

    fn choose(&self) -> Reaction {
        match self.choices().get(self.selected) {
            Some((choice, ..)) => self.answer(*choice),
            None => Reaction::Consumed,
        }
    }

    fn fact_lines(&self, width: u16, theme: &Theme) -> Vec<Line<'static>> {
        let offer = &self.offer;
        let facts = format!(
            "With system prompt and tools: ~{} tokens. {} has room for {}.",
            numbers::grouped(offer.needed_tokens),
            safe::one_line(&offer.model.to_string(), MODEL_COLUMNS),
            numbers::grouped(offer.usable_tokens),
        );
        wrap::wrap(&Line::styled(facts, theme.text), width)
    }

    fn panel(&self, area: Rect) -> PanelLayout {
        PanelLayout::of(area, self.facts.len(), self.choices().len())
    }
}

/// The choices for a message, in words, each with its hint.
pub fn choices(offer: &OversizeOffer) -> Vec<(OversizeChoice, QuestionChoice, &'static str)> {
    let mut choices = Vec::new();
    if let Some(tokens) = offer.file_tokens {
        let tokens = numbers::tokens(tokens);
        let choice = QuestionChoice {
            words: format!("send the start and the end (~{tokens}) and a file with all of it"),
            short: format!("send ~{tokens} of it, all in a file"),
        };
        choices.push((OversizeChoice::File, choice, "send it with a file"));
    }
    if let Some(tokens) = offer.trim_tokens {
        let tokens = numbers::tokens(tokens);
        let choice = QuestionChoice {
            words: format!("trim it to ~{tokens} of start and end; drop the rest"),
            short: format!("trim it to ~{tokens}, drop the rest"),
        };
        choices.push((OversizeChoice::Trim, choice, "send it trimmed"));
    }
    if let Some((model, window)) = &offer.larger {
        let model = safe::one_line(&model.to_string(), MODEL_COLUMNS);
        let window = numbers::tokens(*window);
        let choice = QuestionChoice {
            words: format!("send it whole to {model} (window {window})"),
            short: format!("whole to {model} ({window})"),
        };
        choices.push((OversizeChoice::Larger, choice, "send it whole"));
    }
    let choice = QuestionChoice {
        words: "do not send it; move it back to the input".to_owned(),
        short: "do not send it".to_owned(),
    };
    choices.push((OversizeChoice::Cancel, choice, "do not send it"));
    choices
}

fn inner_width(area: Rect) -> u16 {
    area.width.saturating_sub(2).max(1)
}

impl Question for Oversize {
    fn has_keyboard(&self) -> bool {
        self.has_keyboard
    }

    fn give_keyboard(&mut self, has: bool) {
        self.has_keyboard = has;
        if !has {
            self.selected = 0;
        }
    }

    fn takes_text(&self) -> bool {
        false
    }

    fn on_question_key(&mut self, key: QuestionKey, _scene: &OverlayScene<'_>) -> Reaction {
        let last = self.choices().len().saturating_sub(1);
        match key {
            QuestionKey::Up => self.selected = self.selected.saturating_sub(1),
            QuestionKey::Down => self.selected = (self.selected + 1).min(last),
            QuestionKey::Choose => return self.choose(),
            QuestionKey::Refuse => return self.answer(OversizeChoice::Cancel),
            QuestionKey::Switch | QuestionKey::PageUp | QuestionKey::PageDown => {
                return Reaction::Ignored;
            }
        }
        Reaction::Consumed
    }
}

impl Overlay for Oversize {
    fn name(&self) -> &'static str {
        "oversize"
    }

    fn is_full_screen(&self) -> bool {
        false
    }

    fn question(&self) -> Option<&dyn Question> {
        Some(self)
    }

    fn question_mut(&mut self) -> Option<&mut dyn Question> {
        Some(self)
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        self.facts = self.fact_lines(inner_width(area), scene.theme);
    }

    fn rows(&self, area: Rect) -> u16 {
        self.panel(area).panel.height
    }

    fn on_key(&mut self, _key: KeyEvent, _scene: &OverlayScene<'_>) -> Reaction {
        Reaction::Ignored
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        if let AgentEvent::Turn(TurnEvent::OversizeClosed { id }) = event
            && *id == self.offer.id
        {
            return Reaction::Close(Vec::new());
        }
        Reaction::Ignored
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let layout = self.panel(area);
        let panel = layout.panel;
        paint::clear(buffer, panel, theme.text);
        paint::rule(buffer, panel, 0, theme);
        let title = " the message is larger than the window ";
        paint::text(buffer, panel, (1, 0), panel.width, title, theme.warning);
        for (row, line) in (0..layout.body.height).zip(&self.facts) {
            paint::line(buffer, layout.body, (1, row), line);
        }
        let (choices, hint): (Vec<QuestionChoice>, Vec<&str>) = self
            .choices()
            .into_iter()
            .map(|(_, choice, hint)| (choice, hint))
            .unzip();
        let place = paint::margin(layout.choices);
        question::draw_choices(place, buffer, &choices, self.selected, scene);
        let choose = hint.get(self.selected).copied().unwrap_or_default();
        let words = QuestionWords {
            choose,
            refuse: "do not send it",
            has_rows: true,
        };
        let hints = question::hints(scene, &words);
        question::draw_hints(panel, buffer, &hints, scene);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::ModelRef;
    use crate::tui::overlay::fixture::{self, OverlayStage};

    fn offer() -> Box<OversizeOffer> {
        Box::new(OversizeOffer {
            id: 7,
            needed_tokens: 212_345,
            usable_tokens: 180_000,
            model: ModelRef::new("anthropic", "claude-sonnet-4-5"),
            file_tokens: Some(41_000),
            trim_tokens: Some(123_000),
            larger: Some((ModelRef::new("openai", "gpt-4.1\u{1b}[2J"), 1_047_576)),
        })
    }

    #[test]
    fn the_offer_at_its_sizes() {
        let stage = OverlayStage::empty();
        fixture::assert_looks!("offer", stage, &mut Oversize::new(offer()));
    }

    #[test]
    fn each_row_has_one_meaning_and_what_cannot_be_done_has_none() {
        let stage = OverlayStage::empty();
        let bare = || {
            Box::new(OversizeOffer {
                file_tokens: None,
                trim_tokens: None,
                larger: None,
                ..*offer()
            })
        };
        let cases = [
            (offer(), "Enter", OversizeChoice::File),
            (offer(), "Down Enter", OversizeChoice::Trim),
            (offer(), "Down Down Enter", OversizeChoice::Larger),
            (offer(), "Down Down Down Down Enter", OversizeChoice::Cancel),
            (offer(), "Down Down Down Up Enter", OversizeChoice::Larger),
            (offer(), "Esc", OversizeChoice::Cancel),
            (bare(), "Down Enter", OversizeChoice::Cancel),
        ];
        for (offer, script, choice) in cases {
            let sent = stage.answer(&mut Oversize::new(offer), script);
            let expected = [Effect::Send(Op::Turn(TurnOp::FitMessage { id: 7, choice }))];
            assert_eq!(sent, expected, "{script}");
        }
        let mut oversize = Oversize::new(offer());
        assert_eq!(stage.answer(&mut oversize, "1 2 3 4 j k y"), []);
    }

    #[test]
    fn every_row_is_in_sight_on_a_small_screen() {
        let stage = OverlayStage::empty();
        let screen = stage.draw(&mut Oversize::new(offer()), 40, 8);
        for words in ["in a file", "trim it", "whole to", "do not send"] {
            assert!(screen.contains(words), "{words}:\n{screen}");
        }
    }

    #[test]
    fn it_closes_when_the_answer_is_no_longer_wanted() {
        let stage = OverlayStage::empty();
        let mut oversize = Oversize::new(offer());
        let close = |id| AgentEvent::Turn(TurnEvent::OversizeClosed { id });
        let other = stage.report(&mut oversize, &close(6));
        assert!(matches!(other, Reaction::Ignored));
        let own = stage.report(&mut oversize, &close(7));
        assert!(matches!(own, Reaction::Close(_)));
    }
}
