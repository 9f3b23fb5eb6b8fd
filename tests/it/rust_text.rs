//! Rust source without comments and the insides of literals, so that a rule about code
//! does not stumble over a text. Not a parser: it knows just enough to skip them.

/// The code with comments and the insides of literals blanked; line breaks stay.
pub fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after_word = code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = raw_string(rest).filter(|_| !after_word) {
            length
        } else if c == '"' {
            quoted(rest, '"')
        } else if c == '\'' && is_char_literal(rest) {
            quoted(rest, '\'')
        } else {
            code.push(c);
            rest = rest.split_at(c.len_utf8()).1;
            continue;
        };
        let (literal, behind) = rest.split_at(skipped);
        code.push(' ');
        code.extend(literal.chars().filter(|c| *c == '\n'));
        rest = behind;
    }
    code
}

/// Length of a comment that may hold others.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let rest = text.split_at(at).1;
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Length of `r"…"`, `r#"…"#`, `br"…"` at the start of a text, if there is one.
fn raw_string(text: &str) -> Option<usize> {
    let behind_r = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let behind_hashes = behind_r.trim_start_matches('#');
    let hashes = behind_r.len() - behind_hashes.len();
    let inside = behind_hashes.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(text.len() - inside.len() + length)
}

/// Length of a literal with escapes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// `'x'` and `'\n'`, but not the lifetime `'a`.
fn is_char_literal(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    chars.next() == Some('\\') || chars.next() == Some('\'')
}

#[test]
fn comments_and_literals_are_blanked() {
    let cases = [
        ("a // b\nc", "a  \nc"),
        ("a /* b /* c */ \n d */ e", "a  \n e"),
        ("f(\"x \\\" // y\") g", "f( ) g"),
        ("r#\"a \"quoted\" // b\"# c", "  c"),
        ("br\"a\" c", "  c"),
        ("'\"' x '\\'' y", "  x   y"),
        ("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}"),
        ("\"open", " "),
    ];
    for (text, expected) in cases {
        assert_eq!(code_only(text), expected, "{text:?}");
    }
}
