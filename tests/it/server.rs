//! A local model server that plays a script: the n-th request gets the n-th reply, and
//! every request body is kept. It is not a model: what it says is what the test wrote.
//! Requests beyond the script are answered with an error, so that a loop shows.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::agent::{has_no_tools, messages};
use super::strict;

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI chat completions.
    OpenAi,
    /// OpenAI Responses.
    Responses,
    /// Gemini.
    Gemini,
}

/// The server's reaction to one request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A whole answer.
    Answer(Say),
    /// An HTTP error with a body and further headers.
    Status(u16, Vec<(&'static str, String)>, String),
    /// An answer that is cut off (the connection closes) before it ends.
    Cut(Say),
    /// An answer that goes silent before it ends, until the client hangs up.
    Stall(Say),
    /// The connection closes before a byte is sent.
    Reset,
    /// These bytes as they are, then the connection closes.
    Raw(Vec<u8>),
    /// These bytes, then this piece again and again (or nothing, when it is empty) until
    /// the client hangs up.
    Endless(Vec<u8>, Vec<u8>),
}

/// The content of an answer.
#[derive(Clone, Debug, Default)]
pub struct Say {
    text: String,
    /// Reasoning and what signs it.
    thinking: Option<(String, String)>,
    calls: Vec<(String, String, String)>,
    input_tokens: Option<u64>,
    stop: Option<&'static str>,
}

impl Say {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// After signed reasoning; not for chat completions, where nothing is signed.
    pub fn thinking(mut self, text: &str, signature: &str) -> Self {
        self.thinking = Some((text.to_owned(), signature.to_owned()));
        self
    }

    /// And a tool call.
    pub fn call(self, id: &str, name: &str, arguments: &Value) -> Self {
        self.raw_call(id, name, &arguments.to_string())
    }

    /// And a tool call whose arguments are these bytes.
    pub fn raw_call(mut self, id: &str, name: &str, arguments: &str) -> Self {
        self.calls
            .push((id.to_owned(), name.to_owned(), arguments.to_owned()));
        self
    }

    /// Says how many tokens the prompt had.
    pub fn usage(mut self, input_tokens: u64) -> Self {
        self.input_tokens = Some(input_tokens);
        self
    }

    /// Ends with this reason, in the words of the protocol.
    pub fn stop(mut self, stop: &'static str) -> Self {
        self.stop = Some(stop);
        self
    }

    /// As a reply.
    pub fn reply(self) -> Reply {
        Reply::Answer(self)
    }
}

/// An answer of text alone.
pub fn text(text: impl Into<String>) -> Reply {
    Say::text(text).reply()
}

/// An HTTP error with an error object as its body.
pub fn status(code: u16, kind: &str, message: &str) -> Reply {
    let body = json!({"type": "error", "error": {"type": kind, "message": message}});
    Reply::Status(code, Vec::new(), body.to_string())
}

/// The refusal of a prompt that is too long, in the words of the protocol.
pub fn overflow(wire: Wire) -> Reply {
    match wire {
        Wire::Anthropic => status(
            400,
            "invalid_request_error",
            "prompt is too long: 212345 tokens > 200000 maximum",
        ),
        Wire::Gemini => {
            let body = json!({"error": {"code": 400, "status": "INVALID_ARGUMENT",
                "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}});
            Reply::Status(400, Vec::new(), body.to_string())
        }
        Wire::OpenAi | Wire::Responses => {
            let body = json!({"error": {
                "message": "This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens. Please reduce the length of the messages.",
                "type": "invalid_request_error", "code": "context_length_exceeded"}});
            Reply::Status(400, Vec::new(), body.to_string())
        }
    }
}

/// A running server; lives as long as the test's runtime.
#[derive(Clone)]
pub struct Server {
    /// The protocol it speaks.
    pub wire: Wire,
    /// `http://127.0.0.1:PORT`
    pub base: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    script: VecDeque<Reply>,
    /// Taken by requests for summaries, as long as there are any.
    summaries: VecDeque<Reply>,
    /// Taken by requests in which a user's message has these words.
    marked: Vec<(String, VecDeque<Reply>)>,
    seen: Vec<Value>,
    heads: Vec<String>,
    /// Violations of the format's rules in requests so far.
    faults: Vec<String>,
}

/// A request that the real server would refuse for its form fails the test.
impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        if let Ok(state) = self.state.lock() {
            assert!(state.faults.is_empty(), "{:#?}", state.faults);
        }
    }
}

impl Server {
    /// Starts one with a script.
    pub async fn start(wire: Wire, script: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State {
            script: script.into_iter().collect(),
            ..State::default()
        }));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(serve(socket, wire, Arc::clone(&shared)));
            }
        });
        Self { wire, base, state }
    }

    /// More replies at the end of the script.
    pub fn then(&self, more: impl IntoIterator<Item = Reply>) {
        self.state.lock().unwrap().script.extend(more);
    }

    /// Replies to requests for summaries alone: one that is written beside the conversation
    /// comes in no certain order with its answers.
    pub fn then_for_summaries(&self, more: impl IntoIterator<Item = Reply>) {
        self.state.lock().unwrap().summaries.extend(more);
    }

    /// Replies to requests in which a message of the user has these words: several
    /// conversations at the same time come in no certain order.
    pub fn then_for(&self, words: &str, replies: impl IntoIterator<Item = Reply>) {
        let mut state = self.state.lock().unwrap();
        let replies = replies.into_iter().collect();
        state.marked.push((words.to_owned(), replies));
    }

    /// The bodies of all requests so far, in order.
    pub fn seen(&self) -> Vec<Value> {
        self.state.lock().unwrap().seen.clone()
    }

    /// The body of one request.
    pub fn body(&self, index: usize) -> Value {
        let seen = self.seen();
        let count = seen.len();
        seen.into_iter()
            .nth(index)
            .unwrap_or_else(|| panic!("only {count} requests were sent"))
    }

    /// Request line and headers of all requests so far, in lower case.
    pub fn heads(&self) -> Vec<String> {
        self.state.lock().unwrap().heads.clone()
    }

    /// Forgets the next reply.
    pub fn drop_next(&self) {
        self.state.lock().unwrap().script.pop_front();
    }

    /// How many replies are left over.
    pub fn left(&self) -> usize {
        self.state.lock().unwrap().script.len()
    }
}

