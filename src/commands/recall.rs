//! `plim recall`: a search over everything that a session said, and the original of one entry.
//! The user may see all of it; what the model may not recall is marked.

use std::fmt::Write as _;

use plimsoll::agent::SessionSource;
use plimsoll::cli::RecallArgs;
use plimsoll::context::recall::{
    RecallAccess, RecallAddress, RecallHit, RecallIndex, RecallScope, SpokenText, spoken_text,
};
use plimsoll::session::to_rfc3339;
use plimsoll::transcript::{Entry, Transcript};
use serde_json::{Value, json};

use super::output::{CommandResult, put, put_json};
use super::setup::CommandSetup;
use crate::launch::ExitFailure;

/// `plim recall`
pub async fn recall(args: &RecallArgs, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.find(&args.session())?;
    let mut offline = at.open(SessionSource::Read(path)).await?;
    let view = offline.view();
    let transcript = offline.conversation.transcript();
    let scope = RecallScope::of(transcript, Some(&view));
    if let Some(entry) = named_entry(transcript, args.wanted())? {
        return show(&entry, &scope, args.json);
    }
    let mut index = RecallIndex::default();
    index.sync(transcript);
    let hits = index.search(transcript, args.wanted(), args.limit.max(1), &|_| true);
    if args.json {
        let rows: Vec<Value> = hits.iter().map(|hit| hit_json(hit, &scope)).collect();
        return put_json(&Value::Array(rows));
    }
    if hits.is_empty() {
        let entries = transcript.len();
        return put(&format!(
            "nothing found in {entries} entries: no word of the text occurs in this session\n"
        ));
    }
    let mut out = String::new();
    for hit in &hits {
        hit_text(hit, &scope, &mut out);
    }
    put(&out)
}

/// The entry that an address or a whole id names; `None` when the text names none.
fn named_entry(
    transcript: &Transcript,
    wanted: &str,
) -> Result<Option<std::sync::Arc<Entry>>, ExitFailure> {
    let by_id = transcript
        .entries()
        .iter()
        .find(|it| it.id.as_str() == wanted);
    if let Some(entry) = by_id {
        return Ok(Some(std::sync::Arc::clone(entry)));
    }
    let is_address = wanted.starts_with(['r', 'R', '#']);
    let Some(address) = RecallAddress::parse(wanted).filter(|_| is_address) else {
        return Ok(None);
    };
    if let Some(entry) = address.entry(transcript) {
        return Ok(Some(entry));
    }
    let last = transcript.branch().len();
    let message = format!("there is no entry {address}: this branch has {last}");
    Err(ExitFailure::failed(message).with_hint("`plim recall TEXT` searches for a text"))
}

fn show(entry: &Entry, scope: &RecallScope, is_json: bool) -> CommandResult {
    let Some(spoken) = spoken_text(entry) else {
        return Err(
            ExitFailure::failed(format!("entry {} says nothing", entry.id))
                .with_hint("decisions, measurements and copies of recalled text have no text"),
        );
    };
    if is_json {
        return put_json(&entry_json(entry, &spoken, scope));
    }
    let end = if spoken.text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    put(&format!("{}{end}", spoken.text))
}

/// Whether the model may recall it, in words.
fn access_words(access: RecallAccess) -> &'static str {
    match access {
        RecallAccess::Open => "open",
        RecallAccess::InWindow => "in the window",
        RecallAccess::Withheld(reason) => reason.name(),
    }
}

fn address_json(entry: &plimsoll::transcript::EntryId, scope: &RecallScope) -> Value {
    let place = scope.place(entry);
    place.map_or(Value::Null, |place| place.address.to_string().into())
}

fn hit_json(hit: &RecallHit, scope: &RecallScope) -> Value {
    json!({
        "entry": hit.entry.as_str(),
        "address": address_json(&hit.entry, scope),
        "access": access_words(scope.access(&hit.entry)),
        "speaker": hit.speaker.name(),
        "tool": hit.tool,
        "time": to_rfc3339(hit.timestamp),
        "line": hit.line,
        "snippet": hit.snippet,
    })
}

fn entry_json(entry: &Entry, spoken: &SpokenText, scope: &RecallScope) -> Value {
    json!({
        "entry": entry.id.as_str(),
        "address": address_json(&entry.id, scope),
        "access": access_words(scope.access(&entry.id)),
        "speaker": spoken.speaker.name(),
        "tool": spoken.tool,
        "time": to_rfc3339(entry.timestamp),
        "text": spoken.text,
    })
}

fn hit_text(hit: &RecallHit, scope: &RecallScope, out: &mut String) {
    let place = scope.place(&hit.entry);
    let address = place.map_or_else(|| hit.entry.to_string(), |it| it.address.to_string());
    let of_tool = hit.tool.as_deref().map(|tool| format!(" of {tool}"));
    let mark = match scope.access(&hit.entry) {
        RecallAccess::Open => String::new(),
        RecallAccess::InWindow => "  [in the window]".to_owned(),
        RecallAccess::Withheld(reason) => format!("  [not for the model: {}]", reason.name()),
    };
    let _ = writeln!(
        out,
        "{address:6}  {}{}  {}  line {}{mark}\n        {}",
        hit.speaker.name(),
        of_tool.unwrap_or_default(),
        to_rfc3339(hit.timestamp),
        hit.line,
        hit.snippet,
    );
}
