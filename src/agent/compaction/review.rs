//! A written summary on its way into the log: what the user is shown of it, what they
//! decide, and the entry that it becomes.

use std::sync::Arc;

use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::comparison::{
    Replacement, SummaryGround, compare, ground_texts, sources_of,
};
use crate::agent::compaction::draft::SummaryDraft;
use crate::agent::compaction::material::{CompactionMaterial, CompactionRequest};
use crate::agent::compaction::shrink::{self, ForecastCompaction};
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::{
    AgentEvent, CompactionEffect, CompactionEvent, CompactionProposal, Notice, ReviewDecision,
    SummaryComparison, SummaryVerdict, SummaryWriting,
};
use crate::context::ContextView;
use crate::context::replaced_turns::TurnIndex;
use crate::context::rules::RuleBook;
use crate::context::summary::{EditedSummary, SummaryJob, SummaryResult};
use crate::engine::summary;
use crate::transcript::{
    Compaction, CompactionCause, CompactionCost, CompactionDetails, Entry, EntryBody, SummaryCheck,
    TailExceptions,
};

/// The user's decision.
pub(in crate::agent) enum ReviewVerdict {
    Accept(Box<SummaryDraft>),
    /// Another one with these instructions; the one that was shown is kept until there is.
    Retry(Option<String>, Box<SummaryDraft>),
    Cancel,
}

impl CompactionRun<'_> {
    /// Shows a draft and waits until the user has decided.
    pub(crate) async fn review(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
        draft: SummaryDraft,
    ) -> Result<ReviewVerdict, TurnStop> {
        let mut draft = draft;
        loop {
            let proposal = self.proposal(wanted, material, &draft).await?;
            self.agent.mailbox.answers.review = None;
            self.agent
                .events
                .emit(CompactionEvent::Review(Box::new(proposal)))
                .await;
            let _looking = self.look_for_sources(&draft, material);
            let decision = loop {
                if let Some(decision) = self.agent.mailbox.answers.review.take() {
                    break decision;
                }
                self.agent.wait_for_answer().await?;
            };
            match decision {
                ReviewDecision::Accept => return Ok(ReviewVerdict::Accept(Box::new(draft))),
                ReviewDecision::Retry { instructions } => {
                    return Ok(ReviewVerdict::Retry(instructions, Box::new(draft)));
                }
                ReviewDecision::Cancel => return Ok(ReviewVerdict::Cancel),
                ReviewDecision::StopRetry => {}
                // An empty summary would take the place of everything that was said.
                ReviewDecision::Edit(text) if text.trim().is_empty() => {
                    let text = "an empty summary is not accepted; the previous text is kept";
                    self.agent
                        .events
                        .notice(Notice::warning(text.to_owned()))
                        .await;
                }
                ReviewDecision::Edit(text) => {
                    self.edit(&mut draft, text, summary::edited).await?;
                }
                ReviewDecision::Strike => {
                    let text = draft.result.summary.clone();
                    self.edit(&mut draft, text, summary::without_unsaid).await?;
                }
            }
        }
    }

    /// Puts what a check makes of a text in the place of a draft's.
    async fn edit(
        &mut self,
        draft: &mut SummaryDraft,
        text: String,
        check: fn(&SummaryJob, &SummaryResult, &str) -> EditedSummary,
    ) -> Result<(), TurnStop> {
        let (job, result) = (draft.job.clone(), draft.result.clone());
        let checking = tokio::task::spawn_blocking(move || check(&job, &result, &text));
        if let Ok(edited) = self.agent.wait(checking).await? {
            draft.edit(edited);
            return Ok(());
        }
        let text = "the text could not be checked; the previous one is kept";
        let notice = Notice::warning(text.to_owned());
        self.agent.events.notice(notice).await;
        Ok(())
    }

    /// Finds what the draft draws on and reports it, beside the review: in a long session
    /// that takes a while. Ends with what it returns.
    fn look_for_sources(
        &self,
        draft: &SummaryDraft,
        material: &CompactionMaterial,
    ) -> SourceSearch {
        let events = self.agent.events.sender();
        let written = draft.result.summary.clone();
        let rules = RuleBook::of(self.agent.thread.conversation.transcript());
        let ground = SummaryGround {
            messages: [material.all(), material.kept()].concat(),
            previous: draft.job.previous_summary.clone(),
            texts: ground_texts(&draft.job, &rules),
        };
        SourceSearch(tokio::spawn(async move {
            let found = tokio::task::spawn_blocking(move || sources_of(&written, &ground)).await;
            if let Ok(found) = found {
                let _ = events
                    .send(AgentEvent::Compaction(CompactionEvent::Sources(Box::new(
                        found,
                    ))))
                    .await;
            }
        }))
    }

    async fn proposal(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
        draft: &SummaryDraft,
    ) -> Result<CompactionProposal, TurnStop> {
        let ForecastCompaction { compaction, after } = self.forecast(wanted, material, draft);
        let result = &draft.result;
        let findings = shrink::findings(wanted, material, draft, &compaction);
        let comparison = self.compared(material, draft, &after).await?;
        Ok(CompactionProposal {
            trigger: wanted.trigger,
            engine: compaction.details.engine,
            effect: CompactionEffect {
                tokens_before: compaction.tokens_before,
                tokens_after: compaction.details.tokens_after,
                ruler: compaction.details.ruler,
                summarized: material.plan.summarized(),
                kept: material.plan.kept,
                kept_turns: material.plan.kept_turns,
                first_kept: compaction.first_kept,
                history_share: result.history_share,
                engine_reason: compaction.details.cause.engine_reason,
            },
            writing: SummaryWriting {
                model: draft.model.clone(),
                stages: result.stages.clone(),
                attempts: result.calls,
                duration: draft.took,
                usage: result.usage,
                instructions: draft.job.instructions.clone(),
                instruction_effects: result.instruction_effects.clone(),
                degraded: result.degraded,
            },
            summary: result.summary.clone(),
            aliases: result.aliases.clone(),
            comparison,
            verdict: SummaryVerdict {
                check: compaction.details.check,
                findings,
            },
            edited: draft.edited,
            sources: None,
        })
    }

    /// What the draft is shown beside; `after` is the view with it.
    async fn compared(
        &mut self,
        material: &CompactionMaterial,
        draft: &SummaryDraft,
        after: &ContextView,
    ) -> Result<SummaryComparison, TurnStop> {
        let transcript = self.agent.thread.conversation.transcript();
        let branch = transcript.branch();
        let previous = material.in_force.as_ref().map(|(_, previous)| {
            let is_compaction =
                |entry: &&Arc<Entry>| matches!(entry.body, EntryBody::Compaction(_));
            let number = branch.iter().filter(is_compaction).count();
            (number, previous.summary.clone())
        });
        let sent = after.items.iter().filter_map(|item| item.sent.clone());
        let replacement = Replacement {
            replaced: material.all(),
            index: TurnIndex::of(branch.iter().map(AsRef::as_ref)),
            rules: RuleBook::of(transcript).active().cloned().collect(),
            kept: sent.collect(),
        };
        let judged = draft.clone();
        let comparing = tokio::task::spawn_blocking(move || {
            let previous = previous.as_ref().map(|(n, text)| (*n, text.as_str()));
            compare(&judged, replacement, previous)
        });
        let mut compared = self.agent.wait(comparing).await?.unwrap_or_default();
        compared.rebuilt = material.what_came_back(&draft.result.summary);
        Ok(compared)
    }
}

