//! Hooks: commands of the user's configuration that take part at certain moments, with
//! JSON on stdin and stdout. `moments` says what each is told and may answer; `process`
//! runs one. Those of the form that several agents share are run by `run_event`; `calls` and
//! `session_events` say when.
//!
//! Invariant: a hook never blocks the session. One that fails, is slow or says what is no
//! answer is skipped from then on, with a notice, and everything goes on as if it were not there.

mod answer;
mod call_form;
mod calls;
pub(in crate::agent) mod hook;
mod moments;
mod process;
mod run_event;
mod session_events;
mod state;

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::agent::actor::Actor;
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::Notice;
use crate::config::HookEvent;
use crate::engine::text::one_line;
use hook::Hook;

pub(in crate::agent) use calls::CallAdvice;
pub(in crate::agent) use run_event::EventHooks;
pub(in crate::agent) use state::HookState;

pub(in crate::agent) use moments::{CompactionAdvice, HOOK_AUTHOR};

/// Of a parser's complaint, this much is shown.
const COMPLAINT_CHARS: usize = 160;

impl Actor {
    /// The command of a hook that is set and is not skipped.
    fn hook_command(&self, hook: Hook) -> Option<String> {
        if self.hooks.aside.contains(&hook) {
            return None;
        }
        hook.command(&self.setup.settings.hooks).cloned()
    }

    /// Whether a hook wants to be asked before each compaction: then none is prepared ahead.
    pub(super) fn hook_decides_compactions(&self) -> bool {
        self.hook_command(Hook::BeforeCompact).is_some() || self.has_hooks(HookEvent::PreCompact)
    }

    /// Runs a hook; `None` when there is none, or when it failed. No output is the
    /// answer that changes nothing.
    async fn ask_hook<A: DeserializeOwned + Default>(
        &mut self,
        hook: Hook,
        words: Map<String, Value>,
    ) -> Result<Option<A>, TurnStop> {
        let Some(command) = self.hook_command(hook) else {
            return Ok(None);
        };
        let mut all = Map::new();
        all.insert("hook".to_owned(), hook.name().into());
        all.insert("session".to_owned(), self.thread.conversation.id().into());
        let path = self.thread.conversation.path();
        let path = path.map(|path| path.display().to_string());
        all.insert("path".to_owned(), path.into());
        all.insert(
            "model".to_owned(),
            self.model.connection.model.model.to_string().into(),
        );
        all.extend(words);
        let bytes = Value::Object(all).to_string().into_bytes();
        let cwd = self.setup.cwd.clone();
        let limit = Duration::from_secs(self.setup.settings.hooks.timeout_secs);
        let ran = self.wait(async move { process::run(&command, &cwd, bytes, limit).await });
        let answer = ran.await?.and_then(|bytes| understood(&bytes));
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(why) => {
                self.set_hook_aside(hook, &why).await;
                Ok(None)
            }
        }
    }

    /// From here on it is as if the hook were not there.
    async fn set_hook_aside(&mut self, hook: Hook, why: &str) {
        self.hooks.aside.push(hook);
        let name = hook.name();
        let notice = Notice::warning(format!("the hook {name} is ignored: {why}"));
        let hint = format!("correct hooks.{name} in the configuration and restart");
        self.events.notice(notice.with_hint(hint)).await;
    }
}

fn understood<A: DeserializeOwned + Default>(bytes: &[u8]) -> Result<A, String> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(A::default());
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let error = one_line(&error.to_string(), COMPLAINT_CHARS);
        format!("its output is not a valid answer ({error})")
    })
}
