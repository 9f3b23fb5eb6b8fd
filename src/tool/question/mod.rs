//! What a tool asks the person while it runs: a form of plain fields, or an address to visit.

use serde_json::{Map, Value, json};
use tokio::sync::oneshot;

/// A question with the way back for its answer.
#[derive(Debug)]
pub struct ToolQuestion {
    /// What is asked.
    pub form: QuestionForm,
    /// Takes the answer. Dropped: the question is not asked any more, which is a cancellation.
    pub answer: oneshot::Sender<FormAnswer>,
}

/// What is asked. Its texts are another program's, without what a terminal would obey.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuestionForm {
    /// Who asks.
    pub asker: String,
    /// What it says.
    pub message: String,
    /// What is to be filled in.
    pub fields: Vec<FormField>,
    /// An address that the person is to visit instead.
    pub address: Option<String>,
}

/// A field of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct FormField {
    /// Its name in the answer.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is for; may be empty.
    pub help: String,
    /// What it holds.
    pub kind: FieldKind,
    /// It has to be filled in.
    pub is_required: bool,
    /// What it holds at first; may be empty.
    pub default: String,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// A text.
    Text {
        /// Characters at least.
        min_chars: usize,
        /// Characters at most.
        max_chars: usize,
        /// `email`, `uri`, `date` or `date-time`.
        format: Option<String>,
    },
    /// A number.
    Number {
        /// A whole one.
        is_whole: bool,
        /// At least.
        min: Option<f64>,
        /// At most.
        max: Option<f64>,
    },
    /// Yes or no.
    Flag,
    /// One of several: value and what is shown for it.
    Choice(Vec<(String, String)>),
    /// Any of several: value and what is shown for it.
    Choices(Vec<(String, String)>),
}

/// The answer to a form.
#[derive(Clone, Debug, PartialEq)]
pub enum FormAnswer {
    /// The fields, filled in.
    Accept(Map<String, Value>),
    /// No; the tool may go on without it.
    Decline,
    /// No, and the tool shall not go on.
    Cancel,
}

/// Characters of a text that nothing else limits.
pub const MAX_FIELD_CHARS: usize = 10_000;

impl FormField {
    /// The value for a text that was filled in; `None` for a field that is left out. An error
    /// is a clause.
    pub fn value_of(&self, text: &str) -> Result<Option<Value>, String> {
        let text = text.trim();
        if text.is_empty() {
            return if self.is_required {
                Err(format!("{} is missing", self.title))
            } else {
                Ok(None)
            };
        }
        self.read(text).map(Some)
    }

    fn read(&self, text: &str) -> Result<Value, String> {
        let title = &self.title;
        match &self.kind {
            FieldKind::Text {
                min_chars,
                max_chars,
                format,
            } => {
                let chars = text.chars().count();
                if chars < *min_chars || chars > *max_chars {
                    return Err(format!(
                        "{title} takes {min_chars} to {max_chars} characters, not {chars}"
                    ));
                }
                match format.as_deref() {
                    Some(format) if !fits(format, text) => Err(format!("{title} is no {format}")),
                    _ => Ok(json!(text)),
                }
            }
            FieldKind::Number { is_whole, min, max } => number(title, text, *is_whole, *min, *max),
            FieldKind::Flag => match text.to_lowercase().as_str() {
                "yes" | "y" | "true" => Ok(json!(true)),
                "no" | "n" | "false" => Ok(json!(false)),
                _ => Err(format!("{title} is yes or no")),
            },
            FieldKind::Choice(choices) => Ok(json!(chosen(title, text, choices)?)),
            FieldKind::Choices(choices) => {
                let parts = text
                    .split(',')
                    .map(str::trim)
                    .filter(|part| !part.is_empty());
                let values = parts.map(|part| chosen(title, part, choices));
                Ok(json!(values.collect::<Result<Vec<_>, _>>()?))
            }
        }
    }

    /// What it takes, in a few words.
    pub fn takes(&self) -> String {
        match &self.kind {
            FieldKind::Text { format, .. } => format.clone().unwrap_or_else(|| "text".to_owned()),
            FieldKind::Number { is_whole: true, .. } => "whole number".to_owned(),
            FieldKind::Number { .. } => "number".to_owned(),
            FieldKind::Flag => "yes or no".to_owned(),
            FieldKind::Choice(choices) => {
                let names: Vec<&str> = choices.iter().map(|it| it.1.as_str()).collect();
                names.join(" | ")
            }
            FieldKind::Choices(choices) => {
                let names: Vec<&str> = choices.iter().map(|it| it.1.as_str()).collect();
                format!("any of {}, with commas", names.join(", "))
            }
        }
    }
}

