//! One question, one JSON answer: lists of models, counts of tokens, what a server runs.

use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::call::{HttpCall, headers, secrets, without_secrets};
use super::failure::{host_of, network, watched};
use super::response::refusal;
use crate::provider::error::ProviderError;

/// Answers beyond this size are no lists of models.
const MAX_ANSWER_BYTES: usize = 32 * 1024 * 1024;

/// The JSON of an answer. Asks with GET when the call has no body, else with POST; waits at most `patience` in
/// all. Refusals are classified like those of an answer.
pub(in crate::provider) async fn fetch(
    call: &HttpCall,
    patience: Duration,
    cancel: &CancellationToken,
) -> Result<Value, ProviderError> {
    let body = fetch_bytes(call, patience, cancel, MAX_ANSWER_BYTES).await?;
    serde_json::from_slice(&body).map_err(|_| malformed(&host_of(&call.url)))
}

/// The bytes of an answer, `most` at most.
pub(in crate::provider) async fn fetch_bytes(
    call: &HttpCall,
    patience: Duration,
    cancel: &CancellationToken,
    most: usize,
) -> Result<Vec<u8>, ProviderError> {
    let what = format!("{} did not answer", host_of(&call.url));
    let key = watched(call.key.reveal(), patience, call.key.waited_for(), cancel).await??;
    let asked = watched(
        ask(call, key.as_ref(), cancel, most),
        patience,
        &what,
        cancel,
    )
    .await;
    asked
        .and_then(|answer| answer)
        .map_err(|error| without_secrets(error, &secrets(call, key.as_ref())))
}

async fn ask(
    call: &HttpCall,
    key: Option<&secrecy::SecretString>,
    cancel: &CancellationToken,
    most: usize,
) -> Result<Vec<u8>, ProviderError> {
    let host = host_of(&call.url);
    let client = call.client.for_url(&call.url)?;
    let request = if call.body.is_null() {
        client.get(&call.url)
    } else {
        client.post(&call.url).body(call.body.to_string())
    };
    let sent = request.headers(headers(call, key)?).send().await;
    let proxy = call.client.proxy_of(&call.url);
    let mut response = sent.map_err(|error| network(&host, proxy, &error))?;
    call.client.note_time(response.headers());
    if !response.status().is_success() {
        return Err(refusal(call, key, response, cancel).await);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| network(&host, proxy, &error))?
    {
        if body.len() + chunk.len() > most {
            return Err(ProviderError::Malformed {
                message: format!("{host} sent more than {} MB", most / (1024 * 1024)),
            });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn malformed(host: &str) -> ProviderError {
    ProviderError::Malformed {
        message: format!("{host} did not send JSON"),
    }
}
