//! Settings of the terminal and its keys.

use crate::config::origin::SettingOrigin;

/// The terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UiSettings {
    /// Theme name, or `auto` for dark or light as the terminal is.
    pub theme: String,
    /// Whether the mouse is captured.
    pub mouse: bool,
    /// Line-by-line output without a screen.
    pub plain: bool,
    /// Whether colours are used.
    pub color: bool,
    /// Whether the window's title says which session this is and what it does.
    pub title: bool,
    /// When to call the user.
    pub notify_when: NotifyWhen,
    /// How to call the user.
    pub notify_method: NotifyMethod,
    /// Whether the composer has the modes of vi.
    pub vi: bool,
    /// Whether addresses and paths on the screen are links.
    pub links: WhereKnown,
    /// Whether the terminal's tab shows that something runs.
    pub progress: WhereKnown,
    /// How much moves.
    pub motion: ScreenMotion,
    /// Columns of a line of text at most; 0 for all of the screen.
    pub text_width: u16,
    /// How the two sides of a diff are placed.
    pub diff: DiffSides,
    /// `[keys.PLACE]` tables, laid over each other.
    pub keys: Vec<KeyChange>,
}

/// Columns of a line of text that are read with ease.
const TEXT_WIDTH: u16 = 110;

/// Whether a sequence is written that not every terminal knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhereKnown {
    /// Where the terminal is known to understand it.
    #[default]
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

impl WhereKnown {
    /// The choice, for a terminal that does or does not know the sequence.
    pub fn holds(self, is_known: bool) -> bool {
        match self {
            Self::Auto => is_known,
            Self::On => true,
            Self::Off => false,
        }
    }
}

/// How much moves on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScreenMotion {
    /// Spinners turn and the gauge follows an answer.
    #[default]
    Full,
    /// No spinners; times and the gauge change once a second at most.
    Reduced,
}

/// How the two sides of a diff are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiffSides {
    /// Side by side on a wide screen, else one below the other.
    #[default]
    Auto,
    /// One below the other.
    Unified,
    /// Side by side wherever two columns of code fit.
    Split,
}

/// When to call the user because something is done or waits for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NotifyWhen {
    /// While the window does not have the focus.
    #[default]
    Unfocused,
    /// Whatever the window does.
    Always,
    /// Not at all.
    Never,
}

/// How to call the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NotifyMethod {
    /// As the terminal is known to understand, else the bell.
    #[default]
    Auto,
    /// The notification of iTerm2.
    Osc9,
    /// The notification of rxvt.
    Osc777,
    /// The bell.
    Bell,
    /// Not at all.
    None,
}

impl Default for UiSettings {
    fn default() -> Self {
        Self {
            theme: "auto".to_owned(),
            mouse: true,
            plain: false,
            color: true,
            title: true,
            notify_when: NotifyWhen::default(),
            notify_method: NotifyMethod::default(),
            vi: false,
            links: WhereKnown::default(),
            progress: WhereKnown::default(),
            motion: ScreenMotion::default(),
            text_width: TEXT_WIDTH,
            diff: DiffSides::default(),
            keys: Vec::new(),
        }
    }
}

/// The bindings of one layer for one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyChange {
    /// Where the keys work, e.g. `main`.
    pub place: String,
    /// The action, e.g. `newline`.
    pub action: String,
    /// The keys, instead of the usual ones; empty unbinds.
    pub keys: Vec<String>,
    /// Where this was said.
    pub origin: SettingOrigin,
}
