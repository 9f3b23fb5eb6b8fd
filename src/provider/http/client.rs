//! The HTTP clients, each built when first needed: who is trusted, and how patient
//! they are.

use std::path::Path;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Certificate, Client, ClientBuilder, redirect};

use super::address::is_local;
use super::proxy::{NamedProxy, ProxyVariables};
use super::retry_after::server_time;
use crate::disk::open;
use crate::provider::error::ProviderError;
use crate::provider::settings::{Roots, Timeouts, Trust};
use crate::transcript::Timestamp;

/// A stream that is silent for this long fails, unless the settings say otherwise.
pub const DEFAULT_STALL: Duration = Duration::from_mins(1);

/// Hosts that do not accept a connection for this long are down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A local server reads the whole prompt before its first byte, on slow hardware for
/// minutes: it gets this many stall times for it.
const LOCAL_FIRST_BYTE_STALLS: u32 = 10;

/// The bundle of a whole system has a few hundred KiB.
const MAX_CA_BYTES: u64 = 16 * 1024 * 1024;

/// Shared by all providers: connections are reused per host.
#[derive(Clone, Debug)]
pub struct HttpClient {
    clients: Arc<SharedClients>,
    stall: Duration,
    first_byte: Option<Duration>,
    /// For what is said when one fails.
    proxies: Arc<ProxyVariables>,
    /// The clock of the server that answered last.
    server_time: Arc<RwLock<Option<Timestamp>>>,
}

#[derive(Debug)]
struct SharedClients {
    local: OnceLock<Result<Client, String>>,
    plain: OnceLock<Result<Client, String>>,
    secure: OnceLock<Result<Client, String>>,
    connect: Duration,
    trust: Trust,
}

impl SharedClients {
    fn new(connect: Duration, trust: Trust) -> Arc<Self> {
        Arc::new(Self {
            local: OnceLock::new(),
            plain: OnceLock::new(),
            secure: OnceLock::new(),
            connect,
            trust,
        })
    }
}

impl Default for HttpClient {
    fn default() -> Self {
        Self::new(DEFAULT_STALL, Trust::default())
    }
}

impl HttpClient {
    /// A client whose streams fail after `stall` of silence. Builds nothing yet.
    pub fn new(stall: Duration, trust: Trust) -> Self {
        Self {
            clients: SharedClients::new(CONNECT_TIMEOUT, trust),
            stall,
            first_byte: None,
            proxies: Arc::default(),
            server_time: Arc::default(),
        }
    }

    /// This client with what the environment says of proxies.
    #[must_use]
    pub(in crate::provider) fn with_proxies(mut self, proxies: ProxyVariables) -> Self {
        self.proxies = Arc::new(proxies);
        self
    }

    /// The proxy of a request; servers on this machine are reached without one.
    pub(super) fn proxy_of(&self, url: &str) -> Option<&NamedProxy> {
        self.proxies.of_url(url).filter(|_| !is_local(url))
    }

    /// This client with the patience of one provider. Connections stay shared, unless it has
    /// its own time to connect.
    #[must_use]
    pub fn with_timeouts(&self, timeouts: Timeouts) -> Self {
        let connect = timeouts.connect.unwrap_or(self.clients.connect);
        let clients = if connect == self.clients.connect {
            Arc::clone(&self.clients)
        } else {
            SharedClients::new(connect, self.clients.trust.clone())
        };
        Self {
            clients,
            stall: timeouts.stall.unwrap_or(self.stall),
            first_byte: timeouts.first_byte.or(self.first_byte),
            proxies: Arc::clone(&self.proxies),
            server_time: Arc::default(),
        }
    }

