//! The command line: flags and subcommands, typed. Parsing only; nothing is read or run.
//!
//! Flags that are settings become a layer of the configuration ([`CommonArgs::flag_settings`]),
//! so that every one of them has a key, a range and an origin like all the others.

mod commands;
mod engine;
mod export;
mod help;
mod import;
mod mcp;
mod models;
mod recall;
mod search;
mod session_choice;
mod shell_files;
mod shell_words;

pub use commands::{
    CliCommand, CompactArgs, CompletionsArgs, ConfigArgs, ConfigTopic, ContextArgs, CostArgs,
    DiffArgs, EntryArgs, FidelityArgs, JsonArg, LoginArgs, LogoutArgs, ManArgs, PruneArgs,
    RequestArgs, RulesAct, RulesArgs, SessionArg, SummaryArgs, UndoArgs,
};
pub use engine::{EngineAct, EngineArgs};
pub use export::{ExportArgs, ExportFormatArg, HandoverArgs};
pub use import::ImportArgs;
pub use mcp::{McpAct, McpAddArgs, McpArgs, McpListArgs, McpLoginArgs, McpNameArgs, McpTestArgs};
pub use models::ModelsArgs;
pub use recall::RecallArgs;
pub use search::{SearchArgs, SessionsAct, SessionsArgs};
pub use session_choice::{SessionChoice, SessionRef};
pub use shell_files::{
    CompletionShell, EXIT_CODES, ManualPage, VARIABLES, completion_script, manual_pages,
};
pub use shell_words::in_shell_words;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, Parser, ValueEnum};

use crate::config::{FlagSetting, SettingValue};
use crate::transcript::Timestamp;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitCode {
    /// Everything was done.
    Done = 0,
    /// It failed; stderr says why.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The configuration is wrong, or a key is missing.
    Configuration = 3,
    /// The context overflowed and could not be recovered.
    Overflow = 4,
    /// A tool, an edit or a compaction needed consent and did not get it.
    Refused = 5,
    /// Ctrl-C.
    Interrupted = 130,
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}

/// Terminal chat agent that always shows how full the model's context is.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "plim",
    version,
    max_term_width = 80,
    after_long_help = help::after_help(),
    subcommand_precedence_over_arg = true
)]
pub struct Cli {
    /// First message of the chat
    pub prompt: Option<String>,

    /// Answer one message without a screen; piped input is appended. Your own /commands work;
    /// for those of the screen, use the subcommands
    #[arg(short, long, value_name = "PROMPT", num_args = 0..=1, default_missing_value = "")]
    pub print: Option<String>,

    /// Output of --print
    #[arg(long, value_enum, default_value_t, requires = "print")]
    pub output_format: OutputFormat,

    /// Flags that all commands share.
    #[command(flatten)]
    pub common: CommonArgs,

    /// What to do instead of chatting.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
}

/// What `--print` writes to stdout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// The answer; after an automatic compaction and continuation (`compaction.auto_continue`),
    /// the second answer follows after a blank line
    #[default]
    Text,
    /// One object at the end, also after an error; its text is as above
    Json,
    /// One object per line, for each event
    StreamJson,
}

