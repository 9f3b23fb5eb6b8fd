//! A list with the choice of an engine applied: what is not sent is in the left-out list with
//! the engine's reason, and rules whose message is not sent are in the block.

use std::collections::HashSet;
use std::sync::Arc;

use super::Projection;
use super::builder::{FRAME_ITEMS, ViewBuilder};
use super::item;
use super::result::ResultInfo;
use super::standing_rules::PlacedRules;
use crate::context::rules::RulesReport;
use crate::context::selection::{CandidateGroup, GroupChoice, Selection};
use crate::context::view::{Category, Disposition, LeftOut, ViewItem};
use crate::transcript::{EntryId, Transcript};

const NOTE_REASON: &str = "the context engine tells the model what it left out";

/// A list as an engine chose it, with the rules as they stand in it.
pub(in crate::context) struct SelectedList {
    pub list: ViewBuilder,
    pub rules: RulesReport,
}

impl Projection {
    /// Applies a choice to the list that it was made of.
    pub(in crate::context) fn selected(
        &mut self,
        list: &ViewBuilder,
        groups: &[CandidateGroup],
        selection: &Selection,
        transcript: &Transcript,
    ) -> SelectedList {
        let left = left_entries(list, groups, selection);
        let PlacedRules { block, report } = self.rules_without(&left, transcript);
        let mut chosen = list.emptied();
        let opening = list.items.iter().skip(FRAME_ITEMS);
        for item in opening.filter(|item| item.is_compaction()) {
            chosen.push(ViewItem::clone(item));
        }
        if let Some(block) = block {
            chosen.push(block);
        }
        if let Some(note) = &selection.note {
            let mut said = item::synthetic_user(note, self.measurer.ruler(), 0, NOTE_REASON);
            said.category = Category::Notes;
            chosen.push(said);
        }
        for (at, group) in groups.iter().enumerate() {
            match selection.choice(at) {
                GroupChoice::Send => chosen.push_group(list, group, None),
                GroupChoice::SendBecause(why) => chosen.push_group(list, group, Some(why)),
                GroupChoice::LeaveOut(why) => chosen.leave_group_out(list, group, why),
            }
        }
        chosen.leave_rest_out(list);
        SelectedList {
            list: chosen,
            rules: report,
        }
    }
}

fn left_entries(
    list: &ViewBuilder,
    groups: &[CandidateGroup],
    selection: &Selection,
) -> HashSet<EntryId> {
    let left = groups
        .iter()
        .enumerate()
        .filter(|(at, _)| !selection.choice(*at).is_sent());
    let items = left.flat_map(|(_, group)| group.items.clone());
    let items = items.filter_map(|at| list.items.get(at));
    items.filter_map(|item| item.entry.clone()).collect()
}

impl ViewBuilder {
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

    /// What was left out before an engine chose.
    fn leave_rest_out(&mut self, list: &Self) {
        if self.left_out.is_empty() {
            self.left_out = list.left_out.clone();
            return;
        }
        for left in &list.left_out {
            self.left_out.push_back_mut(Arc::clone(left));
        }
    }
}
