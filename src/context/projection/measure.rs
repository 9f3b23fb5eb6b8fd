//! How what a provider counted is shared among the items of a list.

use std::sync::Arc;

use super::builder::{FRAME_ITEMS, MeasuredFront, PreambleTokens, ViewBuilder};
use super::carried::CarriedCounts;
use crate::context::apportion::apportion;
use crate::context::calibration::{Calibration, MAX_BELIEVED_TOKENS};

/// A measured segment whose provider count differs from the estimate by more than
/// this factor is not believed; then the whole prefix is shared out again.
const PLAUSIBLE_RATIO: f64 = 6.0;
/// Within this many tokens a difference is believed whatever the ratio: providers add
/// markup that weighs more than a short message does.
const PLAUSIBLE_SLACK_TOKENS: u64 = 500;
/// A count after a change that is further than this from the numbers so far shares out
/// everything again.
const SCALABLE_RATIO: f64 = 2.0;

/// A measurement that gives every item before `upto` a new share. Only the newest one
/// matters, so it waits until numbers are asked for: a log in which each of them
/// surprises stays linear.
#[derive(Clone, Debug)]
pub(crate) struct UnsharedCount {
    pub prompt_tokens: u64,
    pub upto: usize,
    pub frame: PreambleTokens,
    pub calibration: Calibration,
}

/// The weights of what stands before the conversation: notes and skills count with the system
/// prompt here, which they are a part of, and servers with the tools.
fn frame_weights(system: u64, tools: u64) -> Vec<u64> {
    let mut weights = vec![system, tools];
    weights.resize(FRAME_ITEMS, 0);
    weights
}

impl ViewBuilder {
    /// A provider counted everything so far (and the frame) as `prompt_tokens`: share
    /// that out, so that the items add up to it.
    ///
    /// As a rule only what is new since the last measurement gets a share of the
    /// difference, so the numbers of older items stay what they were.
    pub(crate) fn measure(
        &mut self,
        prompt_tokens: u64,
        frame: PreambleTokens,
        calibration: &Calibration,
    ) {
        let upto = self.items.len();
        if prompt_tokens > MAX_BELIEVED_TOKENS {
            return;
        }
        if let Some(before) = self.measured
            && let Some((from, delta)) = self.newly_counted(before, upto, prompt_tokens)
        {
            self.share(from, upto, delta);
            self.measured = Some(MeasuredFront {
                tokens: prompt_tokens,
                upto,
                answer_counted: false,
                ..before
            });
            return;
        }
        if self.measured.is_none()
            && let Some(carried) = self.carried.clone()
            && self.measure_after_change(prompt_tokens, &carried)
        {
            return;
        }
        self.carried = None;
        self.measured = Some(MeasuredFront {
            tokens: prompt_tokens,
            upto,
            answer_counted: false,
            system: 0,
            tools: 0,
        });
        self.unshared = Some(UnsharedCount {
            prompt_tokens,
            upto,
            frame,
            calibration: calibration.clone(),
        });
    }

    /// The first count after a change: what was counted before keeps its number and what is
    /// new shares the rest. Where that cannot be, every number changes by the same factor.
    /// False when the count has nothing to do with the numbers so far.
    fn measure_after_change(&mut self, prompt_tokens: u64, carried: &CarriedCounts) -> bool {
        let upto = self.items.len();
        let (mut known, mut known_estimate) = (carried.system + carried.tools, 0);
        let (mut fresh, mut fresh_estimates) = (Vec::new(), Vec::new());
        for (at, item) in self.items.iter().enumerate().skip(FRAME_ITEMS) {
            if carried.tokens_of(item).is_some() {
                known += item.tokens;
                known_estimate += item.estimate_tokens;
            } else {
                fresh.push(at);
                fresh_estimates.push(item.estimate_tokens);
            }
        }
        let (mut system, mut tools) = (carried.system, carried.tools);
        let estimate = fresh_estimates.iter().sum();
        let rest = prompt_tokens.checked_sub(known);
        if let Some(rest) = rest.filter(|&rest| fits_estimate(estimate, rest)) {
            let shares = apportion(rest, &fresh_estimates);
            for (at, share) in fresh.into_iter().zip(shares) {
                self.set_tokens(at, share);
            }
        } else {
            let spoken = known - system - tools;
            let mut weights = frame_weights(system, tools);
            weights.extend(self.items.iter().skip(FRAME_ITEMS).map(|item| {
                let counted = carried.tokens_of(item);
                counted.unwrap_or_else(|| {
                    let scaled = u128::from(item.estimate_tokens) * u128::from(spoken);
                    let scaled = scaled.checked_div(u128::from(known_estimate));
                    scaled.map_or(item.estimate_tokens, |tokens| tokens as u64)
                })
            }));
            let expected = weights.iter().sum::<u64>() as f64;
            if !is_within(prompt_tokens as f64 / expected.max(1.0), SCALABLE_RATIO) {
                return false;
            }
            let shares = apportion(prompt_tokens, &weights);
            (system, tools) = (shares[0], shares[1]);
            self.carried = None;
            for (at, &share) in shares.iter().enumerate().skip(FRAME_ITEMS) {
                self.set_tokens(at, share);
            }
        }
        self.measured = Some(MeasuredFront {
            tokens: prompt_tokens,
            upto,
            answer_counted: false,
            system,
            tools,
        });
        true
    }

