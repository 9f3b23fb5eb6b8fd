//! The program without a terminal: a real agent with the offline provider, and the real
//! update loop and renderer on top of it. Time stands still and ids are counted, so that the
//! same keys give the same screens.

use std::path::PathBuf;

use plimsoll::agent::{
    AgentEvent, AgentHandle, AgentSetup, Clock, ContextEvent, Op, Query, RequestSlots,
    SessionEvent, SessionSource, TurnOp,
};
use plimsoll::config::UserPaths;
use plimsoll::tui::effect::Effect;
use plimsoll::tui::testing::Harness;
use plimsoll::tui::theme::Theme;

use super::film::Frame;
use crate::demo;

/// The screen, in cells.
pub const COLUMNS: u16 = 100;
const ROWS: u16 = 30;
/// Seed of what is random elsewhere.
const SEED: u64 = 7;
/// The directory of the conversation as the screen names it.
const SHOWN_DIR: &str = "/home/ada/ferrytable";

/// An agent with its screen, and the frames so far.
pub struct Stage {
    agent: AgentHandle,
    harness: Harness,
    /// Tokens of the newest view.
    pub tokens: u64,
    /// What is written over the next frames.
    pub caption: String,
    /// The film.
    pub frames: Vec<Frame>,
    _home: tempfile::TempDir,
}

impl Stage {
    /// A copy of the demo session, opened a day later.
    pub async fn open() -> Self {
        let home = tempfile::tempdir().unwrap();
        let session = home.path().join("demo.jsonl");
        std::fs::copy(demo::path(), &session).unwrap();
        let mut setup = AgentSetup::practice(Clock::fake(demo::LATER, SEED), RequestSlots::new(1));
        setup.settings.agent.memory = plimsoll::config::Settings::default().agent.memory;
        // Relative: the path is part of the prompt and must be as long everywhere.
        setup.cwd = PathBuf::from("tests/it/fixtures/ferrytable");
        setup.paths = UserPaths::below(home.path());
        setup.source = SessionSource::File(session);
        let mut harness = Harness::new(COLUMNS, ROWS);
        harness.model.look.theme = Theme::bundled("dark").unwrap();
        harness.model.look.generation += 1;
        harness.wait(demo::LATER.0 - harness.model.now.0);
        harness.take_effects();
        let mut stage = Self {
            agent: plimsoll::agent::spawn(setup),
            harness,
            tokens: 0,
            caption: String::new(),
            frames: Vec::new(),
            _home: home,
        };
        // Until the tables of the tokenizer are loaded it counts roughly.
        let is_counted = |event: &AgentEvent| match event {
            AgentEvent::Context(ContextEvent::View(view)) => view.ruler.name.contains("o200k"),
            _ => false,
        };
        stage.until(is_counted).await;
        stage.settle().await;
        stage
    }

    /// Takes in what the agent says up to a certain event.
    pub async fn until(&mut self, wanted: impl Fn(&AgentEvent) -> bool) {
        loop {
            self.pass_on().await;
            let Some(event) = self.agent.events.recv().await else {
                panic!("the agent ended");
            };
            let is_wanted = wanted(&event);
            self.take_in(event);
            if is_wanted {
                return;
            }
        }
    }

    /// Until everything that was asked so far is done: a question is answered in its turn.
    pub async fn settle(&mut self) {
        self.pass_on().await;
        self.agent.ops.send(Op::query(Query::Cost)).await.unwrap();
        self.until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: plimsoll::agent::QueryReply::Cost(_),
                    ..
                }
            )
        })
        .await;
        self.pass_on().await;
    }

    fn take_in(&mut self, event: AgentEvent) {
        match event {
            AgentEvent::Session(SessionEvent::Opened(mut info)) => {
                info.cwd = SHOWN_DIR.into();
                let event = AgentEvent::Session(SessionEvent::Opened(info));
                self.harness.event(event);
            }
            AgentEvent::Reply { reply, .. } => self.harness.reply(reply),
            event => {
                if let AgentEvent::Context(ContextEvent::View(view)) = &event {
                    self.tokens = view.usage.tokens;
                }
                self.harness.event(event);
            }
        }
    }

    /// What the screen asks for goes to the agent. Drafts are not counted here: how often is a
    /// matter of time.
    async fn pass_on(&mut self) {
        for effect in self.harness.take_effects() {
            match effect {
                Effect::Send(Op::Turn(TurnOp::Draft { .. })) => {}
                Effect::Send(op) => self.agent.ops.send(op).await.unwrap(),
                _ => {}
            }
        }
    }

    /// What the next frames show, in a line.
    pub fn announce(&mut self, caption: &str) {
        caption.clone_into(&mut self.caption);
    }

    /// Keeps the screen as it is now.
    pub fn frame(&mut self, millis: u64) {
        let (mut buffer, cursor) = self.harness.draw();
        if let Some(cell) = cursor.and_then(|at| buffer.cell_mut(at)) {
            cell.modifier.insert(ratatui::style::Modifier::REVERSED);
        }
        self.frames.push(Frame {
            buffer,
            caption: self.caption.clone(),
            millis,
        });
    }

    /// Types a line as a person does, and sends it.
    pub async fn type_line(&mut self, line: &str) {
        const AT_ONCE: usize = 6;
        const MILLIS: u64 = 220;
        let typed: Vec<char> = line.chars().collect();
        for part in typed.chunks(AT_ONCE) {
            self.harness.type_text(&part.iter().collect::<String>());
            self.frame(MILLIS);
        }
        self.frame(2 * MILLIS);
        self.press("enter").await;
    }

    /// Presses a key, and lets the agent hear of it.
    pub async fn press(&mut self, key: &str) {
        self.harness.keys(key);
        self.pass_on().await;
    }

    /// Lets the half second pass after which a question that came by itself hears keys.
    pub fn pause(&mut self) {
        const MILLIS: i64 = 2_000;
        self.harness.wait(MILLIS);
    }

    /// The screen as text.
    pub fn screen(&mut self) -> String {
        self.harness.screen()
    }
}
