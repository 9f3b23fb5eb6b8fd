//! Names that stand for identifiers in a summary: `id-1`, `id-2`, … The map goes into the
//! compaction's entry and is carried on by the next one, so that an alias means the same
//! for the rest of the session. Nothing here puts an identifier back in its place.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::context::redact;
use crate::context::summary::SourceMessage;
use crate::transcript::{AssistantPart, Message, Part};

use super::{
    Identifier, IdentifierKind, REMOVED, candidates, classify, split_at_token, without_line,
};

/// How an alias begins.
const PREFIX: &str = "id-";
/// Longest number of an alias, in digits.
const MAX_DIGITS: usize = 6;

/// Aliases, and what they stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aliases {
    names: BTreeMap<u64, String>,
    numbers: HashMap<String, u64>,
    /// Up to this number they come from an earlier compaction.
    inherited: u64,
}

impl Aliases {
    /// The aliases of an earlier compaction, to be carried on.
    pub fn inherit(map: &[(String, String)]) -> Self {
        let mut out = Self::default();
        for (alias, name) in map {
            if let Some(number) = number_of(alias) {
                out.numbers.insert(name.clone(), number);
                out.names.insert(number, name.clone());
            }
        }
        out.inherited = out.names.last_key_value().map_or(0, |(number, _)| *number);
        out
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The identifiers under their aliases, each once.
    pub fn cover(
        &mut self,
        identifiers: &[Identifier],
        secrets: &redact::KnownSecrets,
    ) -> Vec<Identifier> {
        // Numbers go by rank, not by where the lines mention each other.
        let texts: Vec<String> = identifiers
            .iter()
            .map(|id| self.replace(&id.text, secrets))
            .collect();
        let mut seen = BTreeSet::new();
        let covered = identifiers.iter().zip(texts).map(|(id, text)| Identifier {
            text,
            kind: IdentifierKind::Id,
            line: self.replace(&id.line, secrets),
            ..id.clone()
        });
        covered.filter(|id| seen.insert(id.text.clone())).collect()
    }

    /// The text with aliases for its identifiers, and without its secrets. A line number
    /// stays after the alias of its file.
    pub fn replace(&mut self, text: &str, secrets: &redact::KnownSecrets) -> String {
        let mut mark = [0; REMOVED.len_utf8()];
        let clean = secrets.replace(text, REMOVED.encode_utf8(&mut mark));
        let mut out = String::with_capacity(clean.len());
        let mut rest: &str = &clean;
        for token in candidates(&clean) {
            let Some(alias) = self.alias_of(token) else {
                continue;
            };
            let (before, from) = split_at_token(rest, token);
            out.push_str(before);
            out.push_str(&alias);
            rest = from.get(token.len()..).unwrap_or_default();
        }
        out.push_str(rest);
        out.replace(REMOVED, redact::PLACEHOLDER)
    }

    /// The alias of a token that is an identifier, or that looks like an alias of its own.
    fn alias_of(&mut self, token: &str) -> Option<String> {
        let own = number_of(without_line(token));
        if own.is_some_and(|number| number <= self.inherited && self.names.contains_key(&number)) {
            return None;
        }
        let kind = classify(token);
        if kind.is_none() && own.is_none() {
            return None;
        }
        let is_path = matches!(
            kind,
            Some(IdentifierKind::Path | IdentifierKind::WindowsPath)
        );
        let name = if is_path { without_line(token) } else { token };
        let line = token.get(name.len()..).unwrap_or_default();
        let key = match kind {
            Some(kind) if kind.ignores_case() => name.to_lowercase(),
            _ => name.to_owned(),
        };
        let next = self.names.last_key_value().map_or(0, |(number, _)| *number) + 1;
        let number = *self.numbers.entry(key).or_insert(next);
        self.names.entry(number).or_insert_with(|| name.to_owned());
        Some(format!("{PREFIX}{number}{line}"))
    }

    /// A message under aliases.
    pub fn cover_message(
        &mut self,
        source: &SourceMessage,
        secrets: &redact::KnownSecrets,
    ) -> SourceMessage {
        let mut message = Message::clone(&source.message);
        match &mut message {
            Message::User(user) => self.cover_parts(&mut user.content, secrets),
            Message::ToolResult(result) => self.cover_parts(&mut result.content, secrets),
            Message::BashExecution(run) => {
                run.command = self.replace(&run.command, secrets);
                run.output = self.replace(&run.output, secrets);
            }
            Message::Assistant(assistant) => {
                for part in &mut assistant.content {
                    match part {
                        AssistantPart::Text(text) => *text = self.replace(text, secrets),
                        AssistantPart::ToolCall(call) => {
                            self.cover_value(&mut call.arguments, secrets);
                        }
                        AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. } => {
                        }
                    }
                }
                if let Some(error) = &mut assistant.error {
                    *error = self.replace(error, secrets);
                }
            }
        }
        SourceMessage {
            message: Arc::new(message),
            ..source.clone()
        }
    }

