//! Cues of done actions, of what did not happen, and number words, one table a language.

mod chinese;
mod cues;
mod dutch;
mod english;
mod french;
mod german;
mod han_numbers;
mod italian;
mod japanese;
mod korean;
mod polish;
mod portuguese;
mod russian;
mod spanish;
mod turkish;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::fold::folded_text;
pub(super) use cues::ActionKind;
use cues::LanguageCues;

/// A language, ready to be searched for.
#[derive(Debug)]
pub(super) struct Lexicon {
    done: Option<Regex>,
    kinds: BTreeMap<String, ActionKind>,
    nouns: Option<Regex>,
    completed: Option<Regex>,
    pub negations: Option<Regex>,
    pub unreal: Option<Regex>,
    pub conditional: Option<Regex>,
    common: Vec<String>,
    numbers: BTreeMap<String, u32>,
    fractions: BTreeMap<String, f64>,
    /// Cues are found inside words.
    pub is_agglutinating: bool,
    /// What denies or plans a verb can stand behind it.
    pub verb_comes_last: bool,
}

static LEXICONS: LazyLock<Vec<Lexicon>> = LazyLock::new(|| {
    [
        &english::CUES,
        &german::CUES,
        &french::CUES,
        &spanish::CUES,
        &portuguese::CUES,
        &italian::CUES,
        &dutch::CUES,
        &polish::CUES,
        &russian::CUES,
        &turkish::CUES,
        &chinese::CUES,
        &japanese::CUES,
        &korean::CUES,
    ]
    .into_iter()
    .map(Lexicon::of)
    .collect()
});

/// All languages, English first.
pub(super) fn all() -> &'static [Lexicon] {
    &LEXICONS
}

/// The language that is taken where nothing speaks for another one.
pub(super) fn english() -> &'static Lexicon {
    &LEXICONS[0]
}

/// A regular expression of cues, in lower case; the longest first. A space stands for any white space or
/// hyphens, a trailing `*` for any ending.
fn pattern<'a>(cues: impl Iterator<Item = &'a str>, inside_words: bool) -> Option<Regex> {
    let mut cues: Vec<String> = cues.map(str::to_lowercase).collect();
    cues.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    cues.dedup();
    if cues.is_empty() {
        return None;
    }
    let alternatives: Vec<String> = cues
        .iter()
        .map(|cue| {
            let (stem, ending) = match cue.strip_suffix('*') {
                Some(stem) => (stem, if inside_words { "" } else { r"\w*" }),
                None => (cue.as_str(), ""),
            };
            regex::escape(stem).replace(' ', r"[\s-]+") + ending
        })
        .collect();
    let all = alternatives.join("|");
    let whole = if inside_words {
        format!("(?:{all})")
    } else {
        format!(r"\b(?:{all})\b")
    };
    Regex::new(&whole).ok()
}

fn spaced(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c == '-');
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn flat<'a>(table: &'a [(ActionKind, &'a [&'a str])]) -> impl Iterator<Item = &'a str> + Clone {
    table.iter().flat_map(|(_, words)| words.iter().copied())
}

impl Lexicon {
    fn of(cues: &LanguageCues) -> Self {
        let inside = cues.is_agglutinating;
        let mut kinds = BTreeMap::new();
        for (kind, words) in cues.done.iter().chain(cues.nouns) {
            for word in *words {
                kinds.insert(word.to_lowercase(), *kind);
            }
        }
        let numbers = cues.numbers.iter();
        // People write `nao` for `não`; of done forms the accent is what tells the tense.
        let denials = cues.negations.iter();
        let denials: Vec<String> = denials
            .flat_map(|word| [word.to_lowercase(), folded_text(word)])
            .collect();
        Self {
            done: pattern(flat(cues.done), inside),
            kinds,
            nouns: pattern(flat(cues.nouns), inside),
            completed: pattern(cues.completed.iter().copied(), inside),
            negations: pattern(denials.iter().map(String::as_str), inside),
            unreal: pattern(cues.unreal.iter().copied(), inside),
            conditional: pattern(cues.conditional.iter().copied(), inside),
            common: cues.common.iter().map(|word| folded_text(word)).collect(),
            numbers: numbers
                .map(|(word, value)| (folded_text(word), *value))
                .collect(),
            fractions: (cues.fractions.iter())
                .map(|(words, value)| (folded_text(words), *value))
                .collect(),
            is_agglutinating: inside,
            verb_comes_last: cues.verb_comes_last,
        }
    }

    /// Whether a text denies, plans or conditions something.
    pub(super) fn leaves_open(&self, text: &str) -> bool {
        let cues = [&self.negations, &self.unreal, &self.conditional];
        cues.into_iter().flatten().any(|cue| cue.is_match(text))
    }

    /// Whether a folded word says that something came to a good end.
    pub(super) fn ends_well(&self, word: &str) -> bool {
        self.completed
            .as_ref()
            .is_some_and(|cue| cue.is_match(word))
    }

