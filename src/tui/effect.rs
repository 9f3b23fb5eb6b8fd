//! The effects that `update` asks the runner for; `update` itself has no I/O.

use super::composer::Draft;
use crate::agent::{InterfaceChange, Op, SettingOp, SubmitWhen};
use crate::config::{ChangeEffect, InterfacePart, LivePart, SettingValue, find};
use crate::transcript::Image;

/// One thing for the runner to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Ask the agent.
    Send(Op),
    /// Leave the program.
    Quit,
    /// Stop the process as Ctrl-Z does; come back with a clean screen.
    Suspend,
    /// Put text on the clipboard.
    Copy(String),
    /// Open an address of the web in the user's browser.
    Browse(String),
    /// Call the user from another window.
    Call(String),
    /// Open `$EDITOR` on a text; the result comes back as `Msg::Edited`.
    Edit {
        /// The text in the editor.
        text: String,
        /// The purpose; given back with the result.
        purpose: EditPurpose,
    },
    /// List the files of the workspace for `@` completion; comes back as `Msg::Files`.
    ScanFiles,
    /// Read the user's own commands; comes back as `Msg::Commands`.
    ReadCommands {
        /// A command line to be run with them, without the slash.
        line: Option<String>,
    },
    /// Read an image file to attach it; comes back as `Msg::Attached`.
    Attach {
        /// The file; relative to the workspace, or to the home directory with `~`.
        path: std::path::PathBuf,
        /// Why; given back with the result.
        why: AttachPurpose,
    },
    /// Have a draft counted with the images that it mentions: they are read for that.
    CountMentions {
        /// The text with the mentions.
        text: String,
        /// Images that are attached already.
        images: Vec<Image>,
    },
    /// Attach the picture in the desktop's clipboard; comes back as `Msg::Attached`.
    AttachClipboard,
    /// Keep what is in the composer, so that it survives a crash. Empty removes it.
    SaveDraft(Draft),
    /// Add a line to the input history.
    SaveHistory(String),
    /// Note that the gauge was explained: that is done once.
    KeepLegendShown,
    /// Have one part of the interface follow the settings as they are now.
    UseInterface(InterfaceChange),
    /// Open a practice session instead of this one, for the introduction.
    BeginTour,
    /// Close the practice session and go on with the user's own.
    EndTour,
    /// Use another theme; comes back as `Msg::Theme`.
    LoadTheme(String),
    /// Use another theme and, when there is such a theme, make it the session's value of the
    /// setting.
    KeepTheme(String),
}

impl Effect {
    /// Another value of a setting for this session. Whether there is a theme
    /// of a name is known to who reads its file; the agent checks everything else.
    pub fn change_setting(key: &str, value: SettingValue) -> Self {
        let applies = find(key).map(|(setting, _)| setting.applies);
        match (applies, value) {
            (
                Some(ChangeEffect::Live(LivePart::Interface(InterfacePart::Theme))),
                SettingValue::Text(name),
            ) => Self::KeepTheme(name),
            (_, value) => Self::Send(Op::Setting(SettingOp::Set {
                key: key.to_owned(),
                value,
            })),
        }
    }
}

/// Why an image is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttachPurpose {
    /// It goes where the caret is; this text goes there if it cannot be read.
    Instead(String),
    /// A message that mentions it is about to be sent.
    Mention {
        /// The path as it was written.
        path: String,
        /// When the message is to be sent.
        when: SubmitWhen,
    },
}

/// The purpose of an editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditPurpose {
    /// The composer.
    Composer,
    /// The summary under review.
    Review,
}
