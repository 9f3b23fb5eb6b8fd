//! Why a request failed, classified so that the agent knows what to do next.

use std::time::Duration;

/// A failed request. No variant carries a key or raw JSON; `message` is one sentence
/// from the provider, cleaned for display.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProviderError {
    /// The prompt does not fit into the model's window.
    #[error("the request is longer than the model's context window{}", numbers(*.requested_tokens, *.limit_tokens))]
    ContextOverflow {
        /// The provider's own count, when its message has one: of the prompt, or of the prompt
        /// and the answer that was asked for.
        requested_tokens: Option<u64>,
        /// Of the prompt alone, when the answer is in the other count.
        prompt_tokens: Option<u64>,
        /// The limit that it names.
        limit_tokens: Option<u64>,
        /// The provider's sentence.
        message: String,
    },
    /// The answer is over, and by the server's own count its prompt did not fit. The count
    /// may be wrong: [`ProviderError::as_overflow`] is for callers that accept it.
    #[error("the provider accepted the request without an error, but it does not fit{}", numbers(Some(*.prompt_tokens), Some(*.limit_tokens)))]
    Overfilled {
        /// The server's count.
        prompt_tokens: u64,
        /// The window as it is known.
        limit_tokens: u64,
    },
    /// Too many requests or tokens in a time.
    #[error("rate limited: {message}")]
    RateLimited {
        /// How long the provider asks to wait.
        retry_after: Option<Duration>,
        /// The provider's sentence.
        message: String,
    },
    /// The provider is overloaded or failed internally (5xx).
    #[error("the provider is overloaded or failing: {message}")]
    Overloaded {
        /// How long the provider asks to wait.
        retry_after: Option<Duration>,
        /// The provider's sentence.
        message: String,
    },
    /// The key is missing or wrong.
    #[error("not authorised: {message}")]
    Unauthorized {
        /// The provider's sentence, with which variable or setting holds the key.
        message: String,
    },
    /// Something has to be set right first: the address, or whose certificates are believed.
    /// Trying again changes nothing.
    #[error("{message}")]
    NotSetUp {
        /// The setting to change, or its error.
        message: String,
    },
    /// The key may not use this model.
    #[error("permission denied: {message}")]
    PermissionDenied {
        /// The provider's sentence.
        message: String,
    },
    /// There is no such model.
    #[error("model not found: {message}")]
    ModelNotFound {
        /// The provider's sentence.
        message: String,
    },
    /// The request is malformed: a bug, or a server that speaks another dialect.
    #[error("the provider refused the request: {message}")]
    InvalidRequest {
        /// The provider's sentence.
        message: String,
    },
    /// The content was refused by a filter.
    #[error("content refused: {message}")]
    ContentRefused {
        /// The provider's sentence.
        message: String,
    },
    /// No credit, or a spending limit.
    #[error("payment required: {message}")]
    PaymentRequired {
        /// The provider's sentence.
        message: String,
    },
    /// The body is too large in bytes, e.g. because of images.
    #[error("the request is too large: {message}")]
    PayloadTooLarge {
        /// The provider's sentence.
        message: String,
    },
    /// Nothing arrived for too long.
    #[error("timed out: {message}")]
    Timeout {
        /// The awaited event, with seconds.
        message: String,
    },
    /// The connection failed, or ended before the answer did.
    #[error("network error: {message}")]
    Network {
        /// The failure, with the address and without secrets.
        message: String,
    },
    /// The response does not follow the protocol.
    #[error("invalid answer: {message}")]
    Malformed {
        /// The violation.
        message: String,
    },
    /// The model wrote a tool call that its server could not read. It may write another.
    #[error("the model wrote a tool call that its server could not read: {message}")]
    BadCall {
        /// The server's words.
        message: String,
    },
    /// The answer does not end: what arrived until then is whole.
    #[error("the answer was cut off: it is longer than {} MiB", *.limit_bytes / (1024 * 1024))]
    AnswerTooLong {
        /// As many bytes of an answer are taken.
        limit_bytes: usize,
    },
    /// The user stopped it.
    #[error("cancelled")]
    Cancelled,
}

/// Replaces a secret.
const HIDDEN: &str = "[key]";
/// Ends a text of a server that was too long.
pub(super) const CUT: char = '…';

/// Whether a key is one. Gateways without keys are given a word, like `none`: hiding that
/// would only garble sentences.
pub(super) fn is_secret(key: &str) -> bool {
    const MIN_KEY_CHARS: usize = 8;
    key.len() >= MIN_KEY_CHARS
}

impl ProviderError {
    /// Nothing more comes, and the answer has not said that it is over.
    pub fn ended_early() -> Self {
        Self::Network {
            message: "the connection ended before the answer was complete".to_owned(),
        }
    }

