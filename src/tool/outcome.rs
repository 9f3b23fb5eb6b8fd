//! The answer of a call, or the reason why it could not run.

use serde_json::Value;

use crate::transcript::Part;

/// The answer of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutcome {
    /// The content for the model.
    pub content: Vec<Part>,
    /// Whether it failed.
    pub is_error: bool,
    /// For the UI only: `{"diff", "path", "added", "removed"}`, `{"exitCode"}`,
    /// `{"lines"}`, `{"matches"}`, `{"durationMs"}` where they apply.
    pub details: Option<Value>,
}

/// Why a call cannot be run. The text is for the model and the user alike.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub String);

impl ToolOutcome {
    /// A good answer of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![Part::Text(text.into())],
            is_error: false,
            details: None,
        }
    }

    /// A failure, in words for the model.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }

    /// The outcome with data for the UI.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }
}

impl From<Result<ToolOutcome, ToolError>> for ToolOutcome {
    fn from(result: Result<ToolOutcome, ToolError>) -> Self {
        result.unwrap_or_else(|error| Self::error(error.0))
    }
}

/// Runs the body of a tool that reads and writes files where it does not hold up the
/// event loop. The body has to watch the job's cancellation itself when it can take long.
pub(super) async fn run_blocking(
    body: impl FnOnce() -> Result<ToolOutcome, ToolError> + Send + 'static,
) -> ToolOutcome {
    match tokio::task::spawn_blocking(body).await {
        Ok(result) => result.into(),
        Err(error) => ToolOutcome::error(format!("The tool broke down: {error}.")),
    }
}
