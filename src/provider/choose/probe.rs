//! Asks servers on this machine what they serve and how large its window is.
//!
//! Only loopback addresses, only reading, at most [`PROBE_TIME`] in all. Whatever is
//! not understood counts as no answer.

use std::time::Duration;

use futures::future::join_all;
use serde_json::{Value, json};

use crate::provider::Registry;
use crate::transcript::{ModelInfo, ModelRef, PromptCache, WindowSource};

/// A local server that needs longer to name its model is not up yet, and nobody waits
/// for the first screen.
const PROBE_TIME: Duration = Duration::from_millis(300);

/// A large model on a slow disk.
const LOAD_TIME: Duration = Duration::from_mins(5);

/// Answers beyond this size are not about models.
const MAX_BODY_BYTES: usize = 1024 * 1024;

/// The servers that are looked for, best first.
const LOCAL: &[&str] = &["ollama", "llamacpp", "lmstudio", "vllm"];

/// The first local server that serves a model; it is learned.
pub(super) async fn first(registry: &Registry) -> Option<ModelRef> {
    let asked = LOCAL.iter().map(|id| learn(registry, id, None));
    join_all(asked).await.into_iter().flatten().next()
}

/// Learns what the server of `provider` says about `wanted`, or about the model that it
/// serves first. `None` when it is not on this machine or says nothing.
pub(super) async fn learn(
    registry: &Registry,
    provider: &str,
    wanted: Option<&str>,
) -> Option<ModelRef> {
    let base = registry.local_base(provider)?;
    let server = Server::new(registry, base);
    let asking = server.ask(provider, wanted);
    let said = tokio::time::timeout(PROBE_TIME, asking).await.ok()??;
    Some(remember(registry, provider, said))
}

/// What the server of `provider` says about `wanted`, without learning it. `None` when it
/// is not on this machine or says nothing in time.
pub(in crate::provider) async fn served(
    registry: &Registry,
    provider: &str,
    wanted: Option<&str>,
    patience: Duration,
) -> Option<Served> {
    let base = registry.local_base(provider)?;
    let server = Server::new(registry, base);
    let asking = server.ask(provider, wanted);
    tokio::time::timeout(patience, asking).await.ok()?
}

/// Has the server load a model whose window it does not tell before, and learns the
/// window. The next request would wait for the same.
pub(in crate::provider) async fn load(registry: &Registry, model: &ModelRef) {
    let Some(base) = registry.local_base(&model.provider) else {
        return;
    };
    let server = Server::new(registry, base);
    let asking = server.ollama(Some(&model.model));
    let before = tokio::time::timeout(PROBE_TIME, asking).await;
    let Ok(Some(before)) = before else { return };
    if before.window_tokens.is_some() {
        remember(registry, &model.provider, before);
        return;
    }
    // Without a prompt nothing is generated: the answer comes when the model is loaded.
    let body = json!({"model": model.model, "stream": false});
    let loading = server.post("/api/generate", &body);
    if tokio::time::timeout(LOAD_TIME, loading).await.is_err() {
        return;
    }
    let asking = server.ollama(Some(&model.model));
    if let Ok(Some(said)) = tokio::time::timeout(PROBE_TIME, asking).await {
        remember(registry, &model.provider, said);
    }
}

/// What the user says about abilities and prices stays; the window is the server's.
fn remember(registry: &Registry, provider: &str, said: Served) -> ModelRef {
    let model = ModelRef::new(provider, said.name);
    let known = registry.catalogue().find(&model);
    let mut info = known.unwrap_or_else(|| ModelInfo {
        prompt_cache: PromptCache::Prefix,
        ..ModelInfo::unknown(model.clone())
    });
    if let Some(window) = said.window_tokens.filter(|&window| window > 0) {
        info.window_tokens = Some(window);
        info.window_source = WindowSource::Server;
    }
    info.images |= said.images;
    registry.catalogue().learn(info);
    model
}

/// What a server on this machine says about a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// The model's id.
    pub name: String,
    /// The window that it runs with. `None`: not loaded yet, or not said.
    pub window_tokens: Option<u64>,
    /// The largest window that it was trained for.
    pub largest_window_tokens: Option<u64>,
    /// Accepts images.
    pub images: bool,
    /// What stands beyond the window is cut away without an error.
    pub cuts_silently: bool,
}

struct Server<'a> {
    registry: &'a Registry,
    /// With `/v1`.
    base: String,
    /// Without it.
    root: String,
}

impl<'a> Server<'a> {
    fn new(registry: &'a Registry, base: String) -> Self {
        Self {
            registry,
            root: base.strip_suffix("/v1").unwrap_or(&base).to_owned(),
            base,
        }
    }

