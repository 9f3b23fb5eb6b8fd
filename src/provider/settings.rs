//! How to reach a provider: the settings of one endpoint.

use std::collections::BTreeMap;

use crate::transcript::ModelInfo;

/// One `[providers.ID]` table, or a built-in one.
#[derive(Clone, Debug, PartialEq)]
pub struct ProviderSettings {
    /// Id as in `provider/model`.
    pub id: String,
    /// Which protocol it speaks.
    pub protocol: Protocol,
    /// What precedes `/v1/messages` or `/chat/completions`; `None` means the built-in address.
    pub base_url: Option<String>,
    /// Environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// Further headers.
    pub headers: BTreeMap<String, String>,
    /// Models that the user describes here.
    pub models: Vec<ModelInfo>,
}

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI chat completions and compatibles.
    OpenAi,
    /// The embedded provider.
    Offline,
}

impl Protocol {
    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Offline => "offline",
        }
    }

    /// The protocol with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Anthropic, Self::OpenAi, Self::Offline]
            .into_iter()
            .find(|p| p.name() == name)
    }
}
