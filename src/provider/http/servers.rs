//! Clients for servers that are no models: those that other people run, and that get headers
//! of the user. A redirect is followed on the same host alone, so nobody else gets them.

use std::fmt;
use std::time::Duration;

use reqwest::{Client, ClientBuilder, Url, redirect};

use super::address::is_local;
use super::client::{builder, plain, secure_with};
use crate::provider::settings::Trust;

/// Hosts that do not accept a connection for this long are down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Redirects of one request.
const MAX_REDIRECTS: usize = 5;

/// Builds clients; who is trusted is as for models.
#[derive(Clone, Debug, Default)]
pub struct ServerClients {
    trust: Trust,
}

/// Whether a client follows redirects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerRedirects {
    /// On the same host, when request and body stay as they are (307, 308).
    SameHost,
    /// Never; the answer is the redirect itself.
    Never,
}

/// A redirect that was not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRedirect {
    /// The host that it leads to.
    pub to: String,
    /// Why it was not followed, as a clause.
    pub why: &'static str,
}

impl fmt::Display for RefusedRedirect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it redirects to {}, {}", self.to, self.why)
    }
}

impl std::error::Error for RefusedRedirect {}

impl ServerClients {
    /// Clients that trust what the settings say.
    pub fn new(trust: Trust) -> Self {
        Self { trust }
    }

    /// Whether an address is on this machine.
    pub fn is_on_this_machine(url: &str) -> bool {
        is_local(url)
    }

    /// A client for an address. An answer that is silent for longer than `silence` is over.
    ///
    /// # Errors
    ///
    /// Why there is none, as one clause.
    pub fn client(
        &self,
        url: &str,
        silence: Duration,
        redirects: ServerRedirects,
    ) -> Result<Client, String> {
        let is_local = is_local(url);
        let builder = || -> ClientBuilder {
            let builder = builder(CONNECT_TIMEOUT).read_timeout(silence);
            let builder = match redirects {
                ServerRedirects::SameHost => builder.redirect(same_host()),
                ServerRedirects::Never => builder,
            };
            // A proxy cannot reach the servers of this machine.
            if is_local {
                builder.no_proxy()
            } else {
                builder
            }
        };
        if url.starts_with("https:") {
            secure_with(builder, &self.trust)
        } else {
            plain(builder())
        }
    }
}

fn same_host() -> redirect::Policy {
    redirect::Policy::custom(|attempt| {
        let keeps_body = matches!(attempt.status().as_u16(), 307 | 308);
        let is_same = attempt
            .previous()
            .first()
            .is_some_and(|first| origin(first) == origin(attempt.url()));
        let why = if !is_same {
            "another server; that is not followed"
        } else if attempt.previous().len() > MAX_REDIRECTS {
            "and again and again"
        } else if !keeps_body {
            "in a way that would lose the request"
        } else {
            return attempt.follow();
        };
        let to = attempt.url().host_str().unwrap_or_default().to_owned();
        let to = match attempt.url().port() {
            Some(port) => format!("{to}:{port}"),
            None => to,
        };
        attempt.error(RefusedRedirect { to, why })
    })
}

fn origin(url: &Url) -> (&str, Option<&str>, Option<u16>) {
    (url.scheme(), url.host_str(), url.port_or_known_default())
}
