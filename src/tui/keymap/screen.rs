//! The screens on top of the main one as places for keys, and what keys do there.

use crate::tui::widget::ScrollMotion;

/// A screen, or a state of one, with keys of its own; and the keys that several share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// `/context` and `/pruned`.
    Ledger,
    /// One item of the ledger, from both sides.
    Item,
    /// `/summary`.
    Summaries,
    /// Two summaries compared.
    Comparison,
    /// A compaction that waits for an answer.
    Review,
    /// A compaction that was applied.
    StoredReview,
    /// The cursor of a review, on a line, a check or a finding.
    ReviewCursor,
    /// A summary while it is edited.
    SummaryEdit,
    /// Whether an edit is discarded.
    DiscardPrompt,
    /// Whether a compaction is cancelled.
    CancelPrompt,
    /// A summary while it is written.
    ReviewWaiting,
    /// A compaction that gave no summary.
    ReviewEnded,
    /// What the audit found.
    Findings,
    /// `/rules`.
    Rules,
    /// `/timeline`.
    Timeline,
    /// The message that a compaction keeps first.
    FirstKept,
    /// The message to rewind to.
    RewindTarget,
    /// `/tree`.
    Tree,
    /// What a rewind changes.
    Rewind,
    /// What an undo changes.
    Undo,
    /// `/diff`.
    Changes,
    /// The difference of one file.
    FileDiff,
    /// The legend of the gauge.
    Legend,
    /// `/jobs`.
    Jobs,
    /// `/agents`.
    Agents,
    /// The session of a sub-agent.
    Agent,
    /// `/recall`.
    RecallHits,
    /// `/wire`.
    Request,
    /// A text in full.
    Text,
    /// Facts in rows: `/cost`, `/tools`.
    Facts,
    /// `/mcp`.
    Servers,
    /// The tools of a server.
    ServerTools,
    /// `/permissions`.
    Permissions,
    /// `/resume`.
    Sessions,
    /// Whether a session is deleted.
    DeletePrompt,
    /// `/model`.
    Models,
    /// `/theme`.
    Themes,
    /// `/settings`.
    Settings,
    /// A setting that is one of several names.
    SettingChoice,
    /// `/login`.
    Login,
    /// The field of a key.
    KeyEntry,
    /// The palette.
    Palette,
    /// Help.
    Help,
    /// The pattern of a permission.
    Pattern,
    /// A field of one line.
    Field,
    /// The field of a filter.
    Filter,
    /// The field of a search.
    Find,
    /// Shared by all screens on which letters are keys.
    Reading,
    /// Shared by all lists beside a text field.
    Choosing,
    /// Shared by all text fields.
    Typing,
}

impl Screen {
    /// All of them, in the order of help.
    pub const ALL: [Self; 50] = [
        Self::Ledger,
        Self::Item,
        Self::Summaries,
        Self::Comparison,
        Self::Review,
        Self::StoredReview,
        Self::ReviewCursor,
        Self::SummaryEdit,
        Self::DiscardPrompt,
        Self::CancelPrompt,
        Self::ReviewWaiting,
        Self::ReviewEnded,
        Self::Findings,
        Self::Rules,
        Self::Timeline,
        Self::FirstKept,
        Self::RewindTarget,
        Self::Tree,
        Self::Rewind,
        Self::Undo,
        Self::Changes,
        Self::FileDiff,
        Self::Legend,
        Self::Jobs,
        Self::Agents,
        Self::Agent,
        Self::RecallHits,
        Self::Request,
        Self::Text,
        Self::Facts,
        Self::Servers,
        Self::ServerTools,
        Self::Permissions,
        Self::Sessions,
        Self::DeletePrompt,
        Self::Models,
        Self::Themes,
        Self::Settings,
        Self::SettingChoice,
        Self::Login,
        Self::KeyEntry,
        Self::Palette,
        Self::Help,
        Self::Pattern,
        Self::Field,
        Self::Filter,
        Self::Find,
        Self::Reading,
        Self::Choosing,
        Self::Typing,
    ];

