//! `plim export` and `plim handover`: a session for people and for other programs.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use plimsoll::cli::{ExportArgs, ExportFormatArg, HandoverArgs};
use plimsoll::disk::{open, private};
use plimsoll::export::{self, Handover, NativeExport, NativeSession, ReceiverProgram};
use plimsoll::foreign;
use plimsoll::foreign::ForeignProgram;
use plimsoll::session;

use super::sub_agents::sub_agents;
use crate::commands::context::unknown;
use crate::commands::output::{CommandResult, put, put_json, say, unless_closed};
use crate::commands::setup::CommandSetup;
use crate::launch::ExitFailure;

/// `plim export`
pub async fn export(args: &ExportArgs, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.session_to_read(at.common, &args.session)?;
    let receiver = receiver(args.format);
    if args.install && receiver.is_none() {
        return Err(ExitFailure::usage(
            "--install goes with the format of another program",
            "plim export --format claude-code --install",
        ));
    }
    // Also for a copy: what is no session is not exported as one.
    let loaded = match args.format {
        ExportFormatArg::Jsonl => session::load(&path)?,
        _ => foreign::load(&path)?,
    };
    for problem in &loaded.problems {
        say(&format!("line {}: {}", problem.line, problem.what), None);
    }
    if let Some(receiver) = receiver {
        let agents = sub_agents(&path, &loaded.transcript, &at.launch.paths.sessions_dir());
        let export = NativeExport {
            receiver,
            header: &loaded.header,
            transcript: &loaded.transcript,
            agents: &agents,
            number: 1,
        };
        return put_native(export, args.install, at);
    }
    match args.format {
        ExportFormatArg::Md => put(&export::markdown((&loaded).into())),
        ExportFormatArg::Html => put(&export::html((&loaded).into())),
        ExportFormatArg::Json => {
            let body = at.look(&args.session).await?.wire_body();
            put_json(&body.map_err(|error| unknown(&error))?)
        }
        ExportFormatArg::Jsonl
        | ExportFormatArg::ClaudeCode
        | ExportFormatArg::Codex
        | ExportFormatArg::Pi => {
            let mut file = open::following(&path).map_err(|error| failed(&path, &error))?;
            let copied = io::copy(&mut file, &mut io::stdout().lock());
            unless_closed(copied.map(|_| ()))
        }
    }
}

fn failed(path: &Path, error: &io::Error) -> ExitFailure {
    ExitFailure::failed(format!("{}: {error}", path.display()))
}

fn receiver(format: ExportFormatArg) -> Option<ReceiverProgram> {
    match format {
        ExportFormatArg::ClaudeCode => Some(ReceiverProgram::ClaudeCode),
        ExportFormatArg::Codex => Some(ReceiverProgram::Codex),
        ExportFormatArg::Pi => Some(ReceiverProgram::Pi),
        ExportFormatArg::Jsonl
        | ExportFormatArg::Md
        | ExportFormatArg::Html
        | ExportFormatArg::Json => None,
    }
}

/// Prints the file of another program, or puts it in its place; what it lacks comes first.
fn put_native(
    export: NativeExport<'_>,
    is_installed: bool,
    at: &CommandSetup<'_>,
) -> CommandResult {
    let native = export::native(export);
    for loss in &native.losses {
        say(&format!("not carried over: {}", loss.words()), None);
    }
    if !is_installed {
        if !native.beside.is_empty() {
            let hint = "--install writes the sessions of sub-agents beside it";
            say("not printed: the sessions of its sub-agents", Some(hint));
        }
        let mut out = io::stdout().lock();
        return unless_closed(out.write_all(&native.bytes).and_then(|()| out.flush()));
    }
    install(export, native, at)
}

