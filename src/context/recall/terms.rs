//! The terms of a text, for an index: names as a whole and in their parts, words, and pairs of
//! characters where a script has no spaces. Case does not count.
//!
//! `src/auth/TokenCache.rs:41` gives itself, `src/auth/TokenCache.rs`, `TokenCache.rs`, and the
//! words `src`, `auth`, `tokencache`, `token`, `cache`, `rs`, `41`. Text and query are read by the
//! same rules, so whatever is spelt alike is found.

use crate::context::identifiers::is_unspaced;

/// Longest name that is a term as a whole, in bytes; longer ones are data.
const MAX_NAME_BYTES: usize = 256;
/// A word with more changes between letters and digits is a hash: its parts say nothing.
const MAX_HUMPS: usize = 3;
/// Shortest word that is split where its letters change, in bytes.
const MIN_SPLIT_BYTES: usize = 4;

/// Characters inside names.
const JOINTS: [char; 11] = ['_', '-', '.', '/', '\\', ':', '@', '#', '+', '~', '%'];
/// Joints between things that are names of their own: a path and its line, a host and a user.
const OUTER_JOINTS: [char; 6] = [':', '@', '#', '+', '~', '%'];

/// A term where it stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TermSighting {
    /// The term, folded and hashed.
    pub hash: u64,
    /// It has no parts of its own.
    pub is_leaf: bool,
    /// First byte in the text.
    pub from: usize,
    /// The byte after the last.
    pub to: usize,
}

/// Hands over the terms of a text, in order, the whole of a name before its parts.
pub(super) fn each_term(text: &str, found: &mut impl FnMut(TermSighting)) {
    let mut reader = TermReader { text, found };
    let mut name: Option<usize> = None;
    let mut unspaced: Option<usize> = None;
    for (at, c) in text.char_indices() {
        let is_name = is_name_char(c);
        if is_name {
            name.get_or_insert(at);
        } else if let Some(from) = name.take() {
            reader.name(from, at);
        }
        if !is_name && is_unspaced(c) {
            unspaced.get_or_insert(at);
        } else if let Some(from) = unspaced.take() {
            reader.unspaced_run(from, at);
        }
    }
    if let Some(from) = name {
        reader.name(from, text.len());
    }
    if let Some(from) = unspaced {
        reader.unspaced_run(from, text.len());
    }
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || JOINTS.contains(&c)
        || !c.is_ascii() && c.is_alphanumeric() && !is_unspaced(c)
}

struct TermReader<'a, F: FnMut(TermSighting)> {
    text: &'a str,
    found: &'a mut F,
}

impl<F: FnMut(TermSighting)> TermReader<'_, F> {
    fn emit(&mut self, from: usize, to: usize, is_leaf: bool) {
        let term = self.text.get(from..to).unwrap_or_default();
        (self.found)(TermSighting {
            hash: folded_hash(term),
            is_leaf,
            from,
            to,
        });
    }

    /// A run of letters, digits and joints.
    fn name(&mut self, from: usize, to: usize) {
        let Some(span) = self.trimmed(from, to) else {
            return;
        };
        let is_compound = self.has_joint(span);
        if is_compound && span.to - span.from <= MAX_NAME_BYTES {
            self.emit(span.from, span.to, false);
        }
        if !is_compound {
            return self.word(span.from, span.to);
        }
        for outer in self.split(span, &OUTER_JOINTS) {
            self.offer_compound(outer, span);
            for segment in self.split(outer, &['/', '\\']) {
                self.offer_compound(segment, outer);
                for word in self.split(segment, &JOINTS) {
                    self.word(word.from, word.to);
                }
            }
        }
    }

    /// A part of a name that has joints itself.
    fn offer_compound(&mut self, part: TextSpan, whole: TextSpan) {
        if part != whole && self.has_joint(part) && part.to - part.from <= MAX_NAME_BYTES {
            self.emit(part.from, part.to, false);
        }
    }

    /// A run of letters and digits.
    fn word(&mut self, from: usize, to: usize) {
        let word = self.text.get(from..to).unwrap_or_default();
        let humps = humps(word);
        self.emit(from, to, humps.is_empty());
        let mut start = 0;
        for end in humps.iter().copied().chain([word.len()]) {
            if !humps.is_empty() {
                self.emit(from + start, from + end, true);
            }
            start = end;
        }
    }

    /// Characters of a script without spaces, in pairs; a single one by itself.
    fn unspaced_run(&mut self, from: usize, to: usize) {
        let run = self.text.get(from..to).unwrap_or_default();
        let mut starts = run.char_indices().map(|(at, c)| (at, at + c.len_utf8()));
        let Some(mut last) = starts.next() else {
            return;
        };
        if last.1 == run.len() {
            return self.emit(from, to, true);
        }
        for next in starts {
            self.emit(from + last.0, from + next.1, true);
            last = next;
        }
    }

    /// The span without joints at its ends.
    fn trimmed(&self, from: usize, to: usize) -> Option<TextSpan> {
        let piece = self.text.get(from..to)?;
        let front = piece.trim_start_matches(JOINTS);
        let from = to - front.len();
        let back = front.trim_end_matches(JOINTS);
        (!back.is_empty()).then_some(TextSpan {
            from,
            to: from + back.len(),
        })
    }

    fn has_joint(&self, span: TextSpan) -> bool {
        let piece = self.text.get(span.from..span.to).unwrap_or_default();
        piece.contains(JOINTS)
    }

    /// What is between the joints, trimmed; nothing for what holds none but joints.
    fn split(&self, span: TextSpan, joints: &[char]) -> Vec<TextSpan> {
        let piece = self.text.get(span.from..span.to).unwrap_or_default();
        let mut from = span.from;
        let parts = piece.split(joints).filter_map(|part| {
            let (begin, end) = (from, from + part.len());
            from = end + 1;
            self.trimmed(begin, end)
        });
        parts.collect()
    }
}

