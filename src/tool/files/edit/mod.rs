//! The `edit` tool: exact replacement of a passage.
//!
//! The passage has to be there once (or all of them are meant), so that an edit never lands
//! in a place that the model did not look at.

use std::collections::HashSet;
use std::fmt::Write;

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::save::{check_read, details, save};
use super::text_file::TextFile;
use crate::checkpoint::FileDifference;
use crate::tool::arguments::{
    ArgumentRow, CallArguments, FILE_DESCRIPTION, FlagArgument, RequiredText, object_schema,
};
use crate::tool::interface::{Effect, Tool};
use crate::tool::outcome::run_blocking;
use crate::tool::outcome::{ToolError, ToolOutcome};
use crate::tool::page::{counted, first_chars};
use crate::tool::place::path::{ResolvedPath, resolve};
use crate::tool::plan::Plan;
use crate::tool::scope::{ToolJob, ToolScope};
use crate::transcript::{ToolSchema, grouped};

#[cfg(test)]
mod tests;

/// Line numbers listed when a passage occurs more than once.
const MAX_LISTED: usize = 10;

/// Similar lines shown when a passage does not occur.
const MAX_SIMILAR: usize = 3;

/// Characters shown of a similar line.
const SIMILAR_CHARS: usize = 160;

/// Lines that are looked at for similar ones: a hint may not take longer than the edit.
const MAX_COMPARED: usize = 20_000;

/// Places tried for a passage whose white space differs, for the same reason.
const MAX_STARTS: usize = 200;

/// Lines are similar from this share of common letter pairs on.
const SIMILAR_FROM: f64 = 0.5;

static PATH: RequiredText = RequiredText::new("path", FILE_DESCRIPTION);
static OLD_TEXT: RequiredText =
    RequiredText::new("old_text", "The passage as it is in the file now.");
static NEW_TEXT: RequiredText = RequiredText::new(
    "new_text",
    "What takes its place; empty removes the passage.",
);
static REPLACE_ALL: FlagArgument =
    FlagArgument::new("replace_all", "Replace every occurrence. Default false.");
/// All of them, in the order of the schema.
static ARGUMENTS: [&dyn ArgumentRow; 4] = [&PATH, &OLD_TEXT, &NEW_TEXT, &REPLACE_ALL];

/// Replaces passages.
#[derive(Clone, Copy, Debug)]
pub struct EditTool;

/// A call that may be carried out, with the file it is based on.
struct PreparedEdit {
    path: ResolvedPath,
    file: TextFile,
    new_text: String,
    change: FileDifference,
    /// Lines on which replaced passages begin.
    lines: Vec<usize>,
}

/// The arguments of a call.
struct EditCall<'a> {
    path: ResolvedPath,
    old: &'a str,
    new: &'a str,
    replace_all: bool,
}

impl<'a> EditCall<'a> {
    fn parse(arguments: &'a Map<String, Value>, scope: &ToolScope) -> Result<Self, ToolError> {
        let arguments = CallArguments::new("edit", &ARGUMENTS, arguments)?;
        let call = Self {
            path: resolve(arguments.text(&PATH)?, scope)?,
            old: arguments.text(&OLD_TEXT)?,
            new: arguments.text(&NEW_TEXT)?,
            replace_all: arguments.flag(&REPLACE_ALL)?,
        };
        if call.old.is_empty() {
            return Err(ToolError(
                "edit: `old_text` is empty. Use `write` for a new file; to insert text, give \
                 the line beside it as `old_text`."
                    .to_owned(),
            ));
        }
        if call.old == call.new {
            return Err(ToolError(
                "edit: `old_text` and `new_text` are the same; nothing would change.".to_owned(),
            ));
        }
        Ok(call)
    }
}

impl PreparedEdit {
    fn new(call: EditCall<'_>, scope: &ToolScope) -> Result<Self, ToolError> {
        let path = call.path;
        let file = TextFile::load(&path)?;
        check_read(&path, scope)?;
        let (old, new) = with_line_endings(&file, call.old, call.new);
        let lines = lines_of_matches(&file.text, &old);
        match lines.as_slice() {
            [] => return Err(not_found(&path, &file.text, &old)),
            [_] => {}
            _ if call.replace_all => {}
            several => return Err(not_unique(&path, several)),
        }
        let new_text = file.text.replace(&old, &new);
        Ok(Self {
            change: FileDifference::between(&path.shown, Some(&file.text), Some(&new_text)),
            path,
            file,
            new_text,
            lines,
        })
    }
}

