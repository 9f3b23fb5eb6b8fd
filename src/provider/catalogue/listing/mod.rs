//! The models as providers list them, kept in a file between runs.
//!
//! Sparse on purpose: most lists name models and little else, so what is said here is
//! laid over what the catalogue knows. Prices in US dollars per million tokens.

pub(in crate::provider) mod read;
pub(in crate::provider) mod style;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::disk::{open, private};
use crate::provider::catalogue::lifecycle::{LifecycleStage, ModelLifecycle, read_date};
use crate::provider::catalogue::overlay::price_of;
use crate::provider::catalogue::record::{CatalogueEntry, FactSource, ModelRecord};
use crate::transcript::{ModelInfo, ModelRef, Price, WindowSource};

/// A model as its provider lists it. `None`: it does not say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ListedModel {
    /// Provider id.
    pub provider: String,
    /// Model id.
    pub model: String,
    /// Context window in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// Limit on the prompt alone, in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_limit: Option<u64>,
    /// Largest answer in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output: Option<u64>,
    /// Accepts images.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<bool>,
    /// Accepts PDF documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pdf: Option<bool>,
    /// Can call tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<bool>,
    /// Can reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<bool>,
    /// Input, output, cache read, cache write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<[f64; 4]>,
    /// Levels of reasoning, in the provider's words; `none` is off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub efforts: Vec<String>,
    /// Where it stands between its release and its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<LifecycleStage>,
    /// The day on which it is switched off, `2026-11-30`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retires: Option<String>,
}

impl ListedModel {
    /// The model's name.
    pub fn model_ref(&self) -> ModelRef {
        ModelRef::new(&self.provider, &self.model)
    }

    /// Lays this over what is known otherwise.
    pub(super) fn over(&self, known: Option<CatalogueEntry>) -> CatalogueEntry {
        let unknown = || CatalogueEntry::unknown(self.model_ref());
        let CatalogueEntry {
            mut info,
            mut record,
        } = known.unwrap_or_else(unknown);
        // What is known as well is no news.
        let window = self.window.filter(|_| self.window != info.window_tokens);
        if let Some(window) = window {
            info.window_tokens = Some(window);
            info.window_source = WindowSource::Listed;
        }
        let most = self
            .max_output
            .filter(|&most| most != info.max_output_tokens);
        if window.or(most).or(self.input_limit).is_some() {
            record.limits = FactSource::List;
        }
        info.input_limit_tokens = self.input_limit.or(info.input_limit_tokens);
        info.max_output_tokens = most.unwrap_or(info.max_output_tokens);
        self.lay_abilities(&mut info, &mut record);
        if let Some(price) = self.price.map(|price| price_of(price, None))
            && info.price.is_none_or(|known| {
                Price {
                    long: None,
                    ..known
                } != price
            })
        {
            info.price = Some(price);
            record.price = FactSource::List;
        }
        self.lay_lifecycle(&mut record);
        CatalogueEntry { info, record }
    }

    fn lay_abilities(&self, info: &mut ModelInfo, record: &mut ModelRecord) {
        let known = [
            Some(info.images),
            Some(info.pdf),
            info.tools,
            Some(info.thinking),
        ];
        let said = [self.images, self.pdf, self.tools, self.thinking];
        let news = said
            .iter()
            .zip(known)
            .any(|(said, known)| said.is_some() && *said != known);
        if news {
            record.abilities = FactSource::List;
        }
        info.images = self.images.unwrap_or(info.images);
        info.pdf = self.pdf.unwrap_or(info.pdf);
        info.tools = self.tools.or(info.tools);
        info.thinking = self.thinking.unwrap_or(info.thinking);
        if !self.efforts.is_empty() {
            info.thinking = self.thinking.unwrap_or(true);
            record.efforts.clone_from(&self.efforts);
        }
    }

    /// A provider's own word about the end of its model replaces any other.
    fn lay_lifecycle(&self, record: &mut ModelRecord) {
        let retires = self.retires.as_deref().and_then(read_date);
        match self.stage {
            Some(stage) => record.lifecycle = ModelLifecycle { stage, retires },
            None if retires.is_some() => record.lifecycle = ModelLifecycle::until(retires),
            None => {}
        }
    }
}

/// No list of all models is larger, by far.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// The lists that providers gave, and where each was asked for: what is served at one address
/// says nothing of another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelLists {
    models: Vec<ListedModel>,
    /// By provider; a list without an address is from the provider's own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    addresses: BTreeMap<String, String>,
}

impl ModelLists {
    /// Reads the file; one that is missing or broken is empty, because it can be fetched
    /// again.
    pub fn read(path: &Path) -> Self {
        let text = open::read(path, MAX_FILE_BYTES).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Replaces the file as a whole.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        private::replace(path, &serde_json::to_vec_pretty(self)?)
    }

    /// All models; by provider, then by model.
    pub fn models(&self) -> &[ListedModel] {
        &self.models
    }

    /// Puts this list, asked for at `address`, in the place of the provider's last one.
    pub fn replace(&mut self, provider: &str, address: &str, list: Vec<ListedModel>) {
        self.models.retain(|model| model.provider != provider);
        self.models.extend(list);
        self.models
            .sort_by(|a, b| (&a.provider, &a.model).cmp(&(&b.provider, &b.model)));
        self.addresses
            .insert(provider.to_owned(), address.to_owned());
    }

    /// The models of the lists that `holds`, which is asked with the provider and the address
    /// of its list.
    pub(in crate::provider) fn models_where(
        &self,
        holds: impl Fn(&str, Option<&str>) -> bool,
    ) -> Vec<ListedModel> {
        let is_held = |model: &&ListedModel| {
            let address = self.addresses.get(&model.provider);
            holds(&model.provider, address.map(String::as_str))
        };
        self.models.iter().filter(is_held).cloned().collect()
    }
}

#[cfg(test)]
mod tests;
