//! How long a model is offered. Pure: the day is a parameter.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::transcript::{ModelRef, Timestamp};

/// So many days before its end a model's users are warned.
const WARNED_DAYS: i64 = 30;

/// What a provider says about the future of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelLifecycle {
    /// Where it stands.
    pub stage: LifecycleStage,
    /// The day on which it is switched off.
    pub retires: Option<Date>,
}

/// Where a model stands between its release and its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LifecycleStage {
    /// Offered. With a date, until then.
    #[default]
    Active,
    /// Its end is planned. A date that has passed says that the end is overdue.
    Deprecated,
    /// Switched off.
    Retired,
}

impl LifecycleStage {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Deprecated => "deprecated",
            Self::Retired => "retired",
        }
    }

    /// Reads the name.
    pub(super) fn read(name: &str) -> Option<Self> {
        let all = [Self::Active, Self::Deprecated, Self::Retired];
        all.into_iter().find(|stage| stage.name() == name)
    }
}

/// What the lifecycle of a model means on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LifecycleState {
    /// Offered.
    Offered,
    /// Offered for so many days more, 30 at most.
    Ending {
        /// The day on which it is switched off.
        on: Date,
        /// Days until then.
        days: i64,
    },
    /// Its provider may switch it off any day.
    Deprecated {
        /// The day on which it should have been switched off.
        due: Option<Date>,
    },
    /// Switched off.
    Retired {
        /// Since this day.
        since: Option<Date>,
    },
}

impl ModelLifecycle {
    /// Offered until this day.
    pub(super) fn until(retires: Option<Date>) -> Self {
        Self {
            stage: LifecycleStage::Active,
            retires,
        }
    }

    /// What it means at this time, by the calendar of UTC.
    pub fn at(self, now: Timestamp) -> LifecycleState {
        let today = jiff::Timestamp::from_millisecond(now.0)
            .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
            .to_zoned(TimeZone::UTC)
            .date();
        let days = |date: Date| (date - today).get_days().into();
        match (self.stage, self.retires) {
            (LifecycleStage::Retired, since) => LifecycleState::Retired { since },
            (LifecycleStage::Active, Some(date)) if date <= today => {
                LifecycleState::Retired { since: Some(date) }
            }
            (LifecycleStage::Deprecated, due) if due.is_none_or(|date| date <= today) => {
                LifecycleState::Deprecated { due }
            }
            (_, Some(on)) if days(on) <= WARNED_DAYS => {
                LifecycleState::Ending { on, days: days(on) }
            }
            _ => LifecycleState::Offered,
        }
    }
}

impl LifecycleState {
    /// Whether the model is in lists to choose from. By its name it can be used in any case.
    pub fn is_listed(self) -> bool {
        match self {
            Self::Offered | Self::Ending { .. } => true,
            // A date says that its provider still serves it, though not for how long.
            Self::Deprecated { due } => due.is_some(),
            Self::Retired { .. } => false,
        }
    }

    /// What its users should know; `None` while there is nothing.
    pub fn warning(self, model: &ModelRef) -> Option<String> {
        Some(match self {
            Self::Offered => return None,
            Self::Ending { on, days } => {
                let unit = if days == 1 { "day" } else { "days" };
                format!("{model} will be switched off on {on}, in {days} {unit}")
            }
            Self::Deprecated { due: None } => {
                format!("{model} is deprecated: its provider may switch it off at any time")
            }
            Self::Deprecated { due: Some(due) } => {
                format!("{model} was due to be switched off on {due}; its provider still lists it")
            }
            Self::Retired { since: None } => {
                format!(
                    "{model} has been switched off: requests fail, or another model answers \
                    them"
                )
            }
            Self::Retired { since: Some(since) } => format!(
                "{model} was switched off on {since}: requests fail, or another model answers \
                 them"
            ),
        })
    }
}

/// Reads the day of a date, or of a time in RFC 3339.
pub(super) fn read_date(text: &str) -> Option<Date> {
    let day = text.trim().get(..10)?;
    day.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(stage: LifecycleStage, retires: Option<&str>) -> LifecycleState {
        // 2026-11-22T12:00:00Z
        let now = Timestamp(1_795_348_800_000);
        let retires = retires.and_then(read_date);
        ModelLifecycle { stage, retires }.at(now)
    }

    #[test]
    fn a_model_is_warned_of_for_thirty_days_and_hidden_from_the_day_on() {
        use LifecycleStage::{Active, Deprecated, Retired};
        let offered = LifecycleState::Offered;
        assert_eq!(state(Active, None), offered);
        assert_eq!(state(Active, Some("2026-12-23")), offered);
        let last = state(Active, Some("2026-12-22"));
        assert!(
            matches!(last, LifecycleState::Ending { days: 30, .. }),
            "{last:?}"
        );
        let tomorrow = state(Active, Some("2026-11-23"));
        assert!(matches!(tomorrow, LifecycleState::Ending { days: 1, .. }) && tomorrow.is_listed());
        for gone in ["2026-11-22", "2020-01-01"] {
            let gone = state(Active, Some(gone));
            assert!(matches!(gone, LifecycleState::Retired { .. }) && !gone.is_listed());
        }
        assert!(!state(Retired, None).is_listed());
        // A provider that still lists a model past its date has not switched it off.
        assert!(state(Deprecated, Some("2026-11-01")).is_listed());
        assert!(!state(Deprecated, None).is_listed());
        assert_eq!(state(Deprecated, Some("2027-11-01")), offered);
    }

    #[test]
    fn every_warning_names_the_model_and_the_day() {
        let model = ModelRef::new("anthropic", "claude-sonnet-4-5");
        let ending = state(LifecycleStage::Active, Some("2026-11-30T00:00:00Z"));
        assert_eq!(
            ending.warning(&model).unwrap(),
            "anthropic/claude-sonnet-4-5 will be switched off on 2026-11-30, in 8 days"
        );
        assert_eq!(LifecycleState::Offered.warning(&model), None);
        assert_eq!(read_date("someday in May"), None);
        assert_eq!(read_date("日本語日本語"), None);
    }
}
