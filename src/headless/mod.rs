//! The agent without a screen: the same events, written as text or JSON.
//!
//! Reading order: `context` (a view as JSON), `event` (an event as JSON), `outcome` (the
//! last object), `sink` (who writes what where), `run` (one message from start to end).
//! `schema` says what the lines look like. Nothing here waits for an answer of a person.

mod compaction;
mod context;
mod event;
mod outcome;
mod run;
mod schema;
mod sink;

pub use compaction::{
    UnwrittenCompaction, check_json, compaction_json, planned_json, unchanged_json,
};
pub use context::{ContextLabels, context_json, view_json};
pub use event::EventWriter;
pub use outcome::{Outcome, usage_json};
pub use run::{RunEnd, RunPrompt, run};
pub use schema::{events_markdown, events_schema};
pub use sink::{JsonSink, Sink, StreamSink, TextSink, write_json_line};
