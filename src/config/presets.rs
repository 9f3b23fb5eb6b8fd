//! Presets: named sets of context settings, embedded as files of the same form as the
//! user's own. Not a mode: everything in them is a setting that can be overridden.

use super::error::Origin;

/// A set of context settings that the user's own are laid over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// What this program does by itself.
    #[default]
    Default,
    /// As OpenClaw is documented to behave.
    Openclaw,
    /// As OpenCode is documented to behave.
    Opencode,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Default, Self::Openclaw, Self::Opencode];

    /// The name in settings and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Openclaw => "openclaw",
            Self::Opencode => "opencode",
        }
    }

    /// The file, as TOML.
    pub fn text(self) -> &'static str {
        match self {
            Self::Default => include_str!("../../assets/presets/default.toml"),
            Self::Openclaw => include_str!("../../assets/presets/openclaw.toml"),
            Self::Opencode => include_str!("../../assets/presets/opencode.toml"),
        }
    }

    /// Where its values come from.
    pub fn origin(self) -> Origin {
        match self {
            Self::Default => Origin::Default,
            other => Origin::Preset(other.name()),
        }
    }
}
