//! Commands that the user runs with `!` and `!!`.

use std::sync::Arc;
use std::time::Duration;

use crate::agent::protocol::{AnswerEvent, Notice};
use crate::agent::turn::batch::ToolBatch;
use crate::session::Durability;
use crate::tool::Plan;
use crate::transcript::{BashExecution, EntryBody, FileCause, Message, ToolCall, ToolResult};

impl ToolBatch<'_> {
    /// A command that the user runs with `!`.
    pub(crate) async fn shell(&mut self, command: String, excluded: bool) {
        let Some(tool) = self.agent.toolbox.tools.get("shell") else {
            let notice = Notice::error("the command was not run: there is no shell tool");
            self.agent.events.notice(notice).await;
            return;
        };
        let call = ToolCall {
            id: format!("user-{}", self.agent.mailbox.fresh_id()),
            name: "shell".to_owned(),
            arguments: serde_json::json!({ "command": command }),
            malformed: None,
        };
        let plan = Plan::titled(command.clone());
        let (outcome, _) = self
            .run_tool(&call, tool, plan, FileCause::UserCommand)
            .await;
        let details = outcome.details.unwrap_or_default();
        let exit_code = details.get("exitCode").and_then(serde_json::Value::as_i64);
        let output = ToolResult {
            content: outcome.content,
            ..ToolResult::default()
        }
        .text();
        let run = BashExecution {
            command,
            output,
            exit_code: exit_code.and_then(|code| i32::try_from(code).ok()),
            job: details.get("job").and_then(serde_json::Value::as_u64),
            files: details.get("files").cloned(),
            excluded,
        };
        let body = EntryBody::Message(Arc::new(Message::BashExecution(run)));
        self.agent.thread.append(body, Durability::Flush).await;
        let is_error = outcome.is_error;
        self.agent
            .events
            .emit(AnswerEvent::ToolFinished {
                call_id: call.id,
                is_error,
                elapsed: Duration::ZERO,
            })
            .await;
        self.agent.thread.publish_view().await;
    }
}
