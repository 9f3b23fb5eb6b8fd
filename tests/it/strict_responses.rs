//! The documented rules of OpenAI Responses, used statelessly, as strict as the
//! strictest server.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::strict::{Verdict, ensure, is_text, is_word, list, object, tool, unique_names};

/// The longest call id.
const MAX_ID_CHARS: usize = 64;
/// The longest name of a tool.
const MAX_NAME_CHARS: usize = 64;
/// The longest key of the prompt cache.
const MAX_KEY_CHARS: usize = 64;
/// The smallest limit of an answer in tokens.
const MIN_OUTPUT_TOKENS: u64 = 16;

/// The violation of the rules by a body, if any.
pub fn check(body: &Value) -> Verdict {
    object(
        body,
        &[
            "model",
            "stream",
            "store",
            "max_output_tokens",
            "include",
            "reasoning",
            "instructions",
            "tools",
            "input",
            "prompt_cache_key",
        ],
    )?;
    if let Some(key) = body.get("prompt_cache_key") {
        ensure(is_word(key, MAX_KEY_CHARS), "prompt_cache_key", key)?;
    }
    ensure(is_text(&body["model"]), "model", &body["model"])?;
    ensure(body["stream"] == true, "stream", &body["stream"])?;
    ensure(body["store"] == false, "nothing is stored", &body["store"])?;
    let limit = body["max_output_tokens"].as_u64().unwrap_or(0);
    ensure(limit >= MIN_OUTPUT_TOKENS, "max_output_tokens", body)?;
    if let Some(instructions) = body.get("instructions") {
        ensure(is_text(instructions), "instructions", instructions)?;
    }
    if let Some(include) = body.get("include") {
        let known = include == &serde_json::json!(["reasoning.encrypted_content"]);
        ensure(known, "include", include)?;
    }
    if let Some(reasoning) = body.get("reasoning") {
        object(reasoning, &["effort", "summary"])?;
        let known = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
        let effort = &reasoning["effort"];
        ensure(known.iter().any(|e| effort == e), "effort", reasoning)?;
        ensure(
            reasoning.get("summary").is_none_or(|s| s == "auto"),
            "summary",
            reasoning,
        )?;
    }
    if let Some(tools) = body.get("tools") {
        for one in list(tools, "tools")? {
            object(
                one,
                &["type", "name", "description", "parameters", "strict"],
            )?;
            ensure(one["type"] == "function", "kind of a tool", one)?;
            ensure(one["strict"] == false, "strict is the default", one)?;
            tool(&one["name"], &one["description"], &one["parameters"])?;
        }
        unique_names(tools.as_array().into_iter().flatten().map(|t| &t["name"]))?;
    }
    let has_phases = phases(body["model"].as_str().unwrap_or_default());
    for item in list(&body["input"], "input")? {
        let is_answer = item["role"] == "assistant";
        let phase = item.get("phase").and_then(Value::as_str);
        let known = phase.is_none_or(|p| p == "commentary" || p == "final_answer");
        ensure(known && (phase.is_none() || is_answer), "phase", item)?;
        ensure(
            !is_answer || phase.is_some() == has_phases,
            "a phase where it is known",
            item,
        )?;
    }
    items(list(&body["input"], "input")?)
}

/// From GPT-5.4 on (5.3 of Codex) every earlier answer says its phase.
fn phases(model: &str) -> bool {
    let Some(rest) = model.strip_prefix("gpt-") else {
        return false;
    };
    let version: String = rest.chars().take_while(|c| *c != '-').collect();
    let numbers: Vec<u32> = version.split('.').filter_map(|n| n.parse().ok()).collect();
    let first = if rest.contains("codex") {
        [5, 3]
    } else {
        [5, 4]
    };
    numbers.as_slice() >= first.as_slice()
}

