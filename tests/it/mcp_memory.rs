//! Thousands of calls of servers leave nothing behind: a process of its own makes them and
//! says how much more memory it has than before.

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use plimsoll::config::{EnvironmentVars, McpDefer, McpServer, McpSettings};
use plimsoll::mcp::{McpPlace, McpServers};
use plimsoll::provider::Trust;
use serde_json::{Map, json};

use super::figures;
use super::mcp_server::described;
use super::mcp_web::{McpWeb, address, older};

/// Says which server is called; without it the test that calls does nothing.
const SERVER: &str = "PLIM_TEST_MCP_CALLED";
/// Calls before the first look, and between the looks.
const WARM: usize = 500;
const CALLS: usize = 10_000;
/// What allocators and threads may keep, in KiB.
const MAX_GROWTH_KIB: i64 = 3 * 1024;

#[test]
fn memory_is_flat_over_thousands_of_calls() {
    let web = McpWeb::start(|asked, body| older(asked, body, "s1"));
    let begun = [
        ("program", "program".to_owned()),
        ("http", format!("{}/mcp", web.base)),
    ]
    .map(|(name, server)| (name, caller(server)));
    for (name, child) in begun {
        let ran = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        let growth = said.lines().find_map(|line| line.strip_prefix("growth "));
        let growth: i64 = growth.unwrap_or_else(|| panic!("{said}")).parse().unwrap();
        figures::show(format!("{name}: {growth} KiB more after {CALLS} calls"));
        assert!(
            growth < MAX_GROWTH_KIB,
            "{name}: {growth} KiB more after {CALLS} calls"
        );
    }
}

/// A process that calls this server.
fn caller(server: String) -> Child {
    let args = [
        "--exact",
        "mcp_memory::calls_a_server_when_asked",
        "--nocapture",
    ];
    let exe = std::env::current_exe().unwrap();
    let mut command = Command::new(exe);
    command.args(args).env(SERVER, server);
    command.stdout(Stdio::piped()).spawn().unwrap()
}

#[test]
fn calls_a_server_when_asked() {
    let Ok(server) = std::env::var(SERVER) else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let growth = runtime.block_on(grown(&server));
    figures::show(format!("growth {growth}"));
}

/// KiB more after the calls than before.
async fn grown(server: &str) -> i64 {
    let dir = tempfile::tempdir().unwrap();
    let server: McpServer = match server {
        "program" => described("web", "good", &dir.path().join("notes")),
        url => address("web", url),
    };
    let settings = McpSettings {
        defer: McpDefer::Always,
        servers: vec![server],
    };
    let place = McpPlace {
        cwd: dir.path().to_owned(),
        environment: EnvironmentVars::new(),
        lists_file: dir.path().join("lists.json"),
        credentials_file: dir.path().join("credentials.toml"),
        trust: Trust::default(),
    };
    let servers = Arc::new(McpServers::new(&settings, place));
    servers.start();
    servers.settled(Duration::from_mins(1)).await;
    call(&servers, WARM).await;
    let before = resident_kib();
    call(&servers, CALLS).await;
    let after = resident_kib();
    servers.close().await;
    after - before
}

async fn call(servers: &McpServers, times: usize) {
    for at in 0..times {
        let mut arguments = Map::new();
        arguments.insert(
            "text".to_owned(),
            json!(format!("{at} {}", "x".repeat(1_000))),
        );
        let outcome = servers.call("web", "echo", arguments).await;
        assert!(!outcome.is_error, "{outcome:?}");
    }
}

/// Memory of this process; nothing where there is no way to know.
fn resident_kib() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let words = line.unwrap_or_default().split_whitespace().next();
    words.and_then(|kib| kib.parse().ok()).unwrap_or_default()
}
