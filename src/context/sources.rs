//! Which messages are similar to each line of a summary, and which messages no line is
//! similar to. By the words that both share, rare ones counting more: it says nothing about
//! where a line comes from. The same for the same input, linear in the source.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::transcript::{EntryId, Message};

use super::audit::keywords;
use super::identifiers;
use super::summary::{SourceMessage, excerpt};

/// Messages shown for one line.
const PER_LINE: usize = 3;
/// Text of one message that is read, in characters.
const READ_CHARS: usize = 20_000;
/// A message that says less than this many words needs no cover (`ok, thanks`).
const MIN_WORDS: usize = 3;
/// A line must share this much of its weight with a message to be similar to it.
const MIN_SHARE: f64 = 0.2;
/// A message is covered when the summary has this share of its words.
const COVERED_SHARE: f64 = 0.3;

/// A line of a summary with the messages that are similar to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimilarMessages {
    /// Line number in the summary, from 0.
    pub line: usize,
    /// The messages, best first, at most three.
    pub messages: Vec<EntryId>,
}

/// What of a conversation is similar to a summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Lines with similar messages; headings and empty lines are left out.
    pub lines: Vec<SimilarMessages>,
    /// Messages of user and model that no line is similar to, in order.
    pub uncovered: Vec<EntryId>,
}

/// Words and identifiers of a line of the summary.
fn terms(line: &str) -> HashSet<String> {
    let lower = keywords::normalize(line);
    let mut out: HashSet<String> = keywords::words(&lower).into_iter().collect();
    identifiers::each_candidate(line, &mut |token| {
        if identifiers::classify(token).is_some() {
            out.insert(token.to_lowercase());
        }
    });
    out
}

/// All that a message says: its text, and the strings in the arguments of its calls.
pub(super) fn text_of(message: &Message) -> String {
    let mut text = message.text();
    if let Message::Assistant(assistant) = message {
        for call in assistant.tool_calls() {
            text.push('\n');
            text.push_str(&identifiers::strings_of(&call.arguments));
        }
    }
    text
}

/// Everything that the summary says, and which messages say it too.
struct SummaryWords<'a> {
    numbers: HashMap<&'a str, usize>,
    /// By number: the messages, in order.
    postings: Vec<Vec<usize>>,
}

impl<'a> SummaryWords<'a> {
    fn of(lines: &'a [(usize, HashSet<String>)]) -> Self {
        let mut numbers = HashMap::new();
        for term in lines.iter().flat_map(|(_, terms)| terms) {
            let next = numbers.len();
            numbers.entry(term.as_str()).or_insert(next);
        }
        Self {
            postings: vec![Vec::new(); numbers.len()],
            numbers,
        }
    }

    /// Notes that a message says a term; true when that was not known.
    fn note(&mut self, term: &str, message: usize) -> bool {
        let Some(found) = self
            .numbers
            .get(term)
            .and_then(|number| self.postings.get_mut(*number))
        else {
            return false;
        };
        let is_new = found.last() != Some(&message);
        if is_new {
            found.push(message);
        }
        is_new
    }

    fn messages(&self, term: &str) -> &[usize] {
        let number = self.numbers.get(term);
        number
            .and_then(|number| self.postings.get(*number))
            .map_or(&[], Vec::as_slice)
    }

    /// Reads a message; says how many terms of the summary it has.
    fn read(&mut self, lower: &str, message: usize) -> u32 {
        let mut hits = 0;
        keywords::each_run(lower, &mut |run| hits += u32::from(self.note(run, message)));
        identifiers::each_candidate(lower, &mut |token| {
            // Plain words were handed over as runs.
            if !token.bytes().all(|b| b.is_ascii_alphanumeric()) {
                hits += u32::from(self.note(token, message));
            }
        });
        hits
    }
}

/// Distinct words and identifiers of a text, of which `lower` is the normalised form.
fn distinct(text: &str, lower: &str) -> usize {
    let mut words: HashSet<&str> = HashSet::new();
    keywords::each_run(lower, &mut |run| {
        words.insert(run);
    });
    words.retain(|word| !keywords::is_stop(word));
    let mut names: HashSet<String> = HashSet::new();
    identifiers::each_candidate(text, &mut |token| {
        if identifiers::classify(token).is_some() {
            names.insert(token.to_lowercase());
        }
    });
    names.retain(|name| !words.contains(name.as_str()));
    words.len() + names.len()
}

