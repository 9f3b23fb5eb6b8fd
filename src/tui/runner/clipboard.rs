//! The clipboard: OSC 52 through the terminal, which works over ssh, and the program of the
//! desktop where there is one, since many terminals ignore OSC 52. Pictures come from that
//! program only: terminals paste text.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use super::files::MAX_IMAGE_BYTES;

/// Said when there is nothing to attach.
pub(super) const NO_PICTURE: &str = "no picture in the clipboard";

/// A program that reads the clipboard's new text from its input, or prints the picture in
/// it, with its arguments.
type ClipboardProgram = (&'static str, &'static [&'static str]);

/// The programs to try, best first, by what the environment says of the desktop.
fn programs(env: impl Fn(&str) -> Option<String>) -> Vec<ClipboardProgram> {
    let is_set = |name: &str| env(name).is_some_and(|value| !value.is_empty());
    let mut programs: Vec<ClipboardProgram> = Vec::new();
    if cfg!(target_os = "macos") {
        programs.push(("pbcopy", &[]));
    }
    if is_set("WSL_DISTRO_NAME") {
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

/// Programs that print the picture in the clipboard.
fn picture_programs(env: impl Fn(&str) -> Option<String>) -> Vec<ClipboardProgram> {
    let is_set = |name: &str| env(name).is_some_and(|value| !value.is_empty());
    let mut programs: Vec<ClipboardProgram> = Vec::new();
    if cfg!(target_os = "macos") {
        programs.push(("pngpaste", &["-"]));
    }
    if is_set("WAYLAND_DISPLAY") {
        programs.push(("wl-paste", &["--type", "image/png"]));
    }
    if is_set("DISPLAY") {
        let arguments: &[&str] = &["-selection", "clipboard", "-target", "image/png", "-out"];
        programs.push(("xclip", arguments));
    }
    programs
}

/// The picture in the desktop's clipboard.
///
/// # Errors
///
/// Why there is none, in words for the user.
pub(super) fn picture() -> Result<Vec<u8>, String> {
    let programs = picture_programs(|name| std::env::var(name).ok());
    let mut reason = "no clipboard available; attach a file with @path".to_owned();
    for (program, arguments) in programs {
        match printed(program, arguments) {
            Ok(bytes) if bytes.len() as u64 > MAX_IMAGE_BYTES => {
                return Err("the picture is larger than 20 MiB; nothing was attached".to_owned());
            }
            Ok(bytes) if !bytes.is_empty() => return Ok(bytes),
            Ok(_) => NO_PICTURE.clone_into(&mut reason),
            Err(error) => reason = format!("{program}: {error}; attach a file with @path"),
        }
    }
    Err(reason)
}

/// The output of a program, up to a byte more than may be attached.
fn printed(program: &str, arguments: &[&str]) -> std::io::Result<Vec<u8>> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut bytes = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(MAX_IMAGE_BYTES + 1).read_to_end(&mut bytes)?;
    }
    // A program whose output is not taken to its end stops by itself.
    child.wait()?;
    Ok(bytes)
}

/// Hands a text to the first program that is there. Says nothing when none is: the terminal
/// was asked as well.
pub(super) fn copy(text: &str) {
    for (program, arguments) in programs(|name| std::env::var(name).ok()) {
        match hand_over(program, arguments, text) {
            Ok(()) => return,
            Err(error) => tracing::debug!(%error, program, "no clipboard available"),
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
    fn a_picture_is_asked_of_the_desktop_only() {
        let names = |set: &[&str]| -> Vec<&str> {
            let programs = picture_programs(|name| set.contains(&name).then(|| "x".to_owned()));
            let known = programs.into_iter().map(|(name, _)| name);
            known.filter(|name| *name != "pngpaste").collect()
        };
        assert_eq!(
            names(&["WAYLAND_DISPLAY", "DISPLAY"]),
            ["wl-paste", "xclip"]
        );
        assert!(names(&["TMUX"]).is_empty());
    }

    #[test]
    fn what_a_program_prints_is_taken_up_to_the_largest_picture() {
        assert_eq!(printed("printf", &["abc"]).unwrap(), b"abc");
        let endless = printed("sh", &["-c", "yes"]).unwrap();
        assert_eq!(endless.len() as u64, MAX_IMAGE_BYTES + 1);
        assert!(printed("no-such-program", &[]).is_err());
    }

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
