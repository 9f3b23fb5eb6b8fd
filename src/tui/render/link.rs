//! Addresses behind what is shown (OSC 8): text that a terminal opens when it is clicked.
//!
//! An address rides on the style of its text, so that wrapping, scrolling and comparing cells
//! keep it without knowing of it: the colour of underlines, which nothing here draws, holds
//! its number. Whoever writes cells to the terminal takes the number off again.
//!
//! Invariant: an address is printable ASCII of a few known schemes; nothing foreign in it can
//! end the sequence that holds it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};

use ratatui::buffer::Cell;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

/// Addresses of more bytes are left out: terminals refuse them.
const MAX_ADDRESS_BYTES: usize = 2_000;
/// Addresses that are kept; what comes later is text.
const MAX_ADDRESSES: u32 = 50_000;
/// Schemes that a foreign text may lead to.
const WEB_SCHEMES: [&str; 2] = ["https://", "http://"];
/// Signs at the end of an address that belong to the sentence around it.
const SENTENCE_ENDS: &[char] = &['.', ',', ';', ':', '!', '?', '\'', '"', '*', '_', '>'];

/// Every address that was shown. Global, because a style has room for a number only.
static ADDRESSES: LazyLock<Mutex<AddressTable>> = LazyLock::new(Mutex::default);

#[derive(Debug, Default)]
struct AddressTable {
    numbers: HashMap<Arc<str>, u32>,
    addresses: Vec<Arc<str>>,
}

impl AddressTable {
    fn number(&mut self, address: &str) -> Option<u32> {
        if let Some(number) = self.numbers.get(address) {
            return Some(*number);
        }
        let number = u32::try_from(self.addresses.len()).ok()?;
        if number >= MAX_ADDRESSES {
            return None;
        }
        let address: Arc<str> = address.into();
        self.addresses.push(Arc::clone(&address));
        self.numbers.insert(address, number);
        Some(number)
    }
}

/// Where the files of a session are.
#[derive(Clone, Copy, Debug)]
pub struct FilePlace<'a> {
    /// The machine's name; may be empty.
    pub host: &'a str,
    /// The directory that relative paths start from.
    pub dir: &'a Path,
}

/// The address of a web page, or `None` for what is none. Characters that an address cannot
/// have are escaped.
pub fn web(address: &str) -> Option<String> {
    let has_scheme = |scheme: &&str| {
        let start = address.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && address.len() > scheme.len()
    };
    let is_safe = !address.chars().any(char::is_control);
    if !WEB_SCHEMES.iter().any(has_scheme) || !is_safe {
        return None;
    }
    bounded(escaped(address, |byte| matches!(byte, b'!'..=b'~')))
}

