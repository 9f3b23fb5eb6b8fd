//! Keys that were entered in the program: `credentials.toml` beside the configuration,
//! readable by its owner alone, holds them, or the names of those in the system's keyring.
//!
//! ```toml
//! keyring = ["anthropic"]
//! [keys]
//! openai = "…"
//! [mcp.tickets]
//! url = "https://tickets.example.org/mcp"
//! login = "…"
//! ```
//!
//! The text is edited by pure functions; nothing here prints a key.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use super::private_file::{read_text, write};
use crate::config::error::ConfigError;
use crate::disk::private;

/// The file's form.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CredentialsFile {
    /// Providers whose keys are in the system's keyring.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    keyring: BTreeSet<String>,
    #[serde(default)]
    keys: BTreeMap<String, String>,
    /// Logins of MCP servers, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    mcp: BTreeMap<String, KeptToken>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptToken {
    url: String,
    login: String,
}

/// What a login of an MCP server left.
#[derive(Debug)]
pub struct ServerToken {
    /// The address that it is for; it is sent to no other one.
    pub url: String,
    /// Tokens and what renews them, in a form of the login's own.
    pub login: SecretString,
}

/// Keys entered in the program, by provider id. No provider is in both.
#[derive(Debug, Default)]
pub struct EnteredKeys {
    /// The keys of the file.
    pub keys: BTreeMap<String, SecretString>,
    /// Providers whose keys are in the system's keyring.
    pub keyring: BTreeSet<String>,
}

/// Where a key was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// In the file.
    File,
    /// In the system's keyring, where it still is.
    Keyring,
}

fn parse(text: &str) -> Result<CredentialsFile, ConfigError> {
    // The parser's own message quotes the line, and a key may be in it.
    toml::from_str(text).map_err(|_| {
        ConfigError::new("credentials.toml is not in the format of `plim login`")
            .with_hint("correct it, or delete it and run `plim login` again")
    })
}

fn print(file: &CredentialsFile) -> Result<String, ConfigError> {
    toml::to_string(file)
        .map_err(|_| ConfigError::new("the key contains characters that a file cannot hold"))
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
        return Err(ConfigError::new("not a valid key: nothing was stored")
            .with_hint("a key is one line of letters, digits and punctuation"));
    }
    Ok(SecretString::from(key))
}

/// The text of the file with a provider's key in it.
fn with_key(text: &str, provider: &str, key: &SecretString) -> Result<String, ConfigError> {
    let mut file = parse(text)?;
    let key = key.expose_secret().to_owned();
    file.keyring.remove(provider);
    file.keys.insert(provider.to_owned(), key);
    print(&file)
}

/// The text of the file when a provider's key is in the system's keyring.
fn with_keyring(text: &str, provider: &str) -> Result<String, ConfigError> {
    let mut file = parse(text)?;
    file.keys.remove(provider);
    file.keyring.insert(provider.to_owned());
    print(&file)
}

/// The text of the file without a provider's key, and where that was; `None` when there
/// is none.
fn without_key(text: &str, provider: &str) -> Result<Option<(String, KeyPlace)>, ConfigError> {
    let mut file = parse(text)?;
    let was_in_keyring = file.keyring.remove(provider);
    let was_in_file = file.keys.remove(provider).is_some();
    let kept = match (was_in_keyring, was_in_file) {
        (true, _) => KeyPlace::Keyring,
        (false, true) => KeyPlace::File,
        (false, false) => return Ok(None),
    };
    Ok(Some((print(&file)?, kept)))
}

/// Everything that was entered. A missing file has nothing; one that others may read is
/// closed to them first.
///
/// # Errors
///
/// The file cannot be read or understood, or cannot be closed to others.
pub fn read(path: &Path) -> Result<EnteredKeys, ConfigError> {
    let file = read_file(path)?;
    let keys = file.keys.into_iter();
    Ok(EnteredKeys {
        keys: keys
            .map(|(id, key)| (id, SecretString::from(key)))
            .collect(),
        keyring: file.keyring,
    })
}

fn read_file(path: &Path) -> Result<CredentialsFile, ConfigError> {
    if let Err(error) = private::close_to_others(path) {
        let text = format!("{}: readable by other users: {error}", path.display());
        return Err(ConfigError::new(text).with_hint(
            "the file is not used; make it private, e.g. with \
                chmod 600",
        ));
    }
    parse(&read_text(path)?)
}

