//! The window guard: how large the window is, who says so, and what is left of it.

use super::settings::{ContextSettings, ReserveRule, Threshold};
use super::view::{CapSource, WindowReport, WindowVerdict};
pub use crate::transcript::ASSUMED_WINDOW_TOKENS;
use crate::transcript::{ModelInfo, ServerEdits, WindowSource};

/// Kept free for the answer at most, unless the user says otherwise.
const MAX_RESERVED_TOKENS: u64 = 20_000;
/// Of a model's largest answer this much is planned for where a buffer comes on top.
const MAX_PLANNED_OUTPUT_TOKENS: u64 = 32_000;
/// Output asked for is never below this.
pub const MIN_OUTPUT_TOKENS: u64 = 1_024;

/// The tokens that frames of new messages may cost beyond their text: a share of a short
/// message is nearly nothing.
const FRAMING_TOKENS: u64 = 64;

/// Uncounted text may be this much more than was estimated where the answer's length is asked
/// for: a request that is too long by a little is refused as a whole, and an answer that may
/// be a little shorter costs nothing. The margin of whole requests is no measure of what came
/// last: most of a request was counted.
const ANSWER_MARGIN: f64 = 1.2;

/// A server that may shorten prompts does it from this share of the load line on: before
/// anything is summarised here.
const SERVER_SHARE: f64 = 0.75;

/// Computes the window in force and its levels. `margin` is the ruler's.
pub fn report(settings: &ContextSettings, model: &ModelInfo, margin: f64) -> WindowReport {
    let (known, source) = source(settings, model);
    let Some(uncapped) = known else {
        return WindowReport {
            source,
            server: ServerEdits {
                context: settings.server,
                from_tokens: None,
            },
            ..WindowReport::default()
        };
    };
    let cap = lowest_cap(settings).filter(|&(cap, _)| cap < uncapped);
    let wanted = cap.map_or(uncapped, |(cap, _)| cap);
    let refused_above = settings.window.refused_above_tokens;
    let window = refused_above.map_or(wanted, |limit| limit.min(wanted));
    let input = input_limit(settings, model).map_or(window, |limit| limit.min(window));
    let reserved = reserved(settings, model, window);
    let usable = input.saturating_sub(reserved);
    let load_line = match settings.compaction.threshold {
        None => usable,
        // Set for a model with a larger window.
        Some(Threshold::Tokens(tokens)) if tokens > window => usable,
        Some(Threshold::Tokens(tokens)) => tokens,
        Some(Threshold::Ratio(ratio)) => (window as f64 * ratio) as u64,
    };
    WindowReport {
        tokens: Some(window),
        source,
        capped_by: cap.map(|(_, by)| by),
        uncapped_tokens: cap.map(|_| uncapped),
        verdict: verdict(settings, source, wanted),
        reserved,
        usable,
        load_line,
        load_line_effective: (load_line as f64 / margin) as u64,
        server: ServerEdits {
            context: settings.server,
            from_tokens: (load_line > 0).then_some((load_line as f64 * SERVER_SHARE) as u64),
        },
    }
}

/// The cap in force and whose it is. Of equal ones the more general is named.
fn lowest_cap(settings: &ContextSettings) -> Option<(u64, CapSource)> {
    let window = &settings.window;
    let caps = [
        (window.cap_tokens, CapSource::Global),
        (window.agent_cap_tokens, CapSource::Agent),
        (window.subagent_cap_tokens, CapSource::Subagent),
        (window.model_cap_tokens, CapSource::Model),
    ];
    let set = caps.into_iter().filter_map(|(cap, by)| Some((cap?, by)));
    set.min_by_key(|&(cap, _)| cap)
}

fn source(settings: &ContextSettings, model: &ModelInfo) -> (Option<u64>, WindowSource) {
    match (settings.window.user_tokens, model.window_tokens) {
        (Some(0), _) => (None, WindowSource::User),
        (Some(tokens), _) => (Some(tokens), WindowSource::User),
        (None, Some(0)) => (None, model.window_source),
        (None, Some(tokens)) => (Some(tokens), model.window_source),
        (None, None) => (Some(ASSUMED_WINDOW_TOKENS), WindowSource::Assumed),
    }
}

fn input_limit(settings: &ContextSettings, model: &ModelInfo) -> Option<u64> {
    let limit = model.input_limit_tokens;
    limit.filter(|_| settings.window.heed_input_limit)
}

