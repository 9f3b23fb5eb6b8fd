//! Words that take a rule back: “forget what I said about tabs”, “the rule about pushing no
//! longer applies”.

use super::finder::Clause;
use super::language::{Cue, Script, is_common};
use super::normal::NormalText;

/// Two words that begin alike are the same word in two forms: at least so many letters,
const MIN_STEM_CHARS: usize = 3;
/// and at least this share of the shorter one.
const STEM_SHARE: f64 = 0.6;

/// Han letters that only say how words belong together, or who speaks.
const HAN_PARTICLES: &str = "的了那这我你说过于关之前个条是在";

/// A request to forget rules about something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Withdrawal {
    /// The words that say what about.
    about: Vec<String>,
}

/// The withdrawal that a clause is.
pub(super) fn read(clause: &Clause<'_>) -> Option<Withdrawal> {
    if clause.is_question || clause.cues.has(Cue::Question) || !clause.cues.has(Cue::Withdraw) {
        return None;
    }
    let text = &clause.normal.text;
    let hits: Vec<_> = clause.cues.of(Cue::Withdraw).collect();
    let from = hits.iter().map(|hit| hit.start).min()?;
    // What follows the next comma is the reason.
    let reason = text
        .get(from..)?
        .find(',')
        .map_or(text.len(), |at| from + at);
    let mut words = Vec::new();
    for (at, word) in content_words(text, clause.normal.script) {
        let is_cue = hits.iter().any(|hit| at >= hit.start && at < hit.end);
        if at < reason && !is_cue {
            words.push(word);
        }
    }
    (!words.is_empty()).then_some(Withdrawal { about: words })
}

impl Withdrawal {
    /// The share of its words that a rule holds.
    pub(super) fn match_of(&self, rule: &str) -> f64 {
        let normal = NormalText::of(rule);
        let script = normal.script;
        let held: Vec<String> = content_words(&normal.text, script)
            .map(|(_, word)| word)
            .collect();
        let is_held = |word: &&String| held.iter().any(|held| are_alike(word, held));
        let found = self.about.iter().filter(is_held).count();
        found as f64 / self.about.len().max(1) as f64
    }
}

/// The words of a normal text that say what it is about, with their places. Where writers put
/// no spaces, runs of one kind of letters; of Han letters every two.
fn content_words(text: &str, script: Script) -> impl Iterator<Item = (usize, String)> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut kind = LetterKind::Other;
    for (at, c) in text.char_indices() {
        let own = LetterKind::of(c, script);
        if own != kind {
            push_words(
                &mut words,
                start,
                text.get(start..at).unwrap_or_default(),
                kind,
            );
            start = at;
            kind = own;
        }
    }
    push_words(
        &mut words,
        start,
        text.get(start..).unwrap_or_default(),
        kind,
    );
    words.into_iter()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LetterKind {
    Alphabet,
    Han,
    Katakana,
    Hangul,
    /// Spaces, marks, and letters that only say how words belong together.
    Other,
}

impl LetterKind {
    fn of(c: char, script: Script) -> Self {
        match c {
            '\u{30a1}'..='\u{30ff}' => Self::Katakana,
            '\u{3041}'..='\u{3096}' => Self::Other,
            c if HAN_PARTICLES.contains(c) => Self::Other,
            '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => Self::Han,
            '\u{ac00}'..='\u{d7af}' => Self::Hangul,
            '.' | '_' | '/' | '-' if script != Script::Han => Self::Alphabet,
            c if c.is_alphanumeric() => Self::Alphabet,
            _ => Self::Other,
        }
    }
}

/// Appends the words of a run of letters of one kind, which begins at `start`.
fn push_words(words: &mut Vec<(usize, String)>, start: usize, run: &str, kind: LetterKind) {
    match kind {
        LetterKind::Other => {}
        LetterKind::Alphabet if is_common(run) => {}
        LetterKind::Han => {
            let letters: Vec<(usize, char)> = run.char_indices().collect();
            for pair in letters.windows(2) {
                if let [(offset, first), (_, second)] = pair {
                    words.push((start + offset, [*first, *second].iter().collect()));
                }
            }
        }
        LetterKind::Alphabet | LetterKind::Katakana | LetterKind::Hangul => {
            words.push((start, run.to_owned()));
        }
    }
}

/// Whether two words are forms of the same.
fn are_alike(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let letters = |word: &str| word.chars().count();
    let same = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let shorter = letters(one).min(letters(other));
    let is_hangul = one.starts_with(|c| matches!(c, '\u{ac00}'..='\u{d7af}'));
    let least = if is_hangul { 1 } else { MIN_STEM_CHARS };
    let share = if is_hangul { 0.5 } else { STEM_SHARE };
    same >= least && same as f64 >= shorter as f64 * share
}
