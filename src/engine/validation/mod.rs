//! Checks of a view, whoever made it. What fails here is never sent.

mod entries;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use rpds::VectorSync;

use self::entries::{EntryPlace, EntryWalk};

use crate::context::{ContextView, Disposition, Items, LeftOut, ViewItem};
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
    ViewChecker::default().check(view, transcript, is_running)
}

/// Checks one view after the other. What a view shares with the one before, which was right, is
/// not looked at again: items are never changed in place.
#[derive(Default)]
pub struct ViewChecker(Option<CheckedView>);

/// A view without a fault, with what was found in it.
struct CheckedView {
    items: Items,
    left_out: VectorSync<Arc<LeftOut>>,
    /// The newest entry of its branch.
    leaf: Option<Arc<Entry>>,
    walk: EntryWalk,
    /// Items before the conversation.
    frame: usize,
    /// For each item behind them the tokens up to it.
    tokens: Vec<u64>,
    /// Calls behind this item may have been open.
    paired_upto: usize,
    /// No person has decided about an entry of its branch.
    is_undecided: bool,
}

impl ViewChecker {
    /// The first rule that a view breaks, as [`check`] finds it.
    pub fn check(
        &mut self,
        view: &ContextView,
        transcript: &Transcript,
        is_running: bool,
    ) -> Result<(), ViewFault> {
        let branch = transcript.active();
        let before = self.0.take().filter(|it| it.is_of(&branch));
        let is_frame = |item: &&Arc<ViewItem>| item.category.is_frame();
        let frame = view.items.iter().take_while(is_frame).count();
        let (mut walk, mut tokens, mut is_undecided) = (EntryWalk::default(), Vec::new(), true);
        let (mut known_items, mut known_entries) = (0, 0);
        if let Some(before) = before.filter(|it| it.frame == frame) {
            let same_items = leading(&before.items, &view.items, frame);
            let same_left = leading(&before.left_out, &view.left_out, 0);
            known_entries = before.walk.places.len();
            known_items = same_items.min(before.paired_upto);
            walk = before.walk;
            walk.go_back(same_items, same_left);
            tokens = before.tokens;
            tokens.truncate(same_items - frame);
            is_undecided = before.is_undecided;
        }
        if !walk.go_on(view, &branch) {
            walk = EntryWalk::in_any_order(view, &branch)?;
        }
        check_newest_message(&walk.places, &branch)?;
        let new = branch.get(known_entries..).unwrap_or_default();
        is_undecided &= !new.iter().any(|entry| is_by_person(entry));
        if !is_undecided {
            check_decisions(&walk.places, &branch)?;
        }
        check_pairs(view, is_running, known_items)?;
        let mut behind = tokens.last().copied().unwrap_or_default();
        for at in frame + tokens.len()..view.items.len() {
            behind += view.items.get(at).map_or(0, |item| item.tokens);
            tokens.push(behind);
        }
        let before = view.items.iter().take(frame).map(|item| item.tokens);
        let sum = before.sum::<u64>() + behind;
        if sum != view.usage.tokens || view.usage.by_category.total() != sum {
            return Err(ViewFault::Sums);
        }
        self.0 = Some(CheckedView {
            items: view.items.clone(),
            left_out: view.left_out.clone(),
            leaf: branch.last().cloned(),
            walk,
            frame,
            tokens,
            paired_upto: if is_running {
                newest_answer(view).unwrap_or_default()
            } else {
                view.items.len()
            },
            is_undecided,
        });
        Ok(())
    }
}

impl CheckedView {
    /// Whether a branch goes on where this one ended. An entry never changes, nor do those
    /// before it.
    fn is_of(&self, branch: &[Arc<Entry>]) -> bool {
        let Some(last) = self.walk.places.len().checked_sub(1) else {
            return false;
        };
        match (branch.get(last), &self.leaf) {
            (Some(now), Some(before)) => Arc::ptr_eq(now, before),
            _ => false,
        }
    }
}

/// How many items at the beginning of two lists are the same, those up to `from` apart.
fn leading<T>(before: &VectorSync<Arc<T>>, now: &VectorSync<Arc<T>>, from: usize) -> usize {
    let both = before.iter().zip(now).skip(from);
    from + both
        .take_while(|(before, now)| Arc::ptr_eq(before, now))
        .count()
}

/// The newest message that a person typed is sent, and with all its text. What they took back
/// or dropped, and what was sent again, is no such message.
fn check_newest_message(
    places: &[Option<EntryPlace>],
    branch: &[Arc<Entry>],
) -> Result<(), ViewFault> {
    let newest_first = branch.iter().zip(places).rev();
    for (entry, place) in newest_first.filter(|(entry, _)| entry.is_ask()) {
        let Some(place) = place else {
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
fn check_decisions(places: &[Option<EntryPlace>], branch: &[Arc<Entry>]) -> Result<(), ViewFault> {
    let decided = decided_groups(branch);
    if decided.is_empty() {
        return Ok(());
    }
    for (at, (entry, place)) in branch.iter().zip(places).enumerate() {
        // Nobody can pin or drop a summary: the one in force is always sent.
        if matches!(entry.body, EntryBody::Compaction(_)) {
            continue;
        }
        let Some(decision) = decided.get(&group_head(branch, at)) else {
            continue;
        };
        let Some(place) = place else {
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

/// Whether an entry says that a person pinned, restored or dropped one.
fn is_by_person(entry: &Entry) -> bool {
    matches!(
        entry.body,
        EntryBody::Decision(
            Decision::Pin { .. } | Decision::Restore { .. } | Decision::Drop { .. }
        )
    )
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

/// Results follow the answer with their calls, one for each. So many items at the beginning are
/// known to be right.
fn check_pairs(view: &ContextView, is_running: bool, known: usize) -> Result<(), ViewFault> {
    let last = newest_answer(view);
    // The newest item in what is known behind which calls may be open.
    let is_result = |at: usize| {
        let item = view.items.get(at).and_then(|item| item.sent.as_deref());
        matches!(item, Some(Message::ToolResult(_)) | None)
    };
    let mut from = known.min(last.unwrap_or_default()).saturating_sub(1);
    while from > 0 && is_result(from) {
        from -= 1;
    }
    let mut open: HashSet<&str> = HashSet::new();
    let mut is_last = false;
    for at in from..view.items.len() {
        let Some(item) = view.items.get(at) else {
            break;
        };
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

/// Position of the newest answer.
fn newest_answer(view: &ContextView) -> Option<usize> {
    let is_answer =
        |item: &Arc<ViewItem>| matches!(item.sent.as_deref(), Some(Message::Assistant(_)));
    let mut newest_first = (0..view.items.len()).rev();
    newest_first.find(|&at| view.items.get(at).is_some_and(is_answer))
}
