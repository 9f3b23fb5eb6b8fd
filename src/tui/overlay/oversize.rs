//! Asks what becomes of a message that is larger than the window. A panel at the bottom, so
//! that the message stays readable.
//!
//! Invariant: what cannot be done has no row and no key; Esc gives the text back.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::keys::Motion;
use super::{Overlay, Reaction, Scene, keys, paint};
use crate::agent::{AgentEvent, Op, OversizeChoice, OversizeOffer};
use crate::tui::effect::Effect;
use crate::tui::numbers;
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;

/// Columns of a model's name.
const MODEL_COLUMNS: usize = 40;

/// The offer.
pub struct Oversize {
    offer: Box<OversizeOffer>,
    selected: usize,
}

impl Oversize {
    /// Shows this offer, its first choice selected.
    pub fn new(offer: Box<OversizeOffer>) -> Self {
        Self { offer, selected: 0 }
    }

    /// What can be done, in words.
    fn choices(&self) -> Vec<(OversizeChoice, String)> {
        let offer = &self.offer;
        let mut choices = Vec::new();
        if let Some(tokens) = offer.file_tokens {
            let text = format!(
                "send beginning and end (~{}), all of it in a file that can be read in pages",
                numbers::tokens(tokens)
            );
            choices.push((OversizeChoice::File, text));
        }
        if let Some(tokens) = offer.trim_tokens {
            let text = format!(
                "trim it to ~{} of beginning and end; the rest is not sent",
                numbers::tokens(tokens)
            );
            choices.push((OversizeChoice::Trim, text));
        }
        if let Some((model, window)) = &offer.larger {
            let model = safe::one_line(&model.to_string(), MODEL_COLUMNS);
            let window = numbers::tokens(*window);
            let text = format!("send it whole to {model}, whose window has {window}");
            choices.push((OversizeChoice::Larger, text));
        }
        let text = "do not send it; the text comes back".to_owned();
        choices.push((OversizeChoice::Cancel, text));
        choices
    }

    fn answer(&self, choice: OversizeChoice) -> Reaction {
        Reaction::Close(vec![Effect::Send(Op::FitMessage {
            id: self.offer.id,
            choice,
        })])
    }

    fn answer_at(&self, at: usize) -> Reaction {
        match self.choices().get(at) {
            Some((choice, _)) => self.answer(*choice),
            None => Reaction::Consumed,
        }
    }

    fn lines(&self, width: u16, theme: &Theme) -> Vec<Line<'static>> {
        let offer = &self.offer;
        let facts = format!(
            "With system prompt and tools it takes ~{} tokens; {} leaves {}.",
            numbers::grouped(offer.needed_tokens),
            safe::one_line(&offer.model.to_string(), MODEL_COLUMNS),
            numbers::grouped(offer.usable_tokens),
        );
        let mut lines = wrap::wrap(&Line::styled(facts, theme.text), width);
        for (at, (_, text)) in self.choices().into_iter().enumerate() {
            let style = if at == self.selected {
                theme.text.patch(theme.selection)
            } else {
                theme.text
            };
            let line = Line::from(vec![
                Span::styled(format!("{} ", at + 1), theme.accent),
                Span::styled(text, style),
            ]);
            lines.extend(wrap::wrap_indent(&line, width, 2));
        }
        lines
    }

    fn move_by(&mut self, motion: Motion) {
        let last = self.choices().len() - 1;
        self.selected = match motion {
            Motion::Up => self.selected.saturating_sub(1),
            Motion::Down => (self.selected + 1).min(last),
            Motion::PageUp | Motion::HalfUp | Motion::First => 0,
            Motion::PageDown | Motion::HalfDown | Motion::Last => last,
        };
    }
}

fn inner_width(area: Rect) -> u16 {
    area.width.saturating_sub(2).max(1)
}

/// Rows of the panel: a rule, the lines, a blank row, the keys.
fn height(area: Rect, lines: usize) -> u16 {
    let wanted = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(3);
    wanted.min(area.height)
}

