//! A vocabulary as tables: tokens in groups of one length, each group with a perfect hash.
//!
//! A bucket of tokens has a seed that gives each of them a slot of its own in the group, so
//! a token is found by one look into the seeds and one comparison. Bytes and ranks lie in
//! the order of slots; because a group's tokens have one length, no offsets are stored.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tiktoken_rs::CoreBPE;

use super::hash::{DIRECT, bucket, hash, slot};

/// Tokens in a bucket, on average: more take less space and more time to build.
const BUCKET_TOKENS: usize = 4;
const RANK_BYTES: usize = 3;

struct Token {
    bytes: Vec<u8>,
    hash: u64,
    rank: u32,
}

/// The tables of a vocabulary while they grow.
#[derive(Default)]
struct Tables {
    bytes: Vec<u8>,
    ranks: Vec<u8>,
    seeds: Vec<u8>,
}

/// Writes the tables of an encoding as `NAME_….bin` and the places of its groups in them as
/// `NAME_groups.rs`.
pub fn write(
    folder: &Path,
    name: &str,
    encoding: &CoreBPE,
    count: u32,
) -> Result<(), Box<dyn Error>> {
    let groups = groups(encoding, count)?;
    let longest = groups.keys().last().copied().unwrap_or_default();
    let mut tables = Tables::default();
    let mut places = String::from("[\n");
    for length in 0..=longest {
        let tokens = groups.get(&length).map(Vec::as_slice).unwrap_or_default();
        let seeds = tokens.len().div_ceil(BUCKET_TOKENS);
        writeln!(
            places,
            "Group {{ tokens: {}, buckets: {seeds}, first_byte: {}, first_token: {}, first_bucket: {} }},",
            tokens.len(),
            tables.bytes.len(),
            tables.ranks.len() / RANK_BYTES,
            tables.seeds.len() / size_of::<u32>(),
        )?;
        add_group(&mut tables, tokens)?;
    }
    places.push(']');
    fs::write(folder.join(format!("{name}_groups.rs")), places)?;
    fs::write(folder.join(format!("{name}_bytes.bin")), tables.bytes)?;
    fs::write(folder.join(format!("{name}_ranks.bin")), tables.ranks)?;
    fs::write(folder.join(format!("{name}_seeds.bin")), tables.seeds)?;
    Ok(())
}

/// The tokens by their length in bytes.
fn groups(encoding: &CoreBPE, count: u32) -> Result<BTreeMap<usize, Vec<Token>>, Box<dyn Error>> {
    let mut groups: BTreeMap<usize, Vec<Token>> = BTreeMap::new();
    for rank in 0..count {
        let bytes = encoding.decode_bytes(&[rank])?;
        let hash = hash(&bytes);
        groups
            .entry(bytes.len())
            .or_default()
            .push(Token { bytes, hash, rank });
    }
    if encoding
        .decode_bytes(&[count])
        .is_ok_and(|bytes| !bytes.starts_with(b"<|"))
    {
        return Err(format!("more than {count} tokens").into());
    }
    // `src/merge.rs` keeps a rank in 18 bits and a length in 8.
    if count >= 1 << 18 || groups.keys().any(|&length| length >= 1 << 8) {
        return Err("ranks or tokens too large".into());
    }
    // What is no token is one byte after the other.
    if groups.get(&1).map(Vec::len) != Some(256) || groups.contains_key(&0) {
        return Err("not every byte is a token".into());
    }
    Ok(groups)
}

fn add_group(tables: &mut Tables, tokens: &[Token]) -> Result<(), Box<dyn Error>> {
    let table = PerfectTable::of(tokens)?;
    for seed in table.seeds {
        tables.seeds.extend(seed.to_le_bytes());
    }
    for token in table.slots {
        tables.bytes.extend(&token.bytes);
        tables
            .ranks
            .extend(token.rank.to_le_bytes().iter().take(RANK_BYTES));
    }
    Ok(())
}

/// A group in which every token has a slot of its own and no slot is empty.
struct PerfectTable<'a> {
    /// By bucket.
    seeds: Vec<u32>,
    slots: Vec<&'a Token>,
}

impl<'a> PerfectTable<'a> {
    fn of(tokens: &'a [Token]) -> Result<Self, Box<dyn Error>> {
        let count = u32::try_from(tokens.len())?;
        let mut seeds = vec![0; tokens.len().div_ceil(BUCKET_TOKENS)];
        let bucket_count = u32::try_from(seeds.len())?;
        let mut buckets = vec![vec![]; seeds.len()];
        for token in tokens {
            if let Some(bucket) = buckets.get_mut(bucket(token.hash, bucket_count)) {
                bucket.push(token);
            }
        }
        let mut buckets: Vec<(usize, Vec<&Token>)> = buckets.into_iter().enumerate().collect();
        // Large buckets choose while there is room.
        buckets.sort_by_key(|(_, tokens)| Reverse(tokens.len()));
        let mut slots: Vec<Option<&Token>> = vec![None; tokens.len()];
        let mut free = 0;
        for (at, bucket) in buckets {
            let seed = match bucket.as_slice() {
                [] => 0,
                [_] => {
                    while slots.get(free).is_some_and(Option::is_some) {
                        free += 1;
                    }
                    DIRECT | u32::try_from(free)?
                }
                several => seed_of(several, count, &slots).ok_or("no seed parts the tokens")?,
            };
            for token in bucket {
                let slot = slot(token.hash, seed, count);
                *slots.get_mut(slot).ok_or("no slot")? = Some(token);
            }
            *seeds.get_mut(at).ok_or("no bucket")? = seed;
        }
        let slots: Option<Vec<_>> = slots.into_iter().collect();
        let slots = slots.ok_or("a slot stayed empty")?;
        Ok(Self { seeds, slots })
    }
}

/// The first seed that gives each token of a bucket a free slot of its own.
fn seed_of(tokens: &[&Token], count: u32, slots: &[Option<&Token>]) -> Option<u32> {
    let mut taken = Vec::new();
    (0..DIRECT).find(|&seed| {
        taken.clear();
        tokens.iter().all(|token| {
            let place = slot(token.hash, seed, count);
            let is_free = !taken.contains(&place) && slots.get(place).is_some_and(Option::is_none);
            taken.push(place);
            is_free
        })
    })
}
