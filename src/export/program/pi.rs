//! A session in the form that pi and OpenClaw read, which is ours: what only we know stays in
//! entries that they keep without sending. What was cut or dropped is written as an edit of the
//! context, which newer versions of theirs follow.

use std::collections::HashSet;
use std::path::Path;

use super::ids::{digits, uuid_at};
use super::losses::Losses;
use super::{ExportedSession, NativeSession};
use crate::context::shortened;
use crate::export::branch::BranchReading;
use crate::session::{Header, encode_cwd, imported_bytes, session_file};
use crate::transcript::{
    AssistantPart, Entry, EntryBody, EntryId, EntryOverride, Message, Part, Timestamp, Transcript,
};

const LOST_OUTPUT: &str = "full result in a file beside the session: not copied";
const LOST_REASONING: &str = "signed reasoning: shown there, not sent";
const LOST_CUT: &str = "cut or dropped message: written as an edit, which pi before 0.87 ignores";

/// Writes a session with all its branches.
pub(super) fn write(session: &ExportedSession<'_>) -> NativeSession {
    let header = session.header;
    let id = uuid_at(&session.seed("pi"), header.timestamp);
    let reading = BranchReading::of(session.transcript);
    let mut losses = Losses::default();
    let mut entries: Vec<Entry> = session
        .transcript
        .entries()
        .iter()
        .map(|entry| Entry::clone(entry))
        .collect();
    for entry in &entries {
        count(entry, &mut losses);
    }
    let edits = edits(session.transcript, &reading);
    losses.add_many(LOST_CUT, edits.len() as u64);
    entries.extend(edits);
    let mut written = Header::new(id.clone(), header.timestamp, header.cwd.clone());
    // Sessions of one directory lie in one folder.
    let parent = session.parent.as_ref();
    let parent = parent.and_then(|it| it.file.file_name());
    written.parent_session = parent.map(|it| it.to_string_lossy().into_owned());
    let cwd = Path::new(&header.cwd);
    let file = session_file(Path::new(""), cwd, header.timestamp, &id);
    let name = file.file_name().unwrap_or_default();
    NativeSession {
        bytes: imported_bytes(&written, &entries),
        file: Path::new("sessions").join(encode_cwd(cwd)).join(name),
        session: id,
        losses: losses.into_list(),
        beside: Vec::new(),
    }
}

fn count(entry: &Entry, losses: &mut Losses) {
    match entry.message().map(AsRef::as_ref) {
        Some(Message::ToolResult(result)) => {
            let details = result.details.as_ref();
            if details.is_some_and(|it| it.get("importedOutput").is_some()) {
                losses.add(LOST_OUTPUT);
            }
        }
        Some(Message::Assistant(answer)) => {
            let is_signed = |part: &AssistantPart| {
                matches!(
                    part,
                    AssistantPart::Thinking {
                        signature: Some(_),
                        ..
                    } | AssistantPart::RedactedThinking { .. }
                )
            };
            let signed = answer.content.iter().filter(|part| is_signed(part));
            losses.add_many(LOST_REASONING, signed.count() as u64);
        }
        _ => {}
    }
}

/// Edits that say what the next request has of cut and dropped messages, after the leaf.
fn edits(transcript: &Transcript, reading: &BranchReading) -> Vec<Entry> {
    let mut taken: HashSet<EntryId> = transcript
        .entries()
        .iter()
        .map(|it| it.id.clone())
        .collect();
    let mut parent = transcript.leaf().cloned();
    let at = reading
        .entries
        .last()
        .map_or(Timestamp(0), |it| it.timestamp);
    let mut edits = Vec::new();
    for entry in &reading.entries {
        let Some(body) = sent_instead(entry, reading) else {
            continue;
        };
        let mut id = EntryId::new(digits(&format!("edit/{}", entry.id), 8));
        while !taken.insert(id.clone()) {
            id = EntryId::new(digits(id.as_str(), 16));
        }
        edits.push(Entry {
            id: id.clone(),
            parent: parent.replace(id),
            timestamp: at,
            body,
        });
    }
    edits
}

/// What is sent of a message that was cut or dropped; `None` for all others.
fn sent_instead(entry: &Entry, reading: &BranchReading) -> Option<EntryBody> {
    let message = entry.message()?;
    let replacement = if reading.override_of(&entry.id) == Some(EntryOverride::Drop) {
        None
    } else {
        // An answer whose arguments are cut keeps its calls: an edit would replace them.
        if !matches!(message.as_ref(), Message::ToolResult(_)) {
            return None;
        }
        let cut = reading.cut_of(&entry.id)?;
        Some(vec![Part::Text(shortened(&message.text(), &cut.form))])
    };
    Some(EntryBody::ContextEdit {
        target: entry.id.clone(),
        replacement,
    })
}