/// The search for what a draft draws on; another draft draws on something else.
struct SourceSearch(tokio::task::JoinHandle<()>);

impl Drop for SourceSearch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The entry that a draft becomes; the size afterwards is still to be measured.
pub(in crate::agent) fn compaction(
    wanted: &CompactionRequest,
    material: &CompactionMaterial,
    draft: &SummaryDraft,
) -> Compaction {
    let all = material.all();
    let previous = material
        .previous
        .as_ref()
        .map(|(_, previous)| &previous.details.appendix);
    let result = &draft.result;
    Compaction {
        summary: result.summary.clone(),
        first_kept: material.plan.first_kept.clone(),
        tokens_before: material.view.estimated_tokens(),
        details: CompactionDetails {
            cause: CompactionCause {
                trigger: wanted.trigger,
                attempt: wanted.attempt,
                load_line_tokens: material.view.window.load_line,
                engine_reason: material.shrink.reason.clone(),
            },
            tokens_after: 0,
            ruler: material.view.ruler.name.to_owned(),
            engine: String::new(),
            model: draft.model.clone(),
            instructions: draft.job.instructions.clone(),
            check: SummaryCheck {
                audit: draft.job.audit.enabled.then(|| result.audit.clone()),
                mended: result.mended.clone(),
                ungrounded: result.ungrounded.clone(),
                demands: result.demands.clone(),
                written_by_code_percent: result.written.lacking_percent,
                // Counted from the view that this makes.
                rules_in_block: 0,
            },
            degraded: result.degraded,
            edited: draft.edited,
            history_share: result.history_share,
            appendix: summary::accumulate_addressed(previous, &all, |entry| {
                material.failed_at.get(entry).map(ToString::to_string)
            }),
            aliases: result.aliases.clone(),
            exceptions: TailExceptions {
                kept_asks: material.plan.kept_asks.clone(),
                cut_entry: None,
            },
            summarized_messages: material.plan.summarized(),
            cost: CompactionCost {
                duration_ms: u64::try_from(draft.took.as_millis()).unwrap_or(u64::MAX),
                // What it cost, with what came to nothing, is on the bill.
                ..CompactionCost::default()
            },
        },
        from_hook: false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::context::ruler::Approximate;
    use crate::context::summary::{SourceMessage, Summariser, SummaryJob};
    use crate::context::tail::TailPlan;
    use crate::context::{ContextSettings, RequestContext, ShrinkMode, ViewAssembler};
    use crate::engine::shrinking::ShrinkPlan;
    use crate::transcript::{
        AssistantMessage, AssistantPart, EntryId, Message, ModelInfo, ModelRef, SummaryAppendix,
        Timestamp, ToolCall, ToolResult, Transcript, Trigger,
    };
    use std::time::Duration;

    fn source(id: &str, message: Message) -> SourceMessage {
        SourceMessage {
            entry: EntryId::new(id),
            message: Arc::new(message),
            tokens: 10,
        }
    }

    fn edit(id: &str, path: &str, is_error: bool) -> [SourceMessage; 2] {
        let call = ToolCall {
            id: id.to_owned(),
            name: "edit".to_owned(),
            arguments: serde_json::json!({ "path": path }),
            malformed: None,
        };
        let answer = AssistantMessage {
            content: vec![AssistantPart::ToolCall(call)],
            ..AssistantMessage::default()
        };
        let result = ToolResult {
            call_id: id.to_owned(),
            tool_name: "edit".to_owned(),
            is_error,
            ..ToolResult::default()
        };
        [
            source("a", Message::Assistant(answer)),
            source("r", Message::ToolResult(result)),
        ]
    }

    fn view() -> ContextView {
        let request_context = RequestContext {
            system: Arc::from("You are a test."),
            tools: Arc::from(Vec::new()),
            memory: None,
            skills: None,
            servers: Arc::default(),
            repeatable: Arc::default(),
            workspace_rules: None,
            model: ModelInfo::unknown(ModelRef::new("p", "m")),
            samples: Arc::default(),
            live: None,
            tools_running: false,
        };
        let settings = Arc::new(ContextSettings::default());
        ViewAssembler::new(settings, Arc::new(Approximate))
            .evaluate(
                &Transcript::default(),
                &request_context,
                Timestamp(0),
                ShrinkMode::default(),
            )
            .view
    }

    fn material() -> CompactionMaterial {
        let previous = Compaction {
            summary: "## Goal\n- port it".to_owned(),
            first_kept: None,
            tokens_before: 9,
            details: CompactionDetails {
                appendix: SummaryAppendix {
                    modified_files: vec!["src/old.rs".to_owned()],
                    failures: vec!["bash: no".to_owned()],
                    ..SummaryAppendix::default()
                },
                ..CompactionDetails::default()
            },
            from_hook: false,
        };
        CompactionMaterial {
            view: view(),
            decisions: Vec::new(),
            in_force: None,
            rebuilt: 0,
            plan: TailPlan {
                first_kept: Some(EntryId::new("kept")),
                history: vec![EntryId::new("u"), EntryId::new("a"), EntryId::new("r")],
                turn_prefix: vec![EntryId::new("a"), EntryId::new("r")],
                ..TailPlan::default()
            },
            previous: Some((EntryId::new("c"), previous)),
            messages: [
                vec![source("u", Message::user_text("port src/new.rs"))],
                edit("1", "src/new.rs", false).to_vec(),
            ]
            .concat(),
            turn_prefix: edit("1", "src/prefix.rs", true).to_vec(),
            shrink: ShrinkPlan::default(),
            failed_at: HashMap::new(),
        }
    }

    fn draft(material: &CompactionMaterial) -> SummaryDraft {
        let job = SummaryJob {
            turn_prefix: material.turn_prefix.clone(),
            instructions: Some("keep the files".to_owned()),
            extractive: true,
            ..SummaryJob::new(
                material.messages.clone(),
                Arc::new(|text: &str| text.len() as u64),
            )
        };
        let step = Summariser::new(job.clone()).start();
        let crate::context::summary::SummaryStep::Done(result) = step else {
            panic!("{step:?}");
        };
        SummaryDraft {
            job,
            result: *result,
            model: "extractive".to_owned(),
            took: Duration::from_millis(7),
            edited: false,
        }
    }

    #[test]
    fn an_entry_accumulates_what_earlier_compactions_knew() {
        let material = material();
        let wanted = CompactionRequest {
            trigger: Trigger::Manual,
            ..CompactionRequest::default()
        };
        let made = compaction(&wanted, &material, &draft(&material));
        assert_eq!(
            made.details.appendix.modified_files,
            ["src/new.rs", "src/old.rs"]
        );
        assert_eq!(
            made.details.appendix.failures.len(),
            2,
            "{:?}",
            made.details
        );
        assert_eq!(made.first_kept, Some(EntryId::new("kept")));
        assert_eq!(made.details.summarized_messages, 5);
        assert_eq!(made.details.instructions.as_deref(), Some("keep the files"));
        assert_eq!(made.details.cost.duration_ms, 7);
        let audit = made.details.check.audit.unwrap_or_default();
        assert!(audit.passed, "{audit:?}");
        assert_eq!(audit.identifiers_found, audit.identifiers_total);
    }
}
