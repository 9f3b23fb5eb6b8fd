//! The loop: waits for the terminal, the agent and the clock, lets `update` decide,
//! carries effects out, and draws when something changed. The only part of the interface
//! that does I/O.

mod clipboard;
mod effects;
mod files;
mod link;
mod practice;
mod questions;
mod screen;
mod themes;
mod window;

use std::future::poll_fn;
use std::io::{BufWriter, Stdout, stdout};
use std::path::{Path, PathBuf};
use std::task::Poll;
use std::time::Duration;

use crossterm::event::EventStream;
use futures::StreamExt;
use tokio::sync::mpsc;

use super::composer::{Composer, Draft, Vi};
use super::effect::Effect;
use super::frame::FrameClock;
use super::input::Input;
use super::keymap::Keymap;
use super::model::{Appearance, DrawingStyle, Model, UserLocale};
use super::msg::Msg;
use super::terminal;
use super::terminal::{
    EndSignal, Line, TerminalExtras, TerminalGuard, TerminalOptions, ended_by_signal,
};
use super::{update, view};
use crate::agent::{
    AgentEvent, AgentHandle, Op, ReturnedInput, SaveOutcome, SessionEvent, SessionOp, TurnEvent,
};
use crate::clock::{self, Clock};
use crate::config::{CommandSources, NotifyWhen};

use link::AgentLink;
use practice::ChatSession;
use questions::TerminalQuestions;
use screen::Screen;
use themes::ThemeWatcher;
use window::WindowState;

pub use files::{InputFiles, load_history, named_file, read_image};
pub use themes::ThemeOptions;

/// How often the clock is read while something moves.
const ANIMATION: Duration = Duration::from_millis(100);
/// How often where motion is reduced.
const CALM_ANIMATION: Duration = Duration::from_secs(1);
/// The longest sleep: nothing on screen changes by itself.
const IDLE: Duration = Duration::from_hours(24);
/// Messages that are handled before a frame gets its turn.
const BURST: usize = 512;
/// How long the agent may take to finish when the user leaves.
const FAREWELL: Duration = Duration::from_secs(8);
/// Bytes of output that are collected before they are written; a full repaint fits.
const FRAME_BYTES: usize = 64 * 1024;
/// Results of background work that may wait.
const RESULTS: usize = 16;

/// The start values of the interface.
#[derive(Clone, Debug)]
pub struct TuiOptions {
    /// The theme, and where others are.
    pub theme: ThemeOptions,
    /// The input history, and its files.
    pub input: InputFiles,
    /// Whether the program gets wheel and clicks.
    pub mouse: bool,
    /// The keymap.
    pub keymap: Keymap,
    /// When to call the user from another window.
    pub notify: NotifyWhen,
    /// How the terminal is called, and its title set.
    pub line: Line,
    /// Whether the window's title is ours.
    pub title: bool,
    /// Whether the composer has the modes of vi.
    pub vi: bool,
    /// How it is drawn, and with what of the terminal.
    pub look: ScreenLook,
    /// The workspace.
    pub cwd: PathBuf,
    /// A message to send at once.
    pub first_prompt: Option<String>,
    /// Whether to offer the introduction.
    pub offers_tour: bool,
    /// Where the user's own commands and skills come from.
    pub own: CommandSources,
    /// The home directory, written as `~`.
    pub home: Option<PathBuf>,
}

/// How the screen is drawn, and with what of the terminal.
#[derive(Clone, Debug, Default)]
pub struct ScreenLook {
    /// What moves, and how wide text and diffs are.
    pub drawing: DrawingStyle,
    /// What the terminal can do beyond cells.
    pub extras: TerminalExtras,
    /// The machine's name, for links to its files; may be empty.
    pub host: String,
}

/// Starts the agent of a practice session.
pub type PracticeStarter = Box<dyn Fn() -> AgentHandle + Send>;

