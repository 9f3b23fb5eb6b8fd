//! A practice session: a day of somebody else's work, opened in memory with the offline
//! provider, so that whoever is new can try what decides about the context.
//!
//! Invariant: nothing of it reaches the disk, a network, or the user's own sessions, and
//! nothing of the user's (rules, notes, settings, keys) reaches it.

use std::path::Path;

use crate::agent::setup::provenance::SettingOrigins;
use crate::agent::setup::{AgentSetup, RequestSlots, SessionSource, StartFlags};
use crate::clock::Clock;
use crate::config::{EnvironmentVars, Settings, UserPaths};
use crate::context::GateKind;
use crate::tool::TaskTool;
use crate::tool::ToolSources;

/// Where the practice session pretends to be: no such directory is needed.
const PRACTICE_DIR: &str = "/practice";
/// A memory that keeps nothing.
const NO_MEMORY: &str = "none";

/// The log of the practice session.
pub(in crate::agent) const SESSION: &[u8] = include_bytes!("../../../assets/demo-session.jsonl");

impl AgentSetup {
    /// Everything that a practice session is started with.
    pub fn practice(clock: Clock, lanes: RequestSlots) -> Self {
        let mut settings = Settings::default();
        NO_MEMORY.clone_into(&mut settings.agent.memory);
        // Nobody works for a model that only pretends.
        settings.agent.tools.off = vec![TaskTool::NAME.to_owned()];
        // The user is to see it happen, not that it has happened.
        settings.context.prune.gate = GateKind::Off;
        Self {
            settings,
            paths: UserPaths::below(Path::new(PRACTICE_DIR)),
            cwd: PRACTICE_DIR.into(),
            environment: EnvironmentVars::new(),
            source: SessionSource::Practice,
            clock,
            lanes,
            sources: ToolSources::default(),
            servers: std::sync::Arc::default(),
            flags: StartFlags {
                offline: true,
                ..StartFlags::default()
            },
            is_interactive: true,
            is_watched: true,
            child: None,
            provenance: SettingOrigins::default(),
            notices: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{
        AgentEvent, ContextEvent, EnteredKey, Op, QueryReply, SessionEvent, SettingOp, spawn,
    };
    use crate::config::SettingsFile;

    #[tokio::test]
    async fn a_practice_session_keeps_no_setting_and_no_key() {
        let mut handle = spawn(AgentSetup::practice(Clock::default(), RequestSlots::new(1)));
        let save = SettingOp::Save {
            key: "mouse".to_owned(),
            place: SettingsFile::User,
        };
        let login = Op::Setting(SettingOp::Login {
            provider: "groq".to_owned(),
            key: EnteredKey::new("gsk-1").unwrap(),
        });
        handle.ops.send(Op::Setting(save)).await.unwrap();
        handle.ops.send(login).await.unwrap();
        let mut refused = 0;
        while refused < 2 {
            let text = match handle.events.recv().await.expect("two refusals") {
                AgentEvent::Reply {
                    reply: QueryReply::Settings(report),
                    ..
                } => report.outcome.map(|it| it.text),
                AgentEvent::Notice(notice) => Some(notice.text),
                _ => None,
            };
            let text = text.unwrap_or_default();
            refused += usize::from(text.contains("the practice session saves nothing"));
        }
        assert!(!Path::new(PRACTICE_DIR).exists());
    }

    #[tokio::test]
    async fn a_practice_session_is_half_full_and_leaves_nothing() {
        let setup = AgentSetup::practice(Clock::default(), RequestSlots::new(1));
        let mut handle = spawn(setup);
        let mut view = None;
        while view.is_none() {
            match handle
                .events
                .recv()
                .await
                .expect("the practice session opens")
            {
                AgentEvent::Session(SessionEvent::Opened(info)) => {
                    assert_eq!((&info.path, info.read_only.as_ref()), (&None, None));
                    assert!(info.branch.len() > 20);
                }
                AgentEvent::Context(ContextEvent::View(first)) => view = Some(first),
                _ => {}
            }
        }
        let view = view.unwrap();
        let share = view.usage.tokens as f64 / view.window.tokens.unwrap() as f64;
        assert!((0.4..0.8).contains(&share), "{share}");
        assert!(!Path::new(PRACTICE_DIR).exists());
    }
}
