//! Who is said to have got a part in something: `Stefan was entered as the reviewer`. The
//! source has to name the person beside such a part.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::fold::{folded_text, word_hash};
use crate::context::grounding::index::SourceIndex;

use super::super::names;
use super::super::reader::Finding;

/// Parts that a person has, with the word before them, one row a language; in lower case.
const PARTS: &[&str] = &[
    r"\bas\s+(?:the\s+|an?\s+|second\s+|only\s+)*(?:code\s+)?(?:reviewers?|assignees?|approvers?|owners?)\b",
    r"\bals\s+(?:\w+\s+)?(?:reviewer(?:in)?|prüfer(?:in)?|freigeber(?:in)?|bearbeiter(?:in)?|verantwortliche[rn]?)\b",
    r"\bcomme\s+(?:\w+\s+)?(?:relecteur|relectrice|réviseure?|reviewer|responsable)\b",
    r"\bcomo\s+(?:\w+\s+)?(?:revisora?|aprobadora?|aprovadora?|responsable|responsável|reviewer)\b",
    r"\bcome\s+(?:\w+\s+)?(?:revisore|revisora|reviewer|responsabile)\b",
    r"\bjako\s+(?:\w+\s+)?(?:recenzent\w*|reviewer\w*|osoba zatwierdzająca)",
    r"(?:ревьюером|рецензентом|ответственным)",
    r"(?:incelemeci|gözden geçiren|onaylayıcı)\s+olarak",
    r"(?:评审人|审阅者|审核人|レビュアー|レビュワー|리뷰어|검토자)",
];

static PART: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&PARTS.join("|")).ok());

/// Beginnings of words that speak of such a part, folded.
const SPOKEN: &[&str] = &[
    "review",
    "assign",
    "approv",
    "owner",
    "pruf",
    "freigeb",
    "bearbeit",
    "verantwort",
    "relect",
    "relire",
    "revis",
    "respons",
    "aprob",
    "aprov",
    "recenz",
    "zatwierdz",
    "ревью",
    "рецензен",
    "ответствен",
    "incele",
    "onay",
    "评审",
    "审",
    "レビュ",
    "리뷰",
    "검토",
];

/// Bytes around a name that are read.
const LINE_BYTES: usize = 300;
/// Places of a name that are read.
const MAX_PLACES: usize = 200;

/// The person who has a part in a clause.
pub(super) fn person_of(told: &str) -> Option<Range<usize>> {
    let lowered = told.to_lowercase();
    let part = PART.as_ref()?.find(&lowered)?;
    // Lower case seldom changes lengths; where it does, nothing is said of the clause.
    let before = told
        .get(..part.start())
        .filter(|_| lowered.len() == told.len())?;
    let is_person = |word: &&str| {
        let mut chars = word.chars();
        chars.next().is_some_and(char::is_uppercase)
            && word.chars().count() > 2
            && chars.all(char::is_lowercase)
            && !names::is_starter(word)
    };
    let mut words = before.split(|c: char| !c.is_alphanumeric());
    let name = words.find(is_person)?;
    let at = (name.as_ptr() as usize).checked_sub(told.as_ptr() as usize)?;
    Some(at..at + name.len())
}

/// Where the source names the person beside a part of this kind.
pub(super) fn witness(index: &SourceIndex<'_>, name: &str) -> Finding {
    let folded = folded_text(name);
    let mut places = index.places(word_hash(&folded)).take(MAX_PLACES);
    Finding::of(places.find(|place| {
        let line = folded_text(index.line_at(*place, LINE_BYTES));
        SPOKEN.iter().any(|word| line.contains(word))
    }))
}

#[cfg(test)]
mod tests {
    use crate::context::grounding::{GroundingSources, check};

    #[test]
    fn a_reviewer_is_the_one_whom_the_source_names() {
        let source = "draft PR with Marek as reviewer; 3.18.0 goes out.\nStefan ist im Urlaub.";
        for (sentence, is_open) in [
            ("Stefan was entered as the reviewer of the draft PR.", true),
            ("Marek was entered as the reviewer of the draft PR.", false),
            ("Stefan steht als Reviewer im Draft-PR.", true),
            ("Marek steht als Reviewer im Draft-PR.", false),
        ] {
            let sources = GroundingSources {
                texts: &[source],
                ..GroundingSources::default()
            };
            let grounding = check(&format!("- {sentence}\n"), sources);
            assert_eq!(grounding.ungrounded().count() > 0, is_open, "{sentence}");
        }
    }
}