fn number(
    title: &str,
    text: &str,
    is_whole: bool,
    min: Option<f64>,
    max: Option<f64>,
) -> Result<Value, String> {
    let value = if is_whole {
        text.parse::<i64>().ok().map(|it| (json!(it), it as f64))
    } else {
        let number = text.parse::<f64>().ok().filter(|it| it.is_finite());
        number.map(|it| (json!(it), it))
    };
    let what = if is_whole { "whole number" } else { "number" };
    let (value, number) = value.ok_or_else(|| format!("{title} is no {what}"))?;
    if min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max) {
        let from = min.map_or_else(String::new, |min| format!(" from {min}"));
        let to = max.map_or_else(String::new, |max| format!(" to {max}"));
        return Err(format!("{title} is a number{from}{to}"));
    }
    Ok(value)
}

/// The value that a text names, itself or by what is shown for it.
fn chosen(title: &str, text: &str, choices: &[(String, String)]) -> Result<String, String> {
    let mut choices = choices.iter();
    let found = choices.find(|(value, shown)| value == text || shown.eq_ignore_ascii_case(text));
    let found = found.map(|(value, _)| value.clone());
    found.ok_or_else(|| format!("{title} has no choice {text:?}"))
}

/// Whether a text has the shape that a format names; what it names may not exist.
fn fits(format: &str, text: &str) -> bool {
    let digits = |text: &str, count: usize| {
        text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_date = |text: &str| {
        let parts: Vec<&str> = text.split('-').collect();
        matches!(parts[..], [year, month, day]
            if digits(year, 4) && digits(month, 2) && digits(day, 2))
    };
    match format {
        "email" => text.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && host.contains('.') && !text.contains(char::is_whitespace)
        }),
        "uri" => text
            .split_once(':')
            .is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty()),
        "date" => is_date(text),
        "date-time" => text
            .split_once('T')
            .is_some_and(|(date, time)| is_date(date) && time.contains(':')),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(kind: FieldKind) -> FormField {
        FormField {
            name: "f".to_owned(),
            title: "F".to_owned(),
            help: String::new(),
            kind,
            is_required: false,
            default: String::new(),
        }
    }

    fn text(format: Option<&str>) -> FieldKind {
        FieldKind::Text {
            min_chars: 2,
            max_chars: 20,
            format: format.map(str::to_owned),
        }
    }

    #[test]
    fn what_is_filled_in_is_held_to_the_field() {
        let choices = || {
            let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
            vec![pair("r", "Red"), pair("g", "Green")]
        };
        let whole = FieldKind::Number {
            is_whole: true,
            min: Some(1.0),
            max: Some(9.0),
        };
        let any = FieldKind::Number {
            is_whole: false,
            min: None,
            max: None,
        };
        for (kind, given, expected) in [
            (text(None), " ab ", Ok(json!("ab"))),
            (text(None), "a", Err("F takes 2 to 20 characters, not 1")),
            (text(Some("email")), "a@b.c", Ok(json!("a@b.c"))),
            (text(Some("email")), "nobody", Err("F is no email")),
            (text(Some("date")), "2026-01-31", Ok(json!("2026-01-31"))),
            (text(Some("date")), "tomorrow", Err("F is no date")),
            (text(Some("uri")), "https:", Err("F is no uri")),
            (whole.clone(), "7", Ok(json!(7))),
            (whole.clone(), "7.5", Err("F is no whole number")),
            (whole, "10", Err("F is a number from 1 to 9")),
            (any.clone(), "-1.5", Ok(json!(-1.5))),
            (any, "inf", Err("F is no number")),
            (FieldKind::Flag, "Yes", Ok(json!(true))),
            (FieldKind::Flag, "perhaps", Err("F is yes or no")),
            (FieldKind::Choice(choices()), "green", Ok(json!("g"))),
            (
                FieldKind::Choice(choices()),
                "blue",
                Err("F has no choice \"blue\""),
            ),
            (
                FieldKind::Choices(choices()),
                "r, Green",
                Ok(json!(["r", "g"])),
            ),
        ] {
            let found = field(kind).value_of(given);
            let expected = expected.map(Some).map_err(str::to_owned);
            assert_eq!(found, expected, "{given}");
        }
        let mut required = field(text(None));
        assert_eq!(required.value_of("  "), Ok(None));
        required.is_required = true;
        assert_eq!(required.value_of("  "), Err("F is missing".to_owned()));
    }
}
