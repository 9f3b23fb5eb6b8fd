//! A server on this machine, or at an address that somebody set, and what it says about its
//! models.
//!
//! Only reading, and whatever is not understood counts as no answer: each kind has its own
//! place for the window that a model runs with, and some say it only of loaded models.

use futures::future::join_all;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use super::server_kind::{LocalModel, ServerKind};
use crate::provider::catalogue::listing::read::{CHAT_MODES, converses, tokens_at};
use crate::provider::registry::Registry;

/// Answers beyond this size are not about models.
const MAX_BODY_BYTES: usize = 1024 * 1024;

/// Of how many models Ollama is asked for what they can do; a list has no more of it than
/// names.
const MAX_SHOWN: usize = 64;

pub(super) struct LocalServer<'a> {
    registry: &'a Registry,
    /// The headers of every question.
    headers: HeaderMap,
    /// With `/v1`.
    base: String,
    /// Without it.
    root: String,
}

impl<'a> LocalServer<'a> {
    /// The server of `provider` at `base`.
    pub(super) fn new(registry: &'a Registry, provider: &str, base: String) -> Self {
        Self {
            registry,
            headers: registry.local_headers(provider),
            root: base.strip_suffix("/v1").unwrap_or(&base).to_owned(),
            base,
        }
    }

    /// The kind of server that the provider's name promises comes first. Behind a name of
    /// the user's own may be any of them.
    pub(super) async fn ask(&self, provider: &str, wanted: Option<&str>) -> Option<LocalModel> {
        let first = match self.registry.server_kind(provider) {
            ServerKind::Ollama => return self.ollama(wanted).await,
            ServerKind::LmStudio => return self.lm_studio(wanted).await,
            kind => {
                let all = self.compatible(kind, wanted).await;
                all.and_then(|all| pick_served(all, wanted))
            }
        };
        if first
            .as_ref()
            .is_some_and(|said| said.window_tokens.is_some())
        {
            return first;
        }
        let name = first.as_ref().map(|said| said.name.clone());
        let wanted = wanted.or(name.as_deref());
        let asked = async {
            let said = self.ollama(wanted).await;
            let said = match said {
                None => self.lm_studio(wanted).await,
                said => said,
            };
            match said {
                None => self.litellm(wanted).await,
                said => said,
            }
        };
        self.soon(asked).await.or(first)
    }

    /// The models that are loaded; where none is, or nobody says, the one that it serves first.
    pub(super) async fn ready(&self, provider: &str) -> Option<Vec<LocalModel>> {
        let kind = self.registry.server_kind(provider);
        let loaded = match kind {
            ServerKind::Ollama => self.loaded_by_ollama().await,
            ServerKind::LmStudio => self.all_of_lm_studio().await,
            kind => self.compatible(kind, None).await,
        };
        let mut loaded = loaded.unwrap_or_default();
        loaded.retain(|served| served.window_tokens.is_some());
        if loaded.is_empty() {
            return Some(vec![self.ask(provider, None).await?]);
        }
        Some(loaded)
    }

    /// All models of the server, those that are loaded first.
    pub(super) async fn all(&self, provider: &str) -> Option<Vec<LocalModel>> {
        let first = match self.registry.server_kind(provider) {
            ServerKind::Ollama => return self.all_of_ollama().await,
            ServerKind::LmStudio => return self.all_of_lm_studio().await,
            kind => self.compatible(kind, None).await,
        };
        let says_windows = |all: &Vec<LocalModel>| all.iter().any(|it| it.window_tokens.is_some());
        if first.as_ref().is_some_and(says_windows) {
            return first;
        }
        let asked = async {
            let all = self.all_of_ollama().await;
            let all = match all {
                None => self.all_of_lm_studio().await,
                all => all,
            };
            match all {
                None => self.all_of_litellm().await,
                all => all,
            }
        };
        self.soon(asked).await.or(first)
    }

