//! Values of settings: what a file, a variable or a flag may say, what is expected of
//! it, and how it becomes a field of [`Settings`](super::Settings).
//!
//! Not a general data format: only what the table of settings needs.

use std::fmt;
use std::path::PathBuf;

use crate::context::{
    GateKind, IdentifierPolicy, OverflowFallback, PrunePolicy, ReviewMode, RulerKind, TemplateKind,
    Threshold,
};
use crate::tool::ApprovalMode;
use crate::transcript::{ModelRef, ThinkingLevel};

/// A value as it was written, before it is a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not set.
    None,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Another number.
    Float(f64),
    /// A text.
    Text(String),
    /// Several.
    List(Vec<Value>),
}

impl Value {
    /// The text, when it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, whole or not.
    fn as_number(&self) -> Option<f64> {
        match self {
            Self::Int(n) => Some(*n as f64),
            Self::Float(x) if x.is_finite() => Some(*x),
            _ => None,
        }
    }
}

/// As TOML writes it; `none` for [`Value::None`].
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Int(n) => write!(f, "{n}"),
            Self::Float(x) => write!(f, "{x:?}"),
            Self::Text(text) => write!(f, "{}", toml::Value::String(text.clone())),
            Self::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
        }
    }
}

/// What a setting accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
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
    /// US dollars above 0.
    Dollars,
    /// Any text.
    Text,
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
    List(&'static Kind),
}

/// From here on a maximum is no limit that anybody would meet (a week, in seconds).
const NO_REAL_LIMIT: u64 = 604_800;

/// Names of the built-in summary templates.
const TEMPLATES: [&str; 3] = ["standard", "openclaw", "opencode"];

impl Kind {
    /// What is expected, for error messages and help: `a share from 0 to 1`.
    pub fn expected(self) -> String {
        match self {
            Self::Bool => "true or false".to_owned(),
            Self::Int { min, max, unit } => {
                format!("a whole number of {unit} from {min} to {max}")
            }
            Self::Share => "a share from 0 to 1".to_owned(),
            Self::Dollars => "US dollars above 0".to_owned(),
            Self::Text => "a text".to_owned(),
            Self::Prompt => "a text, or @FILE to read one".to_owned(),
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

    /// The same in a word or two, for tables: `0 to 1`. Bounds that only catch slips are
    /// left out.
    pub fn brief(self) -> String {
        match self {
            Self::Int { min, max, unit } if max >= NO_REAL_LIMIT => {
                format!("{unit}, {min} or more")
            }
            Self::Int { min, max, unit } => format!("{unit}, {min} to {max}"),
            Self::Share => "0 to 1".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Prompt => "text, or @FILE".to_owned(),
            Self::Choice(names) => names.join(", "),
            Self::Model => "provider/model".to_owned(),
            Self::Threshold => "tokens, or 0 to 1".to_owned(),
            Self::List(item) => format!("list of {}", item.brief()),
            Self::Bool | Self::Dollars | Self::Template => self.expected(),
        }
    }

    /// Whether a value is of this kind and in range.
    pub fn accepts(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bool, Value::Bool(_)) | (Self::Text | Self::Prompt, Value::Text(_)) => true,
            (Self::Int { min, max, .. }, Value::Int(n)) => {
                u64::try_from(*n).is_ok_and(|n| (min..=max).contains(&n))
            }
            (Self::Share, value) => value
                .as_number()
                .is_some_and(|share| (0.0..=1.0).contains(&share)),
            (Self::Dollars, value) => value.as_number().is_some_and(|dollars| dollars > 0.0),
            (Self::Choice(names), Value::Text(text)) => names.contains(&text.as_str()),
            (Self::Model, Value::Text(text)) => parse_model(text).is_some(),
            (Self::Threshold, value) => Threshold::from_value(value).is_some(),
            (Self::Template, value) => TemplateKind::from_value(value).is_some(),
            (Self::List(item), Value::List(items)) => items.iter().all(|value| item.accepts(value)),
            _ => false,
        }
    }

