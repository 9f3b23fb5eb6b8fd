//! What a compaction leaves to the model in the place of what it replaced, and whether a
//! fact is in it.

use std::collections::HashSet;

use crate::context::audit::keywords;

use super::names::{self, SpelledName};
use super::quantities::{self, Quantity};

/// Share of the words of a statement that a line must have to say it in other words, of 100.
const REWORDED_PERCENT: usize = 60;
/// A statement with fewer words is said verbatim or not at all.
const MIN_REWORDED_WORDS: usize = 3;
/// Longest end of a word that is no part of its stem, in characters.
const STEM_CHARS: usize = 6;

/// How much of a fact is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kept {
    Verbatim,
    Reworded,
    No,
}

/// The names of some texts, for looking them up.
#[derive(Debug, Default)]
pub(super) struct NameIndex {
    spelled: HashSet<String>,
    keys: HashSet<String>,
    /// File names with the folder that they are in.
    foldered: HashSet<(String, String)>,
}

impl NameIndex {
    /// Adds the names of a text.
    pub(super) fn read(&mut self, text: &str) {
        names::each_name(text, &mut |name| {
            if !self.spelled.contains(name.text) {
                self.spelled.insert(name.text.to_owned());
            }
            let key = names::key(name);
            if name.kind == names::NameKind::Path {
                let folder = names::folder(name.text).to_lowercase();
                self.foldered.insert((key.clone(), folder));
            }
            self.keys.insert(key);
        });
    }

    /// Whether a name is there in any spelling; of a file whose name others have too, in
    /// its folder.
    pub(super) fn has(&self, key: &str, folder: Option<&str>) -> bool {
        match folder {
            None => self.keys.contains(key),
            Some(folder) => self.foldered.contains(&(key.to_owned(), folder.to_owned())),
        }
    }
}

/// A text with indices for looking up facts.
#[derive(Debug, Default)]
pub(super) struct CarriedText {
    text: String,
    /// Lower case, one space between words, no marks of emphasis.
    folded: String,
    lines: Vec<CarriedLine>,
    names: NameIndex,
    quantities: Vec<Quantity>,
}

#[derive(Debug)]
struct CarriedLine {
    text: String,
    stems: HashSet<String>,
    /// The heading or tag that it stands under.
    heading: usize,
}

impl CarriedText {
    pub(super) fn of(text: &str) -> Self {
        let mut out = Self {
            text: text.to_owned(),
            folded: folded(text),
            quantities: quantities::quantities(text),
            ..Self::default()
        };
        let mut heading = 0;
        for (at, line) in text.lines().enumerate() {
            let trimmed = line.trim();
            let is_heading = trimmed.starts_with('#')
                || trimmed.starts_with('<') && trimmed.ends_with('>')
                || trimmed.ends_with(':');
            if is_heading {
                heading = at;
            }
            out.lines.push(CarriedLine {
                text: folded(line),
                stems: stems(line).collect(),
                heading,
            });
        }
        out.names.read(text);
        out
    }

    /// Whether a name is there. Of a file whose name others have too, in its folder.
    pub(super) fn name(&self, spellings: &[String], key: &str, folder: Option<&str>) -> Kept {
        let is_spelled = |spelling: &String| {
            self.names.spelled.contains(spelling) || has_whole(&self.text, spelling)
        };
        if spellings.iter().any(is_spelled) {
            Kept::Verbatim
        } else if self.names.has(key, folder) {
            Kept::Reworded
        } else {
            Kept::No
        }
    }

    /// Whether a name is there, spelled as it is or otherwise.
    pub(super) fn spelled_name(&self, name: SpelledName<'_>) -> Kept {
        self.name(&[name.text.to_owned()], &names::key(name), None)
    }

