//! The models as providers list them, kept in a file between runs.
//!
//! Sparse on purpose: most lists name models and little else, so what is said here is
//! laid over what the catalogue knows. Prices in US dollars per million tokens.

pub(in crate::provider) mod read;
pub(in crate::provider) mod style;

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::disk::{open, private};
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
}

impl ListedModel {
    /// The model's name.
    pub fn model_ref(&self) -> ModelRef {
        ModelRef::new(&self.provider, &self.model)
    }

    /// Lays this over what is known otherwise.
    pub(in crate::provider) fn over(&self, known: Option<ModelInfo>) -> ModelInfo {
        let mut info = known.unwrap_or_else(|| ModelInfo::unknown(self.model_ref()));
        info.model = self.model_ref();
        // What the table says as well is no news.
        if let Some(window) = self.window.filter(|_| self.window != info.window_tokens) {
            info.window_tokens = Some(window);
            info.window_source = WindowSource::Listed;
        }
        info.input_limit_tokens = self.input_limit.or(info.input_limit_tokens);
        info.max_output_tokens = self.max_output.unwrap_or(info.max_output_tokens);
        info.images = self.images.unwrap_or(info.images);
        info.pdf = self.pdf.unwrap_or(info.pdf);
        info.tools = self.tools.or(info.tools);
        info.thinking = self.thinking.unwrap_or(info.thinking);
        let price = self
            .price
            .map(|[input, output, cache_read, cache_write]| Price {
                input,
                output,
                cache_read,
                cache_write,
                long: None,
            });
        info.price = price.or(info.price);
        info
    }
}

/// No list of all models is larger, by far.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// The file's form.
#[derive(Default, Serialize, Deserialize)]
struct ListFile {
    models: Vec<ListedModel>,
}

/// Reads the file; one that is missing or broken is empty, because it can be fetched
/// again.
pub fn read_listed(path: &Path) -> Vec<ListedModel> {
    let text = open::read(path, MAX_FILE_BYTES).unwrap_or_default();
    let file: ListFile = serde_json::from_slice(&text).unwrap_or_default();
    file.models
}

/// The lists with another one in the place of this provider's; by provider, then by model.
pub fn with_list(
    mut known: Vec<ListedModel>,
    provider: &str,
    list: Vec<ListedModel>,
) -> Vec<ListedModel> {
    known.retain(|model| model.provider != provider);
    known.extend(list);
    known.sort_by(|a, b| (&a.provider, &a.model).cmp(&(&b.provider, &b.model)));
    known
}

/// Replaces the file as a whole.
pub fn write_listed(path: &Path, models: Vec<ListedModel>) -> io::Result<()> {
    private::replace(path, &serde_json::to_vec_pretty(&ListFile { models })?)
}

#[cfg(test)]
mod tests;
