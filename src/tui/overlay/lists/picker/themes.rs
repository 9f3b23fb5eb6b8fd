//! The themes, in a panel below the transcript; each one is shown there as the cursor reaches
//! it, and in a sample beside the list.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Picker, PickerChoice};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::overlay::{Overlay, OverlayScene, Reaction};
use crate::tui::render::diff;
use crate::tui::theme::Theme;
use crate::tui::widget::paint;

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

/// Rows of the panel, as far as half of the screen has them.
const PANEL_ROWS: u16 = 16;
/// With fewer rows there is no list to see.
const LEAST_ROWS: u16 = 6;
/// Columns of the list, where there is a sample beside it.
const LIST_COLUMNS: u16 = 40;
/// Columns from which on there is a sample.
const SAMPLE_FROM: u16 = 72;

/// A change as the theme shows it.
const SAMPLE_DIFF: &str = "@@ -12,3 +12,3 @@\n fn refresh(&self) {\n-    let guard = \
                           self.lock.lock().await;\n+    let guard = \
                           self.lock.try_lock()?;\n     // held until the token is stored\n";
/// Code as the theme shows it.
const SAMPLE_CODE: &str = "struct Berth { id: u32 }\nlet name = format!(\"pier {}\", 7);";

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

/// Where the panel, the list and the sample are.
struct ThemeAreas {
    panel: Rect,
    list: Rect,
    /// Empty where there is no room.
    sample: Rect,
}

impl ThemeAreas {
    fn of(area: Rect) -> Self {
        let rows = (area.height / 2)
            .clamp(LEAST_ROWS, PANEL_ROWS)
            .min(area.height);
        let panel = Rect {
            y: area.y.saturating_add(area.height - rows),
            height: rows,
            ..area
        };
        let below = paint::inner(panel, 1, 0);
        let columns = if area.width < SAMPLE_FROM {
            area.width
        } else {
            LIST_COLUMNS
        };
        Self {
            panel,
            list: Rect {
                width: columns,
                ..below
            },
            sample: Rect {
                x: below.x.saturating_add(columns),
                width: area.width - columns,
                ..below
            },
        }
    }
}

/// A diff, code, and the colours of the gauge.
fn sample(width: u16, scene: &OverlayScene<'_>) -> Vec<Line<'static>> {
    let theme = scene.theme;
    let mut lines = diff::lines(SAMPLE_DIFF, &scene.diff_look(width, "sample.rs"));
    lines.push(Line::default());
    lines.extend(scene.highlighter.highlight(SAMPLE_CODE, "rust", theme));
    lines.push(Line::default());
    let bar = theme.gauge.iter().map(|style| Span::styled("██", *style));
    let mut gauge: Vec<Span<'static>> = bar.collect();
    gauge.push(Span::styled("·····", theme.gauge_free));
    gauge.push(Span::styled("╎", theme.load_line));
    gauge.push(Span::styled("···", theme.gauge_free));
    lines.push(Line::from(gauge));
    lines.push(Line::from(vec![
        Span::styled("success ", theme.success),
        Span::styled("warning ", theme.warning),
        Span::styled("error ", theme.error),
        Span::styled("secondary", theme.dim),
    ]));
    lines
}

impl Overlay for Themes {
    fn name(&self) -> &'static str {
        "themes"
    }

    fn is_beside_transcript(&self) -> bool {
        true
    }

    fn rows(&self, area: Rect) -> u16 {
        ThemeAreas::of(area).panel.height
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
        self.picker
            .layout(ThemeAreas::of(area).list, Screen::Themes, scene);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let areas = ThemeAreas::of(area);
        paint::clear(buffer, areas.panel, scene.theme.text);
        paint::rule(buffer, areas.panel, 0, scene.theme);
        let width = areas.sample.width.saturating_sub(1);
        for (row, line) in (0..areas.sample.height).zip(sample(width, scene)) {
            paint::line(buffer, areas.sample, (0, row), &line);
        }
        self.picker
            .draw("themes", Screen::Themes, areas.list, buffer, scene)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::AssistantPart;
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

    #[test]
    fn the_conversation_stays_in_sight_above_the_themes() {
        let mut it = crate::tui::testing::Harness::new(100, 30);
        let text = "The guard is dropped before the await.".to_owned();
        it.answer(vec![AssistantPart::Text(text)]);
        let names = ["dark", "light"].map(str::to_owned).to_vec();
        let themes = Themes::new(names, "dark".to_owned());
        it.model.screens.push(Box::new(themes));
        let screen = it.screen();
        for words in ["The guard is dropped", "● current", "try_lock", "warning"] {
            assert!(screen.contains(words), "{words}:\n{screen}");
        }
        it.keys("down");
        assert!(it.effects.contains(&Effect::LoadTheme("light".to_owned())));
    }
}
