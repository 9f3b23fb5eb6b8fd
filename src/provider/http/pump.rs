//! One request: send it, watch it, turn its bytes into stream events.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::error::Error as _;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::address::{secrets_in, shown};
use super::{HttpClient, MAX_ERROR_BODY_BYTES, retry_after};
use crate::clock::Stopwatch;
use crate::provider::error::{CUT, is_secret};
use crate::provider::key::Key;
use crate::provider::overflow::{Refusal, classify};
use crate::provider::reader::{AnswerReader, is_whole};
use crate::provider::sse::{MAX_EVENT_BYTES, SseEvent};
use crate::provider::{AnswerStream, ProviderError, StreamEvent};
use crate::transcript::{StopReason, Usage};

/// A command that prints the key keeps its own time; this only bounds what goes wrong.
const KEY_PATIENCE: Duration = Duration::from_mins(2);

/// Comments and pings keep a stream alive while a model thinks or waits for its turn, but
/// not for ever: it gets this many stall times until it says something.
const LIVELY_STALLS: u32 = 10;

/// As many things may be wrong with one body for a server of another dialect.
const MAX_MENDS: usize = 3;

/// Turns the events of one answer into stream events. A pure state machine.
pub(in crate::provider) trait Decode: Send + 'static {
    /// Takes one event; appends what it means. After an error nothing more is fed.
    fn event(
        &mut self,
        event: &SseEvent,
        out: &mut VecDeque<StreamEvent>,
    ) -> Result<(), ProviderError>;

    /// The answer is over: appends what was held back and says how it ended; `None` when
    /// the server has not said so. Called once.
    fn end(&mut self, out: &mut VecDeque<StreamEvent>)
    -> Result<Option<StopReason>, ProviderError>;

    /// Whether the server said that the window was full before the answer was over.
    fn window_is_full(&self) -> bool {
        false
    }

    /// Whether the answer is complete, so that the connection need not be read further.
    fn is_done(&self) -> bool;

    /// The tokens counted so far, and the window that they have to fit into.
    fn counted(&self) -> (Usage, Option<u64>);
}

/// What is sent when the server refuses `body` for a reason that can be worked around:
/// gets the refusal and the body, returns the next body; the same one means that it cannot.
pub(in crate::provider) type Mend =
    Box<dyn Fn(&ProviderError, &Value) -> Option<Value> + Send + Sync>;

/// One request.
pub(in crate::provider) struct Call {
    /// Shared client.
    pub client: Arc<HttpClient>,
    /// Provider id, for errors.
    pub provider: String,
    /// Where to post.
    pub url: String,
    /// All headers but those with the key.
    pub headers: Vec<(String, String)>,
    /// The header that carries the key, and what precedes the key in it.
    pub key_header: (&'static str, &'static str),
    /// The key.
    pub key: Key,
    /// What to do instead of an answer 401.
    pub key_hint: String,
    /// The JSON body.
    pub body: Value,
    /// Further tries of a refused body.
    pub mend: Option<Mend>,
}

/// A stream of one error.
pub(in crate::provider) fn failed(error: ProviderError) -> AnswerStream {
    futures::stream::once(async { Err(error) }).boxed()
}

/// Sends the call and decodes its answer. Dropping the stream closes the connection.
pub(in crate::provider) fn stream_answer(
    call: Call,
    decoder: impl Decode,
    cancel: CancellationToken,
) -> AnswerStream {
    let pump = Pump {
        stall: call.client.stall(),
        call: Some(call),
        response: None,
        reader: AnswerReader::of(Box::new(decoder)),
        cancel,
        said_at: Stopwatch::start(),
        ready: VecDeque::new(),
        failure: None,
        over: false,
        host: String::new(),
        secrets: Vec::new(),
    };
    futures::stream::unfold(pump, |mut pump| async move {
        let item = pump.next().await?;
        Some((item, pump))
    })
    .boxed()
}

struct Pump {
    call: Option<Call>,
    response: Option<Response>,
    reader: AnswerReader,
    cancel: CancellationToken,
    stall: Duration,
    /// When the answer began or last said something.
    said_at: Stopwatch,
    ready: VecDeque<StreamEvent>,
    /// Comes after everything in `ready`.
    failure: Option<ProviderError>,
    over: bool,
    host: String,
    /// What was sent that is secret: whatever a server says back, it is not shown.
    secrets: Vec<SecretString>,
}