/// Puts the file where that program looks for its sessions. One that is there is never changed:
/// the other program may have continued it. A session that has more to say than its earlier
/// export becomes a further session there.
fn install(export: NativeExport<'_>, first: NativeSession, at: &CommandSetup<'_>) -> CommandResult {
    /// So many exports of one session are a mistake.
    const MOST: u32 = 100;
    let receiver = export.receiver;
    let root = root(receiver, at)?;
    let mut native = first;
    let mut number = 1;
    let (path, is_new) = loop {
        let path = root.join(&native.file);
        match session::write_imported(&path, &native.bytes) {
            Ok(()) => break (path, true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(&path, &error)),
        }
        let held = open::read(&path, u64::MAX).map_err(|error| failed(&path, &error))?;
        if held == native.bytes {
            break (path, false);
        }
        number += 1;
        if number > MOST {
            return Err(ExitFailure::failed(format!(
                "{MOST} exports of this session are there already"
            )));
        }
        let is_older = native.bytes.starts_with(&held);
        let what = if is_older {
            "an earlier export"
        } else {
            "a session that was changed since"
        };
        let text = format!(
            "{}: {what} is there already, and stays as it is",
            path.display()
        );
        say(&text, None);
        native = export::native(NativeExport { number, ..export });
    };
    if is_new {
        for beside in &native.beside {
            let path = root.join(&beside.file);
            match session::write_imported(&path, &beside.bytes) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(failed(&path, &error));
                }
                _ => {}
            }
        }
    }
    let shown = path.display().to_string();
    let command = receiver.resume_command(&native.session, &shown);
    let cwd = &export.header.cwd;
    let hint = format!("`{command}` in {cwd} continues it");
    let text = match (is_new, number) {
        (false, _) => format!("{receiver} has this session already, with the same content"),
        (true, 1) => format!("written for {receiver}"),
        (true, _) => format!("written for {receiver} as a further session"),
    };
    say(&text, Some(&hint));
    put(&format!("{shown}\n"))
}

/// The folder that holds the sessions of a program.
fn root(receiver: ReceiverProgram, at: &CommandSetup<'_>) -> Result<PathBuf, ExitFailure> {
    let home = receiver.home();
    let named = at
        .launch
        .variable(home.variable)
        .filter(|it| !it.is_empty());
    let root = named.map(|it| at.launch.absolute(Path::new(&it)));
    let below = || {
        let user = at.launch.variable("HOME").filter(|it| !it.is_empty())?;
        Some(Path::new(&user).join(home.below_home))
    };
    root.or_else(below).ok_or_else(|| {
        ExitFailure::failed(format!(
            "where {receiver} keeps its sessions is not known: neither {} nor HOME is set",
            home.variable
        ))
    })
}

/// `plim handover`
pub fn handover(args: &HandoverArgs, at: &CommandSetup<'_>) -> CommandResult {
    let receiver = ReceiverProgram::from_name(&args.to);
    if receiver.is_none() && ForeignProgram::from_name(&args.to).is_none() {
        let known: Vec<&str> = ReceiverProgram::ALL.iter().map(|it| it.name()).collect();
        return Err(ExitFailure::usage(
            format!("no program called {:?} is known", args.to),
            format!("--to {}", known.join(", --to ")),
        ));
    }
    let path = at.launch.session_to_read(at.common, &args.session)?;
    let loaded = foreign::load(&path)?;
    let agents = sub_agents(&path, &loaded.transcript, &at.launch.paths.sessions_dir());
    let packed = export::handover(&loaded.header, &loaded.transcript, &agents, receiver);
    let packed = packed.map_err(|error| ExitFailure::failed(error.to_string()))?;
    let name = format!(
        "handover-{}",
        loaded.header.id.replace(['/', '\\', '\0'], "-")
    );
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from(name));
    let folder = at.launch.absolute(&folder);
    write(&packed, &folder).map_err(|error| {
        let failure = failed(&folder, &error);
        match error.kind() {
            io::ErrorKind::AlreadyExists => {
                failure.with_hint("--output DIR writes it to another folder")
            }
            _ => failure,
        }
    })?;
    if args.json {
        return put_json(&packed.facts.json());
    }
    for loss in &packed.facts.losses {
        say(&format!("not carried over: {}", loss.words()), None);
    }
    say(
        &format!("secrets replaced: {}", packed.facts.secrets_removed),
        None,
    );
    put(&format!("{}\n", folder.display()))
}

/// Writes a folder that is new.
fn write(packed: &Handover, folder: &Path) -> io::Result<()> {
    if folder.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    private::create_folder(folder)?;
    let facts = format!("{:#}\n", packed.facts.json());
    let mut files = vec![
        (folder.join("HANDOVER.md"), packed.document.as_bytes()),
        (folder.join("handover.json"), facts.as_bytes()),
    ];
    if let Some(native) = &packed.native {
        let name = native.file.file_name().unwrap_or_default();
        files.push((folder.join(name), native.bytes.as_slice()));
        // As they lie to each other with that program, where that is below one folder.
        let around = native.file.parent().unwrap_or(Path::new(""));
        for beside in &native.beside {
            let name = beside.file.file_name().unwrap_or_default();
            let below = beside.file.strip_prefix(around).unwrap_or(Path::new(name));
            files.push((folder.join(below), beside.bytes.as_slice()));
        }
    }
    for (path, bytes) in files {
        private::create_parent(&path)?;
        let mut file = private::create_new(&path)?;
        file.write_all(bytes).and_then(|()| file.sync_all())?;
    }
    Ok(())
}