/// Names the session for the lines that stay in the terminal after the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExitSummary {
    /// The id, for the command that resumes it.
    pub session_id: String,
    /// The name; may be empty.
    pub session_name: String,
    /// The file; `None` in memory.
    pub path: Option<PathBuf>,
    /// Whether nothing was said.
    pub is_empty: bool,
    /// The signal that ended it, when one did.
    pub signal: Option<EndSignal>,
    /// How much of it is on disk; `None` when the agent did not say in time.
    pub kept: Option<SaveOutcome>,
    /// Messages and commands that waited, and are in the session's draft now.
    pub unsent: usize,
}

/// Runs the interface until the user leaves or the agent is gone. The terminal is given
/// back in either case.
pub async fn run(
    options: TuiOptions,
    practice: PracticeStarter,
    ops: mpsc::Sender<Op>,
    events: mpsc::Receiver<AgentEvent>,
) -> anyhow::Result<ExitSummary> {
    let guard = TerminalGuard::enter(TerminalOptions {
        mouse: options.mouse,
        title: options.title && options.line.has_title(),
        kitty_keyboard: terminal::speaks_kitty_keyboard(|name| std::env::var(name).ok()),
    })?;
    // One write a frame: a frame in pieces can be seen.
    let out = BufWriter::with_capacity(FRAME_BYTES, stdout());
    let mut screen = Screen::new(out);
    screen.use_links(options.look.extras.links);
    let (results, done) = mpsc::channel(RESULTS);
    let mut runner = Runner {
        model: model(&options),
        options,
        guard,
        screen,
        input: Some(EventStream::new()),
        agent: AgentLink::new(ops, events),
        results,
        done,
        frames: FrameClock::new(),
        window: WindowState::default(),
        theme_watcher: ThemeWatcher::default(),
        questions: TerminalQuestions::new(|name| std::env::var(name).ok()),
        practice,
        waiting_chat: None,
        is_leaving: false,
    };
    let mut model = std::mem::take(&mut runner.model);
    runner.load_highlighter(&mut model);
    runner.model = model;
    runner.theme_watcher.follow(&runner.options.theme);
    runner.begin();
    let mut signal = None;
    let mut signals = std::pin::pin!(ended_by_signal());
    while !runner.is_leaving {
        tokio::select! {
            biased;
            ended = &mut signals => {
                signal = ended.ok();
                break;
            }
            stepped = runner.step() => stepped?,
        }
    }
    Ok(Box::pin(runner.farewell(signal)).await)
}

fn model(options: &TuiOptions) -> Model {
    let mut model = Model {
        now: Clock::default().now(),
        look: Appearance {
            theme_names: themes::names(&options.theme),
            locale: UserLocale {
                zone: jiff::tz::TimeZone::system(),
                home: options.home.clone(),
                host: options.look.host.clone(),
            },
            drawing: options.look.drawing,
            ..Appearance::default()
        },
        keymap: options.keymap.clone(),
        composer: Composer::new(Draft::default(), options.input.history.clone()),
        ..Model::default()
    };
    model.attention.when = options.notify;
    model.composer.vi = options.vi.then(Vi::default);
    model.session.cwd.clone_from(&options.cwd);
    match themes::load(&options.theme, &options.theme.name) {
        Ok(loaded) => {
            model.look.theme = *loaded.theme;
            if let Some(warning) = loaded.warnings.first() {
                model.say(crate::agent::NoticeLevel::Warning, warning);
            }
        }
        Err(reason) => model.say(crate::agent::NoticeLevel::Warning, reason),
    }
    model
}

struct Runner {
    model: Model,
    options: TuiOptions,
    guard: TerminalGuard,
    screen: Screen<BufWriter<Stdout>>,
    /// `None` while an editor has the terminal.
    input: Option<EventStream>,
    agent: AgentLink,
    results: mpsc::Sender<Msg>,
    done: mpsc::Receiver<Msg>,
    frames: FrameClock,
    /// What the window was told last.
    window: WindowState,
    theme_watcher: ThemeWatcher,
    questions: TerminalQuestions,
    practice: PracticeStarter,
    /// The user's own conversation, while a practice session is shown instead.
    waiting_chat: Option<ChatSession>,
    is_leaving: bool,
}

