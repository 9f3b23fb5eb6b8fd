//! How much of a conversation survives a compaction: facts that the log yields without a
//! model, looked up in what the model was left with.
//!
//! A *probe* is such a fact. Its fate: it is still in the part that was kept verbatim (then
//! the summary need not say it), it is in the summary as it was said, it is there in other
//! words, or it is gone. The summary may be anybody's: a model's, the one that code writes,
//! or one that another program put into the session. With it counts what stands beside it in
//! the same place: lists of files and failures, the meaning of aliases, and the rules block.
//!
//! Pure and deterministic: the same log gives the same score, whatever the settings. Linear
//! in the log.

mod branch;
mod carried;
mod hindsight;
mod names;
mod quantities;
mod runs;
mod simulation;
mod standing_rules;
mod statements;
mod tags;
#[cfg(test)]
mod tests;
mod texts;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::context::appendix;
use crate::context::audit::mend::is_left_line;
use crate::context::grounding::{self, GroundingSources};
use crate::context::summary::SourceMessage;
use crate::transcript::{Compaction, EntryBody, EntryId, Transcript};

use self::branch::{DividedLog, SaidMessage};
use self::carried::{CarriedText, Kept, NameIndex, folded};
use self::runs::{RunFact, RunFacts};
use self::standing_rules::RulesThen;
use self::statements::Statement;

pub use self::names::NameKind;
pub use self::simulation::{MAX_SIMULATED, SimulatedCompactions, simulate};

/// Messages after a compaction that are read for what they refer back to.
pub const LATER_MESSAGES: usize = 60;

/// What a probe is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProbeClass {
    /// Names that later messages used and that had been said before.
    Hindsight,
    /// What the person said that holds beyond the turn.
    Rules,
    /// The newest message of the person.
    Ask,
    /// Steps of the newest list that are not done.
    Steps,
    /// Sentences in which something was decided.
    Decisions,
    /// Files that were changed, and that they were.
    Files,
    /// Commands that ran, and how they ended.
    Commands,
    /// Tests that failed in the last run that had such.
    Tests,
    /// Numbers with their units.
    Numbers,
}

impl ProbeClass {
    /// All classes, in the order of tables.
    pub const ALL: [Self; 9] = [
        Self::Hindsight,
        Self::Rules,
        Self::Ask,
        Self::Steps,
        Self::Decisions,
        Self::Files,
        Self::Commands,
        Self::Tests,
        Self::Numbers,
    ];

    /// The name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hindsight => "hindsight",
            Self::Rules => "rules",
            Self::Ask => "newest ask",
            Self::Steps => "open steps",
            Self::Decisions => "decisions",
            Self::Files => "changed files",
            Self::Commands => "commands",
            Self::Tests => "failed tests",
            Self::Numbers => "numbers",
        }
    }
}

/// What became of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProbeFate {
    /// The kept part has it: the summary need not.
    InTail,
    /// In the summary as it was said.
    Verbatim,
    /// In the summary, spelled or worded otherwise.
    Reworded,
    /// Nowhere.
    Gone,
}

impl ProbeFate {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::InTail => "in_tail",
            Self::Verbatim => "verbatim",
            Self::Reworded => "reworded",
            Self::Gone => "gone",
        }
    }
}

impl From<Kept> for ProbeFate {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::Verbatim => Self::Verbatim,
            Kept::Reworded => Self::Reworded,
            Kept::No => Self::Gone,
        }
    }
}

/// A fact and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The fact, for people.
    pub text: String,
    /// What kind of fact within its class, e.g. `symbol`.
    pub kind: &'static str,
    /// The message that says it; of several the newest.
    pub entry: Option<EntryId>,
    /// What became of it.
    pub fate: ProbeFate,
}

/// How many facts met which fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FateCounts {
    /// [`ProbeFate::InTail`]
    pub in_tail: usize,
    /// [`ProbeFate::Verbatim`]
    pub verbatim: usize,
    /// [`ProbeFate::Reworded`]
    pub reworded: usize,
    /// [`ProbeFate::Gone`]
    pub gone: usize,
}

impl FateCounts {
    /// Counts probes.
    pub fn of<'a>(probes: impl IntoIterator<Item = &'a Probe>) -> Self {
        let mut out = Self::default();
        for probe in probes {
            match probe.fate {
                ProbeFate::InTail => out.in_tail += 1,
                ProbeFate::Verbatim => out.verbatim += 1,
                ProbeFate::Reworded => out.reworded += 1,
                ProbeFate::Gone => out.gone += 1,
            }
        }
        out
    }

    /// Facts that only the summary could have.
    pub fn due(self) -> usize {
        self.verbatim + self.reworded + self.gone
    }

    /// Of these, the ones that it has.
    pub fn kept(self) -> usize {
        self.verbatim + self.reworded
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            in_tail: self.in_tail + other.in_tail,
            verbatim: self.verbatim + other.verbatim,
            reworded: self.reworded + other.reworded,
            gone: self.gone + other.gone,
        }
    }
}