async fn serve(mut socket: TcpStream, wire: Wire, state: Arc<Mutex<State>>) {
    let Some((head, body)) = read_request(&mut socket).await else {
        return;
    };
    if body.is_null() {
        // A look at which models there are; the script is about answers.
        let _ = socket
            .write_all(b"HTTP/1.1 404 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            .await;
        return;
    }
    let reply = {
        let mut state = state.lock().unwrap();
        state.faults.extend(strict::check(wire, &body).err());
        let summary = if has_no_tools(&body) {
            state.summaries.pop_front()
        } else {
            None
        };
        let said = messages(&body).into_iter();
        let said: String = said
            .filter(|(role, _)| role == "user")
            .map(|(_, text)| text + "\n")
            .collect();
        let mut marked = state.marked.iter_mut();
        let marked = marked.find(|(words, _)| said.contains(words.as_str()));
        let marked = marked.and_then(|(_, replies)| replies.pop_front());
        state.seen.push(body);
        state.heads.push(head);
        marked
            .or(summary)
            .or_else(|| state.script.pop_front())
            .unwrap_or_else(|| status(400, "invalid_request_error", "the script has ended"))
    };
    match reply {
        Reply::Reset => {}
        Reply::Raw(bytes) => {
            let _ = socket.write_all(&bytes).await;
        }
        Reply::Endless(bytes, piece) => {
            let _ = socket.write_all(&bytes).await;
            let began = std::time::Instant::now();
            while began.elapsed() < PATIENCE && socket.write_all(&piece).await.is_ok() {
                tokio::time::sleep(BETWEEN_PIECES).await;
            }
        }
        Reply::Status(code, headers, body) => {
            let mut head = format!(
                "HTTP/1.1 {code} No\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n",
                body.len()
            );
            for (name, value) in headers {
                let _ = write!(head, "{name}: {value}\r\n");
            }
            let _ = socket
                .write_all(format!("{head}\r\n{body}").as_bytes())
                .await;
        }
        Reply::Answer(say) => {
            let (start, end) = events(wire, &say);
            let _ = socket
                .write_all(format!("{STREAM_HEAD}{start}{end}").as_bytes())
                .await;
        }
        Reply::Cut(say) => {
            let (start, _) = events(wire, &say);
            let _ = socket
                .write_all(format!("{STREAM_HEAD}{start}").as_bytes())
                .await;
        }
        Reply::Stall(say) => {
            let (start, _) = events(wire, &say);
            let _ = socket
                .write_all(format!("{STREAM_HEAD}{start}").as_bytes())
                .await;
            let _ = socket.flush().await;
            let mut rest = [0; 64];
            let gone = socket.read(&mut rest);
            let _ = tokio::time::timeout(PATIENCE, gone).await;
        }
    }
    let _ = socket.shutdown().await;
}

/// A client that never hangs up is given up.
const PATIENCE: Duration = Duration::from_secs(90);
/// Pause between two pieces of an endless reply.
const BETWEEN_PIECES: Duration = Duration::from_millis(10);

/// The head of an answer of events.
pub const STREAM_HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// Request line and headers, in lower case, and the body.
async fn read_request(socket: &mut TcpStream) -> Option<(String, Value)> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let n = socket.read(&mut buffer).await.ok()?;
        if n == 0 {
            return None;
        }
        bytes.extend_from_slice(&buffer[..n]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length: usize = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"))
            .map_or(0, |n| n.trim().parse().unwrap());
        let body = &bytes[end + 4..];
        if body.len() >= length {
            let body = serde_json::from_slice(body).unwrap_or(Value::Null);
            return Some((head, body));
        }
    }
}

