//! The documented rules of Anthropic Messages and OpenAI chat completions (the other two
//! formats have a file each), as strict as the strictest server: a
//! body that passes here is refused by nobody for its form. Pure functions over JSON;
//! [`check`] is what every recorded request of the flow tests goes through.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::server::Wire;
use super::{strict_gemini, strict_responses};

/// Breakpoints of the prompt cache that Anthropic allows.
const MAX_BREAKPOINTS: usize = 4;
/// The longest call id that OpenAI takes.
const MAX_ID_CHARS: usize = 40;
/// The longest name of a tool.
const MAX_NAME_CHARS: usize = 64;
/// Tools of a request, and calls of a message, that OpenAI takes.
const MAX_LISTED: usize = 128;

/// Nothing, or the rule that is broken and where.
pub type Verdict = Result<(), String>;

/// What the format's documentation has against a body, if anything.
pub fn check(wire: Wire, body: &Value) -> Verdict {
    match wire {
        Wire::Anthropic => anthropic(body),
        Wire::OpenAi => openai(body),
        Wire::Responses => strict_responses::check(body),
        Wire::Gemini => strict_gemini::check(body, true),
    }
}

/// `Ok` when it holds; otherwise the rule and what breaks it.
pub fn ensure(holds: bool, rule: &str, at: &Value) -> Verdict {
    if holds {
        return Ok(());
    }
    let shown: String = at.to_string().chars().take(400).collect();
    Err(format!("{rule}: {shown}"))
}

/// An object with no other keys than these.
pub fn object<'a>(value: &'a Value, allowed: &[&str]) -> Result<&'a Map<String, Value>, String> {
    let Some(map) = value.as_object() else {
        return Err(format!("not an object: {value}"));
    };
    for key in map.keys() {
        ensure(
            allowed.contains(&key.as_str()),
            &format!("unknown field {key}"),
            value,
        )?;
    }
    Ok(map)
}

/// A list that is not empty.
pub fn list<'a>(value: &'a Value, rule: &str) -> Result<&'a Vec<Value>, String> {
    value
        .as_array()
        .filter(|list| !list.is_empty())
        .ok_or_else(|| format!("{rule}: must be a list with something in it, is {value}"))
}

/// A text that is not blank.
pub fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

/// Letters, digits, `_` and `-`.
pub fn is_word(value: &Value, max_chars: usize) -> bool {
    value.as_str().is_some_and(|text| {
        !text.is_empty()
            && text.len() <= max_chars
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
    })
}

/// Base64 that is not empty.
pub fn is_base64(value: &Value) -> bool {
    value.as_str().is_some_and(|text| {
        !text.is_empty()
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='))
    })
}

/// A tool's name and schema, which most formats want alike.
pub fn tool(name: &Value, description: &Value, schema: &Value) -> Verdict {
    ensure(is_word(name, MAX_NAME_CHARS), "name of a tool", name)?;
    ensure(is_text(description), "a tool is described", description)?;
    ensure(schema["type"] == "object", "a schema is an object", schema)?;
    ensure(
        schema.get("properties").is_none_or(Value::is_object),
        "properties are an object",
        schema,
    )
}

/// No two are the same.
pub fn unique_names<'a>(names: impl Iterator<Item = &'a Value>) -> Verdict {
    let mut seen = BTreeSet::new();
    for name in names {
        ensure(seen.insert(name.to_string()), "two tools of one name", name)?;
    }
    Ok(())
}

/// Anthropic Messages.
pub fn anthropic(body: &Value) -> Verdict {
    object(
        body,
        &[
            "model",
            "max_tokens",
            "stream",
            "system",
            "tools",
            "messages",
            "thinking",
            "output_config",
        ],
    )?;
    ensure(is_text(&body["model"]), "model", &body["model"])?;
    let max_tokens = body["max_tokens"].as_u64().unwrap_or(0);
    ensure(max_tokens >= 1, "max_tokens", &body["max_tokens"])?;
    ensure(body["stream"].is_boolean(), "stream", &body["stream"])?;
    if let Some(system) = body.get("system") {
        for block in list(system, "system")? {
            block_of(block, &["text"])?;
        }
    }
    if let Some(tools) = body.get("tools") {
        for one in list(tools, "tools")? {
            object(
                one,
                &["name", "description", "input_schema", "cache_control"],
            )?;
            tool(&one["name"], &one["description"], &one["input_schema"])?;
        }
        unique_names(tools.as_array().into_iter().flatten().map(|t| &t["name"]))?;
    }
    anthropic_thinking(body, max_tokens)?;
    let marks = body.to_string().matches("\"cache_control\":{").count();
    ensure(
        marks <= MAX_BREAKPOINTS,
        "at most four breakpoints",
        &marks.into(),
    )?;
    let messages = list(&body["messages"], "messages")?;
    anthropic_reasoning(messages, &body["thinking"])?;
    anthropic_messages(messages)
}

