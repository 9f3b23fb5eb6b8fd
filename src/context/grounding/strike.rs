//! A summary without what nothing says: sentences and clauses with ungrounded hard claims
//! go, soft ones are marked. Lines without such claims stay as they are, byte by byte.

mod asides;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::context::summary::template::NONE;

use super::claim::UNVERIFIED;
use super::claim::{Claim, ClaimClass, Grounding, StruckText};
use super::prose::{self, LineKind, ProseLine};

/// Words with which a clause needs the one before it, in lower case.
const DEPENDENT: &[&str] = &[
    "which",
    "who",
    "that",
    "it",
    "they",
    "this",
    "these",
    "then",
    "also",
    "so",
    "thus",
    "there",
    "he",
    "she",
    "its",
    "their",
    "where",
    "was",
    "were",
    "is",
    "are",
    "has",
    "have",
    "had",
    "will",
    "not",
    "with",
    "without",
    "because",
    "since",
    "as",
    "to",
    "for",
    "by",
    "in",
    "on",
    "at",
    "from",
    "of",
    "including",
    "die",
    "der",
    "das",
    "es",
    "sie",
    "er",
    "wurde",
    "wurden",
    "ist",
    "sind",
    "dann",
    "auch",
    "weil",
    "dass",
    "mit",
    "ohne",
    "um",
    "qui",
    "que",
    "puis",
    "luego",
    "depois",
    "poi",
    "che",
    "dat",
    "dan",
    "który",
    "która",
    "потом",
    "который",
];

/// Takes out what is not grounded.
pub(super) fn strike(summary: &str, grounding: &Grounding) -> StruckText {
    let mut by_line: BTreeMap<usize, Vec<&Claim>> = BTreeMap::new();
    for claim in grounding.ungrounded() {
        by_line.entry(claim.line).or_default().push(claim);
    }
    let mut out = StruckText::default();
    if by_line.is_empty() {
        summary.clone_into(&mut out.text);
        return out;
    }
    let lines = prose::lines(summary);
    let mut texts: Vec<Option<String>> = Vec::with_capacity(lines.len());
    // A token that is marked somewhere is not marked again.
    let is_marked = |claim: &&Claim| {
        let mut places = summary.match_indices(claim.text.as_str());
        places.any(|(at, text)| {
            let end = mark_place(summary, at + text.len());
            summary
                .get(end..)
                .is_some_and(|rest| rest.starts_with(UNVERIFIED))
        })
    };
    let mut marked: BTreeSet<&str> = grounding
        .ungrounded()
        .filter(is_marked)
        .map(|claim| claim.text.as_str())
        .collect();
    for (line, raw) in lines.iter().zip(summary.split_inclusive('\n')) {
        let ending = raw.get(line.text.len()..).unwrap_or_default();
        let Some(claims) = by_line.get(&line.number) else {
            texts.push(Some(raw.to_owned()));
            continue;
        };
        let is_head = lines
            .get(line.number + 1)
            .is_some_and(|next| next.kind == LineKind::Rule);
        let edit = edited(line, claims, is_head, &mut marked);
        out.struck.extend(edit.struck.into_iter().cloned());
        out.marked.extend(edit.marked.into_iter().cloned());
        texts.push(edit.text.map(|text| text + ending));
    }
    fill_emptied(&lines, &mut texts);
    out.text = texts.into_iter().flatten().collect();
    out
}

/// A line after its edit.
struct LineEdit<'c> {
    /// `None` when nothing is left of it.
    text: Option<String>,
    struck: Vec<&'c Claim>,
    marked: Vec<&'c Claim>,
}

fn edited<'c>(
    line: &ProseLine<'_>,
    claims: &[&'c Claim],
    is_head: bool,
    marked: &mut BTreeSet<&'c str>,
) -> LineEdit<'c> {
    let (hard, soft): (Vec<&Claim>, Vec<&Claim>) = claims
        .iter()
        .copied()
        .partition(|claim| claim.class.is_hard() && !is_head);
    let cuts = match line.kind {
        LineKind::Prose => cuts(line, &hard),
        _ if hard.is_empty() || is_fence(line) => Some(Vec::new()),
        _ => None,
    };
    let Some(cuts) = cuts else {
        return LineEdit {
            text: None,
            struck: claims.to_vec(),
            marked: Vec::new(),
        };
    };
    let is_cut = |claim: &&Claim| {
        cuts.iter()
            .any(|cut| cut.start <= claim.span.start && claim.span.start < cut.end)
    };
    let (mut struck, mut kept): (Vec<&Claim>, Vec<&Claim>) = (Vec::new(), Vec::new());
    for claim in hard.into_iter().chain(soft) {
        if is_cut(&claim) {
            struck.push(claim);
        } else {
            kept.push(claim);
        }
    }
    kept.sort_by_key(|claim| claim.span.start);
    let mut edits: Vec<(Range<usize>, &str)> = cuts.iter().map(|cut| (cut.clone(), "")).collect();
    for claim in &kept {
        let end = mark_place(line.text, claim.span.end);
        if line.kind != LineKind::Code && marked.insert(claim.text.as_str()) {
            edits.push((end..end, UNVERIFIED));
        }
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut text = String::new();
    let mut from = 0;
    for (range, with) in edits {
        text.push_str(line.text.get(from..range.start).unwrap_or_default());
        text.push_str(with);
        from = range.end.max(from);
    }
    text.push_str(line.text.get(from..).unwrap_or_default());
    LineEdit {
        text: Some(text),
        struck,
        marked: kept,
    }
}

