//! HTML that is written piece by piece. Tags are literals of this program; everything that
//! comes from a session goes through [`Markup::text`], [`Markup::prose`] or
//! [`Markup::picture`], which let none of it become markup.

use std::borrow::Cow;
use std::fmt::Write as _;

use pulldown_cmark::{Alignment, CowStr, Event, Options, Parser, Tag, TagEnd};

/// The schemes that a link may have.
const SAFE_LINKS: [&str; 3] = ["https://", "http://", "mailto:"];
/// The kinds of images that browsers show and that cannot hold a script.
const SHOWN_IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// A document that is being written.
#[derive(Default)]
pub(super) struct Markup(String);

impl Markup {
    /// A part of the page that this program wrote.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// A text of the session, in content or in a quoted attribute.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        escape(&mut self.0, &visible(text));
        self
    }

    /// A number.
    pub(super) fn number(&mut self, number: u64) -> &mut Self {
        let _ = write!(self.0, "{number}");
        self
    }

    /// A link to an entry of the page.
    pub(super) fn link_to(&mut self, place: usize) -> &mut Self {
        let _ = write!(self.0, "<a href=\"#e{place}\">#{place}</a>");
        self
    }

    /// A Markdown text as HTML: what is HTML in it is shown, and images are links.
    pub(super) fn prose(&mut self, text: &str) -> &mut Self {
        let options =
            Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        let text = visible(text);
        self.0.push_str("<div class=\"prose\" dir=\"auto\">");
        let events = Parser::new_ext(&text, options).map(harmless);
        pulldown_cmark::html::push_html(&mut self.0, events);
        self.0.push_str("</div>");
        self
    }

    /// An image from its bytes in base64; false when it is none that a browser may show.
    pub(super) fn picture(&mut self, mime: &str, base64: &str, name: &str) -> bool {
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
        let Some(mime) = SHOWN_IMAGES.iter().find(|it| **it == mime) else {
            return false;
        };
        if base64.is_empty() || !base64.bytes().all(is_base64) {
            return false;
        }
        let _ = write!(self.0, "<img src=\"data:{mime};base64,{base64}\" alt=\"");
        self.text(name).raw("\" loading=\"lazy\">");
        true
    }

    /// The document.
    pub(super) fn into_string(self) -> String {
        self.0
    }
}

fn escape(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let mut chars = behind.chars();
        out.push_str(match chars.next() {
            Some('&') => "&amp;",
            Some('<') => "&lt;",
            Some('>') => "&gt;",
            Some('"') => "&quot;",
            _ => "&#39;",
        });
        rest = chars.as_str();
    }
    out.push_str(rest);
}

/// A text in which nothing is hidden: colours of a terminal are left out, other controls and
/// marks of the writing direction are shown as what they are.
fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' if chars.peek() == Some(&'[') => {
                chars.next();
                let is_inside = |c: &char| matches!(c, '\u{20}'..='\u{3f}');
                while chars.next_if(is_inside).is_some() {}
                chars.next_if(|c| matches!(c, '\u{40}'..='\u{7e}'));
            }
            '\r' if chars.peek() == Some(&'\n') => {}
            c if is_hidden(c) => {
                let _ = write!(out, "[U+{:04X}]", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn is_hidden(c: char) -> bool {
    let is_control = c.is_control() && !matches!(c, '\n' | '\t');
    is_control || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn harmless(event: Event<'_>) -> Event<'_> {
    match event {
        // A reference like `&#x202e;` has become a character by now.
        Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => Event::Text(plain(text)),
        Event::Start(
            Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            }
            | Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            },
        ) => Event::Start(Tag::Link {
            link_type,
            dest_url: safe_link(dest_url),
            title: plain(title),
            id,
        }),
        // Columns are aligned by attributes that the page's policy refuses.
        Event::Start(Tag::Table(columns)) => {
            Event::Start(Tag::Table(vec![Alignment::None; columns.len()]))
        }
        Event::End(TagEnd::Image) => Event::End(TagEnd::Link),
        other => other,
    }
}

fn plain(text: CowStr<'_>) -> CowStr<'_> {
    let shown = match visible(&text) {
        Cow::Borrowed(_) => None,
        Cow::Owned(shown) => Some(shown),
    };
    shown.map_or(text, CowStr::from)
}

fn safe_link(link: CowStr<'_>) -> CowStr<'_> {
    let lower = link.to_ascii_lowercase();
    if SAFE_LINKS.iter().any(|start| lower.starts_with(start)) {
        link
    } else {
        CowStr::Borrowed("#")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_shown_and_colours_of_a_terminal_are_left_out() {
        for (text, shown) in [
            ("a\tb\nc", "a\tb\nc"),
            ("\u{1b}[1;31mred\u{1b}[0m", "red"),
            ("\u{1b}]0;t\u{7}", "[U+001B]]0;t[U+0007]"),
            ("a\r\nb\rc", "a\nb[U+000D]c"),
            ("if \u{202e}nimda", "if [U+202E]nimda"),
            ("\u{1b}[", ""),
        ] {
            assert_eq!(visible(text), shown, "{text:?}");
        }
    }

    #[test]
    fn only_images_that_hold_no_script_are_shown() {
        for (mime, data, is_shown) in [
            ("image/png", "iVBORw0KGgo=", true),
            ("image/svg+xml", "PHN2Zz4=", false),
            ("text/html", "PHN2Zz4=", false),
            ("image/png", "\"><script>", false),
            ("image/png", "", false),
        ] {
            let mut out = Markup::default();
            assert_eq!(out.picture(mime, data, "n"), is_shown, "{mime} {data}");
            assert_eq!(out.into_string().is_empty(), !is_shown);
        }
    }
}
