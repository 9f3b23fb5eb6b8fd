//! `plim doctor`: what is reachable, which window came from where, which sessions of
//! other programs are there and understood, and what to repair.
//!
//! Every question has its time limit, so it always ends. It prints where keys come
//! from, never a key; it changes nothing but the rights on a file of keys that others could read.

mod catalogue;
mod machine;
mod network;
mod print;
mod stores;

use std::sync::Arc;
use std::time::Duration;

use plimsoll::agent::{AgentSetup, ModelConnection, SessionSource};
use plimsoll::cli::{ExitCode, JsonArg};
use plimsoll::clock::Stopwatch;
use plimsoll::config::{CommandSources, secrets};
use plimsoll::context::{WindowReport, WindowSource, window};
use plimsoll::provider::{EndpointReport, LocalModel, Registry};
use plimsoll::transcript::{ModelInfo, ModelRef, ReasoningState};
use plimsoll::tui::command;

use self::catalogue::{CatalogueReport, ending_models};
use self::machine::MachineReport;
use self::network::{ListingAnswer, check_provider, is_worth_asking};
use self::stores::StoresReport;
use super::output::{CommandResult, put, put_json};
use super::setup::CommandSetup;

/// How long all questions together may take, unless `probe.local_ms` says more: those on which
/// the choice of the model waits, and then all providers at once.
const PATIENCE: Duration = Duration::from_millis(1_700);
/// However long the choice took, a provider has this long to list its models.
const LEAST_PATIENCE: Duration = Duration::from_millis(700);

/// Nothing is measured here: the margin moves a line that is not shown.
const UNWEIGHED: f64 = 1.0;

/// Something to repair.
struct DoctorProblem {
    text: String,
    hint: Option<String>,
    /// Something that was set up does not work; otherwise it only could be better.
    is_error: bool,
}

impl DoctorProblem {
    fn error(text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            hint: Some(hint.into()),
            is_error: true,
        }
    }

    fn warning(text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            is_error: false,
            ..Self::error(text, hint)
        }
    }
}

/// One provider as it is set up and what it answered.
struct CheckedProvider {
    report: EndpointReport,
    reached: ListingAnswer,
    served: Option<LocalModel>,
    /// The limit that a refusal named of the model that it serves, or that was chosen.
    limit_tokens: Option<u64>,
    /// How long it had.
    patience: Duration,
}

/// The model that would answer.
struct ChosenModel {
    model: String,
    provider: String,
    reason: String,
    window: WindowReport,
    /// How hard it reasons; `None` when it is not known to.
    reasoning: Option<ReasoningState>,
    facts: FactSources,
    is_usable: bool,
    /// Its server is asked for the window before the first request.
    is_to_be_asked: bool,
    /// Nothing can be sent, and that was said.
    is_too_small: bool,
}

/// The layers of the catalogue that facts about the model are from.
struct FactSources {
    limits: &'static str,
    price: &'static str,
    abilities: &'static str,
}

/// Everything that was found out.
struct DoctorFindings {
    chosen: Option<ChosenModel>,
    providers: Vec<CheckedProvider>,
    catalogue: CatalogueReport,
    machine: MachineReport,
    stores: StoresReport,
    problems: Vec<DoctorProblem>,
}

/// `plim doctor`
pub async fn doctor(form: JsonArg, at: &CommandSetup<'_>) -> CommandResult {
    let setup = at.launch.setup(SessionSource::Memory, false);
    let registry = Arc::new(setup.registry());
    let mut problems = Vec::new();
    let began = Stopwatch::start();
    let chosen = choose(&setup, &registry, &mut problems).await;
    let asked = registry.reports().into_iter().filter(|report| {
        let is_chosen = chosen
            .as_ref()
            .is_some_and(|chosen| chosen.provider == report.id);
        is_chosen || is_worth_asking(report)
    });
    let wanted = chosen.as_ref();
    let left = PATIENCE.saturating_sub(began.elapsed()).max(LEAST_PATIENCE);
    let wanted_patience = registry.probe_time();
    let left = if wanted_patience > PATIENCE {
        wanted_patience
    } else {
        left
    };
    let checks = asked.map(|report| check_provider(&registry, report, wanted, left));
    let providers = futures::future::join_all(checks).await;
    let proxy = machine::proxy_variable(&setup);
    for checked in &providers {
        problems.extend(checked.problems(wanted, proxy));
    }
    if let Err(error) = secrets::read(&setup.paths.credentials_file()) {
        let hint = error.hint.unwrap_or_else(|| "check the file".to_owned());
        problems.push(DoctorProblem::error(error.message, hint));
    }
    problems.extend(left_out(&setup));
    let clocks = providers.iter().map(|checked| &checked.report);
    problems.extend(machine::wrong_clock(&setup, &registry, clocks));
    let model = chosen.as_ref().map(|chosen| chosen.model.as_str());
    problems.extend(ending_models(&setup, &registry, model));
    let catalogue = CatalogueReport::of(&setup, &mut problems);
    let machine = MachineReport::of(&setup, &mut problems);
    let stores = StoresReport::of(&setup, &mut problems);
    let findings = DoctorFindings {
        chosen,
        providers,
        catalogue,
        machine,
        stores,
        problems,
    };
    if form.json {
        put_json(&findings.json())?;
    } else {
        put(&findings.text())?;
    }
    let fails = findings.problems.iter().any(|problem| problem.is_error);
    Ok(if fails {
        ExitCode::Configuration as u8
    } else {
        ExitCode::Done as u8
    })
}

