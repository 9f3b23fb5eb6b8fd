//! Questions to a provider besides answers: which models it has, how long a request is.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::Registry;
use super::endpoints::Endpoint;
use crate::provider::catalogue::listing::ListedModel;
use crate::provider::catalogue::listing::read::read;
use crate::provider::catalogue::listing::style::ListStyle;
use crate::provider::choose::probe;
use crate::provider::choose::server_kind::LocalModel;
use crate::provider::error::ProviderError;
use crate::provider::http::address::with_query;
use crate::provider::http::call::{HttpCall, KeyHeader, headers};
use crate::provider::http::fetch::fetch;
use crate::provider::protocol::Protocol;
use crate::provider::{anthropic, gemini};
use crate::transcript::{CompletionRequest, ModelRef, Timestamp, WindowSource};

/// A list that does not end by then goes in circles; pages have a thousand models.
const MAX_PAGES: usize = 50;

/// Who was waited for is known to the page that waited: it has the last word, the limit on all
/// pages comes after it.
const LAST_WORD: Duration = Duration::from_millis(100);

impl Registry {
    /// The models that a provider lists. Waits at most `patience`.
    pub async fn list_models(
        &self,
        provider: &str,
        patience: Duration,
    ) -> Result<Vec<ListedModel>, ProviderError> {
        let endpoint = self.usable(provider)?;
        let listing = async {
            let style = list_style(endpoint);
            match self.list(endpoint, style, patience).await {
                // Behind another address there may be no more than what all have.
                Err(ProviderError::ModelNotFound { .. } | ProviderError::InvalidRequest { .. })
                    if style == ListStyle::XAi =>
                {
                    self.list(endpoint, ListStyle::OpenAi, patience).await
                }
                answer => answer,
            }
        };
        let all = tokio::time::timeout(patience + LAST_WORD, listing).await;
        all.map_err(|_| ProviderError::Timeout {
            message: format!(
                "{} did not list its models in {} s",
                endpoint.name,
                patience.as_secs_f64()
            ),
        })?
    }

    /// All pages of a list, one after the other.
    async fn list(
        &self,
        endpoint: &Endpoint,
        style: ListStyle,
        patience: Duration,
    ) -> Result<Vec<ListedModel>, ProviderError> {
        let id = &endpoint.id;
        let address = self.address_of(endpoint);
        let list = style.address(&address.base);
        let first = with_query(&list.url, &address.query);
        let mut models = Vec::new();
        let mut url = first.clone();
        for _ in 0..MAX_PAGES {
            let call = self.call(endpoint, url, list.key_header, Value::Null);
            let answer = fetch(&call, patience, &CancellationToken::new()).await?;
            let page = read(id, &answer).ok_or_else(|| ProviderError::Malformed {
                message: format!("{id} did not send a list of models"),
            })?;
            let is_empty = page.is_empty();
            models.extend(page);
            match style.next_page(&answer) {
                Some(query) if !is_empty => url = with_query(&first, &query),
                _ => break,
            }
        }
        Ok(models)
    }

    /// How many tokens a request has by the provider's own count. `None`: it does not
    /// count. Nothing is generated or billed.
    pub async fn count_tokens(
        &self,
        request: &CompletionRequest,
        patience: Duration,
    ) -> Result<Option<u64>, ProviderError> {
        let endpoint = self.usable(&request.model.provider)?;
        let body = self.connect(endpoint).wire_body(request);
        let address = self.address_of(endpoint);
        let question = match self.spoken(endpoint) {
            Protocol::Anthropic => CountQuestion {
                url: address.at("/v1/messages/count_tokens"),
                key_header: KeyHeader::X_API_KEY,
                body: counted_by_anthropic(&body),
                count_at: "/input_tokens",
            },
            Protocol::Responses => CountQuestion {
                url: address.at("/responses/input_tokens"),
                key_header: KeyHeader::BEARER,
                body: only(&body, COUNTED_BY_RESPONSES),
                count_at: "/input_tokens",
            },
            Protocol::Gemini => {
                let model = gemini::model_name(&request.model.model);
                CountQuestion {
                    url: address.at(&format!("/{model}:countTokens")),
                    key_header: KeyHeader::X_GOOG_API_KEY,
                    body: counted_by_gemini(body, &model),
                    count_at: "/totalTokens",
                }
            }
            Protocol::OpenAi | Protocol::Offline => return Ok(None),
        };
        let call = self.call(endpoint, question.url, question.key_header, question.body);
        let answer = fetch(&call, patience, &CancellationToken::new()).await?;
        let counted = answer.pointer(question.count_at).and_then(Value::as_u64);
        counted.map(Some).ok_or_else(|| ProviderError::Malformed {
            message: format!("{} did not send a token count", endpoint.id),
        })
    }

