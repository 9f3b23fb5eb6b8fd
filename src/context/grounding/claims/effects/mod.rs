//! Actions with an effect outside of the files of a conversation: a ticket closed, a server
//! restarted, a room booked, a person who agreed. There is no end to their verbs, so the
//! direction is turned: whatever is said to be done counts as such unless its verb is one of
//! the work itself, and it was done when somebody speaks of the verb, or of one that stands for it, beside what
//! it was done to.

mod forms;
mod roles;
mod things;
mod verbs;
mod witness;

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::audit::keywords;
use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{self, FoldedLine, folded_text};
use crate::context::grounding::languages::{self, Lexicon};
use crate::context::grounding::prose;
use crate::context::identifiers::is_unspaced;

use super::names;
use super::reader::LineReader;
use forms::DoneVerb;
use witness::WantedEffect;

/// Words of a list, each a beginning of words.
struct WordList(Vec<&'static str>);

/// Shorter entries stand for the whole word.
const MIN_PREFIX_CHARS: usize = 4;

impl WordList {
    fn of(texts: &[&'static str]) -> Self {
        let words = texts.iter().flat_map(|text| text.split_whitespace());
        Self(words.collect())
    }

    fn has(&self, word: &str) -> bool {
        self.0.iter().any(|entry| {
            let is_short = entry.is_ascii() && entry.len() < MIN_PREFIX_CHARS;
            if is_short {
                *entry == word
            } else {
                word.starts_with(entry)
            }
        })
    }

    fn has_verb(&self, verb: &DoneVerb) -> bool {
        !verb.is_compound && self.has(&verb.stem) || self.has(&verb.word)
    }
}

static INNER: LazyLock<WordList> = LazyLock::new(|| WordList::of(&[verbs::INNER]));
static INNER_ELSEWHERE: LazyLock<WordList> = LazyLock::new(|| {
    WordList::of(&[
        verbs::INNER_ELSEWHERE,
        verbs::GERMAN_COMPOUNDS,
        verbs::INNER_SIGNS,
    ])
});
static EITHER: LazyLock<WordList> = LazyLock::new(|| WordList::of(&[verbs::EITHER]));
static EITHER_ELSEWHERE: LazyLock<WordList> =
    LazyLock::new(|| WordList::of(&[verbs::EITHER_ELSEWHERE, verbs::EITHER_SIGNS]));
static OUTSIDE: LazyLock<WordList> = LazyLock::new(|| WordList::of(&[things::OUTSIDE]));
static OUTSIDE_SIGNS: LazyLock<WordList> = LazyLock::new(|| WordList::of(&[things::OUTSIDE_SIGNS]));

/// What a person does by saying it.
static PERSONAL_ACTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let actors = things::ACTORS
        .split_whitespace()
        .collect::<Vec<_>>()
        .join("|");
    Regex::new(&format!(
        r"^(?:(?P<name>\p{{Lu}}[\p{{L}}'’-]+(?:\s+\p{{Lu}}[\p{{L}}'’-]+)?)|(?:[Tt]he\s+)?(?P<actor>{actors}))(?:\s+(?:from|in|at|of)\s[^,;]{{1,30}}?)?\s+(?:has\s+|have\s+|had\s+)?(?:was\s+|were\s+|been\s+)?(?:also\s+|then\s+|already\s+)?(?P<v>agreed|accepted|approved|confirmed|signed|reviewed|declined|rejected|promised|volunteered|complained|replied|answered|responded|called|vetoed|proofread|took over|endorsed|apologi[sz]ed|resigned|asked|told|informed|briefed|contacted|reminded|thanked)\b"
    ))
    .ok()
});

pub(super) fn read(reader: &mut LineReader<'_>) {
    if reader.line.is_plan || reader.line.is_rule {
        return;
    }
    let mut found: Vec<(Range<usize>, WantedEffect)> = Vec::new();
    let mut roles: Vec<Range<usize>> = Vec::new();
    for sentence in prose::sentences(reader.line) {
        let text = reader.text().get(sentence.clone()).unwrap_or_default();
        if text.trim_end().ends_with(['?', '？']) {
            continue;
        }
        for clause in prose::clauses(reader.text(), sentence.clone()) {
            let told = reader.text().get(clause.span.clone()).unwrap_or_default();
            in_clause(told, clause.span.start, &mut found);
            if let Some(name) = roles::person_of(told) {
                let from = clause.span.start;
                roles.push(from + name.start..from + name.end);
            }
        }
    }
    for span in roles {
        let name = reader.text().get(span.clone()).unwrap_or_default();
        let finding = roles::witness(reader.index, name);
        reader.note(span, ClaimClass::Effect, finding);
    }
    for (span, wanted) in found {
        let is_judged = reader.claims.iter().any(|claim| {
            claim.class == ClaimClass::DoneAction
                && claim.span.start < span.end
                && span.start < claim.span.end
        });
        if !is_judged && !reader.is_in_code(span.start) {
            let finding = wanted.witness(reader.index);
            reader.note(span, ClaimClass::Effect, finding);
        }
    }
}

