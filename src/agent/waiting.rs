//! The waiting line: messages and commands that were typed while something ran, in the
//! order in which they were typed.
//!
//! Invariant: nothing passes a command. A message that was typed to steer the running turn
//! may pass messages for later, but what was typed after a command wants it done before.

use std::collections::VecDeque;

use crate::agent::protocol::{
    CompactOptions, ContextOp, Op, QueuedInput, ReturnedInput, ServerAct, SettingOp, SubmitWhen,
    TurnOp,
};
use crate::transcript::{Image, ModelRef};

/// A command that has to wait until what runs is over.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::agent) enum WaitingCommand {
    Compact(CompactOptions),
    Shell { command: String, excluded: bool },
    Uncompact,
    Prune,
    SetModel(ModelRef),
    ReloadServers,
}

impl WaitingCommand {
    /// The command that an op is, or the op itself when it need not wait. A model need not
    /// always: who knows the conversation says so.
    pub(super) fn of(op: Op) -> Result<Self, Op> {
        match op {
            Op::Context(ContextOp::Compact(options)) => Ok(Self::Compact(options)),
            Op::Turn(TurnOp::Shell { command, excluded }) => Ok(Self::Shell { command, excluded }),
            Op::Context(ContextOp::Uncompact) => Ok(Self::Uncompact),
            Op::Context(ContextOp::Prune { dry_run: false }) => Ok(Self::Prune),
            Op::Setting(SettingOp::Servers(ServerAct::Reload)) => Ok(Self::ReloadServers),
            Op::Context(
                ContextOp::Review(_)
                | ContextOp::Prune { dry_run: true }
                | ContextOp::Pin(_)
                | ContextOp::Restore(_)
                | ContextOp::Drop(_)
                | ContextOp::Rule(_)
                | ContextOp::Undo(_),
            )
            | Op::Turn(
                TurnOp::Submit { .. }
                | TurnOp::Draft { .. }
                | TurnOp::Interrupt
                | TurnOp::Unqueue { .. }
                | TurnOp::Approve { .. }
                | TurnOp::FitMessage { .. }
                | TurnOp::AnswerForm { .. }
                | TurnOp::Background
                | TurnOp::KillJob(_)
                | TurnOp::TellChild { .. }
                | TurnOp::StopChild(_),
            )
            | Op::Session(_)
            | Op::Setting(_)
            | Op::Query { .. } => Err(op),
        }
    }

    pub(super) fn into_op(self) -> Op {
        match self {
            Self::Compact(options) => Op::Context(ContextOp::Compact(options)),
            Self::Shell { command, excluded } => Op::Turn(TurnOp::Shell { command, excluded }),
            Self::Uncompact => Op::Context(ContextOp::Uncompact),
            Self::Prune => Op::Context(ContextOp::Prune { dry_run: false }),
            Self::SetModel(model) => Op::Setting(SettingOp::Model(model)),
            Self::ReloadServers => Op::Setting(SettingOp::Servers(ServerAct::Reload)),
        }
    }

    /// As it is typed, so that it can be typed again.
    pub(super) fn typed(&self) -> String {
        match self {
            Self::Compact(options) => typed_compact(options),
            Self::Shell { command, excluded } => {
                format!("{}{command}", if *excluded { "!!" } else { "!" })
            }
            Self::Uncompact => "/uncompact".to_owned(),
            Self::Prune => "/prune".to_owned(),
            Self::SetModel(model) => format!("/model {model}"),
            Self::ReloadServers => "/mcp reload".to_owned(),
        }
    }
}

fn typed_compact(options: &CompactOptions) -> String {
    let mut typed = "/compact".to_owned();
    // The first entry that is kept is picked from a list; the flag opens it again.
    for (flag, is_set) in [
        ("--yes", options.yes),
        ("--dry-run", options.dry_run),
        ("--force", options.force),
        ("--extractive", options.extractive),
        ("--rebuild", options.rebuild),
        ("--from", options.from.is_some()),
    ] {
        if is_set {
            typed.push(' ');
            typed.push_str(flag);
        }
    }
    if let Some(instructions) = &options.instructions {
        typed.push(' ');
        typed.push_str(instructions);
    }
    typed
}

