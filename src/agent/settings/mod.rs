//! Settings while the program runs: listed with their origins, changed for this session,
//! saved, taken back. What a change does at once is in `apply`.
//!
//! Invariant: the settings in force are in range and consistent at every moment, and what
//! is read at the start alone is not among them before the next start.

pub(in crate::agent) mod kept_permissions;
pub(in crate::agent) mod login;
pub(in crate::agent) mod permissions;

mod apply;
mod servers;
mod work_mode;

use crate::agent::actor::Actor;
use crate::agent::protocol::{
    AgentEvent, InterfaceChange, NextStart, QueryId, QueryReply, SettingOutcome, SettingState,
    SettingsReport,
};
use crate::agent::setup::{AgentSetup, SessionSource};
use crate::config::{
    ChangeEffect, ConfigError, InterfaceKind, LivePart, ResolvedSettings, SavedSetting, Setting,
    SettingKind, SettingOrigin, SettingValue, Settings, SettingsFile, SettingsStore, all_settings,
    find, presentable,
};

/// The outcome of a change: a sentence, or why it failed.
type SettingResult = Result<String, ConfigError>;

/// Changes settings, keys and permissions.
pub(in crate::agent) struct SettingActs<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> SettingActs<'a> {
    pub(super) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl SettingActs<'_> {
    /// Says all settings with their origins.
    pub(super) async fn list_settings(&mut self, to: Option<QueryId>) {
        let report = Box::new(self.settings_report(None));
        let reply = QueryReply::Settings(report);
        self.agent.events.reply(to, reply).await;
    }

    /// Uses another value for this session.
    pub(super) async fn set_setting(&mut self, key: &str, value: SettingValue) {
        let changed = self.changed_setting(key, value).await;
        self.report_setting(key, changed).await;
    }

    /// Keeps the value in force in a file.
    pub(super) async fn save_setting(&mut self, key: &str, place: SettingsFile) {
        let changed = self.saved_setting(key, place);
        self.report_setting(key, changed).await;
    }

    /// Takes the setting out of the file that sets it.
    pub(super) async fn reset_setting(&mut self, key: &str) {
        let changed = self.taken_back_setting(key).await;
        self.report_setting(key, changed).await;
    }

    async fn report_setting(&mut self, key: &str, changed: SettingResult) {
        let name = find(key).map_or("", |(setting, _)| setting.key);
        let is_refused = changed.is_err();
        let text = changed.unwrap_or_else(|error| match error.hint {
            Some(hint) => format!("{}; {hint}", error.message),
            None => error.message,
        });
        let interface = interface_change(key, &self.agent.setup.settings);
        let outcome = SettingOutcome {
            key: name,
            text,
            is_refused,
            interface: interface.filter(|_| !is_refused),
        };
        let report = self.settings_report(Some(outcome));
        self.agent
            .events
            .emit(AgentEvent::reply(QueryReply::Settings(Box::new(report))))
            .await;
    }

    fn settings_report(&self, outcome: Option<SettingOutcome>) -> SettingsReport {
        let setup = &self.agent.setup;
        let store = store(setup);
        let state = |setting: &'static Setting| {
            let (value, origin) = self.of_session(setting.key).unwrap_or_else(|| {
                let value = presentable(setting, &setup.settings);
                (value, origin(setup, setting))
            });
            SettingState {
                key: setting.key,
                value,
                origin,
                next_start: setup.provenance.next_start.get(setting.key).cloned(),
            }
        };
        SettingsReport {
            rows: all_settings().map(state).collect(),
            user_file: store.file(SettingsFile::User),
            project_file: store.file(SettingsFile::Project),
            outcome,
        }
    }

    /// The session's value in place of a setting: `/model`, `/think` and `--model` are no
    /// settings, and count more.
    fn of_session(&self, key: &str) -> Option<(SettingValue, SettingOrigin)> {
        let agent = &self.agent.setup.settings.agent;
        match key {
            "model" if agent.model.as_ref() != Some(&self.agent.model.connection.model.model) => {
                let origin = match &self.agent.setup.flags.model {
                    _ if self.agent.model.home_model != self.agent.model.connection.model.model => {
                        SettingOrigin::Session
                    }
                    Some(_) => SettingOrigin::Flag("--model".to_owned()),
                    None => return None,
                };
                Some((
                    SettingValue::Text(self.agent.model.connection.model.model.to_string()),
                    origin,
                ))
            }
            "thinking" if agent.thinking != self.agent.model.thinking => {
                let value = SettingValue::Text(self.agent.model.thinking.name().to_owned());
                Some((value, SettingOrigin::Session))
            }
            _ => None,
        }
    }

    async fn changed_setting(&mut self, key: &str, value: SettingValue) -> SettingResult {
        let setting = known(key)?;
        let value = match value {
            SettingValue::Text(text) => self.absolute(setting, setting.parse_text(&text)),
            value => value,
        };
        let now = ResolvedSettings {
            settings: self.agent.setup.settings.clone(),
            origins: self.agent.setup.provenance.origins.clone(),
            ..ResolvedSettings::default()
        };
        let resolved = now.with_session(setting, value.clone(), &self.agent.setup.cwd)?;
        let text = match setting.applies {
            ChangeEffect::AtStart => self.put_off(setting, &resolved.settings)?,
            ChangeEffect::Live(part) => {
                let remark = self.put_in_force(setting, part, &resolved).await?;
                remark.unwrap_or_else(|| "active for this session".to_owned())
            }
        };
        let setup = std::sync::Arc::make_mut(&mut self.agent.setup);
        setup.provenance.written.insert(setting.key, value);
        Ok(text)
    }

    /// Keeps a value for the next start. Only the full screen can save it from there.
    fn put_off(&mut self, setting: &'static Setting, wanted: &Settings) -> SettingResult {
        if setting.get(wanted) == setting.get(&self.agent.setup.settings) {
            self.expect_at_start(setting, wanted, false);
            return Ok("this value is already active".to_owned());
        }
        if self.agent.setup.interface() != InterfaceKind::Screen {
            let file = store(&self.agent.setup).file(SettingsFile::User);
            let error = ConfigError::new(
                "nothing was changed: this setting is read only at the \
                start",
            );
            return Err(error.with_hint(format!(
                "start with -S {}, or add it to {}",
                as_flag(setting, wanted),
                file.display()
            )));
        }
        self.expect_at_start(setting, wanted, false);
        Ok(
            "not active yet: this setting is read only at the start. Save it, then restart"
                .to_owned(),
        )
    }

    /// Notes what the next start has of a setting, when that is another value than now.
    fn expect_at_start(&mut self, setting: &'static Setting, next: &Settings, is_saved: bool) {
        let is_other = setting.get(next) != setting.get(&self.agent.setup.settings);
        let waiting = &mut std::sync::Arc::make_mut(&mut self.agent.setup)
            .provenance
            .next_start;
        if is_other {
            let value = presentable(setting, next);
            waiting.insert(setting.key, NextStart { value, is_saved });
        } else {
            waiting.remove(setting.key);
        }
    }

    /// A practice session has no files: nothing is kept there.
    pub(in crate::agent) fn keeps_something(&self) -> Result<(), ConfigError> {
        if self.agent.setup.source == SessionSource::Practice {
            let error = ConfigError::new("the practice session saves nothing");
            return Err(error.with_hint("end it with Ctrl-C"));
        }
        Ok(())
    }

    /// A file that is named from here is found from the folder of the configuration, too.
    fn absolute(&self, setting: &Setting, value: SettingValue) -> SettingValue {
        let takes_file = matches!(setting.kind, SettingKind::Prompt | SettingKind::Template);
        match value.as_text().and_then(|text| text.strip_prefix('@')) {
            Some(name) if takes_file => {
                SettingValue::Text(format!("@{}", self.agent.setup.cwd.join(name).display()))
            }
            _ => value,
        }
    }

    fn saved_setting(&mut self, key: &str, place: SettingsFile) -> SettingResult {
        let setting = known(key)?;
        self.keeps_something()?;
        let setup = &self.agent.setup;
        let chosen = self.of_session(setting.key).map(|(value, _)| value);
        let written = chosen.or_else(|| setup.provenance.written.get(setting.key).cloned());
        let value = written.unwrap_or_else(|| setting.get(&setup.settings));
        let saved = store(setup).save(place, setting, &value)?;
        let mut text = said_of(setting, &saved);
        if setting.applies == ChangeEffect::AtStart {
            self.expect_at_start(setting, &saved.resolved.settings, true);
            text.push_str("; active from the next start");
        }
        let setup = std::sync::Arc::make_mut(&mut self.agent.setup);
        let origin = saved.resolved.origin(setting.key);
        let is_in_force = setting.get(&saved.resolved.settings) == setting.get(&setup.settings);
        if is_in_force {
            setup.provenance.written.remove(setting.key);
            setup.provenance.origins.insert(setting.key, origin);
        }
        Ok(text)
    }

    async fn taken_back_setting(&mut self, key: &str) -> SettingResult {
        let setting = known(key)?;
        let setup = &self.agent.setup;
        let (resolved, text) = match store(setup).remove(setting)? {
            Some(saved) => {
                let text = format!("removed from {}", saved.path.display());
                (saved.resolved, text)
            }
            None => (store(setup).resolve()?, "no file sets it".to_owned()),
        };
        let (remark, since) = match setting.applies {
            ChangeEffect::AtStart => {
                self.expect_at_start(setting, &resolved.settings, true);
                (None, "from the next start ")
            }
            ChangeEffect::Live(part) => (self.put_in_force(setting, part, &resolved).await?, ""),
        };
        let setup = std::sync::Arc::make_mut(&mut self.agent.setup);
        setup.provenance.written.remove(setting.key);
        let mut text = match resolved.origin(setting.key) {
            SettingOrigin::Default => format!("{text}; {since}it has its default"),
            origin => format!("{text}; {since}{origin} sets it"),
        };
        if let Some(remark) = remark {
            text.push_str("; ");
            text.push_str(&remark);
        }
        Ok(text)
    }
}

