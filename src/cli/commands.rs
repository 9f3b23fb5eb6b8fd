//! Subcommands with their arguments, and how they name a session.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::engine::EngineArgs;
use super::export::{ExportArgs, HandoverArgs};
use super::import::ImportArgs;
use super::mcp::McpArgs;
use super::models::ModelsArgs;
use super::recall::RecallArgs;
use super::search::{SearchArgs, SessionsArgs};
use super::session_choice::SessionRef;
use super::shell_files::CompletionShell;

/// What to do instead of talking. SESSION is a path, an id or the beginning of one; left
/// out, it is the newest session of this directory.
#[derive(Clone, Debug, Subcommand)]
pub enum CliCommand {
    /// Show the context of the next request, item by item, with tokens
    #[command(after_help = "Example: plim context --filter cleared")]
    Context(ContextArgs),
    /// Print the exact body of the next request
    #[command(after_help = "Example: plim request --diff-previous")]
    Request(RequestArgs),
    /// Prune now: trim and clear old tool results
    #[command(after_help = "Example: plim prune --dry-run")]
    Prune(PruneArgs),
    /// Replace older messages by a summary; asks before it applies it
    #[command(
        after_help = "Example: plim compact --diff --instructions \"keep the open questions\""
    )]
    Compact(CompactArgs),
    /// Undo the newest compaction
    #[command(after_help = "Example: plim uncompact")]
    Uncompact(SessionArg),
    /// Undo your newest change of context, rules or files
    #[command(after_help = "Example: plim undo --yes")]
    Undo(UndoArgs),
    /// Redo the newest undone act
    #[command(after_help = "Example: plim redo")]
    Redo(UndoArgs),
    /// Always send an entry, never summarise it
    #[command(after_help = "Example: plim pin 0198c0de")]
    Pin(EntryArgs),
    /// Remove an entry from the context
    #[command(after_help = "Example: plim drop 0198c0de")]
    Drop(EntryArgs),
    /// Send an entry in full again
    #[command(after_help = "Example: plim restore 0198c0de")]
    Restore(EntryArgs),
    /// Search everything that a session said; print an entry in full
    #[command(after_help = "Example: plim recall \"refresh token\"")]
    Recall(RecallArgs),
    /// List your standing rules; strike, confirm, reword or add one
    #[command(after_help = "Example: plim rules add \"never push to main\"")]
    Rules(RulesArgs),
    /// List the compactions of a session; compare two of them
    #[command(after_help = "Example: plim summary --diff 1 2")]
    Summary(SummaryArgs),
    /// Measure how many facts each compaction kept
    #[command(after_help = "Example: plim fidelity --at 32k")]
    Fidelity(FidelityArgs),
    /// List, search, rename or delete sessions
    #[command(after_help = "Example: plim sessions --all parser")]
    Sessions(SessionsArgs),
    /// Search the text of all sessions, yours and those of other programs
    #[command(after_help = "Example: plim search --errors \"connection refused\"")]
    Search(SearchArgs),
    /// Continue a session on the screen
    #[command(after_help = "Example: plim resume 0198")]
    Resume(SessionArg),
    /// Make sessions of those that other programs wrote
    #[command(after_help = "Example: plim import claude-code --since 2026-11-01")]
    Import(ImportArgs),
    /// Print a session
    #[command(after_help = "Example: plim export --format html > session.html")]
    Export(ExportArgs),
    /// Pack a session for another agent, without secrets
    #[command(after_help = "Example: plim handover --to codex")]
    Handover(HandoverArgs),
    /// Show the cost of a session, by model
    #[command(after_help = "Example: plim cost --json")]
    Cost(CostArgs),
    /// Show the files changed by a session
    #[command(after_help = "Example: plim diff --stat")]
    Diff(DiffArgs),
    /// List the available models
    #[command(after_help = "Example: plim models --refresh")]
    Models(ModelsArgs),
    /// Check a context engine program, or print the protocol that it has to speak
    #[command(after_help = "Example: plim engine check \"python3 topic_window.py\"")]
    Engine(EngineArgs),
    /// List, test, add or remove MCP servers, and log in to them
    #[command(after_help = "Example: plim mcp test tickets")]
    Mcp(McpArgs),
    /// List the skills of this directory, and what is not used of them
    #[command(after_help = "Example: plim skills --json")]
    Skills(JsonArg),
    /// Check model, keys, network and terminal; list problems
    #[command(after_help = "Example: plim doctor")]
    Doctor(JsonArg),
    /// Store the API key of a provider, typed or piped in
    #[command(after_help = "Example: plim login anthropic --keyring")]
    Login(LoginArgs),
    /// Delete a stored key
    #[command(after_help = "Example: plim logout anthropic")]
    Logout(LogoutArgs),
    /// Show the settings, their defaults or the path of your file
    #[command(after_help = "Example: plim config default")]
    Config(ConfigArgs),
    /// Print the completions of a shell
    #[command(hide = true)]
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all commands into a directory
    #[command(hide = true)]
    Man(ManArgs),
}

