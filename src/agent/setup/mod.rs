//! The start values of an agent, and the choice of its model.

pub(in crate::agent) mod provenance;

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::agent::children::role::ChildRole;
use crate::agent::mailbox::EventSender;
use crate::agent::memory::{self, Memory};
use crate::agent::protocol::{AgentEvent, Notice, SessionEvent};
use crate::agent::setup::provenance::SettingOrigins;
use crate::agent::web::SystemWeb;
use crate::clock::Clock;
use crate::config::{
    AgentDefinitions, EnvironmentVars, Platform, Settings, Skill, Skills, TrustedDirs, UserPaths,
    own_rules_files, parse_model, read_rules, secrets, system_prompt,
};
use crate::context::{RequestContext, WindowSource, WindowVerdict};
use crate::disk::open;
use crate::engine::{counting, summary};
use crate::mcp::{McpServers, ServerOffers};
use crate::provider::{self, ModelWish, Provider, ProviderError, Registry, Trust};
use crate::session::SampleFile;
use crate::tool::{
    AgentChoice, FetchSource, SkillSource, SkillTool, TaskTools, ToolOptions, ToolSet, ToolSources,
};
use crate::transcript::{ModelInfo, ModelRef, UsageSample, grouped};

/// A file with the name of a model is no larger.
pub(in crate::agent) const MAX_NAME_BYTES: u64 = 4 * 1024;
/// The notes about the project take at most one part of so many of the window.
const MEMORY_SHARE: u64 = 50;

/// How long servers are waited for before it is said what they offer beside tools.
const OFFER_PATIENCE: Duration = Duration::from_mins(1);

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
    /// What offers tools beside the program itself; shared like the lanes.
    pub sources: ToolSources,
    /// Servers that offer tools; shared like the lanes.
    pub servers: Arc<McpServers>,
    /// What the command line asks for beside settings.
    pub flags: StartFlags,
    /// Whether somebody can answer approvals and reviews.
    pub is_interactive: bool,
    /// Whether answers are shown while they arrive, and not only when they are whole.
    pub is_watched: bool,
    /// What makes it a sub-agent; `None` for the agent of the person.
    pub child: Option<Arc<ChildRole>>,
    /// Where the settings came from.
    pub provenance: SettingOrigins,
    /// Notices of settings that were ignored, with the reason.
    pub notices: Vec<String>,
}

