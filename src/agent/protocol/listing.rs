//! Replies with lists and details for a front end.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::context::ContextView;
use crate::context::rules::{RulePlace, RuleStanding, RuleState};
use crate::tool::{ApprovalMode, Permission};
use crate::transcript::{EntryId, ModelRef, Price, PromptCache, Timestamp, grouped, plural};

/// Characters of a rule in a sentence about it.
const HEAD_CHARS: usize = 60;

/// Calls that may run without a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionList {
    /// The approval mode.
    pub mode: ApprovalMode,
    /// Patterns that are allowed on top of it.
    pub permissions: Vec<Permission>,
    /// The folder that it is allowed in.
    pub folder: PathBuf,
    /// Where is written what is always allowed.
    pub file: PathBuf,
}

/// Where a text was said in a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecallReport {
    /// What was searched for.
    pub query: String,
    /// Entries of the session, on all branches.
    pub entries: usize,
    /// The places, best first.
    pub hits: Vec<RecallListing>,
}

/// An entry in which a text was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecallListing {
    /// The entry.
    pub entry: EntryId,
    /// Its address, e.g. `r41`; its id on another branch.
    pub label: String,
    /// Who said it, in words.
    pub source: String,
    /// When it was written.
    pub timestamp: Timestamp,
    /// Line of its text where the snippet begins, from 1.
    pub line: usize,
    /// The text around the words that were searched for, on one line.
    pub snippet: String,
    /// Whether the model may recall it, in words; empty when it may.
    pub mark: String,
    /// The whole text.
    pub text: String,
}

impl RecallReport {
    /// What is said when nothing was found.
    pub const NOTHING: &'static str = "no word of that occurs in this session";

    /// The places, a line each.
    pub fn lines(&self) -> Vec<String> {
        if self.hits.is_empty() {
            return vec![Self::NOTHING.to_owned()];
        }
        let line = |hit: &RecallListing| {
            let mark = if hit.mark.is_empty() {
                String::new()
            } else {
                format!(" [{}]", hit.mark)
            };
            let place = format!("{} {}, line {}{mark}", hit.label, hit.source, hit.line);
            format!("{place}: {}", hit.snippet)
        };
        self.hits.iter().map(line).collect()
    }
}

/// The standing rules of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleList {
    /// All of them, oldest first.
    pub rules: Vec<RuleListing>,
    /// The most that the block of rules may take, in tokens.
    pub budget_tokens: u64,
}

/// A standing rule with its place in the next request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleListing {
    /// The rule, its place and its price.
    pub standing: RuleStanding,
    /// The turn of the message that says it, from 1; `None` when no message on the branch does.
    pub turn: Option<u32>,
}

impl RuleList {
    /// What rules are, for somebody who has none.
    pub const ABOUT: &'static str = "Rules are found in your messages: instructions that apply \
        beyond one turn (always, never, ask before, limits, preferences, facts). Each is sent \
        word for word, also after its message was summarised.";

    /// The rules of a view.
    pub fn of(view: &ContextView) -> Self {
        let items = view.items.iter();
        let sent = items.filter_map(|item| Some((item.entry.as_ref()?, item.turn)));
        let left = view.left_out.iter().map(|left| (&left.entry, left.turn));
        let turns: HashMap<&EntryId, u32> = sent.chain(left).collect();
        let listing = |standing: &RuleStanding| RuleListing {
            turn: turns.get(&standing.rule.source).copied(),
            standing: standing.clone(),
        };
        Self {
            rules: view.rules.rules.iter().map(listing).collect(),
            budget_tokens: view.rules.budget_tokens,
        }
    }

    /// How many rules are in force, how many may be rules, and how many are in force no more:
    /// `9 rules in force · 2 possible`. Empty without rules.
    pub fn totals(&self) -> String {
        let count = |is_counted: &dyn Fn(&RuleStanding) -> bool| {
            let rules = self.rules.iter();
            rules.filter(|it| is_counted(&it.standing)).count()
        };
        let state = |state| count(&|it| it.rule.state == state);
        let active = state(RuleState::Active) as u64;
        let left_out = count(&|it| it.place == RulePlace::NotFitting) as u64;
        let ended = state(RuleState::Struck) + state(RuleState::Superseded);
        let mut parts = Vec::new();
        if active > 0 {
            let left_out = match left_out {
                0 => String::new(),
                number => format!(", {} without space", grouped(number)),
            };
            parts.push(format!("{} active{left_out}", plural(active, "rule")));
        }
        let others = [
            (state(RuleState::Possible), "possible"),
            (ended, "no longer active"),
        ];
        for (number, what) in others.into_iter().filter(|(number, _)| *number > 0) {
            parts.push(format!("{} {what}", grouped(number as u64)));
        }
        parts.join(" · ")
    }
}

