//! The words beside the bar.

use crate::context::ContextView;

use super::super::{numbers, render::wrap};
use super::{Level, Reading};

/// The longest text that fits, or `None` when not even the percentage does.
pub(super) fn longest(
    reading: &Reading<'_>,
    window: u64,
    level: Level,
    width: usize,
) -> Option<String> {
    let view = reading.view?;
    let percent = percent(view, window);
    let tilde = if view.usage.exact { "" } else { "~" };
    let tokens = format!(
        "{} of {}",
        numbers::tokens(view.usage.tokens),
        numbers::tokens(window)
    );
    let mut text = format!("{}{tilde}{percent}%", level.sign());
    if wrap::width(&text) > width {
        text = format!("{tilde}{percent}%");
    }
    if wrap::width(&text) > width {
        return None;
    }
    // In order of worth; a part that does not fit is left out, and so is what follows.
    let cache = reading.cache_secs().map(cache);
    let parts = [Some(tokens), cost(reading), cache, prune(view)];
    let mut shown = vec![None, None, None, None];
    let mut used = wrap::width(&text);
    for (slot, part) in shown.iter_mut().zip(parts) {
        let Some(part) = part else { continue };
        used += wrap::width(&part) + wrap::width(SEPARATOR);
        if used > width {
            break;
        }
        *slot = Some(part);
    }
    // Shown in another order than kept: the price is last, where the eye expects a sum.
    shown.swap(1, 2);
    shown.swap(2, 3);
    for part in shown.into_iter().flatten() {
        text.push_str(SEPARATOR);
        text.push_str(&part);
    }
    Some(text)
}

const SEPARATOR: &str = " · ";
const SECS_PER_MINUTE: u64 = 60;

fn percent(view: &ContextView, window: u64) -> String {
    let exact = view.usage.tokens as f64 * 100.0 / window as f64;
    match exact.round() as u64 {
        0 if view.usage.tokens > 0 => "<1".to_owned(),
        percent => percent.to_string(),
    }
}

fn cost(reading: &Reading<'_>) -> Option<String> {
    reading.cost_usd.map(|usd| format!("${usd:.2}"))
}

/// How long a cache still holds. In whole minutes: a second hand would have the screen
/// written every second while nothing happens.
pub(super) fn cache(left_secs: u64) -> String {
    match left_secs {
        0 => "cache cold".to_owned(),
        1..SECS_PER_MINUTE => "cache <1m".to_owned(),
        _ => format!("cache {}m", left_secs.div_ceil(SECS_PER_MINUTE)),
    }
}

/// Seconds until the countdown reads otherwise; `None` once it has run down.
pub(super) fn cache_changes_in(left: u64) -> Option<u64> {
    match left {
        0 => None,
        1..SECS_PER_MINUTE => Some(left),
        SECS_PER_MINUTE => Some(1),
        _ => Some((left - 1) % SECS_PER_MINUTE + 1),
    }
}

fn prune(view: &ContextView) -> Option<String> {
    let free = view.prune.would_free;
    (free > 0).then(|| format!("prune −{}", numbers::tokens(free)))
}

/// Without a window there is no percentage, only what is known.
pub(super) fn without_window(view: &ContextView, width: usize) -> String {
    let tilde = if view.usage.exact { "" } else { "~" };
    let tokens = numbers::tokens(view.usage.tokens);
    fitting(
        &[
            &format!("{tilde}{tokens} tokens · window unknown"),
            &format!("{tilde}{tokens} tokens"),
            &format!("{tilde}{tokens}"),
            "?",
        ],
        width,
    )
}

/// The first text that fits, else nothing.
pub(super) fn fitting(texts: &[&str], width: usize) -> String {
    texts
        .iter()
        .find(|text| wrap::width(text) <= width)
        .map_or_else(String::new, |&text| text.to_owned())
}
