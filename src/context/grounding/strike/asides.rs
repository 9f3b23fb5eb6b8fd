//! Asides of a sentence that can go alone: a reason, a relative clause or a participle at its
//! end, and a participle between commas.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::claim::{Claim, ClaimClass};

/// Words that begin a reason at the end of a sentence, with their spaces.
const REASONS: [&str; 12] = [
    " because ",
    ", weil ",
    ", da ",
    " parce que ",
    " porque ",
    " perché ",
    " omdat ",
    ", ponieważ ",
    ", bo ",
    ", потому что ",
    ", так как ",
    " car ",
];
/// Words that begin an aside after a comma, in lower case.
const OPENERS: [&str; 16] = [
    "which",
    "who",
    "whose",
    "run",
    "built",
    "written",
    "sent",
    "made",
    "kept",
    "held",
    "qui",
    "dont",
    "che",
    "который",
    "которая",
    "które",
];
/// Verbs with which a sentence goes on after an aside, in lower case.
const FINITE: [&str; 12] = [
    "is", "are", "was", "were", "has", "have", "had", "will", "can", "took", "ran", "came",
];
/// Fewer words are no sentence.
const MIN_WORDS: usize = 3;

/// The aside with all of the bad claims of a sentence, when what stays is a sentence.
pub(super) fn aside_cut(
    text: &str,
    sentence: &Range<usize>,
    hard: &[&Claim],
) -> Option<Range<usize>> {
    let body = text.get(sentence.clone())?;
    let within = hard
        .iter()
        .filter(|claim| sentence.contains(&claim.span.start));
    let first = within.clone().map(|claim| claim.span.start).min()?;
    let last = within.map(|claim| claim.span.end).max()?;
    let (first, last) = (first - sentence.start, last.checked_sub(sentence.start)?);
    let head = body.get(..first)?;
    let mark = super::closing_mark(text, sentence);
    let end = body.len().checked_sub(mark)?;
    let cut = |from: usize, to: usize| {
        let words = body.get(..from)?.split_whitespace().count();
        (words >= MIN_WORDS && from < to).then_some(sentence.start + from..sentence.start + to)
    };
    let reasons = REASONS.iter().filter_map(|reason| head.rfind(reason));
    let comma = head.rfind(", ");
    if let Some(from) = reasons
        .max()
        .filter(|from| comma.is_none_or(|comma| comma <= *from))
    {
        return cut(from, end);
    }
    let from = comma?;
    let rest = body.get(from + 2..end)?;
    let stop = body.get(last..end)?.find(", ").map(|at| last + at);
    let aside = body.get(from + 2..stop.unwrap_or(end))?;
    if !is_aside(aside) {
        return None;
    }
    let Some(stop) = stop else {
        return (!rest.contains(", ")).then(|| cut(from, end)).flatten();
    };
    // Between commas: what follows goes on with the verb of the subject before.
    let next = body.get(stop + 2..)?.split_whitespace().next()?;
    let is_verb = FINITE.contains(&next)
        || next.chars().all(char::is_lowercase)
            && (next.ends_with('s') || next.ends_with("ed") || is_german_participle(aside));
    let is_subject = body.get(..from)?.split_whitespace().count() < MAX_SUBJECT_WORDS;
    (is_verb && is_subject).then_some(sentence.start + from..sentence.start + stop + 1)
}

/// `… for ticket ENT-221`: words between the work and its ticket, folded to lower case.
static TO_A_TICKET: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let links = "for|in|under|per|via|as part of|from|für|zu|im|unter|pour|dans|sous|para|en|por|no\
        |na|per|nel|voor|onder|dla|w|для|по|в";
    let nouns = "tickets?|issues?|tasks?|story|bugs?|prs?|pull requests?|mrs?|jira|aufgabe|vorgang\
        |demande|tâche|incidencia|tarea|tarefa|attività|taak|zadani[ea]|задач[аеи]|тикет[ау]?";
    Regex::new(&format!(
        r"(?i) (?:{links})(?: (?:the|dem|das|le|la|el|o|il|het))?(?: (?:{nouns}))? [`*#(]*$"
    ))
    .ok()
});

