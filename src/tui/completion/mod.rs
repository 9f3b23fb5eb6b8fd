//! The list above the composer: commands after `/`, their arguments, files after `@`.
//! Decides what to offer for the text before the caret; changes nothing itself.

mod files;

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::command;
use super::composer::Buffer;
use crate::agent::{ExportFormat, ServerOffers};
use crate::config::{self, UserCommand, all_settings};
use crate::transcript::{ThinkingLevel, nearest_name};

pub use files::Files;

/// Entries that are offered at most.
const MAX_ITEMS: usize = 50;

/// The list and what it is about.
#[derive(Debug, Default)]
pub struct Completion {
    /// Files of the workspace.
    pub files: Files,
    /// Commands of the user.
    pub own: Vec<Item>,
    /// Resources and prompts of MCP servers.
    offers: Arc<ServerOffers>,
    open: Option<Popup>,
    dismissed: Option<String>,
}

/// An open list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Popup {
    /// The kind of completion.
    pub kind: Kind,
    /// The offered items, best first.
    pub items: Vec<Item>,
    /// Which one is chosen.
    pub selected: usize,
    range: Range<usize>,
}

/// The kind of items that a list completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A command's name.
    Command,
    /// A command's argument.
    Argument,
    /// A file.
    File,
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The text that is written when it is accepted.
    pub insert: String,
    /// The shown text; foreign.
    pub label: String,
    /// The description.
    pub detail: String,
}

/// The text before the caret that can be completed.
struct Token {
    kind: Kind,
    text: String,
    range: Range<usize>,
}

impl Completion {
    /// What servers offer from here on.
    pub fn offer(&mut self, offers: Arc<ServerOffers>) {
        self.offers = offers;
        self.files.forget();
    }

    /// The prompts of servers, as commands.
    pub fn prompts(&self) -> impl Iterator<Item = UserCommand> {
        self.offers.prompts.iter().map(|prompt| {
            let blanks = prompt.arguments.iter().map(|blank| {
                let name = &blank.name;
                if blank.is_required {
                    name.to_uppercase()
                } else {
                    format!("[{}]", name.to_uppercase())
                }
            });
            let arguments = blanks.collect::<Vec<_>>().join(" ");
            UserCommand::of_server(&prompt.server, &prompt.name, &prompt.about, arguments)
        })
    }

    /// The files of the workspace were listed; resources of servers are offered with them.
    pub fn set_files(&mut self, files: Vec<String>) {
        let resources = self.offers.resources.iter();
        let resources = resources.map(|it| format!("{}:{}", it.server, it.uri));
        self.files.set(resources.chain(files).collect());
    }

    /// The open list.
    pub fn popup(&self) -> Option<&Popup> {
        self.open.as_ref()
    }

    /// Follows the composer. Says whether the files are wanted and not yet known.
    pub fn follow(&mut self, buffer: &Buffer, theme_names: &[String]) -> bool {
        let Some(token) = token(buffer) else {
            self.open = None;
            self.dismissed = None;
            return false;
        };
        if self.dismissed.as_ref() == Some(&token.text) {
            return false;
        }
        self.dismissed = None;
        let items = match token.kind {
            Kind::Command => self.commands(&token.text),
            Kind::Argument => arguments(&token.text, theme_names),
            Kind::File => self.files.matching(&token.text, MAX_ITEMS),
        };
        let wants_files = token.kind == Kind::File && self.files.start_scan();
        let selected = self
            .open
            .as_ref()
            .filter(|open| open.items == items)
            .map_or(0, |open| open.selected);
        self.open = (!items.is_empty()).then_some(Popup {
            kind: token.kind,
            items,
            selected,
            range: token.range,
        });
        wants_files
    }

    /// Offers what is known by now, if a list is open or was empty.
    pub fn refresh(&mut self, buffer: &Buffer, theme_names: &[String]) {
        if token(buffer).is_some_and(|token| token.kind == Kind::Command) {
            self.follow(buffer, theme_names);
        }
    }

