//! One entry as an article of the page.

use serde_json::Value;

use super::cost::usage_words;
use super::head::when;
use super::markup::Markup;
use crate::context::shortened;
use crate::export::branch::{BranchReading, Place};
use crate::transcript::{
    AssistantMessage, AssistantPart, BashExecution, ChildLink, Cut, Decision, Entry, EntryBody,
    EntryId, EntryOverride, FileRecord, Image, ImportRecord, Message, NoteKind, Part, StopReason,
    ToolCall, ToolResult, grouped, is_server_summary, plural,
};

/// The arguments that say best what a call is about.
const TELLING: [&str; 9] = [
    "command",
    "path",
    "file_path",
    "filePath",
    "pattern",
    "query",
    "url",
    "description",
    "prompt",
];
/// Of such an argument, the beginning, in characters.
const TELLING_CHARS: usize = 120;
/// Longer lists of files are not for this page.
const MAX_FILES: usize = 12;

/// Writes the entries of a branch.
pub(super) struct ArticleWriter<'a> {
    pub(super) out: &'a mut Markup,
    pub(super) reading: &'a BranchReading,
}

impl ArticleWriter<'_> {
    /// The entry at a place; nothing where it says nothing to a person.
    pub(super) fn entry(&mut self, at: Place) {
        let reading = self.reading;
        let Some(entry) = reading.entries.get(at) else {
            return;
        };
        match &entry.body {
            EntryBody::Message(message) => self.message(at, entry, message),
            EntryBody::Compaction(compaction) => {
                self.open(at, entry, "compaction", "Compaction");
                self.compaction_meta(at, compaction);
                self.out.raw("</h2>");
                self.compaction(at, compaction);
                self.close();
            }
            EntryBody::BranchSummary { summary, .. } => {
                self.open(at, entry, "note", "Summary of another branch");
                self.out.raw("</h2>").prose(summary);
                self.close();
            }
            EntryBody::CustomMessage {
                custom_type,
                content,
                ..
            } => self.note(at, entry, custom_type, content),
            EntryBody::ModelChange { provider, model } => {
                self.event(at, &format!("Model: {provider}/{model}"), None);
            }
            EntryBody::ThinkingLevelChange { level } => {
                self.event(at, &format!("Reasoning level: {level}"), None);
            }
            EntryBody::Label { target, label } => {
                let words = match label {
                    Some(label) => format!("Label: {label}"),
                    None => "Label removed".to_owned(),
                };
                self.event(at, &words, Some(target));
            }
            EntryBody::Decision(decision) => self.decision(at, decision),
            EntryBody::Import(record) => self.event(at, &import_words(record), None),
            EntryBody::Child(child) => self.event(at, &child_words(child), None),
            EntryBody::Files(record) => self.event(at, &files_words(record), None),
            EntryBody::ContextEdit { target, .. } => {
                self.event(at, "Edited in the context", Some(target));
            }
            EntryBody::Measurement(_)
            | EntryBody::Expense(_)
            | EntryBody::Custom { .. }
            | EntryBody::SessionInfo { .. }
            | EntryBody::Unknown { .. } => {}
        }
    }

    /// Begins an article and its heading.
    fn open(&mut self, at: Place, entry: &Entry, class: &'static str, who: &'static str) {
        let reading = self.reading;
        self.out.raw("<article id=\"e").number(at as u64);
        self.out.raw("\" class=\"").raw(class);
        if reading.is_replaced(at) {
            self.out.raw(" replaced");
        }
        if reading.is_undone(&entry.id) {
            self.out.raw(" undone");
        }
        let decided = reading.override_of(&entry.id);
        if decided == Some(EntryOverride::Drop) {
            self.out.raw(" dropped");
        }
        self.out.raw("\">\n<h2><span>").raw(who).raw("</span>");
        self.out.link_to(at);
        let time = when(entry.timestamp);
        if !time.is_empty() {
            self.out.raw("<time>").text(&time).raw("</time>");
        }
        self.badges(at, entry, decided);
    }

    fn badges(&mut self, at: Place, entry: &Entry, decided: Option<EntryOverride>) {
        let mut badge = |words: &str| {
            self.out.raw("<span class=\"badge\">").text(words);
            self.out.raw("</span>");
        };
        if self.reading.is_undone(&entry.id) && !matches!(entry.body, EntryBody::Compaction(_)) {
            badge("undone");
        }
        if self.reading.is_replaced(at) && !matches!(entry.body, EntryBody::Compaction(_)) {
            badge("replaced by summary");
        }
        match decided {
            Some(EntryOverride::Pin) => badge("pinned"),
            Some(EntryOverride::Drop) => badge("dropped: not sent"),
            Some(EntryOverride::Restore) => badge("restored"),
            None => {}
        }
        if let Some(reason) = self.reading.media_of(&entry.id) {
            badge(&format!("images not sent: {reason}"));
        }
        if self.reading.edit_of(&entry.id).is_some() {
            badge("edited in the context");
        }
        if self.reading.resent_as(&entry.id).is_some() {
            badge("sent again after an overflow");
        }
    }

    fn close(&mut self) {
        self.out.raw("</article>\n");
    }

    fn event(&mut self, at: Place, words: &str, target: Option<&EntryId>) {
        self.out
            .raw("<article class=\"event\" id=\"e")
            .number(at as u64);
        self.out.raw("\"><p>").text(words);
        if let Some(at) = target.and_then(|id| self.reading.place(id)) {
            self.out.raw(" ").link_to(at);
        }
        self.out.raw("</p></article>\n");
    }

    fn decision(&mut self, at: Place, decision: &Decision) {
        match decision {
            Decision::Prune { cuts, policy, .. } => {
                let words = format!("Pruned by {policy}: {}", cuts_words(cuts));
                self.event(at, &words, None);
            }
            Decision::Guard { cuts } => {
                self.event(at, &format!("Cut to fit: {}", cuts_words(cuts)), None);
            }
            Decision::Media { targets, reason } => {
                let images = plural(targets.len() as u64, "message");
                let words = format!("Images of {images} are no longer sent: {reason}");
                self.event(at, &words, None);
            }
            Decision::Pin { target } => self.event(at, "Pinned", Some(target)),
            Decision::Restore { target } => self.event(at, "Restored", Some(target)),
            Decision::Drop { target } => self.event(at, "Dropped", Some(target)),
            Decision::Undo { target } => self.event(at, "Undone", Some(target)),
            Decision::Replay { replay, .. } => {
                self.event(at, "Sent again after an overflow", Some(replay));
            }
            Decision::Rule { change, .. } => {
                let words = match change.text() {
                    Some(text) => format!("Standing rule, {}: {text}", change.noun()),
                    None => format!("Standing rule, {}", change.noun()),
                };
                self.event(at, &words, None);
            }
        }
    }

    fn note(&mut self, at: Place, entry: &Entry, custom_type: &str, content: &[Part]) {
        let who = match NoteKind::from_custom_type(custom_type) {
            Some(_) => "Note to the model",
            None => "Injected by a program",
        };
        self.open(at, entry, "note", who);
        self.out.raw("<span class=\"meta\">").text(custom_type);
        self.out.raw("</span></h2><details><summary>Text</summary>");
        self.parts(content);
        self.out.raw("</details>");
        self.close();
    }

    fn message(&mut self, at: Place, entry: &Entry, message: &Message) {
        match message {
            Message::User(user) => {
                self.open(at, entry, "user", "User");
                self.out.raw("</h2>");
                self.parts(&user.content);
                self.edited(entry);
                self.close();
            }
            Message::Assistant(answer) => self.answer(at, entry, answer),
            // A result is shown below its call.
            Message::ToolResult(_) if self.reading.answer_of(at).is_some() => {}
            Message::ToolResult(result) => {
                self.open(at, entry, "result", "Result without a call");
                self.out.raw("<span class=\"meta\">");
                self.out.text(&result.tool_name).raw("</span></h2>");
                self.result(at, result);
                self.close();
            }
            Message::BashExecution(run) => {
                self.open(at, entry, "user", "Command of the user");
                self.out.raw("</h2>");
                self.run(run);
                self.close();
            }
        }
    }

    /// What is sent in the place of an edited message.
    fn edited(&mut self, entry: &Entry) {
        let reading = self.reading;
        let Some(edit) = reading.edit_of(&entry.id) else {
            return;
        };
        self.out.raw("<div class=\"side\">Sent instead</div>");
        if edit.is_empty() {
            self.out.raw("<p>nothing</p>");
        }
        self.parts(edit);
    }

    fn answer(&mut self, at: Place, entry: &Entry, answer: &AssistantMessage) {
        self.open(at, entry, "answer", "Assistant");
        self.out.raw("<span class=\"meta\">").text(&answer.model);
        if let Some(usage) = &answer.usage {
            self.out.raw(" · ").text(&usage_words(usage));
        }
        self.out.raw("</span>");
        if let Some(ending) = ending(answer) {
            self.out.raw("<span class=\"badge bad\">").text(&ending);
            self.out.raw("</span>");
        }
        self.out.raw("</h2>\n");
        let mut calls = 0;
        for part in &answer.content {
            match part {
                AssistantPart::Text(text) if text.trim().is_empty() => {}
                AssistantPart::Text(text) => {
                    self.out.prose(text);
                }
                AssistantPart::Thinking { text, .. } if text.trim().is_empty() => {}
                AssistantPart::Thinking { text, .. } => {
                    self.out
                        .raw("<details class=\"reasoning\"><summary>Reasoning</summary>")
                        .raw("<div class=\"said\" dir=\"auto\">")
                        .text(text)
                        .raw("</div></details>");
                }
                AssistantPart::RedactedThinking { data } => {
                    let words = if is_server_summary(data) {
                        "The server continues from its own summary"
                    } else {
                        "Reasoning that the provider encrypted"
                    };
                    self.out.raw("<p class=\"meta\">").raw(words).raw("</p>");
                }
                AssistantPart::ToolCall(call) => {
                    self.call(at, calls, call);
                    calls += 1;
                }
            }
        }
        self.edited(entry);
        self.close();
    }

    fn call(&mut self, answer: Place, number: usize, call: &ToolCall) {
        let reading = self.reading;
        let found = reading.result_of(answer, number);
        self.out.raw("<details class=\"call\"");
        if let Some((at, _)) = found {
            self.out.raw(" id=\"e").number(at as u64).raw("\"");
        }
        self.out.raw("><summary><b>").text(&call.name);
        self.out.raw("</b> <code>").text(&telling(call));
        self.out.raw("</code> ");
        match found {
            None => {
                self.out.raw("<span class=\"badge bad\">no result</span>");
            }
            Some((at, result)) => self.result_badges(at, result),
        }
        self.out.raw("</summary>");
        match &call.malformed {
            Some(raw) => self.block(raw),
            None => self.arguments(&call.arguments),
        }
        if let Some((at, result)) = found {
            self.out.raw("<div class=\"side\">Result</div>");
            self.result(at, result);
        }
        self.out.raw("</details>\n");
    }

    fn result_badges(&mut self, at: Place, result: &ToolResult) {
        if result.is_error {
            self.out.raw("<span class=\"badge bad\">failed</span>");
        }
        let Some(entry) = self.reading.entries.get(at) else {
            return;
        };
        if let Some(cut) = self.reading.cut_of(&entry.id) {
            self.out.raw("<span class=\"badge cut\">");
            self.out.text(&cut_words(cut)).raw("</span>");
        }
        if let Some(reason) = self.reading.media_of(&entry.id) {
            self.out.raw("<span class=\"badge cut\">images not sent: ");
            self.out.text(reason).raw("</span>");
        }
    }

    /// The content of a result; where it was cut, what is sent beside what was said.
    fn result(&mut self, at: Place, result: &ToolResult) {
        let reading = self.reading;
        let entry = reading.entries.get(at);
        let cut = entry.and_then(|it| reading.cut_of(&it.id));
        let Some(cut) = cut else {
            return self.output(&result.content);
        };
        let text = result.text();
        self.out
            .raw("<div class=\"sides\"><section><h3>Sent now: ")
            .text(&cut.reason)
            .raw("</h3>");
        self.block(&shortened(&text, &cut.form));
        self.out
            .raw("</section><section><h3>In full: ")
            .text(&plural(text.chars().count() as u64, "character"))
            .raw("</h3>");
        self.output(&result.content);
        self.out.raw("</section></div>");
    }

    fn run(&mut self, run: &BashExecution) {
        self.block(&run.command);
        self.block(&run.output);
        if run.exit_code != Some(0) {
            self.out.raw("<p>").text(&run.ending()).raw("</p>");
        }
        if run.excluded {
            self.out.raw("<p>not in the context</p>");
        }
    }

    fn arguments(&mut self, arguments: &Value) {
        let Value::Object(object) = arguments else {
            return;
        };
        for (name, value) in object {
            match value {
                Value::String(text) if text.contains('\n') => {
                    self.out
                        .raw("<div class=\"side\">")
                        .text(name)
                        .raw("</div>");
                    self.block(text);
                }
                Value::String(text) => self.argument(name, text),
                other => self.argument(name, &other.to_string()),
            }
        }
    }

    fn argument(&mut self, name: &str, value: &str) {
        self.out.raw("<div><span class=\"side\">").text(name);
        self.out
            .raw("</span> <code>")
            .text(value)
            .raw("</code></div>");
    }

    fn block(&mut self, text: &str) {
        let text = text.trim_end_matches('\n');
        if !text.is_empty() {
            self.out
                .raw("<pre dir=\"auto\">\n")
                .text(text)
                .raw("</pre>");
        }
    }

    fn output(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Text(text) => self.block(text),
                Part::Image(image) => self.image(image),
            }
        }
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Text(text) => {
                    self.out.raw("<div class=\"said\" dir=\"auto\">");
                    self.out.text(text.trim_end()).raw("</div>");
                }
                Part::Image(image) => self.image(image),
            }
        }
    }

    fn image(&mut self, image: &Image) {
        let name = image.name.as_deref().unwrap_or("attachment");
        if !self.out.picture(&image.mime, &image.data, name) {
            self.out.raw("<p class=\"meta\">").text(name).raw(" (");
            self.out.text(&image.mime).raw(")</p>");
        }
    }
}

