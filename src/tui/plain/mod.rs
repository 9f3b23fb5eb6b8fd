//! The chat line by line: no screen, no boxes, no cursor movement. For screen readers,
//! simple terminals and whoever wants the conversation in the terminal's own scrollback.
//!
//! The terminal edits the line, so nothing of it is ours to restore. State and commands are
//! those of the screen; no screen opens here: the row of a command says what it does line by
//! line, and `lines` says events and replies in words. Invariant: every line that is printed
//! has been made safe.

mod lines;
mod question;

use std::io::{self, BufRead as _, Write};
use std::path::PathBuf;

use tokio::sync::mpsc;

use super::command::{self, PlainListing, PlainUse};
use super::effect::Effect;
use super::model::{Model, TurnPhase};
use super::msg::Msg;
use super::overlay::inspect::summaries::Summaries;
use super::render::{safe, wrap};
use super::runner::{ExitSummary, named_file, read_image, wait_for_end};
use super::terminal::{EndSignal, Line, asked_to_end, note_session};
use super::update;
use crate::agent::{
    AgentEvent, InterfaceChange, NoticeLevel, Op, Query, QueryReply, SessionEvent, SessionOp,
    SettingOp, TurnEvent, TurnOp,
};
use crate::clock::Clock;
use crate::config::{CommandSources, InterfacePart, NotifyWhen, SettingValue};
use crate::transcript::Timestamp;

use lines::EventNarrator;
use question::PlainQuestion;

/// Typed lines that may wait.
const TYPED_LINES: usize = 64;
/// The prompt comes when nothing else did for so long: what is said about an answer that
/// has just ended does not tear it from what is typed after it.
const PROMPT_AFTER: std::time::Duration = std::time::Duration::from_millis(60);
/// Within this time a second Ctrl-C leaves.
const EXIT_ARMED_MS: i64 = 2_000;

/// The start values of the plain chat.
#[derive(Clone, Debug)]
pub struct PlainOptions {
    /// A message to send at once.
    pub first_prompt: Option<String>,
    /// Where the user's own commands and skills come from.
    pub own: CommandSources,
    /// The workspace.
    pub cwd: PathBuf,
    /// The home directory, for `~`.
    pub home: Option<PathBuf>,
    /// When to call the user.
    pub notify: NotifyWhen,
    /// How the terminal is called.
    pub line: Line,
}

/// Runs the chat until the user leaves or the agent is gone.
pub async fn run(
    options: PlainOptions,
    ops: mpsc::Sender<Op>,
    mut events: mpsc::Receiver<AgentEvent>,
) -> io::Result<ExitSummary> {
    let mut typed = typed_lines();
    let mut interrupt = Box::pin(tokio::signal::ctrl_c());
    let mut ending = std::pin::pin!(asked_to_end());
    let mut signal = None;
    let mut chat = PlainChat::new(options, io::stdout(), terminal_columns);
    let first = chat.options.first_prompt.take();
    chat.begin(first.as_deref())?;
    while !chat.is_leaving {
        for op in std::mem::take(&mut chat.asked) {
            if ops.send(op).await.is_err() {
                chat.is_leaving = true;
            }
        }
        // While a question waits, what is typed answers it, and nothing else.
        tokio::select! {
            biased;
            signal = &mut interrupt => {
                interrupt.set(tokio::signal::ctrl_c());
                chat.on_interrupt(signal.is_ok())?;
            }
            ended = &mut ending => {
                signal = ended.ok();
                chat.is_leaving = true;
            }
            event = events.recv() => match event {
                Some(event) => chat.on_event(event)?,
                None => chat.is_leaving = true,
            },
            line = typed.recv() => match line {
                Some(line) => chat.on_line(&line)?,
                None => chat.is_leaving = true,
            },
            () = tokio::time::sleep(PROMPT_AFTER), if chat.wants_prompt() => chat.prompt()?,
        }
    }
    // What follows is not an answer to the prompt.
    chat.say(&[])?;
    let mut summary = chat.summary(signal);
    let last = std::mem::take(&mut chat.asked).into_iter();
    let end = wait_for_end(
        ops,
        events,
        last.chain([Op::Session(SessionOp::Shutdown)]).collect(),
    )
    .await;
    summary.kept = end.kept;
    if !end.returned.is_empty() {
        // Whoever cannot be told has left.
        let event = AgentEvent::Turn(TurnEvent::InputReturned(end.returned));
        let spoken = chat.speaker.on_event(&event);
        let _ = chat.say(&spoken.lines);
    }
    Ok(summary)
}

