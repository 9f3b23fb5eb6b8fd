//! The immediate effects of a setting's new value: one match over the parts of the program,
//! without a wildcard, so that a setting that is said to be in force is so.

use std::sync::Arc;

use crate::agent::files::FileActs;
use crate::agent::sessions::SessionActs;
use crate::agent::settings::SettingActs;
use crate::agent::setup::AgentSetup;
use crate::agent::thread::engine_program::EngineProgram;
use crate::agent::waiting::{WaitingCommand, WaitingWork};
use crate::config::{
    ConfigError, InterfaceKind, InterfacePart, LivePart, NotifyWhen, ResolvedSettings, Setting,
    SettingOrigin, Settings,
};
use crate::tool::{ApprovalPolicy, Grant};

/// What is said of a change in place of "active for this session".
type AppliedRemark = Option<String>;

impl AgentSetup {
    /// The interface of the session.
    pub fn interface(&self) -> InterfaceKind {
        match (self.is_interactive, self.settings.ui.plain) {
            (false, _) => InterfaceKind::Headless,
            (true, true) => InterfaceKind::Plain,
            (true, false) => InterfaceKind::Screen,
        }
    }
}

impl SettingActs<'_> {
    /// Takes one setting over from other settings; the next view, gauge and request use it.
    pub(in crate::agent) async fn put_in_force(
        &mut self,
        setting: &'static Setting,
        part: LivePart,
        from: &ResolvedSettings,
    ) -> Result<AppliedRemark, ConfigError> {
        if let LivePart::Interface(part) = part {
            self.has_part(setting, part, &from.settings)?;
        }
        let mut settings = self.agent.setup.settings.clone();
        let value = setting.get(&from.settings);
        let refused = |expected: String| {
            ConfigError::bad_value(&SettingOrigin::Session, setting.key, &value, &expected)
        };
        setting.set(&mut settings, &value).map_err(refused)?;
        let policy = ApprovalPolicy::new(
            settings.agent.tools.approvals,
            &settings.agent.tools.approvals_allow,
        )
        .map_err(|error| ConfigError::new(error.to_string()))?
        .with_read_only(settings.agent.tools.approvals_read_only);
        let setup = Arc::make_mut(&mut self.agent.setup);
        setup.settings = settings;
        setup
            .provenance
            .origins
            .insert(setting.key, from.origin(setting.key));
        let remark = self.follow(part, policy).await;
        Ok(remark.or_else(|| self.overruled(setting)))
    }

    /// A setting that the interface does not have would be said to be in force and is not.
    fn has_part(
        &self,
        setting: &Setting,
        part: InterfacePart,
        wanted: &Settings,
    ) -> Result<(), ConfigError> {
        if part.is_on(self.agent.setup.interface()) {
            return Ok(());
        }
        let error = ConfigError::new("nothing was changed: this setting only affects the screen");
        let flag = crate::agent::settings::as_flag(setting, wanted);
        Err(error.with_hint(format!("restart without --plain, with -S {flag}")))
    }

    /// Has the part that a setting belongs to follow the settings as they are now.
    async fn follow(&mut self, part: LivePart, policy: ApprovalPolicy) -> AppliedRemark {
        let mut remark = None;
        match part {
            // The report carries it; the interface has a match of its own.
            LivePart::Interface(part) => return self.unheard(part),
            LivePart::Model => remark = self.change_model(),
            LivePart::Thinking => {
                let level = self.agent.setup.settings.agent.thinking;
                SessionActs::of(self.agent).set_thinking(level).await;
                let said = self.agent.model.reasoning_remark();
                remark = said.map(|said| format!("set, but not active: {said}"));
            }
            LivePart::Approvals => {
                self.use_policy(policy);
                self.agent.tell_approvals().await;
            }
            LivePart::ShellTool => self.use_shell_timeout(),
            LivePart::ToolDirs => {
                let dirs = self.agent.setup.settings.agent.tools.extra_dirs.clone();
                self.agent.toolbox.scope.extra_dirs = dirs;
                FileActs::of(self.agent).watch_other_dirs();
            }
            LivePart::Checkpoints => self.agent.use_checkpoint_room(),
            LivePart::Prompt => self.agent.refresh_prompt_aloud().await,
            LivePart::Engine => {
                let id = self.agent.setup.settings.agent.engine.id.clone();
                let program = EngineProgram::of(&self.agent.setup);
                self.agent
                    .thread
                    .conversation
                    .engines()
                    .choose(&id, program);
                remark = Some(format!("{id} chooses what is sent in this session"));
            }
            LivePart::Hooks => self.agent.hooks.reset(),
            // Whoever needs it reads it when it is needed.
            LivePart::Requests | LivePart::Context | LivePart::Ruler => {}
        }
        if !self.agent.setup.settings.context.compaction.background {
            // One that is being written would be put in all the same.
            self.agent.compactor.background = None;
        }
        self.agent.apply_model_settings();
        self.agent.thread.publish_view().await;
        remark
    }

    /// Line by line nobody says whether the window has the focus.
    fn unheard(&self, part: InterfacePart) -> AppliedRemark {
        let is_waiting = self.agent.setup.settings.ui.notify_when == NotifyWhen::Unfocused;
        let is_blind = self.agent.setup.interface() == InterfaceKind::Plain && is_waiting;
        (part == InterfacePart::NotifyWhen && is_blind).then(|| {
            "set, but no notifications with --plain: it does not know whether the window has the \
             focus. Use always instead"
                .to_owned()
        })
    }

    /// Asks for another model once nothing runs: the conversation may have to be summarised
    /// for it, and that can fail.
    fn change_model(&mut self) -> AppliedRemark {
        let current = &self.agent.model.connection.model.model;
        match self.agent.setup.settings.agent.model.clone() {
            None => Some(format!("{current} stays active until the next start")),
            Some(model) if model == *current => None,
            Some(model) => {
                let text = format!("{model} answers from the next turn on");
                self.agent
                    .mailbox
                    .wait_in_line(WaitingWork::Command(WaitingCommand::SetModel(model)));
                Some(text)
            }
        }
    }

    /// The model is told the limit that holds: the schema is part of its request.
    fn use_shell_timeout(&mut self) {
        let timeout = self.agent.setup.shell_timeout();
        self.agent.toolbox.tools = self.agent.toolbox.tools.with_shell_timeout(timeout);
        self.agent.thread.context.tools = self.agent.toolbox.tools.schemas();
    }

    /// Another mode, other patterns; what the user allowed since stays allowed.
    fn use_policy(&mut self, mut policy: ApprovalPolicy) {
        policy.set_plan_mode(self.agent.toolbox.policy.is_plan_mode());
        for permission in self.agent.toolbox.policy.permissions() {
            if permission.grant != Grant::Configured {
                policy.allow(permission);
            }
        }
        self.agent.toolbox.policy = policy;
    }

    /// That a value is set and the model in charge has another: one of its own, or the most
    /// that its provider can do.
    fn overruled(&self, setting: &Setting) -> AppliedRemark {
        let settings = &self.agent.setup.settings;
        let model = &self.agent.model.connection.model.model;
        let used = Settings {
            context: self.agent.settings_for(model),
            ..settings.clone()
        };
        let value = setting.get(&used);
        (value != setting.get(settings))
            .then(|| format!("set, but not active: {model} uses {value}"))
    }
}
