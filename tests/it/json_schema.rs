//! Whether a value is as a JSON Schema says: the keywords that the schemas of the program have,
//! and no others, so that nothing in them goes unchecked. And the program's schemas against
//! what it reads and prints.

use plimsoll::config::{self, SettingValue, Settings, all_settings};
use plimsoll::headless::events_schema;
use serde_json::{Map, Value, json};

/// Keywords that say nothing about a value.
const REMARKS: [&str; 7] = [
    "$schema",
    "$defs",
    "title",
    "description",
    "default",
    "deprecated",
    // Read with `properties`.
    "additionalProperties",
];

/// What is wrong with a value, with the place; empty when nothing is.
pub fn complaints(schema: &Value, value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    Checker { root: schema }.check(schema, value, "", &mut out);
    out
}

/// The complaints about a line of `stream-json`, or the object of `json`: those of its event.
pub fn line_complaints(line: &Value) -> Vec<String> {
    let schema = events_schema();
    let events = schema["oneOf"].as_array().unwrap();
    let is_its = |event: &&Value| event["properties"]["type"]["const"] == line["type"];
    let Some(event) = events.iter().find(is_its) else {
        return vec![format!("there is no event {}", line["type"])];
    };
    let mut out = Vec::new();
    Checker { root: &schema }.check(event, line, "", &mut out);
    out
}

struct Checker<'a> {
    root: &'a Value,
}

impl Checker<'_> {
    fn check(&self, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
        let rules = match schema {
            Value::Bool(true) => return,
            Value::Object(rules) => rules,
            _ => return out.push(format!("{at}: nothing is allowed here")),
        };
        for (keyword, rule) in rules {
            if !self.holds(rules, keyword, rule, value, at, out) {
                out.push(format!("{at}: {value} breaks {keyword} {rule}"));
            }
        }
    }

    /// Whether one keyword holds; those about parts complain of the parts.
    fn holds(
        &self,
        rules: &Map<String, Value>,
        keyword: &str,
        rule: &Value,
        value: &Value,
        at: &str,
        out: &mut Vec<String>,
    ) -> bool {
        let number = value.as_f64();
        let limit = rule.as_f64().unwrap_or_default();
        let fits = |schema: &&Value| {
            let mut inner = Vec::new();
            self.check(schema, value, at, &mut inner);
            inner.is_empty()
        };
        match keyword {
            "type" => rule.as_str().is_some_and(|name| is_a(name, value)),
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => number.is_none_or(|it| it >= limit),
            "maximum" => number.is_none_or(|it| it <= limit),
            "exclusiveMinimum" => number.is_none_or(|it| it > limit),
            "minItems" => value.as_array().is_none_or(|it| it.len() as f64 >= limit),
            "pattern" => {
                let pattern = regex::Regex::new(rule.as_str().unwrap()).unwrap();
                value.as_str().is_none_or(|text| pattern.is_match(text))
            }
            "anyOf" => rule.as_array().unwrap().iter().any(|it| fits(&it)),
            "oneOf" => rule.as_array().unwrap().iter().filter(fits).count() == 1,
            "$ref" => {
                let path = rule.as_str().unwrap().trim_start_matches('#');
                self.check(self.root.pointer(path).unwrap(), value, at, out);
                true
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    self.check(rule, item, &format!("{at}/{index}"), out);
                }
                true
            }
            "required" => {
                let mut names = rule.as_array().unwrap().iter().filter_map(Value::as_str);
                let is_there = |name| value.get(name).is_some();
                !value.is_object() || names.all(is_there)
            }
            "properties" => {
                self.check_fields(rules, value, at, out);
                true
            }
            remark if REMARKS.contains(&remark) => {
                if keyword == "additionalProperties" && !rules.contains_key("properties") {
                    self.check_fields(rules, value, at, out);
                }
                true
            }
            unknown => panic!("the checker does not know {unknown}"),
        }
    }

    fn check_fields(
        &self,
        rules: &Map<String, Value>,
        value: &Value,
        at: &str,
        out: &mut Vec<String>,
    ) {
        let known = rules.get("properties");
        let others = rules.get("additionalProperties");
        for (name, field) in value.as_object().into_iter().flatten() {
            let own = known.and_then(|known| known.get(name)).or(others);
            if let Some(schema) = own {
                self.check(schema, field, &format!("{at}/{name}"), out);
            }
        }
    }
}

fn is_a(name: &str, value: &Value) -> bool {
    match name {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => panic!("the checker does not know the type {name}"),
    }
}

/// A TOML text as JSON.
fn from_toml(text: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap()
}

/// A setting at its place in a file.
fn nested(key: &str, value: Value) -> Value {
    let mut parts: Vec<&str> = key.split('.').collect();
    parts.reverse();
    parts
        .into_iter()
        .fold(value, |inner, part| json!({part: inner}))
}

