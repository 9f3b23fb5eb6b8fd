//! Tool output to lines: colours and attributes are kept, everything else that talks to a
//! terminal (cursor movement, titles, clipboard, modes) is dropped.
//!
//! Not an emulator: a carriage return starts the line again, as progress bars do, and
//! that is all the movement there is. Lines are not wrapped.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use vte::{Params, Parser, Perform};

use super::{safe, wrap};
use crate::tui::theme::Theme;

/// Tool output as styled lines, tabs expanded, in the theme's text style where it names
/// no colour. The text of OSC 8 links stays, their address goes.
pub fn lines(text: &str, theme: &Theme) -> Vec<Line<'static>> {
    let mut screen = Screen {
        plain: theme.text,
        style: theme.text,
        link: false,
        restart: false,
        text: String::new(),
        spans: Vec::new(),
        lines: Vec::new(),
    };
    Parser::new().advance(&mut screen, text.as_bytes());
    if !screen.text.is_empty() || !screen.spans.is_empty() {
        screen.end_line();
    }
    screen.lines
}

struct Screen {
    plain: Style,
    style: Style,
    link: bool,
    /// A carriage return came: the next character starts the line again.
    restart: bool,
    text: String,
    spans: Vec<Span<'static>>,
    lines: Vec<Line<'static>>,
}

impl Screen {
    fn end_span(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            let text = safe::visible(&text).into_owned();
            let style = if self.link {
                self.style.add_modifier(Modifier::UNDERLINED)
            } else {
                self.style
            };
            self.spans.push(Span::styled(text, style));
        }
    }

    fn end_line(&mut self) {
        self.end_span();
        self.restart = false;
        let line = Line::from(std::mem::take(&mut self.spans));
        self.lines.push(wrap::without_controls(&line));
    }

    fn before_text(&mut self) {
        if std::mem::take(&mut self.restart) {
            self.text.clear();
            self.spans.clear();
        }
    }
}

impl Perform for Screen {
    fn print(&mut self, c: char) {
        self.before_text();
        self.text.push(c);
    }

    fn execute(&mut self, byte: u8) {
        /// Backspace takes back one character, as `man` and spinners use it.
        const BACKSPACE: u8 = 8;
        match byte {
            b'\n' => self.end_line(),
            b'\r' => self.restart = true,
            b'\t' => {
                self.before_text();
                self.text.push('\t');
            }
            BACKSPACE => {
                self.text.pop();
            }
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _ignore: bool, action: char) {
        match action {
            'm' if intermediates.is_empty() => {
                self.end_span();
                self.style = sgr(params, self.style, self.plain);
            }
            // Erase in line: with a carriage return before it, the line starts again.
            'K' if self.restart => self.before_text(),
            _ => {}
        }
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], _bell_terminated: bool) {
        if params.first() == Some(&b"8".as_slice()) {
            self.end_span();
            self.link = params.get(2).is_some_and(|address| !address.is_empty());
        }
    }
}

/// Applies one `SGR` sequence. Blinking is left out: it is for nobody.
fn sgr(params: &Params, mut style: Style, plain: Style) -> Style {
    if params.is_empty() {
        return plain;
    }
    let mut params = params.iter();
    while let Some(param) = params.next() {
        let Some((&code, details)) = param.split_first() else {
            continue;
        };
        style = match code {
            0 => plain,
            1 => style.add_modifier(Modifier::BOLD),
            2 => style.add_modifier(Modifier::DIM),
            3 => style.add_modifier(Modifier::ITALIC),
            4 if details.first() == Some(&0) => style.remove_modifier(Modifier::UNDERLINED),
            4 | 21 => style.add_modifier(Modifier::UNDERLINED),
            7 => style.add_modifier(Modifier::REVERSED),
            9 => style.add_modifier(Modifier::CROSSED_OUT),
            22 => style.remove_modifier(Modifier::BOLD | Modifier::DIM),
            23 => style.remove_modifier(Modifier::ITALIC),
            24 => style.remove_modifier(Modifier::UNDERLINED),
            27 => style.remove_modifier(Modifier::REVERSED),
            29 => style.remove_modifier(Modifier::CROSSED_OUT),
            30..=37 => style.fg(ansi16(code - 30)),
            39 => Style {
                fg: plain.fg,
                ..style
            },
            40..=47 => style.bg(ansi16(code - 40)),
            49 => Style {
                bg: plain.bg,
                ..style
            },
            90..=97 => style.fg(ansi16(code - 90 + 8)),
            100..=107 => style.bg(ansi16(code - 100 + 8)),
            38 | 48 => {
                let color = extended(details, &mut params);
                match color {
                    Some(color) if code == 38 => style.fg(color),
                    Some(color) => style.bg(color),
                    None => style,
                }
            }
            _ => style,
        };
    }
    style
}

