//! Permissions that a summary says somebody gave, and rules that it says do not hold: only a
//! person gives them, in so many words or by an order. What forbids a thing grounds no
//! permission for it.

mod object;
mod withdrawn;
mod witness;
mod words;

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{FoldedLine, folded_text};
use crate::context::grounding::languages::{self, Lexicon};
use crate::context::grounding::prose;
use crate::context::identifiers::is_unspaced;

use super::reader::{Finding, LineReader};
use object::PermittedThing;
pub(super) use object::{share_in, telling_words};
use witness::{ClaimedConsent, ConsentKind, has_condition, is_wide, witness};
use words::{ConsentWords, LANGUAGES};

/// The words of a language, ready to be looked for.
struct ConsentCues {
    granted: Option<Regex>,
    attitude: Option<Regex>,
    passive: Option<Regex>,
    may: Option<Regex>,
    releases: Option<Regex>,
    unasked: Option<Regex>,
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
            attitude: cue(words.attitude),
            passive: cue(words.passive),
            may: cue(words.may),
            releases: cue(words.releases),
            unasked: cue(words.unasked),
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
const PORTUGUESE: usize = 4;
const CHINESE: usize = 10;
const JAPANESE: usize = 11;
/// Letters of a word that denies in one language and means nothing in another.
const MIN_DENIAL_CHARS: usize = 4;
/// Shorter words that deny wherever they stand.
const SHORT_DENIALS: [&str; 4] = ["non", "nao", "nie", "pas"];

/// Whether the words of a row can be words of a text: Chinese has no kana, Japanese some.
fn fits(row: usize, has_kana: bool) -> bool {
    match row {
        CHINESE => !has_kana,
        JAPANESE => has_kana,
        _ => true,
    }
}

fn has_kana(text: &str) -> bool {
    text.contains(|c: char| matches!(c, '\u{3041}'..='\u{30ff}'))
}

/// The cues of all languages that a text can be in.
fn cues_for(text: &str) -> impl Iterator<Item = (&'static ConsentCues, &'static Lexicon)> {
    let has_kana = has_kana(text);
    let rows = all_cues().enumerate();
    rows.filter(move |(row, _)| fits(*row, has_kana))
        .map(|(_, row)| row)
}

/// The cues of the language of a folded text and English ones; of a text in signs, those of
/// all such languages.
fn cues_of(folded: &str) -> impl Iterator<Item = (&'static ConsentCues, &'static Lexicon)> {
    let language = languages::likely(folded, languages::english());
    let has_signs = folded.contains(|c: char| is_unspaced(c) || is_hangul(c));
    let has_kana = has_kana(folded);
    let rows = all_cues().enumerate().filter(move |(row, (_, lexicon))| {
        let is_of_signs = has_signs && *row >= UNSPACED_FROM && fits(*row, has_kana);
        *row == 0 || is_of_signs || std::ptr::eq(*lexicon, language) && fits(*row, has_kana)
    });
    rows.map(|(_, row)| row)
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// Whether a folded clause is denied; `whole` tells its language.
fn is_denied(clause: &str, whole: &str) -> bool {
    let language = languages::likely(whole, languages::english());
    let has_signs = whole.contains(|c: char| is_unspaced(c) || is_hangul(c));
    let denies = |lexicon: &Lexicon| {
        let cue = lexicon.negations.as_ref();
        cue.is_some_and(|cue| cue.is_match(clause))
    };
    // `no` is `in the` in Portuguese.
    let is_portuguese = languages::all()
        .get(PORTUGUESE)
        .is_some_and(|row| std::ptr::eq(row, language))
        && ["nao", "voce", " o ", " do ", "cao "]
            .iter()
            .any(|word| whole.contains(word));
    let own = denies(language)
        || !is_portuguese && denies(languages::english())
        || has_signs && cues_of(whole).any(|(_, lexicon)| denies(lexicon));
    own || all_cues().any(|(_, lexicon)| {
        let cue = lexicon.negations.as_ref();
        let found = cue.into_iter().flat_map(|cue| cue.find_iter(clause));
        let words: Vec<&str> = found.map(|word| word.as_str()).collect();
        // `non … mai`: two of one language mean it.
        let is_twice = words.iter().any(|word| Some(word) != words.first());
        let mut words = words.iter();
        is_twice
            || words.any(|word| {
                word.chars().count() >= MIN_DENIAL_CHARS || SHORT_DENIALS.contains(word)
            })
    })
}

/// Whether a folded piece of what a person says denies something.
pub(super) fn forbids(piece: &str) -> bool {
    is_denied(piece, piece)
}

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
        // What is permitted is not said to be done.
        reader.claims.retain(|claim| {
            let is_deed = matches!(claim.class, ClaimClass::Effect | ClaimClass::DoneAction);
            let overlaps = claim.span.start < span.end && span.start < claim.span.end;
            claim.is_grounded || !is_deed || !overlaps
        });
        reader.note(span, ClaimClass::Permission, finding);
    }
}

