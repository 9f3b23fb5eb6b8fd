//! What a written summary is shown beside: the one before it, or the turns that go; and the
//! messages that say its claims. Reads all that is replaced, so nothing here is for the
//! actor's own task.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::agent::compaction::draft::SummaryDraft;
use crate::agent::compaction::material::CompactionMaterial;
use crate::agent::protocol::{SummaryComparison, SummaryLine, SummarySources};
use crate::context::grounding::GroundingSources;
use crate::context::replaced_turns::{NextRequestText, TurnIndex};
use crate::context::rules::{Rule, RuleBook};
use crate::context::summary::{SourceMessage, SummaryJob};
use crate::engine::{summary, text};
use crate::transcript::{EntryId, Message};

/// How much of a source message is shown beside a line that it belongs to.
const FIRST_WORDS_CHARS: usize = 80;

impl CompactionMaterial {
    /// Everything that the summary replaces, in order.
    pub(super) fn all(&self) -> Vec<SourceMessage> {
        let later = self.turn_prefix.iter();
        self.messages.iter().chain(later).cloned().collect()
    }

    /// What stays verbatim.
    pub(super) fn kept(&self) -> Vec<SourceMessage> {
        let replaced: HashSet<EntryId> = self.all().into_iter().map(|it| it.entry).collect();
        let items = self.view.items.iter().filter_map(|item| {
            let entry = item.entry.clone().filter(|id| !replaced.contains(id))?;
            Some(SourceMessage {
                entry,
                message: item.sent.clone()?,
                tokens: item.estimate_tokens,
            })
        });
        items.collect()
    }
}

/// Texts without a message that a summary may draw on.
pub(in crate::agent) fn ground_texts(job: &SummaryJob, rules: &RuleBook) -> Vec<String> {
    let rules = rules.active().map(|rule| rule.text.clone());
    let texts = job.kept.texts.iter().cloned();
    rules.chain(texts).chain(job.instructions.clone()).collect()
}

/// What a compaction replaces, and what the request after it says.
pub(in crate::agent) struct Replacement {
    pub replaced: Vec<SourceMessage>,
    pub index: TurnIndex,
    /// Rules that the next request has to say.
    pub rules: Vec<Rule>,
    /// The messages of the request after it.
    pub kept: Vec<Arc<Message>>,
}

/// What a summary is shown beside: the one before it; where there is none, or only the same
/// text, the turns that it replaces.
pub(in crate::agent) fn compare(
    draft: &SummaryDraft,
    replacement: Replacement,
    previous: Option<(usize, &str)>,
) -> SummaryComparison {
    let written = &draft.result.summary;
    let extractive = if draft.job.extractive && !draft.edited {
        written.clone()
    } else {
        summary::extract(&draft.job).summary
    };
    let previous = previous.filter(|(_, text)| text.trim() != written.trim());
    if let Some((number, text)) = previous {
        return SummaryComparison {
            left_title: format!("previous summary (#{number})"),
            left: text.to_owned(),
            turns: Vec::new(),
            extractive,
            rebuilt: None,
        };
    }
    let rules: Vec<&Rule> = replacement.rules.iter().collect();
    let kept = NextRequestText {
        summary: written.clone(),
        messages: replacement.kept,
    };
    let turns = summary::replaced_turns(&replacement.replaced, &replacement.index, &rules, &kept);
    SummaryComparison {
        left_title: summary::covered_words(&turns),
        left: String::new(),
        turns,
        extractive,
        rebuilt: None,
    }
}

/// What a summary may draw on.
pub(in crate::agent) struct SummaryGround {
    pub messages: Vec<SourceMessage>,
    pub previous: Option<String>,
    /// Rules and instructions.
    pub texts: Vec<String>,
}

