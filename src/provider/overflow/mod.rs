//! The meaning of a refusal: status, code and text of any provider become one
//! [`ProviderError`].
//!
//! One table for all providers, because proxies and compatibles answer with each
//! other's texts. Exclusions are looked at first: a rate limit that speaks of tokens
//! is not an overflow.

mod body;
mod numbers;
mod shape;
mod too_long;

use std::time::Duration;

use super::error::{CUT, is_secret};
use crate::provider::error::ProviderError;
use crate::transcript::{StopReason, Usage};
pub(super) use body::ErrorBody;

/// A refusal as it arrived.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Refusal<'a> {
    /// HTTP status; `None` for an error inside a stream.
    pub status: Option<u16>,
    /// The body or the error object, usually JSON.
    pub body: &'a str,
    /// A refusal of this provider without a body means an overflow.
    pub empty_is_overflow: bool,
    /// The wait in the `retry-after` headers.
    pub retry_after: Option<Duration>,
}

/// Texts that speak of tokens or length and are no overflow.
const RATE_LIMITS: &[&str] = &[
    "tokens per minute",
    "tokens per day",
    "tokens per hour",
    "requests per",
    "(tpm)",
    "(rpm)",
    "(tpd)",
    " tpm ",
    " rpm ",
    "rate limit",
    "rate_limit",
    "ratelimit",
    "too many requests",
    "throttl",
    "resource_exhausted",
    "quota",
];

/// The server has no room at all: nothing about this request.
const BUSY: &[&str] = &["service unavailable", "overloaded", "server is busy"];

/// Signs of a failure on the other side. Some servers file an overflow under these, so
/// they exclude nothing.
const UNAVAILABLE: &[&str] = &[
    "service unavailable",
    "overloaded",
    "server_error",
    "api_error",
    "internal error",
    "server is busy",
    "capacity",
];

/// A limit that ends by itself, whatever else the text says of plans.
const PASSING: &[&str] = &["please retry in", "please try again in"];

const BILLING: &[&str] = &[
    "billing",
    "credit balance",
    "insufficient_quota",
    "insufficient credits",
    "insufficient balance",
    "exceeded your current quota",
    "payment required",
    "spending limit",
    "extra usage is required",
    "余额不足",
];

/// Parameters that are wrong on their own: a shorter prompt would not help.
const OTHER_PARAMETERS: &[&str] = &[
    "context window too small",
    "invalid option",
    "max_tokens must be",
    "max_completion_tokens must be",
    "max_output_tokens must be",
    "completion tokens, whereas you provided",
    "max completion tokens reached",
    "image exceeds",
    "file exceeds",
];

const CONTENT: &[&str] = &[
    "content_filter",
    "content filter",
    "content_policy",
    "content management policy",
    "safety system",
    "data_inspection_failed",
];

/// Texts of an overflow seen in the field, in lower case; `*` stands for anything.
pub(super) const OVERFLOWS: &[&str] = &[
    "prompt is too long",
    "prompt too long",
    "tokens too long",
    "text too long",
    "request_too_large",
    "exceed context limit",
    "context_length_exceeded",
    "maximum context length is *",
    "maximum context length of *",
    "exceeds the context window",
    "exceeds the maximum context length",
    "exceeds maximum context length",
    "exceeds the model's maximum context length",
    "exceeds model's maximum context length",
    "context window exceeded",
    "input is too long",
    "exceeds the max input token limit",
    "total tokens exceeds the model's max",
    "context length exceeded",
    "input token count*exceeds the maximum",
    "input token count*only supports up to",
    "is longer than the maximum model length",
    "inputs tokens + max_new_tokens must be <=",
    "inputs must have less than * tokens",
    "prompt_tokens*must be less than max_seq_len",
    "maximum input length is",
    "context length of only",
    "exceeds the context length",
    "maximum prompt length is",
    "reduce the length of the messages",
    "prompt*exceeds the limit of",
    "token*exceeds the limit of",
    "input*exceeds the limit of",
    "context*exceeds the limit of",
    "exceeds the available context size",
    "greater than the context length",
    "context window exceeds limit",
    "exceeded model token limit",
    "too large for model with*maximum context length",
    "model_context_window_exceeded",
    "prompt exceeds max length",
    "is longer than the model's context length",
    "exceeded max context length",
    "exceeds max context length",
    "configured context size is",
    "range of input length should be",
    "context length is only",
    "tokens in request more than max tokens allowed",
    "maximum allowed input length of",
    "too many tokens",
    "token limit exceeded",
    "context size has been exceeded",
    "exceed_context_size_error",
    "上下文过长",
    "上下文超出",
    "超出最大上下文",
    "超过最大上下文",
    "prompt 超长",
    "请压缩上下文",
    "reached context length of",
    "context overflow",
    "expected maxlength:*actual:",
    "max_tokens must be at least*got -",
];

