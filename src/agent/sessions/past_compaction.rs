//! A compaction of the log shown once more: what it replaced is read again, the audit
//! says where what it found was said. Changes nothing; runs beside the conversation.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::agent::compaction::comparison::{self, Replacement, SummaryGround};
use crate::agent::compaction::draft::SummaryDraft;
use crate::agent::compaction::material::source_of;
use crate::agent::protocol::{
    AgentEvent, CompactionEffect, CompactionProposal, Notice, QueryId, QueryReply, SummaryVerdict,
    SummaryWriting,
};
use crate::agent::sessions::SessionActs;
use crate::context::audit::{AuditFinding, LatestAsk};
use crate::context::replaced_turns::TurnIndex;
use crate::context::rules::{Rule, RuleBook};
use crate::context::summary::{
    SourceMessage, SummaryBackground, SummaryJob, SummaryResult, SummaryTaker, WrittenText,
};
use crate::engine::summary::{self, source_message, summary_background};
use crate::transcript::{Compaction, CompactionStanding, Entry, EntryBody, EntryId, Message};

/// The reason code of what code put right when the summary was written.
const MENDED: &str = "mended";

/// A compaction with what it stood for when it was made.
struct PastCompaction {
    entry: EntryId,
    compaction: Compaction,
    standing: CompactionStanding,
    /// Its number among the compactions of its branch, and the summary that it took in.
    previous: Option<(usize, String)>,
    kept_turns: u32,
    kept: u64,
    draft: SummaryDraft,
    replacement: Replacement,
    ground: SummaryGround,
}

/// A branch at a compaction.
struct DividedBranch<'a> {
    previous: Option<(usize, &'a Compaction)>,
    replaced: Vec<Arc<Entry>>,
    kept: Vec<Arc<Entry>>,
    /// How many of those that are kept were among what was replaced.
    kept_asks: usize,
}

impl SessionActs<'_> {
    /// Reads a compaction's messages again and reports it, beside whatever runs: in a
    /// long session that takes a while.
    pub(crate) async fn show_compaction(&mut self, to: Option<QueryId>, entry: &EntryId) {
        let Some(shown) = self.shown(entry) else {
            let text = format!("{entry} is not a compaction of this session");
            self.agent.events.notice(Notice::warning(text)).await;
            return;
        };
        let events = self.agent.events.sender();
        tokio::spawn(async move {
            let read = tokio::task::spawn_blocking(move || shown.read());
            if let Ok(reply) = read.await {
                let _ = events.send(AgentEvent::Reply { to, reply }).await;
            }
        });
    }

    fn shown(&mut self, id: &EntryId) -> Option<PastCompaction> {
        let transcript = self.agent.thread.conversation.transcript();
        let entry = Arc::clone(transcript.get(id)?);
        let EntryBody::Compaction(compaction) = &entry.body else {
            return None;
        };
        let active = transcript.branch();
        let active: HashSet<&EntryId> = active.iter().map(|entry| &entry.id).collect();
        let all: Vec<&Entry> = transcript.entries().iter().map(AsRef::as_ref).collect();
        let mut standings = CompactionStanding::of_all(&all, |id| active.contains(id)).into_iter();
        let (.., standing) = standings.find(|(entry, ..)| entry.id == *id)?;
        let path = transcript.path_before(&entry);
        let DividedBranch {
            previous,
            replaced,
            kept,
            kept_asks,
        } = divided(&path, compaction);
        let replaced_ids = replaced.iter().map(|entry| &entry.id).collect();
        let kept_ids = kept.iter().map(|entry| &entry.id).collect();
        let before = previous.map(|(_, previous)| previous);
        let background = SummaryBackground {
            aliases: compaction.details.aliases.clone(),
            ..summary_background(&path, &replaced_ids, &kept_ids, before)
        };
        let previous = previous.map(|(number, previous)| (number, previous.summary.clone()));
        let rules = RuleBook::of(transcript);
        let messages = self.said_by(&replaced);
        let tail = self.said_by(&kept);
        let mut draft = self.as_drafted(compaction, messages, previous.as_ref());
        draft.job.ask = newest_ask(&path);
        draft.job.background = background;
        let ground = SummaryGround {
            messages: [draft.job.messages.as_slice(), tail.as_slice()].concat(),
            previous: draft.job.previous_summary.clone(),
            texts: comparison::ground_texts(&draft.job, &rules),
        };
        let replacement = Replacement {
            replaced: draft.job.messages.clone(),
            index: TurnIndex::of(path.iter().map(AsRef::as_ref)),
            rules: lost_rules(compaction, &rules),
            kept: tail
                .into_iter()
                .map(|source| source.message)
                .chain([stored_message(compaction)])
                .collect(),
        };
        Some(PastCompaction {
            entry: entry.id.clone(),
            standing,
            kept_turns: kept_turns(&kept, kept_asks),
            kept: kept
                .iter()
                .filter(|entry| entry.body.speaks_to_model())
                .count() as u64,
            draft,
            replacement,
            ground,
            compaction: Compaction::clone(compaction),
            previous,
        })
    }

    fn said_by(&mut self, entries: &[Arc<Entry>]) -> Vec<SourceMessage> {
        let thread = &mut self.agent.thread;
        let sources = entries.iter().map(|entry| source_of(thread, entry));
        sources.flatten().collect()
    }

    /// The draft that became this entry, as far as the log says.
    fn as_drafted(
        &self,
        compaction: &Compaction,
        messages: Vec<SourceMessage>,
        previous: Option<&(usize, String)>,
    ) -> SummaryDraft {
        let details = &compaction.details;
        let context = self.agent.thread.conversation.context();
        let ruler = self.agent.thread.current_ruler();
        let job = SummaryJob {
            previous_summary: previous.map(|(_, summary)| summary.clone()),
            instructions: details.instructions.clone(),
            template: context.compaction.template.clone(),
            audit: context.audit.clone(),
            taker: SummaryTaker::Reviewer,
            ..SummaryJob::new(
                messages,
                Arc::new(move |text: &str| ruler.text_tokens(text)),
            )
        };
        let result = SummaryResult {
            summary: compaction.summary.clone(),
            mended: details.check.mended.clone(),
            ungrounded: details.check.ungrounded.clone(),
            demands: details.check.demands.clone(),
            written: WrittenText {
                lacking_percent: details.check.written_by_code_percent,
                ..WrittenText::default()
            },
            degraded: details.degraded,
            stages: details.cause.trigger.name().to_owned(),
            usage: details.cost.usage,
            history_share: details.history_share,
            aliases: details.aliases.clone(),
            ..SummaryResult::default()
        };
        SummaryDraft {
            job,
            result,
            model: details.model.clone(),
            took: Duration::from_millis(details.cost.duration_ms),
            edited: details.edited,
        }
    }
}

