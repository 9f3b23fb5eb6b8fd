//! The prompt cache of a server: what is asked of it, and what it says of itself.

/// How long a server is asked to keep a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PromptCacheTtl {
    /// As long as it does by itself: five minutes at Anthropic.
    #[default]
    Usual,
    /// An hour, where it can.
    Hour,
}

/// What is asked of a server's prompt cache. Only where the server is known to take it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheWishes {
    /// How long the prompt is to be kept.
    pub ttl: PromptCacheTtl,
    /// To be told why a prompt was not found.
    pub diagnosis: bool,
}

/// What a server says of a request, compared with the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheDiagnosis {
    /// It begins as the one before.
    Same,
    /// It does not.
    Changed {
        /// What differs first, in the server's own word: `tools_changed`.
        reason: String,
        /// Tokens of the prompt that could not be taken from the cache because of it.
        missed_tokens: Option<u64>,
    },
    /// The server cannot say, in its own word why: `unavailable`.
    Unknown {
        /// Why.
        reason: String,
    },
}

/// What else a rewritten prompt loses, as the end of a sentence; empty where nothing is lost.
pub fn lost_reasoning_words(answers: u64) -> String {
    if answers == 0 {
        return String::new();
    }
    let answers = super::plural(answers, "answer");
    format!(", the server drops the signed reasoning of the {answers} after it")
}

/// Longest word of a server's that is kept, in characters.
const MAX_REASON_CHARS: usize = 64;

impl CacheDiagnosis {
    /// A change, in the server's word.
    pub fn changed(reason: &str, missed_tokens: Option<u64>) -> Self {
        Self::Changed {
            reason: bounded(reason),
            missed_tokens,
        }
    }

    /// No knowledge, in the server's word.
    pub fn unknown(reason: &str) -> Self {
        Self::Unknown {
            reason: bounded(reason),
        }
    }

    /// What it says, as a sentence without an end.
    pub fn in_words(&self) -> String {
        match self {
            Self::Same => "reported by the server: it begins like the previous request".to_owned(),
            Self::Changed {
                reason,
                missed_tokens,
            } => {
                let reason = reason.replace('_', " ");
                let missed = missed_tokens.map_or_else(String::new, |tokens| {
                    format!(", {} tokens not from the cache", super::grouped(tokens))
                });
                format!("reported by the server: {reason}{missed}")
            }
            Self::Unknown { reason } => {
                let reason = reason.replace('_', " ");
                format!("the server did not report the reason of its cache miss: {reason}")
            }
        }
    }
}

/// A word without control characters, and no longer than anybody reads.
fn bounded(reason: &str) -> String {
    let shown = reason.chars().filter(|c| !c.is_control());
    shown.take(MAX_REASON_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnosis_says_what_differs_and_what_that_cost() {
        let said = |diagnosis: CacheDiagnosis| diagnosis.in_words();
        assert_eq!(
            said(CacheDiagnosis::changed("tools_changed", Some(12_300))),
            "reported by the server: tools changed, 12,300 tokens not from the cache"
        );
        assert_eq!(
            said(CacheDiagnosis::changed("model_changed", None)),
            "reported by the server: model changed"
        );
        assert!(said(CacheDiagnosis::unknown("unavailable")).ends_with(": unavailable"));
        let hostile = CacheDiagnosis::unknown(&"\u{1b}[31m\n".repeat(1_000));
        let CacheDiagnosis::Unknown { reason } = hostile else {
            unreachable!("it was made so");
        };
        assert_eq!(reason.chars().count(), MAX_REASON_CHARS);
        assert!(!reason.chars().any(char::is_control));
    }
}