/// Looks up the claims of a summary, and what is similar to its lines.
pub(in crate::agent) fn sources_of(written: &str, ground: &SummaryGround) -> SummarySources {
    let all = &ground.messages;
    let texts: Vec<&str> = ground.texts.iter().map(String::as_str).collect();
    let sources = GroundingSources {
        messages: all,
        previous: ground.previous.as_deref(),
        texts: &texts,
    };
    let claims = summary::check_grounding(written, sources).claims;
    let coverage = summary::coverage(written, all);
    let by_id: HashMap<&EntryId, &SourceMessage> =
        all.iter().map(|source| (&source.entry, source)).collect();
    let words = |id: &EntryId| (id.clone(), first_words(by_id.get(id).copied()));
    let mut lines: BTreeMap<usize, SummaryLine> = BTreeMap::new();
    for claim in &claims {
        let line = lines.entry(claim.line).or_default();
        if let Some(id) = &claim.source
            && !line.exact.iter().any(|(known, _)| known == id)
        {
            line.exact.push(words(id));
        }
    }
    for found in &coverage.lines {
        let line = lines.entry(found.line).or_default();
        let is_exact = |id: &&EntryId| line.exact.iter().any(|(known, _)| known == *id);
        let similar = found.messages.iter().filter(|id| !is_exact(id));
        line.similar = similar.map(words).collect();
    }
    let lines = lines
        .into_iter()
        .map(|(line, found)| SummaryLine { line, ..found });
    SummarySources {
        claims,
        lines: lines.collect(),
        uncovered: coverage.uncovered.iter().map(words).collect(),
    }
}

fn first_words(source: Option<&SourceMessage>) -> String {
    source.map_or_else(String::new, |source| {
        text::one_line(&source.message.text(), FIRST_WORDS_CHARS)
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::context::summary::SummaryResult;

    fn say(id: &str, text: &str) -> SourceMessage {
        SourceMessage {
            entry: EntryId::new(id),
            message: Arc::new(Message::user_text(text)),
            tokens: 10,
        }
    }

    fn draft(summary: &str) -> SummaryDraft {
        let messages = vec![say("u1", "port the parser")];
        SummaryDraft {
            job: SummaryJob::new(messages, Arc::new(|text: &str| text.len() as u64)),
            result: SummaryResult {
                summary: summary.to_owned(),
                ..SummaryResult::default()
            },
            model: "p/m".to_owned(),
            took: Duration::ZERO,
            edited: false,
        }
    }

    #[test]
    fn a_first_summary_stands_beside_the_turns_that_go_and_none_beside_itself() {
        let written = draft("## Goal\n- port the parser");
        for (previous, title, left, turns) in [
            (Some("old"), "previous summary (#2)", "old", 0),
            (
                Some("## Goal\n- port the parser\n"),
                "1 turn replaced",
                "",
                1,
            ),
            (None, "1 turn replaced", "", 1),
        ] {
            let replacement = Replacement {
                replaced: written.job.messages.clone(),
                index: TurnIndex::default(),
                rules: Vec::new(),
                kept: Vec::new(),
            };
            let compared = compare(&written, replacement, previous.map(|text| (2, text)));
            assert!(compared.left_title.starts_with(title), "{compared:?}");
            let found = (compared.left.as_str(), compared.turns.len());
            assert_eq!(found, (left, turns));
        }
    }

    #[test]
    fn a_claim_names_the_message_that_says_it_and_an_invented_one_none() {
        let ground = SummaryGround {
            messages: vec![
                say("u1", "the parser of src/new.rs is slow on large inputs"),
                say(
                    "u2",
                    "make the parser faster on large inputs, whatever it takes",
                ),
            ],
            previous: None,
            texts: Vec::new(),
        };
        let written = "- the parser of `src/new.rs` is slow on large inputs\n\
                       - the budget is $50,000";
        let found = sources_of(written, &ground);
        let claim = |text: &str| {
            found
                .claims
                .iter()
                .find(|it| it.text.contains(text))
                .unwrap()
        };
        assert_eq!(claim("src/new.rs").source, Some(EntryId::new("u1")));
        assert!(!claim("50,000").is_grounded);
        let line = found.lines.first().unwrap();
        let ids = |messages: &[(EntryId, String)]| -> Vec<String> {
            messages.iter().map(|(id, _)| id.to_string()).collect()
        };
        assert_eq!(ids(&line.exact), ["u1"]);
        assert_eq!(ids(&line.similar), ["u2"], "said is not similar as well");
        let invented = found.lines.iter().find(|line| line.line == 1);
        assert!(invented.is_none_or(|line| line.exact.is_empty()));
    }
}
