//! The introduction: which step of it the user is at, what it asks for, and how it notices
//! that this was done. It runs in a practice session and observes; the screens, the keys
//! and the commands are those of every session.

use crate::agent::{
    AgentEvent, CompactionEvent, ContextEvent, Op, Query, SessionOp, TurnOp, UndoWay,
};

use super::model::ScreenStack;

/// A step of the introduction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TourStep {
    /// The gauge.
    #[default]
    Gauge,
    /// The ledger.
    Ledger,
    /// The items that were taken out, with reasons.
    Pruned,
    /// Restoring an item.
    Restore,
    /// The preview of a compaction.
    Compact,
    /// Undoing an act.
    Undo,
    /// The end.
    Over,
}

impl TourStep {
    /// Steps with something to do.
    pub const COUNT: usize = 6;

    /// Counted from 1; what is over counts as the last.
    pub fn number(self) -> usize {
        (self as usize + 1).min(Self::COUNT)
    }

    fn next(self) -> Self {
        match self {
            Self::Gauge => Self::Ledger,
            Self::Ledger => Self::Pruned,
            Self::Pruned => Self::Restore,
            Self::Restore => Self::Compact,
            Self::Compact => Self::Undo,
            Self::Undo | Self::Over => Self::Over,
        }
    }
}

/// Where the user is in the introduction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tour {
    /// The current step.
    pub step: TourStep,
    /// An item was looked at.
    has_opened_item: bool,
    /// Something is cut.
    has_pruned: bool,
    /// Something was sent in full again.
    has_restored: bool,
    /// A summary was looked at and answered.
    has_reviewed: bool,
    /// That summary counts.
    is_compacted: bool,
    /// Something was taken back.
    has_undone: bool,
}

/// The words of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TourWords {
    /// The explanation.
    pub what: String,
    /// The task.
    pub task: String,
    /// The task for very small screens.
    pub short: &'static str,
}

impl Tour {
    /// Takes note of what the agent did.
    pub fn on_event(&mut self, event: &AgentEvent) {
        if let AgentEvent::Context(event) = event {
            self.on_context(event);
        } else if let AgentEvent::Compaction(event) = event {
            self.on_compaction(event);
        }
    }

    fn on_context(&mut self, event: &ContextEvent) {
        match event {
            ContextEvent::Pruned { dry_run, .. } => self.has_pruned |= !dry_run,
            ContextEvent::OverrideApplied { what, .. } => self.has_restored |= *what == "restored",
            ContextEvent::ActUndone { way, .. } => {
                if matches!(way, UndoWay::Undo) {
                    self.undone();
                }
            }
            ContextEvent::View(_)
            | ContextEvent::Overflow { .. }
            | ContextEvent::Replayed { .. }
            | ContextEvent::Guarded { .. }
            | ContextEvent::RuleChanged { .. }
            | ContextEvent::UndoPlanned(_) => {}
        }
    }

    fn on_compaction(&mut self, event: &CompactionEvent) {
        match event {
            CompactionEvent::Applied { .. } => {
                (self.has_reviewed, self.is_compacted) = (true, true);
            }
            CompactionEvent::Cancelled { .. } => self.has_reviewed = true,
            CompactionEvent::Undone { .. } => {
                self.is_compacted = false;
                self.undone();
            }
            CompactionEvent::Started { .. }
            | CompactionEvent::Progress { .. }
            | CompactionEvent::Delta(_)
            | CompactionEvent::Audited(_)
            | CompactionEvent::Review(_)
            | CompactionEvent::Sources(_)
            | CompactionEvent::Planned(_)
            | CompactionEvent::Failed { .. } => {}
        }
    }

    /// Notes an undo; one before the step that asks for it does not count.
    fn undone(&mut self) {
        self.has_undone = self.step == TourStep::Undo;
    }

    /// Goes on to the next step when this one is done. Says whether it did.
    pub fn advance(&mut self, screens: &ScreenStack) -> bool {
        let is_open = |name: &str| screens.is_open(name);
        self.has_opened_item |= is_open("item");
        let is_done = match self.step {
            TourStep::Gauge => is_open("context"),
            TourStep::Ledger => self.has_opened_item && screens.is_empty(),
            TourStep::Pruned => self.has_pruned && is_open("pruned"),
            TourStep::Restore => self.has_restored,
            TourStep::Compact => self.has_reviewed && screens.is_empty(),
            TourStep::Undo => self.has_undone,
            TourStep::Over => false,
        };
        if is_done {
            self.step = self.step.next();
        }
        is_done
    }

