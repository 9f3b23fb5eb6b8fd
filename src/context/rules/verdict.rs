//! What a clause is: a rule, what may be one, or something else.

use std::cmp::Reverse;

use plimsoll_cues::{Cue, CueHit, CueHits, MASK, MASKED_WORD};

use super::clause::Clause;

/// What is forbidden takes at least so many words: “no magic numbers”.
pub(super) const FEWEST_WORDS: usize = 3;

/// What a clause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A rule.
    Rule,
    /// A rule when it stands alone; with a piece of work beside it, it may belong to that.
    RuleAlone,
    /// It may be one.
    Possible,
    /// Something else.
    Other,
}

/// Whether a clause orders a piece of work.
pub(super) fn is_work(clause: &Clause<'_>) -> bool {
    clause.has(Cue::Task) || clause.is_question
}

pub(super) fn verdict(clause: &Clause<'_>) -> Verdict {
    something_else(clause)
        .or_else(|| outright(clause))
        .unwrap_or_else(|| by_strength(clause))
}

/// Whether it forbids to touch, change or delete a place, whatever else is ordered beside it.
pub(super) fn is_place_ban(clause: &Clause<'_>) -> bool {
    let cues = &clause.cues;
    let is_else = cues.has_any(&[
        Cue::Now,
        Cue::Once,
        Cue::Report,
        Cue::Suppose,
        Cue::Question,
        Cue::Whenever,
        Cue::Purpose,
        Cue::Solely,
        Cue::Formerly,
        Cue::Relay,
        Cue::Paper,
        Cue::Allowed,
        Cue::Wonder,
        Cue::Narration,
    ]);
    cues.has(Cue::Touch) && !is_else && (cues.has(Cue::Place) || names_path(&clause.normal.text))
}

/// Whether a word is a path or an identifier: `src/db`, `orders_old`.
fn names_path(text: &str) -> bool {
    let is_path = |word: &str| {
        let inner = word.trim_matches(['/', '_', '.']);
        word.starts_with(|c: char| c.is_alphanumeric())
            && inner.contains(['/', '_'])
            && inner.chars().any(char::is_alphabetic)
    };
    text.split(' ').any(is_path)
}

/// What is asked, supposed or said by somebody else, and what is about one occasion.
fn something_else(clause: &Clause<'_>) -> Option<Verdict> {
    let cues = &clause.cues;
    let has = |cue| cues.has(cue);
    if is_dictated(clause) || is_elsewhere(cues) {
        return Some(Verdict::Other);
    }
    if is_asked(clause) {
        return Some(if is_request(cues) {
            Verdict::Rule
        } else {
            Verdict::Other
        });
    }
    // “you can fix typos without my OK” is about all of them.
    let is_free = has(Cue::Allowed) && has(Cue::Negative);
    let is_report = has(Cue::Report)
        && !has(Cue::Lasting)
        && !is_free
        && !is_definition(clause)
        && !cues.begins_with(Cue::Each)
        && !begins_with_order(cues);
    let is_else = is_report
        || cues.has_any(&[Cue::Idiom, Cue::Suppose])
        || is_once(cues) && !holds_on(cues) && !is_free;
    is_else.then_some(Verdict::Other)
}

/// Whether it is about one occasion: not “write it like that” behind what the person prefers.
fn is_once(cues: &CueHits) -> bool {
    let is_preferred = |once: CueHit| {
        let mut wishes = cues.of(Cue::Prefer);
        wishes.any(|wish| wish.start <= once.start && once.end <= wish.end)
    };
    cues.of(Cue::Once).any(|hit| !is_preferred(hit))
}

/// Whether it is the text of something that others read: “commit message: never retry”.
pub(super) fn is_dictated(clause: &Clause<'_>) -> bool {
    let cues = &clause.cues;
    let Some(colon) = clause.normal.text.find([':', MASKED_WORD]) else {
        return false;
    };
    let is_named = cues.of(Cue::Paper).any(|hit| hit.start < colon);
    let is_ordered = cues.begins_with(Cue::Task) || cues.begins_with(Cue::Paper);
    let is_order_last = !clause.has_first_verb() && cues.has(Cue::Task);
    is_named && (is_ordered || is_order_last) && !cues.begins_with(Cue::Lasting)
}

