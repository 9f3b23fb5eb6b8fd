//! Requests of a front end.

use std::path::PathBuf;

use super::{
    ApprovalDecision, ChildId, EnteredKey, ExportFormat, OversizeChoice, Query, QueryId,
    ReviewDecision, UndoOp, WorkMode,
};
use crate::config::{SettingValue, SettingsFile};
use crate::tool::{FormAnswer, Permission};
use crate::transcript::{EntryId, Image, ModelRef, RuleChange, RuleId, ThinkingLevel};

/// A request of a front end. Answers and effects come up as
/// [`AgentEvent`](super::AgentEvent)s.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Messages, answers to questions, and commands that run.
    Turn(TurnOp),
    /// Decisions on what the model sees.
    Context(ContextOp),
    /// The session, its branches and its file.
    Session(SessionOp),
    /// The model, settings, keys and permissions.
    Setting(SettingOp),
    /// A question that changes nothing. The answer is an
    /// [`AgentEvent::Reply`](super::AgentEvent) with this id, or a notice that says why there
    /// is none.
    Query {
        /// Chosen by the front end; the reply repeats it.
        id: QueryId,
        /// The question.
        query: Query,
    },
}

/// Messages, answers to questions, and commands that run.
#[derive(Clone, Debug, PartialEq)]
pub enum TurnOp {
    /// Send a message of the user.
    Submit {
        /// The typed text, pastes unfolded, `@file` references left as typed.
        text: String,
        /// Attached images.
        images: Vec<Image>,
        /// When it goes out if a turn is running.
        when: SubmitWhen,
    },
    /// The text in the composer; counted as pending input on the gauge.
    Draft {
        /// The unfolded text.
        text: String,
        /// Attached images.
        images: Vec<Image>,
    },
    /// Stop the running answer, tool or compaction. What arrived is kept; messages and
    /// commands that wait are given back ([`TurnEvent::InputReturned`](super::TurnEvent)).
    Interrupt,
    /// Take back a queued input (by [`QueuedInput::id`](super::QueuedInput)); it comes as
    /// [`TurnEvent::InputReturned`](super::TurnEvent), unless its turn has come meanwhile.
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
        /// The user's choice.
        choice: OversizeChoice,
    },
    /// Answer the question of a tool.
    AnswerForm {
        /// [`FormRequest::id`](super::FormRequest).
        id: u64,
        /// The answer.
        answer: FormAnswer,
    },
    /// Run a shell command for the user and put it into the context.
    Shell {
        /// The command line.
        command: String,
        /// `!!`: keep it out of the model's context.
        excluded: bool,
    },
    /// Let the command that runs go on in the background, as a job.
    Background,
    /// End a background job, with all that it started.
    KillJob(u64),
    /// Say something to a sub-agent that runs; it hears it after its step.
    TellChild {
        /// Which one.
        id: ChildId,
        /// The text.
        text: String,
    },
    /// Stop a sub-agent, with its own. What it had found is its result.
    StopChild(ChildId),
}

/// Decisions on what the model sees.
#[derive(Clone, Debug, PartialEq)]
pub enum ContextOp {
    /// Summarise. Ends in a review unless [`CompactOptions::yes`].
    Compact(CompactOptions),
    /// Answer the review that is open.
    Review(ReviewDecision),
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
    /// Change a standing rule, or add one.
    Rule(RuleAct),
    /// Take back the newest act of the person on the context or on files, or put it back.
    Undo(UndoOp),
}

/// The session, its branches and its file.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionOp {
    /// Close this session and open a new one.
    New,
    /// Close this session and open another.
    Resume(PathBuf),
    /// Close this session and open another at an entry.
    ResumeAt {
        /// Its file.
        path: PathBuf,
        /// The entry to show.
        entry: EntryId,
    },
    /// Copy the active branch up to an entry (`None`: all of it) into a new session, and
    /// open that. Stops what runs.
    Fork(Option<EntryId>),
    /// Make this entry (or, with `None`, the beginning) the end of the conversation. What
    /// came after it stays in the log as a branch of its own. Stops what runs.
    GoTo(Option<EntryId>),
    /// Send a message in the place of an earlier one: a branch begins at its parent, the
    /// old one stays. Stops what runs.
    Resend {
        /// The message whose place it takes.
        target: EntryId,
        /// The typed text.
        text: String,
        /// Attached images.
        images: Vec<Image>,
    },
    /// Go back in the conversation, in the files, or in both. Refused while something runs.
    Rewind(RewindRequest),
    /// Name an entry, and with it the branch that ends there; `None` takes the name away.
    Label {
        /// The entry.
        target: EntryId,
        /// Its name.
        label: Option<String>,
    },
    /// Name the session.
    Rename(String),
    /// Name a session, the open one or another.
    RenameOther {
        /// Its file.
        path: PathBuf,
        /// The new name.
        name: String,
    },
    /// Move a session to the trash folder beside it; never the open one.
    Discard(PathBuf),
    /// Write the session into a file of the working directory.
    Export(ExportFormat),
    /// Keep a text for later sessions of this project.
    Remember(String),
    /// Take back the notes that the model added before the newest compaction that had some.
    TakeBackNotes,
    /// Finish: stop what runs, flush the log, and end the event stream.
    Shutdown,
}

