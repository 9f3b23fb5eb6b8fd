//! The built-in endpoints, one row each, and how the user's settings change them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::provider::key::AskedKey;
use crate::provider::openai::Dialect;
use crate::provider::responses::RefusedFields;
use crate::provider::{Api, HttpClient, Protocol, ProviderSettings, Timeouts};
use crate::transcript::ModelRef;

/// One place that answers requests. Its headers and its address may hold a key: it cannot
/// be printed.
pub(super) struct Endpoint {
    /// Id as in `provider/model`.
    pub id: String,
    /// What people call it; the id of the user's own.
    pub name: String,
    /// Wire format.
    pub protocol: Protocol,
    /// Which interface of OpenAI the user wants.
    pub api: Option<Api>,
    /// Empty for the user's own endpoints.
    pub built_in_base: &'static str,
    /// From the configuration.
    pub base_url: Option<String>,
    /// Variable with another base URL.
    pub base_env: String,
    /// Variables that may hold the key, best first.
    pub key_envs: Vec<String>,
    /// The user named the variable: then a key is expected at any address.
    pub key_is_named: bool,
    /// Useless without a key.
    pub needs_key: bool,
    /// Taken when only the provider is known.
    pub default_model: Option<&'static str>,
    /// Models of the configuration.
    pub models: Vec<ModelRef>,
    /// Further headers.
    pub headers: BTreeMap<String, String>,
    /// Prints the key.
    pub key_command: Option<Arc<AskedKey>>,
    /// Its own patience.
    pub timeouts: Timeouts,
    /// The shared client with that patience, once it is needed.
    pub client: OnceLock<Arc<HttpClient>>,
    /// Learned: what the server refuses of chat completions.
    pub learned: Arc<Dialect>,
    /// Learned: what the server refuses of Responses.
    pub refused: Arc<RefusedFields>,
}

/// Id, name for people, protocol, base, variables of the key (none: no key needed), default model.
type Row = (
    &'static str,
    &'static str,
    Protocol,
    &'static str,
    &'static [&'static str],
    Option<&'static str>,
);

/// In the order in which keys and local servers are looked for.
const ROWS: &[Row] = &[
    (
        "anthropic",
        "Anthropic",
        Protocol::Anthropic,
        "https://api.anthropic.com",
        &["ANTHROPIC_API_KEY"],
        Some("claude-sonnet-5-5"),
    ),
    (
        "openai",
        "OpenAI",
        Protocol::Responses,
        "https://api.openai.com/v1",
        &["OPENAI_API_KEY"],
        Some("gpt-6.2-sol"),
    ),
    (
        "gemini",
        "Gemini",
        Protocol::Gemini,
        "https://generativelanguage.googleapis.com/v1beta",
        &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        Some("gemini-3.8-flash"),
    ),
    (
        "openrouter",
        "OpenRouter",
        Protocol::OpenAi,
        "https://openrouter.ai/api/v1",
        &["OPENROUTER_API_KEY"],
        Some("anthropic/claude-sonnet-5.5"),
    ),
    (
        "groq",
        "Groq",
        Protocol::OpenAi,
        "https://api.groq.com/openai/v1",
        &["GROQ_API_KEY"],
        Some("openai/gpt-oss-120b"),
    ),
    (
        "mistral",
        "Mistral",
        Protocol::OpenAi,
        "https://api.mistral.ai/v1",
        &["MISTRAL_API_KEY"],
        Some("mistral-large-latest"),
    ),
    (
        "deepseek",
        "DeepSeek",
        Protocol::OpenAi,
        "https://api.deepseek.com/v1",
        &["DEEPSEEK_API_KEY"],
        Some("deepseek-flash"),
    ),
    (
        "xai",
        "xAI",
        Protocol::OpenAi,
        "https://api.x.ai/v1",
        &["XAI_API_KEY"],
        Some("grok-4.7"),
    ),
    (
        "cerebras",
        "Cerebras",
        Protocol::OpenAi,
        "https://api.cerebras.ai/v1",
        &["CEREBRAS_API_KEY"],
        Some("gpt-oss-120b"),
    ),
    (
        "ollama",
        "Ollama",
        Protocol::OpenAi,
        "http://127.0.0.1:11434/v1",
        &[],
        None,
    ),
    (
        "llamacpp",
        "llama.cpp",
        Protocol::OpenAi,
        "http://127.0.0.1:8080/v1",
        &[],
        None,
    ),
    (
        "lmstudio",
        "LM Studio",
        Protocol::OpenAi,
        "http://127.0.0.1:1234/v1",
        &[],
        None,
    ),
    (
        "vllm",
        "vLLM",
        Protocol::OpenAi,
        "http://127.0.0.1:8000/v1",
        &[],
        None,
    ),
    (
        "offline",
        "offline",
        Protocol::Offline,
        "",
        &[],
        Some("plain"),
    ),
];

