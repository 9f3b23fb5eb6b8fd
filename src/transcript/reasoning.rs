//! How hard a model reasons: what the user wishes, what the model can, and what is sent.

use serde_json::{Value, json};

/// How hard a reasoning model should think. Ordered from least to most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThinkingLevel {
    /// Nothing is asked: the model does what it does by itself.
    #[default]
    Default,
    /// No reasoning before the answer.
    Off,
    /// Hardly any.
    Minimal,
    /// Little.
    Low,
    /// Some.
    Medium,
    /// A lot.
    High,
    /// More than a lot.
    Xhigh,
    /// As much as the model can.
    Max,
}

impl ThinkingLevel {
    /// All of them, least first.
    pub const ALL: [Self; 8] = [
        Self::Default,
        Self::Off,
        Self::Minimal,
        Self::Low,
        Self::Medium,
        Self::High,
        Self::Xhigh,
        Self::Max,
    ];

    /// The name in settings, logs and request bodies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Off => "off",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Xhigh => "xhigh",
            Self::Max => "max",
        }
    }

    /// The level with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// How a family of models is asked to reason, where a wire format has more than one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasoningStyle {
    /// It does not reason, and refuses to be asked.
    Never,
    /// With a budget in tokens.
    Budget,
    /// With a word; how much it thinks within is up to the model.
    Effort,
}

/// How the reasoning of a model is switched off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReasoningOff {
    /// Nobody says whether it can be. It is asked in the way of the wire format.
    #[default]
    Unknown,
    /// Not at all.
    Never,
    /// In the way of the wire format.
    Disabled,
    /// By asking nothing.
    Omitted,
    /// Claude: it writes short notes between tool calls and thinks nowhere else.
    BetweenTools,
}

/// What a model lets be said about its reasoning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasoningFacts {
    /// How it is asked; `None`: nobody says.
    pub style: Option<ReasoningStyle>,
    /// The levels that it has, least first. Without any it cannot be told how much.
    pub levels: Vec<ThinkingLevel>,
    /// How it is switched off.
    pub off: ReasoningOff,
    /// What it does when nothing is asked: `Off` or a level. `None`: nobody says.
    pub by_default: Option<ThinkingLevel>,
    /// Its reasoning is refused or dropped after another history than the one it was written in.
    pub is_bound: bool,
    /// Its calls are signed, and a call that differs from what was signed may be refused.
    pub signs_calls: bool,
    /// What it says between tool calls comes as reasoning, and can be asked for alone.
    pub has_updates: bool,
}

impl Default for ReasoningFacts {
    /// A model that nobody described: the levels that all have.
    fn default() -> Self {
        Self {
            style: None,
            levels: vec![
                ThinkingLevel::Low,
                ThinkingLevel::Medium,
                ThinkingLevel::High,
            ],
            off: ReasoningOff::Unknown,
            by_default: None,
            is_bound: false,
            signs_calls: false,
            has_updates: false,
        }
    }
}

impl ReasoningFacts {
    /// Whether the server checks the calls of an answer against the reasoning before them.
    pub fn checks_calls(&self) -> bool {
        self.is_bound || self.signs_calls
    }

    /// What is sent of a wish: the wish itself, or the nearest that the model has. A level
    /// that it lacks is lowered, and raised only when it has none below; a model that cannot
    /// be switched off gets its lowest.
    pub fn nearest(&self, wish: ThinkingLevel) -> ThinkingLevel {
        let lowest = self.levels.first().copied().unwrap_or_default();
        match wish {
            ThinkingLevel::Default => ThinkingLevel::Default,
            ThinkingLevel::Off if self.off == ReasoningOff::Never => lowest,
            ThinkingLevel::Off => ThinkingLevel::Off,
            level => {
                let mut levels = self.levels.iter().rev();
                levels.find(|it| **it <= level).copied().unwrap_or(lowest)
            }
        }
    }

    /// Whether the model reasons when nothing is asked, as far as anybody knows.
    pub fn reasons_by_itself(&self) -> bool {
        self.by_default != Some(ThinkingLevel::Off)
    }

    /// The levels that the model has, whether it can be switched off (`null`: nobody says), and
    /// what it does when nothing is asked.
    pub fn json(&self) -> Value {
        let levels: Vec<_> = self.levels.iter().map(|level| level.name()).collect();
        let can_be_off = match self.off {
            ReasoningOff::Unknown => None,
            off => Some(off != ReasoningOff::Never),
        };
        json!({
            "levels": levels,
            "off": can_be_off,
            "default": self.by_default.map(ThinkingLevel::name),
        })
    }

    /// What comes of a wish.
    pub fn state(&self, wish: ThinkingLevel) -> ReasoningState {
        ReasoningState {
            asked: wish,
            sent: self.nearest(wish),
            by_default: self.by_default,
            is_off_known: self.off != ReasoningOff::Unknown,
            levels: self.levels.clone(),
        }
    }
}

/// What is asked of a reasoning model, and what is sent of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasoningState {
    /// The wish.
    pub asked: ThinkingLevel,
    /// What is sent.
    pub sent: ThinkingLevel,
    /// What the model does when nothing is asked; `None`: nobody says.
    pub by_default: Option<ThinkingLevel>,
    /// Somebody says whether the model can be switched off.
    is_off_known: bool,
    /// The levels that the model has.
    levels: Vec<ThinkingLevel>,
}

