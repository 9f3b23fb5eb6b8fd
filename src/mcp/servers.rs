//! All servers of a session, and what the session offers of them. That is settled when it
//! begins: what a server says later changes what is found, and never the list of tools.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};

use super::content::outcome;
use super::find::find;
use super::kept::KeptLists;
use super::link::open::LinkPlace;
use super::link::state::{LinkPhase, ServerReport, ToolCount};
use super::link::{LinkOwner, ServerLink};
use super::names::JOINT;
use super::offer::OfferedTool;
use super::place::McpPlace;
use super::tools::find_tools::FindTools;
use super::tools::server_tool::ServerTool;
use super::tools::use_tool::UseTool;
use crate::config::{McpDefer, McpServer, McpSettings};
use crate::provider::ServerClients;
use crate::tool::{Tool, ToolOptions, ToolOutcome, ToolSource};

/// In `auto`, schemas may take this part of the usable window.
const WINDOW_PART: u64 = 10;
/// How long a search waits for servers that are being started.
const SEARCH_PATIENCE: Duration = Duration::from_secs(20);

/// Something that the user is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct McpNews {
    /// One sentence.
    pub text: String,
    /// What can be done.
    pub hint: Option<String>,
    /// Something does not work.
    pub is_warning: bool,
}

type Listener = Arc<dyn Fn(McpNews) + Send + Sync>;

/// See the module's description.
pub struct McpServers {
    links: Vec<Arc<ServerLink>>,
    defer: McpDefer,
    owner: Arc<ServerOwner>,
}

struct ServerOwner {
    kept: KeptLists,
    offer: Mutex<Option<Arc<SessionOffer>>>,
    listener: Mutex<Option<Listener>>,
}

/// What a session offers.
#[derive(Default)]
struct SessionOffer {
    /// Tools in the list of tools, by server.
    listed: HashMap<String, Arc<[Arc<OfferedTool>]>>,
    /// What the other servers had the last time.
    known: HashMap<String, Arc<[Arc<OfferedTool>]>>,
    /// There are tools that are found.
    has_others: bool,
}

impl fmt::Debug for McpServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "McpServers({})", self.links.len())
    }
}

impl Default for McpServers {
    fn default() -> Self {
        Self::new(&McpSettings::default(), McpPlace::default())
    }
}

