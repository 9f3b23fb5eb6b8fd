//! Servers of the Model Context Protocol on the screen of the program itself.

use std::fs;

use anyhow::Result;
use plimsoll::config::McpReach;
use serde_json::json;

use super::agent::joined;
use super::flow_mcp::{find, used};
use super::mcp_login_acts::{make_browser, opened_at};
use super::mcp_server::{VISITED, described};
use super::pty::Pty;
use super::server::{Server, Wire, text};
use super::terminal::{Place, ready};

/// The program with a server that behaves so, and a model that says what it is told to.
fn start(place: &Place, server: &Server, behaviour: &str) -> Result<Pty> {
    let described = described("good", behaviour, &place.home().join("notes"));
    let McpReach::Program {
        command, args, env, ..
    } = described.reach
    else {
        unreachable!()
    };
    let env: Vec<String> = env
        .iter()
        .map(|(name, value)| format!("{name} = {value:?}"))
        .collect();
    let config = format!(
        "titles = \"text\"\n[mcp]\ndefer = \"always\"\n[mcp.good]\ncommand = {command:?}\nargs = {args:?}\nenv = {{ {} }}\n\
         [approvals]\nallow = [\"good__*\"]\n",
        env.join(", ")
    );
    fs::write(place.home().join("config.toml"), config)?;
    make_browser(&place.home());
    let mut program = place.command(env!("CARGO_BIN_EXE_plim"));
    program.env("OPENAI_API_KEY", "sk-test");
    program.env("BROWSER", place.home().join("browser"));
    program.args(["-m", "openai/gpt-4o", "--base-url", &server.base]);
    ready(Pty::start(program, 120, 40)?)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_to_visit_is_opened_by_the_key_that_says_so() -> Result<()> {
    // A model finds a tool before it calls it, and finding waits for the servers.
    let script = [
        find("c0", "echo"),
        used("c1", "good__echo", &json!({"text": "x"})),
        text("that was it"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let place = Place::new()?;
    let mut pty = start(&place, &server, "visiting")?;
    pty.send("go\r")?;
    pty.wait_for("the MCP server good asks")?;
    pty.wait_for(VISITED)?;
    pty.wait_for("open tickets.example in the browser")?;
    assert_eq!(opened_at(&place.home()), None, "nothing opens by itself");
    pty.send("\t")?;
    pty.wait_for("open it")?;
    pty.send("\r")?;
    pty.wait("the browser", |_| opened_at(&place.home()).is_some())?;
    assert_eq!(opened_at(&place.home()).unwrap().trim(), VISITED);
    pty.wait_for("the MCP server good asks")?;
    pty.send("\u{1b}[B\u{1b}[B\r")?;
    pty.wait_for("that was it")?;
    assert!(joined(&server.body(2)).contains(r#""action":"accept""#));
    Ok(())
}