fn in_clause(told: &str, from: usize, found: &mut Vec<(Range<usize>, WantedEffect)>) {
    let lowered = FoldedLine::lowered(told);
    let folded = folded_text(told);
    if let Some((span, wanted)) = personal_act(told)
        && !is_denied(&lowered.text, &span, &[0])
    {
        found.push((from + span.start..from + span.end, wanted));
        return;
    }
    let has_outside = || {
        // Names of files and of code are no things outside of them.
        let plain = folded
            .split_whitespace()
            .filter(|word| !word.contains(['/', '_', '`']));
        let mut words = plain.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        words.any(|word| !word.contains('.') && OUTSIDE.has(word))
            || things::PHRASES.iter().any(|words| folded.contains(words))
            || OUTSIDE_SIGNS.0.iter().any(|word| folded.contains(word))
    };
    for verb in forms::verbs_of(&lowered.text) {
        let is_english = verb.languages.contains(&0);
        let (inner, either) = if is_english {
            (&*INNER, &*EITHER)
        } else {
            (&*INNER_ELSEWHERE, &*EITHER_ELSEWHERE)
        };
        let is_told = !inner.has_verb(&verb) && !either.has_verb(&verb)
            || either.has_verb(&verb) && has_outside()
            || is_of_a_migration(&verb, &folded);
        // What the person said is asked of its quotes, not of deeds.
        let subject = lowered.text.get(..verb.span.start).unwrap_or_default();
        let behind = lowered.text.get(verb.span.end..).unwrap_or_default();
        let is_to_person = [" the user", " user"]
            .iter()
            .any(|it| behind.starts_with(it));
        let is_of_person =
            is_to_person || subject.contains("user ha") || subject.contains("assistant ha");
        if !is_told || is_of_person || is_denied(&lowered.text, &verb.span, verb.languages) {
            continue;
        }
        let span = lowered.original(verb.span.clone());
        let mut objects = object_words(told, &span);
        let has_number = |word: &String| word.contains(|c: char| c.is_ascii_digit());
        if is_of_a_migration(&verb, &folded) && objects.iter().any(has_number) {
            objects.retain(has_number);
        }
        if !objects.is_empty() {
            let wanted = WantedEffect::of(&verb, objects);
            found.push((from + span.start..from + span.end, wanted));
        }
    }
}

/// `migration 0042 was applied`: what a file of the work says was done to a database.
fn is_of_a_migration(verb: &DoneVerb, folded: &str) -> bool {
    let is_run = things::RUNS
        .split_whitespace()
        .any(|it| verb.word.starts_with(it));
    let mut migrations = things::MIGRATIONS.split_whitespace();
    is_run && migrations.any(|it| folded.contains(it))
}

/// Somebody other than the person and the model who says yes, no or something.
fn personal_act(told: &str) -> Option<(Range<usize>, WantedEffect)> {
    let groups = PERSONAL_ACTS.as_ref()?.captures(told)?;
    let verb = groups.name("v")?;
    let who = groups.name("name").or_else(|| groups.name("actor"))?;
    if groups
        .name("name")
        .is_some_and(|name| names::is_starter(name.as_str()))
    {
        return None;
    }
    let word = folded_text(verb.as_str());
    let verb_form = DoneVerb {
        span: verb.range(),
        stem: word.strip_suffix("ed").unwrap_or(&word).to_owned(),
        word,
        is_compound: false,
        languages: &[0],
    };
    let objects = who.as_str().split_whitespace().map(folded_text).collect();
    Some((
        verb.range(),
        WantedEffect::of(&verb_form, objects).by_person(),
    ))
}

/// Whether a clause in lower case denies, plans or conditions its verb.
fn is_denied(clause: &str, verb: &Range<usize>, forms: &[usize]) -> bool {
    let has = |cue: &Option<Regex>, text: &str| cue.as_ref().is_some_and(|cue| cue.is_match(text));
    let before = clause.get(..verb.start).unwrap_or_default();
    forms
        .iter()
        .filter_map(|number| languages::all().get(*number))
        .any(|lexicon: &Lexicon| {
            let read = if forms == [0] { before } else { clause };
            let opens = |cue: &Option<Regex>| {
                let found = cue.as_ref().and_then(|cue| cue.find(clause));
                found.is_some_and(|found| found.start() == 0)
            };
            has(&lexicon.negations, read)
                || has(&lexicon.unreal, read)
                || opens(&lexicon.conditional)
        })
}

