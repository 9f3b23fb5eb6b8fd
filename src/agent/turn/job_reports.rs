//! Reports background jobs to the front end while they run.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{mpsc, watch};

use crate::agent::protocol::{AgentEvent, TurnEvent};
use crate::tool::Jobs;

/// Between two lists of jobs while they print.
const LIST_INTERVAL: Duration = Duration::from_millis(200);

/// Reports the state of jobs whenever it changes, until they or the listener are gone.
pub(in crate::agent) fn report(jobs: &Arc<Jobs>, events: mpsc::Sender<AgentEvent>) {
    let changes = jobs.changes();
    tokio::spawn(report_changes(Arc::downgrade(jobs), changes, events));
}

async fn report_changes(
    jobs: Weak<Jobs>,
    mut changes: watch::Receiver<u64>,
    events: mpsc::Sender<AgentEvent>,
) {
    while changes.changed().await.is_ok() {
        let Some(list) = jobs.upgrade().map(|jobs| jobs.list()) else {
            return;
        };
        if events
            .send(AgentEvent::Turn(TurnEvent::Jobs(list)))
            .await
            .is_err()
        {
            return;
        }
        tokio::time::sleep(LIST_INTERVAL).await;
    }
}
