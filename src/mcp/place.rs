//! Where servers run and are asked from.

use std::path::PathBuf;

use super::link::process::ProgramPlace;
use crate::config::EnvironmentVars;
use crate::provider::Trust;

/// Where servers run, and where their lists and logins are kept.
#[derive(Clone, Default)]
pub struct McpPlace {
    /// The working directory.
    pub cwd: PathBuf,
    /// A snapshot of the environment.
    pub environment: EnvironmentVars,
    /// The file of the lists of the last time.
    pub lists_file: PathBuf,
    /// The file of logins and keys.
    pub credentials_file: PathBuf,
    /// The certificates that servers which are reached by HTTP are checked against.
    pub trust: Trust,
}

impl McpPlace {
    /// Where programs run, and what fills the variables of descriptions.
    pub(super) fn programs(&self) -> ProgramPlace {
        ProgramPlace {
            cwd: self.cwd.clone(),
            environment: self.environment.clone(),
        }
    }
}