impl Overlay for Oversize {
    fn name(&self) -> &'static str {
        "oversize"
    }

    fn comes_by_itself(&self) -> bool {
        true
    }

    fn is_full_screen(&self) -> bool {
        false
    }

    fn rows(&self, area: Rect, scene: &Scene<'_>) -> u16 {
        height(area, self.lines(inner_width(area), scene.theme).len())
    }

    fn on_key(&mut self, key: KeyEvent, _scene: &Scene<'_>) -> Reaction {
        if let Some(motion) = Motion::from_key(key) {
            self.move_by(motion);
            return Reaction::Consumed;
        }
        match (key.code, keys::typed(key)) {
            (KeyCode::Enter, _) => self.answer_at(self.selected),
            (KeyCode::Esc, _) => self.answer(OversizeChoice::Cancel),
            (_, Some(digit @ '1'..='9')) => {
                self.answer_at((digit as usize).saturating_sub('1' as usize))
            }
            // Typing must not slip through to the composer while a question is open.
            (_, Some(_)) => Reaction::Consumed,
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, _text: &str, _scene: &Scene<'_>) -> Reaction {
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &Scene<'_>) -> Reaction {
        match event {
            AgentEvent::OversizeClosed { id } if *id == self.offer.id => {
                Reaction::Close(Vec::new())
            }
            _ => Reaction::Ignored,
        }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &Scene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let lines = self.lines(inner_width(area), theme);
        let height = height(area, lines.len());
        let top = area.y.saturating_add(area.height - height);
        let panel = Rect::new(area.x, top, area.width, height);
        paint::clear(buffer, panel, theme.text);
        paint::rule(buffer, panel, 0, theme);
        let title = " the message is larger than the window ";
        paint::text(buffer, panel, (1, 0), panel.width, title, theme.warning);
        let room = usize::from(height.saturating_sub(2));
        for (row, line) in lines.iter().take(room).enumerate() {
            paint::line(buffer, panel, (1, row as u16 + 1), line);
        }
        let keys = format!("1-{} ⏎", self.choices().len());
        let hints = [(keys.as_str(), "choose"), ("j k", "move"), ("esc", "back")];
        paint::hints(buffer, panel, height.saturating_sub(1), &hints, theme);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{self, Stage};
    use super::*;
    use crate::transcript::ModelRef;

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
        let stage = Stage::empty();
        fixture::assert_looks!("offer", stage, &Oversize::new(offer()));
    }

    #[test]
    fn each_key_has_one_meaning_and_what_cannot_be_done_has_none() {
        let stage = Stage::empty();
        let bare = || {
            Box::new(OversizeOffer {
                file_tokens: None,
                trim_tokens: None,
                larger: None,
                ..*offer()
            })
        };
        let cases = [
            (offer(), "1", OversizeChoice::File),
            (offer(), "Enter", OversizeChoice::File),
            (offer(), "2", OversizeChoice::Trim),
            (offer(), "j Enter", OversizeChoice::Trim),
            (offer(), "3", OversizeChoice::Larger),
            (offer(), "4", OversizeChoice::Cancel),
            (offer(), "x 9 j j j j k Enter", OversizeChoice::Larger),
            (offer(), "Esc", OversizeChoice::Cancel),
            (bare(), "2 1", OversizeChoice::Cancel),
        ];
        for (offer, script, choice) in cases {
            let sent = stage.press(&mut Oversize::new(offer), script);
            let expected = [Effect::Send(Op::FitMessage { id: 7, choice })];
            assert_eq!(sent, expected, "{script}");
        }
    }

    #[test]
    fn it_closes_when_the_answer_is_no_longer_wanted() {
        let stage = Stage::empty();
        let mut oversize = Oversize::new(offer());
        let close = |id| AgentEvent::OversizeClosed { id };
        let other = stage.report(&mut oversize, &close(6));
        assert!(matches!(other, Reaction::Ignored));
        let own = stage.report(&mut oversize, &close(7));
        assert!(matches!(own, Reaction::Close(_)));
    }
}
