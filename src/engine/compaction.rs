//! The part that a compaction replaces, and the cuts in the part that it keeps.

use crate::context::tail::{self, TailLimits, TailPlan};
use crate::context::{CompactionSettings, ContextView};
use crate::transcript::EntryId;

/// How much a compaction keeps, where that is not left to the settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeptTail<'a> {
    /// Keep fewer turns than the settings say when nothing else is left to summarise.
    pub may_keep_less: bool,
    /// Keep nothing but the newest message of the user.
    pub keep_nothing: bool,
    /// Keep from this entry on, wherever the settings would cut.
    pub from: Option<&'a EntryId>,
    /// A message that stays outside: it is sent again afterwards.
    pub held_back: Option<&'a EntryId>,
    /// The usable window in tokens, where it is smaller than the view's.
    pub fit_usable_tokens: Option<u64>,
    /// There is something to do besides: everything may be kept.
    pub may_summarise_nothing: bool,
}

/// Chooses what is replaced by a summary; `None` when everything would be kept.
pub(super) fn plan(
    settings: &CompactionSettings,
    view: &ContextView,
    kept: KeptTail<'_>,
) -> Option<TailPlan> {
    if let Some(from) = kept.from {
        return tail::select_from(view, from);
    }
    let usable = match (kept.fit_usable_tokens, view.window.usable) {
        (Some(fit), 0) => fit,
        (Some(fit), usable) => fit.min(usable),
        (None, usable) => usable,
    };
    let limits = TailLimits::of(settings, usable);
    let mut choices = vec![limits];
    if kept.may_keep_less {
        choices.push(TailLimits { turns: 1, ..limits });
        choices.push(TailLimits::nothing());
    }
    if kept.keep_nothing {
        choices = vec![TailLimits::nothing()];
    }
    choices
        .into_iter()
        .map(|limits| tail::select(view, limits, kept.held_back))
        .find(|plan| kept.may_summarise_nothing || !plan.is_empty())
}
