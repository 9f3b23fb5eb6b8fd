//! `plim -p`: one message, its answer, the exit code.

use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use plimsoll::agent::{self, Setup};
use plimsoll::cli::{ExitCode, OutputFormat};
use plimsoll::headless::{self, Ended, JsonSink, Outcome, StreamSink, TextSink};
use plimsoll::transcript::Image;
use plimsoll::tui::command;
use plimsoll::tui::composer::Composer;
use plimsoll::tui::runner::{named_file, read_image};

use super::{Done, say};
use crate::launch::{Failure, Launch};
use crate::printer;

/// Answers one message without a screen.
pub async fn print(prompt: String, format: OutputFormat, launch: Launch) -> Done {
    let source = launch.source()?;
    let mut setup = launch.setup(source, false);
    setup.is_watched = format == OutputFormat::StreamJson;
    let message = message(&prompt, &mut setup, &launch)?;
    let handle = agent::spawn(setup);
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let ended = match format {
        OutputFormat::Text => {
            let mut sink = TextSink::new(printer::stdout(), printer::stderr());
            headless::run(handle, message, &mut sink, interrupt).await
        }
        OutputFormat::Json => {
            let mut sink = JsonSink::new(printer::stdout());
            headless::run(handle, message, &mut sink, interrupt).await
        }
        OutputFormat::StreamJson => {
            let mut sink = StreamSink::new(printer::stdout());
            headless::run(handle, message, &mut sink, interrupt).await
        }
    };
    match ended {
        Ended::Ran(outcome) => exit_code(&outcome),
        Ended::NotStarted(error) => Err(error.into()),
        Ended::Interrupted => Ok(ExitCode::Interrupted as u8),
        Ended::Unwritten(error) => Err(Failure::failed(format!(
            "the output could not be written: {error}"
        ))
        .with_hint("the answer is in the session; `plim export --format md` prints it")),
    }
}

fn exit_code(outcome: &Outcome) -> Done {
    let Some(end) = &outcome.end else {
        return Err(Failure::failed("the agent ended before it answered")
            .with_hint("the message is kept in the session"));
    };
    match &end.error {
        Some(error) => Err(Failure {
            message: error.text.clone(),
            hint: error.hint.clone(),
            code: end.exit_code,
        }),
        None if end.exit_code == ExitCode::Refused as u8 => Err(Failure {
            message: "a tool call was refused: it needed approval and nobody could be asked"
                .to_owned(),
            hint: Some(
                "allow it with --approve edits, --approve all or approvals.allow".to_owned(),
            ),
            code: end.exit_code,
        }),
        None => Ok(end.exit_code),
    }
}

/// What is sent: the message or the command that it names, the images that it mentions, and
/// what was piped, as it stands.
fn message(
    prompt: &str,
    setup: &mut Setup,
    launch: &Launch,
) -> Result<(String, Vec<Image>), Failure> {
    let typed = expanded(prompt.to_owned(), setup);
    let home = launch.variable("HOME").map(PathBuf::from);
    let (typed, images) = Composer::message(&typed, |path| {
        let path = named_file(Path::new(path), home.as_deref(), &setup.cwd);
        let read = read_image(&path);
        if let Err(problem) = &read {
            say(problem, Some("it is sent as text"));
        }
        read.ok()
    });
    Ok((whole_prompt(typed, !images.is_empty())?, images))
}

/// The text of one of the user's own commands, where the message is one.
fn expanded(prompt: String, setup: &mut Setup) -> String {
    let Some(line) = prompt.strip_prefix('/') else {
        return prompt;
    };
    let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let own = command::read_own(&setup.paths, &setup.cwd);
    for problem in &own.problems {
        say(problem, None);
    }
    let Some(command) = own.find(name) else {
        return prompt;
    };
    if setup.model_flag.is_none() {
        setup.model_flag = command.model.as_ref().map(ToString::to_string);
    }
    command.message(arguments)
}

/// What was typed, with what was piped behind it.
fn whole_prompt(typed: String, has_images: bool) -> Result<String, Failure> {
    let mut piped = Vec::new();
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        stdin.lock().read_to_end(&mut piped).map_err(|error| {
            Failure::failed(format!("stdin could not be read: {error}"))
                .with_hint("nothing was sent")
        })?;
    }
    let piped = String::from_utf8_lossy(&piped);
    let prompt = match (typed.trim().is_empty(), piped.trim().is_empty()) {
        (true, true) if !has_images => {
            return Err(Failure::usage(
                "there is nothing to answer",
                "give a message: plim -p \"…\", or pipe one in: … | plim -p",
            ));
        }
        (_, true) => typed,
        (true, false) => piped.into_owned(),
        (false, false) => format!("{typed}\n\n{piped}"),
    };
    Ok(prompt)
}
