//! A long voyage: hundreds of tool turns against a small window on a local server that
//! refuses what a real provider would refuse. Prints how often it refused, and how much
//! of each request was the same as in the one before it: that is what prompt caches
//! live on.
//!
//! `cargo bench --bench voyage` for 500 turns under one message each and 500 calls
//! under a single message.

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on ends")]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use plimsoll::agent::{
    self, AgentEvent, AgentSetup, Clock, CompactionEvent, Op, SessionOp, SessionSource, SubmitWhen,
    TurnEvent, TurnOp,
};
use plimsoll::config::{Settings, UserPaths};
use plimsoll::context::ruler::{Bpe, Ruler};
use plimsoll::tool::ApprovalMode;
use plimsoll::transcript::{Encoding, ModelRef};
use serde_json::{Value, json};

/// The window that the server enforces, in its own tokens.
const WINDOW_TOKENS: u64 = 32_000;
/// Tool calls of a voyage.
const STEPS: usize = 500;
/// The server's tokenizer sees this much more than ours, and so does a real one.
const SERVER_FACTOR: f64 = 1.12;
/// Latency that a real provider adds to every request.
const SERVER_FIXED_TOKENS: f64 = 900.0;

fn main() {
    for (name, under_one_message) in [("500 short turns", false), ("one turn of 500 calls", true)] {
        let (summary, elapsed) = voyage(under_one_message);
        let _ = writeln!(std::io::stdout(), "{name}: {summary}, {elapsed:.1} s");
    }
}

/// The requests that the server got.
#[derive(Default)]
struct Seen {
    requests: usize,
    summaries: usize,
    rejections: Vec<String>,
    shares: Vec<f64>,
    last: Option<Vec<Value>>,
    steps: usize,
}

fn voyage(under_one_message: bool) -> (String, f64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for n in 0..40 {
        let lines: Vec<String> = (0..120)
            .map(|line| {
                format!(
                    "pub fn item_{n}_{line}() -> u32 {{ {} }} // in file {n}",
                    n * line
                )
            })
            .collect();
        let text = lines.join("\n");
        std::fs::write(folder.path().join(format!("file_{n}.rs")), text).expect("a file");
    }
    let seen = Arc::new(Mutex::new(Seen::default()));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let for_server = Arc::clone(&seen);
    std::thread::spawn(move || serve(&listener, &for_server, under_one_message));
    let began = Instant::now();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(sail(
        folder.path(),
        &format!("http://{address}/v1"),
        under_one_message,
    ));
    runtime.shutdown_background();
    let seen = seen.lock().expect("the log of the server");
    let mean = seen.shares.iter().sum::<f64>() / seen.shares.len().max(1) as f64;
    for rejection in seen.rejections.iter().take(3) {
        let _ = writeln!(std::io::stdout(), "  refused: {rejection}");
    }
    let text = format!(
        "{} requests, {} summaries, {} refused, {:.1}% of the prefix unchanged between compactions",
        seen.requests,
        seen.summaries,
        seen.rejections.len(),
        mean * 100.0
    );
    (text, began.elapsed().as_secs_f64())
}

async fn sail(cwd: &Path, base_url: &str, under_one_message: bool) {
    let mut settings = Settings::default();
    settings.agent.model = Some(ModelRef::new("openai", "voyage"));
    settings.agent.base_url = Some(base_url.to_owned());
    settings.agent.tools.approvals = ApprovalMode::All;
    settings.context.window.user_tokens = Some(WINDOW_TOKENS);
    let home = tempfile::tempdir().expect("a temporary folder");
    let setup = AgentSetup {
        settings,
        paths: UserPaths::below(home.path()),
        cwd: cwd.to_owned(),
        environment: [("OPENAI_API_KEY".to_owned(), "key".to_owned())].into(),
        child: None,
        source: SessionSource::New,
        clock: Clock::new(None),
        lanes: plimsoll::agent::RequestSlots::new(1),
        sources: plimsoll::tool::ToolSources::default(),
        servers: std::sync::Arc::default(),
        flags: plimsoll::agent::StartFlags::default(),
        is_interactive: false,
        is_watched: false,
        provenance: plimsoll::agent::SettingOrigins::default(),
        notices: Vec::new(),
    };
    let mut handle = agent::spawn(setup);
    let messages = if under_one_message { 1 } else { STEPS };
    for n in 0..messages {
        let text = format!("step {n}: look at the next file and tell me what you see");
        let submit = Op::Turn(TurnOp::Submit {
            text,
            images: Vec::new(),
            when: SubmitWhen::NextStep,
        });
        handle.ops.send(submit).await.expect("the agent is there");
        while let Some(event) = handle.events.recv().await {
            match event {
                AgentEvent::Turn(TurnEvent::Finished(end)) => {
                    if let Some(error) = end.error {
                        let _ = writeln!(std::io::stdout(), "  turn {n}: {}", error.text);
                    }
                    break;
                }
                AgentEvent::Compaction(CompactionEvent::Failed { message, .. }) => {
                    let _ = writeln!(std::io::stdout(), "  compaction: {message}");
                }
                _ => {}
            }
        }
    }
    let _ = handle.ops.send(Op::Session(SessionOp::Shutdown)).await;
    while handle.events.recv().await.is_some() {}
}

fn serve(listener: &TcpListener, seen: &Arc<Mutex<Seen>>, under_one_message: bool) {
    let ruler = Bpe::new(Encoding::O200k);
    for stream in listener.incoming().flatten() {
        let _ = answer(stream, seen, ruler, under_one_message);
    }
}

