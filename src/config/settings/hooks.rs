//! Commands of the user that take part at certain moments.

/// Command lines that are run at certain moments; JSON on their stdin and stdout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookSettings {
    /// Before a summary is written.
    pub before_compact: Option<String>,
    /// After a compaction counts.
    pub after_compact: Option<String>,
    /// Before each request.
    pub before_request: Option<String>,
    /// When a compaction at the end of an answer could make the model go on.
    pub auto_continue: Option<String>,
    /// Seconds a hook may take; one that takes longer is skipped from then on.
    pub timeout_secs: u64,
    /// Also read hooks from the settings of Claude Code.
    pub claude: bool,
    /// `[[hooks.EVENT]]`, in the order of the files.
    pub commands: Vec<EventHook>,
}

impl Default for HookSettings {
    fn default() -> Self {
        Self {
            before_compact: None,
            after_compact: None,
            before_request: None,
            auto_continue: None,
            timeout_secs: 10,
            claude: false,
            commands: Vec::new(),
        }
    }
}

/// A command that is run at an event, in the form that several agents share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventHook {
    /// When it is run.
    pub event: HookEvent,
    /// Which tools, triggers or kinds; empty means all.
    pub matcher: String,
    /// The command line, for `sh -c`.
    pub command: String,
    /// Seconds that it may take; `None`: [`EventHook::USUAL_TIMEOUT_SECS`].
    pub timeout_secs: Option<u64>,
}

impl EventHook {
    /// Seconds that a hook may take which does not say how many.
    pub const USUAL_TIMEOUT_SECS: u64 = 60;
    /// The longest time that a hook may ask for.
    pub const MAX_TIMEOUT_SECS: u64 = 600;

    /// Seconds that it may take.
    pub fn limit_secs(&self) -> u64 {
        let wanted = self.timeout_secs.unwrap_or(Self::USUAL_TIMEOUT_SECS);
        wanted.clamp(1, Self::MAX_TIMEOUT_SECS)
    }
}

/// The moments that hooks of the shared form know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HookEvent {
    /// Before a tool is run.
    PreToolUse,
    /// After a tool ran.
    PostToolUse,
    /// The user sent a message.
    UserPromptSubmit,
    /// A session begins or is opened again.
    SessionStart,
    /// A session ends.
    SessionEnd,
    /// The model finished its answer.
    Stop,
    /// A sub-agent finished its answer.
    SubagentStop,
    /// Before a compaction.
    PreCompact,
    /// After a compaction.
    PostCompact,
    /// The user is called.
    Notification,
}

impl HookEvent {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 10] = [
        Self::PreToolUse,
        Self::PostToolUse,
        Self::UserPromptSubmit,
        Self::SessionStart,
        Self::SessionEnd,
        Self::Stop,
        Self::SubagentStop,
        Self::PreCompact,
        Self::PostCompact,
        Self::Notification,
    ];

    /// The name in settings and in what a hook is told.
    pub fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::SessionStart => "SessionStart",
            Self::SessionEnd => "SessionEnd",
            Self::Stop => "Stop",
            Self::SubagentStop => "SubagentStop",
            Self::PreCompact => "PreCompact",
            Self::PostCompact => "PostCompact",
            Self::Notification => "Notification",
        }
    }

    /// The event with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }
}
