//! What a clause is scored by: its words and the letters of its words, what its cues tell, its
//! place in the message, and the words near it. Each is a number below [`BUCKETS`], a hash:
//! nothing is stored.

use plimsoll_cues::{Cue, Script};

use super::super::clause::Clause;
use super::super::verdict::{Verdict, verdict};

/// How many weights there are.
pub(in crate::context::rules) const BUCKETS: usize = 1 << 18;
/// Of a longer clause the rest is not looked at.
const MAX_WORDS: usize = 48;
/// The same, in letters, where writers put no spaces.
const MAX_CHARS: usize = 160;
/// Runs of letters are at most this long where writers put no spaces.
const LONGEST_RUN: usize = 4;
/// Of a longer word its first letters are looked at,
const STEM_CHARS: usize = 4;
/// and its last.
const ENDING_CHARS: usize = 3;
/// Lengths of the runs of letters of a word that are looked at,
const GRAMS: [usize; 4] = [2, 3, 4, 5];
/// and how many of each.
const MAX_GRAMS: usize = 12;
/// The words of a clause weigh together as much as the square of this, however many they are,
const WORDS_SCALE: f32 = 8.0;
/// and those near it as much as the square of this.
const NEAR_SCALE: f32 = 4.0;
/// The words of so many clauses before a clause and behind it are near it.
const NEAR_CLAUSES: usize = 3;

/// Cues that tell something together that they do not tell one by one.
const PAIRED: [Cue; 31] = [
    Cue::Lasting,
    Cue::Generally,
    Cue::Absolute,
    Cue::Remember,
    Cue::AskFirst,
    Cue::Allowed,
    Cue::Forbidden,
    Cue::Order,
    Cue::Negative,
    Cue::Modal,
    Cue::Duty,
    Cue::Definite,
    Cue::Limit,
    Cue::Prefer,
    Cue::Scope,
    Cue::We,
    Cue::Contrast,
    Cue::Manner,
    Cue::Each,
    Cue::Whenever,
    Cue::Task,
    Cue::Purpose,
    Cue::Question,
    Cue::Request,
    Cue::Narration,
    Cue::Now,
    Cue::Once,
    Cue::Style,
    Cue::Product,
    Cue::Formerly,
    Cue::Touch,
];

/// Where a clause stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::context::rules) struct Surroundings<'a> {
    /// Buckets of the clauses near it, its own among them.
    pub near: &'a [Vec<u32>],
    /// It is the whole message.
    pub is_only: bool,
    pub is_first: bool,
    pub is_last: bool,
    /// The message asks something elsewhere.
    pub has_question: bool,
    /// The message orders a piece of work elsewhere.
    pub has_work: bool,
    /// It is a part of a clause.
    pub is_part: bool,
}

impl Surroundings<'_> {
    /// The surroundings of a part of the clause.
    pub(in crate::context::rules) fn of_part(self) -> Self {
        Self {
            is_part: true,
            is_only: false,
            ..self
        }
    }
}

/// The words of a clause as its neighbours see them: one by one, in pairs, and runs of letters
/// where writers put no spaces.
pub(in crate::context::rules) fn near_buckets(clause: &Clause<'_>) -> Vec<u32> {
    let text = without_digits(clause.normal.text.trim());
    match clause.normal.script {
        Script::Latin | Script::Cyrillic | Script::Hangul => {
            let words: Vec<&str> = text.split(' ').take(MAX_WORDS).collect();
            let one = words.iter().map(|word| bucket("near", &[word]));
            let two = words.windows(2).map(|pair| bucket("near", pair));
            one.chain(two).collect()
        }
        Script::Han | Script::Kana => {
            let letters: Vec<char> = text.chars().take(MAX_CHARS).collect();
            let runs = letters.windows(2).chain(letters.windows(3));
            runs.map(|run| bucket("near", &[&run.iter().collect::<String>()]))
                .collect()
        }
    }
}

