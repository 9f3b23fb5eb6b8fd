//! Texts that say how to work and come into the conversation while it runs: the skills that
//! the user or the model asks for, and the rules of the folders that the work reaches.
//!
//! Schemas of found tools that are in use are said again after a summary (`tools`).
//!
//! Each text is a note in the log: counted, in the ledger, never pruned. When a summary takes
//! its place, the file is read again and its text is added anew; nothing is run again.

mod note;
mod tools;

use std::path::Path;
use std::sync::Arc;

use note::{NoteSource, repeated, rules_note, skill_note, source_of};

use crate::agent::actor::Actor;
use crate::agent::protocol::Notice;
use crate::config::{RulesFile, read_nested_rules};
use crate::context::{ContextView, Disposition};
use crate::session::Durability;
use crate::tool::SkillTool;
use crate::transcript::{
    AssistantMessage, Entry, EntryBody, EntryId, Message, NoteKind, grouped, undone_entries,
};

/// What a message begins with that asks for a skill; the name follows.
const COMMAND: &str = "/skill:";

/// Adds what a message, a call or a path asks for.
pub(in crate::agent) struct Guidance<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> Guidance<'a> {
    pub(in crate::agent) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl Guidance<'_> {
    /// Adds the skill that a message of the user asks for.
    pub(in crate::agent) async fn take_asked_skill(&mut self, text: &str) {
        let Some(rest) = text.trim_start().strip_prefix(COMMAND) else {
            return;
        };
        let name = rest.split_whitespace().next().unwrap_or_default();
        if self.agent.thread.prompt.skills.find(name).is_some() {
            self.add_skill(name).await;
            return;
        }
        let hint = if self.agent.setup.settings.agent.tools.skills {
            "plim skills lists them"
        } else {
            "skills are off: set skills = true and start again"
        };
        let notice = Notice::warning(format!(
            "there is no skill {name:?}; the message is sent as it is"
        ));
        self.agent.events.notice(notice.with_hint(hint)).await;
    }

    /// Adds what the calls of an answer lead to: the skills that they ask for, and the rules
    /// of the folders that they reached.
    pub(in crate::agent) async fn follow_calls(&mut self, answer: &AssistantMessage) {
        let calls = answer.tool_calls();
        let calls = calls.filter(|call| call.name == SkillTool::NAME);
        for call in calls {
            let arguments = call.arguments_object();
            let name = SkillTool::wanted(&arguments).filter(|_| self.was_granted(&call.id));
            if let Some(name) = name {
                self.add_skill(name).await;
            }
        }
        for path in std::mem::take(&mut self.agent.toolbox.reached) {
            self.add_rules(&path).await;
        }
    }

    /// Adds again what a summary took the place of. Whether it added anything.
    pub(in crate::agent) async fn repeat(&mut self, view: &ContextView) -> bool {
        let known = self.newest_notes();
        let lost: Vec<KnownNote> = known
            .into_iter()
            .filter(|known| is_summarised(view, &known.entry))
            .collect();
        for known in &lost {
            let (kind, text) = self.read_again(known);
            let body = EntryBody::note(kind, repeated(&text));
            self.agent.thread.append(body, Durability::Flush).await;
        }
        let repeated = self.repeat_tools(view).await;
        repeated || !lost.is_empty()
    }

    /// Whether a call was run and did not fail.
    fn was_granted(&self, call_id: &str) -> bool {
        let entries = self.agent.thread.conversation.transcript().entries();
        let mut messages = entries.iter().rev().filter_map(|entry| entry.message());
        messages.any(|message| {
            matches!(message.as_ref(), Message::ToolResult(result)
                if result.call_id == call_id && !result.is_error)
        })
    }

    /// Adds a skill, unless the model reads the same text already.
    async fn add_skill(&mut self, name: &str) {
        let skills = Arc::clone(&self.agent.thread.prompt.skills);
        let Some(skill) = skills.find(name) else {
            return;
        };
        let text = match skill.read() {
            Ok(text) => text,
            Err(reason) => {
                let path = skill.path.display();
                let told = format!("[The skill {name} cannot be read from {path}: {reason}.]");
                let body = EntryBody::note(NoteKind::Skill, told);
                self.agent.thread.append(body, Durability::Flush).await;
                let text = format!("the skill {name} was not loaded: {reason}");
                let notice = Notice::warning(text).with_hint(format!("see {path}"));
                self.agent.events.notice(notice).await;
                return;
            }
        };
        if self.is_sent(&NoteSource::Skill(name.to_owned()), &text) {
            return;
        }
        let body = EntryBody::note(NoteKind::Skill, skill_note(skill, &text));
        self.agent.thread.append(body, Durability::Flush).await;
        self.say_loaded(&format!("skill {name}"), &text).await;
    }

    /// Adds the rules of the folders that lead to a path, each once.
    async fn add_rules(&mut self, reached: &Path) {
        let setup = Arc::clone(&self.agent.setup);
        let files = read_nested_rules(&setup.cwd, reached, &setup.trusted_dirs());
        for file in files {
            let source = NoteSource::Rules(file.path.clone());
            if self.newest_notes().iter().any(|it| it.source == source) {
                continue;
            }
            for notice in file.nested_notices() {
                self.warn_once(notice).await;
            }
            if file.text.trim().is_empty() {
                continue;
            }
            let body = EntryBody::note(NoteKind::Rules, rules_note(&file));
            self.agent.thread.append(body, Durability::Flush).await;
            let shown = file.path.strip_prefix(&setup.cwd).unwrap_or(&file.path);
            let what = format!("rules of {}", shown.display());
            self.say_loaded(&what, &file.shown_text()).await;
        }
    }

    /// A file that is refused is refused each time that the work reaches its folder.
    async fn warn_once(&mut self, text: String) {
        let notice = Notice::warning(text);
        if !self.agent.thread.prompt.notices.contains(&notice) {
            self.agent.thread.prompt.notices.push(notice.clone());
            self.agent.events.notice(notice).await;
        }
    }

    async fn say_loaded(&mut self, what: &str, text: &str) {
        let tokens = self.agent.thread.current_ruler().text_tokens(text);
        let said = format!("{what} loaded: {} tokens", grouped(tokens));
        self.agent.events.notice(Notice::info(said)).await;
    }

    /// The text as the file has it now; where it cannot be read any more, as it was.
    fn read_again(&self, known: &KnownNote) -> (NoteKind, String) {
        let (kind, read) = match &known.source {
            NoteSource::Skill(name) => {
                let skill = self.agent.thread.prompt.skills.find(name);
                let note = skill.and_then(|it| Some(skill_note(it, &it.read().ok()?)));
                (NoteKind::Skill, note)
            }
            NoteSource::Rules(path) => {
                let setup = &self.agent.setup;
                let mut files = read_nested_rules(&setup.cwd, path, &setup.trusted_dirs())
                    .into_iter()
                    .filter(|file: &RulesFile| file.path == *path && file.error.is_none());
                (NoteKind::Rules, files.next().map(|file| rules_note(&file)))
            }
        };
        (kind, read.unwrap_or_else(|| known.text.clone()))
    }

    /// Whether the next request has this text of a source.
    fn is_sent(&mut self, source: &NoteSource, text: &str) -> bool {
        let known = self.newest_notes();
        let Some(known) = known.iter().find(|known| known.source == *source) else {
            return false;
        };
        let view = self.agent.thread.current_view();
        let mut items = view.items.iter();
        let is_there = items.any(|item| item.entry.as_ref() == Some(&known.entry));
        is_there && known.text.ends_with(text)
    }

    /// The newest note of each source on the branch, in the order in which they were first
    /// added, without those taken back.
    fn newest_notes(&self) -> Vec<KnownNote> {
        newest_notes(&self.agent.thread.conversation.transcript().branch())
    }
}

