//! What a provider reported about one request.

/// Token counts as reported. `input` excludes what the cache served or stored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Prompt tokens that were neither read from nor written to the cache.
    pub input_tokens: u64,
    /// Generated tokens, reasoning included.
    pub output_tokens: u64,
    /// Prompt tokens served by the provider's cache.
    pub cache_read_tokens: u64,
    /// Prompt tokens stored in the provider's cache.
    pub cache_write_tokens: u64,
    /// Price in US dollars, when the catalogue knows it.
    pub cost_usd: Option<f64>,
}

impl Usage {
    /// The true size of the prompt.
    pub fn prompt_tokens(&self) -> u64 {
        self.input_tokens
            .saturating_add(self.cache_read_tokens)
            .saturating_add(self.cache_write_tokens)
    }

    /// Some servers report zeros when they do not count: that is no usage.
    pub fn is_reported(&self) -> bool {
        self.prompt_tokens() > 0
    }

    /// Sum of two requests.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cache_read_tokens: self
                .cache_read_tokens
                .saturating_add(other.cache_read_tokens),
            cache_write_tokens: self
                .cache_write_tokens
                .saturating_add(other.cache_write_tokens),
            cost_usd: match (self.cost_usd, other.cost_usd) {
                (None, None) => None,
                (a, b) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_counts_of_a_server_do_not_overflow() {
        let absurd = Usage {
            input_tokens: u64::MAX,
            output_tokens: u64::MAX,
            cache_read_tokens: u64::MAX,
            cache_write_tokens: u64::MAX,
            cost_usd: None,
        };
        assert_eq!(absurd.prompt_tokens(), u64::MAX);
        assert_eq!(absurd.plus(absurd), absurd);
    }
}
