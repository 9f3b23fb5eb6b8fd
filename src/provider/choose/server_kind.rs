//! The kinds of servers that people run on their own machine, and what is known of one of
//! their models. Pure data.

/// The window that people are advised to run a model with on their own server.
pub const WANTED_WINDOW_TOKENS: u64 = 32_768;

/// Facts about a model from a server on this machine. `None`: it does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalModel {
    /// The model's id.
    pub name: String,
    /// The kind of server.
    pub kind: ServerKind,
    /// The window that it runs with. `None`: not loaded yet, or not said.
    pub window_tokens: Option<u64>,
    /// The largest window that it was trained for.
    pub largest_window_tokens: Option<u64>,
    /// The largest answer, in tokens.
    pub most_output_tokens: Option<u64>,
    /// Accepts images.
    pub images: Option<bool>,
    /// Can call tools.
    pub tools: Option<bool>,
    /// Can reason before it answers.
    pub thinking: Option<bool>,
}

/// The programs that serve models on people's machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ServerKind {
    /// Cuts what is beyond the window, without an error.
    Ollama,
    /// `/props` has its window.
    LlamaCpp,
    /// Has an interface of its own.
    LmStudio,
    /// Lists its window.
    Vllm,
    /// Lists models, and that is all that is known.
    #[default]
    Other,
}

impl ServerKind {
    /// Whether what is beyond the window is cut away without an error.
    pub fn cuts_silently(self) -> bool {
        self == Self::Ollama
    }

    /// How the server is made to run a model with a window of this many tokens. No request
    /// can do it: the interface that all of them share has no field for it.
    pub fn larger_window(self, model: &str, tokens: u64) -> String {
        match self {
            Self::Ollama => format!(
                "start Ollama with OLLAMA_CONTEXT_LENGTH={tokens}, or add PARAMETER num_ctx \
                 {tokens} to the model's Modelfile (a chat request cannot set it)"
            ),
            Self::LlamaCpp => format!(
                "restart llama-server with -c {tokens}, multiplied by the number of slots if it \
                 uses --parallel"
            ),
            Self::LmStudio => format!(
                "load the model with a longer context: in the app's settings, or with `lms load \
                 {model} --context-length {tokens}`"
            ),
            Self::Vllm => format!("restart vLLM with --max-model-len {tokens}"),
            Self::Other => format!(
                "restart the server with a larger window (Ollama: \
                 OLLAMA_CONTEXT_LENGTH={tokens}, llama.cpp: -c {tokens}, LM Studio: the context \
                 length when loading, vLLM: --max-model-len {tokens})"
            ),
        }
    }
}
