//! Settings that are saved: into the user's file or the project's, read again right before,
//! replaced as a whole, and only when what comes out is a configuration that works.
//!
//! Invariant: a file that cannot be understood is never written.

use std::path::{Path, PathBuf};

use super::private_file;
use crate::config::error::ConfigError;
use crate::config::file::edit;
use crate::config::layers::resolve::{ResolvedSettings, resolve};
use crate::config::layers::source_files::read_sources;
use crate::config::layers::sources::{FlagSetting, SettingSources, SourceFile};
use crate::config::origin::SettingOrigin;
use crate::config::paths::{EnvironmentVars, UserPaths};
use crate::config::table::Setting;
use crate::config::value::SettingValue;
use crate::disk::project::root_of;

/// Which file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsFile {
    /// The user's own.
    User,
    /// The project's `.plimsoll/config.toml`.
    Project,
}

/// The sources of the settings at the start, besides directories and environment.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    /// `--config`.
    pub config: Option<PathBuf>,
    /// Flags, in order.
    pub flags: Vec<FlagSetting>,
}

/// Where settings are read and saved.
#[derive(Clone, Copy, Debug)]
pub struct SettingsStore<'a> {
    /// The user's directories.
    pub paths: &'a UserPaths,
    /// The working directory.
    pub cwd: &'a Path,
    /// A snapshot of the environment.
    pub environment: &'a EnvironmentVars,
    /// The rest.
    pub command_line: &'a CommandLine,
}

/// A setting that was saved or taken out.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedSetting {
    /// All settings as the next start would have them.
    pub resolved: ResolvedSettings,
    /// The file that was changed.
    pub path: PathBuf,
}

impl SettingsStore<'_> {
    /// The file that settings are saved into, whether it exists or not.
    pub fn file(&self, place: SettingsFile) -> PathBuf {
        match place {
            SettingsFile::User => match &self.command_line.config {
                Some(path) => self.cwd.join(path),
                None => self.paths.config_file(),
            },
            SettingsFile::Project => UserPaths::project_config_file(self.cwd)
                .unwrap_or_else(|| root_of(self.cwd).join(".plimsoll").join("config.toml")),
        }
    }

    /// All settings as the next start would have them.
    ///
    /// # Errors
    ///
    /// What [`resolve`] says.
    pub fn resolve(&self) -> Result<ResolvedSettings, ConfigError> {
        resolve(&self.sources()?)
    }

    /// Saves a value.
    ///
    /// # Errors
    ///
    /// The file is broken, cannot be written, may not set this, or would contradict
    /// itself; it is as it was then.
    pub fn save(
        &self,
        place: SettingsFile,
        setting: &'static Setting,
        value: &SettingValue,
    ) -> Result<SavedSetting, ConfigError> {
        let path = self.file(place);
        let mut sources = self.sources()?;
        if place == SettingsFile::Project {
            check_project_file(&path, &sources)?;
        }
        let text = private_file::read_text(&path)?;
        // What is broken is said with its line.
        resolve(&sources)?;
        let edited = edit::with_setting(&text, setting, value)?;
        replace_source(&mut sources, place, &path, &edited);
        let resolved = resolve(&sources)?;
        let origin = resolved.origin(setting.key);
        let is_taken = match place {
            SettingsFile::User => {
                !matches!(origin, SettingOrigin::Default | SettingOrigin::Preset(_))
            }
            // A file above it wins, unless it may not say anything about this.
            SettingsFile::Project => !matches!(
                origin,
                SettingOrigin::Default | SettingOrigin::Preset(_) | SettingOrigin::UserFile { .. }
            ),
        };
        if !is_taken
            || (place == SettingsFile::Project && setting.trusted_only && !is_project(&origin))
        {
            return Err(ConfigError::new(format!(
                "`{}` is not saved: only a trusted project may set it (trusted_dirs)",
                setting.key
            ))
            .with_hint("save it in your own configuration"));
        }
        private_file::rewrite(&path, &edited)?;
        Ok(SavedSetting { resolved, path })
    }

    /// Takes a setting out of the file that sets it; `None` when no file does.
    ///
    /// # Errors
    ///
    /// The file is broken or cannot be written; it is as it was then.
    pub fn remove(&self, setting: &'static Setting) -> Result<Option<SavedSetting>, ConfigError> {
        for place in [SettingsFile::Project, SettingsFile::User] {
            let path = self.file(place);
            let mut sources = self.sources()?;
            if place == SettingsFile::Project && check_project_file(&path, &sources).is_err() {
                // It sets nothing.
                continue;
            }
            let text = private_file::read_text(&path)?;
            resolve(&sources)?;
            let Some(edited) = edit::without_setting(&text, setting)? else {
                continue;
            };
            replace_source(&mut sources, place, &path, &edited);
            let resolved = resolve(&sources)?;
            private_file::rewrite(&path, &edited)?;
            return Ok(Some(SavedSetting { resolved, path }));
        }
        Ok(None)
    }

    pub(super) fn sources(&self) -> Result<SettingSources, ConfigError> {
        let config = self.command_line.config.as_deref();
        let (environment, flags) = (self.environment.clone(), self.command_line.flags.clone());
        read_sources(self.paths, self.cwd, config, environment, flags)
    }
}

