//! Where tools come from: the program itself, servers of the user, and whatever else offers
//! some. A set of tools is made of its sources, so another value of a setting is asked of
//! each of them and drops none.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;

use super::files::edit::EditTool;
use super::files::list::ListTool;
use super::files::read::ReadTool;
use super::files::search::SearchTool;
use super::files::write::WriteTool;
use super::interface::Tool;
use super::recall::RecallTool;
use super::shell::ShellTool;
use super::shell::job_tool::JobTool;
use super::todo::TodoTool;

/// What settings say about the tools on offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOptions {
    /// Limits commands that name no limit themselves.
    pub shell_timeout: Duration,
    /// Names of tools that are not offered, wherever they come from.
    pub off: Vec<String>,
    /// Tokens of the window that requests may fill, when a session begins; `None` when nobody
    /// knows.
    pub usable_tokens: Option<u64>,
    /// The tools outside the list that can be found and called; `None` for all.
    pub found_only: Option<Vec<String>>,
}

impl ToolOptions {
    /// Every tool, with this limit for commands.
    pub fn new(shell_timeout: Duration) -> Self {
        Self {
            shell_timeout,
            off: Vec::new(),
            usable_tokens: None,
            found_only: None,
        }
    }

    /// Whether a tool outside the list may be found and called.
    pub fn may_find(&self, name: &str) -> bool {
        let is_named = |only: &Vec<String>| names_tool(only, name);
        !self.is_off(name) && self.found_only.as_ref().is_none_or(is_named)
    }

    /// Whether a tool of this name is not offered.
    pub fn is_off(&self, name: &str) -> bool {
        names_tool(&self.off, name)
    }
}

/// Whether a tool is one of these: by its name, or as one of a server's by `server__*`.
pub fn names_tool(names: &[String], tool: &str) -> bool {
    let is_of = |server: &str| {
        let rest = tool.strip_prefix(server);
        rest.is_some_and(|rest| rest.starts_with("__"))
    };
    let mut names = names.iter();
    names.any(|name| name == tool || name.strip_suffix("__*").is_some_and(is_of))
}

/// Something that offers tools.
pub trait ToolSource: Send + Sync {
    /// Its tools in a fixed order. Their schemas begin every prompt: while a session runs,
    /// they change with the options and with nothing else.
    fn tools(&self, options: &ToolOptions) -> Vec<Arc<dyn Tool>>;

    /// A tool that is not in the list and can be called through [`USE_TOOL`](super::USE_TOOL).
    fn unlisted(&self, name: &str) -> Option<Arc<dyn Tool>> {
        let _ = name;
        None
    }

    /// Begins what takes a while before a tool can run. Does not wait for it.
    fn start(&self) {}

    /// Ends everything that runs for the tools.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

/// The tools that come with the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinTools;

impl ToolSource for BuiltinTools {
    fn tools(&self, options: &ToolOptions) -> Vec<Arc<dyn Tool>> {
        vec![
            Arc::new(ReadTool),
            Arc::new(ListTool),
            Arc::new(SearchTool),
            Arc::new(WriteTool),
            Arc::new(EditTool),
            Arc::new(ShellTool::new(options.shell_timeout)),
            Arc::new(JobTool),
            Arc::new(TodoTool),
            Arc::new(RecallTool),
        ]
    }
}

/// The sources beside the program's own tools, in the order of their tools.
#[derive(Clone, Default)]
pub struct ToolSources {
    sources: Vec<Arc<dyn ToolSource>>,
    is_lent: bool,
}

impl ToolSources {
    /// Adds one after the others.
    #[must_use]
    pub fn with(mut self, source: Arc<dyn ToolSource>) -> Self {
        self.sources.push(source);
        self
    }

    /// The same sources for an agent that works for another one: its end closes none.
    #[must_use]
    pub fn lent(&self) -> Self {
        Self {
            is_lent: true,
            ..self.clone()
        }
    }

    /// All sources, the program's own first.
    pub(super) fn after_builtin(&self) -> Vec<Arc<dyn ToolSource>> {
        let builtin: Arc<dyn ToolSource> = Arc::new(BuiltinTools);
        let others = self.sources.iter().cloned();
        std::iter::once(builtin).chain(others).collect()
    }

    /// Begins what the sources need before their tools can run.
    pub fn start(&self) {
        for source in &self.sources {
            source.start();
        }
    }

    /// Ends everything that runs for the tools, of all sources at once.
    pub async fn close(&self) {
        if !self.is_lent {
            let all = self.sources.iter().map(|source| source.close());
            futures::future::join_all(all).await;
        }
    }
}

impl fmt::Debug for ToolSources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolSources({})", self.sources.len())
    }
}
