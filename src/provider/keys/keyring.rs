//! Keys in the keyring of the system, through the tool that the system brings for it:
//! `secret-tool` (Secret Service: GNOME, KDE) and on macOS `security`.
//!
//! A library for this would be a fifth of all dependencies. What a tool is told is
//! worked out by pure functions; a key goes to it by stdin, never as an argument that other
//! users can list. Every question has a time limit, long enough to unlock a ring by hand.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

/// Long enough to unlock a ring by hand.
const TIME_LIMIT: Duration = Duration::from_mins(1);

/// The last characters of what a failing program wrote to stderr that are shown.
const SHOWN_CHARS: usize = 300;

/// Under what the keys are filed.
const SERVICE: &str = "plimsoll";

/// The keyring of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyring {
    /// The Secret Service, by `secret-tool`.
    SecretService,
    /// The keychain of macOS, by `security`.
    Keychain,
}

/// Why a keyring failed, in words that go on after its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system keyring {0}")]
pub struct KeyringError(String);

/// The request to the keyring.
#[derive(Clone, Copy, Debug)]
enum KeyringRequest<'a> {
    Store(&'a SecretString),
    Find,
    Forget,
}

/// A program, its arguments, and what it reads.
struct KeyringTool {
    program: &'static str,
    arguments: Vec<String>,
    input: Option<SecretString>,
}

impl Keyring {
    /// That of the system this runs on; `None` where no tool for it is known.
    pub fn of_system() -> Option<Self> {
        if cfg!(target_os = "macos") {
            Some(Self::Keychain)
        } else if cfg!(unix) {
            Some(Self::SecretService)
        } else {
            None
        }
    }

    /// The tool that is run.
    pub fn tool_name(self) -> &'static str {
        match self {
            Self::SecretService => "secret-tool",
            Self::Keychain => "security",
        }
    }

    /// Files a provider's key, in place of an older one.
    ///
    /// # Errors
    ///
    /// There is no tool or no ring, it stays locked, or it takes too long.
    pub async fn store(self, provider: &str, key: &SecretString) -> Result<(), KeyringError> {
        self.run(provider, KeyringRequest::Store(key)).await?;
        // `security` reports a failed line of its input by words alone.
        let kept = self.find(provider).await?;
        if kept.expose_secret() == key.expose_secret() {
            Ok(())
        } else {
            Err(KeyringError("did not store the key".to_owned()))
        }
    }

    /// A provider's key.
    ///
    /// # Errors
    ///
    /// Like [`Keyring::store`], and when there is none.
    pub(in crate::provider) async fn find(
        self,
        provider: &str,
    ) -> Result<SecretString, KeyringError> {
        let printed = self.run(provider, KeyringRequest::Find).await?;
        let key = printed.expose_secret().trim();
        if key.is_empty() {
            return Err(KeyringError(format!("has no key of {provider}")));
        }
        Ok(SecretString::from(key))
    }

    /// Takes a provider's key out.
    ///
    /// # Errors
    ///
    /// Like [`Keyring::store`].
    pub async fn forget(self, provider: &str) -> Result<(), KeyringError> {
        self.run(provider, KeyringRequest::Forget).await.map(|_| ())
    }

    async fn run(
        self,
        provider: &str,
        act: KeyringRequest<'_>,
    ) -> Result<SecretString, KeyringError> {
        let tool = self.tool(provider, act);
        let running = tokio::time::timeout(TIME_LIMIT, tool.run());
        let output = running.await.map_err(|_| {
            let seconds = TIME_LIMIT.as_secs();
            KeyringError(format!("did not answer for {seconds} s ({})", tool.program))
        })?;
        let output = output.map_err(|error| KeyringError(self.not_started(&error)))?;
        if !output.status.success() {
            let said = last_words(&output.stderr);
            let why = match (act, said.is_empty()) {
                (KeyringRequest::Find, true) => format!("has no key of {provider}"),
                _ => format!("refused ({}{said})", tool.program),
            };
            return Err(KeyringError(why));
        }
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(SecretString::from(printed))
    }

    fn not_started(self, error: &io::Error) -> String {
        let tool = self.tool_name();
        if error.kind() == io::ErrorKind::NotFound {
            return match self {
                Self::SecretService => {
                    format!("is not available: {tool} is not installed (package libsecret-tools)")
                }
                Self::Keychain => format!("is not available: {tool} is missing"),
            };
        }
        format!("is not available: {tool} could not be started: {error}")
    }

    fn tool(self, provider: &str, act: KeyringRequest<'_>) -> KeyringTool {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let filed = ["service", SERVICE, "provider", provider];
        let (arguments, input): (Vec<String>, _) = match (self, act) {
            (Self::SecretService, KeyringRequest::Store(key)) => {
                let label = format!("--label={SERVICE}: key of {provider}");
                let more = [&["store", label.as_str()], filed.as_slice()].concat();
                (words(&more), Some(key.clone()))
            }
            (Self::SecretService, KeyringRequest::Find) => {
                (words(&[&["lookup"], filed.as_slice()].concat()), None)
            }
            (Self::SecretService, KeyringRequest::Forget) => {
                (words(&[&["clear"], filed.as_slice()].concat()), None)
            }
            // In its interactive form it reads its command from stdin, key and all.
            (Self::Keychain, KeyringRequest::Store(key)) => {
                let quoted = quoted(key.expose_secret());
                let line = format!(
                    "add-generic-password -U -s {SERVICE} -a {} -w {quoted}\n",
                    self::quoted(provider)
                );
                (words(&["-i"]), Some(SecretString::from(line)))
            }
            (Self::Keychain, KeyringRequest::Find) => (
                words(&["find-generic-password", "-s", SERVICE, "-a", provider, "-w"]),
                None,
            ),
            (Self::Keychain, KeyringRequest::Forget) => (
                words(&["delete-generic-password", "-s", SERVICE, "-a", provider]),
                None,
            ),
        };
        KeyringTool {
            program: self.tool_name(),
            arguments,
            input,
        }
    }
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

