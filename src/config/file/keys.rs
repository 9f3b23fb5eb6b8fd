//! `[keys.PLACE]` tables: which keys do what. Here they are only read; whether a place,
//! an action or a key exists is known to who has the table of keys.

use toml::de::{DeTable, DeValue};

use super::toml_text::{TomlText, to_value, type_name};
use crate::config::error::ConfigError;
use crate::config::origin::SettingOrigin;
use crate::config::settings::KeyChange;
use crate::config::value::SettingValue;

/// The bindings of one file for one action, before the layer of the file is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyPatch {
    place: String,
    action: String,
    keys: Vec<String>,
    /// From 1.
    pub line: usize,
}

impl KeyPatch {
    /// The setting that this is, as one writes it.
    pub(crate) fn key(&self) -> String {
        format!("keys.{}.{}", self.place, self.action)
    }

    /// Replaces what an earlier layer said of the same action.
    pub(crate) fn apply(self, origin: SettingOrigin, changes: &mut Vec<KeyChange>) {
        changes.retain(|old| old.place != self.place || old.action != self.action);
        changes.push(KeyChange {
            place: self.place,
            action: self.action,
            keys: self.keys,
            origin,
        });
    }
}

/// One table of `keys`.
///
/// # Errors
///
/// A value that is neither a text nor a list of texts, with file and line.
pub(crate) fn table(
    name: &str,
    table: &DeTable<'_>,
    place: TomlText<'_>,
) -> Result<Vec<KeyPatch>, ConfigError> {
    let read = |action: &str, value: &DeValue<'_>, line: usize| {
        let keys = keys(value).ok_or_else(|| {
            ConfigError::new(format!(
                "{}:{line}: `keys.{name}.{action}` is {}; expected a key, a list of keys, or none",
                place.name,
                type_name(value)
            ))
        })?;
        Ok(KeyPatch {
            place: name.to_owned(),
            action: action.to_owned(),
            keys,
            line,
        })
    };
    let rows = table.iter().map(|(action, value)| {
        let line = place.line(action.span().start);
        read(action.get_ref(), value.get_ref(), line)
    });
    rows.collect()
}

/// `"ctrl-x"`, `["ctrl-x", "f3"]`, or `"none"` and `[]` for no key.
fn keys(value: &DeValue<'_>) -> Option<Vec<String>> {
    match to_value(value)? {
        SettingValue::Text(text) if text == "none" => Some(Vec::new()),
        SettingValue::Text(text) => Some(vec![text]),
        SettingValue::List(items) => items
            .iter()
            .map(|item| item.as_text().map(str::to_owned))
            .collect(),
        _ => None,
    }
}