impl Pump {
    async fn next(&mut self) -> Option<Result<StreamEvent, ProviderError>> {
        loop {
            if !self.over && self.cancel.is_cancelled() {
                return Some(Err(self.give_up(ProviderError::Cancelled)));
            }
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            if let Some(error) = self.failure.take() {
                return Some(Err(self.give_up(error)));
            }
            if self.over {
                return None;
            }
            if let Err(error) = self.advance().await {
                self.failure = Some(error);
            }
        }
    }

    fn give_up(&mut self, error: ProviderError) -> ProviderError {
        self.over = true;
        self.ready.clear();
        self.response = None;
        without_secrets(error, &self.secrets)
    }

    async fn advance(&mut self) -> Result<(), ProviderError> {
        if let Some(call) = self.call.take() {
            self.host = host_of(&call.url);
            let patience = call.client.first_byte(&call.url).max(KEY_PATIENCE);
            let what = call.key.waited_for();
            let key = watched(call.key.reveal(), patience, what, &self.cancel).await??;
            self.secrets = secrets(&call, key.as_ref());
            match open(&call, key.as_ref(), &self.cancel).await? {
                Opened::Stream(response) => self.response = Some(response),
                Opened::Whole(body) => self.reader.whole(body, &mut self.ready)?,
            }
            self.said_at = Stopwatch::start();
            return Ok(());
        }
        let Some(response) = self.response.as_mut() else {
            self.over = true;
            return Ok(());
        };
        let what = format!("{} stopped sending", self.host);
        let chunk = watched(response.chunk(), self.stall, &what, &self.cancel).await?;
        match chunk {
            Ok(Some(bytes)) => self.reader.push(&bytes, &mut self.ready)?,
            Ok(None) => self.reader.finish(&mut self.ready)?,
            Err(error) => {
                let ended = self.reader.break_off(&mut self.ready);
                let has_ended = matches!(self.ready.back(), Some(StreamEvent::Stop(_)));
                if has_ended {
                    ended?;
                } else {
                    return Err(broken_off(&self.host, &error));
                }
            }
        }
        self.check_words()?;
        if self.reader.is_over() {
            self.over = true;
            if let Some(response) = self.response.take() {
                drain(response);
            }
        }
        Ok(())
    }
}

impl Pump {
    /// Signs of life alone are no answer.
    fn check_words(&mut self) -> Result<(), ProviderError> {
        let patience = self.stall * LIVELY_STALLS;
        if !self.ready.is_empty() {
            self.said_at = Stopwatch::start();
        }
        if self.reader.is_over() || self.said_at.elapsed() < patience {
            return Ok(());
        }
        Err(ProviderError::Timeout {
            message: format!(
                "{} sent nothing but signs of life for {} s",
                self.host,
                patience.as_secs_f64()
            ),
        })
    }
}

/// Reads what is left of an answer that is over, usually the mark that nothing is: only then
/// can its connection carry the next request. Nobody waits for it.
fn drain(mut response: Response) {
    /// A server that says more after the end of an answer loses its connection.
    const MAX_PIECES: usize = 16;
    const PATIENCE: Duration = Duration::from_secs(1);
    tokio::spawn(async move {
        let rest = async {
            for _ in 0..MAX_PIECES {
                if !matches!(response.chunk().await, Ok(Some(_))) {
                    break;
                }
            }
        };
        // Whether it ended or time ran out: it is dropped either way.
        let _ = tokio::time::timeout(PATIENCE, rest).await;
    });
}

/// The key, what the address holds of keys, and the headers of the user's that look like
/// one.
pub(super) fn secrets(call: &Call, key: Option<&SecretString>) -> Vec<SecretString> {
    const TELLING: [&str; 7] = ["key", "token", "auth", "secret", "pass", "cred", "cookie"];
    let headers = call.headers.iter().filter(|(name, _)| {
        let name = name.to_ascii_lowercase();
        TELLING.iter().any(|word| name.contains(word))
    });
    let values = headers.map(|(_, value)| value.rsplit(' ').next().unwrap_or(value));
    values
        .map(str::to_owned)
        .chain(secrets_in(&call.url))
        .map(SecretString::from)
        .chain(key.filter(|key| is_secret(key.expose_secret())).cloned())
        .collect()
}

/// The error without any of them.
pub(super) fn without_secrets(error: ProviderError, secrets: &[SecretString]) -> ProviderError {
    let secrets = secrets.iter().map(ExposeSecret::expose_secret);
    secrets.fold(error, ProviderError::without)
}

