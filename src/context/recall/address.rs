//! Addresses: `r41` is the 41st entry of a branch, counted from its root. An entry never moves
//! on its branch, and a fork copies the branch: an address that was written down stays true.

use std::fmt;
use std::sync::Arc;

use crate::context::cut::recalled_note;
use crate::transcript::{ArgumentCut, CutForm, Entry, EntryId, Transcript};

/// How the notice of a cut ends.
const NOTICE_END: &str = " …]";
/// What a notice of a cut advises where nothing can be recalled.
const RUN_AGAIN: &str = "; run the tool again if they are needed";

/// See the module's description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecallAddress(u32);

impl RecallAddress {
    /// The address of the entry at a position of its branch, from 0.
    pub fn at(position: usize) -> Self {
        Self(position as u32 + 1)
    }

    /// The address that a text names: `r41`, `R41`, `#41` or `41`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().trim_start_matches(['r', 'R', '#']);
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let number: u32 = digits.parse().ok().filter(|number| *number > 0)?;
        is_number.then_some(Self(number))
    }

    /// The position on the branch, from 0.
    pub fn position(self) -> usize {
        self.0 as usize - 1
    }

    /// The address of an entry of the active branch.
    pub fn of(transcript: &Transcript, id: &EntryId) -> Option<Self> {
        let up = transcript.ancestors().position(|entry| entry.id == *id)?;
        let all = transcript.ancestors().count();
        Some(Self::at(all - 1 - up))
    }

    /// The entry of the active branch.
    pub fn entry(self, transcript: &Transcript) -> Option<Arc<Entry>> {
        transcript.branch().get(self.position()).cloned()
    }
}

impl fmt::Display for RecallAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

/// The form of a cut that names where the original is.
pub(in crate::context) fn with_address(form: &CutForm, address: RecallAddress) -> CutForm {
    match form {
        CutForm::Clear { placeholder } => CutForm::Clear {
            placeholder: match placeholder.strip_suffix(']') {
                Some(inner) => format!("{inner} · recall {address}]"),
                None => format!("{placeholder} [recall {address}]"),
            },
        },
        CutForm::Trim {
            head_chars,
            tail_chars,
            notice,
        } => CutForm::Trim {
            head_chars: *head_chars,
            tail_chars: *tail_chars,
            notice: match notice.strip_suffix(NOTICE_END) {
                Some(inner) => {
                    let inner = inner.strip_suffix(RUN_AGAIN).unwrap_or(inner);
                    format!("{inner} · recall {address}{NOTICE_END}")
                }
                None => format!("{notice} [recall {address}]"),
            },
        },
        CutForm::Difference { base, text } => {
            let (head, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
            let head = head.strip_suffix(']').unwrap_or(head);
            CutForm::Difference {
                base: base.clone(),
                text: format!("{head} · recall {address}]{rest}"),
            }
        }
        CutForm::Arguments { calls } => {
            let calls = calls.iter().map(|cut| ArgumentCut {
                note: recalled_note(&cut.note, address),
                ..cut.clone()
            });
            CutForm::Arguments {
                calls: calls.collect(),
            }
        }
    }
}
