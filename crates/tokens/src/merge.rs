//! Joins the bytes of a piece to tokens: of all neighbours that are a token together, those
//! with the lowest rank first, from left to right.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::vocabulary::Vocabulary;

/// Longer pieces keep their pairs in order instead of looking through all of them.
const SHORT_BYTES: usize = 96;
/// No token.
const NONE: u32 = u32::MAX;
/// In [`Chain::ends`]: the part belongs to one on its left.
const JOINED: usize = 0;

/// Counts pieces; it remembers nothing but memory that it uses again.
pub struct Joiner {
    vocabulary: &'static Vocabulary,
    parts: Vec<Part>,
}

/// A part of a short piece.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    /// The rank of this part and the next one together.
    pair_rank: u32,
}

impl Joiner {
    /// One that joins by the ranks of this vocabulary.
    pub fn new(vocabulary: &'static Vocabulary) -> Self {
        Self {
            vocabulary,
            parts: Vec::new(),
        }
    }

    /// Tokens of a piece.
    pub fn count(&mut self, piece: &[u8]) -> usize {
        if piece.len() < 2 {
            piece.len()
        } else if self.vocabulary.rank(piece).is_some() {
            1
        } else if piece.len() <= SHORT_BYTES {
            self.count_short(piece)
        } else {
            self.count_long(piece)
        }
    }

    fn rank(&self, piece: &[u8], start: usize, end: usize) -> u32 {
        piece
            .get(start..end)
            .and_then(|pair| self.vocabulary.rank(pair))
            .unwrap_or(NONE)
    }

    fn count_short(&mut self, piece: &[u8]) -> usize {
        self.parts.clear();
        for start in 0..piece.len() {
            let pair_rank = self.rank(piece, start, start + 2);
            self.parts.push(Part { start, pair_rank });
        }
        loop {
            let ranks = self.parts.iter().map(|part| part.pair_rank).enumerate();
            // Of equal ranks the first.
            let Some((at, rank)) = ranks.min_by_key(|&(_, rank)| rank) else {
                return 0;
            };
            if rank == NONE {
                return self.parts.len();
            }
            self.parts.remove(at + 1);
            self.rank_again(piece, at);
            if at > 0 {
                self.rank_again(piece, at - 1);
            }
        }
    }

    /// Looks up the pair of a part and its new neighbour.
    fn rank_again(&mut self, piece: &[u8], at: usize) {
        let start_of = |at: usize| self.parts.get(at).map(|part| part.start);
        let pair_rank = match (start_of(at), start_of(at + 1)) {
            (Some(start), Some(_)) => {
                self.rank(piece, start, start_of(at + 2).unwrap_or(piece.len()))
            }
            _ => NONE,
        };
        if let Some(part) = self.parts.get_mut(at) {
            part.pair_rank = pair_rank;
        }
    }

    fn count_long(&self, piece: &[u8]) -> usize {
        let mut chain = Chain::of_bytes(piece.len());
        let pair = |start: usize, end: usize| {
            let rank = self.rank(piece, start, end);
            (rank != NONE).then(|| Reverse(Pair::new(rank, start, end)))
        };
        let pairs = (1..piece.len()).filter_map(|middle| pair(middle - 1, middle + 1));
        let mut pairs: BinaryHeap<Reverse<Pair>> = pairs.collect();
        let mut count = piece.len();
        while let Some(Reverse(next)) = pairs.pop() {
            let (start, end) = (next.start(), next.end());
            // One of both was joined to something else meanwhile.
            if chain.pair_end(start) != Some(end) {
                continue;
            }
            chain.join(start, end);
            count -= 1;
            if let Some(after) = chain.pair_end(start) {
                pairs.extend(pair(start, after));
            }
            if let Some(before) = chain.before(start) {
                pairs.extend(pair(before, end));
            }
        }
        count
    }
}

/// Neighbours that are a token together. The first in order is joined first: 18 bits of
/// rank, 38 of where the pair starts, 8 of its length.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pair(u64);

impl Pair {
    const LENGTH_BITS: u32 = 8;
    const START_BITS: u32 = 38;

    fn new(rank: u32, start: usize, end: usize) -> Self {
        let place = u64::from(rank) << Self::START_BITS | start as u64;
        Self(place << Self::LENGTH_BITS | (end - start) as u64)
    }

    fn start(self) -> usize {
        (self.0 >> Self::LENGTH_BITS & ((1 << Self::START_BITS) - 1)) as usize
    }

    fn end(self) -> usize {
        self.start() + (self.0 & ((1 << Self::LENGTH_BITS) - 1)) as usize
    }
}

/// The parts of a long piece by where they start.
struct Chain {
    /// Where the part that starts here ends, or [`JOINED`].
    ends: Vec<usize>,
    /// Where the part starts that ends here.
    starts: Vec<usize>,
}

impl Chain {
    fn of_bytes(count: usize) -> Self {
        Self {
            ends: (1..=count).collect(),
            starts: (0..=count)
                .map(|end: usize| end.saturating_sub(1))
                .collect(),
        }
    }

    /// Where the next part ends, if there is a part here and another behind it.
    fn pair_end(&self, start: usize) -> Option<usize> {
        let middle = self.ends.get(start).filter(|&&end| end != JOINED)?;
        self.ends.get(*middle).copied()
    }

    /// Where the part on the left starts.
    fn before(&self, start: usize) -> Option<usize> {
        (start > 0)
            .then(|| self.starts.get(start).copied())
            .flatten()
    }

    /// Makes one part of two.
    fn join(&mut self, start: usize, end: usize) {
        let middle = self.ends.get(start).copied().unwrap_or(end);
        for (at, value) in [(middle, JOINED), (start, end)] {
            if let Some(place) = self.ends.get_mut(at) {
                *place = value;
            }
        }
        if let Some(place) = self.starts.get_mut(end) {
            *place = start;
        }
    }
}