    /// Answers that come soon: a server that holds what it does not know must not cost the list
    /// that it gave.
    async fn soon<T: Default>(&self, asked: impl Future<Output = T>) -> T {
        let patience = self.registry.probe_time() / 2;
        let said = tokio::time::timeout(patience, asked).await;
        said.unwrap_or_default()
    }

    /// The loaded model has a runtime window. Another one has the window that its
    /// parameters set, or none that anybody knows before it is loaded.
    pub(super) async fn ollama(&self, wanted: Option<&str>) -> Option<LocalModel> {
        let ps = self.get("/api/ps").await?;
        let loaded = pick_tagged(&ps["models"], wanted);
        let name = match (wanted, loaded) {
            (Some(name), _) => name.to_owned(),
            (None, Some(model)) => name_of(model, "name")?,
            (None, None) => {
                let tags = self.get("/api/tags").await?;
                name_of(pick(&tags["models"], "name", None)?, "name")?
            }
        };
        let about = match (self.show(&name).await, loaded) {
            (Some(about), _) => about,
            (None, Some(_)) => Value::Null,
            (None, None) => return None,
        };
        Some(of_ollama(name, loaded, &about))
    }

    async fn loaded_by_ollama(&self) -> Option<Vec<LocalModel>> {
        let ps = self.get("/api/ps").await?;
        let loaded = ps["models"].as_array()?.iter().take(MAX_SHOWN);
        let shown = loaded.filter_map(|model| Some((name_of(model, "name")?, model)));
        let said = shown.map(|(name, model)| async move {
            let about = self.show(&name).await.unwrap_or_default();
            can_talk(&about).then(|| of_ollama(name, Some(model), &about))
        });
        Some(join_all(said).await.into_iter().flatten().collect())
    }

    async fn show(&self, name: &str) -> Option<Value> {
        self.post("/api/show", &json!({"model": name})).await
    }

    async fn all_of_ollama(&self) -> Option<Vec<LocalModel>> {
        let (tags, ps) = futures::join!(self.get("/api/tags"), self.get("/api/ps"));
        let (tags, ps) = (tags?, ps?);
        let names = tags["models"].as_array()?.iter();
        let names = names.filter_map(|model| name_of(model, "name"));
        let shown = names.enumerate().map(|(at, name)| async move {
            let about = if at < MAX_SHOWN {
                self.show(&name).await
            } else {
                None
            };
            (name, about.unwrap_or_default())
        });
        let said = join_all(shown).await.into_iter();
        let talks = said.filter(|(_, about)| can_talk(about));
        let mut all: Vec<(bool, LocalModel)> = talks
            .map(|(name, about)| {
                let loaded = pick_tagged(&ps["models"], Some(&name));
                (loaded.is_none(), of_ollama(name, loaded, &about))
            })
            .collect();
        all.sort_by_key(|(is_idle, _)| *is_idle);
        Some(all.into_iter().map(|(_, served)| served).collect())
    }

    async fn lm_studio(&self, wanted: Option<&str>) -> Option<LocalModel> {
        let all = self.all_of_lm_studio().await?;
        pick_served(all, wanted)
    }

    async fn all_of_lm_studio(&self) -> Option<Vec<LocalModel>> {
        let models = self.get("/api/v0/models").await?;
        let all = models["data"].as_array()?.iter();
        let mut talking: Vec<&Value> = all.filter(|it| it["type"] != "embeddings").collect();
        talking.sort_by_key(|model| model["state"] != "loaded");
        Some(talking.into_iter().filter_map(of_lm_studio).collect())
    }

    async fn litellm(&self, wanted: Option<&str>) -> Option<LocalModel> {
        let all = self.all_of_litellm().await?;
        pick_served(all, wanted)
    }

    /// A proxy that knows the models behind it; its list of models has only names.
    async fn all_of_litellm(&self) -> Option<Vec<LocalModel>> {
        let answer = self.get("/model/info").await?;
        let all = answer["data"].as_array()?.iter();
        let all: Vec<LocalModel> = all.filter_map(of_litellm).collect();
        (!all.is_empty()).then_some(all)
    }

