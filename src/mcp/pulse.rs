//! Says that something about the servers has changed: to whoever follows them, at most one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;

/// Changes that come together are told together.
const PAUSE: Duration = Duration::from_millis(100);

/// See the module's description. Clones are the same one.
#[derive(Clone, Default)]
pub(super) struct Pulse {
    /// Whether all is over.
    beat: Arc<watch::Sender<bool>>,
    is_followed: Arc<AtomicBool>,
}

/// Hears of changes.
pub struct ServerChanges(watch::Receiver<bool>);

impl Pulse {
    /// Something has changed.
    pub(super) fn beat(&self) {
        self.beat.send_modify(|_| {});
    }

    /// Nothing changes any more.
    pub(super) fn end(&self) {
        self.beat.send_replace(true);
    }

    /// For the first one who asks.
    pub(super) fn follow(&self) -> Option<ServerChanges> {
        let is_first = !self.is_followed.swap(true, Ordering::Relaxed);
        is_first.then(|| ServerChanges(self.beat.subscribe()))
    }
}

impl ServerChanges {
    /// Waits for the next change; false when there will be none.
    pub async fn next(&mut self) -> bool {
        let is_over = self.0.changed().await.is_err() || *self.0.borrow();
        if !is_over {
            tokio::time::sleep(PAUSE).await;
        }
        !is_over
    }
}