/// Why the loop woke up.
enum WakeReason {
    By(Box<Msg>),
    /// Nothing happened that the model has to know.
    Nothing,
    Clock,
    /// Time to look at the theme's file.
    Watch,
    AgentGone,
    InputGone,
}

impl Runner {
    fn begin(&mut self) {
        self.perform(vec![Effect::ReadCommands { line: None }]);
        let first_prompt = self.options.first_prompt.clone();
        let effects = update::start(&mut self.model, first_prompt.as_deref());
        self.perform(effects);
        // A session that is open already is part of the first frame.
        while let Ok(event) = self.agent.events.try_recv() {
            self.handle(Msg::Agent(event));
        }
        if first_prompt.is_none() && self.model.session.published.is_empty() {
            self.load_draft();
        }
        self.model.introduction.is_offered = self.options.offers_tour;
        let is_explained = self.options.own.paths.legend_file().exists();
        self.model.introduction.explains_gauge = !is_explained;
        self.frames.request(clock::instant());
    }

    /// Code has colours as soon as its grammars are loaded, which begins when they are wanted.
    fn load_highlighter(&self, model: &mut Model) {
        let redraw = self.results.clone();
        model.look.highlighter.load_on_demand(move || {
            // When there is no room, something else is about to be drawn.
            let _ = redraw.try_send(Msg::Warmed);
        });
    }

    /// Waits for something, handles it with all that came along, draws when it is time.
    async fn step(&mut self) -> anyhow::Result<()> {
        if self.frames.is_due(clock::instant()) {
            self.draw()?;
            // After the first frame: nobody waits for an answer.
            self.questions.ask(&self.options.theme)?;
        }
        let first = self.wait().await;
        self.handle(Msg::Tick(Clock::default().now()));
        match first {
            WakeReason::By(msg) => self.handle(*msg),
            WakeReason::Nothing => {}
            WakeReason::Clock => self.on_clock(),
            WakeReason::Watch => self.on_watch(),
            WakeReason::AgentGone | WakeReason::InputGone => self.is_leaving = true,
        }
        for _ in 0..BURST {
            let Some(msg) = self.more().await else { break };
            self.handle(msg);
        }
        if let Some(is_dark) = self.questions.take_answer() {
            self.on_answer(is_dark)?;
        }
        Ok(())
    }

    async fn wait(&mut self) -> WakeReason {
        let change = self.model.next_change().unwrap_or(IDLE);
        let pause = if !self.model.is_animated() {
            change
        } else if self.model.look.drawing.is_calm() {
            change.min(CALM_ANIMATION)
        } else {
            change.min(ANIMATION)
        };
        let wake = self
            .frames
            .due()
            .unwrap_or_else(|| clock::instant() + pause);
        let wake = self.questions.release_at().map_or(wake, |at| wake.min(at));
        let input = async {
            match &mut self.input {
                Some(input) => input.next().await,
                None => std::future::pending().await,
            }
        };
        let AgentLink {
            ops,
            backlog,
            events,
        } = &mut self.agent;
        let watch_at = self.theme_watcher.due.into();
        let is_watching = self.theme_watcher.is_watching();
        tokio::select! {
            biased;
            event = input => match event {
                Some(Ok(event)) => match self.questions.sift(event, clock::instant()) {
                    Some(input) => WakeReason::By(Box::new(Msg::Input(input))),
                    None => WakeReason::Nothing,
                },
                Some(Err(_)) | None => WakeReason::InputGone,
            },
            permit = ops.reserve(), if !backlog.is_empty() => match (permit, backlog.pop_front()) {
                (Ok(permit), Some(op)) => {
                    permit.send(op);
                    WakeReason::Nothing
                }
                (Err(_), _) | (_, None) => WakeReason::AgentGone,
            },
            event = events.recv() => event.map_or(WakeReason::AgentGone, |event| WakeReason::By(Box::new(Msg::Agent(event)))),
            Some(msg) = self.done.recv() => WakeReason::By(Box::new(msg)),
            () = tokio::time::sleep_until(watch_at), if is_watching => WakeReason::Watch,
            () = tokio::time::sleep_until(wake.into()) => WakeReason::Clock,
        }
    }