    /// The value that a text from a variable or a flag means. What cannot be read stays
    /// a text, so that the check that follows can name it.
    pub fn parse_text(self, text: &str) -> Value {
        let text = text.trim();
        let as_written = || Value::Text(text.to_owned());
        match self {
            Self::Bool => match text {
                "true" | "on" | "yes" | "1" => Value::Bool(true),
                "false" | "off" | "no" | "0" => Value::Bool(false),
                _ => as_written(),
            },
            Self::Int { .. } => parse_int(text).map_or_else(as_written, Value::Int),
            Self::Share | Self::Dollars | Self::Threshold => parse_int(text)
                .map(Value::Int)
                .or_else(|| text.parse().ok().map(Value::Float))
                .unwrap_or_else(as_written),
            Self::Text | Self::Prompt | Self::Choice(_) | Self::Model => as_written(),
            Self::Template => parse_list(text, Self::Text).unwrap_or_else(as_written),
            Self::List(item) => parse_list(text, *item).unwrap_or_else(|| {
                let items = text.split(',').map(str::trim);
                Value::List(
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
fn parse_list(text: &str, item: Kind) -> Option<Value> {
    if !text.starts_with('[') {
        return None;
    }
    let table: toml::Table = toml::from_str(&format!("v = {text}")).ok()?;
    let items = table.get("v")?.as_array()?;
    let texts: Option<Vec<Value>> = items
        .iter()
        .map(|value| value.as_str().map(|text| item.parse_text(text)))
        .collect();
    texts.map(Value::List)
}

/// `provider/model`; the model may contain further slashes.
pub fn parse_model(text: &str) -> Option<ModelRef> {
    let (provider, model) = text.trim().split_once('/')?;
    let plain = |part: &str| !part.is_empty() && !part.chars().any(char::is_control);
    (plain(provider) && !provider.contains(char::is_whitespace) && plain(model))
        .then(|| ModelRef::new(provider, model))
}

/// A Rust type that can be the field behind a setting.
pub trait Field: Sized {
    /// The present value.
    fn to_value(&self) -> Value;
    /// The field that a value means; `None` when it does not fit.
    fn from_value(value: &Value) -> Option<Self>;
}

impl Field for bool {
    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }
}

impl Field for f64 {
    fn to_value(&self) -> Value {
        Value::Float(*self)
    }

    fn from_value(value: &Value) -> Option<Self> {
        value.as_number()
    }
}

impl Field for String {
    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }

    fn from_value(value: &Value) -> Option<Self> {
        value.as_text().map(str::to_owned)
    }
}

impl Field for PathBuf {
    fn to_value(&self) -> Value {
        Value::Text(self.display().to_string())
    }

    fn from_value(value: &Value) -> Option<Self> {
        value.as_text().map(PathBuf::from)
    }
}

impl Field for ModelRef {
    fn to_value(&self) -> Value {
        Value::Text(self.to_string())
    }

    fn from_value(value: &Value) -> Option<Self> {
        value.as_text().and_then(parse_model)
    }
}

impl<T: Field> Field for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::None, Field::to_value)
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::None => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl<T: Field> Field for Vec<T> {
    fn to_value(&self) -> Value {
        Value::List(self.iter().map(Field::to_value).collect())
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::List(items) => items.iter().map(T::from_value).collect(),
            _ => None,
        }
    }
}

impl Field for Threshold {
    fn to_value(&self) -> Value {
        match self {
            Self::Tokens(tokens) => tokens.to_value(),
            Self::Ratio(ratio) => Value::Float(*ratio),
        }
    }

    /// Up to 1 is a share, above it are tokens; 0 would never leave room for anything.
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Int(n) if *n > 1 => u64::try_from(*n).ok().map(Self::Tokens),
            value => value
                .as_number()
                .filter(|share| *share > 0.0 && *share <= 1.0)
                .map(Self::Ratio),
        }
    }
}

impl Field for TemplateKind {
    fn to_value(&self) -> Value {
        match self {
            Self::Standard => Value::Text("standard".to_owned()),
            Self::Openclaw => Value::Text("openclaw".to_owned()),
            Self::Opencode => Value::Text("opencode".to_owned()),
            Self::Custom(headings) => headings.to_value(),
        }
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(name) => match name.as_str() {
                "standard" => Some(Self::Standard),
                "openclaw" => Some(Self::Openclaw),
                "opencode" => Some(Self::Opencode),
                _ => None,
            },
            value => Vec::<String>::from_value(value)
                .filter(|headings| !headings.is_empty())
                .map(Self::Custom),
        }
    }
}

/// Whole numbers: the range is the setting's; here only what the type can hold.
macro_rules! int_fields {
    ($($int:ty),*) => {$(
        impl Field for $int {
            fn to_value(&self) -> Value {
                Value::Int(i64::try_from(*self).unwrap_or(i64::MAX))
            }

            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::Int(n) => Self::try_from(*n).ok(),
                    _ => None,
                }
            }
        }
    )*};
}

int_fields!(u32, u64, usize);

/// Enums by their names in settings; the compiler sees that no variant is forgotten.
macro_rules! choice_fields {
    ($($kind:ty as $names:ident { $($variant:ident = $name:literal),* $(,)? })*) => {$(
        #[doc = concat!("Names of [`", stringify!($kind), "`].")]
        pub const $names: &[&str] = &[$($name),*];

        impl Field for $kind {
            fn to_value(&self) -> Value {
                let name = match self {
                    $(Self::$variant => $name),*
                };
                Value::Text(name.to_owned())
            }

            fn from_value(value: &Value) -> Option<Self> {
                match value.as_text()? {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    )*};
}

choice_fields! {
    RulerKind as RULERS { Bpe = "bpe", Chars4 = "chars4" }
    PrunePolicy as PRUNE_POLICIES { SoftHard = "soft-hard", ProtectRecent = "protect-recent", Off = "off" }
    GateKind as GATES { CacheTtl = "cache-ttl", Always = "always", Off = "off" }
    OverflowFallback as OVERFLOW_FALLBACKS { Extractive = "extractive", Fail = "fail" }
    ReviewMode as REVIEW_MODES { Manual = "manual", Never = "never", Always = "always" }
    IdentifierPolicy as IDENTIFIER_POLICIES { Strict = "strict", Off = "off", Custom = "custom" }
    ApprovalMode as APPROVAL_MODES { Ask = "ask", ReadOnly = "read-only", Edits = "edits", All = "all" }
    ThinkingLevel as THINKING_LEVELS { Off = "off", Low = "low", Medium = "medium", High = "high" }
}