    /// Its name for programs, in snake case.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::ContextOverflow { .. } | Self::Overfilled { .. } => "context_overflow",
            Self::RateLimited { .. } => "rate_limited",
            Self::Overloaded { .. } => "overloaded",
            Self::Unauthorized { .. } => "unauthorized",
            Self::NotSetUp { .. } => "not_set_up",
            Self::PermissionDenied { .. } => "permission_denied",
            Self::ModelNotFound { .. } => "model_not_found",
            Self::InvalidRequest { .. } => "invalid_request",
            Self::ContentRefused { .. } => "content_refused",
            Self::PaymentRequired { .. } => "payment_required",
            Self::PayloadTooLarge { .. } => "payload_too_large",
            Self::Timeout { .. } => "timeout",
            Self::Network { .. } => "network",
            Self::Malformed { .. } | Self::BadCall { .. } => "malformed",
            Self::AnswerTooLong { .. } => "answer_too_long",
            Self::Cancelled => "cancelled",
        }
    }

    /// A count that is beyond the window, believed; every other error as it is.
    #[must_use]
    pub fn as_overflow(self) -> Self {
        let message = self.to_string();
        match self {
            Self::Overfilled {
                prompt_tokens,
                limit_tokens,
            } => Self::ContextOverflow {
                requested_tokens: Some(prompt_tokens),
                prompt_tokens: None,
                limit_tokens: Some(limit_tokens),
                message,
            },
            other => other,
        }
    }

    /// The error where the wait that it asks for is longer than what is allowed.
    #[must_use]
    pub fn beyond_wait(mut self, longest: Duration) -> Self {
        let wait = self.retry_after().unwrap_or_default().as_secs();
        let longest = longest.as_secs();
        if let Some(message) = self.message_mut() {
            *message = format!(
                "{message}; it asks to wait {wait} s, but retry.max_wait_secs is {longest} s"
            );
        }
        self
    }

    /// Whether the same request may succeed later.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::Overloaded { .. }
                | Self::Timeout { .. }
                | Self::Network { .. }
                | Self::Malformed { .. }
                | Self::BadCall { .. }
        )
    }

    /// Whether the key is missing, wrong or not allowed to do this.
    pub fn is_refused_key(&self) -> bool {
        matches!(
            self,
            Self::Unauthorized { .. } | Self::PermissionDenied { .. }
        )
    }

    /// The error without this key, wherever a server echoed it, also where its text was cut
    /// in the middle of it.
    #[must_use]
    pub(super) fn without(mut self, secret: &str) -> Self {
        let Some(message) = self.message_mut().filter(|_| !secret.is_empty()) else {
            return self;
        };
        if message.contains(secret) {
            *message = message.replace(secret, HIDDEN);
        }
        let cuts: Vec<usize> = message.match_indices(CUT).map(|(at, _)| at).collect();
        for at in cuts.into_iter().rev() {
            let (head, rest) = message.split_at(at);
            if let Some(before) = before_begun(head, secret) {
                *message = format!("{before}{HIDDEN}{rest}");
            }
        }
        self
    }

    fn message_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::ContextOverflow { message, .. }
            | Self::RateLimited { message, .. }
            | Self::Overloaded { message, .. }
            | Self::Unauthorized { message }
            | Self::NotSetUp { message }
            | Self::PermissionDenied { message }
            | Self::ModelNotFound { message }
            | Self::InvalidRequest { message }
            | Self::ContentRefused { message }
            | Self::PaymentRequired { message }
            | Self::PayloadTooLarge { message }
            | Self::Timeout { message }
            | Self::Network { message }
            | Self::Malformed { message }
            | Self::BadCall { message } => Some(message),
            Self::Cancelled | Self::AnswerTooLong { .. } | Self::Overfilled { .. } => None,
        }
    }

    /// How long the provider asks to wait before the next try.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Overloaded { retry_after, .. } => {
                *retry_after
            }
            _ => None,
        }
    }
}

/// A text that ends in the beginning of a secret, without that.
fn before_begun<'a>(text: &'a str, secret: &str) -> Option<&'a str> {
    /// So much all keys of a provider have in common.
    const COMMON_CHARS: usize = 4;
    let ends = secret.char_indices().skip(COMMON_CHARS).map(|(at, _)| at);
    let begins: Vec<&str> = ends.filter_map(|at| secret.get(..at)).collect();
    begins
        .into_iter()
        .rev()
        .find_map(|begin| text.strip_suffix(begin))
}

fn numbers(requested: Option<u64>, limit: Option<u64>) -> String {
    match (requested, limit) {
        (Some(requested), Some(limit)) => format!(" ({requested} tokens, limit {limit})"),
        (Some(requested), None) => format!(" ({requested} tokens)"),
        (None, Some(limit)) => format!(" (limit {limit} tokens)"),
        (None, None) => String::new(),
    }
}
