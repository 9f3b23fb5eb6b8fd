//! From the log to the list of what is sent: the active branch is folded entry by
//! entry into a list, with tool pairing repaired on the way.
//!
//! The fold is incremental: appending a message costs that message. Anything that
//! reaches back (a compaction, a decision, an undo, another branch) folds the branch
//! again, with counts remembered; so the result never depends on how it was reached.

mod answer;
mod builder;
mod carried;
mod counting;
mod index;
pub(super) mod item;
mod measure;
mod place;
mod plan;
mod result;
mod selected;
mod span;
mod standing_rules;
mod sums;
mod sync;

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

pub(super) use builder::{FRAME_ITEMS, PreambleTokens, ViewBuilder, frame_item};
pub(super) use item::Measurer;
pub(super) use plan::BranchPlan;
pub(super) use result::ResultInfo;
pub(super) use selected::{ChosenGroups, KeptSelection};
pub(super) use sums::HeldItems;

use self::carried::{CarriedCounts, CountBreaks, CountHistory, changes_what_is_sent};
use self::counting::CountSharing;
use self::span::CallSpan;
use self::standing_rules::StandingRules;
use super::calibration::{Calibration, Correction, is_believable_sample};
use super::fence;
use super::identifiers::under_aliases;
use super::recall::RecallAddress;
use super::ruler::are_alike;
use super::view::Disposition;
use crate::transcript::{
    AssistantMessage, Compaction, Entry, EntryBody, EntryId, EntryOverride, Measurement, Message,
    ModelRef, Timestamp, Transcript, Usage, UsageSample,
};

/// The facts besides the log that a fold depends on. A change folds again.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Preamble {
    /// The model that will answer: usage reported by another model says nothing.
    pub model: ModelRef,
    /// Estimates of system prompt and tools.
    pub tokens: PreambleTokens,
    /// Workspace rules that follow a summary.
    pub workspace_rules: Option<Arc<str>>,
    /// The model has a tool to have back what a summary replaced.
    pub can_recall: bool,
    /// The model's tokens for one of the ruler's, before its provider counted anything.
    pub token_factor: f64,
    /// Token counts of the model's provider in earlier sessions.
    pub samples: Arc<[UsageSample]>,
    /// The most that the block of rules may take.
    pub rules_tokens: u64,
}

/// See the module's description.
pub(super) struct Projection {
    measurer: Measurer,
    frame: Preamble,
    leaf: Option<EntryId>,
    plan: BranchPlan,
    /// Position of the next entry on the branch.
    position: usize,
    settled: ViewBuilder,
    span: CallSpan,
    rules: StandingRules,
    used_call_ids: HashSet<String>,
    turn: u32,
    learnt: LearntFit,
    contact: CacheContact,
    history: CountHistory,
    /// Counts from before this position are of another list.
    counts_from: usize,
    /// The fold is made for its counts alone.
    is_for_counts: bool,
}

/// What is known of the provider's prompt cache.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CacheContact {
    /// When this model's provider was last heard of.
    pub at: Option<Timestamp>,
    /// What it stored last it keeps for an hour.
    pub keeps_hour: bool,
}

impl CacheContact {
    fn note(&mut self, at: Timestamp) {
        self.at = self.at.max(Some(at));
    }

    /// A request that stored nothing says nothing of how long.
    fn note_usage(&mut self, usage: Usage) {
        if usage.cache_write_tokens > 0 {
            self.keeps_hour = usage.cache_write_hour_tokens > 0;
        }
    }
}

/// The fit learned from counted requests.
#[derive(Default)]
struct LearntFit {
    calibration: Calibration,
    fit: Correction,
    /// The fit that stays, when nothing is to be learnt.
    fixed: Option<Correction>,
    /// Samples were added since the fit was computed.
    is_old: bool,
    /// The factor changed since unmeasured items were scaled.
    is_factor_new: bool,
    /// Whether what providers count is shared out among the items.
    counting: CountSharing,
}

impl Projection {
    /// An empty projection that counts with this measurer.
    pub(super) fn new(measurer: Measurer) -> Self {
        Self {
            measurer,
            frame: Preamble::default(),
            leaf: None,
            plan: BranchPlan::default(),
            position: 0,
            settled: ViewBuilder::new(),
            span: CallSpan::default(),
            rules: StandingRules::default(),
            used_call_ids: HashSet::new(),
            turn: 0,
            learnt: LearntFit::default(),
            contact: CacheContact::default(),
            history: CountHistory::default(),
            counts_from: 0,
            is_for_counts: false,
        }
    }

