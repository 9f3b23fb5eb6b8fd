//! The `search` tool: lines that match a pattern, in the files that git does not ignore.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use futures::future::BoxFuture;
use globset::{GlobBuilder, GlobMatcher};
use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use self::matches::SearchMatches;
use super::text_file::{cannot_read, is_system_file};
use super::walk::walker;
use crate::tool::arguments::{
    ArgumentRow, CallArguments, CountArgument, FlagArgument, OptionalText, RequiredText,
    object_schema,
};
use crate::tool::interface::{Effect, Tool};
use crate::tool::outcome::run_blocking;
use crate::tool::outcome::{ToolError, ToolOutcome};
use crate::tool::page::counted;
use crate::tool::place::path::{ResolvedPath, resolve};
use crate::tool::place::sensitive::holds_secrets;
use crate::tool::plan::Plan;
use crate::tool::scope::{ToolJob, ToolScope};
use crate::transcript::{ToolSchema, grouped};

mod matches;
#[cfg(test)]
mod tests;

/// Memory for one line; files with longer lines are left out.
const MAX_LINE_HEAP: usize = 16 * 1024 * 1024;

/// Memory for the automaton of a pattern.
const MAX_REGEX_BYTES: usize = 8 * 1024 * 1024;

static PATTERN: RequiredText = RequiredText::new(
    "pattern",
    "Regular expression (Rust syntax: no look-around).",
);
static PATH: OptionalText =
    OptionalText::new("path", "File or directory. Default: the working directory.");
static GLOB: OptionalText =
    OptionalText::new("glob", "Only files like this: `*.rs`, `src/**/*.{ts,tsx}`.");
static LITERAL: FlagArgument =
    FlagArgument::new("literal", "Take the pattern as plain text. Default false.");
static IGNORE_CASE: FlagArgument = FlagArgument::new("ignore_case", "Default false.");
static IGNORED: FlagArgument =
    FlagArgument::new("ignored", "Also in what git ignores. Default false.");
static CONTEXT: CountArgument = CountArgument::new(
    "context",
    0..=20,
    0,
    "Lines to show around each match. Default 0.",
);
static LIMIT: CountArgument = CountArgument::new(
    "limit",
    1..=1_000,
    100,
    "At most this many matching lines. Default 100.",
);
/// All of them, in the order of the schema.
static ARGUMENTS: [&dyn ArgumentRow; 8] = [
    &PATTERN,
    &PATH,
    &GLOB,
    &LITERAL,
    &IGNORE_CASE,
    &IGNORED,
    &CONTEXT,
    &LIMIT,
];

/// Searches file contents.
#[derive(Clone, Copy, Debug)]
pub struct SearchTool;

struct SearchCall {
    path: ResolvedPath,
    pattern: String,
    glob: Option<String>,
    is_literal: bool,
    ignore_case: bool,
    with_ignored: bool,
    context_lines: usize,
    limit: u64,
}

impl SearchCall {
    fn parse(arguments: &Map<String, Value>, scope: &ToolScope) -> Result<Self, ToolError> {
        let arguments = CallArguments::new("search", &ARGUMENTS, arguments)?;
        let call = Self {
            path: resolve(arguments.optional_text(&PATH)?.unwrap_or("."), scope)?,
            pattern: arguments.text(&PATTERN)?.to_owned(),
            glob: arguments.optional_text(&GLOB)?.map(str::to_owned),
            is_literal: arguments.flag(&LITERAL)?,
            ignore_case: arguments.flag(&IGNORE_CASE)?,
            with_ignored: arguments.flag(&IGNORED)?,
            context_lines: arguments.count(&CONTEXT)? as usize,
            limit: arguments.count(&LIMIT)?,
        };
        if call.pattern.is_empty() {
            return Err(ToolError(
                "search: `pattern` is empty. Use `list` to see which files there are.".to_owned(),
            ));
        }
        call.matcher()?;
        call.glob_matcher()?;
        Ok(call)
    }

    fn matcher(&self) -> Result<RegexMatcher, ToolError> {
        RegexMatcherBuilder::new()
            .fixed_strings(self.is_literal)
            .case_insensitive(self.ignore_case)
            .crlf(true)
            .size_limit(MAX_REGEX_BYTES)
            .build(&self.pattern)
            .map_err(|error| {
                ToolError(format!(
                    "search: the pattern cannot be used: {error}. It is matched line by line; \
                     set `literal` to search for it as it is written."
                ))
            })
    }

    /// A glob without `/` is about names, another one about paths below `path`.
    fn glob_matcher(&self) -> Result<Option<GlobMatcher>, ToolError> {
        let Some(glob) = self.glob.as_deref().filter(|glob| !glob.is_empty()) else {
            return Ok(None);
        };
        let full = if glob.contains('/') {
            glob.trim_start_matches("./").to_owned()
        } else {
            format!("**/{glob}")
        };
        GlobBuilder::new(&full)
            .literal_separator(true)
            .build()
            .map(|glob| Some(glob.compile_matcher()))
            .map_err(|error| ToolError(format!("search: `glob`: {error}.")))
    }
}

