//! Notices for the user, with a next step.

/// Something the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How serious.
    pub level: NoticeLevel,
    /// The event, one sentence.
    pub text: String,
    /// The next step, if there is one.
    pub hint: Option<String>,
}

/// How serious a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeLevel {
    /// Good to know.
    Info,
    /// Something is not as it should be; work goes on.
    Warning,
    /// Something failed.
    Error,
}

impl Notice {
    /// An informational notice.
    pub fn info(text: impl Into<String>) -> Self {
        Self {
            level: NoticeLevel::Info,
            text: text.into(),
            hint: None,
        }
    }

    /// A warning.
    pub fn warning(text: impl Into<String>) -> Self {
        Self {
            level: NoticeLevel::Warning,
            text: text.into(),
            hint: None,
        }
    }

    /// An error.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            level: NoticeLevel::Error,
            text: text.into(),
            hint: None,
        }
    }

    /// Adds a hint: what the user can do next.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
