//! What a server asks the person, as a form: with bounds, and without what a terminal would
//! obey.

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value};
use url::Url;

use super::content::harmless;
use crate::engine::text::one_line;
use crate::tool::{FieldKind, FormAnswer, FormField, MAX_FIELD_CHARS, QuestionForm};

/// Fields of a form; a question with more is declined.
const MAX_FIELDS: usize = 20;
/// Choices of a field.
const MAX_CHOICES: usize = 100;
/// Characters of a message.
const MAX_MESSAGE_CHARS: usize = 2_000;
/// Characters of a title, a help, a choice.
const MAX_WORDS_CHARS: usize = 200;
/// Characters of an address.
const MAX_ADDRESS_CHARS: usize = 2_000;

/// The form of a question. An error is a clause: nobody is asked such a thing.
pub(super) fn form(server: &str, asked: ElicitRequestParams) -> Result<QuestionForm, String> {
    match asked {
        ElicitRequestParams::FormElicitationParams {
            message,
            requested_schema,
            ..
        } => {
            let schema = serde_json::to_value(requested_schema).unwrap_or_default();
            Ok(QuestionForm {
                asker: server.to_owned(),
                message: words(&message, MAX_MESSAGE_CHARS),
                fields: fields(&schema)?,
                address: None,
            })
        }
        ElicitRequestParams::UrlElicitationParams { message, url, .. } => Ok(QuestionForm {
            asker: server.to_owned(),
            message: words(&message, MAX_MESSAGE_CHARS),
            fields: Vec::new(),
            address: Some(address(&url)?),
        }),
        _ => Err("it asks in a way that is not known".to_owned()),
    }
}

/// The answer for the server.
pub(super) fn result(answer: FormAnswer) -> ElicitResult {
    match answer {
        FormAnswer::Accept(content) if content.is_empty() => {
            ElicitResult::new(ElicitationAction::Accept)
        }
        FormAnswer::Accept(content) => {
            ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(content))
        }
        FormAnswer::Decline => ElicitResult::new(ElicitationAction::Decline),
        FormAnswer::Cancel => ElicitResult::new(ElicitationAction::Cancel),
    }
}

/// An address as a browser reads it: what is shown is what is opened.
fn address(url: &str) -> Result<String, String> {
    let is_plain = url.chars().all(|c| c.is_ascii_graphic()) && url.len() <= MAX_ADDRESS_CHARS;
    let read = Url::parse(url).ok().filter(|_| is_plain);
    let read = read.filter(|url| matches!(url.scheme(), "http" | "https"));
    let read = read.filter(|url| url.host_str().is_some_and(|host| !host.is_empty()));
    read.map(String::from)
        .ok_or_else(|| "its address is not http or https".to_owned())
}

fn fields(schema: &Value) -> Result<Vec<FormField>, String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let properties = properties.cloned().unwrap_or_default();
    if properties.len() > MAX_FIELDS {
        return Err(format!("it asks for more than {MAX_FIELDS} things at once"));
    }
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| {
        let mut required = required.into_iter().flatten();
        required.any(|it| it.as_str() == Some(name))
    };
    let fields = properties
        .iter()
        .map(|(name, schema)| field(name, schema, is_required(name)));
    fields.collect()
}

fn field(name: &str, schema: &Value, is_required: bool) -> Result<FormField, String> {
    let said = |key: &str| {
        let text = schema.get(key).and_then(Value::as_str);
        words(text.unwrap_or_default(), MAX_WORDS_CHARS)
    };
    let title = match said("title") {
        title if title.is_empty() => words(name, MAX_WORDS_CHARS),
        title => title,
    };
    let default = match schema.get("default") {
        Some(Value::String(text)) => words(text, MAX_WORDS_CHARS),
        Some(Value::Bool(true)) => "yes".to_owned(),
        Some(Value::Bool(false)) => "no".to_owned(),
        Some(Value::Array(values)) => {
            let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            words(&texts.join(", "), MAX_WORDS_CHARS)
        }
        Some(value @ Value::Number(_)) => value.to_string(),
        _ => String::new(),
    };
    Ok(FormField {
        name: name.to_owned(),
        title,
        help: said("description"),
        kind: kind(schema)?,
        is_required,
        default,
    })
}

