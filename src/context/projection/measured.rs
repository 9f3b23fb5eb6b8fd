//! What providers counted of the list: the difference to the estimates is shared out among
//! the items, so that they add up to the count.

use super::builder::{FRAME_ITEMS, ViewBuilder};
use crate::context::apportion::apportion;
use crate::context::calibration::{Calibration, Correction, MAX_BELIEVED_TOKENS};
use crate::context::view::scaled;

/// A measured segment whose provider count differs from the estimate by more than
/// this factor is not believed; then the whole prefix is shared out anew.
const PLAUSIBLE_RATIO: f64 = 6.0;
/// Within this many tokens a difference is believed whatever the ratio: providers add
/// markup that weighs more than a short message does.
const PLAUSIBLE_SLACK_TOKENS: u64 = 500;

/// What a provider counted of the front of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MeasuredFront {
    /// Tokens of system, tools and the items before `upto`.
    pub tokens: u64,
    /// Items that this covers, system and tools included.
    pub upto: usize,
    /// Whether the item at `upto` (the answer) was counted too.
    pub answer_counted: bool,
    pub system: u64,
    pub tools: u64,
}

/// System prompt and tools: what they cost by estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PreambleTokens {
    pub system: u64,
    pub tools: u64,
}

/// A measurement that gives every item before `upto` a new share. Only the newest one
/// matters, so it waits until numbers are asked for: a log in which each of them
/// surprises stays linear.
#[derive(Clone, Debug)]
pub(super) struct UnsharedCount {
    prompt_tokens: u64,
    upto: usize,
    frame: PreambleTokens,
    calibration: Calibration,
}

impl ViewBuilder {
    /// System and tools as measured, or as estimated with the fixed part shared out.
    pub(crate) fn frame_shares(&self, frame: PreambleTokens, fit: &Correction) -> (u64, u64) {
        if let Some(measured) = self.measured {
            return (measured.system, measured.tools);
        }
        let PreambleTokens { system, tools } = frame;
        let has_frame = system + tools > 0;
        let fixed = if has_frame {
            fit.fixed_tokens() as u64
        } else {
            0
        };
        let shares = apportion(fixed, &[system, tools]);
        let factor = fit.factor();
        (
            scaled(system, factor) + shares[0],
            scaled(tools, factor) + shares[1],
        )
    }

    /// Items and tokens that a provider counted, the answer included.
    pub(crate) fn counted(&self) -> (usize, u64) {
        let Some(measured) = self.measured else {
            return (0, 0);
        };
        if !measured.answer_counted {
            return (measured.upto, measured.tokens);
        }
        let answer = self.items.get(measured.upto).map_or(0, |item| item.tokens);
        (measured.upto + 1, measured.tokens + answer)
    }

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
        let ratio = tokens as f64 / estimate.max(1) as f64;
        (1.0 / PLAUSIBLE_RATIO..=PLAUSIBLE_RATIO).contains(&ratio)
            || tokens.abs_diff(estimate) <= PLAUSIBLE_SLACK_TOKENS
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
        let mut weights = vec![frame.system, frame.tools];
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
            let tokens = self
                .items
                .get(at)
                .map_or(0, |item| self.scale(item.estimate_tokens));
            self.set_tokens(at, tokens);
        }
    }

    /// Forgets what providers counted: the list is no longer what they saw.
    pub(crate) fn forget_measurement(&mut self) {
        self.unshared = None;
        if self.measured.take().is_some() {
            self.rescale();
        }
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
}
