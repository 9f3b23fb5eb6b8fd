//! The type of a table row, how one is written, and the bounds that several share.
//!
//! Invariant: the default of a row is what [`Settings::default`] holds; no row repeats it.

use super::super::value::SettingValue;
use super::applies::ChangeEffect;
use super::kind::SettingKind;
use crate::config::settings::Settings;

/// One row of the table.
#[derive(Clone, Copy)]
pub struct Setting {
    /// Dotted name, e.g. `prune.soft_ratio`.
    pub key: &'static str,
    /// When a change of it counts, and who takes it over.
    pub applies: ChangeEffect,
    /// The accepted values.
    pub kind: SettingKind,
    /// The meaning of no value; `None` when it always has one.
    pub unset: Option<&'static str>,
    /// One sentence.
    pub help: &'static str,
    /// Names of the same thing in other systems.
    pub aliases: &'static [SettingAlias],
    /// A project's file may set it only when the directory is trusted. That is so unless the
    /// row says otherwise, and those that do only cut what is in the request already: they
    /// choose neither who is asked nor how often, tell the model nothing, run nothing, hide
    /// nothing and weaken nothing.
    pub trusted_only: bool,
    pub(super) get: fn(&Settings) -> SettingValue,
    pub(super) set: fn(&mut Settings, &SettingValue) -> bool,
}

/// A name of a setting in another system, with what its values mean here. It is
/// accepted as written here, and with the setting's own section in front.
pub struct SettingAlias {
    /// E.g. `softTrimRatio`.
    pub name: &'static str,
    /// How to read its values, where they differ from ours.
    pub(in crate::config) convert: Option<fn(&SettingValue) -> Option<SettingValue>>,
}

impl SettingAlias {
    /// The value here that a foreign one means; `None` when it means nothing here.
    pub fn convert(&self, value: &SettingValue) -> Option<SettingValue> {
        match self.convert {
            Some(convert) => convert(value),
            None => Some(value.clone()),
        }
    }
}

impl Setting {
    /// The value in `settings`.
    pub fn get(&self, settings: &Settings) -> SettingValue {
        (self.get)(settings)
    }

    /// Puts a value into `settings`.
    ///
    /// # Errors
    ///
    /// What would have been accepted, when the value is of the wrong kind or out of range;
    /// `settings` are unchanged then.
    pub fn set(&self, settings: &mut Settings, value: &SettingValue) -> Result<(), String> {
        let fits = match value {
            SettingValue::None => self.unset.is_some(),
            value => self.kind.accepts(value),
        };
        if fits && (self.set)(settings, value) {
            Ok(())
        } else {
            Err(self.expected())
        }
    }

    /// The accepted values, in words.
    pub fn expected(&self) -> String {
        let kind = self.kind.expected();
        if self.unset.is_some() {
            format!("{kind}, or none")
        } else {
            kind
        }
    }

    /// The value that a text from a variable or a flag means.
    pub fn parse_text(&self, text: &str) -> SettingValue {
        if self.unset.is_some() && matches!(text.trim(), "none" | "") {
            SettingValue::None
        } else {
            self.kind.parse_text(text)
        }
    }

    /// The value that a file means: a setting that can be left out is unset by `"none"`,
    /// which a preset below may have set.
    pub fn written(&self, value: SettingValue) -> SettingValue {
        if self.unset.is_some() && value.as_text() == Some("none") {
            SettingValue::None
        } else {
            value
        }
    }

    /// The default as text.
    pub fn default_text(&self) -> String {
        self.get(&Settings::default()).to_string()
    }

    /// Everything before the last dot of the key: `prune.soft`; empty at the top.
    pub fn section(&self) -> &'static str {
        self.key.rsplit_once('.').map_or("", |(section, _)| section)
    }

    /// The environment variable that sets it: `PLIMSOLL_PRUNE_SOFT_RATIO`.
    pub fn variable(&self) -> String {
        format!("PLIMSOLL_{}", self.key.replace('.', "_").to_uppercase())
    }

    /// The alias that `key` is, if it is one of this setting.
    pub(super) fn alias(&self, key: &str) -> Option<&'static SettingAlias> {
        let top = self.key.split('.').next().unwrap_or_default();
        let bare = key.strip_prefix(top).and_then(|k| k.strip_prefix('.'));
        self.aliases
            .iter()
            .find(|alias| alias.name == key || Some(alias.name) == bare)
    }
}

/// No model has a larger window by far; a larger number is a slip.
pub(super) const MAX_TOKENS: u64 = 1_000_000_000;
/// Larger than any tool result that fits into memory comfortably.
pub(super) const MAX_CHARS: u64 = 1_000_000_000;
/// A week: nothing in the program waits for longer.
pub(super) const MAX_SECS: u64 = 604_800;
/// Longer than any conversation.
pub(super) const MAX_TURNS: u64 = 1_000_000;

pub(super) const fn int(min: u64, max: u64, unit: &'static str) -> SettingKind {
    SettingKind::Int { min, max, unit }
}

pub(super) const TOKENS: SettingKind = int(0, MAX_TOKENS, "tokens");
pub(super) const CHARS: SettingKind = int(0, MAX_CHARS, "characters");
pub(super) const SECS: SettingKind = int(1, MAX_SECS, "seconds");
pub(super) const TEXTS: SettingKind = SettingKind::List(&SettingKind::Text);

macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

/// One row. `unset` says what `none` means; `trusted false` opens the setting to projects
/// that are not trusted.
macro_rules! row {
    ($key:literal, $($field:ident).+, $applies:expr, $kind:expr, $help:literal $(, unset $unset:literal)?
        $(, trusted $trusted:literal)? $(, alias $($alias:literal $(=> $convert:ident)?),+)?) => {
        $crate::config::table::row::Setting {
            key: $key,
            applies: $applies,
            kind: $kind,
            unset: $crate::config::table::row::optional!($($unset)?),
            help: $help,
            aliases: &[$($($crate::config::table::row::SettingAlias { name: $alias, convert: $crate::config::table::row::optional!($($convert)?) }),+)?],
            trusted_only: true $(&& $trusted)?,
            get: |settings| $crate::config::table::field::SettingField::to_value(&settings.$($field).+),
            set: |settings, value| match $crate::config::table::field::SettingField::from_value(value) {
                Some(field) => {
                    settings.$($field).+ = field;
                    true
                }
                None => false,
            },
        }
    };
}

pub(super) use {optional, row};
