//! The open session as a file for other eyes, written beside what is worked on.

use crate::agent::protocol::{ExportFormat, Notice};
use crate::agent::sessions::SessionActs;
use crate::agent::thread::request;
use crate::context::ShrinkMode;
use crate::export::{self, DocumentSource};

impl SessionActs<'_> {
    /// Writes the session into a new file in the working directory and says where it is.
    pub(crate) async fn export(&mut self, format: ExportFormat) {
        let written = self.exported(format).and_then(|bytes| {
            let name = format!("plimsoll-{}", self.agent.thread.conversation.id());
            export::save_new(&self.agent.setup.cwd, &name, format.name(), &bytes)
                .map_err(|error| error.to_string())
        });
        let notice = match written {
            Ok(path) => Notice::info(format!("exported to {}", path.display())),
            Err(why) => Notice::error(format!("nothing was exported: {why}")),
        };
        self.agent.events.notice(notice).await;
    }

    fn exported(&mut self, format: ExportFormat) -> Result<Vec<u8>, String> {
        let source = DocumentSource {
            header: self.agent.thread.conversation.header(),
            transcript: self.agent.thread.conversation.transcript(),
            problems: self.agent.thread.conversation.problems(),
        };
        match format {
            ExportFormat::Md => Ok(export::markdown(source).into_bytes()),
            ExportFormat::Html => Ok(export::html(source).into_bytes()),
            ExportFormat::Jsonl => {
                let path = self.agent.thread.conversation.path();
                let path = path.ok_or("this session is kept in memory and has no file")?;
                crate::disk::open::read(&path, u64::MAX)
                    .map_err(|error| format!("{}: {error}", path.display()))
            }
            ExportFormat::Json => {
                let evaluated = self.agent.thread.evaluate(ShrinkMode::default());
                let cache_key = self.agent.thread.conversation.cache_key();
                let next = request::encode(
                    &evaluated.view,
                    &self.agent.thread.context,
                    self.agent.model.thinking,
                    cache_key,
                );
                let provider = self
                    .agent
                    .model
                    .connection
                    .provider()
                    .map_err(|error| error.to_string())?;
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
