//! Where a provider's key comes from, in words. Never a key itself.

/// Where a key comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyOrigin {
    /// This environment variable.
    Variable(String),
    /// `api_key_cmd`.
    Command,
    /// The system's keyring.
    Keyring,
    /// It was entered in the program.
    Stored,
}

impl KeyOrigin {
    /// As the reason of a choice: `OPENAI_API_KEY is set`. Takes the provider's id and what
    /// people call it.
    pub fn clause(&self, id: &str, name: &str) -> String {
        match self {
            Self::Variable(variable) => format!("{variable} is set"),
            Self::Command => format!("providers.{id}.api_key_cmd is set"),
            Self::Keyring => format!("the key of {name} is in the system keyring"),
            Self::Stored => format!("a key of {name} is stored"),
        }
    }

    /// The hint when this key is refused.
    pub(super) fn correction(&self, id: &str) -> String {
        match self {
            Self::Variable(name) => {
                format!("correct {name}, or unset it and store a key with `plim login {id}`")
            }
            Self::Command => format!("check the output of providers.{id}.api_key_cmd"),
            Self::Keyring => format!("`plim login {id} --keyring` stores another key"),
            Self::Stored => format!("`plim login {id}` stores another key"),
        }
    }

    /// Its name alone.
    pub fn name(&self) -> &str {
        match self {
            Self::Variable(name) => name,
            Self::Command => "api_key_cmd",
            Self::Keyring => "system keyring",
            Self::Stored => "credentials.toml",
        }
    }

    /// In which order they are looked through.
    pub const ORDER: [&str; 4] = [
        "environment",
        "api_key_cmd",
        "system keyring",
        "credentials.toml",
    ];
}
