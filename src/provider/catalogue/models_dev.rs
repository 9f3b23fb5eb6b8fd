//! Reads `api.json` of models.dev: providers by id, their models by id. Pure.
//!
//! Lenient about what it does not need, strict about numbers. Kept are the models of the
//! providers that the program speaks to which read and write text and call tools.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::provider::catalogue::snapshot::{LongRow, SnapshotAbility, SnapshotModel};

/// The providers that are kept, by their id at models.dev and here; in the order of the
/// registry.
const PROVIDERS: &[DevProviderId] = &[
    DevProviderId::same("anthropic"),
    DevProviderId::same("openai"),
    DevProviderId::of("google", "gemini"),
    DevProviderId::same("openrouter"),
    DevProviderId::same("groq"),
    DevProviderId::same("mistral"),
    DevProviderId::same("deepseek"),
    DevProviderId::same("xai"),
    DevProviderId::same("cerebras"),
    DevProviderId::of("moonshotai", "moonshot"),
    DevProviderId::same("zai"),
    DevProviderId::of("alibaba", "qwen"),
    DevProviderId::same("minimax"),
];

/// One provider's id, there and here.
struct DevProviderId {
    theirs: &'static str,
    ours: &'static str,
}

impl DevProviderId {
    const fn same(id: &'static str) -> Self {
        Self::of(id, id)
    }

    const fn of(theirs: &'static str, ours: &'static str) -> Self {
        Self { theirs, ours }
    }
}

/// No provider has as many models.
const MAX_MODELS: usize = 4_000;

/// Prices of long prompts in the older shape are for prompts above this.
const OLD_LONG_FROM: u64 = 200_000;

#[derive(Deserialize)]
struct DevProvider<'a> {
    #[serde(borrow)]
    models: BTreeMap<String, &'a RawValue>,
}

#[derive(Deserialize)]
struct DevModel {
    limit: DevLimit,
    #[serde(default)]
    modalities: DevModalities,
    #[serde(default)]
    reasoning: bool,
    #[serde(default)]
    reasoning_options: Vec<DevReasoningOption>,
    #[serde(default)]
    tool_call: DevToolCall,
    cost: Option<DevCost>,
    status: Option<String>,
    #[serde(default)]
    release_date: String,
}

#[derive(Deserialize)]
struct DevLimit {
    context: f64,
    input: Option<f64>,
    output: f64,
}

#[derive(Default, Deserialize)]
struct DevModalities {
    #[serde(default)]
    input: Vec<String>,
    #[serde(default)]
    output: Vec<String>,
}

#[derive(Deserialize)]
struct DevReasoningOption {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    values: Vec<Option<String>>,
}

/// A plain yes or no, or an object with more.
#[derive(Deserialize)]
#[serde(untagged)]
enum DevToolCall {
    Plain(bool),
    Detailed { supported: bool },
}

impl Default for DevToolCall {
    fn default() -> Self {
        Self::Plain(false)
    }
}

#[derive(Deserialize)]
struct DevCost {
    #[serde(flatten)]
    plain: DevPrice,
    #[serde(default)]
    tiers: Vec<DevTier>,
    context_over_200k: Option<DevPrice>,
}

#[derive(Clone, Copy, Deserialize)]
struct DevPrice {
    input: f64,
    output: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
}

#[derive(Deserialize)]
struct DevTier {
    tier: DevTierStart,
    #[serde(flatten)]
    price: DevPrice,
}

#[derive(Deserialize)]
struct DevTierStart {
    size: f64,
}

