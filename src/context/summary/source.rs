//! What a summary is written from: the entries of a branch as messages of the conversation,
//! and what is known beside those that it replaces.

use std::collections::HashSet;
use std::sync::Arc;

use super::{SourceMessage, SummaryBackground};
use crate::context::grounding::without_unverified;
use crate::context::invisible;
use crate::transcript::{
    AssistantMessage, AssistantPart, Compaction, Entry, EntryBody, EntryId, Message, Part,
    ToolResult,
};

/// An entry as a summary's source: what a person typed alone speaks for the user. Notes of
/// hooks and programs read as the answer of a tool that was not called, the summary of a branch
/// as the answer of a model, which it is.
pub(crate) fn source_message(entry: &Entry) -> Option<Arc<Message>> {
    match &entry.body {
        EntryBody::Message(message) => Some(match invisible::cleaned_result(message) {
            Some((cleaned, _)) => cleaned,
            None => Arc::clone(message),
        }),
        EntryBody::CustomMessage {
            custom_type,
            content,
            ..
        } => Some(note(custom_type, content.clone())),
        EntryBody::BranchSummary { summary, .. } => {
            let content = vec![AssistantPart::Text(summary.clone())];
            Some(Arc::new(Message::Assistant(AssistantMessage {
                content,
                ..AssistantMessage::default()
            })))
        }
        _ => None,
    }
}

fn note(custom_type: &str, content: Vec<Part>) -> Arc<Message> {
    Arc::new(Message::ToolResult(ToolResult {
        tool_name: custom_type.to_owned(),
        content,
        ..ToolResult::default()
    }))
}

/// What an entry was edited to, as its source.
pub(crate) fn edited_message(entry: &Entry, sent: &Arc<Message>) -> Arc<Message> {
    match &entry.body {
        EntryBody::CustomMessage { custom_type, .. } => {
            note(custom_type, vec![Part::Text(sent.text())])
        }
        _ => Arc::clone(sent),
    }
}

/// The background of a summary of `replaced`, from the branch that it is on. `kept` are the
/// entries that stay word for word.
pub(crate) fn summary_background(
    branch: &[Arc<Entry>],
    replaced: &HashSet<&EntryId>,
    kept: &HashSet<&EntryId>,
    previous: Option<&Compaction>,
) -> SummaryBackground {
    let mut out = SummaryBackground {
        aliases: previous.map_or_else(Vec::new, |it| it.details.aliases.clone()),
        demands: previous.map_or_else(Vec::new, |it| it.details.check.demands.clone()),
        ..SummaryBackground::default()
    };
    for entry in branch {
        let Some(message) = said(entry) else {
            continue;
        };
        if replaced.contains(&entry.id) {
            continue;
        }
        if kept.contains(&entry.id) {
            out.kept.push(SourceMessage {
                entry: entry.id.clone(),
                message,
                tokens: 0,
            });
        } else {
            out.earlier.push(message);
        }
    }
    out
}

/// The words of an entry, those of a summary included as far as they could be shown.
fn said(entry: &Entry) -> Option<Arc<Message>> {
    match &entry.body {
        EntryBody::Compaction(compaction) => {
            let summary = without_unverified(&compaction.summary);
            Some(Arc::new(Message::user_text(summary.into_owned())))
        }
        _ => source_message(entry),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{IdentifierDemand, NoteKind, Timestamp};

    fn entry(id: &str, body: EntryBody) -> Arc<Entry> {
        Arc::new(Entry {
            id: EntryId::new(id),
            parent: None,
            timestamp: Timestamp(0),
            body,
        })
    }

    fn typed(id: &str, text: &str) -> Arc<Entry> {
        entry(id, EntryBody::Message(Arc::new(Message::user_text(text))))
    }

    #[test]
    fn what_no_person_typed_is_no_message_of_the_user() {
        let other = |custom_type: &str| EntryBody::CustomMessage {
            custom_type: custom_type.to_owned(),
            content: vec![Part::Text("Never push. Fix src/a.rs first.".to_owned())],
            display: true,
        };
        let mut bodies: Vec<EntryBody> = NoteKind::ALL
            .into_iter()
            .map(|kind| EntryBody::note(kind, "Never push. Fix src/a.rs first."))
            .collect();
        bodies.extend(["openclaw.memory", "codex.permissions", "x"].map(other));
        bodies.push(EntryBody::BranchSummary {
            from: None,
            summary: "Never push. Fix src/a.rs first.".to_owned(),
        });
        for body in bodies {
            let message = source_message(&entry("e", body.clone()));
            let is_users = matches!(message.as_deref(), Some(Message::User(_)) | None);
            assert!(!is_users, "{body:?}");
        }
        let typed = EntryBody::Message(Arc::new(Message::user_text("Never push.")));
        let message = source_message(&entry("e", typed));
        assert!(matches!(message.as_deref(), Some(Message::User(_))));
    }

    #[test]
    fn every_entry_that_speaks_is_replaced_kept_or_earlier() {
        let mut previous = Compaction {
            summary: "about ENT-7".to_owned(),
            ..Compaction::default()
        };
        previous.details.check.demands = vec![IdentifierDemand {
            text: "ENT-7".to_owned(),
            uses: 2,
            is_typed: true,
        }];
        let branch = [
            typed("old", "ENT-7"),
            entry("sum", EntryBody::Compaction(Box::new(previous.clone()))),
            entry(
                "hook",
                EntryBody::CustomMessage {
                    custom_type: "other.note".to_owned(),
                    content: vec![Part::Text("a note".to_owned())],
                    display: true,
                },
            ),
            typed("ask", "fix it"),
            typed("new", "go on"),
        ];
        let ids: Vec<EntryId> = ["hook", "ask", "new"].map(EntryId::new).into();
        let replaced: HashSet<&EntryId> = ids.iter().take(2).collect();
        let kept: HashSet<&EntryId> = ids.iter().skip(2).collect();
        let background = summary_background(&branch, &replaced, &kept, Some(&previous));
        let earlier: Vec<String> = background.earlier.iter().map(|it| it.text()).collect();
        assert_eq!(earlier, ["ENT-7", "about ENT-7"]);
        assert_eq!(background.kept.len(), 1);
        assert_eq!(background.kept[0].message.text(), "go on");
        assert_eq!(background.demands, previous.details.check.demands);
    }
}
