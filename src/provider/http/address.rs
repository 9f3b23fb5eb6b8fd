//! Base addresses as people write them, repaired into the address of a request.
//!
//! Pure text. A base is what precedes `/v1/messages` (Anthropic) or `/chat/completions` and
//! `/responses` (OpenAI) or `/models` (Gemini); people add or forget parts of it.

use std::net::{IpAddr, Ipv4Addr};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::Url;

use crate::provider::protocol::Protocol;

/// The address of requests, and what was repaired to get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Where requests are posted.
    pub url: String,
    /// The address before the path of the protocol, after repair; without a query.
    pub base: String,
    /// The query of the base URL, which every request carries: some gateways want their
    /// version or a key there. Empty, or `?` and more.
    pub query: String,
    /// The repair, one sentence.
    pub note: Option<String>,
}

/// Repairs `base` for `protocol`.
pub(crate) fn mend(protocol: Protocol, base: &str) -> Address {
    let base = base.trim();
    let base = base.split_once('#').map_or(base, |(base, _)| base);
    let (given, query) = base.split_at(base.find('?').unwrap_or(base.len()));
    let given = given.trim_end_matches('/');
    let with_scheme = without_empty_start(&with_scheme(given));
    let (mended, path) = match protocol {
        Protocol::Anthropic => (anthropic(&with_scheme), "/v1/messages"),
        Protocol::OpenAi | Protocol::Offline => (openai(&with_scheme), "/chat/completions"),
        Protocol::Responses => (openai(&with_scheme), "/responses"),
        Protocol::Gemini => (gemini(&with_scheme), "/models"),
    };
    let note = (mended != given).then(|| {
        let (given, mended) = (shown(given), shown(&mended));
        format!("the base URL {given} was corrected to {mended}")
    });
    Address {
        url: format!("{mended}{path}{query}"),
        base: mended,
        query: query.to_owned(),
        note,
    }
}

impl Address {
    /// The address of something else at this base; `path` may have a query.
    pub(in crate::provider) fn at(&self, path: &str) -> String {
        with_query(&format!("{}{path}", self.base), &self.query)
    }
}

/// `url` with one more query, which is empty or begins with `?`.
pub(in crate::provider) fn with_query(url: &str, query: &str) -> String {
    match query.strip_prefix('?') {
        Some(more) if url.contains('?') => format!("{url}&{more}"),
        _ => format!("{url}{query}"),
    }
}

/// Whether the address is on this machine.
pub(in crate::provider) fn is_local(url: &str) -> bool {
    let authority = authority(url);
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => authority.split(':').next().unwrap_or(authority),
    };
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<IpAddr>()
            .is_ok_and(|ip| ip.is_loopback() || ip == IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}

/// Whether requests can be sent to an address that was repaired: people also set sockets, file
/// names, and schemes with a letter missing, which read as hosts.
pub(in crate::provider) fn is_usable(url: &str) -> bool {
    let authority = authority(url);
    let is_scheme = authority.ends_with(':') || matches!(authority, "http" | "https");
    !authority.is_empty()
        && !is_scheme
        && Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Host and port, without name and password.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    authority.rsplit('@').next().unwrap_or(authority)
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

/// The password, also as it is sent, and the values of the query, as they are written and
/// what they mean; short ones are not secrets.
pub(super) fn secrets_in(url: &str) -> Vec<String> {
    /// A version, a flag or a name is shorter than any key.
    const MIN_CHARS: usize = 16;
    /// People choose shorter passwords.
    const MIN_PASSWORD_CHARS: usize = 6;
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or(rest);
    let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
    let (name, password) = user.split_once(':').unwrap_or((user, ""));
    let values = query.split('&').filter_map(|pair| pair.split_once('='));
    let long = values.map(|(_, value)| value).chain([name]);
    let mut found: Vec<String> = long
        .filter(|text| text.len() >= MIN_CHARS)
        .chain(
            [password]
                .into_iter()
                .filter(|text| text.len() >= MIN_PASSWORD_CHARS),
        )
        .flat_map(|text| [text.to_owned(), unescaped(text)])
        .collect();
    if !user.is_empty() {
        // The header that carries them, which only looks unreadable.
        let both = format!("{}:{}", unescaped(name), unescaped(password));
        found.push(BASE64_STANDARD.encode(both));
    }
    found
}

/// The text with `%2F` and its like decoded.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%');
        let byte = code
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = match byte {
            Some(_) => after.get(2..).unwrap_or_default(),
            None => after,
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn with_scheme(base: &str) -> String {
    if base.contains("://") {
        return base.to_owned();
    }
    let scheme = if is_local(base) { "http" } else { "https" };
    format!("{scheme}://{base}")
}

/// `http://host//v1` as `http://host/v1`.
fn without_empty_start(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    match rest.split_once('/') {
        Some((authority, path)) if !authority.is_empty() && path.starts_with('/') => {
            format!("{scheme}://{authority}/{}", path.trim_start_matches('/'))
        }
        _ => url.to_owned(),
    }
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
    } else if authority(base).ends_with(".azure.com") {
        format!("{base}/openai/v1")
    } else {
        format!("{base}/v1")
    }
}

/// Google's interface in the manner of OpenAI is beside its own one.
fn gemini(base: &str) -> String {
    let mut base = without(without(base, "/models"), "/openai");
    while base.ends_with("/v1beta/v1beta") {
        base = base.strip_suffix("/v1beta").unwrap_or(base);
    }
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
