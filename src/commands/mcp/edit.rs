//! `plim mcp add` and `plim mcp remove`: servers in the user's configuration.

use std::collections::BTreeMap;

use plimsoll::cli::{McpAddArgs, McpNameArgs};
use plimsoll::config::{McpLogin, McpReach, McpServer, SettingOrigin, SettingsStore};

use super::super::output::{CommandResult, put};
use super::super::setup::CommandSetup;
use super::server;
use crate::launch::ExitFailure;

/// `plim mcp add`
pub(super) fn add(args: &McpAddArgs, at: &CommandSetup<'_>) -> CommandResult {
    let reach = reach(args)?;
    let shown = reach.shown();
    let added = McpServer {
        name: args.name.clone(),
        reach,
        deadline_secs: McpServer::USUAL_DEADLINE_SECS,
        tools: Vec::new(),
        off: false,
        origin: SettingOrigin::Default,
    };
    let path = store(at).add_server(&added)?;
    put(&format!(
        "{} added to {}: {shown}\n`plim mcp test {}` tries it\n",
        args.name,
        path.display(),
        args.name
    ))
}

fn reach(args: &McpAddArgs) -> Result<McpReach, ExitFailure> {
    let usage = |text: &str| Err(ExitFailure::usage(text, "plim mcp add --help"));
    let (first, rest) = match args.target.split_first() {
        Some((first, rest)) if !first.trim().is_empty() => (first, rest),
        _ => return usage("a URL or a program is missing"),
    };
    if first.starts_with('-') {
        return usage(&format!(
            "{first} is no option; a URL or a program stands behind the name"
        ));
    }
    if first.starts_with("https://") || first.starts_with("http://") {
        if !rest.is_empty() {
            return usage("a URL takes no arguments");
        }
        if !args.env.is_empty() {
            return usage("--env is for programs; a URL has --header");
        }
        return Ok(McpReach::Address {
            url: first.clone(),
            headers: table(&args.headers),
            login: McpLogin {
                client_id: args.client_id.clone(),
                ..McpLogin::default()
            },
        });
    }
    if !args.headers.is_empty() || args.client_id.is_some() {
        return usage("--header and --client-id are for URLs; a program has --env");
    }
    Ok(McpReach::Program {
        command: first.clone(),
        args: rest.to_vec(),
        env: table(&args.env),
        cwd: None,
    })
}

fn table(pairs: &[(String, String)]) -> BTreeMap<String, String> {
    pairs.iter().cloned().collect()
}

/// `plim mcp remove`
pub(super) fn remove(args: &McpNameArgs, at: &CommandSetup<'_>) -> CommandResult {
    let name = &args.name;
    if let Some(path) = store(at).remove_server(name)? {
        return put(&format!("{name} removed from {}\n", path.display()));
    }
    let other = server(name, at)?;
    Err(ExitFailure::failed(format!(
        "nothing was removed: {name} is configured in {}",
        other.origin
    ))
    .with_hint(format!(
        "`[mcp.{name}]` with `off = true` in your own file switches it off"
    )))
}

fn store<'a>(at: &'a CommandSetup<'_>) -> SettingsStore<'a> {
    SettingsStore {
        paths: &at.launch.paths,
        cwd: &at.launch.cwd,
        environment: &at.launch.environment,
        command_line: &at.launch.command_line,
    }
}
