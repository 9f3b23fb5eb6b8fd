//! Tells rules among the clauses of a message.
//!
//! A message is read sentence by sentence, a sentence clause by clause. The cues of a clause
//! say whether it holds on (from now on, always, in this project), whether it orders, allows
//! or states a convention, and whether it is something else: a question, a narration, a report
//! of what somebody else said, a supposition, a piece of work. A limit or a manner that comes
//! with a piece of work may hold for that work only: then the rule is a possible one. The scorer
//! has the last word: what it is sure of is a rule, and what only the cues take for one is a
//! possible rule, unless it begins as plain rules do (never, from now on).

use std::ops::Range;

use plimsoll_cues::Cue;

use super::clause::{Clause, MIN_RULE_CHARS, clauses};
use super::clause_reader::ClauseReader;
use super::joint::{has_work_within, rule_behind_work, rule_within, without_work};
use super::scorer::{self, Standing, Surroundings, near, near_buckets};
use super::typed::{TypedLine, typed};
use super::verdict::{FEWEST_WORDS, Verdict, is_dictated, verdict};
use super::withdrawal::{self, Withdrawal, WithdrawalKind};
use super::words;

/// What announces rules is at most this long.
const MAX_HEAD_CHARS: usize = 60;

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

/// Reads the text of a message that a person typed.
pub(super) fn read(text: &str) -> MessageRules {
    let lines = typed(text);
    let reader = ClauseReader::of(&lines);
    let message = TypedMessage::of(&lines, &reader);
    let mut found = MessageRules::default();
    let mut before: Option<RuleClauses<'_>> = None;
    for (at, said) in message.said.iter().enumerate() {
        let first = before.take();
        if said.role == ClauseRole::Head {
            continue;
        }
        let next = message.said.get(at + 1).map(|next| &next.clause);
        let replaced = withdrawal::of_replaced(&said.clause, next);
        let withdrawal = replaced.or_else(|| withdrawal::read(&said.clause));
        let is_named = |it: &Withdrawal| it.kind == WithdrawalKind::Named;
        let mut rules = message.rules_at(at, withdrawal.as_ref().is_none_or(is_named));
        match withdrawal {
            // What permits again may hold on as well.
            Some(withdrawal)
                if matches!(
                    withdrawal.kind,
                    WithdrawalKind::Permission | WithdrawalKind::Named
                ) =>
            {
                found.withdrawals.push(withdrawal);
                found.rules.append(&mut rules);
            }
            Some(mut withdrawal) => {
                let is_weak = matches!(
                    withdrawal.kind,
                    WithdrawalKind::End | WithdrawalKind::Manner
                );
                if message.verdict(at) == Verdict::Rule || is_weak {
                    withdrawal.otherwise = rules;
                }
                found.withdrawals.push(withdrawal);
            }
            None => {
                let own = RuleClauses::of(said, &rules);
                let joined = first.zip(own.as_ref()).and_then(|(it, own)| it.joined(own));
                if let (Some(joined), Some(half)) = (&joined, found.rules.last_mut()) {
                    half.text = rule_text(joined.text());
                    half.is_certain |= rules.iter().any(|rule| rule.is_certain);
                } else {
                    found.rules.append(&mut rules);
                }
                before = joined.or(own);
            }
        }
    }
    found
}

/// The clauses of a message, with what is known of them together.
struct TypedMessage<'a> {
    said: Vec<PlacedClause<'a>>,
    verdicts: Vec<Verdict>,
    /// The words of each, as its neighbours see them.
    words: Vec<Vec<u32>>,
    /// How many of them ask,
    questions: usize,
    /// begin with a piece of work,
    tasks: usize,
    /// and order one.
    works: usize,
    reader: &'a ClauseReader,
}

impl<'a> TypedMessage<'a> {
    fn of(lines: &'a [TypedLine<'a>], reader: &'a ClauseReader) -> Self {
        let said = said_clauses(lines, reader);
        let count = |is: fn(&PlacedClause<'a>) -> bool| said.iter().filter(|it| is(it)).count();
        Self {
            verdicts: said.iter().map(PlacedClause::verdict).collect(),
            words: said.iter().map(|it| near_buckets(&it.clause)).collect(),
            questions: count(|it| it.clause.is_question),
            tasks: count(PlacedClause::is_task),
            works: count(PlacedClause::is_work),
            said,
            reader,
        }
    }

    fn verdict(&self, at: usize) -> Verdict {
        self.verdicts.get(at).copied().unwrap_or(Verdict::Other)
    }

