//! `plim mcp login` and `plim mcp logout`.

use std::io::{BufRead as _, IsTerminal as _};
use std::time::Duration;

use plimsoll::browser;
use plimsoll::cli::{ExitCode, McpLoginArgs, McpNameArgs};
use plimsoll::mcp::{Revocation, ServerLogin, log_out};
use tokio::sync::mpsc;

use super::super::output::{CommandResult, put, say};
use super::super::setup::CommandSetup;
use super::server;
use crate::launch::ExitFailure;

/// The most that a login may take.
const PATIENCE: Duration = Duration::from_mins(10);

/// `plim mcp login`
pub(super) async fn login(args: &McpLoginArgs, at: &CommandSetup<'_>) -> CommandResult {
    let name = &args.name;
    let server = server(name, at)?;
    let failed = |why: String| ExitFailure::failed(format!("not logged in to {name}: {why}"));
    let place = at.launch.mcp_place();
    let login = ServerLogin::begin(&server, &place).await.map_err(failed)?;
    let is_terminal = std::io::stdin().is_terminal();
    let environment = &at.launch.environment;
    let variable = |name: &str| environment.get(name).cloned();
    let is_open = is_terminal && !args.no_browser && browser::open(login.address(), variable);
    let asked = if is_open {
        "The login is open in your browser. If it is not, open this address:"
    } else {
        "Open this address in a browser:"
    };
    put(&format!("{asked}\n{}\n", login.address()))?;
    if is_terminal {
        put("If the browser is on another machine, paste the address here that it ends at.\n")?;
    }
    let mut lines = is_terminal.then(typed_lines);
    let finished = tokio::time::timeout(PATIENCE, async {
        loop {
            tokio::select! {
                finished = login.come_back() => return finished,
                Some(line) = next(&mut lines) => match login.pasted(&line).await {
                    Err(why) if line.trim().is_empty() || why.starts_with("that is not") => {
                        say(&why, None);
                    }
                    finished => return finished,
                },
            }
        }
    });
    tokio::select! {
        finished = finished => match finished {
            Ok(finished) => finished.map_err(failed)?,
            Err(_) => return Err(failed("nobody came back from the login".to_owned())),
        },
        _ = tokio::signal::ctrl_c() => {
            return Err(ExitFailure::failed("stopped: nothing was stored")
                .with_code(ExitCode::Interrupted));
        }
    }
    let path = place.credentials_file.display();
    put(&format!(
        "logged in to {name}; the login is stored in {path}\n"
    ))
}

/// The lines that are typed, one by one.
fn typed_lines() -> mpsc::Receiver<String> {
    let (send, lines) = mpsc::channel(1);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if send.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}

async fn next(lines: &mut Option<mpsc::Receiver<String>>) -> Option<String> {
    match lines {
        Some(lines) => lines.recv().await,
        None => std::future::pending().await,
    }
}

/// `plim mcp logout`
pub(super) async fn logout(args: &McpNameArgs, at: &CommandSetup<'_>) -> CommandResult {
    let name = &args.name;
    if let Some(revocation) = log_out(name, &at.launch.mcp_place()).await? {
        let tokens = match revocation {
            Revocation::Done(host) => format!("{host} has revoked its tokens"),
            Revocation::NotOffered => {
                "its tokens expire by themselves: their server names no way to revoke them"
                    .to_owned()
            }
            Revocation::Failed(why) => format!("its tokens were not revoked: {why}"),
        };
        return put(&format!("login of {name} deleted here; {tokens}\n"));
    }
    server(name, at)?;
    Err(ExitFailure::failed(format!("no stored login of {name}"))
        .with_hint("`plim mcp list` shows which servers are logged in to"))
}
