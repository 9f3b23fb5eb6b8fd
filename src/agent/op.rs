//! What a front end asks of the agent.

use std::path::PathBuf;

use super::export::ExportFormat;
use super::login::EnteredKey;
use super::settings::SettingsOp;
use crate::tool::Permission;
use crate::transcript::{EntryId, Image, ModelRef, ThinkingLevel};

/// A request from a front end. None of them is answered directly; what happens comes
/// up as [`AgentEvent`](super::AgentEvent)s.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Send a message of the user.
    Submit {
        /// What was typed, pastes unfolded, `@file` references left as typed.
        text: String,
        /// Attached images.
        images: Vec<Image>,
        /// When it goes out if a turn is running.
        when: SubmitWhen,
    },
    /// What stands in the composer now; counted as pending input on the gauge.
    Draft {
        /// The unfolded text.
        text: String,
        /// Attached images.
        images: Vec<Image>,
    },
    /// Stop the running answer, tool or compaction. What arrived is kept; messages and
    /// commands that wait are given back ([`AgentEvent::InputReturned`](super::AgentEvent)).
    Interrupt,
    /// Take back a queued input (by [`QueuedInput::id`](super::QueuedInput)); it comes as
    /// [`AgentEvent::InputReturned`](super::AgentEvent), unless its turn has come meanwhile.
    Unqueue {
        /// Which one.
        id: u64,
    },
    /// Answer an approval request.
    Approve {
        /// [`ApprovalRequest::id`](super::ApprovalRequest).
        id: u64,
        /// The answer.
        decision: ApprovalDecision,
    },
    /// Answer the offer for a message that is larger than the window.
    FitMessage {
        /// [`OversizeOffer::id`](super::OversizeOffer).
        id: u64,
        /// What to do with it.
        choice: OversizeChoice,
    },
    /// Run a shell command for the user and put it into the context.
    Shell {
        /// The command line.
        command: String,
        /// `!!`: keep it out of the model's context.
        excluded: bool,
    },
    /// Summarise. Ends in a review unless [`CompactOptions::yes`].
    Compact(CompactOptions),
    /// Answer the review that is open.
    Review(ReviewDecision),
    /// Show a compaction of the log as it would have been reviewed.
    ShowCompaction(EntryId),
    /// Undo the newest compaction.
    Uncompact,
    /// Apply the prune policy now, whatever the gate says; or only say what it would do.
    Prune {
        /// Change nothing.
        dry_run: bool,
    },
    /// Always send this group and never summarise it.
    Pin(EntryId),
    /// Send this group in full again; a summarised message is put back as well.
    Restore(EntryId),
    /// Take this group out of the context.
    Drop(EntryId),
    /// Take back the newest act of the person on the context or on files, or put it back.
    Undo(UndoOp),
    /// Say what one of these would make of the view, without doing it. Answered by
    /// [`AgentEvent::Foreseen`](super::AgentEvent) unless it is another op, or in vain.
    Foresee(Box<Op>),
    /// The exact request body of the next request.
    ShowWire,
    /// Another model from here on.
    SetModel(ModelRef),
    /// Another reasoning level from here on.
    SetThinking(ThinkingLevel),
    /// Begin or end plan mode: while it is on, nothing is changed and no command runs.
    SetPlanMode(bool),
    /// List what may run without a question.
    ListPermissions,
    /// Ask again before calls like these; not for what the settings allow.
    Revoke(Permission),
    /// Say the settings, change one, keep it, take it back.
    Settings(SettingsOp),
    /// List the providers, with where their keys come from.
    ListLogins,
    /// Store a key and use it.
    Login {
        /// Provider id.
        provider: String,
        /// The key.
        key: EnteredKey,
    },
    /// Forget the stored key of this provider.
    Logout(String),
    /// What the session has changed in files.
    ShowChanges,
    /// Say what going back would do to files, and do nothing yet.
    PlanRewind {
        /// The entry that the conversation would end with; `None`: the beginning.
        to: Option<EntryId>,
        /// The message of the user that is gone back to, when it is one.
        ask: Option<EntryId>,
    },
    /// Go back. Stops what runs.
    Rewind(Rewind),
    /// Let the command that runs go on in the background, as a job.
    Background,
    /// End a background job, with all that it started.
    KillJob(u64),
    /// Write the session into a file of the working directory.
    Export(ExportFormat),
    /// What the session has cost so far.
    ShowCost,
    /// List the tools that the model has.
    ListTools,
    /// List the models that could be used.
    ListModels,
    /// List the sessions of this directory, or of all directories.
    ListSessions {
        /// Of all directories.
        all: bool,
    },
    /// Look at the end of a session.
    PeekSession(PathBuf),
    /// Name a session, the open one or another.
    RenameSession {
        /// Its file.
        path: PathBuf,
        /// The new name.
        name: String,
    },
    /// Move a session to the trash folder beside it; never the open one.
    DiscardSession(PathBuf),
    /// All entries on all branches.
    ShowHistory,
    /// Make this entry (or, with `None`, the beginning) the end of the conversation. What
    /// came after it stays in the log as a branch of its own. Stops what runs.
    GoTo(Option<EntryId>),
    /// Send a message in the place of an earlier one: a branch begins at its parent, the
    /// old one stays. Stops what runs.
    Resend {
        /// The message whose place it takes.
        target: EntryId,
        /// What was typed.
        text: String,
        /// Attached images.
        images: Vec<Image>,
    },
    /// Copy the active branch up to an entry (`None`: all of it) into a new session, and
    /// open that. Stops what runs.
    Fork(Option<EntryId>),
    /// Name an entry, and with it the branch that ends there; `None` takes the name away.
    Label {
        /// The entry.
        target: EntryId,
        /// Its name.
        label: Option<String>,
    },
    /// Close this session and open a new one.
    NewSession,
    /// Close this session and open another.
    Resume(PathBuf),
    /// Name the session.
    Rename(String),
    /// Keep a text for later sessions of this project.
    Remember(String),
    /// Show what is remembered of this project.
    ShowNotes,
    /// Finish: stop what runs, flush the log, and end the event stream.
    Shutdown,
}