    /// Whether a statement is there: as it is, or in a line or two with most of its words and
    /// all of its names and numbers.
    pub(super) fn statement(&self, statement: &str) -> Kept {
        let wanted = folded(statement);
        if wanted.is_empty() {
            return Kept::No;
        }
        if self.folded.contains(&wanted) {
            return Kept::Verbatim;
        }
        let words: HashSet<String> = stems(statement).collect();
        if words.len() < MIN_REWORDED_WORDS {
            return Kept::No;
        }
        let needed = (words.len() * REWORDED_PERCENT).div_ceil(100);
        let has_enough = |at: usize| {
            let next = self.lines.get(at + 1);
            let pair = self.lines.get(at).into_iter().chain(next);
            let has = |word: &&String| pair.clone().any(|line| line.stems.contains(*word));
            words.iter().filter(has).count() >= needed
        };
        let is_said = (0..self.lines.len()).any(has_enough);
        let mut is_exact = true;
        names::each_name(statement, &mut |name| {
            is_exact &= self.spelled_name(name) != Kept::No;
        });
        let numbers = quantities::quantities(statement);
        is_exact &= numbers
            .iter()
            .all(|number| self.quantity(number) != Kept::No);
        if is_said && is_exact {
            Kept::Reworded
        } else {
            Kept::No
        }
    }

    /// Whether a number with its unit is there, as it is or rounded.
    pub(super) fn quantity(&self, wanted: &Quantity) -> Kept {
        if has_whole(&self.folded, &folded(&wanted.text)) {
            return Kept::Verbatim;
        }
        let is_it = |written: &Quantity| written.says(wanted);
        if self.quantities.iter().any(is_it) {
            Kept::Reworded
        } else {
            Kept::No
        }
    }

    /// Lines that have `piece`, in lower case, each with the heading that it stands under.
    pub(super) fn lines_with<'a>(
        &'a self,
        piece: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.lines
            .iter()
            .filter(move |line| has_whole(&line.text, piece))
            .map(|line| {
                let heading = self
                    .lines
                    .get(line.heading)
                    .map_or("", |it| it.text.as_str());
                (line.text.as_str(), heading)
            })
    }
}

/// Lower case, one space between words, without marks of emphasis and code.
pub(super) fn folded(text: &str) -> String {
    let plain = keywords::normalize(text);
    let mut out = String::with_capacity(plain.len());
    for word in plain.split_whitespace() {
        let word = word.trim_matches(['*', '`', '"', '\'', '“', '”', '’']);
        if word.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().filter(|c| *c != '`'));
    }
    out
}

/// The words that carry a text's subject, cut to their stems.
fn stems(text: &str) -> impl Iterator<Item = String> {
    let words = keywords::words(&keywords::normalize(text));
    words
        .into_iter()
        .map(|word| word.chars().take(STEM_CHARS).collect())
}

/// Whether `piece` is in a text with no letter, digit or underscore on either side.
pub(super) fn has_whole(text: &str, piece: &str) -> bool {
    if piece.is_empty() {
        return false;
    }
    let is_joined = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let starts = piece.chars().next();
    let ends = piece.chars().next_back();
    text.match_indices(piece).any(|(at, _)| {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        let after = text
            .get(at + piece.len()..)
            .and_then(|it| it.chars().next());
        !(is_joined(starts) && is_joined(before) || is_joined(ends) && is_joined(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_kept_as_it_is_or_in_other_words_or_not() {
        let carried = CarriedText::of(
            "## Decisions\n- The **cache** lives in `src/cache.rs`, entries expire after 30 s.\n\
             - Postgres was chosen for storage of the ledger over SQLite.",
        );
        for (statement, expected) in [
            ("the cache lives in src/cache.rs", Kept::Verbatim),
            (
                "We chose Postgres rather than SQLite for the ledger storage.",
                Kept::Reworded,
            ),
            (
                "We chose Redis rather than SQLite for the ledger storage of sessions.",
                Kept::No,
            ),
            (
                "cache entries in src/cache.rs expire after 30 seconds",
                Kept::Reworded,
            ),
            (
                "cache entries in src/cache.rs expire after 45 seconds",
                Kept::No,
            ),
            (
                "cache entries in src/store.rs expire after 30 seconds",
                Kept::No,
            ),
            ("", Kept::No),
        ] {
            assert_eq!(carried.statement(statement), expected, "{statement}");
        }
    }

    #[test]
    fn a_piece_of_a_word_is_not_the_word() {
        assert!(has_whole("see parse_it()", "parse_it"));
        assert!(!has_whole("see parse_items", "parse_it"));
        assert!(!has_whole("reparse_it", "parse_it"));
        assert!(has_whole("src/a.rs:12", "src/a.rs"));
        assert!(!has_whole("anything", ""));
    }
}
