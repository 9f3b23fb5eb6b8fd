//! The words of the languages in Latin letters, each with what it says for them. The build
//! script has sorted them.

use crate::tables::TABLES;
use crate::vote::WordVote;

/// All words, one behind the other.
static TEXTS: &str = include_str!(concat!(env!("OUT_DIR"), "/latin_texts.txt"));
/// Where each begins, and where the last one ends.
static PLACES: &[[u8; 4]] = include_bytes!(concat!(env!("OUT_DIR"), "/latin_places.bin"))
    .as_chunks()
    .0;
/// What each says, language by language.
static VOTES: &[[u8; TABLES.len()]] = include_bytes!(concat!(env!("OUT_DIR"), "/latin_votes.bin"))
    .as_chunks()
    .0;

/// What a word says for the languages, by their places in [`TABLES`]. `None` for a word that
/// says nothing.
pub(crate) fn votes(word: &str) -> Option<impl Iterator<Item = WordVote>> {
    let (mut start, mut end) = (0, VOTES.len());
    while start < end {
        let middle = start.midpoint(end);
        if text(middle)? < word {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    let votes = VOTES.get(start)?;
    (text(start)? == word).then(|| votes.iter().map(|&byte| WordVote::of_byte(byte)))
}

fn text(at: usize) -> Option<&'static str> {
    let place = |at: usize| Some(u32::from_le_bytes(*PLACES.get(at)?) as usize);
    TEXTS.get(place(at)?..place(at + 1)?)
}

/// Whether a word is frequent in one of the languages in Latin letters.
pub fn is_common(word: &str) -> bool {
    votes(word).is_some_and(|mut votes| votes.any(|vote| vote.is_common))
}

/// Whether a word is one of those that tell a language or a cue.
pub fn is_telling(word: &str) -> bool {
    votes(word).is_some()
}
