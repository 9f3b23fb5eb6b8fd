//! Where the programs keep their sessions, and what is in there: read from the ends of files
//! and from the heads of databases, never whole.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde_json::Value;

use super::place::{ForeignListing, SessionPlace, SessionStore};
use super::program::ForeignProgram;
use super::recognition::recognise;
use super::source::{self, SourceError, files_below};
use super::{aider, database, gemini, parts};
use crate::transcript::Timestamp;

/// How much of a file is read for its row in a list, in bytes.
const HEAD_BYTES: u64 = 64 * 1024;
/// Folders below each other in which sessions are looked for.
const MAX_DEPTH: usize = 6;

/// The stores that exist, in the order of [`ForeignProgram::ALL`]. `variable` reads the
/// environment; `cwd` is the directory whose own stores count.
pub fn stores(variable: &dyn Fn(&str) -> Option<String>, cwd: &Path) -> Vec<SessionStore> {
    let set = |name: &str| {
        variable(name)
            .filter(|it| !it.is_empty())
            .map(PathBuf::from)
    };
    let home = set("HOME").unwrap_or_default();
    let data = set("XDG_DATA_HOME").unwrap_or_else(|| home.join(".local/share"));
    let claude = set("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.join(".claude"));
    let codex = set("CODEX_HOME").unwrap_or_else(|| home.join(".codex"));
    let gemini = set("GEMINI_CLI_HOME").unwrap_or_else(|| home.clone());
    let qwen = set("QWEN_RUNTIME_DIR").or_else(|| set("QWEN_HOME"));
    let qwen = qwen.unwrap_or_else(|| home.join(".qwen"));
    let mut found = vec![
        (ForeignProgram::ClaudeCode, claude.join("projects")),
        (ForeignProgram::Codex, codex.join("sessions")),
        (ForeignProgram::Codex, codex.join("archived_sessions")),
        (ForeignProgram::GeminiCli, gemini.join(".gemini/tmp")),
        (ForeignProgram::QwenCode, qwen.join("projects")),
    ];
    let databases = files_below(&data.join("opencode"), 1);
    let databases = databases.into_iter().filter(|path| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let is_database = path.extension().is_some_and(|it| it == "db");
        is_database && (name == "opencode.db" || name.starts_with("opencode-"))
    });
    found.extend(databases.map(|path| (ForeignProgram::OpenCode, path)));
    found.push((
        ForeignProgram::Goose,
        data.join("goose/sessions/sessions.db"),
    ));
    let above = cwd.ancestors().map(|it| it.join(".crush/crush.db"));
    let crush = above.into_iter().find(|it| it.is_file());
    found.extend(crush.map(|path| (ForeignProgram::Crush, path)));
    found.push((ForeignProgram::Cline, home.join(".cline/data/sessions")));
    found.push((ForeignProgram::Aider, cwd.join(".aider.chat.history.md")));
    let pi = set("PI_CODING_AGENT_DIR").unwrap_or_else(|| home.join(".pi/agent"));
    found.push((ForeignProgram::Pi, pi.join("sessions")));
    found.push((ForeignProgram::OpenClaw, home.join(".openclaw/agents")));
    let exists = |(_, root): &(ForeignProgram, PathBuf)| root.exists();
    let found = found.into_iter().filter(exists);
    found
        .map(|(program, root)| SessionStore { program, root })
        .collect()
}

/// The sessions of a store, newest first; sub-agents and empty ones left out.
pub fn sessions_in(store: &SessionStore) -> Result<Vec<ForeignListing>, SourceError> {
    let mut found = match store.program {
        ForeignProgram::OpenCode | ForeignProgram::Goose | ForeignProgram::Crush => {
            database::listings(store.program, &store.root)?
        }
        ForeignProgram::Aider => aider::listings(&store.root)?,
        _ => listings_of_files(store),
    };
    if store.program == ForeignProgram::Crush {
        // A database is of one project.
        let cwd = database::crush::directory_of(&store.root);
        for row in &mut found {
            row.cwd.clone_from(&cwd);
        }
    }
    found.sort_by(|a, b| {
        let by_time = b.updated.cmp(&a.updated);
        by_time.then_with(|| b.session.cmp(&a.session))
    });
    Ok(found)
}