/// Whether it is about what held formerly, what holds for what is built, what somebody else is
/// told or what one wonders at.
fn is_elsewhere(cues: &CueHits) -> bool {
    let required = [
        Cue::Modal,
        Cue::Duty,
        Cue::Absolute,
        Cue::Negative,
        Cue::Forbidden,
        Cue::Limit,
    ];
    let is_required = cues.has(Cue::Product)
        && cues.has_any(&required)
        && !cues.has_any(&[Cue::AskFirst, Cue::Scope, Cue::Remember]);
    let is_passed_on = cues.has_any(&[Cue::Relay, Cue::Wonder]);
    is_passed_on || (cues.has(Cue::Formerly) || is_required) && !cues.has(Cue::Lasting)
}

/// Whether it says what a word means.
fn is_definition(clause: &Clause<'_>) -> bool {
    clause.has(Cue::Meaning)
        && (clause.has_any(&[Cue::Absolute, Cue::Whenever])
            || clause.masked.contains(MASK) && !clause.has(Cue::Report))
}

/// What is a rule by itself: a fact to remember, what to ask before, what is forbidden or
/// allowed.
fn outright(clause: &Clause<'_>) -> Option<Verdict> {
    let cues = &clause.cues;
    let has = |cue| cues.has(cue);
    if has(Cue::Remember) {
        // “remember, it failed yesterday, right?” asks for a nod.
        let is_nod = clause.is_marked && has(Cue::Narration);
        return Some(if is_nod {
            Verdict::Other
        } else if has(Cue::Trouble) && has(Cue::Now) {
            Verdict::Possible
        } else {
            Verdict::Rule
        });
    }
    if is_program_requirement(cues) {
        return Some(Verdict::Other);
    }
    if has(Cue::Forbidden) && has(Cue::Now) && !holds_on(cues) {
        return Some(Verdict::Possible);
    }
    let is_wished = has(Cue::Prefer) && has(Cue::Absolute);
    let is_rule = is_definition(clause)
        || is_place_ban(clause)
        || cues.has_any(&[Cue::AskFirst, Cue::Forbidden])
        || has(Cue::Request) && has(Cue::Cease)
        || (has(Cue::Allowed) || is_wished) && !has(Cue::Now);
    is_rule.then_some(Verdict::Rule)
}

/// By whether it holds on and orders, or is told.
fn by_strength(clause: &Clause<'_>) -> Verdict {
    let cues = &clause.cues;
    let has = |cue| cues.has(cue);
    let is_told = has(Cue::Narration) || is_in_trouble(cues);
    let orders = [
        Cue::Order,
        Cue::Modal,
        Cue::Manner,
        Cue::Limit,
        Cue::Prefer,
        Cue::Contrast,
    ];
    let is_order = cues.has_any(&orders);
    let is_lasting = has(Cue::Lasting) || is_emphatic(clause);
    if is_lasting && (!is_told || is_order || has(Cue::Request)) {
        return Verdict::Rule;
    }
    if is_told && !(is_order && has(Cue::Scope)) {
        return Verdict::Other;
    }
    if is_change(clause) && !cues.has_any(&[Cue::Absolute, Cue::Each, Cue::Whenever]) {
        return Verdict::Other;
    }
    if has(Cue::Absolute) {
        return absolute(cues);
    }
    lesser(clause)
}

/// Whether it orders to change what is there, by the verb that begins it or comes last.
fn is_change(clause: &Clause<'_>) -> bool {
    let cues = &clause.cues;
    let end = clause.normal.text.trim_end().len();
    let ends = || cues.of(Cue::Change).any(|hit| hit.end >= end);
    // In some languages “no” is also what one says before something else.
    let is_negated = |change: CueHit| {
        let mut negations = cues.of(Cue::Negative);
        negations.any(|not| not.end >= change.start && not.start < change.start)
    };
    let mut begins = cues.of(Cue::Change).filter(|hit| hit.start <= cues.body);
    begins.any(|hit| !is_negated(hit)) || cues.is_verb_last && ends()
}

