//! From the command line to what an agent is started with: directories, settings,
//! which session.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plimsoll::agent::{
    AgentSetup, Clock, RequestSlots, SessionSource, SettingOrigins, StartError, StartFlags,
    UnsavedSession,
};
use plimsoll::cli::{Cli, CommonArgs, ExitCode, SessionArg, SessionChoice, SessionRef};
use plimsoll::config::{
    self, CommandLine, CommandSources, ConfigError, EnvironmentVars, ResolvedSettings, TrustedDirs,
    UserPaths,
};
use plimsoll::disk::private;
use plimsoll::foreign::{self, ForeignProgram, SessionPlace};
use plimsoll::mcp::{McpPlace, McpServers};
use plimsoll::session::{ResolveError, SessionError, SessionPick, resolve};
use plimsoll::tool::ToolSources;
use plimsoll::transcript::Timestamp;
use plimsoll::tui::keymap::Keymap;

/// Why the program ends: one sentence, a hint, an exit code.
#[derive(Debug)]
pub struct ExitFailure {
    /// The failure.
    pub message: String,
    /// The next step.
    pub hint: Option<String>,
    /// See [`ExitCode`].
    pub code: u8,
}

impl ExitFailure {
    /// Something failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
            code: ExitCode::Failed as u8,
        }
    }

    /// The exit for a run whose session is not on disk.
    pub fn unsaved(unsaved: &UnsavedSession) -> Self {
        let notice = unsaved.notice();
        Self {
            message: notice.text,
            hint: notice.hint,
            code: ExitCode::Failed as u8,
        }
    }

    /// The command line is wrong.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: Some(hint.into()),
            code: ExitCode::Usage as u8,
        }
    }

    /// The failure with a hint.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The failure with another exit code.
    pub fn with_code(mut self, code: ExitCode) -> Self {
        self.code = code as u8;
        self
    }
}

impl fmt::Display for ExitFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plim: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl From<ConfigError> for ExitFailure {
    fn from(error: ConfigError) -> Self {
        Self {
            message: error.message,
            hint: error
                .hint
                .or_else(|| Some("`plim config default` documents every setting".to_owned())),
            code: ExitCode::Configuration as u8,
        }
    }
}

impl From<ResolveError> for ExitFailure {
    fn from(error: ResolveError) -> Self {
        Self::failed(error.to_string())
            .with_hint("`plim sessions` lists the sessions of this directory")
    }
}

impl From<SessionError> for ExitFailure {
    fn from(error: SessionError) -> Self {
        let hint = match &error {
            SessionError::Unsaved { .. } | SessionError::Unconfirmed { .. } => {
                "free disk space or correct the permissions, then try again"
            }
            SessionError::Io { .. }
            | SessionError::NotASession { .. }
            | SessionError::Foreign(_)
            | SessionError::Gone { .. }
            | SessionError::ReadOnly { .. } => "the file was not changed",
        };
        Self::failed(error.at_the_end()).with_hint(hint)
    }
}

impl From<StartError> for ExitFailure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Session(error) => error.into(),
            StartError::Model(error) => Self::failed(error.to_string())
                .with_hint("`plim models` lists the models; --offline needs no key and no network")
                .with_code(ExitCode::Configuration),
            StartError::Settings(message) => {
                Self::failed(message).with_code(ExitCode::Configuration)
            }
        }
    }
}

/// Everything that was found out before anything runs.
pub struct Launch {
    /// Settings with their origins.
    pub resolved: ResolvedSettings,
    /// The keys of the screen.
    pub keymap: Keymap,
    /// Where things are kept.
    pub paths: UserPaths,
    /// The working directory.
    pub cwd: PathBuf,
    /// A snapshot of the environment.
    pub environment: EnvironmentVars,
    /// Clock and ids.
    pub clock: Clock,
    /// What was typed that decides which files are read.
    pub command_line: CommandLine,
    /// Shared by all agents of the process.
    pub lanes: RequestSlots,
    choice: SessionChoice,
    flags: StartFlags,
    verbose: u8,
}