fn reserved(settings: &ContextSettings, model: &ModelInfo, window: u64) -> u64 {
    let compaction = &settings.compaction;
    let is_limited = input_limit(settings, model).is_some();
    let largest = model.max_output_tokens;
    let bounded = largest.min(MAX_RESERVED_TOKENS);
    let by_rule = match compaction.reserve.rule {
        ReserveRule::Output if !is_limited => largest,
        ReserveRule::OutputAndBuffer if !is_limited => {
            bounded + largest.min(MAX_PLANNED_OUTPUT_TOKENS)
        }
        ReserveRule::Bounded | ReserveRule::Output | ReserveRule::OutputAndBuffer => bounded,
    };
    let wanted = compaction.reserve.tokens.unwrap_or(by_rule);
    wanted.min((window as f64 * compaction.reserve.max_share) as u64)
}

/// A server that named its limit takes as much: that is little, and worth a try.
fn verdict(settings: &ContextSettings, source: WindowSource, window: u64) -> WindowVerdict {
    if window < settings.window.min_tokens && source != WindowSource::Refusal {
        WindowVerdict::Block
    } else if window < settings.window.warn_below_tokens {
        WindowVerdict::Warn
    } else {
        WindowVerdict::Ok
    }
}

/// Tokens as they are compared with a limit: the margin is for what nobody counted.
pub fn weighed(tokens: u64, measured_tokens: u64, margin: f64) -> f64 {
    let measured = measured_tokens.min(tokens);
    measured as f64 + (tokens - measured) as f64 * margin
}

/// The smallest size of a prompt, `measured_tokens` of it counted, that weighs as much as a
/// limit.
pub fn reached_at(limit: u64, measured_tokens: u64, margin: f64) -> u64 {
    let measured = measured_tokens.min(limit);
    let rest = ((limit - measured) as f64 / margin).ceil() as u64;
    let near = measured.saturating_add(rest);
    let reaches = |tokens: u64| weighed(tokens, measured_tokens, margin) >= limit as f64;
    // The quotient may be off by its last bit.
    if !reaches(near) {
        near.saturating_add(1)
    } else if near > 0 && reaches(near - 1) {
        near - 1
    } else {
        near
    }
}

/// A prompt in tokens, and how many of them a provider counted.
#[derive(Clone, Copy, Debug)]
pub struct PromptSize {
    /// All of it.
    pub tokens: u64,
    /// The part that a provider counted.
    pub measured_tokens: u64,
}

