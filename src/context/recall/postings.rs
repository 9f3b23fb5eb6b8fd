//! The chunks that hold a term, as variable-length integers: numbers that grow, as differences.
//! A term that occurs once takes no allocation of its own.

use smallvec::SmallVec;

/// Bytes that are kept without an allocation: the postings of most terms.
const INLINE_BYTES: usize = 16;

/// A chunk that holds a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    /// Number of the chunk.
    pub chunk: u32,
    /// How often it holds the term.
    pub count: u32,
}

/// See the module's description.
#[derive(Clone, Debug, Default)]
pub(super) struct PostingList {
    bytes: SmallVec<[u8; INLINE_BYTES]>,
    /// The newest chunk, plus one.
    next: u32,
    len: u32,
}

impl PostingList {
    /// Appends a chunk, whose number is higher than those before.
    pub(super) fn push(&mut self, posting: Posting) {
        let difference = u64::from(posting.chunk.saturating_sub(self.next));
        self.next = posting.chunk + 1;
        self.len += 1;
        // Most terms occur once in a chunk: the lowest bit says that no count follows.
        let is_repeated = posting.count > 1;
        self.put(difference << 1 | u64::from(is_repeated));
        if is_repeated {
            self.put(u64::from(posting.count));
        }
    }

    /// How many chunks there are.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// The chunks in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Posting> {
        let mut reader = VarintReader {
            rest: self.bytes.iter(),
        };
        let mut next = 0;
        std::iter::from_fn(move || {
            let head = reader.next()?;
            let chunk = next + (head >> 1) as u32;
            next = chunk + 1;
            let count = if head & 1 == 1 { reader.next()? } else { 1 };
            Some(Posting {
                chunk,
                count: count as u32,
            })
        })
    }

    /// Bytes that it takes outside of itself.
    pub(super) fn heap_bytes(&self) -> usize {
        if self.bytes.spilled() {
            self.bytes.capacity()
        } else {
            0
        }
    }

    fn put(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.append(number as u8 | 0x80);
            number >>= 7;
        }
        self.append(number as u8);
    }

    /// Appends a byte. The list grows by a quarter, not to twice its size: there are many, and
    /// what is not used of them is memory all the same.
    fn append(&mut self, byte: u8) {
        if self.bytes.len() == self.bytes.capacity() {
            self.bytes.reserve_exact(self.bytes.len() / 4 + 1);
        }
        self.bytes.push(byte);
    }
}

struct VarintReader<'a> {
    rest: std::slice::Iter<'a, u8>,
}

impl VarintReader<'_> {
    fn next(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.rest.next()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_list_has_little_room_to_spare() {
        let mut list = PostingList::default();
        for number in 0..10_000 {
            let chunk = number * 200;
            list.push(Posting { chunk, count: 1 });
        }
        assert!(list.heap_bytes() <= list.bytes.len() * 13 / 10);
    }

    proptest! {
        #[test]
        fn what_was_pushed_comes_back(steps in prop::collection::vec((0u32..100_000, 1u32..300), 0..40)) {
            let mut list = PostingList::default();
            let mut chunk = 0;
            let mut expected = Vec::new();
            for (step, count) in steps {
                chunk += step;
                let posting = Posting { chunk, count };
                list.push(posting);
                expected.push(posting);
                chunk += 1;
            }
            prop_assert_eq!(list.len() as usize, expected.len());
            prop_assert_eq!(list.iter().collect::<Vec<_>>(), expected);
        }
    }
}
