//! Where the entries of a branch are in a view: each that speaks to the model is sent or left
//! out, once, and no other.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::ViewFault;
use crate::context::{ContextView, Disposition, ViewItem};
use crate::transcript::{Entry, EntryId};

/// Where an entry is in a view, and its disposition there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EntryPlace {
    pub is_sent: bool,
    pub disposition: Disposition,
}

/// For each entry of the branch where it is in the view.
pub(super) type Places = Vec<Option<EntryPlace>>;

/// A walk along a branch beside a view whose items and left-out entries stand in the order of
/// the branch, as most do: every entry is found without looking for it.
#[derive(Clone, Default)]
pub(super) struct EntryWalk {
    /// The place of each entry that was passed,
    pub places: Places,
    /// and how many items and left-out entries were before it. Empty where the order is another.
    before: Vec<(usize, usize)>,
    /// Items and left-out entries that were passed.
    passed: (usize, usize),
    /// The summary, which stands before what it was made after: where it is on the branch.
    summary: Option<usize>,
}

impl EntryWalk {
    /// The places of a view of another order. The next walk begins anew.
    pub(super) fn in_any_order(
        view: &ContextView,
        branch: &[Arc<Entry>],
    ) -> Result<Self, ViewFault> {
        Ok(Self {
            places: places_in_any_order(view, branch)?,
            ..Self::default()
        })
    }

    /// Goes back to where only so many items and left-out entries were passed.
    pub(super) fn go_back(&mut self, items: usize, left_out: usize) {
        let is_known = |(sent, left): &(usize, usize)| *sent <= items && *left <= left_out;
        let (sent, left) = self.passed;
        if sent > items || left > left_out {
            let after = self.before.partition_point(is_known);
            let Some(at) = after.checked_sub(1) else {
                *self = Self::default();
                return;
            };
            self.passed = self.before.get(at).copied().unwrap_or_default();
            self.before.truncate(at);
            self.places.truncate(at);
        }
        let has_summary = self.summary.is_none_or(|at| at < self.places.len());
        if self.before.len() != self.places.len() || !has_summary {
            *self = Self::default();
        }
    }

    /// Passes the rest of the branch; false when the order is another, or something is wrong.
    pub(super) fn go_on(&mut self, view: &ContextView, branch: &[Arc<Entry>]) -> bool {
        let has_entry = |item: &Arc<ViewItem>| item.entry.is_some();
        let first = view.items.iter().position(has_entry);
        let first = first.and_then(|at| Some((at, view.items.get(at)?)));
        let summary = first.filter(|(_, item)| item.is_compaction());
        let (mut sent, mut left) = self.passed;
        let skips = |at: usize| {
            let is_summary = summary.is_some_and(|(place, _)| place == at);
            is_summary || view.items.get(at).is_some_and(|item| !has_entry(item))
        };
        for (at, entry) in branch.iter().enumerate().skip(self.places.len()) {
            while skips(sent) {
                sent += 1;
            }
            self.before.push((sent, left));
            let item = view.items.get(sent);
            let out = view.left_out.get(left);
            let place = if let Some(item) = item.filter(|it| it.entry.as_ref() == Some(&entry.id)) {
                sent += 1;
                Some((true, item.disposition))
            } else if let Some(out) = out.filter(|out| out.entry == entry.id) {
                left += 1;
                Some((false, out.disposition))
            } else if let Some((_, item)) =
                summary.filter(|(_, it)| it.entry.as_ref() == Some(&entry.id))
            {
                self.summary = Some(at);
                Some((true, item.disposition))
            } else if entry.body.speaks_to_model() {
                return false;
            } else {
                None
            };
            self.places
                .push(place.map(|(is_sent, disposition)| EntryPlace {
                    is_sent,
                    disposition,
                }));
        }
        while skips(sent) {
            sent += 1;
        }
        self.passed = (sent, left);
        // An id is on the branch once: what is left over is there twice, or foreign.
        sent == view.items.len()
            && left == view.left_out.len()
            && summary.is_some() == self.summary.is_some()
    }
}

/// The places of a view, wherever its items stand. Every entry that speaks to the model is sent
/// or left out, and no other.
pub(super) fn places_in_any_order(
    view: &ContextView,
    branch: &[Arc<Entry>],
) -> Result<Places, ViewFault> {
    let mut found = HashMap::with_capacity(view.items.len() + view.left_out.len());
    let sent = view
        .items
        .iter()
        .filter_map(|item| Some((item.entry.as_ref()?, true, item.disposition)));
    let left = view
        .left_out
        .iter()
        .map(|left| (&left.entry, false, left.disposition));
    for (entry, is_sent, disposition) in sent.chain(left) {
        let place = EntryPlace {
            is_sent,
            disposition,
        };
        if found.insert(entry, place).is_some() {
            return Err(ViewFault::Twice(entry.clone()));
        }
    }
    let mut places = Vec::with_capacity(branch.len());
    for entry in branch {
        let place = found.get(&entry.id).copied();
        if place.is_none() && entry.body.speaks_to_model() {
            return Err(ViewFault::Missing(entry.id.clone()));
        }
        places.push(place);
    }
    let known = places.iter().flatten().count();
    if known == found.len() {
        return Ok(places);
    }
    let known: HashSet<&EntryId> = branch.iter().map(|entry| &entry.id).collect();
    let foreign = found.keys().find(|entry| !known.contains(*entry));
    foreign.map_or(Ok(places), |entry| {
        Err(ViewFault::Foreign(EntryId::clone(entry)))
    })
}
