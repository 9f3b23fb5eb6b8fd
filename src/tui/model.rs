//! All that the interface knows, split by concern. Drawing borrows it; only `update`
//! changes it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;

use crate::agent::{CompactOptions, JobInfo, NoticeLevel, QueuedInput};
use crate::config::{NotifyWhen, UserCommands};
use crate::context::ContextView;
use crate::transcript::{Entry, EntryId, ModelRef, Timestamp, TodoList, Trigger};

use super::completion::Completion;
use super::composer::{Composer, Mode};
use super::gauge::Reading;
use super::keymap::Keymap;
use super::numbers;
use super::overlay::question::{Keyboard, KeyboardState};
use super::overlay::{Overlay, Scene};
use super::render::highlight::Highlighter;
use super::screen_selection::ScreenSelection;
use super::theme::Theme;
use super::tour::Tour;
use super::transcript::{Conversation, Paint};

/// How often the ages in lists are drawn anew.
const AGES: Duration = Duration::from_secs(30);
/// Who presses no key for this long is at rest: the next one is meant for what is on screen.
const REST_MS: i64 = 500;
/// How long a toast stays.
const TOAST_MS: i64 = 4_000;

/// The state of the interface.
#[derive(Default)]
pub struct Model {
    /// The clock, at the newest message.
    pub now: Timestamp,
    /// The user's time zone and folder.
    pub place: Place,
    /// The newest key or paste.
    pub last_key: Option<Timestamp>,
    /// The newest frame said that Enter is the question's: nobody answers what was not on
    /// the screen.
    pub has_offered_enter: bool,
    /// What the keys do.
    pub keymap: Keymap,
    /// Colours.
    pub look: Look,
    /// The open session.
    pub session: Session,
    /// What the agent is doing.
    pub activity: Activity,
    /// Whether the user looks, and whether to call.
    pub attention: Attention,
    /// The transcript.
    pub conversation: Conversation,
    /// Where the user writes.
    pub composer: Composer,
    /// The list above the composer.
    pub completion: Completion,
    /// The message in whose place the composer's text will be sent.
    pub replaces: Option<EntryId>,
    /// Commands of the user, as they were read last.
    pub own: UserCommands,
    /// What was said about their files, so that it is said once.
    pub own_problems: Vec<String>,
    /// What the next answer to `Op::ShowHistory` is for.
    pub history_use: HistoryUse,
    /// What was typed behind the command whose screen is on its way.
    pub sought: String,
    /// Lists that were asked for the palette.
    pub palette_asked: PaletteAsked,
    /// Inputs that were given back to the composer, in their order there.
    pub given_back: Vec<String>,
    /// Screens on top, the top one last.
    pub overlays: Vec<Box<dyn Overlay>>,
    /// What is selected on them with the mouse.
    pub screen_selection: ScreenSelection,
    /// A line that goes away by itself.
    pub toast: Option<Toast>,
    /// Esc was pressed on an empty composer; the second one opens the timeline.
    pub timeline_armed_until: Option<Timestamp>,
    /// Ctrl-C was pressed on an empty composer; the second one leaves.
    pub exit_armed_until: Option<Timestamp>,
    /// Whether the introduction is offered: on the first start, until the user does
    /// something else.
    pub offers_tour: bool,
    /// The introduction, while it goes on: the session is one to practise on.
    pub tour: Option<Tour>,
    /// The next frame starts from a blank screen.
    pub wants_clear: bool,
}

/// What the whole history is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum HistoryUse {
    /// The timeline.
    #[default]
    Timeline,
    /// The tree.
    Tree,
    /// To pick the message that is gone back to, with files or without.
    Rewind,
    /// To pick the first message that this compaction keeps.
    FirstKept(CompactOptions),
}

/// Lists that were asked for the palette: their answers open no screen of their own, also
/// when the palette is closed by then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaletteAsked {
    /// The list of models.
    pub models: bool,
    /// The list of sessions.
    pub sessions: bool,
}

/// Where the user is.
#[derive(Debug)]
pub struct Place {
    /// For times of day.
    pub zone: TimeZone,
    /// The home directory, written as `~`.
    pub home: Option<PathBuf>,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            zone: TimeZone::UTC,
            home: None,
        }
    }
}

/// How things look.
#[derive(Debug, Default)]
pub struct Look {
    /// The theme.
    pub theme: Theme,
    /// Grows with each change of the theme.
    pub generation: u64,
    /// Names for `/theme`.
    pub theme_names: Vec<String>,
    /// For code.
    pub highlighter: Highlighter,
}

