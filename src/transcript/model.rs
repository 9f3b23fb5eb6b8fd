//! The facts about a model: its window, prices and abilities.

use std::sync::Arc;

use super::{ModelRef, ReasoningFacts, ReasoningState, ThinkingLevel};

/// A model as the catalogue, a server or the user's configuration describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelInfo {
    /// The model.
    pub model: ModelRef,
    /// Context window in tokens, when somebody knows it.
    pub window_tokens: Option<u64>,
    /// The source of its size.
    pub window_source: WindowSource,
    /// Limit on the prompt alone, where it is smaller than the window.
    pub input_limit_tokens: Option<u64>,
    /// Largest answer in tokens.
    pub max_output_tokens: u64,
    /// How the provider caches prompts.
    pub prompt_cache: PromptCache,
    /// Encoding of the tokenizer, as far as it is public.
    pub encoding: Encoding,
    /// How many tokens the model counts for one of that encoding, as far as it is known;
    /// what its provider reports takes its place.
    pub token_factor: f64,
    /// Accepts images.
    pub images: bool,
    /// How its provider counts them.
    pub image_tokens: ImageTokens,
    /// Accepts PDF documents as they are.
    pub pdf: bool,
    /// Can call tools; `None`: nobody says.
    pub tools: Option<bool>,
    /// Can reason before it answers.
    pub thinking: bool,
    /// How it is asked to, where it can.
    pub reasoning: Arc<ReasoningFacts>,
    /// US dollars per million tokens, when known.
    pub price: Option<Price>,
}

impl ModelInfo {
    /// A model that nobody described: assumptions are flagged where they show.
    pub fn unknown(model: ModelRef) -> Self {
        Self {
            model,
            window_tokens: None,
            window_source: WindowSource::Assumed,
            input_limit_tokens: None,
            max_output_tokens: 8_192,
            prompt_cache: PromptCache::Ttl,
            encoding: Encoding::O200k,
            token_factor: 1.0,
            images: false,
            pdf: false,
            tools: None,
            image_tokens: ImageTokens::Flat,
            thinking: false,
            reasoning: Arc::default(),
            price: None,
        }
    }

    /// What comes of a wish for reasoning; `None` when the model is not known to reason, and
    /// nothing is asked of it.
    pub fn reasoning_state(&self, wish: ThinkingLevel) -> Option<ReasoningState> {
        self.thinking.then(|| self.reasoning.state(wish))
    }
}

/// The window in tokens that is assumed when nobody knows.
pub const ASSUMED_WINDOW_TOKENS: u64 = 200_000;

/// The source of a window's size. One name for each, on every screen and in all JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WindowSource {
    /// The user's setting.
    User,
    /// The server, in a refusal of a request that was too long for it.
    Refusal,
    /// The server that runs the model.
    Server,
    /// The provider's list of models, as it was fetched.
    Listed,
    /// The model catalogue.
    Catalogue,
    /// Nobody knows; 200,000 is assumed.
    #[default]
    Assumed,
}

impl WindowSource {
    /// The name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Refusal => "named by the server",
            Self::Server => "server",
            Self::Listed => "provider's list",
            Self::Catalogue => "catalogue",
            Self::Assumed => "assumed",
        }
    }
}

/// How a provider caches prompts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PromptCache {
    /// Not at all: rewriting the prefix costs nothing.
    None,
    /// Until a time has passed since the last contact.
    #[default]
    Ttl,
    /// By prefix, for as long as the server runs.
    Prefix,
}

impl PromptCache {
    /// The name in tables, settings and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Ttl => "ttl",
            Self::Prefix => "prefix",
        }
    }
}

/// How a provider counts the tokens of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageTokens {
    /// Nobody knows: a round number.
    #[default]
    Flat,
    /// By width × height, after scaling to fit.
    Pixels,
    /// By squares of 512 pixels, after scaling to fit.
    Tiles,
}

/// A public tokenizer encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `o200k_base`.
    #[default]
    O200k,
    /// `cl100k_base`.
    Cl100k,
}

/// US dollars per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    /// Uncached prompt.
    pub input: f64,
    /// Answer.
    pub output: f64,
    /// Prompt served from the cache.
    pub cache_read: f64,
    /// Prompt stored in the cache.
    pub cache_write: f64,
    /// The prices of requests with a long prompt.
    pub long: Option<LongPrice>,
}

/// US dollars per million tokens of a request whose prompt is long, for all its tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongPrice {
    /// Prompts of more tokens than this are long.
    pub from_tokens: u64,
    /// Uncached prompt.
    pub input: f64,
    /// Answer.
    pub output: f64,
    /// Prompt served from the cache.
    pub cache_read: f64,
    /// Prompt stored in the cache.
    pub cache_write: f64,
}

impl Price {
    /// The price of a request with a prompt of so many tokens, cached or not.
    #[must_use]
    pub fn of_prompt(self, tokens: u64) -> Self {
        match self.long.filter(|long| tokens > long.from_tokens) {
            Some(long) => Self {
                input: long.input,
                output: long.output,
                cache_read: long.cache_read,
                cache_write: long.cache_write,
                long: self.long,
            },
            None => self,
        }
    }
}
