//! What ten servers of tools cost a start: they are programs on this machine, started beside
//! the screen, and the prompt is to be there all the same.

use std::fmt::Write as _;
use std::io::{BufRead as _, Write as _};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use super::pty::{Pty, State};
use super::{COLUMNS, Place, ROWS, SETTLED, report};

/// Says that this program is such a server.
const SERVES: &str = "PLIM_BENCH_SERVES";
const SERVERS: usize = 10;
/// Starts of each kind that are measured, in turns.
const STARTS: usize = 25;

/// Serves until its input ends, when it was started for that.
pub fn serve_if_asked() -> Result<bool> {
    if std::env::var_os(SERVES).is_none() {
        return Ok(false);
    }
    for line in std::io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line?)?;
        let Some(id) = asked.get("id") else { continue };
        let result = match asked["method"].as_str().unwrap_or_default() {
            "initialize" => json!({
                "protocolVersion": asked["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "bench", "version": "1"},
            }),
            "tools/list" => json!({"tools": [{"name": "turn", "description": "Turns the mill.",
                "inputSchema": {"type": "object", "properties": {}}}]}),
            _ => {
                let error = json!({"code": -32601, "message": "method not found"});
                say(&json!({"jsonrpc": "2.0", "id": id, "error": error}))?;
                continue;
            }
        };
        say(&json!({"jsonrpc": "2.0", "id": id, "result": result}))?;
    }
    Ok(true)
}

fn say(message: &Value) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{message}")?;
    Ok(out.flush()?)
}

/// From exec to a composer that takes keys, without servers and with ten of them.
pub fn starts(place: &Place) -> Result<()> {
    let config = place.home.join("config.toml");
    let with_servers = described()?;
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for round in 0..=STARTS {
        for (text, times) in [("", &mut without), (with_servers.as_str(), &mut with)] {
            std::fs::write(&config, text)?;
            let started = Instant::now();
            let pty = Pty::start(place.command(&["--offline"]), COLUMNS, ROWS)?;
            let there = pty.wait("the composer", State::is_ready)?;
            // The first ones warm the disk cache.
            let is_first = round == 0;
            if !is_first {
                times.push(there - started);
            }
            end(pty, is_first && !text.is_empty())?;
        }
    }
    std::fs::remove_file(&config)?;
    report::times("exec to prompt, no servers", &mut without)?;
    report::times("exec to prompt, ten servers", &mut with)?;
    let more = report::milliseconds(middle(&with)) - report::milliseconds(middle(&without));
    report::line("ten servers add", &format!("{more:.1} ms"))
}

/// Leaves the program, so that the next start is alone. First looks whether the servers run,
/// when that is to be shown.
fn end(mut pty: Pty, shows_servers: bool) -> Result<()> {
    if shows_servers {
        std::thread::sleep(SETTLED);
        pty.send("/mcp\r")?;
        pty.wait_for(&format!("{SERVERS} servers, {SERVERS} ready"))?;
        pty.send("\u{1b}")?;
        pty.wait("the composer", State::is_ready)?;
    }
    pty.send("/quit\r")?;
    pty.wait_for_end()?;
    Ok(())
}

/// The middle of times in order.
fn middle(times: &[Duration]) -> Duration {
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn described() -> Result<String> {
    let program = std::env::current_exe()?;
    let mut text = String::new();
    for number in 0..SERVERS {
        writeln!(
            text,
            "[mcp.bench{number}]\ncommand = {:?}\nenv = {{ {SERVES} = \"1\" }}",
            program.display().to_string()
        )?;
    }
    Ok(text)
}
