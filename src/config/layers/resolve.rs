//! Lays the sources over each other: default ◂ preset ◂ user's file ◂ project's file ◂
//! environment ◂ flags. The result knows where each value came from.
//!
//! Invariant: what comes out is complete, in range and consistent, or an error.

use std::collections::BTreeMap;
use std::path::Path;

use super::presets::ContextPreset;
use super::sources::{FlagSetting, SettingSources, SourceFile};
use super::trust::TrustedDirs;
use crate::config::error::ConfigError;
use crate::config::file::mcp::{put, shared_servers};
use crate::config::file::providers::ModelPatch;
use crate::config::file::raw::{RawFile, parse};
use crate::config::file::toml_text::TomlText;
use crate::config::origin::SettingOrigin;
use crate::config::settings::Settings;
use crate::config::table::kind::SettingKind;
use crate::config::table::{Setting, all_settings, find, nearest_hint};
use crate::config::value::SettingValue;
use crate::disk::open;

/// No file of settings is larger, nor a prompt that one names.
pub(super) const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// Settings that are named when a project may not set them.
const MAX_NAMED: usize = 12;

/// Settings with the origin of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResolvedSettings {
    /// Complete, in range and consistent.
    pub settings: Settings,
    /// Origin by key; a key that is missing has its default.
    pub origins: BTreeMap<&'static str, SettingOrigin>,
    /// Origin of a model's own values, by the model's name and the key.
    pub model_origins: BTreeMap<(String, &'static str), SettingOrigin>,
    /// Settings of the project's file that it may not set, in its order.
    pub ignored: Vec<IgnoredSetting>,
    /// Ignored settings with the reason, one sentence each.
    pub notices: Vec<String>,
}

/// Something that a project's file may only say when the project is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredSetting {
    /// As it was written, e.g. `model` or `providers.openai`.
    pub key: String,
    /// The setting that it is, where it is one.
    pub setting: Option<&'static str>,
    /// Where it was written.
    pub origin: SettingOrigin,
}

impl ResolvedSettings {
    /// Where the value of a setting came from.
    pub fn origin(&self, key: &str) -> SettingOrigin {
        self.origins
            .get(key)
            .cloned()
            .unwrap_or(SettingOrigin::Default)
    }

    /// These settings with another value of one of them, for this session alone. `cwd` is what
    /// `@FILE` is relative to.
    ///
    /// # Errors
    ///
    /// A bad value, or one that contradicts another setting.
    pub fn with_session(
        mut self,
        setting: &'static Setting,
        value: SettingValue,
        cwd: &Path,
    ) -> Result<Self, ConfigError> {
        self.apply(setting, setting.key, value, SettingOrigin::Session, cwd)?;
        self.check()?;
        Ok(self)
    }

    /// Where a value of a model's own table came from.
    pub fn model_origin(&self, model: &str, key: &'static str) -> SettingOrigin {
        let at = (model.to_owned(), key);
        let found = self.model_origins.get(&at).cloned();
        found.unwrap_or(SettingOrigin::Default)
    }
}

/// Variables of this program that are not settings.
const OTHER_VARIABLES: [&str; 2] = ["PLIMSOLL_HOME", "PLIMSOLL_LOG"];

/// Lays the sources over each other.
///
/// # Errors
///
/// An unknown key, a bad value, a contradiction; the first one found.
pub fn resolve(sources: &SettingSources) -> Result<ResolvedSettings, ConfigError> {
    // Any source may name the preset, and the preset lies below them all.
    let preset = lay_all(ResolvedSettings::default(), sources)?
        .settings
        .preset;
    let mut with_preset = ResolvedSettings::default();
    with_preset.lay_preset(preset)?;
    let mut resolved = lay_all(with_preset, sources)?;
    resolved.notices.extend(sources.project_refusal.clone());
    resolved.notices.extend(sources.servers_refusal.clone());
    resolved.check()?;
    Ok(resolved)
}

pub(super) fn lay_all(
    mut resolved: ResolvedSettings,
    sources: &SettingSources,
) -> Result<ResolvedSettings, ConfigError> {
    if let Some(file) = &sources.user_file {
        resolved.lay_file(file, &FileLayer::User)?;
    }
    if let Some(file) = &sources.project_file {
        let layer = if is_trusted(file, sources, &resolved)? {
            FileLayer::TrustedProject
        } else {
            FileLayer::Project
        };
        resolved.lay_file(file, &layer)?;
    }
    if let Some(file) = &sources.shared_servers {
        resolved.lay_shared_servers(file);
    }
    resolved.lay_environment(sources)?;
    resolved.lay_flags(sources)?;
    Ok(resolved)
}

