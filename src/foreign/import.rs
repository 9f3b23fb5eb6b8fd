//! A session of ours made of one of another program. The same session gives the same file: an
//! original that has grown continues it, and never makes a second one.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::conversation::{ForeignSession, ImportLoss, RECORD_ID};
use super::entry_tree::LEAF_MARK;
use super::load::read;
use super::place::SessionPlace;
use super::recognition::recognise;
use crate::session::{
    self, Access, Durability, Header, LoadedSession, SessionError, SessionLog, fingerprint,
};
use crate::transcript::{Entry, EntryBody, EntryId, Message, Timestamp, Transcript};

/// Larger outputs of tools are not copied beside the session.
const MAX_OUTPUT_BYTES: u64 = 64 * 1024 * 1024;

/// Where imported sessions go.
#[derive(Clone, Copy, Debug)]
pub struct ImportTarget<'a> {
    /// The sessions folder.
    pub sessions: &'a Path,
    /// The directory whose session it becomes; `None` for the one that it says itself.
    pub cwd: Option<&'a Path>,
    /// The clock's reading.
    pub now: Timestamp,
}

/// What an import did.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedSession {
    /// The session's file.
    pub path: PathBuf,
    /// The program that wrote it, with its version.
    pub source: String,
    /// `new`, `grown`, `branched` (it was continued here meanwhile), `up-to-date`, or `in-use`
    /// (another process writes it: it stays as it is).
    pub state: &'static str,
    /// Entries that were written.
    pub written: usize,
    /// What the source has and the session has not.
    pub lost: Vec<ImportLoss>,
    /// Its sub-agents.
    pub children: Vec<ImportedSession>,
    /// The counts of its active path.
    counts: super::SessionCounts,
}

impl ImportedSession {
    /// For scripts.
    pub fn json(&self) -> Value {
        json!({
            "session": self.path.display().to_string(),
            "state": self.state,
            "entries": self.written,
            "messages": self.counts.user_turns + self.counts.answers + self.counts.tool_results,
            "tool_calls": self.counts.tool_calls,
            "tool_results": self.counts.tool_results,
            "errors": self.counts.errors,
            "images": self.counts.images,
            "attachments": self.counts.attachments,
            "compactions": self.counts.compactions,
            "lost": self.lost.iter().map(ImportLoss::json).collect::<Vec<_>>(),
            "children": self.children.iter().map(Self::json).collect::<Vec<_>>(),
        })
    }

    /// The size of its conversation, in words.
    pub fn size_words(&self) -> String {
        let counts = &self.counts;
        let plural = |many: u64, one: &str| {
            let ending = if many == 1 { "" } else { "s" };
            format!("{many} {one}{ending}")
        };
        [
            plural(counts.user_turns, "turn"),
            plural(counts.answers, "answer"),
            plural(counts.tool_calls, "tool call"),
        ]
        .join(", ")
    }

    /// For people: its path, then what there is and what was lost.
    pub fn words(&self) -> String {
        let counts = &self.counts;
        let mut out = format!(
            "{}\n  {}: {} turns, {} answers, {} calls, {} results ({} failed), {} images, {} \
             compactions\n",
            self.path.display(),
            self.state,
            counts.user_turns,
            counts.answers,
            counts.tool_calls,
            counts.tool_results,
            counts.errors,
            counts.images,
            counts.compactions,
        );
        for loss in &self.lost {
            let _ = writeln!(out, "  not carried over, {}: {}", loss.place, loss.reason);
        }
        for child in &self.children {
            out.push_str("  sub-agent ");
            out.push_str(&child.words());
        }
        out
    }
}

/// Writes a session and those of its sub-agents.
pub fn import(
    session: &ForeignSession,
    target: ImportTarget<'_>,
) -> Result<ImportedSession, SessionError> {
    import_below(session, target, None)
}