/// The events of an answer: those before the stop, and those from it on.
fn events(wire: Wire, say: &Say) -> (String, String) {
    match wire {
        Wire::Anthropic => anthropic(say),
        Wire::OpenAi => openai(say),
        Wire::Responses => responses(say),
        Wire::Gemini => gemini(say),
    }
}

/// Text comes in pieces, as from a real server.
fn pieces(text: &str) -> Vec<String> {
    const PIECE_CHARS: usize = 400;
    let chars: Vec<char> = text.chars().collect();
    chars
        .chunks(PIECE_CHARS)
        .map(|piece| piece.iter().collect())
        .collect()
}

fn anthropic(say: &Say) -> (String, String) {
    let event = |name: &str, data: Value| {
        let mut data = data;
        data["type"] = json!(name);
        format!("event: {name}\ndata: {data}\n\n")
    };
    let input = say.input_tokens.unwrap_or(0);
    let mut start = event(
        "message_start",
        json!({"message": {"id": "msg_1", "role": "assistant", "content": [],
            "usage": {"input_tokens": input, "output_tokens": 1}}}),
    );
    let mut index = 0;
    if let Some((text, signature)) = &say.thinking {
        let deltas = [
            json!({"type": "thinking_delta", "thinking": text}),
            json!({"type": "signature_delta", "signature": signature}),
        ];
        start += &event(
            "content_block_start",
            json!({"index": index, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}),
        );
        for delta in deltas {
            start += &event(
                "content_block_delta",
                json!({"index": index, "delta": delta}),
            );
        }
        start += &event("content_block_stop", json!({"index": index}));
        index += 1;
    }
    if !say.text.is_empty() {
        start += &event(
            "content_block_start",
            json!({"index": index, "content_block": {"type": "text", "text": ""}}),
        );
        for piece in pieces(&say.text) {
            start += &event(
                "content_block_delta",
                json!({"index": index, "delta": {"type": "text_delta", "text": piece}}),
            );
        }
        start += &event("content_block_stop", json!({"index": index}));
        index += 1;
    }
    for (id, name, arguments) in &say.calls {
        start += &event(
            "content_block_start",
            json!({"index": index, "content_block": {"type": "tool_use", "id": id, "name": name, "input": {}}}),
        );
        start += &event(
            "content_block_delta",
            json!({"index": index, "delta": {"type": "input_json_delta", "partial_json": arguments}}),
        );
        start += &event("content_block_stop", json!({"index": index}));
        index += 1;
    }
    let stop = say.stop.unwrap_or(if say.calls.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    });
    let end = event(
        "message_delta",
        json!({"delta": {"stop_reason": stop}, "usage": {"output_tokens": u64::from(input > 0) * 10}}),
    ) + &event("message_stop", json!({}));
    (start, end)
}