/// The address of a file; `None` for a path that is not one of a file here.
pub fn file(place: FilePlace<'_>, path: &str) -> Option<String> {
    let path = place.dir.join(path);
    let path = path.to_str().filter(|_| path.is_absolute())?;
    if path.chars().any(char::is_control) {
        return None;
    }
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let host = if place.host.chars().all(is_host) {
        place.host
    } else {
        ""
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~+@,=".contains(&byte);
    bounded(format!("file://{host}{}", escaped(path, is_plain)))
}

fn bounded(address: String) -> Option<String> {
    (address.len() <= MAX_ADDRESS_BYTES).then_some(address)
}

fn escaped(text: &str, is_plain: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if is_plain(byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// A style whose text leads to an address of [`web`] or [`file()`].
#[must_use]
pub fn to(style: Style, address: Option<String>) -> Style {
    let number = address.and_then(|address| ADDRESSES.lock().ok()?.number(&address));
    number.map_or(style, |number| {
        let [_, red, green, blue] = number.to_be_bytes();
        style.underline_color(Color::Rgb(red, green, blue))
    })
}

/// Spans whose web addresses can be clicked. Text that leads somewhere already stays.
pub fn with_addresses(spans: Vec<Span<'static>>) -> Vec<Span<'static>> {
    if !spans.iter().any(|span| span.content.contains("://")) {
        return spans;
    }
    let mut out = Vec::with_capacity(spans.len() + 2);
    for span in spans {
        if span.style.underline_color.is_some() {
            out.push(span);
        } else {
            push_linked(&span, &mut out);
        }
    }
    out
}

/// A line whose web addresses can be clicked.
pub fn line_with_addresses(mut line: Line<'static>) -> Line<'static> {
    line.spans = with_addresses(std::mem::take(&mut line.spans));
    line
}

fn push_linked(span: &Span<'static>, out: &mut Vec<Span<'static>>) {
    let mut rest: &str = &span.content;
    while let Some((start, end)) = next_address(rest) {
        let (Some(before), Some(address)) = (rest.get(..start), rest.get(start..end)) else {
            break;
        };
        if !before.is_empty() {
            out.push(Span::styled(before.to_owned(), span.style));
        }
        let style = to(span.style, web(address));
        out.push(Span::styled(address.to_owned(), style));
        rest = rest.get(end..).unwrap_or_default();
    }
    if !rest.is_empty() {
        out.push(Span::styled(rest.to_owned(), span.style));
    }
}

/// The first address in a text, as a range of bytes.
fn next_address(text: &str) -> Option<(usize, usize)> {
    let starts = WEB_SCHEMES.iter().filter_map(|scheme| text.find(scheme));
    let start = starts.min()?;
    let found = text.get(start..)?;
    let is_end = |c: char| c.is_whitespace() || c.is_control() || "<>\"`{}|\\^".contains(c);
    let end = found.find(is_end).unwrap_or(found.len());
    let mut address = found.get(..end)?;
    loop {
        let trimmed = address.trim_end_matches(SENTENCE_ENDS);
        let is_open = |open: char, close: char| {
            let count = |sign: char| trimmed.matches(sign).count();
            trimmed.ends_with(close) && count(close) > count(open)
        };
        let cut = is_open('(', ')') || is_open('[', ']');
        let shorter = trimmed.len() - usize::from(cut);
        if shorter == address.len() {
            break;
        }
        address = trimmed.get(..shorter)?;
    }
    Some((start, start + address.len()))
}

/// The number of the address behind a cell.
pub fn number_of(cell: &Cell) -> Option<u32> {
    match cell.underline_color {
        Color::Rgb(red, green, blue) => Some(u32::from_be_bytes([0, red, green, blue])),
        _ => None,
    }
}

/// The sequence that begins the text of an address; its rows are one link for the terminal.
pub fn opening(number: u32) -> Option<String> {
    let table = ADDRESSES.lock().ok()?;
    let address = table.addresses.get(usize::try_from(number).ok()?)?;
    Some(format!("\u{1b}]8;id=p{number};{address}\u{1b}\\"))
}

/// The sequence that ends it.
pub const CLOSING: &str = "\u{1b}]8;;\u{1b}\\";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The addresses in a text, as they are opened.
    fn found(text: &str) -> Vec<String> {
        let spans = with_addresses(vec![Span::raw(text.to_owned())]);
        let shown: String = spans.iter().map(|span| &*span.content).collect();
        assert_eq!(shown, text, "no letter is lost");
        let numbers = spans.iter().filter_map(|span| {
            let mut cell = Cell::default();
            cell.set_style(span.style);
            number_of(&cell)
        });
        numbers
            .map(|number| {
                let sequence = opening(number).unwrap();
                let (_, rest) = sequence.split_once(";http").unwrap();
                format!("http{}", rest.trim_end_matches("\u{1b}\\"))
            })
            .collect()
    }

    #[test]
    fn an_address_ends_before_the_sentence_around_it() {
        for (text, expected) in [
            ("see https://a.example/x.", "https://a.example/x"),
            ("(https://a.example/x)", "https://a.example/x"),
            ("https://a.example/x_(y), z", "https://a.example/x_(y)"),
            ("<https://a.example?q=1&r=2>", "https://a.example?q=1&r=2"),
            ("https://a.example/漢", "https://a.example/%E6%BC%A2"),
            ("**https://a.example**", "https://a.example"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
        assert_eq!(found("http://a https://b").len(), 2);
        assert_eq!(found("https:// and a://b"), Vec::<String>::new());
    }

    #[test]
    fn only_web_addresses_of_foreign_text_can_be_clicked() {
        for address in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://",
            "https://a\u{1b}\\\u{1b}]52;c;eA==\u{7}",
            "https://a\u{9c}b",
        ] {
            assert_eq!(web(address), None, "{address:?}");
        }
        assert_eq!(web(&format!("https://{}", "a".repeat(3_000))), None);
        assert_eq!(
            web("HTTPS://a.example").as_deref(),
            Some("HTTPS://a.example")
        );
    }

    #[test]
    fn files_have_the_name_of_their_machine_and_their_whole_path() {
        let place = FilePlace {
            host: "ship",
            dir: Path::new("/home/ada/my api"),
        };
        assert_eq!(
            file(place, "src/a b;c.rs").as_deref(),
            Some("file://ship/home/ada/my%20api/src/a%20b%3Bc.rs")
        );
        assert_eq!(file(place, "/x").as_deref(), Some("file://ship/x"));
        assert_eq!(file(place, "a\u{1b}b"), None);
        let relative = FilePlace {
            host: "a b",
            dir: Path::new("here"),
        };
        assert_eq!(file(relative, "x"), None);
        assert_eq!(file(relative, "/x").as_deref(), Some("file:///x"));
    }

    proptest! {
        #[test]
        fn nothing_in_an_address_ends_its_sequence(
            text in prop_oneof![any::<String>(), "https://[ -~\u{1b}\u{7}\u{9c}漢;]{0,40}"],
        ) {
            let place = FilePlace { host: &text, dir: Path::new("/") };
            for address in [web(&text), file(place, &text)].into_iter().flatten() {
                prop_assert!(address.bytes().all(|byte| matches!(byte, b'!'..=b'~')), "{address:?}");
            }
            let spans = with_addresses(vec![Span::raw(text.clone())]);
            let shown: String = spans.iter().map(|span| &*span.content).collect();
            prop_assert_eq!(shown, text);
        }
    }
}
