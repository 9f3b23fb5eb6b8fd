use serde_json::json;

use super::read::{read, tokens_at};
use super::style::ListStyle;
use super::*;

fn only(answer: &serde_json::Value) -> ListedModel {
    let mut models = read("p", answer).unwrap();
    assert_eq!(models.len(), 1, "{models:?}");
    models.remove(0)
}

fn plain(model: &str) -> ListedModel {
    ListedModel {
        provider: "p".to_owned(),
        model: model.to_owned(),
        ..ListedModel::default()
    }
}

#[test]
fn every_provider_lists_in_its_own_way() {
    let anthropic = json!({"data": [{"type": "model", "id": "claude-x", "display_name": "X",
        "max_input_tokens": 200_000, "max_tokens": 64_000,
        "capabilities": {"image_input": {"supported": true}, "thinking": {"supported": true}}}],
        "has_more": false});
    assert_eq!(
        only(&anthropic),
        ListedModel {
            window: Some(200_000),
            max_output: Some(64_000),
            images: Some(true),
            thinking: Some(true),
            ..plain("claude-x")
        }
    );
    let openai = json!({"object": "list", "data": [{"id": "gpt-x", "object": "model"}]});
    assert_eq!(only(&openai), plain("gpt-x"));
    let gemini = json!({"models": [{"name": "models/gemini-x", "inputTokenLimit": 1_048_576,
        "outputTokenLimit": 65_536, "thinking": true}]});
    assert_eq!(
        only(&gemini),
        ListedModel {
            window: Some(1_048_576),
            max_output: Some(65_536),
            thinking: Some(true),
            ..plain("gemini-x")
        }
    );
    let openrouter = json!({"data": [{"id": "maker/x", "context_length": 262_144,
        "architecture": {"input_modalities": ["text", "image"]},
        "supported_parameters": ["tools"],
        "top_provider": {"context_length": 131_072, "max_completion_tokens": 16_384},
        "pricing": {"prompt": "0.000003", "completion": "0.000015",
            "input_cache_read": "0.0000003", "input_cache_write": "0.00000375"}}]});
    assert_eq!(
        only(&openrouter),
        ListedModel {
            window: Some(131_072),
            max_output: Some(16_384),
            images: Some(true),
            tools: Some(true),
            thinking: Some(false),
            price: Some([3.0, 15.0, 0.3, 3.75]),
            ..plain("maker/x")
        }
    );
    let groq =
        json!({"data": [{"id": "g", "context_window": 131_072, "max_completion_tokens": 131_072}]});
    assert_eq!(only(&groq).window, Some(131_072));
    assert_eq!(only(&groq).max_output, None);
    let vllm = json!({"data": [{"id": "v", "max_model_len": 40_960}]});
    assert_eq!(only(&vllm).window, Some(40_960));
    let bare = json!([{"id": "together", "context_length": 8_192}]);
    assert_eq!(only(&bare).window, Some(8_192));
}

#[test]
fn a_number_that_a_server_does_not_know_hides_none_that_it_does() {
    let unknown = json!({"data": [{"id": "u", "max_output_tokens": 8_192,
        "top_provider": {"context_length": 0, "max_completion_tokens": 0},
        "context_length": 131_072}]});
    assert_eq!(only(&unknown).window, Some(131_072));
    assert_eq!(only(&unknown).max_output, Some(8_192));
    assert_eq!(tokens_at(&json!({"a": 0, "b": 5}), &["/a", "/b"]), Some(5));
    assert_eq!(tokens_at(&json!({"a": 0}), &["/a", "/b"]), None);
}

