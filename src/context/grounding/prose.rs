//! A summary cut into lines, sentences and clauses, by position.

use std::ops::Range;

use crate::context::summary::document::SummaryDocument;
use crate::context::summary::heading_words::role_of;
use crate::context::summary::template::SectionRole;

/// What a line of Markdown is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// `## Goal`
    Heading,
    /// Inside a code fence, or the fence.
    Code,
    /// A row of a table.
    Row,
    /// The rule below the head of a table.
    Rule,
    /// Everything else with text.
    Prose,
    /// No text.
    Blank,
}

/// A line of a summary.
#[derive(Clone, Debug)]
pub(super) struct ProseLine<'a> {
    /// From 0.
    pub number: usize,
    /// Without its line end.
    pub text: &'a str,
    /// What it is.
    pub kind: LineKind,
    /// Its content, without marks of lists, quotes and tables.
    pub body: Range<usize>,
    /// It stands under a heading of what is still to be done.
    pub is_plan: bool,
    /// It stands under a heading of rules and wishes.
    pub is_rule: bool,
    /// It stands under a heading of what is wanted.
    pub is_goal: bool,
    /// It stands under a heading of what the person asked for and waits for.
    pub is_ask: bool,
}

impl ProseLine<'_> {
    /// The same line with another text.
    pub(super) fn with_text<'t>(&self, text: &'t str) -> ProseLine<'t> {
        ProseLine {
            number: self.number,
            text,
            kind: self.kind,
            body: body_of(text, self.kind),
            is_plan: self.is_plan,
            is_rule: self.is_rule,
            is_goal: self.is_goal,
            is_ask: self.is_ask,
        }
    }
}

/// Under these headings nothing is done yet.
const OPEN_ROLES: [SectionRole; 4] = [
    SectionRole::NextSteps,
    SectionRole::PendingAsks,
    SectionRole::InProgress,
    SectionRole::Blocked,
];

/// The lines of a summary.
pub(super) fn lines(summary: &str) -> Vec<ProseLine<'_>> {
    let mut is_plan = false;
    let mut is_rule = false;
    let mut is_goal = false;
    let mut is_ask = false;
    let mut out = Vec::new();
    for (number, (text, in_code)) in SummaryDocument::lines_with_code(summary).enumerate() {
        let kind = kind_of(text, in_code);
        if kind == LineKind::Heading {
            let role = role_of(text);
            is_plan = OPEN_ROLES.contains(&role);
            is_rule = role == SectionRole::Constraints;
            is_goal = role == SectionRole::Goal;
            is_ask = role == SectionRole::PendingAsks;
        }
        let body = body_of(text, kind);
        let opens = text
            .get(body.clone())
            .is_some_and(|body| body.starts_with("[ ]"));
        out.push(ProseLine {
            number,
            text,
            kind,
            body,
            is_plan: is_plan || opens,
            is_rule,
            is_goal,
            is_ask,
        });
    }
    out
}

fn kind_of(text: &str, in_code: bool) -> LineKind {
    let trimmed = text.trim();
    if in_code {
        return LineKind::Code;
    }
    if trimmed.is_empty() {
        return LineKind::Blank;
    }
    let level = trimmed.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&level)
        && trimmed
            .get(level..)
            .is_some_and(|rest| rest.starts_with([' ', '\t']))
    {
        return LineKind::Heading;
    }
    if trimmed.starts_with('|') {
        let is_rule =
            trimmed.contains('-') && trimmed.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
        return if is_rule {
            LineKind::Rule
        } else {
            LineKind::Row
        };
    }
    LineKind::Prose
}

fn body_of(text: &str, kind: LineKind) -> Range<usize> {
    let end = text.trim_end().len();
    let mut start = end - text.trim().len();
    if kind != LineKind::Prose {
        return start..end;
    }
    loop {
        let rest = text.get(start..end).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let numbered = rest.get(digits..).unwrap_or_default();
        let mark = ["- ", "* ", "+ ", "> ", "• ", "– "]
            .iter()
            .find(|mark| rest.starts_with(**mark))
            .map(|mark| mark.len())
            .or_else(|| {
                let marks = [". ", ") ", "、", "．", "）"];
                let mark = marks.iter().find(|mark| numbered.starts_with(**mark))?;
                (1..=3).contains(&digits).then_some(digits + mark.len())
            });
        let Some(len) = mark else {
            return start..end;
        };
        let after = rest.get(len..).unwrap_or_default();
        start += len + after.len() - after.trim_start().len();
    }
}