    /// Takes estimates as they are, with this fixed margin; with `None` it learns from what
    /// providers count.
    pub(super) fn with_margin(mut self, margin: Option<f64>) -> Self {
        self.learnt.fixed = margin.map(Correction::fixed);
        self.learnt.fit = self.learnt.fixed.unwrap_or_default();
        self
    }

    pub(super) fn measurer(&mut self) -> &mut Measurer {
        &mut self.measurer
    }

    /// The fit from the measured requests of the branch.
    pub(super) fn fit(&self) -> &Correction {
        &self.learnt.fit
    }

    /// What is known of the provider's prompt cache.
    pub(super) fn contact(&self) -> CacheContact {
        self.contact
    }

    /// Whether a person took back that a result was pruned, and has not spoken since: then
    /// only they prune it again.
    pub(super) fn is_held(&self, entry: &EntryId) -> bool {
        self.plan.held.contains(entry)
    }

    /// Number of the newest turn.
    pub(super) fn turn(&self) -> u32 {
        self.turn
    }

    /// Brings the factor up to date. A fit costs microseconds, so a fold computes it
    /// once, at its end.
    fn refresh_fit(&mut self) {
        let learnt = &mut self.learnt;
        if std::mem::take(&mut learnt.is_old) {
            learnt.fit = learnt.calibration.fit();
            self.settled.set_factor(learnt.fit.factor());
            learnt.is_factor_new = true;
        }
    }

    /// The list as of now. While tools are `running`, their calls are not repaired.
    pub(super) fn list(&mut self, running: bool) -> ViewBuilder {
        self.settled.share_out();
        if std::mem::take(&mut self.learnt.is_factor_new) {
            self.settled.rescale();
        }
        let mut list = self.settled.clone();
        self.span.write(&mut list, self.measurer.ruler(), running);
        list
    }

    /// Marks the newest list as known: see [`ViewBuilder::changed_from`].
    pub(super) fn mark_seen(&mut self) {
        self.settled.mark_seen();
    }

    /// Folds the branch up to each change of what is sent, for the counts that held before
    /// it, and then all of it.
    fn fold(&mut self, transcript: &Transcript, frame: &Preamble) {
        let branch = transcript.branch();
        if *frame != self.frame {
            self.frame = frame.clone();
            self.history.clear();
        }
        self.rules.reader.read(&branch);
        let breaks = CountBreaks::of(
            &branch,
            |entry| self.is_count(entry),
            |entry| changes_what_is_sent(&entry.body) || self.rules.reader.is_rewriting(&entry.id),
        );
        let mut carried = None;
        let mut is_known = true;
        self.counts_from = breaks.from;
        for (place, &at) in breaks.positions.iter().enumerate() {
            let change = &branch[at].id;
            let known = self.history.get(place, change).filter(|_| is_known);
            let known = known.map(|link| link.counts.clone());
            is_known = known.is_some();
            carried = known.unwrap_or_else(|| {
                let counts = self.counts_of(&branch[..at], carried.take());
                self.history.set(place, change.clone(), counts.clone());
                counts
            });
            self.counts_from = at;
        }
        self.fold_branch(&branch, carried);
        self.leaf = transcript.leaf().cloned();
    }

    /// Token counts of providers up to the end of a branch.
    fn counts_of(
        &mut self,
        branch: &[Arc<Entry>],
        carried: Option<Arc<CarriedCounts>>,
    ) -> Option<Arc<CarriedCounts>> {
        self.is_for_counts = true;
        self.fold_branch(branch, carried);
        self.is_for_counts = false;
        let mut list = self.list(true);
        list.carry_counts();
        list.carried
    }

    fn fold_branch(&mut self, branch: &[Arc<Entry>], carried: Option<Arc<CarriedCounts>>) {
        self.plan = BranchPlan::reading(branch, self.is_chosen_from());
        self.position = 0;
        self.settled = ViewBuilder::new();
        self.settled.carried = carried;
        self.span = CallSpan::default();
        self.used_call_ids.clear();
        self.turn = 0;
        let fixed = self.learnt.fixed;
        self.learnt = LearntFit {
            calibration: Calibration::starting_at(self.frame.token_factor),
            fit: fixed.unwrap_or_default(),
            fixed,
            is_old: fixed.is_none(),
            is_factor_new: false,
            counting: self.learnt.counting.at_beginning(),
        };
        self.contact = CacheContact::default();
        for sample in Arc::clone(&self.frame.samples).iter() {
            self.learn_from(sample, SampleOrigin::EarlierSession);
        }
        self.refresh_fit();
        self.open_with_summary(branch);
        self.open_with_rules(branch);
        for entry in branch {
            self.take(entry);
        }
    }