/// What the command line asks for and no setting holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartFlags {
    /// `--model` as it was written.
    pub model: Option<String>,
    /// `--offline`.
    pub offline: bool,
    /// `--plan`: begin in plan mode.
    pub plan_mode: bool,
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
        .with_trust(self.trust())
        .with_stored_keys(stored.keys, stored.keyring)
        .with_refreshed(provider::read_refreshed(
            &self.paths.refreshed_models_file(),
        ))
        .with_listed(&provider::ModelLists::read(
            &self.paths.listed_models_file(),
        ))
        .with_limits(provider::read_limits(&self.paths.limits_file()))
    }

    fn trust(&self) -> Trust {
        self.settings.trust(&self.cwd)
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
            flag: self.flags.model.clone(),
            configured: self.settings.agent.model.clone(),
            last_used: last.or(remembered),
            base_url: self.settings.agent.base_url.clone(),
            offline: self.flags.offline,
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

    /// The most tokens that the notes about the project may take of a model's window.
    pub(in crate::agent) fn memory_share(&self, model: &ModelInfo) -> Option<u64> {
        let settings = self.settings.context_for(&model.model);
        let window = counting::window_report(&settings, model, 1.0).tokens;
        window.map(|tokens| tokens / MEMORY_SHARE)
    }

    /// The rules of the project, what is remembered of it, and the system prompt that they
    /// end up in. The notes take a small share of the model's window at most.
    pub fn prompt(&self, model: &ModelInfo) -> SystemPrompt {
        let inherited = self.child.as_ref().and_then(|role| role.prompt.clone());
        if let Some(inherited) = inherited {
            return inherited;
        }
        let trusted = self.trusted_dirs();
        let rules = read_rules(&self.cwd, &own_rules_files(&self.paths), &trusted);
        let skills = self.skills(&trusted);
        let (memory, unknown) = self.memory();
        let recalled = memory.recall(self.memory_share(model));
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
            &skills,
        );
        let said = rules.notices().into_iter().chain(recalled.warning);
        let said = said.chain(self.agents().problems).chain(skills.notices());
        SystemPrompt {
            system: Arc::from(system),
            memory: recalled.part.map(Arc::from),
            workspace_rules: summary::workspace_rules(&text.join("\n\n"), sections).map(Arc::from),
            notices: unknown
                .into_iter()
                .chain(said.map(Notice::warning))
                .collect(),
            skills: Arc::new(skills),
        }
    }

    fn skills(&self, trusted: &TrustedDirs) -> Skills {
        let tools = &self.settings.agent.tools;
        if !tools.skills {
            return Skills::default();
        }
        let mut skills = Skills::read(&self.paths, &self.cwd, trusted);
        if tools.off.iter().any(|name| name == SkillTool::NAME) {
            skills.leave_to_the_user();
        }
        skills
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
            memory: prompt.memory.clone(),
            skills: prompt.skills.part().map(Arc::from),
            tools: tools.schemas(),
            servers: self.servers.groups(&tools.schemas()),
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

    /// The tools on offer, without those for skills and of servers.
    pub fn tools(&self) -> ToolSet {
        self.offered(&self.tool_sources(), None)
    }

    /// The tools on offer, with one for the skills and those of servers. How many of these are
    /// in the list is settled by the window of the model that a session begins with.
    pub(in crate::agent) fn tools_for(&self, prompt: &SystemPrompt, model: &ModelInfo) -> ToolSet {
        let skills = SkillSource::new(prompt.skill_names());
        let sources = self.tool_sources().with(Arc::new(skills));
        let sources = sources.with(Arc::new(Arc::clone(&self.servers)));
        let settings = self.settings.context_for(&model.model);
        let window = counting::window_report(&settings, model, 1.0);
        self.offered(&sources, window.tokens.map(|_| window.usable))
    }

    /// What the sources offer, as far as a sub-agent is offered it.
    fn offered(&self, sources: &ToolSources, usable_tokens: Option<u64>) -> ToolSet {
        let mut options = ToolOptions {
            off: self.servers.off_with(&self.settings.agent.tools.off),
            usable_tokens,
            ..ToolOptions::new(self.shell_timeout())
        };
        let usual = ToolSet::new(sources, options.clone());
        let Some(role) = &self.child else {
            return usual;
        };
        role.offer(usual, |part| {
            options.off.extend(part.refused);
            options.found_only = part.found_only;
            ToolSet::new(sources, options)
        })
    }

    /// Where tools come from beside the program: those of the setup,
    /// sub-agents, and the Internet where it is switched on.
    fn tool_sources(&self) -> ToolSources {
        let agents = self.agents().agents.into_iter().map(|agent| AgentChoice {
            name: agent.name,
            description: agent.description,
        });
        let tasks = TaskTools::new(agents.collect());
        let sources = self.sources.clone().with(Arc::new(tasks));
        if !self.settings.agent.tools.fetch {
            return sources;
        }
        let web = SystemWeb::new(self.trust());
        sources.with(Arc::new(FetchSource::new(Arc::new(web))))
    }

    /// Starts the servers in the background; what happens to them is a notice.
    pub(in crate::agent) fn start_servers(&self, events: EventSender) {
        // A sub-agent uses those of its caller.
        if self.child.is_some() {
            return;
        }
        if self.servers.is_empty() {
            return;
        }
        let offering = events.clone();
        self.servers.tell(move |news| {
            let notice = if news.is_warning {
                Notice::warning(news.text)
            } else {
                Notice::info(news.text)
            };
            let notice = match news.hint {
                Some(hint) => notice.with_hint(hint),
                None => notice,
            };
            let events = events.clone();
            tokio::spawn(async move { events.notice(notice).await });
        });
        self.servers.start();
        if !self.is_interactive {
            return;
        }
        let servers = Arc::clone(&self.servers);
        tokio::spawn(async move {
            servers.settled(OFFER_PATIENCE).await;
            let offers = servers.offers().await;
            if offers != ServerOffers::default() {
                let event = SessionEvent::ServersOffer(Arc::new(offers));
                offering.emit(AgentEvent::Session(event)).await;
            }
        });
    }

    /// The sub-agents that can be started, as their files are now.
    pub fn agents(&self) -> AgentDefinitions {
        AgentDefinitions::read(&self.paths, &self.cwd, &self.trusted_dirs())
    }

    /// Whether somebody answers approvals, here or where its caller is.
    pub(in crate::agent) fn can_ask(&self) -> bool {
        self.is_interactive || self.child.as_ref().is_some_and(|role| role.can_ask)
    }

    /// A sentence for each name in `tools.off` that no tool has. Names with `__` are
    /// those of servers, whose tools are not known yet.
    pub(in crate::agent) fn unknown_tools_off(&self) -> impl Iterator<Item = String> {
        let all = ToolSet::new(&self.tool_sources(), ToolOptions::new(self.shell_timeout()));
        let others = [SkillTool::NAME, FetchSource::TOOL];
        let is_known = move |name: &str| all.get(name).is_some() || others.contains(&name);
        let off = self.settings.agent.tools.off.iter();
        off.filter(move |name| !name.contains("__") && !is_known(name))
            .map(|name| format!("tools.off names `{name}`, but there is no such tool."))
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
    /// The part of it that is notes about the project.
    pub memory: Option<Arc<str>>,
    /// Sections that follow every summary.
    pub workspace_rules: Option<Arc<str>>,
    /// Notices of parts that were cut or could not be read.
    pub notices: Vec<Notice>,
    /// The skills that are offered.
    pub skills: Arc<Skills>,
}

impl SystemPrompt {
    /// The names of the skills that a model may ask for.
    pub(in crate::agent) fn skill_names(&self) -> Vec<String> {
        let listed = self.skills.listed();
        listed.map(|skill| skill.name.clone()).collect()
    }

    /// The folders of all skills, without links.
    pub(in crate::agent) fn skill_dirs(&self) -> Arc<[PathBuf]> {
        let folders = self.skills.found.iter().map(Skill::folder);
        folders.filter_map(|it| it.canonicalize().ok()).collect()
    }
}