/// Whether a question is a polite request that holds on: “could you always …?”
fn is_request(cues: &CueHits) -> bool {
    // “could you always answer …” is told of nobody.
    let is_told = cues.has(Cue::Narration) && !cues.has_inner(Cue::Order);
    cues.has(Cue::Request)
        && cues.has_any(&[Cue::Lasting, Cue::Absolute, Cue::Each, Cue::Cease])
        && !cues.has(Cue::Purpose)
        && !is_told
}

/// Whether it is told that something goes wrong: not in a case that is supposed (“if a test is
/// flaky, …”), and not in the name of a thing (“error messages”).
fn is_in_trouble(cues: &CueHits) -> bool {
    let is_named = |trouble: CueHit| {
        cues.of(Cue::We)
            .any(|name| name.start <= trouble.start && trouble.end <= name.end)
    };
    !cues.begins_with(Cue::Whenever) && cues.of(Cue::Trouble).any(|hit| !is_named(hit))
}

/// Whether it is said of all occasions, not of one.
fn holds_on(cues: &CueHits) -> bool {
    let is_no_more = cues.has(Cue::Negative) && cues.has(Cue::Generally);
    is_no_more || cues.has_any(&[Cue::Lasting, Cue::Each, Cue::Absolute])
}

/// Whether a clause asks for an answer. Without a question mark only where nothing says that
/// it holds on.
fn is_asked(clause: &Clause<'_>) -> bool {
    let strong = [Cue::Lasting, Cue::Remember, Cue::AskFirst, Cue::Forbidden];
    // “you can do it without asking” begins like “can you …?” in many languages.
    let is_permission = clause.has(Cue::Allowed) && clause.has(Cue::Request);
    let is_strong = is_permission || is_emphatic(clause) || clause.has_any(&strong);
    clause.is_question || clause.has(Cue::Question) && !is_strong
}

fn begins_with_order(cues: &CueHits) -> bool {
    let orders = [
        Cue::Order,
        Cue::Absolute,
        Cue::Negative,
        Cue::Task,
        Cue::Remember,
    ];
    orders.into_iter().any(|cue| cues.begins_with(cue))
}

/// Whether it ends with “…, always” or “…, everywhere”.
fn is_emphatic(clause: &Clause<'_>) -> bool {
    let text = clause.normal.text.trim_end();
    let emphases = [Cue::Absolute, Cue::Each, Cue::Generally];
    let hits = emphases.into_iter().flat_map(|cue| clause.cues.of(cue));
    let is_last = |start: usize, end: usize| {
        let before = text.get(..start).unwrap_or_default().trim_end();
        end >= text.len() && before.ends_with(',') && before.len() > 1
    };
    hits.into_iter().any(|hit| is_last(hit.start, hit.end))
}

/// What a piece of work is to make sure: “add a check so that it is never negative”. The work
/// comes first or last, as the language has it.
fn is_program_requirement(cues: &CueHits) -> bool {
    let Some(purpose) = cues.first(Cue::Purpose) else {
        return false;
    };
    let said = [Cue::Absolute, Cue::Modal, Cue::Negative];
    let said = || said.into_iter().flat_map(|cue| cues.of(cue));
    let is_work_first = cues.begins_with(Cue::Task) && said().any(|hit| hit.start >= purpose);
    let is_work_last = said().any(|hit| hit.start < purpose)
        && cues
            .of(Cue::Task)
            .any(|hit| hit.end > purpose && hit.start > cues.body);
    (is_work_first || is_work_last) && !cues.has(Cue::Lasting)
}

/// Always, never.
fn absolute(cues: &CueHits) -> Verdict {
    let strong = [
        Cue::Order,
        Cue::Scope,
        Cue::Style,
        Cue::We,
        Cue::Manner,
        Cue::Prefer,
        Cue::Whenever,
        Cue::Limit,
        Cue::Generally,
        Cue::Contrast,
    ];
    let is_ordering = cues.begins_with(Cue::Absolute) || cues.begins_with(Cue::Negative);
    if is_ordering || cues.has_any(&strong) {
        Verdict::Rule
    } else {
        Verdict::Possible
    }
}

