//! The built-in endpoints, one row each: all that the program knows of a provider which
//! speaks a known wire format.

use crate::provider::catalogue::listing::style::ListStyle;
use crate::provider::choose::server_kind::ServerKind;
use crate::provider::http::call::KeyHeader;
use crate::provider::protocol::Protocol;
use crate::provider::protocol::quirks::{EffortField, Quirks, ReturnedReasoning};
use crate::provider::protocol::wire_ids::CallIdStyle;

/// A provider as the program ships it.
#[derive(Clone, Copy, Debug)]
pub(in crate::provider) struct EndpointRow {
    /// Id as in `provider/model`.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// Wire format.
    pub protocol: Protocol,
    /// Its address, with the names of variables in braces that are a part of it; empty for the
    /// embedded provider.
    pub base_url: &'static str,
    /// Variables that may hold the key, best first; none: no key is needed.
    pub key_variables: &'static [&'static str],
    /// Taken when only the provider is known.
    pub default_model: Option<&'static str>,
    /// Which program it is, when people run it on their own machine.
    pub server: ServerKind,
    /// Its differences from others of its format.
    pub quirks: Quirks,
}

/// In the order in which keys and local servers are looked for.
pub(in crate::provider) const ROWS: &[EndpointRow] = &[
    EndpointRow {
        id: "anthropic",
        name: "Anthropic",
        protocol: Protocol::Anthropic,
        base_url: "https://api.anthropic.com",
        key_variables: &["ANTHROPIC_API_KEY"],
        default_model: Some("claude-sonnet-5-5"),
        server: ServerKind::Other,
        quirks: Quirks {
            tells_of_its_cache: true,
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "openai",
        name: "OpenAI",
        protocol: Protocol::Responses,
        base_url: "https://api.openai.com/v1",
        key_variables: &["OPENAI_API_KEY"],
        default_model: Some("gpt-6.2-sol"),
        server: ServerKind::Other,
        quirks: Quirks {
            tells_of_its_cache: true,
            takes_conversation_field: true,
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "gemini",
        name: "Gemini",
        protocol: Protocol::Gemini,
        base_url: "https://generativelanguage.googleapis.com/v1beta",
        key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        default_model: Some("gemini-3.8-flash"),
        server: ServerKind::Other,
        quirks: Quirks {
            wants_signed_calls: true,
            list: Some(ListStyle::Gemini),
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "openrouter",
        name: "OpenRouter",
        protocol: Protocol::OpenAi,
        base_url: "https://openrouter.ai/api/v1",
        key_variables: &["OPENROUTER_API_KEY"],
        default_model: Some("anthropic/claude-sonnet-5.5"),
        server: ServerKind::Other,
        quirks: Quirks {
            effort: EffortField::Object,
            asks_claude_to_cache: true,
            conversation_header: Some("x-session-id"),
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "groq",
        name: "Groq",
        protocol: Protocol::OpenAi,
        base_url: "https://api.groq.com/openai/v1",
        key_variables: &["GROQ_API_KEY"],
        default_model: Some("openai/gpt-oss-120b"),
        server: ServerKind::Other,
        quirks: Quirks::NONE,
    },
    EndpointRow {
        id: "mistral",
        name: "Mistral",
        protocol: Protocol::OpenAi,
        base_url: "https://api.mistral.ai/v1",
        key_variables: &["MISTRAL_API_KEY"],
        default_model: Some("mistral-large-latest"),
        server: ServerKind::Other,
        quirks: Quirks {
            call_ids: CallIdStyle::Nine,
            has_strict_turns: true,
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "deepseek",
        name: "DeepSeek",
        protocol: Protocol::OpenAi,
        base_url: "https://api.deepseek.com/v1",
        key_variables: &["DEEPSEEK_API_KEY"],
        default_model: Some("deepseek-flash"),
        server: ServerKind::Other,
        quirks: Quirks {
            reasoning: ReturnedReasoning::All,
            effort: EffortField::Switch,
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "xai",
        name: "xAI",
        protocol: Protocol::OpenAi,
        base_url: "https://api.x.ai/v1",
        key_variables: &["XAI_API_KEY"],
        default_model: Some("grok-4.7"),
        server: ServerKind::Other,
        quirks: Quirks {
            list: Some(ListStyle::XAi),
            conversation_header: Some("x-grok-conv-id"),
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "cerebras",
        name: "Cerebras",
        protocol: Protocol::OpenAi,
        base_url: "https://api.cerebras.ai/v1",
        key_variables: &["CEREBRAS_API_KEY"],
        default_model: Some("gpt-oss-120b"),
        server: ServerKind::Other,
        quirks: Quirks {
            empty_refusal_is_overflow: true,
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "moonshot",
        name: "Moonshot",
        protocol: Protocol::OpenAi,
        base_url: "https://api.moonshot.ai/v1",
        key_variables: &["MOONSHOT_API_KEY"],
        default_model: Some("kimi-k2.7-code"),
        server: ServerKind::Other,
        quirks: Quirks {
            effort: EffortField::Switch,
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "zai",
        name: "Z.ai",
        protocol: Protocol::OpenAi,
        base_url: "https://api.z.ai/api/paas/v4",
        key_variables: &["ZAI_API_KEY", "ZHIPU_API_KEY"],
        default_model: Some("glm-5.2"),
        server: ServerKind::Other,
        quirks: Quirks {
            effort: EffortField::Switch,
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "qwen",
        name: "Qwen",
        protocol: Protocol::OpenAi,
        base_url: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        key_variables: &["DASHSCOPE_API_KEY"],
        default_model: Some("qwen3.7-plus"),
        server: ServerKind::Other,
        quirks: Quirks {
            effort: EffortField::Flag,
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "minimax",
        name: "MiniMax",
        protocol: Protocol::OpenAi,
        base_url: "https://api.minimax.io/v1",
        key_variables: &["MINIMAX_API_KEY"],
        default_model: Some("MiniMax-M3"),
        server: ServerKind::Other,
        quirks: Quirks {
            effort: EffortField::Switch,
            ..Quirks::NONE
        },
    },
    // Whoever deploys a model names it: there is none to choose.
    EndpointRow {
        id: "azure",
        name: "Azure OpenAI",
        protocol: Protocol::OpenAi,
        base_url: "{AZURE_OPENAI_ENDPOINT}/openai/v1",
        key_variables: &["AZURE_OPENAI_API_KEY", "AZURE_API_KEY"],
        default_model: None,
        server: ServerKind::Other,
        quirks: AZURE,
    },
    // Chat completions with a Bedrock API key; AWS's own signatures are not spoken.
    EndpointRow {
        id: "bedrock",
        name: "Amazon Bedrock",
        protocol: Protocol::OpenAi,
        base_url: "https://bedrock-runtime.{AWS_REGION}.amazonaws.com/openai/v1",
        key_variables: &["AWS_BEARER_TOKEN_BEDROCK"],
        default_model: None,
        server: ServerKind::Other,
        quirks: Quirks::NONE,
    },
    // The key is an access token of an hour: `api_key_cmd = "gcloud auth print-access-token"`.
    EndpointRow {
        id: "vertex",
        name: "Vertex AI",
        protocol: Protocol::OpenAi,
        base_url: "https://{GOOGLE_CLOUD_LOCATION}-aiplatform.googleapis.com/v1/projects/{GOOGLE_CLOUD_PROJECT}/locations/{GOOGLE_CLOUD_LOCATION}/endpoints/openapi",
        key_variables: &["VERTEX_ACCESS_TOKEN"],
        default_model: None,
        server: ServerKind::Other,
        quirks: Quirks {
            wants_signed_calls: true,
            ..Quirks::NONE
        },
    },
    EndpointRow {
        id: "ollama",
        name: "Ollama",
        protocol: Protocol::OpenAi,
        base_url: "http://127.0.0.1:11434/v1",
        key_variables: &[],
        default_model: None,
        server: ServerKind::Ollama,
        quirks: Quirks::NONE,
    },
    EndpointRow {
        id: "llamacpp",
        name: "llama.cpp",
        protocol: Protocol::OpenAi,
        base_url: "http://127.0.0.1:8080/v1",
        key_variables: &[],
        default_model: None,
        server: ServerKind::LlamaCpp,
        quirks: Quirks::NONE,
    },
    EndpointRow {
        id: "lmstudio",
        name: "LM Studio",
        protocol: Protocol::OpenAi,
        base_url: "http://127.0.0.1:1234/v1",
        key_variables: &[],
        default_model: None,
        server: ServerKind::LmStudio,
        quirks: Quirks::NONE,
    },
    EndpointRow {
        id: "vllm",
        name: "vLLM",
        protocol: Protocol::OpenAi,
        base_url: "http://127.0.0.1:8000/v1",
        key_variables: &[],
        default_model: None,
        server: ServerKind::Vllm,
        quirks: Quirks::NONE,
    },
    EndpointRow {
        id: "offline",
        name: "offline",
        protocol: Protocol::Offline,
        base_url: "",
        key_variables: &[],
        default_model: Some("plain"),
        server: ServerKind::Other,
        quirks: Quirks::NONE,
    },
];

/// Providers without a row, which only the user sets up, and what they do differently.
pub(in crate::provider) const KNOWN_HOSTS: &[KnownHost] = &[
    KnownHost {
        id: "fireworks",
        base_url: "https://api.fireworks.ai/inference/v1",
        quirks: Quirks {
            conversation_header: Some("x-session-affinity"),
            ..Quirks::NONE
        },
    },
    // Whatever the provider is called that is set up there.
    KnownHost {
        id: "azure",
        base_url: "https://openai.azure.com",
        quirks: AZURE,
    },
    KnownHost {
        id: "azure",
        base_url: "https://services.ai.azure.com",
        quirks: AZURE,
    },
    KnownHost {
        id: "azure",
        base_url: "https://cognitiveservices.azure.com",
        quirks: AZURE,
    },
];

/// A key of Azure in the header of OpenAI is taken for a token of another kind.
const AZURE: Quirks = Quirks {
    key_header: Some(KeyHeader::API_KEY),
    ..Quirks::NONE
};

/// A provider that has quirks but no row.
#[derive(Clone, Copy, Debug)]
pub(in crate::provider) struct KnownHost {
    /// The id under which it is usually set up.
    pub id: &'static str,
    /// Its address.
    pub base_url: &'static str,
    /// Its differences.
    pub quirks: Quirks,
}
