//! All endpoints: the built-in ones, the user's, and what is missing to use them.
//!
//! The environment is a value: nothing here reads the process's own. Keys stay inside;
//! no method returns one.

mod ask;
mod available;
pub(super) mod endpoints;
pub(super) mod environment;
mod foreign;
mod header_variables;
pub(super) mod key_origin;
mod learned_limits;
pub(super) mod models_dev;
pub(super) mod readiness;
pub(super) mod report;
pub(super) mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use secrecy::SecretString;

use self::endpoints::Endpoint;
use self::environment::Environment;
use self::header_variables::ExpandedHeaders;
use self::key_origin::KeyOrigin;
use self::readiness::ProbeOutcome;
use self::rows::{EndpointRow, ROWS};
use crate::provider::anthropic::AnthropicProvider;
use crate::provider::catalogue::Catalogue;
use crate::provider::catalogue::listing::ModelLists;
use crate::provider::catalogue::named_limits::NamedLimit;
use crate::provider::choose::server_kind::ServerKind;
use crate::provider::error::ProviderError;
use crate::provider::gemini::{self, GeminiProvider};
use crate::provider::http::address::{Address, is_local, is_usable, mend, shown};
use crate::provider::http::client::HttpClient;
use crate::provider::http::connection::ProviderConnection;
use crate::provider::http::proxy::ProxyVariables;
use crate::provider::keys::provider_key::{ExternalKey, ProviderKey};
use crate::provider::offline::Offline;
use crate::provider::openai::ChatProvider;
use crate::provider::protocol::Protocol;
use crate::provider::responses::ResponsesProvider;
use crate::provider::service::Provider;
use crate::provider::settings::{ProviderSettings, Trust};
use crate::transcript::{ModelInfo, ModelRef, ServerContext};

/// The time a server on this machine has to list its models, unless a setting says otherwise:
/// nobody waits long for the first screen.
const PROBE_TIME: Duration = Duration::from_secs(1);

/// Knows every endpoint and model; hands out providers. Printing it names the endpoints and
/// no more: addresses and headers may hold keys.
pub struct Registry {
    endpoints: Vec<Endpoint>,
    environment: Environment,
    catalogue: Arc<Catalogue>,
    client: Arc<HttpClient>,
    /// `--base-url` and its like, by provider id.
    base_urls: RwLock<BTreeMap<String, String>>,
    /// Keys that were entered in the program, by provider id.
    stored: RwLock<StoredKeys>,
    /// The limits that servers named.
    limits: RwLock<Vec<NamedLimit>>,
    /// Whether servers on this machine are asked that nobody has set up.
    asks_usual_ports: bool,
    /// The time a server on this machine has to list its models.
    probe_time: Duration,
    /// Whether the servers on this machine answered when they were asked last.
    answering: RwLock<BTreeMap<String, ProbeOutcome>>,
    /// Models whose servers far away were asked for the window in this run, as
    /// `provider/model`: what they did not say, they will not say later.
    windows_asked: RwLock<BTreeSet<String>>,
}

/// Keys that were entered in the program, by provider id.
#[derive(Default)]
struct StoredKeys {
    /// Those of the file of keys.
    keys: BTreeMap<String, SecretString>,
    /// Those in the system's keyring, which is asked when one is first needed.
    keyring: BTreeMap<String, Arc<ExternalKey>>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.ids()).finish()
    }
}

/// The small, cheap model of a provider for side jobs, such as the title of a session. `None`
/// where none is known, and where requests go to an address that somebody set: what is served
/// there is not known.
pub fn small_model(registry: &Registry, provider: &str) -> Option<ModelRef> {
    let endpoint = registry.endpoint(provider)?;
    let is_own = registry.given_base(endpoint).is_none();
    let small = || registry.catalogue.small_model(provider);
    is_own.then(small).flatten()
}

