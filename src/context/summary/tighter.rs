//! The extractive summary within a budget: for a view that a summary of the usual length would
//! not make smaller.

use super::{SummaryJob, SummaryResult, WrittenText, document, machine, template};

/// Writes it with at most `max_chars` characters, checked like any other text.
pub fn extract_within(job: &SummaryJob, max_chars: usize) -> SummaryResult {
    let whole = machine::extract(job);
    let headings = template::headings(&job.template);
    let text = document::trim_by_section(&whole.summary, &headings, max_chars);
    let checked = machine::reaudit(job, &text);
    SummaryResult {
        written: WrittenText::whole(checked.text.clone()),
        summary: checked.text,
        audit: checked.audit,
        findings: checked.findings,
        aliases: checked.aliases,
        ..whole
    }
}
