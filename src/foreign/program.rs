//! The programs whose sessions can be read, recognised by what a file holds, not by its name.

use std::fmt;
use std::path::Path;

use serde_json::Value;

use super::source::{self, SourceError};

/// How much of a file is looked at, in bytes.
const PROBE_BYTES: u64 = 64 * 1024;
/// How `SQLite` files begin.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// A program whose sessions can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ForeignProgram {
    /// Claude Code: JSON lines, a graph by `parentUuid`.
    ClaudeCode,
    /// codex: rollouts of JSON lines, plain or zstd.
    Codex,
    /// gemini-cli: a log of messages and patches.
    GeminiCli,
    /// qwen-code: JSON lines, a graph by `parentUuid`.
    QwenCode,
    /// opencode: `SQLite`, two generations in one file.
    OpenCode,
    /// goose: `SQLite`.
    Goose,
    /// crush: `SQLite`, one database per project.
    Crush,
    /// cline: one JSON object per session.
    Cline,
    /// aider: Markdown, many sessions in one file.
    Aider,
}

impl ForeignProgram {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::GeminiCli,
        Self::QwenCode,
        Self::OpenCode,
        Self::Goose,
        Self::Crush,
        Self::Cline,
        Self::Aider,
    ];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::GeminiCli => "gemini-cli",
            Self::QwenCode => "qwen-code",
            Self::OpenCode => "opencode",
            Self::Goose => "goose",
            Self::Crush => "crush",
            Self::Cline => "cline",
            Self::Aider => "aider",
        }
    }

    /// The program of this name; `claude`, `gemini` and `qwen` are enough.
    pub fn from_name(name: &str) -> Option<Self> {
        let short = |program: Self| program.name().split('-').next().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|program| name == program.name() || name == short(*program))
    }

    /// Judges a file by its beginning; `None` when it is of no program known here.
    pub(super) fn recognise(path: &Path) -> Result<Option<Self>, SourceError> {
        let probe = source::beginning(path, PROBE_BYTES)?;
        if probe.starts_with(SQLITE) {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&probe);
        let text = text.trim_start_matches('\u{feff}');
        Ok(Self::of_text(text, path))
    }

    fn of_text(text: &str, path: &Path) -> Option<Self> {
        let whole = source::json_objects(text).find_map(|object| Self::of_object(&object));
        whole.or_else(|| {
            let is_markdown = path.extension().is_some_and(|it| it == "md");
            let opens = text
                .lines()
                .any(|it| it.starts_with("# aider chat started at "));
            if opens || is_markdown && text.lines().any(|it| it.starts_with("#### ")) {
                return Some(Self::Aider);
            }
            // A first object that is longer than what is looked at.
            let begins = |word: &str| text.contains(word);
            if begins("\"session_meta\"") && begins("\"payload\"") {
                Some(Self::Codex)
            } else if begins("\"projectHash\"") {
                Some(Self::GeminiCli)
            } else if begins("\"parentUuid\"") && begins("\"parts\"") {
                Some(Self::QwenCode)
            } else if begins("\"parentUuid\"") {
                Some(Self::ClaudeCode)
            } else if begins("\"system_prompt\"") && begins("\"messages\"") {
                Some(Self::Cline)
            } else {
                None
            }
        })
    }

    fn of_object(object: &Value) -> Option<Self> {
        let has = |key: &str| object.get(key).is_some();
        let is_text = |key: &str| object.get(key).is_some_and(Value::is_string);
        if has("payload") && is_text("type") {
            return Some(Self::Codex);
        }
        if is_text("sessionId") && has("projectHash") {
            return Some(Self::GeminiCli);
        }
        if is_text("uuid") && is_text("sessionId") {
            let message = object.get("message");
            let is_qwen = has("provenance") || message.is_some_and(|it| it.get("parts").is_some());
            return Some(if is_qwen {
                Self::QwenCode
            } else {
                Self::ClaudeCode
            });
        }
        if has("system_prompt") && has("messages") {
            return Some(Self::Cline);
        }
        let is_claude = matches!(
            object.get("type").and_then(Value::as_str),
            Some("file-history-snapshot" | "custom-title" | "ai-title" | "last-prompt")
        );
        (is_claude || is_text("type") && is_text("leafUuid")).then_some(Self::ClaudeCode)
    }
}

impl fmt::Display for ForeignProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
