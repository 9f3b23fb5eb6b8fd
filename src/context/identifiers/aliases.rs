//! Names that stand for identifiers in a summary: `id-1`, `id-2`, … The map goes into the
//! compaction's entry and is carried on by the next one, so that an alias means the same
//! for the rest of the session. Nothing here puts an identifier back in its place.
//!
//! What points at one thing gets an alias: paths, links, hosts, hashes, tickets, numbers. The
//! names that code gives things, versions, sizes and days stay: they say what was done.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::context::redact;
use crate::context::summary::SourceMessage;
use crate::transcript::{AssistantPart, Message, Part};

use super::REMOVED;
use super::classify::{IdentifierKind, classify, without_line};
use super::identifier::Identifier;
use super::texts::each_text;
use super::tokens::candidates;
use super::whole_line::split_at_token;

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
    /// Those of texts that stand beside the summary.
    carried: BTreeSet<u64>,
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

    /// Gives every identifier of a text an alias, in the order of the text.
    pub fn learn(&mut self, text: &str, secrets: &redact::KnownSecrets) {
        for token in candidates(&without_secrets(text, secrets)) {
            self.name(token);
        }
    }

    /// The same for a text that the next request holds beside the summary: the entry keeps
    /// its aliases, whatever the summary mentions.
    pub fn carry(&mut self, text: &str, secrets: &redact::KnownSecrets) {
        for token in candidates(&without_secrets(text, secrets)) {
            let alias = self.name(token);
            let number = alias.and_then(|alias| number_of(without_line(&alias)));
            self.carried.extend(number);
        }
    }

    /// Gives every identifier of a message an alias.
    pub fn learn_message(&mut self, message: &Message, secrets: &redact::KnownSecrets) {
        each_text(message, &mut |text| {
            self.learn(text, secrets);
            true
        });
        if let Message::Assistant(assistant) = message {
            self.learn(assistant.error.as_deref().unwrap_or_default(), secrets);
        }
    }

    /// The alias of a token that is an identifier, or that looks like an alias of its own; a
    /// new one where it has none yet. A line number stays after it.
    fn name(&mut self, token: &str) -> Option<String> {
        let (key, name) = self.key_of(token)?;
        let is_new = !self.numbers.contains_key(&key);
        let number = self.number(key, name);
        if is_new && classify(token).is_some_and(IdentifierKind::is_file) {
            for segment in telling_segments(name) {
                self.number(segment.to_owned(), segment);
            }
        }
        let line = token.get(name.len()..).unwrap_or_default();
        Some(format!("{PREFIX}{number}{line}"))
    }

    /// The number of a name; a new one where it has none yet.
    fn number(&mut self, key: String, name: &str) -> u64 {
        let next = self.names.last_key_value().map_or(0, |(number, _)| *number) + 1;
        let number = *self.numbers.entry(key).or_insert(next);
        self.names.entry(number).or_insert_with(|| name.to_owned());
        number
    }

    /// The alias that a token has.
    fn known(&self, token: &str) -> Option<String> {
        let (key, name) = self.key_of(token)?;
        let number = self.numbers.get(&key)?;
        let line = token.get(name.len()..).unwrap_or_default();
        Some(format!("{PREFIX}{number}{line}"))
    }

    /// Under what a token is known, and its text without a line number; `None` for what needs
    /// no alias.
    fn key_of<'t>(&self, token: &'t str) -> Option<(String, &'t str)> {
        let own = number_of(without_line(token));
        if own.is_some_and(|number| number <= self.inherited && self.names.contains_key(&number)) {
            return None;
        }
        let kind = classify(token);
        if kind.is_none() && own.is_none() {
            return None;
        }
        let is_file = kind.is_some_and(IdentifierKind::is_file);
        let name = if is_file { without_line(token) } else { token };
        let key = match kind {
            Some(kind) if kind.ignores_case() => name.to_lowercase(),
            _ => name.to_owned(),
        };
        Some((key, name))
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

    /// The aliases for the entry of a summary: those that it mentions, the inherited ones, and
    /// those of texts beside it.
    pub fn map_for(&self, summary: &str) -> Vec<(String, String)> {
        // Also within something longer: `git@git.id-6.de`.
        let mentioned: BTreeSet<u64> = summary
            .match_indices(PREFIX)
            .filter_map(|(at, _)| number_at(summary.get(at..)?))
            .collect();
        self.names
            .iter()
            .filter(|(number, _)| {
                **number <= self.inherited
                    || mentioned.contains(number)
                    || self.carried.contains(number)
            })
            .map(|(number, name)| (format!("{PREFIX}{number}"), name.clone()))
            .collect()
    }
}

