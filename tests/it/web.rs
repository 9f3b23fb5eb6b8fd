//! A small HTTP server on this machine: paths with their answers, connections kept open,
//! everything that was asked kept. Also what a proxy is tested with.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Status, further headers, body.
pub type Answer = (u16, String, String);

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Asked {
    /// As in the request line: a path, or the whole URL at a proxy.
    pub target: String,
    /// Request line and headers.
    pub head: String,
    pub body: String,
}

type Answers = dyn Fn(&Asked) -> Answer + Send + Sync;

/// Lives as long as the process.
pub struct Web {
    /// `http://127.0.0.1:PORT`
    pub base: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    connections: Arc<Mutex<usize>>,
}

/// A JSON answer.
pub fn json(body: &str) -> Answer {
    let kind = "content-type: application/json\r\n";
    (200, kind.to_owned(), body.to_owned())
}

/// A chat completion that says `text`.
pub fn chat(text: &str) -> Answer {
    let delta = serde_json::json!({"choices": [{"index": 0, "delta": {"content": text},
        "finish_reason": "stop"}]});
    let usage = serde_json::json!({"choices": [], "usage": {"prompt_tokens": 2000,
        "completion_tokens": 3}});
    let body = format!("data: {delta}\n\ndata: {usage}\n\ndata: [DONE]\n\n");
    (200, "content-type: text/event-stream\r\n".to_owned(), body)
}

pub fn missing() -> Answer {
    (404, String::new(), "no".to_owned())
}

impl Web {
    pub fn start(answers: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let web = Self {
            base: format!("http://{}", listener.local_addr().unwrap()),
            asked: Arc::default(),
            connections: Arc::default(),
        };
        let answers: Arc<Answers> = Arc::new(answers);
        let (asked, connections) = (web.asked.clone(), web.connections.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                *connections.lock().unwrap() += 1;
                let (answers, asked) = (answers.clone(), asked.clone());
                std::thread::spawn(move || serve(stream, &*answers, &asked));
            }
        });
        web
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub fn connections(&self) -> usize {
        *self.connections.lock().unwrap()
    }
}

fn serve(stream: TcpStream, answers: &Answers, log: &Mutex<Vec<Asked>>) {
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    while let Some(asked) = read(&mut reader) {
        let (status, headers, body) = answers(&asked);
        log.lock().unwrap().push(asked);
        let head = format!(
            "HTTP/1.1 {status} X\r\n{headers}content-length: {}\r\n\r\n",
            body.len()
        );
        if writer.write_all((head + &body).as_bytes()).is_err() {
            return;
        }
    }
}

/// One request; `None` when there is no further one.
pub fn read(reader: &mut BufReader<TcpStream>) -> Option<Asked> {
    let mut head = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        head += &line;
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse().unwrap())
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some(Asked {
        target: head.split(' ').nth(1)?.to_owned(),
        head,
        body: String::from_utf8_lossy(&body).into_owned(),
    })
}
