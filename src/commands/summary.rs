//! `plim summary`: every compaction of a session, whether or not it still counts, and
//! the difference between any two.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use plimsoll::cli::SummaryArgs;
use plimsoll::context::diff;
use plimsoll::foreign;
use plimsoll::headless::check_json;
use plimsoll::session::to_rfc3339;
use plimsoll::transcript::{Compaction, CompactionStanding, Entry, EntryId, Transcript};
use serde_json::{Value, json};

use crate::launch::ExitFailure;

use super::output::{CommandResult, put, put_json};
use super::setup::CommandSetup;
use plimsoll::transcript::grouped;

/// `plim summary`
pub fn summary(args: &SummaryArgs, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.session_to_read(at.common, &args.session)?;
    let loaded = foreign::load(&path)?;
    let rows = compactions(&loaded.transcript);
    if let Some([a, b]) = args.diff.as_deref() {
        let (left, right) = (named(&rows, a)?, named(&rows, b)?);
        let [older, newer] = [left, right].map(|row| row.compaction.summary.as_str());
        let text = diff::unified_text(older, newer);
        if args.json {
            let ids = [left, right].map(|row| row.entry.id.as_str());
            return put_json(&json!({"entries": ids, "diff": text}));
        }
        return put(&text);
    }
    if args.json {
        let rows: Vec<Value> = rows.iter().map(SummaryRow::json).collect();
        return put_json(&Value::Array(rows));
    }
    if rows.is_empty() {
        return put("no compactions in this session yet\n");
    }
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        row.text(&mut out, index + 1);
    }
    put(&out)
}

pub(super) struct SummaryRow<'a> {
    pub(super) entry: &'a Entry,
    pub(super) compaction: &'a Compaction,
    pub(super) state: CompactionStanding,
}

/// The compactions of a session, in file order.
pub(super) fn compactions(transcript: &Transcript) -> Vec<SummaryRow<'_>> {
    let branch = transcript.branch();
    let branch: BTreeSet<&EntryId> = branch.iter().map(|entry| &entry.id).collect();
    let entries = transcript.entries().iter().map(AsRef::as_ref);
    let entries: Vec<&Entry> = entries.collect();
    CompactionStanding::of_all(&entries, |id| branch.contains(id))
        .into_iter()
        .map(|(entry, compaction, state)| SummaryRow {
            entry,
            compaction,
            state,
        })
        .collect()
}

/// The compaction with this number, id or beginning of an id.
pub(super) fn named<'a>(
    rows: &'a [SummaryRow<'a>],
    name: &str,
) -> Result<&'a SummaryRow<'a>, ExitFailure> {
    let bare = name.trim_start_matches('#');
    // Ids begin with digits too: a number in the list's range is a number.
    let numbered = bare
        .parse::<usize>()
        .ok()
        .and_then(|number| rows.get(number.checked_sub(1)?));
    // `#9` is the ninth, not whatever id begins like it.
    let is_number = name.starts_with('#') && bare.bytes().all(|b| b.is_ascii_digit());
    let by_id = || {
        let mut found = rows.iter().filter(|row| {
            let id = row.entry.id.as_str();
            id == bare || !bare.is_empty() && !is_number && id.starts_with(bare)
        });
        found.next().filter(|_| found.next().is_none())
    };
    numbered.or_else(by_id).ok_or_else(|| {
        ExitFailure::failed(format!(
            "no compaction {name:?}: this session has {}",
            rows.len()
        ))
        .with_hint("`plim summary` lists them with their numbers")
    })
}

/// The aliases of a summary with their meaning, as an object.
fn aliases_json(aliases: &[(String, String)]) -> Value {
    let members = aliases.iter().cloned();
    members
        .map(|(alias, name)| (alias, Value::from(name)))
        .collect()
}

impl SummaryRow<'_> {
    fn json(&self) -> Value {
        let details = &self.compaction.details;
        let mut out = json!({
            "entry": self.entry.id.as_str(),
            "timestamp": to_rfc3339(self.entry.timestamp),
            "state": self.state.name(),
            "trigger": details.cause.trigger.name(),
            "model": details.model,
            "tokens_before": self.compaction.tokens_before,
            "tokens_after": details.tokens_after,
            "ruler": details.ruler,
            "summarized": details.summarized_messages,
            "first_kept": self.compaction.first_kept.as_ref().map(EntryId::as_str),
            "engine_reason": details.cause.engine_reason,
            "passed": details.check.audit.as_ref().map(|audit| audit.passed),
            "edited": details.edited,
            "degraded": details.degraded,
            "label": details.author_label(),
            "summary": self.compaction.summary,
            "aliases": aliases_json(&details.aliases),
        });
        if let Value::Object(members) = &mut out {
            members.extend(check_json(&details.check));
        }
        out
    }

    fn text(&self, out: &mut String, number: usize) {
        let details = &self.compaction.details;
        let _ = writeln!(
            out,
            "#{number}  {}  {}  {}  {} → {} tokens, {} messages, by {}{}  [{}]",
            self.entry.id,
            to_rfc3339(self.entry.timestamp),
            details.cause.trigger.name(),
            grouped(self.compaction.tokens_before),
            grouped(details.tokens_after),
            details.summarized_messages,
            details.model,
            if details.edited {
                ", edited by you"
            } else {
                ""
            },
            self.state.words(),
        );
        for label in details
            .author_label()
            .into_iter()
            .chain(details.cut_label())
        {
            let _ = writeln!(out, "{label}");
        }
        let _ = writeln!(out, "audit: {}", details.check.in_words());
        for detail in details.check.details() {
            let _ = writeln!(out, "  {}", detail.text);
        }
        let _ = writeln!(out, "\n{}\n", self.compaction.summary.trim_end());
        if !details.aliases.is_empty() {
            let _ = writeln!(out, "Aliases (stored with the summary, not sent)");
            for (alias, name) in &details.aliases {
                let _ = writeln!(out, "{alias} = {name}");
            }
            out.push('\n');
        }
    }
}
