//! Claude Code: JSON lines that form a graph by `parentUuid`. The active path is the walk back
//! from the last message, with what hangs beside it: the other lines of an answer and the
//! results of its calls.

mod assembly;
mod record;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use self::assembly::Assembly;
use self::record::{ClaudeLine, ClaudeNode};
use super::conversation::{ForeignSession, SessionDraft, SourcePlace};
use super::parts;
use super::program::ForeignProgram;
use super::source::{self, SourceError};

/// Sub-agents of a session that are read.
const MAX_CHILDREN: usize = 1_000;
/// Folders below each other in which sub-agents are looked for.
const MAX_DEPTH: usize = 4;

/// What a file holds before it is put in order.
struct ReadFile {
    draft: SessionDraft,
    nodes: Vec<ClaudeNode>,
}

/// Reads a transcript and those of its sub-agents.
pub(super) fn read(path: &Path) -> Result<ForeignSession, SourceError> {
    let ReadFile { mut draft, nodes } = read_file(path)?;
    if draft.origin.session.is_empty() {
        let stem = path.file_stem().map(|it| it.to_string_lossy().into_owned());
        draft.origin.session = stem.unwrap_or_default();
    }
    let is_agent_file = nodes.iter().all(|node| node.agent.is_some());
    let (own, inline) = divide(nodes, is_agent_file);
    let folder = path.with_extension("");
    let mut children = Vec::new();
    if !is_agent_file {
        for (agent, nodes) in inline {
            children.push(inline_child(path, &draft, &agent, nodes));
        }
        for file in agent_files(&folder.join("subagents"), MAX_DEPTH) {
            match child(&file, &draft.origin.session) {
                Ok(session) => children.push(session),
                Err(error) => draft.lose(SourcePlace::Whole, format!("a sub-agent: {error}")),
            }
        }
    }
    let leaf = Assembly::new(&mut draft, own, &folder).run();
    Ok(draft.finish(leaf, children))
}

fn read_file(path: &Path) -> Result<ReadFile, SourceError> {
    let origin = source::origin(ForeignProgram::ClaudeCode, "uuid-chain", path);
    let mut draft = SessionDraft::new(origin);
    let mut nodes: Vec<ClaudeNode> = Vec::new();
    let mut title: Option<(u8, String)> = None;
    let read = source::each_line(path, |line| {
        let (head, content) = record::read(line.text, line.number)?;
        if draft.origin.session.is_empty()
            && let Some(session) = &head.session_id
        {
            draft.origin.session.clone_from(session);
        }
        if head.uuid.is_some() {
            let at = parts::time(head.timestamp.as_ref());
            draft.note_facts(at, head.cwd.as_deref(), head.version.as_deref());
        }
        match content {
            ClaudeLine::Node(node) => nodes.push(*node),
            ClaudeLine::Title(rank, text) => {
                if title.as_ref().is_none_or(|(held, _)| *held <= rank) {
                    title = Some((rank, text));
                }
            }
            ClaudeLine::Quiet => {}
            ClaudeLine::Unknown(kind) => {
                draft.meet_unknown(&kind, SourcePlace::Line(line.number));
            }
        }
        Ok(())
    })?;
    read.account(&mut draft);
    draft.title = title
        .map(|(_, text)| text)
        .filter(|text| !text.trim().is_empty());
    Ok(ReadFile { draft, nodes })
}

/// The lines of the conversation itself and those of each sub-agent among them.
fn divide(
    nodes: Vec<ClaudeNode>,
    is_agent_file: bool,
) -> (Vec<ClaudeNode>, BTreeMap<String, Vec<ClaudeNode>>) {
    let mut own = Vec::new();
    let mut inline: BTreeMap<String, Vec<ClaudeNode>> = BTreeMap::new();
    for node in nodes {
        match node.agent.clone().filter(|_| !is_agent_file) {
            Some(agent) => inline.entry(agent).or_default().push(node),
            None => own.push(node),
        }
    }
    (own, inline)
}

fn inline_child(
    path: &Path,
    parent: &SessionDraft,
    agent: &str,
    nodes: Vec<ClaudeNode>,
) -> ForeignSession {
    let origin = source::origin(ForeignProgram::ClaudeCode, "uuid-chain", path);
    let mut draft = SessionDraft::new(origin);
    draft.origin.session = format!("{}/{agent}", parent.origin.session);
    draft.parent = Some(parent.origin.session.clone());
    draft.cwd.clone_from(&parent.cwd);
    draft.origin.version.clone_from(&parent.origin.version);
    for node in &nodes {
        draft.note_facts(node.at, None, None);
    }
    let leaf = Assembly::new(&mut draft, nodes, &path.with_extension("")).run();
    draft.finish(leaf, Vec::new())
}

fn child(path: &Path, parent: &str) -> Result<ForeignSession, SourceError> {
    let ReadFile { mut draft, nodes } = read_file(path)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let agent = stem.strip_prefix("agent-").unwrap_or(&stem).to_owned();
    draft.origin.session = format!("{parent}/{agent}");
    draft.parent = Some(parent.to_owned());
    let about = path.with_file_name(format!("agent-{agent}.meta.json"));
    if let Ok((bytes, _)) = source::whole(&about)
        && let Ok(about) = serde_json::from_slice::<serde_json::Value>(&bytes)
    {
        let title = parts::text(&about, "description");
        draft.title = Some(title.to_owned()).filter(|it| !it.is_empty());
    }
    let leaf = Assembly::new(&mut draft, nodes, &path.with_extension("")).run();
    Ok(draft.finish(leaf, Vec::new()))
}

/// The files of sub-agents below a folder, in the order of their names.
fn agent_files(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if is_link || found.len() >= MAX_CHILDREN {
            continue;
        }
        if path.is_dir() && depth > 1 {
            found.extend(agent_files(&path, depth - 1));
        } else if name.starts_with("agent-") && path.extension().is_some_and(|it| it == "jsonl") {
            found.push(path);
        }
    }
    found
}