/// The open session.
#[derive(Debug, Default)]
pub struct Session {
    /// Its id; empty before one is open.
    pub id: String,
    /// Its name; may be empty.
    pub name: String,
    /// Its file.
    pub path: Option<PathBuf>,
    /// The directory it belongs to.
    pub cwd: PathBuf,
    /// Who answers.
    pub model: ModelRef,
    /// Why this model.
    pub model_reason: String,
    /// The context engine.
    pub engine: String,
    /// Why nothing can be written.
    pub read_only: Option<String>,
    /// US dollars so far.
    pub cost_usd: Option<f64>,
    /// All published entries.
    pub entries: HashMap<EntryId, Arc<Entry>>,
    /// Those of them that the active branch does not have.
    pub aside: HashSet<EntryId>,
    /// The newest view.
    pub view: Option<Arc<ContextView>>,
    /// When it came.
    pub viewed_at: Timestamp,
    /// Messages and commands that wait.
    pub queued: Vec<QueuedInput>,
    /// Plan mode is on: nothing is changed.
    pub plan_mode: bool,
    /// Background jobs, oldest first.
    pub jobs: Vec<JobInfo>,
    /// The steps that the model keeps.
    pub todo: Option<TodoList>,
    /// Only a line of them is shown.
    pub todo_folded: bool,
}

/// What the agent is doing.
#[derive(Debug, Default)]
pub struct Activity {
    /// The step of the turn.
    pub phase: Phase,
    /// Since when.
    pub since: Timestamp,
    /// When the turn began.
    pub turn_since: Timestamp,
    /// The summary that is being written.
    pub compaction: Option<Compacting>,
}

/// Whether the user looks, and whether to call.
#[derive(Debug, Default)]
pub struct Attention {
    /// When to call.
    pub when: NotifyWhen,
    /// The window said that it lost the focus.
    pub is_away: bool,
}

/// A step of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nothing.
    #[default]
    Idle,
    /// A message was handed over.
    Sending,
    /// A request is out.
    Waiting(ModelRef),
    /// The model reasons.
    Thinking,
    /// The model answers.
    Answering,
    /// The model writes a tool call.
    Calling(String),
    /// A call waits for the user's consent.
    Asking,
    /// A tool runs.
    Tool(String),
    /// A request failed and is tried again.
    Retrying {
        /// Which try comes next.
        attempt: u32,
        /// At most this many.
        max_attempts: u32,
        /// When.
        until: Timestamp,
        /// Why.
        reason: String,
    },
}

/// A summary that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compacting {
    /// What started it.
    pub trigger: Trigger,
    /// Estimate of the view before.
    pub tokens_before: u64,
    /// Messages that it replaces.
    pub summarized: u64,
    /// What is going on.
    pub stage: String,
    /// Since when.
    pub since: Timestamp,
}

impl Activity {
    /// Whether there is something to stop.
    pub fn is_busy(&self) -> bool {
        self.phase != Phase::Idle || self.compaction.is_some()
    }

    /// Whether a turn runs.
    pub fn is_turn_running(&self) -> bool {
        self.phase != Phase::Idle
    }

    /// Goes on to another step; the clock of a step starts when it does.
    pub fn enter(&mut self, phase: Phase, now: Timestamp) {
        if self.phase == phase {
            return;
        }
        if self.phase == Phase::Idle {
            self.turn_since = now;
        }
        self.phase = phase;
        self.since = now;
    }

    /// What is going on, for the status line.
    pub fn text(&self, now: Timestamp) -> String {
        if let Some(compaction) = &self.compaction {
            let mut text = format!(
                "compacting {} ({})",
                numbers::plural(compaction.summarized, "message"),
                numbers::tokens(compaction.tokens_before)
            );
            if compaction.trigger != Trigger::Manual {
                text = format!("{text} · {}", compaction.trigger.name());
            }
            if !compaction.stage.is_empty() {
                text = format!("{text} · {}", compaction.stage);
            }
            return text;
        }
        match &self.phase {
            Phase::Idle => String::new(),
            Phase::Sending => "sending".to_owned(),
            Phase::Waiting(model) => format!("waiting for {}", model.model),
            Phase::Thinking => "thinking".to_owned(),
            Phase::Answering => "answering".to_owned(),
            Phase::Calling(tool) => format!("writing a call of {tool}"),
            Phase::Asking => "waiting for your answer".to_owned(),
            Phase::Tool(title) => format!("running {title}"),
            Phase::Retrying {
                attempt,
                max_attempts,
                until,
                reason,
            } => {
                let left = numbers::between(now, *until);
                format!(
                    "try {attempt} of {max_attempts} in {} · {reason}",
                    numbers::elapsed(left)
                )
            }
        }
    }

    /// How long it has been going on.
    pub fn elapsed(&self, now: Timestamp) -> Duration {
        match &self.compaction {
            Some(compaction) => numbers::between(compaction.since, now),
            None => numbers::between(self.turn_since, now),
        }
    }
}

/// A line that goes away by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    /// How serious.
    pub level: NoticeLevel,
    /// What it says.
    pub text: String,
    /// Until when.
    pub until: Timestamp,
}

