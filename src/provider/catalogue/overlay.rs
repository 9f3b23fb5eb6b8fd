//! The program's own table, `assets/models.toml`: what models.dev lacks, or has wrong.

use std::sync::{Arc, LazyLock};

use jiff::civil::Date;
use serde::Deserialize;

use crate::provider::catalogue::index::{HasModel, ModelIndex};
use crate::provider::catalogue::lifecycle::{ModelLifecycle, read_date};
use crate::provider::catalogue::reasoning::{ReasoningRow, facts_of};
use crate::provider::catalogue::record::{CatalogueEntry, FactSource};
use crate::provider::catalogue::snapshot::LongRow;
use crate::transcript::{
    Encoding, ImageTokens, LongPrice, ModelInfo, ModelRef, Price, PromptCache, ReasoningFacts,
    WindowSource,
};

const TABLE: &str = include_str!("../../../assets/models.toml");

/// The table as it is looked up.
#[derive(Debug, Default)]
pub(super) struct OwnTable {
    /// What is said of single models.
    pub models: ModelIndex<OwnModel>,
    providers: Vec<ProviderRow>,
    families: Vec<FamilyRow>,
    pub reasoning: Vec<ReasoningRow>,
}

/// The table that the program ships.
pub(super) fn own_table() -> &'static OwnTable {
    // A broken table is caught by a test; a program without it still works.
    static OWN: LazyLock<OwnTable> = LazyLock::new(|| parse(TABLE).unwrap_or_default());
    &OWN
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableFile {
    #[serde(default)]
    family: Vec<FamilyRow>,
    #[serde(default)]
    reasoning: Vec<ReasoningRow>,
    #[serde(default)]
    provider: Vec<ProviderRow>,
    model: Vec<ModelRow>,
}

/// Models that share a tokenizer, or nearly.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FamilyRow {
    names: Vec<String>,
    token_factor: f64,
}

