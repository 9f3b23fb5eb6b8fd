//! The HTTP clients, each built when first needed.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::{Certificate, Client, ClientBuilder, redirect};

use super::address::is_local;
use super::{CONNECT_TIMEOUT, DEFAULT_STALL};
use crate::provider::ProviderError;

/// Shared by all providers: connections are reused per host.
#[derive(Debug)]
pub struct HttpClient {
    local: OnceLock<Result<Client, String>>,
    plain: OnceLock<Result<Client, String>>,
    secure: OnceLock<Result<Client, String>>,
    stall: Duration,
}

impl Default for HttpClient {
    fn default() -> Self {
        Self::new(DEFAULT_STALL)
    }
}

impl HttpClient {
    /// A client whose streams fail after `stall` of silence. Builds nothing yet.
    pub fn new(stall: Duration) -> Self {
        Self {
            local: OnceLock::new(),
            plain: OnceLock::new(),
            secure: OnceLock::new(),
            stall,
        }
    }

    /// How long a stream may be silent.
    pub fn stall(&self) -> Duration {
        self.stall
    }

    /// The client for an address.
    pub(in crate::provider) fn for_url(&self, url: &str) -> Result<Client, ProviderError> {
        let built = if url.starts_with("https:") {
            self.secure.get_or_init(secure)
        } else if is_local(url) {
            // A proxy cannot reach the servers of this machine.
            self.local.get_or_init(|| plain(builder().no_proxy()))
        } else {
            self.plain.get_or_init(|| plain(builder()))
        };
        built.clone().map_err(|why| ProviderError::Network {
            message: format!("no HTTP client could be set up: {why}"),
        })
    }
}

fn builder() -> ClientBuilder {
    // The TLS library has no built-in cryptography; somebody may have installed one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(concat!("plimsoll/", env!("CARGO_PKG_VERSION")))
        // A redirected POST would lose its body or carry the key to another host.
        .redirect(redirect::Policy::none())
}

/// Without any CA: building it cannot fail for lack of a bundle.
fn plain(builder: ClientBuilder) -> Result<Client, String> {
    builder
        .tls_certs_only(std::iter::empty::<Certificate>())
        .build()
        .map_err(|error| error.to_string())
}

/// With the CAs of the system, or the bundled ones where the system has none.
fn secure() -> Result<Client, String> {
    builder().build().or_else(|_| with_bundled_roots())
}

fn with_bundled_roots() -> Result<Client, String> {
    let bundled = webpki_root_certs::TLS_SERVER_ROOT_CERTS
        .iter()
        .filter_map(|der| Certificate::from_der(der).ok());
    builder()
        .tls_certs_only(bundled)
        .build()
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_client_for_every_address_with_and_without_a_ca_bundle() {
        let client = HttpClient::default();
        for url in ["https://a", "http://a", "http://127.0.0.1:1", "localhost"] {
            assert!(client.for_url(url).is_ok(), "{url}");
        }
        assert!(with_bundled_roots().is_ok());
    }
}
