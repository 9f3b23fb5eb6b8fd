//! A summary with the job that it was written for.

use std::time::Duration;

use crate::agent::setup::ModelConnection;
use crate::context::summary::{EditedSummary, SummaryJob, SummaryResult};
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
        let model = author(result.is_extractive, connection);
        Self {
            job,
            result,
            model,
            took,
            edited: false,
        }
    }

    /// Puts the person's text in the place of the one that was written.
    pub(crate) fn edit(&mut self, edited: EditedSummary) {
        let result = &mut self.result;
        let written = &mut result.written;
        written.text = edited.written;
        if !result.is_extractive {
            written.lacking_percent = edited.lacking_percent.max(written.cut_percent);
            result.degraded = written.is_mostly_by_code();
        }
        result.summary = edited.text;
        result.audit = edited.audit;
        result.findings = edited.findings;
        result.ungrounded = edited.ungrounded;
        result.aliases = edited.aliases;
        result.demands = edited.demands;
        result.mended.extend(edited.mended);
        self.edited = true;
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
