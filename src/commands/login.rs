//! `plim login` and `plim logout`: keys that are kept beside the configuration, for
//! their owner alone. A key is typed or piped in, never an argument, and never shown.

use std::io::{self, IsTerminal as _, Read as _};

use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal;
use plimsoll::agent::SessionSource;
use plimsoll::cli::{ExitCode, LoginArgs};
use plimsoll::config::secrets;
use plimsoll::provider::EndpointReport;
use secrecy::SecretString;

use super::{Done, Place, put, say};
use crate::launch::Failure;

/// `plim login`
pub fn login(args: &LoginArgs, at: &Place<'_>) -> Done {
    let report = provider(args, at)?;
    let key = read_key(&report.id)?;
    let path = at.launch.paths.credentials_file();
    secrets::store_key(&path, &report.id, &key)?;
    if let Some(origin) = report.key.as_ref().filter(|key| key.name() != FILE) {
        let text = format!("{} comes before the stored key", origin.name());
        say(&text, Some("remove it to use the stored one"));
    }
    put(&format!(
        "the key of {} is stored in {}\n",
        report.id,
        path.display()
    ))
}

/// `plim logout`
pub fn logout(args: &LoginArgs, at: &Place<'_>) -> Done {
    let path = at.launch.paths.credentials_file();
    let id = match &args.provider {
        Some(id) => id.clone(),
        None => provider(args, at)?.id,
    };
    if secrets::forget_key(&path, &id)? {
        return put(&format!("the key of {id} is forgotten\n"));
    }
    Err(Failure::failed(format!("no key of {id} is stored"))
        .with_hint("`plim doctor` shows where keys come from"))
}

/// The name of the file of keys, as reports have it.
const FILE: &str = "credentials.toml";

/// The provider that was named, or the one of the configured model.
fn provider(args: &LoginArgs, at: &Place<'_>) -> Result<EndpointReport, Failure> {
    let configured = at.launch.resolved.settings.agent.model.as_ref();
    let wanted = args
        .provider
        .clone()
        .or_else(|| configured.map(|model| model.provider.clone()));
    let reports = at
        .launch
        .setup(SessionSource::Memory, false)
        .registry()
        .reports();
    let known: Vec<String> = reports.iter().map(|report| report.id.clone()).collect();
    let hint = format!("one of {}", known.join(", "));
    let Some(wanted) = wanted else {
        return Err(Failure::usage(
            "name the provider that the key is for",
            hint,
        ));
    };
    reports
        .into_iter()
        .find(|report| report.id == wanted)
        .ok_or_else(|| Failure::usage(format!("there is no provider {wanted}"), hint))
}

fn read_key(provider: &str) -> Result<SecretString, Failure> {
    let stdin = io::stdin();
    let text = if stdin.is_terminal() {
        say(
            &format!("the key of {provider} (it is not shown; Enter ends it)"),
            None,
        );
        typed()?
    } else {
        let mut text = String::new();
        stdin
            .lock()
            .read_to_string(&mut text)
            .map_err(|error| Failure::failed(format!("stdin could not be read: {error}")))?;
        text
    };
    secrets::entered(&text)
        .map_err(|error| Failure::failed(error.message).with_hint(error.hint.unwrap_or_default()))
}

/// Reads a line without an echo.
fn typed() -> Result<String, Failure> {
    let failed = |error: io::Error| Failure::failed(format!("the terminal: {error}"));
    terminal::enable_raw_mode().map_err(failed)?;
    let line = line();
    let restored = terminal::disable_raw_mode();
    let line = line.map_err(failed)?;
    restored.map_err(failed)?;
    line.ok_or_else(|| {
        Failure::failed("stopped: nothing was stored").with_code(ExitCode::Interrupted)
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