    /// vLLM (`max_model_len`), llama.cpp (`/props`), and whatever lists its models. The
    /// properties are about one model: of which one, only a list of one says. llama.cpp answers
    /// to any name with its one model.
    async fn compatible(
        &self,
        promised: ServerKind,
        wanted: Option<&str>,
    ) -> Option<Vec<LocalModel>> {
        let url = format!("{}/models", self.base);
        let models = self.fetch(self.client(&url)?.get(&url)).await?;
        let listed = models["data"].as_array()?.iter();
        let mut all: Vec<LocalModel> = listed
            .filter(|model| converses(model))
            .filter_map(|model| of_compatible(promised, model))
            .collect();
        let is_listed = |wanted: &str| all.iter().any(|served| served.name == wanted);
        let stranger = wanted.filter(|wanted| !is_listed(wanted));
        if let (Some(name), [only]) = (stranger, all.as_slice()) {
            let model = LocalModel {
                name: name.to_owned(),
                window_tokens: None,
                ..only.clone()
            };
            all.extend(self.with_properties(model).await);
            return Some(all);
        }
        let is_asked = |served: &&mut LocalModel| wanted.is_none_or(|wanted| served.name == wanted);
        let mut open = all.iter_mut().filter(|it| it.window_tokens.is_none());
        if let Some(served) = open.find(is_asked)
            && let Some(known) = self.with_properties(served.clone()).await
        {
            *served = known;
        }
        Some(all)
    }

    /// The model with what llama.cpp says of the one that it runs; `None` when it is another
    /// server.
    async fn with_properties(&self, model: LocalModel) -> Option<LocalModel> {
        let props = self.get("/props").await?;
        let per_slot = props["default_generation_settings"]["n_ctx"].as_u64();
        let window = per_slot.or_else(|| props["n_ctx"].as_u64())?;
        Some(LocalModel {
            window_tokens: Some(window),
            kind: ServerKind::LlamaCpp,
            images: props["modalities"]["vision"].as_bool().or(model.images),
            ..model
        })
    }

    fn client(&self, url: &str) -> Option<reqwest::Client> {
        self.registry.client().for_url(url).ok()
    }

