//! A model on this machine: answers every request with small pieces of prose and code,
//! at a pace, in the streaming format of chat completions.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;

/// How fast it answers.
#[derive(Clone, Copy)]
pub enum Pace {
    /// Tokens a second.
    PerSecond(u32),
    /// As fast as they are taken.
    Full,
}

/// Pieces that are sent together at a pace: five milliseconds of 2,000 a second.
const BATCH: u32 = 10;
/// Every so many tokens a paragraph ends.
const PARAGRAPH: u32 = 90;
/// Every so many tokens a code block is told.
const CODE: u32 = 400;

/// A model that listens.
pub struct Server {
    /// Where.
    pub port: u16,
    requested: Requested,
}

/// When the newest request was there.
type Requested = Arc<Mutex<Option<Instant>>>;

impl Server {
    /// When a request for a completion was there in full, if one came since this was asked.
    pub fn requested(&self) -> Option<Instant> {
        let mut requested = self
            .requested
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        requested.take()
    }
}

/// A request with these words is answered by starting sub-agents.
pub const START_AGENTS: &str = "start the agents";

/// Serves on a port of its own until the process ends.
pub fn serve(pace: Pace, tokens: u32, end: &'static str) -> Result<Server> {
    serve_agents(pace, tokens, end, 0)
}

/// Serves on a port of its own until the process ends; whoever says [`START_AGENTS`] is
/// answered with so many calls of `task`, and those who work are answered as by [`serve`].
pub fn serve_agents(pace: Pace, tokens: u32, end: &'static str, agents: u32) -> Result<Server> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let requested = Requested::default();
    let noted = Arc::clone(&requested);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let noted = Arc::clone(&noted);
            // The client may go at any time.
            std::thread::spawn(move || {
                drop(answer(stream, pace, tokens, end, agents, &noted));
            });
        }
    });
    Ok(Server { port, requested })
}

fn answer(
    mut stream: TcpStream,
    pace: Pace,
    tokens: u32,
    end: &str,
    agents: u32,
    requested: &Requested,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (is_chat, body) = read_request(&mut stream)?;
    if is_chat {
        *requested.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
    if !is_chat {
        return stream.write_all(
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        );
    }
    stream.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n",
    )?;
    let starts = agents > 0 && body.contains(START_AGENTS) && !body.contains("\"role\":\"tool\"");
    if starts {
        return stream.write_all(calls(agents).as_bytes());
    }
    let start = Instant::now();
    let mut batch = String::new();
    for number in 0..tokens {
        batch.push_str(&event(&piece(number)));
        if number % BATCH == BATCH - 1 {
            stream.write_all(batch.as_bytes())?;
            batch.clear();
            if let Pace::PerSecond(rate) = pace {
                let due = start + Duration::from_secs_f64(f64::from(number) / f64::from(rate));
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
            }
        }
    }
    batch.push_str(&event(&format!("\n\n{end}")));
    batch.push_str(
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
    );
    batch.push_str("data: [DONE]\n\n");
    stream.write_all(batch.as_bytes())
}

/// Calls that start sub-agents.
fn calls(agents: u32) -> String {
    let calls: Vec<serde_json::Value> = (0..agents)
        .map(|number| {
            let arguments = serde_json::json!({
                "description": format!("part {number}"),
                "prompt": format!("work on part {number}"),
            });
            serde_json::json!({
                "index": number,
                "id": format!("c{number}"),
                "type": "function",
                "function": {"name": "task", "arguments": arguments.to_string()},
            })
        })
        .collect();
    let delta = serde_json::json!({"choices": [{"index": 0, "delta": {"tool_calls": calls}}]});
    format!(
        "data: {delta}\n\ndata: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\
         \"finish_reason\":\"tool_calls\"}}]}}\n\ndata: [DONE]\n\n"
    )
}

/// Reads a request to its end; says whether it asks for a completion, and what it says.
fn read_request(stream: &mut TcpStream) -> std::io::Result<(bool, String)> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body)?;
    let is_chat = first.starts_with("POST") && first.contains("/chat/completions");
    Ok((is_chat, String::from_utf8_lossy(&body).into_owned()))
}

fn piece(number: u32) -> String {
    match (number % CODE, number % PARAGRAPH) {
        (300, _) => "\n\n```rust\n".to_owned(),
        (301..399, _) if number.is_multiple_of(8) => format!("let x{number} = \"text\";\n"),
        (301..399, _) => "// and ".to_owned(),
        (399, _) => "\n```\n\n".to_owned(),
        (_, 0) => "\n\n".to_owned(),
        _ => "word ".to_owned(),
    }
}

fn event(text: &str) -> String {
    let delta = serde_json::json!({"choices": [{"index": 0, "delta": {"content": text}}]});
    format!("data: {delta}\n\n")
}
