//! Which servers on this machine, and at addresses that somebody set, serve what: asked before
//! the first screen.
//!
//! Only reading (but for [`load`]), with a time limit for each server and all of them at once. What they say goes into the registry.

use std::time::Duration;

use futures::future::join_all;
use serde_json::json;
use tokio::time::error::Elapsed;

use super::server::LocalServer;
use super::server_kind::{LocalModel, ServerKind};
use crate::provider::registry::Registry;
use crate::transcript::{ModelInfo, ModelRef, PromptCache, WindowSource};

/// A large model on a slow disk.
const LOAD_TIME: Duration = Duration::from_mins(5);

/// The answers of the servers on this machine.
#[derive(Debug, Default)]
pub(super) struct LocalServers {
    /// The models that they have loaded, best server first, of those whose address was set when
    /// there is one; they are learned.
    pub models: Vec<ModelRef>,
    /// Servers that took the question and had no answer in time.
    pub silent: Vec<String>,
}

/// Asks all servers on this machine at once.
pub(super) async fn found(registry: &Registry) -> LocalServers {
    // In the order of their rows: the best one comes first.
    let servers = registry
        .ids()
        .filter(|id| registry.server_kind(id) != ServerKind::Other && registry.is_probed(id));
    let asked = servers.map(|id| async move { (id, ready(registry, id).await) });
    let mut found = LocalServers::default();
    let named = registry.named_addresses();
    let (mut of_named, mut of_others) = (Vec::new(), Vec::new());
    for (id, said) in join_all(asked).await {
        match said {
            Ok(served) => {
                let models = served.into_iter().map(|it| remember(registry, id, it));
                if named.contains(&id) {
                    of_named.extend(models);
                } else {
                    of_others.extend(models);
                }
            }
            Err(Elapsed { .. }) => found.silent.push(id.to_owned()),
        }
    }
    // Whoever set an address wants what is behind it.
    found.models = if of_named.is_empty() {
        of_others
    } else {
        of_named
    };
    found
}

/// A server that nobody has started refuses at once.
async fn ready(registry: &Registry, provider: &str) -> Result<Vec<LocalModel>, Elapsed> {
    let Some(base) = registry.asked_base(provider) else {
        return Ok(Vec::new());
    };
    let server = LocalServer::new(registry, provider, base);
    let asking = server.ready(provider);
    let said = tokio::time::timeout(registry.probe_time(), asking).await?;
    Ok(said.unwrap_or_default())
}

/// Learns what the server of `provider` says about `wanted`, or about the model that it
/// serves first. `None` when it is not asked or says nothing.
pub(super) async fn learn(
    registry: &Registry,
    provider: &str,
    wanted: Option<&str>,
) -> Option<ModelRef> {
    if let Some(name) = wanted {
        registry.note_window_asked(&ModelRef::new(provider, name));
    }
    let said = served(registry, provider, wanted, registry.probe_time()).await?;
    Some(remember(registry, provider, said))
}

/// The facts from the server of `provider` about `wanted`, without learning it. `None` when it
/// is not asked or says nothing in time.
pub(in crate::provider) async fn served(
    registry: &Registry,
    provider: &str,
    wanted: Option<&str>,
    patience: Duration,
) -> Option<LocalModel> {
    let base = registry.asked_base(provider)?;
    let server = LocalServer::new(registry, provider, base);
    let asking = server.ask(provider, wanted);
    tokio::time::timeout(patience, asking).await.ok()?
}

/// The facts from the server of `provider` about all of its models. `None` when it is not
/// asked or says nothing; late when it has not said anything in time.
pub(in crate::provider) async fn served_all(
    registry: &Registry,
    provider: &str,
) -> Result<Option<Vec<LocalModel>>, Elapsed> {
    let Some(base) = registry.asked_base(provider) else {
        return Ok(None);
    };
    let server = LocalServer::new(registry, provider, base);
    tokio::time::timeout(registry.probe_time(), server.all(provider)).await
}

/// Learns the window that the server runs a model with now; one whose window it does not
/// tell before is loaded first. The next request would wait for the same.
pub(in crate::provider) async fn load(registry: &Registry, model: &ModelRef) {
    let (provider, wanted) = (model.provider.as_str(), Some(model.model.as_str()));
    registry.note_window_asked(model);
    let Some(before) = served(registry, provider, wanted, registry.probe_time()).await else {
        return;
    };
    let is_open = before.window_tokens.is_none() && before.kind.cuts_silently();
    remember(registry, provider, before);
    let Some(base) = registry.asked_base(provider).filter(|_| is_open) else {
        return;
    };
    // Without a prompt nothing is generated: the answer comes when the model is loaded.
    let body = json!({"model": model.model, "stream": false});
    let server = LocalServer::new(registry, provider, base);
    let loading = server.post("/api/generate", &body);
    if tokio::time::timeout(LOAD_TIME, loading).await.is_ok() {
        learn(registry, provider, wanted).await;
    }
}

/// Registers a local model with its server's window; the user's abilities and prices stay.
pub(in crate::provider) fn remember(
    registry: &Registry,
    provider: &str,
    said: LocalModel,
) -> ModelRef {
    let model = ModelRef::new(provider, said.name);
    let known = registry.catalogue().find(&model);
    let described = registry.catalogue().described(&model);
    let mut info = known.unwrap_or_else(|| ModelInfo::unknown(model.clone()));
    // A server of one's own keeps the prefix for as long as it runs; lists and tables do not know
    // of it.
    let is_own = said.kind != ServerKind::Other || registry.local_base(provider).is_some();
    if is_own && described.is_none_or(|described| described.prompt_cache.is_none()) {
        info.prompt_cache = PromptCache::Prefix;
    }
    let served = said.window_tokens.filter(|&window| window > 0);
    let wanted = described.and_then(|described| described.window_tokens);
    // The user's word counts; no server that runs a model itself takes more than it says.
    let runs_it = said.kind != ServerKind::Other && registry.local_base(provider).is_some();
    let is_too_much = |wanted| runs_it && served.is_some_and(|served| served < wanted);
    match wanted.filter(|&wanted| !is_too_much(wanted)) {
        Some(wanted) => {
            info.window_tokens = Some(wanted);
            info.window_source = WindowSource::User;
        }
        None if served.is_some() => {
            info.window_tokens = served;
            info.window_source = WindowSource::Server;
        }
        None => {}
    }
    let is_described = described.is_some_and(|it| it.max_output_tokens.is_some());
    if let Some(most) = said.most_output_tokens.filter(|_| !is_described) {
        info.max_output_tokens = most;
    }
    info.images |= said.images == Some(true);
    info.thinking |= said.thinking == Some(true);
    info.tools = info.tools.or(said.tools);
    if let Some(described) = described {
        described.lay_abilities(&mut info);
    }
    registry.catalogue().learn(info);
    model
}
