//! What is known beside the messages that a summary replaces: what stays, what was said
//! before, what earlier summaries had to carry.

use std::collections::HashSet;
use std::sync::Arc;

use crate::agent::compaction::material::spoken;
use crate::context::summary::{SourceMessage, SummaryBackground};
use crate::transcript::{Compaction, Entry, EntryBody, EntryId, Message};

/// The background of a summary of `replaced`, from the branch that it is on. `kept` are the
/// entries that stay word for word.
pub(in crate::agent) fn summary_background(
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

/// The words of an entry, those of a summary included.
fn said(entry: &Entry) -> Option<Arc<Message>> {
    match &entry.body {
        EntryBody::Compaction(compaction) => {
            Some(Arc::new(Message::user_text(compaction.summary.clone())))
        }
        _ => spoken(entry),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{IdentifierDemand, Part, Timestamp};

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