fn is_reasoning(block: &Value) -> bool {
    block["type"] == "thinking" || block["type"] == "redacted_thinking"
}

/// Reasoning ends no answer, is only there when it is asked for, and with a budget it
/// begins the tool loop that runs.
fn anthropic_reasoning(messages: &[Value], thinking: &Value) -> Verdict {
    let blocks = |message: &Value| message["content"].as_array().cloned().unwrap_or_default();
    for message in messages {
        let blocks = blocks(message);
        let ends = blocks.last().is_some_and(is_reasoning);
        ensure(!ends, "the final block is no reasoning", message)?;
        let has_some = blocks.iter().any(is_reasoning);
        ensure(
            !has_some || thinking.is_object(),
            "reasoning only in a request that asks for it",
            message,
        )?;
    }
    let has_results = |message: &Value| {
        blocks(message)
            .iter()
            .any(|block| block["type"] == "tool_result")
    };
    let is_loop = messages.last().is_some_and(has_results);
    if thinking["type"] != "enabled" || !is_loop {
        return Ok(());
    }
    let ask = messages
        .iter()
        .rposition(|message| message["role"] == "user" && !has_results(message));
    let first = ask.and_then(|at| messages.get(at + 1));
    let begins = first.is_some_and(|answer| blocks(answer).first().is_some_and(is_reasoning));
    ensure(
        begins,
        "a loop begins with reasoning",
        &first.cloned().into(),
    )
}

fn anthropic_thinking(body: &Value, max_tokens: u64) -> Verdict {
    let Some(thinking) = body.get("thinking") else {
        return Ok(());
    };
    match thinking["type"].as_str() {
        Some("enabled") => {
            object(thinking, &["type", "budget_tokens"])?;
            let budget = thinking["budget_tokens"].as_u64().unwrap_or(0);
            ensure(
                (1_024..max_tokens).contains(&budget),
                "budget of thinking",
                thinking,
            )
        }
        Some("adaptive") => object(thinking, &["type", "display", "block_binding"]).map(drop),
        _ => ensure(false, "kind of thinking", thinking),
    }
}

fn anthropic_messages(messages: &[Value]) -> Verdict {
    let mut open: BTreeSet<String> = BTreeSet::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut role_before = "assistant";
    for (at, message) in messages.iter().enumerate() {
        object(message, &["role", "content"])?;
        let role = message["role"].as_str().unwrap_or_default();
        ensure(
            role != role_before && ["user", "assistant"].contains(&role),
            "roles alternate, the user begins",
            message,
        )?;
        role_before = if role == "user" { "user" } else { "assistant" };
        let blocks = list(&message["content"], "content")?;
        if role == "user" {
            results(blocks, &mut open)?;
        } else {
            open = calls(blocks, &mut used)?;
            let last_is_blank_end = at + 1 == messages.len()
                && blocks.last().is_some_and(|block| {
                    block["text"]
                        .as_str()
                        .is_some_and(|text| text.ends_with(char::is_whitespace))
                });
            ensure(
                !last_is_blank_end,
                "a final answer ends without white space",
                message,
            )?;
        }
    }
    ensure(
        open.is_empty(),
        "every call is answered",
        &open.iter().cloned().collect(),
    )
}

/// A user message: results of the calls before it first, all of them.
fn results(blocks: &[Value], open: &mut BTreeSet<String>) -> Verdict {
    let mut may_be_result = true;
    for block in blocks {
        if block["type"] == "tool_result" {
            ensure(may_be_result, "results stand first", block)?;
            object(
                block,
                &[
                    "type",
                    "tool_use_id",
                    "content",
                    "is_error",
                    "cache_control",
                ],
            )?;
            let id = block["tool_use_id"].as_str().unwrap_or_default();
            ensure(open.remove(id), "a result answers an open call", block)?;
            // A failed call has text alone.
            let kinds: &[&str] = match block["is_error"].as_bool() {
                Some(true) => &["text"],
                _ => &["text", "image", "document"],
            };
            if let Some(content) = block.get("content") {
                for part in list(content, "content of a result")? {
                    block_of(part, kinds)?;
                }
            }
        } else {
            may_be_result = false;
            block_of(block, &["text", "image", "document"])?;
        }
    }
    ensure(
        open.is_empty(),
        "every call is answered in the next message",
        &open.iter().cloned().collect(),
    )
}