fn is_fence(line: &ProseLine<'_>) -> bool {
    let text = line.text.trim_start();
    line.kind == LineKind::Code && (text.starts_with("```") || text.starts_with("~~~"))
}

/// The end of a token with the marks that close around it.
fn mark_place(text: &str, end: usize) -> usize {
    let rest = text.get(end..).unwrap_or_default();
    let closing = rest
        .find(|c: char| !matches!(c, '`' | '*'))
        .unwrap_or(rest.len());
    end + closing
}

/// What goes from a line of prose; `None` when nothing is to stay.
fn cuts(line: &ProseLine<'_>, hard: &[&Claim]) -> Option<Vec<Range<usize>>> {
    let mut out = Vec::new();
    let sentences = prose::sentences(line);
    let mut stays = 0;
    for (number, sentence) in sentences.iter().enumerate() {
        let is_bad = |span: &Range<usize>| {
            hard.iter()
                .any(|claim| span.start < claim.span.end && claim.span.start < span.end)
        };
        if !is_bad(sentence) {
            stays += 1;
            continue;
        }
        let begins_with_action = |span: &Range<usize>| {
            hard.iter().any(|claim| {
                claim.class == ClaimClass::DoneAction && claim.span.start == span.start
            })
        };
        let cut = bracket_cuts(line.text, sentence, hard)
            .or_else(|| clause_cuts(line.text, sentence, &is_bad, &begins_with_action))
            .or_else(|| asides::aside_cut(line.text, sentence, hard).map(|cut| vec![cut]))
            .or_else(|| {
                // Of what is wanted, the work stays where only its ticket is a wrong one.
                let is_open = line.is_goal || line.is_plan;
                let cut = asides::ticket_cut(line.text, sentence, hard);
                cut.filter(|_| is_open).map(|cut| vec![cut])
            })
            .filter(|cuts| is_balanced(line.text, sentence, cuts));
        if let Some(cut) = cut {
            stays += 1;
            out.extend(cut);
        } else {
            let next = sentences
                .get(number + 1)
                .map_or(sentence.end, |next| next.start);
            out.push(sentence.start..next);
        }
    }
    let whole = line.body.clone();
    (stays > 0 && is_balanced(line.text, &whole, &out)).then_some(out)
}

/// The brackets of a sentence with all of its bad claims, when there is more before them.
fn bracket_cuts(text: &str, sentence: &Range<usize>, hard: &[&Claim]) -> Option<Vec<Range<usize>>> {
    let body = text.get(sentence.clone())?;
    let mut out: Vec<Range<usize>> = Vec::new();
    let within = |claim: &&&Claim| sentence.contains(&claim.span.start);
    for claim in hard.iter().filter(within) {
        if out.iter().any(|cut| cut.contains(&claim.span.start)) {
            continue;
        }
        let at = claim.span.start - sentence.start;
        let open = body.get(..at)?.rfind([')', '(', '）', '（'])?;
        let close = at + body.get(at..)?.find(['(', ')', '（', '）'])?;
        let opens = body.get(open..)?.starts_with(['(', '（']);
        let closer = body.get(close..)?.chars().next()?;
        let said = body.get(..open)?;
        let is_aside =
            said.chars().any(char::is_alphanumeric) && (said.ends_with(' ') || closer == '）');
        if !opens || !matches!(closer, ')' | '）') || !is_aside {
            return None;
        }
        let from = said.trim_end().len();
        out.push(sentence.start + from..sentence.start + close + closer.len_utf8());
    }
    (!out.is_empty()).then_some(out)
}

/// Whether what stays has its marks in pairs.
fn is_balanced(text: &str, range: &Range<usize>, cuts: &[Range<usize>]) -> bool {
    let mut rest = String::new();
    let mut from = range.start;
    for cut in cuts {
        rest.push_str(text.get(from..cut.start).unwrap_or_default());
        from = cut.end;
    }
    rest.push_str(text.get(from..range.end).unwrap_or_default());
    let whole = text.get(range.clone()).unwrap_or_default();
    let is_paired = |text: &str, mark: &str| text.matches(mark).count().is_multiple_of(2);
    let is_even = |mark: &str| is_paired(&rest, mark) || !is_paired(whole, mark);
    let open = |text: &str| text.matches('(').count() == text.matches(')').count();
    is_even("`") && is_even("**") && (open(&rest) || !open(whole))
}

