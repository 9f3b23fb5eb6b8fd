use proptest::prelude::*;

use super::*;

/// The lightest background that people call dark, and the darkest that they call light.
const DARK_BACKGROUND: Color = Color::Rgb(0x1e, 0x1e, 0x1e);
const LIGHT_BACKGROUND: Color = Color::Rgb(0xf5, 0xf5, 0xf0);
/// WCAG AA for text.
const TEXT_CONTRAST: f64 = 4.5;
/// Bars and marks, not letters.
const BAR_CONTRAST: f64 = 2.5;
/// Rules and free space are meant to be faint.
const FAINT_CONTRAST: f64 = 1.5;
/// Euclidean distance in RGB below which two bars look alike.
const DISTINCT: f64 = 45.0;

fn rgb(color: Color) -> [f64; 3] {
    let Color::Rgb(red, green, blue) = color else {
        panic!("not 24-bit: {color:?}")
    };
    [red, green, blue].map(|channel| f64::from(channel) / 255.0)
}

fn luminance(color: Color) -> f64 {
    let linear = |c: f64| {
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    };
    let [red, green, blue] = rgb(color).map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(a: Color, b: Color) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn bundled_files_are_complete_and_without_warnings() {
    for (name, text) in BUNDLED {
        let (mut theme, warnings) = Theme::from_toml(text).unwrap();
        assert_eq!(warnings, Vec::<String>::new(), "{name}");
        assert_eq!(theme.name, name);
        for (slot, style) in theme.slots() {
            assert!(
                matches!(style.fg, Some(Color::Rgb(..))),
                "{name}: `{slot}` is not set"
            );
        }
    }
    assert_eq!(BUNDLED.len() + TERMINAL.len(), Theme::bundled_names().len());
    for name in Theme::bundled_names() {
        assert_eq!(Theme::bundled(name).unwrap().name, *name);
    }
    assert_eq!(Theme::bundled("no such"), None);
}

#[test]
fn bundled_text_is_readable() {
    for (name, _) in BUNDLED {
        let mut theme = Theme::bundled(name).unwrap();
        let background = if theme.dark {
            DARK_BACKGROUND
        } else {
            LIGHT_BACKGROUND
        };
        for (slot, style) in theme.slots() {
            let wanted = match slot {
                "border" | "gauge_free" => FAINT_CONTRAST,
                bar if bar.starts_with("gauge_") => BAR_CONTRAST,
                _ => TEXT_CONTRAST,
            };
            let found = contrast(style.fg.unwrap(), style.bg.unwrap_or(background));
            assert!(
                found >= wanted,
                "{name}: `{slot}` has contrast {found:.2}, wants {wanted}"
            );
        }
    }
}

#[test]
fn code_is_readable_on_the_background_of_a_changed_line() {
    for (name, _) in BUNDLED {
        let mut theme = Theme::bundled(name).unwrap();
        let sides = [theme.diff_added_line, theme.diff_removed_line];
        let wanted = if name.starts_with("high") {
            7.0
        } else {
            TEXT_CONTRAST
        };
        let is_code =
            |slot: &str| slot.starts_with("syntax_") || matches!(slot, "text" | "code" | "dim");
        for (slot, style) in theme.slots().into_iter().filter(|(slot, _)| is_code(slot)) {
            for side in sides {
                let found = contrast(style.fg.unwrap(), side.bg.unwrap());
                assert!(found >= wanted, "{name}: `{slot}`: {found:.2}");
            }
        }
        // What both sides are on is told from the screen and from the other side.
        let background = if theme.dark {
            DARK_BACKGROUND
        } else {
            LIGHT_BACKGROUND
        };
        let [added, removed] = sides.map(|side| rgb(side.bg.unwrap()));
        let apart = |a: [f64; 3], b: [f64; 3]| {
            let squares = a.iter().zip(&b).map(|(a, b)| (a - b).powi(2));
            squares.sum::<f64>().sqrt() * 255.0
        };
        assert!(
            apart(added, removed) >= 20.0,
            "{name}: {}",
            apart(added, removed)
        );
        for side in [added, removed] {
            assert!(apart(side, rgb(background)) >= 15.0, "{name}");
        }
    }
}

#[test]
fn a_palette_without_faint_colours_has_no_background_for_changed_lines() {
    let dark = Theme::bundled("dark").unwrap();
    for depth in [ColorDepth::Ansi256, ColorDepth::Ansi16, ColorDepth::None] {
        let theme = dark.clone().for_terminal(depth);
        assert_eq!(theme.diff_added_line.bg, None, "{depth:?}");
        assert_eq!(theme.diff_removed_line.bg, None, "{depth:?}");
    }
}

/// High contrast means more than readable: WCAG AAA for every text.
#[test]
fn high_contrast_is_high() {
    const ENHANCED_CONTRAST: f64 = 7.0;
    for name in ["high-contrast", "high-contrast-light"] {
        let mut theme = Theme::bundled(name).unwrap();
        let background = if theme.dark {
            DARK_BACKGROUND
        } else {
            LIGHT_BACKGROUND
        };
        for (slot, style) in theme.slots() {
            if slot == "border" || slot.starts_with("gauge_") {
                continue;
            }
            let found = contrast(style.fg.unwrap(), style.bg.unwrap_or(background));
            assert!(found >= ENHANCED_CONTRAST, "{name}: `{slot}`: {found:.2}");
        }
    }
}

/// How red-blind and green-blind eyes see a colour (Viénot, Brettel, Mollon 1999): both
/// take red and green together, and what is left is yellow or blue, light or dark.
fn as_seen_without_red_or_green(color: Color) -> [[f64; 3]; 2] {
    let linear = |c: f64| c.powf(2.2);
    let [red, green, blue] = rgb(color).map(linear);
    let seen =
        |mixed: f64, blue: f64| [mixed, mixed, blue].map(|c| c.clamp(0.0, 1.0).powf(1.0 / 2.2));
    [
        seen(
            0.112_38 * red + 0.887_62 * green,
            0.004_01 * red - 0.004_01 * green + blue,
        ),
        seen(
            0.292_75 * red + 0.707_25 * green,
            -0.022_34 * red + 0.022_34 * green + blue,
        ),
    ]
}

#[test]
fn colour_blind_eyes_tell_good_from_bad_and_bars_apart() {
    /// Euclidean distance in RGB below which two colours look alike to them.
    const SEEN_APART: f64 = 30.0;
    for name in ["colorblind", "colorblind-light"] {
        let theme = Theme::bundled(name).unwrap();
        let mut pairs = vec![
            ("added, removed", theme.diff_added, theme.diff_removed),
            ("success, error", theme.success, theme.error),
        ];
        for two in theme.gauge.windows(2) {
            pairs.push(("neighbours on the gauge", two[0], two[1]));
        }
        for (what, a, b) in pairs {
            let seen = [a, b].map(|style| as_seen_without_red_or_green(style.fg.unwrap()));
            for (a, b) in seen[0].iter().zip(&seen[1]) {
                let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
                let distance = squares.sqrt() * 255.0;
                assert!(distance >= SEEN_APART, "{name}: {what}: {distance:.0}");
            }
        }
    }
}

#[test]
fn gauge_colours_are_told_apart() {
    for (name, _) in BUNDLED {
        let gauge = Theme::bundled(name)
            .unwrap()
            .gauge
            .map(|style| rgb(style.fg.unwrap()));
        for (index, a) in gauge.iter().enumerate() {
            for (other, b) in gauge.iter().enumerate().skip(index + 1) {
                let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
                let distance = squares.sqrt() * 255.0;
                assert!(
                    distance >= DISTINCT,
                    "{name}: gauge {index} and {other}: {distance:.0}"
                );
            }
        }
    }
}

#[test]
fn files_inherit_and_slips_are_warnings() {
    let (theme, warnings) = Theme::from_toml(
        r##"
        name = "mine"
        inherits = "light"
        novelty = 1
        [palette]
        sea = "#010203"
        bad = "#12"
        [styles]
        accent = "sea"
        heading = { fg = "red", bg = 17, bold = true, italic = false, wobbly = true }
        text = "nowhere"
        colour_of_magic = "sea"
        "##,
    )
    .unwrap();
    let light = Theme::bundled("light").unwrap();
    assert_eq!(theme.name, "mine");
    assert!(!theme.dark);
    assert_eq!(theme.accent, Style::new().fg(Color::Rgb(1, 2, 3)));
    let heading = Style::new()
        .fg(Color::Red)
        .bg(Color::Indexed(17))
        .add_modifier(Modifier::BOLD);
    assert_eq!(theme.heading, heading);
    assert_eq!((theme.text, theme.dim), (light.text, light.dim));
    for word in ["novelty", "bad", "wobbly", "nowhere", "colour_of_magic"] {
        assert!(
            warnings.iter().any(|warning| warning.contains(word)),
            "{word}: {warnings:?}"
        );
    }
    assert_eq!(warnings.len(), 5, "{warnings:?}");

    let (theme, warnings) = Theme::from_toml("inherits = \"gone\"").unwrap();
    assert_eq!((theme, warnings.len()), (Theme::default(), 1));
    let (_, warnings) = Theme::from_toml("styles = 1\npalette = 2\nname = 3").unwrap();
    assert_eq!(warnings.len(), 3);
    let error = Theme::from_toml("not = [toml").unwrap_err().to_string();
    assert!(error.contains("the theme in use stays"), "{error}");
}

#[test]
fn fewer_colours() {
    let dark = Theme::bundled("dark").unwrap();
    assert_eq!(dark.clone().for_terminal(ColorDepth::TrueColor), dark);

    let mut palette = dark.clone().for_terminal(ColorDepth::Ansi256);
    assert!(
        palette
            .slots()
            .iter()
            .all(|(_, style)| matches!(style.fg, Some(Color::Indexed(16..))))
    );

    let mut ansi = dark.clone().for_terminal(ColorDepth::Ansi16);
    for (slot, style) in ansi.slots() {
        assert!(
            !matches!(style.fg, Some(Color::Rgb(..) | Color::Indexed(_))),
            "{slot}"
        );
        assert_eq!(style.bg, None, "{slot}");
    }
    assert_eq!(ansi.gauge, Theme::default().gauge);
    assert_eq!(ansi.user.fg, Theme::default().user.fg);
    assert!(ansi.selection.add_modifier.contains(Modifier::REVERSED));

    let mut none = dark.for_terminal(ColorDepth::None);
    for (slot, style) in none.slots() {
        assert_eq!((style.fg, style.bg), (None, None), "{slot}");
    }
    assert!(none.selection.add_modifier.contains(Modifier::REVERSED));
    assert!(none.heading.add_modifier.contains(Modifier::BOLD));
}

#[test]
fn nearest_of_the_xterm_palette() {
    let check = |rgb: (u8, u8, u8), index| {
        let theme = Theme {
            text: Style::new().fg(Color::Rgb(rgb.0, rgb.1, rgb.2)),
            ..Theme::default()
        };
        assert_eq!(
            theme.for_terminal(ColorDepth::Ansi256).text.fg,
            Some(Color::Indexed(index))
        );
    };
    check((0, 0, 0), 16);
    check((255, 255, 255), 231);
    check((255, 0, 0), 196);
    check((95, 135, 175), 67);
    check((128, 128, 128), 244);
}

proptest! {
    #[test]
    fn no_file_is_too_strange(text in any::<String>(), key in "[a-z_.]{1,12}", value in any::<String>()) {
        let _ = Theme::from_toml(&text);
        let _ = Theme::from_toml(&format!("[styles]\n{key} = {value:?}\n[palette]\n{key} = {value:?}"));
    }
}
