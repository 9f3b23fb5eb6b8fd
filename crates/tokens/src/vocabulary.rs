//! The tokens of an encoding and their ranks, in tables that the build script wrote.

use crate::Encoding;
use crate::hash::{bucket, hash, slot};

/// Tokens of one length, and where they begin in the tables.
struct Group {
    tokens: u32,
    buckets: u32,
    first_byte: usize,
    first_token: usize,
    first_bucket: usize,
}

/// All tokens of an encoding.
pub struct Vocabulary {
    /// By length in bytes, from 0.
    groups: &'static [Group],
    bytes: &'static [u8],
    ranks: &'static [[u8; 3]],
    seeds: &'static [[u8; 4]],
}

macro_rules! vocabulary {
    ($name:literal) => {
        Vocabulary {
            groups: &include!(concat!(env!("OUT_DIR"), "/", $name, "_groups.rs")),
            bytes: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, "_bytes.bin")),
            ranks: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, "_ranks.bin"))
                .as_chunks()
                .0,
            seeds: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, "_seeds.bin"))
                .as_chunks()
                .0,
        }
    };
}

#[allow(clippy::unreadable_literal)] // written by the build script
static O200K: Vocabulary = vocabulary!("o200k");
#[allow(clippy::unreadable_literal)]
static CL100K: Vocabulary = vocabulary!("cl100k");

/// The vocabulary of an encoding.
pub fn of(encoding: Encoding) -> &'static Vocabulary {
    match encoding {
        Encoding::O200k => &O200K,
        Encoding::Cl100k => &CL100K,
    }
}

impl Vocabulary {
    /// The rank of the token that has these bytes: the lower, the earlier it is joined.
    /// `None` where they are no token.
    pub fn rank(&self, bytes: &[u8]) -> Option<u32> {
        let group = self.groups.get(bytes.len())?;
        let hash = hash(bytes);
        let at = group.first_bucket + bucket(hash, group.buckets);
        let seed = u32::from_le_bytes(*self.seeds.get(at)?);
        let slot = slot(hash, seed, group.tokens);
        let first_byte = group.first_byte + slot * bytes.len();
        let token = self.bytes.get(first_byte..first_byte + bytes.len())?;
        if slot >= group.tokens as usize || token != bytes {
            return None;
        }
        let [low, middle, high] = *self.ranks.get(group.first_token + slot)?;
        Some(u32::from_le_bytes([low, middle, high, 0]))
    }
}
