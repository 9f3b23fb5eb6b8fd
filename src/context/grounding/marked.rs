//! What an earlier summary says and could not show then either.

use std::borrow::Cow;

use super::claim::UNVERIFIED;
use super::prose;

/// An earlier summary as a source: without the sentences that are marked `[unverified]`. What
/// nobody said does not become true by being repeated.
pub fn without_unverified(summary: &str) -> Cow<'_, str> {
    if !summary.contains(UNVERIFIED) {
        return summary.into();
    }
    let mut out = String::with_capacity(summary.len());
    for line in summary.split_inclusive('\n') {
        if line.contains(UNVERIFIED) {
            push_verified(line, &mut out);
            out.push('\n');
        } else {
            out.push_str(line);
        }
    }
    out.into()
}

fn push_verified(line: &str, out: &mut String) {
    for line in prose::lines(line) {
        let sentences = prose::sentences(&line).into_iter();
        let texts = sentences.filter_map(|span| line.text.get(span));
        for text in texts.filter(|text| !text.contains(UNVERIFIED)) {
            out.push_str(text);
            out.push(' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::grounding::{GroundingSources, check};

    #[test]
    fn a_marked_sentence_is_no_source_and_what_stands_beside_it_is() {
        let previous = "## Done\n- It took 4.6 seconds. Thomas Berger [unverified] said so.\n\
                        - `lexer.rs` was read.";
        let left = without_unverified(previous);
        assert!(left.contains("It took 4.6 seconds."), "{left}");
        assert!(left.contains("- `lexer.rs` was read."), "{left}");
        assert!(!left.contains("Berger"), "{left}");
    }

    #[test]
    fn what_was_marked_once_is_found_again() {
        let sources = |previous| GroundingSources {
            previous: Some(previous),
            ..GroundingSources::default()
        };
        let says = "- Thomas Berger said to skip the nesting.";
        let open = |previous| check(says, sources(previous)).ungrounded().count();
        assert_eq!(open("- Thomas Berger said to skip the nesting."), 0);
        let marked = "- Thomas Berger [unverified] said to skip the nesting.";
        assert!(open(marked) > 0);
    }
}
