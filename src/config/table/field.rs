//! How values become fields of [`Settings`](crate::config::Settings), and back: one
//! implementation per Rust type that a setting can have.

use std::path::PathBuf;

use crate::config::layers::presets::ContextPreset;
use crate::config::settings::{
    DiffSides, McpDefer, NotifyMethod, NotifyWhen, ScreenMotion, TitleSource, WhereKnown,
};
use crate::config::value::{SettingValue, parse_model};
use crate::context::{
    GateKind, IdentifierPolicy, MediaAgeing, OverflowFallback, PrunePolicy, ReserveRule,
    ReviewMode, RulerKind, TemplateKind, Threshold,
};
use crate::provider::Roots;
use crate::tool::ApprovalMode;
use crate::transcript::{ModelRef, PromptCacheTtl, ServerContext, ThinkingLevel};

/// A Rust type that can be the field of a setting.
pub(crate) trait SettingField: Sized {
    /// The present value.
    fn to_value(&self) -> SettingValue;
    /// The field that a value means; `None` when it does not fit.
    fn from_value(value: &SettingValue) -> Option<Self>;
}

impl SettingField for bool {
    fn to_value(&self) -> SettingValue {
        SettingValue::Bool(*self)
    }

    fn from_value(value: &SettingValue) -> Option<Self> {
        match value {
            SettingValue::Bool(b) => Some(*b),
            _ => None,
        }
    }
}

impl SettingField for f64 {
    fn to_value(&self) -> SettingValue {
        SettingValue::Float(*self)
    }

    fn from_value(value: &SettingValue) -> Option<Self> {
        value.as_number()
    }
}

impl SettingField for String {
    fn to_value(&self) -> SettingValue {
        SettingValue::Text(self.clone())
    }

    fn from_value(value: &SettingValue) -> Option<Self> {
        value.as_text().map(str::to_owned)
    }
}

impl SettingField for PathBuf {
    fn to_value(&self) -> SettingValue {
        SettingValue::Text(self.display().to_string())
    }

    fn from_value(value: &SettingValue) -> Option<Self> {
        value.as_text().map(PathBuf::from)
    }
}

impl SettingField for ModelRef {
    fn to_value(&self) -> SettingValue {
        SettingValue::Text(self.to_string())
    }

    fn from_value(value: &SettingValue) -> Option<Self> {
        value.as_text().and_then(parse_model)
    }
}

impl<T: SettingField> SettingField for Option<T> {
    fn to_value(&self) -> SettingValue {
        self.as_ref()
            .map_or(SettingValue::None, SettingField::to_value)
    }

