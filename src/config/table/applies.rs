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

/// The part of the program that takes a live change over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LivePart {
    /// The model of the session, as soon as nothing runs.
    Model,
    /// The reasoning level of the session.
    Thinking,
    /// Requests, tries and turns, which read the value each time.
    Requests,
    /// The context: a view, a prune or a summary reads the value when it is made.
    Context,
    /// How tokens are counted.
    Ruler,
    /// The system prompt, and the sections that follow a summary.
    Prompt,
    /// The approval policy.
    Approvals,
    /// The tool that runs commands.
    ShellTool,
    /// The directories that tools may touch.
    ToolDirs,
    /// The store of former file contents.
    Checkpoints,
    /// The context engine.
    Engine,
    /// The user's own commands at fixed moments.
    Hooks,
    /// The interface.
    Interface(InterfacePart),
}

/// The part of an interface that takes a change over.
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
    /// Links, and progress in the terminal's tab.
    Terminal,
    /// Motion, the width of text and the sides of diffs.
    Drawing,
}

/// The kind of interface of a session.
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
            Self::Theme
            | Self::Mouse
            | Self::Color
            | Self::Title
            | Self::ViKeys
            | Self::Terminal
            | Self::Drawing => interface == InterfaceKind::Screen,
        }
    }
}
