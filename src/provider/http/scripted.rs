//! A local server that answers each connection with a script, for tests.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// One step of an answer.
#[derive(Clone)]
pub(crate) enum ScriptStep {
    /// Send these bytes.
    Send(Vec<u8>),
    /// Stay silent until the other side hangs up.
    Hang,
    /// Reset the connection.
    Reset,
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct SeenRequest {
    /// Request line and headers, lower case names as sent.
    pub head: String,
    /// The body as JSON.
    pub body: Value,
}

/// The server; lives as long as the test's runtime.
pub(crate) struct ScriptedServer {
    /// `http://127.0.0.1:PORT`
    pub base: String,
    seen: Arc<Mutex<Vec<SeenRequest>>>,
}

impl ScriptedServer {
    /// Answers the n-th request with the n-th script, further ones with the last.
    pub(crate) async fn start(scripts: Vec<Vec<ScriptStep>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = seen.clone();
        tokio::spawn(async move {
            for n in 0.. {
                let (socket, _) = listener.accept().await.unwrap();
                let script = scripts[n.min(scripts.len() - 1)].clone();
                tokio::spawn(answer(socket, script, log.clone()));
            }
        });
        Self { base, seen }
    }

    /// The requests so far.
    pub(crate) fn seen(&self) -> Vec<SeenRequest> {
        self.seen.lock().unwrap().clone()
    }
}

async fn answer(mut socket: TcpStream, script: Vec<ScriptStep>, log: Arc<Mutex<Vec<SeenRequest>>>) {
    let mut bytes = Vec::new();
    let (head, body) = loop {
        let mut buffer = [0; 4096];
        let n = socket.read(&mut buffer).await.unwrap_or(0);
        bytes.extend_from_slice(&buffer[..n]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "))
                .map_or(0, |n| n.trim().parse::<usize>().unwrap());
            if body.len() >= length {
                break (head.to_owned(), body.to_owned());
            }
        }
        if n == 0 {
            return;
        }
    };
    log.lock().unwrap().push(SeenRequest {
        head,
        body: serde_json::from_str(&body).unwrap_or(Value::Null),
    });
    for step in script {
        match step {
            ScriptStep::Send(bytes) => {
                if socket.write_all(&bytes).await.is_err() {
                    return;
                }
                let _ = socket.flush().await;
                tokio::task::yield_now().await;
            }
            ScriptStep::Hang => {
                let mut rest = [0; 64];
                let _ = tokio::time::timeout(Duration::from_secs(5), socket.read(&mut rest)).await;
                return;
            }
            ScriptStep::Reset => {
                // An unread request or a zero linger would do; dropping half-way through a
                // promised length is the portable way to break an answer.
                return;
            }
        }
    }
}

/// A 200 event stream of unknown length (ends with the connection), sent in `pieces`.
pub(crate) fn events(pieces: &[&str]) -> Vec<ScriptStep> {
    let mut steps = vec![ScriptStep::Send(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n".to_vec(),
    )];
    steps.extend(
        pieces
            .iter()
            .map(|p| ScriptStep::Send(p.as_bytes().to_vec())),
    );
    steps
}

/// A whole response.
pub(crate) fn response(status: u16, headers: &str, body: &str) -> Vec<ScriptStep> {
    vec![ScriptStep::Send(
        format!(
            "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
            body.len()
        )
        .into_bytes(),
    )]
}