/// A response that is no refusal.
enum Opened {
    /// The answer is to come.
    Stream(Response),
    /// This is all of it.
    Whole(String),
}

/// Posts the body and waits for a response that promises an answer.
async fn open(
    call: &Call,
    key: Option<&SecretString>,
    cancel: &CancellationToken,
) -> Result<Opened, ProviderError> {
    let mut body = Cow::Borrowed(&call.body);
    for _ in 0..MAX_MENDS {
        let error = match attempt(call, key, &body, cancel).await {
            Ok(opened) => return Ok(opened),
            Err(error) => error,
        };
        let second = call.mend.as_ref().and_then(|mend| mend(&error, &body));
        match second.filter(|second| *second != *body) {
            Some(second) => body = Cow::Owned(second),
            None => return Err(error),
        }
    }
    attempt(call, key, &body, cancel).await
}

async fn attempt(
    call: &Call,
    key: Option<&SecretString>,
    body: &Value,
    cancel: &CancellationToken,
) -> Result<Opened, ProviderError> {
    let host = host_of(&call.url);
    let patience = call.client.first_byte(&call.url);
    let sending = call
        .client
        .for_url(&call.url)?
        .post(&call.url)
        .headers(headers(call, key)?)
        .body(body.to_string())
        .send();
    let response = watched(sending, patience, &format!("{host} did not answer"), cancel)
        .await?
        .map_err(|error| network(&host, &error))?;
    let status = response.status();
    // An error object or a whole answer, or the page of a gateway or hotel; some servers name
    // no type at all.
    let is_json = is_of_kind(&response, "application/json");
    if status.is_success() && !is_json && !is_of_kind(&response, "text/html") {
        return Ok(Opened::Stream(response));
    }
    let head = Head::of(&response);
    let limit = if status.is_success() && is_json {
        MAX_EVENT_BYTES
    } else {
        MAX_ERROR_BODY_BYTES
    };
    let body = read_body(call, response, limit, cancel).await?;
    if status.is_success() && is_json && is_whole(&body) {
        return Ok(Opened::Whole(body));
    }
    Err(head.refusal(call, key, &body))
}

fn is_of_kind(response: &Response, kind: &str) -> bool {
    let named = response.headers().get(CONTENT_TYPE);
    named.is_some_and(|value| value.as_bytes().starts_with(kind.as_bytes()))
}

/// The text of a response that is no stream; empty when it cannot be read.
async fn read_body(
    call: &Call,
    response: Response,
    limit: usize,
    cancel: &CancellationToken,
) -> Result<String, ProviderError> {
    let stall = call.client.stall();
    let reading = read_capped(response, limit);
    match watched(reading, stall, "the error text", cancel).await {
        Err(ProviderError::Cancelled) => Err(ProviderError::Cancelled),
        read => Ok(read.unwrap_or_default()),
    }
}

/// What a response that is no stream of events means.
pub(super) async fn refusal(
    call: &Call,
    key: Option<&SecretString>,
    response: Response,
    cancel: &CancellationToken,
) -> ProviderError {
    let head = Head::of(&response);
    match read_body(call, response, MAX_ERROR_BODY_BYTES, cancel).await {
        Ok(body) => head.refusal(call, key, &body),
        Err(error) => error,
    }
}

/// What matters of the head of a response when its body is no stream of events.
struct Head {
    status: StatusCode,
    retry_after: Option<Duration>,
    is_page: bool,
}

impl Head {
    fn of(response: &Response) -> Self {
        Self {
            status: response.status(),
            retry_after: retry_after(response.headers()),
            is_page: is_of_kind(response, "text/html"),
        }
    }

    fn refusal(self, call: &Call, key: Option<&SecretString>, body: &str) -> ProviderError {
        let Self {
            status,
            retry_after,
            is_page,
        } = self;
        if status.is_redirection() {
            return ProviderError::InvalidRequest {
                message: format!(
                    "{} answers with a redirection (HTTP {}); check the base URL",
                    host_of(&call.url),
                    status.as_u16()
                ),
            };
        }
        if status.is_success() && is_page {
            return ProviderError::InvalidRequest {
                message: format!(
                    "{} answers with a web page rather than as a model would; check the base URL, \
                 and whether a network asks to sign in",
                    host_of(&call.url)
                ),
            };
        }
        if status.is_success() && !body.contains("\"error\"") {
            return ProviderError::Malformed {
                message: format!("{} sent no event stream", host_of(&call.url)),
            };
        }
        let refusal = Refusal {
            status: (status != StatusCode::OK).then_some(status.as_u16()),
            body,
            provider: &call.provider,
            retry_after,
        };
        match classify(refusal, key.map(ExposeSecret::expose_secret)) {
            ProviderError::Unauthorized { message } => ProviderError::Unauthorized {
                message: format!("{message}; {}", call.key_hint),
            },
            ProviderError::InvalidRequest { message } if status == StatusCode::NOT_FOUND => {
                ProviderError::InvalidRequest {
                    message: format!(
                        "{message}; nothing answers at {}, check the base URL",
                        shown(&call.url)
                    ),
                }
            }
            other => other,
        }
    }
}

