//! Words in capitals that name a thing: `SIGSEGV`, `DATEV`. Marked where the source has them
//! in no form; stressed words and what everybody says are none.

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::folded_text;

use super::super::reader::{Finding, LineReader};
use super::super::tokens;
use super::words::LOUD_WORDS;
use super::{LineWord, has_word, is_starter};

/// Shorter ones are abbreviations of anything.
const MIN_CAPITALS: usize = 5;

pub(super) fn read(reader: &mut LineReader<'_>, words: &[LineWord<'_>]) {
    let is_loud = |at: Option<usize>| {
        let word = at.and_then(|at| words.get(at));
        word.is_some_and(|word| word.text.len() > 1 && is_capital(word.text))
    };
    for (number, word) in words.iter().enumerate() {
        let is_name = word.text.len() >= MIN_CAPITALS && is_capital(word.text);
        if !is_name || is_loud(number.checked_sub(1)) || is_loud(Some(number + 1)) {
            continue;
        }
        let text = reader.text();
        let before = text.get(..word.span.start).unwrap_or_default();
        let after = text.get(word.span.end..).unwrap_or_default();
        let is_part = before.ends_with(['_', '/', '.', '@', '#', '-', '$'])
            || after.starts_with(['_', '/', '(', '=']);
        // `BLOCKED: …` is a label.
        let is_label = word.starts && after.starts_with([':', '*']);
        let folded = folded_text(word.text);
        let is_common = has_word(LOUD_WORDS, &folded) || is_starter(word.text);
        if is_part
            || is_label
            || is_common
            || reader.is_in_code(word.span.start)
            || reader.is_taken(&word.span)
        {
            continue;
        }
        if tokens::symbol(reader.index, &folded) == Finding::Nowhere {
            reader.claim(word.span.clone(), ClaimClass::Name, Finding::Nowhere);
        }
    }
}

fn is_capital(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use crate::context::grounding::{GroundingSources, check};

    #[test]
    fn names_in_capitals_and_after_titles_are_marked_where_nobody_said_them() {
        for (sentence, expected) in [
            ("It ended with SIGSEGV on three samples.", vec!["SIGSEGV"]),
            ("Vorbereitet ist der DATEV-Export.", vec!["DATEV"]),
            (
                "That is up to Dr. Adeyemi and Dr. Okonkwo.",
                vec!["Adeyemi"],
            ),
            (
                "Den Merge übernimmt Herr Brinkmann, nicht Frau Petersen.",
                vec!["Brinkmann"],
            ),
            ("NEVER push; the WARNING stays; NAND is fine.", vec![]),
            ("Cause found: memory. Ticket closed.", vec![]),
            ("All of it until Ende 2025.", vec![]),
        ] {
            let sources = GroundingSources {
                texts: &[
                    "Dr. Okonkwo decides, Frau Petersen reads; three samples, Ende 2025, memory",
                ],
                ..GroundingSources::default()
            };
            let grounding = check(&format!("- {sentence}\n"), sources);
            let open = grounding.ungrounded().map(|claim| claim.text.as_str());
            assert_eq!(open.collect::<Vec<_>>(), expected, "{sentence}");
        }
    }
}
