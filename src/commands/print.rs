//! `plim -p`: one message, its answer, the exit code.

use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use plimsoll::agent::{self, AgentSetup, Notice};
use plimsoll::cli::{self, ExitCode, OutputFormat, ParseExit};
use plimsoll::headless::{self, JsonSink, Outcome, RunEnd, RunPrompt, StreamSink, TextSink};
use plimsoll::transcript::Image;
use plimsoll::tui::command;
use plimsoll::tui::composer::Composer;
use plimsoll::tui::runner::{named_file, read_image};
use plimsoll::tui::terminal;
use tokio::sync::mpsc;

use super::output::{CommandResult, say, unless_closed};
use crate::launch::{ExitFailure, Launch};
use crate::safe_output;

/// Signals that may wait.
const INTERRUPTS: usize = 4;

/// Answers one message without a screen.
pub async fn print(prompt: String, format: OutputFormat, launch: Launch) -> CommandResult {
    match answer(prompt, format, launch).await {
        Ok(RunEnd::Ran(outcome)) => exit_code(&outcome),
        Ok(RunEnd::NotStarted(error)) => {
            let failure = ExitFailure::from(error);
            write_failure(format, &failure);
            Err(failure)
        }
        Ok(RunEnd::Interrupted(code)) => {
            write_result(format, &Outcome::of_nothing(None, code))?;
            Ok(code)
        }
        Ok(RunEnd::Unwritten(error)) => Err(ExitFailure::failed(format!(
            "the output could not be written: {error}"
        ))
        .with_hint("the answer is saved in the session; print it with `plim export --format md`")),
        Err(failure) => {
            write_failure(format, &failure);
            Err(failure)
        }
    }
}

/// Why a command line was refused, as the one object that a program waits for.
pub fn write_refusal(early: &ParseExit) {
    let (sentence, hint) = early.sentence_and_hint();
    let failure = ExitFailure {
        message: sentence.to_owned(),
        hint: hint.map(str::to_owned),
        code: early.code as u8,
    };
    write_failure(early.format, &failure);
}

/// Why a run never began, as the one object that a program waits for.
pub fn write_failure(format: OutputFormat, failure: &ExitFailure) {
    let mut notice = Notice::error(&failure.message);
    notice.hint.clone_from(&failure.hint);
    let kind = match failure.code {
        code if code == ExitCode::Usage as u8 => "usage",
        code if code == ExitCode::Configuration as u8 => "configuration",
        _ => "not_started",
    };
    // Stderr says it as well.
    let _ = write_result(
        format,
        &Outcome::of_nothing(Some((kind, notice)), failure.code),
    );
}

fn write_result(format: OutputFormat, outcome: &Outcome) -> CommandResult {
    if format == OutputFormat::Text {
        return Ok(ExitCode::Done as u8);
    }
    unless_closed(headless::write_json_line(
        &mut safe_output::stdout(),
        &outcome.json(),
    ))
}

async fn answer(
    prompt: String,
    format: OutputFormat,
    launch: Launch,
) -> Result<RunEnd, ExitFailure> {
    refuse_screen_command(&prompt)?;
    let mut interrupts = interrupts();
    let source = launch.source()?;
    let mut setup = launch.setup(source, false);
    setup.is_watched = format == OutputFormat::StreamJson;
    let (typed, images) = typed(&prompt, &mut setup, &launch);
    let has_images = !images.is_empty();
    // Whoever pipes something in may take long to end it.
    let reading = tokio::task::spawn_blocking(move || whole_prompt(typed, has_images));
    let text = tokio::select! {
        read = reading => read.map_err(|_| ExitFailure::failed("stdin could not be read"))??,
        Some(code) = interrupts.recv() => return Ok(RunEnd::Interrupted(code)),
    };
    let prompt = RunPrompt { text, images };
    let handle = agent::spawn(setup);
    let interrupts = &mut interrupts;
    Ok(match format {
        OutputFormat::Text => {
            let mut sink = TextSink::new(
                safe_output::stdout(),
                safe_output::stderr(),
                cli::in_shell_words,
            );
            headless::run(handle, prompt, &mut sink, interrupts).await
        }
        OutputFormat::Json => {
            let mut sink = JsonSink::new(safe_output::stdout());
            headless::run(handle, prompt, &mut sink, interrupts).await
        }
        OutputFormat::StreamJson => {
            let mut sink = StreamSink::new(safe_output::stdout());
            headless::run(handle, prompt, &mut sink, interrupts).await
        }
    })
}

