//! The lists of models of all providers, read leniently into one shape. Pure.

use serde_json::Value;

use crate::provider::catalogue::lifecycle::{LifecycleStage, read_date};
use crate::provider::catalogue::listing::ListedModel;

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

/// No window has as many tokens.
const MOST_TOKENS: u64 = 100_000_000;

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
    if !is_plain || !converses(item) {
        return None;
    }
    let window = tokens_at(item, &WINDOWS);
    // Some repeat the window here; no answer can be as long as that.
    let max_output =
        tokens_at(item, &OUTPUTS).filter(|&most| window.is_none_or(|window| most < window));
    Some(ListedModel {
        provider: provider.to_owned(),
        model: id.to_owned(),
        window,
        input_limit: None,
        max_output,
        images: images(item),
        pdf: pdf(item),
        tools: tools(item),
        thinking: thinking(item),
        price: price(item),
        efforts: efforts(item),
        stage: stage(item),
        retires: retires(item),
    })
}

/// The number of tokens in the first of these places, as JSON pointers, that has a plausible
/// one: servers write 0 for what they do not know.
pub(in crate::provider) fn tokens_at(item: &Value, places: &[&str]) -> Option<u64> {
    let mut named = places
        .iter()
        .filter_map(|place| item.pointer(place)?.as_u64());
    named.find(|tokens| (1..MOST_TOKENS).contains(tokens))
}

/// How `LiteLLM` names what converses.
pub(in crate::provider) const CHAT_MODES: [&str; 3] = ["chat", "completion", "responses"];

/// Lists also name what embeds, draws, speaks or is switched off. What does not say so
/// counts as a model to talk with.
pub(in crate::provider) fn converses(item: &Value) -> bool {
    let lacks = |place: &str, wanted: &str| {
        let all = item.pointer(place).and_then(Value::as_array);
        all.is_some_and(|all| !all.iter().any(|it| it == wanted))
    };
    let is_off = item["archived"] == true
        || item["active"] == false
        || item["capabilities"]["completion_chat"] == false;
    let mode = item["mode"].as_str();
    let is_other_mode = mode.is_some_and(|mode| !CHAT_MODES.contains(&mode));
    let kind = item["type"].as_str().unwrap_or_default();
    let is_other = matches!(
        kind,
        "embedding"
            | "embeddings"
            | "text-embedding"
            | "image"
            | "audio"
            | "video"
            | "moderation"
            | "rerank"
            | "reranker"
            | "transcribe"
            | "tts"
    );
    !is_off
        && !is_other
        && !is_other_mode
        && !lacks("/supportedGenerationMethods", "generateContent")
        && !lacks("/architecture/output_modalities", "text")
        && !lacks("/output_modalities", "text")
}

/// The kinds of input, where a list names them.
fn inputs(item: &Value) -> Option<&Vec<Value>> {
    let kinds = item
        .pointer("/architecture/input_modalities")
        .or_else(|| item.get("input_modalities"));
    kinds.and_then(Value::as_array)
}

fn has(all: &[Value], wanted: &str) -> bool {
    all.iter().any(|one| one == wanted)
}

fn first_said(said: &[&Value]) -> Option<bool> {
    said.iter().find_map(|value| value.as_bool())
}

fn images(item: &Value) -> Option<bool> {
    let can = &item["capabilities"];
    let said = || first_said(&[&can["vision"], &can["image_input"]["supported"]]);
    inputs(item).map_or_else(said, |kinds| Some(has(kinds, "image")))
}

/// Only a list that speaks of documents says that there are none.
fn pdf(item: &Value) -> Option<bool> {
    let said = item["capabilities"]["pdf_input"]["supported"].as_bool();
    let is_listed = || inputs(item).and_then(|kinds| has(kinds, "file").then_some(true));
    said.or_else(is_listed)
}

fn tools(item: &Value) -> Option<bool> {
    let parameters = item["supported_parameters"].as_array();
    let said = || item["capabilities"]["function_calling"].as_bool();
    parameters.map_or_else(said, |all| Some(has(all, "tools")))
}

