//! Server-sent events as a state machine: bytes in, events out.
//!
//! It does no I/O and knows no provider. Invariant: the events do not depend on how
//! the bytes were cut, be it inside a character, a line end or the byte order mark.
//! Time is linear in the bytes, memory is bounded per event.

/// One event may hold this many bytes. The largest honest ones carry a whole answer or
/// an encrypted reasoning block, far below a megabyte; more is a runaway server.
pub(crate) const MAX_EVENT_BYTES: usize = 16 * 1024 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// One dispatched event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SseEvent {
    /// The `event:` field; empty when there was none.
    pub name: String,
    /// The `data:` lines, joined by newlines.
    pub data: String,
}

/// An event is larger than the limit. Nothing after it can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the server sent one event of more than {limit_bytes} bytes")]
pub(crate) struct EventTooLarge {
    /// The limit in bytes.
    pub limit_bytes: usize,
}

/// The decoder. Feed it with [`SseDecoder::push`], then call [`SseDecoder::finish`].
#[derive(Debug)]
pub(crate) struct SseDecoder {
    limit_bytes: usize,
    line: Vec<u8>,
    /// The last byte was CR: an LF that follows belongs to the same line end.
    after_cr: bool,
    at_start: bool,
    failed: bool,
    event: SseEvent,
    has_data: bool,
}

impl Default for SseDecoder {
    fn default() -> Self {
        Self::with_limit(MAX_EVENT_BYTES)
    }
}

impl SseDecoder {
    /// A decoder that fails on events of more than `limit_bytes`.
    pub(crate) fn with_limit(limit_bytes: usize) -> Self {
        Self {
            limit_bytes,
            line: Vec::new(),
            after_cr: false,
            at_start: true,
            failed: false,
            event: SseEvent::default(),
            has_data: false,
        }
    }

    /// Takes the next bytes and appends the events they complete to `events`. After an
    /// error the decoder stays in error; what was appended before it is good.
    pub(crate) fn push(
        &mut self,
        mut bytes: &[u8],
        events: &mut Vec<SseEvent>,
    ) -> Result<(), EventTooLarge> {
        while let Some((&first, rest)) = bytes.split_first() {
            if self.failed {
                return Err(self.too_large());
            }
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                bytes = rest;
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (piece, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            self.grow(piece)?;
            bytes = rest;
            if let Some((&line_end, rest)) = bytes.split_first() {
                self.after_cr = line_end == b'\r';
                bytes = rest;
                self.end_line(events);
            }
        }
        if self.failed {
            return Err(self.too_large());
        }
        Ok(())
    }

    /// The stream has ended: the event that lacks its blank line, if there is one.
    pub(crate) fn finish(&mut self) -> Option<SseEvent> {
        if self.failed {
            return None;
        }
        let mut events = Vec::new();
        if !self.line.is_empty() {
            self.end_line(&mut events);
        }
        self.dispatch(&mut events);
        events.pop()
    }

    fn too_large(&self) -> EventTooLarge {
        EventTooLarge {
            limit_bytes: self.limit_bytes,
        }
    }

    fn grow(&mut self, piece: &[u8]) -> Result<(), EventTooLarge> {
        let held = self.line.len() + self.event.data.len() + self.event.name.len();
        if held.saturating_add(piece.len()) > self.limit_bytes {
            self.failed = true;
            self.line = Vec::new();
            self.event = SseEvent::default();
            return Err(self.too_large());
        }
        self.line.extend_from_slice(piece);
        Ok(())
    }

    fn end_line(&mut self, events: &mut Vec<SseEvent>) {
        let line = std::mem::take(&mut self.line);
        let mut bytes = line.as_slice();
        if std::mem::take(&mut self.at_start) {
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        }
        if bytes.is_empty() {
            self.dispatch(events);
        } else {
            self.field(bytes);
        }
        // Keeps the allocation: most lines of a stream are of similar length.
        self.line = line;
        self.line.clear();
    }

    fn field(&mut self, line: &[u8]) {
        let colon = line.iter().position(|&byte| byte == b':');
        let (name, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = String::from_utf8_lossy(value.strip_prefix(b" ").unwrap_or(value));
        match name {
            b"data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.has_data = true;
                self.event.data.push_str(&value);
            }
            b"event" => self.event.name = value.into_owned(),
            // Comments have an empty name; `id`, `retry` and unknown fields do not matter here.
            _ => {}
        }
    }

    fn dispatch(&mut self, events: &mut Vec<SseEvent>) {
        let event = std::mem::take(&mut self.event);
        if std::mem::take(&mut self.has_data) {
            events.push(event);
        }
    }
}

#[cfg(test)]
mod tests;
