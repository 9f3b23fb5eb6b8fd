//! The cues of each language, one table each, and how they are looked for.
//!
//! A table is data: phrases by [`Cue`], separated by `|`, without case and accents. `^` before
//! a phrase wants it at the beginning of the clause, `$` behind it at the end, `*` lets
//! its last word go on, or its first begin earlier, `..` is a gap. A language is added by its table and a line in [`TABLES`].

mod chinese;
mod cue;
mod dutch;
mod english;
mod french;
mod german;
mod italian;
mod japanese;
mod korean;
mod polish;
mod portuguese;
mod russian;
mod spanish;
mod spelling;
mod turkish;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;

use super::normal::NormalText;
use cue::CueTable;
pub(super) use cue::{Cue, Script};
use spelling::Spelling;

const TABLES: [&CueTable; 13] = [
    &english::TABLE,
    &german::TABLE,
    &french::TABLE,
    &spanish::TABLE,
    &portuguese::TABLE,
    &italian::TABLE,
    &dutch::TABLE,
    &polish::TABLE,
    &russian::TABLE,
    &turkish::TABLE,
    &chinese::TABLE,
    &japanese::TABLE,
    &korean::TABLE,
];

static LANGUAGES: [OnceLock<Option<Language>>; TABLES.len()] =
    [const { OnceLock::new() }; TABLES.len()];

/// Weight of a frequent word of a language, and of another word of its cues; twice that when
/// no other language has it.
const COMMON_WEIGHT: u32 = 3;
const CUE_WEIGHT: u32 = 2;
/// Weight of a name of a thing, which other languages may have as well.
const THING_WEIGHT: u32 = 1;

/// The words of the languages in Latin letters, each with what it says for them.
static LATIN_WORDS: LazyLock<HashMap<&str, Vec<WordVote>>> = LazyLock::new(|| {
    let mut words: HashMap<&str, Vec<WordVote>> = HashMap::new();
    for (at, table) in TABLES.iter().enumerate() {
        if table.script != Script::Latin {
            continue;
        }
        let mut own: HashMap<&str, u32> = HashMap::new();
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
        for (word, weight) in own {
            let vote = WordVote {
                language: at,
                is_common: weight == COMMON_WEIGHT,
                weight,
            };
            words.entry(word).or_default().push(vote);
        }
    }
    for votes in words.values_mut() {
        if let [vote] = votes.as_mut_slice()
            && vote.weight > THING_WEIGHT
        {
            vote.weight *= 2;
        }
    }
    words
});

#[derive(Clone, Copy, Debug)]
struct WordVote {
    language: usize,
    is_common: bool,
    weight: u32,
}

/// Whether a word is frequent in one of the languages in Latin letters.
pub(super) fn is_common(word: &str) -> bool {
    let votes = LATIN_WORDS.get(word);
    votes.is_some_and(|votes| votes.iter().any(|vote| vote.is_common))
}

/// Whether a word is one of those that tell a language or a cue.
pub(super) fn is_telling(word: &str) -> bool {
    LATIN_WORDS.contains_key(word)
}

fn is_plain_word(word: &str) -> bool {
    !word.is_empty() && word.chars().all(char::is_alphabetic)
}

/// The language of a clause in a message. The message counts where the clause says little.
pub(super) fn language_of(clause: &NormalText, message: &LatinVotes) -> Option<&'static Language> {
    let at = match clause.script {
        Script::Latin => message.best_for(clause),
        script => TABLES.iter().position(|table| table.script == script)?,
    };
    LANGUAGES[at]
        .get_or_init(|| Language::of(TABLES[at]))
        .as_ref()
}

/// What the words of a message say for the languages in Latin letters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LatinVotes([u32; TABLES.len()]);

impl LatinVotes {
    /// Counts the words of a text.
    pub(super) fn add(&mut self, text: &NormalText) {
        for word in text.text.split(' ') {
            for vote in LATIN_WORDS.get(word).into_iter().flatten() {
                self.0[vote.language] += vote.weight;
            }
        }
    }

    /// The language of a clause, whose own words count twice. English when nothing tells.
    fn best_for(&self, clause: &NormalText) -> usize {
        let mut own = Self::default();
        own.add(clause);
        let votes = self.0.iter().zip(own.0).map(|(all, own)| all + own);
        let mut best = (0, 0);
        for (at, votes) in votes.enumerate() {
            if votes > best.1 {
                best = (at, votes);
            }
        }
        best.0
    }
}

/// A language that is ready to look for its cues.
pub(super) struct Language {
    script: Script,
    is_verb_last: bool,
    /// Phrases without gaps,
    phrases: AhoCorasick,
    /// what each of them tells,
    meanings: Vec<Phrase>,
    /// and phrases with gaps.
    gapped: Vec<GappedPhrase>,
    /// Where words stand between spaces.
    spelling: Option<Spelling>,
    /// What is meant by words as they are typed in haste.
    hasty: HashMap<&'static str, &'static str>,
}

