//! The table of keys with what the user binds otherwise laid over it.
//!
//! Invariant: within a place no key does two things, and every action of the table has a
//! row, with keys or without.

use crossterm::event::KeyEvent;

use super::{Action, Binding, Chord, Context, bindings};
use crate::config::{ConfigError, KeyChange};
use crate::transcript::nearest_name;

/// One action with the keys that it has now.
#[derive(Clone, Debug)]
pub struct Row {
    /// Where, what, in words.
    pub binding: &'static Binding,
    /// The keys by name; empty when nothing is bound to it.
    pub keys: Vec<String>,
    chords: Vec<Chord>,
    /// Where the user said so; `None` for the usual keys.
    said: Option<String>,
}

/// The actions of all keys.
#[derive(Clone, Debug)]
pub struct Keymap {
    rows: Vec<Row>,
}

impl Default for Keymap {
    /// The usual keys.
    fn default() -> Self {
        let row = |binding: &'static Binding| Row {
            binding,
            keys: binding.keys.iter().map(|key| (*key).to_owned()).collect(),
            chords: binding
                .keys
                .iter()
                .filter_map(|key| Chord::parse(key))
                .collect(),
            said: None,
        };
        Self {
            rows: bindings().map(row).collect(),
        }
    }
}

impl Keymap {
    /// The usual keys with these changes, and a remark for each usual key that a change
    /// takes from another action.
    ///
    /// # Errors
    ///
    /// A place, an action or a key that does not exist, with the nearest that does; the
    /// same key for two actions of a place.
    pub fn configured(changes: &[KeyChange]) -> Result<(Self, Vec<String>), ConfigError> {
        let mut keymap = Self::default();
        for change in changes {
            keymap.change(change)?;
        }
        keymap.check()?;
        let remarks = keymap.yield_taken_keys();
        Ok((keymap, remarks))
    }

    /// The keymap of a chat that reads lines: no key does anything, so none is named.
    #[must_use]
    pub fn without_keys(mut self) -> Self {
        for row in &mut self.rows {
            row.keys.clear();
            row.chords.clear();
        }
        self
    }

    /// All rows, in the order of help.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The first key that does something, by name; `None` when no key does.
    pub fn key_of(&self, action: Action) -> Option<&str> {
        let mut rows = self.rows.iter().filter(|row| row.binding.action == action);
        rows.find_map(|row| row.keys.first()).map(String::as_str)
    }

    /// The action of a key in the first of these contexts that knows it.
    pub fn action(&self, key: KeyEvent, contexts: &[Context]) -> Option<Action> {
        let find = |context: &Context| {
            let mut rows = self
                .rows
                .iter()
                .filter(|row| row.binding.context == *context);
            rows.find(|row| row.chords.iter().any(|chord| chord.matches(key)))
        };
        contexts.iter().find_map(find).map(|row| row.binding.action)
    }

    fn change(&mut self, change: &KeyChange) -> Result<(), ConfigError> {
        let context = place(change)?;
        let chords = change.keys.iter().map(|key| chord(change, key));
        let chords = chords.collect::<Result<Vec<_>, _>>()?;
        let allows_characters = match context {
            Context::Empty | Context::Boundary | Context::Search => true,
            Context::Screen(screen) => !screen.takes_text(),
            Context::Question | Context::List | Context::Recall | Context::Main => false,
        };
        if !allows_characters && chords.iter().any(|chord| chord.is_text()) {
            return Err(ConfigError::new(format!(
                "{}: `keys.{}.{}` is a character, which could not be typed any more",
                change.origin, change.place, change.action
            ))
            .with_hint("add ctrl or alt, or bind it in `keys.empty`"));
        }
        let mut is_known = false;
        for row in &mut self.rows {
            if row.binding.context != context || row.binding.name != change.action {
                continue;
            }
            // Rows of one name are one action with a key of its own each.
            let first = !std::mem::replace(&mut is_known, true);
            row.keys = if first {
                change.keys.clone()
            } else {
                Vec::new()
            };
            row.chords = if first { chords.clone() } else { Vec::new() };
            row.said = Some(change.origin.to_string());
        }
        if is_known {
            return Ok(());
        }
        let names = || {
            let own = bindings().filter(|binding| binding.context == context);
            own.map(|binding| binding.name)
        };
        Err(unknown(
            change,
            &format!("no action `{}` in `keys.{}`", change.action, change.place),
            nearest_name(&change.action, names()),
            &format!("its actions: {}", listed(names())),
        ))
    }

