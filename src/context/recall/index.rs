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

use super::levels::{LevelCounts, level};
use super::query::{ChunkScore, FoundWord, SATURATION, WeighedQuery, closeness};
use super::segment::{Chunk, Posting, Segment, TermKey};
use super::terms::{TermSighting, each_term};

/// Characters of a chunk at most.
const CHUNK_CHARS: usize = 1_200;
/// A chunk ends at a line break when one is in its last part, this share of it.
const BREAK_SHARE: f64 = 0.4;
/// BM25: how much the length of a chunk counts.
const LENGTH_SHARE: f32 = 0.4;
/// Words like "the" and "what" count little, however rare they are in code.
const STOP_WORD_SHARE: f32 = 0.1;
/// Chunks that are looked at for the best ones of each text,
const MAX_CHUNKS: usize = 400;
/// and texts that are read for the places of the words.
const MAX_READ: usize = 48;
/// So many chunks become a segment,
const SEALED_CHUNKS: usize = 32;
/// so many segments of about one size a larger one,
const MERGED_SEGMENTS: usize = 4;
/// up to this size: a merge takes a tenth of a second at most.
const MAX_SEGMENT_CHUNKS: usize = 32 << 10;

/// See the module's description.
#[derive(Debug, Default)]
pub struct TextIndex {
    /// What does not change any more, oldest first.
    segments: Vec<Segment>,
    /// Chunks that no segment has yet, with their postings in the order of the texts.
    chunks: Vec<Chunk>,
    postings: Vec<(TermKey, Posting)>,
    /// Terms of all chunks together.
    terms: u64,
    /// Terms of the chunk that is being added; kept for its capacity.
    pending: Vec<TermKey>,
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
        each_term(chunk, &mut |term| pending.push(TermKey::of(term.hash)));
        if !pending.is_empty() {
            pending.sort_unstable();
            let number = self.chunks.len() as u32;
            let postings = pending.chunk_by(|a, b| a == b).filter_map(|same| {
                let posting = Posting {
                    chunk: number,
                    count: same.len() as u32,
                };
                Some((*same.first()?, posting))
            });
            self.postings.extend(postings);
            self.terms += pending.len() as u64;
            self.chunks.push(Chunk {
                text,
                from: from as u32,
                bytes: chunk.len() as u16,
                terms: u16::try_from(pending.len()).unwrap_or(u16::MAX),
            });
        }
        self.pending = pending;
        if self.chunks.len() >= SEALED_CHUNKS {
            self.seal();
        }
    }

    /// Makes a segment of the newest chunks, and one of segments that are about as large.
    fn seal(&mut self) {
        self.postings.sort_unstable();
        let chunks = std::mem::take(&mut self.chunks);
        self.segments.push(Segment::of(chunks, &self.postings));
        self.postings.clear();
        while let Some(first) = self.mergeable() {
            let parts = self.segments.split_off(first);
            self.segments.push(Segment::merged(&parts));
        }
    }

    /// Where the newest segments begin that are to become one.
    fn mergeable(&self) -> Option<usize> {
        let first = self.segments.len().checked_sub(MERGED_SEGMENTS)?;
        let parts = self.segments.get(first..)?;
        let size = parts.last()?.chunks.len();
        let is_level = parts.iter().all(|part| part.chunks.len() < 2 * size);
        (is_level && size * MERGED_SEGMENTS <= MAX_SEGMENT_CHUNKS).then_some(first)
    }

    /// How many chunks there are.
    fn chunk_count(&self) -> usize {
        let sealed = self.segments.iter().map(|segment| segment.chunks.len());
        sealed.sum::<usize>() + self.chunks.len()
    }

    /// How many chunks hold each of these terms.
    fn frequencies(&self, keys: &[TermKey]) -> Vec<u32> {
        let of = |key: &TermKey| {
            let lists = self.segments.iter().filter_map(|part| part.find(*key));
            lists.map(|list| list.len() as u32).sum()
        };
        let mut found: Vec<u32> = keys.iter().map(of).collect();
        let places: FxHashMap<TermKey, usize> = keys
            .iter()
            .enumerate()
            .map(|(at, key)| (*key, at))
            .collect();
        for (key, _) in &self.postings {
            if let Some(count) = places.get(key).and_then(|at| found.get_mut(*at)) {
                *count += 1;
            }
        }
        found
    }

    /// The terms of a query with their weights here.
    pub fn weigh(&self, query: &str) -> WeighedQuery {
        let mut seen = HashSet::new();
        let mut sightings = Vec::new();
        each_term(query, &mut |term: TermSighting| {
            if seen.insert(term.hash) {
                sightings.push(term);
            }
        });
        let keys: Vec<TermKey> = sightings.iter().map(|it| TermKey::of(it.hash)).collect();
        let chunks = self.chunk_count();
        let mut terms = Vec::new();
        let (mut is_asked, mut is_found) = (false, false);
        for (term, count) in sightings.iter().zip(self.frequencies(&keys)) {
            let word = query.get(term.from..term.to).unwrap_or_default();
            let is_stop = keywords::is_stop(&word.to_lowercase());
            is_asked |= !is_stop;
            if count > 0 {
                is_found |= !is_stop;
                let share = if is_stop { STOP_WORD_SHARE } else { 1.0 };
                terms.push(FoundWord {
                    hash: term.hash,
                    is_leaf: term.is_leaf,
                    rarity: rarity(chunks, count) * share,
                });
            }
        }
        if is_asked && !is_found {
            // Words such as "of" alone are no trace of what was asked for.
            return WeighedQuery::default();
        }
        WeighedQuery::of(&terms)
    }

    /// Whether a word of the query is nowhere in the index.
    pub fn lacks_word(&self, query: &str) -> bool {
        self.known_share(query) < 1.0
    }

    /// The share of the query's words that are somewhere in the index; 1 of a query without
    /// any.
    pub fn known_share(&self, query: &str) -> f64 {
        let mut words = Vec::new();
        each_term(query, &mut |term: TermSighting| {
            let word = query.get(term.from..term.to).unwrap_or_default();
            if term.is_leaf && !keywords::is_stop(&word.to_lowercase()) {
                words.push(TermKey::of(term.hash));
            }
        });
        if words.is_empty() {
            return 1.0;
        }
        let mut distinct = words.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let counts = self.frequencies(&distinct);
        let known = distinct.iter().zip(counts).filter(|(_, count)| *count > 0);
        let known: HashSet<TermKey> = known.map(|(key, _)| *key).collect();
        let found = words.iter().filter(|word| known.contains(word)).count();
        found as f64 / words.len() as f64
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
        let sealed: usize = self.segments.iter().map(Segment::heap_bytes).sum();
        sealed
            + self.segments.capacity() * size_of::<Segment>()
            + self.chunks.capacity() * size_of::<Chunk>()
            + self.postings.capacity() * size_of::<(TermKey, Posting)>()
            + self.pending.capacity() * size_of::<TermKey>()
    }

    /// The best chunks that are admitted, best first.
    fn best_chunks(&self, query: &WeighedQuery, admits: &dyn Fn(u32) -> bool) -> Vec<IndexHit> {
        let scores = self.scores(query);
        let level_of = |score: &ChunkScore| level(score.points, query.is_complete(score.mask));
        let score = |number: u32| scores.get(number as usize).copied().unwrap_or_default();
        let by_rank = |a: &u32, b: &u32| {
            let (a_score, b_score) = (score(*a), score(*b));
            let is_complete = |score: ChunkScore| query.is_complete(score.mask);
            let complete = is_complete(b_score).cmp(&is_complete(a_score));
            let ranked = complete.then(b_score.points.total_cmp(&a_score.points));
            ranked.then_with(|| match (self.chunk(*a), self.chunk(*b)) {
                (Some(a), Some(b)) => b.text.cmp(&a.text).then(a.from.cmp(&b.from)),
                _ => Ordering::Equal,
            })
        };
        let mut levels = LevelCounts::of(scores.iter().map(level_of));
        // Whether a text may be found is dear to ask: the best are asked about first.
        let mut best: Vec<IndexHit> = Vec::new();
        let mut wanted = MAX_CHUNKS;
        while let Some(range) = levels.next(wanted)
            && best.len() < MAX_CHUNKS
        {
            let found = scores.iter().zip(0..);
            let within = found.filter(|(score, _)| range.contains(&level_of(score)));
            let mut pool: Vec<u32> = within.map(|(_, number)| number).collect();
            pool.sort_unstable_by(by_rank);
            let hits = pool.into_iter().filter_map(|number| {
                let ChunkScore { points, mask } = score(number);
                let chunk = self.chunk(number).filter(|chunk| admits(chunk.text))?;
                Some(IndexHit {
                    text: chunk.text,
                    from: chunk.from as usize,
                    to: chunk.from as usize + usize::from(chunk.bytes),
                    score: points,
                    has_all: query.is_complete(mask),
                })
            });
            best.extend(hits.take(MAX_CHUNKS - best.len()));
            wanted *= 4;
        }
        best
    }

    /// The chunk with a number, counted over all segments.
    fn chunk(&self, number: u32) -> Option<&Chunk> {
        let mut number = number as usize;
        for segment in &self.segments {
            match number.checked_sub(segment.chunks.len()) {
                None => return segment.chunks.get(number),
                Some(rest) => number = rest,
            }
        }
        self.chunks.get(number)
    }

    /// Of each chunk the score and which leaves of the query it has.
    fn scores(&self, query: &WeighedQuery) -> Vec<ChunkScore> {
        let count = self.chunk_count();
        let mean = (self.terms as f32 / count.max(1) as f32).max(1.0);
        let mut scores = vec![ChunkScore::default(); count];
        let mut rest = scores.as_mut_slice();
        for segment in &self.segments {
            let (own, after) = rest.split_at_mut(segment.chunks.len());
            let damping: Vec<f32> = segment.chunks.iter().map(|it| damping(it, mean)).collect();
            for term in query.scored() {
                let Some(found) = segment.find(TermKey::of(term.hash)) else {
                    continue;
                };
                found.each(|posting| {
                    let at = posting.chunk as usize;
                    if let (Some(score), Some(damping)) = (own.get_mut(at), damping.get(at)) {
                        term.add_to(score, posting.count, *damping);
                    }
                });
            }
            rest = after;
        }
        // Term by term here too: the same numbers, added in the same order.
        for term in query.scored() {
            let key = TermKey::of(term.hash);
            for (_, posting) in self.postings.iter().filter(|it| it.0 == key) {
                let at = posting.chunk as usize;
                if let (Some(score), Some(chunk)) = (rest.get_mut(at), self.chunks.get(at)) {
                    term.add_to(score, posting.count, damping(chunk, mean));
                }
            }
        }
        scores
    }
}

