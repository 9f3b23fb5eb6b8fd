//! Ids of tool calls as a provider accepts them.
//!
//! Providers refuse each other's ids (characters, length) and repeated ones; logs have
//! both. Ids depend only on the calls before them, so a request's prefix stays stable.

use std::collections::{HashMap, HashSet};

/// The longest id that all providers take.
const MAX_ID_CHARS: usize = 40;

/// What an id may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdStyle {
    /// Letters, digits, `_` and `-`.
    Any,
    /// Exactly nine letters or digits (Mistral).
    Nine,
}

/// Assigns ids in one request.
#[derive(Debug)]
pub(super) struct WireIds {
    style: IdStyle,
    used: HashSet<String>,
    current: HashMap<String, String>,
    calls: usize,
}

impl WireIds {
    /// For one request.
    pub(super) fn new(style: IdStyle) -> Self {
        Self {
            style,
            used: HashSet::new(),
            current: HashMap::new(),
            calls: 0,
        }
    }

    /// The id of the next call.
    pub(super) fn call(&mut self, id: &str) -> String {
        self.calls += 1;
        let plain = self.plain(id);
        let mut unique = plain.clone();
        let mut copy = 1_usize;
        while self.used.contains(&unique) {
            copy += 1;
            unique = format!("{plain}_{copy}");
        }
        self.used.insert(unique.clone());
        self.current.insert(id.to_owned(), unique.clone());
        unique
    }

    /// The id of the result that answers the newest call with this id.
    pub(super) fn result(&self, id: &str) -> String {
        self.current
            .get(id)
            .cloned()
            .unwrap_or_else(|| self.plain(id))
    }

    fn plain(&self, id: &str) -> String {
        let fits_nine = id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric());
        match self.style {
            IdStyle::Nine if fits_nine => id.to_owned(),
            IdStyle::Nine => format!("c{:08}", self.calls),
            IdStyle::Any if id.is_empty() => format!("call_{}", self.calls),
            IdStyle::Any => id
                .chars()
                .take(MAX_ID_CHARS)
                .map(|c| match c {
                    'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => c,
                    _ => '_',
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_clean_unique_and_answered() {
        let mut ids = WireIds::new(IdStyle::Any);
        assert_eq!(ids.call("toolu_1"), "toolu_1");
        assert_eq!(ids.call("functions.read:0"), "functions_read_0");
        assert_eq!(ids.result("functions.read:0"), "functions_read_0");
        assert_eq!(ids.call("functions.read:0"), "functions_read_0_2");
        assert_eq!(ids.result("functions.read:0"), "functions_read_0_2");
        assert_eq!(ids.call(""), "call_4");
        assert_eq!(ids.result(""), "call_4");
        assert_eq!(ids.call(&"x".repeat(99)).len(), MAX_ID_CHARS);
        let mut nine = WireIds::new(IdStyle::Nine);
        assert_eq!(nine.call("AbCdEf123"), "AbCdEf123");
        assert_eq!(nine.call("toolu_1"), "c00000002");
        assert_eq!(nine.result("toolu_1"), "c00000002");
    }
}
