//! What models let be said about their reasoning: rows of the table, by the family that an id
//! names.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, de};

use crate::transcript::{ReasoningFacts, ReasoningOff, ReasoningStyle, ThinkingLevel};

/// Models that reason alike.
#[derive(Debug, Deserialize)]
#[serde(from = "ReasoningColumns")]
pub(super) struct ReasoningRow {
    names: Vec<String>,
    facts: Arc<ReasoningFacts>,
}

/// A row as the table has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReasoningColumns {
    names: Vec<String>,
    style: Option<StyleName>,
    #[serde(default)]
    levels: Vec<LevelName>,
    off: OffName,
    default: Option<LevelName>,
    #[serde(default)]
    bound: bool,
    #[serde(default)]
    signs_calls: bool,
    #[serde(default)]
    updates: bool,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StyleName {
    Never,
    Budget,
    Effort,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OffName {
    Unknown,
    Never,
    Disabled,
    Omitted,
    BetweenTools,
}

/// `off` or a level.
#[derive(Clone, Copy)]
struct LevelName(ThinkingLevel);

impl<'de> Deserialize<'de> for LevelName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        ThinkingLevel::from_name(&name)
            .filter(|level| *level != ThinkingLevel::Default)
            .map(Self)
            .ok_or_else(|| de::Error::custom(format!("{name} is not a reasoning level")))
    }
}

impl From<ReasoningColumns> for ReasoningRow {
    fn from(columns: ReasoningColumns) -> Self {
        let facts = ReasoningFacts {
            style: columns.style.map(|style| match style {
                StyleName::Never => ReasoningStyle::Never,
                StyleName::Budget => ReasoningStyle::Budget,
                StyleName::Effort => ReasoningStyle::Effort,
            }),
            levels: columns.levels.into_iter().map(|level| level.0).collect(),
            off: match columns.off {
                OffName::Unknown => ReasoningOff::Unknown,
                OffName::Never => ReasoningOff::Never,
                OffName::Disabled => ReasoningOff::Disabled,
                OffName::Omitted => ReasoningOff::Omitted,
                OffName::BetweenTools => ReasoningOff::BetweenTools,
            },
            by_default: columns.default.map(|level| level.0),
            is_bound: columns.bound,
            signs_calls: columns.signs_calls,
            has_updates: columns.updates,
        };
        Self {
            names: columns.names,
            facts: Arc::new(facts),
        }
    }
}

/// The facts of the first row that names whole words of this id.
pub(super) fn facts_of(rows: &[ReasoningRow], id: &str) -> Option<Arc<ReasoningFacts>> {
    let id = id.to_lowercase().replace('.', "-");
    let mut rows = rows.iter();
    let row = rows.find(|row| row.names.iter().any(|name| has_words(&id, name)))?;
    Some(Arc::clone(&row.facts))
}

/// The facts of a family with the levels that somebody names of this very model; `none` among
/// them says that it can be switched off. Words that are no levels are left out.
pub(super) fn with_levels(family: Arc<ReasoningFacts>, efforts: &[String]) -> Arc<ReasoningFacts> {
    let can_be_off = efforts.iter().any(|word| word == "none");
    let named = efforts
        .iter()
        .filter_map(|word| ThinkingLevel::from_name(word));
    let mut levels: Vec<ThinkingLevel> = named.filter(|it| *it > ThinkingLevel::Off).collect();
    levels.sort_unstable();
    levels.dedup();
    if levels.is_empty() && !can_be_off {
        return family;
    }
    let off = match family.off {
        ReasoningOff::Unknown | ReasoningOff::Never if can_be_off => ReasoningOff::Disabled,
        off => off,
    };
    let has = |level: &ThinkingLevel| *level <= ThinkingLevel::Off || levels.contains(level);
    Arc::new(ReasoningFacts {
        by_default: family.by_default.filter(has),
        levels,
        off,
        ..ReasoningFacts::clone(&family)
    })
}