fn items(items: &[Value]) -> Verdict {
    let mut open: Vec<String> = Vec::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut has_asked = false;
    let mut is_answering = false;
    for (at, item) in items.iter().enumerate() {
        let kind = item["type"].as_str().unwrap_or("message");
        if kind == "message" && item["role"] == "user" {
            has_asked = true;
        }
        ensure(has_asked, "the user begins", item)?;
        // An answer may go on after a call; what follows the first output is the next one.
        let is_of_the_user = kind == "message" && item["role"] == "user";
        if is_of_the_user || (is_answering && kind != "function_call_output") {
            ensure(
                open.is_empty(),
                "outputs directly behind their answer",
                item,
            )?;
        }
        is_answering = kind == "function_call_output";
        match kind {
            "message" => message(item)?,
            "reasoning" => reasoning(item, items.get(at + 1))?,
            "function_call" => {
                call(item)?;
                let id = item["call_id"].as_str().unwrap_or_default().to_owned();
                ensure(used.insert(id.clone()), "an id is used once", item)?;
                open.push(id);
            }
            "function_call_output" => {
                object(item, &["type", "call_id", "output"])?;
                output(&item["output"])?;
                let id = item["call_id"].as_str().unwrap_or_default();
                let found = open.iter().position(|known| known == id);
                ensure(found.is_some(), "an output answers an open call", item)?;
                found.map(|at| open.remove(at));
            }
            _ => ensure(false, "kind of an item", item)?,
        }
    }
    ensure(
        open.is_empty(),
        "every call is answered",
        &open.into_iter().collect(),
    )
}

fn message(item: &Value) -> Verdict {
    object(item, &["type", "role", "content", "phase"])?;
    let is_answer = item["role"] == "assistant";
    ensure(is_answer || item["role"] == "user", "role", item)?;
    for part in list(&item["content"], "content")? {
        if is_answer {
            object(part, &["type", "text"])?;
            ensure(part["type"] == "output_text", "part of an answer", part)?;
            ensure(is_text(&part["text"]), "no blank text", part)?;
        } else {
            input_part(part)?;
        }
    }
    Ok(())
}

fn reasoning(item: &Value, next: Option<&Value>) -> Verdict {
    object(item, &["type", "id", "summary", "encrypted_content"])?;
    ensure(item["summary"].is_array(), "summary is a list", item)?;
    ensure(is_text(&item["encrypted_content"]), "is encrypted", item)?;
    let is_followed = next.is_some_and(|next| {
        next["type"] == "reasoning"
            || next["type"] == "function_call"
            || next["role"] == "assistant"
    });
    ensure(is_followed, "reasoning is followed by its item", item)
}

fn call(item: &Value) -> Verdict {
    object(item, &["type", "call_id", "name", "arguments"])?;
    ensure(is_word(&item["call_id"], MAX_ID_CHARS), "call_id", item)?;
    ensure(is_word(&item["name"], MAX_NAME_CHARS), "name", item)?;
    let arguments = item["arguments"].as_str().unwrap_or_default();
    let parsed = serde_json::from_str::<Map<String, Value>>(arguments);
    ensure(parsed.is_ok(), "arguments are JSON text", item)
}

fn output(output: &Value) -> Verdict {
    if output.is_string() {
        return Ok(());
    }
    for part in list(output, "output")? {
        input_part(part)?;
    }
    Ok(())
}

fn input_part(part: &Value) -> Verdict {
    match part["type"].as_str() {
        Some("input_text") => {
            object(part, &["type", "text"])?;
            ensure(is_text(&part["text"]), "no blank text", part)
        }
        Some("input_image") => {
            object(part, &["type", "image_url"])?;
            let url = part["image_url"].as_str().unwrap_or_default();
            let known = ["png", "jpeg", "gif", "webp"]
                .iter()
                .any(|kind| url.starts_with(&format!("data:image/{kind};base64,")));
            ensure(known, "a kind of image that is accepted", part)
        }
        Some("input_file") => {
            object(part, &["type", "filename", "file_data"])?;
            ensure(is_text(&part["filename"]), "a file has a name", part)?;
            let data = part["file_data"].as_str().unwrap_or_default();
            let is_pdf = data.starts_with("data:application/pdf;base64,");
            ensure(is_pdf, "a file is a PDF", part)
        }
        _ => ensure(false, "kind of a part", part),
    }
}
