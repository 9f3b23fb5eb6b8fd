//! A session as one HTML file: its Markdown, rendered, with a style sheet of its own.
//!
//! Nothing in it runs or loads anything: HTML in what was said is shown as text, pictures
//! are links, and links lead only to the web and to mail.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use super::{markdown, title};
use crate::session::header::Header;
use crate::transcript::Transcript;

/// Readable on any screen, in the dark and in the light.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;overflow-wrap:break-word}\
h2{border-top:1px solid #8884;padding-top:1rem;font-size:1.1rem}\
pre{background:#8881;padding:.75rem;overflow-x:auto;border-radius:4px}\
code{font:14px/1.4 ui-monospace,monospace}\
blockquote{margin-left:0;padding-left:1rem;border-left:3px solid #8886;opacity:.8}\
table{border-collapse:collapse}td,th{border:1px solid #8886;padding:.2rem .6rem}";

/// The schemes that a link may have.
const SAFE_LINKS: [&str; 3] = ["https://", "http://", "mailto:"];

/// The active branch as an HTML document that needs no other file.
pub fn html(header: &Header, transcript: &Transcript) -> String {
    let text = markdown(header, transcript);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut body = String::new();
    pulldown_cmark::html::push_html(&mut body, Parser::new_ext(&text, options).map(harmless));
    let title = escaped(&title(transcript));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

fn harmless(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
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
            title,
            id,
        }),
        Event::End(TagEnd::Image) => Event::End(TagEnd::Link),
        other => other,
    }
}

fn safe_link(link: CowStr<'_>) -> CowStr<'_> {
    let lower = link.to_ascii_lowercase();
    if SAFE_LINKS.iter().any(|start| lower.starts_with(start)) {
        link
    } else {
        CowStr::Borrowed("#")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::transcript::testing::branch;
    use crate::transcript::{EntryBody, Message};

    fn exported(bodies: Vec<EntryBody>) -> String {
        html(&Header::default(), &branch(bodies))
    }

    fn said(text: &str) -> EntryBody {
        EntryBody::Message(Arc::new(Message::user_text(text)))
    }

    #[test]
    fn what_was_said_is_rendered() {
        let name = "Bug <hunt> & more".to_owned();
        let page = exported(vec![
            EntryBody::SessionInfo { name },
            said("**bold** and [web](https://example.test/a)"),
        ]);
        assert!(
            page.contains("<title>Bug &lt;hunt&gt; &amp; more</title>"),
            "{page}"
        );
        assert!(page.contains("<strong>bold</strong>"), "{page}");
        assert!(page.contains("href=\"https://example.test/a\""), "{page}");
    }

    #[test]
    fn nothing_that_was_said_runs_or_loads_anything() {
        let page = exported(vec![said(
            "<script>alert(1)</script>\n\ninline <img src=x onerror=y> \
             [a](javascript:alert(2)) ![b](https://example.test/pixel.png) [c](JaVaScRiPt:x)",
        )]);
        for never in ["<script", "<img", "javascript:", "JaVaScRiPt:"] {
            assert!(!page.contains(never), "{never}: {page}");
        }
        assert!(page.contains("&lt;script&gt;"), "{page}");
    }
}
