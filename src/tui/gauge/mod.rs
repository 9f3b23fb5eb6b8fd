//! The load gauge: one line that says how far the next automatic compaction is, what fills the
//! way there, and what happens then. A pure function of a reading; never wider than asked,
//! never more certain than the view.

mod bar;
mod label;
mod memory;
mod scale;
mod small;
mod turns;

use std::time::Duration;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::context::{Category, ContextView};

use super::theme::Theme;
pub use memory::GaugeMemory;
pub use scale::{GaugeScale, ScaleEnd};
pub use small::small;

/// Columns of the bar below which it says less than the space it takes.
const MIN_BAR: usize = 8;
/// Frame of the bar and the space after it.
const BAR_EXTRA: usize = 3;
/// Columns below which there are only words.
const BAR_FROM: usize = 18;
/// The bar's share of the width, as a divisor.
const BAR_SHARE: usize = 3;
/// Columns that the words take at most; the rest of a wide screen is the bar's.
const LABEL_MOST: usize = 100;
/// Share of the scale from which the gauge warns, in percent.
const WARNING_PERCENT: u64 = 70;
/// Share of the scale from which the gauge is alarmed, in percent.
const ALARM_PERCENT: u64 = 90;

/// The numbers on the gauge.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The newest view; `None` before the first.
    pub view: Option<&'a ContextView>,
    /// Seconds since that view was made; the cache countdown goes on meanwhile.
    pub age_secs: u64,
    /// US dollars that the session has cost, when known.
    pub cost_usd: Option<f64>,
    /// How many times the scale is halved for the bar.
    pub zoom: u32,
    /// Turns until the next compaction, as far as they can be told.
    pub turns_left: Option<u64>,
    /// A summary is being written.
    pub is_compacting: bool,
}

impl Reading<'_> {
    /// Seconds until the provider forgets its cache; `None` when there is none to forget.
    fn cache_secs(&self) -> Option<u64> {
        let left = self.view?.prune.cache_secs_left?;
        Some(left.saturating_sub(self.age_secs))
    }

    /// When the text of the countdown changes next; `None` when it has run down.
    pub fn cache_changes_in(&self) -> Option<Duration> {
        label::cache_changes_in(self.cache_secs()?).map(Duration::from_secs)
    }
}

/// How near the end of the scale is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Below 70%.
    Calm,
    /// From 70%.
    Warning,
    /// From 90%.
    Alarm,
}

impl Level {
    /// The level of a view. Without a window there is nothing to be near to.
    pub fn of(view: &ContextView) -> Self {
        let Some(scale) = GaugeScale::of(view) else {
            return Self::Calm;
        };
        match view.usage.tokens.saturating_mul(100) / scale.full {
            ALARM_PERCENT.. => Self::Alarm,
            WARNING_PERCENT.. => Self::Warning,
            _ => Self::Calm,
        }
    }

    fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Calm => theme.text,
            Self::Warning => theme.warning,
            Self::Alarm => theme.error,
        }
    }

    /// The level is said in a sign as well, for eyes and terminals without colour.
    fn sign(self) -> &'static str {
        match self {
            Self::Calm => "",
            Self::Warning => "▲ ",
            Self::Alarm => "‼ ",
        }
    }
}

/// How long the provider's cache still holds, in words.
pub fn cache_text(left_secs: u64) -> String {
    label::cache(left_secs)
}

/// The letter for a category where colours are not enough, one column wide.
pub fn texture(category: Category) -> &'static str {
    bar::TEXTURES
        .get(category.index())
        .copied()
        .unwrap_or_default()
}

/// The gauge in at most `width` columns. What does not fit goes in this order: cache, price,
/// the part that the bar shows, prune, the next act, tokens, the bar, the number; at one column
/// a block shows the level. The bar's place depends on the width alone, never on the words.
pub fn line(reading: &Reading<'_>, width: u16, theme: &Theme) -> Line<'static> {
    let width = usize::from(width);
    let Some(view) = reading.view else {
        return Line::styled(label::fitting(&["measuring…", "…"], width), theme.dim);
    };
    let Some(scale) = GaugeScale::of(view) else {
        return Line::styled(label::without_window(view, width), theme.text);
    };
    let style = Level::of(view).style(theme);
    let bar_width = bar_columns(width);
    let room = if bar_width > 0 {
        width - bar_width - BAR_EXTRA
    } else {
        width
    };
    let Some(text) = label::longest(reading, scale, room) else {
        let block = bar::block(view, scale.full).to_string();
        let is_some = width > 0;
        return Line::styled(if is_some { block } else { String::new() }, style);
    };
    if bar_width == 0 {
        return Line::styled(text, style);
    }
    let mut spans = vec![Span::styled("▕", theme.border)];
    let shown = scale.shown(reading.zoom);
    spans.extend(bar::spans(view, shown, bar_width, theme));
    spans.push(end_mark(view, scale, reading.zoom, theme));
    spans.push(Span::raw(" "));
    spans.push(Span::styled(text, style));
    Line::from(spans)
}

/// Columns of the bar in a width; 0 where there is no room for one.
fn bar_columns(width: usize) -> usize {
    if width < BAR_FROM {
        return 0;
    }
    let share = (width / BAR_SHARE).max(MIN_BAR);
    share.max(width.saturating_sub(LABEL_MOST + BAR_EXTRA))
}

/// Sign behind the bar: where compaction happens.
const LOAD_LINE: &str = "╎";
/// The same, once it is reached.
const LOAD_LINE_PASSED: &str = "┃";
/// The end of the window, where nothing happens by itself.
const WINDOW_END: &str = "▏";
/// The scale goes on beyond the bar.
const GOES_ON: &str = "»";

fn end_mark(view: &ContextView, scale: GaugeScale, zoom: u32, theme: &Theme) -> Span<'static> {
    match scale.end {
        _ if zoom > 0 => Span::styled(GOES_ON, theme.dim),
        ScaleEnd::Window => Span::styled(WINDOW_END, theme.border),
        ScaleEnd::Compaction if view.usage.tokens >= scale.full => {
            Span::styled(LOAD_LINE_PASSED, theme.load_line)
        }
        ScaleEnd::Compaction => Span::styled(LOAD_LINE, theme.load_line),
    }
}

/// A level as the gauge names it: coarse enough to stand still.
pub fn level_text(tokens: u64) -> String {
    label::level(tokens)
}

#[cfg(test)]
mod tests;