#[test]
fn the_default_file_and_the_presets_are_as_the_schema_says() {
    let schema = config::json_schema();
    let defaults = config::default_toml();
    let documented: Vec<&str> = defaults
        .lines()
        .filter_map(|line| {
            let is_setting = |text: &&str| text.contains(" = ") && !text.contains('{');
            let set = line.strip_prefix("# ").filter(is_setting);
            set.or_else(|| line.starts_with('[').then_some(line))
        })
        .take_while(|line| !line.contains("200000"))
        .collect();
    let documented = documented.join("\n");
    let mut known = 0;
    for line in documented.lines().filter(|line| line.contains(" = ")) {
        known += usize::from(toml::from_str::<toml::Table>(line).is_ok());
    }
    assert!(known > 60, "{documented}");
    assert_eq!(complaints(&schema, &from_toml(&documented)), [""; 0]);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/presets");
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert_eq!(complaints(&schema, &from_toml(&text)), [""; 0], "{text}");
    }
}

#[test]
fn the_schema_takes_the_values_that_the_program_takes_and_no_others() {
    let schema = config::json_schema();
    let values = [
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(2),
        json!(4),
        json!(70),
        json!(700_000),
        json!(2_000_000_000),
        json!(0.0),
        json!(0.5),
        json!(1.5),
        json!(3.5),
        json!(-0.1),
        json!(""),
        json!("x"),
        json!("none"),
        json!("auto"),
        json!("default"),
        json!("off"),
        json!("a/b"),
        json!("a/"),
        json!("/b"),
        json!("a b/c"),
        json!("http://"),
        json!("https://h"),
        json!("ftp://h"),
        json!([]),
        json!(["a"]),
        json!(["a/b", "c/d"]),
        json!([1]),
    ];
    for setting in all_settings() {
        for value in &values {
            let as_setting = setting_value(value);
            let mut settings = Settings::default();
            let written = setting.written(as_setting);
            let is_taken = setting.set(&mut settings, &written).is_ok();
            let said = complaints(&schema, &nested(setting.key, value.clone()));
            assert_eq!(
                said.is_empty(),
                is_taken,
                "{} = {value}: {said:?}",
                setting.key
            );
        }
    }
}

fn setting_value(value: &Value) -> SettingValue {
    match value {
        Value::Bool(is_so) => SettingValue::Bool(*is_so),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => SettingValue::Int(whole),
            None => SettingValue::Float(number.as_f64().unwrap()),
        },
        Value::String(text) => SettingValue::Text(text.clone()),
        Value::Array(items) => SettingValue::List(items.iter().map(setting_value).collect()),
        _ => SettingValue::None,
    }
}

#[test]
fn the_schema_marks_what_the_program_refuses() {
    let schema = config::json_schema();
    for bad in [
        "prune.soft_ration = 0.5",
        "[prune]\nsoft_ratio = 1.5",
        "thinking = \"much\"",
        "[providers.mine]\nbase_ur = \"https://h\"",
        "[providers.mine]\nconnect_secs = 0",
        "[providers.mine]\nextra_body = { model = \"x\" }",
        "[[providers.mine.models]]\nwindow = 5",
        "[models.\"a/b\"]\nwindows = 5",
        "[keys.main]\nsend = 5",
    ] {
        assert!(!complaints(&schema, &from_toml(bad)).is_empty(), "{bad}");
    }
    for good in [
        "prune.softTrimRatio = 0.5",
        "softTrimRatio = 0.5",
        "[keys]\nvi = true\n[keys.main]\nsend = [\"enter\"]\nsuspend = \"none\"",
        "[models.\"a/b\"]\nwindow = 5\nthreshold = 0.5",
        "[providers.mine]\nbase_url = \"https://h\"\nextra_body = { top_k = 4 }\nmodels = [{ id = \"x\", price = { input = 0.0 } }]",
    ] {
        assert_eq!(complaints(&schema, &from_toml(good)), [""; 0], "{good}");
    }
}

#[test]
fn a_line_that_is_not_as_the_schema_says_is_found() {
    let line = json!({"type": "text_delta", "text": "x"});
    assert_eq!(line_complaints(&line), [""; 0]);
    assert_eq!(complaints(&events_schema(), &line), [""; 0]);
    for bad in [
        json!({"type": "text_delta"}),
        json!({"type": "text_delta", "text": 4}),
        json!({"type": "text_delta", "text": "x", "more": 1}),
        json!({"type": "unheard_of"}),
    ] {
        assert!(!line_complaints(&bad).is_empty(), "{bad}");
        assert!(!complaints(&events_schema(), &bad).is_empty(), "{bad}");
    }
}