impl Op {
    /// Whether it leaves something in the session's log. A session that another process
    /// holds takes none of these; all others only look, or concern something else.
    pub fn writes(&self) -> bool {
        match self {
            Self::Compact(CompactOptions { dry_run, .. }) | Self::Prune { dry_run } => !dry_run,
            Self::Submit { .. }
            | Self::Resend { .. }
            | Self::Shell { .. }
            | Self::Uncompact
            | Self::Pin(_)
            | Self::Restore(_)
            | Self::Drop(_)
            | Self::Undo(_)
            | Self::SetModel(_)
            | Self::SetThinking(_)
            | Self::SetPlanMode(_)
            | Self::Label { .. }
            | Self::Rename(_) => true,
            Self::Rewind(rewind) => rewind.files,
            _ => false,
        }
    }
}

/// How a compaction that the user asks for goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent flags of one command"
)]
pub struct CompactOptions {
    /// What the summary should keep or stress.
    pub instructions: Option<String>,
    /// Apply without review.
    pub yes: bool,
    /// Say what would happen; call no model, change nothing.
    pub dry_run: bool,
    /// Keep fewer turns than the settings say when nothing else is left to summarise.
    pub force: bool,
    /// Summarise without a model.
    pub extractive: bool,
    /// Keep from this entry on, wherever the settings would cut. Moved back to the start of
    /// its group: a call stays with its results.
    pub from: Option<EntryId>,
}

/// `/undo` or `/redo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoOp {
    /// Which of the two.
    pub way: UndoWay,
    /// The person has seen which files change and which messages are left. Without it, an
    /// undo that does either is answered with [`AgentEvent::UndoPlanned`](super::AgentEvent).
    pub confirmed: bool,
}

impl UndoOp {
    /// `/undo`
    pub const UNDO: Self = Self {
        way: UndoWay::Undo,
        confirmed: false,
    };
    /// `/redo`
    pub const REDO: Self = Self {
        way: UndoWay::Redo,
        confirmed: false,
    };

    /// The answer to its question.
    #[must_use]
    pub fn confirmed(self) -> Self {
        Self {
            confirmed: true,
            ..self
        }
    }
}

/// In which direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoWay {
    /// Takes back.
    Undo,
    /// Puts back what was taken back.
    Redo,
}

impl UndoWay {
    /// The name of the command.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Redo => "redo",
        }
    }

    /// What has happened to an act.
    pub fn done(self) -> &'static str {
        match self {
            Self::Undo => "undone",
            Self::Redo => "redone",
        }
    }
}

/// What is to be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewind {
    /// The entry that the conversation would end with; `None`: the beginning.
    pub to: Option<EntryId>,
    /// Go back in the conversation.
    pub conversation: bool,
    /// Go back in the files.
    pub files: bool,
    /// Also in those that somebody else changed since; they are kept first.
    pub overwrite: bool,
}

/// When a message goes out if a turn is running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SubmitWhen {
    /// After the running tool batch (steering).
    #[default]
    NextStep,
    /// After the turn.
    AfterTurn,
}

/// The user's answer to an approval request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApprovalDecision {
    /// This call.
    Once,
    /// This tool, until the session is closed.
    Session,
    /// Calls of this tool whose title matches this glob, until the session is closed.
    Pattern(String),
    /// The same in this folder, until it is revoked.
    Always(String),
    /// No, with words for the model.
    Deny {
        /// What the model is told; `None` says only that it was refused.
        feedback: Option<String>,
    },
}

/// What becomes of a message that is larger than the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OversizeChoice {
    /// Send its beginning and its end; the whole text goes into a file that the read tool
    /// can page.
    File,
    /// Send as much of its beginning and its end as fits.
    Trim,
    /// Have the larger model of the offer answer.
    Larger,
    /// Do not send it; its text comes back.
    Cancel,
}

/// The user's answer to a compaction review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewDecision {
    /// Apply it as it stands.
    Accept,
    /// Replace the text, audit it again, and show it again.
    Edit(String),
    /// Ask again; `instructions` replace the old ones when given.
    Retry {
        /// New instructions.
        instructions: Option<String>,
    },
    /// Stop the summary that was asked for again; the one before it is shown once more.
    /// Comes to nothing when none is being written.
    StopRetry,
    /// Leave everything as it was.
    Cancel,
}
