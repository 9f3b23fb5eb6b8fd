//! `plim mcp list` and `plim mcp test`.

use std::fmt::Write as _;
use std::time::Duration;

use plimsoll::cli::{ExitCode, McpListArgs, McpTestArgs};
use plimsoll::config::{McpReach, McpSettings};
use plimsoll::mcp::{
    KnownServer, LinkPhase, McpServers, OfferedTool, ServerReport, ToolCount, known_servers,
};
use plimsoll::transcript::{grouped, plural};
use serde_json::{Value, json};

use super::super::output::{CommandResult, put, put_json, say};
use super::super::setup::CommandSetup;
use super::{server, settings};

/// Beyond the deadline of a server, the time that its end may take.
const MARGIN: Duration = Duration::from_secs(5);

/// `plim mcp list`
pub(super) fn list(form: McpListArgs, at: &CommandSetup<'_>) -> CommandResult {
    let known = known_servers(settings(at), &at.launch.mcp_place());
    if form.json {
        return put_json(&Value::Array(known.iter().map(listed_json).collect()));
    }
    if known.is_empty() {
        return put("no MCP servers; `plim mcp add` adds one, docs/mcp.md says how\n");
    }
    let lines = known.iter().map(listed_line);
    put(&lines.collect::<String>())
}

/// Tools and their tokens: `1 tool, 31 tokens`.
fn tool_words(count: ToolCount) -> String {
    let tools = plural(count.tools as u64, "tool");
    format!("{tools}, {}", plural(count.tokens, "token"))
}

fn listed_line(known: &KnownServer) -> String {
    let server = &known.server;
    let mut facts = vec![match known.tools {
        Some(count) => tool_words(count),
        None => "not used yet".to_owned(),
    }];
    if known.is_logged_in == Some(true) {
        facts.push("logged in".to_owned());
    }
    if server.off {
        facts.insert(0, "off".to_owned());
    }
    format!(
        "{}  {}\n    {}\n    {}\n",
        server.name,
        server.reach.shown(),
        facts.join(", "),
        server.origin
    )
}

fn listed_json(known: &KnownServer) -> Value {
    let server = &known.server;
    json!({
        "name": server.name,
        "kind": kind(&server.reach),
        "reached": server.reach.shown(),
        "origin": server.origin.to_string(),
        "off": server.off,
        "logged_in": known.is_logged_in,
        "tools": known.tools.map(|it| it.tools),
        "tokens": known.tools.map(|it| it.tokens),
    })
}

fn kind(reach: &McpReach) -> &'static str {
    match reach {
        McpReach::Program { .. } => "program",
        McpReach::Address { .. } => "http",
    }
}

/// `plim mcp test`
pub(super) async fn test(args: &McpTestArgs, at: &CommandSetup<'_>) -> CommandResult {
    let mut server = server(&args.name, at)?;
    // A server that is switched off can be tried all the same.
    server.off = false;
    let limit = Duration::from_secs(server.deadline_secs) * 2 + MARGIN;
    let servers = McpServers::new(
        &McpSettings {
            defer: settings(at).defer,
            servers: vec![server],
        },
        at.launch.mcp_place(),
    );
    servers.start();
    servers.settled(limit).await;
    let tools = servers.tools_of(&args.name);
    let reports = servers.reports();
    servers.close().await;
    let Some(report) = reports.into_iter().next() else {
        return Ok(ExitCode::Failed as u8);
    };
    let tools: Vec<&OfferedTool> = tools.iter().map(|tool| &**tool).collect();
    if args.json {
        put_json(&tested_json(&report, &tools))?;
    } else {
        put(&tested_text(&report, &tools))?;
    }
    if report.phase == LinkPhase::Ready {
        return Ok(ExitCode::Done as u8);
    }
    if !args.json {
        say_failed(&report);
    }
    Ok(ExitCode::Failed as u8)
}

fn say_failed(report: &ServerReport) {
    let (name, why) = (
        &report.name,
        report.phase.why().unwrap_or("it did not start"),
    );
    let hint = match report.phase {
        LinkPhase::NeedsLogin(_) => format!("`plim mcp login {name}` logs in"),
        _ => format!("configured in {}", report.origin),
    };
    say(
        &format!("the MCP server {name} is not ready: {why}"),
        Some(&hint),
    );
}

fn tested_text(report: &ServerReport, tools: &[&OfferedTool]) -> String {
    let mut text = format!("{}: {}", report.name, report.phase.name());
    if let Some(version) = &report.version {
        let _ = write!(text, ", {version}");
    }
    text.push('\n');
    for tool in tools {
        let about = tool.description.lines().next().unwrap_or_default();
        let _ = writeln!(
            text,
            "    {}  {} tokens  {about}",
            tool.name,
            grouped(tool.tokens())
        );
    }
    if report.phase == LinkPhase::Ready {
        let tokens: u64 = tools.iter().map(|tool| tool.tokens()).sum();
        let tools = tools.len();
        let _ = writeln!(text, "{}", tool_words(ToolCount { tools, tokens }));
    }
    text
}

fn tested_json(report: &ServerReport, tools: &[&OfferedTool]) -> Value {
    let each = tools.iter().map(|tool| {
        json!({
            "name": tool.name,
            "tool": tool.tool,
            "description": tool.description,
            "tokens": tool.tokens(),
        })
    });
    json!({
        "name": report.name,
        "state": report.phase.name(),
        "reason": report.phase.why(),
        "version": report.version,
        "tokens": tools.iter().map(|tool| tool.tokens()).sum::<u64>(),
        "tools": each.collect::<Vec<_>>(),
    })
}