/// The typed input, line by line, until the end of the input. Reading blocks, so it has a
/// thread of its own, which ends with the program.
fn typed_lines() -> mpsc::Receiver<String> {
    let (sender, typed) = mpsc::channel(TYPED_LINES);
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    });
    typed
}

/// How wide the terminal is now, where it says so.
fn terminal_columns() -> Option<usize> {
    let (columns, _) = crossterm::terminal::size().ok()?;
    (columns > 0).then_some(usize::from(columns))
}

/// A line as rows that fit, broken at blanks. A word that is wider than the terminal stays
/// whole: there the terminal breaks it, and who copies it gets all of it.
fn rows(line: &str, columns: usize) -> Vec<&str> {
    let mut rows = Vec::new();
    let (mut start, mut end, mut taken) = (0, 0, 0);
    for word in line.split_inclusive(' ') {
        let columns_of_word = wrap::width(word.trim_end());
        let row = line.get(start..end).unwrap_or_default();
        if !row.trim().is_empty() && taken + columns_of_word > columns {
            rows.push(row);
            (start, taken) = (end, 0);
        }
        end += word.len();
        taken += wrap::width(word);
    }
    rows.push(line.get(start..).unwrap_or_default());
    rows
}

/// The conversation as lines, over any writer.
struct PlainChat<W> {
    options: PlainOptions,
    model: Model,
    speaker: EventNarrator,
    question: Option<PlainQuestion>,
    /// The lines before, when each ended in a backslash.
    begun: String,
    asked: Vec<Op>,
    out: W,
    /// Columns of the terminal, where they are known.
    columns: fn() -> Option<usize>,
    /// The last line is the prompt.
    is_prompted: bool,
    armed_until: Option<Timestamp>,
    is_leaving: bool,
}

/// The text printed instead of running a line; `None` when it runs as on the screen.
fn said_instead(model: &Model, text: &str) -> Option<Vec<String>> {
    let line = text.trim().strip_prefix('/')?;
    let (name, arguments) = line.split_once(' ').unwrap_or((line, ""));
    if name.is_empty() || name == "?" {
        return Some(lines::listing(model, PlainListing::Help));
    }
    let command = command::find(name)?;
    if let Some(refusal) = command.plain_refusal(arguments.trim()) {
        return Some(vec![refusal]);
    }
    match command.plain {
        PlainUse::Says(listing) => Some(lines::listing(model, listing)),
        PlainUse::Runs | PlainUse::RunsWith { .. } | PlainUse::NeedsScreen { .. } => None,
    }
}

impl<W: Write> PlainChat<W> {
    fn new(options: PlainOptions, out: W, columns: fn() -> Option<usize>) -> Self {
        let mut model = Model::default();
        model.attention.when = options.notify;
        model.keymap = model.keymap.without_keys();
        Self {
            options,
            model,
            speaker: EventNarrator::default(),
            question: None,
            begun: String::new(),
            asked: Vec::new(),
            out,
            columns,
            is_prompted: false,
            armed_until: None,
            is_leaving: false,
        }
    }

    fn begin(&mut self, first_prompt: Option<&str>) -> io::Result<()> {
        self.tick();
        self.say(&[
            "plimsoll, line by line. Type a message and press Enter. /help lists the commands, \
             Ctrl-C stops an answer, Ctrl-D quits."
                .to_owned(),
        ])?;
        self.perform(vec![Effect::ReadCommands { line: None }])?;
        let effects = update::start(&mut self.model, first_prompt);
        self.perform(effects)
    }

    fn on_event(&mut self, event: AgentEvent) -> io::Result<()> {
        self.tick();
        let spoken = self.speaker.on_event(&event);
        self.say(&spoken.lines)?;
        if let AgentEvent::Session(SessionEvent::Opened(info)) = &event {
            note_session(&info.id, info.path.clone());
        }
        let asks = PlainQuestion::of(&event);
        self.question
            .take_if(|question| question.is_closed_by(&event));
        let is_end = matches!(&event, AgentEvent::Turn(TurnEvent::Finished(_)));
        let mut effects = update::follow_in_lines(&mut self.model, &event);
        if let AgentEvent::Reply { reply, .. } = event {
            effects.extend(self.on_reply(reply));
        }
        if spoken.is_told {
            self.model.status.toast = None;
        }
        self.perform(effects)?;
        if let Some(question) = asks {
            let lines = question.lines();
            self.question = Some(question);
            self.say(&lines)?;
        }
        if is_end && let Some(line) = lines::gauge(&self.model) {
            self.say(&[line])?;
        }
        Ok(())
    }

