//! A key that no setting has: what is said of it.

use super::all_settings;
use crate::config::error::ConfigError;
use crate::config::origin::SettingOrigin;
use crate::transcript::nearest_name;

impl ConfigError {
    /// A key that no setting has.
    pub fn unknown_key(origin: &SettingOrigin, key: &str) -> Self {
        Self::new(format!("{origin}: unknown setting `{key}`")).with_hint(nearest_hint(key))
    }
}

/// The hint that names the nearest setting, or how to list all.
pub(crate) fn nearest_hint(key: &str) -> String {
    match nearest_name(key, all_settings().map(|setting| setting.key)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`plim config show` lists all settings".to_owned(),
    }
}
