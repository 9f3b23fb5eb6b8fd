//! Tags that frame a text, which are no names of anything.

/// Where the name of a tag ends: `</read-files>`, `<cwd>`. What frames a text is no fact of it.
/// `Vec<Token>` and `<Token as Read>` are code: there the name has capitals or something before
/// it.
pub(super) fn end_of_tag(text: &str, at: usize) -> Option<usize> {
    const MAX_TAG_BYTES: usize = 200;
    let inner = text.get(at + 1..)?;
    let closes = inner.starts_with('/');
    let name_at = at + 1 + usize::from(closes);
    let rest = text.get(name_at..)?;
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    let len = rest.find(|c: char| !is_sign(c)).unwrap_or(rest.len());
    let (name, behind) = rest.split_at_checked(len)?;
    let is_closed = || {
        let bytes = behind.bytes().take(MAX_TAG_BYTES);
        let mut ends = bytes.filter(|b| matches!(b, b'>' | b'<' | b'\n'));
        ends.next() == Some(b'>')
    };
    let is_tag = if closes {
        behind.starts_with('>')
    } else {
        let before = text.get(..at)?.chars().next_back();
        let is_code = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.'));
        let is_lower = !name.bytes().any(|b| b.is_ascii_uppercase());
        !is_code && is_lower && behind.starts_with(['>', ' ', '/']) && is_closed()
    };
    (is_tag && name.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(name_at + len)
}

#[cfg(test)]
mod tests {
    use crate::context::fidelity::names::tests::names;

    #[test]
    fn tags_that_frame_a_text_are_no_names() {
        for (text, expected) in [
            (
                "<read-files>\nsrc/a.rs\n</read-files>",
                &[("src/a.rs", "path")][..],
            ),
            (
                "<environment_context><cwd>/srv/app</cwd></environment_context>",
                &[("/srv/app", "path")],
            ),
            (
                "<img_box src=\"img/a.png\"> </img_box>",
                &[("img/a.png", "path")],
            ),
            ("Vec<TokenKind>", &[("TokenKind", "symbol")]),
            ("<TokenKind as Read>", &[("TokenKind", "symbol")]),
            ("map<file_name>", &[("file_name", "symbol")]),
            (
                "if a_len <b_len",
                &[("a_len", "symbol"), ("b_len", "symbol")],
            ),
            ("cat </etc/app.conf", &[("/etc/app.conf", "path")]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }
}
