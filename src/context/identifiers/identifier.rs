//! An identifier that a summary must carry over, and how much it was used.

use crate::transcript::{EntryId, IdentifierDemand};

use super::classify::IdentifierKind;
use super::tokens::contains_whole;

/// How an identifier was used, in falling order of weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IdentifierUse {
    /// A person typed it.
    Typed,
    /// It was written or edited.
    Changed,
    /// It was named again after the message that named it first.
    NamedAgain,
    /// A failure told of it.
    Failed,
    /// An answer, the arguments of a call or the previous summary named it once.
    Named,
    /// It occurred in results, or in what a person pasted.
    Seen,
}

/// The most that a summary has to carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdentifierLimits {
    /// Identifiers.
    pub count: usize,
    /// Characters of their list.
    pub chars: usize,
    /// Only the last so many messages are read; `None` reads all.
    pub last_messages: Option<usize>,
}

impl Default for IdentifierLimits {
    fn default() -> Self {
        /// Each with four characters of Markdown they fill the list.
        const MAX_COUNT: usize = 240;
        const MAX_LIST_CHARS: usize = 4_000;
        Self {
            count: MAX_COUNT,
            chars: MAX_LIST_CHARS,
            last_messages: None,
        }
    }
}

/// An identifier that a summary must carry over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// Exactly as it was written: of several spellings of a file the shortest that is
    /// unambiguous and usable.
    pub text: String,
    /// The other spellings that mean the same.
    pub spellings: Vec<String>,
    /// The kind of it.
    pub kind: IdentifierKind,
    /// Its weightiest use.
    pub origin: IdentifierUse,
    /// Messages that name it, those before an earlier summary included.
    pub uses: u64,
    /// The message of its weightiest use; `None` for what an earlier summary had to carry.
    pub entry: Option<EntryId>,
    /// The line there, on one line, at most 200 characters, without secrets and without a
    /// piece of another identifier.
    pub line: String,
    /// The file that a symbol was named with.
    pub file: Option<String>,
    /// What stays beside the summary says it.
    pub is_kept: bool,
    /// Its own name, where the text is an alias.
    pub own_name: Option<String>,
}

impl Identifier {
    /// Whether this identifier, in one of its spellings and as a whole token, is in `summary`.
    /// `folded` is the summary in lower case: hex compares without case.
    pub fn is_in(&self, summary: &str, folded: &str) -> bool {
        if self.kind.ignores_case() {
            return contains_whole(folded, &self.text.to_lowercase());
        }
        let mut spellings = std::iter::once(&self.text).chain(&self.spellings);
        spellings.any(|spelling| contains_whole(summary, spelling))
    }

    /// What the log keeps of it for later summaries.
    pub fn demand(&self) -> IdentifierDemand {
        IdentifierDemand {
            text: self.own_name.as_ref().unwrap_or(&self.text).clone(),
            uses: self.uses,
            is_typed: self.origin == IdentifierUse::Typed,
        }
    }
}
