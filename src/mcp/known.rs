//! What is known of servers without starting them.

use super::kept::KeptLists;
use super::link::http::HttpTarget;
use super::link::state::ToolCount;
use super::login::store::LoginStore;
use super::offer::OfferedTool;
use super::place::McpPlace;
use crate::config::{McpReach, McpServer, McpSettings};

/// A server that was not started.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownServer {
    /// Its description.
    pub server: McpServer,
    /// Whether a login of it is stored; `None`: it is a program.
    pub is_logged_in: Option<bool>,
    /// The tools of the last time, with their tokens by rule of thumb; `None`: it was not used
    /// yet, or is described in another way now.
    pub tools: Option<ToolCount>,
}

/// The servers of the settings, in their order.
pub fn known_servers(settings: &McpSettings, place: &McpPlace) -> Vec<KnownServer> {
    let servers: Vec<&McpServer> = settings.servers.iter().collect();
    let lists = KeptLists::new(place.lists_file.clone()).of(&servers);
    let known = servers.into_iter().zip(lists).map(|(server, list)| {
        let tools = list.map(|tools| ToolCount {
            tools: tools.len(),
            tokens: tools.iter().map(OfferedTool::tokens).sum(),
        });
        KnownServer {
            server: server.clone(),
            is_logged_in: is_logged_in(server, place),
            tools,
        }
    });
    known.collect()
}

fn is_logged_in(server: &McpServer, place: &McpPlace) -> Option<bool> {
    let McpReach::Address { url, headers, .. } = &server.reach else {
        return None;
    };
    let programs = place.programs();
    let target = HttpTarget::new(url, headers, &programs).ok();
    Some(target.is_some_and(|target| {
        LoginStore::new(&place.credentials_file, &server.name, &target.url).has_login()
    }))
}
