//! Typing errors in the words that make a rule: “alwasy”, “nevr”, “rember”.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cue::{Cue, CueTable};
use crate::normal::NormalText;

/// Words that are corrected have at least so many letters,
const MIN_LETTERS: usize = 4;
/// and what is typed for them at most so many.
const MAX_LETTERS: usize = 16;
/// Of words with this many letters, one letter may be another: “dorénavent”,
const LONG_LETTERS: usize = 7;
/// and of longer ones two letters may be missing: “rember”.
const LONGER_LETTERS: usize = 8;

/// The words of a language that are corrected when they are mistyped.
pub struct Spelling {
    /// By their first letter.
    words: FxHashMap<char, Vec<Word>>,
    known: FxHashSet<String>,
}

struct Word {
    text: String,
    letters: Vec<char>,
    /// Nothing else ends otherwise: “nevr” and “sempr” are no other forms of a word.
    has_free_end: bool,
}

impl Spelling {
    pub fn of(table: &CueTable) -> Self {
        let mut known: FxHashSet<String> = table.common.split('|').map(str::to_owned).collect();
        let (mut read, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let mut words: FxHashMap<char, Vec<Word>> = FxHashMap::default();
        for (cue, phrases) in table.cues {
            let least = match cue {
                Cue::Absolute => Some(MIN_LETTERS),
                Cue::Lasting => Some(MIN_LETTERS + 1),
                Cue::Remember => Some(MIN_LETTERS + 2),
                _ => None,
            };
            for word in phrases.split(['|', ' ', '^', '$', '*', '.', ':', ',']) {
                // Most words are in many phrases.
                if !read.insert((word, least)) {
                    continue;
                }
                let text = NormalText::of_phrase(word);
                let letters: Vec<char> = text.chars().collect();
                let is_plain = letters.iter().all(|c| c.is_alphabetic());
                if let Some(least) = least
                    && let Some(&first) = letters.first()
                    && is_plain
                    && letters.len() >= least
                    && seen.insert(text.clone())
                {
                    words.entry(first).or_default().push(Word {
                        text: text.clone(),
                        letters,
                        has_free_end: *cue == Cue::Absolute,
                    });
                }
                known.insert(text);
            }
        }
        Self { words, known }
    }

    /// The word that was meant, when what was typed is none of the language's.
    pub fn meant(&self, typed: &str) -> Option<&str> {
        if typed.len() < MIN_LETTERS - 1 || typed.len() > MAX_LETTERS * 2 {
            return None;
        }
        let candidates = self.words.get(&typed.chars().next()?)?;
        if self.known.contains(typed) {
            return None;
        }
        let letters: Vec<char> = typed.chars().collect();
        if letters.len() > MAX_LETTERS {
            return None;
        }
        let meant = candidates.iter().find(|word| word.is_meant_by(&letters))?;
        Some(&meant.text)
    }
}

impl Word {
    fn is_meant_by(&self, typed: &[char]) -> bool {
        let length = self.letters.len();
        let most_missing = if length >= LONGER_LETTERS { 2 } else { 1 };
        if typed.len() > length + 1 || typed.len() + most_missing < length {
            return false;
        }
        let is_ended = self.has_free_end || self.letters.last() == typed.last();
        let is_swapped = |at: usize| {
            let mut swapped = typed.to_vec();
            swapped.swap(at, at + 1);
            swapped == self.letters
        };
        if length == typed.len() {
            let differing: Vec<usize> = (0..length)
                .filter(|&at| self.letters[at] != typed[at])
                .collect();
            return match differing.as_slice() {
                [_] => is_ended && length >= LONG_LETTERS,
                [first, _] => is_swapped(*first),
                _ => false,
            };
        }
        is_ended && (is_part(typed, &self.letters) || is_part(&self.letters, typed))
    }
}

/// Whether all letters of one word are in another, in their order.
fn is_part(part: &[char], whole: &[char]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|letter| rest.any(|other| other == letter))
}
