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

/// Serves on a port of its own until the process ends.
pub fn serve(pace: Pace, tokens: u32, end: &'static str) -> Result<Server> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let requested = Requested::default();
    let noted = Arc::clone(&requested);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let noted = Arc::clone(&noted);
            // The client may go at any time.
            std::thread::spawn(move || drop(answer(stream, pace, tokens, end, &noted)));
        }
    });
    Ok(Server { port, requested })
}

fn answer(
    mut stream: TcpStream,
    pace: Pace,
    tokens: u32,
    end: &str,
    requested: &Requested,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let is_chat = read_request(&mut stream)?;
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
    std::io::copy(&mut reader.take(length), &mut std::io::sink())?;
    Ok(first.starts_with("POST") && first.contains("/chat/completions"))
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