/// A part of a sentence that stands on its own.
struct SentencePart {
    span: Range<usize>,
    joint: Range<usize>,
    is_label: bool,
}

/// The clauses that go, when the rest stands on its own.
fn clause_cuts(
    text: &str,
    sentence: &Range<usize>,
    is_bad: &dyn Fn(&Range<usize>) -> bool,
    begins_with_action: &dyn Fn(&Range<usize>) -> bool,
) -> Option<Vec<Range<usize>>> {
    let parts = parts(text, sentence, is_bad, begins_with_action);
    let is_lost = |part: &SentencePart| is_bad(&part.span);
    let kept: Vec<&SentencePart> = parts.iter().filter(|part| !is_lost(part)).collect();
    let first = parts.first()?;
    let has_content = kept
        .iter()
        .any(|part| !part.is_label && has_words(text, &part.span));
    let label_is_lost = first.is_label && is_lost(first);
    if parts.len() < 2 || !has_content || label_is_lost {
        return None;
    }
    let last_end = parts.last()?.span.end;
    let mark = closing_mark(text, sentence);
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut follows_content = false;
    for part in &parts {
        if !is_lost(part) {
            if !follows_content && !part.is_label {
                let after_label = part.joint.start > sentence.start && first.is_label;
                let opens = std::ptr::eq(part, first);
                if !after_label && !opens && !stands_alone(text, &part.span) {
                    return None;
                }
                if part.joint.start > sentence.start && !opens {
                    out.push(if after_label {
                        part.joint.start..part.joint.start
                    } else {
                        part.joint.clone()
                    });
                }
            }
            follows_content |= !part.is_label;
            continue;
        }
        let end = if part.span.end == last_end {
            sentence.end - mark
        } else {
            part.span.end
        };
        // The first item after a label leaves its joint to the next one.
        let from = if follows_content || !first.is_label {
            part.joint.start
        } else {
            part.span.start
        };
        out.push(from..end.max(from));
    }
    if first.is_label {
        join_label(&parts, &is_lost, &mut out);
    }
    out.retain(|cut| !cut.is_empty());
    Some(out)
}

/// After a label, the joint between a struck item and the first that stays goes too.
fn join_label(
    parts: &[SentencePart],
    is_lost: &dyn Fn(&SentencePart) -> bool,
    out: &mut Vec<Range<usize>>,
) {
    let items = || parts.iter().filter(|part| !part.is_label);
    let lost_first = items().next().is_some_and(is_lost);
    if lost_first && let Some(kept) = items().find(|part| !is_lost(part)) {
        out.push(kept.joint.clone());
    }
    out.sort_by_key(|cut| (cut.start, cut.end));
}

fn has_words(text: &str, span: &Range<usize>) -> bool {
    text.get(span.clone())
        .is_some_and(|part| part.chars().any(char::is_alphanumeric))
}

/// Bytes of the mark that ends a sentence.
fn closing_mark(text: &str, sentence: &Range<usize>) -> usize {
    let body = text.get(sentence.clone()).unwrap_or_default();
    let last = body
        .chars()
        .next_back()
        .filter(|c| matches!(c, '.' | '!' | '。' | '！'));
    last.map_or(0, char::len_utf8)
}

fn stands_alone(text: &str, span: &Range<usize>) -> bool {
    let part = text.get(span.clone()).unwrap_or_default();
    let first = part
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let is_participle = first.ends_with("ed") || first.ends_with("ing");
    let next = part.split_whitespace().nth(1).unwrap_or_default();
    // Before a noun they are articles.
    let is_article = ["der", "die", "das"].contains(&first.as_str())
        && next.starts_with(|c: char| c.is_uppercase() || c == '`');
    has_words(text, span) && (is_article || !DEPENDENT.contains(&first.as_str())) && !is_participle
}

/// Words with which a clause says the same once more, in lower case.
const APPOSITIONS: [&str; 14] = [
    "i.e",
    "e.g",
    "that is",
    "namely",
    "d. h",
    "d.h",
    "also ",
    "das heißt",
    "c'est-à-dire",
    "soit",
    "es decir",
    "ou seja",
    "cioè",
    "то есть",
];

/// Whether a clause only says the one before it once more.
fn is_apposition(text: &str, span: &Range<usize>) -> bool {
    let part = text.get(span.clone()).unwrap_or_default().to_lowercase();
    APPOSITIONS.iter().any(|words| part.starts_with(words))
}