/// How soon repetitions stop counting in a chunk: later in a long one.
fn damping(chunk: &Chunk, mean: f32) -> f32 {
    let length = f32::from(chunk.terms) / mean;
    SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length)
}

/// How much a term tells that so many of all chunks have.
fn rarity(chunks: usize, having: u32) -> f32 {
    let (all, having) = (chunks as f32, having as f32);
    ((all - having + 0.5) / (having + 0.5)).ln_1p()
}

fn by_rank(a: &IndexHit, b: &IndexHit) -> Ordering {
    let complete = b.has_all.cmp(&a.has_all);
    let scored = complete.then(b.score.total_cmp(&a.score));
    scored.then(b.text.cmp(&a.text)).then(a.from.cmp(&b.from))
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    /// The same search without an index: every chunk is counted for every query.
    struct PlainSearch<'a> {
        texts: &'a [String],
        chunks: Vec<(Chunk, HashMap<u64, u32>)>,
    }

    impl<'a> PlainSearch<'a> {
        fn of(texts: &'a [String]) -> Self {
            let mut chunks = Vec::new();
            for (number, text) in texts.iter().enumerate() {
                let mut from = 0;
                while from < text.len() {
                    let (_, rest) = text.split_at(from);
                    let bytes = chunk_bytes(rest);
                    let (chunk, _) = rest.split_at(bytes);
                    let mut counts = HashMap::new();
                    let mut terms = 0;
                    each_term(chunk, &mut |term| {
                        *counts.entry(term.hash).or_default() += 1;
                        terms += 1;
                    });
                    let chunk = Chunk {
                        text: number as u32,
                        from: from as u32,
                        bytes: bytes as u16,
                        terms,
                    };
                    chunks.extend((terms > 0).then_some((chunk, counts)));
                    from += bytes;
                }
            }
            Self { texts, chunks }
        }

        fn weigh(&self, query: &str) -> WeighedQuery {
            let mut words: Vec<FoundWord> = Vec::new();
            each_term(query, &mut |term| {
                let having = self
                    .chunks
                    .iter()
                    .filter(|it| it.1.contains_key(&term.hash));
                let count = having.count() as u32;
                if count > 0 && words.iter().all(|word| word.hash != term.hash) {
                    words.push(FoundWord {
                        hash: term.hash,
                        is_leaf: term.is_leaf,
                        rarity: rarity(self.chunks.len(), count),
                    });
                }
            });
            WeighedQuery::of(&words)
        }

        fn search(&self, query: &str, admits: &dyn Fn(u32) -> bool) -> Vec<IndexHit> {
            let query = self.weigh(query);
            let terms: u64 = self.chunks.iter().map(|it| u64::from(it.0.terms)).sum();
            let mean = (terms as f32 / self.chunks.len().max(1) as f32).max(1.0);
            let mut hits = Vec::new();
            for (chunk, counts) in &self.chunks {
                let mut score = ChunkScore::default();
                for term in query.scored() {
                    if let Some(count) = counts.get(&term.hash) {
                        term.add_to(&mut score, *count, damping(chunk, mean));
                    }
                }
                if score.points > 0.0 && admits(chunk.text) {
                    hits.push(IndexHit {
                        text: chunk.text,
                        from: chunk.from as usize,
                        to: chunk.from as usize + usize::from(chunk.bytes),
                        score: score.points,
                        has_all: query.is_complete(score.mask),
                    });
                }
            }
            hits.sort_by(by_rank);
            hits.truncate(MAX_CHUNKS);
            let mut texts = HashSet::new();
            hits.retain(|hit| texts.insert(hit.text));
            hits.truncate(MAX_READ);
            for hit in &mut hits {
                let chunk = self.texts[hit.text as usize].get(hit.from..hit.to);
                hit.score += closeness(&query, chunk.unwrap());
            }
            hits.sort_by(by_rank);
            hits
        }
    }

    fn index(texts: &[String]) -> TextIndex {
        let mut index = TextIndex::default();
        for (number, text) in texts.iter().enumerate() {
            index.add(number as u32, text);
        }
        index
    }

    fn check(texts: &[String], query: &str, admits: &dyn Fn(u32) -> bool) {
        let index = index(texts);
        let read = |number: u32| texts[number as usize].clone();
        let found = index.search(&index.weigh(query), MAX_READ, admits, &read);
        assert_eq!(
            found,
            PlainSearch::of(texts).search(query, admits),
            "{query}"
        );
    }

    #[test]
    fn many_chunks_are_found_as_without_an_index() {
        let text = |n: usize| {
            let words = (0..=n % 9).map(|at| format!("w{}", n * (at + 3) % 61));
            format!(
                "file src/m{}.rs {}",
                n % 13,
                words.collect::<Vec<_>>().join(" ")
            )
        };
        let texts: Vec<String> = (0..1_500).map(text).collect();
        assert!(index(&texts).segments.len() > 3);
        for query in [
            "w7",
            "file w7 w12",
            "src/m5.rs w1 w2 w3",
            "file",
            "m5 nothing",
            "",
        ] {
            check(&texts, query, &|_| true);
            check(&texts, query, &|text| text % 40 == 3);
            check(&texts, query, &|_| false);
        }
    }

    #[test]
    fn an_index_takes_far_less_room_than_what_it_is_about() {
        let word = |n: usize| match n % 5 {
            0 => format!("src/part{}/file_{}.rs", n % 31, n % 397),
            1 => format!("value_{}", n * n % 2_003),
            _ => format!("word{}", n * 7 % 5_003),
        };
        let text = |n: usize| {
            (0..160)
                .map(|at| word(n * 131 + at * at))
                .collect::<Vec<_>>()
        };
        let texts: Vec<String> = (0..3_000).map(|n| text(n).join(" ")).collect();
        let bytes: usize = texts.iter().map(String::len).sum();
        let share = index(&texts).heap_bytes() as f64 / bytes as f64;
        assert!(share < 0.4, "{share}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn what_is_found_is_what_a_plain_search_finds(
            texts in prop::collection::vec("([qx]{1,3}|z_[jk]|[xyz]/[qx]\\.rs| |\n){1,30}", 1..200),
            query in "([qx]{1,3} |z_[jk] |[xyz]/[qx]\\.rs ){1,4}",
            step in 1u32..5,
        ) {
            check(&texts, &query, &|text| text % step == 0);
        }

        #[test]
        fn long_texts_are_found_in_their_chunks(
            texts in prop::collection::vec("(ab|cd|ef|gh_[ij]| |\n){0,900}", 1..6),
            query in "(ab |cd |gh_i ){1,3}",
        ) {
            check(&texts, &query, &|_| true);
        }
    }
}