impl Launch {
    /// Reads directories and settings. Fails on the first thing that is wrong.
    pub fn prepare(cli: &Cli) -> Result<Self, ExitFailure> {
        let common = &cli.common;
        let environment = environment();
        let cwd = working_directory(common)?;
        if let Some(missing) = common.add_dir.iter().find(|dir| !cwd.join(dir).is_dir()) {
            return Err(ExitFailure::usage(
                format!("--add-dir {}: no such directory", missing.display()),
                "name an existing directory",
            ));
        }
        let paths = UserPaths::from_environment(&environment)?;
        let mut flags = common.flag_settings();
        // `--model` may name half of a model: that is for the choice, not for a setting.
        flags.retain(|flag| flag.flag != "--model");
        let config = common.config.as_deref();
        let mut resolved = config::load(&paths, &cwd, config, environment.clone(), flags.clone())?;
        let closed = config::close_to_others(&paths);
        let is_chat = cli.command.is_none();
        for text in closed.iter().filter(|_| !is_chat) {
            let _ = writeln!(crate::safe_output::stderr(), "plim: {text}");
        }
        resolved.notices.extend(closed);
        let (keymap, remarks) = Keymap::configured(&resolved.settings.ui.keys)?;
        resolved.notices.extend(remarks);
        let lanes = RequestSlots::new(resolved.settings.agent.limits.lanes_global);
        Ok(Self {
            resolved,
            keymap,
            paths,
            cwd,
            environment,
            clock: Clock::new(common.now),
            lanes,
            command_line: CommandLine {
                config: common.config.clone(),
                flags,
            },
            choice: common.session_choice(),
            flags: StartFlags {
                model: common.model.clone(),
                offline: common.offline,
                plan_mode: common.plan,
            },
            verbose: common.verbose,
        })
    }

    /// Sends diagnostics to the log file, never to the screen.
    pub fn open_log_file(&self) {
        let level = match self.verbose {
            // What passes between an MCP server and the user is nobody's business: the SDK would
            // write it down.
            0 => "warn,rmcp=error",
            1 => "info,plimsoll=debug,rmcp=error",
            _ => "debug,plimsoll=trace,rmcp=error",
        };
        let filter = self
            .environment
            .get("PLIMSOLL_LOG")
            .map_or(level, String::as_str);
        if self.verbose == 0 && !self.environment.contains_key("PLIMSOLL_LOG") {
            return;
        }
        let path = self.paths.log_file();
        let Ok(file) = private::append(&path) else {
            return;
        };
        let _ = tracing_subscriber::fmt()
            .with_env_filter(tracing_subscriber::EnvFilter::new(filter))
            .with_ansi(false)
            .with_writer(std::sync::Mutex::new(file))
            .try_init();
    }

    /// The session that a conversation goes into.
    pub fn source(&self) -> Result<SessionSource, ExitFailure> {
        Ok(match &self.choice {
            SessionChoice::New => SessionSource::New,
            SessionChoice::Memory => SessionSource::Memory,
            SessionChoice::File(path) => SessionSource::File(self.absolute(path)),
            SessionChoice::Existing(session) => SessionSource::Open(self.find(session)?),
        })
    }

    /// The file of an existing session.
    pub fn find(&self, session: &SessionRef) -> Result<PathBuf, ExitFailure> {
        let sessions = self.paths.sessions_dir();
        match session {
            SessionRef::Newest => Ok(resolve(&sessions, &self.cwd, SessionPick::Newest)?),
            SessionRef::Id(id) if id.starts_with('@') => self.find_foreign(id),
            SessionRef::Id(id) => Ok(resolve(&sessions, &self.cwd, SessionPick::Named(id))?),
            SessionRef::Path(path) => {
                let path = self.absolute(path);
                // A database holds several: `FILE#ID` names one.
                if SessionPlace::of(&path).path.is_file() {
                    Ok(path)
                } else {
                    Err(
                        ExitFailure::failed(format!("{} is not a file", path.display()))
                            .with_hint("name a session file, or an id from `plim sessions`"),
                    )
                }
            }
        }
    }

    /// The newest session of another program in this directory, e.g. of `@claude`.
    fn find_foreign(&self, name: &str) -> Result<PathBuf, ExitFailure> {
        let program = foreign_program(name.trim_start_matches('@'))?;
        let variable = |name: &str| self.variable(name);
        let found = foreign::newest(program, &variable, &self.cwd);
        let found = found.map_err(|error| ExitFailure::failed(error.to_string()))?;
        let found = found.ok_or_else(|| {
            let cwd = self.cwd.display();
            ExitFailure::failed(format!("{program} has no session of {cwd}"))
                .with_hint("`plim import PROGRAM --all` takes over those of all directories")
        })?;
        Ok(found.place.to_path())
    }

