//! `plim engine`: the protocol of engine programs, and whether one keeps the contract.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use plimsoll::agent::{EngineProgram, SessionSource};
use plimsoll::cli::{EngineAct, EngineArgs, ExitCode};
use plimsoll::engine::process::ProgramLauncher;
use plimsoll::engine::process::protocol::SCHEMA;
use plimsoll::engine::process::trial::{self, TrialOutcome};
use serde_json::json;

use super::output::{CommandResult, put, put_json};
use super::setup::CommandSetup;

/// `plim engine`
pub(super) fn engine(args: &EngineArgs, at: &CommandSetup<'_>) -> CommandResult {
    match &args.act {
        EngineAct::Schema => put(SCHEMA),
        EngineAct::Check { command, json } => check(command, *json, at),
    }
}

fn check(command: &str, is_json: bool, at: &CommandSetup<'_>) -> CommandResult {
    let setup = at.launch.setup(SessionSource::Memory, false);
    let limit = Duration::from_millis(setup.settings.agent.engine.limit_ms);
    let program = EngineProgram::new(command.to_owned(), setup.cwd, &setup.environment, limit);
    let launcher: Arc<dyn ProgramLauncher> = Arc::new(program);
    let outcomes = trial::run(&launcher);
    let has_passed = outcomes.iter().all(|it| it.fault.is_none());
    if is_json {
        put_json(&as_json(&outcomes, has_passed))?;
    } else {
        put(&in_words(&outcomes))?;
    }
    Ok(if has_passed {
        ExitCode::Done as u8
    } else {
        ExitCode::Failed as u8
    })
}

fn as_json(outcomes: &[TrialOutcome], has_passed: bool) -> serde_json::Value {
    let trials: Vec<_> = outcomes
        .iter()
        .map(|it| json!({ "claim": it.claim, "passed": it.fault.is_none(), "fault": it.fault }))
        .collect();
    json!({ "passed": has_passed, "trials": trials })
}

fn in_words(outcomes: &[TrialOutcome]) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        let _ = match &outcome.fault {
            None => writeln!(text, "passed  {}", outcome.claim),
            Some(fault) => writeln!(text, "FAILED  {}: {fault}", outcome.claim),
        };
    }
    let failed = outcomes.iter().filter(|it| it.fault.is_some()).count();
    let _ = match failed {
        0 => writeln!(text, "all {} trials passed", outcomes.len()),
        failed => writeln!(text, "{failed} of {} trials failed", outcomes.len()),
    };
    text
}
