//! What some terminals can do beyond cells: addresses that can be clicked, and progress in
//! their tab. Whether this one can is read from the environment.

use crate::config::UiSettings;

/// Something runs, nobody knows for how long.
pub(super) const PROGRESS_ON: &str = "\u{1b}]9;4;3\u{1b}\\";
/// Nothing runs.
pub(super) const PROGRESS_OFF: &str = "\u{1b}]9;4;0\u{1b}\\";

/// The first tmux that passes addresses on, as major and minor version.
const TMUX_WITH_LINKS: (u32, u32) = (3, 4);
/// The first VTE that takes addresses without crashing.
const VTE_WITH_LINKS: u32 = 5_000;
/// The first VTE that shows progress.
const VTE_WITH_PROGRESS: u32 = 7_900;

/// Which of them are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerminalExtras {
    /// Addresses can be clicked (OSC 8).
    pub links: bool,
    /// The tab shows that something runs (OSC 9;4).
    pub progress: bool,
}

impl TerminalExtras {
    /// What the settings want of the terminal that the environment describes.
    pub fn of(ui: &UiSettings, env: impl Fn(&str) -> Option<String>) -> Self {
        let get = |name: &str| env(name).unwrap_or_default();
        Self {
            links: ui.links.holds(knows_links(&get)),
            progress: ui.progress.holds(knows_progress(&get)) && !is_simple(&get("TERM")),
        }
    }
}

fn is_simple(term: &str) -> bool {
    matches!(term, "" | "dumb" | "linux")
}

/// Terminals ignore an address that they do not know; multiplexers may show it.
fn knows_links(get: &impl Fn(&str) -> String) -> bool {
    if is_simple(&get("TERM")) || !get("STY").is_empty() {
        return false;
    }
    if !get("TMUX").is_empty() {
        let version = tmux_version(&get("TERM_PROGRAM_VERSION"));
        return get("TERM_PROGRAM") == "tmux" && version >= Some(TMUX_WITH_LINKS);
    }
    get("VTE_VERSION")
        .parse::<u32>()
        .map_or(true, |version| version >= VTE_WITH_LINKS)
}

/// `3.4`, `3.5a`, `next-3.6`.
fn tmux_version(text: &str) -> Option<(u32, u32)> {
    let text = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let (major, minor) = text.split_once('.')?;
    let minor = minor.split(|c: char| !c.is_ascii_digit()).next()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Terminals that do not know progress may take it for a notification: only those that are
/// known are told. A multiplexer passes it on to nobody.
fn knows_progress(get: &impl Fn(&str) -> String) -> bool {
    let is_set = |name: &str| !get(name).is_empty();
    if is_set("TMUX") || is_set("STY") || is_set("ZELLIJ") {
        return false;
    }
    let vte = get("VTE_VERSION").parse::<u32>();
    is_set("WT_SESSION")
        || get("ConEmuANSI") == "ON"
        || get("TERM_PROGRAM") == "ghostty"
        || is_set("GHOSTTY_RESOURCES_DIR")
        || vte.is_ok_and(|version| version >= VTE_WITH_PROGRESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::WhereKnown;

    fn extras(pairs: &[(&str, &str)], ui: &UiSettings) -> (bool, bool) {
        let found = TerminalExtras::of(ui, |name| {
            let pair = pairs.iter().find(|(key, _)| *key == name);
            pair.map(|(_, value)| (*value).to_owned())
        });
        (found.links, found.progress)
    }

    #[test]
    fn simple_terminals_and_old_multiplexers_get_no_links() {
        let tmux = |version| {
            [
                ("TERM", "tmux-256color"),
                ("TMUX", "x"),
                ("TERM_PROGRAM", "tmux"),
                ("TERM_PROGRAM_VERSION", version),
            ]
        };
        for (pairs, expected) in [
            (&[("TERM", "dumb")][..], false),
            (&[("TERM", "linux")], false),
            (&[], false),
            (&[("TERM", "screen"), ("STY", "1.x")], false),
            (&[("TERM", "tmux-256color"), ("TMUX", "x")], false),
            (&tmux("3.3a"), false),
            (&tmux("3.4"), true),
            (&tmux("next-3.10"), true),
            (&[("TERM", "xterm-256color")], true),
            (
                &[("TERM", "xterm-256color"), ("VTE_VERSION", "4800")],
                false,
            ),
            (&[("TERM", "xterm-256color"), ("VTE_VERSION", "7600")], true),
        ] {
            let (links, _) = extras(pairs, &UiSettings::default());
            assert_eq!(links, expected, "{pairs:?}");
        }
    }

    #[test]
    fn progress_is_for_terminals_that_are_known_to_show_it() {
        let ghostty = [("TERM", "xterm-ghostty"), ("TERM_PROGRAM", "ghostty")];
        for (pairs, expected) in [
            (&ghostty[..], true),
            (&[("TERM", "xterm-256color"), ("WT_SESSION", "x")], true),
            (&[("TERM", "xterm-kitty"), ("KITTY_WINDOW_ID", "1")], false),
            (&[("TERM", "xterm-256color")], false),
            (
                &[("TERM", "tmux"), ("TMUX", "x"), ("WT_SESSION", "x")],
                false,
            ),
        ] {
            let (_, progress) = extras(pairs, &UiSettings::default());
            assert_eq!(progress, expected, "{pairs:?}");
        }
    }

    #[test]
    fn the_settings_come_before_what_is_known() {
        let wanted = |links, progress| UiSettings {
            links,
            progress,
            ..UiSettings::default()
        };
        let (on, off) = (WhereKnown::On, WhereKnown::Off);
        let kitty = [("TERM", "xterm-kitty")];
        assert_eq!(extras(&kitty, &wanted(on, on)), (true, true));
        assert_eq!(extras(&kitty, &wanted(off, off)), (false, false));
        let dumb = [("TERM", "dumb")];
        assert_eq!(extras(&dumb, &wanted(on, on)), (true, false));
    }
}
