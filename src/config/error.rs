//! A configuration that cannot be used, in words for the user.

use std::fmt;

use super::origin::SettingOrigin;

/// A configuration that cannot be used. Nothing of it takes effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    /// The error and its place, one sentence.
    pub message: String,
    /// The next step.
    pub hint: Option<String>,
}

impl ConfigError {
    /// An error without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }

    /// The error with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A value of the wrong kind or out of range.
    pub fn bad_value(
        origin: &SettingOrigin,
        key: &str,
        value: impl fmt::Display,
        expected: &str,
    ) -> Self {
        Self::new(format!("{origin}: `{key}` is {value}; expected {expected}"))
    }
}
