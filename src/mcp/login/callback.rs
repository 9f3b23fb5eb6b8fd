//! The way back from the browser: a port of this machine that takes one address.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use url::Url;

/// Where the browser is sent.
const PATH: &str = "/callback";
/// Bytes of the head of a request.
const MAX_HEAD_BYTES: usize = 16 * 1024;
/// The most that a browser may take for a request.
const PATIENCE: Duration = Duration::from_secs(10);
/// Connections at a time: browsers open some that they do not use.
const MAX_CONNECTIONS: usize = 32;

/// See the module's description.
pub(super) struct Callback {
    listener: TcpListener,
    port: u16,
}

impl Callback {
    /// Listens on this port, or on a free one.
    pub(super) async fn listen(port: Option<u16>) -> Result<Self, String> {
        let asked = port.unwrap_or_default();
        let cannot = |error: io::Error| match port {
            Some(port) => format!("port {port} of this machine cannot be listened on: {error}"),
            None => format!("no port of this machine can be listened on: {error}"),
        };
        let listener = TcpListener::bind(("127.0.0.1", asked)).await;
        let listener = listener.map_err(cannot)?;
        let port = listener.local_addr().map_err(cannot)?.port();
        Ok(Self { listener, port })
    }

    /// The address that the browser is sent to.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// Waits for the address that the browser comes back with: one of this login. Whoever
    /// comes with another state is told so, and nothing else happens.
    pub(super) async fn wait(&self, state: &str) -> Result<String, String> {
        let mut visits: JoinSet<Option<String>> = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept(), if visits.len() < MAX_CONNECTIONS => {
                    let (stream, _) = accepted
                        .map_err(|error| format!("the way back is closed: {error}"))?;
                    let (base, state) = (self.base(), state.to_owned());
                    visits.spawn(async move {
                        let visit = visit(stream, &base, &state);
                        tokio::time::timeout(PATIENCE, visit).await.ok().flatten()
                    });
                }
                Some(visited) = visits.join_next() => {
                    if let Ok(Some(address)) = visited {
                        return Ok(address);
                    }
                }
            }
        }
    }

    fn base(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

/// One request: its address when it is the one that is waited for.
async fn visit(mut stream: TcpStream, base: &str, state: &str) -> Option<String> {
    let target = target(&mut stream).await?;
    let address = format!("{base}{target}");
    let is_here = target.split('?').next() == Some(PATH);
    let is_ours = parameter(&address, "state").is_some_and(|it| it == state);
    let (status, text) = match (is_here, is_ours) {
        (false, _) => ("404 Not Found", "There is nothing here."),
        (true, false) => (
            "400 Bad Request",
            "This is not the login that Plimsoll waits for. Nothing was done.",
        ),
        (true, true) => (
            "200 OK",
            "Plimsoll continues in the terminal. You can close this page.",
        ),
    };
    let page = format!("<!doctype html><meta charset=utf-8><title>Plimsoll</title><p>{text}</p>\n");
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\n\
         cache-control: no-store\r\nreferrer-policy: no-referrer\r\nconnection: close\r\n\r\n{page}",
        page.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
    (is_here && is_ours).then_some(address)
}

/// The path and the query of a GET request.
async fn target(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut bytes = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut bytes).await.ok()?;
        if read == 0 || head.len() > MAX_HEAD_BYTES {
            return None;
        }
        head.extend(bytes.get(..read)?);
    }
    let head = String::from_utf8_lossy(&head);
    let target = head.lines().next()?.strip_prefix("GET ")?;
    let target = target.split(' ').next()?;
    target.starts_with('/').then(|| target.to_owned())
}

/// A parameter in the query of an address.
pub(super) fn parameter(address: &str, name: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let mut pairs = url.query_pairs();
    let found = pairs.find(|(key, _)| key == name)?;
    Some(found.1.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_as_they_are_meant() {
        let address = "http://127.0.0.1:1/callback?code=a%20b&state=s%3D1";
        assert_eq!(parameter(address, "code").as_deref(), Some("a b"));
        assert_eq!(parameter(address, "state").as_deref(), Some("s=1"));
        assert_eq!(parameter(address, "error"), None);
        assert_eq!(parameter("no address", "code"), None);
    }

    async fn get(address: &str) -> String {
        let url = url::Url::parse(address).unwrap();
        let at = ("127.0.0.1", url.port().unwrap());
        let mut stream = TcpStream::connect(at).await.unwrap();
        let target = &url[url::Position::BeforePath..];
        let request = format!("GET {target} HTTP/1.1\r\nhost: x\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn only_the_state_of_this_login_ends_the_waiting() {
        let callback = Callback::listen(None).await.unwrap();
        let base = callback.address();
        let waiting = tokio::spawn(async move { callback.wait("right").await });
        // A connection without a request hinders nobody.
        let port = url::Url::parse(&base).unwrap().port().unwrap();
        let _idle = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let wrong = get(&format!("{base}?code=c&state=wrong")).await;
        assert!(wrong.starts_with("HTTP/1.1 400"), "{wrong}");
        assert!(
            get(&format!("{base}?code=c"))
                .await
                .starts_with("HTTP/1.1 400")
        );
        let elsewhere = base.replace(PATH, "/favicon.ico?state=right");
        assert!(get(&elsewhere).await.starts_with("HTTP/1.1 404"));
        let address = format!("{base}?code=c&state=right");
        assert!(get(&address).await.starts_with("HTTP/1.1 200"));
        assert_eq!(waiting.await.unwrap().unwrap(), address);
    }

    #[tokio::test]
    async fn a_port_that_is_taken_is_named() {
        let taken = Callback::listen(None).await.unwrap();
        let why = Callback::listen(Some(taken.port)).await.err().unwrap();
        assert!(
            why.starts_with(&format!("port {} of this machine", taken.port)),
            "{why}"
        );
    }
}