    async fn get(&self, path: &str) -> Option<Value> {
        let url = format!("{}{path}", self.root);
        self.fetch(self.client(&url)?.get(&url)).await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Option<Value> {
        let url = format!("{}{path}", self.root);
        self.fetch(self.client(&url)?.post(&url).json(body)).await
    }

    async fn fetch(&self, request: reqwest::RequestBuilder) -> Option<Value> {
        let mut response = request.headers(self.headers.clone()).send().await.ok()?;
        if !response.status().is_success() {
            return None;
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.ok()? {
            if body.len() + chunk.len() > MAX_BODY_BYTES {
                return None;
            }
            body.extend_from_slice(&chunk);
        }
        serde_json::from_slice(&body).ok()
    }
}

/// Ollama also serves models that only embed.
fn can_talk(about: &Value) -> bool {
    let can = about["capabilities"].as_array();
    can.is_none_or(|can| can.iter().any(|it| it == "completion"))
}

fn of_ollama(name: String, loaded: Option<&Value>, about: &Value) -> LocalModel {
    let running = loaded.and_then(|model| model["context_length"].as_u64());
    let set = about["parameters"].as_str().and_then(num_ctx);
    let abilities = about["capabilities"].as_array();
    let can = |what: &str| abilities.map(|all| all.iter().any(|ability| ability == what));
    LocalModel {
        name,
        kind: ServerKind::Ollama,
        window_tokens: running.or(set),
        largest_window_tokens: trained_window(&about["model_info"]),
        most_output_tokens: None,
        images: can("vision"),
        tools: can("tools"),
        thinking: can("thinking"),
    }
}

fn of_lm_studio(model: &Value) -> Option<LocalModel> {
    let largest = model["max_context_length"].as_u64();
    let loaded = model["loaded_context_length"].as_u64().or(largest);
    let abilities = model["capabilities"].as_array();
    Some(LocalModel {
        name: name_of(model, "id")?,
        kind: ServerKind::LmStudio,
        window_tokens: loaded.filter(|_| model["state"] == "loaded"),
        largest_window_tokens: largest,
        most_output_tokens: None,
        images: Some(model["type"] == "vlm"),
        tools: abilities.map(|all| all.iter().any(|ability| ability == "tool_use")),
        thinking: None,
    })
}

fn of_compatible(promised: ServerKind, model: &Value) -> Option<LocalModel> {
    let told = [
        &model["max_model_len"],
        &model["top_provider"]["context_length"],
        &model["context_length"],
        &model["context_window"],
        &model["max_context_length"],
        &model["max_input_tokens"],
    ];
    let kinds = model["architecture"]["input_modalities"].as_array();
    let is_vllm = model["max_model_len"].is_u64();
    Some(LocalModel {
        name: name_of(model, "id")?,
        kind: if is_vllm { ServerKind::Vllm } else { promised },
        window_tokens: told.into_iter().find_map(Value::as_u64),
        largest_window_tokens: model["meta"]["n_ctx_train"].as_u64(),
        most_output_tokens: tokens_at(model, &OUTPUTS),
        images: kinds.map(|kinds| kinds.iter().any(|kind| kind == "image")),
        ..LocalModel::default()
    })
}

/// One of the models behind a proxy of `LiteLLM`; some of them do not converse.
fn of_litellm(model: &Value) -> Option<LocalModel> {
    let info = &model["model_info"];
    let mode = info["mode"].as_str();
    if mode.is_some_and(|mode| !CHAT_MODES.contains(&mode)) {
        return None;
    }
    let window = info["max_input_tokens"].as_u64();
    Some(LocalModel {
        name: name_of(model, "model_name")?,
        window_tokens: window.filter(|&tokens| tokens > 0),
        most_output_tokens: tokens_at(info, &OUTPUTS),
        images: info["supports_vision"].as_bool(),
        tools: info["supports_function_calling"].as_bool(),
        thinking: info["supports_reasoning"].as_bool(),
        ..LocalModel::default()
    })
}

/// Where a server names its largest answer.
const OUTPUTS: [&str; 3] = [
    "/max_output_tokens",
    "/max_completion_tokens",
    "/top_provider/max_completion_tokens",
];

/// The wanted model, or the first.
fn pick_served(all: Vec<LocalModel>, wanted: Option<&str>) -> Option<LocalModel> {
    let mut all = all.into_iter();
    match wanted {
        Some(name) => all.find(|served| served.name == name),
        None => all.next(),
    }
}

/// The wanted element of a list, or its first.
fn pick<'a>(list: &'a Value, key: &str, wanted: Option<&str>) -> Option<&'a Value> {
    let all = list.as_array()?;
    match wanted {
        Some(name) => all.iter().find(|item| item[key] == name),
        None => all.first(),
    }
}

/// Picks among Ollama's names: `qwen3` is `qwen3:latest`.
fn pick_tagged<'a>(list: &'a Value, wanted: Option<&str>) -> Option<&'a Value> {
    let latest = wanted.map(|name| format!("{name}:latest"));
    let exact = pick(list, "name", wanted);
    exact.or_else(|| pick(list, "name", Some(latest.as_deref()?)))
}

/// `llama.context_length` among what Ollama knows about the model's file.
fn trained_window(about: &Value) -> Option<u64> {
    let facts = about.as_object()?;
    let mut lengths = facts
        .iter()
        .filter(|(name, _)| name.ends_with(".context_length"));
    lengths.find_map(|(_, value)| value.as_u64())
}

fn name_of(model: &Value, key: &str) -> Option<String> {
    model[key].as_str().map(str::to_owned)
}

/// `num_ctx 8192` among Ollama's parameters.
fn num_ctx(parameters: &str) -> Option<u64> {
    parameters.lines().find_map(|line| {
        let value = line.trim().strip_prefix("num_ctx")?;
        value.trim().parse().ok()
    })
}