    /// Two actions that the user gave the same key.
    fn check(&self) -> Result<(), ConfigError> {
        let said = || self.rows.iter().filter(|row| row.said.is_some());
        for (at, row) in said().enumerate() {
            let others = || {
                said()
                    .skip(at + 1)
                    .filter(|it| it.binding.context == row.binding.context)
            };
            for (key, chord) in row.keys.iter().zip(&row.chords) {
                let Some(other) = others().find(|other| other.chords.contains(chord)) else {
                    continue;
                };
                let (place, said) = (row.binding.context.name(), other.said.as_deref());
                return Err(ConfigError::new(format!(
                    "{}: `keys.{place}.{}` has the key {key}, and so has `keys.{place}.{}`",
                    said.unwrap_or_default(),
                    other.binding.name,
                    row.binding.name,
                ))
                .with_hint("give one of them another key, or none"));
            }
        }
        Ok(())
    }

    /// A remark for each key that a screen has now instead of what several screens share.
    fn shadowed(&self, bound: &[BoundKey]) -> Vec<String> {
        let mut remarks = Vec::new();
        for taker in bound {
            let Context::Screen(screen) = taker.context else {
                continue;
            };
            let shared = screen.shared().map(Context::Screen);
            let rows = self.rows.iter();
            for row in rows.filter(|row| Some(row.binding.context) == shared) {
                let at = row.chords.iter().position(|it| *it == taker.chord);
                if let Some(key) = at.and_then(|at| row.keys.get(at)) {
                    remarks.push(format!(
                        "{key} is `keys.{}.{}` there, not `keys.{}.{}`",
                        screen.name(),
                        taker.name,
                        row.binding.context.name(),
                        row.binding.name
                    ));
                }
            }
        }
        remarks
    }

    /// Takes the user's keys from the actions that usually have them.
    fn yield_taken_keys(&mut self) -> Vec<String> {
        let bound: Vec<BoundKey> = self
            .rows
            .iter()
            .filter(|row| row.said.is_some())
            .flat_map(|row| {
                let (context, name) = (row.binding.context, row.binding.name);
                row.chords.iter().map(move |&chord| BoundKey {
                    context,
                    chord,
                    name,
                })
            })
            .collect();
        let mut remarks = self.shadowed(&bound);
        for row in self.rows.iter_mut().filter(|row| row.said.is_none()) {
            let context = row.binding.context;
            let mut at = 0;
            while let Some(chord) = row.chords.get(at).copied() {
                let found = bound
                    .iter()
                    .find(|it| (it.context, it.chord) == (context, chord));
                let Some(BoundKey { name: taker, .. }) = found else {
                    at += 1;
                    continue;
                };
                row.chords.remove(at);
                let key = row.keys.remove(at);
                remarks.push(format!(
                    "{key} is `keys.{place}.{taker}` now, no longer `keys.{place}.{}`",
                    row.binding.name,
                    place = context.name(),
                ));
            }
        }
        remarks
    }
}

/// A key that the user bound.
struct BoundKey {
    context: Context,
    chord: Chord,
    /// The action.
    name: &'static str,
}

