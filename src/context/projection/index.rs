//! Positions of items that guard, pruning, media ageing and the tail look for, kept while
//! the list grows so that none of them searches it.

use rpds::VectorSync;

use crate::context::view::{Category, Role, ViewItem};

/// Positions in the list of items.
#[derive(Clone, Debug)]
pub(crate) struct ItemIndex {
    /// Items with attachments.
    pub media: VectorSync<usize>,
    /// Assistant items.
    pub answers: VectorSync<usize>,
    /// The first user message that is not a summary.
    pub first_user: Option<usize>,
    /// The newest message that opens a turn.
    pub newest_ask: Option<usize>,
    /// The newest summary.
    pub newest_summary: Option<usize>,
}

impl Default for ItemIndex {
    fn default() -> Self {
        Self {
            media: VectorSync::new_sync(),
            answers: VectorSync::new_sync(),
            first_user: None,
            newest_ask: None,
            newest_summary: None,
        }
    }
}

impl ItemIndex {
    /// Notes an item that is appended at a position.
    pub(crate) fn note(&mut self, at: usize, item: &ViewItem) {
        match item.role {
            Role::Assistant => self.answers.push_back_mut(at),
            Role::User if !matches!(item.category, Category::Summary | Category::Rules) => {
                self.first_user.get_or_insert(at);
            }
            Role::User if item.entry.is_some() => self.newest_summary = Some(at),
            _ => {}
        }
        if item.is_ask() {
            self.newest_ask = Some(at);
        }
        let sent = item.sent.as_ref();
        if sent.is_some_and(|message| message.images().next().is_some()) {
            self.media.push_back_mut(at);
        }
    }
}
