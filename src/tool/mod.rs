//! Tools: what a model may do on this machine, and who has to agree first.
//!
//! A call is planned (arguments checked, a diff made, paths outside the workspace named),
//! then decided on by the policy, then run under cancellation. Tools answer in pages and
//! say how to get the rest; they never ask the user themselves.
//!
//! - `interface`, `plan`, `scope`, `outcome`: what a tool is, what a call would do, where it
//!   works, what it answers.
//! - `arguments`: the table of a tool's arguments; `source`: where tools come from; `registry`:
//!   the tools on offer; `envelope`: calls of tools that are not in the list.
//! - `fetch`, `files`, `shell`, `skill`, `recall`, `task`, `todo`: the tools; `recall_source`,
//!   `task_runner`: what answers two of them.
//! - `place`: where they may work; `approval`: what runs without asking.

mod approval;
mod arguments;
mod envelope;
mod fetch;
mod files;
mod interface;
mod outcome;
mod page;
mod place;
mod plan;
mod question;
mod recall;
mod recall_source;
mod registry;
mod scope;
mod shell;
mod skill;
mod source;
mod task;
mod task_runner;
#[cfg(test)]
mod test_scope;
mod todo;

pub use crate::transcript::USE_TOOL;
pub use approval::command::{is_outdated as is_outdated_pattern, narrowing as pattern_narrowing};
pub use approval::{ApprovalMode, ApprovalPolicy, Grant, Permission, Verdict};
pub use fetch::{FetchSource, WebAnswer, WebSource};
pub use files::edit::EditTool;
pub use files::list::ListTool;
pub use files::read::ReadTool;
pub use files::read_log::{FileStamp, ReadLog, ReadState};
pub use files::search::SearchTool;
pub use files::write::WriteTool;
pub use interface::{Effect, Tool};
pub use outcome::{ToolError, ToolOutcome};
pub use place::path::{ResolvedPath, resolve};
pub use place::repository::KnownRepository;
pub use place::sealed::SealedPlaces;
pub use plan::Plan;
pub use question::{FieldKind, FormAnswer, FormField, MAX_FIELD_CHARS, QuestionForm, ToolQuestion};
pub use recall::RecallTool;
pub use recall_source::{RecallRequest, RecallSource};
pub use registry::ToolSet;
pub use scope::{ToolJob, ToolScope};
pub use shell::ShellTool;
pub use shell::job_tool::JobTool;
pub use shell::jobs::{JobEnd, JobInfo, Jobs};
pub use shell::orphan_reaper::ReapedGroup;
pub use skill::{SkillSource, SkillTool};
pub use source::{BuiltinTools, ToolOptions, ToolSource, ToolSources, names_tool};
pub use task::{AgentChoice, TaskTool, TaskTools};
pub use task_runner::{Inheritance, TaskCall, TaskHost, TaskRunner};
pub use todo::TodoTool;
