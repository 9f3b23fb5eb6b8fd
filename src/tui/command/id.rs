//! The commands as values; the table gives each its names, help and place in plain mode.

/// The commands by id; `update::command` has a function for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandId {
    /// `/context`
    Context,
    /// `/pruned`
    Pruned,
    /// `/compact`
    Compact,
    /// `/uncompact`
    Uncompact,
    /// `/summary`
    Summary,
    /// `/prune`
    Prune,
    /// `/pin`
    Pin,
    /// `/restore`
    Restore,
    /// `/drop`
    Drop,
    /// `/rules`
    Rules,
    /// `/undo`
    Undo,
    /// `/redo`
    Redo,
    /// `/unqueue`
    Unqueue,
    /// `/wire`
    Wire,
    /// `/model`
    Model,
    /// `/think`
    Think,
    /// `/legend`
    Legend,
    /// `/plan`
    Plan,
    /// `/todo`
    Todo,
    /// `/jobs`
    Jobs,
    /// `/agents`
    Agents,
    /// `/permissions`
    Permissions,
    /// `/theme`
    Theme,
    /// `/settings`
    Settings,
    /// `/login`
    Login,
    /// `/logout`
    Logout,
    /// `/new`
    NewSession,
    /// `/resume`
    Resume,
    /// `/search-all`
    SearchAll,
    /// `/timeline`
    Timeline,
    /// `/diff`
    Diff,
    /// `/rewind`
    Rewind,
    /// `/tree`
    Tree,
    /// `/fork`
    Fork,
    /// `/retry`
    Retry,
    /// `/rename`
    Rename,
    /// `/copy`
    Copy,
    /// `/search`
    Search,
    /// `/recall`
    Recall,
    /// `/remember`
    Remember,
    /// `/notes`
    Notes,
    /// `/cost`
    Cost,
    /// `/export`
    Export,
    /// `/tools`
    Tools,
    /// `/mcp`
    Mcp,
    /// `/engine`
    Engine,
    /// `/init`
    Init,
    /// `/palette`
    Palette,
    /// `/intro`
    Intro,
    /// `/help`
    Help,
    /// `/quit`
    Quit,
}
