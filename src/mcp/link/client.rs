//! Our side of a connection: who we are, and what a server may tell us.

use std::sync::Arc;

use rmcp::ClientHandler;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{NotificationContext, RoleClient, RunningService};
use tokio::sync::Notify;

/// A connection that is open.
pub(super) type Connection = RunningService<RoleClient, ClientSide>;

/// See the module's description.
#[derive(Clone)]
pub(in crate::mcp) struct ClientSide {
    /// The server says that its tools changed.
    pub(super) changed: Arc<Notify>,
}

impl ClientHandler for ClientSide {
    fn get_info(&self) -> ClientConfig {
        let me = Implementation::new("plimsoll", env!("CARGO_PKG_VERSION"));
        let mut info = ClientConfig::new(ClientCapabilities::default(), me);
        info.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        info
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }
}
