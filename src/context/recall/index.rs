//! A search index over texts, which it does not keep: BM25 over chunks of some 1,200
//! characters. Texts are added one after the other; nothing is ever taken out.
//!
//! Ranking: a chunk with every telling word of the query comes before one with some of them;
//! then rare words count more, names as a whole more than their parts, and of the best chunks
//! those in which the words stand close together win.

use std::cmp::Ordering;
use std::collections::HashSet;

use rustc_hash::FxHashMap;

use crate::context::audit::keywords;

use super::postings::{Posting, PostingList};
use super::terms::{TermSighting, each_term};

/// Characters of a chunk at most.
const CHUNK_CHARS: usize = 1_200;
/// A chunk ends at a line break when one is in its last part, this share of it.
const BREAK_SHARE: f64 = 0.4;
/// Terms of a query that count at most: bits of a mask.
const MAX_LEAVES: usize = 64;
/// BM25: how soon repetitions of a term stop counting,
const SATURATION: f32 = 1.2;
/// and how much the length of a chunk counts.
const LENGTH_SHARE: f32 = 0.4;
/// Names as a whole count more than their parts.
const NAME_WEIGHT: f32 = 1.5;
/// Words like "the" and "what" count little, however rare they are in code.
const STOP_WORD_SHARE: f32 = 0.1;
/// Words with less than this share of the weight of the rarest word tell nothing: a chunk
/// without them is not incomplete.
const TELLING_SHARE: f32 = 0.4;
/// Chunks that are looked at for the best ones of each text,
const MAX_CHUNKS: usize = 400;
/// and texts that are read for the places of the words.
const MAX_READ: usize = 48;
/// Words that are further apart do not belong together.
const MAX_DISTANCE: usize = 10;

/// See the module's description.
#[derive(Debug, Default)]
pub struct TextIndex {
    chunks: Vec<Chunk>,
    postings: FxHashMap<u64, PostingList>,
    /// Terms of all chunks together.
    terms: u64,
    /// Terms of the chunk that is being added; kept for its capacity.
    pending: Vec<u64>,
}

/// A part of a text.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    /// Number of the text.
    text: u32,
    /// Its bytes in the text.
    from: u32,
    to: u32,
    /// How many terms it has, repetitions included.
    terms: u32,
}

/// A place where a query was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IndexHit {
    /// Number of the text.
    pub text: u32,
    /// First byte of the chunk in it.
    pub from: usize,
    /// The byte after its last.
    pub to: usize,
    /// The higher, the better.
    pub score: f32,
    /// The chunk has every telling word of the query.
    pub has_all: bool,
}

/// A query with the weight of its terms in one index.
#[derive(Clone, Debug, Default)]
pub struct WeighedQuery {
    terms: Vec<QueryTerm>,
    /// The leaves that a complete chunk has.
    telling: u64,
}

#[derive(Clone, Copy, Debug)]
struct QueryTerm {
    hash: u64,
    weight: f32,
    /// Its bit among the leaves; 0 for the whole of a name.
    bit: u64,
}

impl WeighedQuery {
    /// Whether nothing of the query is anywhere in the index.
    pub fn is_hopeless(&self) -> bool {
        self.terms.is_empty()
    }