/// The parts of a sentence: between semicolons, dashes and joining words with a comma;
/// between commas after a label or before a clause with a subject of its own.
fn parts(
    text: &str,
    sentence: &Range<usize>,
    is_bad: &dyn Fn(&Range<usize>) -> bool,
    begins_with_action: &dyn Fn(&Range<usize>) -> bool,
) -> Vec<SentencePart> {
    let mut out: Vec<SentencePart> = Vec::new();
    for clause in prose::clauses(text, sentence.clone()) {
        let joint = text.get(clause.joint.clone()).unwrap_or_default();
        let is_in_list = out.first().is_some_and(|first| first.is_label);
        let begins = match joint.chars().next() {
            Some(';' | '；' | '，') => true,
            Some(':' | '：') => out.len() == 1,
            Some(',' | '、') => {
                is_in_list
                    || joint.trim().len() > 1 && stands_alone(text, &clause.span)
                    || begins_with_subject(text, &clause.span)
                    || is_bad(&clause.span) && is_apposition(text, &clause.span)
            }
            _ => {
                joint.contains(['—', '–'])
                    || is_bad(&clause.span)
                        && (begins_with_action(&clause.span)
                            || begins_with_auxiliary(text, &clause.span)
                            || begins_with_subject(text, &clause.span))
            }
        };
        if let Some(last) = out.last_mut().filter(|_| !begins) {
            last.span.end = clause.span.end;
            continue;
        }
        if joint.starts_with([':', '：'])
            && let Some(first) = out.first_mut()
        {
            first.is_label = true;
        }
        out.push(SentencePart {
            joint: clause.joint.clone(),
            span: clause.span,
            is_label: false,
        });
    }
    out
}

/// Whether a clause without a joining word has a subject and is long enough for a verb.
fn begins_with_subject(text: &str, span: &Range<usize>) -> bool {
    const SUBJECTS: [&str; 30] = [
        "none", "nothing", "nobody", "two", "three", "four", "five", "six", "its", "their", "the",
        "a", "an", "no", "all", "das", "der", "die", "ein", "eine", "el", "la", "los", "las", "le",
        "les", "o", "il", "het", "de",
    ];
    let part = text.get(span.clone()).unwrap_or_default();
    let mut words = part.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    let rest: Vec<&str> = words.collect();
    let counts = first.starts_with(|c: char| c.is_ascii_digit())
        && rest.iter().any(|word| VERBS.contains(word));
    counts || SUBJECTS.contains(&first.as_str()) && rest.len() >= 2
}

/// Whether a clause goes on with a verb of its own for the subject before it.
fn begins_with_auxiliary(text: &str, span: &Range<usize>) -> bool {
    const AUXILIARIES: [&str; 16] = [
        "was", "were", "has", "have", "had", "is", "are", "wurde", "wurden", "ist", "sind", "fue",
        "fueron", "foi", "foram", "werd",
    ];
    let part = text.get(span.clone()).unwrap_or_default();
    let first = part.split_whitespace().next().unwrap_or_default();
    AUXILIARIES.contains(&first)
}

/// Verbs that a count is the subject of.
const VERBS: [&str; 12] = [
    "is", "are", "was", "were", "has", "have", "sind", "ist", "waren", "sont", "son", "são",
];

/// Writes `(none)` below the headings whose text is gone.
fn fill_emptied(lines: &[ProseLine<'_>], texts: &mut [Option<String>]) {
    let level = |line: &ProseLine<'_>| {
        line.text
            .trim_start()
            .bytes()
            .take_while(|b| *b == b'#')
            .count()
    };
    for (number, heading) in lines.iter().enumerate() {
        if heading.kind != LineKind::Heading {
            continue;
        }
        let rest = lines.get(number + 1..).unwrap_or_default();
        let len = rest
            .iter()
            .position(|line| line.kind == LineKind::Heading)
            .unwrap_or(rest.len());
        let has_part = rest
            .get(len)
            .is_some_and(|next| level(next) > level(heading));
        let section = number + 1..number + 1 + len;
        let had = lines
            .get(section.clone())
            .is_some_and(|lines| lines.iter().any(is_text));
        let has = section.clone().any(|at| {
            texts.get(at).is_some_and(Option::is_some) && lines.get(at).is_some_and(is_text)
        });
        if had && !has && !has_part {
            let gone = section
                .clone()
                .find(|at| texts.get(*at).is_some_and(Option::is_none));
            let ending = if lines.len() == number + 1 + len && len == 1 {
                ""
            } else {
                "\n"
            };
            if let Some(text) = gone.and_then(|at| texts.get_mut(at)) {
                *text = Some(format!("{NONE}{ending}"));
            }
        }
    }
}

fn is_text(line: &ProseLine<'_>) -> bool {
    !matches!(line.kind, LineKind::Blank | LineKind::Rule)
}
