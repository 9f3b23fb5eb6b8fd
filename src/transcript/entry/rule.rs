//! What a person decides about a standing rule, and how a rule is named.

use std::fmt;

/// Identity of a rule: the same for the same words in the same message.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(String);

/// Start and factor of the 64-bit FNV-1a hash: small, stable, without a crate.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_FACTOR: u64 = 0x0100_0000_01b3;

impl RuleId {
    /// Wraps an id from a log or a command line.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The id of a rule that this source says in these words. The source is an entry id, or
    /// empty for a rule that is added by hand.
    pub fn of(source: &str, text: &str) -> Self {
        let bytes = source.bytes().chain([0]).chain(text.bytes());
        let hash = bytes.fold(FNV_START, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(FNV_FACTOR)
        });
        Self(format!("r{:08x}", (hash ^ (hash >> 32)) & 0xffff_ffff))
    }

    /// The id as it is written in logs and commands.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A person's change of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleChange {
    /// It no longer counts.
    Strike,
    /// It counts again, whatever ended it.
    BringBack,
    /// It is one, and leaves a full block last.
    Confirm,
    /// It counts in these words; the message that said it stays its source.
    Reword(String),
    /// A rule that no message says.
    Add(String),
}

impl RuleChange {
    /// The name in the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Strike => "strike",
            Self::BringBack => "bring_back",
            Self::Confirm => "confirm",
            Self::Reword(_) => "reword",
            Self::Add(_) => "add",
        }
    }

    /// What was done, as a noun.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Strike => "striking",
            Self::BringBack => "return",
            Self::Confirm => "confirmation",
            Self::Reword(_) => "rewording",
            Self::Add(_) => "addition",
        }
    }

    /// The change with this name. `text` is what a rewording or an added rule says.
    pub fn from_name(name: &str, text: &str) -> Option<Self> {
        Some(match name {
            "strike" => Self::Strike,
            "bring_back" => Self::BringBack,
            "confirm" => Self::Confirm,
            "reword" => Self::Reword(text.to_owned()),
            "add" => Self::Add(text.to_owned()),
            _ => return None,
        })
    }

    /// The new words, where it brings some.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Reword(text) | Self::Add(text) => Some(text),
            Self::Strike | Self::BringBack | Self::Confirm => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_depends_on_the_source_and_the_words() {
        let id = RuleId::of("a1", "never push");
        assert_eq!(id, RuleId::of("a1", "never push"));
        assert_ne!(id, RuleId::of("a2", "never push"));
        assert_ne!(id, RuleId::of("a1", "never pull"));
        assert_ne!(RuleId::of("a", "1x"), RuleId::of("a1", "x"));
        assert_eq!(id.as_str().len(), 9);
    }

    #[test]
    fn every_change_is_found_by_the_name_that_it_is_written_with() {
        let changes = [
            RuleChange::Strike,
            RuleChange::BringBack,
            RuleChange::Confirm,
            RuleChange::Reword("a".to_owned()),
            RuleChange::Add("b".to_owned()),
        ];
        for change in changes {
            let text = change.text().unwrap_or_default();
            assert_eq!(
                RuleChange::from_name(change.name(), text),
                Some(change.clone())
            );
        }
        assert_eq!(RuleChange::from_name("praise", ""), None);
    }
}
