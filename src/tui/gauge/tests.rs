use super::*;
use crate::context::{ByCategory, UsageReport};
use crate::tui::testing::view_of;

fn reading(view: &ContextView) -> Reading<'_> {
    Reading {
        view: Some(view),
        age_secs: 0,
        cost_usd: Some(0.84),
        zoom: 0,
        turns_left: None,
        is_compacting: false,
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
        view_of(&[
            4_000, 9_000, 0, 0, 0, 6_000, 0, 12_000, 0, 20_000, 27_200, 38,
        ]),
        view_of(&[0; Category::COUNT]),
        view_of(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        view_of(&[900_000, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1]),
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
    let mut view = view_of(&[
        4_000, 9_000, 0, 0, 0, 6_000, 0, 12_000, 0, 20_000, 27_200, 0,
    ]);
    view.prune.cache_secs_left = Some(252);
    view.prune.would_free = 12_000;
    view.usage.exact = true;
    let theme = colourless();
    let shown = [160, 120, 100, 80, 70, 40, 24, 20, 6, 3, 1]
        .map(|width| text(&line(&reading(&view), width, &theme)))
        .join("\n");
    insta::assert_snapshot!(shown);
}

#[test]
fn estimates_carry_a_tilde_and_levels_a_sign() {
    let theme = Theme::default();
    let mut view = view_of(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 160_000, 0]);
    view.usage.exact = false;
    assert!(text(&line(&reading(&view), 80, &theme)).contains("▲ ~89%"));
    view.usage = UsageReport {
        tokens: 175_000,
        exact: true,
        measured_tokens: 175_000,
        by_category: ByCategory([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 175_000, 0]),
    };
    assert!(text(&line(&reading(&view), 80, &theme)).contains("‼ 97%"));
    assert_eq!(Level::of(&view), Level::Alarm);
}

#[test]
fn the_cache_runs_down_between_views() {
    let mut view = view_of(&[10; Category::COUNT]);
    view.prune.cache_secs_left = Some(65);
    for (age_secs, expected) in [
        (0, "cache expires in 2 min"),
        (5, "cache expires in 1 min"),
        (6, "cache expires in <1 min"),
        (99, "cache expired"),
    ] {
        let reading = Reading {
            age_secs,
            ..reading(&view)
        };
        let shown = text(&line(&reading, 140, &Theme::default()));
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
        let line = text(&line(&reading, 140, &Theme::default()));
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

/// The cells of the bar and the mark behind it.
fn bar_of(line: &Line<'_>) -> Vec<(String, Style)> {
    let label = line.spans.len() - 1;
    line.spans[..label]
        .iter()
        .map(|span| (span.content.to_string(), span.style))
        .collect()
}

proptest::proptest! {
    #[test]
    fn the_bar_stands_still_whatever_the_words_beside_it_say(
        width in 18_u16..220,
        free in proptest::option::of(1_u64..9_000_000),
        cache in proptest::option::of(0_u64..9_000),
        cost in proptest::option::of(0.0_f64..9_999.0),
        turns in proptest::option::of(0_u64..90),
        exact: bool,
        busy: bool,
    ) {
        let mut view = view_of(&[4_000, 9_000, 0, 0, 0, 6_000, 0, 12_000, 0, 20_000, 27_200, 0]);
        let plain = Reading { cost_usd: None, ..reading(&view) };
        let before = bar_of(&line(&plain, width, &Theme::default()));
        view.prune.would_free = free.unwrap_or(0);
        view.prune.cache_secs_left = cache;
        view.usage.exact = exact;
        let other = Reading {
            cost_usd: cost,
            turns_left: turns,
            is_compacting: busy,
            ..reading(&view)
        };
        let line = line(&other, width, &Theme::default());
        proptest::prop_assert_eq!(bar_of(&line), before);
        proptest::prop_assert!(line.width() <= usize::from(width));
    }
}

#[test]
fn a_full_bar_is_where_compaction_happens() {
    let theme = colourless();
    let shown = |tokens: u64| {
        let view = view_of(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, tokens, 0]);
        text(&line(&reading(&view), 100, &theme))
    };
    assert!(!shown(90_000).contains("▤╎"));
    assert!(shown(90_000).contains("50%"));
    let nearly = shown(179_999);
    assert!(
        nearly.contains("▤╎") && nearly.contains("compacts at 180k"),
        "{nearly}"
    );
    assert!(shown(180_000).contains("▤┃"));
}

#[test]
fn the_next_act_is_what_the_view_says() {
    let theme = Theme::default();
    let mut view = view_of(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100_000, 0]);
    let shown = |view: &ContextView, turns_left, is_compacting| {
        let reading = Reading {
            turns_left,
            is_compacting,
            ..reading(view)
        };
        text(&line(&reading, 160, &theme))
    };
    assert!(shown(&view, Some(6), false).contains("compacts at 180k, ~6 turns ·"));
    assert!(shown(&view, Some(1), false).contains(", ~1 turn ·"));
    assert!(shown(&view, Some(90), false).contains(", 50+ turns ·"));
    assert!(shown(&view, None, false).contains("compacts at 180k · $0.84"));
    assert!(shown(&view, Some(6), true).contains("compacting now"));
    view.compaction.due = true;
    assert!(shown(&view, Some(6), false).contains("compacts before the next request"));
    view.compaction.waits_for = Some(190_000);
    assert!(shown(&view, Some(6), false).contains("compaction waits until 190k"));
    view.compaction = crate::context::CompactionOutlook::default();
    view.window.usable = 125_000;
    let off = shown(&view, None, false);
    assert!(
        off.contains("▲ ~80%") && off.contains("full at 125k, compaction off"),
        "{off}"
    );
}

#[test]
fn a_zoomed_bar_says_which_part_it_shows() {
    let mut view = view_of(&[8_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    view.window.tokens = Some(1_000_000);
    view.compaction.compacts_at = Some(1_000_000);
    let mut memory = GaugeMemory::default();
    memory.follow(&view, crate::transcript::Timestamp(0));
    let zoomed = Reading {
        zoom: memory.zoom,
        ..reading(&view)
    };
    let shown = text(&line(&zoomed, 120, &colourless()));
    assert!(
        shown.contains('»') && shown.contains("bar 0–31.2k of 1M"),
        "{shown}"
    );
    let filled = shown.chars().filter(|&c| c == '█').count();
    assert_eq!(filled, 40 * 8_000 / 31_250 + 1, "{shown}");
    assert!(
        shown.contains("~1%"),
        "percent stays that of the whole scale: {shown}"
    );
}
