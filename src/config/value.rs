//! Values of settings, as a file, a variable or a flag says them.
//!
//! Not a general data format: only what the table of settings needs.

use std::fmt;

use crate::transcript::ModelRef;

/// A value as it was written, before it is a field.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// Not set.
    None,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Another number.
    Float(f64),
    /// A text.
    Text(String),
    /// Several.
    List(Vec<SettingValue>),
}

impl SettingValue {
    /// The text, when it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, whole or not.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Int(n) => Some(*n as f64),
            Self::Float(x) if x.is_finite() => Some(*x),
            _ => None,
        }
    }
}

/// As TOML writes it; `none` for [`SettingValue::None`].
impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Int(n) => write!(f, "{n}"),
            Self::Float(x) => write!(f, "{x:?}"),
            Self::Text(text) => write!(f, "{}", toml::Value::String(text.clone())),
            Self::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
        }
    }
}

/// `provider/model`; the model may contain further slashes.
pub fn parse_model(text: &str) -> Option<ModelRef> {
    let (provider, model) = text.trim().split_once('/')?;
    let plain = |part: &str| !part.is_empty() && !part.chars().any(char::is_control);
    (plain(provider) && !provider.contains(char::is_whitespace) && plain(model))
        .then(|| ModelRef::new(provider, model))
}
