//! `[providers.ID]` and `[models."provider/model"]` tables. Each layer contributes a
//! patch; what a later layer leaves out keeps what an earlier one said.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde_json::{Map, Number, Value};
use toml::de::{DeTable, DeValue};

use super::toml_text::{TomlText, to_value, type_name};
use crate::config::error::ConfigError;
use crate::config::settings::ModelOverride;
use crate::config::table::field::SettingField;
use crate::config::table::kind::SettingKind;
use crate::config::value::{SettingValue, parse_model};
use crate::provider::{Api, DescribedModel, Protocol, ProviderSettings, RequestFields, Timeouts};
use crate::transcript::{Encoding, ImageTokens, ModelRef, Price, PromptCache, nearest_name};

/// The fields of a provider that one layer sets. Its headers, its address and its command may
/// hold a key: printing it only names it.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct ProviderPatch {
    /// Id as in `provider/model`.
    pub id: String,
    /// From 1: where its table begins.
    pub line: usize,
    protocol: Option<Protocol>,
    api: Option<Api>,
    base_url: Option<String>,
    api_key_env: Option<String>,
    api_key_cmd: Option<String>,
    timeouts: Timeouts,
    gateway: Option<bool>,
    fields: RequestFields,
    headers: BTreeMap<String, String>,
    models: Vec<DescribedModel>,
}

impl fmt::Debug for ProviderPatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProviderPatch({}, line {})", self.id, self.line)
    }
}

/// The fields of a model that one layer sets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ModelPatch {
    /// `provider/model`.
    pub name: String,
    /// From 1: where its table begins.
    pub line: usize,
    /// Its values.
    pub own: ModelOverride,
}

impl ProviderPatch {
    /// Lays this over what earlier layers said.
    pub(crate) fn apply(self, providers: &mut Vec<ProviderSettings>) {
        let index = providers.iter().position(|p| p.id == self.id);
        let mut merged = match index {
            Some(index) => providers.remove(index),
            None => ProviderSettings {
                protocol: usual_protocol(&self.id),
                api: None,
                id: self.id,
                base_url: None,
                api_key_env: None,
                api_key_cmd: None,
                timeouts: Timeouts::default(),
                gateway: None,
                fields: RequestFields::default(),
                headers: BTreeMap::new(),
                models: Vec::new(),
            },
        };
        merged.protocol = self.protocol.unwrap_or(merged.protocol);
        merged.api = self.api.or(merged.api);
        merged.base_url = self.base_url.or(merged.base_url);
        merged.api_key_env = self.api_key_env.or(merged.api_key_env);
        merged.api_key_cmd = self.api_key_cmd.or(merged.api_key_cmd);
        let (own, before) = (self.timeouts, merged.timeouts);
        merged.timeouts = Timeouts {
            connect: own.connect.or(before.connect),
            first_byte: own.first_byte.or(before.first_byte),
            stall: own.stall.or(before.stall),
        };
        merged.gateway = self.gateway.or(merged.gateway);
        merged.fields = self.fields.after(&merged.fields);
        merged.headers.extend(self.headers);
        for model in self.models {
            let said = &mut merged.models;
            match said.iter_mut().find(|before| before.model == model.model) {
                Some(before) => *before = model.after(before),
                None => said.push(model),
            }
        }
        providers.insert(index.unwrap_or(providers.len()), merged);
    }
}

impl ModelPatch {
    /// Lays this over what earlier layers said.
    pub(crate) fn apply(self, models: &mut BTreeMap<String, ModelOverride>) {
        let model = models.entry(self.name).or_default();
        let own = self.own;
        model.window_tokens = own.window_tokens.or(model.window_tokens);
        model.cap_tokens = own.cap_tokens.or(model.cap_tokens);
        model.threshold = own.threshold.or(model.threshold);
        model.reserved_tokens = own.reserved_tokens.or(model.reserved_tokens);
    }
}