    /// The part of a chunk of about so many bytes that has the most of the query; the first
    /// part when it has nothing of it.
    pub(super) fn best_window(&self, chunk: &str, bytes: usize) -> usize {
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

impl TextIndex {
    /// Adds a text under a number of the caller's.
    pub fn add(&mut self, number: u32, text: &str) {
        let mut from = 0;
        while let Some(rest) = text.get(from..).filter(|rest| !rest.is_empty()) {
            let to = from + chunk_bytes(rest);
            let chunk = text.get(from..to).unwrap_or_default();
            self.add_chunk(number, from, chunk);
            from = to;
        }
    }

    fn add_chunk(&mut self, text: u32, from: usize, chunk: &str) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        each_term(chunk, &mut |term| pending.push(term.hash));
        if !pending.is_empty() {
            pending.sort_unstable();
            let number = self.chunks.len() as u32;
            for same in pending.chunk_by(|a, b| a == b) {
                let Some(&hash) = same.first() else { continue };
                let count = same.len() as u32;
                let list = self.postings.entry(hash).or_default();
                list.push(Posting {
                    chunk: number,
                    count,
                });
            }
            self.terms += pending.len() as u64;
            self.chunks.push(Chunk {
                text,
                from: from as u32,
                to: (from + chunk.len()) as u32,
                terms: pending.len() as u32,
            });
        }
        self.pending = pending;
    }

    /// The terms of a query with their weights here.
    pub fn weigh(&self, query: &str) -> WeighedQuery {
        let mut seen = HashSet::new();
        let mut terms = Vec::new();
        let (mut is_asked, mut is_found) = (false, false);
        each_term(query, &mut |term: TermSighting| {
            let word = query.get(term.from..term.to).unwrap_or_default();
            let is_stop = keywords::is_stop(&word.to_lowercase());
            is_asked |= !is_stop;
            if let Some(list) = self.postings.get(&term.hash)
                && seen.insert(term.hash)
            {
                is_found |= !is_stop;
                let share = if is_stop { STOP_WORD_SHARE } else { 1.0 };
                let weight = self.rarity(list.len()) * share;
                terms.push((term.is_leaf, weight, term.hash));
            }
        });
        if is_asked && !is_found {
            // Words such as "of" alone are no trace of what was asked for.
            return WeighedQuery::default();
        }
        let rarest = terms.iter().filter(|term| term.0);
        let rarest = rarest.map(|term| term.1).fold(0.0, f32::max);
        let mut query = WeighedQuery::default();
        let mut leaves = 0;
        for (is_leaf, rarity, hash) in terms {
            let has_bit = is_leaf && leaves < MAX_LEAVES;
            let bit = if has_bit { 1 << leaves } else { 0 };
            leaves += usize::from(has_bit);
            if rarity >= rarest * TELLING_SHARE {
                query.telling |= bit;
            }
            let weight = if is_leaf {
                rarity
            } else {
                rarity * NAME_WEIGHT
            };
            query.terms.push(QueryTerm { hash, weight, bit });
        }
        query
    }

    /// Whether a word of the query is nowhere in the index.
    pub fn lacks_word(&self, query: &str) -> bool {
        self.known_share(query) < 1.0
    }

    /// The share of the query's words that are somewhere in the index; 1 of a query without
    /// any.
    pub fn known_share(&self, query: &str) -> f64 {
        let (mut words, mut known) = (0_u32, 0_u32);
        each_term(query, &mut |term: TermSighting| {
            let word = query.get(term.from..term.to).unwrap_or_default();
            if term.is_leaf && !keywords::is_stop(&word.to_lowercase()) {
                words += 1;
                known += u32::from(self.postings.contains_key(&term.hash));
            }
        });
        f64::from(known) / f64::from(words.max(1)) + f64::from(u8::from(words == 0))
    }

    /// The best chunk of each of the best texts, best first, newer texts first where two are
    /// equal. `admits` says which texts may be found, `read` gives their contents.
    pub fn search(
        &self,
        query: &WeighedQuery,
        limit: usize,
        admits: &dyn Fn(u32) -> bool,
        read: &dyn Fn(u32) -> String,
    ) -> Vec<IndexHit> {
        let mut hits = self.best_chunks(query, admits);
        let mut texts = HashSet::new();
        hits.retain(|hit| texts.insert(hit.text));
        hits.truncate(MAX_READ.max(limit));
        for hit in &mut hits {
            let text = read(hit.text);
            let chunk = text.get(hit.from..hit.to).unwrap_or_default();
            hit.score += closeness(query, chunk);
        }
        hits.sort_by(by_rank);
        hits.truncate(limit);
        hits
    }

    /// Bytes that the index takes.
    pub fn heap_bytes(&self) -> usize {
        let slot = size_of::<(u64, PostingList)>() + 1;
        let lists: usize = self.postings.values().map(PostingList::heap_bytes).sum();
        self.chunks.capacity() * size_of::<Chunk>() + self.postings.capacity() * slot + lists
    }

    /// How much a term tells that so many chunks have.
    fn rarity(&self, chunks: u32) -> f32 {
        let (all, having) = (self.chunks.len() as f32, chunks as f32);
        ((all - having + 0.5) / (having + 0.5)).ln_1p()
    }

    fn best_chunks(&self, query: &WeighedQuery, admits: &dyn Fn(u32) -> bool) -> Vec<IndexHit> {
        let mean = (self.terms as f32 / self.chunks.len().max(1) as f32).max(1.0);
        let mut scores = vec![0.0_f32; self.chunks.len()];
        let mut masks = vec![0_u64; self.chunks.len()];
        for term in &query.terms {
            let postings = self.postings.get(&term.hash);
            for Posting { chunk, count } in postings.into_iter().flat_map(PostingList::iter) {
                let at = chunk as usize;
                let length = self.chunks.get(at).map_or(mean, |it| it.terms as f32) / mean;
                let (Some(score), Some(mask)) = (scores.get_mut(at), masks.get_mut(at)) else {
                    continue;
                };
                let count = count as f32;
                let damping = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length);
                *score += term.weight * count * (SATURATION + 1.0) / (count + damping);
                *mask |= term.bit;
            }
        }
        let found = self.chunks.iter().zip(scores.into_iter().zip(masks));
        let found = found.filter(|(_, (score, _))| *score > 0.0);
        let mut hits: Vec<IndexHit> = found
            .filter(|(chunk, _)| admits(chunk.text))
            .map(|(chunk, (score, mask))| IndexHit {
                text: chunk.text,
                from: chunk.from as usize,
                to: chunk.to as usize,
                score,
                has_all: mask & query.telling == query.telling,
            })
            .collect();
        if hits.len() > MAX_CHUNKS {
            hits.select_nth_unstable_by(MAX_CHUNKS, by_rank);
            hits.truncate(MAX_CHUNKS);
        }
        hits.sort_by(by_rank);
        hits
    }
}

fn by_rank(a: &IndexHit, b: &IndexHit) -> Ordering {
    let complete = b.has_all.cmp(&a.has_all);
    let scored = complete.then(b.score.total_cmp(&a.score));
    scored.then(b.text.cmp(&a.text)).then(a.from.cmp(&b.from))
}

/// What words of the query that follow each other there add where they are close in the chunk.
fn closeness(query: &WeighedQuery, chunk: &str) -> f32 {
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

/// Where the chunk ends that a text begins with: at a line break, else between words.
fn chunk_bytes(text: &str) -> usize {
    let Some((limit, _)) = text.char_indices().nth(CHUNK_CHARS) else {
        return text.len();
    };
    let head = text.get(..limit).unwrap_or(text);
    let least = (limit as f64 * (1.0 - BREAK_SHARE)) as usize;
    let is_late = |at: &usize| *at >= least;
    let line = head.rfind('\n').map(|at| at + 1).filter(is_late);
    let word = || {
        let at = head.rfind(char::is_whitespace)?;
        let space = head.get(at..)?.chars().next()?;
        Some(at + space.len_utf8()).filter(is_late)
    };
    line.or_else(word).unwrap_or(limit)
}
