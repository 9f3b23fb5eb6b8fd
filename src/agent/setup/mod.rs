//! The start values of an agent, and the choice of its model.

pub(in crate::agent) mod provenance;

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::agent::memory::{self, Memory};
use crate::agent::protocol::Notice;
use crate::agent::setup::provenance::SettingOrigins;
use crate::clock::Clock;
use crate::config::{
    EnvironmentVars, Platform, Settings, TrustedDirs, UserPaths, parse_model, read_rules, secrets,
    system_prompt,
};
use crate::context::{RequestContext, WindowSource, WindowVerdict};
use crate::disk::open;
use crate::engine::{counting, summary};
use crate::provider::{self, ModelWish, Provider, ProviderError, Registry, Trust};
use crate::session::SampleFile;
use crate::tool::ToolSet;
use crate::transcript::{ModelInfo, ModelRef, UsageSample, grouped};

/// A file with the name of a model is no larger.
pub(in crate::agent) const MAX_NAME_BYTES: u64 = 4 * 1024;

/// How many model calls of this process may run at once, whatever session they are for.
#[derive(Clone, Debug)]
pub struct RequestSlots(Arc<Semaphore>);

impl RequestSlots {
    /// This many calls at once, at least one.
    pub fn new(calls: usize) -> Self {
        Self(Arc::new(Semaphore::new(
            calls.clamp(1, Semaphore::MAX_PERMITS),
        )))
    }

    /// Waits for a free lane; it is taken until the permit is dropped. Those who wait are
    /// served in order.
    pub(in crate::agent) async fn enter(self) -> Option<OwnedSemaphorePermit> {
        // Only a closed semaphore refuses, and nobody closes this one.
        self.0.acquire_owned().await.ok()
    }
}

/// Which session a conversation goes into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionSource {
    /// A new file in the sessions folder, made with its first entry.
    New,
    /// Nothing on disk.
    Memory,
    /// Nothing on disk; begins with the conversation of the practice session.
    Practice,
    /// An existing file.
    Open(PathBuf),
    /// This file, made when missing.
    File(PathBuf),
    /// An existing file, neither locked nor changed. What is appended stays in memory.
    Read(PathBuf),
}

/// Everything that an agent is started with. It holds the environment with its keys, so it
/// cannot be printed.
#[derive(Clone)]
pub struct AgentSetup {
    /// Resolved settings.
    pub settings: Settings,
    /// Where things are kept.
    pub paths: UserPaths,
    /// The working directory.
    pub cwd: PathBuf,
    /// A snapshot of the environment.
    pub environment: EnvironmentVars,
    /// Which session.
    pub source: SessionSource,
    /// Clock and ids.
    pub clock: Clock,
    /// Shared by all agents of a process.
    pub lanes: RequestSlots,
    /// `--model` as it was written.
    pub model_flag: Option<String>,
    /// `--offline`.
    pub offline: bool,
    /// `--plan`: begin in plan mode.
    pub plan_mode: bool,
    /// Whether somebody can answer approvals and reviews.
    pub is_interactive: bool,
    /// Whether answers are shown while they arrive, and not only when they are whole.
    pub is_watched: bool,
    /// Where the settings came from.
    pub provenance: SettingOrigins,
    /// Notices of settings that were ignored, with the reason.
    pub notices: Vec<String>,
}

/// The model that answers, and its connection.
#[derive(Clone)]
pub struct ModelConnection {
    /// Endpoints, models, keys.
    pub registry: Arc<Registry>,
    /// The model in use.
    pub model: ModelInfo,
    /// Why it was chosen, one clause.
    pub reason: String,
    /// Ready for requests; or why it is not.
    pub provider: Result<Arc<dyn Provider>, ProviderError>,
}

impl AgentSetup {
    /// The endpoints that the settings and the environment give.
    pub fn registry(&self) -> Registry {
        let variables = self.environment.clone().into_iter();
        let agent = &self.settings.agent;
        // A file of keys that cannot be read is no reason not to start: `plim doctor` and
        // `plim login` say what is wrong with it.
        let stored = secrets::read(&self.paths.credentials_file()).unwrap_or_default();
        Registry::new(
            self.settings.providers.clone(),
            variables.collect::<provider::Environment>(),
            Duration::from_secs(agent.network.stream_stall_secs),
        )
        .with_probing(
            agent.network.probe_local,
            Duration::from_millis(agent.network.probe_ms),
        )
        .with_trust(Trust {
            roots: agent.network.tls_roots,
            ca_file: agent
                .network
                .tls_ca_file
                .as_ref()
                .map(|path| self.cwd.join(path)),
        })
        .with_stored_keys(stored.keys, stored.keyring)
        .with_refreshed(provider::read_refreshed(
            &self.paths.refreshed_models_file(),
        ))
        .with_listed(&provider::ModelLists::read(
            &self.paths.listed_models_file(),
        ))
        .with_limits(provider::read_limits(&self.paths.limits_file()))
    }