/// Words of a clause that tell nothing of what something was done to, folded.
const EMPTY: &[&str] = &[
    "wurde",
    "wurden",
    "worden",
    "ist",
    "sind",
    "hat",
    "haben",
    "der",
    "die",
    "das",
    "dem",
    "den",
    "des",
    "ein",
    "eine",
    "fur",
    "auf",
    "aus",
    "bei",
    "mit",
    "von",
    "und",
    "neu",
    "les",
    "des",
    "une",
    "ete",
    "ont",
    "pour",
    "sur",
    "dans",
    "los",
    "las",
    "una",
    "del",
    "con",
    "por",
    "para",
    "fue",
    "foi",
    "har",
    "afterwards",
    "successfully",
    "again",
    "now",
    "then",
    "later",
    "since",
    "was",
    "were",
    "been",
    "way",
    "new",
    "old",
    "main",
    "all",
    "both",
    "для",
    "ветки",
    "was",
];

/// The words of a clause that can tell what something was done to, folded; of scripts without
/// spaces, pairs of signs.
fn object_words(told: &str, verb: &Range<usize>) -> Vec<String> {
    let mut out = Vec::new();
    let mut sign: Option<(usize, char)> = None;
    for (at, c) in told.char_indices() {
        let is_sign = is_unspaced(c) && c.is_alphabetic() && !is_kana(c) && !verb.contains(&at);
        if let Some((before, first)) =
            sign.filter(|(before, first)| is_sign && before + first.len_utf8() == at)
        {
            out.push(
                told.get(before..at + c.len_utf8())
                    .unwrap_or_default()
                    .to_owned(),
            );
            let _ = first;
        }
        sign = is_sign.then_some((at, c));
    }
    for word in fold::words_of(told) {
        let text = told.get(word.start..word.end).unwrap_or_default();
        let spelling = folded_text(text);
        let is_verb = verb.start < word.end && word.start < verb.end;
        let is_telling = (spelling.chars().count() > 2
            || spelling.contains(|c: char| c.is_ascii_digit()))
            && !spelling.starts_with(is_unspaced)
            && !keywords::is_stop(&spelling)
            && !EMPTY.contains(&spelling.as_str());
        if is_telling && !is_verb {
            out.push(spelling);
        }
    }
    out
}

/// Hiragana: endings and particles.
fn is_kana(c: char) -> bool {
    matches!(u32::from(c), 0x3041..=0x309F)
}

#[cfg(test)]
mod tests {
    use crate::context::grounding::{GroundingSources, check};

    fn is_open(sentence: &str) -> bool {
        let sources = GroundingSources {
            texts: &["Next comes 4.6.1, the IBAN of seven members is missing, a cat got 0.3 mL."],
            ..GroundingSources::default()
        };
        let grounding = check(&format!("## Progress\n- {sentence}\n"), sources);
        grounding.ungrounded().count() > 0
    }

    #[test]
    fn a_tag_that_nobody_set_is_found_in_thirteen_languages() {
        let mut open = Vec::new();
        for sentence in [
            "Version 4.6.1 was tagged.",
            "Version 4.6.1 wurde getaggt.",
            "La version 4.6.1 a été étiquetée.",
            "La versión 4.6.1 fue etiquetada.",
            "A versão 4.6.1 foi etiquetada.",
            "La versione 4.6.1 è stata etichettata.",
            "Versie 4.6.1 werd getagd.",
            "Wersja 4.6.1 została otagowana.",
            "Версия 4.6.1 помечена тегом.",
            "4.6.1 sürümü etiketlendi.",
            "已打上 4.6.1 标签。",
            "4.6.1 にタグを付けました。",
            "4.6.1에 태그를 달았습니다.",
        ] {
            open.extend((!is_open(sentence)).then_some(sentence));
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn records_that_nobody_completed_are_found_and_soft_verbs_claim_nothing() {
        for sentence in [
            "The missing IBAN records were completed.",
            "Die fehlenden IBAN wurden ergänzt.",
            "Les IBAN manquants ont été complétés.",
            "Los IBAN que faltaban quedaron completados.",
        ] {
            assert!(is_open(sentence), "{sentence}");
        }
        assert!(!is_open("A cat was given 0.3 mL."));
        assert!(!is_open("Die Nummer war doppelt vergeben."));
    }
}