/// Of the buckets of all clauses, those near the clause at this place.
pub(in crate::context::rules) fn near(all: &[Vec<u32>], at: usize) -> &[Vec<u32>] {
    let end = all.len().min(at + NEAR_CLAUSES + 1);
    all.get(at.saturating_sub(NEAR_CLAUSES)..end)
        .unwrap_or_default()
}

/// Features that count alike.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureGroup {
    /// Which weights they have.
    pub buckets: Vec<u32>,
    /// What each of them counts.
    pub value: f32,
}

impl FeatureGroup {
    /// Features that weigh together as much as the square of `scale`, however many they are.
    fn of(buckets: Vec<u32>, scale: f32) -> Self {
        let value = scale / (buckets.len().max(1) as f32).sqrt();
        Self { buckets, value }
    }
}

/// The features of a clause.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::context::rules) struct Features {
    /// Buckets of words, letters and the place,
    words: Vec<u32>,
    /// of cues, and one that every clause has,
    cues: Vec<u32>,
    /// and of the words near it.
    near: Vec<u32>,
}

impl Features {
    pub(in crate::context::rules) fn of(clause: &Clause<'_>, around: Surroundings<'_>) -> Self {
        let mut features = Self::default();
        let text = clause.normal.text.trim();
        match clause.normal.script {
            Script::Latin | Script::Cyrillic | Script::Hangul => features.add_words(text),
            Script::Han | Script::Kana => features.add_letters(text),
        }
        features.add_place(clause, around);
        features.add_cues(clause);
        features.near = around.near.concat();
        features
    }

    /// The features in groups that count alike.
    pub(in crate::context::rules) fn groups(self) -> [FeatureGroup; 3] {
        let cues = FeatureGroup {
            buckets: self.cues,
            value: 1.0,
        };
        [
            FeatureGroup::of(self.words, WORDS_SCALE),
            FeatureGroup::of(self.near, NEAR_SCALE),
            cues,
        ]
    }

    fn add(&mut self, kind: &str, parts: &[&str]) {
        self.words.push(bucket(kind, parts));
    }

    /// Words and their letters, pairs and triples of neighbours, pairs around one word,
    /// beginnings and endings of words.
    fn add_words(&mut self, text: &str) {
        let digits = without_digits(text);
        let words: Vec<&str> = digits.split(' ').take(MAX_WORDS).collect();
        let mut framed = vec!["^"];
        framed.extend(&words);
        framed.push("$");
        for word in &words {
            self.add("word", &[word]);
            self.add_grams(word);
            let letters = word.char_indices();
            if let Some((stem, _)) = letters.clone().nth(STEM_CHARS) {
                let (ending, _) = letters.rev().nth(ENDING_CHARS - 1).unwrap_or_default();
                self.add("stem", &[word.get(..stem).unwrap_or_default()]);
                self.add("ending", &[word.get(ending..).unwrap_or_default()]);
            }
        }
        for pair in framed.windows(2) {
            self.add("pair", pair);
        }
        for triple in framed.windows(3) {
            self.add("triple", triple);
            if let [first, _, last] = triple {
                self.add("around", &[first, last]);
            }
        }
        let length = (words.len() / 3).min(9).to_string();
        self.add("length", &[&length]);
    }

    /// Runs of letters of a word, with its beginning and its end.
    fn add_grams(&mut self, word: &str) {
        let framed = format!("<{word}>");
        let mut ends: Vec<usize> = framed.char_indices().map(|(at, _)| at).collect();
        ends.push(framed.len());
        for length in GRAMS {
            for window in ends.windows(length + 1).take(MAX_GRAMS) {
                if let [start, .., end] = window {
                    self.add("gram", &[framed.get(*start..*end).unwrap_or_default()]);
                }
            }
        }
    }