    fn on_line(&mut self, line: &str) -> io::Result<()> {
        self.tick();
        self.is_prompted = false;
        if let Some(question) = &self.question {
            if let Some(op) = question.answer(line) {
                self.asked.push(op);
                self.question = None;
            } else {
                let choices = question.choices();
                self.say(&choices)?;
            }
            return Ok(());
        }
        if let Some(begun) = line.strip_suffix('\\') {
            self.begun.push_str(begun);
            self.begun.push('\n');
            return Ok(());
        }
        let text = std::mem::take(&mut self.begun) + line;
        if let Some(said) = said_instead(&self.model, &text) {
            self.say(&said)?;
            self.measure_summaries(&text)?;
        } else if !text.trim().is_empty() {
            let effects = update::start(&mut self.model, Some(text.trim_end()));
            self.perform(effects)?;
            self.send_written();
        }
        Ok(())
    }

    /// Asks what each compaction left within reach after they were listed: in a long session
    /// that takes a while.
    fn measure_summaries(&mut self, line: &str) -> io::Result<()> {
        let name = line.trim().trim_start_matches('/');
        let listing = command::find(name).map(|command| command.plain);
        let has_some = Summaries::of(&self.model.scene()).is_some();
        if !matches!(listing, Some(PlainUse::Says(PlainListing::Summaries))) || !has_some {
            return Ok(());
        }
        let effects = self.model.ask_for_screen(Query::Fidelity);
        self.perform(effects)
    }

    /// Ctrl-C: stops what runs; else the second one leaves.
    fn on_interrupt(&mut self, was_heard: bool) -> io::Result<()> {
        self.tick();
        let now = self.model.now;
        if self.model.activity.is_busy() && was_heard {
            self.question = None;
            self.asked.push(Op::Turn(TurnOp::Interrupt));
            return self.say(&["stopping".to_owned()]);
        }
        if !was_heard || self.armed_until.is_some_and(|until| now < until) {
            self.is_leaving = true;
            return Ok(());
        }
        self.armed_until = Some(Timestamp(now.0.saturating_add(EXIT_ARMED_MS)));
        self.begun.clear();
        self.say(&["press Ctrl-C again to quit".to_owned()])
    }

    /// Sends the text that a command writes into the composer unedited: here
    /// the terminal edits, and it has no text to begin with.
    fn send_written(&mut self) {
        if let Some(target) = self.model.outgoing.replaces.take() {
            let (text, images) = self.model.composer.take();
            self.model
                .activity
                .enter(TurnPhase::Sending, self.model.now);
            self.asked.push(Op::Session(SessionOp::Resend {
                target,
                text,
                images,
            }));
        }
    }

