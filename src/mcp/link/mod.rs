//! One server: started in the background, kept running, asked under a deadline.
//!
//! A server that ends is started again after a pause, a few times; one that does not start is
//! left alone until somebody calls it.

mod client;
pub(super) mod process;
pub(super) mod state;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::ClientServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult, PaginatedRequestParams, ProtocolVersion};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, RoleClient, RunningService, ServiceError,
};
use serde_json::{Map, Value};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use self::client::ClientSide;
use self::process::{ProgramPlace, ProgramStart, ServerProcess};
use self::state::{CallCount, LinkPhase};
use super::content::harmless;
use super::offer::{MAX_TOOLS, OfferedTool, offered};
use crate::clock::Stopwatch;
use crate::config::{McpReach, McpServer};
use crate::engine::text::{one_line, redact};

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
/// How long the end of a program is waited for that does not greet back.
const END_PATIENCE: Duration = Duration::from_millis(500);
/// What is said of a server that went away.
const HUNG_UP: &str = "it closed the connection";
/// Pages of a list.
const MAX_PAGES: usize = 100;
/// Characters of a reason.
const REASON_CHARS: usize = 300;

type Connection = RunningService<RoleClient, ClientSide>;

/// Who is told when a server has a list.
pub(super) trait LinkOwner: Send + Sync {
    /// A server gave its list of tools.
    fn listed(&self, link: &ServerLink, tools: &Arc<[Arc<OfferedTool>]>);

    /// A server cannot be used. Why, as a clause.
    fn failed(&self, link: &ServerLink, why: &str);
}

/// See the module's description.
pub(super) struct ServerLink {
    pub(super) server: McpServer,
    place: ProgramPlace,
    phase: watch::Sender<InnerPhase>,
    facts: Mutex<LinkFacts>,
    stop: CancellationToken,
    wake: Notify,
    task: Mutex<Option<JoinHandle<()>>>,
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
}

/// How a run of a server ended.
enum RunEnd {
    Stopped,
    NotStarted(String),
    Ended(String),
}

