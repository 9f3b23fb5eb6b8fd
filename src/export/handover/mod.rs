//! A handover: what another agent, or the person who starts it, needs to continue a session.
//!
//! It is a document with an audited summary, the standing rules, open steps and changed files,
//! and the session as the file of the program that takes over. Secrets are taken out of all of
//! it first, and what is lost is listed.

mod document;
mod secrets;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_json::{Value, json};

use self::secrets::without_secrets;
use super::branch::BranchReading;
use super::program::{ExportLoss, NativeExport, NativeSession, ReceiverProgram, SubAgent, native};
use super::title;
use crate::context::audit::LatestAsk;
use crate::context::redact::redact;
use crate::context::rules::RuleBook;
use crate::context::summary::{SourceMessage, SummaryJob, extract};
use crate::session::Header;
use crate::transcript::{
    AuditRecord, DuplicateEntry, Entry, EntryBody, FileLedger, FileState, TodoList, TodoState,
    Transcript,
};

/// Roughly so many bytes are a token, where no ruler of a model is at hand.
const BYTES_PER_TOKEN: usize = 4;

/// A session that is handed over.
#[derive(Clone, Debug, PartialEq)]
pub struct Handover {
    /// For the agent that takes over, and for a person.
    pub document: String,
    /// The session in the form of that program, where it can continue one.
    pub native: Option<NativeSession>,
    /// The facts of the document, for scripts.
    pub facts: HandoverFacts,
}

/// What a handover holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HandoverFacts {
    /// The session's name.
    pub title: String,
    /// Its id and its directory.
    pub session: String,
    /// The directory that it worked in.
    pub cwd: String,
    /// The newest message of the person.
    pub ask: String,
    /// The summary of all of it.
    pub summary: String,
    /// What the audit of the summary found.
    pub audit: AuditRecord,
    /// Active standing rules, word for word.
    pub rules: Vec<String>,
    /// Steps that are not done.
    pub steps: Vec<String>,
    /// Steps that are done.
    pub steps_done: usize,
    /// Changed files, with what became of each.
    pub files: Vec<(String, &'static str)>,
    /// Secrets that were taken out.
    pub secrets_removed: usize,
    /// Sessions of sub-agents that are handed over with it.
    pub sub_agents: usize,
    /// What the session has and the handover lacks.
    pub losses: Vec<ExportLoss>,
}

impl HandoverFacts {
    /// For scripts.
    pub fn json(&self) -> Value {
        let audit = &self.audit;
        let files = self.files.iter();
        let files: Vec<Value> = files
            .map(|(path, state)| json!({ "path": path, "state": state }))
            .collect();
        json!({
            "title": self.title,
            "session": self.session,
            "cwd": self.cwd,
            "ask": self.ask,
            "summary": self.summary,
            "audit": {
                "passed": audit.passed,
                "identifiers": {
                    "found": audit.identifiers_found,
                    "total": audit.identifiers_total,
                    "missing": audit.missing,
                },
                "claims": { "grounded": audit.claims_grounded, "total": audit.claims_total },
            },
            "rules": self.rules,
            "steps": { "open": self.steps, "done": self.steps_done },
            "files": files,
            "secrets_removed": self.secrets_removed,
            "sub_agents": self.sub_agents,
            "losses": self.losses.iter().map(ExportLoss::json).collect::<Vec<_>>(),
        })
    }
}