/// A value as JSON has it; `None` for dates, and for numbers that JSON has not.
fn to_json(value: &DeValue<'_>) -> Option<Value> {
    match value {
        DeValue::Table(table) => {
            let fields = table.iter().map(|(name, value)| {
                let name = name.get_ref().to_string();
                Some((name, to_json(value.get_ref())?))
            });
            fields.collect::<Option<Map<_, _>>>().map(Value::Object)
        }
        DeValue::Array(items) => {
            let items = items.iter().map(|item| to_json(item.get_ref()));
            items.collect::<Option<Vec<_>>>().map(Value::Array)
        }
        DeValue::Float(_) => {
            let number = to_value(value)?.as_number()?;
            Number::from_f64(number).map(Value::Number)
        }
        DeValue::Integer(_) => match to_value(value)? {
            SettingValue::Int(number) => Some(Value::from(number)),
            _ => None,
        },
        DeValue::Boolean(is_so) => Some(Value::Bool(*is_so)),
        DeValue::String(text) => Some(Value::String(text.to_string())),
        DeValue::Datetime(_) => None,
    }
}

/// Most endpoints speak the chat completions of OpenAI.
fn usual_protocol(id: &str) -> Protocol {
    Protocol::from_name(id).unwrap_or(Protocol::OpenAi)
}

/// The `providers` table.
///
/// # Errors
///
/// Unknown keys and bad values, with file and line.
pub(crate) fn providers(
    tables: &DeTable<'_>,
    place: TomlText<'_>,
) -> Result<Vec<ProviderPatch>, ConfigError> {
    let mut patches = Vec::new();
    for (id, value) in tables {
        let offset = id.span().start;
        let id = id.get_ref().to_string();
        let path = format!("providers.{id}");
        let fields = TableFields::new(&path, value.get_ref(), offset, place)?;
        if id.is_empty() || id.contains('/') || id.contains(char::is_whitespace) {
            return Err(ConfigError::new(format!(
                "{}: provider id `{id}` must not be empty or contain a slash or a space",
                place.at(offset)
            )));
        }
        fields.only(PROVIDER_KEYS)?;
        patches.push(ProviderPatch {
            line: place.line(offset),
            protocol: fields
                .get::<String>("protocol", SettingKind::Choice(PROTOCOLS))?
                .and_then(|name| Protocol::from_name(&name)),
            api: fields
                .get::<String>("api", SettingKind::Choice(APIS))?
                .and_then(|name| Api::from_name(&name)),
            base_url: fields.get("base_url", SettingKind::Url)?,
            api_key_env: fields.get("api_key_env", SettingKind::Text)?,
            api_key_cmd: fields.get("api_key_cmd", SettingKind::Text)?,
            timeouts: Timeouts {
                connect: fields.seconds("connect_secs")?,
                first_byte: fields.seconds("first_byte_secs")?,
                stall: fields.seconds("stall_secs")?,
            },
            gateway: fields.get("gateway", SettingKind::Bool)?,
            fields: fields.request_fields()?,
            headers: fields.texts("headers")?,
            models: fields.models("models", &id)?,
            id,
        });
    }
    Ok(patches)
}

/// The `models` table.
///
/// # Errors
///
/// Unknown keys and bad values, with file and line.
pub(crate) fn models(
    tables: &DeTable<'_>,
    place: TomlText<'_>,
) -> Result<Vec<ModelPatch>, ConfigError> {
    let mut patches = Vec::new();
    for (name, value) in tables {
        let offset = name.span().start;
        let name = name.get_ref().to_string();
        let path = format!("models.\"{name}\"");
        let fields = TableFields::new(&path, value.get_ref(), offset, place)?;
        if parse_model(&name).is_none() {
            return Err(ConfigError::new(format!(
                "{}: `{path}` does not name a model as provider/model",
                place.at(offset)
            ))
            .with_hint("quote the name: [models.\"anthropic/claude-sonnet-4-5\"]"));
        }
        fields.only(&MODEL_KEYS)?;
        patches.push(ModelPatch {
            line: place.line(offset),
            own: ModelOverride {
                window_tokens: fields.get("window", TOKENS)?,
                cap_tokens: fields.get("cap", CAP)?,
                threshold: fields.get("threshold", SettingKind::Threshold)?,
                reserved_tokens: fields.get("reserved", TOKENS)?,
            },
            name,
        });
    }
    Ok(patches)
}

