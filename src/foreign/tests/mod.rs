//! Made sessions of each program, with the shapes that a reader must get right or survive.

mod claude;
mod codex;
mod databases;
mod gemini;
mod importing;
mod mutated_stores;
mod mutations;
mod plain_files;
mod qwen;

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::conversation::{ForeignSession, SourcePlace};
use super::load;
use super::place::SessionPlace;
use crate::transcript::{Compaction, Entry, EntryBody, Message};

/// A picture of one pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// A folder with a file of these lines.
fn file(name: &str, lines: &[Value]) -> (TempDir, PathBuf) {
    let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
    file_of(name, text.as_bytes())
}

fn file_of(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn read(path: &Path) -> ForeignSession {
    load::read(&SessionPlace::of(path), None).unwrap()
}

/// Who speaks and what, along the active path: `user: …`, `model: …`, `call: …`, `result: …`,
/// `error: …`, `note: …`, `summary: …`.
fn path_of(session: &ForeignSession) -> Vec<String> {
    let transcript = session.transcript().unwrap();
    transcript
        .branch()
        .iter()
        .flat_map(|entry| said(entry))
        .collect()
}

/// The same of the entries beside it.
fn beside(session: &ForeignSession) -> Vec<String> {
    let transcript = session.transcript().unwrap();
    let branch = transcript.branch();
    let is_beside = |entry: &&Entry| !branch.iter().any(|it| it.id == entry.id);
    session
        .entries
        .iter()
        .filter(is_beside)
        .flat_map(said)
        .collect()
}

fn said(entry: &Entry) -> Vec<String> {
    match &entry.body {
        EntryBody::CustomMessage { content, .. } => {
            vec![format!("note: {}", super::parts::joined_text(content))]
        }
        EntryBody::Compaction(compaction) => vec![format!("summary: {}", compaction.summary)],
        EntryBody::Message(message) => match message.as_ref() {
            Message::User(_) => vec![format!("user: {}", message.text())],
            Message::Assistant(answer) => {
                let text = answer.text();
                let text = (!text.is_empty()).then(|| format!("model: {text}"));
                let calls = answer.tool_calls().map(|it| format!("call: {}", it.name));
                text.into_iter().chain(calls).collect()
            }
            Message::ToolResult(result) if result.is_error => {
                vec![format!("error: {}", result.text())]
            }
            Message::ToolResult(result) => vec![format!("result: {}", result.text())],
            Message::BashExecution(run) => vec![format!("run: {}", run.command)],
        },
        _ => Vec::new(),
    }
}

fn compaction(session: &ForeignSession) -> Compaction {
    let found = session.entries.iter().find_map(|entry| match &entry.body {
        EntryBody::Compaction(compaction) => Some(Compaction::clone(compaction)),
        _ => None,
    });
    found.unwrap()
}

/// What the first kept entry of a compaction says.
fn first_kept(session: &ForeignSession) -> Option<String> {
    let kept = compaction(session).first_kept?;
    let entry = session.entries.iter().find(|entry| entry.id == kept)?;
    said(entry).into_iter().next()
}

fn lost_lines(session: &ForeignSession) -> Vec<usize> {
    let lines = session.lost.iter().filter_map(|loss| match loss.place {
        SourcePlace::Line(line) => Some(line),
        SourcePlace::Whole | SourcePlace::Row(_) => None,
    });
    lines.collect()
}
