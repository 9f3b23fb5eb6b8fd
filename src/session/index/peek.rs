//! The end of a session for a preview: what was said last, by whom, how full it was. Reads
//! the ends of the file only, and links nothing: a look costs the same however long the
//! session is.

use std::io;
use std::path::{Path, PathBuf};

use super::{lines, sample};
use crate::session::record::read_line;
use crate::transcript::{EntryBody, Message, ModelRef};

/// Messages that a preview shows.
const MAX_MESSAGES: usize = 8;
/// Characters of each message.
const MAX_MESSAGE_CHARS: usize = 600;

/// The preview of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionPeek {
    /// Its file.
    pub path: PathBuf,
    /// The last messages with words in them, oldest first: whether the user said it, and
    /// how it begins.
    pub messages: Vec<(bool, String)>,
    /// The model that answered last.
    pub model: Option<ModelRef>,
    /// Tokens of the last request with its answer, as the provider counted them.
    pub tokens: Option<u64>,
}

impl SessionPeek {
    /// Looks into a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn of(path: &Path) -> io::Result<Self> {
        let sample = sample(path)?;
        let end = if sample.tail.is_empty() {
            &sample.head
        } else {
            &sample.tail
        };
        let mut peek = Self {
            path: path.to_owned(),
            ..Self::default()
        };
        let bodies = lines(end).rev().filter_map(|text| read_line(text).ok());
        let messages = bodies.filter_map(|line| match line.body {
            EntryBody::Message(message) => Some(message),
            _ => None,
        });
        peek.fill(messages);
        Ok(peek)
    }

    /// Takes what it shows from the messages of a session, the newest first.
    pub fn fill<M: AsRef<Message>>(&mut self, messages: impl Iterator<Item = M>) {
        for message in messages {
            let is_settled = self.model.is_some() && self.tokens.is_some();
            if self.messages.len() == MAX_MESSAGES && is_settled {
                break;
            }
            self.add(message.as_ref());
        }
        self.messages.reverse();
    }

    fn add(&mut self, message: &Message) {
        let is_user = matches!(message, Message::User(_));
        if let Message::Assistant(answer) = message {
            if self.model.is_none() && !answer.model.is_empty() {
                let model = ModelRef::new(answer.provider.clone(), answer.model.clone());
                self.model = Some(model);
            }
            if self.tokens.is_none()
                && let Some(usage) = answer.usage.filter(crate::transcript::Usage::is_reported)
            {
                let tokens = usage.prompt_tokens().saturating_add(usage.output_tokens);
                self.tokens = Some(tokens);
            }
        } else if !is_user {
            return;
        }
        let text = message.text();
        if self.messages.len() < MAX_MESSAGES && !text.trim().is_empty() {
            let short = text.trim().chars().take(MAX_MESSAGE_CHARS).collect();
            self.messages.push((is_user, short));
        }
    }
}