/// Packs a session and its sub-agents for a program; `None` for one that cannot continue a
/// session of another.
pub fn handover(
    header: &Header,
    transcript: &Transcript,
    agents: &[SubAgent],
    receiver: Option<ReceiverProgram>,
) -> Result<Handover, DuplicateEntry> {
    const IMAGE: &str = "image: handed over as it is, without a search for secrets";
    const AGENT: &str = "session of a sub-agent: only its answer is in the document";
    let clean = without_secrets(transcript)?;
    let (mut images, mut removed) = (clean.images, clean.removed);
    let mut clean_agents = Vec::new();
    for agent in agents.iter().filter(|_| receiver.is_some()) {
        let clean = without_secrets(&agent.transcript)?;
        images += clean.images;
        removed += clean.removed;
        clean_agents.push(SubAgent {
            header: agent.header.clone(),
            transcript: clean.transcript,
        });
    }
    let reading = BranchReading::of(&clean.transcript);
    let native = receiver.map(|receiver| {
        native(NativeExport {
            receiver,
            header,
            transcript: &clean.transcript,
            agents: &clean_agents,
            number: 1,
        })
    });
    let mut losses = native
        .as_ref()
        .map_or_else(Vec::new, |it| it.losses.clone());
    let left_out = agents.len() - clean_agents.len();
    for (what, count) in [(IMAGE, images as u64), (AGENT, left_out as u64)] {
        if count > 0 {
            losses.push(ExportLoss { what, count });
        }
    }
    let (summary, audit) = summary(&reading);
    let steps = TodoList::newest(&reading.entries).unwrap_or_default();
    let rules = RuleBook::of(&clean.transcript);
    let facts = HandoverFacts {
        title: title(&clean.transcript),
        session: header.id.clone(),
        cwd: header.cwd.clone(),
        ask: newest_ask(&reading).map(|it| it.text).unwrap_or_default(),
        summary: redact(&summary).into_owned(),
        audit,
        rules: rules.active().map(|it| it.text.clone()).collect(),
        steps_done: steps.done(),
        steps: open_steps(&steps),
        files: files(&clean.transcript),
        secrets_removed: removed,
        sub_agents: clean_agents.len(),
        losses,
    };
    Ok(Handover {
        document: document::write(&facts, receiver, native.as_ref()),
        native,
        facts,
    })
}

/// The summary of the whole branch: of what its last summary says and of all that came later.
/// No model is asked; code takes it from the messages and audits it.
fn summary(reading: &BranchReading) -> (String, AuditRecord) {
    let in_force = reading.compaction_in_force();
    let from = in_force.map_or(0, |(_, _, place)| place.first_kept);
    let entries = reading.entries.iter().skip(from);
    let messages = entries.filter(|it| !reading.is_undone(&it.id));
    let messages: Vec<SourceMessage> = messages
        .filter_map(|entry| {
            let message = Arc::clone(entry.message()?);
            let tokens = (message.text().len() / BYTES_PER_TOKEN) as u64;
            let entry = entry.id.clone();
            Some(SourceMessage {
                entry,
                message,
                tokens,
            })
        })
        .collect();
    let count = Arc::new(|text: &str| (text.len() / BYTES_PER_TOKEN) as u64);
    let job = SummaryJob {
        previous_summary: in_force.map(|(_, compaction, _)| compaction.summary.clone()),
        ask: newest_ask(reading),
        ..SummaryJob::new(messages, count)
    };
    let result = extract(&job);
    (result.summary, result.audit)
}

fn newest_ask(reading: &BranchReading) -> Option<LatestAsk> {
    let is_ask = |it: &&Arc<Entry>| it.is_typed_by_user() && !reading.is_undone(&it.id);
    let entry = reading.entries.iter().rfind(is_ask)?;
    Some(LatestAsk {
        text: entry.message()?.text(),
        entry: Some(entry.id.clone()),
        in_tail: false,
    })
}

fn open_steps(list: &TodoList) -> Vec<String> {
    let open = list.items.iter().filter(|it| it.state != TodoState::Done);
    open.map(|it| match it.state {
        TodoState::InProgress => format!("{} (begun)", it.text),
        TodoState::Pending | TodoState::Done => it.text.clone(),
    })
    .collect()
}

/// The files that the session left in another state than it found them: those it wrote with a
/// record, and those that its summaries name.
fn files(transcript: &Transcript) -> Vec<(String, &'static str)> {
    let ledger = FileLedger::of(transcript);
    let changed = ledger.files.iter();
    let mut files: Vec<(String, &'static str)> = changed
        .filter(|(_, file)| file.original != file.latest)
        .map(|(path, file)| {
            let state = match (&file.original, &file.latest) {
                (FileState::Absent, _) => "created",
                (_, FileState::Absent) => "deleted",
                _ => "changed",
            };
            (path.clone(), state)
        })
        .collect();
    for entry in transcript.branch() {
        let EntryBody::Compaction(compaction) = &entry.body else {
            continue;
        };
        for path in &compaction.details.appendix.modified_files {
            let is_listed = files.iter().any(|(held, _)| held.ends_with(path.as_str()));
            if !is_listed {
                files.push((path.clone(), "changed"));
            }
        }
    }
    files
}