/// The model, settings, keys and permissions.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingOp {
    /// Another model from here on.
    Model(ModelRef),
    /// Another reasoning level from here on.
    Thinking(ThinkingLevel),
    /// Begin or end plan mode: while it is on, nothing is changed and no command runs.
    PlanMode(bool),
    /// Work in another mode from now on.
    Mode(WorkMode),
    /// Use another value of a setting for this session.
    Set {
        /// Key or alias.
        key: String,
        /// As written: a text is read as the setting's kind says.
        value: SettingValue,
    },
    /// Keep the value in force in a file.
    Save {
        /// The key.
        key: String,
        /// Which file.
        place: SettingsFile,
    },
    /// Take the setting out of the file that sets it, and back to what is below.
    Reset {
        /// The key.
        key: String,
    },
    /// Ask again before calls like these; not for what the settings allow.
    Revoke(Permission),
    /// Store a key and use it.
    Login {
        /// Provider id.
        provider: String,
        /// The key.
        key: EnteredKey,
    },
    /// Forget the stored key of this provider.
    Logout(String),
    /// Change what is offered of the servers of tools.
    Servers(ServerAct),
}

/// A person's act on the servers of tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerAct {
    /// Switch a tool, or all tools of a server by `server__*`, off or on for this session.
    Switch {
        /// The name, as in `tools.off`.
        what: String,
        /// On.
        on: bool,
    },
    /// Keep what is switched off for later sessions, in the user's file.
    Keep,
    /// Take the lists that the servers have now.
    Reload,
}

impl Op {
    /// A question whose reply needs no id: nothing else is asked meanwhile.
    pub fn query(query: Query) -> Self {
        Self::Query {
            id: QueryId::default(),
            query,
        }
    }

    /// Whether it leaves something in the session's log. A session that another process
    /// holds takes none of these; all others only look, or concern something else.
    pub fn writes(&self) -> bool {
        match self {
            Self::Turn(op) => op.writes(),
            Self::Context(op) => op.writes(),
            Self::Session(op) => op.writes(),
            Self::Setting(op) => op.writes(),
            Self::Query { .. } => false,
        }
    }
}

impl From<TurnOp> for Op {
    fn from(op: TurnOp) -> Self {
        Self::Turn(op)
    }
}

impl From<ContextOp> for Op {
    fn from(op: ContextOp) -> Self {
        Self::Context(op)
    }
}

impl From<SessionOp> for Op {
    fn from(op: SessionOp) -> Self {
        Self::Session(op)
    }
}

impl From<SettingOp> for Op {
    fn from(op: SettingOp) -> Self {
        Self::Setting(op)
    }
}

impl TurnOp {
    fn writes(&self) -> bool {
        match self {
            Self::Submit { .. } | Self::Shell { .. } => true,
            Self::Draft { .. }
            | Self::Interrupt
            | Self::Unqueue { .. }
            | Self::Approve { .. }
            | Self::FitMessage { .. }
            | Self::AnswerForm { .. }
            | Self::Background
            | Self::KillJob(_)
            | Self::TellChild { .. }
            | Self::StopChild(_) => false,
        }
    }
}

impl ContextOp {
    fn writes(&self) -> bool {
        match self {
            Self::Compact(CompactOptions { dry_run, .. }) | Self::Prune { dry_run } => !dry_run,
            Self::Uncompact
            | Self::Pin(_)
            | Self::Restore(_)
            | Self::Drop(_)
            | Self::Rule(_)
            | Self::Undo(_) => true,
            Self::Review(_) => false,
        }
    }
}

impl SessionOp {
    fn writes(&self) -> bool {
        match self {
            Self::Resend { .. } | Self::Label { .. } | Self::Rename(_) => true,
            Self::Rewind(rewind) => rewind.files,
            Self::New
            | Self::Resume(_)
            | Self::ResumeAt { .. }
            | Self::Fork(_)
            | Self::GoTo(_)
            | Self::RenameOther { .. }
            | Self::Discard(_)
            | Self::Export(_)
            | Self::Remember(_)
            | Self::TakeBackNotes
            | Self::Shutdown => false,
        }
    }
}

