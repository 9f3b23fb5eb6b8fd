//! The requests of a login: discovery, registration, tokens. Bounded, encrypted unless they
//! stay on this machine, and none from the Internet into it.

use std::time::Duration;

use futures::StreamExt;
use rmcp::transport::auth::{
    OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRedirectPolicy,
    OAuthHttpRequest,
};
use url::Url;

use crate::mcp::link::http::failure;
use crate::provider::{ServerClients, ServerRedirects, shown_url};

/// The most that an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes of an answer.
const MAX_BYTES: usize = 1024 * 1024;

/// See the module's description.
pub(super) struct LoginHttp {
    clients: ServerClients,
    /// The server itself is on this machine.
    is_local: bool,
}

impl LoginHttp {
    pub(super) fn new(clients: ServerClients, server: &Url) -> Self {
        Self {
            clients,
            is_local: ServerClients::is_on_this_machine(server.as_str()),
        }
    }

    /// The answer to a request. An error is one clause.
    pub(super) async fn answer(
        &self,
        request: http::Request<Vec<u8>>,
        redirects: ServerRedirects,
    ) -> Result<http::Response<Vec<u8>>, String> {
        let request = reqwest::Request::try_from(request)
            .map_err(|error| format!("an address of the login is not valid: {error}"))?;
        let url = request.url().clone();
        check(url.as_str())?;
        if ServerClients::is_on_this_machine(url.as_str()) && !self.is_local {
            return Err("the login leads to an address of this machine".to_owned());
        }
        let client = self.clients.client(url.as_str(), PATIENCE, redirects)?;
        let reading = async {
            let answer = client
                .execute(request)
                .await
                .map_err(|error| clause(&error))?;
            let mut built = http::Response::builder().status(answer.status());
            for (name, value) in answer.headers() {
                built = built.header(name, value);
            }
            let mut body = Vec::new();
            let mut chunks = answer.bytes_stream();
            while let Some(chunk) = chunks.next().await {
                let chunk = chunk.map_err(|error| clause(&error))?;
                if body.len() + chunk.len() > MAX_BYTES {
                    return Err("it answered with more than 1 MiB".to_owned());
                }
                body.extend_from_slice(&chunk);
            }
            built.body(body).map_err(|error| error.to_string())
        };
        let host = url.host_str().unwrap_or_default();
        match tokio::time::timeout(PATIENCE, reading).await {
            Ok(answered) => answered.map_err(|why| format!("{host}: {why}")),
            Err(_) => Err(format!(
                "{host} did not answer within {} s",
                PATIENCE.as_secs()
            )),
        }
    }
}

impl OAuthHttpClient for LoginHttp {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let redirects = match request.redirect_policy {
                OAuthHttpRedirectPolicy::Follow => ServerRedirects::SameHost,
                _ => ServerRedirects::Never,
            };
            let answered = self.answer(request.request, redirects).await;
            answered.map_err(|why| Box::new(LoginHttpError(why)) as OAuthHttpClientError)
        })
    }
}

/// Why there is no answer, as one clause.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct LoginHttpError(String);

fn clause(error: &reqwest::Error) -> String {
    failure(error).why
}

/// Whether an address may take part in a login.
pub(super) fn check(address: &str) -> Result<(), String> {
    let url = Url::parse(address).map_err(|_| "an address of the login is not valid".to_owned())?;
    let is_local = ServerClients::is_on_this_machine(address);
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_local => Ok(()),
        _ => Err(format!(
            "the login leads to {}, which is not encrypted",
            shown_url(address)
        )),
    }
}
