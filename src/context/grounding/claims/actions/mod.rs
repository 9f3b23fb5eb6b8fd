//! Done actions that cannot be undone: said to be done in the summary, done in a call that
//! worked or reported in words of the user, of a result or of what was kept. An answer of
//! the model is no witness.

mod checked;
mod edits;
mod object;
mod presupposed;
mod stores;
mod witness;

use std::ops::Range;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::FoldedLine;
use crate::context::grounding::languages::{self, ActionKind, Lexicon};
use crate::context::grounding::prose::{self, Clause, LineKind, ProseLine};

use super::reader::LineReader;
use object::ActionObject;

/// An action that a text says is done.
#[derive(Clone, Debug)]
struct DoneAction {
    kind: ActionKind,
    /// The word that says it.
    verb: Range<usize>,
    /// The clause with its object.
    clause: Range<usize>,
}

/// Things that programs release, send and drop all the time, folded.
const MACHINERY: &[&str] = &[
    "lock",
    "locks",
    "mutex",
    "guard",
    "memory",
    "semaphore",
    "stack",
    "queue",
    "buffer",
    "buffers",
    "frame",
    "frames",
    "packet",
    "packets",
    "connection",
    "connections",
    "socket",
    "sockets",
    "request",
    "requests",
    "header",
    "headers",
    "signal",
    "event",
    "events",
    "handle",
    "pointer",
    "reference",
    "listener",
    "listeners",
    "element",
    "elements",
    "thread",
    "threads",
    "batch",
    "batches",
    "byte",
    "bytes",
    "chunk",
    "chunks",
];

/// Words before an English participle that make it a property.
const DETERMINERS: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "its", "their", "any", "each", "every",
    "some", "of", "for", "with", "newly", "recently", "as", "only", "your", "our", "my", "his",
    "her",
];

pub(super) fn read(reader: &mut LineReader<'_>) {
    if reader.line.is_plan {
        return;
    }
    for action in done_actions(reader.line) {
        if reader
            .taken
            .iter()
            .any(|taken| taken.start < action.verb.end && action.verb.start < taken.end)
        {
            continue;
        }
        let wanted = ActionObject::of(reader, &action);
        let finding = witness::witness(reader.index, &wanted);
        reader.note(action.verb, ClaimClass::DoneAction, finding);
    }
}

/// The actions that a line says are done, each once.
fn done_actions(line: &ProseLine<'_>) -> Vec<DoneAction> {
    let mut out: Vec<DoneAction> = Vec::new();
    let mut denied: Vec<Range<usize>> = Vec::new();
    for sentence in prose::sentences(line) {
        let text = line.text.get(sentence.clone()).unwrap_or_default();
        if text.trim_end().ends_with(['?', '？']) {
            continue;
        }
        let clauses = if line.kind == LineKind::Row {
            vec![Clause {
                span: sentence.clone(),
                joint: sentence.start..sentence.start,
            }]
        } else {
            prose::clauses(line.text, sentence.clone())
        };
        presupposed::actions_of(text, &sentence, &mut out);
        for lexicon in languages::all() {
            in_clauses(line.text, &clauses, lexicon, &mut out, &mut denied);
            for statement in statements(text, &sentence) {
                let told = line.text.get(statement.clone()).unwrap_or_default();
                nouns(&FoldedLine::lowered(told), &statement, lexicon, &mut out);
            }
        }
    }
    out.extend(checked::action_of(line));
    out.retain(|action| !(line.is_goal && is_a_manner(line.text, action)));
    // Languages share words: a form that one of them denies is not said to be done.
    out.retain(|action| {
        let touches = |no: &Range<usize>| no.start < action.verb.end && action.verb.start < no.end;
        !denied.iter().any(touches)
    });
    out.sort_by_key(|action| (action.verb.start, std::cmp::Reverse(action.verb.end)));
    out.dedup_by(|next, kept| next.verb.start < kept.verb.end);
    out
}

fn in_clauses(
    text: &str,
    clauses: &[Clause],
    lexicon: &Lexicon,
    out: &mut Vec<DoneAction>,
    denied: &mut Vec<Range<usize>>,
) {
    let opening = clauses
        .first()
        .and_then(|clause| text.get(clause.span.clone()));
    let begins_conditional = opening.map(str::to_lowercase).is_some_and(|opening| {
        let cue = lexicon
            .conditional
            .as_ref()
            .and_then(|cue| cue.find(&opening));
        cue.is_some_and(|cue| cue.start() == 0)
    });
    let mut was_denied = false;
    for clause in clauses {
        let folded = FoldedLine::lowered(text.get(clause.span.clone()).unwrap_or_default());
        let negations = lexicon.negations.as_ref();
        let is_negated = negations.is_some_and(|cue| cue.is_match(&folded.text));
        let goes_on = was_denied && !is_negated && folded.text.split_whitespace().count() <= 3;
        for (at, kind) in lexicon.done_in(&folded.text) {
            let verb = folded.original(at.clone());
            let verb = clause.span.start + verb.start..clause.span.start + verb.end;
            let is_done = !begins_conditional
                && !goes_on
                && is_said_to_be_done(&folded.text, &at, kind, lexicon);
            if is_done {
                let clause = clause.span.clone();
                out.push(DoneAction { kind, verb, clause });
            } else {
                denied.push(verb);
            }
        }
        was_denied = is_negated || goes_on;
    }
}

