//! Which of many chunks are the best, without sorting all of them.

use std::ops::Range;

/// Bits of a score that are left out,
const COARSE_BITS: u32 = 19;
/// and the bit above those that are kept.
const COMPLETE_BIT: u32 = 31 - COARSE_BITS;
/// How many levels there are.
const LEVELS: usize = 2 << COMPLETE_BIT;

/// A coarse rank of a chunk: the higher, the better; 0 for one with nothing of the query.
pub(super) fn level(score: f32, is_complete: bool) -> usize {
    if score <= 0.0 {
        return 0;
    }
    // Of numbers above zero those with larger bits are larger.
    let coarse = (score.to_bits() >> COARSE_BITS) as usize;
    (coarse | usize::from(is_complete) << COMPLETE_BIT).max(1)
}

/// How many chunks have each level.
pub(super) struct LevelCounts {
    counts: Vec<u32>,
    /// Levels from here on were given.
    upto: usize,
}

impl LevelCounts {
    pub(super) fn of(levels: impl Iterator<Item = usize>) -> Self {
        let mut counts = vec![0; LEVELS];
        for level in levels {
            if let Some(count) = counts.get_mut(level) {
                *count += 1;
            }
        }
        Self {
            counts,
            upto: LEVELS,
        }
    }

    /// The best levels that were not given yet, with so many chunks or some more.
    pub(super) fn next(&mut self, wanted: usize) -> Option<Range<usize>> {
        let mut from = self.upto;
        let mut found = 0;
        while from > 1 && found < wanted {
            from -= 1;
            found += self.counts.get(from).copied().unwrap_or_default() as usize;
        }
        let range = from..std::mem::replace(&mut self.upto, from);
        (found > 0).then_some(range)
    }
}