    fn from_value(value: &SettingValue) -> Option<Self> {
        match value {
            SettingValue::None => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl<T: SettingField> SettingField for Vec<T> {
    fn to_value(&self) -> SettingValue {
        SettingValue::List(self.iter().map(SettingField::to_value).collect())
    }

    fn from_value(value: &SettingValue) -> Option<Self> {
        match value {
            SettingValue::List(items) => items.iter().map(T::from_value).collect(),
            _ => None,
        }
    }
}

impl SettingField for Threshold {
    fn to_value(&self) -> SettingValue {
        match self {
            Self::Tokens(tokens) => tokens.to_value(),
            Self::Ratio(ratio) => SettingValue::Float(*ratio),
        }
    }

    /// Up to 1 is a share, above it are tokens; 0 would never leave room for anything.
    fn from_value(value: &SettingValue) -> Option<Self> {
        match value {
            SettingValue::Int(n) if *n > 1 => u64::try_from(*n).ok().map(Self::Tokens),
            value => value
                .as_number()
                .filter(|share| *share > 0.0 && *share <= 1.0)
                .map(Self::Ratio),
        }
    }
}

impl SettingField for TemplateKind {
    fn to_value(&self) -> SettingValue {
        match self {
            Self::Standard => SettingValue::Text("standard".to_owned()),
            Self::Openclaw => SettingValue::Text("openclaw".to_owned()),
            Self::Opencode => SettingValue::Text("opencode".to_owned()),
            Self::Custom(headings) => headings.to_value(),
        }
    }

    fn from_value(value: &SettingValue) -> Option<Self> {
        match value {
            SettingValue::Text(name) => match name.as_str() {
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
        impl SettingField for $int {
            fn to_value(&self) -> SettingValue {
                SettingValue::Int(i64::try_from(*self).unwrap_or(i64::MAX))
            }

            fn from_value(value: &SettingValue) -> Option<Self> {
                match value {
                    SettingValue::Int(n) => Self::try_from(*n).ok(),
                    _ => None,
                }
            }
        }
    )*};
}

int_fields!(u16, u32, u64, usize);

/// Enums by their names in settings; the compiler sees that no variant is forgotten.
macro_rules! choice_fields {
    ($($kind:ty as $names:ident { $($variant:ident = $name:literal),* $(,)? })*) => {$(
        #[doc = concat!("Names of [`", stringify!($kind), "`].")]
        pub(crate) const $names: &[&str] = &[$($name),*];

        impl SettingField for $kind {
            fn to_value(&self) -> SettingValue {
                let name = match self {
                    $(Self::$variant => $name),*
                };
                SettingValue::Text(name.to_owned())
            }

            fn from_value(value: &SettingValue) -> Option<Self> {
                match value.as_text()? {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    )*};
}

/// Names of context engines.
pub(crate) const ENGINES: &[&str] = &[
    "layered",
    "sliding-window",
    "retrieval",
    "process",
    "legacy",
];

choice_fields! {
    ContextPreset as PRESETS { Default = "default", Openclaw = "openclaw", Opencode = "opencode", Opencode2 = "opencode-2" }
    MediaAgeing as MEDIA_AGEINGS { On = "on", Pruning = "pruning", Off = "off" }
    ReserveRule as RESERVE_RULES { Bounded = "bounded", Output = "output", OutputAndBuffer = "output-and-buffer" }
    RulerKind as RULERS { Bpe = "bpe", Chars4 = "chars4" }
    PrunePolicy as PRUNE_POLICIES { SoftHard = "soft-hard", ProtectRecent = "protect-recent", Off = "off" }
    GateKind as GATES { CacheTtl = "cache-ttl", Always = "always", Off = "off" }
    OverflowFallback as OVERFLOW_FALLBACKS { Extractive = "extractive", Fail = "fail" }
    ReviewMode as REVIEW_MODES { Manual = "manual", Never = "never", Always = "always" }
    IdentifierPolicy as IDENTIFIER_POLICIES { Strict = "strict", Off = "off", Custom = "custom", Anonymize = "anonymize" }
    ApprovalMode as APPROVAL_MODES { Ask = "ask", ReadOnly = "read-only", Edits = "edits", All = "all" }
    McpDefer as MCP_DEFERS { Auto = "auto", Always = "always", Never = "never" }
    PromptCacheTtl as CACHE_TTLS { Usual = "5m", Hour = "1h" }
    Roots as ROOTS { System = "system", Bundled = "bundled" }
    NotifyWhen as NOTIFY_TIMES { Unfocused = "unfocused", Always = "always", Never = "never" }
    NotifyMethod as NOTIFY_METHODS { Auto = "auto", Osc9 = "osc9", Osc777 = "osc777", Bell = "bell", None = "none" }
    WhereKnown as WHERE_KNOWN { Auto = "auto", On = "on", Off = "off" }
    ScreenMotion as MOTIONS { Full = "full", Reduced = "reduced" }
    DiffSides as DIFF_SIDES { Auto = "auto", Unified = "unified", Split = "split" }
    ServerContext as SERVER_CONTEXTS { Off = "off", ClearToolUses = "clear-tool-uses", Compact = "compact" }
    TitleSource as TITLE_SOURCES { Auto = "auto", Text = "text", Off = "off" }
    ThinkingLevel as THINKING_LEVELS { Default = "default", Off = "off", Minimal = "minimal", Low = "low", Medium = "medium", High = "high", Xhigh = "xhigh", Max = "max" }
}
