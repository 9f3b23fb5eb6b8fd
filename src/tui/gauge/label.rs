//! The words beside the bar.

use super::super::{numbers, render::wrap};
use super::scale::{GaugeScale, ScaleEnd};
use super::{Level, Reading};
use crate::context::ContextView;

const SEPARATOR: &str = " · ";
const SECS_PER_MINUTE: u64 = 60;
/// More turns than this are not told apart.
const MOST_TURNS: u64 = 50;
/// From here on the level of an act is said in whole thousands.
const COARSE_FROM: u64 = 10_000;

/// The longest text that fits, or `None` when not even the percentage does. Parts are in order
/// of worth: one that does not fit is left out, and so is what follows.
pub(super) fn longest(reading: &Reading<'_>, scale: GaugeScale, width: usize) -> Option<String> {
    let view = reading.view?;
    let tilde = if view.usage.exact { "" } else { "~" };
    let percent = percent(view.usage.tokens, scale);
    let mut text = format!("{}{tilde}{percent}%", Level::of(view).sign());
    if wrap::width(&text) > width {
        text = format!("{tilde}{percent}%");
    }
    if wrap::width(&text) > width {
        return None;
    }
    for part in parts(reading, view, scale) {
        let room = width.saturating_sub(wrap::width(&text) + wrap::width(SEPARATOR));
        let Some(part) = part.into_iter().find(|it| wrap::width(it) <= room) else {
            break;
        };
        text.push_str(SEPARATOR);
        text.push_str(&part);
    }
    Some(text)
}

/// The parts after the percentage, each from its longest form to its shortest.
fn parts(reading: &Reading<'_>, view: &ContextView, scale: GaugeScale) -> Vec<Vec<String>> {
    let zoom = (reading.zoom > 0).then(|| {
        let shown = numbers::tokens(scale.shown(reading.zoom));
        let full = numbers::tokens(scale.full);
        vec![format!("bar 0–{shown} of {full}"), format!("bar 0–{shown}")]
    });
    let one = |part: Option<String>| part.map(|part| vec![part]);
    let all = [
        Some(vec![numbers::tokens(view.usage.tokens)]),
        Some(next_act(reading, view, scale)),
        one(prune(view)),
        zoom,
        one(reading.cost_usd.map(|usd| format!("${usd:.2}"))),
        one(reading.cache_secs().map(cache)),
    ];
    all.into_iter().flatten().collect()
}

/// The next automatic act.
fn next_act(reading: &Reading<'_>, view: &ContextView, scale: GaugeScale) -> Vec<String> {
    let full = level(scale.full);
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    if reading.is_compacting {
        return owned(&["compacting now", "compacting"]);
    }
    if scale.end == ScaleEnd::Window {
        return vec![
            format!("full at {full}, compaction off"),
            "compaction off".to_owned(),
        ];
    }
    match (view.compaction.due, view.compaction.waits_for) {
        (true, Some(wanted)) => {
            let wanted = numbers::tokens(wanted);
            vec![
                format!("compaction waits until {wanted}"),
                "compaction waits".to_owned(),
            ]
        }
        (true, None) => owned(&[
            "compacts before the next request",
            "compacts next",
            "compacts",
        ]),
        (false, _) => {
            let at = format!("compacts at {full}");
            let with_turns = reading.turns_left.map(|turns| {
                if turns > MOST_TURNS {
                    format!("{at}, {MOST_TURNS}+ turns")
                } else {
                    format!("{at}, ~{}", numbers::plural(turns.max(1), "turn"))
                }
            });
            with_turns.into_iter().chain([at]).collect()
        }
    }
}

/// A level, coarse enough to stand still while the count of a provider comes in.
pub(super) fn level(tokens: u64) -> String {
    if tokens < COARSE_FROM {
        return numbers::tokens(tokens);
    }
    numbers::tokens(tokens / 1_000 * 1_000)
}

fn percent(used: u64, scale: GaugeScale) -> String {
    match scale.percent(used) {
        0 if used > 0 => "<1".to_owned(),
        percent => percent.to_string(),
    }
}

/// How long a cache still holds. In whole minutes: a second hand would have the screen
/// written every second while nothing happens.
pub(super) fn cache(left_secs: u64) -> String {
    match left_secs {
        0 => "cache expired".to_owned(),
        1..SECS_PER_MINUTE => "cache expires in <1 min".to_owned(),
        _ => format!(
            "cache expires in {} min",
            left_secs.div_ceil(SECS_PER_MINUTE)
        ),
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
    (free > 0).then(|| format!("/prune frees {}", numbers::tokens(free)))
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
