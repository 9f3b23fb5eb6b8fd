//! Tells rules among the clauses of a message.
//!
//! A message is read sentence by sentence, a sentence clause by clause. The cues of a clause
//! say whether it holds on (from now on, always, in this project), whether it orders, allows
//! or states a convention, and whether it is something else: a question, a narration, a report
//! of what somebody else said, a supposition, a piece of work. A limit or a manner that comes
//! with a piece of work may hold for that work only: then the rule is a possible one.

use std::cmp::Reverse;
use std::ops::Range;

use super::language::{Cue, CueHit, CueHits, LatinVotes, language_of};
use super::normal::{MASK, NormalText};
use super::typed::{TypedLine, typed};
use super::withdrawal::{self, Withdrawal};
use super::words;

/// Shorter clauses say too little.
const MIN_RULE_CHARS: usize = 4;
/// Of a clause with more parts, those behind are not looked at one by one.
const MAX_JOINTS: usize = 8;

/// A rule that a message says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundRule {
    /// Its words, as they are sent.
    pub text: String,
    /// It holds beyond the turn; otherwise that cannot be told.
    pub is_certain: bool,
}

/// What a message says about rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MessageRules {
    pub rules: Vec<FoundRule>,
    pub withdrawals: Vec<Withdrawal>,
}

/// What a clause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// A rule.
    Rule,
    /// A rule when it stands alone; with a piece of work beside it, it may belong to that.
    RuleAlone,
    /// It may be one.
    Possible,
    /// Something else.
    Other,
}

/// A clause with what is known of it.
pub(super) struct Clause<'a> {
    pub text: &'a str,
    masked: &'a str,
    pub normal: NormalText,
    pub cues: CueHits,
    /// It ends with a question mark.
    is_marked: bool,
    /// It asks for an answer.
    pub is_question: bool,
}

/// Reads the text of a message that a person typed.
pub(super) fn read(text: &str) -> MessageRules {
    let mut found = MessageRules::default();
    let lines = typed(text);
    let mut votes = LatinVotes::default();
    for line in &lines {
        votes.add(&NormalText::of(&line.masked));
    }
    let clauses: Vec<Clause<'_>> = lines
        .iter()
        .flat_map(|line| clauses(line, &votes))
        .collect();
    let verdicts: Vec<Verdict> = clauses.iter().map(verdict).collect();
    let works: Vec<bool> = clauses
        .iter()
        .zip(&verdicts)
        .map(|(clause, verdict)| is_work(clause) && *verdict != Verdict::Rule)
        .collect();
    for (at, (clause, verdict)) in clauses.iter().zip(&verdicts).enumerate() {
        if let Some(withdrawal) = withdrawal::read(clause) {
            found.withdrawals.push(withdrawal);
            continue;
        }
        let is_alone = || {
            works
                .iter()
                .enumerate()
                .all(|(other, work)| other == at || !work)
        };
        match verdict {
            Verdict::Rule => push_rules(&mut found.rules, clause, &votes),
            Verdict::RuleAlone => {
                let is_certain = is_alone() && !has_work_within(clause, &votes);
                push_rule(&mut found.rules, clause.text, is_certain);
            }
            Verdict::Possible => push_rule(&mut found.rules, clause.text, false),
            Verdict::Other => push_rule_behind_work(&mut found.rules, clause, &votes),
        }
    }
    found
}

fn push_rule(rules: &mut Vec<FoundRule>, text: &str, is_certain: bool) {
    let text = words::fenced(text.trim_matches([' ', ',', ':', '-', '–', '—', '，', '、']));
    if text.chars().count() >= MIN_RULE_CHARS {
        rules.push(FoundRule { text, is_certain });
    }
}

/// A rule, or two that are joined by a word.
fn push_rules(rules: &mut Vec<FoundRule>, clause: &Clause<'_>, votes: &LatinVotes) {
    let end = clause.text.len();
    let is_contrast = |at: usize| {
        let mut contrasts = clause.cues.of(Cue::Contrast);
        contrasts.any(|hit| hit.start <= at && at < hit.end)
    };
    let joints = clause.cues.of(Cue::And);
    let joints = joints.filter(|hit| hit.start > clause.cues.body && !is_contrast(hit.start));
    for joint in joints {
        let (at, behind) = (
            clause.normal.origin(joint.start, end),
            clause.normal.origin(joint.end, end),
        );
        let left = clause.part(0, at, votes);
        let right = clause.part(behind, end, votes);
        if left.is_long()
            && right.is_long()
            && verdict(&left) == Verdict::Rule
            && is_second_rule(&right)
        {
            push_rule(rules, left.text, true);
            push_rule(rules, right.text, true);
            return;
        }
    }
    push_rule(rules, without_work(clause, votes).text, true);
}

