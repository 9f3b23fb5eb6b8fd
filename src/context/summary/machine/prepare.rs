//! The preparation of a job before the first request: what must not be said is found, names
//! give way to aliases where that is wanted, and the yardstick for the audit is made.

use crate::context::IdentifierPolicy;
use crate::context::appendix;
use crate::context::audit::language;
use crate::context::audit::{AuditBasis, RuleDemand};
use crate::context::identifiers::{
    self, AliasCover, Aliases, IdentifierSelection, IdentifierSources,
};
use crate::context::summary::{SourceMessage, SummaryJob, serialize, template, untrusted};

/// Cleans the job's texts and says what its summary is checked against. Under the
/// `anonymize` policy nothing in the job names an identifier afterwards.
pub(super) fn basis(job: &mut SummaryJob) -> AuditBasis {
    job.previous_summary = previous_text(job);
    let all = job.replaced();
    let previous = job.previous_summary.as_deref();
    let secrets = serialize::secrets(previous, &all);
    let instructions = untrusted::instructions(job.instructions.as_deref());
    job.instructions = instructions.map(|text| secrets.redact(&text).into_owned());
    let selection = match job.audit.identifier_policy {
        IdentifierPolicy::Off => IdentifierSelection::default(),
        _ => identifiers::select(IdentifierSources {
            messages: &all,
            kept: &job.background.kept,
            previous,
            demands: &job.background.demands,
            secrets: &secrets,
            limits: job.audit.identifier_limits(),
        }),
    };
    let messages = all.iter().map(|m| m.tokens).fold(0, u64::saturating_add);
    let source_tokens = messages.saturating_add(previous.map_or(0, |text| (job.count)(text)));
    let language = language::main_language(&all).filter(|_| !job.extractive);
    let mut basis = AuditBasis {
        headings: template::headings(&job.template),
        identifiers_known: selection.known,
        identifiers_left: selection.left,
        identifiers_fixed: selection.fixed,
        identifiers: selection.identifiers,
        ask: None,
        source_tokens,
        language,
        secrets,
        aliases: Aliases::default(),
        rules: job.kept.rules.clone(),
    };
    if job.audit.identifier_policy == IdentifierPolicy::Anonymize {
        anonymize(job, &mut basis);
    }
    basis.ask.clone_from(&job.ask);
    basis
}

/// The messages that a summary may draw on: those that it replaces and those that stay.
pub(super) fn grounds(job: &SummaryJob) -> Vec<SourceMessage> {
    let replaced = job.messages.iter().chain(&job.turn_prefix);
    replaced.chain(&job.background.kept).cloned().collect()
}

/// The previous summary without its appendix.
pub(super) fn previous_text(job: &SummaryJob) -> Option<String> {
    let previous = job.previous_summary.as_deref();
    previous
        .map(|text| appendix::without(text).trim().to_owned())
        .filter(|text| !text.is_empty())
}

/// Puts aliases in the place of identifiers everywhere in the job. They are numbered by rank.
fn anonymize(job: &mut SummaryJob, basis: &mut AuditBasis) {
    let secrets = &basis.secrets;
    let mut aliases = Aliases::inherit(&job.background.aliases);
    for id in &basis.identifiers {
        aliases.learn(&id.text, secrets);
    }
    for source in job.messages.iter().chain(&job.turn_prefix) {
        aliases.learn_message(&source.message, secrets);
    }
    let ask = job.ask.as_ref().map(|ask| &ask.text);
    let texts = [
        job.previous_summary.as_ref(),
        job.instructions.as_ref(),
        ask,
    ];
    for text in texts.into_iter().flatten() {
        aliases.learn(text, secrets);
    }
    for id in &basis.identifiers {
        aliases.learn(&id.line, secrets);
    }
    for text in texts_beside(job, &basis.rules) {
        aliases.carry(&text, secrets);
    }
    let cover = AliasCover::of(&aliases, secrets);
    basis.identifiers = cover.identifiers(&basis.identifiers);
    for rule in &mut basis.rules {
        rule.text = cover.text(&rule.text);
    }
    for rule in &mut job.background.possible_rules {
        *rule = cover.text(rule);
    }
    for source in job.messages.iter_mut().chain(&mut job.turn_prefix) {
        *source = cover.message(source);
    }
    for text in [&mut job.previous_summary, &mut job.instructions] {
        *text = text.as_ref().map(|text| cover.text(text));
    }
    if let Some(ask) = &mut job.ask {
        ask.text = cover.text(&ask.text);
    }
    basis.aliases = aliases;
}

/// What stands beside the summary in the next request and may name identifiers: the rules, and
/// the lists of files and failures.
fn texts_beside(job: &SummaryJob, rules: &[RuleDemand]) -> Vec<String> {
    let appendix = appendix::accumulate(None, &job.replaced());
    let lists = [
        appendix.failures,
        appendix.read_files,
        appendix.modified_files,
    ];
    let rules = rules.iter().map(|rule| rule.text.clone());
    rules.chain(lists.into_iter().flatten()).collect()
}