pub(super) const PROVIDER_KEYS: &[&str] = &[
    "protocol",
    "api",
    "base_url",
    "api_key_env",
    "api_key_cmd",
    "connect_secs",
    "first_byte_secs",
    "stall_secs",
    "gateway",
    "extra_body",
    "temperature",
    "service_tier",
    "headers",
    "models",
];
pub(super) const PRICE_KEYS: [&str; 4] = ["input", "output", "cache_read", "cache_write"];
pub(super) const MODEL_KEYS: [&str; 4] = ["window", "cap", "threshold", "reserved"];
pub(super) const DESCRIBED_MODEL_KEYS: &[&str] = &[
    "id",
    "window",
    "max_output",
    "input_limit",
    "prompt_cache",
    "encoding",
    "images",
    "image_tokens",
    "pdf",
    "tools",
    "thinking",
    "price",
    "extra_body",
    "temperature",
    "service_tier",
];
/// A day: no request waits for longer.
pub(super) const SECONDS: SettingKind = SettingKind::Int {
    min: 1,
    max: 86_400,
    unit: "seconds",
};
pub(super) const PROTOCOLS: &[&str] = &["anthropic", "openai", "gemini", "offline"];
pub(super) const APIS: &[&str] = &["chat", "responses"];
pub(super) const PROMPT_CACHES: &[&str] = &["none", "ttl", "prefix"];
pub(super) const IMAGE_TOKENS: &[&str] = &["flat", "pixels", "tiles"];
pub(super) const ENCODINGS: &[&str] = &["o200k", "cl100k"];

/// No model has a larger window by far; a larger number is a slip.
pub(super) const TOKENS: SettingKind = SettingKind::Int {
    min: 0,
    max: 1_000_000_000,
    unit: "tokens",
};

/// A cap of nothing would cap everything.
pub(super) const CAP: SettingKind = SettingKind::Int {
    min: 1,
    max: 1_000_000_000,
    unit: "tokens",
};

/// One table whose keys are known.
pub(super) struct TableFields<'a> {
    path: &'a str,
    table: &'a DeTable<'a>,
    place: TomlText<'a>,
}

impl<'a> TableFields<'a> {
    pub(super) fn new(
        path: &'a str,
        value: &'a DeValue<'a>,
        offset: usize,
        place: TomlText<'a>,
    ) -> Result<Self, ConfigError> {
        match value {
            DeValue::Table(table) => Ok(Self { path, table, place }),
            _ => Err(ConfigError::new(format!(
                "{}: `{path}` is {}; expected a table",
                place.at(offset),
                type_name(value)
            ))),
        }
    }