/// With one of these, what is said of the project is a rule.
const SCOPED: [Cue; 8] = [
    Cue::Style,
    Cue::Order,
    Cue::Negative,
    Cue::Modal,
    Cue::Contrast,
    Cue::Prefer,
    Cue::We,
    Cue::Limit,
];

/// With one of these, what is said of all of a kind is a convention.
const CONVENTIONAL: [Cue; 5] = [
    Cue::Contrast,
    Cue::Negative,
    Cue::Modal,
    Cue::Limit,
    Cue::Style,
];

/// Rules without always or never.
fn lesser(clause: &Clause<'_>) -> Verdict {
    let cues = &clause.cues;
    let has = |cue| cues.has(cue);
    let any = |list: &[Cue]| cues.has_any(list);
    if let Some(verdict) = of_all(cues) {
        return verdict;
    }
    if has(Cue::Limit) && forbids(clause) && !has(Cue::Now) && clause.is_wordy() {
        return Verdict::Rule;
    }
    if has(Cue::Prefer) {
        let is_repeated = cues.of(Cue::Prefer).any(|hit| {
            let mut others = cues.of(Cue::Prefer);
            others.any(|other| other.start >= hit.end)
        });
        let is_told = is_repeated || any(&[Cue::Contrast, Cue::Negative, Cue::Manner, Cue::Limit]);
        return if is_told {
            Verdict::Rule
        } else {
            Verdict::RuleAlone
        };
    }
    if is_substitution(clause) {
        return Verdict::Rule;
    }
    let is_preferred = has(Cue::Order) && has_substitute(clause);
    let is_styled = has(Cue::Style) && any(&[Cue::Contrast, Cue::Order]) || is_preferred;
    if has(Cue::Limit) || has(Cue::Manner) || is_styled && !has(Cue::Now) {
        let is_of_work = cues.begins_with(Cue::Task) && !has(Cue::Manner) && !is_preferred;
        return if is_of_work {
            Verdict::Possible
        } else {
            Verdict::RuleAlone
        };
    }
    if has(Cue::Duty) && !any(&[Cue::Definite, Cue::Now]) && !cues.begins_with(Cue::Task) {
        return Verdict::RuleAlone;
    }
    if has(Cue::Topic) {
        return Verdict::Possible;
    }
    if forbids(clause) && !has(Cue::Now) {
        return if clause.has_words(FEWEST_WORDS) {
            Verdict::RuleAlone
        } else {
            Verdict::Possible
        };
    }
    Verdict::Other
}

/// Whether it forbids something first: “don't rename the functions” tells nothing of functions.
fn is_ban_first(cues: &CueHits) -> bool {
    let named = cues.first(Cue::We);
    cues.begins_with(Cue::Negative) && cues.first(Cue::Negative) < named
}

/// Whether a piece of work is ordered for a case of known things: “check the index before you
/// run the query”.
fn is_occasion(cues: &CueHits) -> bool {
    let case = cues.first(Cue::Whenever).unwrap_or_default();
    cues.begins_with(Cue::Task)
        && case > cues.body
        && !cues.has(Cue::Generic)
        && cues.of(Cue::Known).any(|hit| hit.start > case)
}

/// Whether it begins with a negation, or ends with one where the verb comes last.
fn forbids(clause: &Clause<'_>) -> bool {
    let cues = &clause.cues;
    let whole = clause.normal.text.trim_end().len();
    let polite = cues.of(Cue::Tag).filter(|hit| hit.end >= whole);
    let end = polite.map(|hit| hit.start).min().unwrap_or(whole);
    let ends_negated = cues.has(Cue::Order)
        && !cues.begins_with(Cue::Definite)
        && cues.of(Cue::Negative).any(|hit| hit.end >= end);
    // “stop the server” is a piece of work.
    let is_work = cues
        .of(Cue::Negative)
        .min_by_key(|hit| (hit.start, Reverse(hit.end)))
        .is_some_and(|not| {
            let mut tasks = cues.of(Cue::Task);
            tasks.any(|hit| hit.start == not.start && hit.end >= not.end)
        });
    cues.begins_with(Cue::Negative) && !is_work
        || cues.is_verb_last && ends_negated
        || negates_object(cues)
}

