//! What a call answers, as parts of a result: texts without what a terminal would obey, images
//! that are images, and words for all else.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, PromptMessage, ResourceContents, Role};

use crate::tool::ToolOutcome;
use crate::transcript::{Image, Part};

/// Attachments of one result.
const MAX_IMAGES: usize = 20;
/// Bytes of one attachment, as base64.
const MAX_IMAGE_BYTES: usize = 7 * 1024 * 1024;
/// Characters of a name or an address that a note quotes.
const MAX_QUOTED_CHARS: usize = 300;
/// What models take.
const TYPES: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "application/pdf",
];

/// A text without escape sequences and control characters; line ends and tabs stay.
pub(super) fn harmless(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.peek() {
                Some('[') => {
                    chars.next();
                    // Parameters, then one final character.
                    while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
                    chars.next_if(|c| matches!(c, '@'..='~'));
                }
                Some(']' | 'P' | '^' | '_' | 'X') => skip_string(&mut chars),
                Some(' '..='~') => {
                    chars.next();
                }
                _ => {}
            },
            '\u{9d}' | '\u{90}' => skip_string(&mut chars),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\t' => plain.push(c),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain
}

/// Passes over the text of an operating system command or the like: to its end, or to the end
/// of the line, so that one that does not end takes no more with it.
fn skip_string(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while let Some(c) = chars.next_if(|c| *c != '\n') {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                chars.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

/// The answer of a call.
pub(super) fn outcome(result: CallToolResult) -> ToolOutcome {
    let mut parts = ContentParts::default();
    for block in result.content {
        parts.add(block);
    }
    // A server repeats what has a structure as text for those who do not read it.
    let has_text = parts.parts.iter().any(|it| matches!(it, Part::Text(_)));
    if let Some(value) = result.structured_content.filter(|_| !has_text) {
        let text = serde_json::to_string_pretty(&value).unwrap_or_default();
        parts.text(&text);
    }
    if parts.parts.is_empty() {
        parts.text("[The tool answered with nothing.]");
    }
    ToolOutcome {
        content: parts.parts,
        is_error: result.is_error == Some(true),
        details: None,
    }
}

/// The contents of a resource.
pub(super) fn resource_parts(contents: Vec<ResourceContents>) -> Vec<Part> {
    let mut parts = ContentParts::default();
    for content in contents {
        parts.resource(content);
    }
    if parts.parts.is_empty() {
        parts.text("[The resource is empty.]");
    }
    parts.parts
}

/// The messages of a prompt, as one of the user: what the model is to have said is marked.
pub(super) fn prompt_parts(messages: Vec<PromptMessage>) -> Vec<Part> {
    let mut parts = ContentParts::default();
    for message in messages {
        if message.role == Role::Assistant {
            parts.text("[an answer that the prompt gives:]");
        }
        parts.add(message.content);
    }
    parts.parts
}

#[derive(Default)]
struct ContentParts {
    parts: Vec<Part>,
    images: usize,
}

impl ContentParts {
    fn add(&mut self, block: ContentBlock) {
        match block {
            ContentBlock::Text(text) => self.text(&text.text),
            ContentBlock::Image(image) => self.image(image.data, &image.mime_type, None),
            ContentBlock::Audio(audio) => {
                let kind = quoted(&audio.mime_type);
                self.text(&format!("[audio of type {kind}, left out]"));
            }
            ContentBlock::Resource(embedded) => self.resource(embedded.resource),
            ContentBlock::ResourceLink(link) => {
                let (name, uri) = (quoted(&link.name), quoted(&link.uri));
                let mut text = format!("[resource {name}: {uri}");
                if let Some(about) = link.description {
                    let _ = write!(text, ", {}", quoted(&about));
                }
                text.push(']');
                self.text(&text);
            }
            // Kinds that a later version of the protocol adds.
            _ => self.text("[content of a kind that is not known here, left out]"),
        }
    }

    fn resource(&mut self, contents: ResourceContents) {
        match contents {
            ResourceContents::TextResourceContents { uri, text, .. } => {
                let uri = quoted(&uri);
                self.text(&format!("[resource {uri}]\n{text}"));
            }
            ResourceContents::BlobResourceContents {
                uri,
                mime_type,
                blob,
                ..
            } => {
                let kind = mime_type.unwrap_or_else(|| "unknown".to_owned());
                self.image(blob, &kind, Some(quoted(&uri)));
            }
            _ => self.text("[a resource of a kind that is not known here, left out]"),
        }
    }

    fn text(&mut self, text: &str) {
        let text = harmless(text);
        if !text.trim().is_empty() {
            self.parts.push(Part::Text(text));
        }
    }

    fn image(&mut self, data: String, mime: &str, name: Option<String>) {
        let kind = quoted(mime);
        let what = name.as_ref().map_or_else(
            || format!("an attachment of type {kind}"),
            |name| format!("resource {name} of type {kind}"),
        );
        let why = if !TYPES.contains(&mime) {
            "no model takes it"
        } else if data.len() > MAX_IMAGE_BYTES {
            "it is too large"
        } else if self.images >= MAX_IMAGES {
            "there are too many"
        } else if STANDARD.decode(data.as_bytes()).is_err() {
            "it is not valid base64"
        } else {
            self.images += 1;
            self.parts.push(Part::Image(Image {
                data: data.into(),
                mime: mime.to_owned(),
                name,
            }));
            return;
        };
        self.text(&format!("[{what}, left out: {why}]"));
    }
}

/// A name or an address in one line.
fn quoted(text: &str) -> String {
    crate::engine::text::one_line(&harmless(text), MAX_QUOTED_CHARS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn answered(value: Value) -> ToolOutcome {
        outcome(serde_json::from_value(value).unwrap())
    }

    fn texts(outcome: &ToolOutcome) -> Vec<&str> {
        let texts = outcome.content.iter().map(|part| match part {
            Part::Text(text) => text.as_str(),
            Part::Image(image) => image.mime.as_str(),
        });
        texts.collect()
    }

    #[test]
    fn all_kinds_of_content_become_text_or_attachments() {
        let answer = answered(json!({"content": [
            {"type": "text", "text": "plain\u{1b}[31m red\u{1b}[0m\r\nnext\u{1b}]52;c;eA==\u{7}!"},
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "image", "data": "AAAA", "mimeType": "image/x-odd"},
            {"type": "image", "data": "not base64!", "mimeType": "image/png"},
            {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
            {"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}},
            {"type": "resource", "resource": {"uri": "file:///b", "blob": "AAAA",
                "mimeType": "application/pdf"}},
            {"type": "resource_link", "uri": "file:///c", "name": "c"},
        ], "isError": true}));
        assert!(answer.is_error);
        assert_eq!(
            texts(&answer),
            [
                "plain red\nnext!",
                "image/png",
                "[an attachment of type image/x-odd, left out: no model takes it]",
                "[an attachment of type image/png, left out: it is not valid base64]",
                "[audio of type audio/wav, left out]",
                "[resource file:///a]\ninside",
                "application/pdf",
                "[resource c: file:///c]",
            ]
        );
    }

    #[test]
    fn a_structure_stands_in_for_a_text_that_is_missing() {
        let both = json!({"content": [{"type": "text", "text": "7"}], "structuredContent": 7});
        assert_eq!(texts(&answered(both)), ["7"]);
        let alone = json!({"content": [], "structuredContent": {"sum": 7}});
        assert_eq!(texts(&answered(alone)), ["{\n  \"sum\": 7\n}"]);
        let nothing = json!({"content": []});
        assert_eq!(
            texts(&answered(nothing)),
            ["[The tool answered with nothing.]"]
        );
    }

    proptest! {
        #[test]
        fn nothing_that_a_terminal_obeys_is_left(text in "(\u{1b}|\u{9b}|\u{9d}|[\\x00-\\x7f]|.){0,80}") {
            let plain = harmless(&text);
            prop_assert!(plain.chars().all(|c| !c.is_control() || c == '\n' || c == '\t'));
        }

        #[test]
        fn an_ordinary_text_stays(text in "[ -~\n\täöü漢]{0,80}") {
            prop_assert_eq!(harmless(&text), text);
        }
    }
}
