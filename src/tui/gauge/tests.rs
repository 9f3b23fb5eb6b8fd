use super::*;
use crate::context::{ByCategory, UsageReport};
use crate::tui::testing::view_of;

fn reading(view: &ContextView) -> Reading<'_> {
    Reading {
        view: Some(view),
        age_secs: 0,
        cost_usd: Some(0.84),
    }
}

fn text(line: &Line<'_>) -> String {
    line.spans
        .iter()
        .map(|span| span.content.as_ref())
        .collect()
}

fn colourless() -> Theme {
    Theme {
        gauge: [Style::new(); Category::COUNT],
        ..Theme::default()
    }
}

#[test]
fn is_never_wider_than_asked() {
    let mut views = vec![
        view_of(&[4_000, 9_000, 6_000, 0, 12_000, 0, 20_000, 27_200, 38]),
        view_of(&[0; Category::COUNT]),
        view_of(&[1, 0, 0, 0, 0, 0, 0, 0, 0]),
        view_of(&[900_000, 1, 1, 0, 1, 0, 1, 1, 1]),
    ];
    let mut unknown = view_of(&[1_000; Category::COUNT]);
    unknown.window.tokens = None;
    views.push(unknown);
    for view in &views {
        for theme in [Theme::default(), colourless()] {
            for width in 0..=200 {
                let line = line(&reading(view), width, &theme);
                assert!(line.width() <= usize::from(width), "{width}: {line:?}");
                assert!(width == 0 || line.width() > 0, "{width}: nothing said");
            }
        }
    }
}

#[test]
fn says_less_when_there_is_less_room() {
    let mut view = view_of(&[4_000, 9_000, 6_000, 0, 12_000, 0, 20_000, 27_200, 0]);
    view.prune.cache_secs_left = Some(252);
    view.prune.would_free = 12_000;
    view.usage.exact = true;
    let theme = colourless();
    let shown = [100, 70, 40, 24, 20, 6, 3, 1]
        .map(|width| text(&line(&reading(&view), width, &theme)))
        .join("\n");
    insta::assert_snapshot!(shown);
}

#[test]
fn estimates_carry_a_tilde_and_levels_a_sign() {
    let theme = Theme::default();
    let mut view = view_of(&[0, 0, 0, 0, 0, 0, 0, 160_000, 0]);
    view.usage.exact = false;
    assert!(text(&line(&reading(&view), 80, &theme)).contains("▲ ~80%"));
    view.usage = UsageReport {
        tokens: 175_000,
        exact: true,
        measured_tokens: 175_000,
        by_category: ByCategory([0, 0, 0, 0, 0, 0, 0, 175_000, 0]),
    };
    assert!(text(&line(&reading(&view), 80, &theme)).contains("‼ 88%"));
    assert_eq!(Level::of(&view), Level::Alarm);
}

#[test]
fn the_cache_runs_down_between_views() {
    let mut view = view_of(&[10; Category::COUNT]);
    view.prune.cache_secs_left = Some(65);
    for (age_secs, expected) in [
        (0, "cache 2m"),
        (5, "cache 1m"),
        (6, "cache <1m"),
        (99, "cache cold"),
    ] {
        let reading = Reading {
            age_secs,
            ..reading(&view)
        };
        let shown = text(&line(&reading, 100, &Theme::default()));
        assert!(shown.contains(expected), "{shown}");
    }
}

/// A countdown by the second wrote to the terminal every second, hours into a pause.
#[test]
fn the_countdown_is_drawn_when_its_text_changes_and_not_before() {
    let mut view = view_of(&[10; Category::COUNT]);
    view.prune.cache_secs_left = Some(3_600);
    let shown = |age_secs: u64| {
        let reading = Reading {
            age_secs,
            ..reading(&view)
        };
        let line = text(&line(&reading, 100, &Theme::default()));
        (line, reading.cache_changes_in())
    };
    let mut age_secs = 0;
    let mut frames = 0;
    while let (before, Some(wait)) = shown(age_secs) {
        let wait = wait.as_secs();
        assert!(wait > 0);
        assert_eq!(shown(age_secs + wait - 1).0, before);
        assert_ne!(shown(age_secs + wait).0, before);
        age_secs += wait;
        frames += 1;
    }
    assert_eq!((age_secs, frames), (3_600, 61));
}
