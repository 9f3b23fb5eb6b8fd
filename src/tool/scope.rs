//! Where tools work, and one run of a tool.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::files::read_log::ReadLog;
use super::outcome::ToolError;
use super::place::repository::KnownRepository;
use super::place::sealed::SealedPlaces;
use super::question::ToolQuestion;
use super::recall_source::RecallSource;
use super::shell::jobs::Jobs;
use super::task_runner::TaskHost;
use crate::checkpoint::{FileWatch, PendingRecord};
use crate::transcript::FileRecord;

/// Where tools work.
#[derive(Clone, Debug)]
pub struct ToolScope {
    /// Directory that relative paths refer to and commands run in.
    pub cwd: PathBuf,
    /// Further directories that tools may touch without asking.
    pub extra_dirs: Vec<PathBuf>,
    /// The files that were read and when, to refuse edits of files that changed since.
    pub reads: Arc<ReadLog>,
    /// Commands that run in the background.
    pub jobs: Arc<Jobs>,
    /// Variables that commands do not get: what holds the program's own keys is nothing
    /// that a model may read or a log may keep.
    pub withheld: Arc<[String]>,
    /// The folder for `~`; `None` refuses it.
    pub home: Option<PathBuf>,
    /// Folder for output that is too long for a page. Readable without asking; `None`
    /// keeps nothing.
    pub spill_dir: Option<PathBuf>,
    /// Folders of skills. Readable without asking.
    pub skill_dirs: Arc<[PathBuf]>,
    /// Keeps what files were before they are changed.
    pub watch: Arc<FileWatch>,
    /// The program's own files.
    pub sealed: Arc<SealedPlaces>,
    /// The repository that git commands are known to use.
    pub repository: Arc<KnownRepository>,
    /// Runs sub-agents; `None` where there are none.
    pub tasks: Option<TaskHost>,
}

/// One run of a tool.
#[derive(Debug)]
pub struct ToolJob {
    /// The id of the call.
    pub call_id: String,
    /// Where it works.
    pub scope: ToolScope,
    /// Output as it appears, for the screen; dropping pieces is fine.
    pub progress: mpsc::Sender<String>,
    /// Fires when the user stops it.
    pub cancel: CancellationToken,
    /// Fires when the user wants it to go on in the background.
    pub detach: CancellationToken,
    /// Takes what the tool asks the person.
    pub questions: mpsc::Sender<ToolQuestion>,
    /// Takes what is about to change, for the log.
    pub notes: mpsc::Sender<PendingRecord>,
    /// Answers calls for what was said before; `None` for every other tool.
    pub recall: Option<Arc<dyn RecallSource>>,
    /// Where the path of the plan led that was agreed to; a call does not follow it elsewhere.
    pub target: Option<PathBuf>,
}

impl ToolJob {
    /// Fails when a path leads elsewhere than it did when the call was agreed to. `now` is
    /// where it leads, without links.
    pub(super) fn check_target(&self, now: &Path) -> Result<(), ToolError> {
        match &self.target {
            Some(target) if target != now => Err(ToolError(format!(
                "The path led to {} when this call was planned and leads to {} now, so nothing \
                 was read or changed. See what is there, then call again.",
                target.display(),
                now.display()
            ))),
            _ => Ok(()),
        }
    }

    /// Has a record written into the log; back when it is there. Blocks: only for tools
    /// that do not run on the event loop.
    pub(super) fn note(&self, record: FileRecord) {
        let (done, written) = oneshot::channel();
        if self
            .notes
            .blocking_send(PendingRecord { record, done })
            .is_ok()
        {
            // An owner that is gone has no log any more.
            let _ = written.blocking_recv();
        }
    }
}