/// What follows the first part of a phrase of several parts with something between them.
struct GappedPhrase {
    /// Where it is in the list of phrases: by its first part.
    first: usize,
    rest: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
struct Phrase {
    cue: Cue,
    /// Bytes before its first word.
    padding: usize,
    is_first: bool,
    is_last: bool,
    /// It is only the first part: a [`GappedPhrase`] has the others.
    is_gapped: bool,
}

/// A cue in a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CueHit {
    pub cue: Cue,
    /// Where it is in the normal text.
    pub start: usize,
    pub end: usize,
}

/// The cues of a clause.
#[derive(Clone, Debug, Default)]
pub(super) struct CueHits {
    /// In the order of their ends.
    pub hits: Vec<CueHit>,
    set: u128,
    /// Cues of beginnings that are in the middle: “… run the tests”.
    inner: u128,
    /// Where the clause begins after words that say nothing.
    pub body: usize,
    /// The language puts the verb last.
    pub is_verb_last: bool,
}

impl CueHits {
    pub(super) fn has(&self, cue: Cue) -> bool {
        self.set & cue.bit() != 0
    }

    pub(super) fn has_any(&self, cues: &[Cue]) -> bool {
        cues.iter().any(|cue| self.has(*cue))
    }

    /// Whether a cue of beginnings is in the middle.
    pub(super) fn has_inner(&self, cue: Cue) -> bool {
        self.inner & cue.bit() != 0
    }

    pub(super) fn of(&self, cue: Cue) -> impl Iterator<Item = CueHit> + '_ {
        self.hits.iter().copied().filter(move |hit| hit.cue == cue)
    }

    /// Where the first of a cue begins.
    pub(super) fn first(&self, cue: Cue) -> Option<usize> {
        self.of(cue).map(|hit| hit.start).min()
    }

    /// Whether the clause begins with a cue.
    pub(super) fn begins_with(&self, cue: Cue) -> bool {
        self.of(cue).any(|hit| hit.start <= self.body)
    }

    fn push(&mut self, hit: CueHit) {
        self.set |= hit.cue.bit();
        self.hits.push(hit);
    }
}

impl Language {
    fn of(table: &CueTable) -> Option<Self> {
        let mut texts = Vec::new();
        let mut meanings = Vec::new();
        let mut gapped = Vec::new();
        let is_within = table.script.is_found_within();
        let clitics = &Clitics::of(table.clitics);
        let forms = table.cues.iter().flat_map(|(cue, phrases)| {
            let phrases = phrases.split('|').filter(|phrase| !phrase.is_empty());
            phrases.flat_map(move |phrase| {
                let joined = clitics.joined(phrase).map(Cow::Owned);
                let forms = std::iter::once(Cow::Borrowed(phrase)).chain(joined);
                forms.map(move |form| (cue, form))
            })
        });
        for (cue, phrase) in forms {
            let mut parts = phrase.split("..");
            let first = parts.next().unwrap_or_default().trim();
            let rest: Vec<String> = parts
                .map(|part| looked_for(part.trim().trim_matches(['^', '$']), is_within))
                .collect();
            let is_gapped = !rest.is_empty();
            if is_gapped {
                gapped.push(GappedPhrase {
                    first: texts.len(),
                    rest,
                });
            }
            let bare = first.trim_matches(['^', '$']);
            let text = looked_for(bare, is_within);
            meanings.push(Phrase {
                cue: *cue,
                padding: usize::from(text.starts_with(' ')),
                is_first: phrase.starts_with('^'),
                is_last: phrase.ends_with('$') && !is_gapped,
                is_gapped,
            });
            texts.push(text);
        }
        Some(Self {
            script: table.script,
            is_verb_last: table.is_verb_last,
            phrases: AhoCorasick::new(&texts).ok()?,
            meanings,
            gapped,
            spelling: (!is_within).then(|| Spelling::of(table)),
            hasty: table
                .hasty
                .split('|')
                .filter_map(|it| it.split_once('='))
                .collect(),
        })
    }

    /// Spells out what is typed in haste, and corrects typing errors in the words that make a
    /// rule.
    pub(super) fn correct(&self, clause: &mut NormalText) {
        clause.replace_words(|word| self.hasty.get(word).copied());
        if let Some(spelling) = &self.spelling {
            clause.replace_words(|word| {
                let is_foreign = LATIN_WORDS.contains_key(word);
                spelling.meant(word).filter(|_| !is_foreign)
            });
        }
    }