impl ServerLink {
    pub(super) fn new(server: McpServer, place: ProgramPlace) -> Self {
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
            task: Mutex::default(),
        }
    }

    /// Starts it in the background, once.
    pub(super) fn start(self: &Arc<Self>, owner: Arc<dyn LinkOwner>) {
        if self.server.off || self.stop.is_cancelled() {
            return;
        }
        let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        if task.is_none() {
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
    ) -> Result<CallToolResult, String> {
        let began = Stopwatch::start();
        let asking = tokio::time::timeout(self.deadline(), async {
            let connection = self.connection().await?;
            let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
            let answered = connection.call_tool(params).await;
            if matches!(answered, Err(ServiceError::TransportClosed)) {
                self.end_noticed().await;
            }
            answered.map_err(|error| words_of(&error))
        });
        let answered = match asking.await {
            Ok(answered) => answered,
            Err(_) => Err(format!(
                "it took longer than {} s",
                self.server.deadline_secs
            )),
        };
        let mut facts = self.facts();
        let calls = &mut facts.calls;
        calls.calls += 1;
        calls.time += began.elapsed();
        if let Err(why) = &answered {
            calls.failures += 1;
            calls.last_error = Some(why.clone());
        }
        answered
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
            InnerPhase::Other(LinkPhase::Failed(_))
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
            Ok(InnerPhase::Other(LinkPhase::Failed(why))) => Err(why),
            Ok(InnerPhase::Other(phase)) => Err(format!("it is {}", phase.name())),
            Err(_) => Err("it is gone".to_owned()),
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
            let (pause, why) = match end {
                RunEnd::Stopped => break,
                RunEnd::NotStarted(why) => (None, why),
                RunEnd::Ended(why) => (PAUSES.get(ends).copied(), why),
            };
            if let Some(pause) = pause {
                ends += 1;
                self.set(LinkPhase::Resting(why));
                tokio::select! {
                    () = self.stop.cancelled() => break,
                    () = tokio::time::sleep(pause) => {}
                }
                continue;
            }
            ends = 0;
            owner.failed(&self, &why);
            self.set(LinkPhase::Failed(why));
            tokio::select! {
                () = self.stop.cancelled() => break,
                () = self.wake.notified() => {}
            }
        }
        self.set(LinkPhase::Ended);
    }

    /// One run, from the start of the program to its end.
    async fn run(&self, owner: &dyn LinkOwner) -> RunEnd {
        let changed = Arc::new(Notify::new());
        let opened = tokio::select! {
            () = self.stop.cancelled() => return RunEnd::Stopped,
            opened = self.open(&changed) => opened,
        };
        let (connection, mut process) = match opened {
            Ok(opened) => opened,
            Err(why) => return RunEnd::NotStarted(why),
        };
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
                let end = self.attend(owner, &connection, &mut process, &changed);
                let end = end.await;
                self.set(LinkPhase::Starting);
                connection.cancellation_token().cancel();
                end
            }
            Err(why) => {
                connection.cancellation_token().cancel();
                why.map_or(RunEnd::Stopped, RunEnd::NotStarted)
            }
        };
        process.end().await;
        end
    }

    /// Waits for the end of a server that is ready, and takes its lists.
    async fn attend(
        &self,
        owner: &dyn LinkOwner,
        connection: &Connection,
        process: &mut ServerProcess,
        changed: &Notify,
    ) -> RunEnd {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return RunEnd::Stopped,
                how = process.ended() => return RunEnd::Ended(how),
                _ = looks.tick() => {
                    if connection.is_transport_closed() {
                        return RunEnd::Ended(process.with_last_words(HUNG_UP.to_owned()));
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
        owner.listed(self, &tools);
    }

    /// Starts the program and greets it. Servers of older versions of the protocol answer the
    /// first greeting with an error, and those that hang up at it are started once more.
    async fn open(&self, changed: &Arc<Notify>) -> Result<(Connection, ServerProcess), String> {
        let newest = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
        };
        match self.open_as(newest, changed).await {
            Err(OpenFailure::HungUp(_)) => {}
            Err(OpenFailure::Other(why)) => return Err(why),
            Ok(opened) => return Ok(opened),
        }
        let older = self.open_as(ClientLifecycleMode::Initialize, changed);
        older.await.map_err(|failure| match failure {
            OpenFailure::HungUp(why) | OpenFailure::Other(why) => why,
        })
    }

    async fn open_as(
        &self,
        mode: ClientLifecycleMode,
        changed: &Arc<Notify>,
    ) -> Result<(Connection, ServerProcess), OpenFailure> {
        let McpReach::Program {
            command,
            args,
            env,
            cwd,
        } = &self.server.reach;
        let start = ProgramStart {
            server: &self.server.name,
            command,
            args,
            env,
            cwd: cwd.as_deref(),
        };
        let (mut process, pipes) = self.place.start(&start).map_err(OpenFailure::Other)?;
        let side = ClientSide {
            changed: Arc::clone(changed),
        };
        let greeting = side.serve_with_lifecycle((pipes.output, pipes.input), mode);
        let secs = self.server.deadline_secs;
        match tokio::time::timeout(self.deadline(), greeting).await {
            Ok(Ok(connection)) => {
                self.facts().version = version_of(&connection);
                Ok((connection, process))
            }
            Ok(Err(error)) => {
                let ended = tokio::time::timeout(END_PATIENCE, process.ended()).await;
                let failure = match (ended, error) {
                    (Ok(how), _) => OpenFailure::HungUp(how),
                    (Err(_), ClientInitializeError::ConnectionClosed(_)) => {
                        OpenFailure::HungUp(process.with_last_words(HUNG_UP.to_owned()))
                    }
                    (Err(_), error) => {
                        let why = reason(&innermost(&error));
                        OpenFailure::Other(process.with_last_words(why))
                    }
                };
                process.end().await;
                Err(failure)
            }
            Err(_) => {
                let why = format!("it did not answer within {secs} s");
                let why = process.with_last_words(why);
                process.end().await;
                Err(OpenFailure::Other(why))
            }
        }
    }

    /// The tools of a server, page by page.
    async fn list(&self, connection: &Connection) -> Result<Vec<OfferedTool>, String> {
        let reading = async {
            let mut tools = Vec::new();
            let mut cursor = None;
            for _ in 0..MAX_PAGES {
                let params = PaginatedRequestParams::default().with_cursor(cursor);
                let page = connection.list_tools(Some(params)).await;
                let page = page.map_err(|error| words_of(&error))?;
                tools.extend(page.tools);
                cursor = page.next_cursor;
                if cursor.is_none() || tools.len() >= MAX_TOOLS {
                    break;
                }
            }
            Ok::<_, String>(tools)
        };
        let secs = self.server.deadline_secs;
        let late = |_| format!("it did not list its tools within {secs} s");
        let tools = tokio::time::timeout(self.deadline(), reading);
        Ok(offered(&self.server, tools.await.map_err(late)??))
    }

    fn set(&self, phase: LinkPhase) {
        self.phase.send_replace(InnerPhase::Other(phase));
    }

    fn facts(&self) -> MutexGuard<'_, LinkFacts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a server is not connected.
enum OpenFailure {
    /// It ended at the greeting.
    HungUp(String),
    Other(String),
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

/// Words of a server in one line, without secrets.
fn reason(text: &str) -> String {
    one_line(&redact(&harmless(text)), REASON_CHARS)
}

/// The cause that says most: what wraps it repeats that there was one.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