    /// Runs of letters.
    fn add_letters(&mut self, text: &str) {
        let text: String = without_digits(text).chars().take(MAX_CHARS).collect();
        let framed = format!("^{text}$");
        let starts: Vec<usize> = framed.char_indices().map(|(at, _)| at).collect();
        let end = framed.len();
        for (at, &start) in starts.iter().enumerate() {
            for length in 1..=LONGEST_RUN {
                let behind = starts.get(at + length).copied().unwrap_or(end);
                if at + length <= starts.len() {
                    self.add("run", &[framed.get(start..behind).unwrap_or_default()]);
                }
            }
        }
        let length = (starts.len() / 5).min(9).to_string();
        self.add("letters", &[&length]);
    }

    fn add_place(&mut self, clause: &Clause<'_>, around: Surroundings<'_>) {
        let places = [
            ("asks", clause.is_question),
            ("only", around.is_only),
            ("first", around.is_first),
            ("last", around.is_last),
            ("question beside", around.has_question),
            ("work beside", around.has_work),
            ("part", around.is_part),
        ];
        for (place, _) in places.iter().filter(|(_, holds)| *holds) {
            self.add("place", &[place]);
        }
        self.add("script", &[script_name(clause.normal.script)]);
        let marks = clause.text.trim().chars().filter(|c| is_mark(*c));
        for mark in marks.take(MAX_WORDS) {
            self.add("mark", &[mark.encode_utf8(&mut [0; 4])]);
        }
        if let Some(end) = clause
            .text
            .trim_end()
            .chars()
            .last()
            .filter(|c| is_mark(*c))
        {
            self.add("end", &[end.encode_utf8(&mut [0; 4])]);
        }
    }

    fn add_cues(&mut self, clause: &Clause<'_>) {
        self.add_cue("any", &[]);
        self.cues.push(bucket(verdict_name(verdict(clause)), &[]));
        let (mut all, mut first): (Vec<Cue>, Vec<Cue>) = (Vec::new(), Vec::new());
        for hit in &clause.cues.hits {
            if !all.contains(&hit.cue) {
                all.push(hit.cue);
            }
            if hit.start <= clause.cues.body && !first.contains(&hit.cue) {
                first.push(hit.cue);
            }
        }
        all.sort_by_key(|cue| cue.bit());
        for cue in &all {
            self.add_cue("cue", &[*cue]);
        }
        for cue in &first {
            self.add_cue("first cue", &[*cue]);
        }
        let paired: Vec<Cue> = all.into_iter().filter(|cue| PAIRED.contains(cue)).collect();
        for (at, one) in paired.iter().enumerate() {
            for other in paired.iter().skip(at + 1) {
                self.add_cue("two cues", &[*one, *other]);
            }
        }
    }

    fn add_cue(&mut self, kind: &str, names: &[Cue]) {
        let mut hash = Hash::of(kind);
        for cue in names {
            hash.add(&[*cue as u8]);
        }
        self.cues.push(hash.bucket());
    }
}

fn script_name(script: Script) -> &'static str {
    match script {
        Script::Latin => "latin",
        Script::Cyrillic => "cyrillic",
        Script::Han => "han",
        Script::Kana => "kana",
        Script::Hangul => "hangul",
    }
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Rule => "rule",
        Verdict::RuleAlone => "rule alone",
        Verdict::Possible => "possible",
        Verdict::Other => "other",
    }
}

/// Whether a character is neither a letter nor a space.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace()
}

/// One number is like another.
fn without_digits(text: &str) -> String {
    let digits = text.chars();
    digits
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect()
}

fn bucket(kind: &str, parts: &[&str]) -> u32 {
    let mut hash = Hash::of(kind);
    for part in parts {
        hash.add(part.as_bytes());
    }
    hash.bucket()
}

/// FNV-1a, whose values do not depend on the machine.
struct Hash(u64);

impl Hash {
    fn of(kind: &str) -> Self {
        let mut hash = Self(0xcbf2_9ce4_8422_2325);
        hash.add(kind.as_bytes());
        hash
    }

    /// Adds a part, and that it ends.
    fn add(&mut self, part: &[u8]) {
        for byte in part.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn bucket(&self) -> u32 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (u64::BITS - BUCKETS.trailing_zeros())) as u32
    }
}