/// The interface's part of a change, if it has one.
fn interface_change(key: &str, settings: &Settings) -> Option<InterfaceChange> {
    match find(key)?.0.applies {
        ChangeEffect::Live(LivePart::Interface(part)) => Some(InterfaceChange {
            part,
            ui: Box::new(settings.ui.clone()),
        }),
        ChangeEffect::AtStart | ChangeEffect::Live(_) => None,
    }
}

/// `KEY=VALUE` as the command line takes it.
fn as_flag(setting: &Setting, settings: &Settings) -> String {
    match presentable(setting, settings) {
        SettingValue::Text(text) => format!("{}={text}", setting.key),
        value => format!("{}={value}", setting.key),
    }
}

fn store(setup: &AgentSetup) -> SettingsStore<'_> {
    SettingsStore {
        paths: &setup.paths,
        cwd: &setup.cwd,
        environment: &setup.environment,
        command_line: &setup.provenance.command_line,
    }
}

fn origin(setup: &AgentSetup, setting: &Setting) -> SettingOrigin {
    let known = setup.provenance.origins.get(setting.key).cloned();
    known.unwrap_or(SettingOrigin::Default)
}

fn known(key: &str) -> Result<&'static Setting, ConfigError> {
    match find(key) {
        Some((setting, _)) => Ok(setting),
        None => Err(ConfigError::unknown_key(&SettingOrigin::Session, key)),
    }
}

fn said_of(setting: &Setting, saved: &SavedSetting) -> String {
    let path = saved.path.display();
    match saved.resolved.origin(setting.key) {
        SettingOrigin::UserFile { path: at, .. } | SettingOrigin::ProjectFile { path: at, .. }
            if at == saved.path =>
        {
            format!("saved in {path}")
        }
        above => format!("saved in {path}, but {above} overrides it"),
    }
}
