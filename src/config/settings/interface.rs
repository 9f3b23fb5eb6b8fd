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
    /// `[keys.PLACE]` tables, laid over each other.
    pub keys: Vec<KeyChange>,
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
