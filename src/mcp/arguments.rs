//! Whether arguments fit a schema, as far as a mistake can be named in one sentence: names,
//! types, choices. What else a schema says is left to the server, which checks it itself.

use serde_json::{Map, Value};

/// Levels that are looked at.
const MAX_DEPTH: usize = 8;
/// Names that a message lists.
const MAX_NAMED: usize = 20;

/// What is wrong with the arguments, as a clause.
pub(super) fn fault(arguments: &Map<String, Value>, schema: &Value) -> Option<String> {
    let schema = schema.as_object()?;
    object_fault("", arguments, schema, MAX_DEPTH)
}

fn object_fault(
    path: &str,
    fields: &Map<String, Value>,
    schema: &Map<String, Value>,
    depth: usize,
) -> Option<String> {
    let required = schema.get("required").and_then(Value::as_array);
    let mut required = required.into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.find(|name| !fields.contains_key(*name)) {
        return Some(format!("`{path}{missing}` is missing"));
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, value) in fields {
        let known = properties.and_then(|it| it.get(name));
        let Some(known) = known else {
            if schema.get("additionalProperties") == Some(&Value::Bool(false))
                && !schema.contains_key("patternProperties")
            {
                let names = properties.into_iter().flat_map(Map::keys).take(MAX_NAMED);
                let names: Vec<&str> = names.map(String::as_str).collect();
                return Some(format!(
                    "`{path}{name}` is no argument; there are: {}",
                    names.join(", ")
                ));
            }
            continue;
        };
        let at = format!("{path}{name}");
        if let Some(fault) = value_fault(&at, value, known, depth) {
            return Some(fault);
        }
    }
    None
}

fn value_fault(path: &str, value: &Value, schema: &Value, depth: usize) -> Option<String> {
    let schema = schema.as_object().filter(|_| depth > 0)?;
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_of(value, name)) {
        let (is, wanted) = (type_of(value), types.join(" or "));
        return Some(format!("`{path}` is {is}; expected {wanted}"));
    }
    let choices = schema.get("enum").and_then(Value::as_array);
    if let Some(choices) = choices.filter(|choices| !choices.contains(value)) {
        let named: Vec<String> = choices
            .iter()
            .take(MAX_NAMED)
            .map(Value::to_string)
            .collect();
        return Some(format!("`{path}` is not in {}", named.join(", ")));
    }
    match value {
        Value::Object(fields) => object_fault(&format!("{path}."), fields, schema, depth - 1),
        Value::Array(items) => {
            let of_items = schema.get("items")?;
            let mut faults = items.iter().enumerate();
            faults.find_map(|(at, item)| {
                value_fault(&format!("{path}[{at}]"), item, of_items, depth - 1)
            })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// Whether a value is of a type; an unknown type takes anything.
fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => {
            let is_whole = |it: f64| it.fract() == 0.0;
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(is_whole)
        }
        _ => true,
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_mistake_is_named() {
        let schema = json!({
            "type": "object",
            "required": ["title"],
            "additionalProperties": false,
            "properties": {
                "title": {"type": "string"},
                "count": {"type": ["integer", "null"]},
                "state": {"enum": ["open", "closed"]},
                "labels": {"type": "array", "items": {"type": "string"}},
                "owner": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "number"}}},
            },
        });
        for (arguments, expected) in [
            (json!({"title": "x"}), None),
            (
                json!({"title": "x", "count": 3.0, "labels": ["a"], "owner": {"id": 1, "b": 2}}),
                None,
            ),
            (json!({"count": 3}), Some("`title` is missing")),
            (
                json!({"title": 7}),
                Some("`title` is a number; expected string"),
            ),
            (
                json!({"title": "x", "count": 1.5}),
                Some("`count` is a number; expected integer or null"),
            ),
            (
                json!({"title": "x", "state": "new"}),
                Some("`state` is not in \"open\", \"closed\""),
            ),
            (
                json!({"title": "x", "labels": ["a", 1]}),
                Some("`labels[1]` is a number; expected string"),
            ),
            (
                json!({"title": "x", "owner": {}}),
                Some("`owner.id` is missing"),
            ),
            (
                json!({"title": "x", "titel": "y"}),
                Some("`titel` is no argument; there are: title, count, state, labels, owner"),
            ),
        ] {
            let found = fault(arguments.as_object().unwrap(), &schema);
            assert_eq!(found.as_deref(), expected, "{arguments}");
        }
        let anything = json!({"a": [1, {"b": null}]});
        assert_eq!(fault(anything.as_object().unwrap(), &json!(true)), None);
    }
}
