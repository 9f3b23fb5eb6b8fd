//! Permissions that a summary says somebody gave, and rules that it says do not hold: only a
//! person gives them, in so many words or by an order. What forbids a thing grounds no
//! permission for it.

mod withdrawn;
mod words;

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::audit::keywords;
use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{FoldedLine, folded_text, word_hash};
use crate::context::grounding::index::{SourceIndex, TextOrigin};
use crate::context::grounding::languages::{self, Lexicon};
use crate::context::grounding::prose;
use crate::context::identifiers::is_unspaced;

use super::reader::{Finding, LineReader};
use super::tokens;
use words::{ConsentWords, LANGUAGES};

/// The words of a language, ready to be looked for.
struct ConsentCues {
    granted: Option<Regex>,
    passive: Option<Regex>,
    may: Option<Regex>,
    releases: Option<Regex>,
    gives: Option<Regex>,
    affirms: Option<Regex>,
    asks_first: Option<Regex>,
    limits: Option<Regex>,
}

impl ConsentCues {
    fn of(words: &ConsentWords) -> Self {
        let cue = |pattern: &str| Regex::new(pattern).ok();
        Self {
            granted: cue(words.granted),
            passive: cue(words.passive),
            may: cue(words.may),
            releases: cue(words.releases),
            gives: cue(words.gives),
            affirms: cue(words.affirms),
            asks_first: cue(words.asks_first),
            limits: cue(words.limits),
        }
    }
}

static CUES: LazyLock<Vec<ConsentCues>> =
    LazyLock::new(|| LANGUAGES.iter().map(ConsentCues::of).collect());

/// The cues of all languages, with what denies in them.
fn all_cues() -> impl Iterator<Item = (&'static ConsentCues, &'static Lexicon)> {
    CUES.iter().zip(languages::all())
}

/// Chinese, Japanese and Korean are the last three.
const UNSPACED_FROM: usize = 10;
/// Letters of a word that denies in one language and means nothing in another.
const MIN_DENIAL_CHARS: usize = 4;

/// The cues of the language of a folded text and English ones; of a text in signs, those of
/// all such languages.
fn cues_of(folded: &str) -> impl Iterator<Item = (&'static ConsentCues, &'static Lexicon)> {
    let language = languages::likely(folded, languages::english());
    let has_signs = folded.contains(|c: char| is_unspaced(c) || is_hangul(c));
    let rows = all_cues().enumerate().filter(move |(row, (_, lexicon))| {
        std::ptr::eq(*lexicon, language) || *row == 0 || has_signs && *row >= UNSPACED_FROM
    });
    rows.map(|(_, row)| row)
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// Whether a folded clause is denied; `whole` tells its language.
fn is_denied(clause: &str, whole: &str) -> bool {
    let own = cues_of(whole).any(|(_, lexicon)| {
        let cue = lexicon.negations.as_ref();
        cue.is_some_and(|cue| cue.is_match(clause))
    });
    own || all_cues().any(|(_, lexicon)| {
        let cue = lexicon.negations.as_ref();
        let found = cue.into_iter().flat_map(|cue| cue.find_iter(clause));
        let words: Vec<&str> = found.map(|word| word.as_str()).collect();
        // `non … mai`: two of one language mean it.
        let is_twice = words.iter().any(|word| Some(word) != words.first());
        let mut words = words.iter();
        is_twice || words.any(|word| word.chars().count() >= MIN_DENIAL_CHARS)
    })
}

/// What kind of permission a clause claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConsentKind {
    /// A person gave it.
    Granted,
    /// It was given, or something may be done.
    Open,
    /// Something need not be done any more.
    Release,
}

/// In hundredths: from this share of the words of its object on, words of a person speak of
/// it when they permit something.
const CONSENT_SHARE: usize = 50;
/// The same for an order, which permits what it orders.
const ORDER_SHARE: usize = 60;
/// Occurrences of a word that are read.
const MAX_PLACES: usize = 120;
/// Bytes around a word that are read.
const LINE_BYTES: usize = 400;
/// Messages after an answer in which the person agrees to it.
const ANSWER_MESSAGES: usize = 3;
/// Letters that two words of one stem begin with.
const STEM_CHARS: usize = 4;

