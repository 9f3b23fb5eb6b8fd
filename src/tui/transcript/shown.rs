//! The text of drawn lines: the gutter is left out, and what was broken to fit is one
//! line again. Selection and search both work on it.

use std::ops::Range;

use ratatui::text::Line;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::tui::render::wrap;
use crate::tui::widget::Needle;

/// The prefix of a continued row that is not its text: indents and bars of quotes.
const CONTINUED_PREFIX: [&str; 2] = [" ", "│"];

/// Columns of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineStretch {
    /// The line, as an index of the lines that were given.
    pub line: usize,
    /// The columns, gutter included.
    pub columns: Range<usize>,
}

/// One grapheme of a line.
pub(super) struct Glyph<'a> {
    pub text: &'a str,
    pub columns: Range<usize>,
}

/// The graphemes of a line beside its gutter.
pub(super) fn glyphs<'a>(
    line: &'a Line<'_>,
    gutter: usize,
) -> impl Iterator<Item = Glyph<'a>> + use<'a> {
    let mut column = 0;
    let graphemes = line
        .spans
        .iter()
        .flat_map(|span| span.content.graphemes(true));
    graphemes
        .map(move |text| {
            let start = column;
            column += wrap::grapheme_width(text);
            Glyph {
                text,
                columns: start..column,
            }
        })
        .filter(move |glyph| glyph.columns.start >= gutter)
}

/// The graphemes of a line that goes on from the one before: without its indent.
pub(super) fn continued<'a>(
    line: &'a Line<'_>,
    gutter: usize,
) -> impl Iterator<Item = Glyph<'a>> + use<'a> {
    glyphs(line, gutter).skip_while(|glyph| CONTINUED_PREFIX.contains(&glyph.text))
}

/// Every occurrence of the needle, top to bottom; each as the stretches that it covers.
pub(super) fn find(lines: &[Line<'_>], gutter: usize, needle: &Needle) -> Vec<Vec<LineStretch>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let logical = LogicalLine::read(lines, at, gutter);
        logical.find(needle, &mut found);
        at = logical.end;
    }
    found
}

/// A line as it was before it was broken.
struct LogicalLine {
    text: String,
    /// Where the bytes of the text from an offset on are on the screen.
    places: Vec<(usize, LineStretch)>,
    /// The first line that is not part of it.
    end: usize,
}

impl LogicalLine {
    fn read(lines: &[Line<'_>], first: usize, gutter: usize) -> Self {
        let mut logical = Self {
            text: String::new(),
            places: Vec::new(),
            end: first,
        };
        while let Some(line) = lines.get(logical.end) {
            let is_first = logical.end == first;
            let indent = if is_first {
                gutter
            } else {
                continued(line, gutter)
                    .next()
                    .map_or(gutter, |it| it.columns.start)
            };
            for glyph in glyphs(line, indent) {
                let place = LineStretch {
                    line: logical.end,
                    columns: glyph.columns,
                };
                logical.places.push((logical.text.len(), place));
                logical.text.push_str(glyph.text);
            }
            logical.end += 1;
            match wrap::joint(line) {
                Some(joint) => logical.text.push_str(joint),
                None => break,
            }
        }
        logical
    }

    fn find(&self, needle: &Needle, found: &mut Vec<Vec<LineStretch>>) {
        for Range { start, end } in needle.find_in(&self.text) {
            let mut stretches: Vec<LineStretch> = Vec::new();
            // The glyph that holds the first byte, up to the one that holds the last.
            let first = self.places.partition_point(|(at, _)| *at <= start);
            let covered = self.places.iter().skip(first.saturating_sub(1));
            for (_, place) in covered.take_while(|(at, _)| *at < end) {
                match stretches.last_mut().filter(|last| last.line == place.line) {
                    Some(last) => last.columns.end = place.columns.end,
                    None => stretches.push(place.clone()),
                }
            }
            found.push(stretches);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, width: u16) -> Vec<Line<'static>> {
        let rows = wrap::wrap_indent(&Line::raw(text.to_owned()), width, 2);
        let framed = rows.into_iter().map(|row| {
            let mut spans = vec!["▌  ".into()];
            spans.extend(row.spans);
            Line::from(spans)
        });
        framed.collect()
    }

    #[test]
    fn a_match_goes_on_over_a_break_and_never_into_the_gutter() {
        let rows = rows("see the Token refresh", 11);
        let found = find(&rows, 3, &Needle::new("the token"));
        let places: Vec<_> = found[0]
            .iter()
            .map(|it| (it.line, it.columns.clone()))
            .collect();
        assert_eq!(places, [(0, 7..10), (1, 5..10)]);
        assert!(find(&rows, 3, &Needle::new("the Tokens")).is_empty());
        assert!(
            find(&rows, 3, &Needle::new("TOKEN")).is_empty(),
            "capitals are meant"
        );
        assert!(find(&rows, 3, &Needle::new("▌")).is_empty());
        assert!(find(&rows, 3, &Needle::new("")).is_empty());
    }

    #[test]
    fn wide_and_growing_letters_keep_their_columns() {
        let rows = rows("日本 İstanbul", 40);
        let found = find(&rows, 3, &Needle::new("stan"));
        assert_eq!(
            found,
            [[LineStretch {
                line: 0,
                columns: 9..13
            }]]
        );
        let found = find(&rows, 3, &Needle::new("本"));
        assert_eq!(
            found,
            [[LineStretch {
                line: 0,
                columns: 5..7
            }]]
        );
    }

    #[test]
    fn marks_between_words_do_not_hide_a_source() {
        assert!(Needle::new("the guard").may_be_in("the **Guard**"));
        assert!(!Needle::new("Guard").may_be_in("guard"));
        assert!(!Needle::new(" ").may_be_in("a b"));
    }
}
