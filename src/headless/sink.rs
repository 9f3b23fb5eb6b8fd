//! Who writes what where: the answer as text, one object, or one object per line. A sink
//! is told every event in order and the outcome at the end.

use std::io::{self, Write};

use serde_json::Value;

use super::event::EventWriter;
use super::outcome::Outcome;
use crate::agent::{AgentEvent, Notice, NoticeLevel};

/// Takes the events of a run.
pub trait Sink {
    /// Something happened.
    fn event(&mut self, event: &AgentEvent) -> io::Result<()>;

    /// The run is over. What went wrong is the caller's to say.
    fn finish(&mut self, outcome: &Outcome) -> io::Result<()>;
}

/// The final answer on `out`; warnings on `err`.
#[derive(Debug)]
pub struct TextSink<O, E> {
    out: O,
    err: E,
}

impl<O: Write, E: Write> TextSink<O, E> {
    /// Writes the answer to `out` and warnings to `err`.
    pub fn new(out: O, err: E) -> Self {
        Self { out, err }
    }
}

impl<O: Write, E: Write> Sink for TextSink<O, E> {
    fn event(&mut self, event: &AgentEvent) -> io::Result<()> {
        match event {
            AgentEvent::Notice(notice) if notice.level != NoticeLevel::Info => {
                // Warnings that nobody can read must not end the run.
                let _ = write_notice(&mut self.err, notice);
            }
            AgentEvent::CompactionFailed { message, .. } => {
                let _ = write_notice(&mut self.err, &Notice::warning(message));
            }
            AgentEvent::Retrying {
                attempt,
                max_attempts,
                after,
                reason,
            } => {
                let text = format!(
                    "{reason}; trying again in {:.1} s (attempt {attempt} of {max_attempts})",
                    after.as_secs_f64()
                );
                let _ = write_notice(&mut self.err, &Notice::warning(text));
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self, outcome: &Outcome) -> io::Result<()> {
        let text = outcome.end.as_ref().map_or("", |end| end.text.trim_end());
        if !text.is_empty() {
            writeln!(self.out, "{text}")?;
        }
        self.out.flush()
    }
}

/// The outcome as one object.
#[derive(Debug)]
pub struct JsonSink<O> {
    out: O,
}

impl<O: Write> JsonSink<O> {
    /// Writes to `out`.
    pub fn new(out: O) -> Self {
        Self { out }
    }
}

impl<O: Write> Sink for JsonSink<O> {
    fn event(&mut self, _event: &AgentEvent) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, outcome: &Outcome) -> io::Result<()> {
        write_json_line(&mut self.out, &outcome.json())
    }
}

/// Every event as it happens, the outcome last.
#[derive(Debug)]
pub struct StreamSink<O> {
    out: O,
    events: EventWriter,
}

impl<O: Write> StreamSink<O> {
    /// Writes to `out`.
    pub fn new(out: O) -> Self {
        Self {
            out,
            events: EventWriter::default(),
        }
    }
}

impl<O: Write> Sink for StreamSink<O> {
    fn event(&mut self, event: &AgentEvent) -> io::Result<()> {
        for object in self.events.objects(event) {
            write_json_line(&mut self.out, &object)?;
        }
        Ok(())
    }

    fn finish(&mut self, outcome: &Outcome) -> io::Result<()> {
        write_json_line(&mut self.out, &outcome.json())
    }
}

/// One object on one line, at once.
pub fn write_json_line(out: &mut impl Write, object: &Value) -> io::Result<()> {
    writeln!(out, "{object}")?;
    out.flush()
}

fn write_notice(out: &mut impl Write, notice: &Notice) -> io::Result<()> {
    writeln!(out, "plim: {}", notice.text)?;
    match &notice.hint {
        Some(hint) => writeln!(out, "hint: {hint}"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_run_that_waits_for_a_dead_server_says_so() {
        let mut err = Vec::new();
        let retrying = AgentEvent::Retrying {
            attempt: 2,
            max_attempts: 8,
            after: Duration::from_millis(1_500),
            reason: "no connection".to_owned(),
        };
        let mut out = Vec::new();
        TextSink::new(&mut out, &mut err)
            .event(&retrying)
            .expect("it is said");
        assert!(out.is_empty());
        assert_eq!(
            String::from_utf8_lossy(&err),
            "plim: no connection; trying again in 1.5 s (attempt 2 of 8)\n"
        );
    }
}