    /// The clock of the server that answered a question last.
    pub(in crate::provider) fn server_time(&self) -> Option<Timestamp> {
        *self
            .server_time
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note_time(&self, headers: &HeaderMap) {
        let mut noted = self
            .server_time
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *noted = server_time(headers).or(*noted);
    }

    /// How long a stream may be silent.
    pub fn stall(&self) -> Duration {
        self.stall
    }

    /// How long the first byte may take.
    pub(super) fn first_byte(&self, url: &str) -> Duration {
        self.first_byte.unwrap_or_else(|| {
            if is_local(url) {
                self.stall * LOCAL_FIRST_BYTE_STALLS
            } else {
                self.stall
            }
        })
    }

    /// The client for an address.
    pub(in crate::provider) fn for_url(&self, url: &str) -> Result<Client, ProviderError> {
        if !is_local(url) {
            self.proxies.check(url)?;
        }
        let all = &*self.clients;
        let built = if url.starts_with("https:") {
            all.secure.get_or_init(|| secure(all.connect, &all.trust))
        } else if is_local(url) {
            // A proxy cannot reach the servers of this machine.
            let builder = || builder(all.connect).no_proxy();
            all.local.get_or_init(|| plain(builder()))
        } else {
            all.plain.get_or_init(|| plain(builder(all.connect)))
        };
        built.clone().map_err(|why| ProviderError::NotSetUp {
            message: format!("the HTTP client could not be set up: {why}"),
        })
    }
}

/// Whether this machine has authorities of its own that a client can be built with.
pub fn has_system_roots() -> bool {
    builder(CONNECT_TIMEOUT).build().is_ok()
}

pub(super) fn builder(connect: Duration) -> ClientBuilder {
    // The TLS library has no built-in cryptography; somebody may have installed one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .connect_timeout(connect)
        .user_agent(concat!("plimsoll/", env!("CARGO_PKG_VERSION")))
        // A redirected POST would lose its body or carry the key to another host.
        .redirect(redirect::Policy::none())
}

/// Without any CA: building it cannot fail for lack of a bundle.
pub(super) fn plain(builder: ClientBuilder) -> Result<Client, String> {
    builder
        .tls_certs_only(std::iter::empty::<Certificate>())
        .build()
        .map_err(|error| error.to_string())
}

/// With the CAs of the system (the bundled ones where it has none) or the bundled ones
/// alone, and in both cases those of the user's file.
fn secure(connect: Duration, trust: &Trust) -> Result<Client, String> {
    secure_with(|| builder(connect), trust)
}

/// As [`secure`], for a client that is built in a way of its own.
pub(super) fn secure_with(
    builder: impl Fn() -> ClientBuilder,
    trust: &Trust,
) -> Result<Client, String> {
    let own = trust.ca_file.as_deref().map(certificates).transpose()?;
    let own = own.unwrap_or_default();
    if trust.roots == Roots::System {
        let merged = builder().tls_certs_merge(own.clone());
        if let Ok(client) = merged.build() {
            return Ok(client);
        }
    }
    let bundled = webpki_root_certs::TLS_SERVER_ROOT_CERTS
        .iter()
        .filter_map(|der| Certificate::from_der(der).ok());
    builder()
        .tls_certs_only(bundled.chain(own))
        .build()
        .map_err(|error| error.to_string())
}

/// The certificates of a PEM file.
fn certificates(path: &Path) -> Result<Vec<Certificate>, String> {
    let named = |why: &str| format!("tls.ca_file {}: {why}", path.display());
    let bytes = open::read(path, MAX_CA_BYTES).map_err(|error| named(&error.to_string()))?;
    let found = Certificate::from_pem_bundle(&bytes).map_err(|_| named("not a PEM certificate"))?;
    if found.is_empty() {
        return Err(named("it contains no certificate"));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_client_for_every_address_with_and_without_a_ca_bundle() {
        for roots in [Roots::System, Roots::Bundled] {
            let trust = Trust {
                roots,
                ca_file: None,
            };
            let client = HttpClient::new(DEFAULT_STALL, trust);
            for url in ["https://a", "http://a", "http://127.0.0.1:1", "localhost"] {
                assert!(client.for_url(url).is_ok(), "{url}");
            }
        }
    }

    #[test]
    fn a_ca_file_that_holds_none_is_named_and_local_servers_do_without() {
        let folder = tempfile::tempdir().unwrap();
        let empty = folder.path().join("ca.pem");
        std::fs::write(&empty, "no certificate").unwrap();
        for path in [empty, folder.path().join("missing.pem")] {
            let trust = Trust {
                ca_file: Some(path.clone()),
                ..Trust::default()
            };
            let client = HttpClient::new(DEFAULT_STALL, trust);
            let error = client.for_url("https://a").unwrap_err().to_string();
            assert!(error.contains(&path.display().to_string()), "{error}");
            assert!(client.for_url("http://127.0.0.1:1").is_ok());
        }
    }

    #[test]
    fn each_provider_has_its_own_patience() {
        let client = HttpClient::default();
        let own = client.with_timeouts(Timeouts {
            first_byte: Some(Duration::from_secs(7)),
            ..Timeouts::default()
        });
        assert_eq!(own.first_byte("https://a"), Duration::from_secs(7));
        assert_eq!(own.stall(), DEFAULT_STALL);
        assert!(Arc::ptr_eq(&own.clients, &client.clients));
        let own = client.with_timeouts(Timeouts {
            connect: Some(Duration::from_secs(3)),
            stall: Some(Duration::from_secs(5)),
            ..Timeouts::default()
        });
        assert_eq!(own.first_byte("https://a"), Duration::from_secs(5));
        assert_eq!(own.first_byte("http://localhost"), Duration::from_secs(50));
        assert_eq!(own.clients.connect, Duration::from_secs(3));
    }
}
