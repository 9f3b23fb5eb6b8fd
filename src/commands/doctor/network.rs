//! Asking each provider, and what its answer means.

use std::time::Duration;

use plimsoll::provider::{
    EndpointReport, KeyOrigin, ListedModel, LocalModel, ProviderError, Registry, ServerKind,
    WANTED_WINDOW_TOKENS,
};

use super::{CheckedProvider, ChosenModel, DoctorProblem};
use plimsoll::transcript::{ModelRef, grouped, plural};

/// The answer to a request for the list of models.
pub(super) enum ListingAnswer {
    /// So many models, and whether the chosen one is among them, when it is this
    /// provider's.
    Lists {
        models: usize,
        has_chosen: Option<bool>,
    },
    /// Something answers, but it lists no models.
    NoList(String),
    /// Nobody takes a connection there.
    Unreachable(String),
    /// It took too long: it hangs, or it is only slow.
    Silent(String),
    /// It answered that the key is wrong, or the key could not be had.
    Refused(String),
    /// Nothing was asked: it cannot be used as it is.
    Unset,
}

/// Whether a provider is asked: one with a key or an address, or a server that may run here.
pub(super) fn is_worth_asking(report: &EndpointReport) -> bool {
    report.key.is_some() || report.is_configured || report.is_probed
}

/// Asks one provider; ends within its patience.
pub(super) async fn check_provider(
    registry: &Registry,
    report: EndpointReport,
    chosen: Option<&ChosenModel>,
    patience: Duration,
) -> CheckedProvider {
    let wanted = chosen
        .filter(|chosen| chosen.provider == report.id)
        .and_then(|chosen| chosen.model.split_once('/'))
        .map(|(_, model)| model);
    if report.missing.is_some() {
        return CheckedProvider {
            report,
            reached: ListingAnswer::Unset,
            served: None,
            limit_tokens: None,
            patience,
        };
    }
    let (listed, served) = futures::join!(
        registry.list_models(&report.id, patience),
        registry.served(&report.id, wanted, patience)
    );
    // A server that runs one model answers to any name.
    let answers_to = |wanted: &str| {
        let is_its = |it: &LocalModel| it.kind == ServerKind::LlamaCpp && it.name == wanted;
        served.as_ref().is_some_and(is_its)
    };
    let is_listed = |models: &[ListedModel], wanted: &str| {
        models.iter().any(|listed| is_named(&listed.model, wanted)) || answers_to(wanted)
    };
    let reached = match listed {
        Ok(models) => ListingAnswer::Lists {
            has_chosen: wanted.map(|wanted| is_listed(&models, wanted)),
            models: models.len(),
        },
        Err(error) => ListingAnswer::of(&error),
    };
    let name = served.as_ref().map(|served| served.name.as_str());
    let limit_tokens = name.or(wanted).and_then(|name| {
        let model = ModelRef::new(&report.id, name);
        registry.limit_of(&model)
    });
    CheckedProvider {
        report,
        reached,
        served,
        limit_tokens,
        patience,
    }
}

/// Lists name dated models, people often leave the date out; Ollama adds `:latest`.
fn is_named(listed: &str, wanted: &str) -> bool {
    listed == wanted
        || listed
            .strip_prefix(wanted)
            .is_some_and(|rest| rest.starts_with(['-', '@', ':']))
        || wanted
            .strip_suffix("-latest")
            .is_some_and(|plain| listed.starts_with(plain))
}

impl ListingAnswer {
    fn of(error: &ProviderError) -> Self {
        let text = error.to_string();
        match error {
            ProviderError::Network { .. } | ProviderError::NotSetUp { .. } => {
                Self::Unreachable(text)
            }
            ProviderError::Timeout { .. } => Self::Silent(text),
            ProviderError::Unauthorized { .. } | ProviderError::PermissionDenied { .. } => {
                Self::Refused(text)
            }
            _ => Self::NoList(text),
        }
    }
}

impl CheckedProvider {
    /// The problems to repair. `proxy` is the variable that sends requests through one.
    pub(super) fn problems(
        &self,
        chosen: Option<&ChosenModel>,
        proxy: Option<&str>,
    ) -> Vec<DoctorProblem> {
        let (id, name) = (&self.report.id, &self.report.name);
        let chosen = chosen.filter(|chosen| chosen.provider == *id);
        let mut problems = Vec::new();
        if let Some(note) = &self.report.note {
            let hint = "correct it in your configuration";
            problems.push(DoctorProblem::warning(format!("{name}: {note}"), hint));
        }
        problems.extend(self.unreached(chosen, proxy));
        if let (
            Some(chosen),
            ListingAnswer::Lists {
                has_chosen: Some(false),
                models,
            },
        ) = (chosen, &self.reached)
        {
            problems.push(DoctorProblem::warning(
                format!(
                    "{} is not among the {} of {name}",
                    chosen.model,
                    plural(*models as u64, "model")
                ),
                "check its name; update the list with `plim models --refresh`",
            ));
        }
        let is_said = chosen.is_some_and(|chosen| chosen.is_too_small);
        if let Some(said) = self.served.as_ref().filter(|_| !is_said) {
            problems.extend(small_window(name, said));
        }
        problems
    }