/// Words that say that something is too much, in the languages of servers.
const EXCESSES: &[&str] = &[
    "exceed",
    "too long",
    "too large",
    "too big",
    "longer than",
    "larger than",
    "greater than",
    "bigger than",
    "more than",
    "too many",
    "not fit",
    "überschreit",
    "übersteig",
    "zu lang",
    "zu groß",
    "dépass",
    "trop long",
    "excede",
    "supera",
    "overschrijd",
    "te lang",
    "przekracza",
    "превыш",
    "не помещ",
    "não cabe",
    "no cabe",
    "non entra",
    "ne tient pas",
    "passt nicht",
    "past niet",
    "nie mieści",
    "aşıyor",
    "aşmakta",
    "超过",
    "超出",
    "超長",
    "过长",
    "超え",
    "초과",
];

/// Classifies a refusal. `secret` never appears in the result.
pub(super) fn classify(refusal: Refusal<'_>, secret: Option<&str>) -> ProviderError {
    let parsed = ErrorBody::parse(refusal.body);
    let status = refusal.status.or(parsed.status);
    let text = normalise(&format!(
        "{} {} {}",
        parsed.codes,
        parsed.sentences,
        if parsed.is_structured {
            ""
        } else {
            refusal.body
        }
    ));
    let message = sentence(&parsed, status, secret);
    if is_overflow(&text, status, refusal)
        || parsed.names_larger_request() && !is_excluded(&text, status)
    {
        let mut found = numbers::find(&text);
        if let Some(sizes) = shape::compared_sizes(&text)
            && found.limit.is_none_or(|limit| limit == sizes.limit)
        {
            let requested = found.requested.filter(|size| *size > sizes.limit);
            found.requested = requested.or(Some(sizes.requested));
            found.limit = Some(sizes.limit);
        }
        // The text of an HTML page is a server's in between: its numbers are no sizes.
        let is_size = |size: &u64| !parsed.is_page && status.map(u64::from) != Some(*size);
        return ProviderError::ContextOverflow {
            requested_tokens: parsed.requested_tokens.or(found.requested.filter(is_size)),
            prompt_tokens: found.prompt.filter(is_size),
            limit_tokens: parsed.limit_tokens.or(found.limit.filter(is_size)),
            message,
        };
    }
    by_status(&text, status, message, refusal.retry_after)
}

fn is_overflow(text: &str, status: Option<u16>, refusal: Refusal<'_>) -> bool {
    if is_excluded(text, status) {
        return false;
    }
    if OVERFLOWS.iter().any(|pattern| matches(text, pattern)) || exceeds_a_bare_limit(text) {
        return true;
    }
    if shape::compared_sizes(text).is_some() || too_long::says_too_long(text) {
        return true;
    }
    match status {
        Some(413) => names_size_of_request(text) || is_empty_overflow(refusal),
        Some(400) => is_empty_overflow(refusal),
        _ => false,
    }
}

/// Whether something else than the length of the request is refused.
fn is_excluded(text: &str, status: Option<u16>) -> bool {
    let mut excluding = [RATE_LIMITS, BUSY, BILLING].into_iter();
    let is_parameter = has_any(text, OTHER_PARAMETERS) && !leaves_no_room(text);
    excluding.any(|phrases| has_any(text, phrases))
        || is_parameter
        || matches!(status, Some(401..=403 | 408 | 429))
}