/// A part of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TextSpan {
    from: usize,
    to: usize,
}

/// Where a word changes: `tokenCache`, `HTTPServer`, `alpha17`. Empty when it does not, or so
/// often that it is a hash.
fn humps(word: &str) -> Vec<usize> {
    let bytes = word.as_bytes();
    if bytes.len() < MIN_SPLIT_BYTES || !word.is_ascii() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for at in 1..bytes.len() {
        let (Some(&before), Some(&here)) = (bytes.get(at - 1), bytes.get(at)) else {
            break;
        };
        let next_is_lower = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let is_hump = before.is_ascii_lowercase() && here.is_ascii_uppercase()
            || before.is_ascii_uppercase() && here.is_ascii_uppercase() && next_is_lower
            || before.is_ascii_digit() != here.is_ascii_digit();
        if is_hump {
            found.push(at);
            if found.len() > MAX_HUMPS {
                return Vec::new();
            }
        }
    }
    found
}

/// FNV-1a over the lower-case bytes: the same on every machine and in every run.
fn folded_hash(term: &str) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    if term.is_ascii() {
        let bytes = term.bytes().map(|byte| byte.to_ascii_lowercase());
        return bytes.fold(OFFSET, step);
    }
    let mut buffer = [0; 4];
    let mut hash = OFFSET;
    for c in term.chars().flat_map(char::to_lowercase) {
        hash = c.encode_utf8(&mut buffer).bytes().fold(hash, step);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        each_term(text, &mut |term| {
            let mark = if term.is_leaf { "" } else { "*" };
            out.push(format!("{}{mark}", text.get(term.from..term.to).unwrap()));
        });
        out
    }

    #[test]
    fn names_are_terms_as_a_whole_and_in_parts() {
        for (text, expected) in [
            ("plain words, here", "plain words here"),
            ("--dry-run", "dry-run* dry run"),
            (
                "(src/a_b.rs:41)",
                "src/a_b.rs:41* src/a_b.rs* src a_b.rs* a b rs 41",
            ),
            ("TokenCache", "TokenCache* Token Cache"),
            ("HTTPServer", "HTTPServer* HTTP Server"),
            ("alpha17", "alpha17* alpha 17"),
            ("7f3a9c21e0", "7f3a9c21e0"),
            ("id=req-7f3a9c1b", "id req-7f3a9c1b* req 7f3a9c1b"),
            ("1.25", "1.25* 1 25"),
            ("... -- /", ""),
            ("端口号", "端口 口号"),
            ("用a b", "用 a b"),
            ("Größe", "Größe"),
        ] {
            assert_eq!(terms(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn case_does_not_count() {
        for (a, b) in [("TOKEN", "token"), ("Größe", "GRÖßE"), ("Ärger", "ärger")] {
            assert_eq!(folded_hash(a), folded_hash(b), "{a}");
        }
        assert_ne!(folded_hash("token"), folded_hash("tokens"));
    }
}