/// Ends of words after which a full stop ends no sentence, in lower case.
const ABBREVIATIONS: [&str; 28] = [
    "e.g", "i.e", "etc", "vs", "ca", "approx", "no", "nr", "dr", "mr", "mrs", "ms", "prof", "st",
    "z.b", "d.h", "u.a", "bzw", "usw", "inkl", "vgl", "tel", "mio", "mrd", "tsd", "p.ej", "sr",
    "fig",
];

/// The sentences of a line's body.
pub(super) fn sentences(line: &ProseLine<'_>) -> Vec<Range<usize>> {
    if line.kind != LineKind::Prose {
        return vec![line.body.clone()];
    }
    let text = line.text;
    let body = text.get(line.body.clone()).unwrap_or_default();
    let base = line.body.start;
    let mut out = Vec::new();
    let mut start = 0;
    let mut in_span = false;
    let mut depth = 0_usize;
    for (at, c) in body.char_indices() {
        match c {
            '`' => in_span = !in_span,
            '(' | '[' | '（' if !in_span => depth += 1,
            ')' | ']' | '）' if !in_span => depth = depth.saturating_sub(1),
            _ => {}
        }
        let end = at + c.len_utf8();
        let ends = match c {
            '。' | '！' | '？' => !in_span && depth == 0,
            '.' | '!' | '?' => {
                !in_span
                    && depth == 0
                    && ends_sentence(
                        body.get(start..at).unwrap_or_default(),
                        body.get(end..).unwrap_or_default(),
                    )
            }
            _ => false,
        };
        if ends {
            push(body, start..end, base, &mut out);
            start = end;
        }
    }
    push(body, start..body.len(), base, &mut out);
    out
}

fn push(body: &str, range: Range<usize>, base: usize, out: &mut Vec<Range<usize>>) {
    let piece = body.get(range.clone()).unwrap_or_default();
    let from = range.start + piece.len() - piece.trim_start().len();
    let to = range.start + piece.trim_end().len();
    // Closing marks belong to the sentence before.
    let has_word = piece.chars().any(char::is_alphanumeric);
    if let Some(last) = out.last_mut().filter(|_| !has_word) {
        last.end = (base + to).max(last.end);
    } else if to > from {
        out.push(base + from..base + to);
    }
}

fn ends_sentence(before: &str, after: &str) -> bool {
    let Some(next) = after.chars().next() else {
        return true;
    };
    let closes = matches!(next, '*' | '_' | '"' | '”' | '\'' | '’');
    if !next.is_whitespace() && !closes {
        return false;
    }
    let starts =
        after.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '"' | '”'));
    if starts.starts_with(char::is_lowercase) && !closes {
        return false;
    }
    let word = before
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '*'))
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_lowercase);
    !is_initial && !ABBREVIATIONS.contains(&word.as_str())
}

/// A clause of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    /// Where it is in the line.
    pub span: Range<usize>,
    /// What separates it from the clause before: from there to `span.start`.
    pub joint: Range<usize>,
}

/// Words that begin a further clause after a comma or alone, in lower case with their
/// spaces.
const JOINING_WORDS: [&str; 34] = [
    "and ",
    "but ",
    "so ",
    "then ",
    "while ",
    "whereas ",
    "although ",
    "und ",
    "aber ",
    "sondern ",
    "et ",
    "mais ",
    "y ",
    "pero ",
    "e ",
    "mas ",
    "ma ",
    "en ",
    "maar ",
    "i ",
    "ale ",
    "a ",
    "и ",
    "но ",
    "ve ",
    "ama ",
    "yet ",
    "plus ",
    "however ",
    "though ",
    "because ",
    "since ",
    "weil ",
    "da ",
];