pub(super) fn read(reader: &mut LineReader<'_>) {
    let mut found = withdrawn::claims_of(reader.index, reader.line);
    for sentence in prose::sentences(reader.line) {
        let text = reader.text().get(sentence.clone()).unwrap_or_default();
        let is_judged = found.iter().any(|(span, _)| *span == sentence);
        if !is_judged && !text.trim_end().ends_with(['?', '？']) {
            in_sentence(reader, &sentence, &mut found);
        }
    }
    for (span, finding) in found {
        reader.note(span, ClaimClass::Permission, finding);
    }
}

fn in_sentence(
    reader: &LineReader<'_>,
    sentence: &Range<usize>,
    found: &mut Vec<(Range<usize>, Finding)>,
) {
    let text = reader.text().get(sentence.clone()).unwrap_or_default();
    for clause in prose::clauses(reader.text(), sentence.clone()) {
        let told = reader.text().get(clause.span.clone()).unwrap_or_default();
        let folded = FoldedLine::of(told);
        let Some((kind, cue)) = claimed(&folded.text, reader.line.is_rule) else {
            continue;
        };
        let opening = reader.text().get(sentence.start..clause.span.start);
        // A plan claims nothing but what it says that a person gave.
        if reader.line.is_plan {
            let before = folded.text.get(..cue.start).unwrap_or_default();
            let opening = opening.map(folded_text).unwrap_or_default();
            if kind != ConsentKind::Granted || withdrawn::is_conditional(&(opening + before)) {
                continue;
            }
        }
        // `Only a and b are allowed` forbids the rest.
        if reader.line.is_rule && opening.is_some_and(|text| is_limited(&folded_text(text))) {
            continue;
        }
        // `hat erlaubt, … zu mergen`: what is permitted stands in the rest.
        let object =
            object_of(&folded.text, &cue).or_else(|| object_of(&folded_text(text), &(0..0)));
        let Some(object) = object else {
            continue;
        };
        found.push((clause.span, witness(reader.index, kind, &object)));
    }
}

/// Whether the clause before, of the same statement, says that nothing else is meant.
fn is_limited(opening: &str) -> bool {
    let statement = opening.rsplit([';', '；']).next().unwrap_or_default();
    all_cues().any(|(cues, _)| {
        cues.limits
            .as_ref()
            .is_some_and(|cue| cue.is_match(statement))
    })
}

/// Words for a permission in all languages, folded.
static CONSENTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let spaced = "approval|permission|consent|sign-?off|zustimmung|genehmigung|freigabe|erlaubnis\
        |accord|autorisation|validation|permiso|autorizacion|aprobacion|permissao|aprovacao\
        |permesso|consenso|approvazione|toestemming|goedkeuring|zgod[ay]|onay|izin";
    let inside = "согласи|разрешени|批准|许可|同意|授权|承認|許可|승인|허가";
    Regex::new(&format!(r"\b(?:{spaced})\b|{inside}")).ok()
});

/// `the approval of x is not needed`, wherever it stands; what is done without one is not meant.
fn waives_consent(clause: &str, at: &Range<usize>) -> bool {
    const WITHOUT: [&str; 8] = [
        "without", "ohne", "sans", "sin ", "sem ", "senza", "zonder", "bez",
    ];
    let words = clause.get(at.clone()).unwrap_or_default();
    let is_without = WITHOUT.iter().any(|word| words.starts_with(word));
    !is_without && CONSENTS.as_ref().is_some_and(|cue| cue.is_match(clause))
}

