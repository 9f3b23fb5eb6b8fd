//! Input and answer of each hook, and the use of the answer.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::run_event::EventHooks;
use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::draft::SummaryDraft;
use crate::agent::compaction::material::{CompactionMaterial, CompactionRequest};
use crate::agent::hooks::Hook;
use crate::agent::hooks::answer::HookText;
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::CompactionEvent;
use crate::agent::turn::TurnLoop;
use crate::clock::Stopwatch;
use crate::config::HookEvent;
use crate::context::ContextView;
use crate::context::summary::{SourceMessage, SummaryResult, WrittenText};
use crate::engine::{summary, text};
use crate::session::Durability;
use crate::transcript::{
    AssistantMessage, AssistantPart, Author, Compaction, EntryBody, EntryId, Message, NoteKind,
    Part, ToolResult, Trigger,
};

/// Stands where a compaction names the model that wrote it.
pub(in crate::agent) const HOOK_AUTHOR: &str = "hook";

/// How a compaction goes on after its hook.
pub(in crate::agent) enum CompactionAdvice {
    /// A summary is written, with what the hook changed.
    Write,
    /// The hook brought the summary.
    Summary(String),
    /// It shall not be; the reason is for the user.
    Cancelled(String),
}

/// The answer of `before_compact`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct BeforeCompact {
    cancel: Option<HookCancel>,
    /// Context for the summariser besides the conversation.
    context: Option<String>,
    /// In the place of the instructions in force.
    #[serde(alias = "prompt")]
    instructions: Option<String>,
    /// In the place of the messages that are summarised.
    messages: Option<Vec<HookSummary>>,
    /// In the place of a summary by a model.
    summary: Option<String>,
}

/// Whether and why a compaction shall not be.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum HookCancel {
    Flag(bool),
    Reason(String),
}

/// A message that a hook gives to the summariser.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HookSummary {
    role: GivenRole,
    text: String,
    /// The entry that it stands for.
    entry: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum GivenRole {
    User,
    Assistant,
    /// The result of a tool; summarised like words of the user's side.
    Tool,
}

/// The answer of `before_request`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct BeforeRequest {
    /// Texts that the model reads from here on.
    messages: Vec<String>,
}

/// The answer of `auto_continue`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AutoContinue {
    #[serde(rename = "continue")]
    go_on: Option<bool>,
}

