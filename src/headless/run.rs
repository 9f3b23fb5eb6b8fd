//! One message from start to end: submitted, answered, and the log closed. Whatever
//! happens on the way (an interrupt, a reader that is gone), the session is complete on
//! disk when this returns.

use std::io;

use tokio::sync::mpsc;

use super::outcome::{INTERRUPTED, Outcome};
use super::sink::Sink;
use crate::agent::{
    AgentEvent, AgentHandle, Op, SessionOp, StartError, SubmitWhen, TurnEvent, TurnOp,
};
use crate::transcript::Image;

/// How a run ended.
#[derive(Debug)]
pub enum RunEnd {
    /// It ran; see [`Outcome::end`].
    Ran(Box<Outcome>),
    /// Nothing ran.
    NotStarted(StartError),
    /// It was interrupted before anything ran; with the exit code of what interrupted it.
    Interrupted(u8),
    /// It ran, and what it said could not be written.
    Unwritten(io::Error),
}

/// The message of a run.
#[derive(Clone, Debug, Default)]
pub struct RunPrompt {
    /// The text of the message.
    pub text: String,
    /// The attached images.
    pub images: Vec<Image>,
}

/// Sends a message with its attachments and tells `sink` what happens. `interrupts` says
/// when somebody wants to stop, with the exit code for it: what has arrived is kept. The
/// second time nothing is waited for. A reader that closes its end stops the run as well, and
/// is not an error.
pub async fn run(
    handle: AgentHandle,
    prompt: RunPrompt,
    sink: &mut impl Sink,
    interrupts: &mut mpsc::Receiver<u8>,
) -> RunEnd {
    let AgentHandle {
        ops,
        mut events,
        ready,
        task,
    } = handle;
    tokio::select! {
        started = ready => {
            // Without a word the agent is gone.
            let lost = || StartError::Settings("the agent could not be started".to_owned());
            if let Err(error) = started.unwrap_or_else(|_| Err(lost())) {
                return RunEnd::NotStarted(error);
            }
        }
        Some(code) = interrupts.recv() => return RunEnd::Interrupted(code),
    }
    let submit = Op::Turn(TurnOp::Submit {
        text: prompt.text,
        images: prompt.images,
        when: SubmitWhen::NextStep,
    });
    let _ = ops.send(submit).await;
    let mut outcome = Outcome::default();
    let mut broken: Option<io::Error> = None;
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            Some(code) = interrupts.recv() => {
                if outcome.stopped_by.replace(code).is_some() {
                    task.abort();
                    break;
                }
                let _ = ops.send(Op::Turn(TurnOp::Interrupt)).await;
                continue;
            }
        };
        let Some(mut event) = event else { break };
        // The turn says what the process will: which signal it was.
        if let (AgentEvent::Turn(TurnEvent::Finished(end)), Some(code)) =
            (&mut event, outcome.stopped_by)
            && end.exit_code == INTERRUPTED
        {
            end.exit_code = code;
        }
        outcome.observe(&event);
        if broken.is_none()
            && let Err(error) = sink.event(&event)
        {
            broken = Some(error);
            // Nobody listens any more: stop as if interrupted, and keep everything.
            let _ = ops.send(Op::Turn(TurnOp::Interrupt)).await;
        }
        if let AgentEvent::Turn(TurnEvent::Finished(_)) = event {
            let _ = ops.send(Op::Session(SessionOp::Shutdown)).await;
        }
    }
    let _ = task.await;
    ended(outcome, broken, sink)
}

/// Has the sink say how it ended, unless its reader is gone.
fn ended(mut outcome: Outcome, broken: Option<io::Error>, sink: &mut impl Sink) -> RunEnd {
    let written = match broken {
        None => sink.finish(&outcome),
        Some(error) => {
            // The run was stopped for want of a reader, not because it failed.
            if let Some(end) = &mut outcome.end {
                end.exit_code = 0;
                end.error = None;
            }
            Err(error)
        }
    };
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => RunEnd::Unwritten(error),
        _ => RunEnd::Ran(Box::new(outcome)),
    }
}
