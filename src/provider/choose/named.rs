//! Addresses that somebody set: which of the models behind them is taken, and why none is.
//!
//! One that is served alone is taken. Of several it is the one used last, the usual one of the
//! provider, or the first that is no model for embeddings and its like and has a window that can
//! be used.

use futures::future::join_all;
use tokio::time::error::Elapsed;

use super::server_kind::{LocalModel, ServerKind};
use super::{Choice, FitTest, probe};
use crate::provider::catalogue::listing::ListedModel;
use crate::provider::error::ProviderError;
use crate::provider::registry::Registry;
use crate::transcript::{ModelRef, plural};

/// Words in the names of models that do not converse.
const NO_TALK: &[&str] = &["embed", "rerank", "whisper", "tts", "moderation"];

/// The addresses that were set, besides those of servers that are looked for anyway.
#[derive(Debug, Default)]
pub(super) struct NamedAddresses {
    /// A choice for each that serves something; a window that can be used comes first.
    pub choices: Vec<Choice>,
    /// Why others serve nothing, as clauses.
    pub failures: Vec<String>,
}

/// Asks all addresses that were set at once.
pub(super) async fn ask_all(registry: &Registry, fits: FitTest<'_>) -> NamedAddresses {
    let ids = registry.named_addresses().into_iter();
    let ids = ids.filter(|id| registry.server_kind(id) == ServerKind::Other);
    let asked = ids.filter(|id| registry.asked_base(id).is_some());
    let asked = asked.map(|id| async move { (id, choose_at(registry, id, None, fits).await) });
    let mut named = NamedAddresses::default();
    for (id, chosen) in join_all(asked).await {
        let origin = registry.address_origin(id);
        match chosen {
            Ok(choice) => {
                let reason = format!("{origin} is set; {}", choice.reason);
                named.choices.push(Choice { reason, ..choice });
            }
            Err(why) => named
                .failures
                .push(format!("{origin} cannot be used: {why}")),
        }
    }
    let is_narrow = |choice: &Choice| !fits(&registry.model_info(&choice.model));
    named.choices.sort_by_key(is_narrow);
    named
}

/// The model to take at the address of a provider; `last` was used before. What the server says
/// of its models is learned.
///
/// # Errors
///
/// Why it cannot be said which models are there.
pub(super) async fn choose_at(
    registry: &Registry,
    provider: &str,
    last: Option<&str>,
    fits: FitTest<'_>,
) -> Result<Choice, String> {
    let base = registry.shown_base(provider);
    let served: Vec<ModelRef> = served(registry, provider)
        .await?
        .into_iter()
        .map(|said| probe::remember(registry, provider, said))
        .collect();
    let others = plural(served.len().saturating_sub(1) as u64, "other model");
    if let [only] = served.as_slice() {
        let model = learned(registry, only).await;
        return Ok(Choice::new(model, format!("the only model of {base}")));
    }
    let named = |name: &str| served.iter().find(|model| model.model == name);
    if let Some(model) = last.and_then(named) {
        let reason = format!("used last; {base} serves {others}");
        return Ok(Choice::new(learned(registry, model).await, reason));
    }
    let usual = registry.default_model(provider);
    if let Some(model) = usual.as_ref().and_then(|usual| named(&usual.model)) {
        let reason = format!(
            "the default of {}; {base} serves {others}",
            registry.name(provider)
        );
        return Ok(Choice::new(learned(registry, model).await, reason));
    }
    let talks = |model: &&ModelRef| {
        let name = model.model.to_lowercase();
        !NO_TALK.iter().any(|word| name.contains(word))
    };
    let talking = || served.iter().filter(talks);
    let fitting = talking().find(|model| fits(&registry.model_info(model)));
    let first = fitting.or_else(|| talking().next()).or(served.first());
    let Some(first) = first else {
        return Err(format!("{base} lists no models"));
    };
    let reason = format!("served at {base} with {others}; choose another with -m");
    Ok(Choice::new(learned(registry, first).await, reason))
}

/// The model, with its window where the server says it of one model only.
async fn learned(registry: &Registry, model: &ModelRef) -> ModelRef {
    if registry.has_window_to_learn(model) {
        probe::learn(registry, &model.provider, Some(&model.model)).await;
    }
    model.clone()
}

/// What a provider's address serves.
async fn served(registry: &Registry, provider: &str) -> Result<Vec<LocalModel>, String> {
    match probe::served_all(registry, provider).await {
        Ok(Some(models)) if !models.is_empty() => Ok(models),
        Ok(_) => listed(registry, provider).await,
        Err(Elapsed { .. }) => Err(format!(
            "{} did not answer within {} ms (probe.local_ms)",
            registry.shown_base(provider),
            registry.probe_time().as_millis()
        )),
    }
}

/// What a list that is no small server's says, or why there is none.
async fn listed(registry: &Registry, provider: &str) -> Result<Vec<LocalModel>, String> {
    let listed = registry.list_models(provider, registry.probe_time()).await;
    let of = |listed: ListedModel| LocalModel {
        name: listed.model,
        window_tokens: listed.window,
        images: listed.images,
        tools: listed.tools,
        thinking: listed.thinking,
        ..LocalModel::default()
    };
    match listed {
        Ok(models) => Ok(models.into_iter().map(of).collect()),
        Err(error) if error.is_refused_key() => {
            let base = registry.shown_base(provider);
            Err(match registry.key_origin(provider) {
                Some(_) => format!("{base} refused the key"),
                None => format!("{base} requires a key"),
            })
        }
        Err(ProviderError::Network { message } | ProviderError::Timeout { message }) => {
            Err(message)
        }
        Err(error) => Err(error.to_string()),
    }
}
