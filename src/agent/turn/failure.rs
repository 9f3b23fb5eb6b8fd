//! How a turn ends that failed, in words: what happened, what was kept, what to do next.
//! A screen has commands for that, a script has flags. Deciding whether to try again is
//! not done here.

use crate::agent::actor::Actor;
use crate::agent::exit;
use crate::agent::protocol::{Notice, TurnEnd};
use crate::provider::ProviderError;
use crate::transcript::StopReason;

/// How a screen takes a key.
const BY_LOGIN: &str = "enter a key with /login, or choose another model with /model; ";
/// Line by line there is no field that hides what is typed.
const BY_LOGIN_IN_LINES: &str = "/quit, store a key with `plim login` and continue with `plim \
    -c`, or choose another model with `/model NAME`; ";

/// How a request is looked at.
const BY_REQUEST: &str = "`plim request` shows the request; ";
/// The advice to try another way, also when nothing is kept that could be looked at.
const BY_ANOTHER_WAY: &str = "rephrase the message, or use another model; ";

/// The state after a failed turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::agent) enum FailureExit {
    /// The user's message.
    Message,
    /// And what was said and done since.
    Work,
    /// And a part of the answer.
    Partial,
}

impl Actor {
    /// The end of a turn that the provider did not let go on.
    pub(crate) fn failed_end(
        &self,
        error: &ProviderError,
        left: FailureExit,
        text: &str,
    ) -> TurnEnd {
        let is_interactive = self.setup.is_interactive;
        let (exit_code, mut advice) = advice(error, is_interactive);
        if advice == BY_REQUEST && self.thread.conversation.path().is_none() {
            advice = BY_ANOTHER_WAY;
        }
        if advice == BY_LOGIN && self.setup.settings.ui.plain {
            advice = BY_LOGIN_IN_LINES;
        }
        let way_on = if is_interactive {
            on_screen(left).to_owned()
        } else {
            self.in_script(left)
        };
        let notice = Notice::error(error.to_string()).with_hint(format!("{advice}{way_on}"));
        failure(notice, error.kind(), exit_code, text)
    }

    fn in_script(&self, left: FailureExit) -> String {
        let Some(path) = self.thread.conversation.path() else {
            return "nothing was kept (--no-session): run it again".to_owned();
        };
        let session = if path.starts_with(self.setup.paths.sessions_dir()) {
            "-c".to_owned()
        } else {
            format!("--session {}", path.display())
        };
        let what = match left {
            FailureExit::Message => "your message",
            FailureExit::Work => "the work so far",
            FailureExit::Partial => "the partial answer",
        };
        format!("{what} is kept; continue with: plim {session} -p \"continue\"")
    }
}

fn on_screen(left: FailureExit) -> &'static str {
    match left {
        FailureExit::Message => "your message is kept: resend it with /retry",
        FailureExit::Work => "the work so far is kept: type \"continue\"",
        FailureExit::Partial => "the partial answer is kept: type \"continue\" for the rest",
    }
}

/// The exit code, and what can be done about it, ready for more words after it.
fn advice(error: &ProviderError, is_interactive: bool) -> (u8, &'static str) {
    match (error, is_interactive) {
        (ProviderError::Unauthorized { .. }, true) => (exit::CREDENTIALS, BY_LOGIN),
        (ProviderError::Unauthorized { .. }, false) => (
            exit::CREDENTIALS,
            "name another model with -m; --offline needs no key; ",
        ),
        (ProviderError::NotSetUp { .. }, _) => (
            exit::CREDENTIALS,
            "correct it and restart, or use another model; ",
        ),
        (ProviderError::PermissionDenied { .. }, _) => (
            exit::CREDENTIALS,
            "use a key with this permission, or another model; ",
        ),
        (ProviderError::ModelNotFound { .. }, true) => {
            (exit::CREDENTIALS, "/model lists the models; ")
        }
        (ProviderError::ModelNotFound { .. }, false) => {
            (exit::CREDENTIALS, "`plim models` lists the models; ")
        }
        (ProviderError::PaymentRequired { .. }, _) => (
            exit::CREDENTIALS,
            "check the account's balance, or use another model; ",
        ),
        (ProviderError::RateLimited { .. } | ProviderError::Overloaded { .. }, _) => {
            (exit::FAILED, "wait and try again, or set fallback_models; ")
        }
        (ProviderError::Timeout { .. }, _) => (
            exit::FAILED,
            "for a slow server raise stream.stall_secs or the provider's first_byte_secs; ",
        ),
        (ProviderError::Network { .. }, _) => {
            (exit::FAILED, "check the connection with `plim doctor`; ")
        }
        (ProviderError::Malformed { .. }, _) => {
            (exit::FAILED, "check the base URL with `plim doctor`; ")
        }
        (ProviderError::BadCall { .. }, _) => (exit::FAILED, BY_ANOTHER_WAY),
        (ProviderError::InvalidRequest { .. }, _) => (exit::FAILED, BY_REQUEST),
        (ProviderError::ContentRefused { .. }, _) => {
            (exit::FAILED, "rephrase the message, or use another model; ")
        }
        // Making room has an end of its own, and who cancels knows why.
        (
            ProviderError::ContextOverflow { .. }
            | ProviderError::Overfilled { .. }
            | ProviderError::PayloadTooLarge { .. }
            | ProviderError::AnswerTooLong { .. }
            | ProviderError::Cancelled,
            _,
        ) => (exit::FAILED, ""),
    }
}

/// A turn that ends because something is wrong; `kind` names it for programs.
pub(in crate::agent) fn failure(
    notice: Notice,
    kind: &'static str,
    exit_code: u8,
    text: &str,
) -> TurnEnd {
    TurnEnd {
        stop: StopReason::Error,
        text: text.to_owned(),
        error: Some(notice),
        error_kind: Some(kind),
        exit_code,
    }
}

/// How a turn ends that ran out of ways to recover.
pub(in crate::agent) fn overflow_end(notice: Notice, text: &str) -> TurnEnd {
    failure(notice, "context_overflow", exit::OVERFLOW, text)
}