    /// The rules in a clause: what the cues say, and the scorer. Unless the clause is `open`, it
    /// takes a rule back, and only the cues tell.
    fn rules_at(&self, at: usize, open: bool) -> Vec<FoundRule> {
        let mut rules = Vec::new();
        let Some(said) = self.said.get(at) else {
            return rules;
        };
        let clause = &said.clause;
        let of_answers = [Cue::Limit, Cue::Negative, Cue::Contrast, Cue::Style];
        let is_of_answers = clause.has(Cue::Manner) && clause.has_any(&of_answers);
        let is_alone = is_of_answers || self.works == usize::from(said.is_work());
        push_found(&mut rules, clause, self.verdict(at), is_alone, self.reader);
        if said.role == ClauseRole::Plain {
            let is_open = open && clause.is_long() && !clause.is_question;
            let around = self.around(at, said);
            judge(&mut rules, clause, around, is_open, self.reader);
        }
        if self.said.len() == 1 && is_ban(clause) {
            for rule in &mut rules {
                rule.is_certain = true;
            }
        }
        rules
    }

    /// Where a clause stands among the others.
    fn around(&self, at: usize, said: &PlacedClause<'_>) -> Surroundings<'_> {
        Surroundings {
            near: near(&self.words, at),
            is_only: self.said.len() == 1,
            is_first: at == 0,
            is_last: at + 1 == self.said.len(),
            has_question: self.questions > usize::from(said.clause.is_question),
            has_work: self.tasks > usize::from(said.is_task()),
            is_part: false,
        }
    }
}

/// Clauses of one sentence that are one rule, all of them: “docs in English; answers in German”.
#[derive(Clone)]
struct RuleClauses<'a> {
    line: &'a TypedLine<'a>,
    range: Range<usize>,
}

impl<'a> RuleClauses<'a> {
    /// A clause that is a rule, where nothing in it is left out.
    fn of(said: &PlacedClause<'a>, rules: &[FoundRule]) -> Option<Self> {
        let clause = &said.clause;
        let is_whole = matches!(rules, [rule] if rule.text == rule_text(clause.text));
        (is_whole && said.role == ClauseRole::Plain).then(|| Self {
            line: said.line,
            range: clause.start..clause.start + clause.text.len(),
        })
    }

    fn text(&self) -> &'a str {
        self.line.text.get(self.range.clone()).unwrap_or_default()
    }

    /// Both, where the sentence goes on from these to the next.
    fn joined(&self, next: &Self) -> Option<Self> {
        const ENDS: [char; 7] = ['.', '!', '?', '…', '。', '！', '？'];
        let is_one = std::ptr::eq(self.line, next.line)
            && self.range.end <= next.range.start
            && !self.text().trim_end().ends_with(ENDS);
        is_one.then_some(Self {
            line: self.line,
            range: self.range.start..next.range.end,
        })
    }
}

/// A clause at its place in the message.
struct PlacedClause<'a> {
    clause: Clause<'a>,
    role: ClauseRole,
    line: &'a TypedLine<'a>,
}

/// What the place of a clause says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClauseRole {
    /// Nothing.
    Plain,
    /// It only announces rules: “two things for the future:”.
    Head,
    /// It is one of those that were announced.
    Announced,
}

impl PlacedClause<'_> {
    fn is_task(&self) -> bool {
        self.clause.cues.begins_with(Cue::Task)
    }

    fn is_work(&self) -> bool {
        self.clause.has(Cue::Task) && self.verdict() != Verdict::Rule
    }

    fn verdict(&self) -> Verdict {
        let clause = &self.clause;
        let verdict = verdict(clause);
        let told = [Cue::Now, Cue::Question, Cue::Report, Cue::Narration];
        let is_else = clause.is_question || clause.has_any(&told);
        match self.role {
            ClauseRole::Announced if !is_else => Verdict::Rule,
            ClauseRole::Plain | ClauseRole::Head | ClauseRole::Announced => verdict,
        }
    }
}

/// The clauses of the person's own lines, without what they dictate for others to read.
fn said_clauses<'a>(lines: &'a [TypedLine<'a>], reader: &'a ClauseReader) -> Vec<PlacedClause<'a>> {
    let own: Vec<&TypedLine<'_>> = own_lines(lines, reader).collect();
    let mut found: Vec<PlacedClause<'a>> = Vec::new();
    let mut headed: Option<usize> = None;
    for (at, line) in own.iter().enumerate() {
        let clauses = clauses(line, reader);
        let count = clauses.len();
        let is_before_item = own.get(at + 1).is_some_and(|next| next.is_item);
        headed = headed.filter(|paragraph| *paragraph == line.paragraph || line.is_item);
        for (clause_at, clause) in clauses.into_iter().enumerate() {
            if is_dictated(&clause) {
                break;
            }
            let is_followed = clause_at + 1 < count || is_before_item;
            let role = if is_followed && is_head(&clause) {
                headed = Some(line.paragraph);
                ClauseRole::Head
            } else if headed.is_some() && (line.is_item || !begins_with_work(&clause)) {
                ClauseRole::Announced
            } else {
                headed = None;
                ClauseRole::Plain
            };
            if clause.is_question {
                headed = None;
            }
            found.push(PlacedClause { clause, role, line });
        }
    }
    found
}