/// The facts of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassScore {
    /// The class.
    pub class: ProbeClass,
    /// Its facts.
    pub probes: Vec<Probe>,
}

impl ClassScore {
    /// How many met which fate.
    pub fn counts(&self) -> FateCounts {
        FateCounts::of(&self.probes)
    }
}

/// What a summary says that the conversation does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventions {
    /// Claims of the summary that could be looked up.
    pub claims: usize,
    /// Those that nothing says, as the summary writes them.
    pub invented: Vec<String>,
}

/// How much of a conversation survives a compaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FidelityScore {
    /// Messages that the summary stands for, all compactions before it included.
    pub replaced: usize,
    /// Messages that stay verbatim.
    pub kept: usize,
    /// Messages after it that were read for hindsight, at most [`LATER_MESSAGES`].
    pub later: usize,
    /// Length of the summary's text, in characters.
    pub summary_chars: usize,
    /// Share of its section of identifiers in that, in percent.
    pub list_percent: usize,
    /// One score a class, in the order of [`ProbeClass::ALL`].
    pub classes: Vec<ClassScore>,
    /// What nobody said.
    pub inventions: Inventions,
}

impl FidelityScore {
    /// The counts of a class.
    pub fn counts(&self, class: ProbeClass) -> FateCounts {
        let of_class = self.classes.iter().find(|score| score.class == class);
        of_class.map(ClassScore::counts).unwrap_or_default()
    }

    /// The score in a few words, e.g. `hindsight 12/19 · rules 9/9`: kept, of what only the
    /// summary could keep.
    pub fn phrase(&self) -> String {
        let mut out = match (self.later, self.counts(ProbeClass::Hindsight)) {
            (0, _) => "hindsight: nothing came after it yet".to_owned(),
            (_, counts) => format!("hindsight {}/{}", counts.kept(), counts.due()),
        };
        for class in [ProbeClass::Rules, ProbeClass::Decisions, ProbeClass::Files] {
            let counts = self.counts(class);
            if counts.due() > 0 {
                let _ = write!(
                    out,
                    " · {} {}/{}",
                    class.name(),
                    counts.kept(),
                    counts.due()
                );
            }
        }
        if !self.inventions.invented.is_empty() {
            let _ = write!(out, " · invented {}", self.inventions.invented.len());
        }
        out
    }
}

/// Scores a compaction of a session, on whatever branch; `None` when the entry is none.
pub fn score(transcript: &Transcript, entry: &EntryId) -> Option<FidelityScore> {
    let entry = transcript.get(entry)?;
    let EntryBody::Compaction(compaction) = &entry.body else {
        return None;
    };
    let log = DividedLog::of(transcript, entry, compaction, LATER_MESSAGES);
    let rules = RulesThen::of(transcript, entry, compaction, &log);
    let text = carried_text(compaction, &rules);
    let opened = OpenedCompaction {
        all: log.all(),
        runs: runs::facts(&log.replaced),
        carried: CarriedText::of(&text),
        tail: KeptPart::of(&log.kept),
        rules,
        log,
    };
    let classes = ProbeClass::ALL.map(|class| ClassScore {
        class,
        probes: opened.probes(class),
    });
    let log = &opened.log;
    Some(FidelityScore {
        replaced: log.replaced.len(),
        kept: log.kept.len(),
        later: log.later.len(),
        summary_chars: compaction.summary.chars().count(),
        list_percent: list_percent(&compaction.summary),
        classes: classes.to_vec(),
        inventions: inventions(compaction, &opened),
    })
}

/// The kept part, for looking up what is in it.
struct KeptPart {
    entries: HashSet<EntryId>,
    names: NameIndex,
    folded: String,
}

impl KeptPart {
    fn of(kept: &[SaidMessage]) -> Self {
        let mut names = NameIndex::default();
        let mut text = String::new();
        for said in kept {
            texts::each_text(said, &mut |part| {
                names.read(part);
                text.push_str(part);
                text.push('\n');
            });
        }
        Self {
            entries: kept.iter().map(|said| said.entry.clone()).collect(),
            names,
            folded: folded(&text),
        }
    }

    fn says(&self, entry: &EntryId, statement: &str) -> bool {
        self.entries.contains(entry) || statements::is_verbatim(&self.folded, statement)
    }