    /// The done forms of a text in lower case, with what they say.
    pub(super) fn done_in<'s>(
        &'s self,
        folded: &'s str,
    ) -> impl Iterator<Item = (std::ops::Range<usize>, ActionKind)> + 's {
        self.found(self.done.as_ref(), folded)
    }

    /// The nouns of actions in a text in lower case that says that they came to an end.
    pub(super) fn completed_nouns_in<'s>(
        &'s self,
        folded: &'s str,
    ) -> impl Iterator<Item = (std::ops::Range<usize>, ActionKind)> + 's {
        let is_complete = self
            .completed
            .as_ref()
            .is_some_and(|cue| cue.is_match(folded));
        self.found(self.nouns.as_ref().filter(|_| is_complete), folded)
    }

    fn found<'s>(
        &'s self,
        cues: Option<&'s Regex>,
        folded: &'s str,
    ) -> impl Iterator<Item = (std::ops::Range<usize>, ActionKind)> + 's {
        let matches = cues.into_iter().flat_map(move |cue| cue.find_iter(folded));
        matches.filter_map(|found| {
            let kind = self.kinds.get(&spaced(found.as_str()))?;
            Some((found.range(), *kind))
        })
    }

    /// The done forms of a kind.
    pub(super) fn forms(&self, kind: ActionKind) -> impl Iterator<Item = &str> {
        let of_kind = self.kinds.iter().filter(move |(_, known)| **known == kind);
        of_kind.map(|(form, _)| form.as_str())
    }

    /// How many common words of the language are among these folded words.
    fn score(&self, words: &[&str]) -> usize {
        words
            .iter()
            .filter(|word| self.common.iter().any(|common| common == **word))
            .count()
    }

    /// Whether a folded word is one of those that tell the language and nothing else.
    pub(super) fn is_common(&self, word: &str) -> bool {
        self.common.iter().any(|common| common == word)
    }

    /// The value of a folded number word.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// The value of a fraction in folded words; `+` before them asks what is added to a whole.
    pub(super) fn fraction(&self, words: &str) -> Option<f64> {
        self.fractions.get(words).copied()
    }

    /// The number words of a value.
    pub(super) fn words_of(&self, value: u32) -> impl Iterator<Item = &str> {
        let of_value = self
            .numbers
            .iter()
            .filter(move |(_, known)| **known == value);
        of_value.map(|(word, _)| word.as_str())
    }
}

/// Whether a part of a folded text denies, plans or conditions something, in the language of the
/// text or in English.
pub(super) fn leave_open(folded: &str, part: &str) -> bool {
    let language = likely(folded, english());
    [language, english()]
        .iter()
        .any(|lexicon| lexicon.leaves_open(part))
}

/// The language of a folded text; `usual` where nothing speaks for another one.
pub(super) fn likely(folded: &str, usual: &'static Lexicon) -> &'static Lexicon {
    let words: Vec<&str> = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let score = |lexicon: &Lexicon| {
        if lexicon.common.iter().any(|cue| !cue.is_ascii()) && lexicon.is_agglutinating {
            let cues = lexicon.common.iter();
            UNSPACED_WEIGHT * cues.filter(|cue| folded.contains(cue.as_str())).count()
        } else {
            lexicon.score(&words)
        }
    };
    let mut best = (score(usual), usual);
    for lexicon in LEXICONS.iter() {
        let found = score(lexicon);
        if found > best.0 {
            best = (found, lexicon);
        }
    }
    best.1
}

/// How many common words one of a script without spaces is worth.
const UNSPACED_WEIGHT: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_knows_every_action() {
        assert_eq!(all().len(), 13);
        for lexicon in all() {
            for kind in [
                ActionKind::Deploy,
                ActionKind::Release,
                ActionKind::Publish,
                ActionKind::Push,
                ActionKind::Merge,
                ActionKind::Delete,
                ActionKind::Migrate,
                ActionKind::Send,
                ActionKind::Pay,
                ActionKind::RollBack,
                ActionKind::Execute,
                ActionKind::Commit,
                ActionKind::Alter,
                ActionKind::Empty,
            ] {
                assert!(
                    lexicon.forms(kind).next().is_some(),
                    "{kind:?} {:?}",
                    lexicon.common
                );
            }
            assert!(lexicon.done.is_some() && lexicon.negations.is_some());
            assert!(lexicon.unreal.is_some() && lexicon.conditional.is_some());
            assert!(lexicon.numbers.len() >= 10, "{:?}", lexicon.common);
        }
    }

    #[test]
    fn languages_are_told_by_their_common_words() {
        for (text, number) in [
            ("the tests of this module", 0),
            ("die tests wurden nicht auf dem server", 1),
            ("les tests sont dans le module", 2),
            ("新版本已上线", 10),
            ("テストは通りました", 11),
            ("테스트는 통과했습니다", 12),
            ("тесты не прошли на сервере", 8),
        ] {
            assert!(
                std::ptr::eq(
                    likely(&folded_text(text), &all()[0]),
                    &raw const all()[number]
                ),
                "{text}"
            );
        }
    }
}