/// Whether a clause forbids something and says nothing else: alone in its message it is about no
/// request that it could belong to. Other languages say it with words that the cues know.
fn is_ban(clause: &Clause<'_>) -> bool {
    let told = [
        Cue::Now,
        Cue::Question,
        Cue::Report,
        Cue::Narration,
        Cue::Suppose,
        Cue::Idiom,
        Cue::Remember,
    ];
    let text = clause.normal.text.trim_start();
    let forbids = ["don t ", "dont ", "do not ", "never "];
    forbids.iter().any(|words| text.starts_with(words))
        && !text.contains(',')
        && !clause.is_question
        && !clause.has_any(&told)
}

/// Whether a clause orders a piece of work, and does not forbid one.
fn begins_with_work(clause: &Clause<'_>) -> bool {
    let cues = &clause.cues;
    let is_forbidding = cues.begins_with(Cue::Negative) || cues.has(Cue::Forbidden);
    let is_first = cues.begins_with(Cue::Task) || cues.is_verb_last && cues.has(Cue::Task);
    is_first && !is_forbidding
}

/// Whether a clause only announces rules: most of its letters do, or it ends with a colon.
fn is_head(clause: &Clause<'_>) -> bool {
    let text = clause.normal.text.trim();
    let length = text.chars().count();
    let mut covered = 0;
    let mut end = 0;
    for hit in clause.cues.of(Cue::Head) {
        covered += hit.end.saturating_sub(hit.start.max(end));
        end = end.max(hit.end);
    }
    let is_open = text.ends_with(':') || covered * 2 > text.len();
    let says = [
        Cue::Negative,
        Cue::Contrast,
        Cue::Limit,
        Cue::AskFirst,
        Cue::Report,
        Cue::Question,
    ];
    covered > 0
        && length <= MAX_HEAD_CHARS
        && is_open
        && !clause.has_any(&says)
        && !clause.is_question
}

/// Calls with each clause of a message, where it stands, and the reader of their parts.
pub(super) fn said_in(
    text: &str,
    mut each: impl FnMut(&Clause<'_>, Surroundings<'_>, &ClauseReader),
) {
    let lines = typed(text);
    let reader = ClauseReader::of(&lines);
    let message = TypedMessage::of(&lines, &reader);
    for (at, said) in message.said.iter().enumerate() {
        each(&said.clause, message.around(at, said), &reader);
    }
}

/// Lets the scorer decide about a clause: what the cues take for a rule and it does not may only
/// be one, and in an open clause what they overlook is added.
fn judge(
    rules: &mut Vec<FoundRule>,
    clause: &Clause<'_>,
    around: Surroundings<'_>,
    is_open: bool,
    reader: &ClauseReader,
) {
    let judgement = scorer::judge(clause, around, reader);
    let is_sure = judgement.standing == Standing::Sure;
    let is_told_apart = rules.len() > 1 || has_work_within(clause, reader);
    if is_sure && is_open && !(is_told_apart && rules.iter().all(|rule| rule.is_certain)) {
        rules.clear();
    }
    for rule in rules.iter_mut().filter(|rule| rule.is_certain && !is_sure) {
        let start = clause.text.find(&rule.text).unwrap_or_default();
        let words = clause.part(start, start + rule.text.len(), reader);
        // A question says little of the ban beside it.
        let is_beside = clause.is_question && scorer::is_sure(&words, around.of_part());
        rule.is_certain = is_beside || is_plain(&words, reader);
    }
    if rules.is_empty() && is_open && judgement.standing != Standing::None {
        let text = clause.text.get(judgement.range).unwrap_or_default();
        push_rule(rules, text, is_sure);
    }
}

/// Whether a rule begins as plain rules do, or what follows its colon does: “we decided: never
/// rewrite in place”.
fn is_plain(rule: &Clause<'_>, reader: &ClauseReader) -> bool {
    let behind_colon = rule.text.find(": ").map(|at| at + 1);
    let mut starts = [Some(0), behind_colon].into_iter().flatten();
    starts.any(|from| begins_plainly(&rule.part(from, rule.text.len(), reader)))
}

