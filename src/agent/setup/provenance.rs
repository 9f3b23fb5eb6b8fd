//! Where the settings in force came from.

use std::collections::BTreeMap;

use crate::agent::protocol::NextStart;
use crate::config::{CommandLine, ResolvedSettings, SettingOrigin, SettingValue};

/// Where the settings in force came from.
#[derive(Clone, Debug, Default)]
pub struct SettingOrigins {
    pub(in crate::agent) command_line: CommandLine,
    pub(in crate::agent) origins: BTreeMap<&'static str, SettingOrigin>,
    /// Values of this session as they were written, before `@FILE` was read.
    pub(in crate::agent) written: BTreeMap<&'static str, SettingValue>,
    /// Other values of settings that are read at the start.
    pub(in crate::agent) next_start: BTreeMap<&'static str, NextStart>,
}

impl SettingOrigins {
    /// The settings at the start.
    pub fn new(command_line: CommandLine, resolved: &ResolvedSettings) -> Self {
        Self {
            command_line,
            origins: resolved.origins.clone(),
            ..Self::default()
        }
    }
}
