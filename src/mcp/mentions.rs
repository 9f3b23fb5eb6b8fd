//! What a message of the user takes from servers: resources that it mentions as
//! `@server:address`, and a prompt that it is, as `/server:prompt arguments`.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::link::ServerLink;
use super::link::extras::{ListedPrompt, ListedResource, PromptBlank};
use super::servers::McpServers;
use crate::transcript::{Image, Part, SERVER_TEXT};

/// Resources of one message.
const MAX_RESOURCES: usize = 20;
/// Characters of one resource in a message.
const MAX_TEXT_CHARS: usize = 100_000;
/// What ends a sentence is no part of an address.
const SENTENCE_ENDS: [char; 9] = ['.', ',', ';', '!', '?', ')', '"', '\'', ':'];

/// What servers offer beside their tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerOffers {
    /// Mentioned as `@server:address`.
    pub resources: Vec<ListedResource>,
    /// Typed as `/server:prompt`.
    pub prompts: Vec<ListedPrompt>,
}

/// A message with what it takes from servers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilledMessage {
    /// What the user typed, or what a prompt makes of it, and the resources behind it.
    pub text: String,
    /// Images of resources and prompts.
    pub images: Vec<Image>,
    /// Why some of it is missing, one clause each.
    pub problems: Vec<String>,
}

impl McpServers {
    /// What the servers that are ready offer.
    pub async fn offers(&self) -> ServerOffers {
        let ready = self.ready_links();
        let asking = ready.iter().map(|link| async {
            let (resources, prompts) = tokio::join!(link.resources(), link.prompts());
            (resources.unwrap_or_default(), prompts.unwrap_or_default())
        });
        let mut offers = ServerOffers::default();
        for (resources, prompts) in futures::future::join_all(asking).await {
            offers.resources.extend(resources);
            offers.prompts.extend(prompts);
        }
        offers
    }

    /// Whether a message takes something from a server: who sends it has to wait.
    pub fn is_mentioned(&self, text: &str) -> bool {
        self.asked_prompt(text).is_some() || !self.mentions(text).is_empty()
    }

    /// A message with what it takes from servers.
    ///
    /// # Errors
    ///
    /// It is a prompt that the server does not give. Why, as a clause.
    pub async fn filled(&self, text: &str) -> Result<FilledMessage, String> {
        if let Some((link, name, arguments)) = self.asked_prompt(text) {
            let parts = filled_prompt(&link, name, arguments).await?;
            let mut message = FilledMessage::default();
            message.add(parts);
            return Ok(message.behind(text));
        }
        let mut message = FilledMessage::default();
        for (link, uri) in self.mentions(text) {
            match link.read_resource(uri).await {
                Ok(parts) => message.add(parts),
                Err(why) => {
                    let name = &link.server.name;
                    message
                        .problems
                        .push(format!("@{name}:{uri} could not be read: {why}"));
                }
            }
        }
        Ok(message.behind(text))
    }

    /// The resources that a text mentions, each once.
    fn mentions<'a>(&self, text: &'a str) -> Vec<(Arc<ServerLink>, &'a str)> {
        let mut found: Vec<(Arc<ServerLink>, &'a str)> = Vec::new();
        for word in text.split_whitespace() {
            let Some((name, uri)) = word.strip_prefix('@').and_then(|it| it.split_once(':')) else {
                continue;
            };
            let uri = uri.trim_end_matches(SENTENCE_ENDS);
            let is_new = found
                .iter()
                .all(|(link, known)| link.server.name != name || *known != uri);
            if let Some(link) = self.link(name).filter(|_| !uri.is_empty() && is_new) {
                found.push((link, uri));
            }
        }
        found.truncate(MAX_RESOURCES);
        found
    }

    /// The prompt that a text is: its server, its name, what is typed behind it.
    fn asked_prompt<'a>(&self, text: &'a str) -> Option<(Arc<ServerLink>, &'a str, &'a str)> {
        let line = text.trim().strip_prefix('/')?;
        let (word, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (server, prompt) = word.split_once(':').filter(|(_, it)| !it.is_empty())?;
        Some((self.link(server)?, prompt, arguments.trim()))
    }
}

impl FilledMessage {
    /// What a server gave, marked as such, behind what was typed.
    fn behind(mut self, typed: &str) -> Self {
        self.text = match self.text.as_str() {
            "" => typed.to_owned(),
            given => format!("{typed}\n{SERVER_TEXT}{given}\n</mcp>"),
        };
        self
    }

