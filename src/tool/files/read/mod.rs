//! The `read` tool: a page of a text file, or an image.

use std::io::{self, Read, Seek};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use self::pager::{LinePager, ReadPage};
use super::read_log::FileStamp;
use super::text_file::{ContentKind, SNIFF_BYTES, cannot_read, open, sniff};
use crate::tool::arguments::{
    ArgumentRow, CallArguments, CountArgument, FILE_DESCRIPTION, RequiredText, object_schema,
};
use crate::tool::interface::{Effect, Tool};
use crate::tool::outcome::run_blocking;
use crate::tool::outcome::{ToolError, ToolOutcome};
use crate::tool::page::{LINE_CHARS, PAGE_LINES, counted};
use crate::tool::place::path::{ResolvedPath, resolve};
use crate::tool::plan::Plan;
use crate::tool::scope::{ToolJob, ToolScope};
use crate::transcript::{Image, Part, ToolSchema, grouped};

mod pager;
#[cfg(test)]
mod tests;

/// Providers refuse larger images.
const MAX_IMAGE_BYTES: u64 = 5 * 1024 * 1024;

/// Bytes per read; cancellation is checked in between.
const CHUNK_BYTES: usize = 64 * 1024;

static PATH: RequiredText = RequiredText::new("path", FILE_DESCRIPTION);
static OFFSET: CountArgument = CountArgument::new(
    "offset",
    1..=u64::MAX,
    1,
    "Line to start at, counted from 1. Default 1.",
);
static LIMIT: CountArgument = CountArgument::new(
    "limit",
    1..=(PAGE_LINES as u64),
    PAGE_LINES as u64,
    "At most this many lines. Default 2000.",
);
/// All of them, in the order of the schema.
static ARGUMENTS: [&dyn ArgumentRow; 3] = [&PATH, &OFFSET, &LIMIT];

/// Reads a file.
#[derive(Clone, Copy, Debug)]
pub struct ReadTool;

struct ReadCall {
    path: ResolvedPath,
    first_line: u64,
    line_limit: usize,
}

impl ReadCall {
    fn parse(arguments: &Map<String, Value>, scope: &ToolScope) -> Result<Self, ToolError> {
        let arguments = CallArguments::new("read", &ARGUMENTS, arguments)?;
        Ok(Self {
            path: resolve(arguments.text(&PATH)?, scope)?,
            first_line: arguments.count(&OFFSET)?,
            line_limit: arguments.count(&LIMIT)? as usize,
        })
    }
}

impl Tool for ReadTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: "read".to_owned(),
            description: "Reads a file: text, or an image (PNG, JPEG, GIF, WebP). Text comes \
                in pages of up to 2,000 lines or 50 KiB, exactly as it is in the file, without \
                line numbers; a closing [notice] says which lines these are and how to get the \
                next page. Read a file before you edit or overwrite it. To find something in \
                large files, use `search` first and read around the matches."
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
        let call = ReadCall::parse(arguments, scope)?;
        Ok(Plan::reading(call.path, scope))
    }

    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(run_blocking(move || {
            let call = ReadCall::parse(&arguments, &job.scope)?;
            job.check_target(&call.path.absolute)?;
            read(&call, &job.scope, &job.cancel)
        }))
    }
}

