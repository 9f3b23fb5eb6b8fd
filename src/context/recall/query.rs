//! A query: its terms with their weights in one index, what a chunk gets for holding them, and
//! where in a chunk they stand close together.

use std::collections::HashSet;

use rustc_hash::FxHashMap;

use super::terms::each_term;

/// Terms of a query that count at most: bits of a mask.
const MAX_LEAVES: usize = 64;
/// Names as a whole count more than their parts.
const NAME_WEIGHT: f32 = 1.5;
/// Words with less than this share of the weight of the rarest word tell nothing: a chunk
/// without them is not incomplete.
const TELLING_SHARE: f32 = 0.4;
/// Words with less than this share of the heaviest one's weight are not looked up.
const LEAST_SHARE: f32 = 0.05;
/// Words that are further apart do not belong together.
const MAX_DISTANCE: usize = 10;
/// BM25: how soon repetitions of a term stop counting.
pub(super) const SATURATION: f32 = 1.2;

/// A query with the weight of its terms in one index.
#[derive(Clone, Debug, Default)]
pub struct WeighedQuery {
    terms: Vec<QueryTerm>,
    /// The leaves that a complete chunk has.
    telling: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct QueryTerm {
    pub hash: u64,
    weight: f32,
    /// Its bit among the leaves; 0 for the whole of a name.
    bit: u64,
    /// It is looked up: what is nearly everywhere says nothing beside rarer words.
    is_scored: bool,
}

/// A term of a query that is somewhere in the index.
pub(super) struct FoundWord {
    pub hash: u64,
    /// It has no parts of its own.
    pub is_leaf: bool,
    /// How much it tells, whatever it is.
    pub rarity: f32,
}

impl WeighedQuery {
    /// The query that has these terms.
    pub(super) fn of(found: &[FoundWord]) -> Self {
        let leaves = found.iter().filter(|it| it.is_leaf);
        let rarest = leaves.map(|it| it.rarity).fold(0.0, f32::max);
        let mut query = Self::default();
        let mut leaves = 0;
        for word in found {
            let has_bit = word.is_leaf && leaves < MAX_LEAVES;
            let bit = if has_bit { 1 << leaves } else { 0 };
            leaves += usize::from(has_bit);
            if word.rarity >= rarest * TELLING_SHARE {
                query.telling |= bit;
            }
            let name_weight = if word.is_leaf { 1.0 } else { NAME_WEIGHT };
            query.terms.push(QueryTerm {
                hash: word.hash,
                weight: word.rarity * name_weight,
                bit,
                is_scored: true,
            });
        }
        let weights = query.terms.iter().map(|term| term.weight);
        let heaviest = weights.fold(0.0, f32::max);
        for term in &mut query.terms {
            term.is_scored = term.weight >= heaviest * LEAST_SHARE;
        }
        query
    }

    /// The terms that are looked up.
    pub(super) fn scored(&self) -> impl Iterator<Item = &QueryTerm> {
        self.terms.iter().filter(|term| term.is_scored)
    }

    /// Whether what has these leaves has every telling word.
    pub(super) fn is_complete(&self, mask: u64) -> bool {
        mask & self.telling == self.telling
    }

    /// Whether nothing of the query is anywhere in the index.
    pub fn is_hopeless(&self) -> bool {
        self.terms.is_empty()
    }

    /// The part of a chunk of about so many bytes that has the most of the query; the first
    /// part when it has nothing of it.
    pub fn best_window(&self, chunk: &str, bytes: usize) -> usize {
        let mut sightings: Vec<(usize, usize, QueryTerm)> = Vec::new();
        each_term(chunk, &mut |seen| {
            if let Some(term) = self.term(seen.hash) {
                sightings.push((seen.from, seen.to, term));
            }
        });
        let mut best = (0.0_f32, 0);
        for (index, &(from, ..)) in sightings.iter().enumerate() {
            let mut seen = HashSet::new();
            let near = sightings.iter().skip(index);
            let near = near.take_while(|(_, to, _)| *to <= from + bytes);
            let weights = near
                .filter(|(.., term)| seen.insert(term.hash))
                .map(|(.., term)| term.weight);
            let weight: f32 = weights.sum();
            if weight > best.0 {
                best = (weight, from);
            }
        }
        best.1
    }

    fn term(&self, hash: u64) -> Option<QueryTerm> {
        self.terms.iter().find(|term| term.hash == hash).copied()
    }
}

/// What a chunk has of a query so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ChunkScore {
    /// The higher, the better.
    pub points: f32,
    /// The leaves that it has.
    pub mask: u64,
}

impl QueryTerm {
    /// Adds what a chunk gets for holding this term so often.
    pub(super) fn add_to(&self, score: &mut ChunkScore, count: u32, damping: f32) {
        let count = count as f32;
        score.points += self.weight * count * (SATURATION + 1.0) / (count + damping);
        score.mask |= self.bit;
    }
}

/// What words of the query that follow each other there add where they are close in the chunk.
pub(super) fn closeness(query: &WeighedQuery, chunk: &str) -> f32 {
    let leaves: Vec<QueryTerm> = query
        .terms
        .iter()
        .filter(|it| it.bit > 0)
        .copied()
        .collect();
    if leaves.len() < 2 {
        return 0.0;
    }
    let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let mut place = 0;
    each_term(chunk, &mut |term| {
        if term.is_leaf {
            if query.term(term.hash).is_some() {
                places.entry(term.hash).or_default().push(place);
            }
            place += 1;
        }
    });
    let pairs = leaves.windows(2).filter_map(|pair| {
        let [first, second] = pair else { return None };
        let (a, b) = (places.get(&first.hash)?, places.get(&second.hash)?);
        let distance = a
            .iter()
            .flat_map(|a| b.iter().map(|b| a.abs_diff(*b)))
            .filter(|distance| *distance > 0)
            .min()?;
        let weight = first.weight.min(second.weight);
        (distance <= MAX_DISTANCE).then_some(weight / distance as f32)
    });
    pairs.sum()
}
