//! A call on its way: in rounds, when the server answers with questions first. What belongs to
//! it is known by its progress token; whoever leaves it has the server told.

use std::time::Duration;

use rmcp::Peer;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, CancelledNotificationParam,
    ClientRequest, DEFAULT_MRTR_MAX_ROUNDS, InputRequest, InputRequiredResult, InputResponses,
    RequestId, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RoleClient, ServiceError};

use super::calls::RunningCall;
use super::client::{ClientSide, Connection};

/// Before a server is asked again that wanted nothing but time.
const PAUSE: Duration = Duration::from_millis(250);

/// Calls a tool, and asks the person what the server wants to know on the way.
pub(super) async fn call_in_rounds(
    connection: &Connection,
    mut params: CallToolRequestParams,
    call: &RunningCall,
) -> Result<CallToolResult, ServiceError> {
    for _ in 0..DEFAULT_MRTR_MAX_ROUNDS {
        let required = match one_round(connection, params.clone(), call).await? {
            ServerResult::CallToolResult(result) => return Ok(result),
            // Some servers leave out the content of a result that has none.
            ServerResult::EmptyResult(_) => return Ok(CallToolResult::success(Vec::new())),
            ServerResult::InputRequiredResult(required) => required,
            _ => return Err(ServiceError::UnexpectedResponse),
        };
        let InputRequiredResult {
            input_requests,
            request_state,
            ..
        } = required;
        let requests = input_requests.unwrap_or_default();
        if requests.is_empty() {
            if request_state.is_none() {
                return Err(ServiceError::UnexpectedResponse);
            }
            tokio::time::sleep(PAUSE).await;
        }
        let mut answers = InputResponses::new();
        for (key, request) in requests {
            let answer = answer(connection.service(), request, call).await?;
            answers.insert(key, answer);
        }
        params.input_responses = (!answers.is_empty()).then_some(answers);
        params.request_state = request_state;
    }
    Err(ServiceError::InputRequiredRoundsExceeded {
        max_rounds: DEFAULT_MRTR_MAX_ROUNDS,
    })
}

async fn one_round(
    connection: &Connection,
    params: CallToolRequestParams,
    call: &RunningCall,
) -> Result<ServerResult, ServiceError> {
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let options = PeerRequestOptions::no_options();
    let handle = connection
        .send_cancellable_request(request, options)
        .await?;
    call.is_known_as(&handle.progress_token);
    let mut open = OpenRequest {
        peer: connection.peer().clone(),
        id: Some(handle.id.clone()),
    };
    let answered = handle.await_response().await;
    open.id = None;
    answered
}

/// The answer to a question that stands in the place of a result.
async fn answer(
    side: &ClientSide,
    request: InputRequest,
    call: &RunningCall,
) -> Result<serde_json::Value, ServiceError> {
    // Nothing else was offered to servers.
    let InputRequest::Elicitation(request) = request else {
        return Err(ServiceError::UnexpectedResponse);
    };
    let answer = side.answer(request.params, |form| call.ask(form)).await;
    serde_json::to_value(answer).map_err(|_| ServiceError::UnexpectedResponse)
}

/// A request without its answer; the server is told when nobody waits for that any more.
struct OpenRequest {
    peer: Peer<RoleClient>,
    id: Option<RequestId>,
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let peer = self.peer.clone();
        runtime.spawn(async move {
            let left = CancelledNotificationParam::new(Some(id), None);
            // A server that is gone needs no word.
            let _ = peer.notify_cancelled(left).await;
        });
    }
}
