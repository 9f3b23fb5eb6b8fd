//! The cursor of the review: on what can be opened in the text, on a part of the audit, on a
//! finding. Enter opens the message behind it.

use super::super::Reaction;
use super::super::inspect::findings::AuditFindings;
use super::super::inspect::item::ItemView;
use super::{Review, ReviewFocus};
use crate::tui::keymap::ScreenAction;
use crate::tui::widget::ScrollMotion;

/// Stops that a page is.
const PAGE_STOPS: usize = 10;

impl Review {
    /// The stop under the cursor.
    pub(super) fn chosen_stop(&self) -> Option<usize> {
        match self.focus {
            ReviewFocus::Stop(at) => Some(at),
            ReviewFocus::Text | ReviewFocus::Part(_) | ReviewFocus::Finding(_) => None,
        }
    }

    pub(super) fn focus_on(&mut self, focus: ReviewFocus) -> Reaction {
        let was_in_text = self.chosen_stop().is_some();
        self.focus = focus;
        if was_in_text || self.chosen_stop().is_some() {
            self.rebuild();
        }
        Reaction::Consumed
    }

    /// Puts the cursor on the first thing in sight that can be opened.
    pub(super) fn choose_first_stop(&mut self) -> Reaction {
        let first = self.sheet.first_visible();
        let in_sight = self.stops.iter().position(|stop| stop.row >= first);
        let Some(last) = self.stops.len().checked_sub(1) else {
            return Reaction::Consumed;
        };
        self.focus_on(ReviewFocus::Stop(in_sight.unwrap_or(last)))
    }

    pub(super) fn on_focus_action(&mut self, action: ScreenAction) -> Reaction {
        match (self.focus, action) {
            (ReviewFocus::Stop(_), ScreenAction::Audit) => self.focus_on(ReviewFocus::Part(0)),
            (_, ScreenAction::Back | ScreenAction::Audit) => self.focus_on(ReviewFocus::Text),
            (
                ReviewFocus::Stop(at),
                ScreenAction::Open | ScreenAction::NextPart { forward: true },
            ) => self.open_stop(at),
            (ReviewFocus::Part(at), ScreenAction::Open) => self.open_part(at),
            (ReviewFocus::Finding(at), ScreenAction::Open) => self.open_finding(at),
            (ReviewFocus::Part(at), ScreenAction::NextPart { forward }) => {
                let to = if forward {
                    (at + 1).min(self.last_part())
                } else {
                    at.saturating_sub(1)
                };
                self.focus_on(ReviewFocus::Part(to))
            }
            (focus, ScreenAction::Scroll(motion)) => {
                let to = self.moved(focus, motion);
                self.focus_on(to)
            }
            _ => Reaction::Ignored,
        }
    }

    fn last_part(&self) -> usize {
        let parts = self.proposal.verdict.check.parts();
        parts.len().saturating_sub(1)
    }

    fn moved(&self, focus: ReviewFocus, motion: ScrollMotion) -> ReviewFocus {
        match focus {
            ReviewFocus::Text => focus,
            ReviewFocus::Stop(at) => ReviewFocus::Stop(stepped(at, self.stops.len(), motion)),
            ReviewFocus::Part(at) => match motion {
                ScrollMotion::Down if !self.details.is_empty() => ReviewFocus::Finding(0),
                _ => ReviewFocus::Part(at),
            },
            ReviewFocus::Finding(0) if motion == ScrollMotion::Up => ReviewFocus::Part(0),
            ReviewFocus::Finding(at) => {
                ReviewFocus::Finding(stepped(at, self.details.len(), motion))
            }
        }
    }

    fn open_stop(&self, at: usize) -> Reaction {
        let source = self.stops.get(at).and_then(|stop| stop.opens.clone());
        source.map_or(Reaction::Consumed, |id| {
            Reaction::Open(Box::new(ItemView::entry(id)))
        })
    }

    /// The findings of a part, among all others.
    fn open_part(&self, at: usize) -> Reaction {
        let check = &self.proposal.verdict.check;
        let chosen = check.parts().get(at).map(|part| part.subject);
        let title = "audit of the summary".to_owned();
        let findings = AuditFindings::new(title, check, self.details.clone(), chosen);
        Reaction::Open(Box::new(findings))
    }

    fn open_finding(&self, at: usize) -> Reaction {
        let detail = self.details.get(at);
        match detail.and_then(|detail| detail.source.clone()) {
            Some(id) => Reaction::Open(Box::new(ItemView::entry(id))),
            None => Reaction::Consumed,
        }
    }
}

/// A position in a list of `len` after a motion.
fn stepped(at: usize, len: usize, motion: ScrollMotion) -> usize {
    let to = match motion {
        ScrollMotion::Up => at.saturating_sub(1),
        ScrollMotion::Down => at + 1,
        ScrollMotion::PageUp | ScrollMotion::HalfUp => at.saturating_sub(PAGE_STOPS),
        ScrollMotion::PageDown | ScrollMotion::HalfDown => at + PAGE_STOPS,
        ScrollMotion::First => 0,
        ScrollMotion::Last => len,
    };
    to.min(len.saturating_sub(1))
}
