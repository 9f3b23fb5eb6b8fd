//! Stores of other programs: what is there, and whether it is understood.

use std::path::PathBuf;

use plimsoll::agent::AgentSetup;
use plimsoll::foreign::{self, StoreReport};
use plimsoll::transcript::plural;
use serde_json::{Value, json};

use super::DoctorProblem;

/// Unknown types that a row names.
const MAX_NAMED: usize = 3;

/// See the module's description.
pub(super) struct StoresReport {
    pub stores: Vec<StoreReport>,
    /// Programs that are known and cannot be read yet.
    pub unreadable: Vec<(&'static str, PathBuf)>,
}

impl StoresReport {
    pub(super) fn of(setup: &AgentSetup, problems: &mut Vec<DoctorProblem>) -> Self {
        let variable = |name: &str| setup.environment.get(name).cloned();
        let stores = foreign::stores(&variable, &setup.cwd);
        let stores: Vec<StoreReport> = stores.iter().map(foreign::survey).collect();
        for report in &stores {
            let Some(fault) = &report.fault else { continue };
            let program = report.store.program;
            let path = report.store.root.display();
            problems.push(DoctorProblem::error(
                format!("{program}, {path}: {fault}"),
                "sessions there may be of a newer version than this one knows; nothing was changed",
            ));
        }
        Self {
            stores,
            unreadable: foreign::unreadable_stores(&variable),
        }
    }

    /// A name and a line for each store.
    pub(super) fn rows(&self) -> Vec<(String, String)> {
        let rows = self.stores.iter().map(|report| {
            let mut facts = vec![plural(report.sessions as u64, "session")];
            let generations: Vec<&str> = report.generations.iter().copied().collect();
            if let Some(version) = &report.version {
                facts.push(format!("version {version}"));
            }
            if !generations.is_empty() {
                facts.push(format!("format {}", generations.join(", ")));
            }
            if !report.unknown.is_empty() {
                let named = report.unknown.iter().take(MAX_NAMED);
                let named: Vec<String> = named.map(|(kind, n)| format!("{kind} ({n})")).collect();
                facts.push(format!("unknown records: {}", named.join(", ")));
            }
            facts.push(report.store.root.display().to_string());
            (report.store.program.name().to_owned(), facts.join(" · "))
        });
        let unreadable = self.unreadable.iter().map(|(program, path)| {
            let text = format!("found, cannot be read yet · {}", path.display());
            ((*program).to_owned(), text)
        });
        rows.chain(unreadable).collect()
    }

    pub(super) fn json(&self) -> Value {
        let stores = self.stores.iter().map(|report| {
            json!({
                "program": report.store.program.name(),
                "path": report.store.root.display().to_string(),
                "sessions": report.sessions,
                "read": report.read,
                "messages": report.messages,
                "generations": report.generations,
                "version": report.version,
                "unknown": report.unknown,
                "fault": report.fault,
            })
        });
        let unreadable = self.unreadable.iter().map(|(program, path)| {
            json!({
                "program": program,
                "path": path.display().to_string(),
                "fault": "cannot be read yet",
            })
        });
        stores.chain(unreadable).collect()
    }
}
