//! Servers that others wrote: run by hand (`tests/real-mcp.sh`), because they have to be
//! installed. The variable names a file: name to a command with arguments or to an address, a
//! tool, and arguments for it.

use std::io::Write as _;

use plimsoll::config::{McpDefer, McpReach, McpServer, SettingOrigin};
use serde_json::Value;

use super::agent::{Harness, joined};
use super::flow_mcp::{find, used, with_described};
use super::mcp_web::address;
use super::server::{Server, Wire, text};

/// The file that describes them.
const SERVERS: &str = "PLIM_REAL_MCP";

fn described(name: &str, value: &Value) -> McpServer {
    if let Some(url) = value["url"].as_str() {
        return address(name, url);
    }
    let texts = |key: &str| -> Vec<String> {
        let list = value[key].as_array().cloned().unwrap_or_default();
        list.iter()
            .map(|it| it.as_str().unwrap().to_owned())
            .collect()
    };
    let mut command = texts("command");
    McpServer {
        name: name.to_owned(),
        reach: McpReach::Program {
            command: command.remove(0),
            args: command,
            env: std::collections::BTreeMap::new(),
            cwd: None,
        },
        deadline_secs: 120,
        tools: Vec::new(),
        off: false,
        origin: SettingOrigin::Default,
    }
}

#[tokio::test]
async fn servers_that_others_wrote_answer() {
    let Ok(file) = std::env::var(SERVERS) else {
        return;
    };
    let servers: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    for (name, value) in servers.as_object().unwrap() {
        let tool = format!("{name}__{}", value["tool"].as_str().unwrap());
        let script = [
            find("c1", &tool),
            used("c2", &tool, &value["arguments"]),
            text("done"),
        ];
        let server = Server::start(Wire::OpenAi, script).await;
        let harness = Harness::new(&server);
        let harness = with_described(harness, McpDefer::Always, vec![described(name, value)]);
        let mut agent = harness.start().await;
        agent.ask("go").await;
        let report = harness.setup.servers.reports().remove(0);
        let told = joined(&server.body(2));
        let answer = told.lines().rev().find(|line| line.contains("result:"));
        let version = report.version.clone().unwrap_or_default();
        let (tools, tokens) = (report.deferred.tools, report.deferred.tokens);
        let row = format!("| {name} | {version} | {tools} | {tokens} |");
        writeln!(std::io::stdout(), "{row}").unwrap();
        let wanted = value["answer"].as_str().unwrap();
        assert!(told.contains(wanted), "{name}: {answer:?} in {told}");
        assert_eq!(report.calls.failures, 0, "{name}: {report:?}");
        agent.stop().await;
    }
}