/// An answer: its calls, each with an id of its own.
fn calls(blocks: &[Value], used: &mut BTreeSet<String>) -> Result<BTreeSet<String>, String> {
    let mut open = BTreeSet::new();
    for block in blocks {
        match block["type"].as_str() {
            Some("tool_use") => {
                object(block, &["type", "id", "name", "input", "cache_control"])?;
                ensure(is_word(&block["id"], 64), "id of a call", block)?;
                ensure(is_word(&block["name"], 128), "name of a called tool", block)?;
                ensure(block["input"].is_object(), "input is an object", block)?;
                let id = block["id"].as_str().unwrap_or_default().to_owned();
                ensure(used.insert(id.clone()), "an id is used once", block)?;
                open.insert(id);
            }
            Some("thinking") => {
                object(block, &["type", "thinking", "signature"])?;
                ensure(is_text(&block["signature"]), "thinking is signed", block)?;
            }
            Some("redacted_thinking") => {
                object(block, &["type", "data"])?;
                ensure(is_text(&block["data"]), "hidden thinking has data", block)?;
            }
            _ => block_of(block, &["text"])?,
        }
    }
    Ok(open)
}

fn block_of(block: &Value, kinds: &[&str]) -> Verdict {
    let kind = block["type"].as_str().unwrap_or_default();
    ensure(kinds.contains(&kind), "kind of a block", block)?;
    if let Some(mark) = block.get("cache_control") {
        ensure(mark["type"] == "ephemeral", "cache_control", block)?;
    }
    if kind == "text" {
        object(block, &["type", "text", "cache_control"])?;
        return ensure(is_text(&block["text"]), "no blank text", block);
    }
    object(block, &["type", "source", "cache_control"])?;
    let source = &block["source"];
    object(source, &["type", "media_type", "data"])?;
    ensure(source["type"] == "base64", "source", block)?;
    ensure(is_base64(&source["data"]), "data is base64", block)?;
    let media: &[&str] = if kind == "image" {
        &["image/png", "image/jpeg", "image/gif", "image/webp"]
    } else {
        &["application/pdf"]
    };
    let mime = source["media_type"].as_str().unwrap_or_default();
    ensure(media.contains(&mime), "media type", block)
}

/// OpenAI chat completions.
pub fn openai(body: &Value) -> Verdict {
    object(
        body,
        &[
            "model",
            "stream",
            "stream_options",
            "max_tokens",
            "max_completion_tokens",
            "reasoning_effort",
            "tools",
            "messages",
        ],
    )?;
    ensure(is_text(&body["model"]), "model", &body["model"])?;
    let limits = [&body["max_tokens"], &body["max_completion_tokens"]];
    let given: Vec<u64> = limits.iter().filter_map(|l| l.as_u64()).collect();
    ensure(
        given.len() == 1 && given.iter().all(|limit| *limit >= 1),
        "one limit of output",
        body,
    )?;
    if let Some(options) = body.get("stream_options") {
        ensure(body["stream"] == true, "stream_options need stream", body)?;
        object(options, &["include_usage"])?;
        ensure(
            options["include_usage"].is_boolean(),
            "include_usage",
            options,
        )?;
    }
    if let Some(effort) = body.get("reasoning_effort") {
        let known = ["minimal", "low", "medium", "high"];
        ensure(
            known.iter().any(|level| effort == level),
            "reasoning_effort",
            effort,
        )?;
    }
    if let Some(tools) = body.get("tools") {
        for one in list(tools, "tools")? {
            object(one, &["type", "function"])?;
            ensure(one["type"] == "function", "kind of a tool", one)?;
            let function = &one["function"];
            object(function, &["name", "description", "parameters"])?;
            tool(
                &function["name"],
                &function["description"],
                &function["parameters"],
            )?;
        }
        let all = tools.as_array().into_iter().flatten();
        ensure(
            all.clone().count() <= MAX_LISTED,
            "number of tools",
            &body["model"],
        )?;
        unique_names(all.map(|t| &t["function"]["name"]))?;
    }
    openai_messages(list(&body["messages"], "messages")?)
}