fn kind(schema: &Value) -> Result<FieldKind, String> {
    let limit = |key: &str| schema.get(key).and_then(Value::as_f64);
    let length = |key: &str| {
        let length = schema.get(key).and_then(Value::as_u64);
        length.and_then(|length| usize::try_from(length).ok())
    };
    if let Some(choices) = choices(schema)? {
        return Ok(FieldKind::Choice(choices));
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => Ok(FieldKind::Flag),
        Some(number @ ("number" | "integer")) => Ok(FieldKind::Number {
            is_whole: number == "integer",
            min: limit("minimum"),
            max: limit("maximum"),
        }),
        Some("array") => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            let choices = choices(items)?;
            choices
                .map(FieldKind::Choices)
                .ok_or_else(|| "it asks for a list of anything".to_owned())
        }
        _ => {
            let format = schema.get("format").and_then(Value::as_str);
            Ok(FieldKind::Text {
                min_chars: length("minLength").unwrap_or(0),
                max_chars: length("maxLength")
                    .map_or(MAX_FIELD_CHARS, |it| it.min(MAX_FIELD_CHARS)),
                format: format.map(|format| words(format, 20)),
            })
        }
    }
}

/// The choices of a schema: plain, with names beside them, or with titles.
fn choices(schema: &Value) -> Result<Option<Vec<(String, String)>>, String> {
    let list = |key: &str| schema.get(key).and_then(Value::as_array);
    let pairs: Vec<(String, String)> = if let Some(values) = list("enum") {
        let names: Vec<&str> = list("enumNames")
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let values = values.iter().filter_map(Value::as_str).enumerate();
        values
            .map(|(at, value)| (value, names.get(at).copied().unwrap_or(value)))
            .map(|(value, name)| (value.to_owned(), words(name, MAX_WORDS_CHARS)))
            .collect()
    } else if let Some(titled) = list("oneOf").or_else(|| list("anyOf")) {
        let pair = |choice: &Map<String, Value>| {
            let value = choice.get("const")?.as_str()?;
            let title = choice.get("title").and_then(Value::as_str).unwrap_or(value);
            Some((value.to_owned(), words(title, MAX_WORDS_CHARS)))
        };
        let objects = titled.iter().filter_map(Value::as_object);
        objects.filter_map(pair).collect()
    } else {
        return Ok(None);
    };
    match pairs.len() {
        0 => Err("it asks for a choice of nothing".to_owned()),
        1..=MAX_CHOICES => Ok(Some(pairs)),
        _ => Err(format!("it asks for a choice of more than {MAX_CHOICES}")),
    }
}

fn words(text: &str, chars: usize) -> String {
    one_line(&harmless(text), chars)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(value: Value) -> Result<QuestionForm, String> {
        form("files", serde_json::from_value(value).unwrap())
    }

    #[test]
    fn a_question_becomes_a_form_without_what_a_terminal_obeys() {
        let form = asked(json!({
            "message": "Who\u{1b}[2J are you?\u{7}",
            "requestedSchema": {"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string", "title": "Name\u{1b}]0;x\u{7}", "minLength": 1},
                "age": {"type": "integer", "minimum": 0, "description": "in years"},
                "member": {"type": "boolean", "default": true},
                "colour": {"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]},
            }},
        }))
        .unwrap();
        assert_eq!(
            (form.asker.as_str(), form.message.as_str()),
            ("files", "Who are you?")
        );
        let names: Vec<&str> = form.fields.iter().map(|it| it.title.as_str()).collect();
        assert_eq!(names, ["Name", "age", "member", "colour"]);
        let [name, age, member, colour] = &form.fields[..] else {
            panic!("{:?}", form.fields)
        };
        assert!(name.is_required && !age.is_required);
        assert_eq!(
            (age.help.as_str(), member.default.as_str()),
            ("in years", "yes")
        );
        assert_eq!(colour.value_of("green"), Ok(Some(json!("g"))));
    }

    #[test]
    fn what_nobody_can_answer_is_not_asked() {
        let many: Map<String, Value> = (0..500)
            .map(|n| (format!("f{n}"), json!({"type": "string"})))
            .collect();
        let schema = json!({"type": "object", "properties": many});
        let error = asked(json!({"message": "m", "requestedSchema": schema})).unwrap_err();
        assert!(error.contains("more than 20"), "{error}");
        for url in [
            "file:///etc/passwd",
            "https://a\u{1b}[2J",
            "javascript:x",
            "https://a b",
        ] {
            let question = json!({"mode": "url", "message": "m", "url": url});
            assert!(asked(question).is_err(), "{url}");
        }
        let question = json!({"mode": "url", "message": "m", "url": "https://a.example/x?y=1"});
        let form = asked(question).unwrap();
        assert_eq!(form.address.as_deref(), Some("https://a.example/x?y=1"));
        let question =
            json!({"mode": "url", "message": "m", "url": "HTTP://A.example\\@b.example"});
        let form = asked(question).unwrap();
        assert_eq!(form.address.as_deref(), Some("http://a.example/@b.example"));
    }
}
