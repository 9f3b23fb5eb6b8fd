//! A key that a person enters. It is in an op and where keys are kept, nowhere else.

use std::fmt;

use secrecy::{ExposeSecret as _, SecretString};

use crate::config::ConfigError;

/// A key on its way from the keyboard to the file of keys. Never printed.
#[derive(Clone)]
pub struct EnteredKey(SecretString);

impl EnteredKey {
    /// The key in what was typed or pasted.
    ///
    /// # Errors
    ///
    /// What was typed is not a key.
    pub fn new(text: &str) -> Result<Self, ConfigError> {
        crate::config::secrets::entered(text).map(Self)
    }
}

impl EnteredKey {
    /// The key itself, for the file of keys.
    pub(crate) fn secret(&self) -> &SecretString {
        &self.0
    }
}

impl fmt::Debug for EnteredKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EnteredKey(…)")
    }
}

impl PartialEq for EnteredKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.expose_secret() == other.0.expose_secret()
    }
}
