//! Colours and text attributes by meaning. Nothing else in the TUI names a colour.
//!
//! Themes come from TOML files (`file`) and are brought down to what a terminal can show
//! (`depth`). A theme without a file, of the terminal's own colours, is always there.

use crate::context::Category;
use ratatui::style::{Color, Modifier, Style};

mod depth;
mod file;
#[cfg(test)]
mod tests;

pub use depth::ColorDepth;
pub use file::ThemeError;

/// The name that stands for dark or light, as the terminal is.
pub const AUTO: &str = "auto";

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
    pub gauge: [Style; Category::COUNT],
    /// Free space on the gauge.
    pub gauge_free: Style,
    /// The load line.
    pub load_line: Style,
    /// Items that pruning has taken out.
    pub pruned: Style,
    /// Added line.
    pub diff_added: Style,
    /// Removed line.
    pub diff_removed: Style,
    /// Added line whose code has colours of its own: its sign, and its background.
    pub diff_added_line: Style,
    /// Removed line whose code has colours of its own: its sign, and its background.
    pub diff_removed_line: Style,
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

/// A theme, and what of its file was not understood.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedTheme {
    /// The theme, in colours that the terminal has.
    pub theme: Box<Theme>,
    /// One sentence for each thing that was ignored; foreign words in it.
    pub warnings: Vec<String>,
}

