//! The lists of models of all providers, read leniently into one shape. Pure.

use std::fmt::Write as _;

use serde_json::Value;

use super::ListedModel;

/// How a list is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::provider) enum Style {
    /// Anthropic's `/v1/models`.
    Anthropic,
    /// Gemini's own list, which knows the limits that its OpenAI interface leaves out.
    Gemini,
    /// `/models` beside `/chat/completions`.
    OpenAi,
}

/// Where a list is and which header carries the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::provider) struct Headed {
    /// The address.
    pub url: String,
    /// The header, and what precedes the key in it.
    pub key_header: (&'static str, &'static str),
}

impl Style {
    /// The list behind a mended base address.
    pub(in crate::provider) fn address(self, base: &str) -> Headed {
        let (url, key_header) = match self {
            Self::Anthropic => (format!("{base}/v1/models?limit=1000"), ("x-api-key", "")),
            Self::Gemini => {
                let base = base.strip_suffix("/openai").unwrap_or(base);
                let url = format!("{base}/models?pageSize=1000");
                (url, ("x-goog-api-key", ""))
            }
            Self::OpenAi => (format!("{base}/models"), ("authorization", "Bearer ")),
        };
        Headed { url, key_header }
    }
}

impl Style {
    /// The query of the page after this one; `None` when it was the last.
    pub(in crate::provider) fn next_page(self, answer: &Value) -> Option<String> {
        let (name, mark) = match self {
            Self::Anthropic if answer["has_more"] == true => ("after_id", &answer["last_id"]),
            Self::Gemini => ("pageToken", &answer["nextPageToken"]),
            Self::Anthropic | Self::OpenAi => return None,
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

/// Where different providers put the same number, best first.
const WINDOWS: [&str; 8] = [
    "/top_provider/context_length",
    "/context_length",
    "/context_window",
    "/max_context_length",
    "/max_model_len",
    "/max_input_tokens",
    "/inputTokenLimit",
    "/meta/n_ctx",
];
const OUTPUTS: [&str; 7] = [
    "/top_provider/max_completion_tokens",
    "/max_completion_tokens",
    "/max_output_tokens",
    "/max_tokens",
    "/outputTokenLimit",
    "/max_output_length",
    "/limits/max_output_tokens",
];

/// Reads the answer of a list. Models without an id are left out; an answer that is no
/// list gives none.
pub(in crate::provider) fn read(provider: &str, answer: &Value) -> Option<Vec<ListedModel>> {
    let list = ["/data", "/models", ""]
        .iter()
        .find_map(|place| answer.pointer(place)?.as_array())?;
    Some(
        list.iter()
            .filter_map(|item| model(provider, item))
            .collect(),
    )
}

fn model(provider: &str, item: &Value) -> Option<ListedModel> {
    let id = item["id"].as_str().or_else(|| item["name"].as_str())?;
    let id = id.strip_prefix("models/").unwrap_or(id).trim();
    let is_plain = !id.is_empty() && !id.contains(|c: char| c.is_control() || c.is_whitespace());
    if !is_plain {
        return None;
    }
    let first = |places: &[&str]| {
        let found = places
            .iter()
            .find_map(|place| item.pointer(place)?.as_u64());
        found.filter(|&tokens| tokens > 0)
    };
    let window = first(&WINDOWS);
    // Some repeat the window here; no answer can be as long as that.
    let max_output = first(&OUTPUTS).filter(|&most| window.is_none_or(|window| most < window));
    Some(ListedModel {
        provider: provider.to_owned(),
        model: id.to_owned(),
        window,
        input_limit: None,
        max_output,
        images: images(item),
        thinking: thinking(item),
        price: price(&item["pricing"]),
    })
}

fn images(item: &Value) -> Option<bool> {
    let kinds = item
        .pointer("/architecture/input_modalities")
        .or_else(|| item.get("input_modalities"));
    if let Some(kinds) = kinds.and_then(Value::as_array) {
        return Some(kinds.iter().any(|kind| kind == "image"));
    }
    let abilities = &item["capabilities"];
    let said = [&abilities["vision"], &abilities["image_input"]["supported"]];
    said.into_iter().find_map(Value::as_bool)
}

fn thinking(item: &Value) -> Option<bool> {
    if let Some(parameters) = item["supported_parameters"].as_array() {
        return Some(parameters.iter().any(|name| name == "reasoning"));
    }
    let said = [
        &item["thinking"],
        &item["capabilities"]["thinking"]["supported"],
        &item["capabilities"]["reasoning"],
    ];
    said.into_iter().find_map(Value::as_bool)
}

/// OpenRouter's prices are texts of dollars per token. A negative one means that it
/// depends.
fn price(pricing: &Value) -> Option<[f64; 4]> {
    /// Prices are kept per this many tokens.
    const PER_TOKENS: f64 = 1_000_000.0;
    /// Fractions of a dollar that are told apart, per million tokens.
    const GRAIN: f64 = 1_000_000.0;
    let dollars = |name: &str| -> Option<f64> {
        let value = &pricing[name];
        let each = value
            .as_f64()
            .or_else(|| value.as_str()?.trim().parse().ok())?;
        let million = each * PER_TOKENS;
        // Binary fractions of a text in decimal: 3.0000000000000004 is 3.
        (million.is_finite() && million >= 0.0).then(|| (million * GRAIN).round() / GRAIN)
    };
    let input = dollars("prompt")?;
    let output = dollars("completion")?;
    let cache_read = dollars("input_cache_read").unwrap_or(input);
    let cache_write = dollars("input_cache_write").unwrap_or(input);
    Some([input, output, cache_read, cache_write])
}