impl Registry {
    /// The built-in endpoints with `settings` over them. Streams fail after `stall` of
    /// silence.
    pub fn new(settings: Vec<ProviderSettings>, environment: Environment, stall: Duration) -> Self {
        Self::of_rows(ROWS, settings, environment, stall)
    }

    /// These endpoints with `settings` over them.
    fn of_rows(
        rows: &[EndpointRow],
        settings: Vec<ProviderSettings>,
        environment: Environment,
        stall: Duration,
    ) -> Self {
        let mut endpoints = endpoints::of_rows(rows, &environment);
        let mut models = Vec::new();
        for setting in settings {
            models.extend(setting.models.iter().cloned());
            match endpoints.iter_mut().find(|e| e.id == setting.id) {
                Some(endpoint) => endpoint.merge(setting),
                None => endpoints.push(Endpoint::custom(setting)),
            }
        }
        let client =
            HttpClient::new(stall, Trust::default()).with_proxies(ProxyVariables::of(&environment));
        let registry = Self {
            endpoints,
            environment,
            catalogue: Arc::new(Catalogue::new(models)),
            client: Arc::new(client),
            base_urls: RwLock::default(),
            stored: RwLock::default(),
            limits: RwLock::default(),
            asks_usual_ports: true,
            probe_time: PROBE_TIME,
            answering: RwLock::default(),
            windows_asked: RwLock::default(),
        };
        registry.note_foreign();
        registry
    }

    /// Whether the usual ports of servers on this machine are asked what they serve, where
    /// nobody has set an address; and how long any server on this machine may take to say it.
    #[must_use]
    pub fn with_probing(mut self, asks_usual_ports: bool, probe_time: Duration) -> Self {
        self.asks_usual_ports = asks_usual_ports;
        self.probe_time = probe_time;
        self
    }

    /// Whether a server on this machine is asked without being named: its address was set, or
    /// usual ports may be asked.
    pub(super) fn is_probed(&self, provider: &str) -> bool {
        let endpoint = self.endpoint(provider);
        let is_set = endpoint.is_some_and(|endpoint| self.given_base(endpoint).is_some());
        is_set || self.asks_usual_ports
    }

    /// The time a server on this machine has to list its models.
    pub fn probe_time(&self) -> Duration {
        self.probe_time
    }

    /// Believes these certificates.
    #[must_use]
    pub fn with_trust(mut self, trust: Trust) -> Self {
        let client = HttpClient::new(self.client.stall(), trust);
        self.client = Arc::new(client.with_proxies(ProxyVariables::of(&self.environment)));
        self
    }

    /// Uses these keys, and those of these providers in the system's keyring, where neither
    /// the environment nor a command has one. The keyring is asked when a key is needed.
    #[must_use]
    pub fn with_stored_keys(
        self,
        keys: BTreeMap<String, SecretString>,
        keyring: impl IntoIterator<Item = String>,
    ) -> Self {
        self.set_stored_keys(keys, keyring);
        self
    }

    /// Uses these keys from here on; providers that were handed out keep what they have.
    pub fn set_stored_keys(
        &self,
        keys: BTreeMap<String, SecretString>,
        keyring: impl IntoIterator<Item = String>,
    ) {
        let asked = keyring.into_iter().map(|id| {
            let key = Arc::new(ExternalKey::of_keyring(&id));
            (id, key)
        });
        let stored = StoredKeys {
            keys,
            keyring: asked.collect(),
        };
        *self.stored.write().unwrap_or_else(PoisonError::into_inner) = stored;
    }

    /// The key of a provider that was entered in the program, and where it is.
    fn stored_key(&self, provider: &str) -> Option<(KeyOrigin, ProviderKey)> {
        let stored = self.stored.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(asked) = stored.keyring.get(provider) {
            return Some((KeyOrigin::Keyring, ProviderKey::Asked(Arc::clone(asked))));
        }
        let key = stored.keys.get(provider)?.clone();
        Some((KeyOrigin::Stored, ProviderKey::Known(key)))
    }