#[test]
fn lists_say_what_models_can_do_and_cost() {
    let mistral = json!({"data": [{"id": "m", "object": "model", "max_context_length": 131_072,
        "type": "base", "archived": false, "aliases": ["m-latest"],
        "capabilities": {"completion_chat": true, "completion_fim": false,
            "function_calling": true, "fine_tuning": false, "vision": true}}]});
    assert_eq!(
        only(&mistral),
        ListedModel {
            window: Some(131_072),
            images: Some(true),
            tools: Some(true),
            ..plain("m")
        }
    );
    let together = json!([{"id": "maker/t", "object": "model", "type": "chat",
        "context_length": 8_192,
        "pricing": {"hourly": 0, "input": 0.88, "output": 0.9, "base": 0, "finetune": 0}}]);
    assert_eq!(only(&together).price, Some([0.88, 0.9, 0.88, 0.88]));
    let gateway = json!({"data": [{"id": "g", "type": "language",
        "pricing": {"input": "0.000003", "output": "0.000015", "input_cache_read": "0.0000003"}}]});
    assert_eq!(only(&gateway).price, Some([3.0, 15.0, 0.3, 3.0]));
    let xai = json!({"models": [{"id": "grok-x", "fingerprint": "fp", "object": "model",
        "input_modalities": ["text", "image"], "output_modalities": ["text"],
        "prompt_text_token_price": 30_000, "cached_prompt_text_token_price": 7_500,
        "prompt_image_token_price": 0, "completion_text_token_price": 150_000,
        "aliases": ["grok-x-latest"]}]});
    assert_eq!(
        only(&xai),
        ListedModel {
            images: Some(true),
            price: Some([3.0, 15.0, 0.75, 3.0]),
            ..plain("grok-x")
        }
    );
    let openrouter = json!({"data": [{"id": "maker/pdf",
        "architecture": {"input_modalities": ["text", "file"], "output_modalities": ["text"]},
        "supported_parameters": ["reasoning", "max_tokens"]}]});
    let read = only(&openrouter);
    assert_eq!(
        (read.pdf, read.images, read.tools, read.thinking),
        (Some(true), Some(false), Some(false), Some(true))
    );
    let anthropic = json!({"data": [{"id": "c", "type": "model", "capabilities": {
        "pdf_input": {"supported": true}, "thinking": {"supported": false, "types": {}}}}]});
    assert_eq!(
        (only(&anthropic).pdf, only(&anthropic).thinking),
        (Some(true), Some(false))
    );
    let bare = json!({"object": "list", "data": [
        {"id": "deepseek-chat", "object": "model", "owned_by": "deepseek"}]});
    assert_eq!(only(&bare), plain("deepseek-chat"));
}

#[test]
fn what_does_not_converse_is_left_out() {
    let list = json!({"data": [
        {"id": "embed", "type": "embedding", "context_length": 512},
        {"id": "draw", "type": "image"},
        {"id": "mistral-embed", "capabilities": {"completion_chat": false}},
        {"id": "old", "archived": true},
        {"id": "off", "active": false, "context_window": 9_000},
        {"id": "gemini-embedding", "supportedGenerationMethods": ["embedContent"]},
        {"id": "maker/picture", "architecture": {"output_modalities": ["image"]}},
        {"id": "speaks", "active": true, "type": "model", "capabilities": {"completion_chat": true},
         "supportedGenerationMethods": ["generateContent", "countTokens"]}]});
    assert_eq!(only(&list), plain("speaks"));
}

#[test]
fn what_is_no_list_or_no_model() {
    assert_eq!(read("p", &json!({"error": "no"})), None);
    assert_eq!(read("p", &json!("no")), None);
    let odd = json!({"data": [{}, {"id": ""}, {"id": "a\u{1b}[2J"}, {"id": 3}, {"id": "a b"},
        {"id": "x", "context_length": 0, "pricing": {"prompt": "-1", "completion": "-1"}}]});
    assert_eq!(only(&odd), plain("x"));
}

#[test]
fn addresses_of_lists() {
    let check = |style: ListStyle, base: &str, url: &str| assert_eq!(style.address(base).url, url);
    check(
        ListStyle::Anthropic,
        "https://a",
        "https://a/v1/models?limit=1000",
    );
    check(ListStyle::OpenAi, "http://b/v1", "http://b/v1/models");
    let gemini = "https://g/v1beta/models?pageSize=1000";
    check(ListStyle::Gemini, "https://g/v1beta/openai", gemini);
    check(ListStyle::Gemini, "https://g/v1beta", gemini);
}

