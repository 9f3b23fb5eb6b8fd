//! The open session as a file for other eyes, written beside what is worked on.

use super::actor::Actor;
use super::event::{AgentEvent, Notice};
use super::request;
use crate::context::Pressure;
use crate::session;

/// As what a session is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// Markdown, for reading.
    #[default]
    Md,
    /// One HTML file, for reading in a browser.
    Html,
    /// The session file itself.
    Jsonl,
    /// The body of the next request, as the provider would get it.
    Json,
}

impl ExportFormat {
    /// All of them, the one that is meant when none is named first.
    pub const ALL: [Self; 4] = [Self::Md, Self::Html, Self::Jsonl, Self::Json];

    /// What it is called, and how its files end.
    pub fn name(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Html => "html",
            Self::Jsonl => "jsonl",
            Self::Json => "json",
        }
    }

    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

impl Actor {
    /// Writes the session into a new file in the working directory and says where it is.
    pub async fn export(&mut self, format: ExportFormat) {
        let written = self.exported(format).and_then(|bytes| {
            let name = format!("plimsoll-{}", self.conversation.id());
            session::save_new(&self.setup.cwd, &name, format.name(), &bytes)
                .map_err(|error| error.to_string())
        });
        let notice = match written {
            Ok(path) => Notice::info(format!("exported to {}", path.display())),
            Err(why) => Notice::error(format!("nothing was exported: {why}")),
        };
        self.emit(AgentEvent::Notice(notice)).await;
    }

    fn exported(&mut self, format: ExportFormat) -> Result<Vec<u8>, String> {
        let (header, transcript) = (self.conversation.header(), self.conversation.transcript());
        match format {
            ExportFormat::Md => Ok(session::markdown(header, transcript).into_bytes()),
            ExportFormat::Html => Ok(session::html(header, transcript).into_bytes()),
            ExportFormat::Jsonl => {
                let path = self.conversation.path();
                let path = path.ok_or("this session is kept in memory and has no file")?;
                crate::disk::open::read(&path, u64::MAX)
                    .map_err(|error| format!("{}: {error}", path.display()))
            }
            ExportFormat::Json => {
                let evaluated = self
                    .conversation
                    .evaluate(&self.around, Pressure::default());
                let cache_key = self.conversation.cache_key();
                let next = request::encode(&evaluated.view, &self.around, self.thinking, cache_key);
                let provider = self.helm.provider().map_err(|error| error.to_string())?;
                serde_json::to_vec_pretty(&provider.wire_body(&next))
                    .map_err(|error| error.to_string())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_name() {
        for format in ExportFormat::ALL {
            assert_eq!(ExportFormat::from_name(format.name()), Some(format));
        }
        assert_eq!(ExportFormat::from_name("pdf"), None);
    }
}
