//! Pages of the Internet for a tool: asked at addresses that somebody else has checked, and
//! at no other. No proxy, no redirect, no key.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use reqwest::Client;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, LOCATION};

use super::client::{builder, plain, secure_with};
use crate::provider::settings::Trust;

/// Hosts that do not accept a connection for this long are down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// What is read best.
const ACCEPTED: &str =
    "text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1";

/// Asks for pages; who is trusted is as for models.
#[derive(Clone, Debug)]
pub struct PageClient {
    trust: Trust,
}

/// A page as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchedPage {
    /// The HTTP status.
    pub status: u16,
    /// The header `Content-Type`; may be empty.
    pub content_type: String,
    /// The header `Location`.
    pub location: Option<String>,
    /// The body, as far as it was read.
    pub body: Vec<u8>,
    /// There was more.
    pub is_cut: bool,
}

/// Every name has these addresses: nobody is asked a second time.
struct CheckedAddresses(Vec<SocketAddr>);

impl Resolve for CheckedAddresses {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses: Addrs = Box::new(self.0.clone().into_iter());
        let found: Result<Addrs, Box<dyn std::error::Error + Send + Sync>> = Ok(addresses);
        Box::pin(std::future::ready(found))
    }
}

impl PageClient {
    /// A client that trusts what the settings say.
    pub fn new(trust: Trust) -> Self {
        Self { trust }
    }

    /// Asks for a page at these addresses. Reads at most `max_bytes` of its body.
    ///
    /// # Errors
    ///
    /// Why there is none, as one clause.
    pub async fn get(
        &self,
        url: &str,
        addresses: &[SocketAddr],
        max_bytes: usize,
    ) -> Result<FetchedPage, String> {
        let client = self.client(url, addresses)?;
        let asked = client.get(url).header(ACCEPT, ACCEPTED).send().await;
        let answer = asked.map_err(|error| innermost(&error))?;
        let header = |name: HeaderName| {
            let value = answer.headers().get(name)?;
            value.to_str().ok().map(str::to_owned)
        };
        let mut page = FetchedPage {
            status: answer.status().as_u16(),
            content_type: header(CONTENT_TYPE).unwrap_or_default(),
            location: header(LOCATION),
            ..FetchedPage::default()
        };
        let mut body = answer.bytes_stream();
        while let Some(piece) = body.next().await {
            let piece = piece.map_err(|error| innermost(&error))?;
            let room = max_bytes - page.body.len();
            page.body.extend(piece.iter().take(room));
            if piece.len() > room {
                page.is_cut = true;
                break;
            }
        }
        Ok(page)
    }

    fn client(&self, url: &str, addresses: &[SocketAddr]) -> Result<Client, String> {
        let addresses = addresses.to_vec();
        let builder = move || {
            let resolver = Arc::new(CheckedAddresses(addresses.clone()));
            builder(CONNECT_TIMEOUT).no_proxy().dns_resolver(resolver)
        };
        if url.starts_with("https:") {
            secure_with(builder, &self.trust)
        } else {
            plain(builder())
        }
    }
}

/// The cause that says something; the address is named by whoever asks.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// A server that answers once; gives the request that it got.
    async fn server(answer: String) -> (SocketAddr, tokio::task::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let task = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4_096];
            let read = stream.read(&mut request).await.unwrap();
            stream.write_all(answer.as_bytes()).await.unwrap();
            String::from_utf8_lossy(&request[..read]).into_owned()
        });
        (address, task)
    }

    #[tokio::test]
    async fn the_connection_goes_to_the_address_that_was_given() {
        let body = "x".repeat(100);
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\n{body}"
        );
        let (address, request) = server(answer).await;
        let client = PageClient::new(Trust::default());
        // No name server knows this name.
        let url = "http://nowhere.invalid/page";
        let page = client.get(url, &[address], 60).await.unwrap();
        assert_eq!((page.status, page.body.len(), page.is_cut), (200, 60, true));
        assert_eq!(page.content_type, "text/plain");
        let request = request.await.unwrap().to_ascii_lowercase();
        assert!(request.contains("get /page"), "{request}");
        assert!(request.contains("host: nowhere.invalid"), "{request}");
        assert!(!request.contains("authorization"), "{request}");
    }

    #[tokio::test]
    async fn a_redirect_is_told_and_not_followed() {
        let answer =
            "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n";
        let (address, _request) = server(answer.to_owned()).await;
        let client = PageClient::new(Trust::default());
        let page = client
            .get("http://a.invalid/", &[address], 60)
            .await
            .unwrap();
        assert_eq!(page.status, 302);
        assert_eq!(page.location.as_deref(), Some("http://127.0.0.1:9/"));
        let refused = client.get("http://a.invalid/", &[], 60).await;
        assert!(refused.is_err());
    }
}
