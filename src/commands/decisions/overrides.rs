//! `plim pin`, `drop`, `restore` and `uncompact`: what the user decides, by the agent's own
//! rules. Each appends one entry, or nothing when it is refused.

use plimsoll::agent::{
    self, AgentEvent, AgentHandle, CompactionEvent, ContextEvent, ContextOp, Notice, NoticeLevel,
    Op, SaveOutcome, SessionEvent, SessionOp, SessionSource, UndoOp,
};
use plimsoll::cli::{self, EntryArgs, ExitCode, SessionArg, UndoArgs};
use plimsoll::transcript::EntryId;

use crate::commands::output::{CommandResult, put};
use crate::commands::setup::{CommandSetup, not_writable};
use crate::launch::ExitFailure;
use plimsoll::transcript::{grouped, plural, signed};

/// `plim pin`
pub async fn pin(args: &EntryArgs, at: &CommandSetup<'_>) -> CommandResult {
    of_entry(
        args,
        |it| Op::Context(ContextOp::Pin(it)),
        "is always sent and never summarised",
        at,
    )
    .await
}

/// `plim drop`
pub async fn drop_entry(args: &EntryArgs, at: &CommandSetup<'_>) -> CommandResult {
    of_entry(
        args,
        |it| Op::Context(ContextOp::Drop(it)),
        "is no longer sent",
        at,
    )
    .await
}

/// `plim restore`
pub async fn restore(args: &EntryArgs, at: &CommandSetup<'_>) -> CommandResult {
    of_entry(
        args,
        |it| Op::Context(ContextOp::Restore(it)),
        "is sent in full again",
        at,
    )
    .await
}

async fn of_entry(
    args: &EntryArgs,
    op: impl FnOnce(EntryId) -> Op,
    effect: &str,
    at: &CommandSetup<'_>,
) -> CommandResult {
    let path = at.launch.find(&args.session())?;
    let entry = args.entry();
    let events = decide(op(EntryId::new(entry)), SessionSource::Open(path), at).await?;
    let applied = events.iter().find_map(|event| {
        if let AgentEvent::Context(ContextEvent::OverrideApplied {
            what,
            others,
            tokens_change,
            ..
        }) = event
        {
            Some((*what, *others, *tokens_change))
        } else {
            None
        }
    });
    let Some((what, others, change)) = applied else {
        return Err(refusal(&events));
    };
    let with = match others {
        0 => String::new(),
        n => format!(", with {} of its group", plural(n as u64, "more item")),
    };
    let change = signed(change);
    put(&format!(
        "{what} {entry}: it {effect}{with} ({change} tokens)\n"
    ))
}

/// `plim uncompact`
pub async fn uncompact(session: &SessionArg, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.session_to_read(at.common, session)?;
    let events = decide(
        Op::Context(ContextOp::Uncompact),
        SessionSource::Open(path),
        at,
    )
    .await?;
    let undone = events.iter().find_map(|event| {
        if let AgentEvent::Compaction(CompactionEvent::Undone {
            target,
            tokens_after,
            over_load_line,
        }) = event
        {
            Some((target, *tokens_after, *over_load_line))
        } else {
            None
        }
    });
    let Some((target, tokens, is_over)) = undone else {
        return Err(refusal(&events));
    };
    let warning = if is_over {
        ", above the load line: the next message compacts again"
    } else {
        ""
    };
    put(&format!(
        "undone: compaction {target}; the context has ~{} tokens{warning}\n",
        grouped(tokens)
    ))
}

/// `plim undo` and `plim redo`
pub async fn undo(op: UndoOp, args: &UndoArgs, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.session_to_read(at.common, &args.session)?;
    let op = if args.yes { op.confirmed() } else { op };
    let events = decide(
        Op::Context(ContextOp::Undo(op)),
        SessionSource::Open(path),
        at,
    )
    .await?;
    for event in &events {
        if let AgentEvent::Context(ContextEvent::ActUndone {
            way,
            what,
            tokens_change,
            ..
        }) = event
        {
            let change = signed(*tokens_change);
            return put(&format!("{}: {what} ({change} tokens)\n", way.done()));
        }
        if let AgentEvent::Compaction(CompactionEvent::Undone { tokens_after, .. }) = event {
            let tokens = grouped(*tokens_after);
            return put(&format!(
                "undone: your newest compaction; the context has ~{tokens} tokens\n"
            ));
        }
        if let AgentEvent::Context(ContextEvent::UndoPlanned(plan)) = event {
            return Err(ExitFailure {
                message: format!("not done yet: {}", plan.words()),
                hint: Some("confirm with --yes".to_owned()),
                code: ExitCode::Refused as u8,
            });
        }
    }
    Err(refusal(&events))
}

/// Sends one op and answers with what happened because of it.
pub(super) async fn decide(
    op: Op,
    source: SessionSource,
    at: &CommandSetup<'_>,
) -> Result<Vec<AgentEvent>, ExitFailure> {
    let AgentHandle {
        ops,
        mut events,
        ready,
        task,
    } = agent::spawn(at.launch.setup(source, false));
    match ready.await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(error.into()),
        Err(_) => return Err(ExitFailure::failed("the agent did not start")),
    }
    let _ = ops.send(op).await;
    let _ = ops.send(Op::Session(SessionOp::Shutdown)).await;
    let mut happened = Vec::new();
    // The first view ends what is said of the session as such.
    let mut is_open = false;
    while let Some(event) = events.recv().await {
        if let AgentEvent::Session(SessionEvent::Opened(info)) = event {
            if let Some(why) = info.read_only {
                return Err(not_writable(&why));
            }
        } else if let AgentEvent::Session(SessionEvent::Ended(SaveOutcome::Unsaved(unsaved))) =
            event
        {
            return Err(ExitFailure::unsaved(&unsaved));
        } else if let AgentEvent::Context(ContextEvent::View(_)) = event {
            is_open = true;
        } else if is_open {
            happened.push(event);
        }
    }
    let _ = task.await;
    Ok(happened)
}

/// The sentence in which the agent refused.
pub(super) fn refusal(events: &[AgentEvent]) -> ExitFailure {
    let said = events.iter().rev().find_map(|event| {
        if let AgentEvent::Notice(notice) = event {
            Some(notice)
        } else {
            None
        }
    });
    let Notice { level, text, hint } = said
        .cloned()
        .unwrap_or_else(|| Notice::error("nothing was changed"));
    let fallback = match level {
        NoticeLevel::Error => "`plim context` lists the entry ids",
        _ => "`plim summary` lists the compactions of a session",
    };
    let hint = hint.unwrap_or_else(|| fallback.to_owned()).replace(
        "Enter on a row of /context shows its id",
        "`plim context` lists the entries with their ids",
    );
    ExitFailure {
        message: cli::in_shell_words(&text),
        hint: Some(cli::in_shell_words(&hint)),
        code: ExitCode::Failed as u8,
    }
}