    /// From where on items are new to the provider, and the tokens they have together:
    /// after the last answer if that was counted by itself and still fits, else with it.
    fn newly_counted(
        &self,
        before: MeasuredFront,
        upto: usize,
        prompt_tokens: u64,
    ) -> Option<(usize, u64)> {
        let starts = [self.counted(), (before.upto, before.tokens)];
        starts.into_iter().find_map(|(from, tokens)| {
            let delta = prompt_tokens.checked_sub(tokens)?;
            self.is_plausible(from, upto, delta)
                .then_some((from, delta))
        })
    }

    fn is_plausible(&self, from: usize, upto: usize, tokens: u64) -> bool {
        let items = (from..upto).filter_map(|at| self.items.get(at));
        let estimate: u64 = items.map(|item| item.estimate_tokens).sum();
        if upto == from {
            return tokens == 0;
        }
        fits_estimate(estimate, tokens)
    }

    /// The fixed part that calibration knows goes to system and tools; the rest is
    /// shared by everything in proportion to its estimate.
    pub(crate) fn share_out(&mut self) {
        let Some(UnsharedCount {
            prompt_tokens,
            upto,
            frame,
            calibration,
        }) = self.unshared.take()
        else {
            return;
        };
        let has_frame = frame.system + frame.tools > 0;
        let fixed = if has_frame {
            calibration.fit().fixed_tokens() as u64
        } else {
            0
        };
        let fixed = fixed.min(prompt_tokens);
        let mut weights = frame_weights(frame.system, frame.tools);
        weights.extend(self.estimates(FRAME_ITEMS, upto));
        let shares = apportion(prompt_tokens - fixed, &weights);
        let fixed_shares = apportion(fixed, &[frame.system, frame.tools]);
        for (offset, &tokens) in shares.iter().enumerate().skip(FRAME_ITEMS) {
            self.set_tokens(offset, tokens);
        }
        if let Some(measured) = &mut self.measured {
            measured.system = shares[0] + fixed_shares[0];
            measured.tools = shares[1] + fixed_shares[1];
        }
    }

    /// The provider counted the answer that was just pushed as this many tokens.
    pub(crate) fn measure_answer(&mut self, output_tokens: u64) {
        let Some(mut measured) = self.measured else {
            return;
        };
        let at = measured.upto;
        let is_last = at + 1 == self.items.len();
        if is_last && self.is_plausible(at, at + 1, output_tokens) {
            self.set_tokens(at, output_tokens);
            measured.answer_counted = true;
            self.measured = Some(measured);
        }
    }

    /// Scales everything that no provider counted by the present factor.
    pub(crate) fn rescale(&mut self) {
        let from = match self.measured {
            None => FRAME_ITEMS,
            Some(measured) => measured.upto + usize::from(measured.answer_counted),
        };
        for at in from..self.items.len() {
            let Some(item) = self.items.get(at) else {
                continue;
            };
            let (tokens, full_tokens) = (self.count(item), self.count_in_full(item));
            self.set_count(at, tokens, full_tokens);
        }
    }

    /// The list is about to be no longer what providers saw: what they counted of it becomes
    /// what was counted before.
    pub(crate) fn carry_counts(&mut self) {
        self.share_out();
        let (upto, _) = self.counted();
        let Some(measured) = self.measured.take() else {
            return;
        };
        let mut carried = self.carried.as_deref().cloned().unwrap_or_default();
        carried.system = measured.system;
        carried.tools = measured.tools;
        for item in self.items.iter().take(upto).skip(FRAME_ITEMS) {
            carried.keep(item);
        }
        self.carried = Some(Arc::new(carried));
        self.rescale();
    }

    fn estimates(&self, from: usize, upto: usize) -> Vec<u64> {
        (from..upto)
            .filter_map(|at| self.items.get(at))
            .map(|item| item.estimate_tokens)
            .collect()
    }

    fn share(&mut self, from: usize, upto: usize, tokens: u64) {
        for (offset, share) in apportion(tokens, &self.estimates(from, upto))
            .iter()
            .enumerate()
        {
            self.set_tokens(from + offset, *share);
        }
    }

    fn set_tokens(&mut self, at: usize, tokens: u64) {
        self.set_count(at, tokens, None);
    }

    fn set_count(&mut self, at: usize, tokens: u64, full_tokens: Option<u64>) {
        let Some(shared) = self.items.get(at) else {
            return;
        };
        if shared.tokens == tokens && shared.full.counted_tokens == full_tokens {
            return;
        }
        let is_cut = shared.disposition.is_cut();
        if is_cut {
            let before = Arc::clone(shared);
            self.uncount_cut(&before);
        }
        self.changed_from = self.changed_from.min(at);
        let Some(shared) = self.items.get_mut(at) else {
            return;
        };
        // In place, unless a view still shows it.
        let item = Arc::make_mut(shared);
        let before = item.tokens;
        item.tokens = tokens;
        item.full.counted_tokens = full_tokens;
        let item = Arc::clone(shared);
        if is_cut {
            self.count_cut(&item);
        }
        self.sums.change_tokens(&item, before);
    }
}

/// Whether items that were estimated so may have been counted so.
fn fits_estimate(estimate: u64, tokens: u64) -> bool {
    is_within(tokens as f64 / estimate.max(1) as f64, PLAUSIBLE_RATIO)
        || tokens.abs_diff(estimate) <= PLAUSIBLE_SLACK_TOKENS
}

fn is_within(ratio: f64, most: f64) -> bool {
    (1.0 / most..=most).contains(&ratio)
}
