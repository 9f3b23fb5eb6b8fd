use serde_json::json;

use super::*;
use crate::provider::catalogue::user_model::DescribedModel;
use crate::provider::http::client::DEFAULT_STALL;
use crate::provider::protocol::Api;
use crate::provider::protocol::quirks::{Quirks, ReturnedReasoning};
use crate::provider::protocol::request_fields::RequestFields;
use crate::provider::protocol::wire_ids::CallIdStyle;
use crate::provider::settings::Timeouts;
use crate::provider::testing::{assistant, call, request, result, user};
use crate::transcript::WindowSource;

pub(super) fn environment(variables: &[(&str, &str)]) -> Environment {
    variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn registry(settings: Vec<ProviderSettings>, variables: &[(&str, &str)]) -> Registry {
    Registry::new(settings, environment(variables), DEFAULT_STALL)
}

fn settings(id: &str, base_url: Option<&str>, key: Option<&str>) -> ProviderSettings {
    ProviderSettings {
        id: id.to_owned(),
        protocol: Protocol::OpenAi,
        api: None,
        base_url: base_url.map(str::to_owned),
        api_key_env: key.map(str::to_owned),
        api_key_cmd: None,
        timeouts: Timeouts::default(),
        gateway: None,
        fields: RequestFields::default(),
        headers: BTreeMap::new(),
        models: Vec::new(),
    }
}

fn error(registry: &Registry, provider: &str) -> Option<String> {
    let model = ModelRef::new(provider, "m");
    registry
        .provider(&model)
        .err()
        .map(|error| error.to_string())
}

#[test]
fn keys_decide_what_is_usable() {
    let empty = registry(vec![], &[("OPENAI_API_KEY", "  ")]);
    assert!(
        error(&empty, "anthropic")
            .unwrap()
            .contains("ANTHROPIC_API_KEY")
    );
    assert!(error(&empty, "openai").unwrap().contains("OPENAI_API_KEY"));
    assert!(
        error(&empty, "nobody")
            .unwrap()
            .contains("known providers: anthropic")
    );
    for local in ["ollama", "llamacpp", "lmstudio", "vllm", "offline"] {
        assert_eq!(error(&empty, local), None, "{local}");
    }
    let keyed = registry(
        vec![],
        &[("ANTHROPIC_API_KEY", "sk-1"), ("GOOGLE_API_KEY", "g")],
    );
    assert_eq!(error(&keyed, "anthropic"), None);
    assert_eq!(error(&keyed, "gemini"), None);
    assert!(!format!("{keyed:?}").contains("sk-1"));
    let available = keyed.available();
    let missing = |provider: &str| {
        let found = available
            .iter()
            .find(|it| it.info.model.provider == provider);
        found.unwrap().readiness.missing().map(str::to_owned)
    };
    assert_eq!(missing("anthropic"), None);
    assert!(missing("openai").unwrap().contains("OPENAI_API_KEY"));
    assert_eq!(missing("offline"), None);
    assert_eq!(keyed.missing("offline"), None);
    assert!(keyed.missing("nobody").is_some());
}

#[test]
fn base_urls_come_from_flag_configuration_environment_in_this_order() {
    let registry = registry(
        vec![
            settings("openai", Some("http://conf"), None),
            settings("mine", Some("http://mine/v1"), Some("MY_KEY")),
        ],
        &[
            ("OPENAI_BASE_URL", "http://env"),
            ("ANTHROPIC_BASE_URL", "http://claude/v1"),
        ],
    );
    let url = |provider: &str| {
        registry
            .address(&ModelRef::new(provider, "m"))
            .map(|a| (a.url, a.note.is_some()))
    };
    assert_eq!(
        url("openai"),
        Some(("http://conf/v1/chat/completions".to_owned(), true))
    );
    assert_eq!(
        url("anthropic"),
        Some(("http://claude/v1/messages".to_owned(), true))
    );
    assert_eq!(
        url("groq"),
        Some((
            "https://api.groq.com/openai/v1/chat/completions".to_owned(),
            false
        ))
    );
    assert_eq!(url("offline"), None);
    registry.set_base_url("openai", "http://flag/v1");
    assert_eq!(
        url("openai"),
        Some(("http://flag/v1/chat/completions".to_owned(), false))
    );
    // Another address has its own rules, unless the user named a key.
    assert_eq!(error(&registry, "openai"), None);
    assert_eq!(error(&registry, "anthropic"), None);
    assert!(error(&registry, "mine").unwrap().contains("MY_KEY"));
}

#[test]
fn each_provider_speaks_its_own_protocol_where_it_is_at_home() {
    let url =
        |settings: Vec<ProviderSettings>, variables: &[(&str, &str)], id: &str, model: &str| {
            let registry = registry(settings, variables);
            registry.address(&ModelRef::new(id, model)).unwrap().url
        };
    let openai = |settings, variables: &[(&str, &str)]| url(settings, variables, "openai", "gpt-5");
    let own = "https://api.openai.com/v1/responses";
    assert_eq!(openai(vec![], &[]), own);
    // A table for its headers or its own address changes nothing.
    assert_eq!(openai(vec![settings("openai", None, None)], &[]), own);
    let home = "https://api.openai.com";
    assert_eq!(openai(vec![], &[("OPENAI_BASE_URL", home)]), own);
    assert_eq!(
        openai(vec![], &[("OPENAI_BASE_URL", "http://proxy/v1")]),
        "http://proxy/v1/chat/completions"
    );
    let with = |id: &str, base: Option<&str>, api: Api| {
        let mut settings = settings(id, base, None);
        settings.api = Some(api);
        vec![settings]
    };
    assert_eq!(
        openai(with("openai", None, Api::Chat), &[]),
        "https://api.openai.com/v1/chat/completions"
    );
    assert_eq!(
        url(
            with("mine", Some("http://mine/v1/responses"), Api::Responses),
            &[],
            "mine",
            "m"
        ),
        "http://mine/v1/responses"
    );
    let gemini = |base: &str| url(vec![], &[("GEMINI_BASE_URL", base)], "gemini", "models/g");
    let end = "v1beta/models/g:streamGenerateContent?alt=sse";
    assert_eq!(
        gemini(""),
        format!("https://generativelanguage.googleapis.com/{end}")
    );
    assert_eq!(gemini("http://x"), format!("http://x/{end}"));
    assert_eq!(gemini("http://x/v1beta/openai/"), format!("http://x/{end}"));
}

#[test]
fn addresses_are_filled_in_from_the_environment() {
    let registry = registry(
        vec![],
        &[
            ("AWS_REGION", "eu-west-1"),
            ("GOOGLE_CLOUD_LOCATION", "us-central1"),
            ("GOOGLE_CLOUD_PROJECT", "p-1"),
            (
                "AZURE_OPENAI_ENDPOINT",
                "https://me.openai.azure.com/openai/v1/",
            ),
        ],
    );
    let url = |provider: &str| registry.address(&ModelRef::new(provider, "m")).unwrap().url;
    assert_eq!(
        url("bedrock"),
        "https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1/chat/completions"
    );
    assert_eq!(
        url("vertex"),
        "https://us-central1-aiplatform.googleapis.com/v1/projects/p-1/locations/us-central1/\
         endpoints/openapi/chat/completions"
    );
    assert_eq!(
        url("azure"),
        "https://me.openai.azure.com/openai/v1/chat/completions"
    );
    assert_eq!(url("zai"), "https://api.z.ai/api/paas/v4/chat/completions");
    // The host has a path of its own, whatever the provider is called.
    registry.set_base_url("openai", "https://me.openai.azure.com");
    assert_eq!(url("openai"), url("azure"));
}

#[test]
fn the_users_endpoints_and_models() {
    let model = ModelInfo {
        window_tokens: Some(5),
        window_source: WindowSource::User,
        ..ModelInfo::unknown(ModelRef::new("mine", "big"))
    };
    let mut mine = settings("mine", None, None);
    mine.models.push(DescribedModel {
        window_tokens: Some(5),
        ..DescribedModel::named(model.model.clone())
    });
    let registry = registry(vec![mine], &[]);
    assert!(error(&registry, "mine").unwrap().contains("base_url"));
    assert_eq!(registry.model_info(&model.model), model);
    assert_eq!(registry.default_model("mine"), Some(model.model.clone()));
    assert_eq!(registry.available()[0].info, model);
    let unknown = ModelRef::new("mine", "other");
    assert_eq!(
        registry.model_info(&unknown),
        ModelInfo::unknown(unknown.clone())
    );
}

/// Without a key: the default, the own table's models, and what the user named.
#[test]
fn of_a_provider_without_a_key_the_users_models_are_listed_and_not_all_of_its() {
    let named = ModelRef::new("openrouter", "z-ai/glm-5");
    let mut mine = settings("openrouter", None, None);
    mine.models.push(DescribedModel::named(named.clone()));
    let listed = |registry: &Registry| -> Vec<String> {
        let all = registry.available().into_iter();
        let own = all.filter(|it| it.info.model.provider == "openrouter");
        own.map(|it| it.info.model.model).collect()
    };
    let without = listed(&registry(vec![], &[]));
    assert!(
        without.len() < 10 && !without.contains(&named.model),
        "{without:?}"
    );
    let mine = listed(&registry(vec![mine], &[]));
    assert_eq!(mine.len(), without.len() + 1, "{mine:?}");
    assert_eq!(mine[0], named.model);
    let keyed = listed(&registry(
        vec![],
        &[("OPENROUTER_API_KEY", "sk-or-12345678")],
    ));
    assert!(keyed.len() > 150 && keyed.contains(&named.model));
}

#[test]
fn every_default_model_is_in_the_catalogue_with_window_limit_and_price() {
    let registry = registry(vec![], &[]);
    let defaults = registry.ids().filter_map(|id| registry.default_model(id));
    let mut found = 0;
    for model in defaults {
        let info = registry.catalogue().find(&model).unwrap();
        assert!(
            info.window_tokens.is_some() && info.price.is_some(),
            "{model}"
        );
        assert!(info.max_output_tokens >= 4_096, "{model}");
        let record = registry.catalogue().record(&model);
        assert_eq!(record.lifecycle.retires, None, "{model}");
        found += 1;
    }
    assert_eq!(found, 14, "one for each key and the embedded one");
}

/// A panic or a log that prints one of these must not hold what is secret in it.
#[test]
fn nothing_that_can_be_printed_has_a_key() {
    const KEY: &str = "sk-Zq7XvLongDistinctive42";
    let mut mine = settings(
        "mine",
        Some("http://me:sk-Zq7XvLongDistinctive42@box/v1?key=sk-Zq7XvLongDistinctive42"),
        None,
    );
    mine.api_key_cmd = Some(format!("echo {KEY}"));
    mine.headers.insert("x-token".to_owned(), KEY.to_owned());
    let keys = BTreeMap::from([("groq".to_owned(), SecretString::from(KEY))]);
    let printed = format!("{mine:?}");
    let registry = registry(
        vec![mine],
        &[
            ("OPENAI_API_KEY", KEY),
            ("XAI_BASE_URL", "http://sk-Zq7XvLongDistinctive42@box"),
        ],
    )
    .with_stored_keys(keys, ["mistral".to_owned()]);
    registry.set_base_url("openai", &format!("http://box/v1?key={KEY}"));
    let model = ModelRef::new("mine", "m");
    let mut all = vec![
        printed,
        format!("{registry:?}"),
        format!("{:?}", registry.reports()),
    ];
    all.push(format!("{:?}", registry.environment));
    all.extend(
        registry
            .endpoints
            .iter()
            .map(|e| format!("{:?}", registry.key(e))),
    );
    all.push(
        registry
            .address(&model)
            .and_then(|address| address.note)
            .unwrap_or_default(),
    );
    for text in &all {
        assert!(!text.contains(KEY), "{text}");
    }
    // And so in the report of a panic.
    let report = std::panic::catch_unwind(|| panic!("{}", all.concat()));
    let report = *report.unwrap_err().downcast::<String>().unwrap();
    assert!(report.contains("groq") && !report.contains(KEY));
}

/// A provider that the program does not know.
const NEW_ROW: EndpointRow = EndpointRow {
    id: "newcomer",
    name: "Newcomer",
    protocol: Protocol::OpenAi,
    base_url: "https://api.newcomer.example/v1",
    key_variables: &["NEWCOMER_API_KEY"],
    default_model: Some("large"),
    server: ServerKind::Other,
    quirks: Quirks {
        call_ids: CallIdStyle::Nine,
        reasoning: ReturnedReasoning::All,
        has_strict_turns: true,
        takes_conversation_field: true,
        ..Quirks::NONE
    },
};

#[test]
fn a_row_is_all_that_a_provider_of_a_known_format_takes() {
    let keys = environment(&[("NEWCOMER_API_KEY", "sk-1")]);
    let registry = Registry::of_rows(&[NEW_ROW], Vec::new(), keys, DEFAULT_STALL);
    let model = registry.default_model("newcomer").unwrap();
    assert_eq!(model, ModelRef::new("newcomer", "large"));
    let mut request = request(
        "newcomer",
        "large",
        vec![
            user("a"),
            assistant("newcomer", vec![call("toolu_1", "read", json!({}))]),
            result("toolu_1", "read", "b"),
            user("c"),
        ],
    );
    request.cache_key = Some("k1".into());
    let body = registry.provider(&model).unwrap().wire_body(&request);
    assert_eq!(
        body.to_string(),
        concat!(
            r#"{"model":"large","stream":true,"stream_options":{"include_usage":true},"#,
            r#""max_tokens":4096,"tools":[{"type":"function","function":{"name":"read","#,
            r#""description":"Reads.","parameters":{"type":"object"}}}],"messages":["#,
            r#"{"role":"user","content":"a"},"#,
            r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c00000001","type":"#,
            r#""function","function":{"name":"read","arguments":"{}"}}],"reasoning_content":" "},"#,
            r#"{"role":"tool","tool_call_id":"c00000001","content":"b"},"#,
            r#"{"role":"assistant","content":"[the results arrived; the user goes on]"},"#,
            r#"{"role":"user","content":"c"}],"prompt_cache_key":"k1"}"#,
        )
    );
    let url = registry.address(&model).unwrap().url;
    assert_eq!(url, "https://api.newcomer.example/v1/chat/completions");
}

#[test]
fn a_small_model_is_known_only_at_the_address_of_the_provider_itself() {
    let own = registry(Vec::new(), &[]);
    for provider in ["anthropic", "openai", "gemini", "mistral"] {
        let small = small_model(&own, provider);
        let small = small.unwrap_or_else(|| panic!("{provider}: its price is known"));
        assert_eq!(small.provider, provider);
    }
    assert_eq!(small_model(&own, "ollama"), None);
    assert_eq!(small_model(&own, "nobody"), None);
    own.set_base_url("anthropic", "http://127.0.0.1:9");
    assert_eq!(
        small_model(&own, "anthropic"),
        None,
        "who knows what is served there"
    );
}