/// `plim completions`
#[derive(Clone, Copy, Debug, Args)]
pub struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum)]
    pub shell: CompletionShell,
}

/// `plim man`
#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// Where the pages go; it is created when missing. Without it the main page goes to stdout
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// A session alone.
#[derive(Clone, Debug, Args)]
pub struct SessionArg {
    /// Path, id or beginning of an id; default: the newest session of this directory
    pub session: Option<String>,
}

/// Only the output's form.
#[derive(Clone, Copy, Debug, Args)]
pub struct JsonArg {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `plim rules`
#[derive(Clone, Debug, Args)]
pub struct RulesArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Print JSON
    ///
    /// Without a subcommand, an object: `rules` and `budget_tokens`, the most that the block of rules
    /// may take. Each rule has `id`, `state` (active, possible, struck, superseded),
    /// `confirmed`, `text`, `source` (the entry that says it), `turn` (or null), `place`
    /// (`in_window`, `in_block`, `not_fitting`, `not_active`), `tokens` and `reason` (or null).
    /// With a subcommand: `applied`, `what`, `rule` and `tokens_change`; when it is refused,
    /// `applied` is false and `reason` says why.
    #[arg(long, global = true, verbatim_doc_comment)]
    pub json: bool,
    /// What to do instead of listing.
    #[command(subcommand)]
    pub act: Option<RulesAct>,
}

/// What `plim rules` changes. Ids stand in its list; the beginning of one is enough.
#[derive(Clone, Debug, Subcommand)]
pub enum RulesAct {
    /// Deactivate a rule
    #[command(after_help = "Example: plim rules strike 3f2a")]
    Strike {
        /// The rule's id
        id: String,
    },
    /// Reactivate a rule that was struck, or whose message was dropped
    #[command(after_help = "Example: plim rules restore 3f2a")]
    Restore {
        /// The rule's id
        id: String,
    },
    /// Activate a possible rule; confirmed rules are the last to leave a full rules block
    #[command(after_help = "Example: plim rules confirm 3f2a")]
    Confirm {
        /// The rule's id
        id: String,
    },
    /// Change the words of a rule; its source stays
    #[command(after_help = "Example: plim rules reword 3f2a ask before pushing")]
    Reword {
        /// The rule's id
        id: String,
        /// The new words
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Add a rule
    #[command(after_help = "Example: plim rules add never push to main")]
    Add {
        /// The words of the rule
        #[arg(required = true)]
        text: Vec<String>,
    },
}

/// `plim summary`
#[derive(Clone, Debug, Args)]
pub struct SummaryArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Compare two of them, by their numbers or ids
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    pub diff: Option<Vec<String>>,
}

