//! The channels to one agent.

use std::collections::VecDeque;

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::agent::{AgentEvent, Op};

/// The agent is gone: nothing that is sent arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AgentGone;

/// The channels to one agent.
pub(super) struct AgentLink {
    pub ops: mpsc::Sender<Op>,
    /// Ops that the bounded channel had no room for: the screen never waits for the agent.
    pub backlog: VecDeque<Op>,
    pub events: mpsc::Receiver<AgentEvent>,
}

impl AgentLink {
    pub(super) fn new(ops: mpsc::Sender<Op>, events: mpsc::Receiver<AgentEvent>) -> Self {
        Self {
            ops,
            backlog: VecDeque::new(),
            events,
        }
    }

    /// Sends an op, or keeps it until there is room; the order stays.
    pub(super) fn send(&mut self, op: Op) -> Result<(), AgentGone> {
        if !self.backlog.is_empty() {
            self.backlog.push_back(op);
            return Ok(());
        }
        match self.ops.try_send(op) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(op)) => {
                self.backlog.push_back(op);
                Ok(())
            }
            Err(TrySendError::Closed(_)) => Err(AgentGone),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::TurnOp;

    #[test]
    fn what_has_no_room_waits_in_order() {
        let (ops, mut sent) = mpsc::channel(1);
        let (_events, events) = mpsc::channel(1);
        let mut link = AgentLink::new(ops, events);
        let unqueue = |id| Op::Turn(TurnOp::Unqueue { id });
        for id in 1..=3 {
            link.send(unqueue(id)).unwrap();
        }
        assert_eq!(sent.try_recv().unwrap(), unqueue(1));
        assert_eq!(link.send(unqueue(4)), Ok(()));
        assert_eq!(link.backlog, [unqueue(2), unqueue(3), unqueue(4)]);
        link.backlog.clear();
        drop(sent);
        assert_eq!(link.send(unqueue(5)), Err(AgentGone));
    }
}
