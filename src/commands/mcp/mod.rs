//! `plim mcp`: the servers of the configuration without a session.

mod edit;
mod list;
mod login;

use plimsoll::cli::McpAct;
use plimsoll::cli::McpArgs;
use plimsoll::config::{McpServer, McpSettings};

use super::output::CommandResult;
use super::setup::CommandSetup;
use crate::launch::ExitFailure;

/// `plim mcp`
pub async fn mcp(args: &McpArgs, at: &CommandSetup<'_>) -> CommandResult {
    match &args.act {
        McpAct::List(args) => list::list(*args, at),
        McpAct::Test(args) => list::test(args, at).await,
        McpAct::Add(args) => edit::add(args, at),
        McpAct::Remove(args) => edit::remove(args, at),
        McpAct::Login(args) => login::login(args, at).await,
        McpAct::Logout(args) => login::logout(args, at).await,
    }
}

/// The configured servers.
fn settings<'a>(at: &'a CommandSetup<'_>) -> &'a McpSettings {
    &at.launch.resolved.settings.mcp
}

/// A server by its name.
fn server(name: &str, at: &CommandSetup<'_>) -> Result<McpServer, ExitFailure> {
    let servers = &settings(at).servers;
    let found = servers.iter().find(|it| it.name == name);
    found.cloned().ok_or_else(|| {
        let names: Vec<&str> = servers.iter().map(|it| it.name.as_str()).collect();
        let hint = if names.is_empty() {
            "there are none; `plim mcp add` adds one".to_owned()
        } else {
            format!("there are: {}", names.join(", "))
        };
        ExitFailure::failed(format!("no MCP server is called {name:?}")).with_hint(hint)
    })
}
