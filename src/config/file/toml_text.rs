//! TOML of a configuration as text: where something is in it, and its values as ours.

use toml::de::DeValue;

use crate::config::value::SettingValue;

/// A text and the name that error messages begin with, to find line numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TomlText<'a> {
    /// The file's name as shown.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

impl TomlText<'_> {
    /// The line (from 1) of a byte offset.
    pub(crate) fn line(self, offset: usize) -> usize {
        let newlines = self.text.bytes().take(offset).filter(|b| *b == b'\n');
        newlines.count() + 1
    }

    /// `file:line`.
    pub(crate) fn at(self, offset: usize) -> String {
        format!("{}:{}", self.name, self.line(offset))
    }
}

/// `an integer`, `a table`, …
pub(crate) fn type_name(value: &DeValue<'_>) -> String {
    let name = value.type_str();
    let article = if name.starts_with(['a', 'i']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}

/// The value, unless it is a date, a table or a number beyond 64 bits.
pub(crate) fn to_value(value: &DeValue<'_>) -> Option<SettingValue> {
    match value {
        DeValue::String(text) => Some(SettingValue::Text(text.to_string())),
        DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix())
            .ok()
            .map(SettingValue::Int),
        DeValue::Float(x) => x.as_str().parse().ok().map(SettingValue::Float),
        DeValue::Boolean(b) => Some(SettingValue::Bool(*b)),
        DeValue::Array(items) => items
            .iter()
            .map(|item| to_value(item.get_ref()))
            .collect::<Option<Vec<_>>>()
            .map(SettingValue::List),
        DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}