impl Model {
    /// Says something for a moment.
    pub fn say(&mut self, level: NoticeLevel, text: impl Into<String>) {
        let until = Timestamp(self.now.0.saturating_add(TOAST_MS));
        self.say_until(level, text, until);
    }

    /// Says something as long as it holds.
    pub fn say_until(&mut self, level: NoticeLevel, text: impl Into<String>, until: Timestamp) {
        self.toast = Some(Toast {
            level,
            text: text.into(),
            until,
        });
    }

    /// What the gauge reads.
    pub fn reading(&self) -> Reading<'_> {
        Reading {
            view: self.session.view.as_deref(),
            age_secs: self.now.secs_since(self.session.viewed_at),
            cost_usd: self.session.cost_usd,
        }
    }

    /// What cells need to be drawn in a width.
    pub fn paint(&self, width: u16) -> Paint<'_> {
        Paint {
            width,
            theme: &self.look.theme,
            theme_generation: self.look.generation,
            highlighter: &self.look.highlighter,
            now: self.now,
            zone: &self.place.zone,
        }
    }

    /// What overlays may look at.
    pub fn scene(&self) -> Scene<'_> {
        Scene {
            view: self.session.view.as_ref(),
            viewed_at: self.session.viewed_at,
            entries: &self.session.entries,
            aside: &self.session.aside,
            theme: &self.look.theme,
            keymap: &self.keymap,
            keyboard: self.keyboard_state(),
            now: self.now,
        }
    }

    /// A path as people write it.
    pub fn short_path(&self, path: &Path) -> String {
        if let Some(rest) = self
            .place
            .home
            .as_ref()
            .and_then(|home| path.strip_prefix(home).ok())
        {
            if rest.as_os_str().is_empty() {
                return "~".to_owned();
            }
            return format!("~/{}", rest.display());
        }
        path.display().to_string()
    }

    /// Whether no key came for a while: whoever presses one now has looked up.
    pub fn is_at_rest(&self) -> bool {
        self.rest_left().is_none()
    }

    /// How long no key may come until the user is at rest; `None` when that is so.
    fn rest_left(&self) -> Option<Duration> {
        let quiet_ms = self.now.0.saturating_sub(self.last_key?.0);
        let left_ms = u64::try_from(REST_MS.saturating_sub(quiet_ms)).ok()?;
        (left_ms > 0).then(|| Duration::from_millis(left_ms))
    }

    /// Whether a question that came by itself is on top.
    pub fn has_question(&self) -> bool {
        self.overlays.last().is_some_and(|it| it.comes_by_itself())
    }

    /// Whether the question on top is above a screen that somebody works on, which then
    /// has the keyboard instead of the composer.
    pub fn is_above_screen(&self) -> bool {
        let below = self
            .overlays
            .split_last()
            .map_or(&[][..], |(_, below)| below);
        below.iter().any(|it| it.is_full_screen())
    }

    /// Who has the keyboard while the top overlay is open.
    pub fn keyboard_state(&self) -> KeyboardState {
        let Some(top) = self.overlays.last() else {
            return KeyboardState::default();
        };
        if !top.comes_by_itself() || top.has_keyboard() {
            return KeyboardState::default();
        }
        let composer = &self.composer;
        let is_over_screen = self.is_above_screen();
        let is_listing = self.completion.popup().is_some() || composer.recall().is_some();
        let is_empty = composer.buffer.is_empty();
        let is_searching = is_empty && self.conversation.search().is_some();
        let vi_takes_escape = composer.vi.as_ref().is_some_and(|vi| match vi.mode() {
            Mode::Insert => !is_empty,
            Mode::Normal => vi.is_waiting(),
        });
        let is_elsewhere = is_over_screen || is_searching || self.conversation.focus().is_some();
        let keyboard = if is_listing && !is_over_screen {
            Keyboard::Busy
        } else if is_empty && !is_elsewhere && self.is_at_rest() {
            Keyboard::Ready
        } else {
            Keyboard::Away
        };
        KeyboardState {
            keyboard,
            escape_is_taken: is_over_screen || is_listing || is_searching || vi_takes_escape,
        }
    }

    /// Whether something on screen changes with the clock soon.
    pub fn is_animated(&self) -> bool {
        self.activity.is_busy() || self.toast.is_some() || self.composer.is_waiting()
    }

    /// When something on screen changes with the clock although nothing happens; `None`:
    /// never, and nothing needs to wake up.
    pub fn next_change(&self) -> Option<Duration> {
        // Lists say how old things are.
        let aging = (!self.overlays.is_empty()).then_some(AGES);
        let counting = self.reading().cache_changes_in();
        // The hints of a question say whose the keys are.
        let resting = self.rest_left().filter(|_| self.has_question());
        aging.into_iter().chain(counting).chain(resting).min()
    }
}
