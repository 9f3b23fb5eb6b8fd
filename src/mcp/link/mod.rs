//! One server: started in the background, kept running, asked under a deadline.
//!
//! A server that ends is started again after a pause, a few times; one that does not start is
//! left alone until somebody calls it.

pub(super) mod calls;
mod client;
pub(super) mod extras;
pub(super) mod http;
pub(super) mod open;
mod pages;
pub(super) mod process;
pub(super) mod reasons;
mod rounds;
pub(super) mod state;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::ServiceError;
use serde_json::{Map, Value};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use self::calls::{RunningCall, RunningCalls};
use self::client::Connection;
use self::http::{HttpFate, HttpTarget, failure};
use self::open::{LinkPlace, OpenFailure, OpenFailureKind, Opening, Remote};
use self::pages::all_pages;
use self::reasons::reason;
use self::rounds::call_in_rounds;
use self::state::{CallCount, LinkPhase};
use super::login::store::LoginStore;
use super::offer::{MAX_TOOLS, OfferedTool, offered};
use super::pulse::Pulse;
use crate::clock::Stopwatch;
use crate::config::{McpReach, McpServer};

/// A server that ended is started again after each of these times; then no more.
const PAUSES: [Duration; 4] = [
    Duration::from_millis(200),
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(15),
];
/// Who runs for so long has not failed to start.
const STEADY: Duration = Duration::from_mins(1);
/// How often a connection is looked at that ended without its program.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How long a server may take to hear that its session is over.
const GOODBYE: Duration = Duration::from_secs(2);

/// Who is told when a server has a list.
pub(super) trait LinkOwner: Send + Sync {
    /// A server gave its list of tools.
    fn listed(&self, link: &ServerLink, tools: &Arc<[Arc<OfferedTool>]>);

    /// A server cannot be used: it has failed, or needs a login.
    fn failed(&self, link: &ServerLink, phase: &LinkPhase);

    /// A call was refused because its login does not go far enough. Why, as a clause.
    fn lacks_scopes(&self, link: &ServerLink, why: &str);
}

/// See the module's description.
pub(super) struct ServerLink {
    pub(super) server: McpServer,
    place: LinkPlace,
    phase: watch::Sender<InnerPhase>,
    facts: Mutex<LinkFacts>,
    stop: CancellationToken,
    wake: Notify,
    /// A call found that the connection is of no use any more.
    lost: Notify,
    task: Mutex<Option<JoinHandle<()>>>,
    pulse: Pulse,
    running: Arc<RunningCalls>,
    owner: OnceLock<Arc<dyn LinkOwner>>,
}

#[derive(Clone)]
enum InnerPhase {
    Ready(Arc<Connection>),
    Other(LinkPhase),
}

/// What was seen of a server so far.
#[derive(Default)]
struct LinkFacts {
    version: Option<String>,
    tools: Arc<[Arc<OfferedTool>]>,
    calls: CallCount,
    /// What a call found out about a connection that is of no use any more.
    loss: Option<RunEnd>,
}

/// How a run of a server ended.
#[derive(Clone)]
enum RunEnd {
    Stopped,
    NotStarted(OpenFailure),
    Ended(String),
}

impl OpenFailure {
    fn phase(self) -> LinkPhase {
        match self.kind {
            OpenFailureKind::NeedsLogin => LinkPhase::NeedsLogin(self.why),
            OpenFailureKind::Greeting | OpenFailureKind::Other => LinkPhase::Failed(self.why),
        }
    }
}

impl ServerLink {
    pub(super) fn new(server: McpServer, place: LinkPlace, pulse: Pulse) -> Self {
        let phase = if server.off {
            LinkPhase::Off
        } else {
            LinkPhase::Configured
        };
        Self {
            server,
            place,
            phase: watch::channel(InnerPhase::Other(phase)).0,
            facts: Mutex::default(),
            stop: CancellationToken::new(),
            wake: Notify::new(),
            lost: Notify::new(),
            task: Mutex::default(),
            pulse,
            running: Arc::default(),
            owner: OnceLock::new(),
        }
    }