    /// Lays what providers listed over what was published.
    #[must_use]
    pub fn with_listed(self, lists: &ModelLists) -> Self {
        self.set_listed(lists);
        self
    }

    /// Lays the lists that were asked for at the addresses in use over what was published.
    pub fn set_listed(&self, lists: &ModelLists) {
        let listed = lists.models_where(|provider, address| match address {
            Some(address) => self.shown_base(provider) == address,
            None => !self.serves_others(provider),
        });
        self.catalogue.set_listed(listed);
    }

    /// The provider of a model, ready for requests. Fails when there is no such
    /// endpoint or its key is missing, and says which variable would hold it.
    pub fn provider(&self, model: &ModelRef) -> Result<Arc<dyn Provider>, ProviderError> {
        let endpoint = self.known_endpoint(model)?;
        self.check(endpoint)?;
        Ok(self.connect(endpoint))
    }

    /// The provider of a model for the sake of its wire format: no key is needed, and
    /// without one its requests would be refused.
    pub fn encoder(&self, model: &ModelRef) -> Result<Arc<dyn Provider>, ProviderError> {
        Ok(self.connect(self.known_endpoint(model)?))
    }

    fn known_endpoint(&self, model: &ModelRef) -> Result<&Endpoint, ProviderError> {
        self.endpoint(&model.provider).ok_or_else(|| {
            let known: Vec<&str> = self.ids().collect();
            ProviderError::ModelNotFound {
                message: format!(
                    "no provider {:?}; known providers: {}",
                    model.provider,
                    known.join(", ")
                ),
            }
        })
    }

    fn connect(&self, endpoint: &Endpoint) -> Arc<dyn Provider> {
        let connection = self.connection(endpoint);
        match self.spoken(endpoint) {
            Protocol::Offline => Arc::new(Offline::new(self.catalogue.clone())),
            Protocol::Anthropic => Arc::new(AnthropicProvider { connection }),
            Protocol::OpenAi => Arc::new(ChatProvider {
                connection,
                learned: endpoint.learned.chat.clone(),
            }),
            Protocol::Responses => Arc::new(ResponsesProvider {
                connection,
                learned: endpoint.learned.responses.clone(),
            }),
            Protocol::Gemini => Arc::new(GeminiProvider { connection }),
        }
    }

    fn connection(&self, endpoint: &Endpoint) -> ProviderConnection {
        let url = self.address_of(endpoint).url;
        let headers = ExpandedHeaders::of(&endpoint.headers, &self.environment);
        ProviderConnection {
            id: endpoint.id.clone(),
            quirks: endpoints::quirks_at(&self.endpoints, &endpoint.id, &url),
            url,
            key: self.key(endpoint),
            key_hint: self.key_hint_of(endpoint),
            headers: headers.headers,
            header_secrets: headers.secrets,
            fields: endpoint.fields.clone(),
            client: self.client_of(endpoint),
            catalogue: self.catalogue.clone(),
        }
    }

    /// The facts about a model, also from refusals of its server.
    pub fn model_info(&self, model: &ModelRef) -> ModelInfo {
        self.limited(self.catalogue.lookup(model))
    }

    /// The name of a provider for people; its id when it is the user's own or unknown.
    pub fn name<'a>(&'a self, provider: &'a str) -> &'a str {
        self.endpoint(provider)
            .map_or(provider, |endpoint| endpoint.name.as_str())
    }

    /// The missing condition for a model of this provider; `None` when it can be used.
    pub fn missing(&self, provider: &str) -> Option<String> {
        match self.endpoint(provider) {
            Some(endpoint) => self.missing_of(endpoint),
            None => Some(format!("no provider {provider:?}")),
        }
    }

    /// Where requests for a model go, with a note when the base URL was repaired. `None`
    /// for the embedded provider and unknown ones.
    pub fn address(&self, model: &ModelRef) -> Option<Address> {
        let endpoint = self.endpoint(&model.provider)?;
        let mut address = match self.spoken(endpoint) {
            Protocol::Offline => return None,
            _ => self.address_of(endpoint),
        };
        if endpoint.protocol == Protocol::Gemini {
            address.url = gemini::request_url(&address.url, &model.model);
        }
        Some(address)
    }