#[test]
fn a_list_says_where_it_goes_on() {
    let anthropic = json!({"data": [], "has_more": true, "last_id": "claude-a"});
    let next = ListStyle::Anthropic.next_page(&anthropic);
    assert_eq!(next.as_deref(), Some("?after_id=claude-a"));
    let last = json!({"data": [], "has_more": false, "last_id": "claude-a"});
    assert_eq!(ListStyle::Anthropic.next_page(&last), None);
    let gemini = json!({"models": [], "nextPageToken": "a+/="});
    let next = ListStyle::Gemini.next_page(&gemini);
    assert_eq!(next.as_deref(), Some("?pageToken=a%2B%2F%3D"));
    assert_eq!(ListStyle::Gemini.next_page(&json!({"models": []})), None);
    assert_eq!(ListStyle::OpenAi.next_page(&anthropic), None);
}

#[test]
fn the_file_is_replaced_as_a_whole_and_a_broken_one_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data").join("models.json");
    assert_eq!(ModelLists::read(&path), ModelLists::default());
    let listed = ListedModel {
        window: Some(9),
        price: Some([1.0, 2.0, 0.1, 1.25]),
        ..plain("m")
    };
    let provider = listed.provider.clone();
    let mut lists = ModelLists::default();
    lists.replace(&provider, "http://a/v1", vec![listed]);
    lists.write(&path).unwrap();
    assert_eq!(ModelLists::read(&path), lists);
    lists.replace(&provider, "http://b/v1", vec![plain("n")]);
    lists.write(&path).unwrap();
    assert_eq!(ModelLists::read(&path).models(), [plain("n")]);
    let at = |wanted: &str| lists.models_where(|_, address| address == Some(wanted));
    assert_eq!(at("http://b/v1"), [plain("n")]);
    assert_eq!(at("http://a/v1"), []);
    std::fs::write(&path, "{\"models\": [{").unwrap();
    assert_eq!(ModelLists::read(&path), ModelLists::default());
    // A file from before addresses were kept.
    std::fs::write(&path, r#"{"models": [{"provider": "p", "model": "m"}]}"#).unwrap();
    let old = ModelLists::read(&path).models_where(|_, address| address.is_none());
    assert_eq!(old.len(), 1);
}

#[test]
fn levels_and_ends_are_read_as_each_provider_writes_them() {
    let level = |is_supported: bool| json!({"supported": is_supported});
    let anthropic = json!({"data": [{"type": "model", "id": "claude-x", "lifecycle": "deprecated",
        "deprecated_at": "2026-09-29T00:00:00Z", "retires_at": "2026-11-30T00:00:00Z",
        "capabilities": {
            "effort": {"supported": true, "low": level(true), "medium": level(true),
                "high": level(true), "xhigh": null, "max": level(false)},
            "thinking": {"supported": true, "types": {"adaptive": level(true),
                "between_tools": level(true), "enabled": level(false)}}}}]});
    let read_one = only(&anthropic);
    assert_eq!(read_one.efforts, ["none", "low", "medium", "high"]);
    assert_eq!(read_one.stage, Some(LifecycleStage::Deprecated));
    assert_eq!(read_one.retires.as_deref(), Some("2026-11-30"));
    let openrouter = json!({"data": [{"id": "maker/x", "expiration_date": "2026-12-31",
        "reasoning": {"mandatory": true, "supported_efforts": ["high", "low", null, 3, "<b>"]}}]});
    let read_one = only(&openrouter);
    assert_eq!(read_one.efforts, ["low", "high"]);
    assert_eq!(
        (read_one.stage, read_one.retires.as_deref()),
        (None, Some("2026-12-31"))
    );
    let mistral = json!({"data": [{"id": "mistral-x", "deprecation": "2026-12-01T12:00:00Z"}]});
    let read_one = only(&mistral);
    assert_eq!(read_one.stage, Some(LifecycleStage::Deprecated));
    for odd in [
        json!(null),
        json!("someday"),
        json!(7),
        json!([]),
        json!({"a": 1}),
    ] {
        let list = json!({"data": [{"id": "x", "lifecycle": odd, "retires_at": odd,
            "expiration_date": odd, "reasoning": odd, "capabilities": odd}]});
        assert_eq!(only(&list), plain("x"), "{odd}");
    }
}