fn answer(
    mut stream: TcpStream,
    seen: &Arc<Mutex<Seen>>,
    ruler: Bpe,
    under_one_message: bool,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    let mut is_post = false;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        is_post |= line.starts_with("POST");
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        if line == "\r\n" {
            break;
        }
    }
    if !is_post {
        return respond(&mut stream, "404 Not Found", "application/json", "{}");
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body: Value = serde_json::from_slice(&body)?;
    let mut seen = seen.lock().expect("one connection at a time");
    seen.requests += 1;
    let text = body["messages"].to_string();
    let tools = body["tools"].to_string();
    let counted = ruler.text_tokens(&text) + ruler.text_tokens(&tools);
    let tokens = (counted as f64 * SERVER_FACTOR + SERVER_FIXED_TOKENS) as u64;
    let output = body["max_tokens"]
        .as_u64()
        .or(body["max_completion_tokens"].as_u64())
        .unwrap_or(0);
    if tokens + output > WINDOW_TOKENS {
        let message = format!(
            "This model's maximum context length is {WINDOW_TOKENS} tokens. However, you requested {} tokens ({tokens} in the messages, {output} in the completion). Please reduce the length of the messages or completion.",
            tokens + output
        );
        seen.rejections.push(message.clone());
        let error = json!({"error": {"message": message, "type": "invalid_request_error", "code": "context_length_exceeded"}});
        return respond(
            &mut stream,
            "400 Bad Request",
            "application/json",
            &error.to_string(),
        );
    }
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    if let Err(what) = check_pairs(&messages) {
        seen.rejections.push(what.clone());
        let error = json!({"error": {"message": what, "type": "invalid_request_error"}});
        return respond(
            &mut stream,
            "400 Bad Request",
            "application/json",
            &error.to_string(),
        );
    }
    let is_summary = body.get("tools").is_none();
    let deltas = if is_summary {
        seen.summaries += 1;
        seen.last = None;
        vec![json!({"content": summary_text()}), json!({})]
    } else {
        note_prefix(&mut seen, &messages);
        next_step(&mut seen, &messages, under_one_message)
    };
    respond(
        &mut stream,
        "200 OK",
        "text/event-stream",
        &events(&deltas, tokens),
    )
}

/// Every call answered in the very next messages, in order, once.
fn check_pairs(messages: &[Value]) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    for message in messages {
        if message["role"] == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            match open.iter().position(|call| call == id) {
                Some(at) => drop(open.remove(at)),
                None => return Err(format!("no call {id} before this result")),
            }
            continue;
        }
        if !open.is_empty() {
            return Err(format!("calls without results: {}", open.join(", ")));
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            open.push(call["id"].as_str().unwrap_or_default().to_owned());
        }
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err("calls without results at the end".to_owned())
    }
}

/// Share of the last request's bytes that this one repeats from the start.
fn note_prefix(seen: &mut Seen, messages: &[Value]) {
    if let Some(last) = &seen.last {
        let size = |messages: &[Value]| messages.iter().map(|m| m.to_string().len()).sum::<usize>();
        let same = last
            .iter()
            .zip(messages)
            .take_while(|(a, b)| a == b)
            .count();
        seen.shares
            .push(size(&last[..same]) as f64 / size(last).max(1) as f64);
    }
    seen.last = Some(messages.to_vec());
}

/// A read of the next file, or words when the turn is over.
fn next_step(seen: &mut Seen, messages: &[Value], under_one_message: bool) -> Vec<Value> {
    let was_result = messages
        .last()
        .is_some_and(|message| message["role"] == "tool");
    let is_over = if under_one_message {
        seen.steps >= STEPS
    } else {
        was_result
    };
    if is_over {
        return vec![
            json!({"content": "I have seen the file; its items return small numbers."}),
            json!({}),
        ];
    }
    let n = seen.steps;
    seen.steps += 1;
    let arguments = json!({"path": format!("file_{}.rs", n % 40)}).to_string();
    vec![
        json!({"content": format!("Reading file {}.", n % 40)}),
        json!({"tool_calls": [{"index": 0, "id": format!("call_{n}"), "type": "function",
            "function": {"name": "read", "arguments": arguments}}]}),
    ]
}

fn summary_text() -> String {
    let headings = [
        "## Goal",
        "## Constraints & Preferences",
        "## Progress",
        "### Done",
        "### In Progress",
        "### Blocked",
        "## Decisions",
        "## Pending user asks",
        "## Next Steps",
        "## Critical Context",
        "## Exact identifiers",
        "## Relevant Files",
    ];
    headings
        .map(|heading| format!("{heading}\n- reading files one after the other\n"))
        .concat()
}

fn events(deltas: &[Value], tokens: u64) -> String {
    let mut out = String::new();
    for delta in deltas {
        let is_call = delta.get("tool_calls").is_some();
        let finish = if delta.as_object().is_some_and(serde_json::Map::is_empty) {
            json!("stop")
        } else if is_call {
            json!("tool_calls")
        } else {
            Value::Null
        };
        let chunk = json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
        let _ = write!(out, "data: {chunk}\n\n");
    }
    let usage = json!({"choices": [], "usage": {"prompt_tokens": tokens, "completion_tokens": 20, "total_tokens": tokens + 20}});
    let _ = write!(out, "data: {usage}\n\ndata: [DONE]\n\n");
    out
}

fn respond(stream: &mut TcpStream, status: &str, kind: &str, body: &str) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    stream.flush()
}