    /// Chooses a model. `last` is the one that the session used before.
    pub async fn choose(
        &self,
        registry: Arc<Registry>,
        last: Option<ModelRef>,
    ) -> Result<ModelConnection, ProviderError> {
        self.choose_among(registry, last, true).await
    }

    /// Chooses a model; `probe_local` says whether servers on this machine may be asked.
    pub(in crate::agent) async fn choose_among(
        &self,
        registry: Arc<Registry>,
        last: Option<ModelRef>,
        probe_local: bool,
    ) -> Result<ModelConnection, ProviderError> {
        let remembered = open::read_text(&self.paths.last_model_file(), MAX_NAME_BYTES)
            .ok()
            .and_then(|text| parse_model(text.trim()));
        let wish = ModelWish {
            flag: self.model_flag.clone(),
            configured: self.settings.agent.model.clone(),
            last_used: last.or(remembered),
            base_url: self.settings.agent.base_url.clone(),
            offline: self.offline,
            probe_local,
        };
        let fits = |info: &ModelInfo| !self.is_too_small(info);
        let choice = provider::choose(&wish, &registry, &fits).await?;
        Ok(ModelConnection::new(registry, &choice.model, choice.reason))
    }

    /// Whether a model's window is too small to send anything.
    pub(in crate::agent) fn is_too_small(&self, model: &ModelInfo) -> bool {
        let settings = self.settings.context_for(&model.model);
        counting::window_report(&settings, model, 1.0).verdict == WindowVerdict::Block
    }

    /// That the window of a model is too small to send anything, and what to do about it.
    pub fn window_too_small(&self, registry: &Registry, model: &ModelInfo) -> Option<Notice> {
        let settings = self.settings.context_for(&model.model);
        let report = counting::window_report(&settings, model, 1.0);
        let tokens = report.tokens?;
        if report.verdict != WindowVerdict::Block {
            return None;
        }
        let small = SmallWindow {
            model: &model.model,
            tokens,
            source: report.source,
            minimum: settings.window.min_tokens,
        };
        let text = format!("{small}: no request can be sent");
        Some(Notice::warning(text).with_hint(small.hint(registry)))
    }

    /// The folders that the user trusts.
    pub fn trusted_dirs(&self) -> TrustedDirs {
        TrustedDirs::new(&self.settings, &self.environment)
    }

    /// The memory of the project, as configured.
    pub fn memory(&self) -> (Box<dyn Memory>, Option<Notice>) {
        let id = &self.settings.agent.memory;
        let chosen = memory::choose(id, &self.cwd, &self.trusted_dirs());
        let notice = chosen.is_substitute.then(|| {
            let default = memory::DEFAULT_MEMORY;
            Notice::warning(format!("no memory engine {id:?}; using {default}"))
                .with_hint(format!("memory.engine accepts: {}", memory::known()))
        });
        (chosen.memory, notice)
    }

    /// The rules of the project, what is remembered of it, and the system prompt that they
    /// end up in.
    pub fn prompt(&self) -> SystemPrompt {
        let trusted = self.trusted_dirs();
        let rules = read_rules(&self.cwd, &self.paths.user_rules_file(), &trusted);
        let (memory, unknown) = self.memory();
        let recalled = memory.recall();
        let platform = Platform {
            os: std::env::consts::OS,
            cwd: &self.cwd,
        };
        let text: Vec<&str> = rules.files.iter().map(|file| file.text.as_str()).collect();
        let sections = &self.settings.context.compaction.workspace_sections;
        let system = system_prompt(
            &self.settings.agent,
            platform,
            &rules,
            recalled.part.as_deref(),
        );
        let said = rules.notices().into_iter().chain(recalled.warning);
        SystemPrompt {
            system: Arc::from(system),
            workspace_rules: summary::workspace_rules(&text.join("\n\n"), sections).map(Arc::from),
            notices: unknown
                .into_iter()
                .chain(said.map(Notice::warning))
                .collect(),
        }
    }

    /// Counts of a model's provider in other sessions than this one and those that it was
    /// forked from: what they counted is in its log.
    pub fn samples_of(&self, model: &ModelRef, lineage: &[String]) -> Arc<[UsageSample]> {
        Arc::from(self.sample_file().of_model(model, lineage))
    }

