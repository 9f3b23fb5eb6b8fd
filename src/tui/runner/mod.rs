//! The loop: waits for the terminal, the agent and the clock, lets `update` decide,
//! carries effects out, and draws when something changed. The only part of the interface
//! that does I/O.

mod clipboard;
mod effects;
mod files;
mod questions;
mod screen;
mod stage;
mod themes;

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io::{BufWriter, Stdout, stdout};
use std::path::{Path, PathBuf};
use std::task::Poll;
use std::time::{Duration, Instant};

use crossterm::event::EventStream;
use futures::StreamExt;
use tokio::sync::mpsc;

use super::composer::{Composer, Draft, Vi};
use super::effect::Effect;
use super::frame::FrameClock;
use super::input::Input;
use super::keymap::Keymap;
use super::model::{Look, Model, Place};
use super::msg::Msg;
use super::terminal;
use super::terminal::{EndSignal, Line, TerminalGuard, TerminalOptions, ended_by_signal};
use super::theme::ColorDepth;
use super::{update, view};
use crate::agent::{
    AgentEvent, Handle, Kept, Op, ReturnedInput, SessionEvent, SessionOp, TurnEvent,
};
use crate::clock::{self, Clock};
use crate::config::{NotifyWhen, Paths, TrustedDirs};

use questions::Questions;
use screen::Screen;
use stage::Stage;
use themes::Watch;

pub use files::{load_history, named_file, read_image};

/// How often the clock is read while something moves.
const ANIMATION: Duration = Duration::from_millis(100);
/// The longest sleep: nothing on screen changes by itself.
const IDLE: Duration = Duration::from_hours(24);
/// How often the file of the user's own theme is looked at, while it is in use.
const WATCH: Duration = Duration::from_secs(1);
/// Messages that are handled before a frame gets its turn.
const BURST: usize = 512;
/// How long the agent may take to finish when the user leaves.
const FAREWELL: Duration = Duration::from_secs(8);
/// Bytes of output that are collected before they are written; a full repaint fits.
const FRAME_BYTES: usize = 64 * 1024;
/// Results of background work that may wait.
const RESULTS: usize = 16;

/// What the interface starts with.
#[derive(Clone, Debug)]
pub struct TuiOptions {
    /// Name of the theme; `auto` for dark or light.
    pub theme_name: String,
    /// Whether the terminal's background is dark, when the environment says so.
    pub is_dark: Option<bool>,
    /// Colours that the terminal can show.
    pub color_depth: ColorDepth,
    /// Whether wheel and clicks come to us.
    pub mouse: bool,
    /// What the keys do.
    pub keymap: Keymap,
    /// When to call the user from another window.
    pub notify: NotifyWhen,
    /// How the terminal is called, and its title set.
    pub line: Line,
    /// Whether the window's title is ours.
    pub title: bool,
    /// Whether the composer has the modes of vi.
    pub vi: bool,
    /// What was sent in earlier sessions, oldest first.
    pub history: Vec<String>,
    /// Where it is kept; `None` keeps it in memory.
    pub history_path: Option<PathBuf>,
    /// Where drafts are kept, one for each session; `None` keeps none.
    pub drafts_dir: Option<PathBuf>,
    /// The name of the draft of a session in which nothing was said yet.
    pub new_draft: String,
    /// The workspace.
    pub cwd: PathBuf,
    /// A message to send at once.
    pub first_prompt: Option<String>,
    /// Whether to offer the introduction.
    pub offers_tour: bool,
    /// The user's own themes.
    pub themes_dir: Option<PathBuf>,
    /// Where the user's own commands are.
    pub paths: Paths,
    /// Folders whose projects may choose a model.
    pub trusted: TrustedDirs,
    /// The home directory, written as `~`.
    pub home: Option<PathBuf>,
}

/// Starts the agent of a practice session.
pub type Practice = Box<dyn Fn() -> Handle + Send>;

/// Names the session for the lines that are left behind.
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
    pub kept: Option<Kept>,
    /// Messages and commands that waited, and are in the session's draft now.
    pub unsent: usize,
}

