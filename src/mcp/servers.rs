//! All servers of a session, and what the session offers of them. That is settled when it
//! begins: what a server says later changes what is found, and never the list of tools.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};

use super::content::outcome;
use super::find::find;
use super::kept::KeptLists;
use super::link::calls::RunningCall;
use super::link::open::LinkPlace;
use super::link::state::{LinkPhase, ServerReport};
use super::link::{LinkOwner, ServerLink};
use super::names::JOINT;
use super::offer::OfferedTool;
use super::place::McpPlace;
use super::pulse::{Pulse, ServerChanges};
use super::report::report;
use super::session_offer::{OfferTerms, SessionOffer};
use super::switches::{Switches, all_of, server_of};
use super::tools::find_tools::{FindTools, words_of};
use super::tools::server_tool::ServerTool;
use super::tools::use_tool::UseTool;
use crate::config::{McpDefer, McpServer, McpSettings, SettingOrigin};
use crate::provider::ServerClients;
use crate::tool::{Tool, ToolOptions, ToolOutcome, ToolSource, names_tool};
use crate::transcript::{FIND_TOOLS, ServerGroup, ToolSchema, USE_TOOL};

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
    links: Mutex<Vec<Arc<ServerLink>>>,
    place: LinkPlace,
    switches: Switches,
    pulse: Pulse,
    defer: McpDefer,
    /// The servers that their configuration switches off, and where it does.
    off_there: Vec<(String, SettingOrigin)>,
    owner: Arc<ServerOwner>,
}

struct ServerOwner {
    kept: KeptLists,
    offer: Mutex<Option<Arc<SessionOffer>>>,
    listener: Mutex<Option<Listener>>,
}