/// A note in the log.
#[derive(Debug, PartialEq, Eq)]
struct KnownNote {
    source: NoteSource,
    entry: EntryId,
    text: String,
}

fn newest_notes(branch: &[Arc<Entry>]) -> Vec<KnownNote> {
    let notes = branch
        .iter()
        .filter_map(|entry| Some((entry, source_of(&entry.body)?)));
    let notes: Vec<_> = notes.collect();
    if notes.is_empty() {
        return Vec::new();
    }
    let undone = undone_entries(branch);
    let mut known: Vec<KnownNote> = Vec::new();
    for (entry, (source, text)) in notes {
        if undone.contains(&entry.id) {
            continue;
        }
        let (entry, text) = (entry.id.clone(), text.to_owned());
        match known.iter_mut().find(|it| it.source == source) {
            Some(known) => (known.entry, known.text) = (entry, text),
            None => known.push(KnownNote {
                source,
                entry,
                text,
            }),
        }
    }
    known
}

/// Whether a summary stands for an entry, or the engine leaves it out. What the user dropped is not said again.
pub(in crate::agent) fn is_summarised(view: &ContextView, entry: &EntryId) -> bool {
    let is_lost =
        |disposition| matches!(disposition, Disposition::Summarized | Disposition::Omitted);
    view.left_out
        .iter()
        .any(|left| left.entry == *entry && is_lost(left.disposition))
}
