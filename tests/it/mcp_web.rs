//! A server of the Model Context Protocol that is reached by HTTP, for tests. It speaks by
//! hand, so that it can also say what no well-kept SDK would.

use std::collections::BTreeMap;
use std::io::{BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use plimsoll::config::{McpLogin, McpReach, McpServer, SettingOrigin};
use serde_json::{Value, json};

use super::web::{Asked, read};

/// No test waits longer.
const PATIENCE: Duration = Duration::from_mins(1);

/// What the server does with a request.
pub enum Act {
    /// Status, further headers, body.
    Answer(u16, String, String),
    /// These bytes, and the connection ends.
    Raw(Vec<u8>),
    /// Nothing, until the other side goes.
    Silence,
    /// A head, then this again and again, until the other side goes.
    Flood(&'static str, &'static str),
}

type Acts = dyn Fn(&Asked, &Value) -> Act + Send + Sync;

/// Lives as long as the process.
pub struct McpWeb {
    /// `http://127.0.0.1:PORT`
    pub base: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl McpWeb {
    /// Each request with its JSON body, `null` when it has none.
    pub fn start(acts: impl Fn(&Asked, &Value) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let web = Self {
            base: format!("http://{}", listener.local_addr().unwrap()),
            asked: Arc::default(),
        };
        let (acts, asked): (Arc<Acts>, _) = (Arc::new(acts), web.asked.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (acts, asked) = (acts.clone(), asked.clone());
                std::thread::spawn(move || serve(stream, &*acts, &asked));
            }
        });
        web
    }

    /// Its description in a configuration.
    pub fn described(&self, name: &str) -> McpServer {
        address(name, &format!("{}/mcp", self.base))
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The requests with this method of the protocol, once there are so many.
    pub fn asked_for(&self, method: &str, times: usize) -> Vec<Asked> {
        let began = Instant::now();
        loop {
            let all = self.asked();
            let found = all.into_iter().filter(|asked| method_of(asked) == method);
            let found: Vec<Asked> = found.collect();
            if found.len() >= times {
                return found;
            }
            assert!(began.elapsed() < PATIENCE, "{method}: {found:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A server at an address.
pub fn address(name: &str, url: &str) -> McpServer {
    McpServer {
        name: name.to_owned(),
        reach: McpReach::Address {
            url: url.to_owned(),
            headers: BTreeMap::new(),
            login: McpLogin::default(),
        },
        deadline_secs: 30,
        tools: Vec::new(),
        off: false,
        origin: SettingOrigin::Default,
    }
}

/// The method in the body of a request; empty when it has none.
pub fn method_of(asked: &Asked) -> String {
    let body: Value = serde_json::from_str(&asked.body).unwrap_or_default();
    body["method"].as_str().unwrap_or_default().to_owned()
}

/// The value of a header.
pub fn header<'a>(asked: &'a Asked, name: &str) -> Option<&'a str> {
    asked.head.lines().skip(1).find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

fn serve(stream: TcpStream, acts: &Acts, log: &Mutex<Vec<Asked>>) {
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    while let Some(asked) = read(&mut reader) {
        let body = serde_json::from_str(&asked.body).unwrap_or_default();
        log.lock().unwrap().push(asked.clone());
        let written = match acts(&asked, &body) {
            Act::Answer(status, headers, body) => {
                let length = body.len();
                let head = format!("HTTP/1.1 {status} X\r\n{headers}content-length: {length}\r\n");
                writer.write_all(format!("{head}\r\n{body}").as_bytes())
            }
            Act::Raw(bytes) => {
                let _ = writer.write_all(&bytes);
                return;
            }
            Act::Silence => {
                let _ = reader.read(&mut [0]);
                return;
            }
            Act::Flood(head, again) => {
                let mut written = writer.write_all(head.as_bytes());
                let again = again.repeat(1_000);
                while written.is_ok() {
                    written = writer.write_all(again.as_bytes());
                }
                return;
            }
        };
        if written.is_err() {
            return;
        }
    }
}

/// An answer in JSON.
pub fn answer(asked: &Value, result: &Value) -> Act {
    json_body(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}))
}

/// The same as an event of a stream.
pub fn event(asked: &Value, result: &Value) -> String {
    let message = json!({"jsonrpc": "2.0", "id": asked["id"], "result": result});
    format!("id: 1\ndata: {message}\n\n")
}

fn refused(asked: &Value) -> Act {
    let error = json!({"code": -32601, "message": "method not found"});
    json_body(&json!({"jsonrpc": "2.0", "id": asked["id"], "error": error}))
}

fn json_body(value: &Value) -> Act {
    let kind = "content-type: application/json\r\n".to_owned();
    Act::Answer(200, kind, value.to_string())
}

/// A status with a text.
pub fn status(status: u16, text: &str) -> Act {
    let kind = "content-type: text/plain\r\n".to_owned();
    Act::Answer(status, kind, text.to_owned())
}

/// A server of an older version: it greets with `initialize`, has one tool that says what it
/// is told, and a session with this id.
pub fn older(asked: &Asked, body: &Value, session: &str) -> Act {
    let target = asked.head.split(' ').next().unwrap_or_default();
    match target {
        "GET" => return status(405, "no stream"),
        "DELETE" => return status(200, ""),
        _ => {}
    }
    match body["method"].as_str().unwrap_or_default() {
        "initialize" => {
            let result = json!({
                "protocolVersion": body["params"]["protocolVersion"],
                "capabilities": {"tools": {"listChanged": true}},
                "serverInfo": {"name": "web \u{1b}[31mserver", "version": "1"},
            });
            let id = format!("mcp-session-id: {session}\r\n");
            match answer(body, &result) {
                Act::Answer(status, headers, body) => Act::Answer(status, headers + &id, body),
                other => other,
            }
        }
        "tools/list" => answer(body, &tools()),
        "tools/call" => answer(body, &said(&body["params"]["arguments"]["text"])),
        "ping" => answer(body, &json!({})),
        method if method.starts_with("notifications/") => {
            Act::Answer(202, String::new(), String::new())
        }
        _ => refused(body),
    }
}

/// A server of the newest version: no session, no `initialize`.
pub fn newest(asked: &Asked, body: &Value) -> Act {
    if !asked.head.starts_with("POST") {
        return status(405, "no stream");
    }
    match body["method"].as_str().unwrap_or_default() {
        "server/discover" => answer(
            body,
            &json!({
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}},
                "ttlMs": 0,
                "cacheScope": "private",
            }),
        ),
        "tools/list" => answer(body, &complete(tools())),
        "tools/call" => answer(body, &complete(said(&body["params"]["arguments"]["text"]))),
        method if method.starts_with("notifications/") => {
            Act::Answer(202, String::new(), String::new())
        }
        _ => refused(body),
    }
}

fn complete(mut result: Value) -> Value {
    result["resultType"] = json!("complete");
    result["ttlMs"] = json!(0);
    result["cacheScope"] = json!("private");
    result
}

fn tools() -> Value {
    json!({"tools": [{"name": "echo", "description": "Says it \u{1b}[31magain.", "inputSchema": {
        "type": "object", "required": ["text"],
        "properties": {"text": {"type": "string", "description": "What to say."}}}}]})
}

/// The result of the tool.
pub fn said(text: &Value) -> Value {
    let text = format!(
        "said {}\u{1b}]52;c;eA==\u{7}",
        text.as_str().unwrap_or_default()
    );
    json!({"content": [{"type": "text", "text": text}]})
}