    /// The next message that is there without waiting; keys first.
    async fn more(&mut self) -> Option<Msg> {
        if let Some(input) = self.more_input().await {
            return Some(Msg::Input(input));
        }
        if let Ok(msg) = self.done.try_recv() {
            return Some(msg);
        }
        self.agent.events.try_recv().ok().map(Msg::Agent)
    }

    /// The stream remembers whoever polled it first while it was empty, and wakes nobody
    /// else: it must only ever be polled with this task's own waker.
    async fn more_input(&mut self) -> Option<Input> {
        let now = clock::instant();
        if let Some(input) = self.questions.released(now) {
            return Some(input);
        }
        let (stream, questions) = (self.input.as_mut()?, &mut self.questions);
        poll_fn(|context| {
            while let Poll::Ready(Some(Ok(event))) = stream.poll_next_unpin(context) {
                if let Some(input) = questions.sift(event, now) {
                    return Poll::Ready(Some(input));
                }
            }
            Poll::Ready(None)
        })
        .await
    }

    fn handle(&mut self, msg: Msg) {
        match msg {
            Msg::Tick(_) => {}
            Msg::Input(_) => {
                self.frames.request_for_key(clock::instant());
            }
            Msg::Agent(_)
            | Msg::Files(_)
            | Msg::Edited(..)
            | Msg::Attached(..)
            | Msg::Commands(..)
            | Msg::Draft(_)
            | Msg::Theme(_)
            | Msg::Warmed
            | Msg::Failed(_) => {
                self.frames.request(clock::instant());
            }
        }
        let is_opened = matches!(
            msg,
            Msg::Agent(AgentEvent::Session(SessionEvent::Opened(_)))
        );
        // The practice session is on no disk: only the user's own can be found again.
        if let Msg::Agent(AgentEvent::Session(SessionEvent::Opened(info))) = &msg
            && self.waiting_chat.is_none()
        {
            terminal::note_session(&info.id, info.path.clone());
        }
        let before = self.draft_path();
        let is_practice = self.waiting_chat.is_some();
        let effects = update::update(&mut self.model, msg);
        self.perform(effects);
        if !is_practice && self.waiting_chat.is_none() {
            self.move_draft(before.as_deref());
        }
        if is_opened && !self.model.session.published.is_empty() {
            self.load_draft();
        }
    }

    /// Where the draft of the open session is kept. As long as nothing was said in it, the
    /// session is not on disk and could not be found again: its directory's draft counts.
    /// Of a session that is not kept nothing is kept.
    fn draft_path(&self) -> Option<PathBuf> {
        let session = &self.model.session;
        let name = if session.published.is_empty() {
            &self.options.input.new_draft
        } else {
            session.path.as_ref()?;
            &session.id
        };
        files::draft_file(self.options.input.drafts_dir.as_deref()?, name)
    }

    /// Takes the composer's text along into another session, or into the file that this one
    /// has now: it is kept in one place, so that it comes back in one session only.
    fn move_draft(&mut self, before: Option<&Path>) {
        let after = self.draft_path();
        let composer = &mut self.model.composer;
        if after.as_deref() == before || composer.buffer.is_empty() {
            return;
        }
        // Another process of this directory may have written there since.
        let kept = before.and_then(files::load_draft);
        if kept.is_some_and(|kept| kept == *composer.kept()) {
            files::save_draft(before, &Draft::default());
        }
        let draft = Draft::of(&composer.buffer);
        files::save_draft(after.as_deref(), &draft);
        composer.note_kept(draft);
    }

    /// Brings back what was being written in the session.
    fn load_draft(&mut self) {
        let path = self.draft_path();
        if let Some(draft) = path.and_then(|path| files::load_draft(&path)) {
            self.handle(Msg::Draft(draft));
        }
    }

    /// Nothing happened but time: what moves or counts is drawn again.
    fn on_clock(&mut self) {
        self.frames.request(clock::instant());
    }

