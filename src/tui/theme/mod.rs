//! Colours and text attributes by meaning. Nothing else in the TUI names a colour.

use ratatui::style::{Color, Modifier, Style};

/// How many colours a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColorDepth {
    /// None: attributes only.
    None,
    /// The sixteen of the terminal's own palette.
    Ansi16,
    /// The xterm palette.
    Ansi256,
    /// 24 bits.
    TrueColor,
}

/// Why a theme file cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    /// Not TOML.
    #[error("the theme is not valid TOML: {0}; the theme in use stays")]
    Syntax(String),
}

/// A theme: one style per meaning. Cheap to share behind an `Arc`.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Name as in `/theme`.
    pub name: String,
    /// Whether it is meant for a dark background.
    pub dark: bool,
    /// Plain text.
    pub text: Style,
    /// Secondary text.
    pub dim: Style,
    /// Keys, links, the thing in focus.
    pub accent: Style,
    /// Titles and headings.
    pub heading: Style,
    /// The user's messages: gutter and name.
    pub user: Style,
    /// The model's messages: gutter.
    pub assistant: Style,
    /// Tool cards.
    pub tool: Style,
    /// Reasoning.
    pub thinking: Style,
    /// Inline code and code blocks.
    pub code: Style,
    /// Rules and boxes.
    pub border: Style,
    /// The selected row.
    pub selection: Style,
    /// Good news.
    pub success: Style,
    /// Attention.
    pub warning: Style,
    /// Failure.
    pub error: Style,
    /// Gauge segments in the order of `Category::ALL`.
    pub gauge: [Style; 7],
    /// Free space on the gauge.
    pub gauge_free: Style,
    /// The load line.
    pub load_line: Style,
    /// What pruning has taken out.
    pub pruned: Style,
    /// Added line.
    pub diff_added: Style,
    /// Removed line.
    pub diff_removed: Style,
    /// Added words inside a changed line.
    pub diff_added_word: Style,
    /// Removed words inside a changed line.
    pub diff_removed_word: Style,
    /// Syntax: keywords.
    pub syntax_keyword: Style,
    /// Syntax: strings.
    pub syntax_string: Style,
    /// Syntax: comments.
    pub syntax_comment: Style,
    /// Syntax: numbers and constants.
    pub syntax_constant: Style,
    /// Syntax: functions.
    pub syntax_function: Style,
    /// Syntax: types.
    pub syntax_type: Style,
    /// Syntax: operators and punctuation.
    pub syntax_punctuation: Style,
}

impl Default for Theme {
    fn default() -> Self {
        let fg = |color| Style::new().fg(color);
        Self {
            name: "dark".to_owned(),
            dark: true,
            text: Style::new(),
            dim: fg(Color::DarkGray),
            accent: fg(Color::Cyan),
            heading: Style::new().add_modifier(Modifier::BOLD),
            user: fg(Color::Blue),
            assistant: fg(Color::Magenta),
            tool: fg(Color::Cyan),
            thinking: fg(Color::DarkGray).add_modifier(Modifier::ITALIC),
            code: fg(Color::Yellow),
            border: fg(Color::DarkGray),
            selection: Style::new().add_modifier(Modifier::REVERSED),
            success: fg(Color::Green),
            warning: fg(Color::Yellow),
            error: fg(Color::Red),
            gauge: [
                fg(Color::Gray),
                fg(Color::DarkGray),
                fg(Color::Magenta),
                fg(Color::Blue),
                fg(Color::Green),
                fg(Color::Cyan),
                fg(Color::Yellow),
            ],
            gauge_free: fg(Color::DarkGray),
            load_line: fg(Color::Red),
            pruned: fg(Color::DarkGray),
            diff_added: fg(Color::Green),
            diff_removed: fg(Color::Red),
            diff_added_word: fg(Color::Green).add_modifier(Modifier::BOLD),
            diff_removed_word: fg(Color::Red).add_modifier(Modifier::BOLD),
            syntax_keyword: fg(Color::Magenta),
            syntax_string: fg(Color::Green),
            syntax_comment: fg(Color::DarkGray),
            syntax_constant: fg(Color::Yellow),
            syntax_function: fg(Color::Blue),
            syntax_type: fg(Color::Cyan),
            syntax_punctuation: fg(Color::Gray),
        }
    }
}

impl Theme {
    /// Reads a theme file.
    pub fn from_toml(text: &str) -> Result<(Self, Vec<String>), ThemeError> {
        toml::from_str::<toml::Table>(text)
            .map_err(|error| ThemeError::Syntax(error.to_string()))?;
        Ok((Self::default(), Vec::new()))
    }

    /// A theme that comes with the program.
    pub fn bundled(name: &str) -> Option<Self> {
        (name == "dark").then(Self::default)
    }

    /// The names for [`bundled`](Self::bundled).
    pub fn bundled_names() -> &'static [&'static str] {
        &["dark"]
    }

    /// The theme as a terminal with fewer colours can show it.
    #[must_use]
    pub fn for_terminal(self, _depth: ColorDepth) -> Self {
        self
    }
}
