//! What is said of servers and tools: in rows of the screens, and line by line without one.

use crate::agent::{CallCount, LinkPhase, ServerReport, ToolCount};
use crate::tui::numbers;

/// What is said where there are none.
pub const NO_SERVERS: &str = "no MCP servers; [mcp.NAME] in config.toml adds one";

/// Tools and their tokens, and whether they are in the list.
pub(super) fn tools(server: &ServerReport) -> String {
    let counted = |count: ToolCount, what: &str| {
        let tools = numbers::plural(count.tools as u64, "tool");
        let tokens = numbers::tokens(count.tokens);
        format!("{tools} {what}, ~{tokens} tok")
    };
    match (server.listed, server.deferred) {
        (listed, _) if listed.tools > 0 => counted(listed, "listed"),
        (_, deferred) if deferred.tools > 0 => counted(deferred, "deferred"),
        _ => "no tools".to_owned(),
    }
}

/// Calls and their time.
pub(super) fn calls(calls: &CallCount) -> String {
    let count = numbers::plural(calls.calls, "call");
    if calls.calls == 0 {
        return count;
    }
    let failed = match calls.failures {
        0 => String::new(),
        failures => format!(", {failures} failed"),
    };
    format!("{count}{failed}, {}", numbers::elapsed(calls.time))
}

/// Its state, in a word or two.
pub(super) fn state(server: &ServerReport) -> &'static str {
    if server.has_changed && server.phase == LinkPhase::Ready {
        return "ready, changed";
    }
    server.phase.name()
}

/// What is worth knowing beside the row: what it is, and what went wrong. Foreign text.
pub(super) fn facts(server: &ServerReport) -> Vec<String> {
    let mut facts = vec![format!("{} · {}", server.program, server.origin)];
    facts.extend(server.version.clone());
    let why = server.phase.why();
    facts.extend(why.map(|why| format!("{}: {why}", server.phase.name())));
    let error = server.calls.last_error.as_ref();
    facts.extend(error.map(|error| format!("the last call that failed: {error}")));
    if server.has_changed {
        let text = "its tools are not those of this session any more; r takes them";
        facts.push(text.to_owned());
    }
    facts
}

/// What switching something with so many tools and tokens off or on does, before it is done.
pub(super) fn cost(tools: u64, on: bool, prompt_tokens: u64) -> String {
    let count = numbers::plural(tools, "tool");
    let moves = match (on, tools) {
        (true, 1) => "enters",
        (true, _) => "enter",
        (false, 1) => "leaves",
        (false, _) => "leave",
    };
    let prompt = numbers::tokens(prompt_tokens);
    format!(
        "{count} {moves} the list with the next request: ~{prompt} tokens are sent without the \
         prompt cache once; the same key again does it"
    )
}

/// The servers line by line.
pub fn lines(servers: &[ServerReport]) -> Vec<String> {
    if servers.is_empty() {
        return vec![NO_SERVERS.to_owned()];
    }
    let mut lines = Vec::new();
    for server in servers {
        let (state, tools) = (state(server), tools(server));
        let calls = calls(&server.calls);
        lines.push(format!("{}: {state}, {tools}, {calls}", server.name));
        lines.extend(facts(server).into_iter().map(|fact| format!("  {fact}")));
    }
    lines
}
