//! The `list` tool: what is in a directory, as a tree, without what git ignores.

use std::cmp::Ordering;
use std::fmt::Write;
use std::path::PathBuf;

use futures::future::BoxFuture;
use serde_json::{Map, Value, json};

use super::text_file::cannot_read;
use super::walk::walker;
use crate::tool::arguments::{
    ArgumentRow, CallArguments, CountArgument, FlagArgument, OptionalText, object_schema,
};
use crate::tool::interface::{Effect, Tool};
use crate::tool::outcome::run_blocking;
use crate::tool::outcome::{ToolError, ToolOutcome};
use crate::tool::page::counted;
use crate::tool::place::path::{ResolvedPath, resolve};
use crate::tool::plan::Plan;
use crate::tool::scope::{ToolJob, ToolScope};
use crate::transcript::{ToolSchema, grouped};

#[cfg(test)]
mod tests;

/// The walk ends here, so that a listing of a whole disk answers at all.
const MAX_WALKED: usize = 100_000;

static PATH: OptionalText = OptionalText::new("path", "Directory. Default: the working directory.");
static DEPTH: CountArgument = CountArgument::new("depth", 1..=20, 2, "Levels to show. Default 2.");
/// The most are about as many lines as a page has.
static LIMIT: CountArgument = CountArgument::new(
    "limit",
    1..=2_000,
    200,
    "At most this many entries. Default 200.",
);
static IGNORED: FlagArgument =
    FlagArgument::new("ignored", "Also what git ignores. Default false.");
/// All of them, in the order of the schema.
static ARGUMENTS: [&dyn ArgumentRow; 4] = [&PATH, &DEPTH, &LIMIT, &IGNORED];

/// Lists directories.
#[derive(Clone, Copy, Debug)]
pub struct ListTool;

struct ListCall {
    path: ResolvedPath,
    depth: usize,
    limit: usize,
    with_ignored: bool,
}

struct ListEntry {
    /// Relative to what is listed.
    path: PathBuf,
    is_dir: bool,
    /// Target of a symlink.
    target: Option<PathBuf>,
}

impl ListCall {
    fn parse(arguments: &Map<String, Value>, scope: &ToolScope) -> Result<Self, ToolError> {
        let arguments = CallArguments::new("list", &ARGUMENTS, arguments)?;
        Ok(Self {
            path: resolve(arguments.optional_text(&PATH)?.unwrap_or("."), scope)?,
            depth: arguments.count(&DEPTH)? as usize,
            limit: arguments.count(&LIMIT)? as usize,
            with_ignored: arguments.flag(&IGNORED)?,
        })
    }
}

impl Tool for ListTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: "list".to_owned(),
            description: "Lists a directory as an indented tree, directories first (they end \
                in `/`), without what git ignores. A closing [notice] says how much there is \
                and whether something was left out. To find files by name or content, use \
                `search`."
                .to_owned(),
            parameters: object_schema(&ARGUMENTS),
        }
    }

    fn effect(&self) -> Effect {
        Effect::Read
    }

    fn is_repeatable(&self) -> bool {
        true
    }

    fn plan(&self, arguments: &Map<String, Value>, scope: &ToolScope) -> Result<Plan, ToolError> {
        let call = ListCall::parse(arguments, scope)?;
        Ok(Plan::reading(call.path, scope))
    }

    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(run_blocking(move || {
            let call = ListCall::parse(&arguments, &job.scope)?;
            job.check_target(&call.path.absolute)?;
            list(&call, &job)
        }))
    }
}

fn list(call: &ListCall, job: &ToolJob) -> Result<ToolOutcome, ToolError> {
    let path = &call.path;
    let metadata = std::fs::metadata(&path.absolute).map_err(|error| cannot_read(path, &error))?;
    if !metadata.is_dir() {
        return Err(ToolError(format!(
            "{} is a file ({} bytes), not a directory. Use `read` to see it.",
            path.shown,
            grouped(metadata.len())
        )));
    }
    let is_empty = std::fs::read_dir(&path.absolute)
        .map_err(|error| cannot_read(path, &error))?
        .next()
        .is_none();
    let (mut entries, is_complete) = walk(call, job)?;
    entries.sort_by(directories_first);
    let text = match (entries.is_empty(), is_empty) {
        (false, _) => render(call, &entries, is_complete),
        (true, true) => format!("[{} is empty]", path.shown),
        (true, false) => format!(
            "[git ignores all that is in {}; set `ignored` to see it]",
            path.shown
        ),
    };
    let details = json!({"path": path.shown, "lines": entries.len().min(call.limit)});
    Ok(ToolOutcome::text(text).with_details(details))
}

fn walk(call: &ListCall, job: &ToolJob) -> Result<(Vec<ListEntry>, bool), ToolError> {
    let root = &call.path.absolute;
    let mut entries = Vec::new();
    let walk = walker(root, call.with_ignored, &job.scope)
        .max_depth(Some(call.depth))
        .build();
    // Folders that may not be read show as empty.
    for entry in walk.flatten() {
        if job.cancel.is_cancelled() {
            return Err(ToolError("Stopped by the user.".to_owned()));
        }
        if entry.depth() == 0 {
            continue;
        }
        if entries.len() == MAX_WALKED {
            return Ok((entries, false));
        }
        let target = entry
            .path_is_symlink()
            .then(|| std::fs::read_link(entry.path()).ok())
            .flatten();
        entries.push(ListEntry {
            is_dir: entry.file_type().is_some_and(|kind| kind.is_dir()),
            path: entry
                .path()
                .strip_prefix(root)
                .unwrap_or(entry.path())
                .to_owned(),
            target,
        });
    }
    Ok((entries, true))
}

/// The order of a tree: a directory is followed by what is in it; among siblings directories
/// come first, then names in order.
fn directories_first(a: &ListEntry, b: &ListEntry) -> Ordering {
    let mut left = a.path.components().peekable();
    let mut right = b.path.components().peekable();
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(x), Some(y)) if x == y => {}
            (Some(x), Some(y)) => {
                let x_is_dir = a.is_dir || left.peek().is_some();
                let y_is_dir = b.is_dir || right.peek().is_some();
                return y_is_dir.cmp(&x_is_dir).then(x.cmp(&y));
            }
        }
    }
}

fn render(call: &ListCall, entries: &[ListEntry], is_complete: bool) -> String {
    let mut text = String::new();
    for entry in entries.iter().take(call.limit) {
        let depth = entry.path.components().count().saturating_sub(1);
        text.push_str(&"  ".repeat(depth));
        let name = entry.path.file_name().unwrap_or(entry.path.as_os_str());
        text.push_str(&name.to_string_lossy());
        if entry.is_dir {
            text.push('/');
        }
        if let Some(target) = &entry.target {
            let _ = write!(text, " -> {}", target.display());
        }
        text.push('\n');
    }
    let directories = entries.iter().filter(|entry| entry.is_dir).count() as u64;
    let files = entries.len() as u64 - directories;
    let depth = counted(call.depth as u64, "level", "levels");
    let _ = write!(
        text,
        "\n[{}{}, {}, {depth} deep",
        if is_complete { "" } else { "more than " },
        counted(directories, "directory", "directories"),
        counted(files, "file", "files"),
    );
    if entries.len() > call.limit {
        let _ = write!(
            text,
            "; the first {} are shown: list a subdirectory, or raise `limit`",
            grouped(call.limit as u64)
        );
    }
    text.push(']');
    text
}