/// Whether a negation follows the verb that begins it: “make no changes”, “lösche keine Dateien”.
fn negates_object(cues: &CueHits) -> bool {
    let is_verb = |hit: &CueHit| {
        matches!(hit.cue, Cue::Order | Cue::Task | Cue::Change) && hit.start <= cues.body
    };
    let mut verbs = cues.hits.iter().filter(|hit| is_verb(hit));
    verbs.any(|verb| {
        let mut negations = cues.of(Cue::Negative);
        negations.any(|not| not.start == verb.end && !cues.is_verb_last)
    })
}

/// Whether it is “one more thing: …”, but not “one more thing: fix the parser now”.
fn is_prefaced(cues: &CueHits) -> bool {
    let Some(end) = cues.of(Cue::Preface).map(|hit| hit.end).max() else {
        return false;
    };
    !cues.begins_with(Cue::Task) && cues.of(Cue::Now).all(|hit| hit.start < end)
}

/// Whether it says “instead of”, and not only “…, not …”.
fn has_substitute(clause: &Clause<'_>) -> bool {
    let text = &clause.normal.text;
    let is_apposition = |at: usize| text.get(at..).is_some_and(|rest| rest.starts_with(','));
    let mut hits = clause.cues.of(Cue::Contrast);
    hits.any(|hit| !is_apposition(hit.start) && hit.end < text.trim_end().len())
}

/// Whether it names only what stands for what: “rg instead of grep”.
fn is_substitution(clause: &Clause<'_>) -> bool {
    const MOST_WORDS: usize = 10;
    const MOST_BEFORE: usize = 2;
    let cues = &clause.cues;
    let text = &clause.normal.text;
    let words = |text: &str| text.split_whitespace().count();
    let is_apposition = |at: usize| text.get(at..).is_some_and(|rest| rest.starts_with(','));
    let is_early = |hit: CueHit| {
        let before = text.get(cues.body..hit.start).unwrap_or_default();
        !is_apposition(hit.start)
            && (1..=MOST_BEFORE).contains(&words(before))
            && hit.end < text.trim_end().len()
    };
    let told = [
        Cue::Definite,
        Cue::Known,
        Cue::Now,
        Cue::Trouble,
        Cue::Narration,
        Cue::Task,
        Cue::Question,
    ];
    clause.has_first_verb()
        && words(text) <= MOST_WORDS
        && !cues.has_any(&told)
        && cues.of(Cue::Contrast).any(is_early)
}

/// What is said of all of a kind: each time, in general, in a case, in the project, as a
/// convention.
fn of_all(cues: &CueHits) -> Option<Verdict> {
    let has = |cue| cues.has(cue);
    let general = [
        Cue::Order,
        Cue::Negative,
        Cue::Modal,
        Cue::Limit,
        Cue::Manner,
        Cue::We,
    ];
    let is_general = has(Cue::Each) || has(Cue::Generally) && cues.has_any(&general);
    if is_prefaced(cues) || is_general && !has(Cue::Now) {
        return Some(Verdict::Rule);
    }
    let is_ordered_within =
        !has(Cue::Now) && (cues.has_inner(Cue::Order) || cues.has_inner(Cue::Task));
    let is_ordered = cues.has_any(&[Cue::Order, Cue::Modal]) || is_ordered_within;
    let is_of_any = has(Cue::Generic) && !has(Cue::Now) && !cues.begins_with(Cue::Definite);
    if has(Cue::Whenever) && (is_ordered || is_of_any) {
        let is_now = has(Cue::Now) && !holds_on(cues);
        return Some(if is_now || is_occasion(cues) {
            Verdict::Possible
        } else {
            Verdict::RuleAlone
        });
    }
    let is_scoped_order = cues.begins_with(Cue::Scope) && cues.has_inner(Cue::Order);
    if has(Cue::Scope) && (cues.has_any(&SCOPED) || is_scoped_order) {
        return Some(if has(Cue::Now) {
            Verdict::Possible
        } else {
            Verdict::Rule
        });
    }
    let is_convention = has(Cue::We) && cues.has_any(&CONVENTIONAL) && !is_ban_first(cues);
    is_convention.then_some(if has(Cue::Now) {
        Verdict::Possible
    } else {
        Verdict::Rule
    })
}