/// The ignored parts of the settings, the rules, the notes and the commands.
fn left_out(setup: &AgentSetup) -> Vec<DoctorProblem> {
    let prompt = setup.prompt(&ModelInfo::unknown(ModelRef::default()));
    let said = prompt
        .notices
        .iter()
        .map(|it| (it.text.clone(), it.hint.clone()));
    let settings = setup.notices.iter().map(|text| (text.clone(), None));
    let sources = CommandSources {
        paths: setup.paths.clone(),
        trusted: setup.trusted_dirs(),
        has_skills: false,
    };
    let commands = command::read_own(&sources, &setup.cwd);
    let commands = commands.problems.into_iter().map(|text| (text, None));
    said.chain(settings)
        .chain(commands)
        .map(|(text, hint)| DoctorProblem {
            text,
            hint,
            is_error: false,
        })
        .collect()
}

async fn choose(
    setup: &AgentSetup,
    registry: &Arc<Registry>,
    problems: &mut Vec<DoctorProblem>,
) -> Option<ChosenModel> {
    let helm = match setup.choose(Arc::clone(registry), None).await {
        Ok(helm) => helm,
        Err(error) => {
            problems.push(DoctorProblem::error(
                error.to_string(),
                "choose one with --model provider/model; `plim models` lists them",
            ));
            return None;
        }
    };
    if let Some(missing) = helm.registry.missing(&helm.model.model.provider) {
        let text = format!("{} cannot be used", helm.model.model);
        problems.push(DoctorProblem::error(text, missing));
    }
    problems.extend(in_want_of_a_model(setup, &helm));
    let too_small = setup.window_too_small(&helm.registry, &helm.model);
    let is_too_small = too_small.is_some();
    problems.extend(too_small.map(|notice| DoctorProblem {
        text: notice.text,
        hint: notice.hint,
        is_error: true,
    }));
    problems.extend(in_want_of_a_window(&helm, &chosen(setup, &helm)));
    problems.extend(in_want_of_a_server(setup, &helm));
    problems.extend(reasons_otherwise(setup, &helm));
    Some(ChosenModel {
        is_too_small,
        ..chosen(setup, &helm)
    })
}

/// Nobody asked for the embedded provider; it is what is left.
fn in_want_of_a_model(setup: &AgentSetup, helm: &ModelConnection) -> Option<DoctorProblem> {
    let is_left_over = helm.model.model.provider == "offline"
        && !setup.flags.offline
        && setup.flags.model.is_none()
        && setup.settings.agent.model.is_none();
    is_left_over.then(|| {
        DoctorProblem::warning(
            "no language model configured; using offline/plain, which runs commands without a \
             model"
                .to_owned(),
            "set ANTHROPIC_API_KEY (or the variable of another provider), store a key with `plim \
             login anthropic` (--keyring: in the system keyring), set \
             providers.anthropic.api_key_cmd to a command that prints it (pass show …, op read \
             …), or start Ollama",
        )
    })
}

/// Servers on this machine are asked before the first request; the others never say.
fn in_want_of_a_window(helm: &ModelConnection, chosen: &ChosenModel) -> Option<DoctorProblem> {
    let model = &helm.model.model;
    let is_open =
        chosen.window.source == WindowSource::Assumed && !helm.registry.has_window_to_learn(model);
    is_open.then(|| {
        DoctorProblem::warning(
            format!("the size of {model}'s window is unknown"),
            "set it with --context-window N, or with `models = [{ id = \"…\", window = N }]` in \
             its [providers] table",
        )
    })
}

fn in_want_of_a_server(setup: &AgentSetup, helm: &ModelConnection) -> Option<DoctorProblem> {
    let wanted = setup.settings.context.server;
    let model = &helm.model.model;
    (helm.registry.server_context(model, wanted) != wanted).then(|| {
        DoctorProblem::warning(
            format!(
                "context.server = {}: not supported by {model}",
                wanted.name()
            ),
            "the setting has no effect; Anthropic supports both values, OpenAI Responses \
             supports compact",
        )
    })
}

/// The model does not reason as hard as the setting asks.
fn reasons_otherwise(setup: &AgentSetup, helm: &ModelConnection) -> Option<DoctorProblem> {
    let wish = setup.settings.agent.thinking;
    let remark = helm
        .model
        .reasoning_state(wish)?
        .remark(&helm.model.model.model)?;
    Some(DoctorProblem::warning(
        format!("thinking = {}: {remark}", wish.name()),
        "choose another level, or thinking = default",
    ))
}

fn chosen(setup: &AgentSetup, helm: &ModelConnection) -> ChosenModel {
    let model = &helm.model.model;
    let settings = setup.settings.context_for(model);
    let window = window::report(&settings, &helm.model, UNWEIGHED);
    let record = helm.registry.catalogue().record(model);
    let limits = match window.source {
        WindowSource::Catalogue => record.limits.name(),
        WindowSource::User
        | WindowSource::Refusal
        | WindowSource::Server
        | WindowSource::Listed
        | WindowSource::Assumed => window.source.name(),
    };
    ChosenModel {
        model: model.to_string(),
        provider: model.provider.clone(),
        reason: helm.reason.clone(),
        window,
        reasoning: helm.model.reasoning_state(setup.settings.agent.thinking),
        facts: FactSources {
            limits,
            price: record.price.name(),
            abilities: record.abilities.name(),
        },
        is_usable: helm.provider.is_ok(),
        is_to_be_asked: helm.registry.has_window_to_learn(model),
        is_too_small: false,
    }
}
