//! Base addresses as people write them, mended into the address of a request.
//!
//! Pure text. A base is what precedes `/v1/messages` (Anthropic) or
//! `/chat/completions` and `/responses` (OpenAI) or `/models` (Gemini); people add or forget parts of it.

use crate::provider::Protocol;

/// The address of requests, and what was mended to get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Where requests are posted.
    pub url: String,
    /// What precedes the path of the protocol, after mending.
    pub base: String,
    /// What was mended, one sentence.
    pub note: Option<String>,
}

/// Mends `base` for `protocol`.
pub fn mend(protocol: Protocol, base: &str) -> Address {
    let given = base.trim().trim_end_matches('/');
    let with_scheme = with_scheme(given);
    let (mended, path) = match protocol {
        Protocol::Anthropic => (anthropic(&with_scheme), "/v1/messages"),
        Protocol::OpenAi | Protocol::Offline => (openai(&with_scheme), "/chat/completions"),
        Protocol::Responses => (openai(&with_scheme), "/responses"),
        Protocol::Gemini => (gemini(&with_scheme), "/models"),
    };
    let note = (mended != given).then(|| {
        let (given, mended) = (shown(given), shown(&mended));
        format!("the base URL {given} was read as {mended}")
    });
    Address {
        url: format!("{mended}{path}"),
        base: mended,
        note,
    }
}

/// Whether the address is on this machine.
pub(in crate::provider) fn is_local(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    ["127.", "localhost", "[::1]", "0.0.0.0"]
        .iter()
        .any(|host| rest.starts_with(host))
}

/// The address for people: without a name, password or query in it.
pub fn shown(url: &str) -> String {
    let plain = url.split(['?', '#']).next().unwrap_or(url);
    let (scheme, rest) = plain.split_once("://").unwrap_or(("", plain));
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let scheme = if scheme.is_empty() {
        String::new()
    } else {
        format!("{scheme}://")
    };
    let slash = if path.is_empty() { "" } else { "/" };
    format!("{scheme}{host}{slash}{path}")
}

fn with_scheme(base: &str) -> String {
    if base.contains("://") {
        return base.to_owned();
    }
    let scheme = if is_local(base) { "http" } else { "https" };
    format!("{scheme}://{base}")
}

fn anthropic(base: &str) -> String {
    let mut base = without(base, "/messages");
    while let Some(shorter) = base.strip_suffix("/v1") {
        base = shorter.trim_end_matches('/');
    }
    base.to_owned()
}

fn openai(base: &str) -> String {
    let mut base = without(without(base, "/chat/completions"), "/chat");
    base = without(base, "/responses");
    while base.ends_with("/v1/v1") {
        base = base.strip_suffix("/v1").unwrap_or(base);
    }
    let has_path = base
        .split_once("://")
        .is_some_and(|(_, rest)| rest.contains('/'));
    if has_path {
        base.to_owned()
    } else {
        format!("{base}/v1")
    }
}

/// Google's interface in the manner of OpenAI is beside its own one.
fn gemini(base: &str) -> String {
    let base = without(without(base, "/models"), "/openai");
    let has_path = base
        .split_once("://")
        .is_some_and(|(_, rest)| rest.contains('/'));
    if has_path {
        base.to_owned()
    } else {
        format!("{base}/v1beta")
    }
}

fn without<'a>(base: &'a str, suffix: &str) -> &'a str {
    base.strip_suffix(suffix)
        .unwrap_or(base)
        .trim_end_matches('/')
}
