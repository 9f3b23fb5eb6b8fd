//! The tables of the measurement.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use plimsoll::context::fidelity::{FateCounts, FidelityScore, ProbeClass, ProbeFate};

use super::{ScoredSession, WINDOWS};

const BEGIN: &str = "<!-- generated: fidelity -->\n";
const END: &str = "<!-- end of generated -->";

/// The counts of a class over some scores.
fn sum<'a>(scores: impl IntoIterator<Item = &'a FidelityScore>, class: ProbeClass) -> FateCounts {
    let counts = scores.into_iter().map(|score| score.counts(class));
    counts.fold(FateCounts::default(), FateCounts::plus)
}

fn percent(part: usize, whole: usize) -> String {
    (part * 100)
        .checked_div(whole)
        .map_or_else(|| "–".to_owned(), |share| format!("{share} %"))
}

fn share(counts: FateCounts) -> String {
    match counts.due() {
        0 => "–".to_owned(),
        due => format!("{}/{due} = {}", counts.kept(), percent(counts.kept(), due)),
    }
}

fn of_window(scored: &[ScoredSession], window: u64) -> impl Iterator<Item = &FidelityScore> {
    scored
        .iter()
        .filter(move |it| it.window == window)
        .flat_map(|it| &it.scores)
}

/// All sessions and windows; then the classes over all sessions.
pub fn table(scored: &[ScoredSession]) -> String {
    let mut out = String::from(
        "| session | window | compactions | hindsight | list | rules | decisions | steps | files |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for it in scored.iter().filter(|it| !it.scores.is_empty()) {
        row(&mut out, it.name, it.window, &it.scores);
    }
    for window in WINDOWS {
        let all: Vec<FidelityScore> = of_window(scored, window).cloned().collect();
        row(&mut out, "**all**", window, &all);
    }
    out.push_str(
        "\n| kept in the summary, of what the tail lacks | 16k | 32k | 100k |\n|---|---|---|---|\n",
    );
    for class in ProbeClass::ALL {
        let _ = write!(out, "| {}", class.name());
        for window in WINDOWS {
            let _ = write!(out, " | {}", share(sum(of_window(scored, window), class)));
        }
        out.push_str(" |\n");
    }
    let _ = write!(out, "| invented claims");
    for window in WINDOWS {
        let (mut invented, mut claims) = (0, 0);
        for score in of_window(scored, window) {
            invented += score.inventions.invented.len();
            claims += score.inventions.claims;
        }
        let _ = write!(out, " | {invented} of {claims}");
    }
    out.push_str(" |\n");
    out
}

fn row(out: &mut String, name: &str, window: u64, scores: &[FidelityScore]) {
    let chars: usize = scores.iter().map(|it| it.summary_chars).sum();
    let listed: usize = scores
        .iter()
        .map(|it| it.summary_chars * it.list_percent / 100)
        .sum();
    let _ = write!(
        out,
        "| {name} | {}k | {} | {} | {}",
        window / 1_000,
        scores.len(),
        share(sum(scores, ProbeClass::Hindsight)),
        percent(listed, chars),
    );
    for class in [
        ProbeClass::Rules,
        ProbeClass::Decisions,
        ProbeClass::Steps,
        ProbeClass::Files,
    ] {
        let counts = sum(scores, class);
        let _ = write!(out, " | {}", percent(counts.kept(), counts.due()));
    }
    out.push_str(" |\n");
}

/// What is lost: hindsight by kind of name, and the names that are lost most often.
pub fn lost(scored: &[ScoredSession]) -> String {
    let mut out = String::new();
    for window in WINDOWS {
        let mut kinds: BTreeMap<&str, FateCounts> = BTreeMap::new();
        for score in of_window(scored, window) {
            for probe in score.classes.iter().flat_map(|it| &it.probes) {
                let counts = kinds.entry(probe.kind).or_default();
                *counts = counts.plus(FateCounts::of([probe]));
            }
        }
        let _ = writeln!(out, "\n{}k", window / 1_000);
        for (kind, counts) in kinds {
            let _ = writeln!(
                out,
                "  {kind:10} {} (in tail {})",
                share(counts),
                counts.in_tail
            );
        }
    }
    for it in scored
        .iter()
        .filter(|it| it.window == WINDOWS[1] && !it.scores.is_empty())
    {
        let chars: Vec<usize> = it.scores.iter().map(|score| score.summary_chars).collect();
        let probes = it.scores.iter().flat_map(|score| &score.classes);
        let probes = probes
            .filter(|it| it.class == ProbeClass::Hindsight)
            .flat_map(|it| &it.probes);
        let gone: Vec<&str> = probes
            .filter(|probe| probe.fate == ProbeFate::Gone)
            .map(|probe| probe.text.as_str())
            .take(14)
            .collect();
        let _ = writeln!(
            out,
            "{} ({} tokens; {chars:?} chars): {}",
            it.name,
            it.conversation_tokens,
            gone.join(" ")
        );
    }
    let invented = of_window(scored, WINDOWS[1]).flat_map(|it| &it.inventions.invented);
    let invented: BTreeSet<&str> = invented.map(String::as_str).collect();
    let invented: Vec<&str> = invented.into_iter().collect();
    let _ = writeln!(out, "said by nobody: {}", invented.join(" | "));
    out
}

/// Three lines for `docs/context.md`.
fn short(scored: &[ScoredSession]) -> String {
    let mut out = String::from(
        "| window | names that later messages need | rules | decisions | invented |\n|---|---|---|---|---|\n",
    );
    for window in WINDOWS {
        let part = |class| {
            let counts = sum(of_window(scored, window), class);
            percent(counts.kept(), counts.due())
        };
        let invented: usize = of_window(scored, window)
            .map(|it| it.inventions.invented.len())
            .sum();
        let _ = writeln!(
            out,
            "| {}k | {} | {} | {} | {invented} |",
            window / 1_000,
            part(ProbeClass::Hindsight),
            part(ProbeClass::Rules),
            part(ProbeClass::Decisions),
        );
    }
    out
}

/// Writes the tables between their marks in the documents.
pub fn write(root: &Path, scored: &[ScoredSession], table: &str) {
    for (name, body) in [
        ("docs/fidelity.md", table.to_owned()),
        ("docs/context.md", short(scored)),
    ] {
        let path = root.join(name);
        let text = fs::read_to_string(&path).expect("the document");
        let (before, rest) = text.split_once(BEGIN).expect("where the table begins");
        let (_, after) = rest.split_once(END).expect("where the table ends");
        let text = format!("{before}{BEGIN}{}\n{END}{after}", body.trim_end());
        fs::write(&path, text).expect("to write it");
    }
}
