//! The state of the files around a conversation: the store of checkpoints, and when they were
//! looked at.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::task::JoinHandle;

use crate::agent::thread::conversation::Conversation;
use crate::checkpoint::{ContentStore, FileWatch, MEGABYTE};
use crate::config::AgentSettings;
use crate::session::outputs_folder;

/// The state of watching files.
#[derive(Debug, Default)]
pub(in crate::agent) struct FileScan {
    /// The first look, in the background.
    pub first: Option<JoinHandle<()>>,
    pub has_begun: bool,
    /// It was said that what commands change is not known here.
    pub is_unseen_told: bool,
    /// Jobs whose end was followed by a look.
    pub ended: BTreeSet<u64>,
}

/// Watches over the files of a conversation. What cannot be written beside its log is kept
/// as long as the program runs.
pub(in crate::agent) fn watch(
    conversation: &Conversation,
    cwd: &Path,
    agent: &AgentSettings,
) -> Arc<FileWatch> {
    let room = room_bytes(agent);
    let store = match conversation.path() {
        Some(path) if conversation.read_only().is_none() => {
            ContentStore::beside(&outputs_folder(&path), room)
        }
        _ => ContentStore::temporary(room),
    };
    Arc::new(FileWatch::new(store, &roots(cwd, agent)))
}

pub(crate) fn room_bytes(agent: &AgentSettings) -> u64 {
    agent.tools.checkpoint_mb.saturating_mul(MEGABYTE)
}

/// The folders whose files are watched.
pub(crate) fn roots(cwd: &Path, agent: &AgentSettings) -> Vec<PathBuf> {
    let extra = agent.tools.extra_dirs.iter().map(|dir| cwd.join(dir));
    std::iter::once(cwd.to_owned()).chain(extra).collect()
}