    /// Whether the practice session may be asked for this. What would send something to a
    /// model, run, write, or open another session has to wait until the tour is over.
    pub fn allows(op: &Op) -> bool {
        match op {
            Op::Turn(op) => matches!(op, TurnOp::Draft { .. } | TurnOp::Interrupt),
            Op::Context(_) => true,
            Op::Session(op) => matches!(op, SessionOp::Shutdown),
            Op::Setting(_) => false,
            Op::Query { query, .. } => matches!(
                query,
                Query::Compaction(_)
                    | Query::Fidelity
                    | Query::Rules
                    | Query::Wire
                    | Query::Cost
                    | Query::History
                    | Query::Tools
                    | Query::Engines
                    | Query::Recall(_)
            ),
        }
    }

    /// The lines below the gauge on the first start: the answers already, and where they can
    /// be tried. `key` opens the ledger.
    pub fn offer(key: &str) -> TourWords {
        TourWords {
            what: format!("Welcome. {}", answers(key)),
            task: "Enter: try it in a practice session (two minutes, offline); or just type a \
                message"
                .to_owned(),
            short: "Enter: introduction",
        }
    }

    /// The words of the step. `percent` is the way to the next compaction, `key` opens the ledger.
    pub fn words(self, percent: u64, key: &str) -> TourWords {
        let (what, task, short) = match self.step {
            TourStep::Gauge => (
                gauge(percent),
                format!("press {key} to see its contents"),
                "f2 or /context",
            ),
            TourStep::Ledger => (
                "What is in it? Each row is a part of the next request, with its tokens and its \
                 state."
                    .to_owned(),
                "Enter opens a row: the original and the sent text; Esc goes back".to_owned(),
                "Enter, then Esc",
            ),
            TourStep::Pruned if self.has_pruned => (
                "The bar shows the freed part as ╌. The log on disk still has every word."
                    .to_owned(),
                "type /pruned and press Enter: which messages were trimmed or cleared?".to_owned(),
                "type /pruned",
            ),
            TourStep::Pruned => (
                "Old tool output is pruned first, automatically when that is cheap.".to_owned(),
                "type /prune and press Enter to prune now".to_owned(),
                "type /prune",
            ),
            TourStep::Restore => (
                "Why was it trimmed or cleared? Each row names the rule; Enter shows the rest."
                    .to_owned(),
                "restore one: End selects the last row, r shows the cost, r again restores it"
                    .to_owned(),
                "End, then r, r",
            ),
            TourStep::Compact => (
                "Compaction replaces older messages by a summary. With /compact you review it \
                 first; at the load line it happens automatically, and a card shows it."
                    .to_owned(),
                "Esc, then type /compact; Enter opens the review, a applies it, x discards it"
                    .to_owned(),
                "/compact, Enter, a",
            ),
            TourStep::Undo if self.is_compacted => (
                "Can I undo it? Always: the log keeps every message.".to_owned(),
                "type /uncompact and press Enter: the messages are in the window again".to_owned(),
                "type /uncompact",
            ),
            TourStep::Undo => (
                "Can I undo it? Always: the log keeps every message and every decision.".to_owned(),
                "type /undo and press Enter: this undoes the newest decision".to_owned(),
                "type /undo",
            ),
            TourStep::Over => (
                answers(key),
                "Enter starts your own session; ? lists all keys, /intro repeats this".to_owned(),
                "Enter starts",
            ),
        };
        TourWords { what, task, short }
    }
}

fn gauge(percent: u64) -> String {
    format!(
        "How full is the window? The bar above says: {percent}% of the way to ╎, where Plimsoll \
         compacts by itself. Each colour is a kind of text; f4 is the legend."
    )
}

/// The questions that every screen answers, and where.
fn answers(key: &str) -> String {
    format!(
        "How full: the bar. Contents: {key}. Trimmed and cleared messages: /pruned. Get them \
         back: r (restore), /undo, /uncompact."
    )
}
