//! `plim login` and `plim logout`: keys that are kept beside the configuration, for
//! their owner alone, or in the system's keyring. A key is typed or piped in, never an
//! argument, and never shown.

use std::io::{self, IsTerminal as _, Read as _};

use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal;
use plimsoll::agent::SessionSource;
use plimsoll::cli::{ExitCode, LoginArgs, LogoutArgs};
use plimsoll::config::secrets::{self, KeyPlace};
use plimsoll::provider::{EndpointReport, KeyOrigin, Keyring};
use secrecy::SecretString;

use super::output::{CommandResult, put, say};
use super::setup::CommandSetup;
use crate::launch::ExitFailure;

/// `plim login`
pub async fn login(args: &LoginArgs, at: &CommandSetup<'_>) -> CommandResult {
    let report = provider(args.provider.as_deref(), at)?;
    let id = &report.id;
    let ring = args.keyring.then(|| keyring(id)).transpose()?;
    let key = read_key(id)?;
    let path = at.launch.paths.credentials_file();
    let place = match ring {
        None => {
            secrets::store_key(&path, id, &key)?;
            path.display().to_string()
        }
        Some(ring) => {
            let stored = ring.store(id, &key).await;
            stored.map_err(|error| {
                ExitFailure::failed(format!("{error}; nothing was stored"))
                    .with_hint(file_instead(id))
            })?;
            secrets::note_keyring(&path, id)?;
            format!("the system keyring ({})", ring.tool_name())
        }
    };
    let is_first = |key: &&KeyOrigin| matches!(key, KeyOrigin::Variable(_) | KeyOrigin::Command);
    if let Some(origin) = report.key.as_ref().filter(is_first) {
        let text = format!("{} takes precedence over the stored key", origin.name());
        say(&text, Some("unset it to use the stored key"));
    }
    put(&format!("key of {id} stored in {place}\n"))
}

fn file_instead(id: &str) -> String {
    format!("`plim login {id}` without --keyring stores it in a file that only you can read")
}

fn keyring(id: &str) -> Result<Keyring, ExitFailure> {
    Keyring::of_system().ok_or_else(|| {
        ExitFailure::failed("no supported keyring on this system").with_hint(file_instead(id))
    })
}

/// `plim logout`
pub async fn logout(args: &LogoutArgs, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.paths.credentials_file();
    let id = match &args.provider {
        Some(id) => id.clone(),
        None => provider(None, at)?.id,
    };
    match secrets::forget_key(&path, &id)? {
        Some(KeyPlace::File) => {}
        Some(KeyPlace::Keyring) => {
            // It is not asked any more; whether it still has the key is another matter.
            if let Err(error) = keyring(&id)?.forget(&id).await {
                let text = format!("{error}; the key of {id} may still be stored");
                return Err(
                    ExitFailure::failed(text).with_hint("it is no longer used; delete it by hand")
                );
            }
        }
        None => {
            // A name that is none is said first.
            provider(Some(&id), at)?;
            return Err(ExitFailure::failed(format!("no stored key of {id}"))
                .with_hint("`plim doctor` shows the source of each key"));
        }
    }
    put(&format!("key of {id} deleted\n"))
}

/// The provider that was named, or the one of the configured model.
fn provider(named: Option<&str>, at: &CommandSetup<'_>) -> Result<EndpointReport, ExitFailure> {
    let configured = at.launch.resolved.settings.agent.model.as_ref();
    let wanted = named
        .map(str::to_owned)
        .or_else(|| configured.map(|model| model.provider.clone()));
    let reports = at
        .launch
        .setup(SessionSource::Memory, false)
        .registry()
        .reports();
    let known: Vec<String> = reports.iter().map(|report| report.id.clone()).collect();
    let hint = format!("one of {}", known.join(", "));
    let Some(wanted) = wanted else {
        return Err(ExitFailure::usage("name the provider of the key", hint));
    };
    reports
        .into_iter()
        .find(|report| report.id == wanted)
        .ok_or_else(|| ExitFailure::usage(format!("no provider {wanted}"), hint))
}

fn read_key(provider: &str) -> Result<SecretString, ExitFailure> {
    let stdin = io::stdin();
    let text = if stdin.is_terminal() {
        say(&format!("key of {provider} (hidden; end with Enter)"), None);
        typed()?
    } else {
        let mut text = String::new();
        stdin
            .lock()
            .read_to_string(&mut text)
            .map_err(|error| ExitFailure::failed(format!("stdin could not be read: {error}")))?;
        text
    };
    secrets::entered(&text).map_err(|error| {
        ExitFailure::failed(error.message).with_hint(error.hint.unwrap_or_default())
    })
}

/// Reads a line without an echo.
fn typed() -> Result<String, ExitFailure> {
    let failed = |error: io::Error| ExitFailure::failed(format!("the terminal: {error}"));
    terminal::enable_raw_mode().map_err(failed)?;
    let line = line();
    let restored = terminal::disable_raw_mode();
    let line = line.map_err(failed)?;
    restored.map_err(failed)?;
    line.ok_or_else(|| {
        ExitFailure::failed("stopped: nothing was stored").with_code(ExitCode::Interrupted)
    })
}

/// `None`: Ctrl-C or Escape.
fn line() -> io::Result<Option<String>> {
    let mut line = String::new();
    loop {
        match event::read()? {
            Event::Paste(text) => line.push_str(&text),
            Event::Key(key) if key.kind != KeyEventKind::Release => match key.code {
                KeyCode::Enter => return Ok(Some(line)),
                KeyCode::Esc => return Ok(None),
                KeyCode::Char('c' | 'd') if key.modifiers == KeyModifiers::CONTROL => {
                    return Ok(None);
                }
                KeyCode::Char(c) => line.push(c),
                KeyCode::Backspace => {
                    line.pop();
                }
                _ => {}
            },
            _ => {}
        }
    }
}
