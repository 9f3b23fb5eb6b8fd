//! Which provider has a key, and from where; a key is typed or pasted into a field that
//! shows none of it.
//!
//! Invariant: the key leaves only in the op that stores it.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use secrecy::zeroize::Zeroizing;

use super::super::hints::ScreenHints;
use super::super::{Overlay, OverlayScene, Reaction};
use super::picker::{Picker, PickerChoice};
use crate::agent::{AgentEvent, EnteredKey, LoginChoice, Op, Query, QueryReply, SettingOp};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::render::safe;
use crate::tui::theme::Theme;
use crate::tui::widget::{keys, paint};

/// Longer than any key; a file that was pasted by mistake is none.
const MAX_KEY_BYTES: usize = 8 * 1024;
/// Columns of a provider's name in a title.
const NAME_COLUMNS: usize = 40;

/// The list, and the field on top of it.
pub struct Login {
    picker: Picker<LoginChoice>,
    entering: Option<KeyEntry>,
}

struct KeyEntry {
    provider: String,
    key: Zeroizing<String>,
    refused: Option<String>,
}

impl KeyEntry {
    fn new(provider: &str) -> Self {
        Self {
            provider: provider.to_owned(),
            key: Zeroizing::new(String::with_capacity(MAX_KEY_BYTES)),
            refused: None,
        }
    }

    fn add(&mut self, text: &str) {
        if self.key.len() + text.len() > MAX_KEY_BYTES {
            self.refused = Some("too long for a key".to_owned());
        } else {
            self.key.push_str(text);
            self.refused = None;
        }
    }
}

impl PickerChoice for LoginChoice {
    fn label(&self) -> String {
        self.provider.clone()
    }

    fn remarks(&self, _scene: &OverlayScene<'_>) -> Vec<String> {
        let key = self.key.as_ref().map_or_else(
            || {
                if self.is_local {
                    "needs no key"
                } else {
                    "no key"
                }
                .to_owned()
            },
            |origin| format!("● key from {origin}"),
        );
        vec![self.base_url.clone(), key]
    }

    fn style(&self, theme: &Theme) -> Style {
        theme.text
    }
}

impl Login {
    /// The name of the screen.
    pub const NAME: &'static str = "login";

    /// Shows these; asks for the key at once of a provider that is sought by its whole name.
    pub fn new(choices: Vec<LoginChoice>, sought: &str) -> Self {
        let known = choices.iter().any(|choice| choice.provider == sought);
        Self {
            entering: known.then(|| KeyEntry::new(sought)),
            picker: Picker::new(choices),
        }
    }

    fn on_list_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Login, key);
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Open) => {
                let chosen = self.picker.selected();
                self.entering = chosen.map(|choice| KeyEntry::new(&choice.provider));
                Reaction::Consumed
            }
            Some(ScreenAction::Delete) => match self.picker.selected() {
                Some(choice) if choice.is_stored => {
                    let logout = Op::Setting(SettingOp::Logout(choice.provider.clone()));
                    Reaction::Act(vec![
                        Effect::Send(logout),
                        Effect::Send(Op::query(Query::Logins)),
                    ])
                }
                _ => Reaction::Consumed,
            },
            _ if self.picker.on_key(key, action) => Reaction::Consumed,
            _ => Reaction::Ignored,
        }
    }

    fn finish(&mut self) -> Reaction {
        let Some(entering) = &mut self.entering else {
            return Reaction::Consumed;
        };
        match EnteredKey::new(&entering.key) {
            Ok(key) => {
                let provider = entering.provider.clone();
                Reaction::Close(vec![Effect::Send(Op::Setting(SettingOp::Login {
                    provider,
                    key,
                }))])
            }
            Err(error) => {
                entering.refused = Some(error.message);
                Reaction::Consumed
            }
        }
    }
}