/// What holds for all models of a provider that say nothing else.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderRow {
    id: String,
    /// Only models whose id begins so.
    #[serde(default)]
    models: String,
    encoding: Option<EncodingName>,
    image_tokens: Option<ImageTokensName>,
    prompt_cache: Option<CacheName>,
    /// False: its interface, as it is spoken here, takes no documents. True: whatever reads
    /// images reads documents.
    pdf: Option<bool>,
    /// The id of its small, cheap model for side jobs.
    small: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelRow {
    id: String,
    window: Option<u64>,
    max_output: Option<u64>,
    input_limit: Option<u64>,
    images: Option<bool>,
    image_tokens: Option<ImageTokensName>,
    pdf: Option<bool>,
    tools: Option<bool>,
    thinking: Option<bool>,
    prompt_cache: Option<CacheName>,
    encoding: Option<EncodingName>,
    price: Option<[f64; 4]>,
    long: Option<LongRow>,
    /// The day on which it is switched off.
    retired: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CacheName {
    None,
    Ttl,
    Prefix,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ImageTokensName {
    Flat,
    Pixels,
    Tiles,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EncodingName {
    O200k,
    Cl100k,
}

/// A model of the table. `None`: nothing is said.
#[derive(Debug)]
pub(super) struct OwnModel {
    model: ModelRef,
    window: Option<u64>,
    max_output: Option<u64>,
    input_limit: Option<u64>,
    images: Option<bool>,
    pdf: Option<bool>,
    tools: Option<bool>,
    thinking: Option<bool>,
    price: Option<Price>,
    image_tokens: Option<ImageTokens>,
    prompt_cache: Option<PromptCache>,
    encoding: Option<Encoding>,
    retired: Option<Date>,
}

impl HasModel for OwnModel {
    fn model(&self) -> ModelRef {
        self.model.clone()
    }
}

impl OwnModel {
    /// Lays what models.dev speaks of as well over what is known otherwise.
    pub(super) fn lay_facts(&self, entry: &mut CatalogueEntry) {
        let (info, record) = (&mut entry.info, &mut entry.record);
        if let Some(window) = self.window {
            info.window_tokens = Some(window);
            info.window_source = WindowSource::Catalogue;
        }
        info.input_limit_tokens = self.input_limit.or(info.input_limit_tokens);
        info.max_output_tokens = self.max_output.unwrap_or(info.max_output_tokens);
        if self
            .window
            .or(self.max_output)
            .or(self.input_limit)
            .is_some()
        {
            record.limits = FactSource::OwnTable;
        }
        let said = [self.images, self.pdf, self.tools, self.thinking];
        if said.iter().any(Option::is_some) || record.abilities == FactSource::Assumed {
            record.abilities = FactSource::OwnTable;
        }
        info.images = self.images.unwrap_or(info.images);
        info.pdf = self.pdf.unwrap_or(info.pdf);
        // All but a few call tools.
        info.tools = self.tools.or(info.tools).or(Some(true));
        info.thinking = self.thinking.unwrap_or(info.thinking);
        if self.price.is_some() {
            info.price = self.price;
            record.price = FactSource::OwnTable;
        }
    }

    /// Lays what models.dev does not speak of over what is known otherwise.
    pub(super) fn lay_rest(&self, entry: &mut CatalogueEntry) {
        let info = &mut entry.info;
        info.image_tokens = self.image_tokens.unwrap_or(info.image_tokens);
        info.prompt_cache = self.prompt_cache.unwrap_or(info.prompt_cache);
        info.encoding = self.encoding.unwrap_or(info.encoding);
        if self.retired.is_some() {
            entry.record.lifecycle = ModelLifecycle::until(self.retired);
        }
    }
}

impl OwnTable {
    /// Lays what holds for the model's provider over what is known otherwise.
    pub(super) fn lay_provider(&self, info: &mut ModelInfo) {
        let is_of = |row: &&ProviderRow| {
            row.id == info.model.provider && info.model.model.starts_with(&row.models)
        };
        for row in self.providers.iter().filter(is_of).collect::<Vec<_>>() {
            info.encoding = row.encoding.map_or(info.encoding, Encoding::from);
            info.image_tokens = row
                .image_tokens
                .map_or(info.image_tokens, ImageTokens::from);
            info.prompt_cache = row
                .prompt_cache
                .map_or(info.prompt_cache, PromptCache::from);
        }
    }

    /// Lays what the provider's interface, as it is spoken here, makes of the abilities.
    pub(super) fn lay_interface(&self, info: &mut ModelInfo) {
        let mut own = self
            .providers
            .iter()
            .filter(|row| row.id == info.model.provider);
        match own.find_map(|row| row.pdf) {
            Some(true) => info.pdf |= info.images,
            Some(false) => info.pdf = false,
            None => {}
        }
    }

    /// The small, cheap model of a provider.
    pub(super) fn small_model(&self, provider: &str) -> Option<ModelRef> {
        let mut own = self.providers.iter().filter(|row| row.id == provider);
        let id = own.find_map(|row| row.small.as_deref())?;
        Some(ModelRef::new(provider, id))
    }

    /// How many tokens a model makes of a text for which its encoding makes one, before its
    /// provider has counted anything: by the family that its id names.
    pub(super) fn token_factor(&self, id: &str) -> f64 {
        let id = id.to_lowercase().replace('.', "-");
        let has = |family: &&FamilyRow| family.names.iter().any(|it| has_word(&id, it));
        let family = self.families.iter().find(has);
        family.map_or(1.0, |family| family.token_factor)
    }

    /// What a model lets be said about its reasoning, by the family that its id names.
    pub(super) fn reasoning(&self, id: &str) -> Option<Arc<ReasoningFacts>> {
        facts_of(&self.reasoning, id)
    }
}

/// Whether a word of an id begins so.
fn has_word(id: &str, beginning: &str) -> bool {
    let begins_word = |at: usize| {
        let before = id.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|before| !before.is_alphanumeric())
    };
    id.match_indices(beginning).any(|(at, _)| begins_word(at))
}

impl From<CacheName> for PromptCache {
    fn from(name: CacheName) -> Self {
        match name {
            CacheName::None => Self::None,
            CacheName::Ttl => Self::Ttl,
            CacheName::Prefix => Self::Prefix,
        }
    }
}

impl From<ImageTokensName> for ImageTokens {
    fn from(name: ImageTokensName) -> Self {
        match name {
            ImageTokensName::Flat => Self::Flat,
            ImageTokensName::Pixels => Self::Pixels,
            ImageTokensName::Tiles => Self::Tiles,
        }
    }
}

impl From<EncodingName> for Encoding {
    fn from(name: EncodingName) -> Self {
        match name {
            EncodingName::O200k => Self::O200k,
            EncodingName::Cl100k => Self::Cl100k,
        }
    }
}

/// A price of input, output, cache read and cache write, and that of long prompts.
pub(super) fn price_of(plain: [f64; 4], long: Option<LongRow>) -> Price {
    let [input, output, cache_read, cache_write] = plain;
    Price {
        input,
        output,
        cache_read,
        cache_write,
        long: long.map(|long| {
            let [input, output, cache_read, cache_write] = long.price;
            LongPrice {
                from_tokens: long.from,
                input,
                output,
                cache_read,
                cache_write,
            }
        }),
    }
}

fn parse(text: &str) -> Result<OwnTable, String> {
    let table: TableFile = toml::from_str(text).map_err(|error| error.to_string())?;
    let models = table.model.into_iter().map(ModelRow::into_model);
    Ok(OwnTable {
        models: ModelIndex::new(models.collect::<Result<_, _>>()?),
        providers: table.provider,
        families: table.family,
        reasoning: table.reasoning,
    })
}

impl ModelRow {
    fn into_model(self) -> Result<OwnModel, String> {
        let (provider, model) = self
            .id
            .split_once('/')
            .ok_or_else(|| format!("{} has no provider", self.id))?;
        let retired = self.retired.as_deref().map(|text| {
            read_date(text).ok_or_else(|| format!("{}: {text:?} is not a date", self.id))
        });
        Ok(OwnModel {
            model: ModelRef::new(provider, model),
            window: self.window,
            max_output: self.max_output,
            input_limit: self.input_limit,
            images: self.images,
            pdf: self.pdf,
            tools: self.tools,
            thinking: self.thinking,
            price: self.price.map(|price| price_of(price, self.long)),
            image_tokens: self.image_tokens.map(ImageTokens::from),
            prompt_cache: self.prompt_cache.map(PromptCache::from),
            encoding: self.encoding.map(Encoding::from),
            retired: retired.transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::catalogue::snapshot::embedded_snapshot;

    #[test]
    fn the_own_table_can_be_read() {
        let table = parse(TABLE).unwrap();
        for family in &table.families {
            assert!((0.8..=1.6).contains(&family.token_factor), "{family:?}");
        }
        let rows = table.models.rows();
        assert!(!rows.is_empty());
        for (n, row) in rows.iter().enumerate() {
            assert!(
                !rows[..n].iter().any(|other| other.model == row.model),
                "{}",
                row.model
            );
        }
        assert!(parse("[[model]]\nid = 'x'\nwindow = 1").is_err());
        assert!(parse("[[model]]\nid = 'x/y'\nretired = 'May'").is_err());
    }

    /// What the snapshot says as well would have to be kept in two places.
    #[test]
    fn the_own_table_repeats_nothing_that_the_snapshot_says() {
        for row in own_table().models.rows() {
            let Some(found) = embedded_snapshot().find(&row.model) else {
                continue;
            };
            if !found.is_exact {
                continue;
            }
            let mut below = CatalogueEntry::unknown(row.model.clone());
            own_table().lay_provider(&mut below.info);
            found.found.lay(&mut below, FactSource::Snapshot);
            own_table().lay_interface(&mut below.info);
            let info = &below.info;
            let repeated = [
                row.window.is_some() && row.window == info.window_tokens,
                row.max_output == Some(info.max_output_tokens),
                row.input_limit.is_some() && row.input_limit == info.input_limit_tokens,
                row.images == Some(info.images),
                row.pdf == Some(info.pdf),
                row.tools.is_some() && row.tools == info.tools,
                row.thinking == Some(info.thinking),
                row.price.is_some() && row.price == info.price,
                row.image_tokens == Some(info.image_tokens),
                row.prompt_cache == Some(info.prompt_cache),
                row.encoding == Some(info.encoding),
            ];
            assert!(!repeated.contains(&true), "{}: {repeated:?}", row.model);
        }
    }
}
