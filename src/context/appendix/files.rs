//! Which files a call touches, whatever the tool is called: by its name, by the names of
//! its arguments, and by the headers of a patch. Sessions of other programs are compacted
//! too, and their tools have other names.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::transcript::ToolCall;

/// Names under which tools take a file path.
const PATH_ARGUMENTS: [&str; 10] = [
    "path",
    "file_path",
    "filePath",
    "filename",
    "file",
    "notebook_path",
    "absolute_path",
    "target_file",
    "TargetFile",
    "filepath",
];
/// Pieces of the names of tools that change files.
const WRITERS: [&str; 9] = [
    "write", "edit", "patch", "create", "replace", "insert", "append", "apply", "save",
];
/// Pieces of the names of tools that read files.
const READERS: [&str; 4] = ["read", "view", "open", "cat"];
/// Arguments that only a tool which changes files has.
const CONTENT_ARGUMENTS: [&str; 9] = [
    "content",
    "old_string",
    "oldText",
    "old_str",
    "new_string",
    "newText",
    "new_str",
    "file_text",
    "edits",
];
/// The argument of editors that do several things, and its values that only look.
const ACTION_ARGUMENT: &str = "command";
const LOOKING: [&str; 2] = ["view", "read"];
/// Headers of a patch, before a path.
const PATCH_HEADERS: [&str; 5] = [
    "*** Update File: ",
    "*** Add File: ",
    "*** Delete File: ",
    "*** Move to: ",
    "+++ b/",
];
/// The first line of one kind of patch, and how the other begins its file headers.
const PATCH_MARKS: [&str; 2] = ["*** Begin Patch", "+++ b/"];
/// Longest path, in bytes.
const MAX_PATH_BYTES: usize = 900;

/// The use of a file by a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileUse {
    /// Reads it.
    Read,
    /// Changes or creates it.
    Modify,
}

/// A file that is gone, by both names that a call may have used for it.
struct RemovedFile {
    relative: String,
    absolute: String,
}

impl RemovedFile {
    /// Whether a path of a call names it.
    fn is(&self, path: &str) -> bool {
        path == self.absolute || path.trim_start_matches("./") == self.relative
    }
}

/// Takes the files from lists that a command is known to have removed. `files` is what is
/// written down of a command: `{"root", "changed", "removed"}`.
pub(super) fn forget_removed(files: Option<&Value>, lists: [&mut BTreeSet<String>; 2]) {
    let root = files.and_then(|it| it.get("root")).and_then(Value::as_str);
    let removed = files.and_then(|it| it.get("removed"));
    let removed = removed.and_then(Value::as_array).into_iter().flatten();
    let removed: Vec<RemovedFile> = removed
        .filter_map(Value::as_str)
        .map(|path| RemovedFile {
            relative: path.to_owned(),
            absolute: format!("{}/{path}", root.unwrap_or_default()),
        })
        .collect();
    for list in lists {
        list.retain(|path| !removed.iter().any(|it| it.is(path)));
    }
}

/// The files that a call is about, and what it does to them; in the order of the call.
pub fn files_of(call: &ToolCall) -> Vec<(FileUse, &str)> {
    let arguments = call.arguments.as_object();
    let named = arguments.and_then(|arguments| {
        let file_use = use_of(&call.name, arguments)?;
        let path = PATH_ARGUMENTS
            .iter()
            .find_map(|name| arguments.get(*name)?.as_str())?
            .trim();
        is_path(path).then_some((file_use, path))
    });
    match named {
        Some(file) => vec![file],
        None => patched(&call.arguments)
            .into_iter()
            .map(|path| (FileUse::Modify, path))
            .collect(),
    }
}

/// The files that a call changes whose arguments say what it writes there: of a tool that
/// writes, not of a command line.
pub(in crate::context) fn written_files(call: &ToolCall) -> Vec<&str> {
    let tool = call.name.to_lowercase();
    if !WRITERS.iter().any(|piece| tool.contains(piece)) {
        return Vec::new();
    }
    let changed = files_of(call).into_iter();
    let changed = changed.filter(|(file_use, _)| *file_use == FileUse::Modify);
    changed.map(|(_, path)| path).collect()
}