impl ReasoningState {
    /// What holds, in words: `model default (high)`, `off`, `low`.
    pub fn words(&self) -> String {
        match self.sent {
            ThinkingLevel::Default => format!("model {}", self.short_words()),
            sent => sent.name().to_owned(),
        }
    }

    /// The same where there is little room: `default (high)`.
    pub fn short_words(&self) -> String {
        match (self.sent, self.by_default) {
            (ThinkingLevel::Default, Some(level)) => format!("default ({})", level.name()),
            (sent, _) => sent.name().to_owned(),
        }
    }

    /// Why this is not what was asked, or may not be; `None` when it is.
    pub fn remark(&self, model: &str) -> Option<String> {
        let asked = self.asked.name();
        match (self.asked, self.sent) {
            (ThinkingLevel::Off, ThinkingLevel::Off) if !self.is_off_known => Some(format!(
                "the request switches the reasoning of {model} off; whether the model supports \
                 that is unknown"
            )),
            (asked, sent) if asked == sent => None,
            (ThinkingLevel::Off, ThinkingLevel::Default) => Some(format!(
                "the reasoning of {model} cannot be switched off and has no levels"
            )),
            (ThinkingLevel::Off, sent) => Some(format!(
                "the reasoning of {model} cannot be switched off; its lowest is {}",
                sent.name()
            )),
            (_, ThinkingLevel::Default) => Some(format!("the reasoning of {model} has no levels")),
            (_, sent) => Some(format!(
                "{model} has no {asked}; {} is sent (it has {})",
                sent.name(),
                self.level_names().join(", ")
            )),
        }
    }

    /// What was asked, what is sent, and what the model does when nothing is asked (`null` when
    /// nobody says): names of levels.
    pub fn json(&self) -> Value {
        json!({
            "asked": self.asked.name(),
            "sent": self.sent.name(),
            "model_default": self.by_default.map(ThinkingLevel::name),
        })
    }

    /// The names of the levels that the model has, least first.
    fn level_names(&self) -> Vec<&'static str> {
        self.levels.iter().map(|level| level.name()).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn facts(levels: &[ThinkingLevel], off: ReasoningOff) -> ReasoningFacts {
        ReasoningFacts {
            levels: levels.to_vec(),
            off,
            ..ReasoningFacts::default()
        }
    }

    #[test]
    fn a_level_that_a_model_lacks_is_lowered_and_said() {
        use ThinkingLevel::{High, Low, Max, Medium, Minimal, Xhigh};
        let deepseek = facts(&[Low, High, Max], ReasoningOff::Disabled);
        for (wish, sent) in [
            (Minimal, Low),
            (Low, Low),
            (Medium, Low),
            (High, High),
            (Xhigh, High),
            (Max, Max),
        ] {
            let state = deepseek.state(wish);
            assert_eq!(state.sent, sent, "{wish:?}");
            assert_eq!(state.remark("m").is_some(), wish != sent, "{wish:?}");
        }
        assert_eq!(
            deepseek.state(Medium).remark("deepseek-flash").unwrap(),
            "deepseek-flash has no medium; low is sent (it has low, high, max)"
        );
    }

    #[test]
    fn a_model_that_cannot_be_switched_off_gets_its_lowest_and_that_is_said() {
        use ThinkingLevel::{Default, High, Low, Off};
        let state = facts(&[Low, High], ReasoningOff::Never).state(Off);
        assert_eq!((state.sent, state.words().as_str()), (Low, "low"));
        let said = state.remark("gpt-6.2-sol").unwrap();
        assert!(
            said.contains("cannot be switched off; its lowest is low"),
            "{said}"
        );
        let fixed = facts(&[], ReasoningOff::Never);
        assert_eq!(fixed.nearest(Off), Default);
        assert_eq!(fixed.nearest(High), Default);
        assert!(fixed.state(High).remark("grok-4").is_some());
        assert!(fixed.state(Default).remark("grok-4").is_none());
    }

    #[test]
    fn what_holds_is_said_in_words() {
        use ThinkingLevel::{Default, High, Low, Off};
        let known = ReasoningFacts {
            by_default: Some(High),
            ..facts(&[Low, High], ReasoningOff::Disabled)
        };
        assert_eq!(known.state(Default).words(), "model default (high)");
        assert_eq!(known.state(Off).words(), "off");
        assert_eq!(known.state(Off).remark("m"), None);
        assert_eq!(known.state(Low).words(), "low");
        let unknown = ReasoningFacts::default();
        assert_eq!(unknown.state(Default).words(), "model default");
        let said = unknown.state(Off).remark("m").unwrap();
        assert!(said.contains("is unknown"), "{said}");
    }

    fn level() -> impl Strategy<Value = ThinkingLevel> {
        prop::sample::select(ThinkingLevel::ALL.to_vec())
    }

    proptest! {
        /// Encoders ask again what was sent: nothing may change.
        #[test]
        fn what_is_sent_of_what_is_sent_is_the_same(
            wish in level(),
            mut levels in prop::collection::vec(level(), 0..6),
            never in any::<bool>(),
        ) {
            levels.retain(|it| *it > ThinkingLevel::Off);
            levels.sort_unstable();
            levels.dedup();
            let off = if never { ReasoningOff::Never } else { ReasoningOff::Disabled };
            let facts = facts(&levels, off);
            let sent = facts.nearest(wish);
            prop_assert_eq!(facts.nearest(sent), sent);
            prop_assert!(sent <= ThinkingLevel::Off || levels.contains(&sent));
            prop_assert_eq!(ThinkingLevel::from_name(wish.name()), Some(wish));
        }
    }
}
