//! The clipboard: OSC 52 through the terminal, which works over ssh, and the program of the
//! desktop where there is one, since many terminals ignore OSC 52.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// A program that reads the clipboard's new text from its input, with its arguments.
type Program = (&'static str, &'static [&'static str]);

/// The programs to try, best first, by what the environment says of the desktop.
fn programs(env: impl Fn(&str) -> Option<String>) -> Vec<Program> {
    let is_set = |name: &str| env(name).is_some_and(|value| !value.is_empty());
    let mut programs: Vec<Program> = Vec::new();
    if cfg!(target_os = "macos") {
        programs.push(("pbcopy", &[]));
    }
    if cfg!(windows) || is_set("WSL_DISTRO_NAME") {
        programs.push(("clip.exe", &[]));
    }
    if is_set("WAYLAND_DISPLAY") {
        programs.push(("wl-copy", &[]));
    }
    if is_set("DISPLAY") {
        programs.push(("xclip", &["-selection", "clipboard"]));
        programs.push(("xsel", &["--clipboard", "--input"]));
    }
    // tmux takes OSC 52 only when it is told to; its own command always works.
    if is_set("TMUX") {
        programs.push(("tmux", &["load-buffer", "-w", "-"]));
    }
    programs
}

/// Hands a text to the first program that is there. Says nothing when none is: the terminal
/// was asked as well.
pub(super) fn copy(text: &str) {
    for (program, arguments) in programs(|name| std::env::var(name).ok()) {
        match hand_over(program, arguments, text) {
            Ok(()) => return,
            Err(error) => tracing::debug!(%error, program, "the clipboard was not reached"),
        }
    }
}

fn hand_over(program: &str, arguments: &[&str], text: &str) -> std::io::Result<()> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        // What it prints would be drawn over the screen.
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes())?;
    }
    let status = child.wait()?;
    if status.success() {
        Ok(())
    } else {
        Err(std::io::Error::other(format!("{program}: {status}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_desktop_decides_which_program_is_asked() {
        let names = |set: &[&str]| -> Vec<&str> {
            let programs = programs(|name| set.contains(&name).then(|| "x".to_owned()));
            let known = programs.into_iter().map(|(name, _)| name);
            known.filter(|name| *name != "pbcopy").collect()
        };
        assert_eq!(
            names(&["WAYLAND_DISPLAY", "DISPLAY"]),
            ["wl-copy", "xclip", "xsel"]
        );
        assert_eq!(names(&["WSL_DISTRO_NAME"]), ["clip.exe"]);
        assert_eq!(names(&["TMUX"]), ["tmux"]);
        assert!(names(&[]).is_empty());
    }
}