/// vLLM counts what the prompt leaves for the answer: a negative number is an overflow.
fn leaves_no_room(text: &str) -> bool {
    matches(text, "max_tokens must be at least*got -")
}

/// `exceeds the limit of N`, where neither a unit nor a subject says that N is not a number
/// of tokens.
fn exceeds_a_bare_limit(text: &str) -> bool {
    const SUBJECTS: &[&str] = &[
        "image",
        "file",
        "attachment",
        "document",
        "audio",
        "video",
        "tool",
        "function",
        "messages",
        "stop",
        "schema",
        "name",
        "request rate",
        "requests",
        "calls",
        "depth",
        "list",
        "character",
    ];
    let Some((before, after)) = text.rsplit_once("exceeds the limit of ") else {
        return false;
    };
    let before = before
        .rsplit(['"', '\'', '{', '.', ':'])
        .next()
        .unwrap_or(before);
    let number =
        after.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '_' | '.'));
    let rest = number.trim_start();
    let is_number = number.len() < after.len();
    let has_unit =
        rest.starts_with(|c: char| c.is_alphanumeric() || c == '%') && !rest.starts_with("token");
    is_number && !has_unit && !has_any(before, SUBJECTS)
}

fn is_empty_overflow(refusal: Refusal<'_>) -> bool {
    refusal.empty_is_overflow && refusal.body.trim().is_empty()
}

fn names_size_of_request(text: &str) -> bool {
    let what = ["request", "prompt", "input", "context", "messages"];
    let size = [
        "too large",
        "too long",
        "size",
        "length",
        "tokens",
        "too big",
    ];
    !text.contains("image") && has_any(text, &what) && has_any(text, &size)
}

fn by_status(
    text: &str,
    status: Option<u16>,
    message: String,
    retry_after: Option<Duration>,
) -> ProviderError {
    let passes = status == Some(429) && has_any(text, PASSING);
    if status == Some(402) || has_any(text, BILLING) && !passes {
        return ProviderError::PaymentRequired { message };
    }
    if has_any(text, CONTENT) && !matches!(status, Some(401 | 429)) {
        return ProviderError::ContentRefused { message };
    }
    // The model wrote a call that the server could not read: it may write another.
    if text.contains("tool_use_failed") {
        return ProviderError::BadCall { message };
    }
    if let Some(limit) = beyond_rate(text, status) {
        let message = format!(
            "this request alone exceeds the account's limit of {limit} tokens per minute: \
             {message}"
        );
        return ProviderError::PermissionDenied { message };
    }
    match status {
        Some(401) => ProviderError::Unauthorized { message },
        Some(403) => ProviderError::PermissionDenied { message },
        Some(404) if text.contains("model") => ProviderError::ModelNotFound { message },
        Some(408) => ProviderError::Timeout { message },
        Some(413) if !has_any(text, RATE_LIMITS) => ProviderError::PayloadTooLarge { message },
        Some(429) => ProviderError::RateLimited {
            retry_after,
            message,
        },
        Some(500..=599) => ProviderError::Overloaded {
            retry_after,
            message,
        },
        _ => by_text(text, status, message, retry_after),
    }
}

/// The limit of tokens per minute, where one request is larger: no wait helps.
fn beyond_rate(text: &str, status: Option<u16>) -> Option<u64> {
    let is_rate = matches!(status, Some(413 | 429)) && has_any(text, &["per minute", "tpm"]);
    let number_after = |word: &str| {
        text.split(word).skip(1).find_map(|after| {
            let after = after.trim_start_matches([' ', ':']);
            let digits = after
                .chars()
                .take_while(|c| c.is_ascii_digit() || *c == ',');
            let digits: String = digits.filter(char::is_ascii_digit).collect();
            digits.parse::<u64>().ok()
        })
    };
    let (limit, requested) = (number_after("limit")?, number_after("requested")?);
    (is_rate && requested > limit).then_some(limit)
}

