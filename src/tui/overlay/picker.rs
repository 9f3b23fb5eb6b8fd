//! Pick one of many by typing a few of its letters: models, themes. One
//! picker; what differs is how a row looks and what Enter does.

use crossterm::event::{KeyCode, KeyEvent};
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::field::Field;
use super::keys::Motion;
use super::list::ListCursor;
use super::{Overlay, Reaction, Scene, numbers, paint};
use crate::agent::{AgentEvent, ModelChoice, Op};
use crate::transcript::ModelRef;
use crate::tui::effect::Effect;
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;

/// Something that can be picked.
pub(super) trait Choice {
    /// Whether the remarks say what the row means, so that a long label is cut for them.
    const LABEL_GIVES_WAY: bool = false;
    /// What the row shows first.
    fn label(&self) -> String;
    /// What typing is matched against.
    fn sought(&self) -> String {
        self.label()
    }
    /// What the row shows on the right in columns of their own, most important last.
    fn remarks(&self, scene: &Scene<'_>) -> Vec<String>;
    /// How it looks.
    fn style(&self, theme: &Theme) -> Style;
}

/// Columns between two columns.
const COLUMN_SPACE: usize = 2;
/// A label is not cut to less than this for the remarks.
const LABEL_LEAST: usize = 24;
/// Where not all remarks fit, the one that matters most is cut to this for the others.
const LAST_LEAST: usize = 24;
/// A remark that is longer than this may be cut when there is not room for all of it.
const WORTH_CUTTING: usize = 12;

/// Widths that all rows share; 0 where there is no room.
#[derive(Default)]
struct Columns {
    label: usize,
    remarks: Vec<usize>,
}

impl Columns {
    /// Cuts the last remark so far that all others fit, or else the one before it.
    fn shorten_last(&mut self, room: usize) {
        let Some((last, others)) = self.remarks.split_last_mut() else {
            return;
        };
        for first in [0, others.len().saturating_sub(1)] {
            let kept = others.get(first..).unwrap_or_default();
            let kept: usize = kept.iter().map(|it| it + COLUMN_SPACE).sum();
            let left = room.saturating_sub(self.label + kept + COLUMN_SPACE);
            if left >= LAST_LEAST {
                *last = left.min(*last);
                return;
            }
        }
    }
}

/// A filtered list.
pub(super) struct Picker<T> {
    choices: Vec<T>,
    field: Field,
    cursor: ListCursor,
    /// Positions in `choices`, best match first.
    found: Vec<usize>,
}

impl<T: Choice> Picker<T> {
    /// A list of these, all of them shown.
    pub(super) fn new(choices: Vec<T>) -> Self {
        Self {
            found: (0..choices.len()).collect(),
            choices,
            field: Field::default(),
            cursor: ListCursor::default(),
        }
    }

    /// What the cursor is on.
    pub(super) fn selected(&self) -> Option<&T> {
        let at = self.found.get(self.cursor.selected())?;
        self.choices.get(*at)
    }

    /// Other choices in the place of these; the cursor keeps its row.
    pub(super) fn replace(&mut self, choices: Vec<T>) {
        let at = self.cursor.selected();
        self.choices = choices;
        self.filter();
        self.cursor.select(at, self.found.len());
    }

    /// Takes a key; false when it means nothing here.
    pub(super) fn on_key(&mut self, key: KeyEvent) -> bool {
        if let Some(motion) = Motion::from_special(key) {
            self.cursor.motion(motion, self.found.len());
            return true;
        }
        let changed = self.field.on_key(key);
        if changed {
            self.filter();
        }
        changed
    }

    /// Takes pasted text.
    pub(super) fn paste(&mut self, text: &str) {
        self.field.insert(text);
        self.filter();
    }

    fn filter(&mut self) {
        let labels = self.choices.iter().map(Choice::sought);
        self.found = ranked(self.field.text(), labels);
        let query = self.field.text().to_lowercase();
        // Who types a name wants what is called so, not what mentions it.
        let choices = &self.choices;
        self.found
            .sort_by_cached_key(|&at| choices.get(at).map(|it| distance(&it.label(), &query)));
        self.cursor.select(0, self.found.len());
    }

