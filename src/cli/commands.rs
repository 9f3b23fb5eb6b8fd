//! Subcommands with their arguments, and how they name a session.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// What to do instead of talking. SESSION is a path, an id or the beginning of one; left
/// out, it is the newest session of this directory.
#[derive(Clone, Debug, Subcommand)]
pub enum CliCommand {
    /// Show what the next request would carry
    Context(ContextArgs),
    /// Print the exact body of the next request
    Request(RequestArgs),
    /// Shorten old tool results now
    Prune(PruneArgs),
    /// Summarise the conversation; asks before it counts
    Compact(CompactArgs),
    /// Undo the newest compaction
    Uncompact(SessionArg),
    /// Take back your newest rewind, compaction, prune, pin, restore, drop, edit, rule
    Undo(UndoArgs),
    /// Put back what undo took back
    Redo(UndoArgs),
    /// Always send this entry and never summarise it
    Pin(EntryArgs),
    /// Take this entry out of the context
    Drop(EntryArgs),
    /// Send this entry in full again
    Restore(EntryArgs),
    /// List your standing rules and where each stands; strike, confirm, reword or add one
    Rules(RulesArgs),
    /// List the compactions of a session
    Summary(SummaryArgs),
    /// Measure how much of the conversation each compaction left within reach
    Fidelity(FidelityArgs),
    /// List, search, name or delete sessions
    Sessions(SessionsArgs),
    /// Go on with a session on the screen
    Resume(SessionArg),
    /// Make sessions of those that other programs wrote
    Import(ImportArgs),
    /// Print a session
    Export(ExportArgs),
    /// Show what a session has cost, by model
    Cost(CostArgs),
    /// Show which files a session has changed, and how
    Diff(DiffArgs),
    /// List the models that could be used
    Models(ModelsArgs),
    /// Say what is reachable, which window came from where, and what to mend
    Doctor(JsonArg),
    /// Store a provider's key, typed or piped in
    Login(LoginArgs),
    /// Forget a stored key
    Logout(LogoutArgs),
    /// Show settings
    Config(ConfigArgs),
}

/// A session alone.
#[derive(Clone, Debug, Args)]
pub struct SessionArg {
    /// A path, an id or the beginning of one; the newest of this directory when left out
    pub session: Option<String>,
}