    fn add(&mut self, parts: Vec<Part>) {
        for part in parts {
            match part {
                Part::Text(text) => {
                    if !self.text.is_empty() {
                        self.text.push_str("\n\n");
                    }
                    self.text.push_str(&cut(text));
                }
                Part::Image(image) => self.images.push(image),
            }
        }
    }
}

fn cut(text: String) -> String {
    match text.char_indices().nth(MAX_TEXT_CHARS) {
        None => text,
        Some((at, _)) => {
            let (kept, left) = text.split_at(at);
            let left = left.chars().count();
            format!("{kept}\n[{left} more characters of this resource are left out]")
        }
    }
}

async fn filled_prompt(
    link: &ServerLink,
    name: &str,
    arguments: &str,
) -> Result<Vec<Part>, String> {
    let prompts = link.prompts().await?;
    let prompt = prompts.iter().find(|it| it.name == name).ok_or_else(|| {
        let names: Vec<&str> = prompts.iter().map(|it| it.name.as_str()).collect();
        let server = &link.server.name;
        if names.is_empty() {
            format!("{server} has no prompts")
        } else {
            format!(
                "{server} has no prompt {name:?}; it has {}",
                names.join(", ")
            )
        }
    })?;
    link.prompt(name, blanks(&prompt.arguments, arguments)?)
        .await
}

/// What is typed behind a prompt, as its arguments: `name=value` by name, anything else in
/// their order; the last one takes the rest. Quotes keep words together.
fn blanks(known: &[PromptBlank], typed: &str) -> Result<Map<String, Value>, String> {
    let mut filled: Map<String, Value> = Map::new();
    let mut rest: Vec<String> = Vec::new();
    for word in words(typed) {
        match word.split_once('=') {
            Some((name, value)) if known.iter().any(|it| it.name == name) => {
                filled.insert(name.to_owned(), value.into());
            }
            _ => rest.push(word),
        }
    }
    let open: Vec<&PromptBlank> = known
        .iter()
        .filter(|it| !filled.contains_key(&it.name))
        .collect();
    let mut rest = rest.into_iter();
    for (at, blank) in open.iter().enumerate() {
        let is_last = at + 1 == open.len();
        let value = if is_last {
            rest.by_ref().collect::<Vec<_>>().join(" ")
        } else {
            rest.next().unwrap_or_default()
        };
        if !value.is_empty() {
            filled.insert(blank.name.clone(), value.into());
        }
    }
    if let Some(extra) = rest.next() {
        return Err(format!("it takes no argument {extra:?}"));
    }
    let missing = known
        .iter()
        .find(|it| it.is_required && !filled.contains_key(&it.name));
    match missing {
        Some(blank) => Err(format!("its argument {} is missing", blank.name)),
        None => Ok(filled),
    }
}

fn words(typed: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    for c in typed.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            c if c.is_whitespace() && !is_quoted => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            c => word.push(c),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn known(names: &[(&str, bool)]) -> Vec<PromptBlank> {
        let blanks = names.iter().map(|(name, is_required)| PromptBlank {
            name: (*name).to_owned(),
            is_required: *is_required,
        });
        blanks.collect()
    }

    #[test]
    fn arguments_of_a_prompt_come_by_name_or_in_their_order() {
        let known = known(&[("file", true), ("tone", false), ("note", false)]);
        for (typed, expected) in [
            ("a.rs", json!({"file": "a.rs"})),
            (
                "a.rs kind be brief",
                json!({"file": "a.rs", "tone": "kind", "note": "be brief"}),
            ),
            (
                "tone=kind \"my file.rs\"",
                json!({"tone": "kind", "file": "my file.rs"}),
            ),
            ("file=\"a b\" x=1", json!({"file": "a b", "tone": "x=1"})),
        ] {
            assert_eq!(
                Value::Object(blanks(&known, typed).unwrap()),
                expected,
                "{typed}"
            );
        }
        assert_eq!(
            blanks(&known, "").unwrap_err(),
            "its argument file is missing"
        );
        assert_eq!(blanks(&[], "x").unwrap_err(), "it takes no argument \"x\"");
    }

    #[test]
    fn a_long_resource_is_cut_and_says_so() {
        let text = cut("ä".repeat(MAX_TEXT_CHARS + 3));
        assert!(text.ends_with("[3 more characters of this resource are left out]"));
        assert_eq!(cut("short".to_owned()), "short");
    }
}
