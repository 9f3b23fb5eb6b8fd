//! Whole refusals as servers word them: overflows with their numbers, and what only looks
//! like one. The texts of the table itself are in the file above.

use super::{assert_overflow, error, message};
use crate::provider::error::ProviderError;

/// Status (0: inside a stream), body, observed count, limit.
#[rustfmt::skip]
pub(super) const OVERFLOWS: &[(u16, &str, Option<u64>, Option<u64>)] = &[
    (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 1000234 tokens > 1000000 maximum"},"request_id":"req_1"}"#, Some(1_000_234), Some(1_000_000)),
    (413, r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#, None, None),
    (0, r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again"}}"#, Some(210_000), Some(200_000)),
    (400, r#"{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}"#, None, None),
    (0, r#"{"id":"resp_1","status":"failed","error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model."}}"#, None, None),
    (400, r#"{"error":{"message":"This model's maximum context length is 128000 tokens, however you requested 130048 tokens (122048 in your prompt; 8000 for the completion). Please reduce your prompt; or completion length.","code":"context_length_exceeded"}}"#, Some(130_048), Some(128_000)),
    (400, r#"{"object":"error","message":"This model's maximum context length is 32768 tokens. However, you requested 40000 tokens in the messages, Please reduce the length of the messages.","type":"BadRequestError","param":null,"code":400}"#, Some(40_000), Some(32_768)),
    (400, r#"{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 32768 tokens and your request has 30000 input tokens (8192 > 32768 - 30000).","type":"BadRequestError","code":400}}"#, Some(38_192), Some(32_768)),
    (400, r#"{"object":"error","message":"The decoder prompt (length 40960) is longer than the maximum model length of 32768. Make sure that `max_model_len` is no smaller than the number of text tokens.","code":400}"#, Some(40_960), Some(32_768)),
    (422, r#"{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 200 `max_new_tokens`","error_type":"validation"}"#, None, Some(4_096)),
    (422, r#"{"error":"Input validation error: `inputs` must have less than 4095 tokens. Given: 5000","error_type":"validation"}"#, Some(5_000), Some(4_095)),
    (400, r#"{"object":"error","message":"Requested token count exceeds the model's maximum context length of 32768 tokens. You requested a total of 35000 tokens: 30000 tokens from the input messages and 5000 tokens for the completion."}"#, Some(35_000), Some(32_768)),
    (400, r#"{"object":"error","message":"The input (45000 tokens) is longer than the model's context length (32768 tokens)."}"#, Some(45_000), Some(32_768)),
    (400, r#"{"error":{"code":400,"message":"request (5026 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5026,"n_ctx":4096}}"#, Some(5_026), Some(4_096)),
    (400, r#"{"error":"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 17000>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input"}"#, Some(17_000), Some(4_096)),
    (400, r#"{"error":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}"#, Some(9_000), Some(4_096)),
    (400, r#"{"error":"the input length exceeds the context length"}"#, None, None),
    (400, r#"[{"error":{"code":400,"message":"The input token count exceeds the maximum number of tokens allowed 1048576.","status":"INVALID_ARGUMENT"}}]"#, None, Some(1_048_576)),
    (400, r#"{"error":{"code":400,"message":"Unable to submit request because the input token count is 1100000 but model only supports up to 1048576. Reduce the input token count and try again.","status":"INVALID_ARGUMENT"}}"#, Some(1_100_000), Some(1_048_576)),
    (400, r#"{"message":"The model returned the following errors: Input is too long for requested model.","__type":"ValidationException"}"#, None, None),
    (400, r#"{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_error","code":"3051"}"#, Some(40_000), Some(32_768)),
    (413, r#"{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#, None, None),
    (400, r#"{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 153000 tokens."}"#, Some(153_000), Some(131_072)),
    (400, r#"{"error":{"message":"This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error"}}"#, Some(70_000), Some(65_536)),
    (400, r#"{"code":"InvalidParameter","message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]"}"#, None, Some(129_024)),
    (400, r#"{"error":{"message":"Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)","type":"invalid_request_error"}}"#, Some(140_000), Some(131_072)),
    (200, r#"{"base_resp":{"status_code":2013,"status_msg":"invalid params, context window exceeds limit"}}"#, None, None),
    (400, r#"{"error":{"code":"1261","message":"Prompt exceeds max length"}}"#, None, None),
    (400, r#"{"error":{"code":"1261","message":"Prompt 超长"}}"#, None, None),
    (400, r#"{"error":{"object":"error","type":"invalid_request_error","message":"The prompt is too long: 140000, model maximum context length: 131071"}}"#, Some(140_000), Some(131_071)),
    (400, r#"{"error":{"message":"This endpoint's maximum context length is 200000 tokens. However, you requested about 250000 tokens (240000 of text input, 10000 in the output). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.","code":400}}"#, Some(250_000), Some(200_000)),
    (400, r#"{"message":"too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 150000. Try using a shorter prompt."}"#, Some(150_000), Some(128_000)),
    (400, r#"{"error":{"message":"prompt token count of 150000 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}"#, Some(150_000), Some(128_000)),
    (400, r#"{"error":{"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: AnthropicException - prompt is too long: 210000 tokens > 200000 maximum","type":null,"param":null,"code":"400"}}"#, Some(210_000), Some(200_000)),
    (400, r#"{"code":20015,"message":"length of prompt_tokens (140000) must be less than max_seq_len (131072).","data":null}"#, Some(140_000), Some(131_072)),
    (400, r#"{"error":"Input is too long for this model. Provided 600, maximum input length is 512 tokens"}"#, Some(600), Some(512)),
    (400, r#"{"detail":"Conversation too long: token limit exceeded (limit: 8,000 tokens)"}"#, None, Some(8_000)),
    (400, r#"{"error":{"message":"输入超过最大上下文长度"}}"#, None, None),
    (500, r#"{"error":{"message":"upstream error: 400 {\"error\":{\"message\":\"prompt is too long: 9 tokens > 8 maximum\"}}","type":"server_error"}}"#, Some(9), Some(8)),
    (400, r#"{"error":{"message":"This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=262145)","type":"BadRequestError","param":"input_tokens","code":400}}"#, Some(262_145), Some(262_144)),
    (400, r#"{"error":{"message":"This model's maximum context length is 262144 tokens. However, you requested 8192 output tokens and your prompt contains at least 253953 input tokens, for a total of at least 262145 tokens.","type":"BadRequestError","code":400}}"#, Some(262_145), Some(262_144)),
    (400, r#"{"error":{"message":"Prompt has 5,958,968 tokens, but the configured context size is 256,000 tokens"}}"#, Some(5_958_968), Some(256_000)),
    (400, r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"Input length 131393 exceeds the maximum allowed input length of 131040 tokens.\"}}","provider_name":"Poolside"}}}"#, Some(131_393), Some(131_040)),
    (400, r#"{"message":"ValidationException: The input is too long"}"#, None, None),
    (0, r#"{"message":"ModelStreamErrorException: Input is too long"}"#, None, None),
    (400, r#"{"message":"ValidationException: Input exceeds the max input token limit"}"#, None, None),
    (400, r#"{"error":{"message":"input is too long for model gpt-5.4"}}"#, None, None),
    (500, r#"{"error":"ollama: context length exceeded for llama3"}"#, None, None),
    (400, r#"{"message":"too large: total tokens exceeds the model's max of 4096"}"#, None, Some(4_096)),
    (400, r#"[{"error":{"code":400,"message":"Requested token count exceeds the model's maximum context length of 202752 tokens. You requested a total of 211266 tokens: 179266 tokens from the input messages and 32000 tokens for the completion.","status":"INVALID_ARGUMENT"}}]"#, Some(211_266), Some(202_752)),
    (400, r#"{"error":{"message":"This endpoint's maximum context length is 131072 tokens. However, you requested about 135349 tokens (60662 of text input, 10687 of tool input, 64000 in the output). Please reduce the length of either one, or use the context-compression plugin to compress your prompt automatically.","code":400}}"#, Some(135_349), Some(131_072)),
    (413, "<html><head><title>413 Request Entity Too Large</title></head></html>", None, None),
];

#[test]
fn whole_refusals_that_are_overflows() {
    for (status, body, requested, limit) in OVERFLOWS {
        let status = if *status == 200 { 0 } else { *status };
        assert_overflow(status, body, *requested, *limit);
    }
    assert!(OVERFLOWS.len() >= 40);
}

/// Status, body, and what it is instead.
#[rustfmt::skip]
const NEAR_MISSES: &[(u16, &str, &str)] = &[
    (429, r#"{"error":{"message":"Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 35000. The input or output tokens must be reduced in order to run successfully.","type":"tokens","code":"rate_limit_exceeded"}}"#, "PermissionDenied"),
    (413, r#"{"error":{"message":"Request too large for model `llama-3.3-70b-versatile` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}"#, "PermissionDenied"),
    (429, r#"{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 40,000 input tokens per minute. Please reduce the prompt length or try again later."}}"#, "RateLimited"),
    (0, r#"{"type":"error","error":{"type":"rate_limit_error","message":"Number of request tokens has exceeded your per-minute rate limit"}}"#, "RateLimited"),
    (429, r#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000 Please retry in 35.2s.","status":"RESOURCE_EXHAUSTED"}}"#, "RateLimited"),
    (429, r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}"#, "PaymentRequired"),
    (400, r#"{"message":"Too many tokens per day, please wait before trying again.","__type":"ThrottlingException"}"#, "RateLimited"),
    (429, r#"{"message":"Too many tokens, please wait before trying again."}"#, "RateLimited"),
    (400, r#"{"error":{"message":"You have exceeded the maximum number of requests per day: 50"}}"#, "RateLimited"),
    (429, r#"{"error":{"message":"Rate limit reached for model on tokens per day (TPD): Limit 100000, Used 99000, Requested 5000. Please try again in 6m."}}"#, "RateLimited"),
    (429, r#"{"error":"token limit exceeded, slow down"}"#, "RateLimited"),
    (400, r#"{"error":{"message":"`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model","type":"invalid_request_error"}}"#, "InvalidRequest"),
    (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"max_tokens is too large: 99999. This model supports at most 16384 completion tokens, whereas you provided 99999.","param":"max_tokens","code":"invalid_value"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead.","code":"integer_below_min_value"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","code":"unsupported_parameter"}}"#, "InvalidRequest"),
    (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"`max_tokens` must be greater than `thinking.budget_tokens`."}}"#, "InvalidRequest"),
    (400, r#"{"error":{"code":400,"message":"Unable to submit request because it has a maxOutputTokens value of 99999 but the supported range is from 1 (inclusive) to 65537 (exclusive).","status":"INVALID_ARGUMENT"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"Failed to generate JSON: max completion tokens reached before generating a valid document","code":"json_validate_failed"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"context window too small for this tool set"}}"#, "InvalidRequest"),
    (400, r#"{"error":"context window too small: 2048 tokens, the tools need 3000"}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"Invalid schema for function 'read': the schema exceeds the limit of 5 nesting levels","param":"tools[0].function.parameters"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 200 instead.","code":"array_above_max_length"}}"#, "InvalidRequest"),
    (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"tools.0.custom.name: String should have at most 64 characters"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"code":400,"message":"* GenerateContentRequest.tools[0].function_declarations[3].parameters.properties: should be non-empty for OBJECT type","status":"INVALID_ARGUMENT"}}"#, "InvalidRequest"),
    (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes"}}"#, "InvalidRequest"),
    (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages.3.content.0.image: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels"}}"#, "InvalidRequest"),
    (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages.5: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"stop: the list exceeds the limit of 4"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"A maximum of 4 blocks with cache_control may be provided. Found 5."}}"#, "InvalidRequest"),
    (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.","type":"invalid_request_error"}}"#, "InvalidRequest"),
    (413, r#"{"error":"Payload Too Large"}"#, "PayloadTooLarge"),
    (400, r#"{"error":{"message":"Invalid max_tokens value, the valid range of max_tokens is [1, 393216]","type":"invalid_request_error"}}"#, "InvalidRequest"),
    (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"This model does not support assistant message prefill. The conversation must end with a user message."},"request_id":"req_1"}"#, "InvalidRequest"),
    (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation."}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"Function tools with reasoning_effort are not supported for gpt-5.6-sol in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.","type":"invalid_request_error"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"The `reasoning_content` in the thinking mode must be passed back to the API.","type":"invalid_request_error"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"message":"thinking is enabled but reasoning_content is missing in assistant tool call message at index 2","type":"invalid_request_error"}}"#, "InvalidRequest"),
    (400, r#"{"error":{"code":400,"message":"Function call is missing a thought_signature in functionCall parts.","status":"INVALID_ARGUMENT"}}"#, "InvalidRequest"),
    (413, r#"{"error":{"message":"the image in the request is too large"}}"#, "PayloadTooLarge"),
    (400, r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API. Please go to Plans & Billing to upgrade or purchase credits."}}"#, "PaymentRequired"),
    (402, r#"{"error":{"message":"This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 3000.","code":402}}"#, "PaymentRequired"),
    (400, r#"{"error":{"message":"Billing hard limit has been reached","code":"billing_hard_limit_reached"}}"#, "PaymentRequired"),
    (400, r#"{"error":{"message":"The response was filtered due to the prompt triggering the content management policy. Please modify your prompt and retry.","code":"content_filter","status":400}}"#, "ContentRefused"),
    (400, r#"{"code":"data_inspection_failed","message":"Input data may contain inappropriate content."}"#, "ContentRefused"),
    (400, r#"{"error":{"message":"Your request was rejected as a result of our safety system.","code":"content_policy_violation"}}"#, "ContentRefused"),
    (503, r#"{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}"#, "Overloaded"),
    (529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#, "Overloaded"),
    (503, "Service Unavailable: too many tokens in flight", "Overloaded"),
    (500, r#"{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error"}}"#, "Overloaded"),
    (401, r#"{"error":{"message":"Incorrect API key provided: sk-1234. You can find your API key at the dashboard.","code":"invalid_api_key"}}"#, "Unauthorized"),
    (403, r#"{"error":{"message":"Project does not have access to model gpt-5 with this context length"}}"#, "PermissionDenied"),
    (404, r#"{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","code":"model_not_found"}}"#, "ModelNotFound"),
    (408, r#"{"error":{"message":"Request timed out: prompt too long to process in time"}}"#, "Timeout"),
];

/// Groq's: another try may go well.
#[test]
fn a_call_that_the_server_could_not_read_is_tried_again() {
    let body = r#"{"error":{"message":"Failed to call a function. Please adjust your prompt.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"<function=read>"}}"#;
    for status in [400, 0] {
        let got = error(status, body);
        assert!(
            got.is_retryable() && format!("{got:?}").starts_with("BadCall"),
            "{got:?}"
        );
    }
}

#[test]
fn the_id_of_a_refused_request_is_said() {
    let said = |id: &str| {
        let body = serde_json::json!({"type": "error", "request_id": id,
            "error": {"type": "invalid_request_error", "message": "No."}});
        error(400, &body.to_string()).to_string()
    };
    assert!(
        said("req_011Cabc").ends_with("No. (HTTP 400, req_011Cabc)"),
        "{}",
        said("req_011Cabc")
    );
    assert!(said("a b\u{1b}").ends_with("No. (HTTP 400)"));
}

#[test]
fn what_only_looks_like_an_overflow() {
    for (status, body, expected) in NEAR_MISSES {
        let got = format!("{:?}", error(*status, body));
        assert!(got.starts_with(expected), "{status} {body}: {got}");
    }
    assert!(NEAR_MISSES.len() >= 40);
}

/// The answer that was asked for is no part of the prompt.
#[test]
fn a_prompt_is_told_from_the_answer_that_was_asked_for() {
    for (text, requested, prompt) in [
        (
            "input length and `max_tokens` exceed context limit: 140000 + 64000 > 200000, decrease input length or `max_tokens` and try again",
            204_000,
            Some(140_000),
        ),
        (
            "This model's maximum context length is 4097 tokens, however you requested 5000 tokens (4000 in your prompt; 1000 for the completion).",
            5_000,
            Some(4_000),
        ),
        (
            "This model's maximum context length is 32768 tokens. However, you requested 40768 tokens (8000 in the messages, 32768 in the completion). Please reduce the length of the messages or completion.",
            40_768,
            Some(8_000),
        ),
        (
            "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens (90000 of text input, 20000 of tool input, 30000 in the output). Please reduce the length of either one.",
            140_000,
            Some(110_000),
        ),
        (
            "prompt is too long: 212345 tokens > 200000 maximum",
            212_345,
            None,
        ),
        (
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 10,100 tokens.",
            10_100,
            None,
        ),
    ] {
        let got = match error(400, &message(text)) {
            ProviderError::ContextOverflow {
                requested_tokens,
                prompt_tokens,
                ..
            } => (requested_tokens, prompt_tokens),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(got, (Some(requested), prompt), "{text}");
    }
}

/// A window or a prompt of nothing was believed; found by fuzzing.
#[test]
fn numbers_that_are_nothing_are_none() {
    let body = |text: &str| format!(r#"{{"error":{{"message":"{text}"}}}}"#);
    assert_overflow(400, &body("prompt is too long: 000 maximum"), None, None);
    let text = "the request (70016 tokens) exceeds the available context size (0 tokens)";
    assert_overflow(400, &body(text), Some(70_016), None);
    let named = r#"{"error":{"message":"prompt is too long","n_prompt_tokens":0,"n_ctx":0}}"#;
    assert_overflow(400, named, None, None);
}
