//! The tree that the entries of a session form, with its current leaf.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::{Entry, EntryBody, EntryId, Timestamp};

/// Every entry of a session in file order, indexed by id, with the current leaf.
/// Grows only.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    entries: Vec<Arc<Entry>>,
    positions: HashMap<EntryId, usize>,
    leaf: Option<EntryId>,
    /// So many entries at the beginning follow each other, from a root on.
    line: usize,
}

/// An entry whose id is already taken; it was not added.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("entry id {0} is used twice")]
pub struct DuplicateEntry(pub EntryId);

impl Transcript {
    /// An empty transcript.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an entry and makes it the leaf.
    pub fn push(&mut self, entry: Arc<Entry>) -> Result<(), DuplicateEntry> {
        if self.positions.contains_key(&entry.id) {
            return Err(DuplicateEntry(entry.id.clone()));
        }
        let at = self.entries.len();
        let before = self.entries.last().map(|last| &last.id);
        if self.line == at && entry.parent.as_ref() == before {
            self.line += 1;
        }
        self.positions.insert(entry.id.clone(), at);
        self.leaf = Some(entry.id.clone());
        self.entries.push(entry);
        Ok(())
    }

    /// Makes an entry that follows the leaf, and appends it.
    pub fn append(
        &mut self,
        id: EntryId,
        timestamp: Timestamp,
        body: EntryBody,
    ) -> Result<Arc<Entry>, DuplicateEntry> {
        let entry = Arc::new(Entry {
            id,
            parent: self.leaf.clone(),
            timestamp,
            body,
        });
        self.push(Arc::clone(&entry))?;
        Ok(entry)
    }

    /// The entry with this id.
    pub fn get(&self, id: &EntryId) -> Option<&Arc<Entry>> {
        self.positions.get(id).map(|&at| &self.entries[at])
    }

    /// The position of an entry in file order.
    pub fn position(&self, id: &EntryId) -> Option<usize> {
        self.positions.get(id).copied()
    }

    /// The entry that the next one will follow.
    pub fn leaf(&self) -> Option<&EntryId> {
        self.leaf.as_ref()
    }

    /// Moves the leaf to an existing entry (or before the root); the next entry
    /// starts a branch there. Returns false, and changes nothing, when there is no
    /// such entry.
    pub fn set_leaf(&mut self, leaf: Option<EntryId>) -> bool {
        if leaf
            .as_ref()
            .is_some_and(|id| !self.positions.contains_key(id))
        {
            return false;
        }
        self.leaf = leaf;
        true
    }

    /// All entries in file order.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// The active branch from the leaf to the root, for callers that need not see all of it.
    pub fn ancestors(&self) -> impl Iterator<Item = &Arc<Entry>> {
        let leaf = self.leaf.as_ref().and_then(|leaf| self.position(leaf));
        let places = std::iter::successors(leaf, |&at| self.parent_of(at));
        let entries = places.filter_map(|at| self.entries.get(at));
        entries.take(self.entries.len())
    }

    /// The position of the parent of the entry at a position: as a rule it was written right
    /// before, and need not be looked for.
    fn parent_of(&self, at: usize) -> Option<usize> {
        let parent = self.entries.get(at)?.parent.as_ref()?;
        let before = at.checked_sub(1);
        let is_before = |at: &usize| self.entries.get(*at).is_some_and(|it| it.id == *parent);
        before.filter(is_before).or_else(|| self.position(parent))
    }

    /// The active branch, root first. A parent that does not exist ends the walk; a
    /// cycle (possible only in a damaged file) is cut.
    pub fn branch(&self) -> Vec<Arc<Entry>> {
        self.path_to(self.leaf.as_ref())
    }

    /// The active branch without a copy, as long as nothing was ever taken back in the tree.
    pub fn active(&self) -> Cow<'_, [Arc<Entry>]> {
        let leaf = self.leaf.as_ref().and_then(|leaf| self.position(leaf));
        match leaf.and_then(|at| self.entries.get(..=at)) {
            Some(line) if line.len() <= self.line => Cow::Borrowed(line),
            _ => Cow::Owned(self.branch()),
        }
    }

    /// The entries before this one on its own branch, root first; cut like the active one.
    pub fn path_before(&self, entry: &Entry) -> Vec<Arc<Entry>> {
        self.path_to(entry.parent.as_ref())
    }

    fn path_to(&self, last: Option<&EntryId>) -> Vec<Arc<Entry>> {
        let mut path = Vec::new();
        let mut at = last.and_then(|id| self.position(id));
        while let Some(position) = at {
            path.push(Arc::clone(&self.entries[position]));
            if path.len() > self.entries.len() {
                break;
            }
            at = self.parent_of(position);
        }
        path.reverse();
        path
    }

    /// The newest name that an entry was given, on whatever branch.
    pub fn label(&self, target: &EntryId) -> Option<String> {
        let newest = self
            .entries
            .iter()
            .rev()
            .find_map(|entry| match &entry.body {
                EntryBody::Label { target: of, label } if of == target => Some(label.clone()),
                _ => None,
            });
        newest.flatten()
    }

    /// Number of entries on all branches.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::transcript::Message;

    proptest! {
        /// Whatever follows what, and wherever the leaf is: the branch is the same without a
        /// copy, and from the leaf upwards.
        #[test]
        fn the_active_branch_is_the_path_to_the_leaf(
            parents in prop::collection::vec(prop_oneof![3 => Just(0usize), 1 => 0usize..20], 1..30),
            leaf in 0usize..40,
        ) {
            let mut transcript = Transcript::new();
            for (at, back) in parents.iter().enumerate() {
                // 0 is the entry before; a parent may also be missing.
                let parent = (at > 0 || *back > 5).then(|| (at + 20 - 1).wrapping_sub(*back));
                let entry = Entry {
                    id: EntryId::new(format!("e{}", at + 20)),
                    parent: parent.map(|parent| EntryId::new(format!("e{parent}"))),
                    timestamp: Timestamp(0),
                    body: EntryBody::Message(Arc::new(Message::user_text("hi"))),
                };
                transcript.push(Arc::new(entry)).unwrap();
            }
            transcript.set_leaf(Some(EntryId::new(format!("e{leaf}"))));
            let mut plain = Vec::new();
            let mut at = transcript.leaf().cloned();
            while let Some(entry) = at.as_ref().and_then(|id| transcript.get(id)) {
                plain.push(entry.id.clone());
                at = entry.parent.clone();
            }
            let upwards: Vec<_> = transcript.ancestors().map(|it| it.id.clone()).collect();
            prop_assert_eq!(&upwards, &plain);
            plain.reverse();
            let ids = |branch: &[Arc<Entry>]| branch.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
            prop_assert_eq!(ids(&transcript.branch()), plain.clone());
            prop_assert_eq!(ids(&transcript.active()), plain);
        }
    }
}
