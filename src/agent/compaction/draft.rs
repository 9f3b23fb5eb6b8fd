//! A summary with the job that it was written for.

use std::collections::HashSet;
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
        // What was repaired in a text that nobody kept is said of no text.
        if !shares_a_line(&result.summary, &edited.text) {
            result.mended.clear();
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

/// Whether a text has a line of another, headings aside.
fn shares_a_line(draft: &str, text: &str) -> bool {
    let is_told = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let kept: HashSet<&str> = text.lines().map(str::trim).filter(is_told).collect();
    let mut lines = draft.lines().map(str::trim).filter(is_told);
    lines.any(|line| kept.contains(line))
}

/// The author, as entries name it.
pub(in crate::agent) fn author(is_extractive: bool, connection: &ModelConnection) -> String {
    if is_extractive {
        EXTRACTIVE_AUTHOR.to_owned()
    } else {
        connection.model.model.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_written_anew_has_no_repairs_of_the_one_before() {
        let draft = "## Goal\n- mend the parser\n## Next Steps\n(none)\n";
        assert!(shares_a_line(
            draft,
            "## Goal\n- mend the parser\n- and the lexer\n"
        ));
        assert!(!shares_a_line(
            draft,
            "## Goal\n- write it anew\n## Next Steps\n- all\n"
        ));
    }
}