/// How an answer ended, where that is worth a word.
fn ending(answer: &AssistantMessage) -> Option<String> {
    let words = match (answer.stop, &answer.error) {
        (_, Some(error)) => return Some(error.clone()),
        (StopReason::Stop, None) if answer.says_nothing() => "empty",
        (StopReason::Stop | StopReason::ToolUse | StopReason::Paused, None) => return None,
        (StopReason::Length, None) => "cut off",
        (StopReason::Refusal, None) => "declined",
        (StopReason::Aborted, None) => "stopped",
        (StopReason::Error, None) => "failed",
    };
    Some(words.to_owned())
}

/// What a call is about: the argument that says it best.
fn telling(call: &ToolCall) -> String {
    let named = TELLING
        .iter()
        .find_map(|name| call.arguments.get(name)?.as_str());
    let any = || call.arguments.as_object()?.values().find_map(Value::as_str);
    let text = named.or_else(any).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(TELLING_CHARS).collect()
}

fn cut_words(cut: &Cut) -> String {
    format!(
        "{}: {} → {} tokens",
        cut.phase.name(),
        grouped(cut.tokens_before),
        grouped(cut.tokens_after)
    )
}

fn cuts_words(cuts: &[Cut]) -> String {
    let saved = cuts
        .iter()
        .map(|cut| cut.tokens_before.saturating_sub(cut.tokens_after));
    format!(
        "{}, {} tokens fewer",
        plural(cuts.len() as u64, "result"),
        grouped(saved.sum())
    )
}

fn import_words(record: &ImportRecord) -> String {
    format!(
        "Imported from {}, {}; {} not carried over",
        record.source(),
        record.path,
        plural(record.lost.len() as u64, "part")
    )
}

fn child_words(child: &ChildLink) -> String {
    let state = child
        .end
        .as_ref()
        .map_or("started", |end| end.state.as_str());
    format!(
        "Sub-agent {} ({}), {state}: {}",
        child.number, child.agent, child.task
    )
}

fn files_words(record: &FileRecord) -> String {
    let paths = record.changes.iter().map(|change| change.path.as_str());
    let mut words = paths.take(MAX_FILES).collect::<Vec<_>>().join(", ");
    let more = record.changes.len().saturating_sub(MAX_FILES) as u64 + record.unlisted;
    if more > 0 {
        words.push_str(" and ");
        words.push_str(&grouped(more));
        words.push_str(" more");
    }
    format!("Files changed: {words}")
}