async fn read_capped(mut response: Response, limit: usize) -> String {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = limit.saturating_sub(body.len());
        body.extend(chunk.iter().take(room));
        if room <= chunk.len() {
            body.extend(CUT.to_string().bytes());
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

/// Waits for `work`, at most `patience`, unless cancelled.
pub(super) async fn watched<T>(
    work: impl Future<Output = T>,
    patience: Duration,
    what: &str,
    cancel: &CancellationToken,
) -> Result<T, ProviderError> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(ProviderError::Cancelled),
        outcome = tokio::time::timeout(patience, work) => outcome.map_err(|_| ProviderError::Timeout {
            message: format!("{what} for {} s", patience.as_secs_f64()),
        }),
    }
}

pub(in crate::provider) fn headers(
    call: &Call,
    key: Option<&SecretString>,
) -> Result<HeaderMap, ProviderError> {
    let invalid = |name: &str| ProviderError::InvalidRequest {
        message: format!(
            "the header {name} of provider {} cannot be sent",
            call.provider
        ),
    };
    let mut map = HeaderMap::new();
    map.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(key) = key {
        let (name, prefix) = call.key_header;
        let text = format!("{prefix}{}", key.expose_secret());
        let mut value = HeaderValue::from_str(&text).map_err(|_| ProviderError::Unauthorized {
            message: format!("the key has characters that no key has; {}", call.key_hint),
        })?;
        value.set_sensitive(true);
        map.insert(HeaderName::from_static(name), value);
    }
    for (name, value) in &call.headers {
        let parsed = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid(name))?;
        let mut value = HeaderValue::from_str(value).map_err(|_| invalid(name))?;
        // Some hold a key.
        value.set_sensitive(true);
        map.insert(parsed, value);
    }
    Ok(map)
}

/// Host and port, never credentials or a query.
pub(super) fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    host.to_owned()
}

/// An answer whose connection broke while it arrived.
fn broken_off(host: &str, error: &reqwest::Error) -> ProviderError {
    ProviderError::Network {
        message: format!(
            "the connection to {host} broke before the answer was complete: {}",
            innermost(error)
        ),
    }
}

/// The cause that is closest to what happened.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    let mut innermost = None;
    while let Some(inner) = cause {
        innermost = Some(inner.to_string());
        cause = inner.source();
    }
    innermost.unwrap_or_else(|| "the connection failed".to_owned())
}

/// A connection error in words, innermost cause last, without the address's secrets.
pub(super) fn network(host: &str, error: &reqwest::Error) -> ProviderError {
    if error.is_builder() {
        return ProviderError::NotSetUp {
            message: format!("{host} is no usable address; check the base URL"),
        };
    }
    let why = innermost(error);
    if error.is_connect() && error.is_timeout() {
        return ProviderError::Timeout {
            message: format!("{host} did not take the connection in time"),
        };
    }
    let hint = tls_hint(&why);
    let doing = if error.is_connect() {
        "no connection to"
    } else {
        "the connection broke with"
    };
    let message = format!("{doing} {host}: {why}{hint}");
    if hint.is_empty() {
        ProviderError::Network { message }
    } else {
        ProviderError::NotSetUp { message }
    }
}

/// What to do about a certificate that is not believed, or a server that has none; empty for
/// everything that may pass by itself.
fn tls_hint(why: &str) -> &'static str {
    let why = why.to_ascii_lowercase();
    if why.contains("invalidcontenttype") {
        "; the server does not speak TLS: is its address http:// and not https://?"
    } else if !why.contains("certificate") {
        ""
    } else if why.contains("issuer") || why.contains("unknownca") || why.contains("root") {
        "; if a proxy or server of yours signs with its own authority, name its PEM file in \
         tls.ca_file"
    } else {
        "; check the host in the base URL and this machine's clock"
    }
}
