//! What the next request says, ready to be looked up: texts, quotes and names.

use std::collections::HashSet;

use aho_corasick::AhoCorasick;

use crate::context::audit::keywords;
use crate::context::rules::Rule;
use crate::context::summary::heading_words;
use crate::context::summary::template::SectionRole;
use crate::context::{identifiers, sources};

use super::{LostText, NextRequestText};

/// The kept texts in lower case, runs of white space as one space.
pub(super) struct KeptTexts {
    /// What the summary says in words.
    pub summary: String,
    pub squeezed: Vec<String>,
}

impl KeptTexts {
    pub(super) fn of(kept: &NextRequestText) -> Self {
        let messages = kept.messages.iter();
        let mut squeezed = vec![squeeze(&kept.summary)];
        squeezed.extend(messages.map(|message| squeeze(&sources::text_of(message))));
        Self {
            summary: keywords::normalize(&without_lists(&kept.summary)),
            squeezed,
        }
    }
}

/// A summary without its lists of identifiers and files: a name in a list does not say what was
/// asked.
fn without_lists(summary: &str) -> String {
    let mut out = String::with_capacity(summary.len());
    let mut is_list = false;
    for line in summary.lines() {
        if line.starts_with('#') {
            let title = line.trim_start_matches('#').trim();
            let role = heading_words::role_of(title);
            is_list = matches!(role, SectionRole::Identifiers | SectionRole::Files);
        }
        if !is_list {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&word.to_lowercase());
    }
    out
}

/// Which rules and commands the kept texts say: all are looked for at once.
pub(super) struct Quotes {
    found: HashSet<String>,
}

impl Quotes {
    pub(super) fn of(failures: &[LostText], rules: &[&Rule], texts: &KeptTexts) -> Self {
        let failures = failures.iter().map(|failure| failure.text.as_str());
        let rules = rules.iter().map(|rule| rule.text.as_str());
        let wanted: Vec<String> = failures.chain(rules).map(quote_key).collect();
        let mut found = HashSet::new();
        if let Ok(finder) = AhoCorasick::new(&wanted) {
            for text in &texts.squeezed {
                let hits = finder.find_overlapping_iter(text);
                let hits = hits.filter_map(|hit| wanted.get(hit.pattern().as_usize()));
                for hit in hits {
                    if !found.contains(hit) {
                        found.insert(hit.clone());
                    }
                }
            }
        }
        Self { found }
    }

    pub(super) fn has(&self, text: &str) -> bool {
        self.found.contains(&quote_key(text))
    }
}

/// A text as it is looked for: a cut one up to the cut.
fn quote_key(text: &str) -> String {
    squeeze(text.strip_suffix('…').unwrap_or(text))
}

/// The names that the kept texts say.
pub(super) struct KeptNames<'a> {
    whole: HashSet<&'a str>,
    /// The ends of paths: `b.rs` and `a/b.rs` of `src/a/b.rs`.
    ends: HashSet<&'a str>,
}

impl<'a> KeptNames<'a> {
    pub(super) fn of(texts: &'a [String]) -> Self {
        let mut names = Self {
            whole: HashSet::new(),
            ends: HashSet::new(),
        };
        for text in texts {
            identifiers::each_candidate(text, &mut |token| {
                if token.len() > identifiers::MAX_TOKEN_BYTES {
                    return;
                }
                names.whole.insert(token);
                let name = identifiers::without_line(token);
                names.whole.insert(name);
                names.ends.extend(path_ends(name));
            });
        }
        names
    }

    /// Whether a name is said, whatever its case; a path also in a shorter or longer form.
    pub(super) fn has(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let is_said = |name: &str| self.whole.contains(name) || self.ends.contains(name);
        let bare = identifiers::without_line(&name);
        let mut shorter = path_ends(bare).filter(|end| end.contains('/'));
        is_said(&name) || is_said(bare) || shorter.any(|end| self.whole.contains(end))
    }
}

/// What is behind each slash of a path.
fn path_ends(path: &str) -> impl Iterator<Item = &str> {
    let slashes = path.match_indices('/');
    let ends = slashes.filter_map(|(at, _)| path.get(at + 1..));
    ends.filter(|end| !end.is_empty())
}
