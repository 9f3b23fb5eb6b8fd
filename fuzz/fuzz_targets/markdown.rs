//! Any text as Markdown: no panic, no line wider than asked for, nothing in it that a terminal
//! would obey, and the same lines whatever pieces it arrives in. The first byte is the width,
//! the second the cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plimsoll::tui::render::highlight::Highlighter;
use plimsoll::tui::render::markdown::{MarkdownStream, render};
use plimsoll::tui::render::wrap;
use plimsoll::tui::theme::Theme;

fuzz_target!(|data: &[u8]| {
    let [width, cut, bytes @ ..] = data else {
        return;
    };
    let width = u16::from(*width % 100) + 2;
    let text = String::from_utf8_lossy(bytes);
    let (theme, highlighter) = (Theme::default(), Highlighter::new());
    let whole = render(&text, width, &theme, &highlighter);
    for line in &whole {
        let row: String = line.spans.iter().map(|it| it.content.as_ref()).collect();
        assert!(!row.contains(char::is_control), "{row:?}");
        assert!(wrap::width(&row) <= usize::from(width), "{width}: {row:?}");
    }
    let (head, tail) = text.split_at(text.floor_char_boundary(usize::from(*cut)));
    let mut stream = MarkdownStream::new();
    stream.push(head);
    stream.lines(width, &theme, &highlighter);
    stream.push(tail);
    assert_eq!(stream.lines(width, &theme, &highlighter), whole);
});
