//! Tells what a file is when it is not a session of ours, so that the error can say which
//! program wrote it. Looks at the first bytes only and never fails.

use std::fmt;

/// How much of a file is looked at, in bytes: enough for any program's first object.
const PROBE_BYTES: usize = 16 * 1024;

/// The format that a file without a session header seems to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignFile {
    /// Nothing in it.
    Empty,
    /// A Claude Code transcript.
    ClaudeCode,
    /// A Codex rollout.
    Codex,
    /// The output of `opencode export`.
    OpenCode,
    /// A Gemini CLI chat.
    GeminiCli,
    /// None of these.
    Unrecognised,
}

impl ForeignFile {
    /// Judges the beginning of a file.
    pub(in crate::session) fn recognise(bytes: &[u8]) -> Self {
        let probe = String::from_utf8_lossy(bytes.get(..PROBE_BYTES).unwrap_or(bytes));
        if probe.trim().is_empty() {
            return Self::Empty;
        }
        let has = |words: &[&str]| words.iter().all(|word| probe.contains(word));
        if has(&["\"session_meta\"", "\"payload\""]) || has(&["\"response_item\"", "\"payload\""]) {
            Self::Codex
        } else if has(&["\"sessionId\"", "\"projectHash\""]) {
            Self::GeminiCli
        } else if has(&["\"info\"", "\"ses_"]) {
            Self::OpenCode
        } else if has(&["\"parentUuid\""])
            || has(&["\"file-history-snapshot\""])
            || has(&["\"leafUuid\""])
        {
            Self::ClaudeCode
        } else {
            Self::Unrecognised
        }
    }
}

impl fmt::Display for ForeignFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Empty => return f.write_str("it is empty"),
            Self::Unrecognised => {
                return f.write_str("its first line is not a session header");
            }
            Self::ClaudeCode => "a Claude Code transcript",
            Self::Codex => "a Codex rollout",
            Self::OpenCode => "an OpenCode export",
            Self::GeminiCli => "a Gemini CLI chat",
        };
        write!(
            f,
            "it looks like {name}; `plim import` makes a session of it"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_are_named() {
        let cases = [
            ("", ForeignFile::Empty),
            (" \n\n", ForeignFile::Empty),
            ("hello", ForeignFile::Unrecognised),
            ("{\"a\":1}\n", ForeignFile::Unrecognised),
            (
                r#"{"type":"session_meta","payload":{}}"#,
                ForeignFile::Codex,
            ),
            (
                r#"{"parentUuid":null,"sessionId":"x"}"#,
                ForeignFile::ClaudeCode,
            ),
            (
                r#"{"type":"summary","leafUuid":"x"}"#,
                ForeignFile::ClaudeCode,
            ),
            (
                "{\n  \"info\": {\n \"id\": \"ses_1\"",
                ForeignFile::OpenCode,
            ),
            (
                r#"{"sessionId":"x","projectHash":"y"}"#,
                ForeignFile::GeminiCli,
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(ForeignFile::recognise(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(
            ForeignFile::recognise(&vec![0xff; 40_000]),
            ForeignFile::Unrecognised
        );
    }
}
