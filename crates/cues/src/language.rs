//! Which language a text is in, and where its cues are.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cue::{Cue, CueTable, Script};
use crate::normal::NormalText;
use crate::spelling::Spelling;
use crate::tables::TABLES;
use crate::words::{is_telling, votes};

static LANGUAGES: [OnceLock<Option<Language>>; TABLES.len()] =
    [const { OnceLock::new() }; TABLES.len()];

/// The language of a clause in a message. The message counts where the clause says little.
pub fn language_of(clause: &NormalText, message: &LatinVotes) -> Option<&'static Language> {
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
pub struct LatinVotes([u32; TABLES.len()]);

impl LatinVotes {
    /// Counts the words of a text.
    pub fn add(&mut self, text: &NormalText) {
        for word in text.text.split(' ') {
            let votes = votes(word).into_iter().flatten();
            for (sum, vote) in self.0.iter_mut().zip(votes) {
                *sum += u32::from(vote.weight);
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
pub struct Language {
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
    hasty: FxHashMap<&'static str, &'static str>,
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
pub struct CueHit {
    /// What it tells.
    pub cue: Cue,
    /// Where it is in the normal text.
    pub start: usize,
    /// Where it ends there.
    pub end: usize,
}

/// The cues of a clause.
#[derive(Clone, Debug, Default)]
pub struct CueHits {
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
    /// Whether a cue is in the clause.
    pub fn has(&self, cue: Cue) -> bool {
        self.set & cue.bit() != 0
    }

    /// Whether one of these is.
    pub fn has_any(&self, cues: &[Cue]) -> bool {
        cues.iter().any(|cue| self.has(*cue))
    }

    /// Whether a cue of beginnings is in the middle.
    pub fn has_inner(&self, cue: Cue) -> bool {
        self.inner & cue.bit() != 0
    }

    /// The places of a cue.
    pub fn of(&self, cue: Cue) -> impl Iterator<Item = CueHit> + '_ {
        self.hits.iter().copied().filter(move |hit| hit.cue == cue)
    }

    /// Where the first of a cue begins.
    pub fn first(&self, cue: Cue) -> Option<usize> {
        self.of(cue).map(|hit| hit.start).min()
    }

    /// Whether the clause begins with a cue.
    pub fn begins_with(&self, cue: Cue) -> bool {
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
    pub fn correct(&self, clause: &mut NormalText) {
        clause.replace_words(|word| self.hasty.get(word).copied());
        if let Some(spelling) = &self.spelling {
            clause.replace_words(|word| {
                let is_foreign = is_telling(word);
                spelling.meant(word).filter(|_| !is_foreign)
            });
        }
    }

    /// The cues of a clause.
    pub fn cues(&self, clause: &NormalText) -> CueHits {
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
    front: FxHashSet<&'static str>,
    /// Those that stick to the word before them.
    back: FxHashSet<&'static str>,
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
