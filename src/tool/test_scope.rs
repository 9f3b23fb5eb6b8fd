//! A workspace in a temporary folder, and calls of tools in it, for tests.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::files::read_log::ReadLog;
use super::interface::Tool;
use super::outcome::{ToolError, ToolOutcome};
use super::place::sealed::SealedPlaces;
use super::plan::Plan;
use super::scope::{ToolJob, ToolScope};
use crate::checkpoint::{ContentStore, FileWatch, MEGABYTE};
use crate::transcript::Part;

pub(super) struct TestScope {
    folder: tempfile::TempDir,
    pub(super) scope: ToolScope,
}

impl TestScope {
    /// `<tmp>/work` is the working directory, `<tmp>/home` the home, `<tmp>/spill` takes
    /// long output.
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for dir in ["work", "home", "spill"] {
            std::fs::create_dir(root.join(dir)).unwrap();
        }
        let cwd = root.join("work");
        let scope = ToolScope {
            watch: Arc::new(FileWatch::new(
                ContentStore::temporary(MEGABYTE),
                std::slice::from_ref(&cwd),
            )),
            cwd,
            extra_dirs: Vec::new(),
            reads: Arc::new(ReadLog::default()),
            jobs: Arc::default(),
            withheld: Arc::from(["PLIMSOLL_TEST_KEY".to_owned()]),
            home: Some(root.join("home")),
            spill_dir: Some(root.join("spill")),
            skill_dirs: Arc::default(),
            sealed: Arc::new(SealedPlaces::new(vec![root.join("own")], Vec::new(), &root)),
            repository: Arc::default(),
            tasks: None,
        };
        Self { folder, scope }
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.scope.cwd.join(relative)
    }

    pub(super) fn write(&self, relative: &str, content: impl AsRef<[u8]>) {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(super) fn content(&self, relative: &str) -> String {
        std::fs::read_to_string(self.path(relative)).unwrap()
    }

    pub(super) fn plan(&self, tool: &dyn Tool, arguments: Value) -> Result<Plan, ToolError> {
        tool.plan(&object(arguments), &self.scope)
    }

    pub(super) async fn run(&self, tool: &dyn Tool, arguments: Value) -> ToolOutcome {
        self.run_until(tool, arguments, CancellationToken::new())
            .await
    }

    pub(super) async fn run_until(
        &self,
        tool: &dyn Tool,
        arguments: Value,
        cancel: CancellationToken,
    ) -> ToolOutcome {
        let job = ToolJob {
            cancel,
            ..self.job()
        };
        tool.run(object(arguments), job).await
    }

    /// A run that nobody listens to.
    pub(super) fn job(&self) -> ToolJob {
        ToolJob {
            call_id: "call".to_owned(),
            scope: self.scope.clone(),
            progress: mpsc::channel(1).0,
            questions: mpsc::channel(1).0,
            cancel: CancellationToken::new(),
            detach: CancellationToken::new(),
            notes: mpsc::channel(1).0,
            recall: None,
            target: None,
        }
    }

    /// Notes a file as read without reading it.
    pub(super) async fn read(&self, relative: &str) {
        let outcome = self
            .run(
                &super::files::read::ReadTool,
                serde_json::json!({ "path": relative }),
            )
            .await;
        assert!(!outcome.is_error, "{}", text(&outcome));
    }
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("not an object: {other}"),
    }
}

/// The text parts of an answer.
pub(super) fn text(outcome: &ToolOutcome) -> String {
    outcome
        .content
        .iter()
        .filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Image(_) => None,
        })
        .collect()
}

/// File names in a folder, to see that nothing is left behind.
pub(super) fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