    /// The command that was perhaps meant by a name that is none, without the slash.
    pub fn meant(&self, name: &str) -> Option<String> {
        let built_in = command::COMMANDS.iter();
        let built_in = built_in.flat_map(|it| it.aliases.iter().copied().chain([it.name]));
        let own = self.own.iter().map(name_of);
        let near = nearest_name(name, built_in.chain(own)).map(str::to_owned);
        near.or_else(|| {
            let first = self.commands(name).into_iter().next()?;
            Some(name_of(&first).to_owned())
        })
    }

    /// Commands of the program and of the user that fit, the likeliest first.
    fn commands(&self, text: &str) -> Vec<Item> {
        let query = text.trim_start_matches('/');
        let mut letters = LetterMatcher::new(query);
        // What is typed in full is meant, whatever else begins like it.
        let meant = command::find(query).map(|command| command.name);
        let built_in = command::COMMANDS.iter().filter_map(|command| {
            let fit = match letters.fit(command.name, command.aliases)? {
                _ if Some(command.name) == meant => Fit::Meant,
                fit => fit,
            };
            Some((fit, item(command)))
        });
        let mut found: Vec<(Fit, Item)> = built_in.collect();
        let own = self.own.iter();
        found.extend(own.filter_map(|item| Some((letters.fit(name_of(item), &[])?, item.clone()))));
        found.sort_by_key(|(fit, _)| *fit);
        found.into_iter().map(|(_, item)| item).collect()
    }

    /// Chooses another line; wraps around.
    pub fn select(&mut self, forward: bool) {
        if let Some(open) = &mut self.open {
            let count = open.items.len();
            let step = if forward { 1 } else { count - 1 };
            open.selected = (open.selected + step) % count;
        }
    }

    /// Closes the list until the text before the caret changes.
    pub fn dismiss(&mut self, buffer: &Buffer) {
        self.open = None;
        self.dismissed = token(buffer).map(|token| token.text);
    }

    /// Closes the list.
    pub fn close(&mut self) {
        self.open = None;
        self.dismissed = None;
    }

    /// Writes the chosen line into the composer and says what it was.
    pub fn accept(&mut self, buffer: &mut Buffer) -> Option<(Kind, Item)> {
        let open = self.open.take()?;
        let item = open.items.into_iter().nth(open.selected)?;
        buffer.replace_range(open.range, &item.insert);
        Some((open.kind, item))
    }
}

fn token(buffer: &Buffer) -> Option<Token> {
    let caret = buffer.caret();
    let pieces = buffer.pieces().get(..caret)?;
    let start = pieces
        .iter()
        .rposition(|piece| piece.is_space() || piece.is_chip())
        .map_or(0, |at| at + 1);
    let word = buffer.text_in(start..caret);
    if let Some(query) = word.strip_prefix('@') {
        return Some(Token {
            kind: Kind::File,
            text: query.to_owned(),
            range: start..caret,
        });
    }
    let before = buffer.text_in(0..caret);
    if !before.starts_with('/') || before.contains('\n') {
        return None;
    }
    let kind = if start == 0 {
        Kind::Command
    } else {
        Kind::Argument
    };
    Some(Token {
        kind,
        text: before,
        range: start..caret,
    })
}

/// The name of an offered command, without the slash.
fn name_of(item: &Item) -> &str {
    item.insert.trim_start_matches('/').trim_end()
}

/// How well a command fits what is typed; the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Meant,
    Begins,
    /// A word of the name begins so.
    BeginsWord,
    Contains,
    /// The letters are there in their order; the better the match, the higher the score.
    Letters(Reverse<u32>),
}

/// Fewer letters are in nearly every name.
const LEAST_LETTERS: usize = 3;

/// Matches names with what is typed.
struct LetterMatcher<'a> {
    query: &'a str,
    pattern: Pattern,
    matcher: Matcher,
    letters: Vec<char>,
}

