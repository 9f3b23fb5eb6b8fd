//! Reads the words of clauses, and remembers them: each part of a clause is looked at many
//! times before it is known what is a rule.

use std::cell::RefCell;
use std::rc::Rc;

use plimsoll_cues::{CueHits, LatinVotes, NormalText, language_of};
use rustc_hash::FxHashMap;

use super::typed::TypedLine;

/// Longer texts are read each time: what is remembered of one takes about ten times its size.
const MAX_REMEMBERED_BYTES: usize = 1_000;
/// What is remembered is forgotten when it is so many texts: those of a few sentences.
const MAX_REMEMBERED: usize = 200;

/// The words of a clause and the cues in them.
#[derive(Debug)]
pub(super) struct ClauseWords {
    pub normal: NormalText,
    pub cues: CueHits,
}

/// Reads the clauses of one message, in its languages.
#[derive(Debug, Default)]
pub(super) struct ClauseReader {
    votes: LatinVotes,
    remembered: RefCell<FxHashMap<Box<str>, Rc<ClauseWords>>>,
}

impl ClauseReader {
    /// For a message of these lines.
    pub(super) fn of(lines: &[TypedLine<'_>]) -> Self {
        let mut reader = Self::default();
        for line in lines {
            reader.votes.add(&NormalText::of(&line.masked));
        }
        reader
    }

    /// The words of a masked text.
    pub(super) fn words(&self, masked: &str) -> Rc<ClauseWords> {
        if masked.len() > MAX_REMEMBERED_BYTES {
            return Rc::new(self.read(masked));
        }
        let mut remembered = self.remembered.borrow_mut();
        if let Some(known) = remembered.get(masked) {
            return Rc::clone(known);
        }
        if remembered.len() >= MAX_REMEMBERED {
            remembered.clear();
        }
        let words = Rc::new(self.read(masked));
        remembered.insert(masked.into(), Rc::clone(&words));
        words
    }

    fn read(&self, masked: &str) -> ClauseWords {
        let mut normal = NormalText::of(masked);
        let cues = language_of(&normal, &self.votes).map(|language| {
            language.correct(&mut normal);
            language.cues(&normal)
        });
        ClauseWords {
            normal,
            cues: cues.unwrap_or_default(),
        }
    }
}
