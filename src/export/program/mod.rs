//! A session as the file of another program, which can continue it.
//!
//! - `plan`: the active branch as all of them keep one; `claude`, `codex`: it in their forms;
//!   `pi`: the tree in the form that is ours and theirs.
//! - `losses`: what a file cannot say; `ids`: ids in the forms that they want.
//!
//! A file is written whole and new. It never goes into a session of theirs that exists.

mod claude;
mod codex;
mod ids;
mod losses;
mod pi;
mod plan;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;

pub use self::losses::ExportLoss;
use self::plan::{ExportPlan, Step, StepBody};
use crate::session::Header;
use crate::transcript::{EntryBody, Timestamp, Transcript};

/// A program that can continue a session of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiverProgram {
    /// Claude Code.
    ClaudeCode,
    /// codex.
    Codex,
    /// pi, and OpenClaw, which has its format.
    Pi,
}

impl ReceiverProgram {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::ClaudeCode, Self::Codex, Self::Pi];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Pi => "pi",
        }
    }

    /// The program of this name; `claude` is enough.
    pub fn from_name(name: &str) -> Option<Self> {
        let is_it = |it: &Self| it.name() == name || *it == Self::ClaudeCode && name == "claude";
        Self::ALL.into_iter().find(is_it)
    }

    /// The folder that holds its sessions: the variable that names it, and where it is below
    /// the home folder otherwise.
    pub fn home(self) -> ProgramHome {
        match self {
            Self::ClaudeCode => ProgramHome {
                variable: "CLAUDE_CONFIG_DIR",
                below_home: ".claude",
            },
            Self::Codex => ProgramHome {
                variable: "CODEX_HOME",
                below_home: ".codex",
            },
            Self::Pi => ProgramHome {
                variable: "PI_CODING_AGENT_DIR",
                below_home: ".pi/agent",
            },
        }
    }

    /// The command that continues a session; `file` is where it lies.
    pub fn resume_command(self, session: &str, file: &str) -> String {
        match self {
            Self::ClaudeCode => format!("claude --resume {session}"),
            Self::Codex => format!("codex resume {session}"),
            Self::Pi => format!("pi --session {file}"),
        }
    }
}

impl fmt::Display for ReceiverProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a program keeps its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramHome {
    /// The variable of the environment that names the folder.
    pub variable: &'static str,
    /// The folder below the home folder when it is not set.
    pub below_home: &'static str,
}

/// A session in the form of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeSession {
    /// The file.
    pub bytes: Vec<u8>,
    /// That program's id of it.
    pub session: String,
    /// Where it looks for it, below its own folder.
    pub file: PathBuf,
    /// What the session has and the file cannot say.
    pub losses: Vec<ExportLoss>,
    /// The files beside it: those of its sub-agents, and what that program keeps of each.
    pub beside: Vec<NativeFile>,
}

/// A file beside a session in the form of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeFile {
    /// Where it is looked for, below that program's own folder.
    pub file: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A sub-agent of a session: a session of its own.
#[derive(Clone, Debug)]
pub struct SubAgent {
    /// Its header.
    pub header: Header,
    /// Its conversation.
    pub transcript: Transcript,
}

/// The session of an export.
pub(super) struct ExportedSession<'a> {
    pub(super) header: &'a Header,
    pub(super) transcript: &'a Transcript,
    first_model: Option<String>,
    /// Which export of the session it is, counted from 1.
    number: u32,
    /// The session that started this one, for a sub-agent.
    parent: Option<ParentSession>,
    /// The headers of its sub-agents.
    agents: Vec<&'a Header>,
}

/// The session that started a sub-agent, as the other program knows it.
#[derive(Clone, Debug)]
struct ParentSession {
    /// Its id there.
    id: String,
    /// Its file there.
    file: PathBuf,
}

impl ExportedSession<'_> {
    /// What the ids of the file are derived from: the same export gives the same ids, another
    /// export of the session gives others.
    fn seed(&self, program: &str) -> String {
        self.seed_of(program, self.header)
    }

    /// The same of another session that is written with it.
    fn seed_of(&self, program: &str, header: &Header) -> String {
        match self.number {
            1 => format!("{program}/{}", header.id),
            number => format!("{program}/{}/export-{number}", header.id),
        }
    }

    /// The session's name; `None` where it has none.
    fn title(&self) -> Option<String> {
        self.transcript.ancestors().find_map(|it| match &it.body {
            EntryBody::SessionInfo { name } if !name.trim().is_empty() => Some(name.clone()),
            _ => None,
        })
    }

    /// When a step happened: some programs list no session with a line that lacks a time.
    fn time_of(&self, step: &Step) -> Timestamp {
        if step.at.0 > 0 {
            step.at
        } else {
            self.header.timestamp
        }
    }

    /// The model of the first answer.
    fn first_model(&self) -> Option<&str> {
        self.first_model.as_deref()
    }
}

/// A session that is to be written for another program.
#[derive(Clone, Copy, Debug)]
pub struct NativeExport<'a> {
    /// That program.
    pub receiver: ReceiverProgram,
    /// The session's header.
    pub header: &'a Header,
    /// Its conversation.
    pub transcript: &'a Transcript,
    /// Its sub-agents.
    pub agents: &'a [SubAgent],
    /// Which export of the session it is, counted from 1. Each has ids of its own: the other
    /// program may have continued an earlier one.
    pub number: u32,
}

/// The active branch of a session as a file of another program, and its sub-agents beside it.
pub fn native(export: NativeExport<'_>) -> NativeSession {
    let NativeExport {
        receiver, number, ..
    } = export;
    let of_agent = |header, transcript, parent| ExportedSession {
        header,
        transcript,
        first_model: None,
        number,
        parent,
        agents: Vec::new(),
    };
    let mut session = of_agent(export.header, export.transcript, None);
    session.agents = export.agents.iter().map(|agent| &agent.header).collect();
    let mut native = write(receiver, session);
    for agent in export.agents {
        let parent = ParentSession {
            id: native.session.clone(),
            file: native.file.clone(),
        };
        let child = of_agent(&agent.header, &agent.transcript, Some(parent));
        let child = write(receiver, child);
        native.beside.push(NativeFile {
            file: child.file,
            bytes: child.bytes,
        });
        native.beside.extend(child.beside);
        native.losses.extend(child.losses);
    }
    native
}

fn write(receiver: ReceiverProgram, mut session: ExportedSession<'_>) -> NativeSession {
    let plan = ExportPlan::of(session.transcript);
    let mut models = plan.steps.iter().filter_map(|step| match &step.body {
        StepBody::Answer { model, .. } if !model.is_empty() => Some(model.clone()),
        _ => None,
    });
    session.first_model = models.next();
    match receiver {
        ReceiverProgram::ClaudeCode => claude::write(&session, plan),
        ReceiverProgram::Codex => codex::write(&session, plan),
        ReceiverProgram::Pi => pi::write(&session),
    }
}
