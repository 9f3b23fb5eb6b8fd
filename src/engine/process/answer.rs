//! The answer of a program as a choice: everything that it names has to be there, and nothing
//! that has to be sent may be left out.

use std::collections::HashMap;
use std::sync::Arc;

use super::protocol::AssembleResult;
use crate::context::selection::{Candidates, GroupChoice, Selection};
use crate::engine::text::{cleaned, one_line};
use crate::transcript::EntryId;

/// Characters of a reason.
const REASON_CHARS: usize = 160;
/// Characters of an id that an error quotes.
const ID_CHARS: usize = 40;
/// Characters of a note to the model.
const NOTE_CHARS: usize = 4_000;

/// The choice that an answer describes, or what is wrong with it. `places` says where the group
/// is that begins with an entry.
pub(super) fn choices(
    candidates: &Candidates<'_>,
    places: &HashMap<EntryId, usize>,
    answered: &AssembleResult,
) -> Result<Selection, String> {
    let place = |id: &str| {
        let found = places.get(&EntryId::new(id)).copied();
        found.ok_or_else(|| {
            format!(
                "it names a group that is not there: {}",
                one_line(id, ID_CHARS)
            )
        })
    };
    let mut choices = vec![GroupChoice::Send; candidates.groups.len()];
    for range in &answered.leave_out {
        let (from, to) = (place(&range.from)?, place(&range.to)?);
        if from > to {
            return Err(format!(
                "it names a range backwards: {} to {}",
                range.from, range.to
            ));
        }
        let reason: Arc<str> = Arc::from(reason(&range.reason)?);
        let named = choices.iter_mut().zip(candidates.groups);
        for (choice, group) in named.take(to + 1).skip(from) {
            if group.is_required {
                let id = one_line(&range.from, ID_CHARS);
                return Err(format!(
                    "it leaves out what has to be sent, in the range from {id}"
                ));
            }
            if !choice.is_sent() {
                return Err("it leaves out a group twice".to_owned());
            }
            *choice = GroupChoice::LeaveOut(Arc::clone(&reason));
        }
    }
    for sent in &answered.send_because {
        let at = place(&sent.id)?;
        if choices[at].is_sent() {
            choices[at] = GroupChoice::SendBecause(Arc::from(reason(&sent.reason)?));
        }
    }
    let note = answered.note.as_deref().map(str::trim);
    let note = note.filter(|note| !note.is_empty()).map(|note| {
        let cut: String = note.chars().take(NOTE_CHARS).collect();
        cleaned(&cut).text.into_owned()
    });
    let tokens: u64 = candidates.tokens_of((0..choices.len()).filter(|at| choices[*at].is_sent()));
    let limit = candidates.budget.hard_tokens.unwrap_or(u64::MAX);
    Ok(Selection {
        choices,
        note,
        is_too_long: tokens > limit,
    })
}

fn reason(text: &str) -> Result<String, String> {
    let reason = one_line(text, REASON_CHARS);
    if reason.is_empty() {
        return Err("it leaves something out and does not say why".to_owned());
    }
    Ok(reason)
}
