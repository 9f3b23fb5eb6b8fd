//! Where a token is in its group: a hash of its bytes, spread by the seed of a bucket.
//!
//! The build script and the library use the same functions, so a table that was built is
//! a table that is found.

/// Odd, with bits in no order: products of it reach all high bits.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND_MULTIPLIER: u64 = 0xd6e8_feb8_6659_fd93;
const WORD_BYTES: usize = 8;
/// A seed with this bit names the slot itself.
pub const DIRECT: u32 = 1 << 31;

/// The hash of a token's bytes.
pub fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<WORD_BYTES>();
    let mut state = bytes.len() as u64;
    for word in words {
        state = mixed(state ^ u64::from_le_bytes(*word));
    }
    let mut last = 0;
    for byte in rest {
        last = last << 8 | u64::from(*byte);
    }
    mixed(state ^ last)
}

/// The bucket of a hash, below `buckets`.
pub fn bucket(hash: u64, buckets: u32) -> usize {
    scaled(hash, buckets)
}

/// The slot of a hash in a group of `count` tokens, by the seed of its bucket.
pub fn slot(hash: u64, seed: u32, count: u32) -> usize {
    if seed & DIRECT == 0 {
        scaled(mixed(hash ^ (u64::from(seed) << 1 | 1)), count)
    } else {
        (seed & !DIRECT) as usize
    }
}

fn mixed(state: u64) -> u64 {
    let once = state.wrapping_mul(MULTIPLIER);
    (once ^ once >> 32).wrapping_mul(SECOND_MULTIPLIER)
}

/// A number below `limit` from the high half of a hash.
fn scaled(hash: u64, limit: u32) -> usize {
    (((hash >> 32) * u64::from(limit)) >> 32) as usize
}
