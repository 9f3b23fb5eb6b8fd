//! A session as one HTML file that a person reads in a browser: search, folding, light and
//! dark, what was pruned and summarised with both sides, where a summary comes from, what it
//! cost.
//!
//! The file needs no other one and asks for none: its policy lets in one script and one style
//! sheet by their hashes, and images that are in it. Nothing that was said becomes markup.

mod article;
mod cost;
mod head;
mod markup;
mod summary;
#[cfg(test)]
mod tests;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::digest::{SHA256, digest};

use self::article::ArticleWriter;
use self::markup::Markup;
use super::branch::BranchReading;
use super::{DocumentSource, title};
use crate::context::first_words;
use crate::transcript::EntryBody;

/// Readable on any screen, in the dark and in the light.
const STYLE: &str = include_str!("../../../assets/export/page.css");
/// Search, folding and the theme; without it the page still folds.
const SCRIPT: &str = include_str!("../../../assets/export/page.js");

/// What the reader can switch off: the class of it and its name.
const SWITCHES: [(&str, &str); 4] = [
    ("reasoning", "Reasoning"),
    ("calls", "Tool calls"),
    ("replaced", "Summarised"),
    ("notes", "Notes"),
];

/// The active branch as an HTML document that needs no other file.
pub fn html(source: DocumentSource<'_>) -> String {
    let transcript = source.transcript;
    let reading = BranchReading::of(transcript);
    let title = title(transcript);
    let mut out = Markup::default();
    out.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .raw("<meta name=\"viewport\" content=\"width=device-width\">\n")
        .raw("<meta name=\"referrer\" content=\"no-referrer\">\n")
        .raw("<meta http-equiv=\"Content-Security-Policy\" content=\"")
        .text(&policy())
        .raw("\">\n<title>")
        .text(&title)
        .raw("</title>\n<style>")
        .raw(STYLE)
        .raw("</style>\n</head>\n<body>\n");
    head::write(&mut out, source, &reading);
    bar(&mut out);
    outline(&mut out, &reading);
    out.raw("<main>\n");
    let mut writer = ArticleWriter {
        out: &mut out,
        reading: &reading,
    };
    for at in 0..reading.entries.len() {
        writer.entry(at);
    }
    out.raw("</main>\n<footer>Written by Plimsoll. This page loads nothing from elsewhere.")
        .raw("</footer>\n<script>")
        .raw(SCRIPT)
        .raw("</script>\n</body>\n</html>\n");
    out.into_string()
}

/// Only the script and the style sheet of this program, and images inside the page.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(digest(&SHA256, text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; \
         base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    )
}

fn bar(out: &mut Markup) {
    out.raw("<div class=\"bar\"><input type=\"search\" id=\"find\" placeholder=\"Search (/)\" ")
        .raw("aria-label=\"Search\"><output id=\"found\"></output>");
    for (class, name) in SWITCHES {
        out.raw("<label><input type=\"checkbox\" checked value=\"")
            .raw(class)
            .raw("\">")
            .raw(name)
            .raw("</label>");
    }
    out.raw("<button type=\"button\" id=\"fold\">Unfold all</button>")
        .raw("<button type=\"button\" id=\"theme\">Light/dark</button></div>\n");
}

/// The turns and the compactions, as links.
fn outline(out: &mut Markup, reading: &BranchReading) {
    out.raw("<nav aria-label=\"Turns\"><ol>\n");
    for (at, entry) in reading.entries.iter().enumerate() {
        if entry.is_typed_by_user() {
            out.raw("<li>");
        } else if matches!(entry.body, EntryBody::Compaction(_)) {
            out.raw("<li class=\"compaction\">");
        } else {
            continue;
        }
        out.raw("<a href=\"#e").number(at as u64).raw("\">");
        match &entry.body {
            EntryBody::Compaction(_) => out.raw("Compaction"),
            _ => out.text(&first_words(entry)),
        };
        out.raw("</a></li>\n");
    }
    out.raw("</ol></nav>\n");
}