/// Which file is being laid.
#[derive(PartialEq)]
enum FileLayer {
    User,
    Project,
    TrustedProject,
}

impl FileLayer {
    fn origin(&self, path: &Path, line: usize) -> SettingOrigin {
        let path = path.to_owned();
        match self {
            Self::User => SettingOrigin::UserFile { path, line },
            Self::Project | Self::TrustedProject => SettingOrigin::ProjectFile { path, line },
        }
    }
}

/// Whether everything but the project's file trusts the project's directory.
fn is_trusted(
    file: &SourceFile,
    sources: &SettingSources,
    so_far: &ResolvedSettings,
) -> Result<bool, ConfigError> {
    let mut without_project = so_far.clone();
    without_project.lay_environment(sources)?;
    without_project.lay_flags(sources)?;
    let Some(project) = project_dir(&file.path) else {
        return Ok(false);
    };
    let trusted = TrustedDirs::new(&without_project.settings, &sources.environment);
    Ok(trusted.holds(project))
}

/// The directory that holds `.plimsoll/config.toml`.
pub(super) fn project_dir(file: &Path) -> Option<&Path> {
    file.parent().and_then(Path::parent)
}

impl ResolvedSettings {
    pub(in crate::config) fn lay_preset(
        &mut self,
        preset: ContextPreset,
    ) -> Result<(), ConfigError> {
        let raw = parse(TomlText {
            name: &preset.origin().to_string(),
            text: preset.text(),
        })?;
        for entry in raw.entries {
            let Some((setting, _)) = find(&entry.key) else {
                return Err(ConfigError::unknown_key(&preset.origin(), &entry.key));
            };
            let value = setting.written(entry.value);
            self.apply(setting, &entry.key, value, preset.origin(), Path::new(""))?;
            if preset == ContextPreset::Default {
                self.origins.remove(setting.key);
            }
        }
        Ok(())
    }

