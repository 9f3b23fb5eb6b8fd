//! A part of a search index that does not change any more: its chunks, and for each term the
//! chunks that hold it. Terms are sorted and postings coded in bits, so that both take about as
//! much room as they tell.

use super::bits::{BitReader, BitWriter};

/// Terms between two entry points of the dictionary.
const BLOCK_TERMS: usize = 32;
/// Lists of so many postings say how long they are; shorter ones are read to skip them.
const LONG_LIST: usize = 16;
/// Bits of a term in the dictionary: of a million terms one in a million is taken for another.
const TERM_BITS: u32 = 40;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Number of the text.
    pub text: u32,
    /// Its first byte in the text.
    pub from: u32,
    /// How many bytes it has.
    pub bytes: u16,
    /// How many terms it has, repetitions included.
    pub terms: u16,
}

/// A chunk that holds a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    /// Number of the chunk in its segment.
    pub chunk: u32,
    /// How often it holds the term.
    pub count: u32,
}

/// A term as the dictionary names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TermKey(u64);

impl TermKey {
    /// The key of a hash. All of its bits count, and keys are spread evenly.
    pub(super) fn of(hash: u64) -> Self {
        let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self(mixed >> (64 - TERM_BITS))
    }
}

/// See the module's description.
#[derive(Debug)]
pub(super) struct Segment {
    pub chunks: Box<[Chunk]>,
    /// Every [`BLOCK_TERMS`]th term.
    blocks: Box<[Block]>,
    /// Of each term the difference to the one before, the length of its list, and of a long
    /// list its bits.
    dictionary: Box<[u8]>,
    postings: Box<[u8]>,
    terms: usize,
    /// The differences between terms are about two to the power of this.
    term_shift: u32,
}

/// An entry point of the dictionary.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: TermKey,
    /// The bit after `first` in the dictionary.
    dictionary: u32,
    /// The first bit of its postings.
    postings: u32,
}

/// A term that is looked at.
struct FoundTerm<'a> {
    key: TermKey,
    len: usize,
    postings: BitReader<'a>,
}

impl Segment {
    /// A segment of these chunks with these postings, which are sorted.
    pub(super) fn of(chunks: Vec<Chunk>, postings: &[(TermKey, Posting)]) -> Self {
        let same = || postings.chunk_by(|a, b| a.0 == b.0);
        let mut builder = SegmentBuilder::new(chunks, same().count());
        let mut list = Vec::new();
        for same in same() {
            let Some((key, _)) = same.first() else {
                continue;
            };
            list.clear();
            list.extend(same.iter().map(|(_, posting)| *posting));
            builder.add(*key, &list);
        }
        builder.finish()
    }

    /// Segments that follow each other, as one.
    pub(super) fn merged(parts: &[Self]) -> Self {
        let chunks = parts.iter().flat_map(|part| part.chunks.iter().copied());
        let terms = parts.iter().map(|part| part.terms).sum();
        let mut builder = SegmentBuilder::new(chunks.collect(), terms);
        let mut readers: Vec<TermReader<'_>> = parts.iter().map(TermReader::new).collect();
        let mut heads: Vec<Option<FoundTerm<'_>>> =
            readers.iter_mut().map(TermReader::next).collect();
        let mut list = Vec::new();
        while let Some(key) = heads.iter().flatten().map(|head| head.key).min() {
            list.clear();
            let mut base = 0;
            for ((part, reader), head) in parts.iter().zip(&mut readers).zip(&mut heads) {
                if let Some(found) = head.take_if(|head| head.key == key) {
                    let own = part.list(found.len, found.postings);
                    reader.postings = own.each(|posting| {
                        list.push(Posting {
                            chunk: base + posting.chunk,
                            count: posting.count,
                        });
                    });
                    *head = reader.next();
                }
                base += part.chunks.len() as u32;
            }
            builder.add(key, &list);
        }
        builder.finish()
    }

    /// The chunks that hold a term; `None` when none does.
    pub(super) fn find(&self, key: TermKey) -> Option<PostingIter<'_>> {
        let after = self.blocks.partition_point(|block| block.first <= key);
        let number = after.checked_sub(1)?;
        let mut reader = TermReader::at_block(self, number);
        for _ in 0..BLOCK_TERMS {
            let found = reader.next()?;
            if found.key > key {
                return None;
            }
            let list = self.list(found.len, found.postings);
            if found.key == key {
                return Some(list);
            }
            reader.pass(list);
        }
        None
    }

    fn list<'a>(&self, len: usize, reader: BitReader<'a>) -> PostingIter<'a> {
        PostingIter {
            reader,
            left: len,
            shift: chunk_shift(self.chunks.len(), len),
            next: 0,
        }
    }

    /// Bytes that it takes.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of_val(self.chunks.as_ref())
            + size_of_val(self.blocks.as_ref())
            + self.dictionary.len()
            + self.postings.len()
    }
}

