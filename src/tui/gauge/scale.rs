//! What the gauge's full width stands for: the way to the next automatic act, and the part of
//! it that is shown while hardly any of it is used.

use crate::context::ContextView;

/// The bar shows a part of the scale when less than this share of it is used.
const ZOOM_BELOW: u64 = 8;
/// Smaller scales are never zoomed.
const ZOOM_FROM_TOKENS: u64 = 100_000;

/// What a full bar means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScaleEnd {
    /// Compaction happens by itself.
    Compaction,
    /// Nothing happens by itself: the window is full, but for the room of the answer.
    Window,
}

/// The scale of bar, colour and percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaugeScale {
    /// Tokens of a full bar; never 0.
    pub full: u64,
    /// What happens there.
    pub end: ScaleEnd,
}

impl GaugeScale {
    /// The scale of a view; `None` when its window is unknown.
    pub fn of(view: &ContextView) -> Option<Self> {
        let window = view.window.tokens.filter(|&tokens| tokens > 0)?;
        let scale = |full: u64, end| Self {
            full: full.max(1),
            end,
        };
        Some(match view.compaction.compacts_at {
            Some(at) if at > 0 => scale(at, ScaleEnd::Compaction),
            _ if view.window.usable > 0 => scale(view.window.usable, ScaleEnd::Window),
            _ => scale(window, ScaleEnd::Window),
        })
    }

    /// Used tokens in percent of the scale, rounded; above 100 beyond its end.
    pub fn percent(&self, used: u64) -> u64 {
        (used as f64 * 100.0 / self.full as f64).round() as u64
    }

    /// Tokens of the part that the bar shows.
    pub fn shown(&self, zoom: u32) -> u64 {
        self.full.checked_shr(zoom).unwrap_or(0).max(1)
    }

    /// How many times the scale is halved for the bar. A zoom is kept while the used part takes
    /// an eighth to three quarters of the bar, so that the bar does not flicker at a limit.
    pub fn zoom(&self, before: u32, used: u64) -> u32 {
        let is_small = |zoom: u32| used.saturating_mul(ZOOM_BELOW) < self.shown(zoom);
        let is_calm = |zoom: u32| used.saturating_mul(4) <= self.shown(zoom).saturating_mul(3);
        if self.full < ZOOM_FROM_TOKENS || used == 0 {
            return 0;
        }
        if before > 0 && !is_small(before) && is_calm(before) {
            return before;
        }
        if !is_small(0) {
            return 0;
        }
        // The used part takes a quarter to a half of the bar.
        (self.full / used).ilog2().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scale(full: u64) -> GaugeScale {
        GaugeScale {
            full,
            end: ScaleEnd::Compaction,
        }
    }

    #[test]
    fn a_large_window_that_is_hardly_used_is_zoomed() {
        let million = scale(1_000_000);
        assert_eq!(million.zoom(0, 8_000), 5);
        assert_eq!(million.shown(5), 31_250);
        assert_eq!(million.zoom(0, 124_999), 2);
        assert_eq!(million.zoom(0, 125_000), 0);
        assert_eq!(scale(27_000).zoom(0, 100), 0, "small scales are whole");
        assert_eq!(million.zoom(3, 0), 0, "nothing is used");
    }

    #[test]
    fn a_zoom_stays_while_the_use_moves_about_a_limit() {
        let million = scale(1_000_000);
        let mut zoom = million.zoom(0, 124_999);
        for used in [125_001, 124_000, 126_000, 187_000] {
            zoom = million.zoom(zoom, used);
            assert_eq!(zoom, 2, "{used}");
        }
        assert_eq!(million.zoom(zoom, 188_000), 0);
        assert_eq!(million.zoom(0, 126_000), 0, "and whole stays whole");
    }

    proptest! {
        #[test]
        fn a_zoomed_bar_has_room_and_is_not_nearly_empty(
            full in 1_u64..4_000_000,
            used in 0_u64..5_000_000,
            before in 0_u32..40,
        ) {
            let scale = scale(full);
            let zoom = scale.zoom(before, used);
            if zoom > 0 {
                prop_assert!(used * 4 <= scale.shown(zoom) * 3);
                prop_assert!(used * 8 >= scale.shown(zoom));
            }
            prop_assert_eq!(scale.zoom(zoom, used), zoom, "asked again it is the same");
        }
    }
}
