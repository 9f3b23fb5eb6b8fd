//! The catalogue of models, in layers: a later one changes what it speaks of.
//!
//! 1. The snapshot of models.dev that the program ships.
//! 2. The program's own table: what models.dev lacks or has wrong.
//! 3. What models.dev said when it was asked last, as far as it differs from the snapshot.
//! 4. The provider's own list of models.
//! 5. The user's entries.
//! 6. What a server on this machine says.
//!
//! Limits that servers named in refusals are laid over them by the registry. A model that
//! nobody described works with stated assumptions. Nothing is read before it is asked for.

pub(super) mod cost;
mod foreign;
mod index;
pub(super) mod lifecycle;
pub(super) mod listing;
pub(super) mod models_dev;
pub(super) mod named_limits;
mod overlay;
mod reasoning;
pub(super) mod record;
pub(super) mod refresh;
pub(super) mod snapshot;
pub(super) mod user_model;

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

use crate::provider::catalogue::foreign::ForeignFacts;
use crate::provider::catalogue::index::{HasModel, ModelIndex, is_dated};
use crate::provider::catalogue::listing::ListedModel;
use crate::provider::catalogue::overlay::own_table;
use crate::provider::catalogue::reasoning::with_levels;
use crate::provider::catalogue::record::{CatalogueEntry, FactSource, ModelRecord};
use crate::provider::catalogue::snapshot::{Snapshot, embedded_snapshot};
use crate::provider::catalogue::user_model::DescribedModel;
use crate::transcript::{ModelInfo, ModelRef, ReasoningFacts, ReasoningStyle, WindowSource};

/// Everything known about models. Shared; lookups take no time worth naming.
#[derive(Debug, Default)]
pub struct Catalogue {
    user: ModelIndex<DescribedModel>,
    /// Asked for; empty while nothing was.
    refreshed: RwLock<Snapshot>,
    listed: RwLock<ModelIndex<ListedModel>>,
    learned: RwLock<ModelIndex<ModelInfo>>,
    foreign: RwLock<ForeignFacts>,
}

/// The layers that change while the program runs, as they are now.
#[derive(Clone, Copy)]
struct ChangingLayers<'a> {
    refreshed: &'a Snapshot,
    listed: &'a ModelIndex<ListedModel>,
    learned: &'a ModelIndex<ModelInfo>,
}

impl Catalogue {
    /// What the program ships with the user's entries over it.
    pub fn new(user: Vec<DescribedModel>) -> Self {
        Self {
            user: ModelIndex::new(user),
            ..Self::default()
        }
    }

    /// Lays what providers listed over what is below; replaces earlier lists.
    pub fn set_listed(&self, listed: Vec<ListedModel>) {
        self.note_listed(&listed);
        let listed = ModelIndex::new(listed);
        *self.listed.write().unwrap_or_else(PoisonError::into_inner) = listed;
    }

    /// Lays what models.dev said over what is below; replaces what it said before.
    pub fn set_refreshed(&self, refreshed: Snapshot) {
        let mut known = self
            .refreshed
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *known = refreshed;
    }

    /// The model as the user's configuration describes it.
    pub(in crate::provider) fn described(&self, model: &ModelRef) -> Option<&DescribedModel> {
        self.user.find(model).map(|found| found.found)
    }

    /// The facts about a model; dated names (`…-20250929`, `…-latest`) are found under their
    /// plain one.
    pub fn lookup(&self, model: &ModelRef) -> ModelInfo {
        self.find(model).unwrap_or_else(|| {
            let family = own_table().reasoning(&model.model);
            let reasons =
                |family: &Arc<ReasoningFacts>| family.style != Some(ReasoningStyle::Never);
            ModelInfo {
                token_factor: own_table().token_factor(&model.model),
                thinking: family.as_ref().is_some_and(reasons),
                reasoning: family.unwrap_or_default(),
                ..ModelInfo::unknown(model.clone())
            }
        })
    }

    /// Like [`Catalogue::lookup`], but `None` when nobody described the model.
    pub fn find(&self, model: &ModelRef) -> Option<ModelInfo> {
        self.entry(model).map(|entry| entry.info)
    }

    /// Who said what about a model, and how long it is offered.
    pub fn record(&self, model: &ModelRef) -> ModelRecord {
        self.entry(model)
            .map(|entry| entry.record)
            .unwrap_or_default()
    }

    fn entry(&self, model: &ModelRef) -> Option<CatalogueEntry> {
        self.with_layers(|layers| self.entry_in(layers, model))
    }

