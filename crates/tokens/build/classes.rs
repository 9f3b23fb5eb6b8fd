//! The class of every character, in two steps: blocks of 256 characters, most of which are
//! alike.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use regex_syntax::hir::{Class, HirKind};

const BLOCK_CHARS: usize = 256;
const CHARS: usize = 0x11_0000;
/// Patterns in the order of `src/class.rs`; all that none of them holds has class 0.
const PATTERNS: [&str; 7] = [
    r"[\s&&[^\r\n]]",
    r"[\r\n]",
    r"\p{N}",
    r"[\p{Lu}\p{Lt}]",
    r"\p{Ll}",
    r"[\p{Lm}\p{Lo}]",
    r"\p{M}",
];

/// Writes `class_blocks.bin` (the blocks that differ) and `class_index.bin` (for each 256
/// characters the number of their block).
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let classes = classes()?;
    let mut numbers = HashMap::new();
    let mut blocks = Vec::new();
    let mut index = Vec::new();
    for block in classes.chunks(BLOCK_CHARS) {
        let next = numbers.len();
        let number = *numbers.entry(block).or_insert(next);
        if number == next {
            blocks.extend_from_slice(block);
        }
        index.push(u8::try_from(number)?);
    }
    fs::write(folder.join("class_blocks.bin"), blocks)?;
    fs::write(folder.join("class_index.bin"), index)?;
    Ok(())
}

fn classes() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut classes = vec![0; CHARS];
    for (class, pattern) in (1..).zip(PATTERNS) {
        let parsed = regex_syntax::parse(pattern)?;
        let HirKind::Class(Class::Unicode(ranges)) = parsed.kind() else {
            return Err(format!("{pattern} is not a class of characters").into());
        };
        for range in ranges.iter() {
            let range = range.start() as usize..=range.end() as usize;
            let places = classes.get_mut(range).ok_or("beyond Unicode")?;
            if places.iter().any(|&place| place != 0) {
                return Err(format!("{pattern} holds characters of another class").into());
            }
            places.fill(class);
        }
    }
    Ok(classes)
}
