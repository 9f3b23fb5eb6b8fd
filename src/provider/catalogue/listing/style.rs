//! How each kind of provider is asked for the list of its models. Pure.

use std::fmt::Write as _;

use serde_json::Value;

use crate::provider::http::call::KeyHeader;

/// How a list is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::provider) enum ListStyle {
    /// Anthropic's `/v1/models`.
    Anthropic,
    /// Gemini's own list, which knows the limits that its OpenAI interface leaves out.
    Gemini,
    /// xAI's list of language models, which has the prices that `/models` leaves out.
    XAi,
    /// `/models` beside `/chat/completions`.
    OpenAi,
}

/// Where a list is, and how it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::provider) struct ListAddress {
    /// The address.
    pub url: String,
    /// The header that carries the key.
    pub key_header: KeyHeader,
}

impl ListStyle {
    pub(in crate::provider) fn address(self, base: &str) -> ListAddress {
        let (url, key_header) = match self {
            Self::Anthropic => (format!("{base}/v1/models?limit=1000"), KeyHeader::X_API_KEY),
            Self::Gemini => {
                let base = base.strip_suffix("/openai").unwrap_or(base);
                let url = format!("{base}/models?pageSize=1000");
                (url, KeyHeader::X_GOOG_API_KEY)
            }
            Self::XAi => {
                let url = format!("{base}/language-models");
                (url, KeyHeader::BEARER)
            }
            Self::OpenAi => (format!("{base}/models"), KeyHeader::BEARER),
        };
        ListAddress { url, key_header }
    }

    /// The query of the page after this one; `None` when it was the last.
    pub(in crate::provider) fn next_page(self, answer: &Value) -> Option<String> {
        let (name, mark) = match self {
            Self::Anthropic if answer["has_more"] == true => ("after_id", &answer["last_id"]),
            Self::Gemini => ("pageToken", &answer["nextPageToken"]),
            Self::Anthropic | Self::XAi | Self::OpenAi => return None,
        };
        let mark = mark.as_str().filter(|mark| !mark.is_empty())?;
        Some(format!("?{name}={}", escaped(mark)))
    }
}

/// As the value of a query.
fn escaped(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}
