//! Which settings are listed, and how their values and origins are written.

use crate::agent::SettingState;
use crate::config::{GROUPS, SettingOrigin, SettingValue, find};
use crate::tui::overlay::lists::picker;

/// Positions of what matches, best first; all of them, in their order, when nothing is
/// sought.
pub(super) fn found(rows: &[SettingState], sought: &str) -> Vec<usize> {
    if sought.trim().is_empty() {
        return (0..rows.len()).collect();
    }
    let by_key = rows.iter().map(|row| row.key.to_owned());
    let mut found = picker::ranked(sought, by_key);
    // What is called so comes before what mentions it.
    let words = sought.to_lowercase();
    for (at, row) in rows.iter().enumerate() {
        let help = find(row.key).map_or("", |(setting, _)| setting.help);
        let help = help.to_lowercase();
        if !found.contains(&at) && words.split_whitespace().all(|word| help.contains(word)) {
            found.push(at);
        }
    }
    found
}

/// The title of the group that a setting is in.
pub(super) fn group(key: &str) -> &'static str {
    let of = |group: &&crate::config::SettingGroup| group.rows.iter().any(|row| row.key == key);
    GROUPS.iter().find(of).map_or("", |group| group.title)
}

/// The value as it is shown; what it means when there is none; and the other one that the
/// next start may have.
pub(super) fn shown(state: &SettingState) -> String {
    let value = in_words(state.key, &state.value);
    match &state.next_start {
        Some(next) => format!("{value} → {}", in_words(state.key, &next.value)),
        None => value,
    }
}

/// The value that is changed further: the one that waits for the next start before the one
/// in force.
pub(super) fn newest(state: &SettingState) -> &SettingValue {
    let next = state.next_start.as_ref();
    next.map_or(&state.value, |next| &next.value)
}

/// A value, or what it means when there is none.
pub(super) fn in_words(key: &str, value: &SettingValue) -> String {
    let unset = find(key).and_then(|(setting, _)| setting.unset);
    match (value, unset) {
        (SettingValue::None, Some(unset)) => unset.to_owned(),
        (SettingValue::Text(text), _) => text.clone(),
        (value, _) => value.to_string(),
    }
}

/// The value as it is edited.
pub(super) fn editable(value: &SettingValue) -> String {
    match value {
        SettingValue::None => String::new(),
        SettingValue::Text(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Where a value came from, in few columns.
pub(super) fn short_origin(origin: &SettingOrigin) -> String {
    match origin {
        SettingOrigin::UserFile { path, line } => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("{name}:{line}")
        }
        SettingOrigin::ProjectFile { line, .. } => format!(".plimsoll:{line}"),
        origin => origin.to_string(),
    }
}