/// The colour of code 38 or 48. `38:2::r:g:b` carries its details with it, `38;2;r;g;b`
/// after it.
fn extended(details: &[u16], params: &mut vte::ParamsIter<'_>) -> Option<Color> {
    if details.is_empty() {
        return numbered(&mut || params.next().and_then(|param| param.first().copied()));
    }
    let has_space = details.first() == Some(&2) && details.len() > 4;
    let skip = if has_space { 2 } else { 1 };
    let mut rest = details
        .iter()
        .take(1)
        .chain(details.iter().skip(skip))
        .copied();
    numbered(&mut || rest.next())
}

/// A colour of the xterm palette (`5;n`) or of 24 bits (`2;r;g;b`).
fn numbered(next: &mut dyn FnMut() -> Option<u16>) -> Option<Color> {
    let mut byte = || u8::try_from(next()?).ok();
    match byte()? {
        5 => byte().map(Color::Indexed),
        2 => Some(Color::Rgb(byte()?, byte()?, byte()?)),
        _ => None,
    }
}

/// The sixteen by name, so that the terminal's own palette decides.
fn ansi16(index: u16) -> Color {
    const NAMES: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    NAMES
        .get(usize::from(index))
        .copied()
        .unwrap_or(Color::Reset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<String> {
        lines(text, &Theme::default())
            .iter()
            .map(|line| {
                line.spans
                    .iter()
                    .map(|span| span.content.as_ref())
                    .collect()
            })
            .collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(texts(text), expected, "{text:?}");
    }

    #[track_caller]
    fn check_style(text: &str, expected: Style) {
        assert_eq!(
            lines(text, &Theme::default())[0].spans[0].style,
            expected,
            "{text:?}"
        );
    }

    #[test]
    fn text_survives_and_controls_do_not() {
        check("plain\nlines\n", &["plain", "lines"]);
        check("a\n\nb", &["a", "", "b"]);
        check("\u{1b}[2J\u{1b}[3;4Hmoved\u{1b}]0;title\u{7}", &["moved"]);
        check("\u{1b}]52;c;aGk=\u{7}x\u{1b}P1$q\u{1b}\\y", &["xy"]);
        check(
            "\u{1b}]8;;https://a.example\u{1b}\\link\u{1b}]8;;\u{1b}\\ end",
            &["link end"],
        );
        check("a\tb\r\nc", &["a   b", "c"]);
        check("\u{202e}abc", &["\\u{202e}abc"]);
        check("cut \u{1b}[3", &["cut "]);
    }

    #[test]
    fn progress_collapses_to_its_last_state() {
        check("10%\r50%\r100%\ndone", &["100%", "done"]);
        check("building\r\u{1b}[Kbuilt\n", &["built"]);
        check("kept\r\n", &["kept"]);
        check("ab\u{8}c", &["ac"]);
    }

    #[test]
    fn colours_and_attributes() {
        let plain = Theme::default().text;
        check_style("\u{1b}[31mx", plain.fg(Color::Red));
        check_style(
            "\u{1b}[1;92mx",
            plain.fg(Color::LightGreen).add_modifier(Modifier::BOLD),
        );
        check_style("\u{1b}[38;5;208mx", plain.fg(Color::Indexed(208)));
        check_style("\u{1b}[48;2;1;2;3mx", plain.bg(Color::Rgb(1, 2, 3)));
        check_style("\u{1b}[38:2::1:2:3mx", plain.fg(Color::Rgb(1, 2, 3)));
        check_style("\u{1b}[38:2:1:2:3mx", plain.fg(Color::Rgb(1, 2, 3)));
        check_style(
            "\u{1b}[38;2;1;2;3;1mx",
            plain.fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::BOLD),
        );
        check_style("\u{1b}[31m\u{1b}[mx", plain);
        check_style("\u{1b}[31;39mx", plain);
        check_style("\u{1b}[38;5mx", plain);
        check_style("\u{1b}[38;2;999;0;0mx", plain);
    }

    proptest! {
        #[test]
        fn nothing_gets_through(
            parts in proptest::collection::vec(
                prop_oneof![any::<String>(), "\u{1b}[\\[\\]PX^_][0-9;:?]{0,8}[a-zA-Z]", "\u{1b}|\r|\u{7}|\u{9b}"],
                0..12,
            ),
        ) {
            for line in texts(&parts.concat()) {
                prop_assert!(!line.contains(char::is_control), "{line:?}");
            }
        }
    }
}
