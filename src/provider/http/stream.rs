//! One answer: sends the request, watches it, turns its bytes into stream events.

use std::collections::VecDeque;
use std::time::Duration;

use futures::StreamExt as _;
use reqwest::Response;
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::call::{HttpCall, secrets, without_secrets};
use super::failure::{broken_off, host_of, watched};
use super::response::{AnswerResponse, open};
use crate::clock::Stopwatch;
use crate::provider::error::ProviderError;
use crate::provider::event::StreamEvent;
use crate::provider::protocol::decode::AnswerDecoder;
use crate::provider::protocol::reader::AnswerReader;
use crate::provider::service::AnswerStream;

/// A command that prints the key keeps its own time; this only bounds what goes wrong.
const KEY_PATIENCE: Duration = Duration::from_mins(2);

/// Comments and pings keep a stream alive while a model thinks or waits for its turn, but
/// not for ever: it gets this many stall times until it says something.
const LIVELY_STALLS: u32 = 10;

pub(in crate::provider) fn failed(error: ProviderError) -> AnswerStream {
    futures::stream::once(async { Err(error) }).boxed()
}

/// Sends the call and decodes its answer. Dropping the stream closes the connection.
pub(in crate::provider) fn stream_answer(
    call: HttpCall,
    decoder: impl AnswerDecoder,
    cancel: CancellationToken,
) -> AnswerStream {
    let driver = AnswerStreamDriver {
        stall: call.client.stall(),
        call: Some(call),
        response: None,
        reader: AnswerReader::of(Box::new(decoder)),
        cancel,
        said_at: Stopwatch::start(),
        ready: VecDeque::new(),
        failure: None,
        over: false,
        host: String::new(),
        secrets: Vec::new(),
    };
    futures::stream::unfold(driver, |mut driver| async move {
        let item = driver.next().await?;
        Some((item, driver))
    })
    .boxed()
}

/// Moves one answer from its request to its last event.
struct AnswerStreamDriver {
    /// Until it is sent.
    call: Option<HttpCall>,
    response: Option<Response>,
    reader: AnswerReader,
    cancel: CancellationToken,
    stall: Duration,
    /// When the answer began or last said something.
    said_at: Stopwatch,
    ready: VecDeque<StreamEvent>,
    /// Comes after everything in `ready`.
    failure: Option<ProviderError>,
    over: bool,
    host: String,
    /// Secrets that were sent: they are not shown, whatever a server returns.
    secrets: Vec<SecretString>,
}

impl AnswerStreamDriver {
    async fn next(&mut self) -> Option<Result<StreamEvent, ProviderError>> {
        loop {
            if !self.over && self.cancel.is_cancelled() {
                return Some(Err(self.give_up(ProviderError::Cancelled)));
            }
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            if let Some(error) = self.failure.take() {
                return Some(Err(self.give_up(error)));
            }
            if self.over {
                return None;
            }
            if let Err(error) = self.advance().await {
                self.failure = Some(error);
            }
        }
    }

    fn give_up(&mut self, error: ProviderError) -> ProviderError {
        self.over = true;
        self.ready.clear();
        self.response = None;
        without_secrets(error, &self.secrets)
    }

    async fn advance(&mut self) -> Result<(), ProviderError> {
        if let Some(call) = self.call.take() {
            self.host = host_of(&call.url);
            let patience = call.client.first_byte(&call.url).max(KEY_PATIENCE);
            let what = call.key.waited_for();
            let key = watched(call.key.reveal(), patience, what, &self.cancel).await??;
            self.secrets = secrets(&call, key.as_ref());
            match open(&call, key.as_ref(), &self.cancel).await? {
                AnswerResponse::Stream(response) => self.response = Some(response),
                AnswerResponse::Whole(body) => self.reader.whole(body, &mut self.ready)?,
            }
            self.said_at = Stopwatch::start();
            return Ok(());
        }
        let Some(response) = self.response.as_mut() else {
            self.over = true;
            return Ok(());
        };
        let what = format!("{} stopped sending", self.host);
        match watched(response.chunk(), self.stall, &what, &self.cancel).await {
            Ok(Ok(Some(bytes))) => self.reader.push(&bytes, &mut self.ready)?,
            Ok(Ok(None)) => self.reader.finish(&mut self.ready)?,
            Ok(Err(error)) => self.break_off(broken_off(&self.host, &error))?,
            Err(ProviderError::Cancelled) => return Err(ProviderError::Cancelled),
            Err(error) => self.break_off(error)?,
        }
        self.check_words()?;
        if self.reader.is_over() {
            self.over = true;
            if let Some(response) = self.response.take() {
                drain(response);
            }
        }
        Ok(())
    }

    /// The connection broke, or is silent: an answer that had said why it ends is whole, and
    /// is not paid again.
    fn break_off(&mut self, error: ProviderError) -> Result<(), ProviderError> {
        let ended = self.reader.break_off(&mut self.ready);
        let has_ended = matches!(self.ready.back(), Some(StreamEvent::Stop(_)));
        if has_ended { ended } else { Err(error) }
    }

    /// Signs of life alone are no answer.
    fn check_words(&mut self) -> Result<(), ProviderError> {
        let patience = self.stall * LIVELY_STALLS;
        if !self.ready.is_empty() {
            self.said_at = Stopwatch::start();
        }
        if self.reader.is_over() || self.said_at.elapsed() < patience {
            return Ok(());
        }
        Err(ProviderError::Timeout {
            message: format!(
                "{} sent only keep-alive signals for {} s",
                self.host,
                patience.as_secs_f64()
            ),
        })
    }
}

/// Reads what is left of an answer that is over, usually the mark that nothing is: only then
/// can its connection carry the next request. Nobody waits for it.
fn drain(mut response: Response) {
    /// A server that says more after the end of an answer loses its connection.
    const MAX_PIECES: usize = 16;
    const PATIENCE: Duration = Duration::from_secs(1);
    tokio::spawn(async move {
        let rest = async {
            for _ in 0..MAX_PIECES {
                if !matches!(response.chunk().await, Ok(Some(_))) {
                    break;
                }
            }
        };
        // Whether it ended or time ran out: it is dropped either way.
        let _ = tokio::time::timeout(PATIENCE, rest).await;
    });
}
