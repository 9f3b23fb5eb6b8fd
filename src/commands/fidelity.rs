//! `plim fidelity`: how much of the conversation the compactions of a session left within
//! reach, or those that it would have in a smaller window.

use std::fmt::Write as _;
use std::sync::Arc;

use plimsoll::agent::SessionSource;
use plimsoll::cli::FidelityArgs;
use plimsoll::context::ContextSettings;
use plimsoll::context::fidelity::{
    self, ClassScore, FateCounts, FidelityScore, Probe, ProbeClass, ProbeFate,
};
use plimsoll::context::ruler::{Bpe, Ruler};
use plimsoll::foreign;
use plimsoll::transcript::{
    Compaction, CompactionStanding, Encoding, EntryBody, EntryId, Transcript, grouped,
};
use serde_json::{Value, json};

use super::output::{CommandResult, put, put_json};
use super::setup::CommandSetup;
use super::summary;

/// Windows of sessions that have no compaction yet.
const WINDOWS: [u64; 3] = [16_000, 32_000, 100_000];
/// The state of a compaction that the session does not have.
const SIMULATED: &str = "simulated";
/// Names that are listed of those that are gone.
const MAX_GONE: usize = 8;
/// Widest line, in columns.
const COLUMNS: usize = 80;

/// `plim fidelity`
pub fn fidelity(args: &FidelityArgs, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.session_to_read(at.common, &args.session)?;
    let loaded = foreign::load(&path)?;
    let transcript = &loaded.transcript;
    let rows = summary::compactions(transcript);
    let mut own = Vec::new();
    for (index, row) in rows.iter().enumerate().filter(|_| args.at.is_empty()) {
        if let Some(wanted) = &args.compaction
            && summary::named(&rows, wanted)?.entry.id != row.entry.id
        {
            continue;
        }
        own.extend(Scored::of(
            transcript,
            &row.entry.id,
            index + 1,
            Some(row.state),
        ));
    }
    if let (Some(wanted), true) = (&args.compaction, rows.is_empty()) {
        summary::named(&rows, wanted)?;
    }
    let simulated = if args.at.is_empty() && !rows.is_empty() {
        Vec::new()
    } else {
        let source = SessionSource::Read(path.clone());
        let settings = at.launch.setup(source, false).settings.context;
        let windows = if args.at.is_empty() {
            &WINDOWS[..]
        } else {
            &args.at
        };
        simulations(transcript, &settings, windows)
    };
    if args.json {
        return put_json(&json!({
            "session": loaded.header.id,
            "compactions": own.iter().map(Scored::json).collect::<Vec<_>>(),
            "simulated": simulated.iter().map(ScoredWindow::json).collect::<Vec<_>>(),
        }));
    }
    let mut out = String::new();
    for scored in &own {
        scored.text(&mut out);
    }
    for window in &simulated {
        window.text(&mut out);
    }
    put(&out)
}

fn simulations(
    transcript: &Transcript,
    settings: &ContextSettings,
    windows: &[u64],
) -> Vec<ScoredWindow> {
    let ruler: Arc<dyn Ruler> = Arc::new(Bpe::new(Encoding::O200k));
    let simulated = |window_tokens: &u64| {
        let run = fidelity::simulate(transcript, settings, &ruler, *window_tokens);
        let scored = run.entries.iter().enumerate();
        let scored = scored.filter_map(|(at, id)| Scored::of(&run.transcript, id, at + 1, None));
        ScoredWindow {
            window_tokens: *window_tokens,
            conversation_tokens: run.tokens,
            compactions: scored.collect(),
        }
    };
    windows.iter().map(simulated).collect()
}

/// A compaction and its score.
struct Scored {
    entry: EntryId,
    number: usize,
    /// Its standing in the session; `None` when simulated.
    state: Option<CompactionStanding>,
    compaction: Compaction,
    score: FidelityScore,
}

/// The compactions that a window would have brought.
struct ScoredWindow {
    window_tokens: u64,
    conversation_tokens: u64,
    compactions: Vec<Scored>,
}

impl Scored {
    fn of(
        transcript: &Transcript,
        entry: &EntryId,
        number: usize,
        state: Option<CompactionStanding>,
    ) -> Option<Self> {
        let EntryBody::Compaction(compaction) = &transcript.get(entry)?.body else {
            return None;
        };
        Some(Self {
            entry: entry.clone(),
            number,
            state,
            compaction: Compaction::clone(compaction),
            score: fidelity::score(transcript, entry)?,
        })
    }

    fn json(&self) -> Value {
        let score = &self.score;
        json!({
            "entry": self.entry.as_str(),
            "number": self.number,
            "state": self.state.map_or(SIMULATED, CompactionStanding::name),
            "trigger": self.compaction.details.cause.trigger.name(),
            "model": self.compaction.details.model,
            "replaced": score.replaced,
            "kept": score.kept,
            "later": score.later,
            "summary_chars": score.summary_chars,
            "list_percent": score.list_percent,
            "claims": score.inventions.claims,
            "invented": score.inventions.invented,
            "classes": score.classes.iter().map(class_json).collect::<Vec<_>>(),
        })
    }