/// What a clause says is permitted, with the words that say so.
fn claimed(clause: &str, is_rule: bool) -> Option<(ConsentKind, Range<usize>)> {
    all_cues().find_map(|(cues, lexicon)| {
        let has =
            |cue: &Option<Regex>, text: &str| cue.as_ref().is_some_and(|cue| cue.is_match(text));
        if has(&cues.limits, clause) || has(&lexicon.conditional, clause) {
            return None;
        }
        let find = |cue: &Option<Regex>| cue.as_ref()?.find(clause).map(|found| found.range());
        let is_denied = |at: &Range<usize>| {
            let before = clause.get(..at.start).unwrap_or_default();
            let after = clause.get(at.end..).unwrap_or_default();
            let next = after.split_whitespace().next().unwrap_or_default();
            let within = clause.get(at.clone()).unwrap_or_default();
            let behind = lexicon.verb_comes_last || lexicon.is_agglutinating;
            has(&lexicon.negations, before)
                || has(&lexicon.negations, next)
                || has(&lexicon.negations, within)
                || behind && has(&lexicon.negations, after)
        };
        if let Some(at) = find(&cues.granted).filter(|at| !is_denied(at)) {
            return Some((ConsentKind::Granted, at));
        }
        let released = find(&cues.releases).filter(|at| is_rule || waives_consent(clause, at));
        if let Some(at) = released {
            let before = clause.get(..at.start).unwrap_or_default();
            if !has(&lexicon.negations, before) {
                return Some((ConsentKind::Release, at));
            }
            return None;
        }
        if let Some(at) = find(&cues.passive).filter(|at| !is_denied(at)) {
            return Some((ConsentKind::Open, at));
        }
        let at = find(&cues.may).filter(|at| is_rule && !is_denied(at))?;
        if is_seen_by_all(clause) {
            return None;
        }
        Some((ConsentKind::Open, at))
    })
}

/// `anybody can read the repository`: what is so, and no permission.
fn is_seen_by_all(clause: &str) -> bool {
    let mut words = clause.split_whitespace();
    let has_subject = words.any(|word| {
        [
            "anybody",
            "anyone",
            "everybody",
            "everyone",
            "others",
            "people",
        ]
        .contains(&word)
    });
    let verb = words.find(|word| !["can", "could", "also", "still"].contains(word));
    has_subject && verb.is_some_and(|verb| ["read", "see", "view", "find"].contains(&verb))
}

/// The stems of what a permission is for; `None` where nothing tells it.
fn object_of(folded: &str, cue: &Range<usize>) -> Option<Vec<String>> {
    let before = folded.get(..cue.start).unwrap_or_default();
    let after = folded.get(cue.end..).unwrap_or_default();
    let out = telling_words(&format!("{before}\n{after}"));
    (!out.is_empty()).then_some(out)
}

/// Words that tell nothing of an object, folded.
const EMPTY_WORDS: &[&str] = &[
    "user",
    "assistant",
    "agent",
    "may",
    "can",
    "could",
    "allowed",
    "approved",
    "permitted",
    "fine",
    "freely",
    "used",
    "done",
    "made",
    "session",
    "asked",
    "ask",
    "asking",
    "needed",
    "everywhere",
    "anything",
    "longer",
    "welcome",
    "explicitly",
    "already",
    "granted",
    "permission",
    "approval",
    "consent",
    "nutzer",
    "benutzer",
    "anwender",
    "erlaubt",
    "durfen",
    "konnen",
    "werden",
    "wurde",
    "usuario",
    "utilisateur",
    "utente",
    "gebruiker",
    "uzytkownik",
    "пользователь",
    "kullanici",
    "autorise",
    "permitido",
    "autorizado",
    "goedgekeurd",
    "said",
    "says",
    "told",
    "wrote",
    "now",
    "gave",
    "given",
    "agreed",
    "agrees",
    "rule",
    "rules",
    "ban",
    "restriction",
    "restrictions",
    "lifted",
    "withdrew",
    "withdrawn",
    "revoked",
    "rescinded",
    "waived",
    "suspended",
    "applies",
    "regel",
    "regeln",
    "verbot",
    "aufgehoben",
    "regle",
    "interdiction",
    "levee",
    "regla",
    "prohibicion",
    "levantada",
    "правило",
    "отменено",
    "stato",
    "stata",
];
/// Signs that tell nothing of an object.
const EMPTY_SIGNS: &str = "的了是在可以不用户允许同意已经要和与将被把对从为其它也就都很有人我你他这那のをはがにでともてしいなるすれさせまた";

