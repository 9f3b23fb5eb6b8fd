//! What a session offers of servers: settled when it begins, and again when the user asks for
//! it. What a server says meanwhile changes what is found, and never the list of tools; only a
//! server that a person switches on may enter it.

use std::collections::HashMap;
use std::sync::Arc;

use super::link::ServerLink;
use super::offer::OfferedTool;
use super::switches::all_of;
use crate::config::McpDefer;
use crate::tool::names_tool;

/// In `auto`, schemas may take this part of the usable window.
const WINDOW_PART: u64 = 10;
/// The tools that reach those outside the list: one finds, one runs.
const REACH_TOOLS: usize = 2;

/// The tools of a server.
pub(super) type ToolList = Arc<[Arc<OfferedTool>]>;

/// See the module's description.
#[derive(Clone, Default)]
pub(super) struct SessionOffer {
    /// Tools in the list of tools, by server.
    pub listed: HashMap<String, ToolList>,
    /// What the other servers had the last time.
    known: HashMap<String, ToolList>,
    /// The servers whose tools are found, as the list of tools names them.
    pub found: Vec<String>,
    /// What schemas in the list may take.
    room: ListRoom,
}

/// What the schemas in the list of tools may take.
#[derive(Clone, Copy, Default)]
enum ListRoom {
    /// None are in the list.
    #[default]
    Closed,
    /// So many tokens.
    Tokens(u64),
    /// Whatever they are.
    Any,
}

impl ListRoom {
    fn of(terms: &OfferTerms<'_>) -> Self {
        match (terms.defer, terms.usable_tokens) {
            (McpDefer::Always, _) | (McpDefer::Auto, None) => Self::Closed,
            (McpDefer::Auto, Some(usable)) => Self::Tokens(usable / WINDOW_PART),
            (McpDefer::Never, _) => Self::Any,
        }
    }

    fn holds(self, tokens: u64) -> bool {
        match self {
            Self::Closed => false,
            Self::Tokens(limit) => tokens <= limit,
            Self::Any => true,
        }
    }
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
        let is_off =
            |link: &ServerLink| link.server.off || terms.off.contains(&all_of(&link.server.name));
        let mut offer = Self {
            room: ListRoom::of(terms),
            ..Self::default()
        };
        let mut offered = HashMap::new();
        for (link, list) in servers.iter().zip(lists) {
            let known = if is_off(link) {
                &mut offer.known
            } else {
                &mut offered
            };
            known.extend(list.map(|list| (link.server.name.clone(), list)));
        }
        let tokens = offered.values().map(|list| tokens_of(list, terms.off));
        if offer.room.holds(tokens.sum()) {
            offer.listed = offered;
        } else {
            offer.known.extend(offered);
        }
        let on = servers.iter().filter(|link| !is_off(link));
        let names = on.map(|link| &link.server.name);
        let found = names.filter(|name| !offer.listed.contains_key(*name));
        offer.found = found.cloned().collect();
        offer
    }

    /// The offer when this server is on too: its tools enter the list where they have room
    /// there, else they are found. Where tools are found already, nothing changes.
    pub(super) fn with(&self, link: &ServerLink, off: &[String]) -> Self {
        let name = &link.server.name;
        let mut offer = self.clone();
        if self.reaches(name) {
            return offer;
        }
        let list = self.tools_of(link);
        let listed = self.listed.values().chain([&list]);
        let tokens = listed.map(|list| tokens_of(list, off)).sum();
        if !list.is_empty() && self.room.holds(tokens) {
            offer.known.remove(name);
            offer.listed.insert(name.clone(), list);
        } else {
            offer.found.push(name.clone());
        }
        offer
    }

    /// How many tools enter the list when this server is switched on.
    pub(super) fn entering(&self, link: &ServerLink, off: &[String]) -> usize {
        let after = self.with(link, off);
        let listed = after.listed.get(&link.server.name);
        let listed = listed.into_iter().flat_map(|list| list.iter());
        let listed = listed.filter(|tool| !names_tool(off, &tool.name));
        let reach = usize::from(self.found.is_empty() && !after.found.is_empty());
        listed.count() + reach * REACH_TOOLS
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

/// Tokens of the schemas of a list, without those that are off.
fn tokens_of(list: &ToolList, off: &[String]) -> u64 {
    let on = list.iter().filter(|tool| !names_tool(off, &tool.name));
    on.map(|tool| tool.tokens()).sum()
}