impl Tool for SearchTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: "search".to_owned(),
            description: "Searches file contents for a regular expression, line by line, \
                leaving out what git ignores. Answers `path:line:text` for matches and \
                `path-line-text` for lines around them; a closing [notice] says how many there \
                are and whether some were left out. Narrow a search by `path` and `glob` \
                rather than raising `limit`."
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
        let call = SearchCall::parse(arguments, scope)?;
        let glob = call
            .glob
            .map(|glob| format!(" ({glob})"))
            .unwrap_or_default();
        let title = format!("{:?} in {}{glob}", call.pattern, call.path.shown);
        Ok(Plan {
            pattern: globset::escape(&title),
            outside: call.path.outside_for_reading(scope),
            cautions: call.path.cautions_for_reading(scope),
            target: Some(call.path.absolute),
            title,
            ..Plan::default()
        })
    }

    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(run_blocking(move || {
            let call = SearchCall::parse(&arguments, &job.scope)?;
            job.check_target(&call.path.absolute)?;
            search(&call, &job)
        }))
    }
}

fn search(call: &SearchCall, job: &ToolJob) -> Result<ToolOutcome, ToolError> {
    let root = &call.path.absolute;
    let metadata = std::fs::metadata(root).map_err(|error| cannot_read(&call.path, &error))?;
    let matcher = call.matcher()?;
    let glob = call.glob_matcher()?;
    // Whoever names a file with secrets, or their folder, was asked about it.
    let is_agreed = !call.path.cautions_for_reading(&job.scope).is_empty();
    let mut searcher = searcher(call.context_lines);
    let mut found = SearchMatches::new(call.limit);
    let mut file_count = 0;
    let walk = walker(root, call.with_ignored, &job.scope)
        .sort_by_file_path(Path::cmp)
        .build();
    for entry in walk.flatten() {
        if job.cancel.is_cancelled() {
            return Err(ToolError("Stopped by the user.".to_owned()));
        }
        if found.is_full() {
            break;
        }
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        // A root that is a file is searched whatever the glob says.
        let is_wanted = entry.depth() == 0 || glob.as_ref().is_none_or(|glob| glob.is_match(below));
        if !is_wanted || !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        if !is_agreed && holds_secrets(below) {
            found.withhold_file();
            continue;
        }
        file_count += 1;
        found.begin_file(&shown(call, entry.path()));
        search_file(
            &mut searcher,
            &matcher,
            entry.path(),
            &job.cancel,
            &mut found,
        );
    }
    if metadata.is_file() && file_count == 0 {
        return Err(ToolError(format!(
            "{} cannot be searched.",
            call.path.shown
        )));
    }
    Ok(answer(call, found, file_count))
}

fn searcher(context_lines: usize) -> Searcher {
    SearcherBuilder::new()
        // The pattern's `$` matches before CR LF, too; both sides have to agree on that.
        .line_terminator(LineTerminator::crlf())
        .line_number(true)
        .before_context(context_lines)
        .after_context(context_lines)
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(MAX_LINE_HEAP))
        .build()
}

/// A file that was found, as a path that `read` takes.
fn shown(call: &SearchCall, path: &Path) -> String {
    match path.strip_prefix(&call.path.absolute) {
        Ok(rest) if rest.as_os_str().is_empty() => call.path.shown.clone(),
        Ok(rest) if call.path.shown == "." => rest.display().to_string(),
        Ok(rest) => Path::new(&call.path.shown).join(rest).display().to_string(),
        Err(_) => path.display().to_string(),
    }
}

/// Files that cannot be read, and binary ones, are passed over.
fn search_file(
    searcher: &mut Searcher,
    matcher: &RegexMatcher,
    path: &Path,
    cancel: &CancellationToken,
    found: &mut SearchMatches,
) {
    let Ok(file) = File::open(path) else {
        found.skip_file();
        return;
    };
    if is_system_file(&file) {
        found.skip_file();
        return;
    }
    let reader = CancelledReader { file, cancel };
    if searcher
        .search_reader(matcher, reader, &mut *found)
        .is_err()
    {
        found.skip_file();
    }
}

/// Ends a search within a large file.
struct CancelledReader<'a> {
    file: File,
    cancel: &'a CancellationToken,
}

impl Read for CancelledReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("stopped"));
        }
        self.file.read(buffer)
    }
}

fn answer(call: &SearchCall, found: SearchMatches, file_count: u64) -> ToolOutcome {
    let details = json!({"matches": found.count(), "files": found.files()});
    let mut notices = Vec::new();
    if found.count() == 0 {
        notices.push(format!(
            "no matches for {:?} in {} ({})",
            call.pattern,
            call.path.shown,
            counted(file_count, "file", "files")
        ));
    } else {
        notices.push(format!(
            "{} in {}",
            counted(found.count(), "matching line", "matching lines"),
            counted(found.files(), "file", "files")
        ));
    }
    if found.is_full() {
        notices.push(
            "the page is full and there may be more; narrow `path`, `glob` or `pattern`".to_owned(),
        );
    }
    if found.skipped() > 0 {
        notices.push(format!(
            "{} could not be read",
            counted(found.skipped(), "file", "files")
        ));
    }
    if found.withheld() > 0 {
        notices.push(format!(
            "{} left out, as files with such names hold keys or passwords; a call with one as \
             `path` asks the user",
            counted(found.withheld(), "file", "files")
        ));
    }
    if found.cut_lines() > 0 {
        notices.push(format!("{} long lines cut", grouped(found.cut_lines())));
    }
    let mut text = found.into_text();
    if !text.is_empty() {
        text.push('\n');
    }
    text.push('[');
    text.push_str(&notices.join("; "));
    text.push(']');
    ToolOutcome::text(text).with_details(details)
}
