//! The state of an agent: one session, in parts.

use std::sync::Arc;
use std::time::Duration;

use crate::agent::children::Children;
use crate::agent::compaction::state::Compactor;
use crate::agent::cost::Costs;
use crate::agent::hooks::HookState;
use crate::agent::mailbox::{EventSender, Mailbox};
use crate::agent::model::ActiveModel;
use crate::agent::sessions::title::TitleWork;
use crate::agent::setup::AgentSetup;
use crate::agent::thread::Thread;
use crate::agent::toolbox::Toolbox;

/// Between two views while an answer streams: ten a second move the gauge smoothly.
pub(in crate::agent) const VIEW_INTERVAL: Duration = Duration::from_millis(100);

/// Owns all state of a session. Flows that wait (a turn, a compaction, a batch of tool
/// calls) borrow it.
pub(in crate::agent) struct Actor {
    pub setup: Arc<AgentSetup>,
    pub events: EventSender,
    pub mailbox: Mailbox,
    pub thread: Thread,
    pub model: ActiveModel,
    pub toolbox: Toolbox,
    pub compactor: Compactor,
    pub costs: Costs,
    pub children: Children,
    pub hooks: HookState,
    pub title: TitleWork,
    /// The list of sessions that was asked for last was of all directories.
    pub listed_all: bool,
}