impl Tool for EditTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: "edit".to_owned(),
            description: "Replaces a passage in a file. Read the file first. `old_text` must \
                match the file exactly, with its indentation, and occur once: take enough \
                lines around the change to make it unique, or set `replace_all`."
                .to_owned(),
            parameters: object_schema(&ARGUMENTS),
        }
    }

    fn effect(&self) -> Effect {
        Effect::Edit
    }

    fn plan(&self, arguments: &Map<String, Value>, scope: &ToolScope) -> Result<Plan, ToolError> {
        let call = EditCall::parse(arguments, scope)?;
        let path = call.path.clone();
        let passage = FileDifference::between_passages(&path.shown, call.old, call.new);
        let diff = match PreparedEdit::new(call, scope) {
            Ok(prepared) => prepared.change.diff,
            // Before the user agrees, the reason would say what is there and what is not.
            Err(_) if path.asks_before_writing(scope) => passage.diff,
            Err(error) => return Err(error),
        };
        Ok(Plan::changing(path, diff, scope))
    }

    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(run_blocking(move || {
            let call = EditCall::parse(&arguments, &job.scope)?;
            job.check_target(&call.path.absolute)?;
            let call = PreparedEdit::new(call, &job.scope)?;
            let bytes = call.file.encode(&call.new_text);
            save(&call.path, bytes.as_bytes(), Some(call.file.stamp), &job)?;
            let text = format!(
                "Replaced {} in {} ({}; +{} −{}).",
                counted(call.lines.len() as u64, "passage", "passages"),
                call.path.shown,
                listed(&call.lines),
                call.change.added,
                call.change.removed
            );
            Ok(ToolOutcome::text(text).with_details(details(&call.change, &call.path)))
        }))
    }
}

/// Both texts with the line endings of the file: models write LF whatever they read.
fn with_line_endings(file: &TextFile, old: &str, new: &str) -> (String, String) {
    let is_verbatim = old.contains('\n') && file.text.contains(old);
    if !file.is_crlf() || is_verbatim {
        return (old.to_owned(), new.to_owned());
    }
    let to_crlf = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
    (to_crlf(old), to_crlf(new))
}

/// The line (from 1) on which each match begins. Matches do not overlap.
fn lines_of_matches(text: &str, passage: &str) -> Vec<usize> {
    let mut line = 1;
    let mut counted_to = 0;
    text.match_indices(passage)
        .map(|(index, _)| {
            let between = text.get(counted_to..index).unwrap_or("");
            line += between.matches('\n').count();
            counted_to = index;
            line
        })
        .collect()
}

fn listed(lines: &[usize]) -> String {
    let mut text = if lines.len() == 1 { "line " } else { "lines " }.to_owned();
    let shown: Vec<String> = lines
        .iter()
        .take(MAX_LISTED)
        .map(|line| grouped(*line as u64))
        .collect();
    text.push_str(&shown.join("; "));
    if lines.len() > MAX_LISTED {
        text.push_str(" and more");
    }
    text
}

fn not_unique(path: &ResolvedPath, lines: &[usize]) -> ToolError {
    ToolError(format!(
        "`old_text` occurs {} times in {} ({}); nothing was changed. Take in more lines around \
         it to make it unique, or set `replace_all`.",
        grouped(lines.len() as u64),
        path.shown,
        listed(lines)
    ))
}

fn not_found(path: &ResolvedPath, text: &str, old: &str) -> ToolError {
    let mut message = format!(
        "`old_text` does not occur in {}; nothing was changed.",
        path.shown
    );
    let wanted = old.lines().map(str::trim).find(|line| !line.is_empty());
    if let Some(line) = blank_difference(text, old) {
        let _ = write!(
            message,
            " A passage that differs in white space only begins on line {}: copy it exactly.",
            grouped(line as u64)
        );
    } else if let Some(similar) = wanted.map(|wanted| similar_lines(text, wanted))
        && !similar.is_empty()
    {
        message.push_str(" Lines like its first one:");
        for (number, line) in similar {
            let (line, is_cut) = first_chars(line, SIMILAR_CHARS);
            let dots = if is_cut { "…" } else { "" };
            let _ = write!(message, "\n{number}: {line}{dots}");
        }
        message.push_str("\nRead the file again and copy the passage exactly.");
    } else {
        message.push_str(" Nothing like it is there. Read the file again, or `search` for it.");
    }
    ToolError(message)
}

/// The line where the passage would match if white space did not count.
fn blank_difference(text: &str, old: &str) -> Option<usize> {
    let wanted: Vec<&str> = old
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty())
        .collect();
    let first = wanted.first()?;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let starts = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| *line == first)
        .map(|(index, _)| index);
    starts
        .take(MAX_STARTS)
        .filter(|start| {
            wanted
                .iter()
                .zip(lines.iter().skip(*start).chain(std::iter::repeat(&"")))
                .all(|(wanted, line)| wanted == line)
        })
        .map(|index| index + 1)
        .next()
}

/// The lines most like `wanted`, best first, with their numbers.
fn similar_lines<'a>(text: &'a str, wanted: &str) -> Vec<(usize, &'a str)> {
    let wanted = letter_pairs(wanted);
    let mut found: Vec<(f64, usize, &str)> = text
        .lines()
        .take(MAX_COMPARED)
        .enumerate()
        .filter_map(|(index, line)| {
            let pairs = letter_pairs(line.trim());
            let common = pairs.intersection(&wanted).count() as f64;
            let share = 2.0 * common / (pairs.len() + wanted.len()).max(1) as f64;
            (share >= SIMILAR_FROM).then_some((share, index + 1, line))
        })
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found
        .into_iter()
        .take(MAX_SIMILAR)
        .map(|(_, number, line)| (number, line))
        .collect()
}

fn letter_pairs(line: &str) -> HashSet<(char, char)> {
    let (line, _) = first_chars(line, SIMILAR_CHARS);
    line.chars().zip(line.chars().skip(1)).collect()
}
