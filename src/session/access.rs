//! Whether a session can be written, and why not.

use std::fmt;

use super::header::Header;

/// Whether entries can be appended to a session, and why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// They can.
    Write,
    /// It was opened for reading.
    Opened,
    /// Another process writes it.
    Held {
        /// That process, when it is known.
        pid: Option<u32>,
    },
    /// The system does not let us.
    Denied(String),
    /// A newer version of the format, of which we may understand too little.
    Newer(u32),
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write => f.write_str("open for writing"),
            Self::Opened => f.write_str("open for reading"),
            Self::Held { pid: Some(pid) } => write!(f, "read-only: process {pid} has it open"),
            Self::Held { pid: None } => f.write_str("read-only: another process has it open"),
            Self::Denied(why) => write!(f, "read-only: {why}"),
            Self::Newer(version) => write!(
                f,
                "read-only: its format is version {version}; this program writes version {}",
                Header::VERSION
            ),
        }
    }
}
