//! A compaction takes effect only when it makes the view smaller. It is counted with all that
//! is recorded along with it, so that the view afterwards is the one that was announced.

use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::draft::SummaryDraft;
use crate::agent::compaction::kept_rules;
use crate::agent::compaction::material::{
    CompactionMaterial, CompactionOutcome, CompactionRequest,
};
use crate::agent::compaction::review;
use crate::agent::hooks::HOOK_AUTHOR;
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::{CompactionEvent, Notice};
use crate::context::ContextView;
use crate::context::audit::AuditFinding;
use crate::context::tail::TailPlan;
use crate::engine::shrinking::ShrinkStep;
use crate::engine::{summary, text_for_others};
use crate::session::Durability;
use crate::transcript::{
    Compaction, CutPhase, Decision, EXTRACTIVE_AUTHOR, EntryBody, Trigger, grouped,
};

/// The cause of a compaction that is not applied because it would free nothing.
pub(in crate::agent) const NOT_SMALLER: &str = "not_smaller";

/// Characters of a token in the summaries that are written to a budget: fewer than prose has.
const CHARS_PER_TOKEN: f64 = 2.5;
/// After a refusal for length, our own count is not taken at its word by this many tokens.
const UNACCOUNTABLE_TOKENS: u64 = 500;
/// Less room than this, in characters, holds no summary.
const MIN_SUMMARY_CHARS: usize = 200;
/// Times that a summary is written with half the room.
const MAX_TIGHTENINGS: usize = 3;

/// A compaction that does not count yet, and the view as it would be.
pub(super) struct ForecastCompaction {
    pub compaction: Compaction,
    pub after: ContextView,
}

impl CompactionRun<'_> {
    /// What the engine in charge makes of its plan: a summary of its own, or none, and then a
    /// model writes it. An inner error ends the compaction: the engine does nothing, and said
    /// why. A recovery from a refusal goes on without it.
    pub(super) async fn engine_draft(
        &mut self,
        wanted: &mut CompactionRequest,
        material: &CompactionMaterial,
    ) -> Result<Result<Option<SummaryDraft>, CompactionOutcome>, TurnStop> {
        let engines = self.agent.thread.conversation.engines();
        let engine = engines.info().id;
        match engines.shrink(&material.shrink, &wanted.shrink_request()) {
            ShrinkStep::Summarise => Ok(Ok(None)),
            ShrinkStep::SummariseFor(instructions) => {
                wanted.instructions.get_or_insert(instructions);
                Ok(Ok(None))
            }
            ShrinkStep::Summary(text) => {
                let author = format!("engine {engine}");
                let draft = self.given_draft(wanted, material, text, &author).await?;
                Ok(Ok(Some(draft)))
            }
            ShrinkStep::Nothing(_) if wanted.trigger == Trigger::Overflow => Ok(Ok(None)),
            ShrinkStep::Nothing(why) => {
                let text = format!("context engine {engine} does not compact now: {why}");
                self.agent.events.notice(Notice::info(text)).await;
                Ok(Err(CompactionOutcome::Nothing))
            }
        }
    }

    /// The decisions that a compaction records with it, the cut of a kept result that is larger
    /// than all it may keep last.
    pub(super) fn with_cut(
        &self,
        view: &ContextView,
        plan: &TailPlan,
        decisions: Vec<Decision>,
    ) -> Vec<Decision> {
        let conversation = &self.agent.thread.conversation;
        let target = plan.oversized.as_ref();
        let cut = target.and_then(|target| conversation.cut_kept_result(view, target));
        decisions.into_iter().chain(cut).collect()
    }

    /// Appends the compaction: from here on it counts. One that frees nothing is written
    /// tighter where nobody asked for it, and is else not applied.
    pub(super) async fn apply(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
        draft: SummaryDraft,
    ) -> Result<CompactionOutcome, TurnStop> {
        self.agent.refresh_prompt_aloud().await;
        let mut draft = draft;
        let mut compaction = self.compaction(wanted, material, &draft);
        if !is_enough(wanted, material, &compaction) && wanted.trigger != Trigger::Manual {
            (draft, compaction) = self.tightened(wanted, material, draft, compaction).await?;
        }
        if !is_enough(wanted, material, &compaction) {
            self.say_not_smaller(wanted, material, &compaction).await;
            return Ok(CompactionOutcome::Failed(NOT_SMALLER));
        }
        for decision in &material.decisions {
            let is_own = is_cut_of_compaction(decision);
            let body = EntryBody::Decision(decision.clone());
            let entry = self.agent.thread.append(body, Durability::Buffered).await;
            if is_own {
                compaction.details.exceptions.cut_entry = Some(entry.id.clone());
            }
            self.agent.thread.say_decision(decision).await;
        }
        let (requests, usage) = self.agent.costs.bill.take_summaries(&draft.model);
        self.agent.costs.usage = self.agent.costs.usage.plus(usage);
        compaction.details.cost.requests = requests;
        compaction.details.cost.usage = usage;
        let body = EntryBody::Compaction(Box::new(compaction.clone()));
        let entry = self.agent.thread.append(body, Durability::Flush).await;
        self.agent.compactor.auto.on_applied();
        self.agent.thread.publish_view().await;
        self.agent
            .events
            .emit(CompactionEvent::Applied {
                entry: entry.id.clone(),
                compaction: Box::new(compaction.clone()),
            })
            .await;
        self.after_compact(&entry.id, &compaction).await;
        Ok(CompactionOutcome::Applied)
    }

    /// The entry's content, with the view's size after it.
    pub(super) fn compaction(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
        draft: &SummaryDraft,
    ) -> Compaction {
        self.forecast(wanted, material, draft).compaction
    }

    /// The entry's content, and the view after it.
    pub(super) fn forecast(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
        draft: &SummaryDraft,
    ) -> ForecastCompaction {
        let mut compaction = review::compaction(wanted, material, draft);
        let cut = material.decisions.iter().position(is_cut_of_compaction);
        let conversation = &self.agent.thread.conversation;
        compaction.details.exceptions.cut_entry = cut.map(|at| conversation.preview_id(at));
        self.agent
            .thread
            .conversation
            .engine()
            .id
            .clone_into(&mut compaction.details.engine);
        let decisions = material.decisions.iter().cloned();
        let mut bodies: Vec<EntryBody> = decisions.map(EntryBody::Decision).collect();
        bodies.push(EntryBody::Compaction(Box::new(compaction.clone())));
        let after = self.agent.thread.preview_all(bodies);
        compaction.from_hook = draft.model == HOOK_AUTHOR;
        compaction.details.tokens_after = after.usage.tokens;
        let rules = self.agent.thread.context.workspace_rules.as_deref();
        compaction.details.appendix.for_others =
            text_for_others(&after, &compaction, rules, wanted.held_back.as_ref());
        kept_rules::count_rules(&mut compaction, draft, &after);
        ForecastCompaction { compaction, after }
    }

    /// The extractive summary in as much room as makes the view smaller; what there was
    /// when that is too little.
    async fn tightened(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
        draft: SummaryDraft,
        compaction: Compaction,
    ) -> Result<(SummaryDraft, Compaction), TurnStop> {
        let ruler = self.agent.thread.current_ruler();
        let taken = ruler.text_tokens(&compaction.summary);
        let rest = compaction.details.tokens_after.saturating_sub(taken);
        let room_tokens = material.view.usage.tokens.saturating_sub(rest);
        let mut room = (room_tokens as f64 * CHARS_PER_TOKEN) as usize;
        let (mut draft, mut compaction) = (draft, compaction);
        for _ in 0..MAX_TIGHTENINGS {
            if room < MIN_SUMMARY_CHARS || is_enough(wanted, material, &compaction) {
                break;
            }
            let job = draft.job.clone();
            let writing = tokio::task::spawn_blocking(move || summary::extract_within(&job, room));
            let Ok(result) = self.agent.wait(writing).await? else {
                break;
            };
            draft.result = result;
            draft.result.degraded = true;
            EXTRACTIVE_AUTHOR.clone_into(&mut draft.model);
            compaction = self.compaction(wanted, material, &draft);
            room /= 2;
        }
        Ok((draft, compaction))
    }

    async fn say_not_smaller(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
        compaction: &Compaction,
    ) {
        let why = not_smaller(wanted, material, compaction);
        let why = why.unwrap_or_default();
        self.agent
            .events
            .emit(CompactionEvent::Failed {
                trigger: wanted.trigger,
                cause: NOT_SMALLER,
                message: format!("{why}; the conversation is unchanged"),
                attempts: wanted.attempt.max(1),
                ends_turn: false,
            })
            .await;
    }
}