fn place(change: &KeyChange) -> Result<Context, ConfigError> {
    let names = || Context::all().map(Context::name);
    let found = Context::all().find(|it| it.name() == change.place);
    found.ok_or_else(|| {
        unknown(
            change,
            &format!("`keys.{}` is no place for keys", change.place),
            nearest_name(&change.place, names()),
            &format!("places: {}", listed(names())),
        )
    })
}

fn chord(change: &KeyChange, key: &str) -> Result<Chord, ConfigError> {
    Chord::parse(key).ok_or_else(|| {
        ConfigError::new(format!(
            "{}: `keys.{}.{}` is {key:?}, which is not a key",
            change.origin, change.place, change.action
        ))
        .with_hint("keys are written like enter, pageup, f3, x, ctrl-x, alt-enter, shift-tab")
    })
}

/// Names in their order, each once.
fn listed(names: impl Iterator<Item = &'static str>) -> String {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen.join(", ")
}

fn unknown(change: &KeyChange, what: &str, near: Option<&str>, otherwise: &str) -> ConfigError {
    let hint = near.map_or_else(
        || otherwise.to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    ConfigError::new(format!("{}: {what}", change.origin)).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::resolve;
    use crate::config::{SettingOrigin, SettingSources, SourceFile};
    use crate::tui::keymap::{Screen, ScreenAction};

    /// The changes in a user's file of this text.
    fn changes(text: &str) -> Vec<KeyChange> {
        let sources = SettingSources {
            user_file: Some(SourceFile {
                path: "/c.toml".into(),
                text: text.to_owned(),
            }),
            ..SettingSources::default()
        };
        resolve(&sources).unwrap().settings.ui.keys
    }

    fn configured(text: &str) -> (Keymap, Vec<String>) {
        Keymap::configured(&changes(text)).unwrap()
    }

    fn does(keymap: &Keymap, key: &str) -> Option<Action> {
        keymap.action(super::super::event(key).unwrap(), &[Context::Main])
    }

    #[test]
    fn keys_are_replaced_listed_and_unbound() {
        let (keymap, remarks) = configured(
            "[keys.main]\nhelp = \"f5\"\nnewline = [\"ctrl-j\", \"alt-j\"]\nsuspend = \"none\"\nyank = []",
        );
        assert_eq!(does(&keymap, "f5"), Some(Action::Help));
        assert_eq!(does(&keymap, "f1"), None);
        assert_eq!(does(&keymap, "alt-j"), Some(Action::Newline));
        assert_eq!(does(&keymap, "shift-enter"), None);
        assert_eq!(does(&keymap, "ctrl-z"), None);
        assert_eq!(does(&keymap, "ctrl-y"), None);
        assert_eq!(remarks, Vec::<String>::new());
    }

    #[test]
    fn a_key_that_is_taken_leaves_its_usual_action_and_says_so() {
        let (keymap, remarks) = configured("[keys.main]\nhelp = \"ctrl-g\"");
        assert_eq!(does(&keymap, "ctrl-g"), Some(Action::Help));
        assert_eq!(
            remarks,
            ["ctrl-g is `keys.main.help` now, no longer `keys.main.editor`"]
        );
        let editor = keymap
            .rows()
            .iter()
            .find(|row| row.binding.name == "editor");
        assert!(editor.is_some_and(|row| row.keys.is_empty()));
        // The key is free in other contexts.
        let (_, remarks) = configured("[keys.empty]\nexit = \"ctrl-g\"");
        assert_eq!(remarks, Vec::<String>::new());
    }

    #[test]
    fn a_key_of_a_screen_goes_before_the_one_that_screens_share_and_says_so() {
        let (keymap, remarks) = configured("[keys.ledger]\nsort = \"j\"");
        let j = super::super::event("j").unwrap();
        assert_eq!(
            keymap.screen_action(Screen::Ledger, j),
            Some(ScreenAction::Sort)
        );
        assert_eq!(
            keymap.screen_action(Screen::Summaries, j),
            Some(ScreenAction::Scroll(crate::tui::widget::ScrollMotion::Down))
        );
        assert_eq!(
            remarks,
            ["j is `keys.ledger.sort` there, not `keys.reading.down`"]
        );
        let rows = keymap.screen_rows(Screen::Ledger);
        let down = rows.iter().find(|row| row.row.binding.name == "down");
        assert!(down.is_some_and(|row| row.keys == ["down", "ctrl-n"]));
    }

    #[test]
    fn letters_are_keys_of_screens_but_not_where_they_are_typed() {
        let error = |text: &str| Keymap::configured(&changes(text)).unwrap_err().message;
        assert!(error("[keys.palette]\nopen = \"o\"").contains("could not be typed"));
        assert!(error("[keys.find]\nkeep = \"o\"").contains("could not be typed"));
        configured("[keys.review]\naccept = \"o\"");
        let twice = error("[keys.review]\naccept = \"o\"\nretry = \"o\"");
        assert!(
            twice.contains("`keys.review.retry` has the key o"),
            "{twice}"
        );
        let hint = Keymap::configured(&changes("[keys.undo]\nqqqqqqqq = \"o\""));
        let hint = hint.unwrap_err().hint.unwrap();
        assert_eq!(hint, "its actions: confirm");
    }

    #[test]
    fn slips_name_the_line_and_what_was_meant() {
        let error = |text: &str| {
            let error = Keymap::configured(&changes(text)).unwrap_err();
            format!("{} | {}", error.message, error.hint.unwrap_or_default())
        };
        assert_eq!(
            error("\n[keys.main]\nnewlin = \"f5\""),
            "/c.toml:3: no action `newlin` in `keys.main` | did you mean `newline`?"
        );
        assert_eq!(
            error("[keys.mainn]\nhelp = \"f5\""),
            "/c.toml:2: `keys.mainn` is no place for keys | did you mean `main`?"
        );
        assert!(error("[keys.main]\nhelp = \"ctrl-f99\"").starts_with(
            "/c.toml:2: `keys.main.help` is \"ctrl-f99\", which is not a key | keys are written"
        ));
        let typed = error("[keys.main]\nhelp = \"h\"");
        assert!(typed.contains("could not be typed"), "{typed}");
        let answer = error("[keys.question]\nchoose = \"y\"");
        assert!(answer.contains("could not be typed"), "{answer}");
        let twice = error("[keys.main]\nhelp = \"f5\"\neditor = \"F5\"");
        assert!(twice.contains("and so has"), "{twice}");
    }

    #[test]
    fn flags_win_over_files_and_later_ones_over_earlier_ones() {
        let sources = SettingSources {
            user_file: Some(SourceFile {
                path: "/c.toml".into(),
                text: "keys.main.help = \"f5\"".to_owned(),
            }),
            flags: vec![crate::config::FlagSetting {
                key: "keys.main.help".to_owned(),
                value: crate::config::SettingValue::Text("f6".to_owned()),
                flag: "-S".to_owned(),
                adds: false,
            }],
            ..SettingSources::default()
        };
        let keys = resolve(&sources).unwrap().settings.ui.keys;
        assert_eq!(keys.len(), 1);
        assert_eq!(keys[0].origin, SettingOrigin::Flag("-S".to_owned()));
        let (keymap, _) = Keymap::configured(&keys).unwrap();
        assert_eq!(does(&keymap, "f6"), Some(Action::Help));
        assert_eq!(does(&keymap, "f5"), None);
    }

    #[test]
    fn a_project_that_is_not_trusted_binds_no_keys() {
        let sources = SettingSources {
            project_file: Some(SourceFile {
                path: "/p/.plimsoll/config.toml".into(),
                text: "keys.main.send = \"a\"".to_owned(),
            }),
            ..SettingSources::default()
        };
        let resolved = resolve(&sources).unwrap();
        assert_eq!(resolved.settings.ui.keys, []);
        assert!(resolved.notices[0].contains("keys.main.send"));
    }
}