    /// Columns that all rows share: the label matters more, so remarks give way when not
    /// all fit, the first ones first.
    fn columns(&self, area: Rect, scene: &Scene<'_>) -> Columns {
        let room = usize::from(area.width).saturating_sub(3);
        let mut columns = Columns::default();
        let listed = self.found.iter().filter_map(|&at| self.choices.get(at));
        for choice in listed {
            columns.label = columns.label.max(wrap::width(&choice.label()));
            for (at, remark) in choice.remarks(scene).iter().enumerate() {
                let width = wrap::width(remark);
                match columns.remarks.get_mut(at) {
                    Some(widest) => *widest = width.max(*widest),
                    None => columns.remarks.push(width),
                }
            }
        }
        if !T::LABEL_GIVES_WAY {
            columns.shorten_last(room);
        }
        let others: usize = columns.remarks.iter().map(|it| it + COLUMN_SPACE).sum();
        let most = if T::LABEL_GIVES_WAY {
            room.saturating_sub(others)
                .max(room / 2)
                .max(LABEL_LEAST)
                .min(room)
        } else {
            room
        };
        columns.label = columns.label.min(most);
        let mut left = room - columns.label;
        for (at, width) in columns.remarks.iter_mut().rev().enumerate() {
            let may_cut = T::LABEL_GIVES_WAY || at == 0;
            let wanted = *width + COLUMN_SPACE;
            *width = if wanted <= left {
                *width
            } else if may_cut && *width >= WORTH_CUTTING && left >= WORTH_CUTTING + COLUMN_SPACE {
                left - COLUMN_SPACE
            } else {
                0
            };
            left = left.saturating_sub(*width + COLUMN_SPACE);
        }
        columns
    }