/// Whether what follows “and” is a rule when what is before it is one.
fn is_second_rule(clause: &Clause<'_>) -> bool {
    let cues = &clause.cues;
    let is_ordering = cues.begins_with(Cue::Order)
        || cues.begins_with(Cue::Negative)
        || cues.begins_with(Cue::Absolute);
    is_ordering && !cues.has_any(&[Cue::Whenever, Cue::Purpose])
        || cues.has(Cue::Manner) && cues.has(Cue::Negative)
}

/// What a piece of work is ordered with: “explain it, but keep it short” may be a rule, “… and
/// always answer in German” is one.
fn push_rule_behind_work(rules: &mut Vec<FoundRule>, clause: &Clause<'_>, votes: &LatinVotes) {
    if clause.is_question || !clause.has(Cue::Task) || clause.has_any(&[Cue::Purpose, Cue::Suppose])
    {
        return;
    }
    for joint in joints(clause) {
        let right = clause.part(joint.end, clause.text.len(), votes);
        let left = clause.part(0, joint.start, votes);
        if !left.has(Cue::Task) || !right.is_long() {
            continue;
        }
        match verdict(&right) {
            Verdict::Rule => return push_rule(rules, right.text, true),
            Verdict::RuleAlone | Verdict::Possible => return push_rule(rules, right.text, false),
            Verdict::Other if right.cues.begins_with(Cue::Negative) => {
                return push_rule(rules, right.text, false);
            }
            Verdict::Other => {}
        }
    }
}

/// Whether a part of a clause orders a piece of work.
fn has_work_within(clause: &Clause<'_>, votes: &LatinVotes) -> bool {
    let end = clause.text.len();
    joints(clause).into_iter().any(|joint| {
        let parts = [
            clause.part(0, joint.start, votes),
            clause.part(joint.end, end, votes),
        ];
        parts
            .iter()
            .any(|part| part.cues.begins_with(Cue::Task) && verdict(part) == Verdict::Other)
    })
}

/// The places where parts of a clause are joined: commas and words like “and”.
fn joints(clause: &Clause<'_>) -> Vec<Range<usize>> {
    let end = clause.text.len();
    let commas = clause
        .masked
        .char_indices()
        .filter(|(_, c)| matches!(c, ',' | '，' | '、'));
    let commas = commas.map(|(at, c)| at..at + c.len_utf8());
    let words = clause.cues.of(Cue::And).map(|hit| {
        let start = clause.normal.origin(hit.start, end);
        start..clause.normal.origin(hit.end, end).max(start)
    });
    let mut joints: Vec<Range<usize>> = commas.chain(words).collect();
    joints.sort_unstable_by_key(|joint| joint.start);
    joints.truncate(MAX_JOINTS);
    joints
}

/// The clause without a piece of work that begins it.
fn without_work<'a>(clause: &Clause<'a>, votes: &LatinVotes) -> Clause<'a> {
    let end = clause.text.len();
    for joint in joints(clause) {
        let left = clause.part(0, joint.start, votes);
        let right = clause.part(joint.end, end, votes);
        let is_split = left.is_long()
            && is_work(&left)
            && verdict(&left) == Verdict::Other
            && verdict(&right) == Verdict::Rule;
        if is_split {
            return right;
        }
    }
    clause.part(0, end, votes)
}

impl<'a> Clause<'a> {
    fn of(text: &'a str, masked: &'a str, is_question: bool, votes: &LatinVotes) -> Self {
        let normal = NormalText::of(masked);
        let cues = language_of(&normal, votes).map(|language| language.cues(&normal));
        Self {
            text,
            masked,
            normal,
            cues: cues.unwrap_or_default(),
            is_marked: is_question,
            is_question,
        }
    }

    fn part(&self, from: usize, upto: usize, votes: &LatinVotes) -> Self {
        let text = self.text.get(from..upto).unwrap_or_default();
        let masked = self.masked.get(from..upto).unwrap_or_default();
        Self::of(
            text,
            masked,
            self.is_question && upto == self.text.len(),
            votes,
        )
    }

