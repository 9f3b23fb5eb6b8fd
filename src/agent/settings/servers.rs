//! The servers of tools: listed, switched off and on, their lists taken anew. What such an act
//! does to the prompt cache is said.

use std::sync::Arc;

use crate::agent::actor::Actor;
use crate::agent::protocol::{AgentEvent, Notice, QueryId, QueryReply, ServerAct};
use crate::agent::settings::SettingActs;
use crate::config::{InterfaceKind, SettingValue, SettingsFile};

/// The setting that says what is off.
const OFF_KEY: &str = "tools.off";
/// What a changed list of tools costs.
const CACHE_BEGINS_ANEW: &str = "the next request is sent without the prompt cache";

impl SettingActs<'_> {
    /// Says what is known of the servers; on the screen again whenever that changes.
    pub(crate) async fn list_servers(&mut self, to: Option<QueryId>) {
        let setup = &self.agent.setup;
        if setup.interface() == InterfaceKind::Screen {
            self.follow_servers();
        }
        let reply = QueryReply::Servers(self.agent.setup.servers.reports());
        self.agent.events.reply(to, reply).await;
    }

    /// Does what a person wants of the servers.
    pub(crate) async fn change_servers(&mut self, act: ServerAct) {
        let notice = match act {
            ServerAct::Switch { what, on } => self.switch_servers(&what, on),
            ServerAct::Keep => return self.keep_switches().await,
            ServerAct::Reload => self.reload_servers(),
        };
        self.agent.events.notice(notice).await;
        self.agent.thread.publish_view().await;
        let reports = self.agent.setup.servers.reports();
        let reply = AgentEvent::reply(QueryReply::Servers(reports));
        self.agent.events.emit(reply).await;
    }

    fn switch_servers(&mut self, what: &str, on: bool) -> Notice {
        let servers = Arc::clone(&self.agent.setup.servers);
        if let Err(why) = servers.switch(what, on) {
            return Notice::warning(format!("nothing was changed: {why}"));
        }
        let is_changed = self.agent.offer_tools_anew();
        let name = what.strip_suffix("__*").unwrap_or(what);
        let state = if on { "on" } else { "off" };
        let cost = if is_changed {
            CACHE_BEGINS_ANEW
        } else {
            "the list of tools is as it was, and so is the prompt cache"
        };
        Notice::info(format!("{name} is {state} in this session; {cost}"))
    }

    fn reload_servers(&mut self) -> Notice {
        self.agent.setup.servers.offer_anew();
        if self.agent.offer_tools_anew() {
            Notice::info(format!(
                "the lists of the MCP servers are taken; {CACHE_BEGINS_ANEW}"
            ))
        } else {
            Notice::info("the lists of the MCP servers are what this session has already")
        }
    }

    /// Writes what is off now into the user's file.
    async fn keep_switches(&mut self) {
        let setup = Arc::make_mut(&mut self.agent.setup);
        let off = setup.servers.off_with(&setup.settings.agent.tools.off);
        let off = SettingValue::List(off.into_iter().map(SettingValue::Text).collect());
        setup.provenance.written.insert(OFF_KEY, off);
        self.save_setting(OFF_KEY, SettingsFile::User).await;
        for (name, origin) in self.agent.setup.servers.off_later() {
            let text = format!("{name} is off again in later sessions: {origin} says so");
            let notice = Notice::info(text).with_hint("`off` of that server decides it");
            self.agent.events.notice(notice).await;
        }
    }

    /// Tells of the servers whenever something about them changes, until the program ends.
    fn follow_servers(&self) {
        let servers = Arc::clone(&self.agent.setup.servers);
        let Some(mut changes) = servers.first_follower() else {
            return;
        };
        let events = self.agent.events.clone();
        tokio::spawn(async move {
            while changes.next().await {
                let reply = AgentEvent::reply(QueryReply::Servers(servers.reports()));
                if !events.reaches(reply).await {
                    return;
                }
            }
        });
    }
}

impl Actor {
    /// Offers the tools as the servers and switches are now. Whether the list is another one.
    fn offer_tools_anew(&mut self) -> bool {
        let model = &self.model.connection.model;
        let tools = self.setup.tools_for(&self.thread.prompt, model);
        let schemas = tools.schemas();
        let is_changed = *schemas != *self.thread.context.tools;
        self.toolbox.tools = tools;
        self.thread.context.servers = self.setup.servers.groups(&schemas);
        if is_changed {
            self.thread.context.tools = schemas;
        }
        is_changed
    }
}