fn by_text(
    text: &str,
    status: Option<u16>,
    message: String,
    retry_after: Option<Duration>,
) -> ProviderError {
    if has_any(
        text,
        &[
            "invalid_api_key",
            "authentication_error",
            "api key not valid",
            "incorrect api key",
        ],
    ) {
        ProviderError::Unauthorized { message }
    } else if has_any(text, &["permission_error", "permission_denied"]) {
        ProviderError::PermissionDenied { message }
    } else if has_any(
        text,
        &[
            "model_not_found",
            "model not found",
            "does not exist",
            "not_found_error",
        ],
    ) && text.contains("model")
    {
        ProviderError::ModelNotFound { message }
    } else if has_any(text, RATE_LIMITS) {
        ProviderError::RateLimited {
            retry_after,
            message,
        }
    } else if status.is_none() && !text.contains("invalid_request") || has_any(text, UNAVAILABLE) {
        // An error in the middle of a stream that says nothing else is the server's.
        ProviderError::Overloaded {
            retry_after,
            message,
        }
    } else {
        ProviderError::InvalidRequest { message }
    }
}

/// The server stopped because the window was full, and says so.
pub(super) fn full_window(usage: Usage, window_tokens: Option<u64>) -> ProviderError {
    let prompt = Some(usage.prompt_tokens()).filter(|&tokens| tokens > 0);
    ProviderError::ContextOverflow {
        requested_tokens: prompt,
        prompt_tokens: None,
        limit_tokens: window_tokens,
        message: "the context window was full before the answer was complete".to_owned(),
    }
}

/// Some providers cut or accept what does not fit without an error. Recognises all
/// forms from what they report at the end of an answer.
pub(super) fn silent_overflow(
    stop: StopReason,
    usage: Usage,
    window_tokens: Option<u64>,
) -> Option<ProviderError> {
    /// A `length` stop without output this close to the window is the window, in percent.
    const FULL_PERCENT: u64 = 99;
    /// No prompt is so many windows long: a count beyond it is a fault of the server.
    const ABSURD_WINDOWS: u64 = 100;
    let window = window_tokens?;
    let prompt = usage
        .input_tokens
        .saturating_add(usage.cache_read_tokens)
        .saturating_add(usage.cache_write_tokens);
    if prompt > window.saturating_mul(ABSURD_WINDOWS) {
        return None;
    }
    let silent = match stop {
        StopReason::Stop => prompt > window,
        StopReason::Length if usage.output_tokens == 0 => {
            prompt.saturating_mul(100) >= window.saturating_mul(FULL_PERCENT)
        }
        // llama-server generates until its window is full and calls that a length stop.
        StopReason::Length => prompt.saturating_add(usage.output_tokens) >= window,
        _ => false,
    };
    silent.then_some(ProviderError::Overfilled {
        prompt_tokens: prompt,
        limit_tokens: window,
    })
}

/// One sentence for the screen: the provider's, or what the status means.
fn sentence(parsed: &ErrorBody, status: Option<u16>, secret: Option<&str>) -> String {
    /// Longer texts are HTML pages or echoes of the request.
    const MAX_CHARS: usize = 400;
    let mut text = parsed
        .message
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if let Some(secret) = secret.filter(|secret| is_secret(secret)) {
        text = text.replace(secret, "[key]");
    }
    if text.chars().count() > MAX_CHARS {
        text = text.chars().take(MAX_CHARS).chain([CUT]).collect();
    }
    let place = match (status, parsed.request_id.as_deref()) {
        (Some(status), Some(id)) => format!(" (HTTP {status}, {id})"),
        (Some(status), None) => format!(" (HTTP {status})"),
        (None, Some(id)) => format!(" ({id})"),
        (None, None) => String::new(),
    };
    match (text.is_empty(), status) {
        (false, _) => text + &place,
        (true, Some(status)) => format!("HTTP {status} without an explanation"),
        (true, None) => "an error without an explanation".to_owned(),
    }
}

/// Lower case, single spaces, no quoting characters.
fn normalise(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, '`' | '*'))
        .map(|c| if c == '\u{2019}' { '\'' } else { c })
        .flat_map(char::to_lowercase)
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn has_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| text.contains(phrase))
}

/// Whether the pieces between the `*` of `pattern` occur in this order.
fn matches(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    pattern
        .split('*')
        .all(|piece| match rest.split_once(piece) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
}

#[cfg(test)]
mod tests;