    /// The `PLACE` in `[keys.PLACE]`, and the title in help.
    const fn named(self) -> (&'static str, &'static str) {
        match self {
            Self::Ledger => ("ledger", "/context and /pruned"),
            Self::Item => ("item", "one item of /context"),
            Self::Summaries => ("summaries", "/summary"),
            Self::Comparison => ("comparison", "two summaries compared"),
            Self::Review => ("review", "review of a compaction"),
            Self::StoredReview => ("stored-review", "review of an earlier compaction"),
            Self::ReviewCursor => ("review-cursor", "review, with the cursor on a line"),
            Self::SummaryEdit => ("summary-edit", "review, while you edit the summary"),
            Self::DiscardPrompt => ("discard-prompt", "review: discard your edit?"),
            Self::CancelPrompt => ("cancel-prompt", "review: cancel the compaction?"),
            Self::ReviewWaiting => ("review-waiting", "review, while a summary is written"),
            Self::ReviewEnded => ("review-ended", "review, after a failure"),
            Self::Findings => ("findings", "findings of the audit"),
            Self::Rules => ("rules", "/rules"),
            Self::Timeline => ("timeline", "/timeline"),
            Self::FirstKept => ("first-kept", "/compact --from"),
            Self::RewindTarget => ("rewind-target", "/rewind"),
            Self::Tree => ("tree", "/tree"),
            Self::Rewind => ("rewind", "preview of a rewind"),
            Self::Undo => ("undo", "preview of an undo"),
            Self::Changes => ("changes", "/diff"),
            Self::FileDiff => ("file-diff", "changes of one file"),
            Self::Legend => ("legend", "/legend"),
            Self::Jobs => ("jobs", "/jobs"),
            Self::Agents => ("agents", "/agents"),
            Self::Agent => ("agent", "session of a sub-agent"),
            Self::RecallHits => ("recall-hits", "/recall"),
            Self::Request => ("request", "/wire"),
            Self::Text => ("text", "a text in full"),
            Self::Facts => ("facts", "/cost and /tools"),
            Self::Servers => ("servers", "/mcp"),
            Self::ServerTools => ("server-tools", "tools of an MCP server"),
            Self::Permissions => ("permissions", "/permissions"),
            Self::Sessions => ("sessions", "/resume"),
            Self::DeletePrompt => ("delete-prompt", "/resume: delete the session?"),
            Self::Models => ("models", "/model"),
            Self::Themes => ("themes", "/theme"),
            Self::Settings => ("settings", "/settings"),
            Self::SettingChoice => ("setting-choice", "/settings, choosing a value"),
            Self::Login => ("login", "/login"),
            Self::KeyEntry => ("key-entry", "/login, entering a key"),
            Self::Palette => ("palette", "command palette"),
            Self::Help => ("help", "help"),
            Self::Pattern => ("pattern", "pattern of a permission"),
            Self::Field => ("field", "a text field"),
            Self::Filter => ("filter", "a filter"),
            Self::Find => ("find", "a search"),
            Self::Reading => ("reading", "all screens without a text field"),
            Self::Choosing => ("choosing", "all lists with a text field"),
            Self::Typing => ("typing", "all text fields"),
        }
    }