impl KeyringTool {
    async fn run(&self) -> io::Result<std::process::Output> {
        let mut command = Command::new(self.program);
        command
            .args(&self.arguments)
            .stdin(if self.input.is_some() {
                Stdio::piped()
            } else {
                Stdio::null()
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command.spawn()?;
        if let (Some(input), Some(mut stdin)) = (&self.input, child.stdin.take()) {
            // A tool that does not read says why by its status.
            let _ = stdin.write_all(input.expose_secret().as_bytes()).await;
        }
        child.wait_with_output().await
    }
}

/// The end of what a failing program wrote to stderr, in one line.
pub(super) fn last_words(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let plain: Vec<char> = text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .filter(|c| !c.is_control())
        .collect();
    let from = plain.len().saturating_sub(SHOWN_CHARS);
    match plain.get(from..) {
        Some(tail) if !tail.is_empty() => format!(": {}", tail.iter().collect::<String>()),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_ever_an_argument() {
        let key = SecretString::from("sk-\"quoted\\1");
        for ring in [Keyring::SecretService, Keyring::Keychain] {
            let tool = ring.tool("openai", KeyringRequest::Store(&key));
            let arguments = tool.arguments.join(" ");
            assert!(!arguments.contains("sk-"), "{arguments}");
            let input = tool.input.unwrap();
            assert!(input.expose_secret().contains("sk-"));
            for act in [KeyringRequest::Find, KeyringRequest::Forget] {
                let tool = ring.tool("openai", act);
                assert!(tool.input.is_none());
                assert!(tool.arguments.iter().any(|word| word == "openai"));
            }
        }
        let line = Keyring::Keychain
            .tool("p", KeyringRequest::Store(&key))
            .input
            .unwrap();
        let line = line.expose_secret();
        assert!(line.ends_with("-w \"sk-\\\"quoted\\\\1\"\n"), "{line}");
    }

    #[test]
    fn a_system_without_the_tool_is_told_what_to_install() {
        let missing = io::Error::from(io::ErrorKind::NotFound);
        let text = Keyring::SecretService.not_started(&missing);
        assert!(text.contains("libsecret-tools"), "{text}");
    }
}
