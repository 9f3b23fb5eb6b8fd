//! Permissions that the user granted for good: `permissions.toml` beside the configuration, by
//! folder. Never in the project: whoever can write there could allow themselves anything.
//!
//! ```toml
//! [[always]]
//! folder = "/src/api"
//! tool = "shell"
//! pattern = "cargo test *"
//! ```

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::private_file::{read_text, write};
use crate::config::error::ConfigError;
use crate::tool::{Grant, Permission};

/// The file's form.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PermissionsFile {
    #[serde(default)]
    always: Vec<AllowedCalls>,
}

/// Calls that need no question in a folder.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AllowedCalls {
    folder: String,
    tool: String,
    pattern: String,
}

/// The permissions of a folder. A missing file allows nothing.
///
/// # Errors
///
/// The file cannot be read or understood; then nothing is allowed by it.
pub fn read(path: &Path, folder: &Path) -> Result<Vec<Permission>, ConfigError> {
    let entries = parse(path)?.always.into_iter();
    Ok(entries
        .filter(|entry| Path::new(&entry.folder) == folder)
        .map(|entry| Permission {
            grant: Grant::Always,
            tool: entry.tool,
            pattern: Some(entry.pattern),
        })
        .collect())
}

/// Always allows calls of a tool whose titles match a pattern, in a folder.
///
/// # Errors
///
/// The file cannot be read, understood or written, or the folder's name is not text.
pub fn add(path: &Path, folder: &Path, tool: &str, pattern: &str) -> Result<(), ConfigError> {
    let mut file = parse(path)?;
    let entry = entry(folder, tool, pattern)?;
    if !file.always.contains(&entry) {
        file.always.push(entry);
    }
    print(path, &file)
}

/// Allows it no longer.
///
/// # Errors
///
/// The file cannot be read, understood or written.
pub fn remove(path: &Path, folder: &Path, tool: &str, pattern: &str) -> Result<(), ConfigError> {
    let mut file = parse(path)?;
    let gone = entry(folder, tool, pattern)?;
    file.always.retain(|entry| *entry != gone);
    print(path, &file)
}

fn entry(folder: &Path, tool: &str, pattern: &str) -> Result<AllowedCalls, ConfigError> {
    let folder = folder.to_str().ok_or_else(|| {
        ConfigError::new("the folder's name is not UTF-8, so no permissions can be saved for it")
    })?;
    Ok(AllowedCalls {
        folder: folder.to_owned(),
        tool: tool.to_owned(),
        pattern: pattern.to_owned(),
    })
}

fn parse(path: &Path) -> Result<PermissionsFile, ConfigError> {
    toml::from_str(&read_text(path)?).map_err(|error| {
        let what = error.message();
        ConfigError::new(format!("{}: {what}", path.display()))
            .with_hint("correct or delete the file; until then its permissions do not apply")
    })
}

fn print(path: &Path, file: &PermissionsFile) -> Result<(), ConfigError> {
    let text = toml::to_string(file)
        .map_err(|error| ConfigError::new(format!("{}: {error}", path.display())))?;
    write(path, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_hold_for_their_folder_until_they_are_removed() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("new/permissions.toml");
        let (api, web) = (Path::new("/src/api"), Path::new("/src/web"));
        assert!(read(&path, api).unwrap().is_empty());
        add(&path, api, "shell", "cargo \"test\" *").unwrap();
        add(&path, api, "shell", "cargo \"test\" *").unwrap();
        add(&path, web, "edit", "src/**").unwrap();
        let found = read(&path, api).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].pattern.as_deref(), Some("cargo \"test\" *"));
        assert_eq!(found[0].grant, Grant::Always);
        remove(&path, api, "shell", "cargo \"test\" *").unwrap();
        assert!(read(&path, api).unwrap().is_empty());
        assert_eq!(read(&path, web).unwrap().len(), 1);
    }

    #[test]
    fn a_broken_file_allows_nothing_and_is_not_overwritten() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("permissions.toml");
        std::fs::write(&path, "[[always]]\ntool = 1\n").unwrap();
        let error = read(&path, Path::new("/")).unwrap_err();
        assert!(error.hint.is_some(), "{error}");
        assert!(add(&path, Path::new("/"), "shell", "*").is_err());
        assert!(std::fs::read_to_string(&path).unwrap().contains("tool = 1"));
    }
}
