//! The models that could answer: what each can do, how large it is, what it costs and
//! whether it can be used now.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::{Picker, PickerChoice};
use crate::agent::{AgentEvent, ModelChoice, Op, QueryReply, SessionEvent, SettingOp};
use crate::transcript::ModelRef;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::overlay::{Overlay, OverlayScene, Reaction};
use crate::tui::theme::Theme;

/// A model, and whether it answers now.
struct ModelRow {
    choice: ModelChoice,
    is_current: bool,
}

impl ModelRow {
    fn state(&self) -> String {
        match &self.choice.missing {
            _ if self.is_current => "● current".to_owned(),
            None => format!("● {}", self.choice.state),
            Some(_) => format!("× {}", self.choice.state),
        }
    }
}

impl PickerChoice for ModelRow {
    const LABEL_GIVES_WAY: bool = true;

    fn label(&self) -> String {
        self.choice.model.label()
    }

    fn headings() -> &'static [&'static str] {
        &["cache", "$ in/out", "answer", "can", "window", "state"]
    }

    fn remarks(&self, _scene: &OverlayScene<'_>) -> Vec<String> {
        let it = &self.choice;
        let window = it.window_tokens.map_or("?".to_owned(), numbers::tokens);
        let price = it.price.map_or("?".to_owned(), |price| {
            format!("{}/{}", price.input, price.output)
        });
        vec![
            it.cache.name().to_owned(),
            price,
            numbers::tokens(it.max_output_tokens),
            it.abilities.marks(),
            window,
            self.state(),
        ]
    }

    fn detail(&self) -> Option<String> {
        let it = &self.choice;
        let mut parts = vec![it.model.to_string()];
        parts.extend(it.missing.as_ref().map(|missing| format!("× {missing}")));
        parts.extend(it.record.end());
        parts.push(it.abilities.words());
        parts.push(it.window_tokens.map_or_else(
            || "window unknown".to_owned(),
            |tokens| format!("window {} ({})", numbers::grouped(tokens), it.window_source),
        ));
        parts.push(format!(
            "answers to {}",
            numbers::tokens(it.max_output_tokens)
        ));
        parts.push(format!("cache {}", it.cache.name()));
        parts.extend(it.price.map(|price| {
            format!(
                "per million ${} in, ${} out, ${} cached",
                price.input, price.output, price.cache_read
            )
        }));
        Some(parts.join(" · "))
    }

    fn style(&self, theme: &Theme) -> Style {
        if self.choice.missing.is_some() {
            theme.dim
        } else {
            theme.text
        }
    }
}

/// Picks the model that answers from now on.
pub struct Models {
    picker: Picker<ModelRow>,
    current: ModelRef,
}

impl Models {
    /// The name of the screen.
    pub const NAME: &'static str = "models";

    /// A picker of these, with the one that answers now selected.
    pub fn new(choices: Vec<ModelChoice>, current: ModelRef) -> Self {
        let at = choices.iter().position(|it| it.model == current);
        let mut picker = Picker::new(rows(choices, &current));
        let count = picker.found.len();
        picker.cursor.select(at.unwrap_or(0), count);
        Self { picker, current }
    }
}

fn rows(choices: Vec<ModelChoice>, current: &ModelRef) -> Vec<ModelRow> {
    let row = |choice: ModelChoice| ModelRow {
        is_current: choice.model == *current,
        choice,
    };
    choices.into_iter().map(row).collect()
}

impl Overlay for Models {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Models)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Models, key);
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Open) => self.picker.selected().map_or(Reaction::Consumed, |row| {
                Reaction::Close(vec![Effect::Send(Op::Setting(SettingOp::Model(
                    row.choice.model.clone(),
                )))])
            }),
            _ => Reaction::taken(self.picker.on_key(key, action)),
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        self.picker.paste(text);
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        let (AgentEvent::Reply {
            reply: QueryReply::Models(choices),
            ..
        }
        | AgentEvent::Session(SessionEvent::ModelsListed(choices))) = event
        else {
            return Reaction::Ignored;
        };
        self.picker.replace(rows(choices.clone(), &self.current));
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        self.picker.layout(area, Screen::Models, scene);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        self.picker
            .draw(Self::NAME, Screen::Models, area, buffer, scene)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::ModelAbilities;
    use crate::transcript::PromptCache;
    use crate::tui::overlay::fixture::{self, OverlayStage};

    fn models() -> Models {
        let choice = |model: &str, missing: Option<&str>| ModelChoice {
            state: missing.map_or("ready", |_| "not set up"),
            missing: missing.map(str::to_owned),
            ..ModelChoice::ready(model)
        };
        let local = ModelChoice {
            model: ModelRef::new("ollama", "qwen3:8b"),
            window_tokens: None,
            window_source: "assumed",
            record: crate::agent::ChoiceRecord::default(),
            max_output_tokens: 8_192,
            abilities: ModelAbilities::default(),
            cache: PromptCache::Prefix,
            price: None,
            state: "no answer",
            missing: Some("Ollama does not answer at http://127.0.0.1:11434/v1".to_owned()),
        };
        let missing = "set ANTHROPIC_API_KEY to a key of Anthropic, or store one with /login";
        let choices = vec![
            choice("claude-sonnet", None),
            choice("claude-haiku", None),
            choice("漢字-👩‍🚀\u{1b}[2J", Some(missing)),
            local,
        ];
        Models::new(choices, ModelRef::new("anthropic", "claude-haiku"))
    }

    #[test]
    fn pickers_at_their_sizes() {
        let stage = OverlayStage::empty();
        fixture::assert_looks!("models", stage, &mut models());
    }

    #[test]
    fn a_few_letters_find_a_model() {
        let stage = OverlayStage::empty();
        let effects = stage.press(&mut models(), "h a i k u Enter");
        let haiku = ModelRef::new("anthropic", "claude-haiku");
        assert_eq!(
            effects,
            [Effect::Send(Op::Setting(SettingOp::Model(haiku)))]
        );
        assert_eq!(stage.press(&mut models(), "z z z Enter"), []);
    }
}
