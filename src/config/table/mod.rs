//! The one table of settings. The loader, `plim config show`, `/settings`, the documented
//! default file and the table in the README are made from it; a new setting is one more
//! row, in the file of its group.

mod agent;
mod applies;
mod compaction;
pub(super) mod field;
mod guard;
mod hooks;
pub(super) mod kind;
mod network;
mod prune;
mod row;
mod screen;
mod tools;
mod unknown;
mod window;

pub use applies::{ChangeEffect, InterfaceKind, InterfacePart, LivePart};
pub use row::{Setting, SettingAlias};
pub(super) use unknown::nearest_hint;

/// Settings that belong together.
pub struct SettingGroup {
    /// E.g. `Pruning`.
    pub title: &'static str,
    /// In the order in which they are shown.
    pub rows: &'static [Setting],
}

const fn group(title: &'static str, rows: &'static [Setting]) -> SettingGroup {
    SettingGroup { title, rows }
}

/// All settings by group, in the order in which they are shown.
pub static GROUPS: [SettingGroup; 9] = [
    group("The agent", agent::ROWS),
    group("Tools and approvals", tools::ROWS),
    group("The network", network::ROWS),
    group("The window", window::ROWS),
    group("Pruning", prune::ROWS),
    group("Large results and attachments", guard::ROWS),
    group("Compaction and audit", compaction::ROWS),
    group("Hooks", hooks::ROWS),
    group("The terminal", screen::ROWS),
];

/// All settings, in the order in which they are shown.
pub fn all_settings() -> impl Iterator<Item = &'static Setting> + Clone {
    GROUPS.iter().flat_map(|group| group.rows)
}

/// The setting with this key or alias; with an alias, how to read its values.
pub fn find(key: &str) -> Option<(&'static Setting, Option<&'static SettingAlias>)> {
    let by_key = all_settings().find(|setting| setting.key == key);
    by_key.map(|setting| (setting, None)).or_else(|| {
        all_settings().find_map(|setting| setting.alias(key).map(|alias| (setting, Some(alias))))
    })
}
