//! Settings of one model.

use crate::config::table::field::SettingField;
use crate::config::value::SettingValue;
use crate::context::Threshold;

/// The differences of one model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelOverride {
    /// The user's own number for its window; 0 means unknown.
    pub window_tokens: Option<u64>,
    /// Never use more of its window than this.
    pub cap_tokens: Option<u64>,
    /// Its load line.
    pub threshold: Option<Threshold>,
    /// Tokens kept free for its answer.
    pub reserved_tokens: Option<u64>,
}

impl ModelOverride {
    /// The set values, by key.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, SettingValue)> {
        let all = [
            ("window", self.window_tokens.to_value()),
            ("cap", self.cap_tokens.to_value()),
            ("threshold", self.threshold.to_value()),
            ("reserved", self.reserved_tokens.to_value()),
        ];
        all.into_iter()
            .filter(|(_, value)| *value != SettingValue::None)
    }
}