    /// Whether an entry holds what this model's provider counted.
    fn is_count(&self, entry: &Entry) -> bool {
        match &entry.body {
            _ if self.learnt.counting == CountSharing::Never => false,
            EntryBody::Measurement(Measurement::Usage(sample)) => {
                sample.refused && self.is_of_this_model(sample)
            }
            EntryBody::Message(message) => match message.as_ref() {
                Message::Assistant(answer) => {
                    self.is_by_this_model(answer) && believed_tokens(answer).is_some()
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The summary comes first; entries from before the kept part that are sent all
    /// the same follow it in log order, because the fold reaches them before the rest.
    fn open_with_summary(&mut self, branch: &[Arc<Entry>]) {
        let Some(active) = &self.plan.compaction else {
            return;
        };
        let entry = Arc::clone(&branch[active.at]);
        let EntryBody::Compaction(compaction) = &entry.body else {
            return;
        };
        let newest_replaced = active.keep_from.checked_sub(1).map(RecallAddress::at);
        let newest_replaced = newest_replaced.filter(|_| self.frame.can_recall);
        let rules = self.frame.workspace_rules.as_deref();
        let text = summary_text(compaction, rules, newest_replaced);
        let message = Arc::new(Message::user_text(text));
        let tokens = self.measurer.ruler().message_tokens(&message);
        let mut item = item::plain(&entry, message, tokens, 0);
        item.preview = super::preview::of_text(&compaction.summary);
        item.reason = active
            .first_kept_missing
            .then(|| FIRST_KEPT_MISSING.to_owned());
        self.settled.push(item);
    }

    fn take(&mut self, entry: &Arc<Entry>) {
        let position = self.position;
        self.position += 1;
        if self.starts_turn(entry) {
            self.turn += 1;
        }
        self.learn(entry);
        if self
            .plan
            .compaction
            .as_ref()
            .is_some_and(|active| position == active.keep_from)
        {
            self.note_split_turn();
        }
        if !entry.body.speaks_to_model() {
            return;
        }
        if self.plan.undone.contains(&entry.id) {
            self.leave_out(entry, Disposition::Excluded, "undone");
            if matches!(
                entry.message().map(AsRef::as_ref),
                Some(Message::Assistant(_))
            ) {
                // Its results, if any, must not pair with an earlier answer.
                self.close_span();
            }
            return;
        }
        if let Some(replay) = self.plan.replayed.get(&entry.id) {
            let why = format!("sent again as {replay} after an overflow");
            self.leave_out(entry, Disposition::Replayed, &why);
            return;
        }
        if self.is_summarized(entry, position) {
            self.leave_out_summarized(entry);
            return;
        }
        self.place(entry, position);
    }

    fn starts_turn(&self, entry: &Entry) -> bool {
        entry.is_typed_by_user() && !self.plan.replays.contains(&entry.id)
    }

    /// Calibration and cache contact count wherever they are on the branch.
    fn learn(&mut self, entry: &Entry) {
        match &entry.body {
            EntryBody::Measurement(Measurement::Usage(sample)) => {
                self.learn_from(sample, SampleOrigin::Log);
                self.heed_refusal(sample);
            }
            EntryBody::Measurement(Measurement::CacheContact { provider, model })
                if *provider == self.frame.model.provider && *model == self.frame.model.model =>
            {
                self.contact.note(entry.timestamp);
            }
            EntryBody::Measurement(Measurement::Engine(mark)) => self.heed_engine(mark),
            EntryBody::Message(message) => {
                if let Message::Assistant(answer) = message.as_ref()
                    && self.is_by_this_model(answer)
                {
                    self.contact.note(entry.timestamp);
                    self.contact.note_usage(answer.usage.unwrap_or_default());
                }
            }
            _ => {}
        }
    }

    fn learn_from(&mut self, sample: &UsageSample, origin: SampleOrigin) {
        if self.learnt.fixed.is_some() || !self.is_of_this_model(sample) {
            return;
        }
        let ruler = self.measurer.ruler().name();
        let (estimate, actual) = (sample.estimate_tokens, sample.actual_tokens);
        if !is_believable_sample(sample, self.frame.token_factor) {
            return;
        }
        if sample.ruler == ruler && origin == SampleOrigin::Log {
            self.learnt.calibration.add(estimate, actual);
        } else if sample.ruler == ruler || are_alike(&sample.ruler, ruler) {
            self.learnt.calibration.add_stand_in(estimate, actual);
        } else {
            return;
        }
        self.learnt.is_old = true;
    }

    /// A refusal that says how long the request was: everything up to here is that long,
    /// whatever was estimated, until something is taken out of it.
    fn heed_refusal(&mut self, sample: &UsageSample) {
        let is_in_force = sample.refused
            && self.learnt.counting == CountSharing::Shared
            && self.is_of_this_model(sample)
            && self.position > self.counts_from
            && self.span.is_complete();
        if is_in_force {
            self.close_span();
            self.settled.measure(
                sample.actual_tokens,
                self.frame.tokens,
                &self.learnt.calibration,
            );
        }
    }

    fn is_of_this_model(&self, sample: &UsageSample) -> bool {
        sample.provider == self.frame.model.provider && sample.model == self.frame.model.model
    }

    fn is_by_this_model(&self, answer: &AssistantMessage) -> bool {
        answer.provider == self.frame.model.provider && answer.model == self.frame.model.model
    }

    /// Whether the compaction in force stands for this entry.
    fn is_summarized(&self, entry: &Entry, position: usize) -> bool {
        let Some(active) = &self.plan.compaction else {
            return false;
        };
        position < active.keep_from
            && active.split_ask != Some(position)
            && !active.kept_asks.contains(&entry.id)
            && (!self.plan.is_kept_anyway(&entry.id)
                || matches!(entry.body, EntryBody::Compaction(_)))
    }

    fn leave_out_summarized(&mut self, entry: &Entry) {
        if self.is_for_counts {
            return;
        }
        let compaction = self.compaction_id();
        let mut left = item::left_out(
            entry,
            Disposition::Summarized,
            "replaced by summary",
            self.turn,
        );
        left.compaction = compaction;
        left.is_told &= self.plan.override_of(&entry.id) != Some(EntryOverride::Drop);
        self.settled.leave_out(left);
    }

    fn compaction_id(&self) -> Option<EntryId> {
        self.plan.compaction.as_ref()?;
        self.settled
            .items
            .get(FRAME_ITEMS)
            .and_then(|item| item.entry.clone())
    }

    /// When the newest user message is before the kept part, what follows it there
    /// is summarised, and the model is told so.
    fn note_split_turn(&mut self) {
        let is_split = self
            .plan
            .compaction
            .as_ref()
            .is_some_and(|active| active.is_turn_split);
        if is_split {
            let note = item::synthetic_user(
                SPLIT_TURN_TEXT,
                self.measurer.ruler(),
                self.turn,
                "beginning of this turn replaced by summary",
            );
            self.span.push_other(note);
        }
    }

    fn close_span(&mut self) {
        let span = std::mem::take(&mut self.span);
        span.write(&mut self.settled, self.measurer.ruler(), false);
    }

    /// Applies the usage of this answer to everything settled so far.
    fn measure(&mut self, answer: &AssistantMessage, position: usize) {
        if let Some(tokens) = believed_tokens(answer)
            && self.is_by_this_model(answer)
            && self.learnt.counting == CountSharing::Shared
            && position >= self.counts_from
        {
            self.settled
                .measure(tokens, self.frame.tokens, &self.learnt.calibration);
        }
    }

    fn leave_out(&mut self, entry: &Entry, disposition: Disposition, why: &str) {
        self.settled
            .leave_out(item::left_out(entry, disposition, why, self.turn));
    }
}

fn believed_tokens(answer: &AssistantMessage) -> Option<u64> {
    answer.usage.as_ref().and_then(Usage::believed_tokens)
}

/// Where a sample comes from. One of an earlier session was counted with other tools and
/// another system prompt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SampleOrigin {
    Log,
    EarlierSession,
}

const FIRST_KEPT_MISSING: &str = "its first kept entry is not on this branch: everything since \
    the previous compaction is kept";
const SPLIT_TURN_TEXT: &str =
    "[The steps that followed this message are part of the summary above.]";

/// How the model is told what came before the kept part, and up to which address it can have it
/// back.
fn summary_text(
    compaction: &Compaction,
    rules: Option<&str>,
    newest_replaced: Option<RecallAddress>,
) -> String {
    let details = &compaction.details;
    let appendix = super::appendix::rendered(&details.appendix, rules, newest_replaced.is_some());
    let appendix = under_aliases(&appendix, &details.aliases);
    let separator = if appendix.is_empty() { "" } else { "\n\n" };
    format!(
        "The earlier part of this conversation was replaced by the summary below. \
         It is background, not a new request.\n\n<summary>\n{}\n</summary>{separator}{appendix}{}",
        fence::neutralised(compaction.summary.trim()),
        newest_replaced.map_or_else(String::new, |newest| format!(
            "\n\n[The replaced messages are r1 to {newest} · recall by id or query]"
        )),
    )
}