    /// The facts from a server on this machine about a model, or about the one that it serves
    /// first. `None` when it is none, or nothing answers within `patience`.
    pub async fn served(
        &self,
        provider: &str,
        wanted: Option<&str>,
        patience: Duration,
    ) -> Option<LocalModel> {
        probe::served(self, provider, wanted, patience).await
    }

    /// The clock of a provider's server when it answered a question last.
    pub fn server_time(&self, provider: &str) -> Option<Timestamp> {
        self.client_of(self.endpoint(provider)?).server_time()
    }

    /// Whether the server of a model is asked how large its window is and has yet to say it.
    pub fn has_window_to_learn(&self, model: &ModelRef) -> bool {
        let known = self.catalogue.lookup(model);
        known.window_source == WindowSource::Assumed
            && self.asked_base(&model.provider).is_some()
            && !self.was_window_asked(model)
    }

    /// Has a server on this machine load a model and learns the window that it runs with.
    /// Takes as long as the next request would take longer otherwise.
    pub async fn learn_window(&self, model: &ModelRef) {
        probe::load(self, model).await;
    }

    /// An endpoint from which nothing is missing.
    fn usable(&self, provider: &str) -> Result<&Endpoint, ProviderError> {
        let known = self.endpoint(provider);
        let endpoint = known.filter(|endpoint| endpoint.protocol != Protocol::Offline);
        let endpoint = endpoint.ok_or_else(|| ProviderError::InvalidRequest {
            message: format!("{provider} does not use the network"),
        })?;
        self.check(endpoint)?;
        Ok(endpoint)
    }

    /// The credentials for a server on this machine: the provider's headers, and its key when
    /// that is at hand. Nobody waits for a command or the keyring before the first screen.
    pub(in crate::provider) fn local_headers(&self, provider: &str) -> HeaderMap {
        let Some(endpoint) = self.endpoint(provider) else {
            return HeaderMap::new();
        };
        let key_header = list_style(endpoint).address("").key_header;
        let call = self.call(endpoint, String::new(), key_header, Value::Null);
        headers(&call, call.key.at_hand()).unwrap_or_default()
    }

    fn call(
        &self,
        endpoint: &Endpoint,
        url: String,
        key_header: KeyHeader,
        body: Value,
    ) -> HttpCall {
        let mut call = self.connection(endpoint).call(key_header, body, None);
        call.url = url;
        if endpoint.protocol == Protocol::Anthropic {
            let (name, value) = anthropic::VERSION;
            call.headers.insert(0, (name.to_owned(), value.to_owned()));
        }
        call
    }
}

/// How the tokens of a request are asked for.
struct CountQuestion {
    url: String,
    key_header: KeyHeader,
    body: Value,
    /// Where the answer has the count, as a JSON pointer.
    count_at: &'static str,
}

/// The fields of a request that the count accepts; it refuses the rest.
const COUNTED_BY_ANTHROPIC: &[&str] = &[
    "model",
    "system",
    "messages",
    "tools",
    "tool_choice",
    "thinking",
];

/// Without what a header would have to allow.
fn counted_by_anthropic(body: &Value) -> Value {
    let mut counted = only(body, COUNTED_BY_ANTHROPIC);
    if let Some(thinking) = counted.get_mut("thinking").and_then(Value::as_object_mut) {
        thinking.retain(|field, _| field == "type" || field == "budget_tokens");
    }
    counted
}

/// Without the limits of the answer, which the count does not know.
const COUNTED_BY_RESPONSES: &[&str] = &["model", "instructions", "input", "tools", "reasoning"];

/// The whole request, with the model named once more inside of it.
fn counted_by_gemini(body: Value, model: &str) -> Value {
    let mut request = json!({"model": model});
    if let (Some(into), Value::Object(body)) = (request.as_object_mut(), body) {
        into.extend(body);
    }
    json!({"generateContentRequest": request})
}

fn only(body: &Value, fields: &[&str]) -> Value {
    let fields = fields.iter().filter_map(|field| {
        let value = body.get(*field)?;
        Some(((*field).to_owned(), value.clone()))
    });
    Value::Object(fields.collect())
}

/// How an endpoint's list of models is asked for.
fn list_style(endpoint: &Endpoint) -> ListStyle {
    match endpoint.protocol {
        Protocol::Anthropic => ListStyle::Anthropic,
        Protocol::Gemini => ListStyle::Gemini,
        Protocol::OpenAi => endpoint.quirks.list.unwrap_or(ListStyle::OpenAi),
        Protocol::Responses | Protocol::Offline => ListStyle::OpenAi,
    }
}
