//! Runs the hooks of one event, all at the same time, and says what came of them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use futures::future::join_all;
use regex::Regex;
use serde_json::{Map, Value, json};

use super::answer::{HookText, HookVerdict};
use super::process;
use crate::agent::actor::Actor;
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::Notice;
use crate::config::{ClaudeHooks, EventHook, HookEvent, TrustedDirs, claude_hooks};
use crate::disk::{open, project};
use crate::engine::text::one_line;
use crate::tool::ApprovalMode;

/// Characters by which a hook is named: the beginning of its command.
const NAME_CHARS: usize = 60;
/// Characters of what a hook tells the user.
const MESSAGE_CHARS: usize = 400;
/// A settings file of Claude Code is not larger.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// The settings of Claude Code in a project, and below the home directory.
const CLAUDE_FILE: &str = ".claude/settings.json";
/// Those that a user keeps to themselves in a project.
const CLAUDE_LOCAL_FILE: &str = ".claude/settings.local.json";
/// At the end of a session nobody waits longer for its hooks.
const LONGEST_FAREWELL: Duration = Duration::from_secs(10);

/// Runs the hooks of events.
pub(in crate::agent) struct EventHooks<'a> {
    pub(super) agent: &'a mut Actor,
}

impl<'a> EventHooks<'a> {
    /// Those of an agent.
    pub(in crate::agent) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }

    /// Runs the hooks of an event whose matcher fits one of these names; without names all do.
    /// A stop of the user ends them.
    pub(in crate::agent) async fn run_hooks(
        &mut self,
        event: HookEvent,
        names: &[String],
        words: Value,
    ) -> Result<HookVerdict, TurnStop> {
        let hooks = self.event_hooks(event, names).await;
        if hooks.is_empty() {
            return Ok(HookVerdict::default());
        }
        let bytes = self.hook_words(event, words);
        let cwd = self.agent.setup.cwd.clone();
        let runs = async move { run_all(hooks, &cwd, &bytes, None).await };
        let verdict = self.agent.wait(runs).await?;
        self.tell_hooks(event, &verdict).await;
        Ok(verdict)
    }

    /// [`EventHooks::run_hooks`] where nothing is heard any more, or nobody may stop them.
    pub(in crate::agent) async fn run_last_hooks(&mut self, event: HookEvent, words: Value) {
        let hooks = self.event_hooks(event, &[]).await;
        if hooks.is_empty() {
            return;
        }
        let bytes = self.hook_words(event, words);
        let cwd = self.agent.setup.cwd.clone();
        let verdict = run_all(hooks, &cwd, &bytes, Some(LONGEST_FAREWELL)).await;
        self.tell_hooks(event, &verdict).await;
    }

    /// Starts the hooks of a notification; nobody waits for them.
    pub(in crate::agent) async fn notify_hooks(&mut self, kind: &str, message: &str) {
        let event = HookEvent::Notification;
        let hooks = self.event_hooks(event, &[kind.to_owned()]).await;
        if hooks.is_empty() {
            return;
        }
        let words = json!({"message": message, "notification_type": kind});
        let bytes = self.hook_words(event, words);
        let cwd = self.agent.setup.cwd.clone();
        drop(tokio::spawn(async move {
            run_all(hooks, &cwd, &bytes, None).await
        }));
    }

    async fn event_hooks(&mut self, event: HookEvent, names: &[String]) -> Vec<EventHook> {
        self.read_claude_hooks().await;
        let own = self.agent.setup.settings.hooks.commands.iter();
        let all = own.chain(self.agent.hooks.claude.iter().flatten());
        let mut found: Vec<EventHook> = Vec::new();
        for hook in all.filter(|hook| hook.event == event) {
            let is_known = found.iter().any(|it| it.command == hook.command);
            if !is_known && fits(&hook.matcher, names) {
                found.push(hook.clone());
            }
        }
        found
    }

    /// What every hook is told, and what this event adds.
    fn hook_words(&self, event: HookEvent, words: Value) -> Vec<u8> {
        let path = self.agent.thread.conversation.path();
        let policy = &self.agent.toolbox.policy;
        let mode = match policy.mode() {
            _ if policy.is_plan_mode() => "plan",
            ApprovalMode::Ask | ApprovalMode::ReadOnly => "default",
            ApprovalMode::Edits => "acceptEdits",
            ApprovalMode::All => "bypassPermissions",
        };
        let mut all = Map::new();
        all.insert("hook_event_name".to_owned(), event.name().into());
        all.insert(
            "session_id".to_owned(),
            self.agent.thread.conversation.id().into(),
        );
        let path = path.map(|path| path.display().to_string());
        all.insert("transcript_path".to_owned(), path.into());
        let cwd = self.agent.setup.cwd.display().to_string();
        all.insert("cwd".to_owned(), cwd.into());
        all.insert("permission_mode".to_owned(), mode.into());
        let model = self.agent.model.connection.model.model.to_string();
        all.insert("model".to_owned(), model.into());
        if let Value::Object(words) = words {
            all.extend(words);
        }
        Value::Object(all).to_string().into_bytes()
    }

    /// What hooks tell the user, and which of them failed.
    async fn tell_hooks(&mut self, event: HookEvent, verdict: &HookVerdict) {
        let name = event.name();
        for HookText { hook, text } in &verdict.messages {
            let text = one_line(text, MESSAGE_CHARS);
            let notice = Notice::info(format!("the hook {name} ({hook}) says: {text}"));
            self.agent.events.notice(notice).await;
        }
        for HookText { hook, text } in &verdict.failures {
            let text = format!("the hook {name} ({hook}) failed: {text}");
            if self.agent.hooks.told.insert(text.clone()) {
                let hint = "work continues without its answer; it is run again next time";
                let notice = Notice::warning(text).with_hint(hint);
                self.agent.events.notice(notice).await;
            }
        }
    }

    /// Reads the hooks of Claude Code once: the user's, and those of a project that is trusted.
    async fn read_claude_hooks(&mut self) {
        if !self.agent.setup.settings.hooks.claude || self.agent.hooks.claude.is_some() {
            return;
        }
        let home = self.agent.setup.environment.get("HOME").map(PathBuf::from);
        let trusted = TrustedDirs::new(&self.agent.setup.settings, &self.agent.setup.environment);
        let is_trusted = trusted.holds(&self.agent.setup.cwd);
        let files = claude_files(&self.agent.setup.cwd, home.as_deref(), is_trusted);
        let mut all = Vec::new();
        for (path, read) in files {
            let notice = match read {
                Ok(found) => {
                    let skipped = found.skipped.join(", ");
                    let text = format!("{path}: hooks that are not supported: {skipped}");
                    all.extend(found.hooks);
                    (!found.skipped.is_empty()).then(|| Notice::info(text))
                }
                Err(why) => {
                    let text = format!("the hooks in {path} are not used: {why}");
                    Some(Notice::warning(one_line(&text, MESSAGE_CHARS)))
                }
            };
            if let Some(notice) = notice {
                self.agent.events.notice(notice).await;
            }
        }
        self.agent.hooks.claude = Some(all);
    }
}

