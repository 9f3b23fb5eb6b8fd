//! Which model to use when none, or only half of one, was named.
//!
//! Flag ▸ configuration ▸ last used ▸ a key in the environment ▸ an address that was set ▸ a
//! local server ▸ offline. The choice says why, in one clause, and how to change it is the caller's
//! text.

mod named;
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
        return Ok(Choice::new(model, "requested with --offline"));
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
        return Ok(if wish.probe_local {
            confirmed(choice, wish, registry, fits).await
        } else {
            choice
        });
    }
    if wish.base_url.is_some() {
        return served_at(wish, registry, fits).await;
    }
    if let Some(choice) = by_key(registry) {
        return Ok(if wish.probe_local {
            at_its_address(choice, registry, fits).await
        } else {
            choice
        });
    }
    if wish.probe_local {
        return Ok(by_address(registry, fits).await);
    }
    let model = ModelRef::new(OFFLINE.0, OFFLINE.1);
    let reason = "no key is set and no local server was asked";
    Ok(Choice::new(model, reason))
}

/// The usual model of a provider, or at another address what is served there.
async fn at_its_address(choice: Choice, registry: &Registry, fits: FitTest<'_>) -> Choice {
    let provider = &choice.model.provider;
    if !registry.serves_others(provider) {
        return choice;
    }
    match named::choose_at(registry, provider, None, fits).await {
        Ok(served) => Choice {
            reason: format!("{}; {}", choice.reason, served.reason),
            ..served
        },
        Err(why) => {
            registry.note_window_asked(&choice.model);
            Choice {
                reason: format!("{}; {why}", choice.reason),
                ..choice
            }
        }
    }
}

/// What is served at an address that was set, or by a server on this machine.
async fn by_address(registry: &Registry, fits: FitTest<'_>) -> Choice {
    let (named, found) = futures::join!(named::ask_all(registry, fits), probe::found(registry));
    if let Some(choice) = named.choices.into_iter().next() {
        return choice;
    }
    let mut choice = local(&found.models, registry, fits).unwrap_or_else(|| {
        let model = ModelRef::new(OFFLINE.0, OFFLINE.1);
        Choice::new(model, nobody(&found.silent, registry))
    });
    let named_ids = registry.named_addresses();
    let is_named = named_ids.contains(&choice.model.provider.as_str());
    for why in named.failures.iter().filter(|_| !is_named) {
        choice.reason.push_str("; ");
        choice.reason.push_str(why);
    }
    choice
}

/// A model that somebody named, with its window where its server is asked for it. One that was
/// only used last has to be among those that are served today.
async fn confirmed(
    choice: Choice,
    wish: &ModelWish,
    registry: &Registry,
    fits: FitTest<'_>,
) -> Choice {
    let ModelRef { provider, model } = choice.model.clone();
    let is_remembered = wish.flag.is_none() && wish.configured.is_none();
    if is_remembered && (wish.base_url.is_some() || registry.serves_others(&provider)) {
        let served = named::choose_at(registry, &provider, Some(&model), fits).await;
        return match served {
            Ok(served) if served.model == choice.model => choice,
            Ok(served) => Choice {
                reason: format!("{}; {model}, used last, is not available", served.reason),
                ..served
            },
            Err(_) => choice,
        };
    }
    if registry.is_window_asked(&choice.model) {
        probe::learn(registry, &provider, Some(&model)).await;
    }
    choice
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
        reason.push_str("; window too small: ");
        reason.push_str(&smaller.join(", "));
    }
    Some(Choice::new(chosen.clone(), reason))
}

async fn served_at(
    wish: &ModelWish,
    registry: &Registry,
    fits: FitTest<'_>,
) -> Result<Choice, ProviderError> {
    let served = if wish.probe_local {
        named::choose_at(registry, DEFAULT_PROTOCOL, None, fits).await
    } else {
        Err("it was not asked".to_owned())
    };
    served.map_err(|why| {
        let base_url = wish.base_url.as_deref().map(shown).unwrap_or_default();
        ProviderError::ModelNotFound {
            message: format!("{base_url} does not list its model: {why}"),
        }
    })
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
            "unknown model {text:?}; write provider/model with one of {}",
            known.join(", ")
        ),
    })
}

#[cfg(test)]
mod tests;