impl RuleListing {
    /// Where the next request holds it, or why it does not; a few words.
    pub fn place_words(&self) -> &str {
        let rule = &self.standing.rule;
        match (self.standing.place, rule.state) {
            (RulePlace::InWindow, _) => "in the window",
            (RulePlace::InBlock, _) => "in the rules block",
            (RulePlace::NotFitting, _) => "does not fit",
            (RulePlace::NotActive, RuleState::Possible) => "not in the block",
            (RulePlace::NotActive, _) if rule.reason.is_empty() => rule.state.name(),
            (RulePlace::NotActive, _) => &rule.reason,
        }
    }

    /// How it begins, for a sentence about it.
    pub fn head(&self) -> String {
        let text = &self.standing.rule.text;
        match text.char_indices().nth(HEAD_CHARS) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
            None => text.clone(),
        }
    }

    /// The state in a word: a rule that the person confirmed is told from one that was found.
    pub fn state_word(&self) -> &'static str {
        let rule = &self.standing.rule;
        match rule.state {
            RuleState::Active if rule.is_confirmed => "confirmed",
            RuleState::Active => "active",
            RuleState::Possible => "possible",
            RuleState::Struck => "struck",
            RuleState::Superseded => "replaced",
        }
    }
}

/// The notes of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesView {
    /// Where it is kept.
    pub place: String,
    /// The notes; never empty.
    pub text: String,
}

/// The exact request.
#[derive(Clone, Debug)]
pub struct WireView {
    /// Method and address, without secrets.
    pub target: String,
    /// The JSON body of the next request, pretty-printed.
    pub body: String,
    /// That of the last one that was sent; `None` before the first.
    pub last_body: Option<String>,
    /// Estimated tokens at the start that are the same as in the request before.
    pub unchanged_prefix_tokens: Option<u64>,
    /// Where the first difference to the request before is, in words.
    pub first_difference: Option<String>,
    /// What the server said of its prompt cache when it answered the last one, in words.
    pub cache: Option<String>,
}

/// A model that could be used.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelChoice {
    /// The model.
    pub model: ModelRef,
    /// Its window, when known.
    pub window_tokens: Option<u64>,
    /// The source of the window's size.
    pub window_source: &'static str,
    /// Who said the rest, and how long it is offered.
    pub record: ChoiceRecord,
    /// Largest answer in tokens.
    pub max_output_tokens: u64,
    /// Abilities besides text.
    pub abilities: ModelAbilities,
    /// How its prompts are cached.
    pub cache: PromptCache,
    /// US dollars per million tokens, when known.
    pub price: Option<Price>,
    /// Whether it can be used now, in one or two words.
    pub state: &'static str,
    /// The missing condition for its use; `None` when it can be used.
    pub missing: Option<String>,
}

/// Who said what about a model, and what providers say of its levels and its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChoiceRecord {
    /// The layer of the catalogue that its window and largest answer are from.
    pub limits: &'static str,
    /// That of its price.
    pub price: &'static str,
    /// That of its abilities.
    pub abilities: &'static str,
    /// Levels of reasoning, in the provider's words; `none` is off. Empty: nobody says.
    pub efforts: Vec<String>,
    /// Where it stands between its release and its end: active, deprecated, retired.
    pub stage: &'static str,
    /// The day on which it is switched off, `2026-11-30`.
    pub retires: Option<String>,
}

impl ChoiceRecord {
    /// Until when the model is offered, where that is known: `until 2026-11-30`.
    pub fn end(&self) -> Option<String> {
        self.retires.as_ref().map(|day| format!("until {day}"))
    }
}

#[cfg(test)]
impl ModelChoice {
    /// One of Anthropic's that can be used, for tests.
    pub fn ready(model: &str) -> Self {
        Self {
            model: ModelRef::new("anthropic", model),
            window_tokens: Some(200_000),
            window_source: "catalogue",
            record: ChoiceRecord::default(),
            max_output_tokens: 64_000,
            abilities: ModelAbilities {
                tools: Some(true),
                images: true,
                pdf: true,
                thinking: true,
            },
            cache: PromptCache::Ttl,
            price: Some(Price {
                input: 3.0,
                output: 15.0,
                cache_read: 0.3,
                cache_write: 3.75,
                long: None,
            }),
            state: "ready",
            missing: None,
        }
    }
}

