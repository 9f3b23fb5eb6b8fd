//! Screens to read: the context as a ledger, one item of it, the compactions, what
//! their audits found, the request, the
//! help, tables of facts, and any text. They change nothing in the log but what the ledger
//! and the list of compactions ask of the agent.

pub mod agent;
mod bar;
pub(super) mod facts;
pub(super) mod findings;
pub mod help;
pub mod item;
pub mod ledger;
pub mod legend;
pub mod summaries;
pub mod tables;
pub mod text;
pub mod wire;