    /// Keeps what a provider counted for later sessions, unless nothing of this one is kept.
    pub fn remember(&self, sample: &UsageSample, session: &str) {
        if self.leaves_nothing() {
            return;
        }
        let kept = self.sample_file().add(sample, session, self.clock.now());
        if let Err(error) = kept {
            // The session's own log has it.
            tracing::debug!(%error, "the calibration could not be saved for later sessions");
        }
    }

    /// Whether this run shall leave nothing on disk that later ones read.
    pub(in crate::agent) fn leaves_nothing(&self) -> bool {
        matches!(
            self.source,
            SessionSource::Memory | SessionSource::Practice | SessionSource::Read(_)
        )
    }

    pub(in crate::agent) fn sample_file(&self) -> SampleFile {
        SampleFile::new(self.paths.calibration_file())
    }

    /// The facts besides log, settings and clock that a view depends on.
    pub fn surroundings(
        &self,
        prompt: &SystemPrompt,
        tools: &ToolSet,
        model: ModelInfo,
        lineage: &[String],
    ) -> RequestContext {
        let repeatable: BTreeSet<String> = tools
            .schemas()
            .iter()
            .filter(|schema| {
                tools
                    .get(&schema.name)
                    .is_some_and(|tool| tool.is_repeatable())
            })
            .map(|schema| schema.name.clone())
            .collect();
        RequestContext {
            system: Arc::clone(&prompt.system),
            tools: tools.schemas(),
            repeatable: Arc::new(repeatable),
            workspace_rules: prompt.workspace_rules.clone(),
            samples: self.samples_of(&model.model, lineage),
            model,
            live: None,
            tools_running: false,
        }
    }

    /// Where a copy of a session goes that cannot be saved in its own folder, the best
    /// first.
    pub(in crate::agent) fn refuges(&self) -> Vec<PathBuf> {
        let named = |name: &str| self.environment.get(name).map(PathBuf::from);
        let temporary = named("TMPDIR").unwrap_or_else(std::env::temp_dir);
        let others = ["XDG_RUNTIME_DIR", "HOME"].into_iter().filter_map(named);
        let all = std::iter::once(temporary).chain(others);
        all.filter(|folder| folder.is_absolute()).collect()
    }

    /// The tools on offer.
    pub fn tools(&self) -> ToolSet {
        ToolSet::builtin(self.shell_timeout())
    }

    /// How long a command may run that names no limit itself.
    pub(in crate::agent) fn shell_timeout(&self) -> Duration {
        Duration::from_secs(self.settings.agent.tools.shell_timeout_secs)
    }
}

/// A window below the minimum. Shown as what is wrong with it.
pub(in crate::agent) struct SmallWindow<'a> {
    pub model: &'a ModelRef,
    pub tokens: u64,
    pub source: WindowSource,
    /// The least number of tokens that is worked with.
    pub minimum: u64,
}

impl fmt::Display for SmallWindow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}'s window has {} tokens (source: {}); the minimum is {}",
            self.model,
            grouped(self.tokens),
            self.source.name(),
            grouped(self.minimum)
        )
    }
}

impl SmallWindow<'_> {
    /// The hint for an error.
    pub(super) fn hint(&self, registry: &Registry) -> String {
        let else_ = "choose another model (/model), or lower window.min";
        match self.source {
            // It is the server that cuts or refuses: another number here helps nobody.
            WindowSource::Server | WindowSource::Refusal => {
                let wanted = self.minimum.next_power_of_two();
                let wanted = wanted.max(provider::WANTED_WINDOW_TOKENS);
                let larger = registry.larger_window(self.model, wanted);
                format!("{larger}; or {else_}")
            }
            _ => format!("correct the number (--context-window, window.user), {else_}"),
        }
    }
}

impl ModelConnection {
    /// Puts a model in charge.
    pub fn new(registry: Arc<Registry>, model: &ModelRef, reason: String) -> Self {
        let provider = registry.provider(model);
        Self {
            model: registry.model_info(model),
            provider,
            registry,
            reason,
        }
    }

    /// The provider, or why there is none.
    pub fn provider(&self) -> Result<Arc<dyn Provider>, ProviderError> {
        self.provider.clone()
    }
}

/// The system prompt with what it was made of.
#[derive(Clone, Debug)]
pub struct SystemPrompt {
    /// The text of the system prompt.
    pub system: Arc<str>,
    /// Sections that follow every summary.
    pub workspace_rules: Option<Arc<str>>,
    /// Notices of parts that were cut or could not be read.
    pub notices: Vec<Notice>,
}
