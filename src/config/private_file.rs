//! Small files beside the configuration that the program itself writes: readable by their
//! owner alone, replaced as a whole.

use std::io::Write as _;
use std::path::Path;

use super::error::ConfigError;

/// The text of a file; empty when there is none.
pub(super) fn read_text(path: &Path) -> Result<String, ConfigError> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| at(path, &error)),
    }
}

/// Replaces a file as a whole or not at all.
pub(super) fn write(path: &Path, text: &str) -> Result<(), ConfigError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let replace = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        // Created 0600 by the crate, and it keeps that when it is moved into place.
        let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
        temporary.write_all(text.as_bytes())?;
        temporary.as_file().sync_all()?;
        temporary.persist(path)?;
        Ok(())
    };
    replace().map_err(|error| at(path, &error))
}

fn at(path: &Path, error: &std::io::Error) -> ConfigError {
    ConfigError::new(format!("{}: {error}", path.display()))
}