    /// The session that a command reads: its own argument, else the flags, else the newest.
    pub fn session_to_read(
        &self,
        common: &CommonArgs,
        argument: &SessionArg,
    ) -> Result<PathBuf, ExitFailure> {
        self.find(&common.session_to_read(argument))
    }

    /// The clock's reading.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A path as it is meant here.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        self.cwd.join(path)
    }

    /// The start values of an agent.
    pub fn setup(&self, source: SessionSource, is_interactive: bool) -> AgentSetup {
        AgentSetup {
            settings: self.resolved.settings.clone(),
            paths: self.paths.clone(),
            cwd: self.cwd.clone(),
            environment: self.environment.clone(),
            source,
            clock: self.clock,
            lanes: self.lanes.clone(),
            sources: ToolSources::default(),
            servers: self.servers(),
            flags: self.flags.clone(),
            is_interactive,
            is_watched: is_interactive,
            child: None,
            provenance: SettingOrigins::new(self.command_line.clone(), &self.resolved),
            notices: self.resolved.notices.clone(),
        }
    }

    /// The servers of the settings; none is started.
    pub fn servers(&self) -> Arc<McpServers> {
        let settings = &self.resolved.settings.mcp;
        Arc::new(McpServers::new(settings, self.mcp_place()))
    }

    /// Where servers run and are asked from.
    pub fn mcp_place(&self) -> McpPlace {
        McpPlace {
            cwd: self.cwd.clone(),
            environment: self.environment.clone(),
            lists_file: self.paths.server_tools_file(),
            credentials_file: self.paths.credentials_file(),
            trust: self.resolved.settings.trust(&self.cwd),
        }
    }

    /// The folders that the user trusts.
    pub fn trusted_dirs(&self) -> TrustedDirs {
        TrustedDirs::new(&self.resolved.settings, &self.environment)
    }

    /// Where the user's own commands and skills come from.
    pub fn command_sources(&self) -> CommandSources {
        CommandSources {
            paths: self.paths.clone(),
            trusted: self.trusted_dirs(),
            has_skills: self.resolved.settings.agent.tools.skills,
        }
    }

    /// Whether nobody has used the program here before. Says so once: the offer of an
    /// introduction must not come again, so there is none where that cannot be written down.
    pub fn offers_introduction(&self) -> bool {
        let mark = self.paths.introduced_file();
        let is_known = [
            &mark,
            &self.paths.sessions_dir(),
            &self.paths.history_file(),
            &self.paths.last_model_file(),
        ];
        if is_known.into_iter().any(|path| path.exists()) {
            return false;
        }
        let marked = private::replace(&mark, b"");
        if let Err(error) = &marked {
            tracing::debug!(%error, "the introduction is skipped: its end could not be saved");
        }
        marked.is_ok()
    }

    /// A variable of the environment.
    pub fn variable(&self, name: &str) -> Option<String> {
        self.environment.get(name).cloned()
    }
}

/// The program that is called so.
pub fn foreign_program(name: &str) -> Result<ForeignProgram, ExitFailure> {
    ForeignProgram::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = ForeignProgram::ALL.iter().map(|it| it.name()).collect();
        ExitFailure::usage(
            format!("no program called {name:?} is known"),
            format!("known are {}", known.join(", ")),
        )
    })
}

/// Where things are kept, without reading any settings.
pub fn paths() -> Result<UserPaths, ExitFailure> {
    Ok(UserPaths::from_environment(&environment())?)
}

fn environment() -> EnvironmentVars {
    std::env::vars_os()
        .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)))
        .collect::<BTreeMap<_, _>>()
}

fn working_directory(common: &CommonArgs) -> Result<PathBuf, ExitFailure> {
    let here = std::env::current_dir().map_err(|error| {
        ExitFailure::failed(format!(
            "the working directory no longer exists: \
            {error}"
        ))
    })?;
    let Some(directory) = &common.directory else {
        return Ok(here);
    };
    let there = here.join(directory);
    there
        .canonicalize()
        .ok()
        .filter(|path| path.is_dir())
        .ok_or_else(|| {
            ExitFailure::usage(
                format!("-C {}: no such directory", directory.display()),
                "name an existing directory",
            )
        })
}
