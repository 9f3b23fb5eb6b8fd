//! The themes; each one is shown as the cursor reaches it.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::{Picker, PickerChoice};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::overlay::{Overlay, OverlayScene, Reaction};
use crate::tui::theme::Theme;

struct ThemeName {
    name: String,
    is_current: bool,
}

impl PickerChoice for ThemeName {
    fn label(&self) -> String {
        self.name.clone()
    }

    fn remarks(&self, _scene: &OverlayScene<'_>) -> Vec<String> {
        vec![if self.is_current {
            "● current".to_owned()
        } else {
            String::new()
        }]
    }

    fn style(&self, theme: &Theme) -> Style {
        theme.text
    }
}

/// Picks a theme; each one is shown as the cursor reaches it.
pub struct Themes {
    picker: Picker<ThemeName>,
    current: String,
    shown: String,
}

impl Themes {
    /// A picker of these, with the one in use selected.
    pub fn new(names: Vec<String>, current: String) -> Self {
        let at = names.iter().position(|name| *name == current).unwrap_or(0);
        let choices = names.into_iter().map(|name| ThemeName {
            is_current: name == current,
            name,
        });
        let mut picker = Picker::new(choices.collect());
        picker.cursor.select(at, picker.found.len());
        Self {
            picker,
            shown: current.clone(),
            current,
        }
    }

    /// Shows the theme under the cursor, if it is another one.
    fn preview(&mut self) -> Reaction {
        let Some(choice) = self.picker.selected() else {
            return Reaction::Consumed;
        };
        if choice.name == self.shown {
            return Reaction::Consumed;
        }
        self.shown.clone_from(&choice.name);
        Reaction::Act(vec![Effect::LoadTheme(self.shown.clone())])
    }
}

impl Overlay for Themes {
    fn name(&self) -> &'static str {
        "themes"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Themes)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Themes, key);
        match action {
            Some(ScreenAction::Back | ScreenAction::Open) if self.shown == self.current => {
                Reaction::Close(Vec::new())
            }
            Some(ScreenAction::Back) => {
                Reaction::Close(vec![Effect::LoadTheme(self.current.clone())])
            }
            Some(ScreenAction::Open) => {
                Reaction::Close(vec![Effect::KeepTheme(self.shown.clone())])
            }
            _ if self.picker.on_key(key, action) => self.preview(),
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        self.picker.paste(text);
        self.preview()
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        self.picker.layout(area, Screen::Themes, scene);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        self.picker
            .draw("themes", Screen::Themes, area, buffer, scene)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::overlay::fixture::OverlayStage;

    #[test]
    fn themes_are_shown_while_moving_and_esc_brings_the_old_one_back() {
        let stage = OverlayStage::empty();
        let names = ["dark", "light", "contrast"].map(str::to_owned).to_vec();
        let load = |name: &str| Effect::LoadTheme(name.to_owned());
        let mut themes = Themes::new(names.clone(), "light".to_owned());
        assert_eq!(stage.press(&mut themes, "Down"), [load("contrast")]);
        assert_eq!(stage.press(&mut themes, "Esc"), [load("light")]);
        let mut themes = Themes::new(names, "light".to_owned());
        let kept = Effect::KeepTheme("dark".to_owned());
        assert_eq!(stage.press(&mut themes, "Up Enter"), [load("dark"), kept]);
        assert!(stage.draw(&mut themes, 40, 12).contains("current"));
    }
}
