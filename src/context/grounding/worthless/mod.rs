//! Texts that stand for no conversation, or for another one.

mod apology;
mod languages;
mod orders;
mod shape;

use std::collections::BTreeSet;

use crate::context::audit::keywords;
use crate::context::identifiers;
use crate::context::summary::template::NONE;
use crate::transcript::Message;

use super::claim::{GroundingSources, Worthless};
use super::fold::word_hash;
use super::index::SourceIndex;
use super::prose::{self, LineKind};
pub(super) use apology::declines;

/// In percent: a text with fewer of its words in the conversation is about something else.
const MIN_SHARED_WORDS: usize = 45;
/// A summary has at least this many different words of a conversation.
const MIN_KNOWN_WORDS: usize = 8;
/// Conversations with fewer different words can be told in fewer.
const SHORT_CONVERSATION: usize = 90;
/// In percent: this share of its runs of words in the previous summary makes a text the same.
const SAME_SHARE: usize = 90;
/// In percent: the same for its words, in whatever order.
const SAME_WORDS_SHARE: usize = 85;
/// Words of a run.
const RUN_WORDS: usize = 3;

/// Whether a text is no summary of what was said.
pub(super) fn judge(
    index: &SourceIndex<'_>,
    summary: &str,
    sources: GroundingSources<'_>,
) -> Option<Worthless> {
    if sources.messages.is_empty() && sources.previous.is_none() {
        return None;
    }
    if shape::is_no_prose(index, summary) {
        return Some(Worthless::Foreign);
    }
    let told = told(summary);
    if apology::is_apology(&told) {
        return Some(Worthless::Apology);
    }
    if orders::gives_orders(index, &told) || shape::forges_a_speaker(index, summary) {
        return Some(Worthless::Orders);
    }
    if languages::is_other_language(summary, sources) {
        return Some(Worthless::OtherLanguage);
    }
    if is_unchanged(summary, sources) {
        return Some(Worthless::Unchanged);
    }
    is_foreign(index, &told, sources).then_some(Worthless::Foreign)
}

/// What a text says: its sentences without headings and without `(none)`.
fn told(summary: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for line in prose::lines(summary) {
        if matches!(
            line.kind,
            LineKind::Heading | LineKind::Blank | LineKind::Rule
        ) {
            continue;
        }
        for sentence in prose::sentences(&line) {
            let text = line.text.get(sentence).unwrap_or_default().trim();
            let says_nothing = text.trim_matches(['.', '-', ' ']) == NONE
                || !text.chars().any(char::is_alphanumeric);
            if !says_nothing {
                out.push(text);
            }
        }
    }
    out
}

/// Whether the previous summary came back although there is something new that it lacks.
fn is_unchanged(summary: &str, sources: GroundingSources<'_>) -> bool {
    let Some(previous) = sources.previous else {
        return false;
    };
    let is_same = |now: BTreeSet<Vec<u64>>, before: &BTreeSet<Vec<u64>>, share: usize| {
        let shared = now.intersection(before).count();
        !now.is_empty() && shared * 100 >= now.len() * share
    };
    let is_repeated = is_same(
        runs(summary, RUN_WORDS),
        &runs(previous, RUN_WORDS),
        SAME_SHARE,
    ) || is_same(runs(summary, 1), &runs(previous, 1), SAME_WORDS_SHARE);
    if !is_repeated {
        return false;
    }
    let known = keywords::normalize(summary);
    sources
        .messages
        .iter()
        .any(|source| match source.message.as_ref() {
            Message::User(_) => is_missing(&source.message.text(), &known),
            _ => false,
        })
}

/// The runs of words of a text.
fn runs(text: &str, len: usize) -> BTreeSet<Vec<u64>> {
    let words = super::claims::hashes(text);
    words.windows(len).map(<[u64]>::to_vec).collect()
}

/// Whether a demand is not in a text: fewer than half of its words, or not its identifiers.
fn is_missing(demand: &str, known: &str) -> bool {
    let words = keywords::keywords(demand);
    let hits = words
        .iter()
        .filter(|word| known.contains(word.as_str()))
        .count();
    let mut names = false;
    identifiers::each_candidate(demand, &mut |token| {
        names |= identifiers::classify(token).is_some() && !known.contains(&token.to_lowercase());
    });
    words.len() >= 2 && (hits * 2 < words.len() || names)
}

/// Whether too few of its words are words of the conversation.
fn is_foreign(index: &SourceIndex<'_>, told: &[&str], sources: GroundingSources<'_>) -> bool {
    let (known, all) = shared_words(index, told);
    let says_little = known < MIN_KNOWN_WORDS && has_many_words(sources);
    says_little || all >= MIN_KNOWN_WORDS && known * 100 < all * MIN_SHARED_WORDS
}

/// Whether a conversation has too many different words for a text with next to none of them;
/// what says the same again counts once.
fn has_many_words(sources: GroundingSources<'_>) -> bool {
    let mut said: BTreeSet<u64> = BTreeSet::new();
    sources.messages.iter().any(|source| {
        let text = source.message.text();
        text.split_whitespace().any(|word| {
            said.insert(word_hash(&word.to_lowercase()));
            said.len() >= SHORT_CONVERSATION
        })
    })
}

/// How many different words of a text the conversation has, and how many there are.
pub(super) fn shared_words(index: &SourceIndex<'_>, told: &[&str]) -> (usize, usize) {
    let mut words: BTreeSet<String> = BTreeSet::new();
    for sentence in told {
        words.extend(keywords::words(&keywords::normalize(sentence)));
    }
    let telling = words
        .iter()
        .filter(|word| word.chars().any(char::is_alphabetic));
    let telling: Vec<&String> = telling.collect();
    let known = telling.iter().filter(|word| is_said(index, word)).count();
    (known, telling.len())
}

fn is_said(index: &SourceIndex<'_>, word: &str) -> bool {
    let hashes = super::claims::hashes(word);
    if hashes.len() > 1 {
        return index
            .find(&hashes, &|_, gap| gap.joins(), &|_| true)
            .is_some();
    }
    index.count(word_hash(word)) > 0
        || super::claims::other_number(word)
            .iter()
            .any(|form| index.count(word_hash(form)) > 0)
}
