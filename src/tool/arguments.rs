//! The arguments of a tool as a table. The schema that a model is sent and the checks of a
//! call are both made from its rows, so that each name is written once.
//!
//! Errors name the argument, what was expected and what came, because the model corrects
//! itself from that text. Numbers and booleans written as strings are accepted; `null` counts
//! as left out. This leniency, these texts and the bytes of the schemas, which prompt caches
//! hold, are why the rows are no types with derived schemas.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use super::outcome::ToolError;
use crate::transcript::similar_names;

/// Describes the file that most tools take.
pub(super) const FILE_DESCRIPTION: &str = "File, relative to the working directory or absolute.";

/// A row of the table.
pub(super) trait ArgumentRow: Sync {
    /// Its name in calls.
    fn name(&self) -> &'static str;

    /// Whether every call needs it.
    fn is_required(&self) -> bool {
        false
    }

    /// The accepted values, as JSON Schema.
    fn schema(&self) -> Value;
}

/// A row that is a name and a description, and what both have in the schema.
macro_rules! plain_row {
    ($(#[$doc:meta])* $row:ident, $type:literal, required $required:literal) => {
        $(#[$doc])*
        pub(super) struct $row {
            name: &'static str,
            description: &'static str,
        }

        impl $row {
            pub(super) const fn new(name: &'static str, description: &'static str) -> Self {
                Self { name, description }
            }
        }

        impl ArgumentRow for $row {
            fn name(&self) -> &'static str {
                self.name
            }

            fn is_required(&self) -> bool {
                $required
            }

            fn schema(&self) -> Value {
                json!({"type": $type, "description": self.description})
            }
        }
    };
}

plain_row!(
    /// A string that has to be there. It may be empty.
    RequiredText, "string", required true
);
plain_row!(
    /// A string that may be left out.
    OptionalText, "string", required false
);
plain_row!(
    /// A switch; off when it is left out.
    FlagArgument, "boolean", required false
);

/// A whole number that may be left out.
pub(super) struct CountArgument {
    pub(super) name: &'static str,
    pub(super) description: Cow<'static, str>,
    /// The range of values; up to `u64::MAX` is without a limit.
    pub(super) range: RangeInclusive<u64>,
    /// Counts when it is left out. Below the range, it may also be written.
    pub(super) default: u64,
}

/// A list of objects that has to be there.
pub(super) struct ObjectList {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// The rows of each object.
    pub(super) item: &'static [&'static dyn ArgumentRow],
}

/// One of a few strings, which has to be there.
pub(super) struct RequiredChoice {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) choices: fn() -> Vec<&'static str>,
}

impl CountArgument {
    /// A number whose description is fixed.
    pub(super) const fn new(
        name: &'static str,
        range: RangeInclusive<u64>,
        default: u64,
        description: &'static str,
    ) -> Self {
        Self {
            name,
            description: Cow::Borrowed(description),
            range,
            default,
        }
    }
}

impl ArgumentRow for CountArgument {
    fn name(&self) -> &'static str {
        self.name
    }

    fn schema(&self) -> Value {
        let mut schema = json!({"type": "integer", "minimum": self.range.start()});
        if *self.range.end() < u64::MAX {
            schema["maximum"] = json!(self.range.end());
        }
        schema["description"] = json!(self.description);
        schema
    }
}

impl ArgumentRow for ObjectList {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_required(&self) -> bool {
        true
    }

    fn schema(&self) -> Value {
        json!({
            "type": "array",
            "description": self.description,
            "items": object_schema(self.item),
        })
    }
}

impl ArgumentRow for RequiredChoice {
    fn name(&self) -> &'static str {
        self.name
    }

    fn is_required(&self) -> bool {
        true
    }

    fn schema(&self) -> Value {
        let choices = (self.choices)();
        json!({"type": "string", "enum": choices, "description": self.description})
    }
}

/// The JSON Schema of an object that has these fields and no others.
pub(super) fn object_schema(table: &[&dyn ArgumentRow]) -> Value {
    let properties: Map<String, Value> = table
        .iter()
        .map(|row| (row.name().to_owned(), row.schema()))
        .collect();
    let required = table.iter().filter(|row| row.is_required());
    let required: Vec<&str> = required.map(|row| row.name()).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Arguments of one call whose names are all known.
pub(super) struct CallArguments<'a> {
    tool: &'static str,
    values: &'a Map<String, Value>,
}

impl<'a> CallArguments<'a> {
    /// Refuses names that are not in the tool's table.
    pub(super) fn new(
        tool: &'static str,
        table: &[&dyn ArgumentRow],
        values: &'a Map<String, Value>,
    ) -> Result<Self, ToolError> {
        let known: Vec<&str> = table.iter().map(|row| row.name()).collect();
        for name in values.keys() {
            if !known.contains(&name.as_str()) {
                let guess = similar_names(name, known.iter().copied(), 1)
                    .first()
                    .map(|near| format!(" Did you mean `{near}`?"))
                    .unwrap_or_default();
                return Err(ToolError(format!(
                    "{tool} has no argument `{name}`; it takes {}.{guess}",
                    listed(&known)
                )));
            }
        }
        Ok(Self { tool, values })
    }