/// Folders of a path whose names tell by themselves where it is: `acme-gmbh` of
/// `/srv/clients/acme-gmbh/app.rs`, not `src`.
fn telling_segments(path: &str) -> impl Iterator<Item = &str> {
    const MIN_BYTES: usize = 5;
    let folders = path
        .rsplit_once(['/', '\\'])
        .map_or("", |(folders, _)| folders);
    let is_telling = |segment: &&str| {
        segment.len() >= MIN_BYTES
            && segment.bytes().any(|b| b.is_ascii_digit() || b == b'-')
            && segment.chars().any(char::is_alphabetic)
            && number_of(segment).is_none()
    };
    folders.split(['/', '\\']).filter(is_telling)
}

/// A text under the aliases of a compaction's entry; as it is when there are none.
pub fn under_aliases(text: &str, map: &[(String, String)]) -> String {
    if map.is_empty() {
        return text.to_owned();
    }
    let secrets = redact::KnownSecrets::default();
    AliasCover::of(&Aliases::inherit(map), &secrets).text(text)
}

/// Texts under the aliases that are known: identifiers as whole tokens first, then whatever is
/// left of one within something longer.
pub struct AliasCover<'a> {
    aliases: &'a Aliases,
    secrets: &'a redact::KnownSecrets,
    /// The names, and the number of each.
    names: Option<AhoCorasick>,
    numbers: Vec<u64>,
}

impl<'a> AliasCover<'a> {
    /// For all aliases there are: learn every text before.
    pub fn of(aliases: &'a Aliases, secrets: &'a redact::KnownSecrets) -> Self {
        let covered: Vec<(&u64, &String)> = aliases
            .names
            .iter()
            .filter(|(_, name)| number_of(name).is_none() && !name.is_empty())
            .collect();
        let names = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(covered.iter().map(|(_, name)| name.as_str()));
        Self {
            aliases,
            secrets,
            names: names.ok().filter(|_| !covered.is_empty()),
            numbers: covered.into_iter().map(|(number, _)| *number).collect(),
        }
    }

    /// The text with aliases for its identifiers, and without its secrets.
    pub fn text(&self, text: &str) -> String {
        let clean = without_secrets(text, self.secrets);
        let mut out = String::with_capacity(clean.len());
        let mut rest: &str = &clean;
        for token in candidates(&clean) {
            let Some(alias) = self.aliases.known(token) else {
                continue;
            };
            let (before, from) = split_at_token(rest, token);
            self.push_rest(before, &mut out);
            out.push_str(&alias);
            rest = from.get(token.len()..).unwrap_or_default();
        }
        self.push_rest(rest, &mut out);
        out.replace(REMOVED, redact::PLACEHOLDER)
    }

    /// What is between whole tokens, without the names inside it.
    fn push_rest(&self, text: &str, out: &mut String) {
        let mut done = 0;
        for hit in self.names.iter().flat_map(|names| names.find_iter(text)) {
            let number = self.numbers.get(hit.pattern().as_usize());
            let Some(number) = number else { continue };
            out.push_str(text.get(done..hit.start()).unwrap_or_default());
            out.push_str(PREFIX);
            out.push_str(&number.to_string());
            done = hit.end();
        }
        out.push_str(text.get(done..).unwrap_or_default());
    }

    /// The identifiers under their aliases, each once.
    pub fn identifiers(&self, identifiers: &[Identifier]) -> Vec<Identifier> {
        let mut seen = BTreeSet::new();
        let covered = identifiers.iter().map(|id| {
            let text = self.text(&id.text);
            let kind = if text == id.text {
                id.kind
            } else {
                IdentifierKind::Id
            };
            Identifier {
                own_name: Some(id.text.clone()),
                text,
                kind,
                spellings: Vec::new(),
                line: self.text(&id.line),
                file: id.file.as_ref().map(|file| self.text(file)),
                ..id.clone()
            }
        });
        covered.filter(|id| seen.insert(id.text.clone())).collect()
    }

    /// A message under aliases.
    pub fn message(&self, source: &SourceMessage) -> SourceMessage {
        let mut message = Message::clone(&source.message);
        match &mut message {
            Message::User(user) => self.parts(&mut user.content),
            Message::ToolResult(result) => self.parts(&mut result.content),
            Message::BashExecution(run) => {
                run.command = self.text(&run.command);
                run.output = self.text(&run.output);
            }
            Message::Assistant(assistant) => {
                for part in &mut assistant.content {
                    match part {
                        AssistantPart::Text(text) | AssistantPart::Thinking { text, .. } => {
                            *text = self.text(text);
                        }
                        AssistantPart::ToolCall(call) => self.value(&mut call.arguments),
                        AssistantPart::RedactedThinking { .. } => {}
                    }
                }
                if let Some(error) = &mut assistant.error {
                    *error = self.text(error);
                }
            }
        }
        SourceMessage {
            message: Arc::new(message),
            ..source.clone()
        }
    }

    fn parts(&self, parts: &mut [Part]) {
        for part in parts {
            match part {
                Part::Text(text) => *text = self.text(text),
                Part::Image(image) => {
                    image.name = image.name.as_ref().map(|name| self.text(name));
                }
            }
        }
    }

