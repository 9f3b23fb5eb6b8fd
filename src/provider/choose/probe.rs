//! Asks servers on this machine what they serve and how large its window is.
//!
//! Only loopback addresses, only reading, at most [`PROBE_TIME`] in all. Whatever is
//! not understood counts as no answer.

use std::time::Duration;

use futures::future::join_all;
use serde_json::{Value, json};

use crate::provider::Registry;
use crate::transcript::{ModelInfo, ModelRef, PromptCache};

/// A local server that needs longer to name its model is not up yet, and nobody waits
/// for the first screen.
const PROBE_TIME: Duration = Duration::from_millis(300);

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
    let server = Server {
        registry,
        root: base.strip_suffix("/v1").unwrap_or(&base).to_owned(),
        base,
    };
    let asking = server.ask(provider, wanted);
    let said = tokio::time::timeout(PROBE_TIME, asking).await.ok()??;
    let model = ModelRef::new(provider, said.name);
    // What the user says about abilities and prices stays; the window is the server's.
    let known = registry.catalogue().find(&model);
    let mut info = known.unwrap_or_else(|| ModelInfo {
        prompt_cache: PromptCache::Prefix,
        ..ModelInfo::unknown(model.clone())
    });
    if let Some(window) = said.window_tokens.filter(|&window| window > 0) {
        info.window_tokens = Some(window);
        info.window_from_server = true;
    }
    info.images |= said.images;
    registry.catalogue().learn(info);
    Some(model)
}

/// What a server says.
#[derive(Debug, Default)]
struct Served {
    name: String,
    window_tokens: Option<u64>,
    images: bool,
}

struct Server<'a> {
    registry: &'a Registry,
    /// With `/v1`.
    base: String,
    /// Without it.
    root: String,
}

impl Server<'_> {
    async fn ask(&self, provider: &str, wanted: Option<&str>) -> Option<Served> {
        match provider {
            "ollama" => self.ollama(wanted).await,
            "lmstudio" => self.lm_studio(wanted).await,
            _ => self.compatible(wanted).await,
        }
    }

    /// The loaded model has a runtime window; others tell theirs only if it was set.
    async fn ollama(&self, wanted: Option<&str>) -> Option<Served> {
        let loaded = self.get("/api/ps").await?;
        if let Some(model) = pick(&loaded["models"], "name", wanted) {
            return Some(Served {
                name: name_of(model, "name")?,
                window_tokens: model["context_length"].as_u64(),
                images: false,
            });
        }
        let name = match wanted {
            Some(name) => name.to_owned(),
            None => name_of(
                pick(&self.get("/api/tags").await?["models"], "name", None)?,
                "name",
            )?,
        };
        let about = self.post("/api/show", &json!({"model": name})).await?;
        let set = about["parameters"].as_str().and_then(num_ctx);
        let images = about["capabilities"]
            .as_array()
            .is_some_and(|all| all.iter().any(|c| c == "vision"));
        Some(Served {
            name,
            window_tokens: set,
            images,
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
            images: model["type"] == "vlm",
        })
    }

    /// vLLM (`max_model_len`), llama.cpp (`/props`), and whatever lists its models.
    async fn compatible(&self, wanted: Option<&str>) -> Option<Served> {
        let url = format!("{}/models", self.base);
        let models = self.fetch(self.client(&url)?.get(&url)).await?;
        let model = pick(&models["data"], "id", wanted)?;
        let mut window = model["max_model_len"].as_u64();
        if window.is_none()
            && let Some(props) = self.get("/props").await
        {
            let per_slot = props["default_generation_settings"]["n_ctx"].as_u64();
            window = per_slot.or_else(|| props["n_ctx"].as_u64());
        }
        Some(Served {
            name: name_of(model, "id")?,
            window_tokens: window,
            images: false,
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
