//! Parts of a clause: what comes before and behind a comma, a dash or a word like “and”.

use std::ops::Range;

use plimsoll_cues::Cue;

use super::clause::Clause;
use super::clause_reader::ClauseReader;
use super::verdict::{FEWEST_WORDS, Verdict, is_place_ban, is_work, verdict};

/// Of a clause with more parts, those behind are not looked at one by one.
const MAX_JOINTS: usize = 8;

/// What says that an order holds on.
const HOLDING: [Cue; 4] = [Cue::Lasting, Cue::Absolute, Cue::Each, Cue::AskFirst];

/// Without any of these, no part is a rule.
const TELLING: [Cue; 16] = [
    Cue::Negative,
    Cue::Absolute,
    Cue::Lasting,
    Cue::Generally,
    Cue::Forbidden,
    Cue::AskFirst,
    Cue::Allowed,
    Cue::Remember,
    Cue::Manner,
    Cue::Limit,
    Cue::Prefer,
    Cue::Each,
    Cue::Style,
    Cue::Scope,
    Cue::We,
    Cue::Meaning,
];

/// What a piece of work is ordered with: “explain it, but keep it short” may be a rule, “… and
/// always answer in German” is one.
pub(super) fn rule_behind_work<'a>(
    clause: &Clause<'a>,
    reader: &ClauseReader,
) -> Option<(Clause<'a>, bool)> {
    let is_else = clause.has_any(&[Cue::Purpose, Cue::Suppose]);
    if clause.is_question || !clause.has(Cue::Task) || is_else {
        return None;
    }
    for joint in joints(clause) {
        let right = clause.part(joint.end, clause.text.len(), reader);
        let left = clause.part(0, joint.start, reader);
        if !left.has(Cue::Task) || !right.is_long() {
            continue;
        }
        let is_certain = match verdict(&right) {
            Verdict::Rule if is_place_ban(&right) && left.has(Cue::Solely) => false,
            Verdict::Rule if is_place_ban(&right) => right.has_words(FEWEST_WORDS - 1),
            Verdict::Rule if right.is_wordy() => true,
            Verdict::Rule | Verdict::RuleAlone | Verdict::Possible => false,
            Verdict::Other if right.cues.begins_with(Cue::Negative) => false,
            Verdict::Other => continue,
        };
        return Some((with_permission(clause, right, reader), is_certain));
    }
    None
}

/// A part, or the whole clause when the part only says that nobody needs to be asked.
fn with_permission<'a>(clause: &Clause<'a>, part: Clause<'a>, reader: &ClauseReader) -> Clause<'a> {
    if part.has(Cue::Allowed) {
        clause.part(0, clause.text.len(), reader)
    } else {
        part
    }
}

/// A rule between words that are none: “i said it already but never touch main”, “no emojis, i
/// read this in a terminal”.
pub(super) fn rule_within<'a>(
    clause: &Clause<'a>,
    is_alone: bool,
    reader: &ClauseReader,
) -> Option<(Clause<'a>, bool)> {
    if clause.is_question || !clause.has_any(&TELLING) {
        return None;
    }
    let end = clause.text.len();
    let breaks = breaks(clause);
    for joint in &breaks {
        let left = clause.part(0, joint.start, reader);
        let right = clause.part(joint.end, end, reader);
        if governs(&left) {
            if is_ban_beside(&left, &right) {
                return Some((right, true));
            }
            break;
        }
        if !right.is_long() || is_work(&left) {
            continue;
        }
        let is_order = right.cues.begins_with(Cue::Task) && !right.has_any(&HOLDING);
        match verdict(&right) {
            Verdict::Rule if right.has_words(FEWEST_WORDS) && !is_order => {
                return Some((with_permission(clause, right, reader), true));
            }
            Verdict::RuleAlone if is_alone && is_lead(&left) => return Some((right, true)),
            Verdict::Rule | Verdict::RuleAlone | Verdict::Possible | Verdict::Other => {}
        }
    }
    for joint in breaks.iter().rev() {
        let left = clause.part(0, joint.start, reader);
        let right = clause.part(joint.end, end, reader);
        let is_wondered = clause.has(Cue::Wonder) && !left.has(Cue::Wonder);
        if !left.has_words(FEWEST_WORDS) || is_wondered || is_other_matter(&right) {
            continue;
        }
        match verdict(&left) {
            // “never guess names, look them up”: the order says what to do instead.
            Verdict::Rule if begins_with_order(&right) => {
                return Some((clause.part(0, end, reader), true));
            }
            Verdict::Rule => return Some((with_reason(clause, left, joint, reader), true)),
            Verdict::RuleAlone if begins_with_order(&right) => {}
            Verdict::RuleAlone if is_alone && !has_work_within(&left, reader) => {
                return Some((with_reason(clause, left, joint, reader), true));
            }
            Verdict::RuleAlone | Verdict::Possible | Verdict::Other => {}
        }
    }
    None
}

/// Whether what follows belongs to these words: somebody says it, it is asked, supposed, or
/// holds in their case only.
fn governs(left: &Clause<'_>) -> bool {
    let governing = [
        Cue::Report,
        Cue::Suppose,
        Cue::Question,
        Cue::Request,
        Cue::Whenever,
        Cue::Purpose,
        Cue::Meaning,
        Cue::Formerly,
        Cue::Product,
        Cue::Paper,
        Cue::Once,
        Cue::Relay,
    ];
    // “I told you twice now: …” is no occasion.
    let is_occasion = left.has(Cue::Now) && !left.cues.begins_with(Cue::Definite);
    // “what bothers me are …, so …” asks nothing.
    let is_wish = left.has(Cue::Prefer) && !left.is_question && !left.has(Cue::Request);
    let is_governing = |cue: Cue| left.has(cue) && !(cue == Cue::Question && is_wish);
    left.is_question || is_occasion || governing.into_iter().any(is_governing)
}

