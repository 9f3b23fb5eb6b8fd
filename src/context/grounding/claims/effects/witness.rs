//! Who speaks of an effect: whatever is said or run beside what it was done to, unless it is
//! denied, planned or asked.

use std::cell::Cell;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::fold::{folded_text, word_hash};
use crate::context::grounding::index::{SourceIndex, TextOrigin};
use crate::context::grounding::languages;
use crate::context::identifiers::is_unspaced;

use super::super::reader::Finding;
use super::super::tokens;
use super::forms::DoneVerb;
use super::verbs::KIN;

/// Letters of a stem: two words that share them are of one verb.
const MAX_STEM_CHARS: usize = 7;
/// Shorter stems are the beginning of anything.
const MIN_KIN_BYTES: usize = 3;
/// From so many words of an object on, one of them tells nothing of it.
const MANY_OBJECT_WORDS: usize = 3;
/// Places of a word that are read.
const MAX_PLACES: usize = 300;
/// Bytes around a word that are read.
const LINE_BYTES: usize = 300;
/// A longer argument is a text, not a command.
const MAX_COMMAND_BYTES: usize = 400;

/// An effect that a summary tells.
#[derive(Debug)]
pub(super) struct WantedEffect {
    /// Stems that say it, folded.
    stems: Vec<String>,
    /// Words of what it was done to, or of who did it.
    objects: Vec<String>,
    /// The objects are those who did it: words about others bear no witness.
    is_by_person: bool,
}

/// What is still to come, besides the words of the lexicons, folded.
static TO_COME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:want|wants|need|needs|expect|let|lets|has|have|ask)\b (?:\w+ ){0,3}(?:to|for)\b|\bto confirm\b|\bask \w+|'d\b|'ll\b|\b(?:or|if|case|cases|suggest|propose|later|could|should)\b|\b(?:soll|muss|kann|doit|debe|deve|moet)\b|должен|должна|нужно|等|待|之前|まで|予定|必要|예정",
    )
    .ok()
});

impl WantedEffect {
    pub(super) fn of(verb: &DoneVerb, objects: Vec<String>) -> Self {
        let is_member = |member: &str| {
            let is_stem = verb.stem.len() >= MIN_KIN_BYTES && member.starts_with(&verb.stem);
            is_stem || verb.stem.starts_with(member) || verb.word.starts_with(member)
        };
        let kin = KIN
            .iter()
            .filter(|group| group.split_whitespace().any(is_member));
        let mut stems: Vec<String> = kin
            .flat_map(|group| group.split_whitespace().map(str::to_owned))
            .collect();
        stems.push(verb.stem.chars().take(MAX_STEM_CHARS).collect());
        stems.sort();
        stems.dedup();
        Self {
            stems,
            objects,
            is_by_person: false,
        }
    }

    /// Words about somebody else bear no witness.
    pub(super) fn by_person(mut self) -> Self {
        self.is_by_person = true;
        self
    }

    /// The newest place that speaks of it.
    pub(super) fn witness(&self, index: &SourceIndex<'_>) -> Finding {
        let mut best: Option<usize> = None;
        for object in &self.objects {
            let mut forms = vec![object.clone()];
            if !object.starts_with(is_unspaced) {
                forms.extend(tokens::other_number(object));
            }
            for form in forms {
                let hashes = if form.starts_with(is_unspaced) {
                    tokens::hashes(&form)
                } else {
                    vec![word_hash(&form)]
                };
                let left = Cell::new(MAX_PLACES);
                let accepts = |place: usize| {
                    let count = left.get();
                    left.set(count.saturating_sub(1));
                    count == 0 || self.is_said_at(index, place)
                };
                let found = index.find(&hashes, &|_, gap| gap.joins(), &accepts);
                best = best.max(found.filter(|_| left.get() > 0));
            }
        }
        Finding::of(best)
    }

    fn is_said_at(&self, index: &SourceIndex<'_>, place: usize) -> bool {
        let Some(text) = index.text_at(place) else {
            return false;
        };
        let line = index.line_at(place, LINE_BYTES);
        let is_command = text.origin == TextOrigin::Argument;
        if matches!(text.origin, TextOrigin::Argument | TextOrigin::Output) && !self.is_by_person {
            let is_short = text.text.len() <= MAX_COMMAND_BYTES;
            let whole = is_command && is_short && self.is_named_in(&folded_text(&text.text));
            let folded = folded_text(line);
            let is_there = self.is_named_in(&folded) && self.names_object(&folded);
            return whole || is_there && !is_open(&line.to_lowercase());
        }
        let pieces = line.split_inclusive(['.', ';', '!', '?', '。', '；', '？', '！']);
        let mut told = pieces.map(|piece| (piece.to_lowercase(), folded_text(piece)));
        told.any(|(lowered, folded)| {
            self.names_object(&folded) && self.is_named_in(&folded) && !is_open(&lowered)
        })
    }

    fn names_object(&self, folded: &str) -> bool {
        let hits = self
            .objects
            .iter()
            .filter(|object| folded.contains(object.as_str()));
        let needed = if self.objects.len() >= MANY_OBJECT_WORDS && !self.is_by_person {
            2
        } else {
            1
        };
        hits.count() >= needed
    }

    fn is_named_in(&self, folded: &str) -> bool {
        self.stems.iter().any(|stem| {
            let mut hits = folded.match_indices(stem.as_str());
            hits.any(|(at, _)| {
                let text = folded.get(..at).unwrap_or_default();
                let before = text.chars().next_back();
                let word = folded.get(at..).unwrap_or_default();
                let word = word.split(|c: char| !c.is_alphanumeric()).next();
                // `a fermé` was done, `à fermer` and `a cerrar` are to be done.
                let is_infinitive =
                    word.is_some_and(|word| word.ends_with('r') || word.ends_with("re"));
                let is_purpose = text.ends_with("to ")
                    || text.ends_with("zu ")
                    || text.ends_with(" a ") && is_infinitive;
                !is_purpose
                    && (stem.starts_with(is_unspaced)
                        || stem.chars().count() > 5
                        || !before.is_some_and(char::is_alphabetic))
            })
        })
    }
}

/// Whether a sentence in lower case asks, denies or plans.
fn is_open(lowered: &str) -> bool {
    let has = |cue: &Option<Regex>| cue.as_ref().is_some_and(|cue| cue.is_match(lowered));
    let language = languages::likely(&folded_text(lowered), languages::english());
    let cues = [language, languages::english()];
    lowered.trim_end().ends_with(['?', '？'])
        || has(&TO_COME)
        || cues
            .iter()
            .any(|lexicon| has(&lexicon.negations) || has(&lexicon.unreal))
}
