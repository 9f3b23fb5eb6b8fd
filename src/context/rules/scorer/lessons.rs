//! What the scorer learns from: the clauses of a labelled message and their parts, with their
//! features, as the program sees them.

use super::super::clause::Clause;
use super::super::finder::said_in;
use super::super::joint::joints;
use super::features::{BUCKETS, FeatureGroup, Features, Surroundings};

/// How many weights the model has.
pub const MODEL_BUCKETS: usize = BUCKETS;

/// A clause, or a part of one, to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Its words.
    pub text: String,
    /// Its features.
    pub groups: [FeatureGroup; 3],
}

impl Lesson {
    fn of(clause: &Clause<'_>, around: Surroundings<'_>) -> Self {
        Self {
            text: clause.text.to_owned(),
            groups: Features::of(clause, around).groups(),
        }
    }
}

/// The lessons of a message that a person typed.
pub fn lessons(text: &str) -> Vec<Lesson> {
    let mut all = Vec::new();
    said_in(text, |clause, around, reader| {
        all.push(Lesson::of(clause, around));
        let end = clause.text.len();
        let of_part = around.of_part();
        for joint in joints(clause) {
            for range in [0..joint.start, joint.end..end] {
                let part = clause.part(range.start, range.end, reader);
                all.push(Lesson::of(&part, of_part));
            }
        }
    });
    all
}