/// A command of the screen is not a message: a model that is told `/compact` compacts nothing.
fn refuse_screen_command(prompt: &str) -> Result<(), ExitFailure> {
    let Some(line) = prompt.strip_prefix('/') else {
        return Ok(());
    };
    let name = line.split(char::is_whitespace).next().unwrap_or_default();
    let Some(command) = command::find(name) else {
        return Ok(());
    };
    let instead = if cli::has_subcommand(command.name) {
        format!("use `plim {}`; ", command.name)
    } else {
        String::new()
    };
    Err(ExitFailure::usage(
        format!("/{name} is a command of the screen, not a message; nothing was sent"),
        format!("{instead}to send it as text, put a space before the slash"),
    ))
}

/// The exit codes of the signals that ask the process to end, as they come.
fn interrupts() -> mpsc::Receiver<u8> {
    let (heard, interrupts) = mpsc::channel(INTERRUPTS);
    tokio::spawn(async move {
        while let Ok(signal) = terminal::any_signal().await {
            if heard.send(signal.exit_code()).await.is_err() {
                break;
            }
        }
    });
    interrupts
}

fn exit_code(outcome: &Outcome) -> CommandResult {
    let code = outcome.exit_code();
    if let Some((_, error)) = outcome.error() {
        let is_of_answer = outcome.end.as_ref().is_some_and(|end| end.error.is_some());
        if let (true, Some(unsaved)) = (is_of_answer, outcome.unsaved()) {
            let notice = unsaved.notice();
            say(&notice.text, notice.hint.as_deref());
        }
        return Err(ExitFailure {
            message: error.text,
            hint: error.hint.as_deref().map(cli::in_shell_words),
            code,
        });
    }
    if code == ExitCode::Refused as u8 {
        return Err(ExitFailure {
            message: "a tool call was denied: it needed approval, and -p cannot ask".to_owned(),
            hint: Some(
                "allow calls by pattern in approvals.allow; --approve edits allows changes to \
                 ordinary files of the folder, --approve all allows everything"
                    .to_owned(),
            ),
            code,
        });
    }
    Ok(code)
}

/// The typed input: the message or the command that it names, and the images that it mentions.
fn typed(prompt: &str, setup: &mut AgentSetup, launch: &Launch) -> (String, Vec<Image>) {
    let (typed, project) = expanded(prompt.to_owned(), setup, launch);
    let home = launch.variable("HOME").map(PathBuf::from);
    Composer::message(&typed, |mention| {
        let path = named_file(Path::new(mention), home.as_deref(), &setup.cwd);
        let is_own = prompt.contains(mention);
        let read = match &project {
            Some(root) if !is_own && !is_inside(&path, root) => {
                Err(format!("{} is outside the project", path.display()))
            }
            _ => read_image(&path),
        };
        if let Err(problem) = &read {
            say(problem, Some("sent as text instead"));
        }
        read.ok()
    })
}

/// Whether a file is really in a folder.
fn is_inside(path: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(folder).is_some_and(|folder| real(path).is_some_and(|path| path.starts_with(folder)))
}

/// The text of one of the user's own commands, where the message is one; and the project
/// that wrote it, where it was one.
fn expanded(prompt: String, setup: &mut AgentSetup, launch: &Launch) -> (String, Option<PathBuf>) {
    let Some(line) = prompt.strip_prefix('/') else {
        return (prompt, None);
    };
    let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let own = command::read_own(&launch.command_sources(), &setup.cwd);
    for problem in &own.problems {
        say(problem, None);
    }
    let Some(command) = own.find(name) else {
        return (prompt, None);
    };
    if setup.flags.model.is_none() {
        setup.flags.model = command.model.as_ref().map(ToString::to_string);
    }
    (command.message(arguments), command.project.clone())
}

/// The typed prompt, with piped input after it.
fn whole_prompt(typed: String, has_images: bool) -> Result<String, ExitFailure> {
    let mut piped = Vec::new();
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        stdin.lock().read_to_end(&mut piped).map_err(|error| {
            ExitFailure::failed(format!("stdin could not be read: {error}"))
                .with_hint("nothing was sent")
        })?;
    }
    let piped = String::from_utf8_lossy(&piped);
    let prompt = match (typed.trim().is_empty(), piped.trim().is_empty()) {
        (true, true) if !has_images => {
            return Err(ExitFailure::usage(
                "no message given",
                "give one with plim -p \"…\", or pipe it in: … | plim -p",
            ));
        }
        (_, true) => typed,
        (true, false) => piped.into_owned(),
        // What a program printed is told from what the person typed.
        (false, false) => format!("{typed}\n\n<stdin>\n{}\n</stdin>", piped.trim_end()),
    };
    Ok(prompt)
}
