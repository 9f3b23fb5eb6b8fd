//! Cues: phrases of thirteen languages that tell what a clause means, and how they are looked
//! for.
//!
//! A text becomes a [`NormalText`], [`language_of`] says in which [`Language`] it is, and that
//! gives its [`CueHits`]. What follows from them is for others to say.

mod cue;
mod language;
mod normal;
mod spelling;
mod tables;
mod vote;
mod words;

pub use cue::{Cue, Script};
pub use language::{CueHit, CueHits, Language, LatinVotes, language_of};
pub use normal::{MASK, MASKED_WORD, NormalText};
pub use words::{is_common, is_telling};
