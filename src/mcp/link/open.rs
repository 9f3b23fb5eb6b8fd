//! How a connection begins: a program is started or an address asked, then greeted with the
//! newest version of the protocol, or with an older one.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ClientServiceExt;
use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientInitializeError, ClientLifecycleMode};
use rmcp::transport::{AuthClient, StreamableHttpClientTransport};
use tokio::sync::Notify;

use super::calls::RunningCalls;
use super::client::{ClientSide, Connection};
use super::http::{HttpFailure, HttpFate, HttpTarget, greeting_failure};
use super::process::{ProgramPipes, ProgramPlace, ProgramStart, ServerProcess};
use super::reasons::{innermost, reason};
use crate::config::{McpReach, McpServer};
use crate::mcp::login::store::LoginStore;
use crate::provider::ServerClients;

/// How long the end of a program is waited for that does not greet back.
const END_PATIENCE: Duration = Duration::from_millis(500);
/// What is said of a server that went away.
const HUNG_UP: &str = "it closed the connection";

/// What connections are made with.
#[derive(Clone)]
pub(in crate::mcp) struct LinkPlace {
    /// For programs, and for variables in descriptions.
    pub programs: ProgramPlace,
    /// For addresses.
    pub clients: ServerClients,
    /// Where logins are kept.
    pub credentials_file: PathBuf,
}

/// What is at the other end.
pub(super) enum Remote {
    /// A program of ours.
    Program(ServerProcess),
    /// An address: nothing of it ends with the connection.
    Address,
}

/// Why a server is not connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenFailure {
    /// One clause.
    pub why: String,
    pub kind: OpenFailureKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenFailureKind {
    /// The greeting itself may be why: an older one is worth a try.
    Greeting,
    /// It wants a login.
    NeedsLogin,
    Other,
}

impl OpenFailure {
    pub(super) fn other(why: String) -> Self {
        Self {
            why,
            kind: OpenFailureKind::Other,
        }
    }

    fn greeting(why: String) -> Self {
        Self {
            why,
            kind: OpenFailureKind::Greeting,
        }
    }
}

impl From<HttpFailure> for OpenFailure {
    fn from(failure: HttpFailure) -> Self {
        let kind = match failure.fate {
            HttpFate::NeedsLogin | HttpFate::NeedsScopes(_) => OpenFailureKind::NeedsLogin,
            HttpFate::Unreachable => OpenFailureKind::Other,
            HttpFate::SessionLost | HttpFate::Failed => OpenFailureKind::Greeting,
        };
        Self {
            why: failure.why,
            kind,
        }
    }
}

impl Remote {
    /// Waits for its end. One clause says how it ended.
    pub(super) async fn ended(&mut self) -> String {
        match self {
            Self::Program(process) => process.ended().await,
            Self::Address => std::future::pending().await,
        }
    }

    /// What is said when it hung up.
    pub(super) fn hung_up(&self) -> String {
        match self {
            Self::Program(process) => process.with_last_words(HUNG_UP.to_owned()),
            Self::Address => HUNG_UP.to_owned(),
        }
    }

    /// Ends it: its input has ended already.
    pub(super) async fn end(self) {
        match self {
            Self::Program(process) => process.end().await,
            Self::Address => {}
        }
    }
}

/// One server and what it is opened with.
pub(super) struct Opening<'a> {
    pub server: &'a McpServer,
    pub place: &'a LinkPlace,
    pub changed: &'a Arc<Notify>,
    /// The calls that it will answer.
    pub calls: &'a Arc<RunningCalls>,
}

