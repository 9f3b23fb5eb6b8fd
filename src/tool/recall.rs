//! The `recall` tool: gives a model back what is no longer in its context. What it may have
//! is decided by whoever owns the conversation; here are the arguments and their checks.

use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::arguments::{ArgumentRow, CallArguments, CountArgument, OptionalText, object_schema};
use super::interface::{Effect, Tool};
use super::outcome::{ToolError, ToolOutcome, run_blocking};
use super::plan::Plan;
use super::recall_source::{RecallRequest, RecallSource};
use super::scope::{ToolJob, ToolScope};
use crate::transcript::ToolSchema;

/// The tool's name.
const NAME: &str = "recall";
/// Hits of a search that names no number,
const DEFAULT_HITS: u64 = 5;
/// and at most.
const MAX_HITS: u64 = 10;
/// Characters of a query.
const MAX_QUERY_CHARS: usize = 500;

static ID: OptionalText = OptionalText::new("id", "An address, e.g. r41.");
static OFFSET: CountArgument = CountArgument::new(
    "offset",
    1..=u64::MAX,
    1,
    "With `id`: the first line to return.",
);
static QUERY: OptionalText = OptionalText::new(
    "query",
    "Instead of `id`: names, paths or words to search for.",
);
static K: CountArgument = CountArgument::new(
    "k",
    1..=MAX_HITS,
    DEFAULT_HITS,
    "With `query`: hits at most.",
);

const ROWS: [&dyn ArgumentRow; 4] = [&ID, &OFFSET, &QUERY, &K];

impl RecallRequest {
    /// What the arguments of a call ask for.
    pub fn parse(arguments: &Map<String, Value>) -> Result<Self, ToolError> {
        let given = CallArguments::new(NAME, &ROWS, arguments)?;
        let text = |row| -> Result<Option<String>, ToolError> {
            let text = given.optional_text(row)?.map(|text| text.trim().to_owned());
            Ok(text.filter(|text| !text.is_empty()))
        };
        let offset = given.count(&OFFSET)? as usize;
        let hits = given.count(&K)? as usize;
        match (text(&ID)?, text(&QUERY)?) {
            (Some(id), None) => Ok(Self::Entry { id, offset }),
            (None, Some(query)) => Ok(Self::Search {
                query: query.chars().take(MAX_QUERY_CHARS).collect(),
                hits,
            }),
            (Some(_), Some(_)) => Err(ToolError(
                "recall: give either `id` or `query`, not both.".to_owned(),
            )),
            (None, None) => Err(ToolError(
                "recall: give an `id` such as r41, or a `query` to search for.".to_owned(),
            )),
        }
    }

    fn title(&self) -> String {
        match self {
            Self::Entry { id, offset: 1 } => id.clone(),
            Self::Entry { id, offset } => format!("{id} from line {offset}"),
            Self::Search { query, .. } => {
                format!(
                    "“{}”",
                    query.split_whitespace().collect::<Vec<_>>().join(" ")
                )
            }
        }
    }
}

/// Gives back what is no longer in the context.
#[derive(Clone, Copy, Debug)]
pub struct RecallTool;

impl Tool for RecallTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: NAME.to_owned(),
            description: "Returns earlier parts of this conversation that are no longer in the \
                context: cut tool results and messages that a summary replaced. An address such \
                as r41 stands where something was cut; a query searches everything. Use it \
                instead of guessing, and before running a tool again for what it printed."
                .to_owned(),
            parameters: object_schema(&ROWS),
        }
    }

    fn effect(&self) -> Effect {
        Effect::Read
    }

    fn plan(&self, arguments: &Map<String, Value>, _: &ToolScope) -> Result<Plan, ToolError> {
        let title = RecallRequest::parse(arguments)?.title();
        Ok(Plan {
            pattern: globset::escape(&title),
            title,
            ..Plan::default()
        })
    }

    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(run_blocking(move || {
            let request = RecallRequest::parse(&arguments)?;
            let source: Arc<dyn RecallSource> = job.recall.ok_or_else(|| {
                ToolError("recall: there is no conversation to recall from.".to_owned())
            })?;
            Ok(source.answer(&request))
        }))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tool::test_scope::{TestScope, object, text};

    #[test]
    fn a_call_asks_for_an_entry_or_a_search() {
        let parsed = |value| RecallRequest::parse(&object(value)).map_err(|error| error.0);
        assert_eq!(
            parsed(json!({"id": " r41 ", "offset": "7"})),
            Ok(RecallRequest::Entry {
                id: "r41".to_owned(),
                offset: 7
            })
        );
        assert_eq!(
            parsed(json!({"query": "token cache", "id": "", "k": 3})),
            Ok(RecallRequest::Search {
                query: "token cache".to_owned(),
                hits: 3
            })
        );
        for (value, complaint) in [
            (json!({}), "give an `id`"),
            (json!({"id": "r1", "query": "x"}), "not both"),
            (json!({"query": "x", "k": 99}), "`k`"),
            (json!({"ids": "r1"}), "`id`"),
        ] {
            let error = parsed(value).unwrap_err();
            assert!(error.contains(complaint), "{error}");
        }
    }

    #[test]
    fn a_card_names_what_is_asked_for() {
        let scope = TestScope::new();
        let title = |value| scope.plan(&RecallTool, value).unwrap().title;
        assert_eq!(title(json!({"id": "r4"})), "r4");
        assert_eq!(title(json!({"id": "r4", "offset": 9})), "r4 from line 9");
        assert_eq!(title(json!({"query": "a\n b"})), "“a b”");
    }

    #[tokio::test]
    async fn without_a_conversation_there_is_nothing() {
        let scope = TestScope::new();
        let outcome = scope.run(&RecallTool, json!({"id": "r1"})).await;
        assert!(outcome.is_error && text(&outcome).contains("no conversation"));
    }
}
