//! The load gauge: one line that says how full the window is and with what. A pure
//! function of a view; never wider than asked, never more certain than the view.

mod bar;
mod label;

use std::time::Duration;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::context::{Category, ContextView};

use super::render::wrap;
use super::theme::Theme;

/// Columns of the bar below which it says less than the space it takes.
const MIN_BAR: usize = 8;
/// Frame of the bar and the space after it.
const BAR_EXTRA: usize = 3;
/// Share of the load line from which the gauge warns, in percent.
const WARNING_PERCENT: u64 = 70;
/// Share of the load line from which the gauge is alarmed, in percent.
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

/// How near the load line is.
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
        let line = view.window.load_line_effective;
        if view.window.tokens.is_none() || line == 0 {
            return Self::Calm;
        }
        let percent = view.usage.tokens.saturating_mul(100) / line;
        match percent {
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

/// The gauge in at most `width` columns. What does not fit goes in this order: prune,
/// cache, price, tokens, the bar, the number; at one column a block shows the level.
pub fn line(reading: &Reading<'_>, width: u16, theme: &Theme) -> Line<'static> {
    let width = usize::from(width);
    let Some(view) = reading.view else {
        return Line::styled(label::fitting(&["measuring…", "…"], width), theme.dim);
    };
    let Some(window) = view.window.tokens.filter(|&tokens| tokens > 0) else {
        return Line::styled(label::without_window(view, width), theme.text);
    };
    let level = Level::of(view);
    let style = level.style(theme);
    let bar_floor = (width / 3).max(MIN_BAR) + BAR_EXTRA;
    let text = label::longest(reading, window, level, width.saturating_sub(bar_floor));
    if let Some(text) = text {
        let bar_width = width - wrap::width(&text) - BAR_EXTRA;
        let mut spans = vec![Span::styled("▕", theme.border)];
        spans.extend(bar::spans(view, window, bar_width, theme));
        spans.push(Span::styled("▏", theme.border));
        spans.push(Span::raw(" "));
        spans.push(Span::styled(text, style));
        return Line::from(spans);
    }
    match label::longest(reading, window, level, width) {
        Some(text) => Line::styled(text, style),
        None if width > 0 => Line::styled(bar::block(view, window).to_string(), style),
        None => Line::default(),
    }
}

#[cfg(test)]
mod tests;
