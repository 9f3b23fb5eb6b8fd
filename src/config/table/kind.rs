//! The values that a setting accepts, their parsing, and their description.

use super::field::SettingField;
use crate::config::value::{SettingValue, parse_model};
use crate::context::{TemplateKind, Threshold};

/// The values that a setting accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int {
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
        /// `tokens`, `characters`, `seconds`, `turns`, …
        unit: &'static str,
    },
    /// A share from 0 to 1.
    Share,
    /// A factor from 1 to 3.
    Factor,
    /// US dollars above 0.
    Dollars,
    /// Any text.
    Text,
    /// An address.
    Url,
    /// A text, or `@FILE`.
    Prompt,
    /// One of these names.
    Choice(&'static [&'static str]),
    /// `provider/model`.
    Model,
    /// Tokens above 1, or a share.
    Threshold,
    /// A template's name, its headings, or `@FILE`.
    Template,
    /// Several of another kind.
    List(&'static SettingKind),
}

/// From here on a maximum is not a limit that anybody would meet (a week, in seconds).
const NO_REAL_LIMIT: u64 = 604_800;

/// No estimate is so wrong that it needs a larger safety factor.
const MAX_FACTOR: f64 = 3.0;

/// Names of the built-in summary templates.
pub(in crate::config) const TEMPLATES: [&str; 3] = ["standard", "openclaw", "opencode"];

impl SettingKind {
    /// The expected values, for error messages and help: `a share from 0 to 1`.
    pub fn expected(self) -> String {
        match self {
            Self::Bool => "true or false".to_owned(),
            Self::Int { min, max, unit } => {
                format!("a whole number of {unit} from {min} to {max}")
            }
            Self::Share => "a share from 0 to 1".to_owned(),
            Self::Factor => "a factor from 1 to 3".to_owned(),
            Self::Dollars => "US dollars above 0".to_owned(),
            Self::Text => "a text".to_owned(),
            Self::Url => "a URL that begins with http:// or https://".to_owned(),
            Self::Prompt => "a string, or @FILE to read one".to_owned(),
            Self::Choice(names) => format!("one of {}", names.join(", ")),
            Self::Model => "a model as provider/model".to_owned(),
            Self::Threshold => "tokens (above 1), or a share between 0 and 1".to_owned(),
            Self::Template => format!(
                "one of {}, a list of headings, or @FILE with ## lines",
                TEMPLATES.join(", ")
            ),
            Self::List(item) => format!("a list; each item {}", item.expected()),
        }
    }

    /// The expected value in a word or two, for tables: `0 to 1`. Bounds that only catch slips
    /// are left out.
    pub fn brief(self) -> String {
        match self {
            Self::Int { min, max, unit } if max >= NO_REAL_LIMIT => {
                format!("{unit}, {min} or more")
            }
            Self::Int { min, max, unit } => format!("{unit}, {min} to {max}"),
            Self::Share => "0 to 1".to_owned(),
            Self::Factor => "1 to 3".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Url => "http:// or https://".to_owned(),
            Self::Prompt => "text, or @FILE".to_owned(),
            Self::Choice(names) => names.join(", "),
            Self::Model => "provider/model".to_owned(),
            Self::Threshold => "tokens, or 0 to 1".to_owned(),
            Self::List(item) => format!("list of {}", item.brief()),
            Self::Bool | Self::Dollars | Self::Template => self.expected(),
        }
    }

    /// Whether a value is of this kind and in range.
    pub fn accepts(self, value: &SettingValue) -> bool {
        match (self, value) {
            (Self::Bool, SettingValue::Bool(_))
            | (Self::Text | Self::Prompt, SettingValue::Text(_)) => true,
            (Self::Url, SettingValue::Text(text)) => {
                let mut schemes = ["http://", "https://"].iter();
                schemes.any(|scheme| {
                    text.strip_prefix(scheme)
                        .is_some_and(|rest| !rest.is_empty())
                })
            }
            (Self::Int { min, max, .. }, SettingValue::Int(n)) => {
                u64::try_from(*n).is_ok_and(|n| (min..=max).contains(&n))
            }
            (Self::Share, value) => value
                .as_number()
                .is_some_and(|share| (0.0..=1.0).contains(&share)),
            (Self::Factor, value) => value
                .as_number()
                .is_some_and(|factor| (1.0..=MAX_FACTOR).contains(&factor)),
            (Self::Dollars, value) => value.as_number().is_some_and(|dollars| dollars > 0.0),
            (Self::Choice(names), SettingValue::Text(text)) => names.contains(&text.as_str()),
            (Self::Model, SettingValue::Text(text)) => parse_model(text).is_some(),
            (Self::Threshold, value) => Threshold::from_value(value).is_some(),
            (Self::Template, value) => TemplateKind::from_value(value).is_some(),
            (Self::List(item), SettingValue::List(items)) => {
                items.iter().all(|value| item.accepts(value))
            }
            _ => false,
        }
    }

    /// The value that a text from a variable or a flag means. What cannot be read stays
    /// a text, so that the check that follows can name it.
    pub fn parse_text(self, text: &str) -> SettingValue {
        let text = text.trim();
        let as_written = || SettingValue::Text(text.to_owned());
        match self {
            Self::Bool => match text {
                "true" | "on" | "yes" | "1" => SettingValue::Bool(true),
                "false" | "off" | "no" | "0" => SettingValue::Bool(false),
                _ => as_written(),
            },
            Self::Int { .. } => parse_int(text).map_or_else(as_written, SettingValue::Int),
            Self::Share | Self::Factor | Self::Dollars | Self::Threshold => parse_int(text)
                .map(SettingValue::Int)
                .or_else(|| text.parse().ok().map(SettingValue::Float))
                .unwrap_or_else(as_written),
            Self::Text | Self::Url | Self::Prompt | Self::Choice(_) | Self::Model => as_written(),
            Self::Template => parse_list(text, Self::Text).unwrap_or_else(as_written),
            Self::List(item) => parse_list(text, *item).unwrap_or_else(|| {
                let items = text.split(',').map(str::trim);
                SettingValue::List(
                    items
                        .filter(|part| !part.is_empty())
                        .map(|part| item.parse_text(part))
                        .collect(),
                )
            }),
        }
    }
}

/// A whole number with optional separators (`32_000`, `32,000`) or a `k` or `m` at the
/// end for thousands or millions.
fn parse_int(text: &str) -> Option<i64> {
    let digits: String = text.chars().filter(|c| !matches!(c, '_' | ',')).collect();
    let lower = digits.to_ascii_lowercase();
    let (number, factor) = if let Some(number) = lower.strip_suffix('k') {
        (number, 1_000)
    } else if let Some(number) = lower.strip_suffix('m') {
        (number, 1_000_000)
    } else {
        (lower.as_str(), 1)
    };
    number.parse::<i64>().ok()?.checked_mul(factor)
}

/// A TOML list of texts: `["a", "b"]`.
fn parse_list(text: &str, item: SettingKind) -> Option<SettingValue> {
    if !text.starts_with('[') {
        return None;
    }
    let table: toml::Table = toml::from_str(&format!("v = {text}")).ok()?;
    let items = table.get("v")?.as_array()?;
    let texts: Option<Vec<SettingValue>> = items
        .iter()
        .map(|value| value.as_str().map(|text| item.parse_text(text)))
        .collect();
    texts.map(SettingValue::List)
}
