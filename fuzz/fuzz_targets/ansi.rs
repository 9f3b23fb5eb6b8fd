//! Any bytes as the output of a tool: no panic, and no character that a terminal would obey is
//! left, in coloured lines, in plain ones or in one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plimsoll::tui::render::{ansi, safe, wrap};
use plimsoll::tui::theme::Theme;

/// What a terminal obeys, or what turns text around.
fn acts(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for line in ansi::lines(&text, &Theme::default()) {
        for span in &line.spans {
            assert!(!span.content.contains(acts), "{:?}", span.content);
        }
    }
    let visible = safe::visible(&text);
    let is_bad = |c: char| acts(c) && !matches!(c, '\n' | '\t');
    assert!(!visible.contains(is_bad), "{visible:?}");
    // What is safe stays as it is.
    assert_eq!(safe::visible(&visible), visible);
    let columns = data.len() % 90;
    let line = safe::one_line(&text, columns);
    assert!(!line.contains(acts), "{line:?}");
    assert!(wrap::width(&line) <= columns, "{columns}: {line:?}");
});