    fn cover_parts(&mut self, parts: &mut [Part], secrets: &redact::KnownSecrets) {
        for part in parts {
            match part {
                Part::Text(text) => *text = self.replace(text, secrets),
                Part::Image(image) => {
                    image.name = image.name.as_ref().map(|name| self.replace(name, secrets));
                }
            }
        }
    }

    fn cover_value(&mut self, value: &mut serde_json::Value, secrets: &redact::KnownSecrets) {
        match value {
            serde_json::Value::String(text) => *text = self.replace(text, secrets),
            serde_json::Value::Number(number) => {
                let text = number.to_string();
                let covered = self.replace(&text, secrets);
                if covered != text {
                    *value = serde_json::Value::String(covered);
                }
            }
            serde_json::Value::Array(items) => {
                for item in items {
                    self.cover_value(item, secrets);
                }
            }
            serde_json::Value::Object(map) => {
                let members = std::mem::take(map);
                for (name, mut member) in members {
                    self.cover_value(&mut member, secrets);
                    map.insert(self.replace(&name, secrets), member);
                }
            }
            serde_json::Value::Null | serde_json::Value::Bool(_) => {}
        }
    }

    /// Tokens that look like aliases and stand for nothing. None where there are no
    /// aliases at all.
    pub fn unknown_in(&self, text: &str) -> Vec<String> {
        if self.is_empty() {
            return Vec::new();
        }
        let unknown: BTreeSet<&str> = candidates(text)
            .into_iter()
            .filter(|token| {
                number_of(without_line(token)).is_some_and(|n| !self.names.contains_key(&n))
            })
            .map(without_line)
            .collect();
        unknown.into_iter().map(str::to_owned).collect()
    }

    /// The aliases for the entry of a summary: those that it mentions, and the inherited ones.
    pub fn map_for(&self, summary: &str) -> Vec<(String, String)> {
        let mentioned: BTreeSet<u64> = candidates(summary)
            .into_iter()
            .filter_map(|token| number_of(without_line(token)))
            .collect();
        self.names
            .iter()
            .filter(|(number, _)| **number <= self.inherited || mentioned.contains(number))
            .map(|(number, name)| (format!("{PREFIX}{number}"), name.clone()))
            .collect()
    }
}

/// The number of an alias; `None` for anything else.
fn number_of(token: &str) -> Option<u64> {
    let digits = token.strip_prefix(PREFIX)?;
    let is_number = digits.len() <= MAX_DIGITS
        && !digits.starts_with('0')
        && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_alias_means_the_same_everywhere_and_keeps_the_line() {
        let none = redact::KnownSecrets::default();
        let mut aliases = Aliases::default();
        let text = "see src/a.rs:42, `src/b.rs` and (src/a.rs); id-7 is mine, commit 8F3E21C9AB = 8f3e21c9ab";
        let shown = "see id-1:42, `id-2` and (id-1); id-3 is mine, commit id-4 = id-4";
        assert_eq!(aliases.replace(text, &none), shown);
        let map = aliases.map_for("id-1:9 and id-4, id-12");
        let pairs: Vec<(&str, &str)> = map.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(pairs, [("id-1", "src/a.rs"), ("id-4", "8F3E21C9AB")]);
        assert_eq!(
            aliases.unknown_in("id-1:9 and id-12 but not id-12x"),
            ["id-12"]
        );
        let mut next = Aliases::inherit(&map);
        assert_eq!(
            next.replace("id-1, src/a.rs, src/c.rs, id-9", &none),
            "id-1, id-1, id-5, id-6"
        );
        assert_eq!(next.map_for("").len(), 2, "what was inherited stays known");
    }

    #[test]
    fn a_secret_gets_no_alias() {
        let mut aliases = Aliases::default();
        let mut known = redact::KnownSecrets::default();
        known.learn("api_key=a8f5f167f44f4964e6c998de");
        let shown = aliases.replace(
            "use a8f5f167f44f4964e6c998de at postgres://app:s3cr3tpw@db.example:5432/x",
            &known,
        );
        assert!(
            !shown.contains("a8f5") && !shown.contains("s3cr3tpw"),
            "{shown}"
        );
        let all = aliases.map_for("id-1 id-2 id-3");
        assert!(
            all.iter()
                .all(|(_, name)| redact::find(name).is_empty() && !known.is_in(name)),
            "{all:?}"
        );
    }

    proptest! {
        #[test]
        fn no_identifier_is_left_in_any_text(text in "(src/[a-z]{1,6}\\.rs(:[1-9]{1,3})?|https://x\\.example/[a-z]{1,5}|[0-9]{6,9}|id-[1-9]|[ ,.`()\n]|\\PC{0,6}){0,20}") {
            let mut aliases = Aliases::default();
            let shown = aliases.replace(&text, &redact::KnownSecrets::default());
            let said: Vec<&str> = candidates(&text).into_iter().filter(|t| classify(t).is_some()).collect();
            let left: Vec<&str> = candidates(&shown)
                .into_iter()
                .filter(|t| said.contains(t) && number_of(without_line(t)).is_none())
                .collect();
            prop_assert!(left.is_empty(), "{left:?} in {shown:?} of {text:?}");
            prop_assert!(aliases.unknown_in(&shown).is_empty());
        }
    }
}