fn words_of(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let words = parts.filter(|word| !word.is_empty());
    words.flat_map(|word| {
        if word.starts_with(is_unspaced) {
            let signs: Vec<String> = word
                .chars()
                .filter(|c| !EMPTY_SIGNS.contains(*c))
                .map(String::from)
                .collect();
            return signs;
        }
        let is_telling = (word.chars().count() > 2 || word.contains(|c: char| c.is_ascii_digit()))
            && !keywords::is_stop(word)
            && !languages::all()
                .iter()
                .any(|language| language.is_common(word))
            && !EMPTY_WORDS.contains(&word);
        is_telling
            .then(|| word.to_owned())
            .into_iter()
            .collect::<Vec<_>>()
    })
}

/// Whether two folded words are of one stem.
fn is_kin(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let shorter = a.chars().count().min(b.chars().count());
    let stem = if a.starts_with(is_hangul) {
        2
    } else {
        STEM_CHARS
    };
    common >= stem && common + 2 >= shorter
}

/// The words of a folded text that tell what it is about.
pub(super) fn telling_words(folded: &str) -> Vec<String> {
    let mut out: Vec<String> = words_of(folded).collect();
    out.sort();
    out.dedup();
    out
}

/// Whether a folded piece of what a person says denies something.
pub(super) fn forbids(piece: &str) -> bool {
    is_denied(piece, piece)
}

/// How many of the object's words a text has, in hundredths.
pub(super) fn share_in(object: &[String], folded: &str) -> usize {
    let words: Vec<String> = words_of(folded).collect();
    let hits = object
        .iter()
        .filter(|word| words.iter().any(|said| is_kin(word, said)))
        .count();
    hits * 100 / object.len().max(1)
}

/// Where somebody permits the object.
fn witness(index: &SourceIndex<'_>, kind: ConsentKind, object: &[String]) -> Finding {
    for word in object {
        let forms = std::iter::once(word.clone())
            .chain(tokens::other_number(word))
            .chain(stems(word));
        for form in forms {
            for place in index.places(word_hash(&form)).take(MAX_PLACES) {
                let Some(text) = index.text_at(place) else {
                    continue;
                };
                let is_person = matches!(text.origin, TextOrigin::Person | TextOrigin::Standing);
                let line = index.line_at(place, LINE_BYTES);
                let is_by_output = kind == ConsentKind::Open && text.origin == TextOrigin::Output;
                let permits = is_person && permits(line, kind, object)
                    || is_by_output && is_open_by_output(index, line, object);
                let agrees = text.origin == TextOrigin::Answer
                    && share_in(object, &folded_text(line)) >= CONSENT_SHARE
                    && text
                        .message
                        .is_some_and(|message| is_agreed_to(index, message));
                if permits || agrees {
                    return Finding::At(place);
                }
            }
        }
    }
    Finding::Nowhere
}

/// Beginnings of a word that can be its stem.
fn stems(word: &str) -> impl Iterator<Item = String> {
    let count = word.chars().count();
    (1..=4)
        .filter(move |cut| count >= cut + STEM_CHARS)
        .map(move |cut| word.chars().take(count - cut).collect())
}

/// Whether a line of a person permits the object, orders it, or has no rule for it any more.
fn permits(line: &str, kind: ConsentKind, object: &[String]) -> bool {
    any_clause(line, &|clause, whole| {
        clause_permits(clause, kind, object, whole)
    })
}