/// Finds the messages that are similar to each line, and those that are to none.
pub fn coverage(summary: &str, messages: &[SourceMessage]) -> Coverage {
    let lines: Vec<(usize, HashSet<String>)> = summary
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(number, line)| (number, terms(line)))
        .collect();
    let mut vocabulary = SummaryWords::of(&lines);
    let mut shares: Vec<Option<f64>> = Vec::new();
    for (index, source) in messages.iter().enumerate() {
        let text = text_of(&source.message);
        let text = excerpt::head(&text, READ_CHARS);
        let lower = keywords::normalize(text);
        let hits = vocabulary.read(&lower, index);
        let share = speaks(&source.message).then(|| distinct(text, &lower));
        let share = share.filter(|words| *words >= MIN_WORDS);
        shares.push(share.map(|words| f64::from(hits) / words as f64));
    }
    let mut is_similar: HashSet<usize> = HashSet::new();
    let mut out = Coverage::default();
    for (line, words) in &lines {
        let best = most_similar(words, &vocabulary, messages.len());
        is_similar.extend(best.first());
        let similar: Vec<EntryId> = best
            .iter()
            .filter_map(|index| messages.get(*index))
            .map(|source| source.entry.clone())
            .collect();
        if !similar.is_empty() {
            out.lines.push(SimilarMessages {
                line: *line,
                messages: similar,
            });
        }
    }
    for (index, share) in shares.into_iter().enumerate() {
        let is_bare =
            share.is_some_and(|share| share < COVERED_SHARE) && !is_similar.contains(&index);
        if let Some(source) = messages.get(index).filter(|_| is_bare) {
            out.uncovered.push(source.entry.clone());
        }
    }
    out
}

/// Whether a message says something that a summary should reflect: typed by the user,
/// or told to the user. Tool calls and their output are noise here.
fn speaks(message: &Message) -> bool {
    match message {
        Message::User(_) => true,
        Message::Assistant(assistant) => !assistant.text().trim().is_empty(),
        Message::ToolResult(_) | Message::BashExecution(_) => false,
    }
}

fn most_similar(
    words: &HashSet<String>,
    vocabulary: &SummaryWords<'_>,
    messages: usize,
) -> Vec<usize> {
    // Sorted, so that sums of floating-point weights do not depend on hash order.
    let mut sorted: Vec<&String> = words.iter().collect();
    sorted.sort();
    let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
    let mut total = 0.0;
    for word in sorted {
        let found = vocabulary.messages(word);
        if found.is_empty() {
            continue;
        }
        let weight = (1.0 + messages as f64 / found.len() as f64).ln();
        total += weight;
        for index in found {
            *scores.entry(*index).or_default() += weight;
        }
    }
    let mut ranked: Vec<(usize, f64)> = scores
        .into_iter()
        .filter(|(_, score)| *score >= total * MIN_SHARE)
        .collect();
    // Equal scores: the newer message, which usually says how it ended.
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    ranked
        .into_iter()
        .take(PER_LINE)
        .map(|(index, _)| index)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::transcript::{AssistantMessage, AssistantPart, Part, ToolResult};

    fn source(id: &str, message: Message) -> SourceMessage {
        SourceMessage {
            entry: EntryId::new(id),
            message: Arc::new(message),
            tokens: 1,
        }
    }

    #[test]
    fn lines_find_similar_messages_and_the_rest_is_uncovered() {
        let answer = |text: &str| {
            Message::Assistant(AssistantMessage {
                content: vec![AssistantPart::Text(text.to_owned())],
                ..AssistantMessage::default()
            })
        };
        let messages = vec![
            source("u1", Message::user_text("Fix the race in src/refresh.rs")),
            source(
                "a1",
                answer("The mutex guard is dropped before the await point"),
            ),
            source(
                "r1",
                Message::ToolResult(ToolResult {
                    content: vec![Part::Text(
                        "unrelated compiler chatter everywhere".to_owned(),
                    )],
                    ..ToolResult::default()
                }),
            ),
            source(
                "u2",
                Message::user_text("Also rename the billing dashboard widget"),
            ),
            source("u3", Message::user_text("令牌刷新有竞争")),
            source("u4", Message::user_text("ok thanks")),
        ];
        let summary = "## Goal\n- fix the race in `src/refresh.rs`\n\n## Decisions\n- keep the mutex guard across the await\n- 修复令牌刷新";
        let found = coverage(summary, &messages);
        let first = |line: usize| {
            let similar = found.lines.iter().find(|l| l.line == line).unwrap();
            similar.messages[0].as_str().to_owned()
        };
        assert_eq!(
            (first(1), first(4), first(5)),
            ("u1".into(), "a1".into(), "u3".into())
        );
        assert_eq!(found.uncovered, [EntryId::new("u2")]);
        assert!(found.lines.iter().all(|l| l.messages.len() <= 3));
    }
}