fn openai_messages(messages: &[Value]) -> Verdict {
    let mut open: Vec<String> = Vec::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut has_asked = false;
    for (at, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().unwrap_or_default();
        if role != "tool" {
            ensure(
                open.is_empty(),
                "tool messages directly after their calls",
                message,
            )?;
        }
        match role {
            "system" => {
                object(message, &["role", "content"])?;
                ensure(at == 0, "the system prompt is first", message)?;
                ensure(is_text(&message["content"]), "system text", message)?;
            }
            "user" => {
                object(message, &["role", "content"])?;
                has_asked = true;
                user_content(&message["content"])?;
            }
            "assistant" => {
                ensure(has_asked, "the user begins", message)?;
                open = openai_calls(message, &mut used)?;
            }
            "tool" => {
                object(message, &["role", "tool_call_id", "content"])?;
                ensure(message["content"].is_string(), "content of a tool", message)?;
                let id = message["tool_call_id"].as_str().unwrap_or_default();
                ensure(
                    open.first().is_some_and(|first| first == id),
                    "results in call order",
                    message,
                )?;
                open.remove(0);
            }
            _ => ensure(false, "role", message)?,
        }
    }
    ensure(
        open.is_empty(),
        "every call is answered",
        &open.into_iter().collect(),
    )
}

fn user_content(content: &Value) -> Verdict {
    if content.is_string() {
        return ensure(is_text(content), "no blank text", content);
    }
    for part in list(content, "content")? {
        match part["type"].as_str() {
            Some("text") => {
                object(part, &["type", "text"])?;
                ensure(is_text(&part["text"]), "no blank text", part)?;
            }
            Some("image_url") => {
                object(part, &["type", "image_url"])?;
                let url = part["image_url"]["url"].as_str().unwrap_or_default();
                let known = ["png", "jpeg", "gif", "webp"]
                    .iter()
                    .any(|kind| url.starts_with(&format!("data:image/{kind};base64,")));
                ensure(known, "a kind of image that is accepted", part)?;
            }
            Some("file") => {
                object(part, &["type", "file"])?;
                let data = part["file"]["file_data"].as_str().unwrap_or_default();
                ensure(
                    data.starts_with("data:application/pdf;base64,"),
                    "a file is a PDF",
                    part,
                )?;
            }
            _ => ensure(false, "kind of a part", part)?,
        }
    }
    Ok(())
}

fn openai_calls(message: &Value, used: &mut BTreeSet<String>) -> Result<Vec<String>, String> {
    object(message, &["role", "content", "tool_calls"])?;
    let mut open = Vec::new();
    if let Some(calls) = message.get("tool_calls") {
        let calls = list(calls, "tool_calls")?;
        ensure(
            calls.len() <= MAX_LISTED,
            "number of calls",
            &calls.len().into(),
        )?;
        for call in calls {
            object(call, &["id", "type", "function"])?;
            ensure(call["type"] == "function", "kind of a call", call)?;
            object(&call["function"], &["name", "arguments"])?;
            ensure(is_word(&call["id"], MAX_ID_CHARS), "id of a call", call)?;
            ensure(
                is_word(&call["function"]["name"], MAX_NAME_CHARS),
                "name of a called tool",
                call,
            )?;
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            let parsed = serde_json::from_str::<Map<String, Value>>(arguments);
            ensure(parsed.is_ok(), "arguments are JSON text", call)?;
            let id = call["id"].as_str().unwrap_or_default().to_owned();
            ensure(used.insert(id.clone()), "an id is used once", call)?;
            open.push(id);
        }
    }
    let content = &message["content"];
    ensure(
        is_text(content) || (content.is_null() && !open.is_empty()),
        "content is null only with calls",
        message,
    )?;
    Ok(open)
}

/// Mistral takes ids of exactly nine letters or digits, wants an answer between results
/// and the user's next words, and nothing after an answer without calls but the user's.
pub fn mistral(body: &Value) -> Verdict {
    const CHARS: usize = 9;
    let mut role_before = "";
    for message in body["messages"].as_array().into_iter().flatten() {
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let id = call["id"].as_str().unwrap_or_default();
            let is_right = id.len() == CHARS && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
            ensure(is_right, "nine letters or digits", call)?;
        }
        let role = message["role"].as_str().unwrap_or_default();
        ensure(
            (role_before, role) != ("tool", "user"),
            "an answer stands between results and the user",
            message,
        )?;
        role_before = role;
    }
    ensure(
        role_before == "user" || role_before == "tool",
        "the last word is not the model's",
        &role_before.into(),
    )
}