impl McpServers {
    /// The servers of the settings; none is started.
    pub fn new(settings: &McpSettings, place: McpPlace) -> Self {
        let link_place = LinkPlace {
            clients: ServerClients::new(place.trust.clone()),
            credentials_file: place.credentials_file.clone(),
            programs: place.programs(),
        };
        let link =
            |server: &McpServer| Arc::new(ServerLink::new(server.clone(), link_place.clone()));
        Self {
            links: settings.servers.iter().map(link).collect(),
            defer: settings.defer,
            owner: Arc::new(ServerOwner {
                kept: KeptLists::new(place.lists_file),
                offer: Mutex::default(),
                listener: Mutex::default(),
            }),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Has somebody told what happens, until they are closed.
    pub fn tell(&self, listener: impl Fn(McpNews) + Send + Sync + 'static) {
        *self.owner.listener() = Some(Arc::new(listener));
    }

    /// Starts them in the background. Does not wait for anything.
    pub fn start(&self) {
        for link in &self.links {
            let owner: Arc<dyn LinkOwner> = Arc::<ServerOwner>::clone(&self.owner);
            link.start(owner);
        }
    }

    /// Ends them; back when nothing of them is left.
    pub async fn close(&self) {
        let all = self.links.iter().map(|link| link.close());
        futures::future::join_all(all).await;
        *self.owner.listener() = None;
    }

    /// What is known of each server.
    pub fn reports(&self) -> Vec<ServerReport> {
        let offer = self.owner.offer().clone().unwrap_or_default();
        self.links.iter().map(|link| report(link, &offer)).collect()
    }

    /// Waits until every server is ready or cannot be.
    pub async fn settled(&self, limit: Duration) {
        let waiting = self.links.iter().map(|link| link.settled(limit));
        futures::future::join_all(waiting).await;
    }

    /// The tools that a server has now, by its name.
    pub fn tools_of(&self, name: &str) -> Vec<Arc<OfferedTool>> {
        let link = self.links.iter().find(|it| it.server.name == name);
        link.map(|link| link.tools().to_vec()).unwrap_or_default()
    }

    /// Calls a tool of a server, by the server's name for it, outside of a conversation: nobody
    /// is asked.
    pub async fn call(
        &self,
        server: &str,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> ToolOutcome {
        let Some(link) = self.link(server) else {
            return ToolOutcome::error(format!("there is no server {server}"));
        };
        match link.call(tool, arguments).await {
            Ok(answer) => outcome(answer),
            Err(why) => ToolOutcome::error(format!("{tool} has no answer: {why}.")),
        }
    }

    /// The best tools outside the list for some words, once the servers have started.
    pub(super) async fn find(&self, query: &str, limit: usize) -> SearchResult {
        self.settled(SEARCH_PATIENCE).await;
        let offer = self.owner.offer().clone().unwrap_or_default();
        let others = self.others(&offer);
        let tools: Vec<Arc<OfferedTool>> = others
            .flat_map(|link| offer.tools_of(link).to_vec())
            .collect();
        let failed = self.others(&offer).filter_map(|link| {
            let phase = link.phase();
            let why = phase.why()?;
            Some(format!("{}: {why}", link.server.name))
        });
        SearchResult {
            found: find(query, &tools, limit),
            searched: tools.len(),
            failed: failed.collect(),
        }
    }

    /// Servers that are in use, and whose tools are not in the list.
    fn others<'a>(&'a self, offer: &'a SessionOffer) -> impl Iterator<Item = &'a Arc<ServerLink>> {
        self.in_use()
            .filter(|link| !offer.listed.contains_key(&link.server.name))
    }

    fn in_use(&self) -> impl Iterator<Item = &Arc<ServerLink>> {
        self.links.iter().filter(|link| !link.server.off)
    }

    /// What this session offers, settled at the first question.
    fn settle(&self, usable_tokens: Option<u64>) -> Arc<SessionOffer> {
        let mut settled = self.owner.offer();
        let offer = settled.get_or_insert_with(|| Arc::new(self.new_offer(usable_tokens)));
        Arc::clone(offer)
    }

    fn new_offer(&self, usable_tokens: Option<u64>) -> SessionOffer {
        let servers: Vec<&McpServer> = self.in_use().map(|link| &link.server).collect();
        let lists = self.owner.kept.of(&servers);
        let known: HashMap<String, Arc<[Arc<OfferedTool>]>> = servers
            .iter()
            .zip(lists)
            .filter_map(|(server, list)| {
                let list = list?.into_iter().map(Arc::new).collect();
                Some((server.name.clone(), list))
            })
            .collect();
        let tokens: u64 = known.values().map(|tools| tokens_of(tools)).sum();
        let limit = usable_tokens.map(|usable| usable / WINDOW_PART);
        let is_deferred = match self.defer {
            McpDefer::Always => true,
            McpDefer::Never => false,
            McpDefer::Auto => limit.is_none_or(|limit| tokens > limit),
        };
        let has_others = is_deferred || known.len() < servers.len();
        let (listed, known) = if is_deferred {
            (HashMap::new(), known)
        } else {
            (known, HashMap::new())
        };
        SessionOffer {
            listed,
            known,
            has_others: has_others && !servers.is_empty(),
        }
    }

    /// Those that answer.
    pub(super) fn ready_links(&self) -> Vec<Arc<ServerLink>> {
        let ready = self
            .in_use()
            .filter(|link| link.phase() == LinkPhase::Ready);
        ready.map(Arc::clone).collect()
    }

    /// A server that is in use.
    pub(super) fn link(&self, name: &str) -> Option<&Arc<ServerLink>> {
        self.in_use().find(|link| link.server.name == name)
    }
}

/// What a search found.
pub(super) struct SearchResult {
    /// The best first.
    pub found: Vec<Arc<OfferedTool>>,
    /// Tools that were searched.
    pub searched: usize,
    /// Servers that do not run, and why.
    pub failed: Vec<String>,
}

impl SessionOffer {
    /// The tools of a server that is not in the list: those of now, or of the last time.
    fn tools_of(&self, link: &ServerLink) -> Arc<[Arc<OfferedTool>]> {
        let now = link.tools();
        if !now.is_empty() {
            return now;
        }
        let known = self.known.get(&link.server.name);
        known.map(Arc::clone).unwrap_or_default()
    }
}

impl ServerOwner {
    fn offer(&self) -> MutexGuard<'_, Option<Arc<SessionOffer>>> {
        self.offer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, news: McpNews) {
        let listener = self.listener().clone();
        if let Some(listener) = listener {
            listener(news);
        }
    }

    fn listener(&self) -> MutexGuard<'_, Option<Listener>> {
        self.listener.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LinkOwner for ServerOwner {
    fn listed(&self, link: &ServerLink, tools: &Arc<[Arc<OfferedTool>]>) {
        let plain: Vec<OfferedTool> = tools.iter().map(|it| (**it).clone()).collect();
        self.kept.keep(&link.server, &plain);
        let name = &link.server.name;
        let offer = self.offer().clone().unwrap_or_default();
        if offer.listed.get(name).is_some_and(|listed| listed != tools) {
            self.tell(McpNews {
                text: format!("the MCP server {name} has other tools now"),
                hint: Some("the next session offers them".to_owned()),
                is_warning: false,
            });
        }
    }

    fn failed(&self, link: &ServerLink, phase: &LinkPhase) {
        let name = &link.server.name;
        let why = phase.why().unwrap_or_default();
        let (text, hint) = match phase {
            LinkPhase::NeedsLogin(_) => (
                format!("the MCP server {name} is not used: {why}"),
                format!("`plim mcp login {name}` logs in; the next call tries again"),
            ),
            _ => (
                format!("the MCP server {name} does not run: {why}"),
                format!("configured in {}", link.server.origin),
            ),
        };
        self.tell(McpNews {
            text,
            hint: Some(hint),
            is_warning: true,
        });
    }
}

impl ToolSource for Arc<McpServers> {
    fn tools(&self, options: &ToolOptions) -> Vec<Arc<dyn Tool>> {
        if self.in_use().next().is_none() {
            return Vec::new();
        }
        let offer = self.settle(options.usable_tokens);
        let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
        for link in self.in_use() {
            let listed = offer.listed.get(&link.server.name);
            for tool in listed.into_iter().flat_map(|it| it.iter()) {
                tools.push(Arc::new(ServerTool::new(link, tool)));
            }
        }
        if offer.has_others {
            let names = self.others(&offer).map(|it| it.server.name.as_str());
            tools.push(Arc::new(FindTools::new(Arc::clone(self), names)));
            tools.push(Arc::new(UseTool));
        }
        tools
    }

    fn unlisted(&self, name: &str) -> Option<Arc<dyn Tool>> {
        let (server, _) = name.split_once(JOINT)?;
        let link = self.link(server)?;
        let offer = self.owner.offer().clone()?;
        if offer.listed.contains_key(server) {
            return None;
        }
        let tools = offer.tools_of(link);
        let tool = tools.iter().find(|tool| tool.name == name)?;
        Some(Arc::new(ServerTool::new(link, tool)))
    }
}

fn tokens_of(tools: &[Arc<OfferedTool>]) -> u64 {
    tools.iter().map(|tool| tool.tokens()).sum()
}

fn report(link: &ServerLink, offer: &SessionOffer) -> ServerReport {
    let name = &link.server.name;
    let count = |tools: &[Arc<OfferedTool>]| ToolCount {
        tools: tools.len(),
        tokens: tokens_of(tools),
    };
    let listed = offer.listed.get(name);
    let now = link.tools();
    let is_ready = link.phase() == LinkPhase::Ready;
    ServerReport {
        name: name.clone(),
        phase: link.phase(),
        program: link.server.reach.shown(),
        origin: link.server.origin.clone(),
        version: link.version(),
        listed: listed.map(|tools| count(tools)).unwrap_or_default(),
        deferred: match listed {
            None if !link.server.off => count(&offer.tools_of(link)),
            _ => ToolCount::default(),
        },
        has_changed: is_ready && listed.is_some_and(|listed| *listed != now),
        calls: link.calls(),
    }
}
