//! Calibration: what providers report teaches the ruler. Per model,
//! `actual = fixed + factor × estimate` is fitted over the newest samples.
//!
//! On tool-heavy sessions one real token is 2.4–3.6 characters and tens of thousands
//! of tokens are a fixed cost, so the two parts are kept apart.

#[cfg(test)]
mod simulated;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use super::ruler::{Approximate, Ruler as _, are_alike};
use super::view::{RulerReport, scaled};
use crate::transcript::{ExpectedTokens, UsageSample};

/// Newest samples that count.
const MAX_SAMPLES: usize = 32;
/// Samples needed before a fixed part is fitted.
const MIN_SAMPLES_FOR_FIXED: usize = 4;
/// The sizes of requests have to differ by this share of what they hold.
const MIN_SPREAD: f64 = 0.05;
/// Samples needed before the margin may shrink.
const MIN_SAMPLES_FOR_MARGIN: usize = 3;
/// Margin without evidence, and the largest one.
const MAX_MARGIN: f64 = 1.2;
/// Smallest margin, however good the fit.
const MIN_MARGIN: f64 = 1.03;
/// A factor outside these bounds is not believed.
const FACTOR_RANGE: (f64, f64) = (0.5, 3.0);

/// More than any request holds: such a report is damage or malice, and not learnt from.
pub(super) const MAX_BELIEVED_TOKENS: u64 = 1_000_000_000;

/// With fewer samples than a fixed part takes, the factor stays this near to what is known
/// of the model's family: one request after a large hidden prompt says little of the text.
const FEW_SAMPLES_RANGE: f64 = 0.25;

/// Tokens that a provider may count beyond the conversation.
const MAX_FIXED_TOKENS: f64 = 60_000.0;

/// Whether a request that was estimated so may have been refused with this count. A refusal
/// names numbers in free text, and not each of them is the size of the request.
pub fn is_believable_refusal(estimate_tokens: u64, counted_tokens: u64) -> bool {
    let estimate = estimate_tokens as f64;
    let highest = estimate * FACTOR_RANGE.1 + MAX_FIXED_TOKENS;
    (estimate * FACTOR_RANGE.0..=highest).contains(&(counted_tokens as f64))
}

/// Whether a sample may teach: a log or file of earlier versions may hold numbers that cannot
/// be right. What a refusal named was weighed when it was recorded.
pub(super) fn is_believable_sample(sample: &UsageSample, token_factor: f64) -> bool {
    let expected = scaled(sample.estimate_tokens, token_factor);
    let allows = |tokens: u64| ExpectedTokens::text(tokens).allows(sample.actual_tokens);
    // A ruler that counts characters may be far below what a text has.
    let is_coarse = !are_alike(&sample.ruler, Approximate.name());
    sample.refused || allows(expected) || is_coarse && allows(expected.saturating_mul(2))
}

/// Measured requests of one model. Adding one is cheap; the line through them is
/// computed when it is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Calibration {
    /// The factor without any sample.
    prior: f64,
    samples: VecDeque<(f64, f64)>,
    /// Measured in earlier sessions, or with a similar ruler while this one was loading:
    /// used until a line can be drawn through its own.
    stand_ins: VecDeque<(f64, f64)>,
    count: u64,
}

/// The line through the samples, and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Correction {
    fixed: f64,
    factor: f64,
    margin: f64,
    count: u64,
}

impl Default for Correction {
    fn default() -> Self {
        Self {
            fixed: 0.0,
            factor: 1.0,
            margin: MAX_MARGIN,
            count: 0,
        }
    }
}

impl Default for Calibration {
    fn default() -> Self {
        Self::starting_at(1.0)
    }
}

impl Calibration {
    /// Knows of a model how many of its tokens one of the ruler's is, and no more yet.
    pub(super) fn starting_at(token_factor: f64) -> Self {
        Self {
            prior: token_factor.clamp(FACTOR_RANGE.0, FACTOR_RANGE.1),
            samples: VecDeque::new(),
            stand_ins: VecDeque::new(),
            count: 0,
        }
    }

    /// Adds a measured request: the uncalibrated estimate and what the provider counted.
    pub(super) fn add(&mut self, estimate_tokens: u64, actual_tokens: u64) {
        if push(&mut self.samples, estimate_tokens, actual_tokens) {
            self.count += 1;
        }
    }

    /// A sample of an earlier session, or by a ruler that counts nearly the same.
    pub(super) fn add_stand_in(&mut self, estimate_tokens: u64, actual_tokens: u64) {
        if push(&mut self.stand_ins, estimate_tokens, actual_tokens) {
            self.count += 1;
        }
    }

    /// The samples that count: its own once a line can be drawn through them.
    fn evidence(&self) -> Vec<(f64, f64)> {
        let own: Vec<(f64, f64)> = self.samples.iter().copied().collect();
        if own.len() >= MIN_SAMPLES_FOR_FIXED && is_spread(&own) {
            return own;
        }
        let surplus = (self.stand_ins.len() + own.len()).saturating_sub(MAX_SAMPLES);
        let stand_ins = self.stand_ins.iter().skip(surplus).copied();
        stand_ins.chain(own).collect()
    }