impl PastCompaction {
    /// Reads all that was replaced: not for the actor's own task.
    fn read(self) -> QueryReply {
        let previous = self.previous.as_ref();
        let previous = previous.map(|(number, text)| (*number, text.as_str()));
        let compared = comparison::compare(&self.draft, self.replacement, previous);
        let sources = comparison::sources_of(&self.compaction.summary, &self.ground);
        let again = summary::reaudit(&self.draft.job, &self.compaction.summary);
        let SummaryDraft {
            job,
            result,
            model,
            took,
            edited,
        } = self.draft;
        let details = self.compaction.details;
        let mended = details.check.mended.iter().map(|clause| AuditFinding {
            code: MENDED,
            text: clause.clone(),
            source: None,
            mended: true,
        });
        let proposal = CompactionProposal {
            trigger: details.cause.trigger,
            engine: details.engine,
            effect: CompactionEffect {
                tokens_before: self.compaction.tokens_before,
                tokens_after: details.tokens_after,
                ruler: details.ruler,
                summarized: details.summarized_messages,
                kept: self.kept,
                kept_turns: self.kept_turns,
                first_kept: self.compaction.first_kept,
                history_share: result.history_share,
                engine_reason: details.cause.engine_reason,
            },
            writing: SummaryWriting {
                model,
                stages: result.stages,
                attempts: u64::from(details.cause.attempt),
                duration: took,
                usage: result.usage,
                instructions: job.instructions,
                instruction_effects: Vec::new(),
                degraded: result.degraded,
            },
            summary: result.summary,
            aliases: result.aliases,
            comparison: compared,
            verdict: SummaryVerdict {
                findings: again.findings.into_iter().chain(mended).collect(),
                // What was found then counts.
                check: details.check,
            },
            edited,
            sources: Some(Box::new(sources)),
        };
        QueryReply::Compaction {
            entry: self.entry,
            standing: self.standing,
            proposal: Box::new(proposal),
        }
    }
}

