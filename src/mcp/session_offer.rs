//! What a session offers of servers: settled when it begins, and again when the user asks for
//! it. What a server says meanwhile changes what is found, and never the list of tools.

use std::collections::HashMap;
use std::sync::Arc;

use super::link::ServerLink;
use super::offer::OfferedTool;
use super::switches::all_of;
use crate::config::McpDefer;
use crate::tool::names_tool;

/// In `auto`, schemas may take this part of the usable window.
const WINDOW_PART: u64 = 10;

/// The tools of a server.
pub(super) type ToolList = Arc<[Arc<OfferedTool>]>;

/// See the module's description.
#[derive(Default)]
pub(super) struct SessionOffer {
    /// Tools in the list of tools, by server.
    pub listed: HashMap<String, ToolList>,
    /// What the other servers had the last time.
    known: HashMap<String, ToolList>,
    /// The servers whose tools are found, as the list of tools names them.
    pub found: Vec<String>,
}

/// What an offer is settled by.
pub(super) struct OfferTerms<'a> {
    pub defer: McpDefer,
    /// Tokens of the window that requests may fill; `None` when nobody knows.
    pub usable_tokens: Option<u64>,
    /// What is switched off.
    pub off: &'a [String],
}

impl SessionOffer {
    /// Settles what is offered of servers with these lists; `None` where none is known.
    pub(super) fn settle(
        servers: &[Arc<ServerLink>],
        lists: Vec<Option<ToolList>>,
        terms: &OfferTerms<'_>,
    ) -> Self {
        let is_off = |server: &str| terms.off.contains(&all_of(server));
        let names = servers.iter().map(|link| link.server.name.clone());
        let known: HashMap<String, ToolList> = names
            .zip(lists)
            .filter_map(|(name, list)| Some((name, list?)))
            .collect();
        let offered = known.values().flat_map(|tools| tools.iter());
        let offered = offered.filter(|tool| !names_tool(terms.off, &tool.name));
        let tokens: u64 = offered.map(|tool| tool.tokens()).sum();
        let limit = terms.usable_tokens.map(|usable| usable / WINDOW_PART);
        let is_deferred = match terms.defer {
            McpDefer::Always => true,
            McpDefer::Never => false,
            McpDefer::Auto => limit.is_none_or(|limit| tokens > limit),
        };
        let (listed, known) = if is_deferred {
            (HashMap::new(), known)
        } else {
            (known, HashMap::new())
        };
        let names = servers.iter().map(|link| &link.server.name);
        let found = names.filter(|name| !listed.contains_key(*name) && !is_off(name));
        Self {
            found: found.cloned().collect(),
            listed,
            known,
        }
    }

    /// The tools of a server that is not in the list: those of now, or of the last time.
    pub(super) fn tools_of(&self, link: &ServerLink) -> ToolList {
        let now = link.tools();
        if !now.is_empty() {
            return now;
        }
        let known = self.known.get(&link.server.name);
        known.map(Arc::clone).unwrap_or_default()
    }

    /// Whether the tools of a server can be called.
    pub(super) fn reaches(&self, server: &str) -> bool {
        self.listed.contains_key(server) || !self.found.is_empty()
    }
}
