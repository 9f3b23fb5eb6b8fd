//! Our side of a connection: who we are, what a server may tell us and ask the person.

use std::sync::Arc;

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationCapability,
    ErrorData, FormElicitationCapability, Implementation, ProgressNotificationParam,
    ProtocolVersion, UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient, RunningService};
use tokio::sync::Notify;

use super::calls::RunningCalls;
use crate::mcp::asking::{form, result};
use crate::tool::{FormAnswer, QuestionForm};

/// A connection that is open.
pub(super) type Connection = RunningService<RoleClient, ClientSide>;

/// See the module's description.
#[derive(Clone)]
pub(in crate::mcp) struct ClientSide {
    /// The name of the server.
    pub(super) server: String,
    /// The server says that its tools changed.
    pub(super) changed: Arc<Notify>,
    /// The calls that it is answering.
    pub(super) calls: Arc<RunningCalls>,
}

impl ClientHandler for ClientSide {
    fn get_info(&self) -> ClientConfig {
        let me = Implementation::new("plimsoll", env!("CARGO_PKG_VERSION"));
        let mut asking = ElicitationCapability::new();
        asking.form = Some(FormElicitationCapability::new());
        asking.url = Some(UrlElicitationCapability::new());
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(asking);
        let mut info = ClientConfig::new(capabilities, me);
        info.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        info
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn on_progress(
        &self,
        said: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.calls.progress(&said);
    }

    async fn create_elicitation(
        &self,
        asked: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let asking = self.answer(asked, |form| self.calls.ask(form));
        Ok(tokio::select! {
            answer = asking => answer,
            () = context.ct.cancelled() => result(FormAnswer::Cancel),
        })
    }
}

impl ClientSide {
    /// The answer to a question, by whoever is asked; what nobody can be asked is declined.
    pub(super) async fn answer<F: Future<Output = FormAnswer>>(
        &self,
        asked: ElicitRequestParams,
        ask: impl FnOnce(QuestionForm) -> F,
    ) -> ElicitResult {
        match form(&self.server, asked) {
            Ok(form) => result(ask(form).await),
            Err(why) => {
                let server = &self.server;
                tracing::info!(server, why, "a question of a server is declined");
                result(FormAnswer::Decline)
            }
        }
    }
}
