//! Secrets in text: API keys, tokens, private keys, passwords in assignments. What
//! these rules match is never an identifier and never stays in a summary. Rules ask for
//! enough structure that ordinary code and prose stay as they are.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use self::rules::{VALUE, ValueRule, WHOLE, can_match, is_password_like};

mod rules;

/// The mark in the place of a secret.
pub const PLACEHOLDER: &str = "[secret removed]";

/// The first line of a private key.
static KEY_BEGIN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----").ok());

/// The mark of a private key's last line.
const KEY_END: &str = "-----END ";

/// Longest private key, in bytes.
const MAX_KEY_BYTES: usize = 20_000;

/// Secrets that were given away somewhere by their surroundings: the same value is a
/// secret where nothing around it says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownSecrets {
    values: BTreeSet<String>,
}

impl KnownSecrets {
    /// Learns from a text.
    pub fn learn(&mut self, text: &str) {
        for range in values(text) {
            let value = text.get(range).unwrap_or_default();
            // What is as short or plain as a word would be found in any sentence.
            if is_password_like(value) {
                self.values.insert(value.to_owned());
            }
        }
    }

    /// How many of them, or of those that a rule finds, are in a text.
    pub fn count_in(&self, text: &str) -> usize {
        self.ranges(text).len()
    }

    /// Whether this is, or contains, one of them.
    pub fn is_in(&self, text: &str) -> bool {
        self.values.iter().any(|value| text.contains(value))
    }

    /// The text without them and without what the rules find.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        replaced(text, self.ranges(text), PLACEHOLDER)
    }

    /// The text with another mark in the place of secrets.
    pub fn replace<'a>(&self, text: &'a str, mark: &str) -> Cow<'a, str> {
        replaced(text, self.ranges(text), mark)
    }

    /// Where they are, or what a rule finds, in order, without overlaps.
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = find(text);
        for value in &self.values {
            let hits = text.match_indices(value.as_str());
            found.extend(hits.map(|(at, _)| at..at + value.len()));
        }
        merged(found)
    }
}

/// Where secrets are, in order, without overlaps. Linear in the text.
pub fn find(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for begin in KEY_BEGIN.iter().flat_map(|rule| rule.find_iter(text)) {
        found.push(begin.start()..key_end(text, begin.end()));
    }
    for ValueRule { rule, is_plausible } in WHOLE.iter() {
        let hits = rule.find_iter(text);
        let hits = hits.filter(|hit| is_plausible(hit.as_str()));
        found.extend(hits.map(|hit| hit.range()));
    }
    found.extend(values(text));
    merged(found)
}

/// Where the secrets are that their surroundings give away; in no order.
fn values(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let rules = VALUE.iter().zip(can_match(text));
    for (ValueRule { rule, is_plausible }, _) in rules.filter(|(_, can)| *can) {
        let hits = rule.captures_iter(text).filter_map(|c| c.get(1));
        found.extend(
            hits.filter(|hit| is_plausible(hit.as_str()))
                .map(|hit| hit.range()),
        );
    }
    found
}

/// The text with every secret replaced.
pub fn redact(text: &str) -> Cow<'_, str> {
    replaced(text, find(text), PLACEHOLDER)
}

fn replaced<'a>(text: &'a str, found: Vec<Range<usize>>, mark: &str) -> Cow<'a, str> {
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for range in found {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(mark);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(out)
}

/// Where a private key ends whose first line ends at `from`: after its last line, or,
/// where that is cut off, after the lines that can only be key material.
fn key_end(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    if let Some(at) = rest.find(KEY_END).filter(|at| *at <= MAX_KEY_BYTES) {
        let last = rest.get(at..).unwrap_or_default();
        let after_mark = last.get(KEY_END.len()..).unwrap_or_default();
        let length = after_mark.find("-----").map_or(0, |n| n + "-----".len());
        return from + at + KEY_END.len() + length;
    }
    let is_material = |line: &&str| {
        line.trim()
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='))
    };
    let material: usize = rest
        .split_inclusive('\n')
        .take_while(is_material)
        .map(str::len)
        .sum();
    from + material
}

fn merged(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|range| (range.start, range.end));
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in found {
        match out.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

#[cfg(test)]
mod tests;