/// Whether something that is no person says that the object is permitted, which no person
/// forbids: what a file orders permits nothing.
fn is_open_by_output(index: &SourceIndex<'_>, line: &str, object: &[String]) -> bool {
    let gives = |clause: &str, whole: &str| {
        cues_of(whole).any(|(cues, _)| cues.gives.as_ref().is_some_and(|cue| cue.is_match(clause)))
    };
    let permits = any_clause(line, &|clause, whole| {
        gives(clause, whole) && clause_permits(clause, ConsentKind::Open, object, whole)
    });
    permits && !is_forbidden(index, object)
}

/// Whether a person forbids the object.
fn is_forbidden(index: &SourceIndex<'_>, object: &[String]) -> bool {
    let forms = object.iter().flat_map(|word| {
        let others = tokens::other_number(word).into_iter().chain(stems(word));
        std::iter::once(word.clone()).chain(others)
    });
    let mut places = forms.flat_map(|form| index.places(word_hash(&form)).take(MAX_PLACES));
    places.any(|place| {
        let text = index.text_at(place);
        let is_person = text
            .is_some_and(|text| matches!(text.origin, TextOrigin::Person | TextOrigin::Standing));
        let forbids = |clause: &str, whole: &str| {
            share_in(object, clause) >= CONSENT_SHARE && is_denied(clause, whole)
        };
        is_person && any_clause(index.line_at(place, LINE_BYTES), &forbids)
    })
}

/// Whether something holds of a clause or sentence, folded, of a line that asks nothing; it is
/// given the whole line, folded, as well.
fn any_clause(line: &str, holds: &dyn Fn(&str, &str) -> bool) -> bool {
    let whole = folded_text(line);
    // People type without capitals: what follows a full stop is another sentence.
    let pieces = line.split(". ").flat_map(|piece| piece.split("! "));
    pieces.flat_map(prose::lines).any(|line| {
        let mut sentences = prose::sentences(&line).into_iter();
        sentences.any(|sentence| {
            let text = line.text.get(sentence.clone()).unwrap_or_default();
            let mut clauses: Vec<&str> = prose::clauses(line.text, sentence.clone())
                .into_iter()
                .filter_map(|clause| line.text.get(clause.span))
                .collect();
            clauses.push(text);
            let is_question = text.trim_end().ends_with(['?', '？']);
            let mut clauses = clauses.iter();
            !is_question && clauses.any(|clause| holds(&folded_text(clause), &whole))
        })
    })
}

fn clause_permits(clause: &str, kind: ConsentKind, object: &[String], whole: &str) -> bool {
    let share = share_in(object, clause);
    if share < CONSENT_SHARE {
        return false;
    }
    let has = |cue: &Option<Regex>| cue.as_ref().is_some_and(|cue| cue.is_match(clause));
    let any = |of: &dyn Fn(&ConsentCues) -> bool| cues_of(whole).any(|(cues, _)| of(cues));
    let releases = any(&|cues| has(&cues.releases));
    let gives = any(&|cues| has(&cues.gives));
    if kind == ConsentKind::Release {
        return releases || gives && !any(&|cues| has(&cues.asks_first));
    }
    let is_refused = is_denied(clause, whole) || any(&|cues| has(&cues.asks_first));
    !is_refused && (gives || share >= ORDER_SHARE)
}

/// Whether the person says yes to an answer.
fn is_agreed_to(index: &SourceIndex<'_>, answer: usize) -> bool {
    let after = answer + 1..=answer + ANSWER_MESSAGES;
    let mut people = after
        .flat_map(|message| index.texts_of(message))
        .filter(|text| text.origin == TextOrigin::Person);
    people.next().is_some_and(|text| {
        let head: String = text.text.chars().take(LINE_BYTES).collect();
        let folded = folded_text(&head);
        let ends = |c: char| matches!(c, ',' | '.' | ';' | '!' | '\n' | '，' | '。' | '、');
        let first = folded.split(ends).next().unwrap_or_default();
        !is_denied(first, &folded)
            && all_cues().any(|(cues, _)| {
                cues.affirms
                    .as_ref()
                    .is_some_and(|cue| cue.is_match(&folded))
            })
    })
}
