//! Which folders the user trusts: only what the user says himself counts, never what a
//! project says of itself.

use std::path::{Path, PathBuf};

use crate::config::paths::EnvironmentVars;
use crate::config::settings::Settings;

/// `trusted_dirs` as it is in the user's own settings, ready to be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedDirs(Vec<PathBuf>);

impl TrustedDirs {
    /// Of settings that no project took part in, or only a trusted one.
    pub fn new(settings: &Settings, environment: &EnvironmentVars) -> Self {
        let home = environment.get("HOME").map(PathBuf::from);
        let dirs = settings.trusted_dirs.iter();
        let dirs = dirs.map(|dir| match (dir.strip_prefix("~"), &home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => dir.clone(),
        });
        Self(
            dirs.filter(|dir| dir.is_absolute())
                .map(|dir| real(&dir))
                .collect(),
        )
    }

    /// Whether a folder is one of them, or lies in one.
    pub fn holds(&self, folder: &Path) -> bool {
        let folder = real(folder);
        self.0.iter().any(|dir| folder.starts_with(dir))
    }
}

fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
