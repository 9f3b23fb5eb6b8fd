//! A summary with the job that it was written for.

use std::time::Duration;

use crate::agent::setup::ModelConnection;
use crate::context::summary::{SummaryJob, SummaryResult};
use crate::transcript::EXTRACTIVE_AUTHOR;

/// A summary that does not count yet.
#[derive(Clone)]
pub(in crate::agent) struct SummaryDraft {
    pub job: SummaryJob,
    pub result: SummaryResult,
    /// `provider/model`, or `extractive`.
    pub model: String,
    pub took: Duration,
    /// Changed by the user.
    pub edited: bool,
}

impl SummaryDraft {
    /// The summary of a job, written by `connection`'s model or, without a model, by code.
    pub(crate) fn new(
        job: SummaryJob,
        result: SummaryResult,
        connection: &ModelConnection,
        took: Duration,
    ) -> Self {
        let model = author(job.extractive || result.degraded, connection);
        Self {
            job,
            result,
            model,
            took,
            edited: false,
        }
    }
}

/// The author, as entries name it.
pub(in crate::agent) fn author(is_extractive: bool, connection: &ModelConnection) -> String {
    if is_extractive {
        EXTRACTIVE_AUTHOR.to_owned()
    } else {
        connection.model.model.to_string()
    }
}
