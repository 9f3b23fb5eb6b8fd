//! The entries of all branches while a session is read, and the order in which they are
//! written: parents first, the active path's last entry last.

use std::collections::{HashMap, HashSet};

use crate::session::fingerprint;
use crate::transcript::{
    Compaction, CompactionCause, CompactionDetails, Entry, EntryBody, EntryId, TailExceptions,
    Timestamp, Trigger,
};

/// Digits of an entry id; more where two sources have the same ones.
const ID_DIGITS: usize = 8;
/// The entry that is last where the program's last message has a branch after it.
pub(super) const LEAF_MARK: &str = "plimsoll.import.leaf";

/// Entries in the order in which they were added, each after its parent.
#[derive(Default)]
pub(super) struct EntryTree {
    entries: Vec<Entry>,
    positions: HashMap<EntryId, usize>,
    forgotten: HashSet<EntryId>,
}

/// The part of a path that a program keeps word for word beside a summary.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct KeptPart {
    /// The first entry of the kept tail.
    pub(super) first_kept: Option<EntryId>,
    /// Messages of the user that are kept from before the tail.
    pub(super) asks: Vec<EntryId>,
    /// Other messages that are kept from before the tail: the window cannot have them.
    pub(super) unplaced: usize,
}

/// What another program says of a compaction.
#[derive(Debug, Default)]
pub(super) struct CompactionFacts {
    pub(super) summary: String,
    pub(super) is_auto: bool,
    pub(super) tokens_before: u64,
    pub(super) tokens_after: u64,
    pub(super) model: String,
}

impl EntryTree {
    /// Adds an entry; `key` is the source's own id of it, or its place. The same source gives
    /// the same ids at every reading.
    pub(super) fn add(
        &mut self,
        parent: Option<&EntryId>,
        key: &str,
        timestamp: Timestamp,
        body: EntryBody,
    ) -> EntryId {
        let id = self.free_id(key);
        let parent = parent
            .filter(|id| self.positions.contains_key(*id))
            .cloned();
        self.positions.insert(id.clone(), self.entries.len());
        self.entries.push(Entry {
            id: id.clone(),
            parent,
            timestamp,
            body,
        });
        id
    }

    fn free_id(&self, key: &str) -> EntryId {
        let digits = fingerprint(key.as_bytes());
        // The end of the hash mixes best.
        let short: String = digits.chars().skip(digits.len() - ID_DIGITS).collect();
        let mut id = EntryId::new(short);
        let mut number = 1;
        while self.positions.contains_key(&id) {
            let text = match number {
                1 => digits.clone(),
                _ => format!("{digits}-{number}"),
            };
            id = EntryId::new(text);
            number += 1;
        }
        id
    }

    pub(super) fn get(&self, id: &EntryId) -> Option<&Entry> {
        self.entries.get(*self.positions.get(id)?)
    }

    pub(super) fn body_mut(&mut self, id: &EntryId) -> Option<&mut EntryBody> {
        let at = *self.positions.get(id)?;
        Some(&mut self.entries.get_mut(at)?.body)
    }

    /// Leaves an entry out, with all that follows it.
    pub(super) fn forget(&mut self, id: &EntryId) {
        self.forgotten.insert(id.clone());
    }

    /// The path that ends with this entry, root first.
    pub(super) fn path(&self, leaf: Option<&EntryId>) -> Vec<EntryId> {
        let mut path = Vec::new();
        let mut at = leaf.and_then(|id| self.get(id));
        while let Some(entry) = at {
            path.push(entry.id.clone());
            at = entry.parent.as_ref().and_then(|id| self.get(id));
        }
        path.reverse();
        path
    }

