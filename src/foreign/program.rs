//! The programs whose sessions can be read.

use std::fmt;

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
    /// pi: the form that is ours too.
    Pi,
    /// OpenClaw: the form of pi.
    OpenClaw,
}

impl ForeignProgram {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::GeminiCli,
        Self::QwenCode,
        Self::OpenCode,
        Self::Goose,
        Self::Crush,
        Self::Cline,
        Self::Aider,
        Self::Pi,
        Self::OpenClaw,
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
            Self::Pi => "pi",
            Self::OpenClaw => "openclaw",
        }
    }

    /// Whether its sessions have the form of ours: they are opened, not imported.
    pub fn is_native(self) -> bool {
        match self {
            Self::Pi | Self::OpenClaw => true,
            Self::ClaudeCode
            | Self::Codex
            | Self::GeminiCli
            | Self::QwenCode
            | Self::OpenCode
            | Self::Goose
            | Self::Crush
            | Self::Cline
            | Self::Aider => false,
        }
    }

    /// The program of this name; `claude`, `gemini` and `qwen` are enough.
    pub fn from_name(name: &str) -> Option<Self> {
        let short = |program: Self| program.name().split('-').next().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|program| name == program.name() || name == short(*program))
    }
}

impl fmt::Display for ForeignProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