/// Whether a compaction frees what it has to. A provider that refused a request counts
/// otherwise than we do: a little more by our count may be less by its.
fn is_enough(
    wanted: &CompactionRequest,
    material: &CompactionMaterial,
    compaction: &Compaction,
) -> bool {
    let (before, after) = (&material.view, compaction.details.tokens_after);
    let is_unaccountable = wanted.trigger == Trigger::Overflow
        && after < before.usage.tokens.saturating_add(UNACCOUNTABLE_TOKENS);
    // Who asks for what was lost wants more than there was.
    let is_rebuilt = wanted.rebuild && after < before.window.load_line_effective;
    is_unaccountable || is_rebuilt || after < before.usage.tokens
}

/// The findings that a review shows of a draft: those of its audit, and that it would free
/// nothing.
pub(super) fn findings(
    wanted: &CompactionRequest,
    material: &CompactionMaterial,
    draft: &SummaryDraft,
    compaction: &Compaction,
) -> Vec<AuditFinding> {
    let too_large = not_smaller(wanted, material, compaction);
    let too_large = too_large.map(|text| AuditFinding {
        code: NOT_SMALLER,
        text,
        source: None,
        mended: false,
    });
    draft
        .result
        .findings
        .iter()
        .cloned()
        .chain(too_large)
        .collect()
}

/// Why a compaction is not applied that would free nothing.
fn not_smaller(
    wanted: &CompactionRequest,
    material: &CompactionMaterial,
    compaction: &Compaction,
) -> Option<String> {
    (!is_enough(wanted, material, compaction)).then(|| {
        format!(
            "the summary was discarded: the context would have {} tokens with it and has {} \
             without it",
            grouped(compaction.details.tokens_after),
            grouped(material.view.usage.tokens)
        )
    })
}

impl CompactionMaterial {
    /// Whether even a summary of the usual size would free nothing: then no model is paid for
    /// one that nobody asked for.
    pub(super) fn frees_nothing(&self) -> bool {
        self.plan.tokens_after(&self.view) >= self.view.usage.tokens
    }
}

/// Whether a decision is the cut that a compaction makes itself.
fn is_cut_of_compaction(decision: &Decision) -> bool {
    let Decision::Guard { cuts } = decision else {
        return false;
    };
    cuts.iter().any(|cut| cut.phase == CutPhase::Compaction)
}
