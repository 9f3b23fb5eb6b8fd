//! Ids of tool calls as a provider accepts them.
//!
//! Providers refuse each other's ids (characters, length) and repeated ones; logs have
//! both. Ids depend only on the calls before them, so a request's prefix stays stable.

use std::collections::{HashMap, HashSet};

/// The longest id that all providers take.
const MAX_ID_CHARS: usize = 40;

/// The format of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::provider) enum CallIdStyle {
    /// Letters, digits, `_` and `-`.
    Any,
    /// Exactly nine letters or digits (Mistral).
    Nine,
}

/// Assigns ids in one request.
#[derive(Debug)]
pub(in crate::provider) struct WireIds {
    style: CallIdStyle,
    used: HashSet<String>,
    current: HashMap<String, String>,
    calls: usize,
}

impl WireIds {
    /// For one request.
    pub(in crate::provider) fn new(style: CallIdStyle) -> Self {
        Self {
            style,
            used: HashSet::new(),
            current: HashMap::new(),
            calls: 0,
        }
    }

    /// The id of the next call.
    pub(in crate::provider) fn call(&mut self, id: &str) -> String {
        self.calls += 1;
        let plain = self.plain(id);
        let mut unique = plain.clone();
        let mut copy = 1_usize;
        while self.used.contains(&unique) {
            copy += 1;
            unique = self.copy_of(&plain, copy);
        }
        self.used.insert(unique.clone());
        self.current.insert(id.to_owned(), unique.clone());
        unique
    }

    /// An id for the `copy`-th call of one id, as long as an id may be.
    fn copy_of(&self, plain: &str, copy: usize) -> String {
        match self.style {
            CallIdStyle::Nine => format!("r{copy:02}{:06}", self.calls),
            CallIdStyle::Any => {
                let suffix = format!("_{copy}");
                let kept = MAX_ID_CHARS.saturating_sub(suffix.len());
                plain.chars().take(kept).collect::<String>() + &suffix
            }
        }
    }

    /// The id of the result that answers the newest call with this id.
    pub(in crate::provider) fn result(&self, id: &str) -> String {
        self.current
            .get(id)
            .cloned()
            .unwrap_or_else(|| self.plain(id))
    }

    fn plain(&self, id: &str) -> String {
        let fits_nine = id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric());
        match self.style {
            CallIdStyle::Nine if fits_nine => id.to_owned(),
            CallIdStyle::Nine => format!("c{:08}", self.calls),
            CallIdStyle::Any if id.is_empty() => format!("call_{}", self.calls),
            CallIdStyle::Any => cleaned(id, MAX_ID_CHARS),
        }
    }
}

/// The name of a called tool as all providers accept it. Models make names up, and one bad
/// name in the history would have every later request refused.
pub(crate) fn wire_name(name: &str) -> String {
    /// The longest name that all providers take.
    const MAX_NAME_CHARS: usize = 64;
    if name.is_empty() {
        return "unnamed".to_owned();
    }
    cleaned(name, MAX_NAME_CHARS)
}

fn cleaned(text: &str, max_chars: usize) -> String {
    text.chars()
        .take(max_chars)
        .map(|c| match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => c,
            _ => '_',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_clean_unique_and_answered() {
        let mut ids = WireIds::new(CallIdStyle::Any);
        assert_eq!(ids.call("toolu_1"), "toolu_1");
        assert_eq!(ids.call("functions.read:0"), "functions_read_0");
        assert_eq!(ids.result("functions.read:0"), "functions_read_0");
        assert_eq!(ids.call("functions.read:0"), "functions_read_0_2");
        assert_eq!(ids.result("functions.read:0"), "functions_read_0_2");
        assert_eq!(ids.call(""), "call_4");
        assert_eq!(ids.result(""), "call_4");
        assert_eq!(ids.call(&"x".repeat(99)).len(), MAX_ID_CHARS);
        let again = ids.call(&"x".repeat(98));
        assert_eq!(
            again,
            "x".repeat(38) + "_2",
            "a copy is no longer than an id may be"
        );
        let mut nine = WireIds::new(CallIdStyle::Nine);
        assert_eq!(nine.call("AbCdEf123"), "AbCdEf123");
        assert_eq!(nine.call("toolu_1"), "c00000002");
        assert_eq!(nine.result("toolu_1"), "c00000002");
        assert_eq!(nine.call("AbCdEf123"), "r02000003");
        assert_eq!(nine.result("AbCdEf123"), "r02000003");
    }

    #[test]
    fn names_that_a_model_made_up_are_cleaned() {
        assert_eq!(wire_name("read"), "read");
        assert_eq!(wire_name("mcp.server/tool"), "mcp_server_tool");
        assert_eq!(wire_name(""), "unnamed");
        assert_eq!(wire_name(&"n".repeat(200)).len(), 64);
    }
}