/// Runs the interface until the user leaves or the agent is gone. The terminal is given
/// back in either case.
pub async fn run(
    options: TuiOptions,
    practice: Practice,
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
    let screen = Screen::new(out);
    let (results, done) = mpsc::channel(RESULTS);
    let mut runner = Runner {
        model: model(&options),
        options,
        guard,
        screen,
        input: Some(EventStream::new()),
        ops,
        outbox: VecDeque::new(),
        events,
        results,
        done,
        frames: FrameClock::new(),
        titled: String::new(),
        watch: None,
        watch_at: clock::instant() + WATCH,
        questions: Questions::new(|name| std::env::var(name).ok()),
        practice,
        behind: None,
        is_leaving: false,
    };
    let mut model = std::mem::take(&mut runner.model);
    runner.load_highlighter(&mut model);
    runner.model = model;
    runner.watch = Watch::of(&runner.options, &runner.options.theme_name);
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
    Ok(runner.farewell(signal).await)
}

fn model(options: &TuiOptions) -> Model {
    let mut model = Model {
        now: Clock::default().now(),
        place: Place {
            zone: jiff::tz::TimeZone::system(),
            home: options.home.clone(),
        },
        look: Look {
            theme_names: themes::names(options),
            ..Look::default()
        },
        keymap: options.keymap.clone(),
        composer: Composer::new(Draft::default(), options.history.clone()),
        ..Model::default()
    };
    model.attention.when = options.notify;
    model.composer.vi = options.vi.then(Vi::default);
    model.session.cwd.clone_from(&options.cwd);
    match themes::load(options, &options.theme_name, options.is_dark) {
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
    ops: mpsc::Sender<Op>,
    /// What the bounded channel had no room for: the screen never waits for the agent.
    outbox: VecDeque<Op>,
    events: mpsc::Receiver<AgentEvent>,
    results: mpsc::Sender<Msg>,
    done: mpsc::Receiver<Msg>,
    frames: FrameClock,
    /// The window's title as it was written last.
    titled: String,
    /// The theme file that is followed.
    watch: Option<Watch>,
    /// When to look at it.
    watch_at: Instant,
    questions: Questions,
    practice: Practice,
    /// The user's own conversation, while another one is in front of it.
    behind: Option<Stage>,
    is_leaving: bool,
}

/// Why the loop woke up.
enum Woken {
    By(Msg),
    Sent,
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
        while let Ok(event) = self.events.try_recv() {
            self.handle(Msg::Agent(event));
        }
        if first_prompt.is_none() && self.model.session.entries.is_empty() {
            self.load_draft();
        }
        self.model.offers_tour = self.options.offers_tour;
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
            // Behind the first frame: nobody waits for an answer.
            self.questions.ask(&self.options)?;
        }
        let first = self.wait().await;
        self.handle(Msg::Tick(Clock::default().now()));
        match first {
            Woken::By(msg) => self.handle(msg),
            Woken::Sent => {}
            Woken::Clock => self.on_clock(),
            Woken::Watch => self.on_watch(),
            Woken::AgentGone | Woken::InputGone => self.is_leaving = true,
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

    async fn wait(&mut self) -> Woken {
        let change = self.model.next_change().unwrap_or(IDLE);
        let pause = if self.model.is_animated() {
            change.min(ANIMATION)
        } else {
            change
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
        tokio::select! {
            biased;
            event = input => match event {
                Some(Ok(event)) => match self.questions.sift(event, clock::instant()) {
                    Some(input) => Woken::By(Msg::Input(input)),
                    None => Woken::Sent,
                },
                Some(Err(_)) | None => Woken::InputGone,
            },
            permit = self.ops.reserve(), if !self.outbox.is_empty() => match (permit, self.outbox.pop_front()) {
                (Ok(permit), Some(op)) => {
                    permit.send(op);
                    Woken::Sent
                }
                _ => Woken::AgentGone,
            },
            event = self.events.recv() => event.map_or(Woken::AgentGone, |event| Woken::By(Msg::Agent(event))),
            Some(msg) = self.done.recv() => Woken::By(msg),
            () = tokio::time::sleep_until(self.watch_at.into()), if self.watch.is_some() => Woken::Watch,
            () = tokio::time::sleep_until(wake.into()) => Woken::Clock,
        }
    }

    /// What else is there without waiting; keys first.
    async fn more(&mut self) -> Option<Msg> {
        if let Some(input) = self.more_input().await {
            return Some(Msg::Input(input));
        }
        if let Ok(msg) = self.done.try_recv() {
            return Some(msg);
        }
        self.events.try_recv().ok().map(Msg::Agent)
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
            _ => {
                self.frames.request(clock::instant());
            }
        }
        let is_opened = matches!(
            msg,
            Msg::Agent(AgentEvent::Session(SessionEvent::Opened(_)))
        );
        // The practice session is on no disk: what is behind it is worth finding again.
        if let Msg::Agent(AgentEvent::Session(SessionEvent::Opened(info))) = &msg
            && self.behind.is_none()
        {
            terminal::note_session(&info.id, info.path.clone());
        }
        let before = self.draft_path();
        let is_practice = self.behind.is_some();
        let effects = update::update(&mut self.model, msg);
        self.perform(effects);
        if !is_practice && self.behind.is_none() {
            self.move_draft(before.as_deref());
        }
        if is_opened && !self.model.session.entries.is_empty() {
            self.load_draft();
        }
    }

    /// Where the draft of the open session is kept. As long as nothing was said in it, the
    /// session is not on disk and could not be found again: its directory's draft counts.
    /// Of a session that is not kept nothing is kept.
    fn draft_path(&self) -> Option<PathBuf> {
        let session = &self.model.session;
        let name = if session.entries.is_empty() {
            &self.options.new_draft
        } else {
            session.path.as_ref()?;
            &session.id
        };
        files::draft_file(self.options.drafts_dir.as_deref()?, name)
    }

    /// What stands in the composer goes along into another session, or into the file that
    /// this one has now: it is kept in one place, so that it comes back in one session only.
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
        self.watch_at = clock::instant() + WATCH;
        let changed = self.watch.as_mut().is_some_and(Watch::has_changed);
        if let Some(name) = self
            .watch
            .as_ref()
            .filter(|_| changed)
            .map(|it| it.name.clone())
        {
            self.load_theme(&name);
        }
    }

    /// The terminal said what its background is: then it has said before whether it speaks
    /// the kitty keyboard protocol.
    fn on_answer(&mut self, is_dark: bool) -> std::io::Result<()> {
        self.options.is_dark = Some(is_dark);
        if themes::is_automatic(&self.options.theme_name) {
            let name = self.options.theme_name.clone();
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
        if std::mem::take(&mut self.model.wants_clear) || was_lost {
            self.screen.lose();
            // Whoever had the terminal meanwhile may have named the window.
            self.titled.clear();
        }
        self.name_window()?;
        let model = &mut self.model;
        self.screen
            .draw(|area, buffer| view::frame(model, area, buffer))?;
        self.frames.drawn(clock::instant());
        Ok(())
    }

    /// Says in the window's title what goes on, when that changed.
    fn name_window(&mut self) -> std::io::Result<()> {
        if !self.options.title {
            return Ok(());
        }
        let title = view::title(&self.model);
        if title != self.titled {
            self.screen.queue(&self.options.line.title(&title))?;
            self.titled = title;
        }
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
            .outbox
            .into_iter()
            .chain([Op::Session(SessionOp::Shutdown)])
            .collect();
        let end = wait_for_end(self.ops, self.events, last).await;
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

/// What the agent said at its end.
#[derive(Debug, Default)]
pub(super) struct LastWords {
    /// How much of the session is on disk; `None` when it was not said in time.
    pub kept: Option<Kept>,
    /// Messages and commands that waited and were not begun.
    pub returned: Vec<ReturnedInput>,
}

/// Sends the last ops and lets the agent finish; answers with what it said in time.
pub(super) async fn wait_for_end(
    ops: mpsc::Sender<Op>,
    mut events: mpsc::Receiver<AgentEvent>,
    last: Vec<Op>,
) -> LastWords {
    let mut words = LastWords::default();
    let finish = async {
        for op in last {
            // One that is gone may have said how it ended.
            if ops.send(op).await.is_err() {
                break;
            }
        }
        drop(ops);
        while let Some(event) = events.recv().await {
            match event {
                AgentEvent::Session(SessionEvent::Ended(end)) => words.kept = Some(end),
                AgentEvent::Turn(TurnEvent::InputReturned(inputs)) => words.returned.extend(inputs),
                _ => {}
            }
        }
    };
    let _ = tokio::time::timeout(FAREWELL, finish).await;
    words
}
