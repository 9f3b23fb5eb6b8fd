use super::*;

fn check(schema: &Value, expected: &Value) {
    let wrapped = json!({"type": "object", "properties": {"x": schema}});
    assert_eq!(&parameters(&wrapped).unwrap()["properties"]["x"], expected);
}

#[test]
fn what_gemini_does_not_know_is_dropped() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "additionalProperties": false,
        "required": ["path", "path", "gone"],
        "properties": {
            "path": {"type": "string", "description": "Where.", "format": "uri", "default": "."},
            "limit": {"type": "integer", "minimum": 1, "exclusiveMaximum": 9, "format": "int64"},
        },
    });
    assert_eq!(
        parameters(&schema),
        Some(json!({
            "type": "object",
            "required": ["path"],
            "properties": {
                "path": {"description": "Where.", "type": "string"},
                "limit": {"minimum": 1, "type": "integer", "format": "int64"},
            },
        }))
    );
    assert_eq!(parameters(&json!({"type": "object"})), None);
    assert_eq!(
        parameters(&json!({"type": "object", "properties": {}})),
        None
    );
    assert_eq!(parameters(&json!(true)), None);
}

#[test]
fn alternatives_and_nulls() {
    let string = json!({"type": "string"});
    check(
        &json!({"type": ["string", "null"]}),
        &json!({"nullable": true, "type": "string"}),
    );
    check(
        &json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
        &json!({"nullable": true, "type": "string"}),
    );
    check(
        &json!({"oneOf": [{"type": "string"}, {"type": "integer", "$comment": "n"}], "description": "d"}),
        &json!({"description": "d", "anyOf": [{"type": "string"}, {"type": "integer"}]}),
    );
    check(
        &json!({"type": ["string", "array"]}),
        &json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
    );
    check(&json!({}), &string);
    check(&json!({"type": "null"}), &string);
    check(
        &json!({"type": "array"}),
        &json!({"type": "array", "items": string}),
    );
}

#[test]
fn choices() {
    check(
        &json!({"type": "string", "enum": ["a", "", "b", 3]}),
        &json!({"type": "string", "enum": ["a", "b"]}),
    );
    check(
        &json!({"const": "a"}),
        &json!({"type": "string", "enum": ["a"]}),
    );
    check(
        &json!({"type": "integer", "enum": [1, 2], "description": "How many."}),
        &json!({"description": "How many. One of: 1, 2.", "type": "integer"}),
    );
}

#[test]
fn references_are_followed_and_circles_end() {
    let schema = json!({
        "$defs": {
            "name": {"type": "string", "maxLength": 9},
            "node": {"type": "object", "properties": {
                "name": {"$ref": "#/$defs/name"},
                "next": {"$ref": "#/$defs/node"},
            }},
        },
        "type": "object",
        "properties": {"node": {"allOf": [{"$ref": "#/$defs/node"}, {"required": ["name"]}]}},
    });
    let node = &parameters(&schema).unwrap()["properties"]["node"];
    assert_eq!(node["type"], "object");
    assert_eq!(node["required"], json!(["name"]));
    let name = json!({"maxLength": 9, "type": "string"});
    assert_eq!(node["properties"]["name"], name);
    assert_eq!(node["properties"]["next"]["properties"]["name"], name);
    let text = node.to_string();
    assert!(!text.contains("$ref") && !text.contains("allOf") && text.len() < 4_000);
    let itself = json!({"$ref": "#"});
    assert_eq!(parameters(&itself), None);
}
