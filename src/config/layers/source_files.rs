//! Reads the files that the settings come from.

use std::path::Path;

use super::resolve::{MAX_FILE_BYTES, ResolvedSettings, lay_all, project_dir, resolve};
use super::sources::{FlagSetting, SettingSources, SourceFile};
use super::trust::TrustedDirs;
use crate::config::error::ConfigError;
use crate::config::paths::{EnvironmentVars, UserPaths};
use crate::config::value::SettingValue;
use crate::disk::open;
use crate::disk::project::{self, ProjectFile};

/// The file of servers that several agents share.
const SHARED_SERVERS: &str = ".mcp.json";

/// Reads the files and resolves. `config` replaces the user's file and has to exist.
///
/// # Errors
///
/// A file that cannot be read, an unknown key, a bad value, a contradiction.
pub fn load(
    paths: &UserPaths,
    cwd: &Path,
    config: Option<&Path>,
    environment: EnvironmentVars,
    flags: Vec<FlagSetting>,
) -> Result<ResolvedSettings, ConfigError> {
    resolve(&read_sources(paths, cwd, config, environment, flags)?)
}

/// Reads the files that the settings come from, as they are now.
///
/// # Errors
///
/// A file that cannot be read; `config` that does not exist.
pub(crate) fn read_sources(
    paths: &UserPaths,
    cwd: &Path,
    config: Option<&Path>,
    environment: EnvironmentVars,
    flags: Vec<FlagSetting>,
) -> Result<SettingSources, ConfigError> {
    let user_path = config.map_or_else(|| paths.config_file(), |path| cwd.join(path));
    let user_file = match config {
        None => read_optional(&user_path, open::read_text)?,
        Some(_) => read_optional(&user_path, open::read_typed_text)?,
    };
    if user_file.is_none() && config.is_some() {
        return Err(
            ConfigError::new(format!("{}: no such file", user_path.display()))
                .with_hint("omit --config to use your usual file"),
        );
    }
    let mut sources = SettingSources {
        user_file,
        environment,
        flags,
        cwd: cwd.to_owned(),
        ..SettingSources::default()
    };
    let project_path = UserPaths::project_config_file(cwd);
    if let Some(path) = project_path.filter(|it| *it != user_path && *it != paths.config_file()) {
        match read_of_project(&path, &sources)? {
            Ok(text) => sources.project_file = Some(SourceFile { path, text }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                let refusal = format!("{} is ignored: {error}", path.display());
                sources.project_refusal = Some(refusal);
            }
        }
    }
    read_shared_servers(&mut sources)?;
    Ok(sources)
}

/// The nearest `.mcp.json` of the project. It names programs to start, so it is read in a
/// trusted project only.
fn read_shared_servers(sources: &mut SettingSources) -> Result<(), ConfigError> {
    let root = project::root_of(&sources.cwd);
    let folders = sources.cwd.ancestors();
    let mut paths = folders
        .take_while(|folder| folder.starts_with(root))
        .map(|folder| folder.join(SHARED_SERVERS));
    let Some(path) = paths.find(|path| path.symlink_metadata().is_ok()) else {
        return Ok(());
    };
    let folder = path.parent().unwrap_or(root);
    let others = SettingSources {
        project_file: None,
        ..sources.clone()
    };
    let others = lay_all(ResolvedSettings::default(), &others)?;
    let is_trusted = TrustedDirs::new(&others.settings, &sources.environment).holds(folder);
    let shown = path.display();
    if !is_trusted {
        sources.servers_refusal = Some(format!(
            "{shown} is ignored: it names programs to start, and this project is not trusted. To \
             trust it, add {} to trusted_dirs in your own configuration",
            SettingValue::Text(folder.display().to_string())
        ));
        return Ok(());
    }
    let file = ProjectFile {
        path: &path,
        folder,
        root,
        is_trusted,
    };
    let not_text = |_| std::io::Error::other("it is not UTF-8 text");
    let read = file.read(MAX_FILE_BYTES);
    match read.and_then(|bytes| String::from_utf8(bytes).map_err(not_text)) {
        Ok(text) => sources.shared_servers = Some(SourceFile { path, text }),
        Err(error) => sources.servers_refusal = Some(format!("{shown} is ignored: {error}")),
    }
    Ok(())
}

/// The text of a project's file, or why it is not read.
fn read_of_project(
    path: &Path,
    others: &SettingSources,
) -> Result<std::io::Result<String>, ConfigError> {
    let folder = project_dir(path).unwrap_or(Path::new("/"));
    let without_project = lay_all(ResolvedSettings::default(), others)?;
    let trusted = TrustedDirs::new(&without_project.settings, &others.environment);
    let file = ProjectFile {
        path,
        folder,
        root: project::root_of(folder),
        is_trusted: trusted.holds(folder),
    };
    let not_text = |_| std::io::Error::other("it is not UTF-8 text");
    let read = file.read(MAX_FILE_BYTES);
    Ok(read.and_then(|bytes| String::from_utf8(bytes).map_err(not_text)))
}

fn read_optional(
    path: &Path,
    read: impl Fn(&Path, u64) -> std::io::Result<String>,
) -> Result<Option<SourceFile>, ConfigError> {
    match read(path, MAX_FILE_BYTES) {
        Ok(text) => Ok(Some(SourceFile {
            path: path.to_owned(),
            text,
        })),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ConfigError::new(format!(
            "{}: cannot be read: {error}",
            path.display()
        ))),
    }
}
