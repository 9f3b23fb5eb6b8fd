//! The text in the composer, kept for the case that the program ends before it
//! was sent: folded pastes stay folded, attachments are part of it.

use serde::{Deserialize, Serialize};

use super::{Buffer, Piece};
use crate::transcript::Image;

/// Attachments above this many bytes of base64 are not kept: they would be written again
/// with every pause in typing, and their files are still where they came from.
const MAX_IMAGE_BYTES: usize = 8 * 1024 * 1024;

/// The text after this may be a key, which is written nowhere.
const TAKES_KEY: &str = "/login";

/// A text that was not sent, with its pastes and attachments in their places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    Text(String),
    Paste(String),
    Image {
        data: String,
        mime: String,
        name: Option<String>,
    },
}

impl Draft {
    /// A draft of nothing but text, folded where a paste would be.
    pub fn of_text(text: &str) -> Self {
        let mut buffer = Buffer::default();
        buffer.insert_folded(text);
        Self::of(&buffer)
    }

    /// The text of a buffer.
    pub fn of(buffer: &Buffer) -> Self {
        if buffer.text().starts_with(TAKES_KEY) {
            return Self::default();
        }
        let mut parts: Vec<Part> = Vec::new();
        for piece in buffer.pieces() {
            match (piece, parts.last_mut()) {
                (Piece::Grapheme(text), Some(Part::Text(before))) => before.push_str(text),
                (Piece::Grapheme(text), _) => parts.push(Part::Text(text.to_string())),
                (Piece::Paste(text), _) => parts.push(Part::Paste(text.to_string())),
                (Piece::Image(image), _) if image.data.len() <= MAX_IMAGE_BYTES => {
                    parts.push(Part::Image {
                        data: image.data.to_string(),
                        mime: image.mime.clone(),
                        name: image.name.clone(),
                    });
                }
                (Piece::Image(_), _) => {}
            }
        }
        Self { parts }
    }

    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The pieces that it was made of.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        let pieces = self.parts.iter().flat_map(|part| match part {
            Part::Text(text) => Piece::split(text),
            Part::Paste(text) => vec![Piece::Paste(text.as_str().into())],
            Part::Image { data, mime, name } => {
                let image = Image {
                    data: data.as_str().into(),
                    mime: mime.clone(),
                    name: name.clone(),
                };
                vec![Piece::Image(image.into())]
            }
        });
        pieces.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_comes_back_as_it_was_written() {
        let mut buffer = Buffer::default();
        buffer.insert("see 👩‍👩‍👧\n");
        buffer.insert_folded(&"line\n".repeat(12));
        let image = Image {
            data: "aGk=".into(),
            mime: "image/png".to_owned(),
            name: Some("shot.png".to_owned()),
        };
        buffer.insert_piece(Piece::Image(image.into()));
        buffer.insert(" what is it?");
        let draft = Draft::of(&buffer);
        let kept = serde_json::to_string(&draft).unwrap();
        let read: Draft = serde_json::from_str(&kept).unwrap();
        assert_eq!(read.pieces(), buffer.pieces());
        let huge = Image {
            data: "x".repeat(MAX_IMAGE_BYTES + 1).into(),
            mime: "image/png".to_owned(),
            name: None,
        };
        buffer.insert_piece(Piece::Image(huge.into()));
        assert_eq!(Draft::of(&buffer), draft, "the text is kept without it");
        assert!(Draft::of_text("").is_empty());
        assert!(Draft::of_text("/login openai sk-secret").is_empty());
    }
}
