//! An index that holds its sources: many texts are looked up in a conversation that is read once.

use self_cell::self_cell;

use crate::context::summary::SourceMessage;

use super::index::SourceIndex;

/// What [`GroundingSources`](super::GroundingSources) borrows.
#[derive(Clone, Debug, Default)]
pub struct OwnedSources {
    /// The messages that the summary replaces, and the kept ones after them.
    pub messages: Vec<SourceMessage>,
    /// The stored summary of what came before.
    pub previous: Option<String>,
    /// Rules, surroundings, instructions: texts without a message.
    pub texts: Vec<String>,
}

self_cell! {
    struct IndexedSources {
        owner: OwnedSources,
        #[covariant]
        dependent: SourceIndex,
    }
}

/// The index of sources that it holds.
pub struct OwnedSourceIndex(IndexedSources);

impl OwnedSourceIndex {
    /// Reads the sources once. Linear in their text.
    pub fn of(sources: OwnedSources) -> Self {
        Self(IndexedSources::new(sources, |sources| {
            let previous = sources.previous.as_deref();
            let texts = sources.texts.iter().map(String::as_str);
            SourceIndex::of_texts(&sources.messages, previous, texts)
        }))
    }

    /// The index.
    pub fn get(&self) -> &SourceIndex<'_> {
        self.0.borrow_dependent()
    }
}
