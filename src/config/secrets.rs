//! Keys that were entered in the program: `credentials.toml` beside the configuration,
//! readable by its owner alone.
//!
//! ```toml
//! [keys]
//! openai = "…"
//! ```
//!
//! The text is edited by pure functions; nothing here prints a key.

use std::collections::BTreeMap;
use std::path::Path;

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use super::error::ConfigError;
use super::private_file::{read_text, write};

/// The file's form.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    keys: BTreeMap<String, String>,
}

fn parse(text: &str) -> Result<File, ConfigError> {
    // The parser's own message quotes the line, and a key may stand in it.
    toml::from_str(text).map_err(|_| {
        ConfigError::new("credentials.toml is not what `plim login` writes")
            .with_hint("correct it, or remove it and run `plim login` again")
    })
}

fn print(file: &File) -> Result<String, ConfigError> {
    toml::to_string(file)
        .map_err(|_| ConfigError::new("the key has characters that a file cannot hold"))
}

/// The key in what was typed, pasted or piped in.
///
/// # Errors
///
/// It is not one line of visible ASCII.
pub fn entered(text: &str) -> Result<SecretString, ConfigError> {
    let key = text.trim();
    let is_plain = key.chars().all(|c| c.is_ascii_graphic());
    if key.is_empty() || !is_plain {
        return Err(ConfigError::new("that is no key: nothing was stored")
            .with_hint("a key is one line of letters, digits and signs"));
    }
    Ok(SecretString::from(key))
}

/// The text of the file with a provider's key in it.
///
/// # Errors
///
/// `text` is no such file.
pub fn with_key(text: &str, provider: &str, key: &SecretString) -> Result<String, ConfigError> {
    let mut file = parse(text)?;
    let key = key.expose_secret().to_owned();
    file.keys.insert(provider.to_owned(), key);
    print(&file)
}

/// The text of the file without a provider's key; `None` when it has none.
///
/// # Errors
///
/// `text` is no such file.
pub fn without_key(text: &str, provider: &str) -> Result<Option<String>, ConfigError> {
    let mut file = parse(text)?;
    match file.keys.remove(provider) {
        Some(_) => print(&file).map(Some),
        None => Ok(None),
    }
}

/// All keys of the file, by provider id. A missing file has none.
///
/// # Errors
///
/// The file cannot be read or understood.
pub fn read_keys(path: &Path) -> Result<BTreeMap<String, SecretString>, ConfigError> {
    let file = parse(&read_text(path)?)?;
    let keys = file.keys.into_iter();
    Ok(keys
        .map(|(id, key)| (id, SecretString::from(key)))
        .collect())
}

/// Stores a key: for its owner alone, the file as a whole or not at all.
///
/// # Errors
///
/// The file cannot be read, understood or written.
pub fn store_key(path: &Path, provider: &str, key: &SecretString) -> Result<(), ConfigError> {
    write(path, &with_key(&read_text(path)?, provider, key)?)
}

/// Forgets a key; false when none was stored.
///
/// # Errors
///
/// The file cannot be read, understood or written.
pub fn forget_key(path: &Path, provider: &str) -> Result<bool, ConfigError> {
    match without_key(&read_text(path)?, provider)? {
        Some(text) => write(path, &text).map(|()| true),
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_added_replaced_and_removed() {
        let one = with_key("", "openai", &SecretString::from("sk-\"1\"")).unwrap();
        let two = with_key(&one, "groq", &SecretString::from("g")).unwrap();
        let newer = with_key(&two, "openai", &SecretString::from("sk-2")).unwrap();
        let file = parse(&newer).unwrap();
        assert_eq!(file.keys["openai"], "sk-2");
        assert_eq!(file.keys["groq"], "g");
        let left = without_key(&newer, "openai").unwrap().unwrap();
        assert!(!left.contains("sk-2") && left.contains("groq"));
        assert_eq!(without_key(&left, "openai").unwrap(), None);
    }

    #[test]
    fn a_broken_file_is_an_error_that_shows_no_key() {
        let error = with_key("[keys]\nopenai = sk-secret", "a", &SecretString::from("b"));
        let error = format!("{:?}", error.unwrap_err());
        assert!(!error.contains("sk-secret"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_can_read_the_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("credentials.toml");
        store_key(&path, "openai", &SecretString::from("sk")).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let keys = read_keys(&path).unwrap();
        assert_eq!(keys["openai"].expose_secret(), "sk");
        assert!(!format!("{keys:?}").contains("\"sk\""));
        assert!(forget_key(&path, "openai").unwrap());
        assert!(!forget_key(&path, "openai").unwrap());
        assert!(read_keys(&path).unwrap().is_empty());
    }
}