/// Flags that all commands share.
#[derive(Clone, Debug, Default, Args)]
pub struct CommonArgs {
    /// Model that answers
    #[arg(
        short,
        long,
        global = true,
        value_name = "PROVIDER/MODEL",
        help_heading = "Model"
    )]
    pub model: Option<String>,
    /// Base URL of the model's provider
    #[arg(long, global = true, value_name = "URL", help_heading = "Model")]
    pub base_url: Option<String>,
    /// Use the built-in offline provider: no key, no network
    #[arg(long, global = true, conflicts_with_all = ["model", "base_url"], help_heading = "Model")]
    pub offline: bool,

    /// Size of the model's window in tokens; 0: unknown
    #[arg(long, global = true, value_name = "N", help_heading = "Context")]
    pub context_window: Option<String>,
    /// Maximum part of the window to use, in tokens
    #[arg(long, global = true, value_name = "N", help_heading = "Context")]
    pub context_cap: Option<String>,
    /// Set of context settings: default, openclaw, opencode or opencode-2
    #[arg(long, global = true, value_name = "NAME", help_heading = "Context")]
    pub preset: Option<String>,
    /// Context engine
    #[arg(long, global = true, value_name = "ID", help_heading = "Context")]
    pub engine: Option<String>,
    /// Replace the system prompt
    #[arg(
        long,
        global = true,
        value_name = "TEXT|@FILE",
        help_heading = "Context"
    )]
    pub system: Option<String>,
    /// Add to the system prompt
    #[arg(
        long,
        global = true,
        value_name = "TEXT|@FILE",
        help_heading = "Context"
    )]
    pub append_system: Option<String>,

    /// Continue the newest session of this directory
    #[arg(
        short,
        long = "continue",
        global = true,
        group = "which",
        help_heading = "Session"
    )]
    pub continue_newest: bool,
    /// Continue the session with this id, or with an id that begins like this; @claude, @codex,
    /// @opencode, …: import and continue that program's newest session of this directory
    #[arg(
        short,
        long,
        global = true,
        value_name = "ID",
        group = "which",
        help_heading = "Session"
    )]
    pub resume: Option<String>,
    /// Save the session in this file; created if missing
    #[arg(
        long = "session",
        global = true,
        value_name = "FILE",
        group = "which",
        help_heading = "Session"
    )]
    pub session_file: Option<PathBuf>,
    /// Keep the session in memory, save nothing
    #[arg(long, global = true, group = "which", help_heading = "Session")]
    pub no_session: bool,

    /// Calls that run without asking: ask, read-only, edits or all; with -p, what would ask is
    /// refused, and with ask commands that only read run
    #[arg(long, global = true, value_name = "MODE", help_heading = "Limits")]
    pub approve: Option<String>,
    /// Start in plan mode: the model reads and plans, changes nothing
    #[arg(long, global = true, help_heading = "Limits")]
    pub plan: bool,
    /// Further directory that tools may use; may be repeated
    #[arg(long, global = true, value_name = "DIR", help_heading = "Limits")]
    pub add_dir: Vec<PathBuf>,
    /// Maximum number of requests for one message
    #[arg(
        long,
        global = true,
        value_name = "N",
        allow_negative_numbers = true,
        help_heading = "Limits"
    )]
    pub max_turns: Option<String>,
    /// Cost limit of the session in US dollars, with -p of this run; models without a known
    /// price are refused
    #[arg(
        long,
        global = true,
        value_name = "N",
        allow_negative_numbers = true,
        help_heading = "Limits"
    )]
    pub max_cost: Option<String>,

    /// Work in this directory
    #[arg(
        short = 'C',
        global = true,
        value_name = "DIR",
        help_heading = "Program"
    )]
    pub directory: Option<PathBuf>,
    /// Read this file instead of your own configuration
    #[arg(long, global = true, value_name = "FILE", help_heading = "Program")]
    pub config: Option<PathBuf>,
    /// Change any setting for this run; `plim config show` lists them
    #[arg(short = 'S', long, global = true, value_name = "KEY=VALUE", value_parser = key_value, help_heading = "Program")]
    pub set: Vec<(String, String)>,
    /// Chat line by line: for screen readers and simple terminals
    #[arg(long, global = true, help_heading = "Program")]
    pub plain: bool,
    /// Use no colours
    #[arg(
        long,
        visible_alias = "no-colour",
        global = true,
        help_heading = "Program"
    )]
    pub no_color: bool,
    /// Use this as the current time, for reproducible output
    #[arg(long, global = true, value_name = "RFC3339", value_parser = rfc3339, help_heading = "Program")]
    pub now: Option<Timestamp>,
    /// Write more to the log file; twice for everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Program")]
    pub verbose: u8,
}

impl CommonArgs {
    /// Which session a conversation goes into.
    pub fn session_choice(&self) -> SessionChoice {
        if let Some(path) = &self.session_file {
            SessionChoice::File(path.clone())
        } else if let Some(id) = &self.resume {
            SessionChoice::Existing(SessionRef::from_text(Some(id)))
        } else if self.continue_newest {
            SessionChoice::Existing(SessionRef::Newest)
        } else if self.no_session {
            SessionChoice::Memory
        } else {
            SessionChoice::New
        }
    }

    /// The session that a command reads: its own argument, else the flags, else the newest.
    pub fn session_to_read(&self, argument: &SessionArg) -> SessionRef {
        if argument.session.is_some() {
            return SessionRef::from_text(argument.session.as_deref());
        }
        match self.session_choice() {
            SessionChoice::File(path) => SessionRef::Path(path),
            SessionChoice::Existing(session) => session,
            SessionChoice::New | SessionChoice::Memory => SessionRef::Newest,
        }
    }