    /// The string of a call.
    pub(super) fn text(&self, row: &RequiredText) -> Result<&'a str, ToolError> {
        self.string(row.name)?.ok_or_else(|| {
            let (tool, name) = (self.tool, row.name);
            ToolError(format!("{tool} needs the argument `{name}` (a string)."))
        })
    }

    /// The string of a call; `None` when it is left out.
    pub(super) fn optional_text(&self, row: &OptionalText) -> Result<Option<&'a str>, ToolError> {
        self.string(row.name)
    }

    fn string(&self, name: &str) -> Result<Option<&'a str>, ToolError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.mismatch(name, "a string", other)),
        }
    }

    /// The number of a call, or the default.
    pub(super) fn count(&self, row: &CountArgument) -> Result<u64, ToolError> {
        let Some(value) = self.value(row.name) else {
            return Ok(row.default);
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
        let (min, max) = (row.default.min(*row.range.start()), *row.range.end());
        number
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| {
                let expected = if max == u64::MAX {
                    format!("a whole number from {min}")
                } else {
                    format!("a whole number from {min} to {max}")
                };
                self.mismatch(row.name, &expected, value)
            })
    }

    /// Whether a switch is on.
    pub(super) fn flag(&self, row: &FlagArgument) -> Result<bool, ToolError> {
        match self.value(row.name) {
            None => Ok(false),
            Some(Value::Bool(on)) => Ok(*on),
            Some(Value::String(text)) if text == "true" => Ok(true),
            Some(Value::String(text)) if text == "false" => Ok(false),
            Some(other) => Err(self.mismatch(row.name, "true or false", other)),
        }
    }

    pub(super) fn list(&self, row: &ObjectList) -> Result<&'a [Value], ToolError> {
        let list = self.value(row.name).and_then(Value::as_array);
        list.map(Vec::as_slice).ok_or_else(|| {
            let (tool, name) = (self.tool, row.name);
            ToolError(format!("{tool} needs the argument `{name}` (a list)."))
        })
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
    use super::super::test_scope::object;
    use super::*;

    const PATH: RequiredText = RequiredText::new("path", "File.");

    #[test]
    fn unknown_names_are_refused_with_the_known_ones() {
        let offset = CountArgument::new("offset", 1..=u64::MAX, 1, "");
        let values = object(json!({"paht": "x"}));
        let error = CallArguments::new("read", &[&PATH, &offset], &values).err();
        assert_eq!(
            error.unwrap().0,
            "read has no argument `paht`; it takes `path`, `offset`. Did you mean `path`?"
        );
    }
    #[test]
    fn counts_are_tolerant_of_spelling_but_not_of_range() {
        let check = |value: Value, expected: Result<u64, &str>| {
            let values = object(json!({ "n": value }));
            let row = CountArgument::new("n", 1..=10, 7, "");
            let arguments = CallArguments::new("t", &[&row], &values).unwrap();
            assert_eq!(
                arguments.count(&row).map_err(|e| e.0),
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
    fn a_default_below_the_smallest_number_may_be_written() {
        let row = CountArgument::new("n", 1..=u64::MAX, 0, "");
        let count = |value: Value| {
            let values = object(json!({ "n": value }));
            let arguments = CallArguments::new("t", &[&row], &values).unwrap();
            arguments.count(&row).map_err(|error| error.0)
        };
        assert_eq!(count(json!(0)), Ok(0));
        assert_eq!(
            count(json!("x")).unwrap_err(),
            "t: `n` must be a whole number from 0, not the string \"x\"."
        );
        assert_eq!(row.schema()["minimum"], 1);
    }

    #[test]
    fn texts_and_flags() {
        let values = object(json!({"a": "x", "b": 1, "c": "true", "d": true, "e": "maybe"}));
        let text = |name: &'static str| RequiredText::new(name, "");
        let flag = |name: &'static str| FlagArgument::new(name, "");
        let optional = OptionalText::new("f", "");
        let (good, bad, missing) = (text("a"), text("b"), text("f"));
        let (written, on, odd) = (flag("c"), flag("d"), flag("e"));
        let table: [&dyn ArgumentRow; 6] = [&good, &bad, &written, &on, &odd, &optional];
        let arguments = CallArguments::new("t", &table, &values).unwrap();
        assert_eq!(arguments.text(&good), Ok("x"));
        assert_eq!(
            arguments.text(&bad).unwrap_err().0,
            "t: `b` must be a string, not 1."
        );
        assert_eq!(
            arguments.text(&missing).unwrap_err().0,
            "t needs the argument `f` (a string)."
        );
        assert_eq!(arguments.optional_text(&optional), Ok(None));
        assert_eq!(arguments.flag(&written), Ok(true));
        assert_eq!(arguments.flag(&on), Ok(true));
        assert_eq!(arguments.flag(&flag("f")), Ok(false));
        assert!(arguments.flag(&odd).is_err());
    }

    #[test]
    fn a_schema_has_the_rows_in_order_and_names_those_that_are_required() {
        static STATE: RequiredChoice = RequiredChoice {
            name: "state",
            description: "How far.",
            choices: || vec!["open", "done"],
        };
        static LIST: ObjectList = ObjectList {
            name: "steps",
            description: "All.",
            item: &[&STATE],
        };
        let flag = FlagArgument::new("all", "Every one.");
        assert_eq!(
            object_schema(&[&PATH, &flag, &LIST]).to_string(),
            concat!(
                r#"{"type":"object","properties":{"path":{"type":"string","description":"File."},"#,
                r#""all":{"type":"boolean","description":"Every one."},"#,
                r#""steps":{"type":"array","description":"All.","items":{"type":"object","#,
                r#""properties":{"state":{"type":"string","enum":["open","done"],"#,
                r#""description":"How far."}},"required":["state"],"additionalProperties":false}}},"#,
                r#""required":["path","steps"],"additionalProperties":false}"#
            )
        );
    }
}
