//! The common start of commands: flags, findings and session.

use plimsoll::agent::{OfflineSession, SessionSource};
use plimsoll::cli::{CommonArgs, SessionArg};

use super::output::warn;
use crate::launch::{ExitFailure, Launch};

/// Where a command runs.
pub(super) struct CommandSetup<'a> {
    pub(super) common: &'a CommonArgs,
    pub(super) launch: Launch,
}

impl CommandSetup<'_> {
    /// The session of a command, to be looked at.
    pub(super) async fn look(&self, session: &SessionArg) -> Result<OfflineSession, ExitFailure> {
        let path = self.launch.session_to_read(self.common, session)?;
        self.open(SessionSource::Read(path)).await
    }

    /// The session of a command, to be added to. Fails when it cannot be written.
    pub(super) async fn change(&self, session: &SessionArg) -> Result<OfflineSession, ExitFailure> {
        let path = self.launch.session_to_read(self.common, session)?;
        let offline = self.open(SessionSource::Open(path)).await?;
        match offline.conversation.read_only() {
            None => Ok(offline),
            Some(why) => Err(not_writable(&why)),
        }
    }

    /// A session, opened without a turn.
    pub(super) async fn open(&self, source: SessionSource) -> Result<OfflineSession, ExitFailure> {
        let (offline, notices) = OfflineSession::open(self.launch.setup(source, false)).await?;
        for notice in notices {
            warn(&notice);
        }
        Ok(offline)
    }
}

pub(super) fn not_writable(why: &str) -> ExitFailure {
    ExitFailure::failed(format!("nothing was changed: the session is {why}"))
        .with_hint("close the other program or make the file writable, then try again")
}