/// The themes that come with the program, by name.
const BUNDLED: [(&str, &str); 9] = [
    ("dark", include_str!("../../../themes/dark.toml")),
    ("ember", include_str!("../../../themes/ember.toml")),
    ("glacier", include_str!("../../../themes/glacier.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("paper", include_str!("../../../themes/paper.toml")),
    (
        "high-contrast",
        include_str!("../../../themes/high-contrast.toml"),
    ),
    (
        "high-contrast-light",
        include_str!("../../../themes/high-contrast-light.toml"),
    ),
    (
        "colorblind",
        include_str!("../../../themes/colorblind.toml"),
    ),
    (
        "colorblind-light",
        include_str!("../../../themes/colorblind-light.toml"),
    ),
];

/// The themes of the terminal's own sixteen colours, on dark and on light; not files, so
/// that there is always one.
const TERMINAL: [(&str, bool); 2] = [("terminal", true), ("terminal-light", false)];

const NAMES: [&str; 11] = [
    "dark",
    "ember",
    "glacier",
    "light",
    "paper",
    "high-contrast",
    "high-contrast-light",
    "colorblind",
    "colorblind-light",
    "terminal",
    "terminal-light",
];

impl Theme {
    /// A theme that comes with the program.
    pub fn bundled(name: &str) -> Option<Self> {
        if let Some((_, dark)) = TERMINAL.iter().find(|(known, _)| *known == name) {
            return Some(Self::ansi(*dark));
        }
        let (_, text) = BUNDLED.iter().find(|(known, _)| *known == name)?;
        Self::from_toml(text).ok().map(|(theme, _)| theme)
    }

    /// The names for [`bundled`](Self::bundled), in the order in which they are listed.
    pub fn bundled_names() -> &'static [&'static str] {
        &NAMES
    }

    /// Every style with the name that it has in theme files.
    fn slots(&mut self) -> [(&'static str, &mut Style); SLOTS] {
        let [
            system,
            tools,
            servers,
            memory,
            skills,
            summary,
            rules,
            user,
            notes,
            assistant,
            tool_results,
            pending,
        ] = &mut self.gauge;
        [
            ("text", &mut self.text),
            ("dim", &mut self.dim),
            ("accent", &mut self.accent),
            ("heading", &mut self.heading),
            ("user", &mut self.user),
            ("assistant", &mut self.assistant),
            ("tool", &mut self.tool),
            ("thinking", &mut self.thinking),
            ("code", &mut self.code),
            ("border", &mut self.border),
            ("selection", &mut self.selection),
            ("success", &mut self.success),
            ("warning", &mut self.warning),
            ("error", &mut self.error),
            ("gauge_system", system),
            ("gauge_tools", tools),
            ("gauge_servers", servers),
            ("gauge_memory", memory),
            ("gauge_skills", skills),
            ("gauge_summary", summary),
            ("gauge_rules", rules),
            ("gauge_user", user),
            ("gauge_notes", notes),
            ("gauge_assistant", assistant),
            ("gauge_tool_results", tool_results),
            ("gauge_pending", pending),
            ("gauge_free", &mut self.gauge_free),
            ("load_line", &mut self.load_line),
            ("pruned", &mut self.pruned),
            ("diff_added", &mut self.diff_added),
            ("diff_removed", &mut self.diff_removed),
            ("diff_added_line", &mut self.diff_added_line),
            ("diff_removed_line", &mut self.diff_removed_line),
            ("diff_added_word", &mut self.diff_added_word),
            ("diff_removed_word", &mut self.diff_removed_word),
            ("syntax_keyword", &mut self.syntax_keyword),
            ("syntax_string", &mut self.syntax_string),
            ("syntax_comment", &mut self.syntax_comment),
            ("syntax_constant", &mut self.syntax_constant),
            ("syntax_function", &mut self.syntax_function),
            ("syntax_type", &mut self.syntax_type),
            ("syntax_punctuation", &mut self.syntax_punctuation),
        ]
    }
}

/// How many styles a theme has.
const SLOTS: usize = 42;

impl Default for Theme {
    /// The terminal's own sixteen colours on a dark background.
    fn default() -> Self {
        Self::ansi(true)
    }
}

impl Theme {
    /// The terminal's own sixteen colours. On a light background yellow and gray would be
    /// unreadable; others replace them.
    fn ansi(dark: bool) -> Self {
        let fg = |color| Style::new().fg(color);
        let pick = |on_dark, on_light| fg(if dark { on_dark } else { on_light });
        let amber = pick(Color::Yellow, Color::Magenta);
        let gray = pick(Color::Gray, Color::Black);
        Self {
            name: TERMINAL
                .iter()
                .find(|(_, is_dark)| *is_dark == dark)
                .map_or_else(String::new, |(name, _)| (*name).to_owned()),
            dark,
            text: Style::new(),
            dim: fg(Color::DarkGray),
            accent: pick(Color::Cyan, Color::Blue),
            heading: Style::new().add_modifier(Modifier::BOLD),
            user: fg(Color::Blue),
            assistant: fg(Color::Magenta),
            tool: pick(Color::Cyan, Color::Blue),
            thinking: fg(Color::DarkGray).add_modifier(Modifier::ITALIC),
            code: amber,
            border: fg(Color::DarkGray),
            selection: Style::new().add_modifier(Modifier::REVERSED),
            success: fg(Color::Green),
            warning: amber,
            error: fg(Color::Red),
            gauge: [
                gray,
                fg(Color::DarkGray),
                fg(Color::LightRed),
                fg(Color::LightMagenta),
                fg(Color::LightCyan),
                fg(Color::Magenta),
                fg(Color::LightGreen),
                fg(Color::Blue),
                fg(Color::LightBlue),
                fg(Color::Green),
                fg(Color::Cyan),
                fg(Color::Yellow),
            ],
            gauge_free: fg(Color::DarkGray),
            load_line: fg(Color::Red),
            pruned: fg(Color::DarkGray),
            diff_added: fg(Color::Green),
            diff_removed: fg(Color::Red),
            diff_added_line: fg(Color::Green),
            diff_removed_line: fg(Color::Red),
            diff_added_word: fg(Color::Green).add_modifier(EMPHASIS),
            diff_removed_word: fg(Color::Red).add_modifier(EMPHASIS),
            syntax_keyword: fg(Color::Magenta),
            syntax_string: fg(Color::Green),
            syntax_comment: fg(Color::DarkGray),
            syntax_constant: amber,
            syntax_function: fg(Color::Blue),
            syntax_type: pick(Color::Cyan, Color::Blue),
            syntax_punctuation: gray,
        }
    }
}

/// Changed words are marked without colour too.
const EMPHASIS: Modifier = Modifier::BOLD.union(Modifier::UNDERLINED);
