//! Which compactions of a session count. Every list of them says the same, whether it
//! is made from the log or from what was published of it.

use std::collections::HashSet;

use super::{Compaction, Decision, Entry, EntryBody, EntryId};

/// Whether a compaction counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompactionStanding {
    /// Its summary is in the view.
    InForce,
    /// A later one took its place.
    Superseded,
    /// The user took it back.
    Undone,
    /// The branch was moved away from it.
    Elsewhere,
}

impl CompactionStanding {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::InForce => "in force",
            Self::Superseded => "superseded",
            Self::Undone => "undone",
            Self::Elsewhere => "on another branch",
        }
    }

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Self::InForce => "active",
            Self::Superseded => "replaced",
            Self::Undone | Self::Elsewhere => self.name(),
        }
    }

    /// The compactions among `entries`, which are in file order, on whatever branch. What
    /// was undone on another branch counts on this one.
    pub fn of_all<'a>(
        entries: &[&'a Entry],
        is_on_branch: impl Fn(&EntryId) -> bool,
    ) -> Vec<(&'a Entry, &'a Compaction, Self)> {
        let mut undone = HashSet::new();
        let mut undone_elsewhere = HashSet::new();
        // An undo that was undone takes nothing back: the newest is read first.
        for entry in entries.iter().rev() {
            if let EntryBody::Decision(Decision::Undo { target }) = &entry.body {
                let taken_back = if is_on_branch(&entry.id) {
                    &mut undone
                } else {
                    &mut undone_elsewhere
                };
                if !taken_back.contains(&entry.id) {
                    taken_back.insert(target);
                }
            }
        }
        let standing = |id: &EntryId| {
            let is_here = is_on_branch(id);
            if undone.contains(id) || !is_here && undone_elsewhere.contains(id) {
                Self::Undone
            } else if is_here {
                Self::Superseded
            } else {
                Self::Elsewhere
            }
        };
        let mut out: Vec<(&'a Entry, &'a Compaction, Self)> = entries
            .iter()
            .filter_map(|entry| match &entry.body {
                EntryBody::Compaction(compaction) => {
                    Some((*entry, compaction.as_ref(), standing(&entry.id)))
                }
                _ => None,
            })
            .collect();
        if let Some((.., newest)) = out
            .iter_mut()
            .rev()
            .find(|(.., standing)| *standing == Self::Superseded)
        {
            *newest = Self::InForce;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::entry;
    use super::*;

    #[test]
    fn what_counts_is_decided_by_the_branch() {
        let compaction = |id| entry(id, EntryBody::Compaction(Box::default()));
        let undo = |id, target: &str| {
            let target = EntryId::new(target);
            entry(id, EntryBody::Decision(Decision::Undo { target }))
        };
        let entries = [
            compaction("old"),
            compaction("new"),
            undo("aside-1", "new"),
            compaction("aside-2"),
            compaction("left"),
            undo("u", "left"),
            compaction("aside-3"),
            undo("aside-4", "aside-3"),
        ];
        let entries: Vec<&Entry> = entries.iter().collect();
        // `left` was the leaf when it was undone: the branch moved to its parent.
        let is_on_branch =
            |id: &EntryId| !id.as_str().starts_with("aside") && id.as_str() != "left";
        let found: Vec<(&str, &str)> = CompactionStanding::of_all(&entries, is_on_branch)
            .iter()
            .map(|(entry, _, standing)| (entry.id.as_str(), standing.words()))
            .collect();
        assert_eq!(
            found,
            [
                ("old", "replaced"),
                ("new", "active"),
                ("aside-2", "on another branch"),
                ("left", "undone"),
                ("aside-3", "undone"),
            ]
        );
    }

    #[test]
    fn an_undo_that_was_undone_takes_nothing_back() {
        let mut entries = vec![entry("c", EntryBody::Compaction(Box::default()))];
        let mut target = "c";
        for (id, words) in [
            ("u1", "undone"),
            ("u2", "active"),
            ("u3", "undone"),
            ("u4", "active"),
        ] {
            let undo = Decision::Undo {
                target: EntryId::new(target),
            };
            entries.push(entry(id, EntryBody::Decision(undo)));
            target = id;
            for is_here in [true, false] {
                let all: Vec<&Entry> = entries.iter().collect();
                let found = CompactionStanding::of_all(&all, |_| is_here);
                let words = if is_here || words == "undone" {
                    words
                } else {
                    "on another branch"
                };
                assert_eq!(found[0].2.words(), words, "{id} {is_here}");
            }
        }
    }
}