/// Imports a file of another program, so that it can be continued; `None` when it is none.
/// What says no directory of its own belongs to `here`.
pub fn adopt(
    path: &Path,
    target: ImportTarget<'_>,
    here: &Path,
) -> Result<Option<ImportedSession>, SessionError> {
    let place = SessionPlace::of(path);
    let Ok(Some(program)) = recognise(&place.path) else {
        return Ok(None);
    };
    let foreign = |text: String| SessionError::Foreign(text);
    let session = read(&place, Some(program)).map_err(|error| foreign(error.to_string()))?;
    if let Some(reason) = session.refusal() {
        return Err(foreign(reason));
    }
    let fallback = session.cwd.is_empty().then_some(here);
    let cwd = target.cwd.or(fallback);
    import(&session, ImportTarget { cwd, ..target }).map(Some)
}

fn import_below(
    session: &ForeignSession,
    target: ImportTarget<'_>,
    parent: Option<&Path>,
) -> Result<ImportedSession, SessionError> {
    let origin = &session.origin;
    let identity = format!("{}\n{}", origin.program.name(), origin.session);
    let id = format!(
        "{}-{}",
        origin.program.name(),
        fingerprint(identity.as_bytes())
    );
    let cwd = target
        .cwd
        .map_or_else(|| PathBuf::from(&session.cwd), Path::to_owned);
    let path = session::session_file(target.sessions, &cwd, session.started, &id);
    let mut header = Header::new(id, session.started, cwd.display().to_string());
    header.parent_session = parent.map(|it| it.display().to_string());
    let mut entries = session.with_origin();
    for entry in &mut entries {
        carry_output(entry, &path, path.exists());
    }
    let bytes = session::imported_bytes(&header, &entries);
    let (state, written) = if path.exists() {
        let fresh = session::read(&bytes, &path)?;
        grow(&path, &fresh, target.now)?
    } else {
        let written = session::write_imported(&path, &bytes);
        written.map_err(|source| SessionError::Io {
            path: path.clone(),
            source,
        })?;
        ("new", session.entries.len())
    };
    let mut children = Vec::new();
    for child in &session.children {
        children.push(import_below(child, target, Some(&path))?);
    }
    Ok(ImportedSession {
        source: session.record().source(),
        state,
        written,
        lost: session.lost.clone(),
        children,
        counts: session.counts(),
        path,
    })
}

/// Copies the full text of a result, which lies with the other program, beside our session.
fn carry_output(entry: &mut Entry, session: &Path, is_there: bool) {
    let EntryBody::Message(message) = &entry.body else {
        return;
    };
    let Message::ToolResult(result) = message.as_ref() else {
        return;
    };
    let from = result
        .details
        .as_ref()
        .and_then(|it| it.get("importedOutput")?.as_str());
    let Some(from) = from.map(PathBuf::from) else {
        return;
    };
    let name = format!("imported-{}", entry.id);
    let mut result = result.clone();
    let copied = if is_there {
        Some(session::outputs_folder(session).join(format!("{name}.txt")))
    } else {
        let bytes = crate::disk::open::read_unlinked(&from, MAX_OUTPUT_BYTES).ok();
        bytes.and_then(|bytes| session::spill(session, &name, &bytes).ok())
    };
    if let (Some(copied), Some(details)) = (copied, result.details.as_mut()) {
        details["importedOutput"] = json!(copied.display().to_string());
        entry.body = EntryBody::Message(Arc::new(Message::ToolResult(result)));
    }
}

