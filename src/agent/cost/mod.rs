//! Usage and cost of the session, including what is in no entry of the log yet.

pub(in crate::agent) mod account;
pub(in crate::agent) mod bill;
pub(in crate::agent) mod limit;
pub(in crate::agent) mod spending;

use crate::agent::cost::bill::UnloggedCost;
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
