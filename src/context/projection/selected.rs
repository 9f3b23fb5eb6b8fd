//! A list with the choice of an engine applied: what is not sent is in the left-out list with
//! the engine's reason, and rules whose message is not sent are in the block.

use std::collections::HashSet;
use std::sync::Arc;

use rpds::VectorSync;

use super::Projection;
use super::builder::{FRAME_ITEMS, ViewBuilder};
use super::item;
use super::result::ResultInfo;
use super::standing_rules::PlacedRules;
use crate::context::rules::RulesReport;
use crate::context::selection::{CandidateGroup, GroupChoice, Selection};
use crate::context::view::{Category, Disposition, Items, LeftOut, ViewItem};
use crate::transcript::{EntryId, Transcript};

const NOTE_REASON: &str = "the context engine tells the model what it left out";

/// What is made is kept after every so many groups.
const STEP_GROUPS: usize = 32;

/// A list as an engine chose it, with the rules as they stand in it.
pub(in crate::context) struct SelectedList {
    pub list: ViewBuilder,
    pub rules: RulesReport,
}

/// A list with the choice of an engine.
#[derive(Clone, Copy)]
pub(in crate::context) struct ChosenGroups<'a> {
    pub list: &'a ViewBuilder,
    pub groups: &'a [CandidateGroup],
    pub selection: &'a Selection,
}

/// What was made of the newest choice, step by step: as a rule the next one says the same of
/// all but the newest groups, and only what is new is made.
#[derive(Default)]
pub(in crate::context) struct KeptSelection(Option<KeptGroups>);

struct KeptGroups {
    items: Items,
    left_out: VectorSync<Arc<LeftOut>>,
    groups: Vec<CandidateGroup>,
    choices: Vec<GroupChoice>,
    opening: Vec<Arc<ViewItem>>,
    /// The opening with every [`STEP_GROUPS`] groups more.
    steps: Vec<ViewBuilder>,
}

impl KeptGroups {
    /// Of how many steps the list to be made now is a continuation.
    fn steps_of(&self, chosen: ChosenGroups<'_>, opening: &[Arc<ViewItem>]) -> usize {
        let ChosenGroups { list, groups, .. } = chosen;
        let is_same_opening = self.steps.iter().all(|step| step.counts_as(list))
            && is_same_left_out(&self.left_out, &list.left_out)
            && self.opening.iter().map(said).eq(opening.iter().map(said));
        if !is_same_opening {
            return 0;
        }
        // The frame is filled in later.
        let items = self.items.iter().zip(&list.items).skip(FRAME_ITEMS);
        let items = items.take_while(|(before, now)| Arc::ptr_eq(before, now));
        let upto = FRAME_ITEMS + items.count();
        let known = self
            .groups
            .iter()
            .zip(&self.choices)
            .zip(groups)
            .enumerate();
        let same = known.take_while(|(at, ((before, choice), now))| {
            before == now && now.items.end <= upto && chosen.selection.choice(*at) == *choice
        });
        (same.count() / STEP_GROUPS + 1).min(self.steps.len())
    }
}

/// What an item of the opening says, and where it is from.
fn said(item: &Arc<ViewItem>) -> (Option<&EntryId>, Option<String>, u64) {
    let text = item.sent.as_ref().map(|message| message.text());
    (item.entry.as_ref(), text, item.estimate_tokens)
}

/// Whether a list of left-out entries is the same. It only grows, unless all of it is new.
fn is_same_left_out(a: &VectorSync<Arc<LeftOut>>, b: &VectorSync<Arc<LeftOut>>) -> bool {
    let is_same_end = match (a.last(), b.last()) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    };
    a.len() == b.len() && is_same_end
}

impl Projection {
    /// Applies a choice to the list that it was made of.
    pub(in crate::context) fn selected(
        &mut self,
        chosen: ChosenGroups<'_>,
        kept: &mut KeptSelection,
        transcript: &Transcript,
    ) -> SelectedList {
        let ChosenGroups { list, groups, .. } = chosen;
        let PlacedRules { block, report } = self.rules_of(chosen, transcript);
        let opening = self.opening(chosen, block);
        let mut steps = match kept.0.take() {
            Some(mut kept) => {
                kept.steps.truncate(kept.steps_of(chosen, &opening));
                kept.steps
            }
            None => Vec::new(),
        };
        let mut made = match steps.last() {
            Some(step) => step.clone().repaired_as(list),
            None => list.opened_with(&opening),
        };
        let from = steps.len().saturating_sub(1) * STEP_GROUPS;
        for at in from..groups.len() {
            if at.is_multiple_of(STEP_GROUPS) && at / STEP_GROUPS == steps.len() {
                steps.push(made.clone());
            }
            made.push_chosen(chosen, at);
        }
        kept.0 = Some(KeptGroups {
            items: list.items.clone(),
            left_out: list.left_out.clone(),
            groups: groups.to_vec(),
            choices: (0..groups.len())
                .map(|at| chosen.selection.choice(at).clone())
                .collect(),
            opening,
            steps,
        });
        SelectedList {
            list: made,
            rules: report,
        }
    }

