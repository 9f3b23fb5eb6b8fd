//! Checks of a view, whoever made it. What fails here is never sent.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use crate::context::{ContextView, Disposition, ViewItem};
use crate::transcript::{
    Decision, Entry, EntryBody, EntryId, EntryOverride, Message, Transcript, undone_entries,
};

/// A rule that a view breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewFault {
    /// An entry that speaks to the model is neither sent nor in the left-out list.
    Missing(EntryId),
    /// An entry is there twice.
    Twice(EntryId),
    /// An entry is not on the branch.
    Foreign(EntryId),
    /// A call has no result right after it, or a result no call right before it.
    Unpaired(String),
    /// The newest message of the user is not sent, or not whole.
    NewestMessage(EntryId),
    /// A pinned or restored entry is not sent.
    Held(EntryId),
    /// A dropped entry is sent.
    Dropped(EntryId),
    /// The figures of the items do not add up to the total.
    Sums,
}

impl fmt::Display for ViewFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(entry) => write!(f, "message {entry} is neither sent nor left out"),
            Self::Twice(entry) => write!(f, "message {entry} is in the view twice"),
            Self::Foreign(entry) => write!(f, "message {entry} is not on this branch"),
            Self::Unpaired(call) => write!(f, "the tool call {call:?} and its result are parted"),
            Self::NewestMessage(entry) => {
                write!(
                    f,
                    "the newest message of the user, {entry}, is not sent whole"
                )
            }
            Self::Held(entry) => write!(f, "{entry} is pinned or restored, and not sent"),
            Self::Dropped(entry) => write!(f, "{entry} is dropped, and sent"),
            Self::Sums => f.write_str("the tokens of the items do not add up"),
        }
    }
}

/// The first rule that a view of a transcript breaks; `is_running` while tools run, whose calls
/// have no results yet.
pub fn check(
    view: &ContextView,
    transcript: &Transcript,
    is_running: bool,
) -> Result<(), ViewFault> {
    let branch = transcript.branch();
    let places = places_of(view)?;
    check_entries(&places, &branch)?;
    check_newest_message(&places, &branch)?;
    check_decisions(&places, &branch)?;
    check_pairs(view, is_running)?;
    let by_items: u64 = view.items.iter().map(|item| item.tokens).sum();
    if by_items != view.usage.tokens || view.usage.by_category.total() != by_items {
        return Err(ViewFault::Sums);
    }
    Ok(())
}

/// Where an entry is in a view, and its disposition there.
#[derive(Clone, Copy)]
struct EntryPlace {
    is_sent: bool,
    disposition: Disposition,
}

type Places<'a> = HashMap<&'a EntryId, EntryPlace>;

fn places_of(view: &ContextView) -> Result<Places<'_>, ViewFault> {
    let mut places = Places::with_capacity(view.items.len() + view.left_out.len());
    let sent = view
        .items
        .iter()
        .filter_map(|item| Some((item.entry.as_ref()?, true, item.disposition)));
    let left = view
        .left_out
        .iter()
        .map(|left| (&left.entry, false, left.disposition));
    for (entry, is_sent, disposition) in sent.chain(left) {
        let place = EntryPlace {
            is_sent,
            disposition,
        };
        if places.insert(entry, place).is_some() {
            return Err(ViewFault::Twice(entry.clone()));
        }
    }
    Ok(places)
}

/// Every entry that speaks to the model is sent or left out, and no other.
fn check_entries(places: &Places<'_>, branch: &[Arc<Entry>]) -> Result<(), ViewFault> {
    let mut found = 0;
    for entry in branch {
        if places.contains_key(&entry.id) {
            found += 1;
        } else if entry.body.speaks_to_model() {
            return Err(ViewFault::Missing(entry.id.clone()));
        }
    }
    if found == places.len() {
        return Ok(());
    }
    let known: HashSet<&EntryId> = branch.iter().map(|entry| &entry.id).collect();
    let foreign = places.keys().find(|entry| !known.contains(*entry));
    foreign.map_or(Ok(()), |entry| {
        Err(ViewFault::Foreign(EntryId::clone(entry)))
    })
}

/// The newest message that a person typed is sent, and with all its text. What they took back
/// or dropped, and what was sent again, is no such message.
fn check_newest_message(places: &Places<'_>, branch: &[Arc<Entry>]) -> Result<(), ViewFault> {
    for entry in branch.iter().rev().filter(|entry| entry.is_ask()) {
        let Some(place) = places.get(&entry.id) else {
            continue;
        };
        let is_whole = match place.disposition {
            Disposition::Excluded | Disposition::Replayed | Disposition::Dropped => continue,
            Disposition::Truncated | Disposition::Trimmed | Disposition::Cleared => false,
            _ => place.is_sent,
        };
        return if is_whole {
            Ok(())
        } else {
            Err(ViewFault::NewestMessage(entry.id.clone()))
        };
    }
    Ok(())
}

