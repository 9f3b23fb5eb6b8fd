//! Ids in the forms that other programs want, derived from ours: the same session gives the
//! same file, and no id of an existing session of theirs.

use std::collections::HashSet;
use std::fmt::Write as _;

use ring::digest::{SHA256, digest};

use crate::transcript::Timestamp;

/// Longest name of a tool, in characters.
const MAX_NAME_CHARS: usize = 64;
/// Longest id of a call, in characters.
const MAX_CALL_CHARS: usize = 60;

/// Hexadecimal digits of a text's hash.
pub(super) fn digits(seed: &str, count: usize) -> String {
    let hash = digest(&SHA256, seed.as_bytes());
    let mut out = String::new();
    for byte in hash.as_ref() {
        let _ = write!(out, "{byte:02x}");
    }
    out.truncate(count);
    out
}

/// A random-looking UUID, version 4.
pub(super) fn uuid(seed: &str) -> String {
    let hex = digits(seed, 32);
    grouped(&hex, '4')
}

/// A UUID that sorts by time, version 7.
pub(super) fn uuid_at(seed: &str, at: Timestamp) -> String {
    let millis = at.0.max(0) as u64 & 0xffff_ffff_ffff;
    let hex = format!("{millis:012x}{}", digits(seed, 20));
    grouped(&hex, '7')
}

/// 32 digits in the groups of a UUID, with its version and variant.
fn grouped(hex: &str, version: char) -> String {
    let mut out = String::with_capacity(36);
    for (at, digit) in hex.chars().enumerate() {
        if matches!(at, 8 | 12 | 16 | 20) {
            out.push('-');
        }
        out.push(match at {
            12 => version,
            16 => 'a',
            _ => digit,
        });
    }
    out
}

/// A name that providers accept: letters, digits, `_` and `-`.
pub(super) fn tool_name(name: &str) -> String {
    let safe = plain(name, MAX_NAME_CHARS);
    if safe.is_empty() {
        "tool".to_owned()
    } else {
        safe
    }
}

fn plain(text: &str, most: usize) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let chars = text.chars().map(|c| if safe(c) { c } else { '_' });
    chars.take(most).collect()
}

/// Ids of calls that are unique in a file and that providers accept.
#[derive(Debug, Default)]
pub(super) struct CallIds(HashSet<String>);

impl CallIds {
    /// The id to write for the next call of this id; `seed` tells calls of the same id apart.
    pub(super) fn take(&mut self, id: &str, seed: &str) -> String {
        let safe = plain(id, MAX_CALL_CHARS);
        let is_same = safe == id && !id.is_empty();
        let mut wanted = if is_same {
            safe
        } else {
            format!("call_{}", digits(seed, 24))
        };
        let mut number = 1;
        while !self.0.insert(wanted.clone()) {
            number += 1;
            wanted = format!("call_{}", digits(&format!("{seed}/{number}"), 24));
        }
        wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_the_form_that_is_wanted_and_repeat_for_the_same_seed() {
        let id = uuid("a");
        assert_eq!(id, uuid("a"));
        assert_ne!(id, uuid("b"));
        let groups: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(groups, [8, 4, 4, 4, 12]);
        let early = uuid_at("x", Timestamp(1_795_222_163_267));
        let late = uuid_at("a", Timestamp(1_795_222_163_268));
        assert!(
            early < late && early.chars().nth(14) == Some('7'),
            "{early}"
        );
        assert_eq!(early.len(), 36);
    }

    #[test]
    fn calls_with_the_same_id_get_ids_of_their_own() {
        let mut ids = CallIds::default();
        assert_eq!(ids.take("call_1", "e1"), "call_1");
        let second = ids.take("call_1", "e2");
        let odd = ids.take("a|b/../é", "e3");
        assert_ne!(second, "call_1");
        for id in [second, odd, ids.take("", "e4"), tool_name("mcp: a.b")] {
            let is_safe = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            assert!(!id.is_empty() && id.chars().all(is_safe), "{id}");
        }
    }
}