    /// The cues of a clause.
    pub(super) fn cues(&self, clause: &NormalText) -> CueHits {
        let text = clause.text.as_str();
        let mut found = CueHits {
            is_verb_last: self.is_verb_last,
            ..CueHits::default()
        };
        let scanned = self.scan(text);
        for hit in scanned.anywhere {
            found.push(hit);
        }
        found.body = body_start(text, &scanned.fillers);
        let padding = usize::from(!self.script.is_found_within());
        let starts = [padding, found.body];
        for hit in scanned.first {
            if starts.contains(&hit.start) {
                found.push(hit);
            } else {
                found.inner |= hit.cue.bit();
            }
        }
        for (pattern, first) in scanned.gapped {
            let at = self.gapped.binary_search_by_key(&pattern, |it| it.first);
            let phrase = at.ok().and_then(|at| self.gapped.get(at));
            let Some(rest) = phrase.and_then(|it| hits_behind(text, first, &it.rest)) else {
                continue;
            };
            let is_first = self.meanings.get(pattern).is_some_and(|it| it.is_first);
            if !is_first || starts.contains(&first.start) {
                found.push(first);
                for hit in rest {
                    found.push(hit);
                }
            }
        }
        found
    }

    /// The phrases of a normal text, by where they have to be.
    fn scan(&self, text: &str) -> ScannedPhrases {
        let end = text.trim_end().len();
        let mut scanned = ScannedPhrases::default();
        for hit in self.phrases.find_overlapping_iter(text) {
            let pattern = hit.pattern().as_usize();
            let Some(phrase) = self.meanings.get(pattern) else {
                continue;
            };
            let hit = CueHit {
                cue: phrase.cue,
                start: hit.start() + phrase.padding,
                end: hit.end(),
            };
            if phrase.is_last && hit.end < end {
                continue;
            }
            if phrase.is_gapped {
                scanned.gapped.entry(pattern).or_insert(hit);
            } else if phrase.cue == Cue::Filler {
                scanned.fillers.push(hit);
            } else if phrase.is_first {
                scanned.first.push(hit);
            } else {
                scanned.anywhere.push(hit);
            }
        }
        scanned
    }
}

/// The phrases that a text holds.
#[derive(Default)]
struct ScannedPhrases {
    anywhere: Vec<CueHit>,
    /// Those that count at the beginning of the clause.
    first: Vec<CueHit>,
    /// First parts of those with gaps, by their place in the list of phrases.
    gapped: BTreeMap<usize, CueHit>,
    fillers: Vec<CueHit>,
}

/// A phrase as it stands in a normal text: between spaces, unless words go on.
fn looked_for(phrase: &str, is_within: bool) -> String {
    let plain = NormalText::of_phrase(phrase.trim_matches('*'));
    if is_within {
        return plain;
    }
    let start = if phrase.starts_with('*') { "" } else { " " };
    let end = if phrase.ends_with('*') { "" } else { " " };
    format!("{start}{plain}{end}")
}

/// Words that an apostrophe joins to their neighbours: `d` in “i'd”, `l` in “l'ordre”.
struct Clitics {
    /// Those that stick to the word behind them.
    front: HashSet<&'static str>,
    /// Those that stick to the word before them.
    back: HashSet<&'static str>,
}

impl Clitics {
    /// Reads `l-|-d`.
    fn of(table: &'static str) -> Self {
        let all = || table.split('|');
        Self {
            front: all().filter_map(|it| it.strip_suffix('-')).collect(),
            back: all().filter_map(|it| it.strip_prefix('-')).collect(),
        }
    }

    /// A phrase as it is typed without apostrophes: “i d rather” is “id rather”.
    fn joined(&self, phrase: &str) -> Option<String> {
        let mut out = String::with_capacity(phrase.len());
        let mut sticks = true;
        for word in phrase.split(' ') {
            let sticks_back = !out.is_empty() && self.back.contains(word);
            if !sticks && !sticks_back {
                out.push(' ');
            }
            out.push_str(word);
            let bare = word.trim_start_matches('^');
            sticks = self.front.contains(bare);
        }
        (out != phrase).then_some(out)
    }
}

/// Where a clause begins after fillers, commas and spaces.
fn body_start(text: &str, fillers: &[CueHit]) -> usize {
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let skipped = rest.len() - rest.trim_start_matches([' ', ',', ':']).len();
        at += skipped;
        // The longest filler here; the space behind it is the next one's.
        let filler = fillers.iter().filter(|hit| hit.start == at && hit.end > at);
        let Some(end) = filler.map(|hit| hit.end).max() else {
            return at;
        };
        at = end.max(at + 1).min(text.len());
        if at >= text.len() {
            return at;
        }
    }
}

/// Where the other parts of a phrase with gaps are, when all are there in their order.
fn hits_behind(text: &str, first: CueHit, parts: &[String]) -> Option<Vec<CueHit>> {
    // The space behind one part may be the one before the next.
    let is_spaced = |at: usize| text.get(..at).is_some_and(|it| it.ends_with(' '));
    let mut from = first.end - usize::from(is_spaced(first.end));
    let mut hits = Vec::with_capacity(parts.len());
    for part in parts {
        let start = from + text.get(from..)?.find(part.as_str())?;
        from = (start + part.len()).saturating_sub(usize::from(part.ends_with(' ')));
        hits.push(CueHit {
            cue: first.cue,
            start: start + usize::from(part.starts_with(' ')),
            end: from,
        });
    }
    Some(hits)
}
