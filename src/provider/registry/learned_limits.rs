//! The limits that servers named, for the addresses in use.

use std::sync::PoisonError;

use super::Registry;
use crate::provider::catalogue::named_limits::NamedLimit;
use crate::provider::http::address::shown;
use crate::transcript::{ModelInfo, ModelRef};

impl Registry {
    /// Heeds these limits, each where its address is in use.
    #[must_use]
    pub fn with_limits(self, limits: Vec<NamedLimit>) -> Self {
        *self.limits.write().unwrap_or_else(PoisonError::into_inner) = limits;
        self
    }

    /// A server that refused a request said that it takes this many tokens. Gives what is
    /// to be kept; `None` for an unknown provider.
    pub fn learn_limit(&self, model: &ModelRef, tokens: u64) -> Option<NamedLimit> {
        let limit = NamedLimit {
            provider: model.provider.clone(),
            model: model.model.clone(),
            base: self.base_of(model)?,
            tokens,
            instead_of: self.catalogue.lookup(model).window_tokens,
        };
        self.forget_limit(model);
        let mut limits = self.limits.write().unwrap_or_else(PoisonError::into_inner);
        limits.push(limit.clone());
        Some(limit)
    }

    /// The limit that the server of a model once named, in tokens.
    pub fn limit_of(&self, model: &ModelRef) -> Option<u64> {
        self.named_limit(model).map(|limit| limit.tokens)
    }

    fn named_limit(&self, model: &ModelRef) -> Option<NamedLimit> {
        let base = self.base_of(model)?;
        let limits = self.limits.read().unwrap_or_else(PoisonError::into_inner);
        let newest = limits.iter().rev().find(|limit| limit.is_of(model, &base));
        newest.cloned()
    }

    /// Forgets it, and gives what is to be forgotten.
    pub fn forget_limit(&self, model: &ModelRef) -> Option<NamedLimit> {
        let base = self.base_of(model)?;
        let mut limits = self.limits.write().unwrap_or_else(PoisonError::into_inner);
        let at = limits.iter().rposition(|limit| limit.is_of(model, &base))?;
        Some(limits.remove(at))
    }

    /// The facts about a model, with the limit that its server named.
    pub(super) fn limited(&self, info: ModelInfo) -> ModelInfo {
        match self.named_limit(&info.model) {
            Some(limit) => limit.over(info),
            None => info,
        }
    }

    /// The base address of a model's server, without secrets.
    fn base_of(&self, model: &ModelRef) -> Option<String> {
        let endpoint = self.endpoint(&model.provider)?;
        Some(shown(&self.address_of(endpoint).base))
    }
}