impl CompactionRun<'_> {
    /// Asks `before_compact`; what it gives takes the place of what was chosen.
    pub(crate) async fn before_compact(
        &mut self,
        wanted: &mut CompactionRequest,
        material: &mut CompactionMaterial,
    ) -> Result<CompactionAdvice, TurnStop> {
        if let Some(why) = self.ask_event_hooks(wanted, material).await? {
            return Ok(CompactionAdvice::Cancelled(why));
        }
        let hook = Hook::BeforeCompact;
        if self.agent.hook_command(hook).is_none() {
            return Ok(CompactionAdvice::Write);
        }
        let words = compacting(wanted, material);
        let Some(answer) = self.agent.ask_hook::<BeforeCompact>(hook, words).await? else {
            return Ok(CompactionAdvice::Write);
        };
        match answer.cancel {
            Some(HookCancel::Flag(true)) => {
                return Ok(CompactionAdvice::Cancelled(
                    "stopped by the hook before_compact".to_owned(),
                ));
            }
            Some(HookCancel::Reason(reason)) => {
                let reason = text::one_line(&reason, crate::agent::hooks::COMPLAINT_CHARS);
                return Ok(CompactionAdvice::Cancelled(format!(
                    "stopped by the hook before_compact: {reason}"
                )));
            }
            Some(HookCancel::Flag(false)) | None => {}
        }
        if let Some(text) = answer.summary {
            if !text.trim().is_empty() {
                return Ok(CompactionAdvice::Summary(text));
            }
            self.agent
                .set_hook_aside(hook, "its summary is empty")
                .await;
            return Ok(CompactionAdvice::Write);
        }
        if answer.instructions.is_some() {
            wanted.instructions = answer.instructions;
        }
        if let Some(given) = answer.messages {
            self.replace_sources(material, given);
        }
        if let Some(context) = answer.context.filter(|text| !text.trim().is_empty()) {
            self.add_source(material, context);
        }
        Ok(CompactionAdvice::Write)
    }

    /// Asks the hooks of `PreCompact`; the reason when one of them forbids it.
    async fn ask_event_hooks(
        &mut self,
        wanted: &CompactionRequest,
        material: &mut CompactionMaterial,
    ) -> Result<Option<String>, TurnStop> {
        let trigger = event_trigger(wanted.trigger);
        let words = json!({
            "trigger": trigger,
            "custom_instructions": wanted.instructions.as_deref().unwrap_or_default(),
        });
        let event = HookEvent::PreCompact;
        let names = [trigger.to_owned()];
        let verdict = EventHooks::of(self.agent)
            .run_hooks(event, &names, words)
            .await?;
        for HookText { hook, text } in verdict.contexts {
            self.add_source(material, format!("[From the hook `{hook}`]\n{text}"));
        }
        Ok(verdict
            .block
            .or(verdict.stop)
            .map(|HookText { hook, text }| {
                let reason = text::one_line(&text, crate::agent::hooks::COMPLAINT_CHARS);
                format!("stopped by the hook PreCompact ({hook}): {reason}")
            }))
    }

    /// Context of a hook for the summariser, after the messages.
    fn add_source(&self, material: &mut CompactionMaterial, context: String) {
        let last = material.messages.last().or(material.turn_prefix.last());
        let entry = last.map_or_else(|| EntryId::new(HOOK_AUTHOR), |last| last.entry.clone());
        let source = self.source_of(entry, given_by(HOOK_AUTHOR, context));
        material.messages.push(source);
    }

    /// Replaces the material of a summary by the hook's, the cut-off beginning of a turn included.
    fn replace_sources(&self, material: &mut CompactionMaterial, given: Vec<HookSummary>) {
        let first = material.messages.first().or(material.turn_prefix.first());
        let unnamed = first.map_or_else(|| EntryId::new(HOOK_AUTHOR), |first| first.entry.clone());
        let given = given
            .into_iter()
            .filter(|given| !given.text.trim().is_empty());
        let sources = given.map(|given| {
            let entry = given.entry.map_or_else(|| unnamed.clone(), EntryId::new);
            let message = match given.role {
                GivenRole::User => Message::user_text(given.text),
                GivenRole::Tool => given_by("tool", given.text),
                GivenRole::Assistant => Message::Assistant(AssistantMessage {
                    content: vec![AssistantPart::Text(given.text)],
                    ..AssistantMessage::default()
                }),
            };
            self.source_of(entry, message)
        });
        material.messages = sources.collect();
        material.turn_prefix.clear();
    }

    fn source_of(&self, entry: EntryId, message: Message) -> SourceMessage {
        SourceMessage {
            entry,
            tokens: self.agent.thread.current_ruler().message_tokens(&message),
            message: Arc::new(message),
        }
    }

    /// A summary that a hook brought, checked like any other.
    pub(crate) async fn given_draft(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
        text: String,
        author: &str,
    ) -> Result<SummaryDraft, TurnStop> {
        let connection = self.summary_connection().await;
        let job = self.job(wanted, material, &connection);
        let began = Stopwatch::start();
        let judged = job.clone();
        let checking = tokio::task::spawn_blocking(move || summary::reaudit(&judged, &text));
        let checked = self.agent.wait(checking).await?.unwrap_or_default();
        self.agent
            .events
            .emit(CompactionEvent::Audited(checked.audit.clone()))
            .await;
        let result = SummaryResult {
            summary: checked.text,
            written: WrittenText::whole(checked.written),
            audit: checked.audit,
            findings: checked.findings,
            mended: checked.mended,
            ungrounded: checked.ungrounded,
            aliases: checked.aliases,
            demands: checked.demands,
            stages: if author == HOOK_AUTHOR {
                "hook before_compact".to_owned()
            } else {
                author.to_owned()
            },
            ..SummaryResult::default()
        };
        Ok(SummaryDraft {
            job,
            result,
            model: author.to_owned(),
            took: began.elapsed(),
            edited: false,
        })
    }

    /// Tells `after_compact`. The compaction counts whatever becomes of the hook, so a stop
    /// meanwhile takes effect afterwards.
    pub(crate) async fn after_compact(&mut self, entry: &EntryId, compaction: &Compaction) {
        let trigger = event_trigger(compaction.details.cause.trigger);
        let words = json!({"trigger": trigger, "compact_summary": compaction.summary});
        let event = HookEvent::PostCompact;
        let names = [trigger.to_owned()];
        if let Err(stop) = EventHooks::of(self.agent)
            .run_hooks(event, &names, words)
            .await
        {
            self.agent.mailbox.late_stop = Some(stop);
            return;
        }
        let hook = Hook::AfterCompact;
        if self.agent.hook_command(hook).is_none() {
            return;
        }
        let details = &compaction.details;
        let words = object(json!({
            "entry": entry.as_str(),
            "trigger": details.cause.trigger.name(),
            "written_by": details.model,
            "tokens_before": compaction.tokens_before,
            "tokens_after": details.tokens_after,
            "summarized": details.summarized_messages,
            "degraded": details.degraded,
            "first_kept": compaction.first_kept.as_ref().map(EntryId::as_str),
            "summary": compaction.summary,
        }));
        // Whatever it answers changes nothing.
        if let Err(stop) = self.agent.ask_hook::<Map<String, Value>>(hook, words).await {
            self.agent.mailbox.late_stop = Some(stop);
        }
    }
}