/// `plim fidelity`
///
/// Looks for facts of the log in the context after a compaction: names used by later
/// messages (hindsight), rules, the newest ask, open steps, decisions, changed files,
/// commands, failed tests, numbers. Calls no model and changes nothing. The columns: in the
/// kept messages; in the summary word for word; in the summary in other words; gone; and the
/// share kept of the facts found only in the summary.
///
/// A session without a compaction is compacted in memory, without a model, in windows of
/// 16,000, 32,000 and 100,000 tokens, to show the losses of the next compaction.
#[derive(Clone, Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct FidelityArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Print JSON
    ///
    /// An object: `session` (its id), `compactions` and `simulated`. A compaction has
    /// `entry`, `number`, `state`, `trigger`, `model`, `replaced`, `kept` and `later`
    /// (messages), `summary_chars`, `list_percent` (share of its list of identifiers),
    /// `claims` and `invented` (claims without a source), and `classes`. A class has
    /// `class`, `in_tail`, `verbatim`, `reworded`, `gone` and `probes`, each with `text`,
    /// `kind`, `entry` and `fate`. A simulation has `window_tokens`, `conversation_tokens`
    /// and its `compactions`.
    #[arg(long, verbatim_doc_comment)]
    pub json: bool,
    /// Only this compaction, by number or id
    #[arg(long, value_name = "N", conflicts_with = "at")]
    pub compaction: Option<String>,
    /// Simulate the compactions of a window of this size instead, e.g. 32k; may be repeated
    #[arg(long, value_name = "TOKENS", value_parser = super::window_tokens)]
    pub at: Vec<u64>,
}

/// `plim context`
#[derive(Clone, Debug, Args)]
pub struct ContextArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Show only items with this disposition, e.g. sent or cleared
    #[arg(long, value_name = "DISPOSITION")]
    pub filter: Option<String>,
    /// Count this text as the next message
    #[arg(long, value_name = "TEXT")]
    pub pending: Option<String>,
    /// Let the provider count the tokens too: sends the request, generates nothing
    #[arg(long)]
    pub exact: bool,
}

/// `plim cost`
#[derive(Clone, Debug, Args)]
pub struct CostArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `plim diff`
///
/// Compares the files before the session with the files now, in the order of their paths.
/// Without a flag: a unified diff of each file; a file without a diff, e.g. a binary file,
/// has its line of --stat instead.
#[derive(Clone, Debug, Args)]
pub struct DiffArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Print JSON
    ///
    /// An object: `session` (its id), `files`, `unlisted` (changes of commands that were
    /// too many to list), `unseen` (why something is not known, or null). Each file has
    /// `path` (absolute), `kind` (added, modified, deleted), `added` and `removed` (lines),
    /// `by_command`, `by_user_command`, `jobs` (numbers of background jobs that ran
    /// meanwhile), `changed_since` (another program changed it since), `note` (or null) and
    /// `diff`.
    #[arg(long, conflicts_with = "stat", verbatim_doc_comment)]
    pub json: bool,
    /// Print only names and numbers
    ///
    /// A line for each file: added, modified or deleted; +lines -lines; its path; remarks in
    /// brackets.
    #[arg(long, verbatim_doc_comment)]
    pub stat: bool,
}

/// `plim logout`
#[derive(Clone, Debug, Args)]
pub struct LogoutArgs {
    /// Provider of the key; default: the provider of the configured model
    pub provider: Option<String>,
}

/// `plim login`
#[derive(Clone, Debug, Args)]
pub struct LoginArgs {
    /// Provider of the key; default: the provider of the configured model
    pub provider: Option<String>,
    /// Store the key in the system keyring instead of a file
    #[arg(long)]
    pub keyring: bool,
}

/// `plim request`
#[derive(Clone, Debug, Args)]
pub struct RequestArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Encode it for this provider
    #[arg(long, value_name = "ID")]
    pub provider: Option<String>,
    /// Show the changes since the previous request
    #[arg(long)]
    pub diff_previous: bool,
}

/// `plim prune`
#[derive(Clone, Debug, Args)]
pub struct PruneArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Show the effect, change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Prune even while the provider's prompt cache is valid
    #[arg(long)]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `plim compact`