    fn is_long(&self) -> bool {
        self.text.trim().chars().count() >= MIN_RULE_CHARS
    }

    /// Whether it has enough words to say what it is about.
    fn is_wordy(&self) -> bool {
        let text = self.normal.text.trim();
        text.split(' ').count() >= 4 || text.chars().filter(|c| !c.is_ascii()).count() >= 6
    }

    fn has(&self, cue: Cue) -> bool {
        self.cues.has(cue)
    }

    fn has_any(&self, cues: &[Cue]) -> bool {
        self.cues.has_any(cues)
    }
}

/// The clauses of a line.
fn clauses<'a>(line: &'a TypedLine<'_>, votes: &LatinVotes) -> Vec<Clause<'a>> {
    let mut found: Vec<Clause<'a>> = Vec::new();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for range in line.sentences.iter().cloned() {
        let is_after_question = ranges.last().is_some_and(|before| is_asking(line, before));
        let sentence = clause_at(line, range.clone(), votes);
        match ranges.last_mut() {
            Some(before) if is_after_question && sentence.cues.begins_with(Cue::Then) => {
                before.end = range.end;
            }
            _ => ranges.push(range),
        }
    }
    for range in ranges {
        let sentence = clause_at(line, range.clone(), votes);
        let mut from = range.start;
        for hit in asides(&sentence) {
            let at = range.start + sentence.normal.origin(hit.start, range.len());
            let behind = range.start + sentence.normal.origin(hit.end, range.len());
            let rest = clause_at(line, behind..range.end, votes);
            if at > from && rest.is_wordy() {
                found.push(clause_at(line, from..at, votes));
                from = if says_nothing(&sentence, hit) {
                    behind
                } else {
                    at
                };
            }
        }
        found.push(clause_at(line, from..range.end, votes));
    }
    found
}

/// Where something else begins in a sentence.
fn asides(sentence: &Clause<'_>) -> Vec<CueHit> {
    let inner = sentence.cues.of(Cue::Aside);
    let mut hits: Vec<CueHit> = inner.filter(|hit| hit.start > sentence.cues.body).collect();
    // Of those at the same place the longest.
    hits.sort_by_key(|hit| (hit.start, Reverse(hit.end)));
    hits.dedup_by(|next, hit| next.start < hit.end);
    hits
}

/// Whether an aside only leads over.
fn says_nothing(sentence: &Clause<'_>, aside: CueHit) -> bool {
    const TELLING: [Cue; 5] = [
        Cue::Lasting,
        Cue::Absolute,
        Cue::Negative,
        Cue::Remember,
        Cue::Generally,
    ];
    let mut within = sentence.cues.hits.iter();
    !within
        .any(|hit| TELLING.contains(&hit.cue) && hit.start >= aside.start && hit.start < aside.end)
}

fn is_asking(line: &TypedLine<'_>, range: &Range<usize>) -> bool {
    let text = line.masked.get(range.clone()).unwrap_or_default();
    text.trim_end().ends_with(['?', '？'])
}

fn clause_at<'a>(line: &'a TypedLine<'_>, range: Range<usize>, votes: &LatinVotes) -> Clause<'a> {
    let text = line.text.get(range.clone()).unwrap_or_default();
    let masked = line.masked.get(range.clone()).unwrap_or_default();
    let mut clause = Clause::of(text, masked, is_asking(line, &range), votes);
    if clause.is_question {
        let end = clause.normal.text.trim_end().len();
        // “…, ok?” asks for nothing but a nod.
        let is_tag = |hit: CueHit| {
            let before = clause.normal.text.get(..hit.start).unwrap_or_default();
            hit.end >= end && before.trim_end().ends_with(',')
        };
        clause.is_question = !clause.cues.of(Cue::Tag).any(is_tag);
    }
    clause
}

/// Whether a clause orders a piece of work.
fn is_work(clause: &Clause<'_>) -> bool {
    clause.has(Cue::Task) || clause.is_question
}

