//! The chat on a screen: starts the agent and the terminal interface side by side.

use std::io::{IsTerminal, Write};
use std::path::Path;

use plimsoll::agent::{self, AgentSetup, SessionSource};
use plimsoll::disk::open;
use plimsoll::session::encode_cwd;
use plimsoll::tui::farewell::Farewell;
use plimsoll::tui::model::DrawingStyle;
use plimsoll::tui::plain::{self, PlainOptions};
use plimsoll::tui::runner::{self, ExitSummary, InputFiles, ScreenLook, ThemeOptions, TuiOptions};
use plimsoll::tui::terminal;
use plimsoll::tui::theme::ColorDepth;

use crate::launch::{ExitFailure, Launch};
use crate::safe_output;

/// Runs the chat until the user leaves; answers with the exit code.
pub async fn run(first_prompt: Option<String>, mut launch: Launch) -> Result<u8, ExitFailure> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(ExitFailure::usage(
            "the chat needs a terminal on stdin and stdout",
            "use `plim -p PROMPT` to run without a screen",
        ));
    }
    // A terminal that can only print gets what it can print.
    let is_dumb = launch.variable("TERM").is_some_and(|term| term == "dumb");
    let is_plain = launch.resolved.settings.ui.plain || is_dumb;
    // Who gives advice knows what can be done here.
    launch.resolved.settings.ui.plain = is_plain;
    terminal::install_panic_hook();
    let source = launch.source()?;
    let is_existing = matches!(source, SessionSource::Open(_) | SessionSource::File(_));
    let is_new = source == SessionSource::New;
    let is_memory = source == SessionSource::Memory;
    let must_start = is_existing || launch.resolved.settings.agent.model.is_some();
    let handle = agent::spawn(launch.setup(source, true));
    if must_start {
        // What is wrong with a session or a model is said before the screen changes.
        match handle.ready.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(error.into()),
            Err(_) => return Err(ExitFailure::failed("the agent did not start")),
        }
    }
    let summary = if is_plain {
        let options = plain_options(&launch, first_prompt);
        or_panic(plain::run(options, handle.ops, handle.events))
            .await
            .map_err(|error| ExitFailure::failed(error.to_string()))?
    } else {
        let is_first = first_prompt.is_none() && is_new && launch.offers_introduction();
        let (clock, lanes) = (launch.clock, launch.lanes.clone());
        let practice = Box::new(move || agent::spawn(AgentSetup::practice(clock, lanes.clone())));
        let mut options = options(&launch, first_prompt);
        options.offers_tour = is_first;
        if is_memory {
            // What is not kept leaves no draft for the next session of this directory.
            options.input.new_draft.clear();
        }
        // The runner holds the whole interface: too much for the stack of whoever waits.
        let run = Box::pin(runner::run(options, practice, handle.ops, handle.events));
        or_panic(run)
            .await
            .map_err(|error| ExitFailure::failed(error.to_string()))?
    };
    let exit_code = farewell(&summary);
    if handle.task.is_finished() && handle.task.await.is_err() {
        // The panic hook has said why.
        return Err(
            ExitFailure::failed("the agent stopped because of an internal error")
                .with_hint("everything up to then is saved in the session"),
        );
    }
    Ok(exit_code)
}

/// In debug builds SIGUSR2 makes the program panic in the middle of its work: what is left
/// behind then can be seen on the program itself. A release build knows nothing of it.
#[cfg(debug_assertions)]
async fn or_panic<T>(work: impl Future<Output = T>) -> T {
    use tokio::signal::unix::{SignalKind, signal};
    let wanted = async {
        match signal(SignalKind::user_defined2()) {
            Ok(mut wanted) => wanted.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        biased;
        done = work => done,
        _ = wanted => break_down(),
    }
}

#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "this one is asked for")]
fn break_down() -> ! {
    panic!("requested by SIGUSR2")
}

#[cfg(not(debug_assertions))]
async fn or_panic<T>(work: impl Future<Output = T>) -> T {
    work.await
}

fn options(launch: &Launch, first_prompt: Option<String>) -> TuiOptions {
    let ui = &launch.resolved.settings.ui;
    let history_path = launch.paths.history_file();
    TuiOptions {
        theme: ThemeOptions {
            name: ui.theme.clone(),
            is_dark: terminal::has_dark_background(|name| launch.variable(name)),
            color_depth: if ui.color {
                terminal::color_depth(|name| launch.variable(name))
            } else {
                ColorDepth::None
            },
            dir: Some(launch.paths.themes_dir()),
        },
        input: InputFiles {
            history: runner::load_history(&history_path, &launch.cwd),
            history_path: Some(history_path),
            drafts_dir: Some(launch.paths.drafts_dir()),
            new_draft: encode_cwd(&launch.cwd),
        },
        mouse: ui.mouse,
        keymap: launch.keymap.clone(),
        vi: ui.vi,
        look: ScreenLook {
            drawing: DrawingStyle::from(ui),
            extras: terminal::TerminalExtras::of(ui, |name| launch.variable(name)),
            host: host_name(),
        },
        notify: ui.notify_when,
        line: terminal::Line::from_env(ui.notify_method, |name| launch.variable(name)),
        title: ui.title,
        cwd: launch.cwd.clone(),
        first_prompt,
        offers_tour: false,
        own: launch.command_sources(),
        home: launch.variable("HOME").map(Into::into),
    }
}

/// The machine's name where the system tells it in a file; elsewhere links to files have none.
fn host_name() -> String {
    const FILE: &str = "/proc/sys/kernel/hostname";
    const MAX_BYTES: u64 = 1_024;
    let name = open::read_text(Path::new(FILE), MAX_BYTES).unwrap_or_default();
    name.trim().to_owned()
}

fn plain_options(launch: &Launch, first_prompt: Option<String>) -> PlainOptions {
    let ui = &launch.resolved.settings.ui;
    PlainOptions {
        first_prompt,
        own: launch.command_sources(),
        cwd: launch.cwd.clone(),
        home: launch.variable("HOME").map(Into::into),
        notify: ui.notify_when,
        line: terminal::Line::from_env(ui.notify_method, |name| launch.variable(name)),
    }
}

/// Says how much of the session is saved, on the screen that was given back; answers with
/// the exit code.
fn farewell(summary: &ExitSummary) -> u8 {
    let said = Farewell::of(summary);
    if !said.text.is_empty() {
        let _ = if said.is_error {
            writeln!(safe_output::stderr(), "{}", said.text)
        } else {
            writeln!(safe_output::stdout(), "{}", said.text)
        };
    }
    said.exit_code
}