fn read(
    call: &ReadCall,
    scope: &ToolScope,
    cancel: &CancellationToken,
) -> Result<ToolOutcome, ToolError> {
    let path = &call.path;
    let failed = |error: io::Error| cannot_read(path, &error);
    let (mut file, metadata) = open(path)?;
    let stamp = FileStamp::of(&path.absolute).map_err(failed)?;
    let mut start = Vec::new();
    (&mut file)
        .take(SNIFF_BYTES as u64)
        .read_to_end(&mut start)
        .map_err(failed)?;
    file.rewind().map_err(failed)?;
    match sniff(&start) {
        ContentKind::Text => {}
        ContentKind::Image(mime) => return image(path, file, metadata.len(), mime),
        ContentKind::Utf16 => {
            return Err(ToolError(format!(
                "{} is UTF-16 text ({} bytes), which is not read here. \
                 `iconv -f UTF-16 -t UTF-8` converts it.",
                path.shown,
                grouped(metadata.len())
            )));
        }
        ContentKind::Binary => {
            return Err(ToolError(format!(
                "{} is a binary file ({} bytes); it is not shown. Use a command such as \
                 `file` or `xxd` to look into it.",
                path.shown,
                grouped(metadata.len())
            )));
        }
    }
    let page = page_of(file, call, cancel).map_err(failed)?;
    if page.total_lines > 0 && call.first_line > page.total_lines {
        return Err(ToolError(format!(
            "{} has only {}; offset={} is beyond its end.",
            path.shown,
            counted(page.total_lines, "line", "lines"),
            call.first_line
        )));
    }
    scope.reads.record(&path.absolute, stamp);
    let details = json!({"path": path.shown, "lines": page.shown_lines, "total": page.total_lines});
    Ok(ToolOutcome::text(render(page, call)).with_details(details))
}

fn page_of(
    mut file: impl Read,
    call: &ReadCall,
    cancel: &CancellationToken,
) -> io::Result<ReadPage> {
    let mut pager = LinePager::new(call.first_line, call.line_limit);
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        if cancel.is_cancelled() {
            return Err(io::Error::other("stopped by the user"));
        }
        match file.read(&mut chunk) {
            Ok(0) => return Ok(pager.finish()),
            Ok(length) => pager.push(chunk.get(..length).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn render(page: ReadPage, call: &ReadCall) -> String {
    if page.total_lines == 0 {
        return format!("[{} is empty]", call.path.shown);
    }
    let last = call.first_line + page.shown_lines - 1;
    let mut notices = Vec::new();
    if call.first_line > 1 || last < page.total_lines {
        let more = if last < page.total_lines {
            format!("; continue with offset={}", last + 1)
        } else {
            "; this is the end".to_owned()
        };
        notices.push(format!(
            "lines {}–{} of {}{more}",
            grouped(call.first_line),
            grouped(last),
            grouped(page.total_lines)
        ));
    }
    if page.cut_lines > 0 {
        notices.push(format!(
            "{} cut to {} characters",
            counted(page.cut_lines, "line", "lines"),
            grouped(LINE_CHARS as u64)
        ));
    }
    if page.has_invalid_text {
        notices.push("not all of it is UTF-8; � stands for bytes that are not".to_owned());
    }
    if page.is_crlf {
        notices.push("lines end in CR LF".to_owned());
    }
    let mut text = page.text;
    if !notices.is_empty() {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str("\n[");
        text.push_str(&notices.join("; "));
        text.push(']');
    }
    text
}

fn image(
    path: &ResolvedPath,
    file: impl Read,
    length: u64,
    mime: &'static str,
) -> Result<ToolOutcome, ToolError> {
    let too_large = || {
        ToolError(format!(
            "{} is an image of {} bytes; at most {} can be shown to a model. \
             Scale it down with a command first.",
            path.shown,
            grouped(length),
            grouped(MAX_IMAGE_BYTES)
        ))
    };
    if length > MAX_IMAGE_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(MAX_IMAGE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| cannot_read(path, &error))?;
    if bytes.len() as u64 > MAX_IMAGE_BYTES {
        return Err(too_large());
    }
    let name = path.absolute.file_name();
    Ok(ToolOutcome {
        content: vec![
            Part::Text(format!(
                "[{}: {mime}, {} bytes]",
                path.shown,
                grouped(bytes.len() as u64)
            )),
            Part::Image(Image {
                data: Arc::from(BASE64.encode(&bytes)),
                mime: mime.to_owned(),
                name: name.map(|name| name.to_string_lossy().into_owned()),
            }),
        ],
        is_error: false,
        details: Some(json!({"path": path.shown})),
    })
}