#[derive(Clone, Debug, Args)]
pub struct CompactArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Instructions: what the summary should keep or stress
    #[arg(value_name = "INSTR")]
    pub words: Vec<String>,
    /// The same, if SESSION is omitted
    #[arg(long, value_name = "TEXT", conflicts_with = "words")]
    pub instructions: Option<String>,
    /// Apply the summary without asking; unreviewed, so claims without a source in the
    /// conversation are removed from it
    #[arg(short, long, conflicts_with = "dry_run")]
    pub yes: bool,
    /// Show the effect without calling a model
    #[arg(long)]
    pub dry_run: bool,
    /// Summarise without a model
    #[arg(long)]
    pub extractive: bool,
    /// Keep fewer turns than configured if nothing else is left to summarise
    #[arg(long)]
    pub force: bool,
    /// Summarise the original messages of the log again, and show the lines gained
    #[arg(long, conflicts_with_all = ["force", "from"])]
    pub rebuild: bool,
    /// Keep everything from this entry on, regardless of the settings
    #[arg(long, value_name = "ENTRY", conflicts_with = "force")]
    pub from: Option<String>,
    /// Show the difference to the replaced messages
    #[arg(long)]
    pub diff: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl CompactArgs {
    /// The instructions, wherever they stand.
    pub fn instructions(&self) -> Option<String> {
        let words = (!self.words.is_empty()).then(|| self.words.join(" "));
        self.instructions.clone().or(words)
    }
}

/// `plim undo` and `plim redo`
#[derive(Clone, Debug, Args)]
pub struct UndoArgs {
    /// Confirm an undo that changes files or leaves messages
    #[arg(long)]
    pub yes: bool,
    /// The session; default: the newest of this directory
    #[command(flatten)]
    pub session: SessionArg,
}

/// `plim pin`, `plim drop`, `plim restore`
#[derive(Clone, Debug, Args)]
pub struct EntryArgs {
    /// The entry's id, or the session when the entry's id follows
    #[arg(value_name = "ENTRY|SESSION")]
    first: String,
    /// The entry's id
    #[arg(value_name = "ENTRY")]
    second: Option<String>,
}

impl EntryArgs {
    /// The session.
    pub fn session(&self) -> SessionRef {
        let session = self.second.as_ref().map(|_| self.first.as_str());
        SessionRef::from_text(session)
    }

    /// The entry's id.
    pub fn entry(&self) -> &str {
        self.second.as_deref().unwrap_or(&self.first)
    }
}

/// `plim config`
#[derive(Clone, Copy, Debug, Args)]
pub struct ConfigArgs {
    /// What to show
    #[arg(value_enum, default_value_t)]
    pub what: ConfigTopic,
    /// With schema: of what --output-format json and stream-json print
    #[arg(long)]
    pub events: bool,
}

/// What `plim config` shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ConfigTopic {
    /// Each setting with its value and origin
    #[default]
    Show,
    /// A configuration file with every setting and its default
    Default,
    /// The path of your configuration file
    Path,
    /// A JSON Schema of the configuration file
    Schema,
}

impl CliCommand {
    /// As it is typed.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Context(_) => "context",
            Self::Request(_) => "request",
            Self::Prune(_) => "prune",
            Self::Compact(_) => "compact",
            Self::Uncompact(_) => "uncompact",
            Self::Undo(_) => "undo",
            Self::Redo(_) => "redo",
            Self::Pin(_) => "pin",
            Self::Drop(_) => "drop",
            Self::Restore(_) => "restore",
            Self::Recall(_) => "recall",
            Self::Rules(_) => "rules",
            Self::Summary(_) => "summary",
            Self::Fidelity(_) => "fidelity",
            Self::Sessions(_) => "sessions",
            Self::Search(_) => "search",
            Self::Resume(_) => "resume",
            Self::Import(_) => "import",
            Self::Export(_) => "export",
            Self::Handover(_) => "handover",
            Self::Cost(_) => "cost",
            Self::Diff(_) => "diff",
            Self::Models(_) => "models",
            Self::Engine(_) => "engine",
            Self::Mcp(_) => "mcp",
            Self::Skills(_) => "skills",
            Self::Doctor(_) => "doctor",
            Self::Login(_) => "login",
            Self::Logout(_) => "logout",
            Self::Config(_) => "config",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }
}
