//! The configuration file as a JSON Schema, for editors: from the table of settings, and from
//! the tables of providers, models, keys and servers beside it.

use serde_json::{Map, Value, json};

use super::file::mcp::mcp_server_schema;
use super::file::provider_schema::{model_schema, provider_schema};
use super::settings::{EventHook, HookEvent, Settings};
use super::table::kind::SettingKind;
use super::table::{Setting, all_settings};
use super::value::SettingValue;

/// The dialect.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of `config.toml`: what an editor needs to complete keys and mark mistakes. The
/// program itself also says which line of a file is wrong, and reads `@FILE`.
pub fn json_schema() -> Value {
    let mut properties = Map::new();
    for setting in all_settings() {
        let schema = of_setting(setting);
        for alias in setting.aliases {
            let same = match alias.convert {
                Some(_) => json!({}),
                None => of_values(setting),
            };
            let of_alias = described(same, &format!("Another name of {}.", setting.key), true);
            let top = setting.key.split('.').next().unwrap_or_default();
            if !names_a_section(alias.name) {
                let inside = format!("{top}.{}", alias.name);
                insert(&mut properties, &inside, of_alias.clone());
            }
            insert(&mut properties, alias.name, of_alias);
        }
        insert(&mut properties, setting.key, schema);
    }
    properties.insert("providers".to_owned(), of_names(&provider_schema()));
    properties.insert("models".to_owned(), of_names(&model_schema()));
    if let Some(hooks) = properties.get_mut("hooks") {
        for event in HookEvent::ALL {
            hooks["properties"][event.name()] = event_hooks_schema();
        }
    }
    if let Some(servers) = properties.get_mut("mcp") {
        servers["additionalProperties"] = mcp_server_schema();
    }
    if let Some(keys) = properties.get_mut("keys") {
        let key = json!({"anyOf": [
            {"type": "string"},
            {"type": "array", "items": {"type": "string"}},
        ]});
        // Places and actions are known to who has the table of keys.
        keys["additionalProperties"] = of_names(&key);
    }
    let mut schema = table(&properties);
    schema["title"] = json!("Configuration of Plimsoll");
    let mut out = Map::new();
    out.insert("$schema".to_owned(), json!(DIALECT));
    if let Value::Object(fields) = schema {
        out.extend(fields);
    }
    Value::Object(out)
}

/// Whether a name begins with a section of the file.
fn names_a_section(name: &str) -> bool {
    let section = name.split_once('.').map(|(section, _)| section);
    let mut keys = all_settings().filter_map(|it| it.key.split_once('.'));
    section.is_some_and(|section| keys.any(|(of_key, _)| of_key == section))
}

/// A table in which these keys are known.
pub(in crate::config) fn table(properties: &Map<String, Value>) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// The commands of one event.
fn event_hooks_schema() -> Value {
    json!({"type": "array", "items": {
        "type": "object",
        "required": ["command"],
        "additionalProperties": false,
        "properties": {
            "matcher": {"type": "string", "description": "Which tools, triggers or kinds, as a \
                regular expression; empty: all."},
            "command": {"type": "string", "description": "Command line for sh -c."},
            "timeout": {"type": "integer", "minimum": 1, "maximum": EventHook::MAX_TIMEOUT_SECS,
                "description": "Seconds that it may take; 60 when not set."},
        },
    }})
}

/// A table whose keys are names of the user's.
fn of_names(schema: &Value) -> Value {
    json!({"type": "object", "additionalProperties": schema})
}

/// Puts a schema at a dotted path; tables on the way are made.
fn insert(properties: &mut Map<String, Value>, path: &str, schema: Value) {
    let Some((first, rest)) = path.split_once('.') else {
        properties.insert(path.to_owned(), schema);
        return;
    };
    let inner = properties
        .entry(first)
        .or_insert_with(|| table(&Map::new()));
    if let Some(Value::Object(properties)) = inner.get_mut("properties") {
        insert(properties, rest, schema);
    }
}

fn of_setting(setting: &Setting) -> Value {
    let mut schema = described(of_values(setting), setting.help, false);
    match to_json(&setting.get(&Settings::default())) {
        Some(default) => schema["default"] = default,
        None => {
            if let Some(unset) = setting.unset {
                let help = format!("{} Left out: {unset}.", setting.help);
                schema["description"] = json!(help);
            }
        }
    }
    schema
}

/// The values of a setting; one that can be left out is unset by `"none"`.
fn of_values(setting: &Setting) -> Value {
    let schema = setting.kind.json_schema();
    match setting.unset {
        Some(_) => json!({"anyOf": [schema, {"const": "none"}]}),
        None => schema,
    }
}

fn described(mut schema: Value, help: &str, is_deprecated: bool) -> Value {
    schema["description"] = json!(help);
    if is_deprecated {
        schema["deprecated"] = json!(true);
    }
    schema
}

fn to_json(value: &SettingValue) -> Option<Value> {
    match value {
        SettingValue::None => None,
        SettingValue::Bool(is_so) => Some(json!(is_so)),
        SettingValue::Int(number) => Some(json!(number)),
        SettingValue::Float(number) => Some(json!(number)),
        SettingValue::Text(text) => Some(json!(text)),
        SettingValue::List(items) => items.iter().map(to_json).collect::<Option<Value>>(),
    }
}

impl SettingKind {
    /// The accepted values as a JSON Schema.
    pub(in crate::config) fn json_schema(self) -> Value {
        match self {
            Self::Bool => json!({"type": "boolean"}),
            Self::Int { min, max, .. } => {
                json!({"type": "integer", "minimum": min, "maximum": max})
            }
            Self::Share => json!({"type": "number", "minimum": 0, "maximum": 1}),
            Self::Factor => json!({"type": "number", "minimum": 1, "maximum": 3}),
            Self::Dollars => json!({"type": "number", "exclusiveMinimum": 0}),
            Self::Text | Self::Prompt => json!({"type": "string"}),
            Self::Url => json!({"type": "string", "pattern": "^https?://."}),
            Self::Choice(names) => json!({"enum": names}),
            Self::Model => json!({"type": "string", "pattern": r"^\s*[^/\s]+/.*\S"}),
            Self::Threshold => json!({"anyOf": [
                {"type": "integer", "minimum": 1},
                {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
            ]}),
            Self::Template => json!({"anyOf": [
                {"enum": super::table::kind::TEMPLATES},
                {"type": "string", "pattern": "^@."},
                {"type": "array", "items": {"type": "string"}, "minItems": 1},
            ]}),
            Self::List(item) => json!({"type": "array", "items": item.json_schema()}),
        }
    }
}