    fn value(&self, value: &mut serde_json::Value) {
        match value {
            serde_json::Value::String(text) => *text = self.text(text),
            serde_json::Value::Number(number) => {
                let text = number.to_string();
                let covered = self.text(&text);
                if covered != text {
                    *value = serde_json::Value::String(covered);
                }
            }
            serde_json::Value::Array(items) => {
                for item in items {
                    self.value(item);
                }
            }
            serde_json::Value::Object(map) => {
                let members = std::mem::take(map);
                for (name, mut member) in members {
                    self.value(&mut member);
                    map.insert(self.text(&name), member);
                }
            }
            serde_json::Value::Null | serde_json::Value::Bool(_) => {}
        }
    }
}

/// The text with a mark in the place of each secret: what is around one is no identifier.
fn without_secrets<'t>(text: &'t str, secrets: &redact::KnownSecrets) -> std::borrow::Cow<'t, str> {
    let mut mark = [0; REMOVED.len_utf8()];
    secrets.replace(text, REMOVED.encode_utf8(&mut mark))
}

/// The number of the alias that a text begins with.
fn number_at(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(PREFIX)?;
    let end = digits.find(|c: char| !c.is_ascii_digit());
    number_of(text.get(..PREFIX.len() + end.unwrap_or(digits.len()))?)
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

    /// The text as it is covered when nothing else was said.
    fn covered(aliases: &mut Aliases, text: &str) -> String {
        let none = redact::KnownSecrets::default();
        aliases.learn(text, &none);
        AliasCover::of(aliases, &none).text(text)
    }

    #[test]
    fn an_alias_means_the_same_everywhere_and_keeps_the_line() {
        let mut aliases = Aliases::default();
        let text = "see src/a.rs:42, `src/b.rs` and (src/a.rs); id-7 is mine, commit 8F3E21C9AB = 8f3e21c9ab";
        let shown = "see id-1:42, `id-2` and (id-1); id-3 is mine, commit id-4 = id-4";
        assert_eq!(covered(&mut aliases, text), shown);
        let map = aliases.map_for("id-1:9 and id-4, id-12");
        let pairs: Vec<(&str, &str)> = map.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(pairs, [("id-1", "src/a.rs"), ("id-4", "8F3E21C9AB")]);
        assert_eq!(
            aliases.unknown_in("id-1:9 and id-12 but not id-12x"),
            ["id-12"]
        );
        let mut next = Aliases::inherit(&map);
        assert_eq!(
            covered(&mut next, "id-1, src/a.rs, src/c.rs, id-9"),
            "id-1, id-1, id-5, id-6"
        );
        assert_eq!(next.map_for("").len(), 2, "what was inherited stays known");
    }

    #[test]
    fn hosts_and_telling_folders_of_paths_get_aliases() {
        let mut aliases = Aliases::default();
        let text = "acme-gmbh asked: is db7.corp.example.com or redis-cache-02 slow? \
                    see /srv/clients/acme-gmbh/src/app.rs, src is ours";
        let shown = covered(&mut aliases, text);
        for name in [
            "acme-gmbh",
            "db7",
            "example.com",
            "redis-cache-02",
            "clients",
        ] {
            assert!(!shown.contains(name), "{name} in {shown}");
        }
        assert!(shown.contains("src is ours"), "{shown}");
    }

    #[test]
    fn a_secret_gets_no_alias() {
        let mut aliases = Aliases::default();
        let mut known = redact::KnownSecrets::default();
        known.learn("api_key=a8f5f167f44f4964e6c998de");
        let text = "use a8f5f167f44f4964e6c998de at postgres://app:s3cr3tpw@db.example:5432/x";
        aliases.learn(text, &known);
        let shown = AliasCover::of(&aliases, &known).text(text);
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

    #[test]
    fn a_name_inside_something_longer_is_covered_too() {
        let mut aliases = Aliases::default();
        let text = "see src/auth.rs; at:src/auth.rs:7:x and xsrc/auth.rsy";
        let shown = covered(&mut aliases, text);
        assert!(!shown.contains("src/auth.rs"), "{shown}");
    }

    proptest! {
        #[test]
        fn no_run_of_an_identifier_is_left_in_any_text(
            text in "(src/[a-z]{1,6}\\.rs(:[1-9]{1,3})?|https://x\\.example/[a-z]{1,5}|[0-9]{6,9}|ENT-[1-9]{1,3}|id-[1-9]|[ ,.:x`()\n]|\\PC{0,6}){0,20}",
        ) {
            let mut aliases = Aliases::default();
            let shown = covered(&mut aliases, &text);
            let said: Vec<&str> = candidates(&text).into_iter().filter(|t| classify(t).is_some()).collect();
            for name in said.into_iter().filter(|name| number_of(without_line(name)).is_none()) {
                let name = if classify(name).is_some_and(IdentifierKind::is_file) { without_line(name) } else { name };
                prop_assert!(!shown.contains(name), "{name:?} in {shown:?} of {text:?}");
            }
            prop_assert!(aliases.unknown_in(&shown).is_empty());
        }
    }
}