/// The clauses of a sentence: between commas, semicolons, dashes and joining words.
pub(super) fn clauses(text: &str, sentence: Range<usize>) -> Vec<Clause> {
    let body = text.get(sentence.clone()).unwrap_or_default();
    let mut out: Vec<Clause> = Vec::new();
    let mut start = 0;
    let mut joint = 0;
    let mut at = 0;
    let mut in_span = false;
    let mut depth = 0_usize;
    while let Some(c) = body.get(at..).and_then(|rest| rest.chars().next()) {
        match c {
            '`' => in_span = !in_span,
            '(' | '[' | '（' if !in_span => depth += 1,
            ')' | ']' | '）' if !in_span => depth = depth.saturating_sub(1),
            _ => {}
        }
        let len = if in_span || depth > 0 {
            0
        } else {
            joint_len(body, at)
        };
        if len > 0 {
            out.push(clause(sentence.start, joint, start, at));
            joint = at;
            at += len;
            start = at;
        } else {
            at += c.len_utf8();
        }
    }
    out.push(clause(sentence.start, joint, start, body.len()));
    out.retain(|clause| !clause.span.is_empty());
    out
}

fn clause(base: usize, joint: usize, start: usize, end: usize) -> Clause {
    Clause {
        span: base + start..base + end,
        joint: base + joint..base + start,
    }
}

/// Length of what separates two clauses at `at`, joining words included; 0 for nothing.
fn joint_len(body: &str, at: usize) -> usize {
    let rest = body.get(at..).unwrap_or_default();
    let mark = ["; ", "；", "，", "、", ", ", " — ", " – ", ": ", "："]
        .iter()
        .find(|mark| rest.starts_with(**mark))
        .map_or(0, |mark| mark.len());
    let after = rest.get(mark..).unwrap_or_default();
    if mark == 0 {
        let Some(word) = after.strip_prefix(' ') else {
            return 0;
        };
        // Between words only `and` and its kin: `a` or `da` alone is too short to tell.
        let bare = ["and ", "but ", "und ", "aber ", "et ", "y ", "maar ", "и "];
        return bare
            .iter()
            .find(|j| word.starts_with(**j))
            .map_or(0, |j| 1 + j.len());
    }
    let joining = JOINING_WORDS.iter().find(|j| after.starts_with(**j));
    mark + joining.map_or(0, |j| j.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<String> {
        let lines = lines(text);
        let line = &lines[0];
        let sentences = sentences(line);
        sentences
            .into_iter()
            .map(|span| line.text.get(span).unwrap().to_owned())
            .collect()
    }

    #[test]
    fn sentences_end_where_a_reader_stops() {
        for (text, expected) in [
            (
                "- Done. Took 4.6 s, e.g. in CI. `a. B` stays.",
                vec!["Done.", "Took 4.6 s, e.g. in CI.", "`a. B` stays."],
            ),
            (
                "1. Frau Dr. Keller (S. 3. Auflage) kommt. Gut!",
                vec!["Frau Dr. Keller (S. 3. Auflage) kommt.", "Gut!"],
            ),
            ("> 已提交。未推送。", vec!["已提交。", "未推送。"]),
            ("| a. B | c |", vec!["| a. B | c |"]),
        ] {
            assert_eq!(pieces(text), expected, "{text}");
        }
    }

    #[test]
    fn clauses_are_told_apart() {
        let text = "59 pass, and the mail was sent; commit (a, b) stays und Rest";
        let found: Vec<&str> = clauses(text, 0..text.len())
            .into_iter()
            .filter_map(|clause| text.get(clause.span))
            .collect();
        assert_eq!(
            found,
            [
                "59 pass",
                "the mail was sent",
                "commit (a, b) stays",
                "Rest"
            ]
        );
    }

    #[test]
    fn what_is_planned_stands_under_its_heading() {
        let found = lines("## Done\n- a\n- [ ] b\n## Next Steps\n1. c");
        let plans: Vec<bool> = found.iter().map(|line| line.is_plan).collect();
        assert_eq!(plans, [false, false, true, true, true]);
    }
}
