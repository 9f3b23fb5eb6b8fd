//! What the gauge keeps from view to view, so that it does not flicker.

use super::scale::{GaugeScale, ScaleEnd};
use super::turns;
use crate::context::ContextView;
use crate::transcript::Timestamp;

/// The part of the gauge that follows views slowly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GaugeMemory {
    /// When the newest view came.
    pub viewed_at: Timestamp,
    /// How many times the scale is halved for the bar.
    pub zoom: u32,
    /// Turns until the next compaction, as they are shown.
    pub turns_left: Option<u64>,
}

impl GaugeMemory {
    /// Follows a view that came now.
    pub fn follow(&mut self, view: &ContextView, now: Timestamp) {
        self.viewed_at = now;
        let Some(scale) = GaugeScale::of(view) else {
            (self.zoom, self.turns_left) = (0, None);
            return;
        };
        self.zoom = scale.zoom(self.zoom, view.usage.tokens);
        let compacts = scale.end == ScaleEnd::Compaction;
        let turns = turns::turns_until(view, scale.full).filter(|_| compacts);
        self.turns_left = turns::steady(self.turns_left, turns);
    }
}
