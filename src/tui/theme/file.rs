//! Theme files: TOML in, a complete theme and warnings out.
//!
//! ```toml
//! name = "mine"
//! inherits = "dark"
//! [palette]
//! sea = "#6cb6d9"
//! [styles]
//! accent = "sea"
//! heading = { fg = "sea", bold = true }
//! ```
//!
//! What is not understood is a warning and leaves the inherited style in place: a theme for
//! a newer version, or with a slip, still works.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use toml::{Table, Value};

use super::Theme;

/// Why a theme file cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    /// Not TOML.
    #[error("the theme is not valid TOML, so the theme in use stays: {0}")]
    Syntax(#[from] Box<toml::de::Error>),
}

/// Themes are written by hand; more warnings than this say nothing new.
const MAX_WARNINGS: usize = 20;

const MODIFIERS: [(&str, Modifier); 6] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
    ("crossed_out", Modifier::CROSSED_OUT),
];

const TERMINAL_COLORS: [(&str, Color); 17] = [
    ("default", Color::Reset),
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("gray", Color::Gray),
    ("dark-gray", Color::DarkGray),
    ("light-red", Color::LightRed),
    ("light-green", Color::LightGreen),
    ("light-yellow", Color::LightYellow),
    ("light-blue", Color::LightBlue),
    ("light-magenta", Color::LightMagenta),
    ("light-cyan", Color::LightCyan),
    ("white", Color::White),
];

impl Theme {
    /// Reads a theme file. What it does not set comes from the bundled theme that it
    /// inherits, or from the terminal's sixteen colours. The warnings name what was ignored.
    pub fn from_toml(text: &str) -> Result<(Self, Vec<String>), ThemeError> {
        let table: Table = toml::from_str(text).map_err(Box::new)?;
        let mut reader = Reader {
            palette: BTreeMap::new(),
            warnings: Vec::new(),
        };
        let mut theme = reader.inherited(&table);
        if let Some(palette) = section(&table, "palette") {
            for (name, value) in palette {
                if let Some(color) = reader.color(name, value) {
                    reader.palette.insert(name.clone(), color);
                }
            }
        }
        for (key, value) in &table {
            match (key.as_str(), value) {
                ("name", Value::String(name)) => theme.name.clone_from(name),
                ("dark", Value::Boolean(dark)) => theme.dark = *dark,
                ("inherits", Value::String(_)) | ("palette" | "styles", Value::Table(_)) => {}
                _ => reader.warn(format!("`{key}` is ignored: unknown, or of the wrong type")),
            }
        }
        if let Some(styles) = section(&table, "styles") {
            reader.styles(styles, &mut theme);
        }
        Ok((theme, reader.warnings))
    }
}

struct Reader {
    palette: BTreeMap<String, Color>,
    warnings: Vec<String>,
}

impl Reader {
    fn warn(&mut self, warning: String) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning);
        }
    }

    fn inherited(&mut self, table: &Table) -> Theme {
        let Some(name) = table.get("inherits").and_then(Value::as_str) else {
            return Theme::default();
        };
        // A bundled file names itself only by mistake; it would never end.
        let is_itself = table.get("name").and_then(Value::as_str) == Some(name);
        let found = if is_itself {
            None
        } else {
            Theme::bundled(name)
        };
        found.unwrap_or_else(|| {
            let known = Theme::bundled_names().join(", ");
            self.warn(format!(
                "`inherits = \"{name}\"` is ignored: not one of {known}"
            ));
            Theme::default()
        })
    }

    fn styles(&mut self, styles: &Table, theme: &mut Theme) {
        let mut slots = theme.slots();
        for (name, value) in styles {
            let Some((_, slot)) = slots.iter_mut().find(|(known, _)| known == name) else {
                self.warn(format!("the style `{name}` is ignored: unknown"));
                continue;
            };
            if let Some(style) = self.style(name, value) {
                **slot = style;
            }
        }
    }

    /// A colour, or a table of colours and attributes. It replaces the inherited style.
    fn style(&mut self, name: &str, value: &Value) -> Option<Style> {
        let Value::Table(table) = value else {
            return self.color(name, value).map(|color| Style::new().fg(color));
        };
        let mut style = Style::new();
        for (key, value) in table {
            let modifier = MODIFIERS.iter().find(|(known, _)| known == key);
            match (key.as_str(), value, modifier) {
                ("fg", value, _) => style.fg = self.color(name, value),
                ("bg", value, _) => style.bg = self.color(name, value),
                (_, Value::Boolean(true), Some((_, modifier))) => {
                    style = style.add_modifier(*modifier);
                }
                (_, Value::Boolean(false), Some(_)) => {}
                _ => self.warn(format!("`{key}` of the style `{name}` is ignored: unknown")),
            }
        }
        Some(style)
    }

    /// `"#rrggbb"`, a name of the palette or of the terminal, or a number of the xterm palette.
    fn color(&mut self, owner: &str, value: &Value) -> Option<Color> {
        let color = match value {
            Value::Integer(number) => u8::try_from(*number).ok().map(Color::Indexed),
            Value::String(text) => match text.strip_prefix('#') {
                Some(digits) => hex(digits),
                None => self
                    .palette
                    .get(text)
                    .copied()
                    .or_else(|| terminal_color(text)),
            },
            _ => None,
        };
        if color.is_none() {
            self.warn(format!("`{owner}` is ignored: unknown colour {value}"));
        }
        color
    }
}

fn section<'t>(table: &'t Table, name: &str) -> Option<&'t Table> {
    table.get(name).and_then(Value::as_table)
}

fn terminal_color(name: &str) -> Option<Color> {
    TERMINAL_COLORS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|&(_, color)| color)
}

fn hex(digits: &str) -> Option<Color> {
    if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some(Color::Rgb(red, green, blue))
}