/// Whether the clause names what such an act is done to, where only that makes it one.
fn has_its_object(clause: &str, kind: ActionKind) -> bool {
    match kind {
        ActionKind::Execute => names_a_place(clause),
        ActionKind::Alter => stores::names_production(clause),
        ActionKind::Empty => stores::names_a_store(clause),
        _ => true,
    }
}

/// Whether nothing around the word denies it, plans it or makes it a property.
fn is_said_to_be_done(
    clause: &str,
    at: &Range<usize>,
    kind: ActionKind,
    lexicon: &Lexicon,
) -> bool {
    let before = clause.get(..at.start).unwrap_or_default();
    let after = clause.get(at.end..).unwrap_or_default();
    let is_english = std::ptr::eq(lexicon, &raw const languages::all()[0]);
    let anywhere = lexicon.is_agglutinating || lexicon.verb_comes_last;
    let read = if anywhere { clause } else { before };
    let has =
        |cue: &Option<regex::Regex>, text: &str| cue.as_ref().is_some_and(|cue| cue.is_match(text));
    if has(&lexicon.negations, read)
        || has(&lexicon.unreal, read)
        || has(&lexicon.conditional, before)
    {
        return false;
    }
    let first_after = after.split_whitespace().next().unwrap_or_default();
    if has(&lexicon.negations, first_after) && first_after != "without" {
        return false;
    }
    if concerns_machinery(before, after) || is_of_the_subject(kind, clause, at) {
        return false;
    }
    if after.starts_with(['_', '/']) || before.ends_with(['_', '/', '.', '-', '#']) {
        return false;
    }
    if !has_its_object(clause, kind) {
        return false;
    }
    // `remesa de pago`: a noun of what comes before it.
    if before.ends_with(" de ") || before.ends_with(" di ") {
        return false;
    }
    if !is_english {
        // `subió a 4Gi`: a number went up.
        let is_rise = kind == ActionKind::Publish && is_a_rise(after);
        return !is_rise;
    }
    let is_fall =
        kind == ActionKind::Delete && clause.get(at.clone()) == Some("dropped") && is_a_fall(after);
    if is_fall || before.trim().is_empty() && is_a_property(after) {
        return false;
    }
    let last = before
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .rfind(|word| !word.is_empty())
        .unwrap_or_default();
    let is_state = matches!(last, "is" | "are" | "gets" | "get");
    let recurs = matches!(
        kind,
        ActionKind::Send | ActionKind::Delete | ActionKind::Execute | ActionKind::Alter
    );
    if is_by_a_commit(
        before,
        after,
        kind,
        clause.get(at.clone()).unwrap_or_default(),
    ) {
        return false;
    }
    !(DETERMINERS.contains(&last) || is_state && recurs)
}

/// `…, deployed by Ansible`: how something that is wanted shall be, without a subject.
fn is_a_manner(text: &str, action: &DoneAction) -> bool {
    const MANNERS: [&str; 24] = [
        "by",
        "via",
        "with",
        "through",
        "using",
        "from",
        "per",
        "mit",
        "durch",
        "von",
        "uber",
        "über",
        "par",
        "avec",
        "por",
        "con",
        "mediante",
        "com",
        "da",
        "door",
        "met",
        "przez",
        "z",
        "через",
    ];
    let before = text.get(action.clause.start..action.verb.start);
    let after = text.get(action.verb.end..).unwrap_or_default();
    let next = after.split_whitespace().next().unwrap_or_default();
    let is_bare = before.is_some_and(|before| !before.contains(char::is_alphanumeric));
    is_bare && MANNERS.contains(&next)
}

/// `Deleted keys become tombstones`: the participle belongs to the subject.
fn is_a_property(after: &str) -> bool {
    const FINITE: [&str; 14] = [
        "become", "becomes", "are", "stay", "stays", "remain", "remains", "get", "gets", "have",
        "keep", "count", "still", "must",
    ];
    let mut words = after.split_whitespace();
    let noun = words.next().unwrap_or_default();
    let is_noun = noun.chars().all(char::is_alphabetic) && !DETERMINERS.contains(&noun);
    is_noun && words.next().is_some_and(|word| FINITE.contains(&word))
}

