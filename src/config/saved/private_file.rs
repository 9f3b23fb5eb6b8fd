//! Small files that the program itself writes, each replaced as a whole: its own are
//! readable by their owner alone, those of the user keep their rights.

use std::fs::Permissions;
use std::path::Path;

use crate::config::error::ConfigError;
use crate::disk::replace::WholeFile;
use crate::disk::{open, private};

/// No such file is larger.
const MAX_BYTES: u64 = 1024 * 1024;

/// The text of a file; empty when there is none.
pub(in crate::config) fn read_text(path: &Path) -> Result<String, ConfigError> {
    match open::read_text(path, MAX_BYTES) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| at(path, &error)),
    }
}

/// Replaces a file as a whole or not at all; its owner alone may read it.
pub(in crate::config) fn write(path: &Path, text: &str) -> Result<(), ConfigError> {
    replace(path, text, None)
}

/// Replaces a file of the user as a whole or not at all: who may read it stays as it is, and so does a link that
/// leads to it.
pub(in crate::config) fn rewrite(path: &Path, text: &str) -> Result<(), ConfigError> {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let permissions = std::fs::metadata(&real).ok().map(|it| it.permissions());
    if permissions.as_ref().is_some_and(Permissions::readonly) {
        return Err(ConfigError::new(format!(
            "{}: the file is read-only",
            path.display()
        )));
    }
    replace(&real, text, permissions)
}

fn replace(path: &Path, text: &str, permissions: Option<Permissions>) -> Result<(), ConfigError> {
    let file = WholeFile::durable().with_permissions(permissions);
    private::create_parent(path)
        .and_then(|()| file.replace(path, text.as_bytes()))
        .map_err(|error| at(path, &error))
}

fn at(path: &Path, error: &std::io::Error) -> ConfigError {
    ConfigError::new(format!("{}: {error}", path.display()))
}