fn in_sentence(
    reader: &LineReader<'_>,
    sentence: &Range<usize>,
    found: &mut Vec<(Range<usize>, Finding)>,
) {
    let text = reader.text().get(sentence.clone()).unwrap_or_default();
    let whole = folded_text(text);
    // `Push to main: allowed`: what is allowed stands before the mark.
    let spans = if labelled(&whole, reader.line.is_rule) {
        vec![sentence.clone()]
    } else {
        let clauses = prose::clauses(reader.text(), sentence.clone());
        clauses.into_iter().map(|clause| clause.span).collect()
    };
    let mut last: Option<ClaimedConsent> = None;
    for span in spans {
        let told = reader.text().get(span.clone()).unwrap_or_default();
        let clause = FoldedLine::of(told).text;
        let is_of_a_person = !is_of_a_document(&whole);
        let claim = claimed(&clause, reader.line.is_rule).filter(|_| is_of_a_person);
        let Some((kind, cue)) = claim else {
            // `Approved committing and pushing`: the second thing is claimed as well.
            let thing = PermittedThing::of(&clause, &(0..0)).filter(|_| is_one_more(&clause));
            if let (Some(claim), Some(thing)) = (last.take(), thing) {
                let claim = ClaimedConsent { thing, ..claim };
                found.push((span, witness(reader.index, &claim)));
                last = Some(claim);
            }
            continue;
        };
        let opening = reader.text().get(sentence.start..span.start);
        let opening = opening.map(folded_text).unwrap_or_default();
        let before = clause.get(..cue.start).unwrap_or_default();
        // A plan claims nothing but what it says that a person gave; nor does a condition of
        // something else.
        let opened = opening.clone() + before;
        let is_planned = reader.line.is_plan
            && (kind != ConsentKind::Granted || withdrawn::is_conditional(&opened));
        if is_planned || has_condition(&opened) {
            continue;
        }
        // `Only a and b are allowed` forbids the rest.
        if reader.line.is_rule && is_limited(&opening) {
            continue;
        }
        // `hat erlaubt, … zu mergen`: what is permitted stands in the rest.
        let thing =
            PermittedThing::of(&clause, &cue).or_else(|| PermittedThing::of(&whole, &(0..0)));
        let Some(thing) = thing else {
            continue;
        };
        let claim = ClaimedConsent {
            kind,
            thing,
            is_conditional: has_condition(&whole),
            is_wide: is_wide(&clause),
        };
        found.push((span, witness(reader.index, &claim)));
        last = Some(claim);
    }
}

/// Whether a folded clause is one more thing of the clause before: `pushing the changes`,
/// `production`.
fn is_one_more(clause: &str) -> bool {
    /// Telling words of a thing without a verb.
    const MAX_WORDS: usize = 2;
    let first = clause.split_whitespace().next().unwrap_or_default();
    let count = telling_words(clause).len();
    let is_verb = first.ends_with("ed") || count > 1 && first.ends_with('s');
    !is_denied(clause, clause) && (first.ends_with("ing") || count <= MAX_WORDS && !is_verb)
}

/// A label that says that something is allowed, folded: `Push to main: allowed`.
static LABEL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "approved|allowed|permitted|authori[sz]ed|granted|green-?lit|pre-?approved|pre-?authori[sz]ed|ok'?d|okayed\
        |erlaubt|genehmigt|freigegeben|autorisee?s?|approuvee?s?|permise?s?|permitid[oa]s?|autorizad[oa]s?|aprobad[oa]s?|aprovad[oa]s?\
        |consentit[oa]|autorizzat[oa]|toegestaan|goedgekeurd|dozwolone|zatwierdzone|разрешено|одобрено|izinli|onaylandi";
    let asked = "approval|permission|confirmation|consent|sign-?off";
    Regex::new(&format!(
        r"^[^:]{{2,80}}: ?(?:{words})\b(?: by [^,;]{{2,30}})?\W*$|^\W*(?:{words})(?: by [^,;:]{{2,30}})?: |^[^:]*\b(?:{asked})\b[^:]*: ?(?:not needed|not required|none needed|waived|given|yes|granted)\b|[：:] ?(?:允许|已批准|许可|許可|허용)\W*$"
    ))
    .ok()
});
/// The same under a heading of rules, in short words.
static SHORT_LABEL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^([^:]{2,80}): ?(?:ok|okay|yes|fine|si|oui|ja|sim|да|可以)\W*$").ok()
});

/// Whether a folded sentence says behind or before a colon that something is allowed.
fn labelled(sentence: &str, is_rule: bool) -> bool {
    let short = SHORT_LABEL.as_ref().filter(|_| is_rule);
    let head = short.and_then(|cue| cue.captures(sentence)?.get(1));
    let is_action = head.is_some_and(|head| object::begins_with_action(head.as_str()));
    is_action || LABEL.as_ref().is_some_and(|cue| cue.is_match(sentence))
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
    !tells_what_was_done(clause, at) && CONSENTS.as_ref().is_some_and(|cue| cue.is_match(clause))
}