/// Stores a key in the file: for its owner alone, the file as a whole or not at all.
///
/// # Errors
///
/// The file cannot be read, understood or written.
pub fn store_key(path: &Path, provider: &str, key: &SecretString) -> Result<(), ConfigError> {
    write(path, &with_key(&read_text(path)?, provider, key)?)
}

/// Notes that a provider's key is in the system's keyring, which is asked for it from now
/// on; a key of that provider in the file is forgotten.
///
/// # Errors
///
/// The file cannot be read, understood or written.
pub fn note_keyring(path: &Path, provider: &str) -> Result<(), ConfigError> {
    write(path, &with_keyring(&read_text(path)?, provider)?)
}

/// Forgets a key, and says where it was; `None` when none was stored.
///
/// # Errors
///
/// The file cannot be read, understood or written.
pub fn forget_key(path: &Path, provider: &str) -> Result<Option<KeyPlace>, ConfigError> {
    match without_key(&read_text(path)?, provider)? {
        Some((text, kept)) => write(path, &text).map(|()| Some(kept)),
        None => Ok(None),
    }
}

/// The login of an MCP server; `None` when there is none. A file that others may read is
/// closed to them first.
///
/// # Errors
///
/// The file cannot be read or understood, or cannot be closed to others.
pub fn server_token(path: &Path, server: &str) -> Result<Option<ServerToken>, ConfigError> {
    let mut file = read_file(path)?;
    Ok(file.mcp.remove(server).map(|token| ServerToken {
        url: token.url,
        login: SecretString::from(token.login),
    }))
}

/// Keeps the login of an MCP server in the place of an earlier one.
///
/// # Errors
///
/// The file cannot be read, understood or written.
pub fn store_server_token(
    path: &Path,
    server: &str,
    token: &ServerToken,
) -> Result<(), ConfigError> {
    let mut file = parse(&read_text(path)?)?;
    let kept = KeptToken {
        url: token.url.clone(),
        login: token.login.expose_secret().to_owned(),
    };
    file.mcp.insert(server.to_owned(), kept);
    write(path, &print(&file)?)
}

/// Forgets the login of an MCP server, and says whether there was one.
///
/// # Errors
///
/// The file cannot be read, understood or written.
pub fn forget_server_token(path: &Path, server: &str) -> Result<bool, ConfigError> {
    let mut file = parse(&read_text(path)?)?;
    if file.mcp.remove(server).is_none() {
        return Ok(false);
    }
    write(path, &print(&file)?).map(|()| true)
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
        let (left, kept) = without_key(&newer, "openai").unwrap().unwrap();
        assert!(!left.contains("sk-2") && left.contains("groq") && kept == KeyPlace::File);
        assert_eq!(without_key(&left, "openai").unwrap(), None);
    }

    #[test]
    fn a_key_is_in_the_file_or_in_the_keyring_never_in_both() {
        let file = with_key("", "openai", &SecretString::from("sk-1")).unwrap();
        let ring = with_keyring(&file, "openai").unwrap();
        assert!(!ring.contains("sk-1"), "{ring}");
        let kept = without_key(&ring, "openai").unwrap().unwrap().1;
        assert_eq!(kept, KeyPlace::Keyring);
        let back = with_key(&ring, "openai", &SecretString::from("sk-2")).unwrap();
        let file = parse(&back).unwrap();
        assert!(file.keyring.is_empty() && file.keys["openai"] == "sk-2");
    }

    #[test]
    fn a_broken_file_is_an_error_that_shows_no_key() {
        let error = with_key("[keys]\nopenai = sk-secret", "a", &SecretString::from("b"));
        let error = format!("{:?}", error.unwrap_err());
        assert!(!error.contains("sk-secret"), "{error}");
    }

    #[test]
    fn only_its_owner_can_read_the_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("credentials.toml");
        store_key(&path, "openai", &SecretString::from("sk")).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let open = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(&path, open).unwrap();
        let keys = read(&path).unwrap().keys;
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "closed before it is used");
        assert_eq!(keys["openai"].expose_secret(), "sk");
        assert!(!format!("{keys:?}").contains("\"sk\""));
        let forgotten = forget_key(&path, "openai").unwrap();
        assert_eq!(forgotten, Some(KeyPlace::File));
        assert_eq!(forget_key(&path, "openai").unwrap(), None);
        assert!(read(&path).unwrap().keys.is_empty());
    }
}
