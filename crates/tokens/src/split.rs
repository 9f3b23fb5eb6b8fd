//! Cuts a text into pieces: words, numbers of three digits, signs, white space. Tokens never
//! span two pieces.
//!
//! These are the rules of the encodings' patterns as a program. A pattern would have to look
//! ahead (white space leaves its last character to the word behind it), take time to
//! compile, and step back in texts that do not fit.

use crate::Encoding;
use crate::class::Class;

const NUMBER_DIGITS: usize = 3;

/// The length in bytes of the first piece of a text: at least one character, unless the text
/// is empty.
pub fn first_piece(encoding: Encoding, text: &str) -> usize {
    let Some(first) = text.chars().next() else {
        return 0;
    };
    let class = Class::of(first);
    let word = match encoding {
        Encoding::O200k => o200k_word(text, first, class),
        Encoding::Cl100k => cl100k_word(text, first, class),
    };
    if let Some(end) = word {
        return end;
    }
    if class == Class::Number {
        return number(text);
    }
    signs(encoding, text, first).unwrap_or_else(|| space(encoding, text))
}

/// A contraction at the start of the text, or letters with one character before them that
/// is neither letter nor number nor the end of a line.
fn cl100k_word(text: &str, first: char, class: Class) -> Option<usize> {
    if first == '\'' {
        let contraction = contraction(text);
        if contraction > 0 {
            return Some(contraction);
        }
    }
    let start = if class.is_prefix() {
        first.len_utf8()
    } else {
        0
    };
    let end = run(text, start, Class::is_letter);
    (end > start).then_some(end)
}

/// A word of letters and marks, of which capitals come first, with one character before it
/// as above and a contraction behind it.
fn o200k_word(text: &str, first: char, class: Class) -> Option<usize> {
    let after_first = first.len_utf8();
    let end = if class.is_prefix() {
        // A mark that no word follows is a word by itself.
        let alone = (class == Class::Mark).then_some(after_first);
        lower_end(text, after_first)
            .or(alone)
            .or_else(|| upper_end(text, after_first))
    } else if class.is_letter() {
        lower_end(text, 0).or_else(|| upper_end(text, 0))
    } else {
        None
    }?;
    Some(end + contraction(text.get(end..).unwrap_or_default()))
}

/// The end of a word that ends in lower case or in characters without case.
fn lower_end(text: &str, start: usize) -> Option<usize> {
    let mut last_caseless = None;
    let mut at = start;
    for character in text.get(start..)?.chars() {
        match Class::of(character) {
            Class::Upper => at += character.len_utf8(),
            Class::Caseless | Class::Mark => {
                at += character.len_utf8();
                last_caseless = Some(at);
            }
            Class::Lower => {
                let is_low = |class| matches!(class, Class::Lower | Class::Caseless | Class::Mark);
                return Some(run(text, at, is_low));
            }
            _ => break,
        }
    }
    last_caseless
}

/// The end of a word of capitals alone.
fn upper_end(text: &str, start: usize) -> Option<usize> {
    let end = run(text, start, |class| class == Class::Upper);
    (end > start).then_some(end)
}

/// The length of an English contraction (`'s`, `'LL`) at the start of a text, or 0. The long
/// `ſ` is an `s` to who does not regard case.
fn contraction(text: &str) -> usize {
    let mut characters = text.chars();
    if characters.next() != Some('\'') {
        return 0;
    }
    let Some(first) = characters.next() else {
        return 0;
    };
    let pair = match first.to_ascii_lowercase() {
        's' | 't' | 'm' | 'd' | 'ſ' => return 1 + first.len_utf8(),
        'r' | 'v' => 'e',
        'l' => 'l',
        _ => return 0,
    };
    let is_pair = characters
        .next()
        .is_some_and(|second| second.eq_ignore_ascii_case(&pair));
    if is_pair { 3 } else { 0 }
}

/// The end of the first three digits.
fn number(text: &str) -> usize {
    let digits = text.chars().take(NUMBER_DIGITS);
    digits
        .take_while(|&digit| Class::of(digit) == Class::Number)
        .map(char::len_utf8)
        .sum()
}

/// The end of signs with a space before them and ends of lines behind them, in the newer
/// encoding also slashes after those.
fn signs(encoding: Encoding, text: &str, first: char) -> Option<usize> {
    let start = usize::from(first == ' ');
    let end = run(text, start, Class::is_sign);
    if end == start {
        return None;
    }
    let has_slashes = encoding == Encoding::O200k;
    let behind = text.get(end..)?.bytes();
    let more = behind
        .take_while(|&byte| matches!(byte, b'\r' | b'\n') || has_slashes && byte == b'/')
        .count();
    Some(end + more)
}

/// The end of white space: the last end of a line, else the last character before a word's
/// own blank.
fn space(encoding: Encoding, text: &str) -> usize {
    let mut last_line = None;
    let mut last = 0;
    let mut end = 0;
    for character in text.chars() {
        let class = Class::of(character);
        if !class.is_space() {
            break;
        }
        last = end;
        end += character.len_utf8();
        if class == Class::Newline {
            last_line = Some(end);
        }
    }
    let is_all = end == text.len();
    match last_line {
        Some(line) if !is_all || encoding == Encoding::O200k => line,
        _ if is_all || last == 0 => end,
        _ => last,
    }
}

/// Where characters of these classes end that begin at a place.
fn run(text: &str, start: usize, is_in: impl Fn(Class) -> bool) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let after = rest
        .char_indices()
        .find(|&(_, character)| !is_in(Class::of(character)));
    start + after.map_or(rest.len(), |(at, _)| at)
}