fn openai(say: &Say) -> (String, String) {
    let chunk = |delta: Value, finish: Option<&str>| {
        let data = json!({"id": "c1", "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
        format!("data: {data}\n\n")
    };
    let mut start = chunk(json!({"role": "assistant", "content": ""}), None);
    for piece in pieces(&say.text) {
        start += &chunk(json!({"content": piece}), None);
    }
    for (index, (id, name, arguments)) in say.calls.iter().enumerate() {
        start += &chunk(
            json!({"tool_calls": [{"index": index, "id": id, "type": "function",
                "function": {"name": name, "arguments": arguments}}]}),
            None,
        );
    }
    let stop = say.stop.unwrap_or(if say.calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    });
    let mut end = chunk(json!({}), Some(stop));
    if let Some(input) = say.input_tokens {
        let data =
            json!({"choices": [], "usage": {"prompt_tokens": input, "completion_tokens": 10}});
        let _ = write!(end, "data: {data}\n\n");
    }
    end += "data: [DONE]\n\n";
    (start, end)
}

fn responses(say: &Say) -> (String, String) {
    let event = |name: &str, data: Value| {
        let mut data = data;
        data["type"] = json!(name);
        format!("event: {name}\ndata: {data}\n\n")
    };
    let mut start = event("response.created", json!({"response": {"id": "resp_1"}}));
    let mut at = 0;
    if let Some((text, signature)) = &say.thinking {
        start += &event(
            "response.reasoning_summary_text.delta",
            json!({"output_index": at, "summary_index": 0, "delta": text}),
        );
        start += &event(
            "response.output_item.done",
            json!({"output_index": at, "item": {"type": "reasoning", "id": "rs_1",
                "summary": [{"type": "summary_text", "text": text}], "encrypted_content": signature}}),
        );
        at += 1;
    }
    for piece in pieces(&say.text) {
        start += &event(
            "response.output_text.delta",
            json!({"output_index": at, "content_index": 0, "delta": piece}),
        );
    }
    for (id, name, arguments) in &say.calls {
        at += 1;
        start += &event(
            "response.output_item.added",
            json!({"output_index": at, "item": {"type": "function_call", "call_id": id, "name": name, "arguments": ""}}),
        );
        start += &event(
            "response.function_call_arguments.delta",
            json!({"output_index": at, "delta": arguments}),
        );
        start += &event(
            "response.output_item.done",
            json!({"output_index": at, "item": {"type": "function_call", "call_id": id, "name": name, "arguments": arguments}}),
        );
    }
    let usage = say
        .input_tokens
        .map(|input| json!({"input_tokens": input, "output_tokens": 10}));
    let end = match say.stop {
        Some(reason) => event(
            "response.incomplete",
            json!({"response": {"incomplete_details": {"reason": reason}, "usage": usage}}),
        ),
        None => event("response.completed", json!({"response": {"usage": usage}})),
    };
    (start, end)
}

fn gemini(say: &Say) -> (String, String) {
    let chunk = |parts: Value| {
        let data = json!({"candidates": [{"content": {"role": "model", "parts": parts}}]});
        format!("data: {data}\r\n\r\n")
    };
    let mut start = String::new();
    let mut signature = None;
    if let Some((text, sign)) = &say.thinking {
        start += &chunk(json!([{"text": text, "thought": true}]));
        signature = Some(sign);
    }
    for piece in pieces(&say.text) {
        start += &chunk(json!([{"text": piece}]));
    }
    let mut calls: Vec<Value> = Vec::new();
    for (id, name, arguments) in &say.calls {
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        let mut part = json!({"functionCall": {"id": id, "name": name, "args": arguments}});
        if let Some(sign) = signature.take() {
            part["thoughtSignature"] = json!(sign);
        }
        calls.push(part);
    }
    if !calls.is_empty() {
        start += &chunk(json!(calls));
    }
    let mut last = json!({"candidates": [{"finishReason": say.stop.unwrap_or("STOP")}]});
    if let Some(input) = say.input_tokens {
        last["usageMetadata"] = json!({"promptTokenCount": input, "candidatesTokenCount": 10});
    }
    (start, format!("data: {last}\r\n\r\n"))
}
