//! The active branch as Markdown, complete but for image data.

use std::fmt::Write as _;

use super::{DocumentSource, problem_lines, title};
use crate::session::to_rfc3339;
use crate::transcript::{
    AssistantMessage, AssistantPart, BashExecution, Entry, EntryBody, Message, Part, StopReason,
    ToolResult, is_server_summary,
};

/// Fewest backticks of a fence.
const MIN_FENCE: usize = 3;

/// The active branch as Markdown, complete but for image data. Tool output is fenced, so
/// that it cannot change the document.
pub fn markdown(source: DocumentSource<'_>) -> String {
    let DocumentSource {
        header, transcript, ..
    } = source;
    let branch = transcript.branch();
    let mut out = format!(
        "# {}\n\nSession `{}` of {} in `{}`\n",
        title(transcript),
        header.id,
        to_rfc3339(header.timestamp),
        header.cwd,
    );
    if !source.problems.is_empty() {
        section(&mut out, "Not readable in the session's file");
        fence(&mut out, "", &problem_lines(source.problems).join("\n"));
    }
    for entry in &branch {
        push_entry(&mut out, entry);
    }
    out
}

fn push_entry(out: &mut String, entry: &Entry) {
    match &entry.body {
        EntryBody::Message(message) => push_message(out, message),
        EntryBody::Compaction(compaction) => {
            section(out, "Compaction");
            block(out, &compaction.summary);
        }
        EntryBody::BranchSummary { summary, .. } => {
            section(out, "Summary of another branch");
            block(out, summary);
        }
        EntryBody::CustomMessage {
            custom_type,
            content,
            display: true,
        } => {
            section(out, &format!("Note ({custom_type})"));
            push_parts(out, content);
        }
        EntryBody::ModelChange { provider, model } => {
            block(out, &format!("*Model: {provider}/{model}*"));
        }
        EntryBody::CustomMessage { .. }
        | EntryBody::ContextEdit { .. }
        | EntryBody::Decision(_)
        | EntryBody::Measurement(_)
        | EntryBody::Expense(_)
        | EntryBody::Files(_)
        | EntryBody::Child(_)
        | EntryBody::Import(_)
        | EntryBody::Custom { .. }
        | EntryBody::Label { .. }
        | EntryBody::SessionInfo { .. }
        | EntryBody::ThinkingLevelChange { .. }
        | EntryBody::Unknown { .. } => {}
    }
}

fn push_message(out: &mut String, message: &Message) {
    match message {
        Message::User(user) => {
            section(out, "User");
            push_parts(out, &user.content);
        }
        Message::Assistant(answer) => push_answer(out, answer),
        Message::ToolResult(result) => push_result(out, result),
        Message::BashExecution(run) => push_run(out, run),
    }
}

fn push_answer(out: &mut String, answer: &AssistantMessage) {
    section(out, "Assistant");
    for part in &answer.content {
        match part {
            AssistantPart::Text(text) => block(out, text),
            AssistantPart::Thinking { text, .. } => {
                let quoted: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
                block(out, &quoted.join("\n"));
            }
            AssistantPart::RedactedThinking { data } if is_server_summary(data) => {
                block(out, "> (the server continues from its own summary)");
            }
            AssistantPart::RedactedThinking { .. } => block(out, "> (hidden reasoning)"),
            AssistantPart::ToolCall(call) => {
                block(out, &format!("Calls `{}`:", call.name));
                let arguments = serde_json::to_string_pretty(&call.arguments).unwrap_or_default();
                fence(out, "json", call.malformed.as_deref().unwrap_or(&arguments));
            }
        }
    }
    match (answer.stop, &answer.error) {
        (StopReason::Stop, None) if answer.says_nothing() => block(out, "*(empty)*"),
        (StopReason::Stop | StopReason::ToolUse | StopReason::Paused, None) => {}
        (StopReason::Length, None) => block(out, "*(cut off)*"),
        (StopReason::Refusal, None) => block(out, "*(declined)*"),
        (StopReason::Aborted, None) => block(out, "*(stopped)*"),
        (StopReason::Error, None) => block(out, "*(failed)*"),
        (_, Some(error)) => block(out, &format!("*({error})*")),
    }
}

fn push_result(out: &mut String, result: &ToolResult) {
    let failed = if result.is_error { " (failed)" } else { "" };
    section(out, &format!("Result of `{}`{failed}", result.tool_name));
    for part in &result.content {
        match part {
            Part::Text(text) => fence(out, "", text),
            Part::Image(_) => push_parts(out, std::slice::from_ref(part)),
        }
    }
}

fn push_run(out: &mut String, run: &BashExecution) {
    section(out, "Command");
    fence(out, "sh", &run.command);
    fence(out, "", &run.output);
    match run.exit_code {
        Some(0) => {}
        _ => block(out, &format!("*({})*", run.ending())),
    }
}

fn push_parts(out: &mut String, parts: &[Part]) {
    for part in parts {
        match part {
            Part::Text(text) => block(out, text),
            Part::Image(image) => {
                let name = image.name.as_deref().unwrap_or("attachment");
                block(out, &format!("*({name}, {})*", image.mime));
            }
        }
    }
}

fn section(out: &mut String, title: &str) {
    let _ = write!(out, "\n## {title}\n");
}

/// A text as it is, but that it stays within its section: a heading that looks like one of
/// ours is text, and a code block that it leaves open ends with it.
fn block(out: &mut String, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    out.push('\n');
    let mut open: Option<CodeFence> = None;
    for line in text.trim_end().lines() {
        match (&open, CodeFence::of(line)) {
            (None, Some(opening)) => open = Some(opening),
            (Some(opening), Some(closing)) if closing.closes(opening) => open = None,
            (None, None) if is_own_heading(line) => out.push('\\'),
            _ => {}
        }
        out.push_str(line);
        out.push('\n');
    }
    if let Some(CodeFence { mark, length, .. }) = open {
        out.extend(std::iter::repeat_n(mark, length));
        out.push('\n');
    }
}

/// The titles of sections, or how they begin.
const TITLES: [&str; 7] = [
    "User",
    "Assistant",
    "Compaction",
    "Command",
    "Result of",
    "Note (",
    "Summary of another branch",
];

/// Whether a line reads as the beginning of a section.
fn is_own_heading(line: &str) -> bool {
    let line = line.trim_start();
    let title = line.trim_start_matches('#');
    line.starts_with('#') && TITLES.iter().any(|own| title.trim_start().starts_with(own))
}

/// A line that opens or closes a code block.
#[derive(Clone, Copy)]
struct CodeFence {
    mark: char,
    length: usize,
    /// Nothing follows the marks: it can close a block.
    is_bare: bool,
}

impl CodeFence {
    fn of(line: &str) -> Option<Self> {
        let indented = line.trim_start_matches(' ');
        let mark = indented.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let rest = indented.trim_start_matches(mark);
        let length = indented.len() - rest.len();
        let is_fence = line.len() - indented.len() < MIN_FENCE + 1
            && length >= MIN_FENCE
            && !(mark == '`' && rest.contains('`'));
        is_fence.then_some(Self {
            mark,
            length,
            is_bare: rest.trim().is_empty(),
        })
    }

    fn closes(self, opening: &Self) -> bool {
        self.is_bare && self.mark == opening.mark && self.length >= opening.length
    }
}

/// A fence longer than any run of backticks in the text.
fn fence(out: &mut String, language: &str, text: &str) {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let ticks = "`".repeat(MIN_FENCE.max(longest + 1));
    let text = text.trim_end_matches('\n');
    let _ = write!(out, "\n{ticks}{language}\n{text}\n{ticks}\n");
}
