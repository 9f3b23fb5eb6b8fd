//! The engines by id. An engine is one row here; screens, settings and documents know them by
//! what the rows say.

use std::sync::Arc;

use super::process::{ProcessEngine, ProgramLauncher};
use super::retrieval::Retrieval;
use super::selecting::SelectingEngine;
use super::sliding_window::SlidingWindow;
use super::{ContextEngine, DEFAULT_ENGINE, EngineFailure, Layered};
use crate::context::ContextSettings;
use crate::context::ruler::Ruler;

/// What an engine is made of.
#[derive(Clone)]
pub struct EngineParts {
    /// The context settings in force.
    pub settings: Arc<ContextSettings>,
    /// How tokens are counted.
    pub ruler: Arc<dyn Ruler>,
    /// The user's program for `process`, or why there is none.
    pub program: Result<Arc<dyn ProgramLauncher>, Arc<str>>,
}

/// An engine that can be asked for.
pub struct EngineRow {
    /// The value of `context.engine`.
    pub id: &'static str,
    /// Other values that mean it.
    pub aliases: &'static [&'static str],
    /// One line for people.
    pub description: &'static str,
    make: fn(EngineParts) -> Result<Box<dyn ContextEngine>, EngineFailure>,
}

/// The built-in engines, the default first.
pub static ENGINES: &[EngineRow] = &[
    EngineRow {
        id: DEFAULT_ENGINE,
        aliases: &["legacy"],
        description: Layered::DESCRIPTION,
        make: |parts| Ok(Box::new(Layered::new(parts.settings, parts.ruler))),
    },
    EngineRow {
        id: SlidingWindow::ID,
        aliases: &[],
        description: SlidingWindow::DESCRIPTION,
        make: |parts| {
            let engine = SelectingEngine::new(SlidingWindow, parts.settings, parts.ruler);
            Ok(Box::new(engine))
        },
    },
    EngineRow {
        id: Retrieval::ID,
        aliases: &[],
        description: Retrieval::DESCRIPTION,
        make: |parts| {
            let policy = Retrieval::default();
            let engine = SelectingEngine::new(policy, parts.settings, parts.ruler);
            Ok(Box::new(engine))
        },
    },
    EngineRow {
        id: ProcessEngine::ID,
        aliases: &[],
        description: ProcessEngine::DESCRIPTION,
        make: |parts| {
            let program = parts.program;
            let program = program.map_err(|why| EngineFailure::Failed(why.as_ref().to_owned()))?;
            let policy = ProcessEngine::start(program)?;
            let engine = SelectingEngine::new(policy, parts.settings, parts.ruler);
            Ok(Box::new(engine))
        },
    },
];

impl EngineRow {
    /// Makes the engine.
    pub fn make(&self, parts: EngineParts) -> Result<Box<dyn ContextEngine>, EngineFailure> {
        (self.make)(parts)
    }
}

/// The engine with this id or alias.
pub fn find(id: &str) -> Option<&'static EngineRow> {
    let is_named = |row: &&EngineRow| row.id == id || row.aliases.contains(&id);
    ENGINES.iter().find(is_named)
}

/// All names that an engine can be asked for by: ids, then aliases.
pub fn names() -> Vec<&'static str> {
    let ids = ENGINES.iter().map(|row| row.id);
    let aliases = ENGINES.iter().flat_map(|row| row.aliases);
    ids.chain(aliases.copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_their_engine() {
        for (name, id) in [
            ("layered", Some("layered")),
            ("legacy", Some("layered")),
            ("sliding-window", Some("sliding-window")),
            ("retrieval", Some("retrieval")),
            ("magic", None),
        ] {
            assert_eq!(find(name).map(|row| row.id), id, "{name}");
        }
        assert_eq!(names().len(), 1 + ENGINES.len());
    }
}