/// What a clause says is permitted, with the words that say so.
fn claimed(clause: &str, is_rule: bool) -> Option<(ConsentKind, Range<usize>)> {
    if labelled(clause, is_rule) {
        let colon = clause.find([':', '：'])?;
        let tail = clause.get(colon..).unwrap_or_default();
        let head = clause.get(..colon).unwrap_or_default();
        // The longer part is the thing.
        let is_behind = tail.len() < head.len();
        let cue = if is_behind {
            colon..clause.len()
        } else {
            0..colon
        };
        return Some((ConsentKind::Open, cue));
    }
    cues_for(clause).find_map(|(cues, lexicon)| {
        let has =
            |cue: &Option<Regex>, text: &str| cue.as_ref().is_some_and(|cue| cue.is_match(text));
        let find = |cue: &Option<Regex>| cue.as_ref()?.find(clause).map(|found| found.range());
        let is_denied = |at: &Range<usize>| {
            let before = clause.get(..at.start).unwrap_or_default();
            let after = clause.get(at.end..).unwrap_or_default();
            let next = after.split_whitespace().next().unwrap_or_default();
            let behind = lexicon.verb_comes_last || lexicon.is_agglutinating;
            has(&lexicon.negations, before)
                || has(&lexicon.negations, next) && !has(&cues.unasked, after)
                || behind && has(&lexicon.negations, after)
        };
        let denies_within = |at: &Range<usize>| {
            has(
                &lexicon.negations,
                clause.get(at.clone()).unwrap_or_default(),
            )
        };
        // `Doesn't mind` gives a permission, `has not allowed` none.
        if let Some(at) = find(&cues.attitude).filter(|at| !is_denied(at)) {
            let words = clause.get(at.clone()).unwrap_or_default();
            let kind = if speaks_of_asking(words) {
                ConsentKind::Release
            } else {
                ConsentKind::Granted
            };
            return Some((kind, at));
        }
        if let Some(at) = find(&cues.granted).filter(|at| !is_denied(at) && !denies_within(at)) {
            return Some((ConsentKind::Granted, at));
        }
        if has(&cues.limits, clause) {
            return None;
        }
        let unasked = find(&cues.unasked).filter(|at| is_rule || !tells_what_was_done(clause, at));
        let released = find(&cues.releases).filter(|at| is_rule || waives_consent(clause, at));
        if let Some(at) = unasked.or(released) {
            let before = clause.get(..at.start).unwrap_or_default();
            return (!has(&lexicon.negations, before)).then_some((ConsentKind::Release, at));
        }
        if let Some(at) = find(&cues.passive).filter(|at| !is_denied(at) && !denies_within(at)) {
            return Some((ConsentKind::Open, at));
        }
        let at = find(&cues.may).filter(|at| {
            is_rule && !is_denied(at) && !denies_within(at) && !is_seen_by_all(clause)
        })?;
        Some((ConsentKind::May, at))
    })
}

/// A document that says something, and no person: `the runbook says`, folded.
static DOCUMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let things = "runbook|readme\\S*|file|page|docs?|documentation|wiki|issue|ticket|comment|template|header|guide|policy|article";
    Regex::new(&format!(
        r"\b(?:{things})\b.{{0,30}}\b(?:says?|said|states?|claims?|reads?|mentions?|suggests?)\b"
    ))
    .ok()
});

fn is_of_a_document(clause: &str) -> bool {
    DOCUMENT.as_ref().is_some_and(|cue| cue.is_match(clause))
}

/// `Wants no more questions`: folded words that wish not to be asked.
fn speaks_of_asking(words: &str) -> bool {
    let asks = [
        "question",
        "confirm",
        "ask",
        "prompt",
        "approv",
        "sign",
        "check",
        "interrupt",
        "bother",
        "consult",
        "frag",
        "demand",
        "pregunt",
        "pergunt",
        "chied",
        "vraag",
        "pyta",
        "спраш",
        "问",
        "聞",
        "묻",
    ];
    asks.iter().any(|word| words.contains(word)) && !words.contains("approved")
}

/// `deployed without approval`: what is done without one waives none.
fn tells_what_was_done(clause: &str, at: &Range<usize>) -> bool {
    const WITHOUT: [&str; 12] = [
        "without",
        "ohne",
        "sans",
        "sin ",
        "sem ",
        "senza",
        "zonder",
        "bez",
        "без",
        "未经",
        "確認なし",
        "없이",
    ];
    let words = clause.get(at.clone()).unwrap_or_default();
    WITHOUT.iter().any(|word| words.starts_with(word))
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