impl<'a> LetterMatcher<'a> {
    fn new(query: &'a str) -> Self {
        let (case, forms) = (CaseMatching::Ignore, Normalization::Smart);
        Self {
            query,
            pattern: Pattern::new(query, case, forms, AtomKind::Fuzzy),
            matcher: Matcher::new(Config::DEFAULT),
            letters: Vec::new(),
        }
    }

    fn fit(&mut self, name: &str, aliases: &[&str]) -> Option<Fit> {
        let query = self.query;
        if name.starts_with(query) || aliases.iter().any(|it| it.starts_with(query)) {
            return Some(Fit::Begins);
        }
        if name
            .split(['-', ':', '_'])
            .any(|word| word.starts_with(query))
        {
            return Some(Fit::BeginsWord);
        }
        if name.contains(query) {
            return Some(Fit::Contains);
        }
        if query.chars().count() < LEAST_LETTERS {
            return None;
        }
        let text = Utf32Str::new(name, &mut self.letters);
        let score = self.pattern.score(text, &mut self.matcher)?;
        Some(Fit::Letters(Reverse(score)))
    }
}

fn item(command: &command::Command) -> Item {
    Item {
        insert: if command.arguments.is_empty() {
            format!("/{}", command.name)
        } else {
            format!("/{} ", command.name)
        },
        label: format!("/{} {}", command.name, command.arguments),
        detail: command.help.to_owned(),
    }
}

fn arguments(text: &str, theme_names: &[String]) -> Vec<Item> {
    let Some((name, typed)) = text.trim_start_matches('/').split_once(' ') else {
        return Vec::new();
    };
    let query = typed.rsplit(' ').next().unwrap_or_default();
    let offered: Vec<String> = match command::find(name).map(|command| command.name) {
        Some("theme") => theme_names.to_vec(),
        Some("settings") => settings(query),
        Some("export") => ExportFormat::ALL.map(|it| it.name().to_owned()).to_vec(),
        Some("engine") => engines(),
        Some("think") => ThinkingLevel::ALL.map(|it| it.name().to_owned()).to_vec(),
        Some("compact") if query.starts_with('-') => command::COMPACT_FLAGS
            .iter()
            .map(|(flag, _)| (*flag).to_owned())
            .collect(),
        Some("prune") if query.starts_with('-') => vec!["--dry-run".to_owned()],
        _ => Vec::new(),
    };
    offered
        .into_iter()
        .filter(|name| name.starts_with(query) && name != query)
        .map(|name| Item {
            insert: name.clone(),
            detail: detail(&name),
            label: name,
        })
        .collect()
}

/// The context engines.
fn engines() -> Vec<String> {
    match config::find("context.engine").map(|(setting, _)| setting.kind) {
        Some(config::SettingKind::Choice(names)) => {
            names.iter().map(|name| (*name).to_owned()).collect()
        }
        _ => Vec::new(),
    }
}

/// Keys; after the `=` the values that a key chooses from.
fn settings(query: &str) -> Vec<String> {
    let Some((key, _)) = query.split_once('=') else {
        return all_settings().map(|it| format!("{}=", it.key)).collect();
    };
    let names: &[&str] = match config::find(key).map(|(setting, _)| setting.kind) {
        Some(config::SettingKind::Bool) => &["true", "false"],
        Some(config::SettingKind::Choice(names)) => names,
        _ => &[],
    };
    names.iter().map(|name| format!("{key}={name}")).collect()
}

/// The meaning of an argument.
fn detail(name: &str) -> String {
    let flag = command::COMPACT_FLAGS
        .iter()
        .find(|(flag, _)| *flag == name);
    let setting = name.strip_suffix('=').and_then(config::find);
    match (flag, setting) {
        (Some((_, help)), _) => (*help).to_owned(),
        (None, Some((setting, _))) => setting.help.to_owned(),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests;