    /// Draws everything; answers where the caret is.
    pub(super) fn draw(
        &self,
        title: &str,
        action: &'static str,
        area: Rect,
        buffer: &mut Buffer,
        scene: &Scene<'_>,
    ) -> Option<Position> {
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        let count = format!("{} of {}", self.found.len(), self.choices.len());
        let field_row = u16::from(area.height > 3);
        if field_row > 0 {
            paint::title(buffer, area, 0, (title, &count), theme);
        }
        let body = paint::inner(area, field_row + 1, u16::from(area.height > 2));
        if self.found.is_empty() {
            paint::text(
                buffer,
                body,
                (2, 0),
                body.width,
                "nothing matches",
                theme.dim,
            );
        }
        let columns = self.columns(body, scene);
        let range = self.cursor.viewport(body.height, self.found.len());
        for (row, at) in range.enumerate() {
            let choice = self.found.get(at).and_then(|&at| self.choices.get(at));
            if let Some(choice) = choice {
                let is_selected = at == self.cursor.selected();
                draw_choice(
                    choice,
                    &columns,
                    is_selected,
                    body,
                    row as u16,
                    buffer,
                    scene,
                );
            }
        }
        if area.height > 2 {
            let hints = [
                ("enter", action),
                ("esc", "back"),
                ("↑ ↓", "move"),
                ("a…z", "narrow"),
            ];
            paint::hints(buffer, area, area.height - 1, &hints, theme);
        }
        self.field
            .draw(area, field_row, buffer, (" › ", theme.accent), theme.text)
    }
}

/// How far a query (in lower case) is from a name: 0 begins it, 1 is in it, 2 is not.
fn distance(name: &str, query: &str) -> u8 {
    let name = name.to_lowercase();
    match name.trim_start_matches('/').find(query) {
        Some(0) => 0,
        Some(_) => 1,
        None => 2,
    }
}

/// Positions of the labels that have the letters of a query, best match first; an empty
/// query matches all, in their order.
pub(super) fn ranked(query: &str, labels: impl Iterator<Item = String>) -> Vec<usize> {
    let pattern = Pattern::parse(query, CaseMatching::Smart, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut scored: Vec<(u32, usize)> = Vec::new();
    for (at, label) in labels.enumerate() {
        let text = Utf32Str::new(&label, &mut letters);
        if let Some(score) = pattern.score(text, &mut matcher) {
            scored.push((score, at));
        }
    }
    scored.sort_by_key(|&(score, at)| (std::cmp::Reverse(score), at));
    scored.into_iter().map(|(_, at)| at).collect()
}

fn draw_choice(
    choice: &impl Choice,
    columns: &Columns,
    is_selected: bool,
    area: Rect,
    row: u16,
    buffer: &mut Buffer,
    scene: &Scene<'_>,
) {
    let theme = scene.theme;
    let style = choice.style(theme);
    let label = safe::one_line(&choice.label(), columns.label);
    paint::text(buffer, area, (2, row), area.width, &label, style);
    let mut x = 2 + columns.label;
    let remarks = choice.remarks(scene);
    for (remark, &width) in remarks.iter().zip(&columns.remarks) {
        if width > 0 {
            x += COLUMN_SPACE;
            let text = safe::one_line(remark, width);
            paint::text(
                buffer,
                area,
                (x as u16, row),
                width as u16,
                &text,
                theme.dim,
            );
            x += width;
        }
    }
    if is_selected {
        paint::tint(buffer, area, row, theme.selection);
        paint::text(buffer, area, (0, row), 1, "›", theme.accent);
    }
}

/// A model, and whether it answers now.
struct ModelRow {
    choice: ModelChoice,
    is_current: bool,
}

impl Choice for ModelRow {
    fn label(&self) -> String {
        self.choice.model.to_string()
    }

    fn remarks(&self, _scene: &Scene<'_>) -> Vec<String> {
        let window = self.choice.window_tokens.map_or_else(
            || "window    ?".to_owned(),
            |tokens| format!("window {:>4}", numbers::short(tokens)),
        );
        let price = self.choice.price.map_or_else(
            || "price ?".to_owned(),
            |(input, output)| format!("${input:>5.2} in  ${output:>6.2} out"),
        );
        let state = match &self.choice.missing {
            _ if self.is_current => "● current".to_owned(),
            None => "● ready".to_owned(),
            Some(missing) => format!("× {missing}"),
        };
        vec![price, window, state]
    }

    fn style(&self, theme: &Theme) -> Style {
        if self.choice.missing.is_some() {
            theme.dim
        } else {
            theme.text
        }
    }
}

/// The name of a theme.
struct ThemeName {
    name: String,
    is_current: bool,
}

impl Choice for ThemeName {
    fn label(&self) -> String {
        self.name.clone()
    }

    fn remarks(&self, _scene: &Scene<'_>) -> Vec<String> {
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

/// Picks the model that answers from here on.
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

    fn on_key(&mut self, key: KeyEvent, _scene: &Scene<'_>) -> Reaction {
        match key.code {
            KeyCode::Esc => Reaction::Close(Vec::new()),
            KeyCode::Enter => self.picker.selected().map_or(Reaction::Consumed, |row| {
                Reaction::Close(vec![Effect::Send(Op::SetModel(row.choice.model.clone()))])
            }),
            _ => Reaction::taken(self.picker.on_key(key)),
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &Scene<'_>) -> Reaction {
        self.picker.paste(text);
        Reaction::Consumed
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &Scene<'_>) -> Reaction {
        let (AgentEvent::Models(choices) | AgentEvent::ModelsListed(choices)) = event else {
            return Reaction::Ignored;
        };
        self.picker.replace(rows(choices.clone(), &self.current));
        Reaction::Consumed
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &Scene<'_>) -> Option<Position> {
        self.picker.draw(Self::NAME, "use it", area, buffer, scene)
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

    fn on_key(&mut self, key: KeyEvent, _scene: &Scene<'_>) -> Reaction {
        match key.code {
            KeyCode::Esc | KeyCode::Enter if self.shown == self.current => {
                Reaction::Close(Vec::new())
            }
            KeyCode::Esc => Reaction::Close(vec![Effect::LoadTheme(self.current.clone())]),
            KeyCode::Enter => Reaction::Close(vec![Effect::KeepTheme(self.shown.clone())]),
            _ if self.picker.on_key(key) => self.preview(),
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &Scene<'_>) -> Reaction {
        self.picker.paste(text);
        self.preview()
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &Scene<'_>) -> Option<Position> {
        self.picker.draw("themes", "keep", area, buffer, scene)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{self, Stage};
    use super::*;

    fn models() -> Models {
        let choice = |model: &str, missing: Option<&str>| ModelChoice {
            model: ModelRef::new("anthropic", model),
            window_tokens: Some(200_000),
            price: Some((3.0, 15.0)),
            missing: missing.map(str::to_owned),
        };
        let missing = "set ANTHROPIC_API_KEY to a key of anthropic, or store one with /login";
        let choices = vec![
            choice("claude-sonnet", None),
            choice("claude-haiku", None),
            choice("漢字-👩‍🚀\u{1b}[2J", Some(missing)),
        ];
        Models::new(choices, ModelRef::new("anthropic", "claude-haiku"))
    }

    #[test]
    fn pickers_at_their_sizes() {
        let stage = Stage::empty();
        fixture::assert_looks!("models", stage, &models());
    }

    #[test]
    fn a_few_letters_find_a_model() {
        let stage = Stage::empty();
        let effects = stage.press(&mut models(), "h a i k u Enter");
        let haiku = ModelRef::new("anthropic", "claude-haiku");
        assert_eq!(effects, [Effect::Send(Op::SetModel(haiku))]);
        assert_eq!(stage.press(&mut models(), "z z z Enter"), []);
    }

    #[test]
    fn themes_are_shown_while_moving_and_esc_brings_the_old_one_back() {
        let stage = Stage::empty();
        let names = ["dark", "light", "contrast"].map(str::to_owned).to_vec();
        let load = |name: &str| Effect::LoadTheme(name.to_owned());
        let mut themes = Themes::new(names.clone(), "light".to_owned());
        assert_eq!(stage.press(&mut themes, "Down"), [load("contrast")]);
        assert_eq!(stage.press(&mut themes, "Esc"), [load("light")]);
        let mut themes = Themes::new(names, "light".to_owned());
        let kept = Effect::KeepTheme("dark".to_owned());
        assert_eq!(stage.press(&mut themes, "Up Enter"), [load("dark"), kept]);
        assert!(stage.draw(&themes, 40, 12).contains("current"));
    }
}