impl Actor {
    /// Whether there is a hook of this event at all, as far as they were read.
    pub(super) fn has_hooks(&self, event: HookEvent) -> bool {
        let own = self.setup.settings.hooks.commands.iter();
        let mut all = own.chain(self.hooks.claude.iter().flatten());
        all.any(|hook| hook.event == event)
    }
}

/// The settings files of Claude Code that are there, by the path that is shown.
fn claude_files(
    cwd: &Path,
    home: Option<&Path>,
    is_trusted: bool,
) -> Vec<(String, Result<ClaudeHooks, String>)> {
    let mut files = Vec::new();
    if let Some(path) = home.map(|home| home.join(CLAUDE_FILE))
        && path.is_file()
    {
        let text = open::read_text(&path, MAX_FILE_BYTES).map_err(|error| error.to_string());
        let found = text.and_then(|text| claude_hooks(&text));
        files.push((format!("~/{CLAUDE_FILE}"), found));
    }
    for name in [CLAUDE_FILE, CLAUDE_LOCAL_FILE] {
        let path = cwd.join(name);
        if path.symlink_metadata().is_err() || home.is_some_and(|home| cwd == home) {
            continue;
        }
        if !is_trusted {
            let why = "this project is not trusted (trusted_dirs)".to_owned();
            files.push((name.to_owned(), Err(why)));
            continue;
        }
        let file = project::ProjectFile {
            path: &path,
            folder: cwd,
            root: project::root_of(cwd),
            is_trusted,
        };
        let bytes = file.read(MAX_FILE_BYTES).map_err(|error| error.to_string());
        let found = bytes.and_then(|bytes| claude_hooks(&String::from_utf8_lossy(&bytes)));
        files.push((name.to_owned(), found));
    }
    files
}