/// The models of `api.json`, by provider in the registry's order, the newest first.
///
/// # Errors
///
/// Why it is not that file: no JSON object, or none of the providers with a model.
pub fn read_models_dev(json: &[u8]) -> Result<Vec<SnapshotModel>, String> {
    let providers: BTreeMap<String, &RawValue> =
        serde_json::from_slice(json).map_err(|error| format!("not a JSON object: {error}"))?;
    let mut models = Vec::new();
    for id in PROVIDERS {
        let text = providers.get(id.theirs).map(|raw| raw.get());
        let provider = text.and_then(|text| serde_json::from_str::<DevProvider<'_>>(text).ok());
        let Some(provider) = provider else { continue };
        let mut own: Vec<DatedModel> = provider
            .models
            .iter()
            .take(MAX_MODELS)
            .filter_map(|(model, raw)| read_model(id.ours, model, raw.get()))
            .collect();
        own.sort_by(|a, b| {
            let key = |it: &DatedModel| (Reverse(it.released.clone()), it.model.id.clone());
            key(a).cmp(&key(b))
        });
        models.extend(own.into_iter().map(|dated| dated.model));
    }
    if models.is_empty() {
        return Err("it contains no model of a known provider".to_owned());
    }
    Ok(models)
}

struct DatedModel {
    released: String,
    model: SnapshotModel,
}

fn read_model(provider: &str, id: &str, json: &str) -> Option<DatedModel> {
    let model: DevModel = serde_json::from_str(json).ok()?;
    let has = |kinds: &[String], kind: &str| kinds.iter().any(|it| it == kind);
    let (reads, writes) = (&model.modalities.input, &model.modalities.output);
    let calls_tools = match model.tool_call {
        DevToolCall::Plain(can) | DevToolCall::Detailed { supported: can } => can,
    };
    if !calls_tools || !has(reads, "text") || !has(writes, "text") {
        return None;
    }
    let abilities = [
        (SnapshotAbility::Images, has(reads, "image")),
        (SnapshotAbility::Pdf, has(reads, "pdf")),
        (SnapshotAbility::Tools, true),
        (SnapshotAbility::Reasoning, model.reasoning),
    ];
    let can = abilities.into_iter().filter(|(_, can)| *can);
    let window = tokens(model.limit.context)?;
    let read = SnapshotModel {
        id: format!("{provider}/{id}"),
        window,
        input_limit: model.limit.input.and_then(tokens),
        // Some say more than fits.
        max_output: tokens(model.limit.output)?.min(window),
        can: can.map(|(ability, _)| ability).collect(),
        efforts: efforts(&model.reasoning_options),
        price: model.cost.as_ref().map(|cost| cost.plain.all()),
        long: model.cost.as_ref().and_then(long),
        deprecated: model.status.as_deref() == Some("deprecated"),
    };
    Some(DatedModel {
        released: model.release_date,
        model: read.sane()?,
    })
}

impl DevPrice {
    /// What is not said of the cache costs what the input does.
    fn all(self) -> [f64; 4] {
        let read = self.cache_read.unwrap_or(self.input);
        [
            self.input,
            self.output,
            read,
            self.cache_write.unwrap_or(self.input),
        ]
    }
}

/// The first step of the price; there is room for one.
fn long(cost: &DevCost) -> Option<LongRow> {
    let steps = cost.tiers.iter().filter_map(|tier| {
        let price = tier.price.all();
        tokens(tier.tier.size).map(|from| LongRow { from, price })
    });
    let old = cost.context_over_200k.map(|price| LongRow {
        from: OLD_LONG_FROM,
        price: price.all(),
    });
    steps.min_by_key(|step| step.from).or(old)
}

/// The levels; `none` also where reasoning can be switched without them.
fn efforts(options: &[DevReasoningOption]) -> Vec<String> {
    let switch = options.iter().any(|option| option.kind == "toggle");
    let levels = options.iter().filter(|option| option.kind == "effort");
    let levels = levels.flat_map(|option| option.values.iter().flatten().cloned());
    let mut all: Vec<String> = levels.collect();
    if switch && !all.iter().any(|level| level == "none") {
        all.insert(0, "none".to_owned());
    }
    all
}

/// A whole number of tokens, whether or not it is written with a point.
fn tokens(number: f64) -> Option<u64> {
    ((1.0..=1e12).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn model() -> Value {
        json!({"id": "m", "name": "M", "attachment": true, "reasoning": true, "tool_call": true,
            "reasoning_options": [{"type": "toggle"}, {"type": "effort", "values": ["low", "max"]}],
            "release_date": "2026-06-30", "last_updated": "2026-06-30", "open_weights": false,
            "modalities": {"input": ["text", "image", "pdf"], "output": ["text"]},
            "cost": {"input": 2, "output": 10, "cache_read": 0.2, "cache_write": 2.5,
                "tiers": [{"tier": {"type": "context", "size": 272_000}, "input": 4, "output": 15}]},
            "limit": {"context": 1_000_000, "output": 128_000}})
    }

    fn read(provider: &str, models: &Value) -> Result<Vec<SnapshotModel>, String> {
        let file = json!({provider: {"id": provider, "env": [], "models": models}, "other": 7});
        read_models_dev(file.to_string().as_bytes())
    }

    #[test]
    fn a_model_is_read_whole() {
        let models = read("google", &json!({"m": model()})).unwrap();
        let expected = SnapshotModel {
            id: "gemini/m".to_owned(),
            window: 1_000_000,
            input_limit: None,
            max_output: 128_000,
            can: vec![
                SnapshotAbility::Images,
                SnapshotAbility::Pdf,
                SnapshotAbility::Tools,
                SnapshotAbility::Reasoning,
            ],
            efforts: ["none", "low", "max"].map(str::to_owned).to_vec(),
            price: Some([2.0, 10.0, 0.2, 2.5]),
            long: Some(LongRow {
                from: 272_000,
                price: [4.0, 15.0, 4.0, 4.0],
            }),
            deprecated: false,
        };
        assert_eq!(models, [expected]);
    }

    #[test]
    fn what_is_no_model_to_work_with_is_left_out_and_the_rest_is_kept() {
        let mut models = serde_json::Map::new();
        let mut add = |id: &str, place: &str, value: Value| {
            let mut wrong = model();
            *wrong.pointer_mut(place).unwrap() = value;
            models.insert(id.to_owned(), wrong);
        };
        add("draws", "/modalities/output", json!(["image"]));
        add("hears", "/modalities/input", json!(["audio"]));
        add("no-tools", "/tool_call", json!(false));
        add("no-window", "/limit/context", json!(0));
        add("negative", "/limit/context", json!(-5));
        add("half", "/limit/context", json!(1000.5));
        add("huge", "/limit/context", json!(1e300));
        add("text", "/limit/context", json!("NaN"));
        add("no-answer", "/limit/output", json!(0));
        add("dear", "/cost/input", json!(-1));
        add("long-answer", "/limit/output", json!(2_000_000));
        models.insert("nothing".to_owned(), json!(null));
        models.insert("empty".to_owned(), json!({}));
        models.insert("with \"quotes\"".to_owned(), model());
        let read = read("xai", &Value::Object(models)).unwrap();
        let ids: Vec<&str> = read.iter().map(|model| model.id.as_str()).collect();
        assert_eq!(ids, ["xai/dear", "xai/long-answer"]);
        assert_eq!(read[0].price, None);
        assert_eq!(read[1].max_output, read[1].window);
    }

    #[test]
    fn a_file_that_is_another_is_refused_with_the_reason() {
        for other in [
            "",
            "[]",
            "{",
            "null",
            "<html>",
            "{\"anthropic\":[]}",
            "{\"a\":{\"models\":{}}}",
        ] {
            assert!(read_models_dev(other.as_bytes()).is_err(), "{other:?}");
        }
        assert!(read_models_dev(b"\xff\xfe{}").is_err());
        // Numbers that no float holds are one model's problem.
        let text = format!(
            "{{\"xai\":{{\"models\":{{\"a\":{},\"b\":{}}}}}}}",
            model().to_string().replace("1000000", "1e999"),
            model()
        );
        let read = read_models_dev(text.as_bytes()).unwrap();
        assert_eq!(read.len(), 1);
        // The second of two with one name replaces the first, as in any JSON object.
        let twice = text.replace("\"b\":", "\"a\":");
        assert_eq!(read_models_dev(twice.as_bytes()).unwrap()[0].id, "xai/a");
    }

    #[test]
    fn the_newest_models_come_first() {
        let mut old = model();
        old["release_date"] = json!("2024-01");
        let models = read("xai", &json!({"a-old": old, "b": model(), "a": model()})).unwrap();
        let ids: Vec<&str> = models.iter().map(|model| model.id.as_str()).collect();
        assert_eq!(ids, ["xai/a", "xai/b", "xai/a-old"]);
    }

    proptest! {
        /// Any JSON in any place of a model: it is left out, or what is kept of it is sane.
        #[test]
        fn any_value_anywhere_is_survived(
            place in prop::sample::select(vec!["/limit/context", "/limit/output", "/cost/input",
                "/cost/cache_read", "/cost/tiers/0/tier/size", "/modalities/input", "/status",
                "/reasoning_options/1/values", "/tool_call", "/cost", "/limit", "/release_date"]),
            value in prop_oneof![
                any::<f64>().prop_map(|number| json!(number)),
                any::<i64>().prop_map(|number| json!(number)),
                "\\PC{0,12}".prop_map(Value::String),
                Just(Value::Null), Just(json!([])), Just(json!({})), Just(json!([null, "x", -1])),
            ],
        ) {
            let mut odd = model();
            if let Some(at) = odd.pointer_mut(place) {
                *at = value;
            }
            let read = read("openai", &json!({"sound": model(), "odd": odd})).unwrap();
            prop_assert!(read.iter().any(|model| model.id == "openai/sound"));
            for model in read {
                prop_assert_eq!(model.clone().sane(), Some(model));
            }
        }
    }
}
