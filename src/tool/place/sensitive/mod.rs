//! Files in a workspace that are asked about by name: those that hold secrets, before they
//! are read, and those that other programs load or run, before they are written.
//!
//! Names are compared as the most careless file system would compare them: without case,
//! dots and blanks at the end, and characters that are not seen.

mod table;

use std::ffi::OsStr;
use std::path::{Component, Path};

use self::table::{
    KEY_KINDS, LOADED_PATHS, LoadedPath, NamePlace, SECRET_FOLDERS, SECRET_NAMES, SECRET_SUFFIXES,
    SOURCE_SUFFIXES, TEMPLATE_WORDS,
};

/// Whether the file has a name as files with keys and passwords have, or is in a folder of
/// such files.
pub(in crate::tool) fn holds_secrets(path: &Path) -> bool {
    let names = names(path);
    let is_in_folder = names
        .iter()
        .any(|name| SECRET_FOLDERS.contains(&name.as_str()));
    is_in_folder || names.last().is_some_and(|name| is_secret_name(name))
}

/// Why another program would load or run the file, or what is in it; `None` for what is only
/// source, data or text.
pub(in crate::tool) fn loaded_by(path: &Path) -> Option<&'static str> {
    let names = names(path);
    let is_it = |row: &LoadedPath| {
        let is_named = |name: &String| row.names.contains(&name.as_str());
        match row.place {
            NamePlace::Anywhere => names.iter().any(is_named),
            NamePlace::File => names.last().is_some_and(is_named),
            NamePlace::FileSuffix => names
                .last()
                .is_some_and(|name| row.names.iter().any(|suffix| name.ends_with(suffix))),
        }
    };
    LOADED_PATHS
        .iter()
        .find(|row| is_it(row))
        .map(|row| row.why)
}

/// Whether a glob matches source files only, which hold no secrets.
pub(in crate::tool) fn is_source_glob(glob: &str) -> bool {
    glob.rsplit_once('.')
        .is_some_and(|(_, suffix)| SOURCE_SUFFIXES.contains(&suffix))
}

fn is_secret_name(name: &str) -> bool {
    let is_template = name
        .split(['.', '-', '_'])
        .any(|word| TEMPLATE_WORDS.contains(&word));
    let suffix = name.rsplit_once('.').map(|(_, suffix)| suffix);
    let is_source = suffix.is_some_and(|suffix| SOURCE_SUFFIXES.contains(&suffix));
    let is_environment = name == ".env"
        || name.starts_with(".env.")
        || name.starts_with(".env-")
        || name.starts_with(".env_");
    if is_environment || suffix == Some("env") {
        return !is_template;
    }
    if let Some(kind) = name.strip_prefix("id_") {
        let is_known = KEY_KINDS.iter().any(|it| kind.starts_with(it));
        return suffix != Some("pub") && (is_known || suffix.is_none());
    }
    let stem = name.trim_start_matches(['.', '_']);
    let is_credentials = stem.starts_with("credentials")
        || stem.starts_with("kubeconfig")
        || stem.starts_with("service-account")
        || stem.starts_with("service_account")
        || stem.ends_with("credentials.json")
        || stem.split('.').next() == Some("secrets");
    SECRET_NAMES.contains(&name)
        || suffix.is_some_and(|suffix| SECRET_SUFFIXES.contains(&suffix))
        || (is_credentials && !is_source && !is_template)
}

/// The names on the way, as they are compared.
fn names(path: &Path) -> Vec<String> {
    path.components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(compared(name)),
            _ => None,
        })
        .collect()
}

fn compared(name: &OsStr) -> String {
    let is_seen = |letter: &char| {
        !matches!(letter, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
    };
    let seen: String = name.to_string_lossy().chars().filter(is_seen).collect();
    seen.trim_end_matches(['.', ' ']).to_lowercase()
}

#[cfg(test)]
mod tests;