    fn has_whole(&self, words: &str) -> bool {
        carried::has_whole(&self.folded, &folded(words))
    }
}

/// All that the next request has in the place of what was replaced.
fn carried_text(compaction: &Compaction, rules: &RulesThen) -> String {
    let details = &compaction.details;
    let mut text = compaction.summary.clone();
    // The newest first: `@12` before `@1`.
    for (alias, name) in details.aliases.iter().rev() {
        text = text.replace(alias.as_str(), name);
    }
    let appendix = appendix::render(&details.appendix, None);
    format!("{text}\n\n{appendix}\n{}", rules.block)
}

/// A compaction, opened up for looking up facts.
struct OpenedCompaction {
    log: DividedLog,
    /// What was said before it, in order.
    all: Vec<SaidMessage>,
    runs: RunFacts,
    rules: RulesThen,
    carried: CarriedText,
    tail: KeptPart,
}

impl OpenedCompaction {
    fn probes(&self, class: ProbeClass) -> Vec<Probe> {
        match class {
            ProbeClass::Hindsight => hindsight::probes(&self.log, &self.carried, &self.tail.names),
            ProbeClass::Rules => self.stated("rule", self.rules.active.iter()),
            ProbeClass::Ask => self.stated("ask", statements::newest_ask(&self.all).iter()),
            ProbeClass::Steps => self.stated("step", statements::open_steps(&self.all).iter()),
            ProbeClass::Decisions => {
                self.stated("decision", statements::decisions(&self.log.replaced).iter())
            }
            ProbeClass::Files => self.ran(&self.runs.files),
            ProbeClass::Commands => self.ran(&self.runs.commands),
            ProbeClass::Tests => self.ran(&runs::facts(&self.all).tests),
            ProbeClass::Numbers => self.numbers(),
        }
    }

    fn stated<'a>(
        &self,
        kind: &'static str,
        statements: impl Iterator<Item = &'a Statement>,
    ) -> Vec<Probe> {
        let probe = |statement: &Statement| Probe {
            text: statement.text.clone(),
            kind,
            entry: Some(statement.entry.clone()),
            fate: if self.tail.says(&statement.entry, &statement.text) {
                ProbeFate::InTail
            } else {
                self.carried.statement(&statement.text).into()
            },
        };
        statements.map(probe).collect()
    }

    fn ran(&self, facts: &[RunFact]) -> Vec<Probe> {
        let probe = |fact: &RunFact| Probe {
            text: fact.text.clone(),
            kind: fact.kind,
            entry: Some(fact.entry.clone()),
            fate: if self.tail.entries.contains(&fact.entry) {
                ProbeFate::InTail
            } else {
                fact.in_text(&self.carried).into()
            },
        };
        facts.iter().map(probe).collect()
    }

    fn numbers(&self) -> Vec<Probe> {
        let said = statements::said_quantities(&self.log.replaced);
        said.into_iter()
            .map(|said| Probe {
                fate: if self.tail.has_whole(&said.quantity.text) {
                    ProbeFate::InTail
                } else {
                    self.carried.quantity(&said.quantity).into()
                },
                text: said.quantity.text,
                kind: "number",
                entry: Some(said.entry),
            })
            .collect()
    }
}

/// Claims of a summary that nothing on the branch says. What its list says of itself is none.
fn inventions(compaction: &Compaction, opened: &OpenedCompaction) -> Inventions {
    let source = |said: &SaidMessage| SourceMessage {
        entry: said.entry.clone(),
        message: Arc::clone(&said.message),
        tokens: 0,
    };
    let messages: Vec<SourceMessage> = opened.all.iter().map(source).collect();
    let rules: Vec<&str> = opened
        .rules
        .active
        .iter()
        .map(|rule| rule.text.as_str())
        .collect();
    let sources = GroundingSources {
        messages: &messages,
        previous: None,
        texts: &rules,
    };
    let lines = compaction.summary.lines();
    let said: Vec<&str> = lines.filter(|line| !is_left_line(line)).collect();
    let said = said.join("\n");
    let grounding = grounding::check(&said, sources);
    Inventions {
        claims: grounding.claims.len(),
        invented: grounding
            .ungrounded()
            .map(|claim| claim.text.clone())
            .collect(),
    }
}

/// Share of the section of identifiers in a summary, in percent.
fn list_percent(summary: &str) -> usize {
    let mut is_list = false;
    let mut listed = 0;
    for line in summary.lines() {
        if line.starts_with('#') {
            is_list = line.to_lowercase().contains("identifier");
        } else if is_list {
            listed += line.chars().count() + 1;
        }
    }
    (listed * 100)
        .checked_div(summary.chars().count())
        .unwrap_or(0)
}
