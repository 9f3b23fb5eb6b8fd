//! A provider's key: known, to be had from a command or the system's keyring, or none.
//!
//! Command and keyring are asked when the first request needs the key, once; what they gave
//! stays in memory. Invariant: no `Debug`, error or log has the key.

use std::fmt;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;
use tokio::process::Command;
use tokio::sync::OnceCell;

use super::keyring::{Keyring, last_words};
use crate::provider::error::ProviderError;

/// Long enough to unlock a key ring by hand.
const COMMAND_TIME: Duration = Duration::from_mins(1);

/// Where a key comes from. Cloning shares what a command printed.
#[derive(Clone, Debug, Default)]
pub(in crate::provider) enum ProviderKey {
    /// None is needed, or none is there.
    #[default]
    Absent,
    /// From the environment or the file of keys.
    Known(SecretString),
    /// `api_key_cmd`, or the system's keyring.
    Asked(Arc<ExternalKey>),
}

/// A key that somebody else keeps.
pub(in crate::provider) struct ExternalKey {
    keeper: KeyKeeper,
    provider: String,
    given: OnceCell<SecretString>,
}

/// The place that keeps the key.
enum KeyKeeper {
    /// A command line that prints it.
    Command(String),
    Keyring,
}

impl fmt::Debug for ExternalKey {
    /// The command itself may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AskedKey({})", self.provider)
    }
}

impl ExternalKey {
    /// From the command of a provider. Runs nothing yet.
    pub(in crate::provider) fn of_command(provider: &str, line: &str) -> Self {
        Self::new(provider, KeyKeeper::Command(line.to_owned()))
    }

    /// From the system's keyring. Asks nothing yet.
    pub(in crate::provider) fn of_keyring(provider: &str) -> Self {
        Self::new(provider, KeyKeeper::Keyring)
    }

    fn new(provider: &str, keeper: KeyKeeper) -> Self {
        Self {
            keeper,
            provider: provider.to_owned(),
            given: OnceCell::new(),
        }
    }

    async fn key(&self) -> Result<SecretString, ProviderError> {
        let given = self.given.get_or_try_init(|| async {
            match &self.keeper {
                KeyKeeper::Command(line) => self.run(line).await,
                KeyKeeper::Keyring => self.ask_keyring().await,
            }
        });
        Ok(given.await?.clone())
    }

    async fn ask_keyring(&self) -> Result<SecretString, ProviderError> {
        let id = &self.provider;
        let without = |why: String| ProviderError::Unauthorized {
            message: format!(
                "{why}; `plim login {id} --keyring` stores the key again, `plim login {id}` \
                 stores it in a file instead"
            ),
        };
        match Keyring::of_system() {
            Some(ring) => ring
                .find(id)
                .await
                .map_err(|error| without(error.to_string())),
            None => Err(without("no supported keyring on this system".to_owned())),
        }
    }

    async fn run(&self, line: &str) -> Result<SecretString, ProviderError> {
        let mut command = shell(line);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let output = tokio::time::timeout(COMMAND_TIME, command.output()).await;
        let output = output
            .map_err(|_| self.failed(&format!("ran longer than {} s", COMMAND_TIME.as_secs())))?
            .map_err(|error| self.failed(&format!("could not be started: {error}")))?;
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

fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line);
    command
}

impl ProviderKey {
    /// The key itself; runs the command if there is one and it has not run yet.
    pub(in crate::provider) async fn reveal(&self) -> Result<Option<SecretString>, ProviderError> {
        match self {
            Self::Absent => Ok(None),
            Self::Known(key) => Ok(Some(key.clone())),
            Self::Asked(asked) => asked.key().await.map(Some),
        }
    }

    /// The key, when nobody has to be asked for it.
    pub(in crate::provider) fn at_hand(&self) -> Option<&SecretString> {
        match self {
            Self::Absent => None,
            Self::Known(key) => Some(key),
            Self::Asked(asked) => asked.given.get(),
        }
    }

    /// The awaited event while it is revealed, in words that go on with "for N s".
    pub(in crate::provider) fn waited_for(&self) -> &'static str {
        match self {
            Self::Asked(asked) if matches!(asked.keeper, KeyKeeper::Keyring) => {
                "the system keyring has not answered"
            }
            _ => "api_key_cmd has finished",
        }
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    fn command(line: &str) -> ProviderKey {
        ProviderKey::Asked(Arc::new(ExternalKey::of_command("p", line)))
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