    /// Theil–Sen: the median of all pairwise slopes, each weighing as much as its samples
    /// lie apart, then the median intercept. One wild sample in four does not move it.
    pub(super) fn fit(&self) -> Correction {
        let samples = self.evidence();
        let line = line(&samples, self.prior);
        let (fixed, factor) = line.unwrap_or_else(|| (0.0, ratio(&samples, self.prior)));
        let errors = samples
            .iter()
            .map(|(estimate, actual)| ((fixed + factor * estimate) - actual).abs() / actual);
        let deviation = median(errors.collect()).unwrap_or(0.0);
        let margin = if samples.len() < MIN_SAMPLES_FOR_MARGIN {
            MAX_MARGIN
        } else {
            (1.0 + 2.0 * deviation).clamp(MIN_MARGIN, MAX_MARGIN)
        };
        Correction {
            fixed,
            factor,
            margin,
            count: self.count,
        }
    }
}

/// Adds a sample; false when it is not believed.
fn push(samples: &mut VecDeque<(f64, f64)>, estimate_tokens: u64, actual_tokens: u64) -> bool {
    let is_believable = |tokens| (1..=MAX_BELIEVED_TOKENS).contains(&tokens);
    if !is_believable(estimate_tokens) || !is_believable(actual_tokens) {
        return false;
    }
    if samples.len() == MAX_SAMPLES {
        samples.pop_front();
    }
    samples.push_back((estimate_tokens as f64, actual_tokens as f64));
    true
}

fn ratio(samples: &[(f64, f64)], prior: f64) -> f64 {
    let ratios = samples.iter().map(|(estimate, actual)| actual / estimate);
    let factor = median(ratios.collect()).unwrap_or(prior);
    let near = if samples.len() < MIN_SAMPLES_FOR_FIXED {
        let slack = prior * FEW_SAMPLES_RANGE;
        factor.clamp(prior - slack, prior + slack)
    } else {
        factor
    };
    near.clamp(FACTOR_RANGE.0, FACTOR_RANGE.1)
}

fn line(samples: &[(f64, f64)], prior: f64) -> Option<(f64, f64)> {
    if samples.len() < MIN_SAMPLES_FOR_FIXED {
        return None;
    }
    // Requests of nearly one size say what is fixed and nothing of what grows.
    let factor = if is_spread(samples) {
        slope(samples)?
    } else {
        prior
    };
    let offsets = samples
        .iter()
        .map(|(estimate, actual)| actual - factor * estimate);
    let fixed = median(offsets.collect())?;
    // A negative fixed part is noise: then only the factor is trustworthy.
    (fixed >= 0.0).then_some((fixed, factor))
}

/// Whether the requests differ enough in size to tell a slope from noise.
fn is_spread(samples: &[(f64, f64)]) -> bool {
    let estimates = || samples.iter().map(|(estimate, _)| *estimate);
    let range = estimates().fold(0.0, f64::max) - estimates().fold(f64::INFINITY, f64::min);
    let actuals = samples.iter().map(|(_, actual)| *actual);
    median(actuals.collect()).is_some_and(|actual| range >= actual * MIN_SPREAD)
}

/// The median of the pairwise slopes, weighted by how far apart the samples lie: between
/// near ones the provider's noise is all there is.
fn slope(samples: &[(f64, f64)]) -> Option<f64> {
    let mut slopes = Vec::new();
    for (i, a) in samples.iter().enumerate() {
        for b in samples.iter().skip(i + 1) {
            let apart = (b.0 - a.0).abs();
            if apart >= 1.0 {
                slopes.push(((b.1 - a.1) / (b.0 - a.0), apart));
            }
        }
    }
    slopes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let half = slopes.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
    let mut sum = 0.0;
    let median = slopes.iter().find(|(_, weight)| {
        sum += weight;
        sum >= half
    });
    median.map(|(slope, _)| slope.clamp(FACTOR_RANGE.0, FACTOR_RANGE.1))
}

impl Correction {
    /// Estimates as they are, with this margin: nothing was learnt.
    pub(super) fn fixed(margin: f64) -> Self {
        Self {
            margin,
            ..Self::default()
        }
    }

    /// Tokens per estimated token.
    pub(super) fn factor(&self) -> f64 {
        self.factor
    }

    /// Tokens that every request costs beyond what was estimated.
    pub(super) fn fixed_tokens(&self) -> f64 {
        self.fixed
    }

    /// Safety factor on what is not measured, where it is compared with a limit.
    pub(super) fn margin(&self) -> f64 {
        self.margin
    }

    /// The report for a view.
    pub(super) fn report(&self, ruler: &'static str) -> RulerReport {
        RulerReport {
            name: ruler,
            calibration: self.factor,
            fixed_tokens: self.fixed,
            margin: self.margin,
            samples: self.count,
        }
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let is_odd = values.len() % 2 == 1;
    let middle = values.len() / 2;
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp);
    Some(if is_odd {
        upper
    } else {
        f64::midpoint(lower.unwrap_or(upper), upper)
    })
}