/// The whole clause where what follows a rule is its reason, or else the rule.
fn with_reason<'a>(
    clause: &Clause<'a>,
    rule: Clause<'a>,
    joint: &Range<usize>,
    reader: &ClauseReader,
) -> Clause<'a> {
    let end = clause.text.len();
    let right = clause.part(joint.end, end, reader);
    let mut reasons = clause.cues.of(Cue::Reason);
    let is_reason = right.cues.begins_with(Cue::Reason)
        || reasons.any(|hit| clause.normal.origin(hit.start, end) == joint.start);
    if is_reason && !right.has_any(&[Cue::Task, Cue::Question, Cue::Now]) {
        clause.part(0, end, reader)
    } else {
        rule
    }
}

/// Whether a ban stands beside a request: “can you fix this, but don't touch the config folder”.
fn is_ban_beside(left: &Clause<'_>, right: &Clause<'_>) -> bool {
    let governing = [
        Cue::Report,
        Cue::Suppose,
        Cue::Whenever,
        Cue::Meaning,
        Cue::Formerly,
        Cue::Product,
        Cue::Relay,
        Cue::Solely,
        Cue::Negative,
    ];
    !right.is_question && !left.has_any(&governing) && is_place_ban(right)
}

/// Whether words only lead to a rule.
fn is_lead(left: &Clause<'_>) -> bool {
    verdict(left) == Verdict::Other
        && !left.has_any(&[Cue::Order, Cue::Modal, Cue::Limit, Cue::Task, Cue::Negative])
}

/// Whether words behind a rule make something else of it: it is asked, said by somebody, or
/// about one occasion.
fn is_other_matter(right: &Clause<'_>) -> bool {
    let changing = [
        Cue::Report,
        Cue::Suppose,
        Cue::Formerly,
        Cue::Wonder,
        Cue::Product,
    ];
    let of_occasion = [Cue::Question, Cue::Now];
    let is_reason = right.cues.begins_with(Cue::Reason);
    let is_next = right.cues.begins_with(Cue::Question) && right.has_words(FEWEST_WORDS);
    right.is_question
        || right.has_any(&changing)
        || !is_reason && right.has(Cue::Once)
        || !is_next && right.has_any(&of_occasion)
}

fn begins_with_order(right: &Clause<'_>) -> bool {
    let begins = [Cue::Order, Cue::Task, Cue::Negative];
    begins.into_iter().any(|cue| right.cues.begins_with(cue))
}

/// The places where a clause may be taken apart: joints, dashes, brackets, colons, and words
/// like “because”.
fn breaks(clause: &Clause<'_>) -> Vec<Range<usize>> {
    let mut marks = clause.masked.char_indices().peekable();
    let mut breaks = joints(clause);
    let mut before = ' ';
    while let Some((at, c)) = marks.next() {
        let after = marks.peek().map_or(' ', |(_, after)| *after);
        let is_dash = c == '-' && before == ' ' && after == ' ';
        let is_colon = c == ':' && after == ' ';
        if is_dash || is_colon || matches!(c, '–' | '—' | '(' | ')' | '：' | '（' | '）' | '…')
        {
            breaks.push(at..at + c.len_utf8());
        }
        before = c;
    }
    let end = clause.text.len();
    for hit in clause
        .cues
        .of(Cue::Reason)
        .filter(|hit| hit.start > clause.cues.body)
    {
        let start = clause.normal.origin(hit.start, end);
        breaks.push(start..clause.normal.origin(hit.end, end).max(start));
    }
    breaks.sort_unstable_by_key(|joint| joint.start);
    breaks.truncate(MAX_JOINTS);
    breaks
}

/// Whether a part of a clause orders a piece of work, and not on a condition.
pub(super) fn has_work_within(clause: &Clause<'_>, reader: &ClauseReader) -> bool {
    if clause.has(Cue::Whenever) {
        return false;
    }
    let end = clause.text.len();
    joints(clause).into_iter().any(|joint| {
        let parts = [
            clause.part(0, joint.start, reader),
            clause.part(joint.end, end, reader),
        ];
        parts
            .iter()
            .any(|part| begins_with_work(part) && verdict(part) == Verdict::Other)
    })
}

/// Whether a part orders a piece of work before anything else. Where the verb comes last, its
/// place tells nothing.
fn begins_with_work(part: &Clause<'_>) -> bool {
    part.cues.begins_with(Cue::Task) || !part.has_first_verb() && part.has(Cue::Task)
}

/// The places where parts of a clause are joined: commas and words like “and”.
pub(super) fn joints(clause: &Clause<'_>) -> Vec<Range<usize>> {
    let commas = clause
        .masked
        .char_indices()
        .filter(|(_, c)| matches!(c, ',' | '，' | '、'));
    let commas = commas.map(|(at, c)| at..at + c.len_utf8());
    let words = clause.and_words();
    let mut joints: Vec<Range<usize>> = commas.chain(words).collect();
    joints.sort_unstable_by_key(|joint| joint.start);
    joints.truncate(MAX_JOINTS);
    joints
}

/// The clause without a piece of work that begins it.
pub(super) fn without_work<'a>(clause: &Clause<'a>, reader: &ClauseReader) -> Clause<'a> {
    let end = clause.text.len();
    for joint in joints(clause) {
        let left = clause.part(0, joint.start, reader);
        let right = clause.part(joint.end, end, reader);
        let is_split = left.is_long()
            && right.is_wordy()
            && is_work(&left)
            && verdict(&left) == Verdict::Other
            && verdict(&right) == Verdict::Rule;
        if is_split {
            return right;
        }
    }
    clause.part(0, end, reader)
}
