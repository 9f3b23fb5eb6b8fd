//! Tools: what a model may do on this machine, and who has to agree first.
//!
//! A call is planned (arguments checked, a diff made, paths outside the workspace named),
//! then decided on by the policy, then run under cancellation. Tools answer in pages and
//! say how to get the rest; they never ask the user themselves.

mod approval;
mod arguments;
mod command;
mod edit;
mod guardian;
mod job;
mod jobs;
mod list;
mod nearest;
mod open_folder;
mod page;
mod path;
mod read;
mod read_log;
mod registry;
mod repository;
mod save;
mod sealed;
mod search;
mod sensitive;
mod shell;
#[cfg(test)]
mod test_scope;
mod text_file;
mod todo;
mod write;

pub use approval::{ApprovalMode, ApprovalPolicy, Grant, Permission, Verdict};
pub use command::{is_outdated as is_outdated_pattern, narrowing as pattern_narrowing};
pub use edit::EditTool;
pub use guardian::Guarded;
pub use job::JobTool;
pub use jobs::{JobEnd, JobInfo, Jobs};
pub use list::ListTool;
pub use path::{ResolvedPath, resolve};
pub use read::ReadTool;
pub use read_log::{FileStamp, ReadLog, ReadState};
pub use registry::ToolSet;
pub use repository::KnownRepository;
pub use sealed::SealedPlaces;
pub use search::SearchTool;
pub use shell::ShellTool;
pub use todo::TodoTool;
pub use write::WriteTool;

use std::path::PathBuf;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use self::command::CommandFacts;
use crate::checkpoint::{Noted, Watch};
use crate::transcript::{FileRecord, Part, ToolSchema};

/// Something that a model can call.
pub trait Tool: Send + Sync {
    /// Name, description and argument schema, stable from run to run.
    fn schema(&self) -> ToolSchema;

    /// What a call can do to the machine; decides whether approval is needed.
    fn effect(&self) -> Effect;

    /// Whether a later identical call makes an earlier result pointless: read-only,
    /// and the answer describes the present state.
    fn is_repeatable(&self) -> bool {
        false
    }

    /// What a call would do, for approvals and cards. Fails when the arguments are
    /// wrong: then the call is answered with that error and never run.
    fn plan(&self, arguments: &Map<String, Value>, scope: &ToolScope) -> Result<Plan, ToolError>;

    /// Runs a call. Ends soon after `job.cancel` fires, leaving nothing running.
    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome>;
}

/// What a call can do to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Looks only.
    Read,
    /// Changes files in the workspace.
    Edit,
    /// Runs programs.
    Execute,
}

/// Where tools work.
#[derive(Clone, Debug)]
pub struct ToolScope {
    /// Directory that relative paths refer to and commands run in.
    pub cwd: PathBuf,
    /// Further directories that tools may touch without asking.
    pub extra_dirs: Vec<PathBuf>,
    /// What was read and when, to refuse edits of files that changed since.
    pub reads: Arc<ReadLog>,
    /// Commands that run in the background.
    pub jobs: Arc<Jobs>,
    /// Variables that commands do not get: what holds the program's own keys is nothing
    /// that a model may read or a log may keep.
    pub withheld: Arc<[String]>,
    /// What `~` stands for; `None` refuses it.
    pub home: Option<PathBuf>,
    /// Folder for output that is too long for a page. Readable without asking; `None`
    /// keeps nothing.
    pub spill_dir: Option<PathBuf>,
    /// Keeps what files were before they are changed.
    pub watch: Arc<Watch>,
    /// The program's own files.
    pub sealed: Arc<SealedPlaces>,
    /// The repository that git commands are known to use.
    pub repository: Arc<KnownRepository>,
}

/// One run of a tool.
#[derive(Debug)]
pub struct ToolJob {
    /// Where it works.
    pub scope: ToolScope,
    /// Output as it appears, for the screen; dropping pieces is fine.
    pub progress: mpsc::Sender<String>,
    /// Fires when the user stops it.
    pub cancel: CancellationToken,
    /// Fires when the user wants it to go on in the background.
    pub detach: CancellationToken,
    /// Takes what is about to change, for the log.
    pub notes: mpsc::Sender<Noted>,
    /// Where the path of the plan led that was agreed to; a call does not follow it elsewhere.
    pub target: Option<PathBuf>,
}

