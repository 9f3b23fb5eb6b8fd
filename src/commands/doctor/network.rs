//! Asking each provider, and what its answer means.

use plimsoll::provider::{EndpointReport, ProviderError, Registry, Served};

use super::{Checked, Chosen, LIST_PATIENCE, Problem, SERVED_PATIENCE};
use crate::commands::grouped;

/// What became of asking for a list of models.
pub(super) enum Reached {
    /// So many models, and whether the chosen one is among them, when it is this
    /// provider's.
    Lists {
        models: usize,
        has_chosen: Option<bool>,
    },
    /// Something answers, but it lists no models.
    NoList(String),
    /// It did not answer.
    Unreachable(String),
    /// It answered that the key is wrong, or the key could not be had.
    Refused(String),
    /// Nothing was asked: it cannot be used as it is.
    Unset,
}

/// Who is asked: whoever has a key or an address, and the servers that may run here.
pub(super) fn is_worth_asking(report: &EndpointReport) -> bool {
    report.key.is_some() || report.is_configured || report.is_local
}

/// Asks one provider; ends within its patience.
pub(super) async fn check_provider(
    registry: &Registry,
    report: EndpointReport,
    chosen: Option<&Chosen>,
) -> Checked {
    let wanted = chosen
        .filter(|chosen| chosen.provider == report.id)
        .and_then(|chosen| chosen.model.split_once('/'))
        .map(|(_, model)| model);
    let reached = if report.missing.is_some() {
        Reached::Unset
    } else {
        let listed = registry.list_models(&report.id, LIST_PATIENCE).await;
        match listed {
            Ok(models) => Reached::Lists {
                has_chosen: wanted
                    .map(|wanted| models.iter().any(|listed| is_named(&listed.model, wanted))),
                models: models.len(),
            },
            Err(error) => Reached::of(&error),
        }
    };
    let served = if report.is_local && !matches!(reached, Reached::Unreachable(_)) {
        registry.served(&report.id, wanted, SERVED_PATIENCE).await
    } else {
        None
    };
    Checked {
        report,
        reached,
        served,
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

impl Reached {
    fn of(error: &ProviderError) -> Self {
        let text = error.to_string();
        match error {
            ProviderError::Network { .. } | ProviderError::Timeout { .. } => {
                Self::Unreachable(text)
            }
            ProviderError::Unauthorized { .. } | ProviderError::PermissionDenied { .. } => {
                Self::Refused(text)
            }
            _ => Self::NoList(text),
        }
    }
}

impl Checked {
    /// What there is to mend.
    pub(super) fn problems(&self, chosen: Option<&Chosen>) -> Vec<Problem> {
        let id = &self.report.id;
        let is_chosen = chosen.is_some_and(|chosen| chosen.provider == *id);
        let mut problems = Vec::new();
        if let Some(note) = &self.report.note {
            let hint = "write it like that, and nothing has to be guessed";
            problems.push(Problem::warning(format!("{id}: {note}"), hint));
        }
        match &self.reached {
            Reached::Refused(why) => {
                let origin = self.report.key.as_ref().map_or("", |key| key.name());
                problems.push(Problem::error(
                    format!("{id}: {why}"),
                    if origin.is_empty() {
                        format!("`plim login {id}` stores a key")
                    } else {
                        format!("check the key that {origin} gives")
                    },
                ));
            }
            Reached::Unreachable(why) if is_chosen || self.report.is_configured => {
                problems.push(Problem::error(
                    format!("{id}: {why}"),
                    format!("is it running, and is {} right?", self.report.base_url),
                ));
            }
            Reached::Unreachable(why) if !self.report.is_local => {
                let hint = "check the network, HTTPS_PROXY and tls.ca_file";
                problems.push(Problem::error(format!("{id}: {why}"), hint));
            }
            Reached::Lists {
                has_chosen: Some(false),
                models,
            } => {
                let model = chosen.map_or("", |chosen| chosen.model.as_str());
                problems.push(Problem::warning(
                    format!("{model} is not among the {models} models that {id} lists"),
                    "check its name; `plim models --refresh` fetches the list",
                ));
            }
            _ => {}
        }
        problems.extend(self.served.as_ref().and_then(|said| small_window(id, said)));
        problems
    }
}

/// A server that cuts silently, and a window that is smaller than it could be.
fn small_window(id: &str, said: &Served) -> Option<Problem> {
    if !said.cuts_silently {
        return None;
    }
    let name = &said.name;
    let hint = "start it with OLLAMA_CONTEXT_LENGTH=32768 or more, as memory allows, or set \
                PARAMETER num_ctx in the model's Modelfile";
    match (said.window_tokens, said.largest_window_tokens) {
        (None, _) => Some(Problem::warning(
            format!(
                "{id}: {name} is not loaded, so the window that it will run with is unknown; it is loaded and asked before the first request"
            ),
            hint,
        )),
        (Some(window), Some(largest)) if window < largest => Some(Problem::warning(
            format!(
                "{id} runs {name} with num_ctx {} of {}; it would cut a longer prompt without an error, so {} is taken as the window",
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
        let said = |window, largest, cuts_silently| Served {
            name: "m".to_owned(),
            window_tokens: window,
            largest_window_tokens: largest,
            cuts_silently,
            ..Served::default()
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
