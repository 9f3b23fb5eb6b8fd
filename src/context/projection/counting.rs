//! Whether a provider's count is the count of the list: not while an engine chooses what is
//! sent of it.

use super::Projection;
use crate::transcript::EngineMark;

/// Whether a provider's count is the count of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CountSharing {
    /// The requests carried the list.
    #[default]
    Shared,
    /// From here on the requests carry what an engine chose of the list.
    Paused,
    /// An engine chooses from the list: it is never what is sent.
    Never,
}

impl CountSharing {
    /// As a branch begins.
    pub(super) fn at_beginning(self) -> Self {
        match self {
            Self::Shared | Self::Paused => Self::Shared,
            Self::Never => Self::Never,
        }
    }
}

impl Projection {
    /// Counts of providers are not shared out: an engine chooses what is sent.
    pub(in crate::context) fn without_counts(mut self) -> Self {
        self.learnt.counting = CountSharing::Never;
        self
    }

    /// Whether an engine chooses from the list what is sent.
    pub(in crate::context) fn is_chosen_from(&self) -> bool {
        self.learnt.counting == CountSharing::Never
    }

    /// From here on another engine makes the requests.
    pub(super) fn heed_engine(&mut self, mark: &EngineMark) {
        if self.learnt.counting != CountSharing::Never {
            self.learnt.counting = if mark.is_choosing {
                CountSharing::Paused
            } else {
                CountSharing::Shared
            };
        }
    }
}