    /// The kind of server that the provider's name promises comes first. Behind a name of
    /// the user's own may be any of them.
    async fn ask(&self, provider: &str, wanted: Option<&str>) -> Option<Served> {
        let first = match provider {
            "ollama" => return self.ollama(wanted).await,
            "lmstudio" => return self.lm_studio(wanted).await,
            _ => self.compatible(wanted).await,
        };
        if first
            .as_ref()
            .is_some_and(|said| said.window_tokens.is_some())
        {
            return first;
        }
        let name = first.as_ref().map(|said| said.name.clone());
        let wanted = wanted.or(name.as_deref());
        match self.ollama(wanted).await {
            Some(said) => Some(said),
            None => self.lm_studio(wanted).await.or(first),
        }
    }

    /// The loaded model has a runtime window. Another one has the window that its
    /// parameters set, or none that anybody knows before it is loaded.
    async fn ollama(&self, wanted: Option<&str>) -> Option<Served> {
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
        let about = self.post("/api/show", &json!({"model": name})).await;
        let about = match (about, loaded) {
            (Some(about), _) => about,
            (None, Some(_)) => Value::Null,
            (None, None) => return None,
        };
        let running = loaded.and_then(|model| model["context_length"].as_u64());
        let set = about["parameters"].as_str().and_then(num_ctx);
        let images = about["capabilities"]
            .as_array()
            .is_some_and(|all| all.iter().any(|c| c == "vision"));
        Some(Served {
            name,
            window_tokens: running.or(set),
            largest_window_tokens: trained_window(&about["model_info"]),
            images,
            cuts_silently: true,
        })
    }

    async fn lm_studio(&self, wanted: Option<&str>) -> Option<Served> {
        let models = self.get("/api/v0/models").await?;
        let all = models["data"].as_array()?;
        let talks = |model: &&Value| model["type"] != "embeddings";
        let is_loaded = |model: &&Value| model["state"] == "loaded";
        let model = match wanted {
            Some(name) => all.iter().find(|model| model["id"] == name)?,
            None => all
                .iter()
                .filter(talks)
                .find(is_loaded)
                .or_else(|| all.iter().find(talks))?,
        };
        let window = if is_loaded(&model) {
            let loaded = model["loaded_context_length"].as_u64();
            loaded.or_else(|| model["max_context_length"].as_u64())
        } else {
            None
        };
        Some(Served {
            name: name_of(model, "id")?,
            window_tokens: window,
            largest_window_tokens: model["max_context_length"].as_u64(),
            images: model["type"] == "vlm",
            cuts_silently: false,
        })
    }

    /// vLLM (`max_model_len`), llama.cpp (`/props`), and whatever lists its models.
    async fn compatible(&self, wanted: Option<&str>) -> Option<Served> {
        let url = format!("{}/models", self.base);
        let models = self.fetch(self.client(&url)?.get(&url)).await?;
        let model = pick(&models["data"], "id", wanted)?;
        let told = [
            &model["max_model_len"],
            &model["top_provider"]["context_length"],
            &model["context_length"],
        ];
        let mut window = told.into_iter().find_map(Value::as_u64);
        let kinds = &model["architecture"]["input_modalities"];
        let mut images = kinds
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(|kind| kind == "image"));
        if window.is_none()
            && let Some(props) = self.get("/props").await
        {
            let per_slot = props["default_generation_settings"]["n_ctx"].as_u64();
            window = per_slot.or_else(|| props["n_ctx"].as_u64());
            images |= props["modalities"]["vision"] == true;
        }
        Some(Served {
            name: name_of(model, "id")?,
            window_tokens: window,
            largest_window_tokens: model["meta"]["n_ctx_train"].as_u64(),
            images,
            cuts_silently: false,
        })
    }

    fn client(&self, url: &str) -> Option<reqwest::Client> {
        self.registry.client().for_url(url).ok()
    }

    async fn get(&self, path: &str) -> Option<Value> {
        let url = format!("{}{path}", self.root);
        self.fetch(self.client(&url)?.get(&url)).await
    }

    async fn post(&self, path: &str, body: &Value) -> Option<Value> {
        let url = format!("{}{path}", self.root);
        self.fetch(self.client(&url)?.post(&url).json(body)).await
    }

    async fn fetch(&self, request: reqwest::RequestBuilder) -> Option<Value> {
        let mut response = request.send().await.ok()?;
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

/// The wanted element of a list, or its first.
fn pick<'a>(list: &'a Value, key: &str, wanted: Option<&str>) -> Option<&'a Value> {
    let all = list.as_array()?;
    match wanted {
        Some(name) => all.iter().find(|item| item[key] == name),
        None => all.first(),
    }
}

/// The same among Ollama's names: `qwen3` is `qwen3:latest`.
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