    fn with_layers<T>(&self, read: impl FnOnce(ChangingLayers<'_>) -> T) -> T {
        let learned = self.learned.read().unwrap_or_else(PoisonError::into_inner);
        let listed = self.listed.read().unwrap_or_else(PoisonError::into_inner);
        let refreshed = self
            .refreshed
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        read(ChangingLayers {
            refreshed: &refreshed,
            listed: &listed,
            learned: &learned,
        })
    }

    fn entry_in(&self, layers: ChangingLayers<'_>, model: &ModelRef) -> Option<CatalogueEntry> {
        let mut known = published(layers.refreshed, model);
        if let Some(listed) = layers.listed.find(model) {
            known = Some(listed.found.over(known));
        }
        if let Some(described) = self.described(model) {
            known = Some(described.over(known));
        }
        if let Some(learned) = layers.learned.find(model) {
            let unknown = || CatalogueEntry::unknown(model.clone());
            let mut entry = known.unwrap_or_else(unknown);
            entry.info = learned.found.clone();
            if entry.info.window_source == WindowSource::Server {
                entry.record.limits = FactSource::Server;
            }
            known = Some(entry);
        }
        let mut entry = known?;
        entry.info.token_factor = own_table().token_factor(&model.model);
        entry.info.reasoning = reasoning_of(layers, model, &entry.record.efforts);
        entry.info.model = model.clone();
        entry.info = self.at_its_address(entry.info);
        Some(entry)
    }

    /// The first model with this id, whatever its provider.
    pub fn find_bare(&self, id: &str) -> Option<ModelInfo> {
        let names = self.with_layers(|layers| self.names(layers, &|_| true));
        let exact = names.iter().find(|model| model.model == id);
        let known = exact.or_else(|| names.iter().find(|model| is_dated(&model.model, id)))?;
        self.find(&ModelRef::new(&known.provider, id))
    }

    /// The small, cheap model of a provider for side jobs; `None` where none is known, or its
    /// price is not.
    pub(in crate::provider) fn small_model(&self, provider: &str) -> Option<ModelRef> {
        let small = own_table().small_model(provider)?;
        let info = self.find(&small)?;
        info.price.is_some().then_some(small)
    }

    /// Takes what a server said about a model; replaces what it said before.
    pub fn learn(&self, info: ModelInfo) {
        let mut learned = self.learned.write().unwrap_or_else(PoisonError::into_inner);
        let mut all = std::mem::take(&mut *learned).into_rows();
        all.retain(|known| known.model != info.model);
        all.push(info);
        *learned = ModelIndex::new(all);
    }

    /// Whether the program's own table has an entry of this very model: the models that its
    /// users are most likely to look for.
    pub(in crate::provider) fn is_in_own_table(model: &ModelRef) -> bool {
        let found = own_table().models.find(model);
        found.is_some_and(|found| found.is_exact)
    }

    /// All models: learned, the user's, those of the own table, of models.dev, then what else
    /// providers list, without repetitions. Lists also name what is no chat model: what nobody
    /// knows a window of is left out, unless all of a provider's list is wanted.
    pub(in crate::provider) fn all_and_of(
        &self,
        whole: impl Fn(&str) -> bool,
    ) -> Vec<CatalogueEntry> {
        self.with_layers(|layers| {
            let names = self.names(layers, &whole);
            let entries = names.iter().map(|model| self.entry_in(layers, model));
            entries.flatten().collect()
        })
    }

    fn names(&self, layers: ChangingLayers<'_>, whole: &dyn Fn(&str) -> bool) -> Vec<ModelRef> {
        let mut seen = HashSet::new();
        let learned = layers.learned.rows().iter().map(HasModel::model);
        let described = self.user.rows().iter().map(HasModel::model);
        let own = own_table().models.rows().iter().map(HasModel::model);
        let listed = layers.listed.rows().iter().filter(|listed| {
            let model = listed.model();
            let has_window = || {
                let entry = self.entry_in(layers, &model);
                entry.is_some_and(|entry| entry.info.window_tokens.is_some())
            };
            listed.window.is_some() || whole(&listed.provider) || has_window()
        });
        learned
            .chain(described)
            .chain(own)
            .chain(embedded_snapshot().models())
            .chain(layers.refreshed.models())
            .chain(listed.map(HasModel::model))
            .filter(|model| seen.insert(model.clone()))
            .collect()
    }
}

/// What a model lets be said about its reasoning: by the family that its id names, with the
/// levels that its provider lists. Those that others publish count where no family is known.
fn reasoning_of(
    layers: ChangingLayers<'_>,
    model: &ModelRef,
    efforts: &[String],
) -> Arc<ReasoningFacts> {
    let family = own_table().reasoning(&model.model);
    let listed = layers.listed.find(model);
    let is_listed = listed.is_some_and(|listed| !listed.found.efforts.is_empty());
    match family {
        Some(family) if !is_listed => family,
        family => with_levels(family.unwrap_or_default(), efforts),
    }
}

/// What was published about a model: by models.dev, and in the program's own table. The newer
/// state of models.dev counts where it says something that the older one did not.
fn published(refreshed: &Snapshot, model: &ModelRef) -> Option<CatalogueEntry> {
    let (shipped, own) = (
        embedded_snapshot().find(model),
        own_table().models.find(model),
    );
    let fresh = refreshed.find(model);
    if shipped.is_none() && own.is_none() && fresh.is_none() {
        return None;
    }
    let mut entry = CatalogueEntry::unknown(model.clone());
    own_table().lay_provider(&mut entry.info);
    if let Some(shipped) = &shipped {
        shipped.found.lay(&mut entry, FactSource::Snapshot);
    }
    let is_shipped_exactly = shipped.as_ref().is_some_and(|shipped| shipped.is_exact);
    if let Some(own) = own {
        // A dated model may have other limits and prices than its plain name today.
        if own.is_exact || !is_shipped_exactly {
            own.found.lay_facts(&mut entry);
        }
        own.found.lay_rest(&mut entry);
    }
    if let Some(fresh) = fresh.filter(|fresh| fresh.is_exact || !is_shipped_exactly) {
        let before = shipped.map(|shipped| shipped.found);
        fresh.found.lay_news(before.as_ref(), &mut entry);
    }
    own_table().lay_interface(&mut entry.info);
    Some(entry)
}

impl HasModel for ModelInfo {
    fn model(&self) -> ModelRef {
        self.model.clone()
    }
}

impl HasModel for DescribedModel {
    fn model(&self) -> ModelRef {
        self.model.clone()
    }
}

impl HasModel for ListedModel {
    fn model(&self) -> ModelRef {
        self.model_ref()
    }
}

#[cfg(test)]
mod tests;