/// `b20f7d4 removed the power-down`: what a commit or a call in code took out of code.
fn is_by_a_commit(before: &str, after: &str, kind: ActionKind, verb: &str) -> bool {
    const SUBJECTS: [&str; 4] = ["commit", "patch", "refactor", "refactoring"];
    let next = after.split_whitespace().next().unwrap_or_default();
    let has_object = DETERMINERS.contains(&next) || ["them", "it", "all", "those"].contains(&next);
    let mut words = before.split(|c: char| c.is_whitespace() || c == '(');
    let is_thing = |word: &str| SUBJECTS.contains(&word) || word.contains('`');
    let is_passive = before
        .split_whitespace()
        .any(|word| ["was", "were", "been"].contains(&word));
    kind == ActionKind::Delete
        && matches!(verb, "removed" | "dropped")
        && has_object
        && !is_passive
        && words.any(is_thing)
}

/// `dropped from 71 to 44 percent`: a number went down.
fn is_a_fall(after: &str) -> bool {
    let mut words = after.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_way = ["from", "to", "by", "below", "under", "sharply", "slightly"].contains(&first);
    let mut next = words.take(2);
    let has_number = next.any(|word| word.contains(|c: char| c.is_ascii_digit()));
    is_way && has_number
}

/// `subió de 2 a 4`: what an amount does, not a file.
fn is_a_rise(after: &str) -> bool {
    let mut words = after.split_whitespace();
    let is_way = words
        .next()
        .is_some_and(|word| matches!(word, "a" | "de" | "para" | "hasta"));
    let has_number = words
        .next()
        .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    is_way && has_number
}

/// Parts of a line of code, and what people take back.
const TAKEN_OUT: &[&str] = &[
    "import",
    "imports",
    "clamp",
    "clamping",
    "cast",
    "casts",
    "argument",
    "arguments",
    "parameter",
    "parameters",
    "whitespace",
    "semicolon",
    "semicolons",
    "unwrap",
    "wish",
    "proposal",
    "idea",
    "suggestion",
    "objection",
    "condition",
    "complaint",
];
/// What is taken back and not deleted.
const RULES: &[&str] = &[
    "rule",
    "rules",
    "ban",
    "restriction",
    "restrictions",
    "prohibition",
];
/// What programs give back when nobody wants it.
const HELD: &[&str] = &[
    "seat",
    "seats",
    "slot",
    "slots",
    "hold",
    "holds",
    "reservation",
    "reservations",
    "resource",
    "resources",
];
/// People of whom a program's users tell.
const PEOPLE: &[&str] = &[
    "others",
    "people",
    "customers",
    "buyers",
    "visitors",
    "guests",
    "clients",
    "users",
];

/// Whether it is what the program under work does, or what nobody does to anything outside:
/// `one unused import removed`, `then withdrew that wish`, `released their seats`, `others
/// bought them`.
fn is_of_the_subject(kind: ActionKind, clause: &str, at: &Range<usize>) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let before = words(clause.get(..at.start).unwrap_or_default());
    let after = words(clause.get(at.end..).unwrap_or_default());
    let has = |list: &[&str]| {
        let mut near = before.iter().rev().take(3).chain(after.iter().take(3));
        near.any(|word| list.contains(&word.as_str()))
    };
    match kind {
        ActionKind::Delete => {
            let is_back = clause.get(at.clone()) == Some("withdrew");
            let is_wish = after
                .first()
                .is_none_or(|word| word == "that" || word == "it");
            let mut near = after.iter().take(5);
            let is_rule = near.any(|word| RULES.contains(&word.as_str()));
            has(TAKEN_OUT) || is_back && (is_wish || is_rule)
        }
        ActionKind::Release => has(HELD),
        ActionKind::Pay => before
            .last()
            .is_some_and(|word| PEOPLE.contains(&word.as_str())),
        _ => false,
    }
}

/// Whether what is said of a program's inner life stands directly beside the verb.
fn concerns_machinery(before: &str, after: &str) -> bool {
    let is_part = |c: char| !c.is_alphanumeric();
    let before = before
        .replace("pull request", "")
        .replace("merge request", "");
    let after = after
        .replace("pull request", "")
        .replace("merge request", "");
    let mut near = before
        .rsplit(is_part)
        .filter(|word| !word.is_empty())
        .take(4)
        .chain(after.split(is_part).filter(|word| !word.is_empty()).take(3));
    near.any(|word| MACHINERY.contains(&word))
}