/// What a person pinned or restored is sent; what they dropped is not.
fn check_decisions(places: &Places<'_>, branch: &[Arc<Entry>]) -> Result<(), ViewFault> {
    let decided = decided_groups(branch);
    if decided.is_empty() {
        return Ok(());
    }
    for (at, entry) in branch.iter().enumerate() {
        // Nobody can pin or drop a summary: the one in force is always sent.
        if matches!(entry.body, EntryBody::Compaction(_)) {
            continue;
        }
        let Some(decision) = decided.get(&group_head(branch, at)) else {
            continue;
        };
        let Some(place) = places.get(&entry.id) else {
            continue;
        };
        let is_left = matches!(
            place.disposition,
            Disposition::Omitted | Disposition::Summarized
        );
        match decision {
            EntryOverride::Pin | EntryOverride::Restore if is_left => {
                return Err(ViewFault::Held(entry.id.clone()));
            }
            EntryOverride::Drop if place.is_sent && place.disposition != Disposition::Dropped => {
                return Err(ViewFault::Dropped(entry.id.clone()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The newest decision of a person about each atomic group, by its first position.
fn decided_groups(branch: &[Arc<Entry>]) -> HashMap<usize, EntryOverride> {
    let mut targets: Vec<(&EntryId, &EntryId, EntryOverride)> = Vec::new();
    for entry in branch {
        if let EntryBody::Decision(decision) = &entry.body {
            match decision {
                Decision::Pin { target } => targets.push((&entry.id, target, EntryOverride::Pin)),
                Decision::Restore { target } => {
                    targets.push((&entry.id, target, EntryOverride::Restore));
                }
                Decision::Drop { target } => {
                    targets.push((&entry.id, target, EntryOverride::Drop));
                }
                _ => {}
            }
        }
    }
    if targets.is_empty() {
        return HashMap::new();
    }
    let undone = undone_entries(branch);
    let positions: HashMap<&EntryId, usize> = branch
        .iter()
        .enumerate()
        .map(|(at, entry)| (&entry.id, at))
        .collect();
    // What was decided about a message that was taken back holds no more.
    let in_force = targets
        .into_iter()
        .filter(|(by, target, _)| !undone.contains(*by) && !undone.contains(*target));
    in_force
        .filter_map(|(_, target, decision)| {
            let at = *positions.get(target)?;
            Some((group_head(branch, at), decision))
        })
        .collect()
}

/// The position of the answer that the result at a position belongs to, or the position itself.
fn group_head(branch: &[Arc<Entry>], at: usize) -> usize {
    let Some(Message::ToolResult(result)) = message(branch, at) else {
        return at;
    };
    let answer = (0..at)
        .rev()
        .find_map(|before| match message(branch, before) {
            Some(Message::Assistant(answer)) => Some((before, answer)),
            _ => None,
        });
    match answer {
        Some((head, answer)) if answer.tool_calls().any(|call| call.id == result.call_id) => head,
        _ => at,
    }
}

fn message(branch: &[Arc<Entry>], at: usize) -> Option<&Message> {
    branch.get(at)?.message().map(AsRef::as_ref)
}

/// Results follow the answer with their calls, one for each.
fn check_pairs(view: &ContextView, is_running: bool) -> Result<(), ViewFault> {
    let last = view.items.iter().rposition(|item| is_answer(item));
    let mut open: HashSet<&str> = HashSet::new();
    let mut is_last = false;
    for (at, item) in view.items.iter().enumerate() {
        let Some(message) = item.sent.as_deref() else {
            continue;
        };
        if let Message::ToolResult(result) = message {
            if !open.remove(result.call_id.as_str()) {
                return Err(ViewFault::Unpaired(result.call_id.clone()));
            }
            continue;
        }
        close(&mut open, is_running && is_last)?;
        if let Message::Assistant(answer) = message {
            is_last = last == Some(at);
            open.extend(answer.tool_calls().map(|call| call.id.as_str()));
        }
    }
    close(&mut open, is_running && is_last)
}

/// No call may be without a result, unless it still runs.
fn close(open: &mut HashSet<&str>, may_be_open: bool) -> Result<(), ViewFault> {
    let parted = open.iter().next().filter(|_| !may_be_open);
    if let Some(call) = parted {
        return Err(ViewFault::Unpaired((*call).to_owned()));
    }
    open.clear();
    Ok(())
}

fn is_answer(item: &ViewItem) -> bool {
    matches!(item.sent.as_deref(), Some(Message::Assistant(_)))
}