/// The end of a sentence that names nothing but the ticket of its work, when that is bad.
pub(super) fn ticket_cut(
    text: &str,
    sentence: &Range<usize>,
    hard: &[&Claim],
) -> Option<Range<usize>> {
    let body = text.get(sentence.clone())?;
    let mut within = hard
        .iter()
        .filter(|claim| sentence.contains(&claim.span.start));
    let claim = within.next()?;
    if within.next().is_some() || claim.class != ClaimClass::Identifier {
        return None;
    }
    let at = claim.span.start - sentence.start;
    let end = body
        .len()
        .checked_sub(super::closing_mark(text, sentence))?;
    let rest = body.get(claim.span.end - sentence.start..end)?;
    let from = TO_A_TICKET.as_ref()?.find(body.get(..at)?)?.start();
    let is_last = !rest.contains(char::is_alphanumeric);
    let words = body.get(..from)?.split_whitespace().count();
    (is_last && words >= MIN_WORDS).then_some(sentence.start + from..sentence.start + end)
}

/// More words before an aside are more than a subject.
const MAX_SUBJECT_WORDS: usize = 7;

fn is_aside(aside: &str) -> bool {
    let first = aside.split_whitespace().next().unwrap_or_default();
    let is_participle = first.len() > 4 && first.ends_with("ed") && first.is_ascii();
    is_participle || OPENERS.contains(&first) || is_german_participle(aside)
}

/// `abgelegt unter x`, `von Frau y freigegeben`.
fn is_german_participle(aside: &str) -> bool {
    const BEGINNINGS: [&str; 14] = [
        "ge", "ab", "auf", "an", "be", "ver", "ein", "aus", "zu", "er", "ent", "unter", "frei",
        "datier",
    ];
    let is_one = |word: &str| {
        word.len() > 5
            && word.chars().all(char::is_lowercase)
            && BEGINNINGS
                .iter()
                .any(|beginning| word.starts_with(beginning))
            && (word.ends_with('t') || word.ends_with("en"))
    };
    let mut words = aside.split_whitespace();
    let first = words.next().unwrap_or_default();
    is_one(first) || words.next_back().is_some_and(is_one)
}

#[cfg(test)]
mod tests {
    use crate::context::grounding::{GroundingSources, check, strike};

    #[test]
    fn an_aside_goes_alone_and_the_sentence_stays() {
        for (sentence, expected) in [
            (
                "The first build stopped because the linker lacked `pm_put`.",
                "- The first build stopped.\n",
            ),
            (
                "The new build was measured on bench-02, attached to bench-pi2.lan.",
                "- The new build was measured on bench-02.\n",
            ),
            (
                "The quote, filed under docs/x.txt, totals £567.00.",
                "- The quote totals £567.00.\n",
            ),
            ("It ran in docs/x.txt, which is new, and then in y.", ""),
        ] {
            let sources = GroundingSources {
                texts: &["first build stopped; new build on bench-02; quote totals £567.00"],
                ..GroundingSources::default()
            };
            let summary = format!("- {sentence}\n");
            let text = strike(&summary, &check(&summary, sources)).text;
            assert_eq!(text, expected, "{sentence}");
        }
    }

    #[test]
    fn a_wrong_ticket_goes_alone_from_what_is_wanted() {
        let sources = GroundingSources {
            texts: &["refactor parse_expr in src/parse.rs for ticket ENT-222"],
            ..GroundingSources::default()
        };
        for (line, expected) in [
            (
                "Refactor parse_expr in src/parse.rs for ticket ENT-221.",
                "Refactor parse_expr in src/parse.rs.",
            ),
            (
                "parse_expr in src/parse.rs umbauen für ENT-221",
                "parse_expr in src/parse.rs umbauen",
            ),
            ("Close ticket ENT-221.", "(none)"),
            (
                "Refactor parse_expr in src/parse.rs for ticket ENT-222.",
                "Refactor parse_expr in src/parse.rs for ticket ENT-222.",
            ),
        ] {
            let summary = format!("## Goal\n{line}\n");
            let text = strike(&summary, &check(&summary, sources)).text;
            assert_eq!(text.trim_end(), format!("## Goal\n{expected}"), "{line}");
        }
        // What is told as done is not made another deed.
        let done = "## Done\n- Merged the rework of parse_expr for ticket ENT-221.\n";
        let text = strike(done, &check(done, sources)).text;
        assert_eq!(text.trim_end(), "## Done\n(none)");
    }
}