    /// The actions after a reply, besides printing it.
    fn on_reply(&mut self, reply: QueryReply) -> Vec<Effect> {
        match reply {
            // There may be some elsewhere.
            QueryReply::Sessions(list) if list.sessions.is_empty() && !list.all => {
                self.model.ask_for_screen(Query::Sessions { all: true })
            }
            QueryReply::Settings(report) => update::tell_setting(&mut self.model, &report),
            QueryReply::Sessions(_)
            | QueryReply::Wire(_)
            | QueryReply::Compaction { .. }
            | QueryReply::Fidelity(_)
            | QueryReply::Foreseen { .. }
            | QueryReply::Rules(_)
            | QueryReply::Permissions(_)
            | QueryReply::Logins(_)
            | QueryReply::Changes(_)
            | QueryReply::RewindPlan(_)
            | QueryReply::Cost(_)
            | QueryReply::Tools(_)
            | QueryReply::Servers(_)
            | QueryReply::Engines(_)
            | QueryReply::Models(_)
            | QueryReply::SessionPeek(_)
            | QueryReply::History(_)
            | QueryReply::Notes(_)
            | QueryReply::Child(_)
            | QueryReply::Recall(_) => Vec::new(),
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        for effect in effects {
            match effect {
                Effect::Send(op) => self.asked.push(op),
                Effect::Quit => self.is_leaving = true,
                Effect::Call(text) => {
                    let call = self.options.line.call(&text);
                    self.out.write_all(call.as_bytes())?;
                }
                Effect::Copy(text) | Effect::Browse(text) => self.say(&[text])?,
                Effect::ReadCommands { line } => {
                    let options = &self.options;
                    let read = command::read_own(&options.own, &options.cwd);
                    for problem in self.model.user_commands.new_problems(&read) {
                        self.say(&[format!("warning: {problem}")])?;
                    }
                    let effects = update::update(&mut self.model, Msg::Commands(read, line));
                    self.perform(effects)?;
                }
                Effect::Attach { path, why } => {
                    let home = self.options.home.as_deref();
                    let image = read_image(&named_file(&path, home, &self.options.cwd));
                    let effects = update::update(&mut self.model, Msg::Attached(why, image));
                    self.perform(effects)?;
                }
                // The agent knows what has no use here, and says so.
                Effect::KeepTheme(name) => {
                    let (key, value) = ("theme".to_owned(), SettingValue::Text(name));
                    self.asked.push(Op::Setting(SettingOp::Set { key, value }));
                }
                Effect::UseInterface(change) => self.use_interface(&change),
                // Nothing is drawn, the terminal edits, and it has its own history.
                Effect::LoadTheme(_)
                | Effect::Suspend
                | Effect::Edit { .. }
                | Effect::ScanFiles
                | Effect::CountMentions { .. }
                | Effect::AttachClipboard
                | Effect::SaveDraft(_)
                | Effect::KeepLegendShown
                | Effect::SaveHistory(_)
                | Effect::BeginTour
                | Effect::EndTour => {}
            }
        }
        let Some(toast) = self.model.status.toast.take() else {
            return Ok(());
        };
        let sign = if toast.level == NoticeLevel::Info {
            ""
        } else {
            "warning: "
        };
        self.say(&[format!("{sign}{}", toast.text)])
    }

    /// A setting of the interface was changed. Of its parts, calling the user is here; the
    /// agent refuses to change the others.
    fn use_interface(&mut self, change: &InterfaceChange) {
        match change.part {
            InterfacePart::NotifyWhen => self.model.attention.when = change.ui.notify_when,
            InterfacePart::NotifyMethod => {
                let variable = |name: &str| std::env::var(name).ok();
                self.options.line = Line::from_env(change.ui.notify_method, variable);
            }
            InterfacePart::Theme
            | InterfacePart::Mouse
            | InterfacePart::Color
            | InterfacePart::Title
            | InterfacePart::ViKeys
            | InterfacePart::Terminal
            | InterfacePart::Drawing => {}
        }
    }

    /// Prints lines of any origin, each made safe.
    fn say(&mut self, lines: &[String]) -> io::Result<()> {
        if (!lines.is_empty() || self.is_leaving) && std::mem::take(&mut self.is_prompted) {
            self.out.write_all(b"\n")?;
        }
        for line in lines {
            let line = safe::visible(line);
            let columns = (self.columns)().unwrap_or(usize::MAX);
            for row in rows(&line, columns) {
                writeln!(self.out, "{}", row.trim_end())?;
            }
        }
        self.out.flush()
    }

    /// Whether it is the user's turn, and nothing says so yet.
    fn wants_prompt(&self) -> bool {
        let is_open = !self.model.session.id.is_empty();
        let is_free = self.question.is_some() || !self.model.activity.is_busy();
        is_open && is_free && !self.is_prompted && !self.is_leaving
    }

    /// Where the user writes.
    fn prompt(&mut self) -> io::Result<()> {
        self.is_prompted = true;
        let prompt = match (&self.question, self.begun.is_empty()) {
            (Some(_), _) => "answer: ",
            (None, true) => "you: ",
            (None, false) => "more: ",
        };
        self.out.write_all(prompt.as_bytes())?;
        self.out.flush()
    }

    fn tick(&mut self) {
        self.model.now = Clock::default().now();
    }

    fn summary(&self, signal: Option<EndSignal>) -> ExitSummary {
        ExitSummary {
            session_id: self.model.session.id.clone(),
            session_name: self.model.session.name.clone(),
            path: self.model.session.path.clone(),
            is_empty: self.model.conversation.is_empty(),
            signal,
            kept: None,
            unsent: 0,
        }
    }
}

#[cfg(test)]
mod tests;
