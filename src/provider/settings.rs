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
    /// Which of the two interfaces of OpenAI; `None` means Responses at OpenAI itself
    /// and chat completions everywhere else.
    pub api: Option<Api>,
    /// What precedes the protocol's own path (`/v1/messages`, `/chat/completions`,
    /// `/responses`, `/models/…`); `None` means the built-in address.
    pub base_url: Option<String>,
    /// Environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// Further headers.
    pub headers: BTreeMap<String, String>,
    /// Models that the user describes here.
    pub models: Vec<ModelInfo>,
}

/// The two interfaces of OpenAI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// Chat completions, which all compatibles have.
    Chat,
    /// Responses, which returns the reasoning of a tool loop to the model.
    Responses,
}

impl Api {
    /// The interface with this name in settings.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "chat" => Some(Self::Chat),
            "responses" => Some(Self::Responses),
            _ => None,
        }
    }
}

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI chat completions and compatibles.
    OpenAi,
    /// OpenAI Responses. Settings say `openai` and leave the choice to [`Api`].
    Responses,
    /// Gemini's own.
    Gemini,
    /// The embedded provider.
    Offline,
}

impl Protocol {
    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Responses => "responses",
            Self::Gemini => "gemini",
            Self::Offline => "offline",
        }
    }

    /// The protocol with this name in settings.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Anthropic, Self::OpenAi, Self::Gemini, Self::Offline]
            .into_iter()
            .find(|p| p.name() == name)
    }
}