/// Whether a clause begins with a word that holds on (never, from now on), or bans touching
/// something, in a language that puts the verb last wherever it does.
fn begins_plainly(clause: &Clause<'_>) -> bool {
    const LASTING: [Cue; 5] = [
        Cue::Absolute,
        Cue::Lasting,
        Cue::Remember,
        Cue::AskFirst,
        Cue::Forbidden,
    ];
    let cues = &clause.cues;
    let begins_with = |any: &[Cue]| any.iter().any(|cue| cues.begins_with(*cue));
    let is_ban = cues.has(Cue::Touch) && cues.has(Cue::Negative);
    let is_first = cues.is_verb_last || begins_with(&[Cue::Touch, Cue::Negative]);
    begins_with(&LASTING) || is_ban && is_first
}

/// What a clause says, by its verdict.
fn push_found(
    rules: &mut Vec<FoundRule>,
    clause: &Clause<'_>,
    verdict: Verdict,
    is_alone: bool,
    reader: &ClauseReader,
) {
    let found = match verdict {
        Verdict::Rule => return push_rules(rules, clause, reader),
        Verdict::RuleAlone if is_alone && !has_work_within(clause, reader) => {
            return push_rule(rules, clause.text, true);
        }
        Verdict::RuleAlone | Verdict::Possible => {
            let whole = || Some((clause.part(0, clause.text.len(), reader), false));
            rule_behind_work(clause, reader)
                .or_else(|| rule_within(clause, is_alone, reader))
                .or_else(whole)
        }
        Verdict::Other => {
            rule_behind_work(clause, reader).or_else(|| rule_within(clause, is_alone, reader))
        }
    };
    if let Some((part, is_certain)) = found {
        push_rule(rules, part.text, is_certain);
    }
}

/// The lines that are the person's own words: not those of the paragraph that a line like “the
/// readme says:” leads to.
fn own_lines<'a>(
    lines: &'a [TypedLine<'a>],
    reader: &'a ClauseReader,
) -> impl Iterator<Item = &'a TypedLine<'a>> {
    let mut leads = false;
    let mut quoted = None;
    lines.iter().filter(move |line| {
        if std::mem::take(&mut leads) {
            quoted = Some(line.paragraph);
        }
        let is_own = quoted != Some(line.paragraph);
        if is_own && line.text.trim_end().ends_with([':', '：']) {
            let introduction = clauses(line, reader);
            leads = introduction
                .iter()
                .any(|clause| clause.has_any(&[Cue::Report, Cue::Question]));
        }
        is_own
    })
}

/// The words of a rule as they are sent.
fn rule_text(text: &str) -> String {
    words::fenced(text.trim_matches([' ', ',', ':', '-', '–', '—', '，', '、']))
}

fn push_rule(rules: &mut Vec<FoundRule>, text: &str, is_certain: bool) {
    let text = rule_text(text);
    if text.chars().count() >= MIN_RULE_CHARS {
        rules.push(FoundRule { text, is_certain });
    }
}

/// A rule, or two that are joined by a word.
fn push_rules(rules: &mut Vec<FoundRule>, clause: &Clause<'_>, reader: &ClauseReader) {
    let end = clause.text.len();
    let is_contrast = |at: usize| {
        let mut contrasts = clause.cues.of(Cue::Contrast);
        contrasts.any(|hit| {
            let range = clause.normal.origin(hit.start, end)..clause.normal.origin(hit.end, end);
            range.contains(&at)
        })
    };
    for joint in clause.and_words() {
        if is_contrast(joint.start) {
            continue;
        }
        let left = clause.part(0, joint.start, reader);
        let right = clause.part(joint.end, end, reader);
        if left.is_long()
            && right.has_words(FEWEST_WORDS)
            && verdict(&left) == Verdict::Rule
            && is_second_rule(&right)
        {
            push_rule(rules, left.text, true);
            push_rule(rules, right.text, true);
            return;
        }
    }
    push_rule(rules, without_work(clause, reader).text, true);
}

/// Whether what follows “and” is a rule when what is before it is one.
fn is_second_rule(clause: &Clause<'_>) -> bool {
    let cues = &clause.cues;
    let beginnings = [Cue::Order, Cue::Negative, Cue::Absolute];
    let is_ordering = beginnings.into_iter().any(|cue| cues.begins_with(cue));
    is_ordering && !cues.has_any(&[Cue::Whenever, Cue::Purpose, Cue::Once])
}