/// About how large the differences between so many chunks are, as a power of two.
fn chunk_shift(chunks: usize, postings: usize) -> u32 {
    let mean = chunks as f64 / postings.max(1) as f64 * std::f64::consts::LN_2;
    (mean.max(1.0) as u64).ilog2()
}

/// Goes through the terms of a segment.
struct TermReader<'a> {
    segment: &'a Segment,
    dictionary: BitReader<'a>,
    postings: BitReader<'a>,
    /// The term before, or the first one of a block, which is not in the dictionary.
    key: TermKey,
    /// Number of the next term.
    number: usize,
    /// Bits of the list that was given last, where it says so.
    bits: Option<u64>,
}

impl<'a> TermReader<'a> {
    fn new(segment: &'a Segment) -> Self {
        Self::at_block(segment, 0)
    }

    fn at_block(segment: &'a Segment, number: usize) -> Self {
        let block = segment.blocks.get(number);
        let (dictionary, postings) = block.map_or((0, 0), |it| (it.dictionary, it.postings));
        Self {
            segment,
            dictionary: BitReader::new(&segment.dictionary, u64::from(dictionary)),
            postings: BitReader::new(&segment.postings, u64::from(postings)),
            key: TermKey(0),
            number: number * BLOCK_TERMS,
            bits: None,
        }
    }

    /// The next term. Its postings have to be read or passed before the one after it.
    fn next(&mut self) -> Option<FoundTerm<'a>> {
        if self.number >= self.segment.terms {
            return None;
        }
        if self.number.is_multiple_of(BLOCK_TERMS) {
            self.key = self.segment.blocks.get(self.number / BLOCK_TERMS)?.first;
        } else {
            self.key.0 += self.dictionary.read_rice(self.segment.term_shift)?;
        }
        self.number += 1;
        let len = self.dictionary.read_gamma()? as usize;
        self.bits = if len >= LONG_LIST {
            Some(self.dictionary.read_gamma()?)
        } else {
            None
        };
        Some(FoundTerm {
            key: self.key,
            len,
            postings: self.postings.clone(),
        })
    }

    /// Passes the list that was given last.
    fn pass(&mut self, list: PostingIter<'a>) {
        match self.bits {
            Some(bits) => self.postings.skip(bits),
            None => self.postings = list.each(|_| {}),
        }
    }
}

/// The chunks that hold a term, in order.
#[derive(Clone, Debug)]
pub(super) struct PostingIter<'a> {
    reader: BitReader<'a>,
    left: usize,
    shift: u32,
    next: u32,
}

impl<'a> PostingIter<'a> {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.left
    }

    /// Hands over all of them; gives what follows.
    #[inline]
    pub(super) fn each(mut self, mut take: impl FnMut(Posting)) -> BitReader<'a> {
        for _ in 0..self.left {
            let Some((difference, is_repeated)) = self.reader.read_rice_and_bit(self.shift) else {
                break;
            };
            let chunk = self.next + difference as u32;
            self.next = chunk + 1;
            let more = if is_repeated {
                self.reader.read_gamma().unwrap_or_default() as u32
            } else {
                0
            };
            take(Posting {
                chunk,
                count: 1 + more,
            });
        }
        self.reader
    }
}

/// Makes a segment term by term.
struct SegmentBuilder {
    chunks: Vec<Chunk>,
    blocks: Vec<Block>,
    dictionary: BitWriter,
    postings: BitWriter,
    terms: usize,
    term_shift: u32,
    last: TermKey,
}

impl SegmentBuilder {
    /// For about so many terms.
    fn new(chunks: Vec<Chunk>, terms: usize) -> Self {
        let width = terms.max(1).ilog2();
        Self {
            chunks,
            blocks: Vec::with_capacity(terms / BLOCK_TERMS + 1),
            dictionary: BitWriter::default(),
            postings: BitWriter::default(),
            terms: 0,
            term_shift: TERM_BITS.saturating_sub(width + 1),
            last: TermKey(0),
        }
    }

