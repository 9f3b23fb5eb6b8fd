//! What is known of a server, for people.

use std::time::Duration;

use crate::config::SettingOrigin;

/// How far a server has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkPhase {
    /// The configuration switches it off.
    Off,
    /// It was not started yet.
    Configured,
    /// It is being started.
    Starting,
    /// It answers.
    Ready,
    /// It ended, and is started again in a moment. Why it ended.
    Resting(String),
    /// It wants a login; the next call tries again. What it said.
    NeedsLogin(String),
    /// It does not run, or does not answer; the next call tries again. Why.
    Failed(String),
    /// It was ended with the session.
    Ended,
}

impl LinkPhase {
    /// The name of the state.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Configured => "configured",
            Self::Starting => "starting",
            Self::Ready => "ready",
            Self::Resting(_) => "restarting",
            Self::NeedsLogin(_) => "needs login",
            Self::Failed(_) => "failed",
            Self::Ended => "ended",
        }
    }

    /// Why it does not answer.
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Resting(why) | Self::NeedsLogin(why) | Self::Failed(why) => Some(why),
            Self::Off | Self::Configured | Self::Starting | Self::Ready | Self::Ended => None,
        }
    }
}

/// What is known of a server.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerReport {
    /// Its name.
    pub name: String,
    /// How far it has come.
    pub phase: LinkPhase,
    /// The program or the address, as it is configured.
    pub program: String,
    /// Where it is configured.
    pub origin: SettingOrigin,
    /// What it says of itself, in one line.
    pub version: Option<String>,
    /// Tools in the list of tools of this session, and their tokens by rule of thumb.
    pub listed: ToolCount,
    /// Tools that are found and not listed, and the tokens that they would take.
    pub deferred: ToolCount,
    /// Its tools are not those of the list of this session any more.
    pub has_changed: bool,
    /// Calls of its tools.
    pub calls: CallCount,
    /// Its tools as this session knows them.
    pub tools: Vec<ToolReport>,
    /// A person or `tools.off` switched it off.
    pub is_switched_off: bool,
    /// Its tools are in the list of tools of this session, or would be.
    pub is_listed: bool,
    /// Tools that enter the list of tools when it is switched on.
    pub entering: usize,
}

/// What is known of a tool of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolReport {
    /// Its name for models.
    pub name: String,
    /// What it does, in the server's words, in one line.
    pub does: String,
    /// Tokens of its schema, by rule of thumb.
    pub tokens: u64,
    /// It is switched off, alone or with its server.
    pub is_off: bool,
}

/// How many tools, and how much of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolCount {
    /// Tools.
    pub tools: usize,
    /// Tokens, by rule of thumb.
    pub tokens: u64,
}

/// What was called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallCount {
    /// Calls.
    pub calls: u64,
    /// Calls without an answer.
    pub failures: u64,
    /// How long the calls took, together.
    pub time: Duration,
    /// Why the last one of those failed.
    pub last_error: Option<String>,
}
