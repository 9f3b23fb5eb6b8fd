//! Providers: the only place that speaks HTTP to a model.
//!
//! Wire types are private to each format's folder; the rest of the program sees
//! [`CompletionRequest`](crate::transcript::CompletionRequest), [`StreamEvent`] and
//! [`ProviderError`].
//!
//! [`choose()`] picks a model, [`Registry`] finds its endpoint and key, a [`Provider`]
//! encodes and streams. The folders:
//!
//! - `registry`: the table of providers (`rows`), the endpoints of a run, questions to them
//! - `anthropic`, `openai` (chat completions), `responses`, `gemini`: one wire format each,
//!   an encoder and a decoder without I/O; `protocol` has what they share
//! - `offline`: the embedded provider
//! - `http`: requests, answers, timeouts, cancellation; `overflow` says what a refusal means
//! - `catalogue`: what is known about models, and what a request costs
//! - `keys`: where a key comes from; no error carries one
//! - `choose`: which model a run begins with, and servers on this machine

mod anthropic;
mod catalogue;
mod choose;
mod error;
mod event;
mod gemini;
mod http;
mod keys;
mod offline;
mod openai;
mod overflow;
mod protocol;
mod registry;
mod responses;
mod service;
mod settings;
#[cfg(test)]
mod testing;

pub use catalogue::Catalogue;
pub use catalogue::cost::priced;
pub use catalogue::lifecycle::{LifecycleStage, LifecycleState, ModelLifecycle};
pub use catalogue::listing::{ListedModel, ModelLists};
pub use catalogue::models_dev::read_models_dev;
pub use catalogue::named_limits::{NamedLimit, forget_limits, keep_limit, read_limits};
pub use catalogue::record::{FactSource, ModelRecord};
pub use catalogue::refresh::{check_refreshed, read_refreshed};
pub use catalogue::snapshot::{
    LongRow, SOURCE as MODELS_DEV, Snapshot, SnapshotAbility, SnapshotHead, SnapshotModel,
    embedded_snapshot, write_snapshot,
};
pub use catalogue::user_model::DescribedModel;
pub use choose::server_kind::{LocalModel, ServerKind, WANTED_WINDOW_TOKENS};
pub use choose::{Choice, ModelWish, choose};
pub use error::ProviderError;
pub use event::StreamEvent;
pub use http::address::{Address, shown as shown_url};
pub use http::client::{DEFAULT_STALL, HttpClient, has_system_roots};
pub use http::pages::{FetchedPage, PageClient};
pub use http::servers::{RefusedRedirect, ServerClients, ServerRedirects};
pub use keys::keyring::{Keyring, KeyringError};
pub use offline::{COMMANDS, Command, Offline};
pub use protocol::reader::AnswerReader;
pub use protocol::request_fields::RequestFields;
pub(crate) use protocol::wire_ids::wire_name;
pub use protocol::{Api, Protocol};
pub use registry::environment::Environment;
pub use registry::key_origin::KeyOrigin;
pub use registry::models_dev::is_catalogue_refresh_due;
pub use registry::readiness::{AvailableModel, Readiness};
pub use registry::report::EndpointReport;
pub use registry::{Registry, small_model};
pub use service::{AnswerStream, Provider};
pub use settings::{ProviderSettings, Roots, Timeouts, Trust};