/// Whether whole words of an id are these: `gpt-5-2` is not in `gpt-5-2025-08-07`.
fn has_words(id: &str, words: &str) -> bool {
    let is_edge = |char: Option<char>| char.is_none_or(|char| !char.is_alphanumeric());
    id.match_indices(words).any(|(at, _)| {
        let before = id.get(..at).and_then(|before| before.chars().next_back());
        let after = id
            .get(at + words.len()..)
            .and_then(|after| after.chars().next());
        is_edge(before) && is_edge(after)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Catalogue;
    use super::super::index::HasModel as _;
    use super::super::overlay::own_table;
    use super::*;
    use crate::transcript::ModelRef;

    fn reasoning(id: &str) -> Arc<ReasoningFacts> {
        Catalogue::default()
            .lookup(&ModelRef::new("nobody", id))
            .reasoning
    }

    #[test]
    fn every_row_of_the_table_is_sound_and_reached() {
        let rows = &own_table().reasoning;
        assert!(rows.len() > 20);
        for row in rows {
            let facts = &row.facts;
            let is_ascending = facts.levels.windows(2).all(|pair| pair[0] < pair[1]);
            assert!(is_ascending, "{row:?}");
            assert!(facts.levels.iter().all(|it| *it > ThinkingLevel::Off));
            // A model does by itself what it can be asked for.
            if let Some(level) = facts.by_default.filter(|it| *it > ThinkingLevel::Off) {
                let is_fixed = facts.levels.is_empty();
                assert!(is_fixed || facts.levels.contains(&level), "{row:?}");
            }
            for name in &row.names {
                assert_eq!(name, &name.to_lowercase().replace('.', "-"));
                let found = facts_of(rows, name).unwrap();
                assert!(
                    Arc::ptr_eq(&found, facts),
                    "{name} is hidden by a row above"
                );
            }
        }
    }

    /// What the table says of a model that reasons is what a row says of it.
    #[test]
    fn every_model_of_the_table_that_reasons_has_a_row() {
        let catalogue = Catalogue::default();
        for row in own_table().models.rows() {
            let info = catalogue.lookup(&row.model());
            let facts = reasoning(&info.model.model);
            if info.thinking {
                assert_ne!(*facts, ReasoningFacts::default(), "{}", info.model);
                assert_ne!(facts.style, Some(ReasoningStyle::Never), "{}", info.model);
            }
            assert_eq!(facts, info.reasoning);
        }
    }

    #[test]
    fn a_family_is_known_by_whole_words_whoever_serves_it() {
        use ReasoningOff::{BetweenTools, Disabled, Never, Omitted, Unknown};
        for (id, off, by_default) in [
            ("claude-sonnet-5-5", BetweenTools, Some("high")),
            ("anthropic/claude-sonnet-5.5", BetweenTools, Some("high")),
            ("claude-opus-5-5", Never, Some("medium")),
            ("claude-opus-5", Disabled, Some("high")),
            ("claude-opus-5-20270101", Disabled, Some("high")),
            ("claude-haiku-5-5", Disabled, Some("medium")),
            ("claude-fable-5-2", Never, Some("high")),
            ("claude-opus-4.8", Omitted, Some("off")),
            ("claude-opus-4-20250514", Omitted, Some("off")),
            (
                "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
                Omitted,
                Some("off"),
            ),
            ("claude-3-5-haiku-20241022", Omitted, Some("off")),
            ("claude-of-tomorrow-9", Unknown, None),
            ("gpt-5-2025-08-07", Never, Some("medium")),
            ("gpt-5.2", Disabled, Some("off")),
            ("openai/gpt-5.1", Disabled, Some("off")),
            ("gpt-6-sol", Disabled, Some("medium")),
            ("gpt-6.2-sol", Never, Some("medium")),
            ("openai/gpt-oss-120b", Never, Some("medium")),
            ("o4-mini", Never, Some("medium")),
            ("gemini-3.8-flash", Never, Some("medium")),
            ("models/gemini-2.5-flash", Disabled, None),
            ("gemini-2.5-flash-lite", Disabled, Some("off")),
            ("gemini-2.5-pro", Never, None),
            ("deepseek-flash", Disabled, Some("high")),
            ("grok-4.7", Never, Some("high")),
            ("grok-4.3", Disabled, None),
            ("grok-4-fast", Never, None),
            ("qwen3-coder:30b", Unknown, None),
            ("", Unknown, None),
            ("ungpt-5", Unknown, None),
        ] {
            let facts = reasoning(id);
            assert_eq!(facts.off, off, "{id}");
            assert_eq!(
                facts.by_default.map(ThinkingLevel::name),
                by_default,
                "{id}"
            );
        }
        let unknown = Catalogue::default().lookup(&ModelRef::new("proxy", "gpt-6-sol"));
        assert_eq!(unknown.reasoning.off, Disabled);
    }

    #[test]
    fn a_row_that_is_mistyped_is_refused() {
        let parsed = |row: &str| toml::from_str::<ReasoningRow>(row);
        assert!(parsed("names = ['a']\noff = 'never'").is_ok());
        for row in [
            "off = 'never'",
            "names = ['a']",
            "names = ['a']\noff = 'sometimes'",
            "names = ['a']\noff = 'never'\nlevels = ['lots']",
            "names = ['a']\noff = 'never'\nlevels = ['default']",
            "names = ['a']\noff = 'never'\ncolour = 'red'",
        ] {
            assert!(parsed(row).is_err(), "{row}");
        }
    }

    proptest! {
        #[test]
        fn any_id_has_facts(id in "(claude|gpt|gemini|é|中|-|\\.|[0-9]|\\PC){0,12}") {
            let facts = reasoning(&id);
            for wish in ThinkingLevel::ALL {
                let sent = facts.nearest(wish);
                prop_assert!(sent <= ThinkingLevel::Off || facts.levels.contains(&sent));
            }
        }
    }
}
