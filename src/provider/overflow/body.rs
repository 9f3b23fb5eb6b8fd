//! The error bodies of all providers, read into one shape.
//!
//! Nothing here decides what an error means; unreadable bodies become their text.

use serde_json::Value;

/// The fields of an error body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::provider) struct ErrorBody {
    /// The human sentence; the raw text when the body is not JSON.
    pub message: String,
    /// All sentences, the machine's and those of servers behind it.
    pub sentences: String,
    /// All machine-readable names, separated by spaces: code, type, status.
    pub codes: String,
    /// A numeric code that is an HTTP status.
    pub status: Option<u16>,
    /// Whether the body was JSON.
    pub is_structured: bool,
    /// Whether the body was an HTML page.
    pub is_page: bool,
    /// The id that the provider's support asks for.
    pub request_id: Option<String>,
    /// llama-server's own count of the prompt.
    pub requested_tokens: Option<u64>,
    /// llama-server's window.
    pub limit_tokens: Option<u64>,
}

/// Where the sentence is; a later one wins.
const MESSAGE_KEYS: [&str; 6] = [
    "detail",
    "error_msg",
    "errorMessage",
    "msg",
    "Message",
    "message",
];

/// Where servers put the size of the request and of the window.
const REQUESTED_KEYS: [&str; 4] = [
    "n_prompt_tokens",
    "prompt_tokens",
    "input_tokens",
    "requested_tokens",
];
const LIMIT_KEYS: [&str; 5] = [
    "n_ctx",
    "context_length",
    "max_context_length",
    "max_model_len",
    "context_window",
];

impl ErrorBody {
    /// Reads a body. Never fails.
    pub(in crate::provider) fn parse(body: &str) -> Self {
        let Ok(value) = serde_json::from_str::<Value>(body) else {
            return Self {
                is_page: body.trim_start().starts_with('<'),
                message: without_markup(body),
                sentences: without_markup(body),
                ..Self::default()
            };
        };
        // Gemini wraps its error in an array.
        let value = match value {
            Value::Array(mut items) if items.len() == 1 => items.swap_remove(0),
            other => other,
        };
        let mut parsed = Self {
            is_structured: true,
            ..Self::default()
        };
        parsed.read(&value);
        if let Some(error) = value.get("error") {
            parsed.read(error);
        }
        if let Some(Value::Array(errors)) = value.get("errors") {
            errors.iter().rev().for_each(|error| parsed.read(error));
        }
        // A shape that nobody has seen yet still says something.
        let says_nothing = value.as_object().is_none_or(serde_json::Map::is_empty);
        if parsed.message.is_empty() && !says_nothing {
            parsed.set_message(&value.to_string());
        }
        parsed
    }

    fn read(&mut self, value: &Value) {
        // MiniMax.
        if let Some(text) = value
            .pointer("/base_resp/status_msg")
            .and_then(Value::as_str)
        {
            self.set_message(text);
        }
        if let Some(text) = value.as_str() {
            self.set_message(text);
        }
        for key in MESSAGE_KEYS {
            match value.get(key) {
                Some(Value::String(text)) => self.set_message(text),
                Some(other @ (Value::Object(_) | Value::Array(_))) => {
                    self.set_message(&other.to_string());
                }
                _ => {}
            }
        }
        // OpenRouter wraps the real answer in "Provider returned error".
        if let Some(raw) = value.pointer("/metadata/raw").and_then(Value::as_str) {
            let inner = Self::parse_once(raw);
            self.set_message(&format!("{}: {inner}", self.message));
        }
        for key in ["code", "type", "status"] {
            match value.get(key) {
                Some(Value::String(name)) => {
                    self.codes.push_str(name);
                    self.codes.push(' ');
                }
                Some(Value::Number(number)) => {
                    let status = number.as_u64().and_then(|n| u16::try_from(n).ok());
                    self.status = status.filter(|s| (400..600).contains(s)).or(self.status);
                }
                _ => {}
            }
        }
        self.request_id = request_id(value).or(self.request_id.take());
        let number = |key: &str| value.get(key).and_then(Value::as_u64).filter(|&n| n > 0);
        let first = |keys: &[&str]| keys.iter().find_map(|key| number(key));
        self.requested_tokens = first(&REQUESTED_KEYS).or(self.requested_tokens);
        self.limit_tokens = first(&LIMIT_KEYS).or(self.limit_tokens);
    }

    /// Whether the body names a request that is larger than the window.
    pub(super) fn names_larger_request(&self) -> bool {
        let sizes = self.requested_tokens.zip(self.limit_tokens);
        sizes.is_some_and(|(requested, limit)| requested > limit)
    }

    /// Keeps the innermost sentence: some servers put the JSON of another into a string.
    fn set_message(&mut self, text: &str) {
        let inner = Self::parse_once(text);
        let text = if text.trim_start().starts_with('{') {
            inner.as_str()
        } else {
            text
        };
        if !text.trim().is_empty() {
            text.clone_into(&mut self.message);
            self.sentences.push_str(text);
            self.sentences.push('\n');
        }
    }

    /// The innermost message of a nested body, one level deep.
    fn parse_once(raw: &str) -> String {
        let value: Value = serde_json::from_str(raw).unwrap_or(Value::Null);
        value
            .pointer("/error/message")
            .or_else(|| value.get("message"))
            .or_else(|| value.get("detail"))
            .and_then(Value::as_str)
            .unwrap_or(raw)
            .to_owned()
    }
}

/// The id that a provider gave a request, if it looks like one.
fn request_id(value: &Value) -> Option<String> {
    /// Longer ones are something else.
    const MAX_CHARS: usize = 64;
    let id = value.get("request_id")?.as_str()?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let is_id = !id.is_empty() && id.len() <= MAX_CHARS && id.chars().all(is_word);
    is_id.then(|| id.to_owned())
}

/// The elements of a page that are not read.
const UNREAD: [&str; 3] = ["script", "style", "svg"];
/// How HTML writes a character; the last one is replaced last.
const SIGNS: [(&str, &str); 6] = [
    ("&nbsp;", " "),
    ("&bull;", "·"),
    ("&middot;", "·"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&amp;", "&"),
];

/// The words of an HTML error page; other text as it is.
fn without_markup(body: &str) -> String {
    if !body.trim_start().starts_with('<') {
        return body.to_owned();
    }
    let mut words = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((text, tag)) = rest.split_once('<') {
        words.push_str(text);
        words.push(' ');
        let unread = UNREAD.iter().find(|name| {
            tag.get(..name.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(name))
        });
        let tag = match unread {
            Some(name) => {
                let end = tag.to_ascii_lowercase().find(&format!("</{name}"));
                end.and_then(|end| tag.get(end..)).unwrap_or_default()
            }
            None => tag,
        };
        rest = tag.split_once('>').map_or("", |(_, after)| after);
    }
    words.push_str(rest);
    SIGNS
        .iter()
        .fold(words, |words, (name, sign)| words.replace(name, sign))
}
