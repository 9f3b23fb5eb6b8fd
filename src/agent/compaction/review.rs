//! A written summary on its way into the log: what the user is shown of it, what they
//! decide, and the entry that it becomes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::draft::SummaryDraft;
use crate::agent::compaction::material::{CompactionMaterial, CompactionRequest};
use crate::agent::compaction::shrink::{ForecastCompaction, NOT_SMALLER};
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::{
    AgentEvent, CompactionEffect, CompactionEvent, CompactionProposal, Notice, RebuiltSummary,
    ReviewDecision, SummaryComparison, SummaryLine, SummarySources, SummaryVerdict, SummaryWriting,
};
use crate::context::audit::AuditFinding;
use crate::context::grounding::GroundingSources;
use crate::context::replaced_turns::{NextRequestText, TurnIndex};
use crate::context::rules::{Rule, RuleBook};
use crate::context::summary::{SourceMessage, SummaryJob};
use crate::engine::{summary, text};
use crate::transcript::{
    Compaction, CompactionCause, CompactionCost, CompactionDetails, EntryBody, EntryId, Message,
    SummaryCheck, TailExceptions,
};

/// The user's decision.
pub(in crate::agent) enum ReviewVerdict {
    Accept(Box<SummaryDraft>),
    /// Another one with these instructions; the one that was shown is kept until there is.
    Retry(Option<String>, Box<SummaryDraft>),
    Cancel,
}

/// How much of a source message is shown beside a line that draws on it.
const FIRST_WORDS_CHARS: usize = 80;

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
                    let text = "an empty summary is not taken; the text is as it was before";
                    self.agent
                        .events
                        .notice(Notice::warning(text.to_owned()))
                        .await;
                }
                ReviewDecision::Edit(text) => {
                    let job = draft.job.clone();
                    let checking =
                        tokio::task::spawn_blocking(move || summary::reaudit(&job, &text));
                    let Ok(edited) = self.agent.wait(checking).await? else {
                        let text = "your text could not be checked; the one before it stands";
                        self.agent
                            .events
                            .notice(Notice::warning(text.to_owned()))
                            .await;
                        continue;
                    };
                    draft.edit(edited);
                }
            }
        }
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
        let mut findings = result.findings.clone();
        findings.extend(
            self.not_smaller(wanted, material, &compaction)
                .map(|text| AuditFinding {
                    code: NOT_SMALLER,
                    text,
                    source: None,
                    mended: false,
                }),
        );
        let previous = material.in_force.as_ref().map(|(_, previous)| {
            let is_compaction = |entry: &&std::sync::Arc<crate::transcript::Entry>| {
                matches!(entry.body, EntryBody::Compaction(_))
            };
            let branch = self.agent.thread.conversation.transcript().branch();
            let number = branch.iter().filter(is_compaction).count();
            (number, previous.summary.clone())
        });
        let transcript = self.agent.thread.conversation.transcript();
        let replacement = Replacement {
            replaced: material.all(),
            index: TurnIndex::of(transcript.branch().iter().map(AsRef::as_ref)),
            rules: RuleBook::of(transcript).active().cloned().collect(),
            kept: after
                .items
                .iter()
                .filter_map(|it| it.sent.clone())
                .collect(),
        };
        let judged = draft.clone();
        let compared = tokio::task::spawn_blocking(move || {
            let previous = previous.as_ref().map(|(n, text)| (*n, text.as_str()));
            compare(&judged, replacement, previous)
        });
        let mut compared = self.agent.wait(compared).await?.unwrap_or_default();
        compared.rebuilt = material.what_came_back(&result.summary);
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
            comparison: compared,
            verdict: SummaryVerdict {
                check: compaction.details.check,
                findings,
            },
            edited: draft.edited,
            sources: None,
        })
    }
}

impl CompactionMaterial {
    /// What reading messages again brought back; `None` when none were.
    fn what_came_back(&self, summary: &str) -> Option<RebuiltSummary> {
        let (_, before) = self.in_force.as_ref().filter(|_| self.rebuilt > 0)?;
        let lines = |text: &'_ str| -> HashSet<String> {
            let lines = text.lines().map(|line| line.trim().to_owned());
            lines.filter(|line| !line.is_empty()).collect()
        };
        let known = lines(&before.summary);
        Some(RebuiltSummary {
            messages: self.rebuilt as u64,
            lines: lines(summary).difference(&known).count() as u64,
        })
    }

    /// Everything that the summary replaces, in order.
    fn all(&self) -> Vec<SourceMessage> {
        let later = self.turn_prefix.iter();
        self.messages.iter().chain(later).cloned().collect()
    }

    /// What stays verbatim.
    fn kept(&self) -> Vec<SourceMessage> {
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

/// The search for what a draft draws on; another draft draws on something else.
struct SourceSearch(tokio::task::JoinHandle<()>);

impl Drop for SourceSearch {
    fn drop(&mut self) {
        self.0.abort();
    }
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
/// text, the turns that it replaces. Reads all that is replaced: not for the actor's own
/// task.
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

/// Looks up the claims of a summary, and what is similar to its lines. Reads all that is
/// replaced: not for the actor's own task.
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
                written_by_code_percent: result.written_by_code_percent,
                // Counted from the view that this makes.
                rules_in_block: 0,
            },
            degraded: result.degraded,
            edited: draft.edited,
            history_share: result.history_share,
            appendix: summary::accumulate(previous, &all),
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

fn first_words(source: Option<&SourceMessage>) -> String {
    source.map_or_else(String::new, |source| {
        text::one_line(&source.message.text(), FIRST_WORDS_CHARS)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::context::ruler::Approximate;
    use crate::context::summary::Summariser;
    use crate::context::summary::SummaryJob;
    use crate::context::tail::TailPlan;
    use crate::context::{ContextSettings, ContextView, RequestContext, ShrinkMode, ViewAssembler};
    use crate::transcript::{
        AssistantMessage, AssistantPart, Message, ModelInfo, ModelRef, SummaryAppendix, Timestamp,
        ToolCall, ToolResult, Transcript, Trigger,
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

    #[test]
    fn a_first_summary_stands_beside_the_turns_that_go_and_none_beside_itself() {
        let material = material();
        let written = draft(&material);
        let compare = |previous: Option<(usize, &str)>| {
            let replacement = Replacement {
                replaced: material.all(),
                index: TurnIndex::default(),
                rules: Vec::new(),
                kept: Vec::new(),
            };
            compare(&written, replacement, previous)
        };
        let own = format!("{}\n", written.result.summary);
        for (previous, title, left, turns) in [
            (Some((2, "old")), "previous summary (#2)", "old", 0),
            (Some((2, own.as_str())), "1 turn that goes", "", 1),
            (None, "1 turn that goes", "", 1),
        ] {
            let compared = compare(previous);
            assert!(compared.left_title.starts_with(title), "{compared:?}");
            assert_eq!(
                (compared.left.as_str(), compared.turns.len()),
                (left, turns)
            );
        }
    }

    #[test]
    fn the_messages_that_say_a_claim_come_before_those_that_are_similar() {
        let say = |id, text: &str| source(id, Message::user_text(text));
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
        let written = "- the parser of `src/new.rs` is slow on large inputs";
        let found = sources_of(written, &ground);
        let line = found.lines.first().unwrap();
        for (id, _) in &line.exact {
            assert!(
                line.similar.iter().all(|(other, _)| other != id),
                "{line:?}"
            );
        }
        let similar: Vec<&str> = line.similar.iter().map(|(id, _)| id.as_str()).collect();
        assert!(similar.contains(&"u2"), "{line:?}");
    }
}