    /// The advice for a provider that does not answer as it should.
    fn unreached(
        &self,
        chosen: Option<&ChosenModel>,
        proxy: Option<&str>,
    ) -> Option<DoctorProblem> {
        let report = &self.report;
        let (name, base) = (&report.name, &report.base_url);
        let is_wanted = chosen.is_some() || report.is_configured;
        // To a tenth.
        let secs = (self.patience.as_secs_f64() * 10.0).round() / 10.0;
        let asks_for_key = matches!(report.key, Some(KeyOrigin::Command | KeyOrigin::Keyring));
        let network = match proxy {
            Some(proxy) => format!("check the proxy of {proxy}, the network and tls.ca_file"),
            None => "check the network, the proxy (HTTPS_PROXY) and tls.ca_file".to_owned(),
        };
        match &self.reached {
            ListingAnswer::Refused(why) => {
                let hint = &report.key_hint;
                let why = why.strip_suffix(hint).unwrap_or(why).trim_end_matches("; ");
                Some(DoctorProblem::error(format!("{name}: {why}"), hint))
            }
            ListingAnswer::Unset if chosen.is_none() && report.is_configured => {
                Some(DoctorProblem::error(
                    format!("{name} cannot be used"),
                    report.missing.as_deref().unwrap_or_default(),
                ))
            }
            ListingAnswer::Unreachable(why) if !report.is_local && !report.is_configured => {
                Some(DoctorProblem::error(format!("{name}: {why}"), network))
            }
            ListingAnswer::Unreachable(why) if is_wanted => Some(DoctorProblem::error(
                format!("{name}: {why}"),
                format!("start it, or correct its address {base}"),
            )),
            ListingAnswer::Silent(why) if asks_for_key => Some(DoctorProblem::warning(
                format!("{name}: {why}"),
                "run the command of its api_key_cmd by hand: does it wait for input?",
            )),
            ListingAnswer::Silent(_) if report.is_local => Some(DoctorProblem {
                is_error: is_wanted,
                ..DoctorProblem::error(
                    format!(
                        "{name} accepted a connection at {base} but did not answer in {secs} \
                        s"
                    ),
                    "restart it, or check whether another program uses this port",
                )
            }),
            ListingAnswer::Silent(_) => Some(DoctorProblem::warning(
                format!("{name} did not answer in {secs} s; it may be slow"),
                format!("`plim models --refresh` waits longer; {network}"),
            )),
            ListingAnswer::NoList(why) if is_wanted => Some(DoctorProblem::warning(
                format!("{name} answered at {base}, but not with a list of models: {why}"),
                "check the address; a gateway without a list still works",
            )),
            _ => None,
        }
    }
}

/// A server that cuts silently, and a window that is smaller than it could be.
fn small_window(server: &str, said: &LocalModel) -> Option<DoctorProblem> {
    if !said.kind.cuts_silently() {
        return None;
    }
    let name = &said.name;
    let wanted = said.largest_window_tokens.unwrap_or(u64::MAX);
    let hint = said
        .kind
        .larger_window(name, wanted.min(WANTED_WINDOW_TOKENS));
    match (said.window_tokens, said.largest_window_tokens) {
        (None, _) => Some(DoctorProblem::warning(
            format!(
                "{server}: {name} is not loaded, so its window is unknown; it is loaded and \
                 asked before the first request"
            ),
            hint,
        )),
        (Some(window), Some(largest)) if window < largest => Some(DoctorProblem::warning(
            format!(
                "{server} runs {name} with num_ctx {} of {} and cuts longer prompts without an \
                 error, so the window is {}",
                grouped(window),
                grouped(largest),
                grouped(window)
            ),
            hint,
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_lists() {
        for (listed, wanted) in [
            ("a", "a"),
            ("claude-x-20250929", "claude-x"),
            ("claude-x-20250929", "claude-x-latest"),
            ("qwen3:latest", "qwen3"),
        ] {
            assert!(is_named(listed, wanted), "{listed} {wanted}");
        }
        assert!(!is_named("gpt-5", "gpt-5-mini"));
        assert!(!is_named("gpt-55", "gpt-5"));
    }

    #[test]
    fn only_a_window_that_is_cut_silently_is_a_problem() {
        let said = |window, largest, is_ollama| LocalModel {
            name: "m".to_owned(),
            window_tokens: window,
            largest_window_tokens: largest,
            kind: if is_ollama {
                ServerKind::Ollama
            } else {
                ServerKind::Vllm
            },
            ..LocalModel::default()
        };
        let problem = small_window("ollama", &said(Some(4_096), Some(131_072), true)).unwrap();
        assert!(
            problem.text.contains("4,096 of 131,072"),
            "{}",
            problem.text
        );
        assert!(small_window("ollama", &said(None, Some(131_072), true)).is_some());
        assert!(small_window("ollama", &said(Some(9), Some(9), true)).is_none());
        assert!(small_window("x", &said(Some(4_096), Some(131_072), false)).is_none());
    }
}
