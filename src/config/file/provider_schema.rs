//! The tables of providers and models as a JSON Schema.

use serde_json::{Map, Value, json};

use super::providers::{
    APIS, CAP, ENCODINGS, IMAGE_TOKENS, PRICE_KEYS, PROMPT_CACHES, PROTOCOLS, SECONDS, TOKENS,
};
use crate::config::schema::table;
use crate::config::table::kind::SettingKind;
use crate::provider::RequestFields;

/// The schema of a `[providers.ID]` table.
pub(in crate::config) fn provider_schema() -> Value {
    let texts = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let models = json!({"type": "array", "items": described_model_schema()});
    let seconds = SECONDS.json_schema();
    let fields = [
        ("protocol", SettingKind::Choice(PROTOCOLS).json_schema()),
        ("api", SettingKind::Choice(APIS).json_schema()),
        ("base_url", SettingKind::Url.json_schema()),
        ("api_key_env", SettingKind::Text.json_schema()),
        ("api_key_cmd", SettingKind::Text.json_schema()),
        ("connect_secs", seconds.clone()),
        ("first_byte_secs", seconds.clone()),
        ("stall_secs", seconds),
        ("gateway", SettingKind::Bool.json_schema()),
        ("headers", texts),
        ("models", models),
    ];
    let fields = fields.into_iter().chain(request_fields_schema());
    table(&fields.map(|(key, it)| (key.to_owned(), it)).collect())
}

/// What is added to the bodies of requests; the program itself says the rest of a body.
fn request_fields_schema() -> [(&'static str, Value); 3] {
    let reserved = RequestFields::RESERVED.iter();
    let refused: Map<String, Value> = reserved
        .map(|name| ((*name).to_owned(), Value::Bool(false)))
        .collect();
    [
        (
            "extra_body",
            json!({"type": "object", "properties": refused}),
        ),
        (
            "temperature",
            json!({"type": "number", "minimum": 0, "maximum": 2}),
        ),
        ("service_tier", SettingKind::Text.json_schema()),
    ]
}

/// The schema of an item of `models` in a provider's table.
fn described_model_schema() -> Value {
    let dollars = json!({"type": "number", "minimum": 0});
    let prices = PRICE_KEYS.iter();
    let prices = prices.map(|key| ((*key).to_owned(), dollars.clone()));
    let (tokens, flag) = (TOKENS.json_schema(), SettingKind::Bool.json_schema());
    let fields = [
        ("id", json!({"type": "string", "pattern": r"\S"})),
        ("window", tokens.clone()),
        ("max_output", tokens.clone()),
        ("input_limit", tokens),
        (
            "prompt_cache",
            SettingKind::Choice(PROMPT_CACHES).json_schema(),
        ),
        ("encoding", SettingKind::Choice(ENCODINGS).json_schema()),
        ("images", flag.clone()),
        (
            "image_tokens",
            SettingKind::Choice(IMAGE_TOKENS).json_schema(),
        ),
        ("pdf", flag.clone()),
        ("tools", flag.clone()),
        ("thinking", flag),
        ("price", table(&prices.collect())),
    ];
    let fields = fields.into_iter().chain(request_fields_schema());
    let mut schema = table(&fields.map(|(key, it)| (key.to_owned(), it)).collect());
    schema["required"] = json!(["id"]);
    schema
}

/// The schema of a `[models."provider/model"]` table.
pub(in crate::config) fn model_schema() -> Value {
    let fields = [
        ("window", TOKENS.json_schema()),
        ("cap", CAP.json_schema()),
        ("threshold", SettingKind::Threshold.json_schema()),
        ("reserved", TOKENS.json_schema()),
    ];
    table(
        &fields
            .into_iter()
            .map(|(key, it)| (key.to_owned(), it))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::providers::{DESCRIBED_MODEL_KEYS, MODEL_KEYS, PROVIDER_KEYS};
    use super::*;

    fn keys(schema: &Value) -> Vec<&str> {
        let properties = schema["properties"].as_object().expect("a table");
        let mut keys: Vec<&str> = properties.keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn the_schema_has_the_keys_that_the_file_takes() {
        let known = [
            (provider_schema(), PROVIDER_KEYS),
            (model_schema(), &MODEL_KEYS),
            (described_model_schema(), DESCRIBED_MODEL_KEYS),
        ];
        for (schema, taken) in known {
            let mut taken = taken.to_vec();
            taken.sort_unstable();
            assert_eq!(keys(&schema), taken);
        }
    }
}