/// Abilities of a model besides text. `None`: unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelAbilities {
    /// Calls tools.
    pub tools: Option<bool>,
    /// Sees images.
    pub images: bool,
    /// Takes PDF documents as they are.
    pub pdf: bool,
    /// Can reason before it answers.
    pub thinking: bool,
}

impl ModelAbilities {
    /// One letter each, always at the same place, so that columns of them can be read
    /// without colour: `TVPR`, `·` for what it cannot, `?` where nobody says.
    pub fn marks(self) -> String {
        let tools = match self.tools {
            Some(true) => 'T',
            Some(false) => '·',
            None => '?',
        };
        let mark = |can: bool, letter: char| if can { letter } else { '·' };
        [
            tools,
            mark(self.images, 'V'),
            mark(self.pdf, 'P'),
            mark(self.thinking, 'R'),
        ]
        .iter()
        .collect()
    }

    /// The abilities in words.
    pub fn words(self) -> String {
        let tools = match self.tools {
            Some(true) => "tools",
            Some(false) => "no tools",
            None => "tools unknown",
        };
        let more = [
            (self.images, "vision"),
            (self.pdf, "PDF"),
            (self.thinking, "reasoning"),
        ];
        let can = more.into_iter().filter(|(can, _)| *can);
        let words: Vec<&str> = [tools]
            .into_iter()
            .chain(can.map(|(_, word)| word))
            .collect();
        words.join(", ")
    }
}

/// The meaning of the letters of [`ModelAbilities::marks`].
pub const ABILITY_LEGEND: &str = "T tools · V vision · P PDF · R reasoning";

/// Sessions that could be resumed, last updated first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionList {
    /// Whether those of all directories are listed.
    pub all: bool,
    /// The sessions.
    pub sessions: Vec<SessionListing>,
    /// The one that is open.
    pub open: Option<PathBuf>,
    /// The program that wrote them; `None` for Plimsoll.
    pub program: Option<String>,
    /// Other programs with sessions on this machine.
    pub programs: Vec<String>,
    /// The words that were searched for, in all sessions.
    pub found: Option<String>,
}

/// Where a text was found in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionHit {
    /// The entry.
    pub entry: EntryId,
    /// `user`, `assistant`, `tool_call`, `tool_result`, `summary` or `note`.
    pub role: &'static str,
    /// The tool, of a call or a result.
    pub tool: Option<String>,
    /// The words around the match.
    pub excerpt: String,
}

impl SessionListing {
    /// What a list calls it: its name, else its title, else how it begins.
    pub fn label(&self) -> &str {
        let label = self.name.as_ref().or(self.title.as_ref());
        label.unwrap_or(&self.first_words)
    }
}

/// A session that could be resumed.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionListing {
    /// The file.
    pub path: PathBuf,
    /// The id in its header.
    pub id: String,
    /// The directory it belongs to.
    pub cwd: String,
    /// The name it was given.
    pub name: Option<String>,
    /// A short title from its first message, unless `titles` is off.
    pub title: Option<String>,
    /// How its first message begins.
    pub first_words: String,
    /// The program that it was imported from, with its version.
    pub origin: Option<String>,
    /// When it began.
    pub created: Timestamp,
    /// The newest entry's time.
    pub updated: Timestamp,
    /// Entries in the file; an estimate when it is large.
    pub entries: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Where the text was found that was searched for.
    pub hit: Option<SessionHit>,
}

/// A context engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineListing {
    /// The value of `context.engine`.
    pub id: &'static str,
    /// Other values that mean it.
    pub aliases: &'static [&'static str],
    /// One line for people.
    pub description: String,
    /// Whether it is in use.
    pub state: EngineState,
    /// It is the one that was asked for.
    pub is_asked_for: bool,
}

/// Whether a context engine is in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineState {
    /// It makes the views.
    InCharge,
    /// It could.
    Available,
    /// It failed, for this reason.
    SetAside(String),
}

/// A tool that the model has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolListing {
    /// Its name.
    pub name: String,
    /// Estimate of its schema, which is part of every request.
    pub schema_tokens: u64,
    /// The effect of its calls: `reads`, `changes files`, `runs programs`.
    pub does: &'static str,
    /// The rule for a call inside the workspace that no pattern covers.
    pub inside: ToolFreedom,
    /// Globs on the titles of calls that run without asking.
    pub patterns: Vec<String>,
}

/// Whether a call waits for consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolFreedom {
    /// It runs at once.
    Runs,
    /// The user is asked.
    Asks,
    /// It does not run.
    Refused,
}
