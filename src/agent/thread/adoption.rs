//! A session of another program that is to be continued: it is imported first, and the import
//! is what is opened.

use crate::agent::protocol::Notice;
use crate::agent::setup::{AgentSetup, SessionSource};
use crate::context::rules::{RuleBook, RuleState};
use crate::foreign::{self, ImportTarget, ImportedSession};
use crate::session::SessionError;
use crate::transcript::{Timestamp, Transcript};

/// The session to open in the place of the one that is asked for, and what an import has to
/// say.
pub(super) struct Adoption {
    pub source: SessionSource,
    pub notices: Vec<Notice>,
    is_new: bool,
}

impl Adoption {
    /// Imports what another program wrote; everything else stays what it is.
    pub(super) fn of(setup: &AgentSetup, now: Timestamp) -> Result<Self, SessionError> {
        let as_it_is = Self {
            source: setup.source.clone(),
            notices: Vec::new(),
            is_new: false,
        };
        let SessionSource::Open(path) = &setup.source else {
            return Ok(as_it_is);
        };
        let sessions = setup.paths.sessions_dir();
        let target = ImportTarget {
            sessions: &sessions,
            cwd: None,
            now,
        };
        let Some(imported) = foreign::adopt(path, target, &setup.cwd)? else {
            return Ok(as_it_is);
        };
        Ok(Self {
            notices: notices(&imported),
            is_new: imported.state == "new",
            source: SessionSource::Open(imported.path),
        })
    }

    /// Says which rules of an import wait for a confirmation.
    pub(super) fn rules_notice(&self, transcript: &Transcript) -> Option<Notice> {
        if !self.is_new {
            return None;
        }
        let rules = RuleBook::of(transcript).rules;
        let possible = rules.iter().filter(|it| it.state == RuleState::Possible);
        let text = match possible.count() {
            0 => return None,
            1 => "1 possible rule is in the imported messages; it is not active".to_owned(),
            many => format!("{many} possible rules are in the imported messages; none is active"),
        };
        Some(Notice::info(text).with_hint("/rules shows them and confirms those that hold here"))
    }
}

fn notices(imported: &ImportedSession) -> Vec<Notice> {
    let source = &imported.source;
    let text = match imported.state {
        "new" => format!("imported from {source}: {}", imported.size_words()),
        "grown" => format!("the session of {source} has grown: its new part was imported"),
        "branched" => format!(
            "the session of {source} has grown, and so has this one: the new part there is a \
             branch here"
        ),
        "in-use" => format!("the import of this session of {source} is open in another process"),
        _ => format!("this import of a session of {source} is up to date"),
    };
    let mut notice = Notice::info(text);
    if let Some(first) = imported.lost.first() {
        let more = match imported.lost.len() - 1 {
            0 => String::new(),
            more => format!("; {more} more: plim sessions --json lists them"),
        };
        let (place, reason) = (&first.place, &first.reason);
        notice = notice.with_hint(format!("not carried over, {place}: {reason}{more}"));
    }
    vec![notice]
}
