//! Checks the arguments that a model wrote for a call. Errors name the argument, what was
//! expected and what came, because the model corrects itself from that text.
//!
//! Numbers and booleans written as strings are accepted; `null` counts as left out.

use serde_json::{Map, Value};

use super::outcome::ToolError;
use crate::transcript::similar_names;

/// Arguments of one call whose names are all known.
pub(super) struct Arguments<'a> {
    tool: &'static str,
    values: &'a Map<String, Value>,
}

impl<'a> Arguments<'a> {
    /// Refuses names that the tool does not have.
    pub(super) fn new(
        tool: &'static str,
        known: &[&str],
        values: &'a Map<String, Value>,
    ) -> Result<Self, ToolError> {
        for name in values.keys() {
            if !known.contains(&name.as_str()) {
                let guess = similar_names(name, known.iter().copied(), 1)
                    .first()
                    .map(|near| format!(" Did you mean `{near}`?"))
                    .unwrap_or_default();
                return Err(ToolError(format!(
                    "{tool} has no argument `{name}`; it takes {}.{guess}",
                    listed(known)
                )));
            }
        }
        Ok(Self { tool, values })
    }

    /// A string that has to be there. It may be empty.
    pub(super) fn text(&self, name: &str) -> Result<&'a str, ToolError> {
        self.optional_text(name)?.ok_or_else(|| {
            ToolError(format!(
                "{} needs the argument `{name}` (a string).",
                self.tool
            ))
        })
    }

    /// A string that may be left out.
    pub(super) fn optional_text(&self, name: &str) -> Result<Option<&'a str>, ToolError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.mismatch(name, "a string", other)),
        }
    }

    /// A whole number within `range`, or `default` when it is left out.
    pub(super) fn count(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<u64>,
        default: u64,
    ) -> Result<u64, ToolError> {
        let Some(value) = self.value(name) else {
            return Ok(default);
        };
        let number = match value {
            Value::Number(number) => number.as_u64().or_else(|| {
                // Some models write 5.0.
                let float = number.as_f64()?;
                (float >= 0.0 && float.fract() == 0.0 && float < 1e15).then_some(float as u64)
            }),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        match number {
            Some(number) if range.contains(&number) => Ok(number),
            _ if *range.end() == u64::MAX => Err(self.mismatch(
                name,
                &format!("a whole number from {}", range.start()),
                value,
            )),
            _ => Err(self.mismatch(
                name,
                &format!("a whole number from {} to {}", range.start(), range.end()),
                value,
            )),
        }
    }

    /// A switch; off when it is left out.
    pub(super) fn flag(&self, name: &str) -> Result<bool, ToolError> {
        match self.value(name) {
            None => Ok(false),
            Some(Value::Bool(on)) => Ok(*on),
            Some(Value::String(text)) if text == "true" => Ok(true),
            Some(Value::String(text)) if text == "false" => Ok(false),
            Some(other) => Err(self.mismatch(name, "true or false", other)),
        }
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        self.values.get(name).filter(|value| !value.is_null())
    }

    fn mismatch(&self, name: &str, expected: &str, found: &Value) -> ToolError {
        let found = match found {
            Value::Null => "null".to_owned(),
            Value::Bool(on) => on.to_string(),
            Value::Number(number) => number.to_string(),
            // Long texts would drown the message.
            Value::String(text) => {
                format!("the string {:?}", text.chars().take(40).collect::<String>())
            }
            Value::Array(_) => "an array".to_owned(),
            Value::Object(_) => "an object".to_owned(),
        };
        ToolError(format!(
            "{}: `{name}` must be {expected}, not {found}.",
            self.tool
        ))
    }
}

fn listed(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::test_scope::object;
    use super::*;

    #[test]
    fn unknown_names_are_refused_with_the_known_ones() {
        let values = object(json!({"paht": "x"}));
        let error = Arguments::new("read", &["path", "offset"], &values).err();
        assert_eq!(
            error.unwrap().0,
            "read has no argument `paht`; it takes `path`, `offset`. Did you mean `path`?"
        );
    }

    #[test]
    fn counts_are_tolerant_of_spelling_but_not_of_range() {
        let check = |value: Value, expected: Result<u64, &str>| {
            let values = object(json!({ "n": value }));
            let arguments = Arguments::new("t", &["n"], &values).unwrap();
            assert_eq!(
                arguments.count("n", 1..=10, 7).map_err(|e| e.0),
                expected.map_err(str::to_owned)
            );
        };
        check(json!(3), Ok(3));
        check(json!("3"), Ok(3));
        check(json!(" 3 "), Ok(3));
        check(json!(3.0), Ok(3));
        check(json!(null), Ok(7));
        check(
            json!(0),
            Err("t: `n` must be a whole number from 1 to 10, not 0."),
        );
        check(
            json!(-1),
            Err("t: `n` must be a whole number from 1 to 10, not -1."),
        );
        check(
            json!(1e300),
            Err("t: `n` must be a whole number from 1 to 10, not 1e+300."),
        );
        check(
            json!("three"),
            Err("t: `n` must be a whole number from 1 to 10, not the string \"three\"."),
        );
        check(
            json!([3]),
            Err("t: `n` must be a whole number from 1 to 10, not an array."),
        );
    }

    #[test]
    fn texts_and_flags() {
        let values = object(json!({"a": "x", "b": 1, "c": "true", "d": true, "e": "maybe"}));
        let arguments = Arguments::new("t", &["a", "b", "c", "d", "e", "f"], &values).unwrap();
        assert_eq!(arguments.text("a"), Ok("x"));
        assert_eq!(
            arguments.text("b").unwrap_err().0,
            "t: `b` must be a string, not 1."
        );
        assert_eq!(
            arguments.text("f").unwrap_err().0,
            "t needs the argument `f` (a string)."
        );
        assert_eq!(arguments.optional_text("f"), Ok(None));
        assert_eq!(arguments.flag("c"), Ok(true));
        assert_eq!(arguments.flag("d"), Ok(true));
        assert_eq!(arguments.flag("f"), Ok(false));
        assert!(arguments.flag("e").is_err());
    }
}