/// A project's file is not written where it would not be read: a link in its place, or in
/// that of its folder, leads to another file of the user.
fn check_project_file(path: &Path, sources: &SettingSources) -> Result<(), ConfigError> {
    let hint = "save it in your own configuration";
    if let Some(refusal) = &sources.project_refusal {
        return Err(ConfigError::new(format!("nothing was saved: {refusal}")).with_hint(hint));
    }
    let folder = path.parent().unwrap_or(path);
    let real = |path: &Path| path.canonicalize().ok();
    let project = folder.parent().map(root_of).and_then(real);
    match (real(folder), project) {
        (Some(folder), Some(project)) if !folder.starts_with(&project) => {
            let text = format!("{}: its folder is outside the project", path.display());
            Err(ConfigError::new(text).with_hint(hint))
        }
        _ => Ok(()),
    }
}

fn is_project(origin: &SettingOrigin) -> bool {
    matches!(origin, SettingOrigin::ProjectFile { .. })
}

pub(super) fn replace_source(
    sources: &mut SettingSources,
    place: SettingsFile,
    path: &Path,
    text: &str,
) {
    let file = Some(SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    });
    match place {
        SettingsFile::User => sources.user_file = file,
        SettingsFile::Project => sources.project_file = file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::table::find;

    struct StoreDesk {
        folder: tempfile::TempDir,
        paths: UserPaths,
        cwd: PathBuf,
        environment: EnvironmentVars,
        command_line: CommandLine,
    }

    impl StoreDesk {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let cwd = folder.path().join("work/deep");
            std::fs::create_dir_all(&cwd).unwrap();
            std::fs::create_dir_all(folder.path().join("work/.git")).unwrap();
            Self {
                paths: UserPaths::below(&folder.path().join("home")),
                cwd,
                environment: EnvironmentVars::new(),
                command_line: CommandLine::default(),
                folder,
            }
        }

        fn store(&self) -> SettingsStore<'_> {
            SettingsStore {
                paths: &self.paths,
                cwd: &self.cwd,
                environment: &self.environment,
                command_line: &self.command_line,
            }
        }

        fn save(
            &self,
            place: SettingsFile,
            key: &str,
            value: &SettingValue,
        ) -> Result<SavedSetting, ConfigError> {
            self.store().save(place, find(key).unwrap().0, value)
        }

        fn user_text(&self) -> String {
            std::fs::read_to_string(self.paths.config_file()).unwrap()
        }
    }

    #[test]
    fn a_missing_file_is_made_and_the_value_has_its_line() {
        let desk = StoreDesk::new();
        let saved = desk
            .save(SettingsFile::User, "mouse", &SettingValue::Bool(false))
            .unwrap();
        assert_eq!(desk.user_text(), "mouse = false\n");
        let at = format!("{}:1", desk.paths.config_file().display());
        assert_eq!(saved.resolved.origin("mouse").to_string(), at);
        let saved = desk.save(
            SettingsFile::Project,
            "prune.policy",
            &SettingValue::Text("off".into()),
        );
        let root = desk.folder.path().join("work/.plimsoll/config.toml");
        assert_eq!(saved.unwrap().path, root);
        assert!(std::fs::read_to_string(root).unwrap().contains("[prune]"));
    }

    #[test]
    fn a_project_that_is_not_trusted_may_not_set_what_runs() {
        let desk = StoreDesk::new();
        let hook = || SettingValue::Text("true".to_owned());
        let refused = desk.save(SettingsFile::Project, "hooks.before_compact", &hook());
        let refused = refused.unwrap_err();
        assert!(refused.message.contains("trusted_dirs"), "{refused:?}");
        let mention = SettingValue::Text("@secret".to_owned());
        assert!(
            desk.save(SettingsFile::Project, "system", &mention)
                .is_err()
        );
        assert!(!desk.folder.path().join("work/.plimsoll").exists());
        let work = desk.folder.path().join("work").display().to_string();
        let trusted = SettingValue::List(vec![SettingValue::Text(work)]);
        desk.save(SettingsFile::User, "trusted_dirs", &trusted)
            .unwrap();
        desk.save(SettingsFile::Project, "hooks.before_compact", &hook())
            .unwrap();
    }

    #[test]
    fn a_broken_file_or_a_contradiction_leaves_the_file_as_it_was() {
        let desk = StoreDesk::new();
        std::fs::create_dir_all(desk.paths.config_file().parent().unwrap()).unwrap();
        let keep = |text: &str, key: &str, value: &SettingValue| {
            std::fs::write(desk.paths.config_file(), text).unwrap();
            let error = desk.save(SettingsFile::User, key, value).unwrap_err();
            assert_eq!(desk.user_text(), text);
            error.message
        };
        let said = keep(
            "# mine\nmouse = \n",
            "theme",
            &SettingValue::Text("dark".into()),
        );
        assert!(said.contains("config.toml:2"), "{said}");
        let hard = "[prune]\nhard_ratio = 0.4\n";
        let said = keep(hard, "prune.soft_ratio", &SettingValue::Float(0.9));
        assert!(said.contains("prune.soft_ratio"), "{said}");
        std::fs::write(desk.paths.config_file(), "mouse = \n").unwrap();
        assert!(desk.store().remove(find("mouse").unwrap().0).is_err());
    }

    #[test]
    fn what_is_taken_out_has_its_default_again() {
        let desk = StoreDesk::new();
        desk.save(SettingsFile::User, "mouse", &SettingValue::Bool(false))
            .unwrap();
        let mouse = find("mouse").unwrap().0;
        let left = desk.store().remove(mouse).unwrap().unwrap();
        assert_eq!(left.resolved.origin("mouse"), SettingOrigin::Default);
        assert_eq!(desk.store().remove(mouse).unwrap(), None);
    }

    #[test]
    fn a_project_in_whose_place_a_link_is_gets_nothing_saved_elsewhere() {
        let desk = StoreDesk::new();
        let at = |name: &str| desk.folder.path().join(name);
        std::fs::create_dir_all(at("other")).unwrap();
        std::fs::write(at("other/mine.toml"), "# mine\n").unwrap();
        let policy = || SettingValue::Text("off".into());
        std::os::unix::fs::symlink(at("other"), at("work/.plimsoll")).unwrap();
        let refused = desk.save(SettingsFile::Project, "prune.policy", &policy());
        assert!(refused.unwrap_err().message.contains("outside the project"));
        std::fs::remove_file(at("work/.plimsoll")).unwrap();
        std::fs::create_dir(at("work/.plimsoll")).unwrap();
        let link = at("work/.plimsoll/config.toml");
        std::os::unix::fs::symlink(at("other/mine.toml"), link).unwrap();
        let refused = desk.save(SettingsFile::Project, "prune.policy", &policy());
        assert!(refused.unwrap_err().message.contains("nothing was saved"));
        assert!(
            desk.store()
                .remove(find("mouse").unwrap().0)
                .unwrap()
                .is_none()
        );
        let files = std::fs::read_dir(at("other")).unwrap().count();
        let kept = std::fs::read_to_string(at("other/mine.toml")).unwrap();
        assert_eq!((files, kept.as_str()), (1, "# mine\n"));
    }

    #[test]
    fn a_link_and_the_rights_of_the_file_stay() {
        use std::os::unix::fs::PermissionsExt as _;
        let desk = StoreDesk::new();
        let real = desk.folder.path().join("dotfile.toml");
        std::fs::write(&real, "# kept\n").unwrap();
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
        let link = desk.paths.config_file();
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        desk.save(SettingsFile::User, "mouse", &SettingValue::Bool(false))
            .unwrap();
        assert!(link.is_symlink());
        let mode = std::fs::metadata(&real).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(desk.user_text().starts_with("# kept\n"));
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o440)).unwrap();
        let refused = desk.save(SettingsFile::User, "mouse", &SettingValue::Bool(true));
        assert!(refused.unwrap_err().message.contains("read-only"));
    }
}