impl Overlay for Login {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn screen(&self) -> Option<Screen> {
        Some(if self.entering.is_some() {
            Screen::KeyEntry
        } else {
            Screen::Login
        })
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let Some(entering) = &mut self.entering else {
            return self.on_list_key(key, scene);
        };
        match scene.keymap.screen_action(Screen::KeyEntry, key) {
            Some(ScreenAction::Back) => self.entering = None,
            Some(ScreenAction::Open) => return self.finish(),
            Some(ScreenAction::Clear) => entering.key.clear(),
            _ if key.code == KeyCode::Backspace => {
                entering.key.pop();
            }
            _ if keys::ctrl(key) == Some('c') => return Reaction::Ignored,
            _ => {
                if let Some(c) = keys::typed(key) {
                    entering.add(c.encode_utf8(&mut [0; 4]));
                }
            }
        }
        Reaction::Consumed
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        match &mut self.entering {
            Some(entering) => entering.add(text),
            None => self.picker.paste(text),
        }
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        let AgentEvent::Reply {
            reply: QueryReply::Logins(choices),
            ..
        } = event
        else {
            return Reaction::Ignored;
        };
        self.picker.replace(choices.clone());
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        self.picker.layout(area, Screen::Login, scene);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let Some(entering) = &self.entering else {
            return self
                .picker
                .draw("login", Screen::Login, area, buffer, scene);
        };
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        let provider = safe::one_line(&entering.provider, NAME_COLUMNS);
        paint::title(buffer, area, "login", &provider, theme);
        let room = usize::from(area.width).saturating_sub(2);
        let words = "Paste the key. It is never shown, and only you can read the file.";
        let words = safe::one_line(words, room);
        paint::text(buffer, area, (1, 2), area.width, &words, theme.text);
        let count = entering.key.chars().count();
        let dots = "•".repeat(count.min(room.saturating_sub(3)));
        let used = 1 + paint::text(buffer, area, (1, 4), area.width, "› ", theme.accent);
        let end = used + paint::text(buffer, area, (used, 4), area.width, &dots, theme.text);
        let (text, style) = match &entering.refused {
            Some(refused) => (refused.clone(), theme.error),
            None => (numbers::plural(count as u64, "character"), theme.dim),
        };
        let text = safe::one_line(&text, room);
        paint::text(buffer, area, (1, 6), area.width, &text, style);
        ScreenHints::of(Screen::KeyEntry, scene).draw(area, buffer);
        paint::position(buffer, area, (end, 4))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::overlay::fixture::{self, OverlayStage};

    const KEY: &str = "sk-super-secret-0123";

    fn choice(provider: &str, key: Option<&str>) -> LoginChoice {
        LoginChoice {
            provider: provider.to_owned(),
            base_url: format!("https://api.{provider}.example/v1"),
            key: key.map(str::to_owned),
            is_local: provider == "ollama",
            is_stored: key == Some("credentials.toml"),
        }
    }

    fn choices() -> Vec<LoginChoice> {
        vec![
            choice("anthropic", Some("ANTHROPIC_API_KEY")),
            choice("openai", None),
            choice("groq", Some("credentials.toml")),
            choice("ollama", None),
        ]
    }

    #[test]
    fn login_looks_like_this() {
        let stage = OverlayStage::empty();
        let mut it = Login::new(choices(), "");
        for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
            let name = format!("login_{columns}x{rows}");
            insta::assert_snapshot!(name, stage.draw(&mut it, columns, rows));
        }
        fixture::assert_safe_at_all_sizes(&stage, &mut it);
        stage.press(&mut it, "Down Enter");
        it.on_paste(KEY, &stage.scene());
        for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
            let screen = stage.draw(&mut it, columns, rows);
            assert!(!screen.contains("secret"));
            insta::assert_snapshot!(format!("login_key_{columns}x{rows}"), screen);
        }
        fixture::assert_safe_at_all_sizes(&stage, &mut it);
    }

    #[test]
    fn a_pasted_key_goes_to_the_chosen_provider() {
        let stage = OverlayStage::empty();
        let mut it = Login::new(choices(), "");
        stage.press(&mut it, "o p e n Enter");
        it.on_paste(&format!("{KEY}\n"), &stage.scene());
        let login = Op::Setting(SettingOp::Login {
            provider: "openai".to_owned(),
            key: EnteredKey::new(KEY).unwrap(),
        });
        let effects = stage.press(&mut it, "Enter");
        assert!(!format!("{effects:?}").contains("secret"));
        assert_eq!(effects, [Effect::Send(login)]);
    }

    #[test]
    fn what_is_no_key_is_refused_and_esc_leads_back() {
        let stage = OverlayStage::empty();
        let mut it = Login::new(choices(), "openai");
        assert_eq!(stage.press(&mut it, "Enter"), []);
        assert!(stage.draw(&mut it, 80, 24).contains("not a valid key"));
        stage.press(&mut it, "a b Esc");
        assert!(
            stage
                .draw(&mut it, 80, 24)
                .contains("● key from ANTHROPIC_API_KEY")
        );
        assert!(stage.closes(&mut it, "Esc"));
    }

    #[test]
    fn only_a_stored_key_is_forgotten() {
        let stage = OverlayStage::empty();
        let mut it = Login::new(choices(), "");
        let delete = KeyEvent::from(KeyCode::Delete);
        let reaction = it.on_key(delete, &stage.scene());
        assert!(matches!(reaction, Reaction::Consumed));
        stage.press(&mut it, "Down Down");
        let Reaction::Act(effects) = it.on_key(delete, &stage.scene()) else {
            panic!("nothing was asked");
        };
        let logout = Effect::Send(Op::Setting(SettingOp::Logout("groq".to_owned())));
        assert_eq!(effects, [logout, Effect::Send(Op::query(Query::Logins))]);
    }
}
