//! Tags that frame a text: `<read-files>`, `</read-files>`. They name nothing of the
//! conversation, whether or not it has them.

use std::sync::LazyLock;

use regex::Regex;

use super::reader::LineReader;

/// A tag; the group is its name. Those of code have capitals, or something before them.
static TAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(</[A-Za-z][\w.:-]*)\s*>|(<[a-z][\w.:-]*)(?:\s[^<>]*)?/?>").ok());

/// Keeps the names of tags from being read as claims.
pub(super) fn read(reader: &mut LineReader<'_>) {
    let Some(pattern) = TAG.as_ref().filter(|_| reader.body().contains('<')) else {
        return;
    };
    let base = reader.line.body.start;
    let body = reader.body();
    let mut spans = Vec::new();
    for found in pattern.captures_iter(body) {
        let Some(name) = found.get(1).or_else(|| found.get(2)) else {
            continue;
        };
        let before = body.get(..name.start()).unwrap_or_default();
        let is_code = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':'));
        if !is_code || name.as_str().starts_with("</") {
            spans.push(base + name.start()..base + name.end());
        }
    }
    reader.taken.extend(spans);
}

#[cfg(test)]
mod tests {
    use crate::context::grounding::{GroundingSources, check};

    fn open(sentence: &str) -> Vec<String> {
        let sources = GroundingSources {
            texts: &["src/a.rs was read, never push to main"],
            ..GroundingSources::default()
        };
        let grounding = check(&format!("## Files\n- {sentence}\n"), sources);
        let open = grounding.ungrounded().map(|claim| claim.text.clone());
        open.collect()
    }

    #[test]
    fn tags_claim_nothing_and_what_they_frame_does() {
        for sentence in [
            "<read-files> src/a.rs </read-files>",
            "</read-files>",
            "</environment_context>",
            "<current_date/>",
        ] {
            assert_eq!(open(sentence), [""; 0], "{sentence}");
        }
        assert_eq!(open("<read-files> src/b.rs </read-files>"), ["src/b.rs"]);
    }
}