    /// Uses another base URL for a provider from here on.
    pub fn set_base_url(&self, provider: &str, base_url: &str) {
        self.base_urls
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(provider.to_owned(), base_url.to_owned());
        self.note_foreign();
    }

    /// The wanted edits that the server of a model can do.
    pub fn server_context(&self, model: &ModelRef, wanted: ServerContext) -> ServerContext {
        let spoken = self.endpoint(&model.provider).map(|e| self.spoken(e));
        match (spoken, wanted) {
            (Some(Protocol::Anthropic), wanted) => wanted,
            (Some(Protocol::Responses), ServerContext::Compact) => wanted,
            _ => ServerContext::Off,
        }
    }

    /// The catalogue of models.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The HTTP client, for asking local servers.
    pub(super) fn client(&self) -> &HttpClient {
        &self.client
    }

    /// Which program on the user's machine the id of a provider promises.
    pub(super) fn server_kind(&self, provider: &str) -> ServerKind {
        self.endpoint(provider)
            .map_or(ServerKind::Other, |endpoint| endpoint.server)
    }

    /// Ids of all endpoints, built-in ones first.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.endpoints.iter().map(|endpoint| endpoint.id.as_str())
    }

    /// The model to take when a provider was found usable and none was named: the
    /// user's first, or the built-in choice.
    pub fn default_model(&self, provider: &str) -> Option<ModelRef> {
        let endpoint = self.endpoint(provider)?;
        let own = endpoint.models.first().cloned();
        own.or_else(|| {
            endpoint
                .default_model
                .map(|model| ModelRef::new(provider, model))
        })
    }

    /// Base address of a provider that runs on this machine.
    pub(super) fn local_base(&self, provider: &str) -> Option<String> {
        let endpoint = self.endpoint(provider)?;
        let base = self.address_of(endpoint).base;
        let is_chat = self.spoken(endpoint) == Protocol::OpenAi;
        (is_chat && is_local(&base)).then_some(base)
    }

    fn endpoint(&self, id: &str) -> Option<&Endpoint> {
        self.endpoints.iter().find(|endpoint| endpoint.id == id)
    }

    fn address_of(&self, endpoint: &Endpoint) -> Address {
        let base = self.given_base(endpoint);
        mend(
            self.spoken(endpoint),
            base.as_deref().unwrap_or(&endpoint.base.built_in),
        )
    }

    fn spoken(&self, endpoint: &Endpoint) -> Protocol {
        let home = mend(Protocol::Responses, &endpoint.base.built_in).base;
        let is_at_home = self
            .given_base(endpoint)
            .is_none_or(|given| mend(Protocol::Responses, &given).base == home);
        endpoint.spoken(is_at_home)
    }

    /// The base URL that somebody set: flag, configuration, environment.
    fn given_base(&self, endpoint: &Endpoint) -> Option<String> {
        let flags = self
            .base_urls
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        flags
            .get(&endpoint.id)
            .cloned()
            .or_else(|| endpoint.base.configured.clone())
            .or_else(|| {
                self.environment
                    .get(&endpoint.base.variable)
                    .map(str::to_owned)
            })
    }

    /// Environment ▸ command ▸ what was entered in the program, into the keyring or a file.
    fn key(&self, endpoint: &Endpoint) -> ProviderKey {
        match self.key_origin_of(endpoint) {
            None => ProviderKey::Absent,
            Some(KeyOrigin::Variable(name)) => self
                .environment
                .get(&name)
                .map_or(ProviderKey::Absent, |key| {
                    ProviderKey::Known(SecretString::from(key))
                }),
            Some(KeyOrigin::Command) => endpoint
                .key
                .command
                .clone()
                .map_or(ProviderKey::Absent, ProviderKey::Asked),
            Some(KeyOrigin::Keyring | KeyOrigin::Stored) => self
                .stored_key(&endpoint.id)
                .map_or(ProviderKey::Absent, |(_, key)| key),
        }
    }

    fn key_origin_of(&self, endpoint: &Endpoint) -> Option<KeyOrigin> {
        let names = &mut endpoint.key.variables.iter();
        if let Some(name) = names.find(|name| self.environment.get(name).is_some()) {
            return Some(KeyOrigin::Variable(name.clone()));
        }
        if endpoint.key.command.is_some() {
            return Some(KeyOrigin::Command);
        }
        self.stored_key(&endpoint.id).map(|(origin, _)| origin)
    }

    /// The hint for a refused key, by the place that it comes from.
    fn key_hint_of(&self, endpoint: &Endpoint) -> String {
        match self.key_origin_of(endpoint) {
            Some(origin) => origin.correction(&endpoint.id),
            None => endpoint.key_hint(),
        }
    }

    fn client_of(&self, endpoint: &Endpoint) -> Arc<HttpClient> {
        let own = &endpoint.client;
        Arc::clone(own.get_or_init(|| Arc::new(self.client.with_timeouts(endpoint.timeouts))))
    }

    fn missing_of(&self, endpoint: &Endpoint) -> Option<String> {
        if endpoint.protocol == Protocol::Offline {
            return None;
        }
        self.setup_problem(endpoint).or_else(|| {
            let is_at_home = self.given_base(endpoint).is_none();
            // Somebody else's address has its own rules; it says so when it wants a key.
            let needs_key = endpoint.key.is_needed && (is_at_home || endpoint.key.is_named);
            (needs_key && self.key_origin_of(endpoint).is_none()).then(|| endpoint.key_hint())
        })
    }

    /// Fails with what is missing to use this endpoint.
    fn check(&self, endpoint: &Endpoint) -> Result<(), ProviderError> {
        if endpoint.protocol != Protocol::Offline
            && let Some(message) = self.setup_problem(endpoint)
        {
            return Err(ProviderError::NotSetUp { message });
        }
        let missing = self.missing_of(endpoint);
        missing.map_or(Ok(()), |message| {
            Err(ProviderError::Unauthorized { message })
        })
    }

    /// What has to be set before anything can be sent, besides a key.
    pub(super) fn setup_problem(&self, endpoint: &Endpoint) -> Option<String> {
        let unset = || {
            let headers = ExpandedHeaders::of(&endpoint.headers, &self.environment);
            headers.problem(&endpoint.id)
        };
        self.address_problem(endpoint).or_else(unset)
    }

    /// The problem with the address: none was set, or nothing can be sent there.
    fn address_problem(&self, endpoint: &Endpoint) -> Option<String> {
        let Some(given) = self.given_base(endpoint) else {
            let unset = &endpoint.base.unset;
            let is_unset = endpoint.base.built_in.is_empty();
            let own = format!("providers.{}.base_url", endpoint.id);
            return is_unset.then(|| {
                if unset.is_empty() {
                    format!("set {own}")
                } else {
                    format!("set {}, or {own}", unset.join(" and "))
                }
            });
        };
        let is_usable = is_usable(&self.address_of(endpoint).base);
        (!is_usable).then(|| {
            format!(
                "{} is {:?}; expected a URL with http:// or https://",
                self.base_origin(endpoint),
                shown(&given)
            )
        })
    }

    /// Where the base URL was set.
    pub(super) fn base_origin(&self, endpoint: &Endpoint) -> String {
        let flags = self
            .base_urls
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        if flags.contains_key(&endpoint.id) {
            "base_url".to_owned()
        } else if endpoint.base.configured.is_some() {
            format!("providers.{}.base_url", endpoint.id)
        } else {
            endpoint.base.variable.clone()
        }
    }
}

#[cfg(test)]
mod tests;
