//! An observation of a provider. It changes no word of what is sent, only the estimates and
//! whether the prompt cache counts as warm.

/// An observation of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measurement {
    /// The ruler's estimate and the provider's count.
    Usage(UsageSample),
    /// The provider's prompt cache was filled or refreshed at this entry's time.
    CacheContact {
        /// Provider id.
        provider: String,
        /// Model id.
        model: String,
    },
    /// A model was asked for a summary, and no compaction tells how that went.
    SummaryAttempt(SummaryAttempt),
    /// From here on this context engine makes the requests.
    Engine(EngineMark),
}

/// A context engine that makes requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMark {
    /// Its id.
    pub id: String,
    /// It leaves out what it does not choose: what a provider counts is not the size of the
    /// conversation.
    pub is_choosing: bool,
}

/// How a model did that was asked for a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryAttempt {
    /// Who was asked.
    pub by: SummariserKey,
    /// Answers in a row that were no usable summary, at least 1 when there was none in the
    /// end; 0 for a usable one.
    pub failures: u64,
}

/// A model that writes summaries, with the settings that it is asked by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummariserKey {
    /// Provider id.
    pub provider: String,
    /// Model id.
    pub model: String,
    /// Fingerprint of the settings of compaction and audit.
    pub settings: String,
}

/// One measured request, for calibration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageSample {
    /// Provider id.
    pub provider: String,
    /// Model id.
    pub model: String,
    /// Which ruler estimated.
    pub ruler: String,
    /// The uncalibrated estimate of the whole request.
    pub estimate_tokens: u64,
    /// The provider's count.
    pub actual_tokens: u64,
    /// It was reported when the request was refused as too long: no answer has it.
    pub refused: bool,
}