/// The rows as endpoints.
pub(super) fn built_in() -> Vec<Endpoint> {
    let endpoint = |&(id, name, protocol, base, keys, default_model): &Row| {
        let mut endpoint = Endpoint {
            built_in_base: base,
            needs_key: !keys.is_empty(),
            default_model,
            ..Endpoint::new(id, name, protocol)
        };
        if endpoint.needs_key {
            endpoint.key_envs = keys.iter().map(|&key| key.to_owned()).collect();
        }
        endpoint
    };
    ROWS.iter().map(endpoint).collect()
}

fn variable(id: &str, what: &str) -> String {
    let name = id.to_ascii_uppercase().replace(['-', '.'], "_");
    format!("{name}_{what}")
}

impl Endpoint {
    /// One that needs no key and has no address yet.
    fn new(id: &str, name: &str, protocol: Protocol) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            protocol,
            api: None,
            built_in_base: "",
            base_url: None,
            base_env: variable(id, "BASE_URL"),
            key_envs: vec![variable(id, "API_KEY")],
            key_is_named: false,
            needs_key: false,
            default_model: None,
            models: Vec::new(),
            headers: BTreeMap::new(),
            key_command: None,
            timeouts: Timeouts::default(),
            client: OnceLock::new(),
            learned: Arc::default(),
            refused: Arc::default(),
        }
    }

    /// An endpoint that only the user knows.
    pub(super) fn custom(settings: ProviderSettings) -> Self {
        let mut endpoint = Self::new(&settings.id, &settings.id, settings.protocol);
        endpoint.merge(settings);
        endpoint
    }

    /// The user's settings win.
    pub(super) fn merge(&mut self, settings: ProviderSettings) {
        // "openai" in the settings means both of its interfaces.
        if (self.protocol, settings.protocol) != (Protocol::Responses, Protocol::OpenAi) {
            self.protocol = settings.protocol;
        }
        self.api = settings.api.or(self.api);
        self.base_url = settings.base_url.or(self.base_url.take());
        if let Some(name) = settings.api_key_env {
            self.key_envs = vec![name];
            self.key_is_named = true;
            self.needs_key = true;
        }
        if let Some(line) = settings.api_key_cmd {
            self.key_command = Some(Arc::new(AskedKey::of_command(&self.id, &line)));
        }
        self.timeouts = settings.timeouts;
        self.headers.extend(settings.headers);
        self.models
            .extend(settings.models.into_iter().map(|info| info.model));
    }

    /// The wire format that is spoken, given whether the base URL is the built-in one:
    /// other people's servers under OpenAI's name rarely have more than chat completions.
    pub(super) fn spoken(&self, is_at_home: bool) -> Protocol {
        match (self.protocol, self.api) {
            (Protocol::OpenAi | Protocol::Responses, Some(Api::Chat)) => Protocol::OpenAi,
            (Protocol::OpenAi | Protocol::Responses, Some(Api::Responses)) => Protocol::Responses,
            (Protocol::Responses, None) if !is_at_home => Protocol::OpenAi,
            (protocol, _) => protocol,
        }
    }

    /// What to do about a missing or wrong key.
    pub(super) fn key_hint(&self) -> String {
        match self.key_envs.first() {
            Some(name) => format!(
                "set {name} to a key of {}, or store one with `plim login {}`",
                self.name, self.id
            ),
            None => format!("set providers.{}.api_key_env", self.id),
        }
    }
}