    /// The user's theme file may have been written. Nothing is drawn when it was not.
    fn on_watch(&mut self) {
        if let Some(name) = self.theme_watcher.changed_theme() {
            self.load_theme(&name);
        }
    }

    /// The terminal said what its background is: then it has said before whether it speaks
    /// the kitty keyboard protocol.
    fn on_answer(&mut self, is_dark: bool) -> std::io::Result<()> {
        self.options.theme.is_dark = Some(is_dark);
        if themes::is_automatic(&self.options.theme.name) {
            let name = self.options.theme.name.clone();
            self.load_theme(&name);
        }
        if self.questions.wants_keyboard() {
            // The stream holds the reader that the answer is in.
            self.input = None;
            let speaks = crossterm::terminal::supports_keyboard_enhancement();
            self.input = Some(EventStream::new());
            if speaks.unwrap_or(false) {
                self.guard.speak_kitty_keyboard()?;
            }
        }
        Ok(())
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.perform_one(effect);
        }
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let was_lost = self.guard.retake_if_lost()?;
        if std::mem::take(&mut self.model.screens.wants_clear) || was_lost {
            self.screen.lose();
            // Whoever had the terminal meanwhile may have named the window.
            self.window.forget();
        }
        self.tell_window()?;
        let began = clock::instant();
        let model = &mut self.model;
        self.screen
            .draw(|area, buffer| view::frame(model, area, buffer))?;
        let now = clock::instant();
        self.frames.drawn(now, now.duration_since(began));
        Ok(())
    }

    /// Gives the terminal back and lets the agent finish.
    async fn farewell(mut self, signal: Option<EndSignal>) -> ExitSummary {
        self.end_tour();
        let (draft, draft_path) = (Draft::of(&self.model.composer.buffer), self.draft_path());
        self.input = None;
        drop(self.screen);
        drop(self.guard);
        files::save_draft(draft_path.as_deref(), &draft);
        let mut summary = ExitSummary {
            session_id: self.model.session.id.clone(),
            session_name: self.model.session.name.clone(),
            path: self.model.session.path.clone(),
            is_empty: self.model.conversation.is_empty(),
            signal,
            kept: None,
            unsent: 0,
        };
        let last = self
            .agent
            .backlog
            .into_iter()
            .chain([Op::Session(SessionOp::Shutdown)])
            .collect();
        let end = wait_for_end(self.agent.ops, self.agent.events, last).await;
        summary.kept = end.kept;
        summary.unsent = end.returned.len();
        if !end.returned.is_empty() {
            // What waited is written into the composer of the next start.
            let event = AgentEvent::Turn(TurnEvent::InputReturned(end.returned));
            let _ = update::update(&mut self.model, Msg::Agent(event));
            let draft = Draft::of(&self.model.composer.buffer);
            files::save_draft(draft_path.as_deref(), &draft);
        }
        summary
    }
}

/// The agent's report at its end.
#[derive(Debug, Default)]
pub(super) struct SessionEnd {
    /// How much of the session is on disk; `None` when it was not said in time.
    pub kept: Option<SaveOutcome>,
    /// Messages and commands that waited and were not begun.
    pub returned: Vec<ReturnedInput>,
}

/// Sends the last ops and lets the agent finish; answers with what it said in time.
pub(super) async fn wait_for_end(
    ops: mpsc::Sender<Op>,
    mut events: mpsc::Receiver<AgentEvent>,
    last: Vec<Op>,
) -> SessionEnd {
    let mut words = SessionEnd::default();
    let finish = async {
        for op in last {
            // One that is gone may have said how it ended.
            if ops.send(op).await.is_err() {
                break;
            }
        }
        drop(ops);
        while let Some(event) = events.recv().await {
            if let AgentEvent::Session(SessionEvent::Ended(end)) = event {
                words.kept = Some(end);
            } else if let AgentEvent::Turn(TurnEvent::InputReturned(inputs)) = event {
                words.returned.extend(inputs);
            }
        }
    };
    let _ = tokio::time::timeout(FAREWELL, finish).await;
    words
}