/// Adds what the original has more, without touching what is there.
fn grow(
    path: &Path,
    fresh: &LoadedSession,
    now: Timestamp,
) -> Result<(&'static str, usize), SessionError> {
    let (mut log, held) = SessionLog::open(path, now)?;
    if held.access != Access::Write {
        return Ok(("in-use", 0));
    }
    let additions = additions(&held.transcript, &fresh.transcript);
    if !additions.is_empty()
        && let Some(record) = newer_record(&held.transcript, &fresh.transcript)
    {
        log.append(&record, Durability::Buffered)?;
    }
    let is_continued = held
        .transcript
        .entries()
        .iter()
        .any(|entry| !is_mark(entry) && !is_of_source(entry, &fresh.transcript));
    let own_leaf = held.transcript.leaf().cloned();
    for entry in &additions {
        log.append(entry, Durability::Buffered)?;
    }
    let state = match (additions.is_empty(), is_continued) {
        (true, _) => "up-to-date",
        (false, false) => "grown",
        (false, true) => "branched",
    };
    if state == "branched" {
        let mark = Entry {
            id: EntryId::new(format!(
                "leaf-{}",
                fingerprint(format!("{own_leaf:?}").as_bytes())
            )),
            parent: own_leaf,
            timestamp: now,
            body: EntryBody::Custom {
                custom_type: LEAF_MARK.to_owned(),
            },
        };
        if held.transcript.get(&mark.id).is_none() {
            log.append(&mark, Durability::Buffered)?;
        }
    }
    log.close()?;
    Ok((state, additions.len()))
}

/// Whether an entry came with an import, this one or an earlier one.
fn is_of_source(entry: &Entry, fresh: &Transcript) -> bool {
    let id = entry.id.as_str();
    let original = id.split_once('-').map_or(id, |(original, _)| original);
    fresh.get(&entry.id).is_some() || fresh.get(&EntryId::new(original)).is_some()
}

/// What the original says of itself now, when that is new.
fn newer_record(held: &Transcript, fresh: &Transcript) -> Option<Entry> {
    let root = EntryId::new(RECORD_ID);
    let now = fresh.get(&root)?;
    let records = held.entries().iter();
    let records = records.filter(|it| matches!(it.body, EntryBody::Import(_)));
    if records.clone().any(|it| it.body == now.body) {
        return None;
    }
    Some(Entry {
        id: EntryId::new(format!("{RECORD_ID}-{}", records.count() + 1)),
        parent: Some(root),
        ..Entry::clone(now)
    })
}

fn is_mark(entry: &Entry) -> bool {
    matches!(&entry.body, EntryBody::Custom { custom_type } if custom_type == LEAF_MARK)
}

/// The entries that `held` lacks. One that says something else now comes again under an id of
/// its own, with all that follows it.
fn additions(held: &Transcript, fresh: &Transcript) -> Vec<Entry> {
    let mut renamed: HashMap<EntryId, EntryId> = HashMap::new();
    let mut additions: Vec<Entry> = Vec::new();
    let mut taken: std::collections::HashSet<EntryId> = std::collections::HashSet::new();
    for entry in fresh.entries() {
        let mut entry = Entry::clone(entry);
        let parent = entry
            .parent
            .as_ref()
            .and_then(|id| renamed.get(id))
            .cloned();
        entry.parent = parent.or(entry.parent);
        let is_origin = matches!(entry.body, EntryBody::Import(_));
        if (is_mark(&entry) || is_origin) && held.get(&entry.id).is_some() {
            continue;
        }
        let same = held.get(&entry.id);
        if same.is_some_and(|it| it.body == entry.body && it.parent == entry.parent) {
            continue;
        }
        if same.is_some() {
            let mut number = 2;
            let fresh_id = loop {
                let id = EntryId::new(format!("{}-{number}", entry.id));
                if held
                    .get(&id)
                    .is_some_and(|it| it.body == entry.body && it.parent == entry.parent)
                {
                    break id;
                }
                if held.get(&id).is_none() && !taken.contains(&id) {
                    break id;
                }
                number += 1;
            };
            renamed.insert(entry.id.clone(), fresh_id.clone());
            entry.id = fresh_id;
            if held.get(&entry.id).is_some() {
                continue;
            }
        }
        taken.insert(entry.id.clone());
        additions.push(entry);
    }
    additions
}
