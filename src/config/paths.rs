//! Where files are: configuration, data and cache by the XDG conventions, or all under
//! `PLIMSOLL_HOME`. Names only; nothing is created here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::error::ConfigError;

/// A snapshot of the environment: variables by name.
pub type EnvironmentVars = BTreeMap<String, String>;

/// The directory of the program below each of the user's directories.
const NAME: &str = "plimsoll";

/// The user's directories for this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserPaths {
    config: PathBuf,
    data: PathBuf,
    cache: PathBuf,
    /// Where other programs keep their folders for the user.
    home: Option<PathBuf>,
}

impl UserPaths {
    /// From `PLIMSOLL_HOME`, else `XDG_…_HOME`, else below the home directory.
    ///
    /// # Errors
    ///
    /// There is no home directory.
    pub fn from_environment(environment: &EnvironmentVars) -> Result<Self, ConfigError> {
        let absolute = |name: &str| {
            environment
                .get(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        if let Some(text) = environment.get("PLIMSOLL_HOME").filter(|t| !t.is_empty()) {
            let root = absolute("PLIMSOLL_HOME").ok_or_else(|| {
                ConfigError::new(format!(
                    "PLIMSOLL_HOME must be an absolute path, not {text}"
                ))
                .with_hint("write the full path, beginning with /")
            })?;
            return Ok(Self {
                home: absolute("HOME"),
                ..Self::below(&root)
            });
        }
        let home = absolute("HOME");
        let dir = |variable: &str, below_home: &str, native: fn(&dyn NativeDirs) -> PathBuf| {
            let base = absolute(variable).or_else(|| home.as_ref().map(|h| h.join(below_home)));
            match base {
                Some(base) => Ok(base.join(NAME)),
                None => etcetera::choose_base_strategy()
                    .map(|strategy| native(&strategy).join(NAME))
                    .map_err(|_| {
                        ConfigError::new("no home directory found")
                            .with_hint("set HOME, or PLIMSOLL_HOME to any writable directory")
                    }),
            }
        };
        Ok(Self {
            config: dir("XDG_CONFIG_HOME", ".config", |dirs| dirs.config())?,
            data: dir("XDG_DATA_HOME", ".local/share", |dirs| dirs.data())?,
            cache: dir("XDG_CACHE_HOME", ".cache", |dirs| dirs.cache())?,
            home: home.clone(),
        })
    }

    /// Everything under one directory.
    pub fn below(root: &Path) -> Self {
        Self {
            config: root.to_owned(),
            data: root.join("data"),
            cache: root.join("cache"),
            home: None,
        }
    }

    /// The user's configuration file.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// Keys that were entered in the program.
    pub fn credentials_file(&self) -> PathBuf {
        self.config.join("credentials.toml")
    }

    /// The file of permissions that the user granted for good.
    pub fn permissions_file(&self) -> PathBuf {
        self.config.join("permissions.toml")
    }

    /// The file of models that providers listed.
    pub fn listed_models_file(&self) -> PathBuf {
        self.data.join("models.json")
    }

    /// The file of facts about models that were fetched from models.dev.
    pub fn refreshed_models_file(&self) -> PathBuf {
        self.cache.join("models-dev.jsonl")
    }

    /// The user's own themes.
    pub fn themes_dir(&self) -> PathBuf {
        self.config.join("themes")
    }

    /// The user's own commands.
    pub fn commands_dir(&self) -> PathBuf {
        self.config.join("commands")
    }

    /// The user's own sub-agents.
    pub fn agents_dir(&self) -> PathBuf {
        self.config.join("agents")
    }

    /// The user's own skills.
    pub fn skills_dir(&self) -> PathBuf {
        self.config.join("skills")
    }

    /// The home directory, when the environment names one.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The user's own rules for all projects.
    pub fn user_rules_file(&self) -> PathBuf {
        self.config.join("AGENTS.md")
    }

    /// Sessions of all directories.
    pub fn sessions_dir(&self) -> PathBuf {
        self.data.join("sessions")
    }

    /// The model that was used last.
    pub fn last_model_file(&self) -> PathBuf {
        self.data.join("last-model")
    }

    /// The file of token counts by providers, per model.
    pub fn calibration_file(&self) -> PathBuf {
        self.data.join("calibration.json")
    }

    /// The file of the tools that MCP servers had the last time.
    pub fn server_tools_file(&self) -> PathBuf {
        self.data.join("mcp-tools.json")
    }

    /// The file of limits that servers named, per address and model.
    pub fn limits_file(&self) -> PathBuf {
        self.data.join("limits.json")
    }

    /// Folders that hold nothing but what the program keeps for the user.
    pub fn private_folders(&self) -> [PathBuf; 2] {
        [self.data.clone(), self.cache.clone()]
    }

    /// The file of the composer's history.
    pub fn history_file(&self) -> PathBuf {
        self.data.join("history")
    }

    /// Drafts: what was typed and not sent, a file for each session.
    pub fn drafts_dir(&self) -> PathBuf {
        self.data.join("drafts")
    }

    /// There once the introduction was shown.
    pub fn introduced_file(&self) -> PathBuf {
        self.data.join("introduced")
    }

    /// There once the gauge was explained.
    pub fn legend_file(&self) -> PathBuf {
        self.data.join("legend-shown")
    }

    /// The index of the search over all sessions.
    pub fn search_index_file(&self) -> PathBuf {
        self.cache.join("search.sqlite3")
    }

    /// The log.
    pub fn log_file(&self) -> PathBuf {
        self.cache.join("plim.log")
    }

    /// Files and folders that no tool may look into: keys, settings, sessions.
    pub fn own_files(&self) -> Vec<PathBuf> {
        vec![
            self.config_file(),
            self.credentials_file(),
            self.permissions_file(),
            self.sessions_dir(),
            self.drafts_dir(),
            self.history_file(),
            self.log_file(),
            self.search_index_file(),
        ]
    }

    /// The program's own folders.
    pub fn own_folders(&self) -> Vec<PathBuf> {
        vec![self.config.clone(), self.data.clone(), self.cache.clone()]
    }

    /// `.plimsoll/config.toml` of the nearest directory from `cwd` upwards that has one.
    pub fn project_config_file(cwd: &Path) -> Option<PathBuf> {
        cwd.ancestors()
            .map(|dir| dir.join(".plimsoll").join("config.toml"))
            .find(|path| path.symlink_metadata().is_ok())
    }
}

/// The platform's own directories, where the environment says nothing.
trait NativeDirs {
    fn config(&self) -> PathBuf;
    fn data(&self) -> PathBuf;
    fn cache(&self) -> PathBuf;
}

impl<T: BaseStrategy> NativeDirs for T {
    fn config(&self) -> PathBuf {
        self.config_dir()
    }

    fn data(&self) -> PathBuf {
        self.data_dir()
    }

    fn cache(&self) -> PathBuf {
        self.cache_dir()
    }
}