impl SettingOp {
    fn writes(&self) -> bool {
        match self {
            Self::Model(_) | Self::Thinking(_) | Self::PlanMode(_) | Self::Mode(WorkMode::Plan) => {
                true
            }
            Self::Mode(WorkMode::Ask | WorkMode::AcceptEdits)
            | Self::Set { .. }
            | Self::Save { .. }
            | Self::Reset { .. }
            | Self::Revoke(_)
            | Self::Login { .. }
            | Self::Logout(_)
            | Self::Servers(_) => false,
        }
    }
}

/// A person's act on a standing rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleAct {
    /// The rule, by its id or the beginning of one; of one that is added, its id to be.
    pub rule: RuleId,
    /// What changes.
    pub change: RuleChange,
}

impl RuleAct {
    /// Changes the rule with this id, or the one whose id begins so.
    pub fn on(rule: impl Into<String>, change: RuleChange) -> Self {
        Self {
            rule: RuleId::new(rule),
            change,
        }
    }

    /// Adds a rule in these words.
    pub fn add(text: impl Into<String>) -> Self {
        let text = text.into().trim().to_owned();
        Self {
            rule: RuleId::of("", &text),
            change: RuleChange::Add(text),
        }
    }

    /// The act that these words ask for: `strike ID`, `restore ID`, `confirm ID`,
    /// `reword ID TEXT` or `add TEXT`. `None` when they ask for none.
    pub fn from_words(words: &str) -> Option<Self> {
        let (verb, rest) = split_word(words);
        if verb == "add" {
            return (!rest.is_empty()).then(|| Self::add(rest));
        }
        let (id, text) = split_word(rest);
        let change = match (verb, text) {
            ("strike", "") => RuleChange::Strike,
            ("restore", "") => RuleChange::BringBack,
            ("confirm", "") => RuleChange::Confirm,
            ("reword", text) if !text.is_empty() => RuleChange::Reword(text.to_owned()),
            _ => return None,
        };
        (!id.is_empty()).then(|| Self::on(id, change))
    }

    /// What was done, as a participle: `struck`, `added`.
    pub fn done(&self) -> &'static str {
        match self.change {
            RuleChange::Strike => "struck",
            RuleChange::BringBack => "restored",
            RuleChange::Confirm => "confirmed",
            RuleChange::Reword(_) => "reworded",
            RuleChange::Add(_) => "added",
        }
    }
}

/// The first word and what follows it, both without blanks around them.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// How a compaction that the user asks for goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent flags of one command"
)]
pub struct CompactOptions {
    /// Points that the summary should keep or stress.
    pub instructions: Option<String>,
    /// Apply without review.
    pub yes: bool,
    /// The review is answered without a look at the text: what nothing in the conversation
    /// says is struck from it first.
    pub unseen: bool,
    /// Say what would happen; call no model, change nothing.
    pub dry_run: bool,
    /// Keep fewer turns than the settings say when nothing else is left to summarise.
    pub force: bool,
    /// Summarise without a model.
    pub extractive: bool,
    /// Keep from this entry on, wherever the settings would cut. Moved back to the start of
    /// its group: a call stays with its results.
    pub from: Option<EntryId>,
    /// Read what summaries replaced again, from the beginning of the log.
    pub rebuild: bool,
}

/// The parts of a rewind that the user asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewindRequest {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_ask_for_an_act_on_a_rule() {
        for (words, expected) in [
            ("strike r1", Some(RuleAct::on("r1", RuleChange::Strike))),
            (
                "  restore  r1 ",
                Some(RuleAct::on("r1", RuleChange::BringBack)),
            ),
            ("confirm r1", Some(RuleAct::on("r1", RuleChange::Confirm))),
            (
                "reword r1 never  push",
                Some(RuleAct::on(
                    "r1",
                    RuleChange::Reword("never  push".to_owned()),
                )),
            ),
            ("add strike no rule", Some(RuleAct::add("strike no rule"))),
            ("add 漢字 漢字", Some(RuleAct::add("漢字 漢字"))),
            ("", None),
            ("add", None),
            ("add  ", None),
            ("strike", None),
            ("strike r1 r2", None),
            ("reword r1", None),
            ("praise r1", None),
        ] {
            assert_eq!(RuleAct::from_words(words), expected, "{words:?}");
        }
    }

    #[test]
    fn a_rule_that_is_added_has_the_id_of_its_words() {
        assert_eq!(RuleAct::add(" a b "), RuleAct::add("a b"));
        assert_ne!(RuleAct::add("a b").rule, RuleAct::add("a c").rule);
    }
}