/// Only the output's form.
#[derive(Clone, Copy, Debug, Args)]
pub struct JsonArg {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `plim sessions`
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct SessionsArgs {
    /// Only sessions with this text in their name or first message
    #[arg(value_name = "TEXT")]
    pub search: Option<String>,
    /// Those of all directories
    #[arg(long)]
    pub all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// What to do instead of listing.
    #[command(subcommand)]
    pub act: Option<SessionsAct>,
}

/// What `plim sessions` changes.
#[derive(Clone, Debug, Subcommand)]
pub enum SessionsAct {
    /// Name a session
    Rename {
        /// A path, an id or the beginning of one
        session: String,
        /// The new name
        name: String,
    },
    /// Move a session to the trash folder beside it
    Delete {
        /// A path, an id or the beginning of one
        session: String,
        /// Do it; without this nothing is deleted
        #[arg(short, long)]
        yes: bool,
    },
}

/// `plim rules`
#[derive(Clone, Debug, Args)]
pub struct RulesArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Print JSON
    ///
    /// Without an act an object: `rules` and `budget_tokens`, the most that the block of rules
    /// may take. Each rule has `id`, `state` (active, possible, struck, superseded),
    /// `confirmed`, `text`, `source` (the entry that says it), `turn` (or null), `place`
    /// (`in_window`, `in_block`, `not_fitting`, `not_active`), `tokens` and `reason` (or null).
    /// With an act: `applied`, `what`, `rule` and `tokens_change`; when it is refused,
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
    /// Let a rule no longer count
    Strike {
        /// The rule's id
        id: String,
    },
    /// Let a rule count again that was struck, or whose message was dropped
    Restore {
        /// The rule's id
        id: String,
    },
    /// Make a possible rule one that counts; it leaves a full block last
    Confirm {
        /// The rule's id
        id: String,
    },
    /// Let a rule count in other words; its source stays
    Reword {
        /// The rule's id
        id: String,
        /// The new words
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Add a rule by hand
    Add {
        /// Its words
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
/// Looks up facts of the log in what a compaction left to the model: names that later
/// messages used (hindsight), rules, the newest ask, open steps, decisions, changed files,
/// commands, failed tests, numbers. Asks no model and changes nothing. The columns: still in
/// the kept part; in the summary as it was said; there in other words; gone; and what is kept
/// of all that only the summary could keep.
///
/// A session without a compaction is compacted in memory, without a model, in windows of
/// 16,000, 32,000 and 100,000 tokens: that shows what the next compaction would lose.
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
    /// `claims` and `invented` (claims that nobody said), and `classes`. A class has
    /// `class`, `in_tail`, `verbatim`, `reworded`, `gone` and `probes`, each with `text`,
    /// `kind`, `entry` and `fate`. A simulation has `window_tokens`, `conversation_tokens`
    /// and its `compactions`.
    #[arg(long, verbatim_doc_comment)]
    pub json: bool,
    /// Only this one, by its number or id
    #[arg(long, value_name = "N", conflicts_with = "at")]
    pub compaction: Option<String>,
    /// Leave out the session's own compactions and simulate those of a window of so many
    /// tokens, e.g. 32k; more than once for several windows
    #[arg(long, value_name = "TOKENS", value_parser = window_tokens)]
    pub at: Vec<u64>,
}

/// Tokens of a window, with `k` for thousands.
fn window_tokens(text: &str) -> Result<u64, String> {
    /// A smaller one holds no conversation.
    const MIN_WINDOW_TOKENS: u64 = 4_000;
    let (number, factor) = match text.strip_suffix(['k', 'K']) {
        Some(number) => (number, 1_000),
        None => (text, 1),
    };
    let number = number.replace([',', '_'], "");
    let tokens = number
        .parse::<u64>()
        .ok()
        .and_then(|it| it.checked_mul(factor));
    tokens
        .filter(|tokens| *tokens >= MIN_WINDOW_TOKENS)
        .ok_or_else(|| "expected at least 4000 tokens, e.g. 32k or 100000".to_owned())
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
    /// Only items with this disposition, e.g. sent or cleared
    #[arg(long, value_name = "DISPOSITION")]
    pub filter: Option<String>,
    /// Count this text as the next message
    #[arg(long, value_name = "TEXT")]
    pub pending: Option<String>,
    /// Also have the provider count the request; sends it, generates nothing
    #[arg(long)]
    pub exact: bool,
}

/// `plim models`
#[derive(Clone, Copy, Debug, Args)]
pub struct ModelsArgs {
    /// Fetch the lists of all providers that have a key or an address of yours, and newer facts
    /// of models.dev
    #[arg(long)]
    pub refresh: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
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
/// Compares what files were before the session with what is there now, in the order of
/// their paths. Without a flag: a unified diff of each file; what has none, e.g. because it
/// is no text, has the line of --stat instead.
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
    /// meanwhile), `changed_since` (it is not as the session left it), `note` (or null) and
    /// `diff`.
    #[arg(long, conflicts_with = "stat", verbatim_doc_comment)]
    pub json: bool,
    /// Only names and numbers
    ///
    /// A line for each file: added, modified or deleted; +lines -lines; its path; and in
    /// brackets what else there is to say.
    #[arg(long, verbatim_doc_comment)]
    pub stat: bool,
}

/// `plim logout`
#[derive(Clone, Debug, Args)]
pub struct LogoutArgs {
    /// Whose key; the configured model's when left out
    pub provider: Option<String>,
}

/// `plim login`
#[derive(Clone, Debug, Args)]
pub struct LoginArgs {
    /// Whose key; the configured model's when left out
    pub provider: Option<String>,
    /// Keep it in the system's keyring instead of a file
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
    /// Say what changed since the request before
    #[arg(long)]
    pub diff_previous: bool,
}

/// `plim prune`
#[derive(Clone, Debug, Args)]
pub struct PruneArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Only say what would happen
    #[arg(long)]
    pub dry_run: bool,
    /// Whatever the provider's cache still holds
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
    /// What the summary should keep or stress
    #[arg(value_name = "INSTR")]
    pub words: Vec<String>,
    /// The same, where SESSION is left out
    #[arg(long, value_name = "TEXT", conflicts_with = "words")]
    pub instructions: Option<String>,
    /// Apply it without asking. It counts as asked for, not as reviewed: what nothing in the
    /// conversation says is struck from the summary
    #[arg(short, long, conflicts_with = "dry_run")]
    pub yes: bool,
    /// Only say what would happen; no model is called
    #[arg(long)]
    pub dry_run: bool,
    /// Summarise without a model
    #[arg(long)]
    pub extractive: bool,
    /// Keep fewer turns than the settings say when nothing else is left to summarise
    #[arg(long)]
    pub force: bool,
    /// Read what summaries replaced again, from the log, and show what comes back
    #[arg(long, conflicts_with_all = ["force", "from"])]
    pub rebuild: bool,
    /// Keep everything from this entry on, whatever the settings say
    #[arg(long, value_name = "ENTRY", conflicts_with = "force")]
    pub from: Option<String>,
    /// Show the difference to what the summary replaces
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
    /// Do it also when files change or messages are left
    #[arg(long)]
    pub yes: bool,
    /// The session; the newest of this directory when left out
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

/// `plim import`
///
/// Reads a session of claude-code, codex, gemini-cli, qwen-code, opencode, goose, crush, cline
/// or aider and writes one of Plimsoll; the source stays as it is. A source that has grown
/// since continues the session that was made of it. `plim context`, `summary`, `fidelity`,
/// `cost` and `export --format md` read such a file without importing it; FILE#ID names a
/// session in a database, @PROGRAM the newest of this directory.
#[derive(Clone, Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct ImportArgs {
    /// A file, a folder, or the name of a program: its newest session of this directory
    #[arg(value_name = "FILE|DIR|PROGRAM")]
    pub source: String,
    /// The program that wrote it, when its content does not tell
    #[arg(long, value_name = "PROGRAM")]
    pub from: Option<String>,
    /// All sessions of it, of all directories
    #[arg(long)]
    pub all: bool,
    /// Only sessions that changed since this day
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// The directory that the sessions shall belong to, instead of their own
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print JSON
    ///
    /// An object, or an array of them for several sessions: `session` (the file's path),
    /// `state` (new, grown, branched, up-to-date), `entries` (that were written), `messages`,
    /// `tool_calls`, `tool_results`, `errors`, `images` (each time that one occurs),
    /// `attachments` (distinct ones), `compactions`, `lost` and `children` (its sub-agents).
    /// A loss has `line` or `row`, and `reason`.
    #[arg(long, verbatim_doc_comment)]
    pub json: bool,
}

/// `plim export`
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// As what
    #[arg(long, value_enum, default_value_t)]
    pub format: ExportFormatArg,
}