impl fmt::Debug for McpServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "McpServers({})", self.locked_links().len())
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
        let pulse = Pulse::default();
        let link = |server: &McpServer| {
            let (place, pulse) = (link_place.clone(), pulse.clone());
            Arc::new(ServerLink::new(server.clone(), place, pulse))
        };
        let off_there = settings.servers.iter().filter(|server| server.off);
        let off_there = off_there.map(|server| (server.name.clone(), server.origin.clone()));
        Self {
            off_there: off_there.collect(),
            links: Mutex::new(settings.servers.iter().map(link).collect()),
            place: link_place.clone(),
            switches: Switches::default(),
            pulse: pulse.clone(),
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
        self.locked_links().is_empty()
    }

    /// Has somebody told what happens, until they are closed.
    pub fn tell(&self, listener: impl Fn(McpNews) + Send + Sync + 'static) {
        *self.owner.listener() = Some(Arc::new(listener));
    }

    /// Starts those that are not off in the background. Does not wait for anything.
    pub fn start(&self) {
        let off = self.off();
        for link in self.links() {
            if !off.contains(&all_of(&link.server.name)) {
                self.start_link(&link);
            }
        }
    }

    fn start_link(&self, link: &Arc<ServerLink>) {
        let owner: Arc<dyn LinkOwner> = Arc::<ServerOwner>::clone(&self.owner);
        link.start(owner);
    }

    /// Takes the setting `tools.off` and gives what is off now: it, with what was switched
    /// since.
    pub fn off_with(&self, configured: &[String]) -> Vec<String> {
        self.switches.configure(configured);
        self.off()
    }

    fn off(&self) -> Vec<String> {
        self.switches.off()
    }

    /// Switches a tool by its name, or all tools of a server by `server__*`, off or on. A
    /// server that is off ends; one that is switched on starts, also when its configuration
    /// says that it is off, and its tools are offered. An error says why nothing was done.
    pub fn switch(&self, what: &str, on: bool) -> Result<(), String> {
        let server = server_of(what);
        if let Some(server) = server {
            self.switch_server(server, on)?;
        }
        self.switches.switch(what, on);
        if let Some(link) = server.filter(|_| on).and_then(|name| self.link(name)) {
            let off = self.off();
            let mut offer = self.owner.offer();
            *offer = offer.take().map(|offer| Arc::new(offer.with(&link, &off)));
        }
        Ok(())
    }

    /// The servers that are on now and off in later sessions, and where that is configured.
    pub fn off_later(&self) -> Vec<(String, SettingOrigin)> {
        let is_on = |name: &String| self.link(name).is_some();
        let off_there = self.off_there.iter();
        off_there.filter(|it| is_on(&it.0)).cloned().collect()
    }

    fn switch_server(&self, name: &str, on: bool) -> Result<(), String> {
        let mut links = self.locked_links();
        let mut links = links.iter_mut();
        let link = links.find(|link| link.server.name == name);
        let link = link.ok_or_else(|| format!("there is no MCP server {name}"))?;
        if on {
            let server = McpServer {
                off: false,
                ..link.server.clone()
            };
            let fresh = ServerLink::new(server, self.place.clone(), self.pulse.clone());
            fresh.take_over(link);
            *link = Arc::new(fresh);
            self.start_link(link);
        } else {
            let ending = Arc::clone(link);
            tokio::spawn(async move { ending.close().await });
        }
        Ok(())
    }

    /// Hears of changes; for the first one who asks.
    pub fn first_follower(&self) -> Option<ServerChanges> {
        self.pulse.follow()
    }

    /// What is offered is settled again, by the lists that the servers have now.
    pub fn offer_anew(&self) {
        *self.owner.offer() = None;
    }

    /// Ends them; back when nothing of them is left.
    pub async fn close(&self) {
        let links = self.links();
        let all = links.iter().map(|link| link.close());
        futures::future::join_all(all).await;
        *self.owner.listener() = None;
        self.pulse.end();
    }

    /// What is known of each server.
    pub fn reports(&self) -> Vec<ServerReport> {
        let offer = self.owner.offer().clone().unwrap_or_default();
        let (links, off) = (self.links(), self.off());
        let links = links.iter();
        links.map(|link| report(link, &offer, &off)).collect()
    }

    /// Waits until every server is ready or cannot be.
    pub async fn settled(&self, limit: Duration) {
        let links = self.links();
        let waiting = links.iter().map(|link| link.settled(limit));
        futures::future::join_all(waiting).await;
    }

    /// The tools that a server has now, by its name.
    pub fn tools_of(&self, name: &str) -> Vec<Arc<OfferedTool>> {
        let links = self.links();
        let link = links.iter().find(|it| it.server.name == name);
        link.map(|link| link.tools().to_vec()).unwrap_or_default()
    }

    /// The tools of a list that are there for servers, by server.
    pub fn groups(&self, list: &[ToolSchema]) -> Arc<[Arc<ServerGroup>]> {
        let offer = self.owner.offer().clone().unwrap_or_default();
        let in_list = |name: &str| list.iter().any(|tool| tool.name == name);
        let group = |link: &Arc<ServerLink>| {
            let tools = offer.listed.get(&link.server.name)?.iter();
            let names = tools.map(|tool| tool.name.clone());
            group_of(link.server.name.clone(), names.filter(|it| in_list(it)))
        };
        let listed = self.in_use().filter_map(|link| group(&link));
        let reach = [FIND_TOOLS, USE_TOOL].map(str::to_owned).into_iter();
        let reach = group_of(
            format!("found when needed: {}", offer.found.join(", ")),
            reach.filter(|name| in_list(name)),
        );
        listed.chain(reach).map(Arc::new).collect()
    }

    /// What is said of a tool outside the list when it is found, with its schema; `None` when
    /// no server is known to have it.
    pub fn words_of(&self, name: &str) -> Option<String> {
        let tool = self.unlisted_tool(name)?.1;
        Some(words_of(&tool))
    }

    fn unlisted_tool(&self, name: &str) -> Option<(Arc<ServerLink>, Arc<OfferedTool>)> {
        let (server, _) = name.split_once(JOINT)?;
        let link = self.link(server)?;
        let offer = self.owner.offer().clone()?;
        if offer.listed.contains_key(server) {
            return None;
        }
        let tools = offer.tools_of(&link);
        let tool = tools.iter().find(|tool| tool.name == name)?;
        Some((link, Arc::clone(tool)))
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
        match link.call(tool, arguments, &RunningCall::alone()).await {
            Ok(answer) => outcome(answer),
            Err(why) => ToolOutcome::error(format!("{tool} has no answer: {why}.")),
        }
    }

    /// The best tools outside the list for some words, once the servers have started.
    pub(super) async fn find(
        &self,
        query: &str,
        limit: usize,
        options: &ToolOptions,
    ) -> SearchResult {
        self.settled(SEARCH_PATIENCE).await;
        let offer = self.owner.offer().clone().unwrap_or_default();
        let off = self.off();
        let others = self.others(&offer).into_iter();
        let tools: Vec<Arc<OfferedTool>> = others
            .flat_map(|link| offer.tools_of(&link).to_vec())
            .filter(|tool| !names_tool(&off, &tool.name) && options.may_find(&tool.name))
            .collect();
        let failed = self.others(&offer).into_iter().filter_map(|link| {
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

    /// Servers that are on, and whose tools are not in the list.
    fn others(&self, offer: &SessionOffer) -> Vec<Arc<ServerLink>> {
        let off = self.off();
        let is_other = |link: &Arc<ServerLink>| {
            let name = &link.server.name;
            !offer.listed.contains_key(name) && !off.contains(&all_of(name))
        };
        self.in_use().filter(is_other).collect()
    }

    fn in_use(&self) -> impl Iterator<Item = Arc<ServerLink>> + use<> {
        self.links().into_iter().filter(|link| !link.server.off)
    }

    /// What this session offers, settled at the first question.
    fn settle(&self, usable_tokens: Option<u64>) -> Arc<SessionOffer> {
        let mut settled = self.owner.offer();
        let offer = settled.get_or_insert_with(|| Arc::new(self.new_offer(usable_tokens)));
        Arc::clone(offer)
    }

    fn new_offer(&self, usable_tokens: Option<u64>) -> SessionOffer {
        let links = self.links();
        let servers: Vec<&McpServer> = links.iter().map(|link| &link.server).collect();
        let kept = self.owner.kept.of(&servers);
        let list = |(link, kept): (&Arc<ServerLink>, Option<Vec<OfferedTool>>)| {
            let now = link.tools();
            let kept = || kept.map(|list| list.into_iter().map(Arc::new).collect());
            (!now.is_empty()).then_some(now).or_else(kept)
        };
        let lists = links.iter().zip(kept).map(list).collect();
        let terms = OfferTerms {
            defer: self.defer,
            usable_tokens,
            off: &self.off(),
        };
        SessionOffer::settle(&links, lists, &terms)
    }

    /// Those that answer.
    pub(super) fn ready_links(&self) -> Vec<Arc<ServerLink>> {
        let ready = |link: &Arc<ServerLink>| link.phase() == LinkPhase::Ready;
        self.in_use().filter(ready).collect()
    }

    /// A server that is in use.
    pub(super) fn link(&self, name: &str) -> Option<Arc<ServerLink>> {
        self.in_use().find(|link| link.server.name == name)
    }

    fn links(&self) -> Vec<Arc<ServerLink>> {
        self.locked_links().clone()
    }

    fn locked_links(&self) -> MutexGuard<'_, Vec<Arc<ServerLink>>> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
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
                hint: Some("/mcp reload takes them now; the next session has them".to_owned()),
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

    fn lacks_scopes(&self, link: &ServerLink, why: &str) {
        let name = &link.server.name;
        self.tell(McpNews {
            text: format!("the MCP server {name} refused a call: {why}"),
            hint: Some(format!("`plim mcp login {name}` asks for it")),
            is_warning: true,
        });
    }
}

impl ToolSource for Arc<McpServers> {
    fn tools(&self, options: &ToolOptions) -> Vec<Arc<dyn Tool>> {
        if self.is_empty() {
            return Vec::new();
        }
        let offer = self.settle(options.usable_tokens);
        let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
        for link in self.in_use() {
            let listed = offer.listed.get(&link.server.name);
            for tool in listed.into_iter().flat_map(|it| it.iter()) {
                tools.push(Arc::new(ServerTool::new(&link, tool)));
            }
        }
        if !offer.found.is_empty() {
            let names = offer.found.iter().map(String::as_str);
            tools.push(Arc::new(FindTools::new(Arc::clone(self), options, names)));
            tools.push(Arc::new(UseTool));
        }
        tools
    }

    fn unlisted(&self, name: &str) -> Option<Arc<dyn Tool>> {
        let (link, tool) = self.unlisted_tool(name)?;
        Some(Arc::new(ServerTool::new(&link, &tool)))
    }
}

/// A group of tools, when it has some.
fn group_of(name: String, tools: impl Iterator<Item = String>) -> Option<ServerGroup> {
    let tools: Vec<String> = tools.collect();
    (!tools.is_empty()).then_some(ServerGroup { name, tools })
}