    /// Goes on with what was seen of it before it was switched off.
    pub(super) fn take_over(&self, before: &Self) {
        let known = before.facts();
        let mut facts = self.facts();
        facts.version.clone_from(&known.version);
        facts.tools = Arc::clone(&known.tools);
        facts.calls = known.calls.clone();
    }

    /// Starts it in the background, once.
    pub(super) fn start(self: &Arc<Self>, owner: Arc<dyn LinkOwner>) {
        if self.server.off || self.stop.is_cancelled() {
            return;
        }
        let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        if task.is_none() {
            let _ = self.owner.set(Arc::clone(&owner));
            self.set(LinkPhase::Starting);
            *task = Some(tokio::spawn(Arc::clone(self).keep_running(owner)));
        }
    }

    /// Ends it; back when nothing of it is left.
    pub(super) async fn close(&self) {
        self.stop.cancel();
        let task = {
            let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
            task.take()
        };
        if let Some(task) = task {
            let _ = task.await;
        }
    }

    /// How far it has come.
    pub(super) fn phase(&self) -> LinkPhase {
        match &*self.phase.borrow() {
            InnerPhase::Ready(_) => LinkPhase::Ready,
            InnerPhase::Other(phase) => phase.clone(),
        }
    }

    /// The tools that it has now; none before it was ready.
    pub(super) fn tools(&self) -> Arc<[Arc<OfferedTool>]> {
        Arc::clone(&self.facts().tools)
    }

    pub(super) fn version(&self) -> Option<String> {
        self.facts().version.clone()
    }

    pub(super) fn calls(&self) -> CallCount {
        self.facts().calls.clone()
    }

    /// The most that its start or a call may take.
    pub(super) fn deadline(&self) -> Duration {
        Duration::from_secs(self.server.deadline_secs)
    }

    /// Waits until it is ready or cannot be.
    pub(super) async fn settled(&self, limit: Duration) {
        let mut phases = self.phase.subscribe();
        let is_settled = |phase: &InnerPhase| {
            !matches!(
                phase,
                InnerPhase::Other(LinkPhase::Starting | LinkPhase::Resting(_))
            )
        };
        let _ = tokio::time::timeout(limit, phases.wait_for(is_settled)).await;
    }