    /// The rules, with those in the block whose messages are left out.
    fn rules_of(&self, chosen: ChosenGroups<'_>, transcript: &Transcript) -> PlacedRules {
        if self.rules.reader.said().is_empty() {
            return PlacedRules::default();
        }
        self.rules_without(&left_entries(chosen), transcript)
    }

    /// What stands before the groups: the summary, the block of rules, what the engine says.
    fn opening(&self, chosen: ChosenGroups<'_>, block: Option<ViewItem>) -> Vec<Arc<ViewItem>> {
        let opening = chosen.list.items.iter().skip(FRAME_ITEMS);
        let mut opening: Vec<Arc<ViewItem>> = opening
            .filter(|item| item.is_compaction())
            .cloned()
            .collect();
        opening.extend(block.map(Arc::new));
        if let Some(note) = &chosen.selection.note {
            let mut said = item::synthetic_user(note, self.measurer.ruler(), 0, NOTE_REASON);
            said.category = Category::Notes;
            opening.push(Arc::new(said));
        }
        opening
    }
}

fn left_entries(chosen: ChosenGroups<'_>) -> HashSet<EntryId> {
    let left = chosen
        .groups
        .iter()
        .enumerate()
        .filter(|(at, _)| !chosen.selection.choice(*at).is_sent());
    let items = left.flat_map(|(_, group)| group.items.clone());
    let items = items.filter_map(|at| chosen.list.items.get(at));
    items.filter_map(|item| item.entry.clone()).collect()
}

impl ViewBuilder {
    /// An empty list that counts as this one does, with an opening; what was left out of this
    /// one is left out of it.
    fn opened_with(&self, opening: &[Arc<ViewItem>]) -> Self {
        let mut made = self.emptied();
        made.left_out = self.left_out.clone();
        for item in opening {
            made.push(ViewItem::clone(item));
        }
        made
    }

    fn push_chosen(&mut self, chosen: ChosenGroups<'_>, at: usize) {
        let Some(group) = chosen.groups.get(at) else {
            return;
        };
        match chosen.selection.choice(at) {
            GroupChoice::Send => self.push_group(chosen.list, group, None),
            GroupChoice::SendBecause(why) => self.push_group(chosen.list, group, Some(why)),
            GroupChoice::LeaveOut(why) => self.leave_group_out(chosen.list, group, why),
        }
    }

    fn push_group(&mut self, list: &Self, group: &CandidateGroup, why: Option<&Arc<str>>) {
        let mut why = why;
        for at in group.items.clone() {
            let Some(found) = list.items.get(at) else {
                continue;
            };
            let mut item = ViewItem::clone(found);
            if item.reason.is_none() && item.entry.is_some() {
                item.reason = why.take().map(|why| why.as_ref().to_owned());
            }
            match list.result_at(at) {
                Some(info) => {
                    let info = ResultInfo {
                        at: self.items.len(),
                        ..ResultInfo::clone(info)
                    };
                    self.push_result(item, info);
                }
                None => self.push(item),
            }
        }
    }

    fn leave_group_out(&mut self, list: &Self, group: &CandidateGroup, why: &str) {
        for at in group.items.clone() {
            let Some(item) = list.items.get(at) else {
                continue;
            };
            let Some(entry) = &item.entry else { continue };
            let is_dropped = item.disposition == Disposition::Dropped;
            let dropped = item.reason.as_deref().filter(|_| is_dropped);
            self.leave_out(LeftOut {
                entry: entry.clone(),
                is_told: !is_dropped,
                disposition: if is_dropped {
                    Disposition::Dropped
                } else {
                    Disposition::Omitted
                },
                reason: dropped.unwrap_or(why).to_owned(),
                tokens_full: item.full.estimate_tokens,
                compaction: None,
                turn: item.turn,
                preview: Arc::clone(&item.preview),
            });
        }
    }
}
