//! The shared parts of the request bodies of all wire formats.

use serde::Serialize;
use serde_json::Value;

/// The message that asks a model to continue where an answer may not end a request.
pub(in crate::provider) const GO_ON: &str = "Go on.";

/// A typed body as JSON, its fields in the order of the type.
pub(in crate::provider) fn json(body: &impl Serialize) -> Value {
    // Only a map whose keys are no texts could fail, and no body has one.
    serde_json::to_value(body).unwrap_or_default()
}