/// Whether an argument of this name is the path of a file.
pub(in crate::context) fn is_path_argument(name: &str) -> bool {
    PATH_ARGUMENTS.contains(&name)
}

fn use_of(tool: &str, arguments: &Map<String, Value>) -> Option<FileUse> {
    let action = arguments.get(ACTION_ARGUMENT).and_then(Value::as_str);
    if action.is_some_and(|action| LOOKING.contains(&action)) {
        return Some(FileUse::Read);
    }
    let tool = tool.to_lowercase();
    let has_content = || {
        CONTENT_ARGUMENTS
            .iter()
            .any(|name| arguments.contains_key(*name))
    };
    if WRITERS.iter().any(|piece| tool.contains(piece)) {
        Some(FileUse::Modify)
    } else if READERS.iter().any(|piece| tool.contains(piece)) {
        Some(FileUse::Read)
    } else {
        has_content().then_some(FileUse::Modify)
    }
}

fn is_path(path: &str) -> bool {
    !path.is_empty() && !path.contains(['\n', '\r']) && path.len() <= MAX_PATH_BYTES
}

/// Paths in the headers of a patch that is anywhere in the arguments: as an argument
/// of its own, in the words of a command, or as all there is.
fn patched(arguments: &Value) -> Vec<&str> {
    let mut texts: Vec<&str> = Vec::new();
    match arguments {
        Value::String(text) => texts.push(text),
        Value::Object(map) => {
            for value in map.values() {
                match value {
                    Value::String(text) => texts.push(text),
                    Value::Array(items) => texts.extend(items.iter().filter_map(Value::as_str)),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    let mut found: Vec<&str> = texts
        .into_iter()
        .filter(|text| PATCH_MARKS.iter().any(|mark| text.contains(mark)))
        .flat_map(str::lines)
        .filter_map(|line| {
            PATCH_HEADERS
                .iter()
                .find_map(|header| line.strip_prefix(header))
        })
        .map(str::trim)
        .filter(|path| is_path(path))
        .collect();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tools_of_other_programs_are_understood() {
        let patch = "*** Begin Patch\n*** Update File: a.rs\n@@\n-x\n+y\n*** Add File: b.rs\n+z\n*** End Patch";
        let diff = "--- a/a.rs\n+++ b/a.rs\n@@ -1 +1 @@\n-x\n+y\n";
        let both: &[&str] = &["w a.rs", "w b.rs"];
        let a: &[&str] = &["w a.rs"];
        for (tool, arguments, expected) in [
            ("Read", json!({"file_path": "a.rs"}), &["r a.rs"][..]),
            ("Edit", json!({"file_path": "a.rs", "old_string": "x"}), a),
            ("MultiEdit", json!({"file_path": "a.rs", "edits": []}), a),
            (
                "str_replace_editor",
                json!({"command": "view", "path": "a.rs"}),
                &["r a.rs"],
            ),
            (
                "str_replace_editor",
                json!({"command": "create", "path": "a.rs"}),
                a,
            ),
            ("fs", json!({"filePath": "a.rs", "content": "x"}), a),
            ("apply_patch", json!({"input": patch}), both),
            ("apply_patch", json!(patch), both),
            ("shell", json!({"command": ["apply_patch", patch]}), both),
            (
                "Bash",
                json!({"command": format!("apply_patch <<'EOF'\n{patch}\nEOF")}),
                both,
            ),
            ("apply_diff", json!({"diff": diff}), a),
            ("Bash", json!({"command": "cat a.rs"}), &[]),
            ("list", json!({"path": "src"}), &[]),
            ("TodoWrite", json!({"todos": [{"content": "x"}]}), &[]),
        ] {
            let call = ToolCall {
                id: "1".to_owned(),
                name: tool.to_owned(),
                arguments,
                malformed: None,
            };
            let found: Vec<String> = files_of(&call)
                .into_iter()
                .map(|(file_use, path)| match file_use {
                    FileUse::Read => format!("r {path}"),
                    FileUse::Modify => format!("w {path}"),
                })
                .collect();
            assert_eq!(found, expected, "{tool} {}", call.arguments);
        }
    }
}
