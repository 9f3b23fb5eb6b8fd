//! The mode of work that one key changes, and who hears of approvals.

use crate::agent::actor::Actor;
use crate::agent::protocol::{ApprovalState, Notice, SessionEvent, WorkMode};
use crate::agent::settings::SettingActs;
use crate::agent::turn::reminder::Reminders;
use crate::config::SettingValue;

/// The setting behind the modes that are no plan mode.
const MODE_KEY: &str = "approvals.mode";

impl SettingActs<'_> {
    /// Works in another mode from now on. The model is told of plan mode with the next request.
    pub(in crate::agent) async fn set_work_mode(&mut self, mode: WorkMode) {
        let is_planning = mode == WorkMode::Plan;
        Reminders::of(self.agent).set_plan_mode(is_planning).await;
        let Some(approvals) = mode.approvals() else {
            return;
        };
        if approvals == self.agent.toolbox.policy.mode() {
            return;
        }
        let value = SettingValue::Text(approvals.name().to_owned());
        if let Err(error) = self.changed_setting(MODE_KEY, value).await {
            let notice = Notice::error(error.message);
            self.agent.events.notice(notice).await;
        }
    }
}

impl Actor {
    /// Says what runs without asking now.
    pub(in crate::agent) async fn tell_approvals(&mut self) {
        let state = ApprovalState::of(&self.toolbox.policy);
        self.events.emit(SessionEvent::Approvals(state)).await;
    }
}