fn names_a_place(folded: &str) -> bool {
    let words = folded.split(|c: char| !c.is_alphanumeric());
    words.into_iter().any(|word| {
        word == "live"
            || ["prod", "canlı", "canli", "прод"]
                .iter()
                .any(|place| word.starts_with(place))
    }) || ["生产", "本番", "프로덕션", "운영"]
        .iter()
        .any(|place| folded.contains(place))
}

/// The parts of a sentence between semicolons.
fn statements(text: &str, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut from = 0;
    for (at, mark) in text.match_indices([';', '；']) {
        out.push(sentence.start + from..sentence.start + at);
        from = at + mark.len();
    }
    out.push(sentence.start + from..sentence.end);
    out
}

/// Words of force, folded.
const FORCE: &[&str] = &[
    "force",
    "forc",
    "erzwung",
    "gezwung",
    "zwang",
    "wymusz",
    "принуд",
    "zorla",
    "强制",
    "強制",
    "강제",
];

/// Whether words say that something was done by force.
fn says_force(text: &str) -> bool {
    let folded = crate::context::grounding::fold::folded_text(text);
    FORCE.iter().any(|word| folded.contains(word))
}

/// Words that say that something came to a bad end, in lower case.
const FAILURES: &[&str] = &[
    "fail",
    "fehl",
    "scheiter",
    "abgebrochen",
    "échou",
    "echou",
    "falló",
    "fallid",
    "falhou",
    "fallit",
    "mislukt",
    "nie powiod",
    "nieudan",
    "не удал",
    "провал",
    "başarısız",
    "失败",
    "失敗",
    "실패",
    "aborted",
    "refused",
    "rejected",
    "denied",
    "abgelehnt",
];

/// `Deployment of x: completed`, `| publish 3.4.0 | done |`.
fn nouns(sentence: &FoldedLine, span: &Range<usize>, lexicon: &Lexicon, out: &mut Vec<DoneAction>) {
    let text = sentence.text.as_str();
    let has_failed = FAILURES.iter().any(|word| text.contains(word));
    if has_failed || lexicon.leaves_open(text) {
        return;
    }
    for (at, kind) in lexicon.completed_nouns_in(text) {
        let before = text.get(..at.start).unwrap_or_default();
        let after = text.get(at.end..).unwrap_or_default();
        if after.starts_with(['_', '.', '/', '(', '`'])
            || before.ends_with(['_', '.', '/', '`', '-'])
        {
            continue;
        }
        // `l'en-tête annonce de l'UTF-8`: the verb has the form of the noun.
        if ALSO_VERBS.contains(&text.get(at.clone()).unwrap_or_default()) && follows_noun(before) {
            continue;
        }
        let next = after.trim_start_matches([' ', ':', '|', '*', '(']);
        let word = next
            .split(|c: char| c.is_whitespace() || c == '|')
            .next()
            .unwrap_or_default();
        let is_object = word
            .chars()
            .any(|c| c.is_ascii_digit() || matches!(c, '/' | '-' | '_'));
        let links = LINKS.contains(&word)
            || after.trim_start().starts_with([':', '|'])
            || lexicon.is_agglutinating;
        if is_object || links || lexicon.ends_well(word) {
            let verb = sentence.original(at);
            out.push(DoneAction {
                kind,
                verb: span.start + verb.start..span.start + verb.end,
                clause: span.clone(),
            });
        }
    }
}

/// Nouns that have the form of their verb.
const ALSO_VERBS: [&str; 5] = ["annonce", "envoi", "anuncio", "publica", "annuncio"];

/// Whether what stands before a noun is the subject of a verb rather than an article.
fn follows_noun(before: &str) -> bool {
    const ARTICLES: [&str; 18] = [
        "l", "d", "une", "un", "le", "la", "cette", "cet", "ce", "son", "sa", "el", "de", "del",
        "o", "a", "il", "et",
    ];
    let mut words = before.rsplit(|c: char| !c.is_alphanumeric());
    let last = words.find(|word| !word.is_empty());
    let touches = before
        .trim_end()
        .ends_with(|c: char| c.is_alphanumeric() || c == '\'' || c == '’');
    touches && last.is_some_and(|word| !ARTICLES.contains(&word))
}

/// Words between the noun of an action and what is said of it, folded.
const LINKS: &[&str] = &[
    "of", "to", "for", "on", "from", "is", "was", "has", "had", "been", "von", "auf", "nach", "zu",
    "ist", "wurde", "de", "du", "del", "da", "do", "di", "della", "van", "naar", "is", "w", "na",
    "в", "на", "est", "fue", "foi", "e", "ha", "a", "es", "werd", "zostalo", "zostala",
];