impl ToolJob {
    /// Fails when a path leads elsewhere than it did when the call was agreed to.
    fn check_target(&self, path: &ResolvedPath) -> Result<(), ToolError> {
        match &self.target {
            Some(target) if *target != path.absolute => Err(ToolError(format!(
                "The path led to {} when this call was planned and leads to {} now, so nothing \
                 was read or changed. See what is there, then call again.",
                target.display(),
                path.absolute.display()
            ))),
            _ => Ok(()),
        }
    }

    /// Has a record written into the log; back when it is there. Blocks: only for tools
    /// that do not run on the event loop.
    fn note(&self, record: FileRecord) {
        let (done, written) = oneshot::channel();
        if self.notes.blocking_send(Noted { record, done }).is_ok() {
            // An owner that is gone has no log any more.
            let _ = written.blocking_recv();
        }
    }
}

/// What a call would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// One line for the card: `src/main.rs`, `cargo build -p auth`.
    pub title: String,
    /// Unified diff of an edit.
    pub diff: Option<String>,
    /// What "always" would allow, as a glob on the title: `cargo build *`.
    pub pattern: String,
    /// Paths outside the workspace that the call touches; these always ask.
    pub outside: Vec<PathBuf>,
    /// Why the call asks wherever it works, as sentences without a full stop.
    pub cautions: Vec<String>,
    /// The file or folder that a path argument leads to.
    pub target: Option<PathBuf>,
    /// What is known of a command.
    command: Option<CommandFacts>,
}

impl Plan {
    /// Of something that needs no agreement, as the user asked for it.
    pub fn titled(title: String) -> Self {
        Self {
            title,
            ..Self::default()
        }
    }

    /// Of a call that looks at one path.
    fn reading(path: ResolvedPath, scope: &ToolScope) -> Self {
        Self {
            pattern: globset::escape(&path.shown),
            outside: path.outside_for_reading(scope),
            cautions: path.cautions_for_reading(scope),
            title: path.shown,
            target: Some(path.absolute),
            ..Self::default()
        }
    }

    /// Of a call that changes one file.
    fn changing(path: ResolvedPath, diff: String, scope: &ToolScope) -> Self {
        Self {
            pattern: globset::escape(&path.shown),
            outside: path.outside_for_writing(),
            cautions: path.cautions_for_writing(scope),
            title: path.shown,
            diff: Some(diff),
            target: Some(path.absolute),
            ..Self::default()
        }
    }

    /// Whether nothing that the call touches asks by itself.
    fn is_inside(&self) -> bool {
        self.outside.is_empty() && self.cautions.is_empty()
    }
}

/// What a call answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutcome {
    /// What the model reads.
    pub content: Vec<Part>,
    /// Whether it failed.
    pub is_error: bool,
    /// For the UI only: `{"diff", "path", "added", "removed"}`, `{"exitCode"}`,
    /// `{"lines"}`, `{"matches"}`, `{"durationMs"}` where they apply.
    pub details: Option<Value>,
}

/// Why a call cannot be run. The text is for the model and the user alike.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub String);

impl ToolOutcome {
    /// A good answer of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![Part::Text(text.into())],
            is_error: false,
            details: None,
        }
    }

    /// A failure, in words for the model.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }

    /// The same with data for the UI.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }
}

impl From<Result<ToolOutcome, ToolError>> for ToolOutcome {
    fn from(result: Result<ToolOutcome, ToolError>) -> Self {
        result.unwrap_or_else(|error| Self::error(error.0))
    }
}

/// Runs the body of a tool that reads and writes files where it does not hold up the
/// event loop. The body has to watch the job's cancellation itself when it can take long.
async fn run_blocking(
    body: impl FnOnce() -> Result<ToolOutcome, ToolError> + Send + 'static,
) -> ToolOutcome {
    match tokio::task::spawn_blocking(body).await {
        Ok(result) => result.into(),
        Err(error) => ToolOutcome::error(format!("The tool broke down: {error}.")),
    }
}
