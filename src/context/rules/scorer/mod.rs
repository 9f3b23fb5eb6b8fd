//! A learned judgement beside the tables of cues: how much a clause looks like a rule.
//!
//! Tables know the phrases that somebody thought of. The scorer is a logistic model over hashed
//! words, letters, cues and the place of a clause, which generalises from labelled messages.
//! `examples/rules_model.rs` trains it on `tests/data/rules` and writes its weights; the
//! program only adds them up, the same on every machine.

mod features;
mod lessons;

pub use features::FeatureGroup;
pub use lessons::{Lesson, MODEL_BUCKETS, lessons};

pub(super) use features::{Surroundings, near, near_buckets};

use std::ops::Range;

use super::clause::Clause;
use super::clause_reader::ClauseReader;
use super::joint::joints;
use features::Features;

/// Four bytes with what a weight of 1 is worth, a little-endian `f32`, and a signed byte for
/// each bucket.
const MODEL: &[u8] = include_bytes!("../../../../assets/rules-model.bin");
const SCALE_BYTES: usize = size_of::<f32>();

/// From here on a clause is a rule,
const SURE: f32 = 0.3;
/// and from here on it may be one.
const LIKELY: f32 = 0.15;
/// A part is the rule where it looks so much more like one than the whole,
const PART_GAIN: f32 = 0.2;
/// and what is beside it looks less like one than this.
const NONE_BESIDE: f32 = 0.02;
/// From here on such a part is a rule, whatever the whole looks like.
const PART_SURE: f32 = 0.6;

/// How much a clause looks like a rule, from 0 to 1.
pub(super) fn score(clause: &Clause<'_>, around: Surroundings<'_>) -> f32 {
    let Some((scale, weights)) = MODEL.split_at_checked(SCALE_BYTES) else {
        return 0.0;
    };
    let scale = scale.try_into().map_or(0.0, f32::from_le_bytes);
    let weight = |bucket: u32| {
        let weight = weights.get(bucket as usize).copied().unwrap_or_default();
        f32::from(weight.cast_signed())
    };
    let groups = Features::of(clause, around).groups();
    let of_group = |group: &FeatureGroup| {
        let weights: f32 = group.buckets.iter().map(|at| weight(*at)).sum();
        weights * group.value
    };
    let sum = groups.iter().map(of_group).sum::<f32>() * scale;
    1.0 / (1.0 + (-sum).exp())
}

/// What the scorer takes a clause for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    /// The words that are the rule, in bytes of the clause.
    pub range: Range<usize>,
    /// Whether it is a rule.
    pub standing: Standing,
}

/// Whether a clause is a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is none.
    None,
    /// It may be one.
    Likely,
    /// It is one.
    Sure,
}

/// What a clause is taken for.
pub(super) fn judge(
    clause: &Clause<'_>,
    around: Surroundings<'_>,
    reader: &ClauseReader,
) -> Judgement {
    let whole = score(clause, around);
    let (of_best, range) = best_part(clause, around, reader, whole);
    let standing = if whole >= SURE || of_best >= PART_SURE {
        Standing::Sure
    } else if whole.max(of_best) >= LIKELY {
        Standing::Likely
    } else {
        Standing::None
    };
    Judgement { range, standing }
}

/// Whether a clause is a rule.
pub(super) fn is_sure(clause: &Clause<'_>, around: Surroundings<'_>) -> bool {
    score(clause, around) >= SURE
}

/// The part of a clause that is the rule, with its score: the whole, unless a part says enough,
/// looks much more like a rule, and what is beside it looks like none.
fn best_part(
    clause: &Clause<'_>,
    around: Surroundings<'_>,
    reader: &ClauseReader,
    whole: f32,
) -> (f32, Range<usize>) {
    let end = clause.text.len();
    let around = around.of_part();
    let is_much_more = |own: f32| own > whole + PART_GAIN;
    let mut best = (whole, 0..end);
    let mut take = |own: f32, beside: f32, range: Range<usize>| {
        if beside < NONE_BESIDE && own > best.0 + PART_GAIN {
            best = (own, range);
        }
    };
    for joint in joints(clause) {
        let left = clause.part(0, joint.start, reader);
        let of_left = score(&left, around);
        if of_left >= NONE_BESIDE && !is_much_more(of_left) {
            continue;
        }
        let right = clause.part(joint.end, end, reader);
        let of_right = score(&right, around);
        if left.is_wordy() {
            take(of_left, of_right, 0..joint.start);
        }
        if right.is_wordy() && !right.is_question {
            take(of_right, of_left, joint.end..end);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::rules::finder::{self, said_in};

    fn scores(text: &str) -> Vec<f32> {
        let mut scores = Vec::new();
        said_in(text, |clause, around, _| scores.push(score(clause, around)));
        scores
    }

    fn certain(text: &str) -> Vec<String> {
        let rules = finder::read(text).rules.into_iter();
        let certain = rules.filter(|rule| rule.is_certain);
        certain.map(|rule| rule.text).collect()
    }

    #[test]
    fn every_bucket_has_a_weight_and_most_are_used() {
        assert_eq!(MODEL.len(), SCALE_BYTES + MODEL_BUCKETS);
        let (scale, weights) = MODEL.split_at(SCALE_BYTES);
        let scale = f32::from_le_bytes(scale.try_into().unwrap());
        assert!(scale > 0.0 && scale < 1.0, "{scale}");
        let used = weights.iter().filter(|weight| **weight != 0).count();
        assert!(used > MODEL_BUCKETS / 4, "{used}");
    }

    #[test]
    fn rules_score_higher_than_work_in_every_script() {
        for (rule, work) in [
            (
                "secrets live in the vault and nowhere else",
                "move the secrets to the vault",
            ),
            ("die vorlage bleibt wie sie ist", "druck die vorlage aus"),
            ("секреты лежат в vault и больше нигде", "перенеси секреты"),
            ("时间用24小时制", "把时间改一下"),
            ("時刻は24時間表記で", "時刻を直して"),
            ("시간은 24시간제로 써", "시간 고쳐줘"),
        ] {
            let (rule_scores, work_scores) = (scores(rule), scores(work));
            let best = |scores: &[f32]| scores.iter().copied().fold(0.0, f32::max);
            assert!(
                best(&rule_scores) > best(&work_scores),
                "{rule}: {rule_scores:?}, {work}: {work_scores:?}"
            );
        }
    }

    #[test]
    fn a_rule_in_words_that_no_table_has_is_found() {
        let said = "Amounts are stored as cents everywhere. Could you go through store.go?";
        let found = ["Amounts are stored as cents everywhere."];
        assert_eq!(certain(said), found);
    }

    #[test]
    fn what_is_asked_is_no_rule_however_it_looks() {
        for asked in [
            "amounts are stored as cents everywhere?",
            "are amounts stored as cents everywhere?",
        ] {
            assert_eq!(certain(asked), [""; 0], "{asked}");
        }
    }

    #[test]
    fn a_long_clause_costs_no_more_than_its_first_words() {
        let lengths = [1_000, 100_000].map(|words| {
            let clause = "word ".repeat(words);
            let mut count = 0;
            said_in(&clause, |clause, around, _| {
                let groups = Features::of(clause, around).groups();
                count = groups.iter().map(|it| it.buckets.len()).sum();
            });
            count
        });
        assert!(lengths.iter().all(|count| *count < 1_000), "{lengths:?}");
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_a_score_between_nothing_and_one(text in "\\PC{0,200}") {
            for score in scores(&text) {
                proptest::prop_assert!((0.0..=1.0).contains(&score), "{score}");
            }
        }
    }
}
