//! JSON Schema → the subset that Gemini takes. Pure.
//!
//! What it does not know would have the whole request refused. Nothing is lost that can
//! be said otherwise: references are followed, alternatives become `anyOf`, a nullable
//! type becomes a flag, choices among numbers go into the description.

use serde_json::{Map, Value, json};

/// Schemas nest (and refer to each other) at most this deep; below it anything goes.
const MAX_DEPTH: usize = 12;

/// Keywords that are copied as they are.
const COPIED: [&str; 14] = [
    "title",
    "description",
    "nullable",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minProperties",
    "maxProperties",
    "minimum",
    "maximum",
    "pattern",
    "example",
    "propertyOrdering",
];

/// The parameters of a function; `None` when it takes none.
pub(super) fn parameters(schema: &Value) -> Option<Value> {
    let schema = subset(schema, schema, 0);
    let has_properties = schema["properties"]
        .as_object()
        .is_some_and(|properties| !properties.is_empty());
    has_properties.then_some(schema)
}

fn subset(schema: &Value, root: &Value, depth: usize) -> Value {
    let schema = merged(schema, root, depth);
    let mut out = Map::new();
    for key in COPIED {
        if let Some(value) = schema.get(key) {
            out.insert(key.to_owned(), value.clone());
        }
    }
    let alternatives = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key));
    if let Some(alternatives) = alternatives.and_then(Value::as_array) {
        choose(alternatives, root, depth, &mut out);
    }
    let kind = kind_of(&schema, &mut out);
    if let Some(kind) = kind {
        typed(kind, &schema, root, depth, &mut out);
    }
    Value::Object(out)
}

/// The schema with its references and its `allOf` worked in.
fn merged(schema: &Value, root: &Value, depth: usize) -> Map<String, Value> {
    let mut own = schema.as_object().cloned().unwrap_or_default();
    if depth > MAX_DEPTH {
        own.retain(|key, _| key == "description");
        return own;
    }
    let referred = own
        .shift_remove("$ref")
        .and_then(|path| root.pointer(path.as_str()?.strip_prefix('#')?).cloned());
    let all = own.shift_remove("allOf");
    let parts = all.as_ref().and_then(Value::as_array).into_iter().flatten();
    for part in referred.iter().chain(parts) {
        for (key, value) in merged(part, root, depth + 1) {
            match (own.get_mut(&key), value) {
                (None, value) => {
                    own.insert(key, value);
                }
                (Some(Value::Object(mine)), Value::Object(theirs)) => mine.extend(theirs),
                (Some(Value::Array(mine)), Value::Array(theirs)) if key == "required" => {
                    mine.extend(theirs);
                }
                (Some(_), _) => {}
            }
        }
    }
    own
}

/// Alternatives; `null` among them is a flag, a single one is the schema itself.
fn choose(alternatives: &[Value], root: &Value, depth: usize, out: &mut Map<String, Value>) {
    let is_null = |schema: &&Value| schema["type"] == "null";
    if alternatives.iter().any(|schema| is_null(&schema)) {
        out.insert("nullable".to_owned(), json!(true));
    }
    let mut kept: Vec<Value> = alternatives
        .iter()
        .filter(|schema| !is_null(schema))
        .map(|schema| subset(schema, root, depth + 1))
        .collect();
    if kept.len() > 1 {
        out.insert("anyOf".to_owned(), Value::Array(kept));
    } else if let Some(Value::Object(only)) = kept.pop() {
        for (key, value) in only {
            out.entry(key).or_insert(value);
        }
    }
}