    fn text(&self, out: &mut String) {
        let score = &self.score;
        let model = match self.compaction.details.model.as_str() {
            "" => "another program",
            model => model,
        };
        let head = format!(
            "#{}  {}  by {model}  [{}]",
            self.number,
            self.entry,
            self.state.map_or(SIMULATED, CompactionStanding::words)
        );
        // Ids and models of other programs may be of any length.
        let head: String = head.chars().take(COLUMNS).collect();
        let _ = writeln!(
            out,
            "{head}\n{} messages replaced, {} kept, {} sent later; summary of {} characters",
            grouped(score.replaced as u64),
            grouped(score.kept as u64),
            grouped(score.later as u64),
            grouped(score.summary_chars as u64),
        );
        out.push('\n');
        table(out, &score.classes);
        let inventions = &score.inventions;
        let _ = writeln!(
            out,
            "\ninvented: {} of {} claims",
            inventions.invented.len(),
            inventions.claims
        );
        list(
            out,
            "without a source",
            inventions.invented.iter().map(String::as_str),
        );
        let gone = score
            .classes
            .iter()
            .filter(|it| it.class == ProbeClass::Hindsight);
        let gone = gone
            .flat_map(|it| &it.probes)
            .filter(|it| it.fate == ProbeFate::Gone);
        list(
            out,
            "needed later, gone",
            gone.map(|probe| probe.text.as_str()),
        );
        out.push('\n');
    }
}

impl ScoredWindow {
    fn json(&self) -> Value {
        json!({
            "window_tokens": self.window_tokens,
            "conversation_tokens": self.conversation_tokens,
            "compactions": self.compactions.iter().map(Scored::json).collect::<Vec<_>>(),
        })
    }

    fn text(&self, out: &mut String) {
        let window = grouped(self.window_tokens);
        if self.compactions.is_empty() {
            let _ = writeln!(
                out,
                "window of {window} tokens: no compaction; the conversation has {} tokens\n",
                grouped(self.conversation_tokens)
            );
            return;
        }
        let _ = writeln!(
            out,
            "== in a window of {window} tokens, summarised without a model ==\n"
        );
        for scored in &self.compactions {
            scored.text(out);
        }
        if self.compactions.len() == fidelity::MAX_SIMULATED {
            let _ = writeln!(
                out,
                "only the first {} are simulated\n",
                fidelity::MAX_SIMULATED
            );
        }
    }
}

fn class_json(score: &ClassScore) -> Value {
    let counts = score.counts();
    let probe = |probe: &Probe| {
        json!({
            "text": probe.text,
            "kind": probe.kind,
            "entry": probe.entry.as_ref().map(EntryId::as_str),
            "fate": probe.fate.name(),
        })
    };
    json!({
        "class": score.class.name(),
        "in_tail": counts.in_tail,
        "verbatim": counts.verbatim,
        "reworded": counts.reworded,
        "gone": counts.gone,
        "probes": score.probes.iter().map(probe).collect::<Vec<_>>(),
    })
}

/// One row a class that has facts; of hindsight one a kind of name as well.
fn table(out: &mut String, classes: &[ClassScore]) {
    let _ = writeln!(
        out,
        "{:16}{:>9}{:>10}{:>10}{:>7}  kept",
        "", "in tail", "verbatim", "reworded", "gone"
    );
    for score in classes.iter().filter(|score| !score.probes.is_empty()) {
        row(out, score.class.name(), score.counts());
        if score.class != ProbeClass::Hindsight {
            continue;
        }
        for kind in fidelity::NameKind::ALL {
            let of_kind = score
                .probes
                .iter()
                .filter(|probe| probe.kind == kind.name());
            let counts = FateCounts::of(of_kind);
            if counts != FateCounts::default() {
                row(out, &format!("  {}", kind.name()), counts);
            }
        }
    }
}

fn row(out: &mut String, name: &str, counts: FateCounts) {
    let share = (counts.kept() * 100).checked_div(counts.due());
    let share = share.map_or_else(
        || "-".to_owned(),
        |percent| format!("{}/{} = {percent} %", counts.kept(), counts.due()),
    );
    let _ = writeln!(
        out,
        "{name:16}{:>9}{:>10}{:>10}{:>7}  {share}",
        counts.in_tail, counts.verbatim, counts.reworded, counts.gone
    );
}

/// Names in a few lines, as far as they fit; nothing where there are none.
fn list<'a>(out: &mut String, what: &str, names: impl Iterator<Item = &'a str>) {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        return;
    }
    let mut line = format!("{what}:");
    let shown = names.iter().take(MAX_GONE).map(|name| (*name).to_owned());
    let more = names.len().saturating_sub(MAX_GONE);
    let rest = (more > 0).then(|| format!("and {more} more"));
    for name in shown.chain(rest) {
        let name: String = name.chars().take(COLUMNS - 4).collect();
        if line.chars().count() + name.chars().count() + 2 > COLUMNS {
            let _ = writeln!(out, "{line}");
            "  ".clone_into(&mut line);
        }
        let _ = write!(line, " {name}");
    }
    let _ = writeln!(out, "{line}");
}