    fn lay_file(&mut self, file: &SourceFile, layer: &FileLayer) -> Result<(), ConfigError> {
        let name = file.path.display().to_string();
        let parsed = parse(TomlText {
            name: &name,
            text: &file.text,
        });
        let is_untrusted = *layer == FileLayer::Project;
        let raw = match parsed {
            Ok(raw) => raw,
            // What a project says must not keep the program from starting.
            Err(error) if is_untrusted => {
                self.notices.push(format!("{name} is ignored: {error}"));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let dir = file.path.parent().unwrap_or(Path::new(""));
        for entry in &raw.entries {
            let origin = layer.origin(&file.path, entry.line);
            let Some((setting, alias)) = find(&entry.key) else {
                if is_untrusted {
                    self.ignore(origin, &entry.key, None);
                    continue;
                }
                return Err(ConfigError::unknown_key(&origin, &entry.key));
            };
            let reads_file = matches!(setting.kind, SettingKind::Prompt | SettingKind::Template)
                && entry.value.as_text().is_some_and(|t| t.starts_with('@'));
            if is_untrusted && (setting.trusted_only || reads_file) {
                self.ignore(origin, &entry.key, Some(setting.key));
                continue;
            }
            let value = match alias {
                None => setting.written(entry.value.clone()),
                Some(alias) => alias.convert(&entry.value).ok_or_else(|| {
                    let expected = setting.expected();
                    ConfigError::bad_value(&origin, &entry.key, &entry.value, &expected)
                })?,
            };
            self.apply(setting, &entry.key, value, origin, dir)?;
        }
        self.lay_tables(raw, layer, file);
        self.say_ignored(file);
        Ok(())
    }

    /// Tables of providers, models, keys, hooks and servers. None is open to projects that are not trusted.
    fn lay_tables(&mut self, raw: RawFile, layer: &FileLayer, file: &SourceFile) {
        for provider in raw.providers {
            if *layer == FileLayer::Project {
                let origin = layer.origin(&file.path, provider.line);
                self.ignore(origin, &format!("providers.{}", provider.id), None);
            } else {
                provider.apply(&mut self.settings.providers);
            }
        }
        for model in raw.models {
            let origin = layer.origin(&file.path, model.line);
            if *layer == FileLayer::Project {
                self.ignore(origin, &format!("models.\"{}\"", model.name), None);
            } else {
                self.lay_model(model, &origin);
            }
        }
        for keys in raw.keys {
            let origin = layer.origin(&file.path, keys.line);
            if *layer == FileLayer::Project {
                self.ignore(origin, &keys.key(), None);
            } else {
                keys.apply(origin, &mut self.settings.ui.keys);
            }
        }
        for patch in raw.hooks {
            if *layer == FileLayer::Project {
                let origin = layer.origin(&file.path, patch.line);
                let key = format!("hooks.{}", patch.hook.event.name());
                self.ignore(origin, &key, None);
            } else {
                self.settings.hooks.commands.push(patch.hook);
            }
        }
        for patch in raw.mcp {
            let origin = layer.origin(&file.path, patch.line);
            if *layer == FileLayer::Project {
                self.ignore(origin, &format!("mcp.{}", patch.server.name), None);
            } else {
                patch.apply(origin, &mut self.settings.mcp.servers);
            }
        }
    }

    /// The servers of a trusted project's `.mcp.json`. What the user's own files call by the
    /// same name counts.
    fn lay_shared_servers(&mut self, file: &SourceFile) {
        let name = file.path.display();
        let origin = FileLayer::TrustedProject.origin(&file.path, 1);
        let found = match shared_servers(&file.text, &origin) {
            Ok(found) => found,
            // What a project says must not keep the program from starting.
            Err(error) => {
                self.notices.push(format!("{name} is ignored: {error}"));
                return;
            }
        };
        let servers = &mut self.settings.mcp.servers;
        for server in found.servers {
            if servers.iter().all(|it| it.name != server.name) {
                put(server, servers);
            }
        }
        let refused = found.refused.into_iter().take(MAX_NAMED);
        self.notices
            .extend(refused.map(|why| format!("{name}: the server {why}; it is left out")));
    }

    fn lay_model(&mut self, model: ModelPatch, origin: &SettingOrigin) {
        for (key, _) in model.own.values() {
            let at = (model.name.clone(), key);
            self.model_origins.insert(at, origin.clone());
        }
        model.apply(&mut self.settings.models);
    }

    fn ignore(&mut self, origin: SettingOrigin, key: &str, setting: Option<&'static str>) {
        self.ignored.push(IgnoredSetting {
            key: key.to_owned(),
            setting,
            origin,
        });
    }

    /// One notice for all that a project says and may not say.
    fn say_ignored(&mut self, file: &SourceFile) {
        self.ignored.sort_by_key(|it| match it.origin {
            SettingOrigin::ProjectFile { line, .. } => line,
            _ => 0,
        });
        let named = self
            .ignored
            .iter()
            .take(MAX_NAMED)
            .map(|it| match it.origin {
                SettingOrigin::ProjectFile { line, .. } => format!("`{}` (line {line})", it.key),
                _ => format!("`{}`", it.key),
            });
        let mut named: Vec<String> = named.collect();
        let (what, verb) = match self.ignored.len() {
            0 => return,
            1 => ("1 setting".to_owned(), "is"),
            count => (format!("{count} settings"), "are"),
        };
        if let Some(more) = self.ignored.len().checked_sub(MAX_NAMED + 1) {
            named.push(format!("and {} more", more + 1));
        }
        let dir = project_dir(&file.path).unwrap_or(Path::new("."));
        self.notices.push(format!(
            "{}: {what} {verb} ignored, because this project is not trusted: {}. To trust it, \
             add {} to trusted_dirs in your own configuration",
            file.path.display(),
            named.join(", "),
            SettingValue::Text(dir.display().to_string())
        ));
    }

    fn lay_environment(&mut self, sources: &SettingSources) -> Result<(), ConfigError> {
        // https://no-color.org: any non-empty value; our own variable is more specific.
        if sources
            .environment
            .get("NO_COLOR")
            .is_some_and(|v| !v.is_empty())
        {
            self.settings.ui.color = false;
            self.origins
                .insert("color", SettingOrigin::Environment("NO_COLOR".to_owned()));
        }
        for setting in all_settings() {
            let variable = setting.variable();
            if let Some(text) = sources.environment.get(&variable) {
                let value = setting.parse_text(text);
                let origin = SettingOrigin::Environment(variable);
                self.apply(setting, setting.key, value, origin, &sources.cwd)?;
            }
        }
        for name in sources.environment.keys() {
            let Some(tail) = name.strip_prefix("PLIMSOLL_") else {
                continue;
            };
            let known = all_settings().any(|setting| setting.variable() == *name);
            if !known && !OTHER_VARIABLES.contains(&name.as_str()) {
                let hint = nearest_hint(&tail.to_lowercase());
                self.notices
                    .push(format!("{name} is ignored: unknown setting; {hint}"));
            }
        }
        Ok(())
    }

    fn lay_flags(&mut self, sources: &SettingSources) -> Result<(), ConfigError> {
        for flag in &sources.flags {
            let origin = SettingOrigin::Flag(flag.flag.clone());
            let has_row = find(&flag.key).is_some();
            let may_be_row = ["keys.", "mcp."].iter().any(|it| flag.key.starts_with(it));
            if may_be_row && !has_row
                || flag.key.starts_with("models.")
                || flag.key.starts_with("providers.")
            {
                self.lay_flag_table(flag)?;
                continue;
            }
            let Some((setting, alias)) = find(&flag.key) else {
                return Err(ConfigError::unknown_key(&origin, &flag.key));
            };
            let value = match (&flag.value, alias) {
                (SettingValue::Text(text), None) => setting.parse_text(text),
                (SettingValue::List(items), None) if flag.adds => {
                    let mut all = match setting.get(&self.settings) {
                        SettingValue::List(present) => present,
                        _ => Vec::new(),
                    };
                    all.extend(items.iter().cloned());
                    SettingValue::List(all)
                }
                (value, None) => value.clone(),
                (_, Some(_)) => {
                    return Err(ConfigError::unknown_key(&origin, &flag.key)
                        .with_hint(format!("its name here is `{}`", setting.key)));
                }
            };
            self.apply(setting, setting.key, value, origin, &sources.cwd)?;
        }
        Ok(())
    }

    /// `-S 'models."provider/model".window=32000'`: one line of a file.
    fn lay_flag_table(&mut self, flag: &FlagSetting) -> Result<(), ConfigError> {
        let text = match &flag.value {
            // A key is a bare word on the command line.
            SettingValue::Text(text) if flag.key.starts_with("keys.") && !text.starts_with('[') => {
                format!("{} = {}", flag.key, SettingValue::Text(text.clone()))
            }
            SettingValue::Text(text) => format!("{} = {text}", flag.key),
            value => format!("{} = {value}", flag.key),
        };
        let raw = parse(TomlText {
            name: &flag.flag,
            text: &text,
        })?;
        for provider in raw.providers {
            provider.apply(&mut self.settings.providers);
        }
        for model in raw.models {
            self.lay_model(model, &SettingOrigin::Flag(flag.flag.clone()));
        }
        for keys in raw.keys {
            let origin = SettingOrigin::Flag(flag.flag.clone());
            keys.apply(origin, &mut self.settings.ui.keys);
        }
        for server in raw.mcp {
            let origin = SettingOrigin::Flag(flag.flag.clone());
            server.apply(origin, &mut self.settings.mcp.servers);
        }
        if let Some(entry) = raw.entries.first() {
            let origin = SettingOrigin::Flag(flag.flag.clone());
            return Err(ConfigError::unknown_key(&origin, &entry.key));
        }
        Ok(())
    }

    /// One value from one place. `dir` is what `@FILE` is relative to.
    fn apply(
        &mut self,
        setting: &'static Setting,
        key: &str,
        value: SettingValue,
        origin: SettingOrigin,
        dir: &Path,
    ) -> Result<(), ConfigError> {
        let value = read_mention(setting.kind, value, &origin, key, dir)?;
        setting
            .set(&mut self.settings, &value)
            .map_err(|expected| ConfigError::bad_value(&origin, key, &value, &expected))?;
        self.origins.insert(setting.key, origin);
        Ok(())
    }
}

/// `@FILE` in settings that take a longer text. A template's file gives its headings.
fn read_mention(
    kind: SettingKind,
    value: SettingValue,
    origin: &SettingOrigin,
    key: &str,
    dir: &Path,
) -> Result<SettingValue, ConfigError> {
    let name = match (kind, value.as_text()) {
        (SettingKind::Prompt | SettingKind::Template, Some(text)) => text.strip_prefix('@'),
        _ => None,
    };
    let Some(name) = name else {
        return Ok(value);
    };
    let path = dir.join(name);
    let read = match origin {
        SettingOrigin::Flag(_) => open::read_typed_text(&path, MAX_FILE_BYTES),
        _ => open::read_text(&path, MAX_FILE_BYTES),
    };
    let text = read.map_err(|error| {
        ConfigError::new(format!(
            "{origin}: the file {} of `{key}` cannot be read: {error}",
            path.display()
        ))
    })?;
    if kind == SettingKind::Prompt {
        return Ok(SettingValue::Text(text));
    }
    let headings = text.lines().filter_map(|line| line.strip_prefix("## "));
    Ok(SettingValue::List(
        headings
            .map(|heading| SettingValue::Text(heading.trim().to_owned()))
            .collect(),
    ))
}
