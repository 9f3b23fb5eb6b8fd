//! The preparation of a job before the first request: what must not be said is found, names
//! give way to aliases where that is wanted, and the yardstick for the audit is made.

use crate::context::IdentifierPolicy;
use crate::context::appendix;
use crate::context::audit::AuditBasis;
use crate::context::audit::language;
use crate::context::identifiers::{self, Aliases};
use crate::context::summary::{SummaryJob, serialize, template, untrusted};

/// Cleans the job's texts and says what its summary is checked against. Under the
/// `anonymize` policy nothing in the job names an identifier afterwards.
pub(super) fn basis(job: &mut SummaryJob) -> AuditBasis {
    let previous = job.previous_summary.take();
    job.previous_summary = previous
        .map(|text| appendix::without(&text).trim().to_owned())
        .filter(|text| !text.is_empty());
    let all = job.messages.iter().chain(&job.turn_prefix);
    let all: Vec<_> = all.cloned().collect();
    let previous = job.previous_summary.as_deref();
    let secrets = serialize::secrets(previous, &all);
    let instructions = untrusted::instructions(job.instructions.as_deref());
    job.instructions = instructions.map(|text| secrets.redact(&text).into_owned());
    let mut identifiers = match job.audit.identifier_policy {
        IdentifierPolicy::Off => Vec::new(),
        _ => identifiers::select(previous, &all, &secrets),
    };
    let messages = all.iter().map(|m| m.tokens).fold(0, u64::saturating_add);
    let source_tokens = messages.saturating_add(previous.map_or(0, |text| (job.count)(text)));
    let language = language::main_language(&all).filter(|_| !job.extractive);
    let mut aliases = Aliases::default();
    if job.audit.identifier_policy == IdentifierPolicy::Anonymize {
        aliases = Aliases::inherit(&job.previous_aliases);
        identifiers = aliases.cover(&identifiers, &secrets);
        for source in job.messages.iter_mut().chain(&mut job.turn_prefix) {
            *source = aliases.cover_message(source, &secrets);
        }
        for text in [&mut job.previous_summary, &mut job.instructions] {
            *text = text.as_ref().map(|text| aliases.replace(text, &secrets));
        }
        if let Some(ask) = &mut job.ask {
            ask.text = aliases.replace(&ask.text, &secrets);
        }
    }
    AuditBasis {
        headings: template::headings(&job.template),
        identifiers,
        ask: job.ask.clone(),
        source_tokens,
        language,
        secrets,
        aliases,
    }
}