/// A summary with what code appends to it, as the next request says it.
fn stored_message(compaction: &Compaction) -> Arc<Message> {
    let appendix = summary::render_appendix(&compaction.details.appendix, None);
    let text = format!("{}\n\n{appendix}", compaction.summary);
    Arc::new(Message::user_text(text))
}

/// Rules that the request after a compaction may have lacked: none where its audit found
/// them all.
fn lost_rules(compaction: &Compaction, rules: &RuleBook) -> Vec<Rule> {
    let audit = compaction.details.check.audit.as_ref();
    if audit.is_some_and(|audit| audit.rules_total > 0 && audit.rules_found >= audit.rules_total) {
        return Vec::new();
    }
    rules.active().cloned().collect()
}

/// The user's last message then, which was kept.
fn newest_ask(path: &[Arc<Entry>]) -> Option<LatestAsk> {
    let entry = path.iter().rfind(|entry| entry.is_typed_by_user())?;
    Some(LatestAsk {
        text: source_message(entry)?.text(),
        entry: Some(entry.id.clone()),
        in_tail: true,
    })
}

/// The compaction that was in force before with its number, what this one replaced, and
/// what it kept.
fn divided<'a>(path: &'a [Arc<Entry>], compaction: &Compaction) -> DividedBranch<'a> {
    let all: Vec<&Entry> = path.iter().map(AsRef::as_ref).collect();
    let standings = CompactionStanding::of_all(&all, |_| true);
    let in_force = |(_, (.., standing)): &(usize, (_, _, CompactionStanding))| {
        *standing == CompactionStanding::InForce
    };
    let before = standings.into_iter().enumerate().find(in_force);
    let at = |id: &EntryId| path.iter().position(|entry| entry.id == *id);
    let from = before.as_ref().map_or(0, |(_, (entry, previous, _))| {
        let kept = previous.first_kept.as_ref().and_then(at);
        kept.or_else(|| at(&entry.id)).unwrap_or(0)
    });
    let end = compaction
        .first_kept
        .as_ref()
        .and_then(at)
        .unwrap_or(path.len());
    let kept_asks: HashSet<&EntryId> = compaction.details.exceptions.kept_asks.iter().collect();
    let (asks, replaced) = path
        .get(from.min(end)..end)
        .unwrap_or_default()
        .iter()
        .cloned()
        .partition(|entry| kept_asks.contains(&entry.id));
    let rest = path.get(end..).unwrap_or_default();
    let asks: Vec<Arc<Entry>> = asks;
    let kept_asks = asks.len();
    let kept = asks.into_iter().chain(rest.iter().cloned()).collect();
    let previous = before.map(|(at, (_, previous, _))| (at + 1, previous));
    DividedBranch {
        previous,
        replaced,
        kept,
        kept_asks,
    }
}

/// Turns of what a compaction kept: one that was divided counts, as on its card.
fn kept_turns(kept: &[Arc<Entry>], kept_asks: usize) -> u32 {
    let asks = kept.iter().filter(|it| it.is_typed_by_user()).count();
    let mut tail = kept.iter().skip(kept_asks);
    let first = tail.find(|it| it.body.speaks_to_model());
    let is_divided = first.is_some_and(|it| !it.is_typed_by_user());
    u32::try_from(asks + usize::from(is_divided)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{AssistantMessage, Timestamp};

    fn entry(id: &str, message: Message) -> Arc<Entry> {
        Arc::new(Entry {
            id: EntryId::new(id),
            parent: None,
            timestamp: Timestamp(0),
            body: EntryBody::Message(Arc::new(message)),
        })
    }

    #[test]
    fn a_turn_that_was_divided_is_a_turn_that_is_kept() {
        let ask = |id| entry(id, Message::user_text("go on"));
        let answer = |id| entry(id, Message::Assistant(AssistantMessage::default()));
        let cases: [(&[Arc<Entry>], usize, u32); 5] = [
            (&[], 0, 0),
            (&[ask("1"), answer("2")], 0, 1),
            (&[answer("2")], 0, 1),
            (&[answer("2"), ask("3"), answer("4")], 0, 2),
            (&[ask("1"), answer("2"), ask("3")], 1, 3),
        ];
        for (kept, kept_asks, turns) in cases {
            assert_eq!(kept_turns(kept, kept_asks), turns, "{kept:?}");
        }
    }
}
