//! Bytes that call the user from another window: notifications, the bell, the window's
//! title. Text only; who writes it, and when, is decided elsewhere.
//!
//! Invariant: foreign words in it cannot end the sequence that holds them.

use crate::config::NotifyMethod;
use crate::tui::render::safe;

/// Terminals cut or wrap longer ones.
const MAX_COLUMNS: usize = 80;
/// The bell.
const BELL: &str = "\u{7}";

/// Writes the title down, on the terminal's own stack.
pub(super) const KEEP_TITLE: &str = "\u{1b}[22;2t";
/// Takes ours away; where the terminal has a stack, the old one comes back.
pub(super) const GIVE_TITLE_BACK: &str = "\u{1b}]2;\u{7}\u{1b}[23;2t";

/// The facts of the terminal that calls have to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// How to call; never `Auto`.
    method: NotifyMethod,
    /// tmux passes on only what is wrapped for it.
    is_tmux: bool,
    /// Whether there is a title.
    has_title: bool,
}

impl Line {
    /// The terminal as the environment describes it; `method` is the user's choice.
    pub fn from_env(method: NotifyMethod, env: impl Fn(&str) -> Option<String>) -> Self {
        let get = |name: &str| env(name).unwrap_or_default();
        let term = get("TERM");
        let is_tmux = !get("TMUX").is_empty();
        let method = match method {
            NotifyMethod::Auto => known_method(&get, &term),
            chosen => chosen,
        };
        Self {
            method,
            is_tmux,
            has_title: !matches!(term.as_str(), "" | "dumb" | "linux"),
        }
    }

    /// Calls the user with a sentence. Empty when nothing is to be written.
    pub fn call(self, text: &str) -> String {
        let text = safe::one_line(text, MAX_COLUMNS);
        let sequence = match self.method {
            NotifyMethod::Osc9 => format!("\u{1b}]9;{text}\u{7}"),
            // The fields are separated by semicolons.
            NotifyMethod::Osc777 => {
                format!("\u{1b}]777;notify;plimsoll;{}\u{7}", text.replace(';', ","))
            }
            // tmux marks the window by itself; wrapped, it would not.
            NotifyMethod::Bell | NotifyMethod::Auto => return BELL.to_owned(),
            NotifyMethod::None => return String::new(),
        };
        if self.is_tmux {
            let doubled = sequence.replace('\u{1b}', "\u{1b}\u{1b}");
            return format!("\u{1b}Ptmux;{doubled}\u{1b}\\");
        }
        sequence
    }

    /// Names the window. Empty when it has no name.
    pub fn title(self, text: &str) -> String {
        if !self.has_title {
            return String::new();
        }
        format!("\u{1b}]2;{}\u{7}", safe::one_line(text, MAX_COLUMNS))
    }

    /// Whether there is a title to keep and to give back.
    pub fn has_title(self) -> bool {
        self.has_title
    }
}

/// The bell is understood everywhere, the others only where they are known to be. Inside
/// tmux the variables of the terminal outside are often still there.
fn known_method(get: &impl Fn(&str) -> String, term: &str) -> NotifyMethod {
    let program = get("TERM_PROGRAM");
    let is_set = |name: &str| !get(name).is_empty();
    if matches!(
        program.as_str(),
        "iTerm.app" | "WezTerm" | "ghostty" | "kitty"
    ) || get("LC_TERMINAL") == "iTerm2"
        || is_set("KITTY_WINDOW_ID")
        || is_set("WEZTERM_PANE")
        || is_set("GHOSTTY_RESOURCES_DIR")
        || matches!(term, "xterm-kitty" | "xterm-ghostty" | "wezterm")
    {
        NotifyMethod::Osc9
    } else if term.starts_with("rxvt-unicode") || term.starts_with("foot") {
        NotifyMethod::Osc777
    } else {
        NotifyMethod::Bell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(method: NotifyMethod, pairs: &[(&str, &str)]) -> Line {
        Line::from_env(method, |name| {
            let pair = pairs.iter().find(|(key, _)| *key == name);
            pair.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn terminals_are_called_as_they_understand() {
        for (pairs, expected) in [
            (&[("TERM", "xterm-kitty")][..], "\u{1b}]9;done\u{7}"),
            (&[("TERM", "foot")], "\u{1b}]777;notify;plimsoll;done\u{7}"),
            (&[("TERM", "xterm-256color")], "\u{7}"),
            (&[], "\u{7}"),
            (
                &[
                    ("TERM", "tmux-256color"),
                    ("TMUX", "x"),
                    ("KITTY_WINDOW_ID", "1"),
                ],
                "\u{1b}Ptmux;\u{1b}\u{1b}]9;done\u{7}\u{1b}\\",
            ),
            (&[("TERM", "tmux-256color"), ("TMUX", "x")], "\u{7}"),
        ] {
            assert_eq!(
                line(NotifyMethod::Auto, pairs).call("done"),
                expected,
                "{pairs:?}"
            );
        }
        let kitty = &[("TERM", "xterm-kitty")];
        assert_eq!(line(NotifyMethod::Bell, kitty).call("done"), "\u{7}");
        assert_eq!(line(NotifyMethod::None, kitty).call("done"), "");
    }

    #[test]
    fn foreign_words_do_not_end_the_sequence() {
        let hostile = "a\u{7}b\u{1b}]52;c;eA==\u{7}\u{9c}\u{202e}c\n;d";
        for method in [NotifyMethod::Osc9, NotifyMethod::Osc777] {
            let line = line(method, &[("TERM", "xterm")]);
            for sequence in [line.call(hostile), line.title(hostile)] {
                let inner = sequence.strip_prefix('\u{1b}').unwrap();
                let inner = inner.strip_suffix('\u{7}').unwrap();
                assert!(
                    !inner.contains(|c: char| c.is_control() || c == '\u{202e}'),
                    "{inner:?}"
                );
            }
        }
    }

    #[test]
    fn simple_terminals_have_no_title() {
        for term in ["dumb", "linux"] {
            assert_eq!(line(NotifyMethod::Auto, &[("TERM", term)]).title("x"), "");
        }
        assert_eq!(
            line(NotifyMethod::Auto, &[("TERM", "xterm")]).title("x"),
            "\u{1b}]2;x\u{7}"
        );
    }
}