    /// The flags that are settings, as the last layer of the configuration. `-S` comes
    /// first, so that a named flag wins over it.
    pub fn flag_settings(&self) -> Vec<FlagSetting> {
        let mut layer: Vec<FlagSetting> = Vec::new();
        let mut add = |flag: &str, key: &str, value: SettingValue| {
            layer.push(FlagSetting {
                key: key.to_owned(),
                value,
                flag: flag.to_owned(),
                adds: flag == "--add-dir",
            });
        };
        for (key, value) in &self.set {
            add("-S", key, SettingValue::Text(value.clone()));
        }
        let texts = [
            ("--model", "model", &self.model),
            ("--base-url", "base_url", &self.base_url),
            ("--context-window", "window.user", &self.context_window),
            ("--context-cap", "window.cap", &self.context_cap),
            ("--preset", "preset", &self.preset),
            ("--engine", "context.engine", &self.engine),
            ("--system", "system", &self.system),
            ("--append-system", "append_system", &self.append_system),
            ("--approve", "approvals.mode", &self.approve),
            ("--max-turns", "max_turns", &self.max_turns),
            ("--max-cost", "max_cost", &self.max_cost),
        ];
        for (flag, key, text) in texts {
            if let Some(text) = text {
                add(flag, key, SettingValue::Text(text.clone()));
            }
        }
        if !self.add_dir.is_empty() {
            let dirs = self.add_dir.iter();
            let list = dirs.map(|dir| SettingValue::Text(dir.display().to_string()));
            add(
                "--add-dir",
                "extra_dirs",
                SettingValue::List(list.collect()),
            );
        }
        if self.plain {
            add("--plain", "plain", SettingValue::Bool(true));
        }
        if self.no_color {
            add("--no-color", "color", SettingValue::Bool(false));
        }
        layer
    }
}

impl Cli {
    /// `plim resume ID` as what it stands for: `plim --resume ID`.
    #[must_use]
    pub fn with_resume_as_flag(mut self) -> Self {
        if let Some(CliCommand::Resume(session)) = &self.command {
            self.common.resume.clone_from(&session.session);
            self.common.continue_newest = session.session.is_none();
            self.command = None;
        }
        self
    }
}

/// Why there is nothing to run: help was asked for, or the command line is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseExit {
    /// What to print.
    pub text: String,
    /// Where to, and how to end: help goes to stdout with [`ExitCode::Done`], errors go
    /// to stderr with [`ExitCode::Usage`].
    pub code: ExitCode,
    /// What `--output-format` asked for, as far as that could be read.
    pub format: OutputFormat,
}

impl ParseExit {
    /// What is wrong, and what to do about it.
    pub fn sentence_and_hint(&self) -> (&str, Option<&str>) {
        let text = self.text.trim_end();
        match text.split_once("\nhint: ") {
            Some((sentence, hint)) => (sentence, Some(hint)),
            None => (text, None),
        }
    }
}

/// Parses a command line, the program's name first.
///
/// # Errors
///
/// Help, the version, and usage errors, as a text to print.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Cli, ParseExit> {
    let args = with_message_attached(args);
    let format = asked_format(&args);
    parsed(args).map_err(|early| ParseExit { format, ..early })
}

/// Whether `plim NAME` is a subcommand.
pub fn has_subcommand(name: &str) -> bool {
    let root = Cli::command();
    root.get_subcommands()
        .any(|command| command.get_name() == name)
}

/// Whether `plim NAME ACT` is a subcommand of a subcommand.
pub fn has_act(name: &str, act: &str) -> bool {
    let root = Cli::command();
    root.find_subcommand(name)
        .is_some_and(|command| command.find_subcommand(act).is_some())
}

/// The output format that a command line names, also one that cannot be parsed.
fn asked_format(args: &[OsString]) -> OutputFormat {
    const FLAG: &str = "--output-format";
    let mut words = args.iter().filter_map(|arg| arg.to_str());
    let named = words.find_map(|word| Some((word.strip_prefix(FLAG)?, word)));
    let value = match named {
        Some(("", _)) => words.next(),
        Some((rest, _)) => rest.strip_prefix('='),
        None => None,
    };
    let parsed = value.and_then(|value| OutputFormat::from_str(value, false).ok());
    parsed.unwrap_or_default()
}

