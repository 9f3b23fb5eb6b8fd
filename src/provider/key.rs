//! A provider's key: known, printed by a command, or none.
//!
//! A command runs when the first request needs its key, once; what it printed stays in
//! memory. Invariant: no `Debug`, error or log has the key.

use std::fmt;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;
use tokio::process::Command;
use tokio::sync::OnceCell;

use super::ProviderError;

/// Long enough to unlock a key ring by hand.
const COMMAND_TIME: Duration = Duration::from_mins(1);

/// The last characters of what a failing command wrote to stderr that are shown.
const SHOWN_CHARS: usize = 300;

/// Where a key comes from. Cloning shares what a command printed.
#[derive(Clone, Debug, Default)]
pub(super) enum Key {
    /// None is needed, or none is there.
    #[default]
    Absent,
    /// From the environment or the file of keys.
    Known(SecretString),
    /// `api_key_cmd`.
    Command(Arc<KeyCommand>),
}

/// A command that prints a key.
pub(super) struct KeyCommand {
    line: String,
    provider: String,
    printed: OnceCell<SecretString>,
}

impl fmt::Debug for KeyCommand {
    /// The command itself may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyCommand({})", self.provider)
    }
}

impl KeyCommand {
    /// The command of a provider. Runs nothing yet.
    pub(super) fn new(provider: &str, line: &str) -> Self {
        Self {
            line: line.to_owned(),
            provider: provider.to_owned(),
            printed: OnceCell::new(),
        }
    }

    async fn key(&self) -> Result<SecretString, ProviderError> {
        let printed = self.printed.get_or_try_init(|| self.run()).await?;
        Ok(printed.clone())
    }

    async fn run(&self) -> Result<SecretString, ProviderError> {
        let mut command = shell(&self.line);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let output = tokio::time::timeout(COMMAND_TIME, command.output()).await;
        let output = output
            .map_err(|_| self.failed(&format!("ran longer than {} s", COMMAND_TIME.as_secs())))?
            .map_err(|error| self.failed(&format!("did not start: {error}")))?;
        if !output.status.success() {
            let said = last_words(&output.stderr);
            return Err(self.failed(&format!("failed ({}){said}", output.status)));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let key = text.trim();
        if key.is_empty() {
            let said = last_words(&output.stderr);
            return Err(self.failed(&format!("printed no key{said}")));
        }
        Ok(SecretString::from(key))
    }

    fn failed(&self, why: &str) -> ProviderError {
        ProviderError::Unauthorized {
            message: format!("providers.{}.api_key_cmd {why}", self.provider),
        }
    }
}

#[cfg(unix)]
fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line);
    command
}

#[cfg(not(unix))]
fn shell(line: &str) -> Command {
    let mut command = Command::new("cmd");
    command.arg("/C").arg(line);
    command
}

/// What stands at the end of stderr, in one line.
fn last_words(stderr: &[u8]) -> String {
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

impl Key {
    /// The key itself; runs the command if there is one and it has not run yet.
    pub(super) async fn reveal(&self) -> Result<Option<SecretString>, ProviderError> {
        match self {
            Self::Absent => Ok(None),
            Self::Known(key) => Ok(Some(key.clone())),
            Self::Command(command) => command.key().await.map(Some),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    fn command(line: &str) -> Key {
        Key::Command(Arc::new(KeyCommand::new("p", line)))
    }

    #[tokio::test]
    async fn a_command_runs_once_and_its_output_is_trimmed() {
        let folder = tempfile::tempdir().unwrap();
        let count = folder.path().join("count");
        let key = command(&format!("echo run >> {}; echo '  sk-x  '", count.display()));
        for _ in 0..3 {
            let revealed = key.clone().reveal().await.unwrap().unwrap();
            assert_eq!(revealed.expose_secret(), "sk-x");
        }
        assert_eq!(std::fs::read_to_string(count).unwrap(), "run\n");
        assert!(!format!("{key:?}").contains("sk-x"));
    }

    #[tokio::test]
    async fn a_command_that_fails_is_shown_with_its_stderr() {
        let error = command("echo locked >&2; exit 3").reveal().await;
        let text = error.unwrap_err().to_string();
        assert!(text.contains("providers.p.api_key_cmd") && text.contains("locked"));
        let error = command("true").reveal().await.unwrap_err().to_string();
        assert!(error.contains("printed no key"), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_command_that_hangs_is_given_up() {
        let error = command("sleep 600").reveal().await.unwrap_err();
        assert!(error.to_string().contains("longer than 60 s"), "{error}");
    }
}
