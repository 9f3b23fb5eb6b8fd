//! Programs that count in UTF-16 cut texts in the middle of a character and write the half
//! as an escape, e.g. `\ud83d`, into logs and into streams. That is not text here: the half
//! becomes U+FFFD.

/// Length of `\uXXXX`.
const ESCAPE_CHARS: usize = 6;
const REPLACEMENT: &str = "\\ufffd";

/// The line with every half character replaced; `None` when it has none.
pub(crate) fn mend_halves(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_mended = false;
    while let Some((before, after)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        out.push_str(before);
        let length = match (unit(after), after.get(ESCAPE_CHARS..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 2 * ESCAPE_CHARS,
            (Some(0xd800..=0xdfff), _) => {
                is_mended = true;
                out.push_str(REPLACEMENT);
                rest = after.get(ESCAPE_CHARS..).unwrap_or_default();
                continue;
            }
            (Some(_), _) => ESCAPE_CHARS,
            // Any other escape: the backslash and the character after it.
            (None, _) => 1 + after.chars().nth(1).map_or(0, char::len_utf8),
        };
        let (escape, behind) = after.split_at_checked(length).unwrap_or((after, ""));
        out.push_str(escape);
        rest = behind;
    }
    out.push_str(rest);
    is_mended.then_some(out)
}

/// The code unit of a `\uXXXX` at the start of the text.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::mend_halves;

    #[test]
    fn only_halves_are_replaced() {
        let cases = [
            (r#"{"a":"x\ud83d"}"#, Some(r#"{"a":"x\ufffd"}"#)),
            (
                r#""\ude00\ud83d\ude00\ud83d""#,
                Some(r#""\ufffd\ud83d\ude00\ufffd""#),
            ),
            (r#""\ud83d\ud83d\ude00""#, Some(r#""\ufffd\ud83d\ude00""#)),
            (r#""\\ud83d""#, None),
            (r#""\ud83d\ude00 é\n""#, None),
            ("\\", None),
            ("\\ud8", None),
            ("\\é", None),
        ];
        for (text, expected) in cases {
            assert_eq!(mend_halves(text).as_deref(), expected, "{text}");
        }
    }
}
