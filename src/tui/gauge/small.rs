//! The gauge of a sub-agent: a bar of a few columns and the share that is taken.

use ratatui::style::Style;
use ratatui::text::Span;

use super::{ALARM_PERCENT, WARNING_PERCENT};
use crate::agent::ChildLoad;
use crate::tui::numbers;
use crate::tui::theme::Theme;

/// Columns of the bar.
const BAR_COLUMNS: u64 = 8;
const EIGHTHS: u64 = 8;
const BLOCKS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// The load as a bar and in numbers: `██▌····· 12k of 200k`.
pub fn small(load: ChildLoad, theme: &Theme) -> Vec<Span<'static>> {
    let used = numbers::tokens(load.tokens);
    let Some(window) = load.window_tokens.filter(|window| *window > 0) else {
        return vec![Span::styled(used, theme.dim)];
    };
    let share = (load.tokens.min(window) * BAR_COLUMNS * EIGHTHS).div_ceil(window);
    let (full, part) = (share / EIGHTHS, share % EIGHTHS);
    let full = usize::try_from(full).unwrap_or_default();
    let part = BLOCKS.get(usize::try_from(part).unwrap_or_default());
    let part = part.copied().unwrap_or_default();
    let bar = format!("{}{part}", "█".repeat(full));
    let free = BAR_COLUMNS as usize - full - usize::from(!part.is_empty());
    vec![
        Span::styled(bar, colour(load.tokens, window, theme)),
        Span::styled("·".repeat(free), theme.dim),
        Span::styled(format!(" {used} of {}", numbers::tokens(window)), theme.dim),
    ]
}

fn colour(tokens: u64, window: u64, theme: &Theme) -> Style {
    match tokens.saturating_mul(100) / window {
        percent if percent >= ALARM_PERCENT => theme.error,
        percent if percent >= WARNING_PERCENT => theme.warning,
        _ => theme.accent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(tokens: u64, window_tokens: Option<u64>) -> String {
        let load = ChildLoad {
            tokens,
            window_tokens,
        };
        let spans = small(load, &Theme::default()).into_iter();
        spans.map(|span| span.content.into_owned()).collect()
    }

    #[test]
    fn a_load_is_a_bar_of_the_same_width_and_a_number() {
        assert_eq!(drawn(0, Some(200_000)), "········ 0 of 200k");
        assert_eq!(drawn(100_000, Some(200_000)), "████···· 100k of 200k");
        assert_eq!(drawn(1, Some(200_000)), "▏······· 1 of 200k");
        assert_eq!(drawn(900_000, Some(200_000)), "████████ 900k of 200k");
        assert_eq!(drawn(12_345, None), "12.3k");
        for tokens in (0..=400_000).step_by(777) {
            let bar = drawn(tokens, Some(200_000));
            let bar = bar.split(' ').next().unwrap();
            assert_eq!(bar.chars().count(), 8, "{bar}");
        }
    }
}
