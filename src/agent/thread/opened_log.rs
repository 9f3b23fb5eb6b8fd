//! Opens or begins the file of a session, and says what was wrong with it.

use std::path::{Path, PathBuf};

use crate::agent::protocol::Notice;
use crate::agent::setup::{AgentSetup, SessionSource};
use crate::foreign;
use crate::session::{self, Access, Header, LoadedSession, SessionError, SessionLog, session_file};
use crate::transcript::{Timestamp, Transcript};

/// The file of a session.
pub(super) enum OpenedLog {
    /// Not yet written.
    Fresh(Header),
    /// Not yet written, with a conversation to begin with.
    Begun(Header, Transcript),
    /// Read.
    Existing(Box<LoadedSession>),
}

/// A session whose file is still to be begun.
fn begin(path: &Path, header: Header) -> (SessionLog, OpenedLog) {
    (SessionLog::create(path, &header), OpenedLog::Fresh(header))
}

/// Opens what a setup names, or begins it.
pub(super) fn open_log(
    setup: &AgentSetup,
    source: &SessionSource,
    now: Timestamp,
) -> Result<(SessionLog, OpenedLog), SessionError> {
    let clock = setup.clock;
    let header = || {
        let cwd = setup.cwd.display().to_string();
        let Some(role) = &setup.child else {
            return Header::new(clock.session_id(), now, cwd);
        };
        let mut header = Header::new(role.session.clone(), now, cwd);
        header.parent_session = role.caller.as_ref().map(|it| it.display().to_string());
        header
    };
    let open = |path: &PathBuf| {
        let (log, loaded) = SessionLog::open(path, now)?;
        Ok((log, OpenedLog::Existing(Box::new(loaded))))
    };
    match source {
        SessionSource::Memory => Ok((SessionLog::in_memory(), OpenedLog::Fresh(header()))),
        SessionSource::Practice => {
            let loaded = session::read(crate::agent::sessions::practice::SESSION, &setup.cwd)?;
            let begun = OpenedLog::Begun(header(), loaded.transcript);
            Ok((SessionLog::in_memory(), begun))
        }
        SessionSource::New => {
            let header = header();
            let path = session_file(&setup.paths.sessions_dir(), &setup.cwd, now, &header.id);
            Ok((SessionLog::create(path, &header), OpenedLog::Fresh(header)))
        }
        SessionSource::File(path) if !path.exists() => Ok(begin(path, header())),
        // Somebody was killed, or had no space, before the first byte.
        SessionSource::File(path) | SessionSource::Open(path) if session::is_unbegun(path) => {
            Ok(begin(path, header()))
        }
        SessionSource::File(path) | SessionSource::Open(path) => open(path),
        SessionSource::Read(path) => {
            let loaded = foreign::load(path)?;
            let log = SessionLog::in_memory();
            Ok((log, OpenedLog::Existing(Box::new(loaded))))
        }
    }
}

/// More problems of a file than this are counted, not listed.
const MAX_LISTED: usize = 3;

/// What was wrong with the file.
pub(super) fn load_notices(loaded: &LoadedSession) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    if let Some(torn) = &loaded.torn {
        notices.push(
            Notice::warning("the session's last line was incomplete and was moved out of the file")
                .with_hint(format!("it is kept in {}", torn.display())),
        );
    }
    if loaded.recovered.is_some() {
        notices.push(Notice::warning(
            "recovered the part of an answer that was streaming when the program ended",
        ));
    }
    for problem in loaded.problems.iter().take(MAX_LISTED) {
        let place = if problem.line == 0 {
            String::new()
        } else {
            format!("line {}: ", problem.line)
        };
        notices.push(Notice::warning(format!(
            "session file, {place}{}",
            problem.what
        )));
    }
    if loaded.problems.len() > MAX_LISTED {
        let more = loaded.problems.len() - MAX_LISTED;
        notices.push(Notice::warning(format!(
            "session file: {more} more lines were skipped"
        )));
    }
    if !matches!(loaded.access, Access::Write | Access::Opened) {
        notices.push(
            Notice::warning(format!("this session is {}", loaded.access))
                .with_hint("reading and searching still work; /new starts a session of its own"),
        );
    }
    notices
}
