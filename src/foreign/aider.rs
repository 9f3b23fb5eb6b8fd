//! aider: Markdown with many sessions in one file. A line of `# aider chat started at` opens
//! one; lines of `####` are a turn of the user, lines of `>` notices, all else the answer.
//! Inside fences none of these marks counts.

use std::path::Path;
use std::sync::Arc;

use super::conversation::{ForeignSession, SessionDraft, SourcePlace};
use super::parts;
use super::place::{ForeignListing, SessionPlace};
use super::program::ForeignProgram;
use super::source::{self, SourceError};
use crate::transcript::{
    AssistantMessage, AssistantPart, EntryBody, EntryId, Message, Part, Timestamp,
};

/// The line that opens a session.
const START: &str = "# aider chat started at ";
/// The mark of a typed line.
const TYPED: &str = "#### ";
/// The type of notices and of what tools print.
const NOTICE: &str = "aider.notice";

/// A session of a file: where it begins and its lines.
struct AiderSession<'a> {
    started: &'a str,
    first_line: usize,
    lines: Vec<&'a str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    User,
    Notice,
    Model,
}

fn sessions(text: &str) -> Vec<AiderSession<'_>> {
    let mut found: Vec<AiderSession<'_>> = Vec::new();
    let mut fence: Option<&str> = None;
    for (at, line) in text.lines().enumerate() {
        fence = fence_after(fence, line);
        if fence.is_none()
            && let Some(started) = line.strip_prefix(START)
        {
            found.push(AiderSession {
                started: started.trim(),
                first_line: at + 2,
                lines: Vec::new(),
            });
        } else if let Some(session) = found.last_mut() {
            session.lines.push(line);
        } else if !line.trim().is_empty() && !line.starts_with("-*-") {
            // A file that begins in the middle.
            found.push(AiderSession {
                started: "",
                first_line: at + 1,
                lines: vec![line],
            });
        }
    }
    found
}

/// The fence that is open after a line.
fn fence_after<'a>(open: Option<&'a str>, line: &'a str) -> Option<&'a str> {
    let marks = line.len() - line.trim_start_matches('`').len();
    let run = line.get(..marks).unwrap_or_default();
    match open {
        Some(fence) if marks >= fence.len() && line.trim_end().len() == marks => None,
        Some(fence) => Some(fence),
        None if marks >= 3 => Some(run),
        None => None,
    }
}

/// The sessions of a file; their ids are when they began.
pub(super) fn listings(path: &Path) -> Result<Vec<ForeignListing>, SourceError> {
    let (bytes, _) = source::whole(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let cwd = path
        .parent()
        .map(|it| it.display().to_string())
        .unwrap_or_default();
    let rows = sessions(&text).into_iter().map(|session| ForeignListing {
        program: ForeignProgram::Aider,
        place: SessionPlace {
            path: path.to_owned(),
            session: Some(session.started.to_owned()),
        },
        session: session.started.to_owned(),
        title: None,
        cwd: cwd.clone(),
        first_words: None,
        updated: parts::written_time(session.started),
        messages: None,
    });
    Ok(rows.collect())
}

/// Reads a session, the last one when none is named.
pub(super) fn read(path: &Path, which: Option<&str>) -> Result<ForeignSession, SourceError> {
    let (bytes, sha256) = source::whole(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut all = sessions(&text);
    let at = match which {
        Some(which) => all.iter().rposition(|it| it.started == which),
        None => all.len().checked_sub(1),
    };
    let Some(at) = at else {
        return Err(SourceError::NoSession {
            path: path.to_owned(),
            session: which.unwrap_or_default().to_owned(),
        });
    };
    let session = all.swap_remove(at);
    let mut draft = SessionDraft::new(source::origin(ForeignProgram::Aider, "markdown", path));
    draft.origin.sha256 = sha256;
    draft.origin.bytes = bytes.len() as u64;
    draft.origin.records = session.lines.len() as u64;
    draft.origin.session = format!("{}#{}", path.display(), session.started);
    let folder = path.parent().map(|it| it.display().to_string());
    // The hour is local, and no zone is said: it is taken as it stands.
    draft.note_facts(
        parts::written_time(session.started),
        folder.as_deref(),
        None,
    );
    let leaf = assemble(&session, &mut draft);
    Ok(draft.finish(leaf, Vec::new()))
}

fn assemble(session: &AiderSession<'_>, draft: &mut SessionDraft) -> Option<EntryId> {
    let mut leaf = None;
    let mut block: Vec<&str> = Vec::new();
    let mut speaker = Speaker::Model;
    let mut fence = None;
    let mut began = session.first_line;
    let mut model = String::new();
    for (at, line) in session.lines.iter().copied().chain([""]).enumerate() {
        let is_end = at == session.lines.len();
        let was_open = fence.is_some();
        fence = fence_after(fence, line);
        let is_free = !was_open && fence.is_none();
        let now = if is_free && (line.starts_with(TYPED) || line == "####") {
            Speaker::User
        } else if is_free && line.starts_with("> ") {
            Speaker::Notice
        } else {
            Speaker::Model
        };
        let is_blank = is_free && line.trim().is_empty();
        if is_end || now != speaker && !is_blank {
            leaf = flush(draft, speaker, &block, began, &model, leaf);
            block.clear();
            speaker = now;
            began = session.first_line + at;
        }
        if is_blank && block.is_empty() {
            continue;
        }
        let bare = match now {
            Speaker::User => line.strip_prefix(TYPED).unwrap_or_default(),
            Speaker::Notice => line.strip_prefix("> ").unwrap_or_default(),
            Speaker::Model => line,
        };
        let named = bare
            .strip_prefix("Model: ")
            .or_else(|| bare.strip_prefix("Main model: "));
        if let (Speaker::Notice, Some(named)) = (now, named) {
            named
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .clone_into(&mut model);
        }
        // Two spaces at a line's end are a break.
        block.push(bare.strip_suffix("  ").unwrap_or(bare));
    }
    leaf
}

fn flush(
    draft: &mut SessionDraft,
    speaker: Speaker,
    lines: &[&str],
    began: usize,
    model: &str,
    leaf: Option<EntryId>,
) -> Option<EntryId> {
    let text = lines.join("\n");
    let text = text.trim().to_owned();
    if text.is_empty() {
        return leaf;
    }
    let body = match speaker {
        Speaker::User => parts::typed(vec![Part::Text(text)]),
        Speaker::Notice => parts::injected(NOTICE, vec![Part::Text(text)]),
        Speaker::Model => EntryBody::Message(Arc::new(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(text)],
            provider: "aider".to_owned(),
            model: model.to_owned(),
            ..AssistantMessage::default()
        }))),
    };
    let key = SourcePlace::Line(began).to_string();
    let at: Timestamp = draft.started;
    Some(draft.tree.add(leaf.as_ref(), &key, at, body))
}
