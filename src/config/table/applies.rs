//! When another value of a setting counts, and which part of the program takes it over.
//!
//! Invariant: every part is matched without a wildcard where it is carried out: the agent's
//! in `agent::settings::apply`, those of the interface in each interface.

/// When a change counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeEffect {
    /// It is read once, at the start.
    AtStart,
    /// At once.
    Live(LivePart),
}

/// What takes a live change over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LivePart {
    /// The model of the session, as soon as nothing runs.
    Model,
    /// The reasoning level of the session.
    Thinking,
    /// What each request, each try and each turn reads for itself.
    Requests,
    /// What a view, a prune or a summary reads when it is made.
    Context,
    /// How tokens are counted.
    Ruler,
    /// The system prompt, and the sections that follow a summary.
    Prompt,
    /// What runs without asking.
    Approvals,
    /// The tool that runs commands.
    ShellTool,
    /// The directories that tools may touch.
    ToolDirs,
    /// What is kept of files before they change.
    Checkpoints,
    /// The user's own commands at fixed moments.
    Hooks,
    /// What the person sees and hears.
    Interface(InterfacePart),
}

/// What an interface takes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterfacePart {
    /// Colours by name.
    Theme,
    /// Whether the mouse is captured.
    Mouse,
    /// Whether there are colours.
    Color,
    /// The window's title.
    Title,
    /// When to call the user.
    NotifyWhen,
    /// How to call the user.
    NotifyMethod,
    /// The modes of vi in the composer.
    ViKeys,
}

/// What a session is shown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterfaceKind {
    /// The full screen.
    Screen,
    /// Line by line, `--plain`.
    Plain,
    /// Nobody looks: `-p` and commands.
    Headless,
}

impl InterfacePart {
    /// Whether an interface has this part; elsewhere a change has no effect.
    pub fn is_on(self, interface: InterfaceKind) -> bool {
        match self {
            Self::NotifyWhen | Self::NotifyMethod => interface != InterfaceKind::Headless,
            Self::Theme | Self::Mouse | Self::Color | Self::Title | Self::ViKeys => {
                interface == InterfaceKind::Screen
            }
        }
    }
}