impl Opening<'_> {
    /// Starts the program, or asks the address, and greets it. Servers of older versions of
    /// the protocol answer the first greeting with an error, and those that hang up at it are
    /// greeted once more.
    pub(super) async fn open(&self) -> Result<(Connection, Remote), OpenFailure> {
        let newest = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
        };
        match self.open_as(newest).await {
            Err(failure) if failure.kind == OpenFailureKind::Greeting => {}
            opened => return opened,
        }
        self.open_as(ClientLifecycleMode::Initialize).await
    }

    async fn open_as(
        &self,
        mode: ClientLifecycleMode,
    ) -> Result<(Connection, Remote), OpenFailure> {
        match &self.server.reach {
            McpReach::Program {
                command,
                args,
                env,
                cwd,
            } => {
                let start = ProgramStart {
                    server: &self.server.name,
                    command,
                    args,
                    env,
                    cwd: cwd.as_deref(),
                };
                let started = self.place.programs.start(&start);
                let (process, pipes) = started.map_err(OpenFailure::other)?;
                self.greet_program(process, pipes, mode).await
            }
            McpReach::Address { url, headers, .. } => {
                let target = HttpTarget::new(url, headers, &self.place.programs);
                let target = target.map_err(OpenFailure::other)?;
                self.greet_address(target, mode).await
            }
        }
    }

    async fn greet_program(
        &self,
        mut process: ServerProcess,
        pipes: ProgramPipes,
        mode: ClientLifecycleMode,
    ) -> Result<(Connection, Remote), OpenFailure> {
        let greeting = self
            .side()
            .serve_with_lifecycle((pipes.output, pipes.input), mode);
        match tokio::time::timeout(self.deadline(), greeting).await {
            Ok(Ok(connection)) => Ok((connection, Remote::Program(process))),
            Ok(Err(error)) => {
                let ended = tokio::time::timeout(END_PATIENCE, process.ended()).await;
                let failure = match (ended, error) {
                    (Ok(how), _) => OpenFailure::greeting(how),
                    (Err(_), ClientInitializeError::ConnectionClosed(_)) => {
                        OpenFailure::greeting(process.with_last_words(HUNG_UP.to_owned()))
                    }
                    (Err(_), error) => {
                        let why = reason(&innermost(&error));
                        OpenFailure::other(process.with_last_words(why))
                    }
                };
                process.end().await;
                Err(failure)
            }
            Err(_) => {
                let why = process.with_last_words(self.late());
                process.end().await;
                Err(OpenFailure::other(why))
            }
        }
    }

    async fn greet_address(
        &self,
        target: HttpTarget,
        mode: ClientLifecycleMode,
    ) -> Result<(Connection, Remote), OpenFailure> {
        let store = LoginStore::new(&self.place.credentials_file, &self.server.name, &target.url);
        let clients = &self.place.clients;
        let greeting = async {
            let login = if target.has_authorization() {
                None
            } else {
                store.manager(clients).await.map_err(OpenFailure::other)?
            };
            let client = target.client(clients, self.deadline());
            let (client, config) = (client.map_err(OpenFailure::other)?, target.config());
            let side = self.side();
            let greeted = if let Some(login) = login {
                let client = AuthClient::new(client, login);
                let transport = StreamableHttpClientTransport::with_client(client, config);
                side.serve_with_lifecycle(transport, mode).await
            } else {
                let transport = StreamableHttpClientTransport::with_client(client, config);
                side.serve_with_lifecycle(transport, mode).await
            };
            greeted.map_err(|error| {
                let failure = greeting_failure(&error);
                if let HttpFate::NeedsScopes(scopes) = &failure.fate {
                    store.keep_lacking(scopes);
                }
                failure.into()
            })
        };
        match tokio::time::timeout(self.deadline(), greeting).await {
            Ok(greeted) => greeted.map(|connection| (connection, Remote::Address)),
            Err(_) => Err(OpenFailure::other(self.late())),
        }
    }

    fn side(&self) -> ClientSide {
        ClientSide {
            server: self.server.name.clone(),
            changed: Arc::clone(self.changed),
            calls: Arc::clone(self.calls),
        }
    }

    fn deadline(&self) -> Duration {
        Duration::from_secs(self.server.deadline_secs)
    }

    fn late(&self) -> String {
        format!("it did not answer within {} s", self.server.deadline_secs)
    }
}
