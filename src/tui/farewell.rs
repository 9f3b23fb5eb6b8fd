//! The lines left on the terminal at the end: the session's name, how much of
//! it is saved, how to go on. It says "saved" only of what the disk has confirmed.

use super::runner::ExitSummary;
use super::terminal::EndSignal;
use crate::agent::SaveOutcome;

/// Exit code where not all of a session is on disk, or nobody knows.
const NOT_SAVED: u8 = 1;

/// The last words, and how the program ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Farewell {
    /// Lines without a last line end; empty when there is nothing to say.
    pub text: String,
    /// Whether they are about something that went wrong.
    pub is_error: bool,
    /// The exit code.
    pub exit_code: u8,
}

impl Farewell {
    /// The farewell of a session that was left.
    pub fn of(summary: &ExitSummary) -> Self {
        let exit_code = summary.signal.map_or(0, EndSignal::exit_code);
        let done = |text: String| Self {
            text,
            is_error: false,
            exit_code,
        };
        let failed = |text: String| Self {
            text,
            is_error: true,
            exit_code: NOT_SAVED,
        };
        let name = if summary.session_name.is_empty() {
            "this session"
        } else {
            &summary.session_name
        };
        let id = &summary.session_id;
        let resume = resume_command(summary);
        let is_empty = summary.is_empty || id.is_empty();
        match (&summary.kept, &summary.path) {
            (Some(SaveOutcome::Unsaved(unsaved)), _) => {
                let notice = unsaved.notice();
                let hint = notice.hint.map(|hint| format!("\nhint: {hint}"));
                failed(format!(
                    "plim: {name} is not saved: {}{}",
                    notice.text,
                    hint.unwrap_or_default()
                ))
            }
            _ if is_empty => done(String::new()),
            (Some(SaveOutcome::Saved), _) => {
                let unsent = match summary.unsent {
                    0 => "",
                    _ => "\nQueued messages were not sent: they are in the input when you resume.",
                };
                done(format!("{name} is saved.\n{resume}{unsent}"))
            }
            (Some(SaveOutcome::Nothing) | None, None) => {
                done(format!("{name} was in memory only and was not saved."))
            }
            (Some(SaveOutcome::Nothing), Some(_)) => {
                done(format!("{name} is unchanged.\n{resume}"))
            }
            (None, Some(path)) => failed(format!(
                "plim: {name} was not closed: its last messages may be missing\nhint: {resume} shows what is in {}",
                path.display()
            )),
        }
    }
}

/// The command that opens the session again. An id is looked for among the sessions that
/// have their names from here; any other file is named itself.
fn resume_command(summary: &ExitSummary) -> String {
    let id = &summary.session_id;
    let Some(path) = &summary.path else {
        return format!("plim --resume {id}");
    };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if stem.ends_with(&format!("_{id}")) {
        return format!("plim --resume {id}");
    }
    let shown = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,@%".contains(c);
    if shown.chars().all(is_plain) {
        return format!("plim --session {shown}");
    }
    format!("plim --session '{}'", shown.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::agent::{RescueCopy, UnsavedSession};

    fn left(kept: Option<SaveOutcome>, signal: Option<EndSignal>) -> Farewell {
        Farewell::of(&ExitSummary {
            session_id: "abc".to_owned(),
            session_name: String::new(),
            path: Some(PathBuf::from("/s/2026_abc.jsonl")),
            is_empty: false,
            signal,
            kept,
            unsent: 0,
        })
    }

    fn unsaved(copy: Option<Result<RescueCopy, String>>) -> SaveOutcome {
        let reason = "2 lines of the session could not be saved to /s/x.jsonl: full".to_owned();
        SaveOutcome::Unsaved(UnsavedSession { reason, copy })
    }

    fn copied(is_confirmed: bool) -> RescueCopy {
        let path = PathBuf::from("/tmp/r/x.jsonl");
        RescueCopy { path, is_confirmed }
    }

    #[test]
    fn only_what_the_disk_has_confirmed_is_called_saved_and_ends_with_0() {
        let saved = left(Some(SaveOutcome::Saved), None);
        assert_eq!(saved.text, "this session is saved.\nplim --resume abc");
        assert_eq!((saved.exit_code, saved.is_error), (0, false));
        for kept in [
            Some(unsaved(None)),
            Some(unsaved(Some(Ok(copied(true))))),
            Some(unsaved(Some(Ok(copied(false))))),
            Some(unsaved(Some(Err("/tmp: full".to_owned())))),
            None,
        ] {
            for signal in [None, Some(EndSignal::Terminate), Some(EndSignal::HangUp)] {
                let said = left(kept.clone(), signal);
                assert!(!said.text.contains("is saved."), "{said:?}");
                assert_eq!((said.exit_code, said.is_error), (1, true), "{said:?}");
            }
        }
    }

    #[test]
    fn the_command_that_is_named_opens_the_session_again() {
        let command = |path: &str| {
            let summary = ExitSummary {
                session_id: "abc".to_owned(),
                session_name: String::new(),
                path: Some(PathBuf::from(path)),
                is_empty: false,
                signal: None,
                kept: Some(SaveOutcome::Saved),
                unsent: 0,
            };
            Farewell::of(&summary)
                .text
                .lines()
                .nth(1)
                .unwrap()
                .to_owned()
        };
        assert_eq!(command("/s/2026_abc.jsonl"), "plim --resume abc");
        assert_eq!(command("demo.jsonl"), "plim --session demo.jsonl");
        assert_eq!(
            command("my demo's.jsonl"),
            "plim --session 'my demo'\\''s.jsonl'"
        );
    }

    #[test]
    fn where_a_copy_is_and_whether_it_is_safe_there_is_said() {
        let safe = left(Some(unsaved(Some(Ok(copied(true))))), None).text;
        assert!(safe.contains("2 lines") && safe.contains("--session /tmp/r/x.jsonl"));
        assert!(!safe.contains("not confirmed by the disk"), "{safe}");
        let unsafe_copy = left(Some(unsaved(Some(Ok(copied(false))))), None).text;
        assert!(
            unsafe_copy.contains("not confirmed by the disk"),
            "{unsafe_copy}"
        );
        let lost = left(Some(unsaved(Some(Err("/tmp: full".to_owned())))), None).text;
        assert!(
            lost.contains("are lost") && lost.contains("/tmp: full"),
            "{lost}"
        );
        let settings = left(Some(unsaved(None)), None).text;
        assert!(settings.contains("no message is missing"), "{settings}");
    }

    #[test]
    fn a_signal_ends_with_its_own_code_when_all_is_saved() {
        let code = |signal| left(Some(SaveOutcome::Saved), Some(signal)).exit_code;
        assert_eq!(code(EndSignal::Terminate), 143);
        assert_eq!(code(EndSignal::HangUp), 129);
        assert_eq!(code(EndSignal::Interrupt), 130);
    }

    #[test]
    fn a_session_that_was_only_read_is_not_called_saved() {
        let read = left(Some(SaveOutcome::Nothing), None);
        assert!(read.text.contains("is unchanged"), "{read:?}");
        assert_eq!(read.exit_code, 0);
    }
}