    /// Adds a term, which comes after those before, with its chunks in order.
    fn add(&mut self, key: TermKey, list: &[Posting]) {
        if self.terms.is_multiple_of(BLOCK_TERMS) {
            self.blocks.push(Block {
                first: key,
                dictionary: self.dictionary.len() as u32,
                postings: self.postings.len() as u32,
            });
        } else {
            self.dictionary
                .put_rice(key.0 - self.last.0, self.term_shift);
        }
        self.terms += 1;
        self.last = key;
        self.dictionary.put_gamma(list.len() as u64);
        let before = self.postings.len();
        let shift = chunk_shift(self.chunks.len(), list.len());
        let mut next = 0;
        for posting in list {
            self.postings
                .put_rice(u64::from(posting.chunk - next), shift);
            next = posting.chunk + 1;
            let is_repeated = posting.count > 1;
            self.postings.put(u64::from(is_repeated), 1);
            if is_repeated {
                self.postings.put_gamma(u64::from(posting.count) - 1);
            }
        }
        if list.len() >= LONG_LIST {
            self.dictionary.put_gamma(self.postings.len() - before);
        }
    }

    fn finish(self) -> Segment {
        Segment {
            chunks: self.chunks.into_boxed_slice(),
            blocks: self.blocks.into_boxed_slice(),
            dictionary: self.dictionary.finish(),
            postings: self.postings.finish(),
            terms: self.terms,
            term_shift: self.term_shift,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// Postings by term, and how many chunks there are.
    type Lists = (usize, BTreeMap<TermKey, BTreeMap<u32, u32>>);

    fn lists() -> impl Strategy<Value = Lists> {
        (1usize..400).prop_flat_map(|chunks| {
            let posting = (0..chunks as u32, 1u32..9);
            let list = prop::collection::btree_map(0..chunks as u32, 1u32..300, 1..60);
            let rare = posting.prop_map(|(chunk, count)| BTreeMap::from([(chunk, count)]));
            let either = prop_oneof![3 => rare, 1 => list];
            let key = any::<u64>().prop_map(TermKey::of);
            let terms = prop::collection::btree_map(key, either, 0..120);
            terms.prop_map(move |terms| (chunks, terms))
        })
    }

    fn chunks(count: usize) -> Vec<Chunk> {
        let chunk = |number: usize| Chunk {
            text: number as u32,
            from: 0,
            bytes: 9,
            terms: 3,
        };
        (0..count).map(chunk).collect()
    }

    fn sorted(lists: &Lists) -> Vec<(TermKey, Posting)> {
        let of = |(key, list): (&TermKey, &BTreeMap<u32, u32>)| {
            let key = *key;
            let posting = move |(&chunk, &count): (&u32, &u32)| (key, Posting { chunk, count });
            list.iter().map(posting).collect::<Vec<_>>()
        };
        lists.1.iter().flat_map(of).collect()
    }

    fn segment(lists: &Lists) -> Segment {
        Segment::of(chunks(lists.0), &sorted(lists))
    }

    fn found(segment: &Segment, key: TermKey) -> BTreeMap<u32, u32> {
        let mut found = BTreeMap::new();
        if let Some(list) = segment.find(key) {
            let _ = list.each(|posting| {
                found.insert(posting.chunk, posting.count);
            });
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_was_put_in_comes_out(lists in lists(), other: u64) {
            let segment = segment(&lists);
            for (key, list) in &lists.1 {
                prop_assert_eq!(&found(&segment, *key), list);
            }
            let other = TermKey::of(other);
            prop_assert_eq!(segment.find(other).is_some(), lists.1.contains_key(&other));
        }

        #[test]
        fn segments_together_are_as_one(parts in prop::collection::vec(lists(), 1..5)) {
            let segments: Vec<Segment> = parts.iter().map(segment).collect();
            let mut all: Lists = (0, BTreeMap::new());
            for (count, lists) in &parts {
                for (key, list) in lists {
                    let own = all.1.entry(*key).or_default();
                    own.extend(list.iter().map(|(chunk, n)| (all.0 as u32 + chunk, *n)));
                }
                all.0 += count;
            }
            let merged = Segment::merged(&segments);
            prop_assert_eq!(merged.chunks.len(), all.0);
            for (key, list) in &all.1 {
                prop_assert_eq!(&found(&merged, *key), list);
            }
        }
    }
}
