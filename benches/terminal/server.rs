//! A model on this machine: answers every request with small pieces of prose and code,
//! at a pace, in the streaming format of chat completions.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
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

/// Serves on a port of its own until the process ends.
pub fn serve(pace: Pace, tokens: u32, end: &'static str) -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // The client may go at any time.
            std::thread::spawn(move || drop(answer(stream, pace, tokens, end)));
        }
    });
    Ok(port)
}

fn answer(mut stream: TcpStream, pace: Pace, tokens: u32, end: &str) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let is_chat = read_request(&mut stream)?;
    if !is_chat {
        return stream.write_all(
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        );
    }
    stream.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n",
    )?;
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

/// Reads a request to its end; says whether it asks for a completion.
fn read_request(stream: &mut TcpStream) -> std::io::Result<bool> {
    let mut seen = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = stream.read(&mut buffer)?;
        seen.extend_from_slice(buffer.get(..count).unwrap_or_default());
        let text = String::from_utf8_lossy(&seen);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .filter_map(|line| line.split_once(':'))
                .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                .and_then(|(_, value)| value.trim().parse().ok())
                .unwrap_or(0);
            if body.len() >= length {
                return Ok(head.starts_with("POST") && head.contains("/chat/completions"));
            }
        }
        if count == 0 {
            return Ok(false);
        }
    }
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
