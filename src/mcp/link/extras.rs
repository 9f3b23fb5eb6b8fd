//! What a server offers beside its tools: resources, which are texts and images under an
//! address, and prompts, which are messages with blanks.

use rmcp::model::{GetPromptRequestParams, Prompt, ReadResourceRequestParams, Resource};
use rmcp::service::ServiceError;
use serde_json::{Map, Value};

use super::ServerLink;
use super::open::OpenFailureKind;
use super::pages::all_pages;
use crate::engine::text::one_line;
use crate::mcp::content::{harmless, prompt_parts, resource_parts};
use crate::transcript::Part;

/// Resources, and prompts, of one server.
const MAX_LISTED: usize = 1_000;
/// Characters of an address that can be mentioned.
const MAX_URI_CHARS: usize = 1_000;
/// Characters of a description.
const MAX_ABOUT_CHARS: usize = 200;

/// A resource of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedResource {
    /// The server's name.
    pub server: String,
    /// Its address, without spaces.
    pub uri: String,
    /// What it is, in one line.
    pub about: String,
}

/// A prompt of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPrompt {
    /// The server's name.
    pub server: String,
    /// Its name, without spaces.
    pub name: String,
    /// What it is for, in one line.
    pub about: String,
    /// The names of its arguments, in their order.
    pub arguments: Vec<PromptBlank>,
}

/// An argument of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptBlank {
    /// Its name.
    pub name: String,
    /// The server wants it.
    pub is_required: bool,
}

impl ServerLink {
    /// The resources of a server that has some; none before it is ready.
    pub(in crate::mcp) async fn resources(&self) -> Result<Vec<ListedResource>, String> {
        self.within_deadline(async {
            let connection = self.connection().await?;
            let info = connection.peer_info();
            if info.is_none_or(|it| it.capabilities.resources.is_none()) {
                return Ok(Vec::new());
            }
            let connection = &connection;
            let mut found = all_pages(MAX_LISTED, |params| async move {
                let page = connection.list_resources(Some(params)).await;
                let page = page.map_err(|error| self.words_of(&error))?;
                let listed = page.resources.into_iter();
                let listed = listed.filter(|it| can_be_typed(&it.uri));
                let listed = listed.map(|it| self.listed_resource(it));
                Ok::<_, String>((listed.collect(), page.next_cursor))
            })
            .await?;
            found.truncate(MAX_LISTED);
            Ok(found)
        })
        .await
    }

    /// The prompts of a server that has some.
    pub(in crate::mcp) async fn prompts(&self) -> Result<Vec<ListedPrompt>, String> {
        self.within_deadline(async {
            let connection = self.connection().await?;
            let info = connection.peer_info();
            if info.is_none_or(|it| it.capabilities.prompts.is_none()) {
                return Ok(Vec::new());
            }
            let connection = &connection;
            let mut found = all_pages(MAX_LISTED, |params| async move {
                let page = connection.list_prompts(Some(params)).await;
                let page = page.map_err(|error| self.words_of(&error))?;
                let listed = page.prompts.into_iter();
                let listed = listed.filter(|it| can_be_typed(&it.name));
                let listed = listed.map(|it| self.listed_prompt(it));
                Ok::<_, String>((listed.collect(), page.next_cursor))
            })
            .await?;
            found.truncate(MAX_LISTED);
            Ok(found)
        })
        .await
    }

    fn listed_resource(&self, resource: Resource) -> ListedResource {
        let about = resource.description.or(resource.title);
        ListedResource {
            server: self.server.name.clone(),
            about: one_line(&harmless(&about.unwrap_or(resource.name)), MAX_ABOUT_CHARS),
            uri: resource.uri,
        }
    }

    fn listed_prompt(&self, prompt: Prompt) -> ListedPrompt {
        let about = prompt.description.or(prompt.title).unwrap_or_default();
        let blanks = prompt.arguments.unwrap_or_default().into_iter();
        ListedPrompt {
            server: self.server.name.clone(),
            name: prompt.name,
            about: one_line(&harmless(&about), MAX_ABOUT_CHARS),
            arguments: blanks
                .filter(|it| can_be_typed(&it.name))
                .map(|it| PromptBlank {
                    is_required: it.required == Some(true),
                    name: it.name,
                })
                .collect(),
        }
    }

    /// The contents of a resource.
    pub(in crate::mcp) async fn read_resource(&self, uri: &str) -> Result<Vec<Part>, String> {
        self.within_deadline(async {
            let connection = self.connection().await?;
            let params = ReadResourceRequestParams::new(uri);
            let read = connection.read_resource(params).await;
            let read = read.map_err(|error| self.words_of(&error))?;
            Ok(resource_parts(read.contents))
        })
        .await
    }

    /// The messages of a prompt.
    pub(in crate::mcp) async fn prompt(
        &self,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<Vec<Part>, String> {
        self.within_deadline(async {
            let connection = self.connection().await?;
            let params = GetPromptRequestParams::new(name).with_arguments(arguments);
            let filled = connection.get_prompt(params).await;
            let filled = filled.map_err(|error| self.words_of(&error))?;
            Ok(prompt_parts(filled.messages))
        })
        .await
    }

    async fn within_deadline<T>(
        &self,
        asking: impl Future<Output = Result<T, String>>,
    ) -> Result<T, String> {
        match tokio::time::timeout(self.deadline(), asking).await {
            Ok(answered) => answered,
            Err(_) => Err(format!(
                "it took longer than {} s",
                self.server.deadline_secs
            )),
        }
    }

    fn words_of(&self, error: &ServiceError) -> String {
        let failure = self.list_failed(error);
        match failure.kind {
            OpenFailureKind::NeedsLogin => {
                let (why, name) = (failure.why, &self.server.name);
                format!("{why} (`plim mcp login {name}`)")
            }
            OpenFailureKind::Greeting | OpenFailureKind::Other => failure.why,
        }
    }
}

/// Whether a name can be typed as a word, and shown as it is.
fn can_be_typed(name: &str) -> bool {
    !name.is_empty()
        && name.chars().count() <= MAX_URI_CHARS
        && !name.chars().any(|c| c.is_control() || c.is_whitespace())
        && harmless(name) == name
}