    /// The `PLACE` in `[keys.PLACE]`.
    pub fn name(self) -> &'static str {
        self.named().0
    }

    /// The heading in help.
    pub fn title(self) -> &'static str {
        self.named().1
    }

    /// The keys that hold on it besides its own, which come first.
    pub fn shared(self) -> Option<Self> {
        match self {
            Self::Reading | Self::Choosing | Self::Typing => None,
            Self::Sessions
            | Self::Models
            | Self::Themes
            | Self::Settings
            | Self::Login
            | Self::Palette
            | Self::Help
            | Self::Filter => Some(Self::Choosing),
            Self::SummaryEdit
            | Self::DiscardPrompt
            | Self::CancelPrompt
            | Self::DeletePrompt
            | Self::SettingChoice
            | Self::KeyEntry
            | Self::Pattern
            | Self::Field
            | Self::Find => Some(Self::Typing),
            Self::Ledger
            | Self::Item
            | Self::Summaries
            | Self::Comparison
            | Self::Review
            | Self::StoredReview
            | Self::ReviewCursor
            | Self::ReviewWaiting
            | Self::ReviewEnded
            | Self::Findings
            | Self::Rules
            | Self::Timeline
            | Self::FirstKept
            | Self::RewindTarget
            | Self::Tree
            | Self::Rewind
            | Self::Undo
            | Self::Changes
            | Self::FileDiff
            | Self::Legend
            | Self::Jobs
            | Self::Agents
            | Self::Agent
            | Self::RecallHits
            | Self::Request
            | Self::Text
            | Self::Facts
            | Self::Servers
            | Self::ServerTools
            | Self::Permissions => Some(Self::Reading),
        }
    }

    /// Whether a character that is typed is text there, so that no key can be one.
    pub fn takes_text(self) -> bool {
        let asks = matches!(
            self,
            Self::DiscardPrompt | Self::CancelPrompt | Self::DeletePrompt | Self::SettingChoice
        );
        let shared = self.shared().unwrap_or(self);
        !asks && matches!(shared, Self::Choosing | Self::Typing)
    }
}

/// The action of a key on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenAction {
    /// Step back, or close the screen.
    Back,
    /// Show the keys of the screen.
    Help,
    /// Move the cursor, or scroll.
    Scroll(ScrollMotion),
    /// Begin a search, or a filter.
    Find,
    /// To another place that a search found.
    FindNext {
        /// Towards the end.
        forward: bool,
    },
    /// Open, show, run or use what is selected; end a field.
    Open,
    /// Copy what is shown.
    Copy,
    /// Undo.
    Undo,
    /// Pin.
    Pin,
    /// Drop.
    Drop,
    /// Restore.
    Restore,
    /// Show the request.
    Request,
    /// Sort in another order.
    Sort,
    /// Show only one kind.
    Filter,
    /// Group by turn.
    ByTurn,
    /// Fold or unfold.
    Fold,
    /// The other side, or the other of two.
    OtherSide,
    /// To the first change.
    FirstChange,
    /// Mark.
    Mark,
    /// Compare what is marked.
    Compare,
    /// Review.
    Review,
    /// To the audit.
    Audit,
    /// Edit here.
    Edit,
    /// Edit in `$EDITOR`.
    Editor,
    /// Rewind the conversation.
    GoBack,
    /// Rewind with files.
    Rewind,
    /// Fork.
    Fork,
    /// Give it a name.
    Rename,
    /// To another message of the user.
    NextAsk {
        /// Towards the end.
        forward: bool,
    },
    /// Conversation and files.
    Both,
    /// The conversation alone.
    Conversation,
    /// The files alone.
    Files,
    /// Whether files that others changed are overwritten.
    Overwrite,
    /// Stop what runs.
    Stop,
    /// Delete, revoke or forget.
    Delete,
    /// Switch off or on.
    Toggle,
    /// Where sessions are looked for.
    AllFolders,
    /// Sessions of the next program.
    NextProgram,
    /// Save for all projects, or save an edit.
    Save,
    /// Save for this project.
    SaveInProject,
    /// Back to the default.
    Reset,
    /// Another value.
    NextValue {
        /// Towards the end.
        forward: bool,
    },
    /// Strike a rule, or what a summary says and nobody said.
    Strike,
    /// Confirm; answer yes.
    Confirm,
    /// Confirm all.
    ConfirmAll,
    /// Add one.
    Add,
    /// Accept.
    Accept,
    /// Cancel.
    Cancel,
    /// Change the instructions.
    Instructions,
    /// Ask again.
    Retry,
    /// Where each line comes from.
    Sources,
    /// Compare with the extractive summary.
    Extractive,
    /// Unified or side by side.
    Layout,
    /// To the input.
    Input,
    /// To another part of the audit.
    NextPart {
        /// Towards the end.
        forward: bool,
    },
    /// For this session, or always.
    Duration,
    /// Empty the field.
    Clear,
}