impl TurnLoop<'_> {
    /// Asks `before_request`; its texts become entries, so that they are counted and shown
    /// before they are sent, and sent the same ever after.
    pub(crate) async fn before_request(&mut self) -> Result<(), TurnStop> {
        let hook = Hook::BeforeRequest;
        if self.agent.hook_command(hook).is_none() {
            return Ok(());
        }
        let view = self.agent.thread.current_view();
        let newest = view.items.iter().rev().find(|item| item.is_ask());
        let newest = newest.and_then(|item| item.sent.as_ref()).map(|m| m.text());
        let words = object(json!({
            "tokens": view.usage.tokens,
            "window": view.window.tokens,
            "usable": view.window.usable,
            "load_line": view.window.load_line,
            "messages": view.items.iter().filter(|item| item.entry.is_some()).count(),
            "newest_user_message": newest,
        }));
        let Some(answer) = self.agent.ask_hook::<BeforeRequest>(hook, words).await? else {
            return Ok(());
        };
        for text in answer.messages {
            // Words repeated in every request would fill the window.
            if text.trim().is_empty() || is_said(&view, &text) {
                continue;
            }
            self.agent
                .thread
                .append(EntryBody::note(NoteKind::Hook, text), Durability::Flush)
                .await;
        }
        Ok(())
    }

    /// Whether the model should go on after a compaction at the end of its answer:
    /// `compaction.auto_continue`, unless the hook decides.
    pub(crate) async fn shall_go_on(&mut self, answer: &str) -> Result<bool, TurnStop> {
        let default = self
            .agent
            .thread
            .conversation
            .context()
            .compaction
            .auto_continue;
        let words = object(json!({ "default": default, "answer": answer }));
        let asked = self
            .agent
            .ask_hook::<AutoContinue>(Hook::AutoContinue, words);
        let decided = asked.await?.and_then(|answer| answer.go_on);
        Ok(decided.unwrap_or(default))
    }
}

/// The trigger in the words of the shared form.
fn event_trigger(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Manual => "manual",
        Trigger::Threshold | Trigger::Overflow => "auto",
    }
}

/// What a hook adds to a summary's source: no message of the user.
fn given_by(giver: &str, text: String) -> Message {
    Message::ToolResult(ToolResult {
        tool_name: giver.to_owned(),
        content: vec![Part::Text(text)],
        ..ToolResult::default()
    })
}

fn is_said(view: &ContextView, text: &str) -> bool {
    let mut items = view
        .items
        .iter()
        .filter(|item| item.author == Author::Note(NoteKind::Hook));
    items.any(|item| item.sent.as_ref().is_some_and(|sent| sent.text() == text))
}

fn compacting(wanted: &CompactionRequest, material: &CompactionMaterial) -> Map<String, Value> {
    let sources = material.messages.iter().chain(&material.turn_prefix);
    let messages: Vec<Value> = sources
        .map(|source| {
            let role = match source.message.as_ref() {
                Message::Assistant(_) => "assistant",
                Message::ToolResult(_) => "tool",
                Message::User(_) | Message::BashExecution(_) => "user",
            };
            json!({
                "entry": source.entry.as_str(),
                "role": role,
                "text": source.message.text(),
            })
        })
        .collect();
    object(json!({
        "trigger": wanted.trigger.name(),
        "attempt": wanted.attempt,
        "instructions": wanted.instructions,
        "tokens_before": material.view.estimated_tokens(),
        "kept": material.plan.kept,
        "previous_summary": material.previous.as_ref().map(|(_, c)| c.summary.as_str()),
        "messages": messages,
    }))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