/// Runs hooks at the same time; what they want is put together in their order.
async fn run_all(
    hooks: Vec<EventHook>,
    cwd: &Path,
    words: &[u8],
    longest: Option<Duration>,
) -> HookVerdict {
    let mut runs = Vec::with_capacity(hooks.len());
    for hook in &hooks {
        runs.push(run_one(hook, cwd, words, longest));
    }
    let verdicts = join_all(runs).await.into_iter();
    verdicts.fold(HookVerdict::default(), HookVerdict::and)
}

async fn run_one(
    hook: &EventHook,
    cwd: &Path,
    words: &[u8],
    longest: Option<Duration>,
) -> HookVerdict {
    let name = one_line(&hook.command, NAME_CHARS);
    let limit = Duration::from_secs(hook.limit_secs());
    let limit = longest.map_or(limit, |longest| limit.min(longest));
    match process::finish(&hook.command, cwd, words.to_vec(), limit).await {
        Ok(end) => HookVerdict::of(hook.event, &name, &end),
        Err(why) => HookVerdict::failed(&name, &why),
    }
}

/// Whether a matcher fits one of these names: all of the name by a regular expression; what is
/// none is a list of names between bars.
fn fits(matcher: &str, names: &[String]) -> bool {
    let matcher = matcher.trim();
    if matcher.is_empty() || matcher == "*" || names.is_empty() {
        return true;
    }
    match Regex::new(&format!("^(?:{matcher})$")) {
        Ok(pattern) => names.iter().any(|name| pattern.is_match(name)),
        Err(_) => matcher
            .split('|')
            .any(|word| names.iter().any(|name| name == word.trim())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matchers_name_tools_by_either_name() {
        let names = ["Bash".to_owned(), "shell".to_owned()];
        for (matcher, expected) in [
            ("", true),
            ("*", true),
            ("Bash", true),
            ("shell", true),
            ("Edit|Bash", true),
            ("Edit|Write", false),
            ("B.*", true),
            ("Bas", false),
            ("bash", false),
            ("*|Bash", true),
            ("Notebook.*", false),
        ] {
            assert_eq!(fits(matcher, &names), expected, "{matcher}");
        }
        assert!(fits("anything", &[]));
    }

    #[test]
    fn a_project_gives_hooks_only_when_it_is_trusted() {
        let dir = tempfile::tempdir().unwrap();
        let (home, work) = (dir.path().join("home"), dir.path().join("work"));
        let text = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#;
        for folder in [&home, &work] {
            std::fs::create_dir_all(folder.join(".claude")).unwrap();
            std::fs::write(folder.join(CLAUDE_FILE), text).unwrap();
        }
        let found = |is_trusted| -> Vec<(String, bool)> {
            let files = claude_files(&work, Some(&home), is_trusted).into_iter();
            files
                .map(|(path, read)| (path, read.is_ok_and(|found| found.hooks.len() == 1)))
                .collect()
        };
        let shown = |is_used| {
            [
                (format!("~/{CLAUDE_FILE}"), true),
                (CLAUDE_FILE.to_owned(), is_used),
            ]
        };
        assert_eq!(found(false), shown(false));
        assert_eq!(found(true), shown(true));
    }
}
