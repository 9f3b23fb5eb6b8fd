//! What a table of a language has.

/// An action that cannot be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::context::grounding) enum ActionKind {
    /// Made a version run somewhere.
    Deploy,
    /// Made a version public.
    Release,
    /// Made a text or a package public.
    Publish,
    /// Sent commits to a remote.
    Push,
    /// Joined branches.
    Merge,
    /// Deleted or dropped.
    Delete,
    /// Migrated data or a schema.
    Migrate,
    /// Sent or announced a message.
    Send,
    /// Paid, ordered, refunded.
    Pay,
    /// Went back to a former version.
    RollBack,
    /// Ran something on production.
    Execute,
    /// Committed.
    Commit,
    /// Changed what is on production.
    Alter,
    /// Emptied a folder, a table, a disk.
    Empty,
}

/// The words of one language.
pub(super) struct LanguageCues {
    /// Words that are frequent in this language and rare in the others.
    pub common: &'static [&'static str],
    /// Forms that say that an action is done.
    pub done: &'static [(ActionKind, &'static [&'static str])],
    /// Nouns of actions; with [`Self::completed`] they say that it is done.
    pub nouns: &'static [(ActionKind, &'static [&'static str])],
    /// Words that say that something came to a good end.
    pub completed: &'static [&'static str],
    /// Words that deny their clause.
    pub negations: &'static [&'static str],
    /// Words that make their clause a plan, a possibility, an order, a failure or a state
    /// that recurs.
    pub unreal: &'static [&'static str],
    /// Words that make the whole sentence conditional or asked for.
    pub conditional: &'static [&'static str],
    /// Number words from two on.
    pub numbers: &'static [(&'static str, u32)],
    /// Fractions in words, with what follows `a`; after `+` stands what is added to a whole.
    pub fractions: &'static [(&'static str, f64)],
    /// It is written without spaces, or words take endings of any kind: cues are found
    /// inside words.
    pub is_agglutinating: bool,
    /// What denies or plans a verb can stand behind it.
    pub verb_comes_last: bool,
}