/// The one type of a schema, as far as it has one; several become alternatives.
fn kind_of(schema: &Map<String, Value>, out: &mut Map<String, Value>) -> Option<&'static str> {
    const KINDS: [&str; 6] = ["string", "integer", "number", "boolean", "array", "object"];
    let known = |value: &Value| {
        let name = value.as_str()?.to_ascii_lowercase();
        KINDS.into_iter().find(|kind| *kind == name)
    };
    if let Some(types) = schema.get("type").and_then(Value::as_array) {
        if types.iter().any(|kind| kind == "null") {
            out.insert("nullable".to_owned(), json!(true));
        }
        let kinds: Vec<&str> = types.iter().filter_map(known).collect();
        if kinds.len() > 1 && !out.contains_key("anyOf") {
            let simple = kinds.iter().map(|kind| bare(kind));
            out.insert("anyOf".to_owned(), simple.collect());
            return None;
        }
        return types.iter().find_map(known);
    }
    if out.contains_key("anyOf") || out.contains_key("type") {
        return None;
    }
    let guessed = if schema.contains_key("properties") {
        "object"
    } else if schema.contains_key("items") {
        "array"
    } else {
        "string"
    };
    Some(schema.get("type").and_then(known).unwrap_or(guessed))
}

/// A type with nothing said about it.
fn bare(kind: &str) -> Value {
    match kind {
        "array" => json!({"type": kind, "items": {"type": "string"}}),
        _ => json!({"type": kind}),
    }
}

fn typed(
    kind: &'static str,
    schema: &Map<String, Value>,
    root: &Value,
    depth: usize,
    out: &mut Map<String, Value>,
) {
    out.insert("type".to_owned(), json!(kind));
    match kind {
        "object" => object(schema, root, depth, out),
        "array" => {
            let items = schema.get("items").filter(|items| items.is_object());
            let items =
                items.map_or_else(|| bare("string"), |items| subset(items, root, depth + 1));
            out.insert("items".to_owned(), items);
        }
        _ => {
            choices(kind, schema, out);
            format(kind, schema, out);
        }
    }
}

fn object(schema: &Map<String, Value>, root: &Value, depth: usize, out: &mut Map<String, Value>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    let kept: Map<String, Value> = properties
        .iter()
        .map(|(name, schema)| (name.clone(), subset(schema, root, depth + 1)))
        .collect();
    let required = schema.get("required").and_then(Value::as_array);
    let mut required: Vec<&Value> = required
        .into_iter()
        .flatten()
        .filter(|name| name.as_str().is_some_and(|name| kept.contains_key(name)))
        .collect();
    let mut seen = Vec::new();
    required.retain(|name| {
        let is_new = !seen.contains(name);
        seen.push(name);
        is_new
    });
    if !required.is_empty() {
        out.insert("required".to_owned(), json!(required));
    }
    if !kept.is_empty() {
        out.insert("properties".to_owned(), Value::Object(kept));
    }
}

/// Only texts can be chosen from; other choices are described.
fn choices(kind: &str, schema: &Map<String, Value>, out: &mut Map<String, Value>) {
    let fixed = schema.get("const").map(|value| json!([value]));
    let Some(values) = schema
        .get("enum")
        .or(fixed.as_ref())
        .and_then(Value::as_array)
    else {
        return;
    };
    if kind == "string" {
        let texts: Vec<&Value> = values
            .iter()
            .filter(|value| value.as_str().is_some_and(|text| !text.is_empty()))
            .collect();
        if !texts.is_empty() {
            out.insert("enum".to_owned(), json!(texts));
        }
        return;
    }
    let listed: Vec<String> = values.iter().map(Value::to_string).collect();
    let said = out
        .get("description")
        .and_then(Value::as_str)
        .map_or_else(String::new, |text| format!("{text} "));
    let described = format!("{said}One of: {}.", listed.join(", "));
    out.insert("description".to_owned(), json!(described));
}

fn format(kind: &str, schema: &Map<String, Value>, out: &mut Map<String, Value>) {
    let known: &[&str] = match kind {
        "string" => &["date-time", "enum"],
        "integer" => &["int32", "int64"],
        "number" => &["float", "double"],
        _ => &[],
    };
    if let Some(format) = schema.get("format").and_then(Value::as_str)
        && known.contains(&format)
    {
        out.insert("format".to_owned(), json!(format));
    }
}

#[cfg(test)]
mod tests;
