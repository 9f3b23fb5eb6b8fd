//! The tools, what they may do, and the files that they touch.

use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::agent::files::watch;
use crate::agent::files::watch::FileScan;
use crate::agent::recall::RecallDesk;
use crate::agent::setup::{AgentSetup, ModelConnection, SystemPrompt};
use crate::agent::thread::conversation::Conversation;
use crate::tool::{ApprovalPolicy, KnownRepository, ReadLog, SealedPlaces, ToolScope, ToolSet};

/// See the module's description.
pub(in crate::agent) struct Toolbox {
    pub tools: ToolSet,
    pub policy: ApprovalPolicy,
    pub scope: ToolScope,
    pub recall: RecallDesk,
    pub looking: FileScan,
    /// Sends the command that runs to the background.
    pub detach: Option<CancellationToken>,
    /// Files and folders that the calls of an answer led to.
    pub reached: Vec<PathBuf>,
}

/// Where the tools of a conversation work.
pub(in crate::agent) fn tool_scope(
    setup: &AgentSetup,
    connection: &ModelConnection,
    conversation: &Conversation,
    prompt: &SystemPrompt,
) -> ToolScope {
    let extra_dirs = &setup.settings.agent.tools.extra_dirs;
    ToolScope {
        cwd: setup.cwd.clone(),
        extra_dirs: extra_dirs.clone(),
        reads: Arc::new(ReadLog::default()),
        jobs: Arc::default(),
        withheld: connection.registry.key_variables().into(),
        home: setup.environment.get("HOME").map(Into::into),
        spill_dir: conversation
            .path()
            .map(|path| crate::session::outputs_folder(&path)),
        skill_dirs: prompt.skill_dirs(),
        watch: watch::watch(conversation, &setup.cwd, &setup.settings.agent),
        sealed: Arc::new(SealedPlaces::new(
            setup.paths.own_files(),
            setup.paths.own_folders(),
            &setup.cwd,
        )),
        repository: Arc::new(KnownRepository::around(&setup.cwd)),
        tasks: None,
    }
}