/// Formats of `plim export`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ExportFormatArg {
    /// The session file itself
    #[default]
    Jsonl,
    /// Markdown, for reading
    Md,
    /// One HTML file, for reading in a browser
    Html,
    /// The body of the next request, as `plim request` prints it
    Json,
}

/// `plim config`
#[derive(Clone, Copy, Debug, Args)]
pub struct ConfigArgs {
    /// What to show
    #[arg(value_enum, default_value_t)]
    pub what: ConfigTopic,
}

/// What `plim config` shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ConfigTopic {
    /// Each setting with its value and where it came from
    #[default]
    Show,
    /// A file that documents every setting and its default
    Default,
    /// The path of your configuration file
    Path,
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
            Self::Rules(_) => "rules",
            Self::Summary(_) => "summary",
            Self::Fidelity(_) => "fidelity",
            Self::Sessions(_) => "sessions",
            Self::Resume(_) => "resume",
            Self::Import(_) => "import",
            Self::Export(_) => "export",
            Self::Cost(_) => "cost",
            Self::Diff(_) => "diff",
            Self::Models(_) => "models",
            Self::Doctor(_) => "doctor",
            Self::Login(_) => "login",
            Self::Logout(_) => "logout",
            Self::Config(_) => "config",
        }
    }
}

/// Names an existing session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionRef {
    /// The newest of the working directory.
    Newest,
    /// This file.
    Path(PathBuf),
    /// The one whose id is, or begins with, this.
    Id(String),
}

impl SessionRef {
    /// What the text means: something with a slash or an extension is a path.
    pub fn from_text(text: Option<&str>) -> Self {
        match text {
            None | Some("") => Self::Newest,
            Some(text) if text.contains(['/', '\\', '.']) => Self::Path(PathBuf::from(text)),
            Some(text) => Self::Id(text.to_owned()),
        }
    }
}

/// Which session a conversation goes into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionChoice {
    /// A new one.
    New,
    /// An existing one.
    Existing(SessionRef),
    /// This file, created when missing.
    File(PathBuf),
    /// None: memory only.
    Memory,
}
