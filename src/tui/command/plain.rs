//! The use of a command line by line, with `--plain`: as on the screen, in part, in words, or
//! not at all; and what is said then.

use super::Command;

/// The use of a command where there is no screen.
#[derive(Clone, Copy)]
pub enum PlainUse {
    /// It runs as on the screen; what comes of it is said in words.
    Runs,
    /// It says what the screen would show.
    Says(PlainListing),
    /// It runs with some arguments only.
    RunsWith {
        /// The arguments, as help shows them.
        arguments: &'static str,
        /// Whether it runs with these.
        accepts: fn(&str) -> bool,
        /// The alternative, as a clause.
        instead: &'static str,
    },
    /// It needs the screen.
    NeedsScreen {
        /// The alternative, as a clause.
        instead: &'static str,
    },
}

/// Lists that are printed without asking the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainListing {
    /// The commands.
    Help,
    /// The items of the window.
    Context,
    /// Items that are not sent in full.
    Pruned,
    /// The compactions.
    Summaries,
    /// Commands in the background.
    Jobs,
    /// Sub-agents.
    Agents,
    /// The model's list of steps.
    Todo,
}

impl Command {
    /// How it is written line by line, and what it does there; `None` where it needs the screen.
    pub fn plain_row(&self) -> Option<String> {
        let arguments = match self.plain {
            PlainUse::Runs | PlainUse::Says(_) => self.arguments,
            PlainUse::RunsWith { arguments, .. } => arguments,
            PlainUse::NeedsScreen { .. } => return None,
        };
        let usage = format!("/{} {arguments}", self.name);
        Some(format!("{}: {}", usage.trim_end(), self.plain_help))
    }

    /// The text instead of running it line by line with these arguments; `None` when it runs
    /// there.
    pub fn plain_refusal(&self, arguments: &str) -> Option<String> {
        let (what, instead) = match self.plain {
            PlainUse::Runs | PlainUse::Says(_) => return None,
            PlainUse::RunsWith { accepts, .. } if accepts(arguments) => return None,
            PlainUse::RunsWith { instead, .. } => {
                let flag = arguments.split_whitespace().find(|word| *word == PICKS);
                let flag = flag.map_or_else(String::new, |flag| format!(" {flag}"));
                (format!("/{}{flag}", self.name), instead)
            }
            PlainUse::NeedsScreen { instead } => (format!("/{}", self.name), instead),
        };
        Some(format!(
            "{what} needs the screen (start without --plain); {instead}"
        ))
    }
}

/// The option of `/compact` that opens a list to pick from.
const PICKS: &str = "--from";

/// Whether options of `/compact` need no list to pick from.
pub(super) fn picks_nothing(arguments: &str) -> bool {
    let mut options = arguments
        .split_whitespace()
        .take_while(|word| word.starts_with("--"));
    !options.any(|option| option == PICKS)
}

/// Whether arguments name an entry: without one, it is picked from a list.
pub(super) fn names_entry(arguments: &str) -> bool {
    !arguments.trim_start_matches('#').is_empty()
}

/// Line by line it does less than on the screen, or something else: this.
pub(super) const fn plainly(plain_help: &'static str, command: Command) -> Command {
    Command {
        plain_help,
        ..command
    }
}

pub(super) const fn says(listing: PlainListing, command: Command) -> Command {
    let plain = PlainUse::Says(listing);
    Command { plain, ..command }
}

pub(super) const fn on_screen(instead: &'static str, command: Command) -> Command {
    let plain = PlainUse::NeedsScreen { instead };
    Command { plain, ..command }
}

pub(super) const fn runs_with(
    arguments: &'static str,
    accepts: fn(&str) -> bool,
    instead: &'static str,
    command: Command,
) -> Command {
    let plain = PlainUse::RunsWith {
        arguments,
        accepts,
        instead,
    };
    Command { plain, ..command }
}