/// The action of an input when its time comes.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::agent) enum WaitingWork {
    Message {
        text: String,
        images: Vec<Image>,
        when: SubmitWhen,
    },
    Command(WaitingCommand),
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::agent) struct WaitingInput {
    pub id: u64,
    pub work: WaitingWork,
}

impl WaitingInput {
    fn is_command(&self) -> bool {
        matches!(self.work, WaitingWork::Command(_))
    }

    fn returned(self) -> ReturnedInput {
        match self.work {
            WaitingWork::Message { text, images, .. } => ReturnedInput {
                text,
                images,
                is_command: false,
            },
            WaitingWork::Command(command) => ReturnedInput {
                text: command.typed(),
                images: Vec::new(),
                is_command: true,
            },
        }
    }
}

/// All that waits.
#[derive(Debug, Default)]
pub(in crate::agent) struct WaitingLine {
    inputs: VecDeque<WaitingInput>,
}

impl WaitingLine {
    pub(super) fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.inputs.len()
    }

    pub(super) fn push(&mut self, input: WaitingInput) {
        self.inputs.push_back(input);
    }

    /// Takes the next input when nothing runs.
    pub(super) fn pop(&mut self) -> Option<WaitingInput> {
        self.inputs.pop_front()
    }

    /// Messages for the next step of the running turn, oldest first.
    pub(super) fn take_steering(&mut self) -> Vec<(String, Vec<Image>)> {
        let mut taken = Vec::new();
        let mut is_behind_command = false;
        let mut kept = VecDeque::with_capacity(self.inputs.len());
        for input in self.inputs.drain(..) {
            is_behind_command |= input.is_command();
            match input.work {
                WaitingWork::Message {
                    text,
                    images,
                    when: SubmitWhen::NextStep,
                } if !is_behind_command => taken.push((text, images)),
                work => kept.push_back(WaitingInput { id: input.id, work }),
            }
        }
        self.inputs = kept;
        taken
    }

    /// Takes models that were chosen before out of the line; whether there was one.
    pub(super) fn forget_models(&mut self) -> bool {
        let before = self.len();
        self.inputs.retain(|input| {
            !matches!(
                input.work,
                WaitingWork::Command(WaitingCommand::SetModel(_))
            )
        });
        self.len() < before
    }

    /// Takes inputs out of the line, to be given back.
    pub(super) fn take_back(&mut self, is_wanted: impl Fn(u64) -> bool) -> Vec<ReturnedInput> {
        let (wanted, kept): (VecDeque<_>, _) =
            self.inputs.drain(..).partition(|input| is_wanted(input.id));
        self.inputs = kept;
        wanted.into_iter().map(WaitingInput::returned).collect()
    }

    /// The line as a front end shows it, with when each really comes.
    pub(super) fn shown(&self) -> Vec<QueuedInput> {
        let mut is_behind_command = false;
        let inputs = self.inputs.iter();
        inputs
            .map(|input| {
                is_behind_command |= input.is_command();
                let (text, when) = match &input.work {
                    WaitingWork::Message { text, when, .. } => (text.clone(), *when),
                    WaitingWork::Command(command) => (command.typed(), SubmitWhen::AfterTurn),
                };
                QueuedInput {
                    id: input.id,
                    text,
                    when: if is_behind_command {
                        SubmitWhen::AfterTurn
                    } else {
                        when
                    },
                    is_command: input.is_command(),
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::EntryId;

    fn line(works: Vec<WaitingWork>) -> WaitingLine {
        let mut line = WaitingLine::default();
        for (id, work) in (1..).zip(works) {
            line.push(WaitingInput { id, work });
        }
        line
    }

    fn message(text: &str, when: SubmitWhen) -> WaitingWork {
        WaitingWork::Message {
            text: text.to_owned(),
            images: Vec::new(),
            when,
        }
    }

    fn words(line: &WaitingLine) -> Vec<(String, SubmitWhen)> {
        let shown = line.shown().into_iter();
        shown.map(|input| (input.text, input.when)).collect()
    }

    #[test]
    fn every_command_that_waits_is_shown_as_it_is_typed() {
        let all = CompactOptions {
            instructions: Some("keep the port".to_owned()),
            yes: true,
            unseen: true,
            dry_run: true,
            force: true,
            extractive: true,
            from: Some(EntryId::new("a1")),
            rebuild: true,
        };
        let plain = CompactOptions {
            instructions: Some("keep x".to_owned()),
            ..CompactOptions::default()
        };
        let shell = |excluded| {
            Op::Turn(TurnOp::Shell {
                command: "ls -l".to_owned(),
                excluded,
            })
        };
        for (op, typed) in [
            (
                Op::Context(ContextOp::Compact(all)),
                "/compact --yes --dry-run --force --extractive --rebuild --from keep the port",
            ),
            (Op::Context(ContextOp::Compact(plain)), "/compact keep x"),
            (
                Op::Context(ContextOp::Compact(CompactOptions::default())),
                "/compact",
            ),
            (shell(false), "!ls -l"),
            (shell(true), "!!ls -l"),
            (Op::Context(ContextOp::Uncompact), "/uncompact"),
            (Op::Context(ContextOp::Prune { dry_run: false }), "/prune"),
            (
                Op::Setting(SettingOp::Servers(ServerAct::Reload)),
                "/mcp reload",
            ),
        ] {
            let command = WaitingCommand::of(op.clone()).expect("it waits");
            assert_eq!(command.typed(), typed);
            assert_eq!(command.into_op(), op, "and is the same op in the end");
        }
        let model = WaitingCommand::SetModel(ModelRef::new("p", "m/n"));
        assert_eq!(model.typed(), "/model p/m/n");
        let mut line = line(vec![
            WaitingWork::Command(model),
            message("x", SubmitWhen::AfterTurn),
        ]);
        assert!(line.forget_models(), "another one was chosen since");
        assert_eq!(line.shown()[0].text, "x");
        assert!(!line.forget_models());
        let dry = Op::Context(ContextOp::Prune { dry_run: true });
        assert_eq!(WaitingCommand::of(dry.clone()), Err(dry), "it only looks");
    }

    #[test]
    fn no_message_passes_a_command_that_was_typed_before_it() {
        use SubmitWhen::{AfterTurn, NextStep};
        let mut line = line(vec![
            message("later", AfterTurn),
            message("steer", NextStep),
            WaitingWork::Command(WaitingCommand::Prune),
            message("after the prune", NextStep),
        ]);
        let shown = words(&line);
        let expected = [
            ("later", AfterTurn),
            ("steer", NextStep),
            ("/prune", AfterTurn),
            // What is said of it is when it really comes.
            ("after the prune", AfterTurn),
        ];
        assert_eq!(shown, expected.map(|(text, when)| (text.to_owned(), when)));
        let steering = line.take_steering();
        assert_eq!(steering, [("steer".to_owned(), Vec::new())]);
        let back = line.take_back(|id| id == 3);
        assert_eq!(back.len(), 1);
        assert_eq!(
            (back[0].text.as_str(), back[0].is_command),
            ("/prune", true)
        );
        // Without the command nothing is in the way of the message.
        assert_eq!(words(&line)[1], ("after the prune".to_owned(), NextStep));
        assert_eq!(line.take_steering().len(), 1);
        assert_eq!(line.take_back(|_| true).len(), 1);
        assert!(line.is_empty());
    }
}
