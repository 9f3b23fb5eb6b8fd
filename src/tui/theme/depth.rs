//! Themes on terminals with fewer colours.

use ratatui::style::{Color, Modifier, Style};

use super::{EMPHASIS, Theme};

/// How many colours a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColorDepth {
    /// None: attributes only.
    None,
    /// The sixteen of the terminal's own palette.
    Ansi16,
    /// The xterm palette.
    Ansi256,
    /// 24 bits.
    TrueColor,
}

impl Theme {
    /// The theme as a terminal with fewer colours can show it. In sixteen colours, what has
    /// no equal takes the colour that the terminal theme has in its place; without colours
    /// the attributes remain.
    #[must_use]
    pub fn for_terminal(mut self, depth: ColorDepth) -> Self {
        let mut ansi = Self::ansi(self.dark);
        for ((_, style), (_, fallback)) in self.slots().into_iter().zip(ansi.slots()) {
            match depth {
                ColorDepth::TrueColor => {}
                ColorDepth::Ansi256 => {
                    style.fg = style.fg.map(indexed);
                    style.bg = style.bg.map(indexed);
                }
                ColorDepth::Ansi16 => {
                    style.fg = style.fg.and_then(|color| sixteen(color, fallback.fg));
                    style.bg = style.bg.and_then(|color| sixteen(color, None));
                }
                ColorDepth::None => {
                    *style = Style {
                        fg: None,
                        bg: None,
                        ..*style
                    };
                }
            }
        }
        if depth <= ColorDepth::Ansi16 && self.selection.bg.is_none() {
            self.selection = Style {
                fg: None,
                ..self.selection
            }
            .add_modifier(Modifier::REVERSED);
        }
        if depth == ColorDepth::Ansi256 {
            // That palette has no faint green and red: both sides would be the same gray.
            self.diff_added_line.bg = None;
            self.diff_removed_line.bg = None;
        }
        if depth == ColorDepth::None {
            self.diff_added_word = self.diff_added_word.add_modifier(EMPHASIS);
            self.diff_removed_word = self.diff_removed_word.add_modifier(EMPHASIS);
        }
        self
    }
}

/// Colours of the sixteen stay; others become the fallback.
fn sixteen(color: Color, fallback: Option<Color>) -> Option<Color> {
    match color {
        Color::Rgb(..) | Color::Indexed(16..) => fallback,
        named => Some(named),
    }
}

/// The nearest colour of the xterm palette: of its 6×6×6 cube or its gray ramp.
fn indexed(color: Color) -> Color {
    /// Levels of each channel of the cube.
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    const CUBE_START: u8 = 16;
    const GRAY_START: u8 = 232;
    let Color::Rgb(red, green, blue) = color else {
        return color;
    };
    let nearest = |channel: u8| {
        let distance = |&(_, level): &(u8, u8)| level.abs_diff(channel);
        (0u8..).zip(LEVELS).min_by_key(distance).unwrap_or((0, 0))
    };
    let ((ri, r), (gi, g), (bi, b)) = (nearest(red), nearest(green), nearest(blue));
    let cube = (CUBE_START + 36 * ri + 6 * gi + bi, (r, g, b));
    let grays = (0u8..24).map(|step| {
        (
            GRAY_START + step,
            (8 + 10 * step, 8 + 10 * step, 8 + 10 * step),
        )
    });
    let distance = |&(_, (r, g, b)): &(u8, (u8, u8, u8))| {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(r, red) + square(g, green) + square(b, blue)
    };
    let best = grays.chain([cube]).min_by_key(distance).unwrap_or(cube);
    Color::Indexed(best.0)
}
