//! Usage and cost of the session, including what is in no entry of the log yet.

pub(in crate::agent) mod account;
pub(in crate::agent) mod bill;
pub(in crate::agent) mod limit;
pub(in crate::agent) mod spending;

use crate::agent::cost::bill::UnloggedCost;
use crate::agent::setup::AgentSetup;
use crate::transcript::Usage;

/// See the module's description.
#[derive(Default)]
pub(in crate::agent) struct Costs {
    /// Requests that are in no entry yet.
    pub bill: UnloggedCost,
    pub usage: Usage,
    /// Cost of earlier runs of the session, in US dollars.
    pub spent_before_usd: f64,
}

impl Costs {
    /// Nothing yet. What a sub-agent spends counts on the bill of its caller as well.
    pub(in crate::agent) fn of(setup: &AgentSetup) -> Self {
        let caller = setup.child.as_ref().map(|role| role.bill.clone());
        Self {
            bill: UnloggedCost::below(caller),
            ..Self::default()
        }
    }
}
