//! The cues of each language, one table each.
//!
//! A table is data: phrases by [`Cue`](crate::Cue), separated by `|`, without case and accents. `^` before
//! a phrase wants it at the beginning of the clause, `$` behind it at the end, `*` lets
//! its last word go on, or its first begin earlier, `..` is a gap. A language is added by its table and a line in [`TABLES`].

mod chinese;
mod dutch;
mod english;
mod french;
mod german;
mod italian;
mod japanese;
mod korean;
mod polish;
mod portuguese;
mod russian;
mod spanish;
mod turkish;

use crate::cue::CueTable;

/// All languages; of those in one script but Latin, the only one.
pub(crate) const TABLES: [&CueTable; 13] = [
    &english::TABLE,
    &german::TABLE,
    &french::TABLE,
    &spanish::TABLE,
    &portuguese::TABLE,
    &italian::TABLE,
    &dutch::TABLE,
    &polish::TABLE,
    &russian::TABLE,
    &turkish::TABLE,
    &chinese::TABLE,
    &japanese::TABLE,
    &korean::TABLE,
];