    /// Calls a tool by the server's name for it. An error is one clause.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        running: &Arc<RunningCall>,
    ) -> Result<CallToolResult, String> {
        let began = Stopwatch::start();
        let entry = self.running.enter(running);
        let asking = running.within(self.deadline(), async {
            let connection = self.connection().await?;
            let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
            let answered = call_in_rounds(&connection, params, running).await;
            match answered {
                Ok(answer) => Ok(answer),
                Err(error) => Err(self.call_failed(&error).await),
            }
        });
        let answered = match asking.await {
            Some(answered) => answered,
            None => Err(format!(
                "it took longer than {} s",
                self.server.deadline_secs
            )),
        };
        drop(entry);
        let mut facts = self.facts();
        let calls = &mut facts.calls;
        calls.calls += 1;
        calls.time += began.elapsed();
        if let Err(why) = &answered {
            calls.failures += 1;
            calls.last_error = Some(why.clone());
        }
        drop(facts);
        self.pulse.beat();
        answered
    }

    /// Why a call has no answer, and what follows for the connection.
    async fn call_failed(&self, error: &ServiceError) -> String {
        match error {
            ServiceError::TransportClosed => {
                self.end_noticed().await;
                words_of(error)
            }
            ServiceError::TransportSend(sent)
                if matches!(self.server.reach, McpReach::Address { .. }) =>
            {
                let failure = failure(&*sent.error);
                let loss = match &failure.fate {
                    HttpFate::Failed => None,
                    HttpFate::NeedsScopes(scopes) => {
                        self.keep_lacking(scopes);
                        if let Some(owner) = self.owner.get() {
                            owner.lacks_scopes(self, &failure.why);
                        }
                        let name = &self.server.name;
                        return format!("{}; `plim mcp login {name}` asks for it", failure.why);
                    }
                    HttpFate::NeedsLogin => Some(RunEnd::NotStarted(failure.clone().into())),
                    HttpFate::Unreachable | HttpFate::SessionLost => {
                        Some(RunEnd::Ended(failure.why.clone()))
                    }
                };
                if let Some(loss) = loss {
                    self.facts().loss = Some(loss);
                    self.lost.notify_one();
                    self.end_noticed().await;
                }
                failure.why
            }
            _ => words_of(error),
        }
    }

    /// The next login asks for these permissions too.
    fn keep_lacking(&self, scopes: &[String]) {
        if let McpReach::Address { url, headers, .. } = &self.server.reach
            && let Ok(target) = HttpTarget::new(url, headers, &self.place.programs)
        {
            let file = &self.place.credentials_file;
            LoginStore::new(file, &self.server.name, &target.url).keep_lacking(scopes);
        }
    }

    /// Waits until it is known that a server ended which hung up: the next call is for the one
    /// that is started in its place.
    async fn end_noticed(&self) {
        let mut phases = self.phase.subscribe();
        let is_over = |phase: &InnerPhase| matches!(phase, InnerPhase::Other(_));
        let _ = tokio::time::timeout(2 * LOOK_EVERY, phases.wait_for(is_over)).await;
    }

    /// The connection, once it is there.
    async fn connection(&self) -> Result<Arc<Connection>, String> {
        let mut phases = self.phase.subscribe();
        if matches!(
            &*phases.borrow_and_update(),
            InnerPhase::Other(LinkPhase::Failed(_) | LinkPhase::NeedsLogin(_))
        ) {
            self.wake.notify_one();
            let _ = phases.changed().await;
        }
        // Who hung up is known before it is known that the program ended.
        let is_decided = |phase: &InnerPhase| match phase {
            InnerPhase::Ready(connection) => !connection.is_transport_closed(),
            InnerPhase::Other(phase) => {
                !matches!(phase, LinkPhase::Starting | LinkPhase::Resting(_))
            }
        };
        let decided = phases.wait_for(is_decided).await;
        match decided.map(|phase| phase.clone()) {
            Ok(InnerPhase::Ready(connection)) => Ok(connection),
            Ok(InnerPhase::Other(LinkPhase::Failed(why) | LinkPhase::NeedsLogin(why))) => Err(why),
            Ok(InnerPhase::Other(phase)) => Err(format!("the server is {}", phase.name())),
            Err(_) => Err("the server is gone".to_owned()),
        }
    }

    async fn keep_running(self: Arc<Self>, owner: Arc<dyn LinkOwner>) {
        let mut ends = 0;
        while !self.stop.is_cancelled() {
            self.set(LinkPhase::Starting);
            let began = Stopwatch::start();
            let end = self.run(&*owner).await;
            if began.elapsed() >= STEADY {
                ends = 0;
            }
            let phase = match end {
                RunEnd::Stopped => break,
                RunEnd::NotStarted(failure) => failure.phase(),
                RunEnd::Ended(why) => {
                    if let Some(pause) = PAUSES.get(ends) {
                        ends += 1;
                        self.set(LinkPhase::Resting(why));
                        tokio::select! {
                            () = self.stop.cancelled() => break,
                            () = tokio::time::sleep(*pause) => {}
                        }
                        continue;
                    }
                    LinkPhase::Failed(why)
                }
            };
            ends = 0;
            owner.failed(&self, &phase);
            self.set(phase);
            tokio::select! {
                () = self.stop.cancelled() => break,
                () = self.wake.notified() => {}
            }
        }
        self.set(LinkPhase::Ended);
    }

    /// One run, from the start of the program, or the first request, to its end.
    async fn run(&self, owner: &dyn LinkOwner) -> RunEnd {
        let changed = Arc::new(Notify::new());
        let opened = tokio::select! {
            () = self.stop.cancelled() => return RunEnd::Stopped,
            opened = self.open(&changed) => opened,
        };
        let (connection, mut remote) = match opened {
            Ok(opened) => opened,
            Err(failure) => return RunEnd::NotStarted(failure),
        };
        self.facts().version = version_of(&connection);
        let listed = tokio::select! {
            () = self.stop.cancelled() => Err(None),
            listed = self.list(&connection) => listed.map_err(Some),
        };
        let end = match listed {
            Ok(tools) => {
                self.take_list(owner, tools);
                let connection = Arc::new(connection);
                self.phase
                    .send_replace(InnerPhase::Ready(Arc::clone(&connection)));
                self.pulse.beat();
                let end = self.attend(owner, &connection, &mut remote, &changed);
                let end = end.await;
                self.set(LinkPhase::Starting);
                connection.cancellation_token().cancel();
                // A call that still holds it ends with it.
                if let Some(connection) = Arc::into_inner(connection) {
                    hang_up(connection).await;
                }
                end
            }
            Err(why) => {
                hang_up(connection).await;
                why.map_or(RunEnd::Stopped, RunEnd::NotStarted)
            }
        };
        remote.end().await;
        end
    }

    async fn open(&self, changed: &Arc<Notify>) -> Result<(Connection, Remote), OpenFailure> {
        let opening = Opening {
            server: &self.server,
            place: &self.place,
            changed,
            calls: &self.running,
        };
        opening.open().await
    }

    /// Waits for the end of a server that is ready, and takes its lists.
    async fn attend(
        &self,
        owner: &dyn LinkOwner,
        connection: &Connection,
        remote: &mut Remote,
        changed: &Notify,
    ) -> RunEnd {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return RunEnd::Stopped,
                how = remote.ended() => return RunEnd::Ended(how),
                () = self.lost.notified() => {
                    if let Some(loss) = self.facts().loss.take() {
                        return loss;
                    }
                }
                _ = looks.tick() => {
                    if connection.is_transport_closed() {
                        return RunEnd::Ended(remote.hung_up());
                    }
                }
                () = changed.notified() => {
                    if let Ok(tools) = self.list(connection).await {
                        self.take_list(owner, tools);
                    }
                }
            }
        }
    }

    fn take_list(&self, owner: &dyn LinkOwner, tools: Vec<OfferedTool>) {
        let tools: Arc<[Arc<OfferedTool>]> = tools.into_iter().map(Arc::new).collect();
        self.facts().tools = Arc::clone(&tools);
        self.pulse.beat();
        owner.listed(self, &tools);
    }

    /// The tools of a server, page by page.
    async fn list(&self, connection: &Connection) -> Result<Vec<OfferedTool>, OpenFailure> {
        let reading = all_pages(MAX_TOOLS, |params| async move {
            let page = connection.list_tools(Some(params)).await;
            let page = page.map_err(|error| self.list_failed(&error))?;
            Ok::<_, OpenFailure>((page.tools, page.next_cursor))
        });
        let secs = self.server.deadline_secs;
        let late = |_| OpenFailure::other(format!("it did not list its tools within {secs} s"));
        let tools = tokio::time::timeout(self.deadline(), reading);
        Ok(offered(&self.server, tools.await.map_err(late)??))
    }

    fn list_failed(&self, error: &ServiceError) -> OpenFailure {
        match error {
            ServiceError::TransportSend(sent)
                if matches!(self.server.reach, McpReach::Address { .. }) =>
            {
                let failure = failure(&*sent.error);
                if let HttpFate::NeedsScopes(scopes) = &failure.fate {
                    self.keep_lacking(scopes);
                }
                failure.into()
            }
            _ => OpenFailure::other(words_of(error)),
        }
    }

    fn set(&self, phase: LinkPhase) {
        self.phase.send_replace(InnerPhase::Other(phase));
        self.pulse.beat();
    }

    fn facts(&self) -> MutexGuard<'_, LinkFacts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a connection: a server that keeps a session by HTTP is told so before this is back.
async fn hang_up(mut connection: Connection) {
    let _ = connection.close_with_timeout(GOODBYE).await;
}

/// What a server says of itself, with the version of the protocol.
fn version_of(connection: &Connection) -> Option<String> {
    let info = connection.peer_info()?;
    let server = info.server_info.as_ref();
    let name = server.map(|it| format!("{} {}, ", it.name, it.version));
    let text = format!(
        "{}protocol {}",
        name.unwrap_or_default(),
        info.protocol_version
    );
    Some(reason(&text))
}

/// Why a request has no answer, as a clause.
fn words_of(error: &ServiceError) -> String {
    match error {
        ServiceError::McpError(error) => reason(&error.message),
        ServiceError::TransportClosed => "it ended before it answered".to_owned(),
        other => reason(&other.to_string()),
    }
}
