//! Ageing of attachments: images in messages that were answered long ago become a
//! line of text. They are dear, and the model has said what it saw.

#[cfg(test)]
mod tests;

use super::projection::ViewBuilder;
use super::prune::{self, ToolFilter};
use super::settings::{MediaSettings, PruneSettings};
use super::view::{Disposition, Role, ViewItem};
use crate::transcript::EntryId;

/// Positions and entries of messages whose attachments are old enough, with the reason.
pub(super) fn old(
    list: &ViewBuilder,
    settings: &MediaSettings,
    turn: u32,
) -> Option<(Vec<(usize, EntryId)>, String)> {
    let newest_kept = kept_from(list, settings.keep_groups);
    let mut targets = Vec::new();
    for &at in &list.index.media {
        let Some(item) = list.items.get(at) else {
            continue;
        };
        let completed_since = turn.saturating_sub(item.turn);
        let is_old = at < newest_kept || completed_since > settings.keep_turns;
        let is_answered = list.index.answers.last().is_some_and(|&answer| answer > at);
        if is_old
            && is_answered
            && may_strip(item)
            && let Some(entry) = &item.entry
        {
            targets.push((at, entry.clone()));
        }
    }
    let reason = format!(
        "attachment older than {} turns or {} groups of messages",
        settings.keep_turns, settings.keep_groups
    );
    (!targets.is_empty()).then_some((targets, reason))
}

/// Tool results with images that pruning may touch, with the reason.
pub(super) fn prunable(
    list: &ViewBuilder,
    settings: &PruneSettings,
    tools: &ToolFilter,
) -> Option<(Vec<(usize, EntryId)>, String)> {
    let results = prune::touchable(list, settings, tools);
    let targets: Vec<(usize, EntryId)> = results
        .into_iter()
        .filter(|result| may_strip(result.item))
        .map(|result| (result.info.at, result.info.entry.clone()))
        .collect();
    let reason = "attachment of an old tool result".to_owned();
    (!targets.is_empty()).then_some((targets, reason))
}

fn may_strip(item: &ViewItem) -> bool {
    let is_gone = matches!(
        item.disposition,
        Disposition::MediaStripped | Disposition::Cleared
    );
    !item.is_pinned() && !item.is_restored() && !is_gone && has_images(item)
}

fn has_images(item: &ViewItem) -> bool {
    item.sent
        .as_ref()
        .is_some_and(|message| message.images().next().is_some())
}

/// Where the newest groups begin; after everything when there are to be none.
fn kept_from(list: &ViewBuilder, groups: u32) -> usize {
    if groups == 0 {
        return list.items.len();
    }
    let mut seen = 0;
    for at in (0..list.items.len()).rev() {
        if list
            .items
            .get(at)
            .is_some_and(|item| item.role != Role::Tool)
        {
            seen += 1;
            if seen >= groups {
                return at;
            }
        }
    }
    0
}