fn verdict(clause: &Clause<'_>) -> Verdict {
    let cues = &clause.cues;
    let has = |cue| cues.has(cue);
    if is_asked(clause) {
        let is_request = has(Cue::Request) && cues.has_any(&[Cue::Lasting, Cue::Absolute]);
        return if is_request {
            Verdict::Rule
        } else {
            Verdict::Other
        };
    }
    let is_report = has(Cue::Report)
        && !cues.has_any(&[Cue::Lasting, Cue::Meaning])
        && !begins_with_order(cues);
    if cues.has_any(&[Cue::Idiom, Cue::Suppose]) || is_report {
        return Verdict::Other;
    }
    if has(Cue::Remember) {
        // “remember, it failed yesterday, right?” asks for a nod.
        let is_nod = clause.is_marked && has(Cue::Narration);
        return if is_nod {
            Verdict::Other
        } else {
            Verdict::Rule
        };
    }
    if is_program_requirement(cues) {
        return Verdict::Other;
    }
    let is_definition = has(Cue::Meaning)
        && (cues.has_any(&[Cue::Absolute, Cue::Whenever]) || clause.masked.contains(MASK));
    if is_definition || cues.has_any(&[Cue::AskFirst, Cue::Forbidden]) {
        return Verdict::Rule;
    }
    if has(Cue::Allowed) && !has(Cue::Now) {
        return Verdict::Rule;
    }
    let is_told = cues.has_any(&[Cue::Narration, Cue::Trouble]);
    let is_order = cues.has_any(&[Cue::Order, Cue::Modal, Cue::Manner, Cue::Limit, Cue::Prefer]);
    if has(Cue::Lasting) && (!is_told || is_order) {
        return Verdict::Rule;
    }
    if is_told && !(is_order && has(Cue::Scope)) {
        return Verdict::Other;
    }
    if has(Cue::Absolute) {
        return absolute(cues);
    }
    lesser(clause)
}

/// Whether a clause asks for an answer. Without a question mark only where nothing says that
/// it holds on.
fn is_asked(clause: &Clause<'_>) -> bool {
    let strong = [Cue::Lasting, Cue::Remember, Cue::AskFirst, Cue::Forbidden];
    // “you can do it without asking” begins like “can you …?” in many languages.
    let is_permission = clause.has(Cue::Allowed) && clause.has(Cue::Request);
    let is_strong = is_permission || clause.has_any(&strong);
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
        Cue::We,
        Cue::Manner,
        Cue::Prefer,
        Cue::Whenever,
        Cue::Limit,
        Cue::Generally,
    ];
    let is_ordering = cues.begins_with(Cue::Absolute) || cues.begins_with(Cue::Negative);
    if cues.has_any(&strong) || is_ordering {
        return Verdict::Rule;
    }
    if cues.has(Cue::Modal) {
        return Verdict::Possible;
    }
    Verdict::Possible
}

/// Rules without always or never.
fn lesser(clause: &Clause<'_>) -> Verdict {
    let cues = &clause.cues;
    let has = |cue| cues.has(cue);
    let any = |list: &[Cue]| cues.has_any(list);
    if has(Cue::Each) {
        return Verdict::Rule;
    }
    let general = [
        Cue::Order,
        Cue::Negative,
        Cue::Modal,
        Cue::Limit,
        Cue::Manner,
        Cue::We,
    ];
    if has(Cue::Generally) && any(&general) {
        return Verdict::Rule;
    }
    if has(Cue::Whenever) && any(&[Cue::Order, Cue::Modal]) {
        return Verdict::RuleAlone;
    }
    let scoped = [
        Cue::Order,
        Cue::Negative,
        Cue::Modal,
        Cue::Contrast,
        Cue::Prefer,
        Cue::We,
        Cue::Limit,
    ];
    if has(Cue::Scope) && any(&scoped) {
        return if has(Cue::Now) {
            Verdict::Possible
        } else {
            Verdict::Rule
        };
    }
    if has(Cue::We) && any(&[Cue::Contrast, Cue::Negative, Cue::Modal, Cue::Limit]) {
        return Verdict::Rule;
    }
    if has(Cue::Prefer) {
        let is_told = any(&[Cue::Contrast, Cue::Negative, Cue::Manner]);
        return if is_told {
            Verdict::Rule
        } else {
            Verdict::RuleAlone
        };
    }
    if has(Cue::Limit) || has(Cue::Manner) {
        let is_of_work = cues.begins_with(Cue::Task) && !has(Cue::Manner);
        return if is_of_work {
            Verdict::Possible
        } else {
            Verdict::RuleAlone
        };
    }
    if has(Cue::Topic) {
        return Verdict::Possible;
    }
    if cues.begins_with(Cue::Negative) && !has(Cue::Now) {
        return if clause.is_wordy() {
            Verdict::RuleAlone
        } else {
            Verdict::Possible
        };
    }
    Verdict::Other
}
