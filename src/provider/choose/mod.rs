//! Which model to use when none, or only half of one, was named.
//!
//! Flag ▸ configuration ▸ last used ▸ a key in the environment ▸ a local server ▸
//! offline. The choice says why, in one clause, and how to change it is the caller's
//! text.

pub(super) mod probe;
mod server;
pub(super) mod server_kind;

use crate::provider::error::ProviderError;
use crate::provider::http::address::shown;
use crate::provider::registry::Registry;
use crate::transcript::{ModelInfo, ModelRef};

/// The embedded provider's model.
const OFFLINE: (&str, &str) = ("offline", "plain");

/// The protocol assumed for a bare name at a bare address.
const DEFAULT_PROTOCOL: &str = "openai";

/// The wishes before a model is chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelWish {
    /// `--model`: `provider/model`, or a model's id alone.
    pub flag: Option<String>,
    /// From the configuration.
    pub configured: Option<ModelRef>,
    /// Of the session before.
    pub last_used: Option<ModelRef>,
    /// `--base-url`: overrides the address of the chosen model's provider.
    pub base_url: Option<String>,
    /// `--offline`: the embedded provider, whatever else is set.
    pub offline: bool,
    /// Whether servers on this machine may be asked what they serve.
    pub probe_local: bool,
}

/// A model and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The model.
    pub model: ModelRef,
    /// One clause: `ANTHROPIC_API_KEY is set`.
    pub reason: String,
}

impl Choice {
    fn new(model: ModelRef, reason: impl Into<String>) -> Self {
        Self {
            model,
            reason: reason.into(),
        }
    }
}

/// Whether a model, as it is known, could be used: a window may be too small for it.
pub(super) type FitTest<'a> = &'a (dyn Fn(&ModelInfo) -> bool + Sync);

/// Chooses a model; asks local servers, as long as the registry allows. What they say about
/// windows
/// goes into the registry. Of the local servers that answer, one whose window `fits` is
/// preferred. Fails only when the flag names something unknown.
pub async fn choose(
    wish: &ModelWish,
    registry: &Registry,
    fits: FitTest<'_>,
) -> Result<Choice, ProviderError> {
    if wish.offline {
        let model = ModelRef::new(OFFLINE.0, OFFLINE.1);
        return Ok(Choice::new(model, "offline was asked for"));
    }
    let named = match &wish.flag {
        Some(text) => {
            let model = parse(text, wish.base_url.is_some(), registry)?;
            Some(Choice::new(model, "named on the command line"))
        }
        None => configured(wish, registry),
    };
    if let Some(base_url) = &wish.base_url {
        let provider = named
            .as_ref()
            .map_or(DEFAULT_PROTOCOL, |c| c.model.provider.as_str());
        registry.set_base_url(provider, base_url);
    }
    if let Some(choice) = named {
        if wish.probe_local {
            let model = &choice.model;
            probe::learn(registry, &model.provider, Some(&model.model)).await;
        }
        return Ok(choice);
    }
    if let Some(base_url) = &wish.base_url {
        return served_at(base_url, wish.probe_local, registry).await;
    }
    if let Some(choice) = by_key(registry) {
        return Ok(choice);
    }
    let model = ModelRef::new(OFFLINE.0, OFFLINE.1);
    if !wish.probe_local {
        let reason = "no key is set and no local server was asked";
        return Ok(Choice::new(model, reason));
    }
    let found = probe::found(registry).await;
    match local(&found.models, registry, fits) {
        Some(choice) => Ok(choice),
        None => Ok(Choice::new(model, nobody(&found.silent, registry))),
    }
}

/// Why no server on this machine was chosen. One that is only busy is not said to be away.
fn nobody(silent: &[String], registry: &Registry) -> String {
    if silent.is_empty() {
        return "no key is set and no local server answers".to_owned();
    }
    let names: Vec<&str> = silent.iter().map(|id| registry.name(id)).collect();
    format!(
        "no key is set, and {} did not answer within {} ms (probe.local_ms)",
        names.join(" and "),
        registry.probe_time().as_millis()
    )
}

fn configured(wish: &ModelWish, registry: &Registry) -> Option<Choice> {
    if let Some(model) = &wish.configured {
        return Some(Choice::new(model.clone(), "set in the configuration"));
    }
    let last = wish.last_used.as_ref()?;
    let is_usable = wish.base_url.is_some() || registry.missing(&last.provider).is_none();
    is_usable.then(|| Choice::new(last.clone(), "used last"))
}

fn by_key(registry: &Registry) -> Option<Choice> {
    registry.ids().find_map(|id| {
        let origin = registry.key_origin(id)?;
        let model = registry.default_model(id)?;
        registry
            .missing(id)
            .is_none()
            .then(|| Choice::new(model, origin.clause(id, registry.name(id))))
    })
}

/// The best of the local servers; one that cannot be used only when there is no other, so
/// that what is said of it leads to a larger window.
fn local(found: &[ModelRef], registry: &Registry, fits: FitTest<'_>) -> Option<Choice> {
    let fitting = found.iter().find(|model| fits(&registry.model_info(model)));
    let largest = || {
        let mut best = found.first()?;
        for model in found {
            let window = |model: &ModelRef| registry.model_info(model).window_tokens;
            if window(model) > window(best) {
                best = model;
            }
        }
        Some(best)
    };
    let chosen = fitting.or_else(largest)?;
    let mut reason = format!("a local {} server answers", registry.name(&chosen.provider));
    let passed = found.iter().take_while(|model| *model != chosen);
    let mut smaller: Vec<&str> = passed
        .map(|model| {
            if model.provider == chosen.provider {
                model.model.as_str()
            } else {
                registry.name(&model.provider)
            }
        })
        .collect();
    smaller.dedup();
    if fitting.is_some() && !smaller.is_empty() {
        reason.push_str("; too small a window: ");
        reason.push_str(&smaller.join(", "));
    }
    Some(Choice::new(chosen.clone(), reason))
}

async fn served_at(
    base_url: &str,
    may_ask: bool,
    registry: &Registry,
) -> Result<Choice, ProviderError> {
    let served = if may_ask {
        probe::learn(registry, DEFAULT_PROTOCOL, None).await
    } else {
        None
    };
    let base_url = shown(base_url);
    match served {
        Some(model) => Ok(Choice::new(model, format!("served at {base_url}"))),
        None => Err(ProviderError::ModelNotFound {
            message: format!("{base_url} does not say which model it serves"),
        }),
    }
}

/// Reads `provider/model`, a catalogue id, or with a base URL any name.
fn parse(text: &str, has_base: bool, registry: &Registry) -> Result<ModelRef, ProviderError> {
    let text = text.trim();
    if let Some((provider, model)) = text.split_once('/')
        && !model.is_empty()
        && registry.ids().any(|id| id == provider)
    {
        return Ok(ModelRef::new(provider, model));
    }
    // At an address of the user's own, a name is that server's business.
    if has_base && !text.is_empty() {
        return Ok(ModelRef::new(DEFAULT_PROTOCOL, text));
    }
    let found = registry.catalogue().find_bare(text);
    if let Some(info) = found {
        return Ok(info.model);
    }
    if registry.ids().any(|id| id == text)
        && let Some(model) = registry.default_model(text)
    {
        return Ok(model);
    }
    let known: Vec<&str> = registry.ids().collect();
    Err(ProviderError::ModelNotFound {
        message: format!(
            "{text:?} is no known model; write provider/model with one of {}",
            known.join(", ")
        ),
    })
}

#[cfg(test)]
mod tests;