fn parsed(args: Vec<OsString>) -> Result<Cli, ParseExit> {
    let mut cli = Cli::try_parse_from(args).map_err(|error| early_exit(&error))?;
    if cli.print.is_some() {
        print_prompt(&mut cli)?;
    }
    let talks = cli.prompt.is_some() || cli.print.is_some();
    if let (true, Some(command)) = (talks, &cli.command) {
        return Err(usage(
            &format!("{} does not take a message", command.name()),
            &format!(
                "to send it as a message: plim -p {0}; as a command: plim {0}",
                command.name()
            ),
        ));
    }
    let is_resume = matches!(cli.command, Some(CliCommand::Resume(_)));
    if is_resume && cli.common.session_choice() != SessionChoice::New {
        return Err(usage(
            "resume already names a session",
            "omit --continue, --resume, --session and --no-session",
        ));
    }
    Ok(cli)
}

/// The message of `-p` may be anywhere, also after other flags.
fn print_prompt(cli: &mut Cli) -> Result<(), ParseExit> {
    let Some(prompt) = cli.prompt.take() else {
        return Ok(());
    };
    if let Some(first) = cli.print.as_ref().filter(|first| !first.is_empty()) {
        return Err(usage(
            &format!("two messages given: {first:?} and {prompt:?}"),
            "put a message of several words in quotes: plim -p \"first second\"",
        ));
    }
    cli.print = Some(prompt);
    Ok(())
}

/// What follows `-p` is its message, also when it is the name of a command: attached to
/// the flag, nothing else can be made of it.
fn with_message_attached(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::new();
    let mut args = args.into_iter().peekable();
    while let Some(arg) = args.next() {
        let is_message = |next: &OsString| !next.as_encoded_bytes().starts_with(b"-");
        if arg == "--" {
            out.push(arg);
            out.extend(args);
            break;
        }
        let message = (arg == "-p" || arg == "--print")
            .then(|| args.next_if(is_message))
            .flatten();
        match message {
            Some(message) => {
                let mut attached = OsString::from("--print=");
                attached.push(message);
                out.push(attached);
            }
            None => out.push(arg),
        }
    }
    out
}

fn usage(sentence: &str, hint: &str) -> ParseExit {
    ParseExit {
        text: format!("{sentence}\nhint: {hint}\n"),
        code: ExitCode::Usage,
        format: OutputFormat::default(),
    }
}

/// Clap's errors as a sentence and a hint.
fn early_exit(error: &clap::Error) -> ParseExit {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return ParseExit {
            text: help::grouped(&error.to_string()),
            code: ExitCode::Done,
            format: OutputFormat::default(),
        };
    }
    let text = error.to_string();
    let mut paragraphs = text.split("\n\n").map(|paragraph| {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        words.join(" ")
    });
    let first = paragraphs.next().unwrap_or_default();
    let sentence = first.strip_prefix("error: ").unwrap_or(&first);
    let tip = paragraphs.find_map(|p| p.strip_prefix("tip: ").map(str::to_owned));
    usage(
        sentence,
        tip.as_deref()
            .unwrap_or("plim --help lists commands and flags"),
    )
}

fn key_value(text: &str) -> Result<(String, String), String> {
    // A quoted model name in the key may hold anything but quotes: look after the last one.
    let behind_quotes = match text.strip_prefix("models.\"") {
        Some(rest) => rest
            .find('"')
            .map_or(0, |end| text.len() - rest.len() + end),
        None => 0,
    };
    let (quoted, rest) = text.split_at_checked(behind_quotes).unwrap_or(("", text));
    match rest.split_once('=') {
        Some((key, value)) if !(quoted.is_empty() && key.trim().is_empty()) => Ok((
            format!("{quoted}{}", key.trim_end()).trim().to_owned(),
            value.trim().to_owned(),
        )),
        _ => Err("expected KEY=VALUE".to_owned()),
    }
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

fn rfc3339(text: &str) -> Result<Timestamp, String> {
    text.parse::<jiff::Timestamp>()
        .map(|time| Timestamp(time.as_millisecond()))
        .map_err(|_| "expected a time like 2026-01-31T14:00:00Z".to_owned())
}

#[cfg(test)]
mod tests;
