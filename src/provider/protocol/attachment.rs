//! The attachments of a log that a model can be sent. Logs of other programs hold every kind;
//! one that no server takes would have every later request refused. Pure.

use crate::transcript::Image;

/// How an attachment can travel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::provider) enum Attachment {
    /// As an image of this media type.
    Image(&'static str),
    /// As a PDF document.
    Pdf,
    /// Not at all; this line of text says what was there.
    Note(String),
}

impl Attachment {
    /// Looks at media type and data.
    pub(in crate::provider) fn of(image: &Image) -> Self {
        let mime = image.mime.trim().to_ascii_lowercase();
        let name = image.name.as_deref().unwrap_or("attachment");
        if !is_base64(&image.data) {
            return Self::Note(format!("[{name}: its data is damaged, it cannot be sent]"));
        }
        match mime.as_str() {
            "image/png" => Self::Image("image/png"),
            "image/jpeg" | "image/jpg" => Self::Image("image/jpeg"),
            "image/gif" => Self::Image("image/gif"),
            "image/webp" => Self::Image("image/webp"),
            "application/pdf" => Self::Pdf,
            "" => Self::Note(format!("[{name}: of an unknown kind, it cannot be sent]")),
            other => Self::Note(format!("[{name}: {other} cannot be sent to this model]")),
        }
    }
}

fn is_base64(data: &str) -> bool {
    !data.is_empty()
        && data
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_servers_take_is_sent_as_an_attachment() {
        let check = |mime: &str, data: &str, expected: &str| {
            let image = Image {
                data: data.into(),
                mime: mime.to_owned(),
                name: Some("shot".to_owned()),
            };
            let got = match Attachment::of(&image) {
                Attachment::Image(mime) => mime.to_owned(),
                Attachment::Pdf => "pdf".to_owned(),
                Attachment::Note(text) => text,
            };
            assert_eq!(got, expected);
        };
        check("image/png", "aGk=", "image/png");
        check("IMAGE/PNG", "aGk=", "image/png");
        check("image/jpg", "aGk=", "image/jpeg");
        check("application/pdf", "aGk=", "pdf");
        check(
            "image/svg+xml",
            "aGk=",
            "[shot: image/svg+xml cannot be sent to this model]",
        );
        check("", "aGk=", "[shot: of an unknown kind, it cannot be sent]");
        check(
            "image/png",
            "",
            "[shot: its data is damaged, it cannot be sent]",
        );
        check(
            "image/png",
            "a b",
            "[shot: its data is damaged, it cannot be sent]",
        );
    }
}
