//! Writes the words that tell a language, sorted: a program that reads one short message
//! would spend most of its time on putting them together.

// Lines on standard output are what a build script tells Cargo.
#![allow(clippy::print_stdout)]

#[allow(dead_code)] // the library uses the rest
#[path = "src/cue.rs"]
mod cue;
#[path = "src/tables/mod.rs"]
mod tables;
#[allow(dead_code)] // the library uses the rest
#[path = "src/vote.rs"]
mod vote;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use cue::{CueTable, Script};
use tables::TABLES;
use vote::WordVote;

/// Weight of a frequent word of a language, and of another word of its cues; twice that when
/// no other language has it.
const COMMON_WEIGHT: u8 = 3;
const CUE_WEIGHT: u8 = 2;
/// Weight of a name of a thing, which other languages may have as well.
const THING_WEIGHT: u8 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src");
    let mut words: BTreeMap<&str, [u8; TABLES.len()]> = BTreeMap::new();
    for (at, table) in TABLES.iter().enumerate() {
        if table.script == Script::Latin {
            for (word, weight) in weights(table) {
                words.entry(word).or_default()[at] = weight;
            }
        }
    }
    let (mut texts, mut places, mut votes) = (String::new(), Vec::new(), Vec::new());
    for (word, weights) in words {
        places.extend(u32::try_from(texts.len())?.to_le_bytes());
        texts.push_str(word);
        votes.extend(votes_of(weights));
    }
    places.extend(u32::try_from(texts.len())?.to_le_bytes());
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    fs::write(folder.join("latin_texts.txt"), texts)?;
    fs::write(folder.join("latin_places.bin"), places)?;
    fs::write(folder.join("latin_votes.bin"), votes)?;
    Ok(())
}

/// The words of a language, each with its weight.
fn weights(table: &CueTable) -> BTreeMap<&str, u8> {
    let mut own: BTreeMap<&str, u8> = BTreeMap::new();
    for (cue, phrases) in table.cues {
        let weight = if cue.is_of_things() {
            THING_WEIGHT
        } else {
            CUE_WEIGHT
        };
        let words = phrases
            .split(['|', ' '])
            .map(|word| word.trim_matches(['^', '$']));
        for word in words.filter(|word| is_plain_word(word)) {
            let own = own.entry(word).or_default();
            *own = weight.max(*own);
        }
    }
    let hasty = table.hasty.split('|').filter_map(|it| it.split_once('='));
    for (typed, _) in hasty {
        own.insert(typed, CUE_WEIGHT);
    }
    for word in table.common.split('|') {
        own.insert(word, COMMON_WEIGHT);
    }
    own
}

fn is_plain_word(word: &str) -> bool {
    !word.is_empty() && word.chars().all(char::is_alphabetic)
}

/// What a word says for each language.
fn votes_of(weights: [u8; TABLES.len()]) -> [u8; TABLES.len()] {
    let languages = weights.iter().filter(|&&weight| weight > 0).count();
    weights.map(|weight| {
        let factor = if languages == 1 && weight > THING_WEIGHT {
            2
        } else {
            1
        };
        let common = if weight == COMMON_WEIGHT {
            WordVote::COMMON
        } else {
            0
        };
        common | (weight * factor)
    })
}