    /// Divides what a program keeps of a path into a tail and the rest.
    pub(super) fn kept_part(&self, path: &[EntryId], kept: &HashSet<EntryId>) -> KeptPart {
        let speaks = |id: &EntryId| {
            self.get(id)
                .is_some_and(|entry| entry.body.speaks_to_model())
        };
        // An earlier summary is never kept beside a later one, and divides no tail.
        let is_summary = |id: &EntryId| {
            let body = self.get(id).map(|entry| &entry.body);
            matches!(body, Some(EntryBody::Compaction(_)))
        };
        let mut part = KeptPart::default();
        let mut tail = path.len();
        for (at, id) in path.iter().enumerate().rev() {
            if kept.contains(id) {
                tail = at;
                part.first_kept = Some(id.clone());
            } else if speaks(id) && !is_summary(id) {
                break;
            }
        }
        for id in path.iter().take(tail).filter(|id| kept.contains(*id)) {
            let Some(entry) = self.get(id) else { continue };
            if entry.is_typed_by_user() {
                part.asks.push(id.clone());
            } else if entry.body.speaks_to_model() {
                part.unplaced += 1;
            }
        }
        part
    }

    /// The entry of a compaction that stands after `path`.
    pub(super) fn compaction(
        &self,
        path: &[EntryId],
        kept: &KeptPart,
        facts: CompactionFacts,
    ) -> EntryBody {
        let tail = kept.first_kept.as_ref();
        let replaced = path.iter().take_while(|id| tail != Some(*id));
        let replaced = replaced.filter(|id| !kept.asks.contains(id));
        let replaced = replaced.filter_map(|id| self.get(id));
        let replaced = replaced.filter(|entry| entry.message().is_some()).count() as u64;
        let trigger = if facts.is_auto {
            Trigger::Threshold
        } else {
            Trigger::Manual
        };
        EntryBody::Compaction(Box::new(Compaction {
            summary: facts.summary,
            first_kept: kept.first_kept.clone(),
            tokens_before: facts.tokens_before,
            details: CompactionDetails {
                cause: CompactionCause {
                    trigger,
                    ..CompactionCause::default()
                },
                tokens_after: facts.tokens_after,
                model: facts.model,
                exceptions: TailExceptions {
                    kept_asks: kept.asks.clone(),
                    cut_entry: None,
                },
                summarized_messages: replaced,
                ..CompactionDetails::default()
            },
            from_hook: false,
        }))
    }

    /// All entries with this leaf: along the path, each branch beside it after the entry that
    /// it leaves, the leaf at the end.
    pub(super) fn into_entries(mut self, leaf: Option<&EntryId>) -> Vec<Entry> {
        let path = self.path(leaf);
        let on_path: HashSet<&EntryId> = path.iter().collect();
        let mut children: HashMap<Option<EntryId>, Vec<usize>> = HashMap::new();
        for (at, entry) in self.entries.iter().enumerate() {
            if !self.forgotten.contains(&entry.id) {
                children.entry(entry.parent.clone()).or_default().push(at);
            }
        }
        let mut order = Vec::with_capacity(self.entries.len());
        let mut beside = |from: Option<EntryId>, order: &mut Vec<usize>| {
            let mut open = vec![from];
            let mut is_start = true;
            while let Some(parent) = open.pop() {
                let below = children.remove(&parent).unwrap_or_default();
                for at in below.into_iter().rev() {
                    let Some(entry) = self.entries.get(at) else {
                        continue;
                    };
                    if on_path.contains(&entry.id) {
                        continue;
                    }
                    open.push(Some(entry.id.clone()));
                }
                if !is_start && let Some(at) = parent.and_then(|id| self.positions.get(&id)) {
                    order.push(*at);
                }
                is_start = false;
            }
        };
        beside(None, &mut order);
        for id in &path {
            order.extend(self.positions.get(id));
            beside(Some(id.clone()), &mut order);
        }
        let leaf = path.last().cloned();
        let is_last = order
            .last()
            .and_then(|at| self.entries.get(*at))
            .map(|it| &it.id);
        if leaf.is_some() && is_last != leaf.as_ref() {
            let at = leaf.as_ref().and_then(|id| self.get(id));
            let at = at.map_or(Timestamp(0), |entry| entry.timestamp);
            let custom_type = LEAF_MARK.to_owned();
            let mark = self.add(
                leaf.as_ref(),
                LEAF_MARK,
                at,
                EntryBody::Custom { custom_type },
            );
            order.extend(self.positions.get(&mark));
        }
        let mut entries: Vec<Option<Entry>> = self.entries.into_iter().map(Some).collect();
        let taken = order
            .into_iter()
            .filter_map(|at| entries.get_mut(at)?.take());
        taken.collect()
    }
}