/// The sessions of a store that changed last, of one directory or of all.
pub fn recent(
    store: &SessionStore,
    cwd: Option<&Path>,
    most: usize,
) -> Result<Vec<ForeignListing>, SourceError> {
    let is_here = |row: &ForeignListing| cwd.is_none_or(|cwd| Path::new(&row.cwd) == cwd);
    if store.root.is_file() {
        let mut rows = sessions_in(store)?;
        rows.retain(is_here);
        rows.truncate(most);
        return Ok(rows);
    }
    let folder = cwd.map(folder_name);
    let by_folder = matches!(
        store.program,
        ForeignProgram::ClaudeCode | ForeignProgram::QwenCode
    );
    let may_be_here = |path: &PathBuf| {
        let names = || path.strip_prefix(&store.root).ok()?.components().next();
        let first = names().map(|it| it.as_os_str().to_string_lossy().into_owned());
        !by_folder || folder.is_none() || first == folder
    };
    // A project that was moved, or whose name the program writes in another way, is in a folder
    // of another name.
    let (likely, others): (Vec<_>, Vec<_>) = files_of(store).into_iter().partition(may_be_here);
    for files in [likely, others] {
        let found = newest_rows(store.program, files, &is_here, most);
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// Rows of the files that changed last; only the newest are looked into.
fn newest_rows(
    program: ForeignProgram,
    files: Vec<PathBuf>,
    is_here: &dyn Fn(&ForeignListing) -> bool,
    most: usize,
) -> Vec<ForeignListing> {
    /// Files that are looked into.
    const MAX_LOOKS: usize = 1_500;
    let changed = |path: &PathBuf| path.metadata().and_then(|it| it.modified()).ok();
    let mut files: Vec<_> = files
        .into_iter()
        .map(|path| (changed(&path), path))
        .collect();
    files.sort_by(|a, b| b.cmp(a));
    let mut found: Vec<ForeignListing> = Vec::new();
    for (_, path) in files.into_iter().take(MAX_LOOKS) {
        let Some(row) = listing_of(program, &path) else {
            continue;
        };
        // The newest file of a thread is the live one.
        let is_new = found.iter().all(|it| it.session != row.session);
        if is_new && is_here(&row) {
            found.push(row);
        }
        if found.len() == most {
            break;
        }
    }
    found
}

/// The folder that claude-code and qwen-code name after a directory.
fn folder_name(cwd: &Path) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    cwd.to_string_lossy().chars().map(plain).collect()
}

/// How a message begins that a person seems to have typed; `None` for other records.
fn first_words(record: &Value) -> Option<String> {
    const MOST_CHARS: usize = 160;
    let message = record.get("message").unwrap_or(record);
    let is_user = [parts::text(record, "type"), parts::text(message, "role")].contains(&"user");
    if !is_user || parts::flag(record, "isMeta") {
        return None;
    }
    let content = ["content", "parts"].iter().find_map(|it| message.get(it))?;
    let blocks = content.as_array().map_or(&[][..], Vec::as_slice).iter();
    let mut texts = blocks
        .map(|block| parts::text(block, "text"))
        .chain(content.as_str());
    // What programs add themselves begins with a tag or a heading.
    let is_typed = |text: &&str| !text.trim().is_empty() && !text.starts_with(['<', '#']);
    let text = texts.find(is_typed)?;
    let words: Vec<&str> = text.split_whitespace().take(MOST_CHARS).collect();
    Some(words.join(" ").chars().take(MOST_CHARS).collect())
}

/// The newest session of a program in a directory.
pub fn newest(
    program: ForeignProgram,
    variable: &dyn Fn(&str) -> Option<String>,
    cwd: &Path,
) -> Result<Option<ForeignListing>, SourceError> {
    let mut best: Option<ForeignListing> = None;
    for store in stores(variable, cwd) {
        if store.program != program {
            continue;
        }
        let here = recent(&store, Some(cwd), 1)?;
        best = best.into_iter().chain(here).max_by_key(|it| it.updated);
    }
    Ok(best)
}

/// The files of a store that ought to hold sessions: those that a program writes at each start
/// are left out.
pub(super) fn files_with_sessions(store: &SessionStore) -> Vec<PathBuf> {
    let mut files = files_of(store);
    files.retain(|path| store.program != ForeignProgram::GeminiCli || !gemini::is_start(path));
    files
}

/// The files of a store that may hold sessions, judged by their names.
pub fn files_of(store: &SessionStore) -> Vec<PathBuf> {
    if store.root.is_file() {
        return vec![store.root.clone()];
    }
    let mut files = files_below(&store.root, MAX_DEPTH);
    files.retain(|path| may_hold_session(store.program, path));
    files
}

fn may_hold_session(program: ForeignProgram, path: &Path) -> bool {
    let text = path.to_string_lossy();
    if text.contains("/subagents/") || text.contains("/tool-results/") {
        return false;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ends = |endings: &[&str]| endings.iter().any(|it| name.strip_suffix(it).is_some());
    match program {
        ForeignProgram::Codex => name.starts_with("rollout-") && ends(&[".jsonl", ".jsonl.zst"]),
        ForeignProgram::GeminiCli => name.starts_with("session-") && ends(&[".jsonl", ".json"]),
        ForeignProgram::Cline => ends(&[".messages.json"]),
        // A checkpoint is a copy of a session at some time.
        ForeignProgram::OpenClaw => ends(&[".jsonl"]) && !name.contains(".checkpoint."),
        _ => ends(&[".jsonl"]),
    }
}

fn listings_of_files(store: &SessionStore) -> Vec<ForeignListing> {
    let mut found: Vec<ForeignListing> = Vec::new();
    for path in files_of(store) {
        // A row that cannot be read must not hide the others.
        let Some(row) = listing_of(store.program, &path) else {
            continue;
        };
        // Segments of a thread, and its plain and its packed form, are one session.
        let same = found.iter().position(|it| it.session == row.session);
        match same.and_then(|at| found.get_mut(at)) {
            Some(held) if store.program == ForeignProgram::Codex => {
                if (row.updated, &row.place.path) > (held.updated, &held.place.path) {
                    *held = row;
                }
            }
            _ => found.push(row),
        }
    }
    found
}

/// The programs that wrote the files of a folder, judged by their content.
pub fn programs_below(folder: &Path) -> Vec<ForeignProgram> {
    let mut found: Vec<ForeignProgram> = Vec::new();
    for path in files_below(folder, MAX_DEPTH) {
        if let Ok(Some(program)) = recognise(&path)
            && !found.contains(&program)
        {
            found.push(program);
        }
    }
    found.sort();
    found
}

/// The roots of the stores of a program in a folder: its databases, or the folder itself.
pub fn databases_below(folder: &Path, program: ForeignProgram) -> Vec<PathBuf> {
    match program {
        ForeignProgram::OpenCode
        | ForeignProgram::Goose
        | ForeignProgram::Crush
        | ForeignProgram::Aider => {
            let mut files = files_below(folder, MAX_DEPTH);
            files.retain(|path| matches!(recognise(path), Ok(Some(found)) if found == program));
            files
        }
        _ => vec![folder.to_owned()],
    }
}

/// The program that wrote a file; `None` when it is none known here.
pub fn program_of(path: &Path) -> Result<Option<ForeignProgram>, SourceError> {
    recognise(path)
}

/// The row of a file, by its beginning; `None` for a sub-agent's, for one that holds no
/// conversation yet and for one that cannot be read.
pub fn listing_of(program: ForeignProgram, path: &Path) -> Option<ForeignListing> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let head = source::beginning(path, HEAD_BYTES).ok()?;
    let head = String::from_utf8_lossy(&head);
    let metadata = path.metadata().ok()?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let mut row = ForeignListing {
        program,
        place: SessionPlace {
            path: path.to_owned(),
            session: None,
        },
        session: String::new(),
        title: None,
        cwd: String::new(),
        first_words: None,
        updated: Timestamp(i64::try_from(changed.as_millis()).ok()?),
        messages: None,
    };
    let mut is_child = false;
    let mut objects = serde_json::Deserializer::from_str(&head).into_iter::<Value>();
    while let Some(Ok(object)) = objects.next() {
        let facts = object.get("payload").unwrap_or(&object);
        let first = |keys: &[&str]| {
            let mut found = keys.iter().map(|key| parts::text(facts, key));
            found
                .find(|it| !it.is_empty())
                .unwrap_or_default()
                .to_owned()
        };
        if row.session.is_empty() {
            row.session = first(&["sessionId", "id"]);
        }
        if row.cwd.is_empty() {
            row.cwd = first(&["cwd"]);
        }
        row.first_words = row.first_words.or_else(|| first_words(facts));
        let title = first(&["customTitle", "aiTitle"]);
        row.title = Some(title).filter(|it| !it.is_empty()).or(row.title);
        is_child |= facts.get("parent_thread_id").is_some_and(Value::is_string)
            || parts::flag(facts, "isSidechain")
            || parts::text(facts, "kind") == "subagent";
        // The rest of the beginning can only name it.
        let is_known = row.first_words.is_some() && !row.session.is_empty() && !row.cwd.is_empty();
        let rest = head.get(objects.byte_offset()..).unwrap_or_default();
        if is_known && !rest.contains("Title\"") {
            break;
        }
    }
    if program == ForeignProgram::GeminiCli && gemini::is_start(path) {
        return None;
    }
    if program == ForeignProgram::GeminiCli && row.cwd.is_empty() {
        row.cwd = gemini::directory_of(path).unwrap_or_default();
    }
    if row.session.is_empty() {
        row.session = name;
    }
    (!is_child).then_some(row)
}