fn thinking(item: &Value) -> Option<bool> {
    if let Some(parameters) = item["supported_parameters"].as_array() {
        return Some(has(parameters, "reasoning"));
    }
    let can = &item["capabilities"];
    first_said(&[
        &item["thinking"],
        &can["thinking"]["supported"],
        &can["reasoning"],
    ])
}

/// Anthropic's levels, from the lowest to the highest.
const LEVELS: [&str; 5] = ["low", "medium", "high", "xhigh", "max"];

/// The levels of reasoning that a list names, the lowest first. Anthropic says of each level and
/// each kind of thinking whether the model takes it; OpenRouter lists the levels, the highest
/// first, and whether reasoning is mandatory.
fn efforts(item: &Value) -> Vec<String> {
    let can = &item["capabilities"];
    let is_supported = |what: &Value| what["supported"] == true;
    let levels = LEVELS.into_iter();
    let named = levels.filter(|level| is_supported(&can["effort"][level]));
    let reasoning = &item["reasoning"];
    let listed = reasoning["supported_efforts"].as_array();
    let listed = listed.into_iter().flatten().rev().filter_map(Value::as_str);
    let mut all: Vec<String> = named
        .chain(listed)
        .filter(|it| is_level(it))
        .map(str::to_owned)
        .collect();
    let types = &can["thinking"]["types"];
    let can_be_off = ["disabled", "between_tools"]
        .iter()
        .any(|off| is_supported(&types[off]))
        || reasoning["mandatory"] == false;
    if can_be_off && !all.iter().any(|level| level == "none") {
        all.insert(0, "none".to_owned());
    }
    all
}

fn is_level(word: &str) -> bool {
    (1..=16).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Where the model stands, where a list says so: Anthropic by a word, Mistral by a day.
fn stage(item: &Value) -> Option<LifecycleStage> {
    let named = item["lifecycle"].as_str().and_then(LifecycleStage::read);
    named.or_else(|| {
        item["deprecation"]
            .is_string()
            .then_some(LifecycleStage::Deprecated)
    })
}

/// The day of its end: Anthropic's, OpenRouter's, Mistral's.
fn retires(item: &Value) -> Option<String> {
    let places = ["retires_at", "expiration_date", "deprecation"];
    let texts = places.iter().filter_map(|place| item[place].as_str());
    let mut days = texts.filter_map(read_date);
    days.next().map(|day| day.to_string())
}

/// The prices in a list, in dollars per million tokens. A negative price means that it
/// depends.
fn price(item: &Value) -> Option<[f64; 4]> {
    /// Tokens in a million.
    const MILLION: f64 = 1_000_000.0;
    /// xAI's whole numbers are hundredths of a cent for a million tokens.
    const XAI_UNIT: f64 = 1.0 / 10_000.0;
    let pricing = &item["pricing"];
    let read = |of: &Value, factor: f64, names: [&str; 4]| {
        let [input, output, read, write] = names.map(|name| dollars(&of[name], factor));
        let input = input?;
        Some([
            input,
            output?,
            read.unwrap_or(input),
            write.unwrap_or(input),
        ])
    };
    // By the token at OpenRouter; elsewhere a text is by the token, a number (Together) by
    // the million.
    let by_token = [
        "prompt",
        "completion",
        "input_cache_read",
        "input_cache_write",
    ];
    let plain = ["input", "output", "input_cache_read", "input_cache_write"];
    let plain_unit = if pricing["input"].is_string() {
        MILLION
    } else {
        1.0
    };
    let xai = [
        "prompt_text_token_price",
        "completion_text_token_price",
        "cached_prompt_text_token_price",
        "",
    ];
    read(pricing, MILLION, by_token)
        .or_else(|| read(pricing, plain_unit, plain))
        .or_else(|| read(item, XAI_UNIT, xai))
}

/// A number, or a text with one, times a factor.
fn dollars(value: &Value, factor: f64) -> Option<f64> {
    /// Fractions of a dollar that are told apart.
    const GRAIN: f64 = 1_000_000.0;
    let number = value.as_f64();
    let number = number.or_else(|| value.as_str()?.trim().parse().ok())?;
    let dollars = number * factor;
    // Binary fractions of a text in decimal: 3.0000000000000004 is 3.
    (dollars.is_finite() && dollars >= 0.0).then(|| (dollars * GRAIN).round() / GRAIN)
}