    /// Refuses keys outside `known`.
    pub(super) fn only(&self, known: &[&'static str]) -> Result<(), ConfigError> {
        for key in self.table.keys() {
            let name = key.get_ref().as_ref();
            if known.contains(&name) {
                continue;
            }
            let at = self.place.at(key.span().start);
            let hint = match nearest_name(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known keys: {}", known.join(", ")),
            };
            return Err(
                ConfigError::new(format!("{at}: unknown key `{}.{name}`", self.path))
                    .with_hint(hint),
            );
        }
        Ok(())
    }

    pub(super) fn get<T: SettingField>(
        &self,
        name: &str,
        kind: SettingKind,
    ) -> Result<Option<T>, ConfigError> {
        let Some(spanned) = self.table.get(name) else {
            return Ok(None);
        };
        let value = to_value(spanned.get_ref()).filter(|value| kind.accepts(value));
        match value.as_ref().and_then(T::from_value) {
            Some(field) => Ok(Some(field)),
            None => Err(self.bad(
                name,
                spanned.get_ref(),
                spanned.span().start,
                &kind.expected(),
            )),
        }
    }

    /// Whether the table has a key.
    pub(super) fn has(&self, name: &str) -> bool {
        self.table.contains_key(name)
    }

    fn seconds(&self, name: &str) -> Result<Option<Duration>, ConfigError> {
        let seconds: Option<u64> = self.get(name, SECONDS)?;
        Ok(seconds.map(Duration::from_secs))
    }

    fn bad(&self, name: &str, value: &DeValue<'_>, offset: usize, expected: &str) -> ConfigError {
        let shown = to_value(value).map_or_else(|| type_name(value), |value| value.to_string());
        ConfigError::new(format!(
            "{}: `{}.{name}` is {shown}; expected {expected}",
            self.place.at(offset),
            self.path
        ))
    }

    /// A table of texts.
    pub(super) fn texts(&self, name: &str) -> Result<BTreeMap<String, String>, ConfigError> {
        let Some(spanned) = self.table.get(name) else {
            return Ok(BTreeMap::new());
        };
        let expected = "a table of strings";
        let DeValue::Table(table) = spanned.get_ref() else {
            return Err(self.bad(name, spanned.get_ref(), spanned.span().start, expected));
        };
        table
            .iter()
            .map(|(key, value)| match value.get_ref() {
                DeValue::String(text) => Ok((key.get_ref().to_string(), text.to_string())),
                other => {
                    let name = format!("{name}.{}", key.get_ref());
                    Err(self.bad(&name, other, value.span().start, "a string"))
                }
            })
            .collect()
    }

    /// What is added to the bodies of requests.
    fn request_fields(&self) -> Result<RequestFields, ConfigError> {
        Ok(RequestFields {
            extra_body: self.extra_body()?,
            temperature: self.temperature()?,
            service_tier: self.get("service_tier", SettingKind::Text)?,
        })
    }

    /// Providers take 0 to 1 or 0 to 2.
    fn temperature(&self) -> Result<Option<f64>, ConfigError> {
        let Some(spanned) = self.table.get("temperature") else {
            return Ok(None);
        };
        let number = to_value(spanned.get_ref()).and_then(|value| value.as_number());
        if let Some(number) = number.filter(|number| (0.0..=2.0).contains(number)) {
            return Ok(Some(number));
        }
        let at = spanned.span().start;
        let expected = "a number from 0 to 2";
        Err(self.bad("temperature", spanned.get_ref(), at, expected))
    }

    /// A table that goes into the body as it is, but for what only the program sets.
    fn extra_body(&self) -> Result<Map<String, Value>, ConfigError> {
        let Some(spanned) = self.table.get("extra_body") else {
            return Ok(Map::new());
        };
        let offset = spanned.span().start;
        let DeValue::Table(table) = spanned.get_ref() else {
            return Err(self.bad("extra_body", spanned.get_ref(), offset, "a table"));
        };
        let is_reserved = |name: &str| RequestFields::RESERVED.contains(&name);
        let mut names = table.iter().map(|(name, _)| name);
        if let Some(name) = names.find(|name| is_reserved(name.get_ref())) {
            let at = self.place.at(name.span().start);
            let name = name.get_ref();
            return Err(ConfigError::new(format!(
                "{at}: `{}.extra_body.{name}` cannot be set: plim sets {name} itself",
                self.path
            )));
        }
        match to_json(spanned.get_ref()) {
            Some(Value::Object(fields)) => Ok(fields),
            _ => Err(ConfigError::new(format!(
                "{}: `{}.extra_body` has a value that JSON does not support, such as a date",
                self.place.at(offset),
                self.path
            ))),
        }
    }

    /// A list of model tables.
    fn models(&self, name: &str, provider: &str) -> Result<Vec<DescribedModel>, ConfigError> {
        let Some(spanned) = self.table.get(name) else {
            return Ok(Vec::new());
        };
        let DeValue::Array(items) = spanned.get_ref() else {
            let expected = "a list of tables, each with an id";
            return Err(self.bad(name, spanned.get_ref(), spanned.span().start, expected));
        };
        let path = format!("{}.{name}", self.path);
        items
            .iter()
            .map(|item| {
                let offset = item.span().start;
                TableFields::new(&path, item.get_ref(), offset, self.place)?.model(provider, offset)
            })
            .collect()
    }

    /// One model's table.
    fn model(&self, provider: &str, offset: usize) -> Result<DescribedModel, ConfigError> {
        self.only(DESCRIBED_MODEL_KEYS)?;
        let id: Option<String> = self.get("id", SettingKind::Text)?;
        let Some(id) = id.filter(|id| !id.trim().is_empty()) else {
            return Err(ConfigError::new(format!(
                "{}: `{}` has an item without an id",
                self.place.at(offset),
                self.path
            )));
        };
        let counted: Option<String> =
            self.get("image_tokens", SettingKind::Choice(IMAGE_TOKENS))?;
        let cache: Option<String> = self.get("prompt_cache", SettingKind::Choice(PROMPT_CACHES))?;
        let encoding: Option<String> = self.get("encoding", SettingKind::Choice(ENCODINGS))?;
        Ok(DescribedModel {
            model: ModelRef::new(provider, id),
            window_tokens: self.get("window", TOKENS)?,
            input_limit_tokens: self.get("input_limit", TOKENS)?,
            max_output_tokens: self.get("max_output", TOKENS)?,
            images: self.get("images", SettingKind::Bool)?,
            image_tokens: counted.map(|name| match name.as_str() {
                "pixels" => ImageTokens::Pixels,
                "tiles" => ImageTokens::Tiles,
                _ => ImageTokens::Flat,
            }),
            pdf: self.get("pdf", SettingKind::Bool)?,
            tools: self.get("tools", SettingKind::Bool)?,
            thinking: self.get("thinking", SettingKind::Bool)?,
            prompt_cache: cache.map(|name| match name.as_str() {
                "none" => PromptCache::None,
                "prefix" => PromptCache::Prefix,
                _ => PromptCache::Ttl,
            }),
            encoding: encoding.map(|name| match name.as_str() {
                "cl100k" => Encoding::Cl100k,
                _ => Encoding::O200k,
            }),
            price: self.price()?,
            fields: self.request_fields()?,
        })
    }

    /// US dollars per million tokens; the cache's prices default to the prompt's.
    fn price(&self) -> Result<Option<Price>, ConfigError> {
        let Some(spanned) = self.table.get("price") else {
            return Ok(None);
        };
        let path = format!("{}.price", self.path);
        let fields = TableFields::new(&path, spanned.get_ref(), spanned.span().start, self.place)?;
        fields.only(&PRICE_KEYS)?;
        let dollars = |name: &str| -> Result<Option<f64>, ConfigError> {
            match fields.table.get(name).map(|v| (to_value(v.get_ref()), v)) {
                None => Ok(None),
                Some((Some(SettingValue::Int(0) | SettingValue::Float(0.0)), _)) => Ok(Some(0.0)),
                Some(_) => fields.get(name, SettingKind::Dollars),
            }
        };
        let input = dollars("input")?.unwrap_or_default();
        Ok(Some(Price {
            input,
            output: dollars("output")?.unwrap_or_default(),
            cache_read: dollars("cache_read")?.unwrap_or(input),
            cache_write: dollars("cache_write")?.unwrap_or(input),
            long: None,
        }))
    }
}