/// Output to ask for: what the model can give, within what the window leaves beside a
/// prompt.
pub fn output_tokens(
    window: &WindowReport,
    model: &ModelInfo,
    prompt: PromptSize,
    margin: f64,
) -> u64 {
    let Some(tokens) = window.tokens else {
        return model.max_output_tokens;
    };
    let PromptSize {
        tokens: prompt_tokens,
        measured_tokens,
    } = prompt;
    let unmeasured = prompt_tokens.saturating_sub(measured_tokens);
    let slack = if unmeasured == 0 { 0 } else { FRAMING_TOKENS };
    let margin = margin.max(ANSWER_MARGIN);
    let taken = weighed(prompt_tokens, measured_tokens, margin).ceil() as u64;
    let left = tokens.saturating_sub(taken.saturating_add(slack));
    model.max_output_tokens.min(left).max(MIN_OUTPUT_TOKENS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::transcript::ModelRef;

    fn model(window: Option<u64>) -> ModelInfo {
        ModelInfo {
            window_tokens: window,
            ..ModelInfo::unknown(ModelRef::new("p", "m"))
        }
    }

    fn size(tokens: u64, measured_tokens: u64) -> PromptSize {
        PromptSize {
            tokens,
            measured_tokens,
        }
    }

    proptest! {
        #[test]
        fn a_limit_is_reached_at_the_size_that_is_said_and_not_one_token_below(
            limit in 0_u64..2_000_000,
            measured in 0_u64..2_500_000,
            margin in 1.0_f64..3.0,
        ) {
            let at = reached_at(limit, measured, margin);
            prop_assert!(weighed(at, measured, margin) >= limit as f64);
            if at > 0 {
                prop_assert!(weighed(at - 1, measured, margin) < limit as f64);
            }
        }
    }

    #[test]
    fn verdicts_at_the_edges() {
        let settings = ContextSettings::default();
        for (window, expected) in [
            (Some(15_999), WindowVerdict::Block),
            (Some(16_000), WindowVerdict::Warn),
            (Some(31_999), WindowVerdict::Warn),
            (Some(32_000), WindowVerdict::Ok),
            (Some(0), WindowVerdict::Ok),
        ] {
            assert_eq!(
                report(&settings, &model(window), 1.0).verdict,
                expected,
                "{window:?}"
            );
        }
    }

    #[test]
    fn a_cap_only_lowers_and_is_named() {
        let mut settings = ContextSettings::default();
        settings.window.cap_tokens = Some(50_000);
        let lowered = report(&settings, &model(Some(200_000)), 1.0);
        assert_eq!(lowered.tokens, Some(50_000));
        assert_eq!(lowered.uncapped_tokens, Some(200_000));
        assert_eq!(lowered.capped_by, Some(CapSource::Global));
        let kept = report(&settings, &model(Some(40_000)), 1.0);
        assert_eq!((kept.tokens, kept.capped_by), (Some(40_000), None));
    }

    #[test]
    fn the_lowest_cap_counts_and_says_whose_it_is() {
        let mut settings = ContextSettings::default();
        settings.window.cap_tokens = Some(90_000);
        settings.window.agent_cap_tokens = Some(60_000);
        settings.window.model_cap_tokens = Some(70_000);
        let capped = |settings: &ContextSettings| {
            let report = report(settings, &model(Some(200_000)), 1.0);
            (report.tokens.unwrap(), report.capped_by.unwrap().name())
        };
        assert_eq!(capped(&settings), (60_000, "agent"));
        settings.window.model_cap_tokens = Some(50_000);
        assert_eq!(capped(&settings), (50_000, "model"));
        settings.window.cap_tokens = Some(50_000);
        assert_eq!(capped(&settings), (50_000, "global"));
    }

    #[test]
    fn reserve_is_bounded_by_output_and_by_a_quarter_of_the_window() {
        let settings = ContextSettings::default();
        let mut large = model(Some(200_000));
        large.max_output_tokens = 64_000;
        assert_eq!(report(&settings, &large, 1.0).usable, 180_000);
        large.window_tokens = Some(32_000);
        assert_eq!(report(&settings, &large, 1.0).usable, 24_000);
        large.input_limit_tokens = Some(20_000);
        assert_eq!(report(&settings, &large, 1.0).usable, 12_000);
    }

    #[test]
    fn a_threshold_in_tokens_beyond_a_window_is_not_meant_for_it() {
        let mut settings = ContextSettings::default();
        settings.compaction.threshold = Some(Threshold::Tokens(150_000));
        let load_line = |window| report(&settings, &model(Some(window)), 1.0).load_line;
        assert_eq!(load_line(200_000), 150_000);
        let small = report(&settings, &model(Some(100_000)), 1.0);
        assert_eq!(
            (small.load_line, small.usable),
            (small.usable, small.usable)
        );
        assert!(small.usable < 100_000);
    }

    #[test]
    fn zero_means_unknown_and_nobody_means_assumed() {
        let mut settings = ContextSettings::default();
        let assumed = report(&settings, &model(None), 1.2);
        assert_eq!(
            (assumed.tokens, assumed.source),
            (Some(200_000), WindowSource::Assumed)
        );
        assert!(assumed.load_line_effective < assumed.load_line);
        settings.window.user_tokens = Some(0);
        assert_eq!(report(&settings, &model(Some(9)), 1.0).tokens, None);
    }

    #[test]
    fn output_leaves_room_for_what_is_sent() {
        let settings = ContextSettings::default();
        let mut model = model(Some(100_000));
        model.max_output_tokens = 32_000;
        let window = report(&settings, &model, 1.0);
        let asked = |prompt, measured| output_tokens(&window, &model, size(prompt, measured), 1.2);
        assert_eq!(asked(10_000, 0), 32_000);
        assert_eq!(asked(75_000, 0), 10_000 - FRAMING_TOKENS);
        assert_eq!(asked(99_000, 0), 1_024);
        assert_eq!(asked(75_000, 74_000), 24_800 - FRAMING_TOKENS);
        assert_eq!(asked(75_000, 75_000), 25_000);
    }

    proptest! {
        /// Whatever was not counted may be off by what the margin states.
        #[test]
        fn a_request_within_the_stated_error_fits_into_the_window(
            window_tokens in 16_000_u64..2_000_000,
            max_output in 1_u64..200_000,
            measured_share in 0.0..1.0_f64,
            unmeasured_share in 0.0..1.0_f64,
            margin in 1.0..=1.2_f64,
            error in 0.0..=1.0_f64,
        ) {
            let mut model = model(Some(window_tokens));
            model.max_output_tokens = max_output;
            let window = report(&ContextSettings::default(), &model, margin);
            let measured = (window_tokens as f64 * measured_share) as u64;
            let unmeasured = ((window_tokens - measured) as f64 * unmeasured_share) as u64;
            let prompt = measured + unmeasured;
            let asked = output_tokens(&window, &model, size(prompt, measured), margin);
            let actual = measured as f64 + unmeasured as f64 * (1.0 + (margin - 1.0) * error);
            if asked > MIN_OUTPUT_TOKENS {
                prop_assert!(actual + asked as f64 <= window_tokens as f64);
            }
            // Nothing is held back from what a provider counted.
            let counted = output_tokens(&window, &model, size(prompt, prompt), margin);
            let room = window_tokens - prompt;
            prop_assert_eq!(counted, max_output.min(room).max(MIN_OUTPUT_TOKENS));
        }
    }
}
