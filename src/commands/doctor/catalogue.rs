//! Where the facts about models are from, and models that are switched off.

use plimsoll::agent::AgentSetup;
use plimsoll::provider::{
    LifecycleState, Registry, SnapshotHead, check_refreshed, embedded_snapshot,
};
use plimsoll::transcript::ModelRef;

use super::DoctorProblem;

/// The states of the catalogue's published layers.
pub(super) struct CatalogueReport {
    /// The day of the snapshot that the program ships.
    pub snapshot: String,
    /// The day on which models.dev was asked last with success.
    pub refreshed: Option<String>,
    /// Whether it may be asked.
    pub is_refreshing: bool,
}

impl CatalogueReport {
    pub(super) fn of(setup: &AgentSetup, problems: &mut Vec<DoctorProblem>) -> Self {
        let checked = check_refreshed(&setup.paths.refreshed_models_file());
        let file = setup.paths.refreshed_models_file();
        let head = match checked {
            None => None,
            Some(Ok(head)) => Some(head),
            Some(Err(why)) => {
                problems.push(DoctorProblem::warning(
                    format!("the damaged part of {} is ignored: {why}", file.display()),
                    "fetch it again with `plim models --refresh`",
                ));
                None
            }
        };
        problems.extend(head.as_ref().and_then(not_refreshed));
        let shipped = embedded_snapshot().head().map(|head| head.date);
        Self {
            snapshot: shipped.unwrap_or_default(),
            refreshed: head
                .filter(|head| head.fetched_ms.is_some())
                .map(|head| head.date),
            is_refreshing: setup.catalogue_url().is_some(),
        }
    }

    pub(super) fn text(&self) -> String {
        let refreshed = match (&self.refreshed, self.is_refreshing) {
            (Some(day), true) => format!("models.dev of {day}"),
            (Some(day), false) => format!("models.dev of {day}, updates off"),
            (None, true) => "models.dev: not asked yet".to_owned(),
            (None, false) => "models.dev: updates off".to_owned(),
        };
        format!("snapshot of {} · {refreshed}", self.snapshot)
    }
}

/// That models.dev was asked, and nothing was taken.
fn not_refreshed(head: &SnapshotHead) -> Option<DoctorProblem> {
    let problem = head.problem.as_ref()?;
    Some(DoctorProblem::warning(
        format!("the update from models.dev failed: {problem}"),
        "the previous facts stay in use; turn updates off with catalogue.refresh = false",
    ))
}

/// The models that are in use by the settings and are, or soon will be, switched off.
pub(super) fn ending_models(
    setup: &AgentSetup,
    registry: &Registry,
    chosen: Option<&str>,
) -> Vec<DoctorProblem> {
    let fallbacks = setup.settings.agent.fallback_models.iter().cloned();
    let chosen = chosen.and_then(|name| name.split_once('/'));
    let chosen = chosen.map(|(provider, model)| ModelRef::new(provider, model));
    let mut all: Vec<ModelRef> = chosen.into_iter().chain(fallbacks).collect();
    all.dedup();
    let problem = |model: &ModelRef| {
        let state = setup.lifecycle_of(registry, model);
        let warning = state.warning(model)?;
        let hint = "choose another model; `plim models` lists them";
        Some(match state {
            LifecycleState::Retired { .. } => DoctorProblem::error(warning, hint),
            LifecycleState::Offered
            | LifecycleState::Ending { .. }
            | LifecycleState::Deprecated { .. } => DoctorProblem::warning(warning, hint),
        })
    };
    all.iter().filter_map(problem).collect()
}
