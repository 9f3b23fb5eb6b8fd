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
