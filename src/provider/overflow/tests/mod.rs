use std::path::Path;

use super::*;

mod field;

fn error(status: u16, body: &str) -> ProviderError {
    let refusal = Refusal {
        status: (status != 0).then_some(status),
        body,
        ..Refusal::default()
    };
    classify(refusal, Some("sk-secret"))
}

/// It is an overflow with these numbers.
fn assert_overflow(status: u16, body: &str, requested: Option<u64>, limit: Option<u64>) {
    match error(status, body) {
        ProviderError::ContextOverflow {
            requested_tokens,
            limit_tokens,
            ..
        } => assert_eq!(
            (requested_tokens, limit_tokens),
            (requested, limit),
            "{status} {body}"
        ),
        other => panic!("{status} {body}: {other:?}"),
    }
}

fn message(text: &str) -> String {
    serde_json::json!({"error": {"message": text}}).to_string()
}

/// Text, observed count, limit.
const SEEN: &[(&str, Option<u64>, Option<u64>)] = &[
    (
        "prompt is too long: 212,345 tokens > 200000 maximum",
        Some(212_345),
        Some(200_000),
    ),
    ("Prompt too long", None, None),
    ("Prompt tokens too long", None, None),
    ("request_too_large", None, None),
    (
        "prompt is too long: 1_212_345 tokens > 1_000_000 maximum",
        Some(1_212_345),
        Some(1_000_000),
    ),
    (
        "input length and `max_tokens` exceed context limit: 188,240 + 21,333 > 200,000",
        Some(209_573),
        Some(200_000),
    ),
    (
        "Input length 5,000 exceeds the limit of 4,096",
        Some(5_000),
        Some(4_096),
    ),
    (
        "The context of 70000 tokens exceeds the limit of 64000",
        Some(70_000),
        Some(64_000),
    ),
    (
        "Requested tokens (9000) exceed context window: token limit exceeded, limit of 8,192",
        Some(9_000),
        Some(8_192),
    ),
    (
        "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease",
        Some(209_573),
        Some(200_000),
    ),
    ("context_length_exceeded", None, None),
    (
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 10,100 tokens. Please reduce the length of the messages.",
        Some(10_100),
        Some(8_192),
    ),
    (
        "This model's maximum context length is 4097 tokens, however you requested 5000 tokens (4000 in your prompt; 1000 for the completion).",
        Some(5_000),
        Some(4_097),
    ),
    (
        "This endpoint's maximum context length of 131072 tokens. However, you requested about 140000 tokens",
        Some(140_000),
        Some(131_072),
    ),
    (
        "Your input exceeds the context window of this model.",
        None,
        None,
    ),
    ("Request exceeds the maximum context length", None, None),
    (
        "Input exceeds the model's maximum context length of 128k tokens",
        None,
        Some(128_000),
    ),
    ("Context window exceeded", None, None),
    ("Input is too long for requested model.", None, None),
    (
        "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
        Some(1_196_265),
        Some(1_048_575),
    ),
    (
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        Some(537_812),
        Some(131_072),
    ),
    (
        "Please reduce the length of the messages or completion.",
        None,
        None,
    ),
    (
        "prompt token count of 150000 exceeds the limit of 128000",
        Some(150_000),
        Some(128_000),
    ),
    (
        "the request exceeds the available context size, try increasing it",
        None,
        None,
    ),
    (
        "request (70000 tokens) exceeds the available context size (65536 tokens), try increasing it",
        Some(70_000),
        Some(65_536),
    ),
    (
        "tokens to keep from the initial prompt is greater than the context length",
        None,
        None,
    ),
    (
        "invalid params, context window exceeds limit (2013)",
        None,
        None,
    ),
    (
        "Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)",
        Some(300_000),
        Some(262_144),
    ),
    (
        "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        Some(40_000),
        Some(32_768),
    ),
    ("model_context_window_exceeded", None, None),
    ("Prompt exceeds max length", None, None),
    (
        "The input (150000 tokens) is longer than the model's context length (131072 tokens).",
        Some(150_000),
        Some(131_072),
    ),
    (
        "prompt too long; exceeded max context length by 4 tokens",
        None,
        None,
    ),
    (
        "The prompt is bigger: configured context size is 4096 tokens",
        None,
        Some(4_096),
    ),
    (
        "InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]",
        None,
        Some(98_304),
    ),
    (
        "But the context length is only 4096 tokens",
        None,
        Some(4_096),
    ),
    ("tokens in request more than max tokens allowed", None, None),
    (
        "Requested token count exceeds the maximum allowed input length of 32768 tokens",
        None,
        Some(32_768),
    ),
    ("too many tokens in the prompt", None, None),
    ("Token limit exceeded", None, None),
    ("Context size has been exceeded.", None, None),
    ("错误：上下文过长", None, None),
    ("上下文超出限制", None, None),
    ("超出最大上下文长度", None, None),
    ("请压缩上下文后重试", None, None),
    ("reached context length of 8192 tokens", None, Some(8_192)),
    (
        "this model does not currently support mid-generation context overflow",
        None,
        None,
    ),
    (
        "malformed input request: expected maxLength: 51200, actual: 88213",
        None,
        None,
    ),
    ("max_tokens must be at least 1, got -1186", None, None),
];

/// Every way in which a text reaches us: alone, in the bodies of different servers, and
/// inside the message of a proxy.
fn bodies(text: &str) -> Vec<String> {
    let inner = message(text);
    vec![
        message(text),
        text.to_owned(),
        message(&text.to_uppercase()),
        serde_json::json!({"error": text}).to_string(),
        serde_json::json!({"message": text}).to_string(),
        serde_json::json!({"detail": text}).to_string(),
        serde_json::json!({"Message": text}).to_string(),
        serde_json::json!({"object": "error", "message": text, "type": "BadRequestError"})
            .to_string(),
        serde_json::json!({"errors": [{"message": text, "code": 5_021}], "success": false})
            .to_string(),
        serde_json::json!({"outcome": {"reason": text}}).to_string(),
        message(&format!("proxy.BadRequestError: upstream said b'{inner}'")),
    ]
}

#[test]
fn overflows_with_their_numbers() {
    for (text, requested, limit) in SEEN {
        for body in bodies(text) {
            for status in [400, 413, 422, 500, 0] {
                assert_overflow(status, &body, *requested, *limit);
            }
            // What these statuses mean, no text changes.
            for status in [401, 402, 403, 429] {
                let got = error(status, &body);
                assert!(
                    !matches!(got, ProviderError::ContextOverflow { .. }),
                    "{status} {body}: {got:?}"
                );
            }
        }
    }
    for pattern in OVERFLOWS {
        let known = SEEN
            .iter()
            .any(|(text, ..)| matches(&normalise(text), pattern));
        let also = EXTRA.iter().any(|text| matches(text, pattern));
        let whole = field::OVERFLOWS
            .iter()
            .any(|(_, body, ..)| matches(&normalise(body), pattern));
        assert!(known || also || whole, "no test row for {pattern:?}");
    }
}

/// The texts as they are written down where such lists are kept, with numbers for N.
const LISTED: &[(&str, Option<u64>, Option<u64>)] = &[
    (
        "prompt is too long: 9000 tokens > 8192 maximum",
        Some(9_000),
        Some(8_192),
    ),
    ("prompt too long", None, None),
    ("request_too_large", None, None),
    (
        "input length and max_tokens exceed context limit: 9000 + 100 > 8192",
        Some(9_100),
        Some(8_192),
    ),
    ("context_length_exceeded", None, None),
    ("maximum context length is 8192 tokens", None, Some(8_192)),
    ("maximum context length of 8192 tokens", None, Some(8_192)),
    ("exceeds the context window", None, None),
    ("exceeds maximum context length", None, None),
    ("exceeds the maximum context length", None, None),
    ("exceeds model's maximum context length", None, None),
    (
        "exceeds the model\u{2019}s maximum context length",
        None,
        None,
    ),
    ("context window exceeded", None, None),
    ("input is too long for requested model", None, None),
    (
        "input token count (9000) exceeds the maximum number of tokens allowed (8192)",
        Some(9_000),
        Some(8_192),
    ),
    ("maximum prompt length is 8192", None, Some(8_192)),
    ("reduce the length of the messages", None, None),
    ("exceeds the limit of 8192", None, Some(8_192)),
    ("exceeds the available context size", None, None),
    ("greater than the context length", None, None),
    ("context window exceeds limit", None, None),
    ("exceeded model token limit", None, None),
    (
        "too large for model with 8192 maximum context length",
        None,
        Some(8_192),
    ),
    ("model_context_window_exceeded", None, None),
    ("prompt exceeds max length", None, None),
    (
        "input (9000 tokens) is longer than the model's context length",
        Some(9_000),
        None,
    ),
    ("exceeded max context length", None, None),
    ("configured context size is 8192 tokens", None, Some(8_192)),
    ("range of input length should be", None, None),
    ("context length is only 8192 tokens", None, Some(8_192)),
    ("tokens in request more than max tokens allowed", None, None),
    (
        "maximum allowed input length of 8192 tokens",
        None,
        Some(8_192),
    ),
    ("too many tokens", None, None),
    ("token limit exceeded", None, None),
    ("context size has been exceeded", None, None),
    ("上下文过长", None, None),
    ("上下文超出", None, None),
    ("超出最大上下文", None, None),
    ("请压缩上下文", None, None),
];

#[test]
fn every_listed_text_is_an_overflow_unless_something_excludes_it() {
    let excluding = [
        "429 Too Many Requests",
        "Rate limit reached",
        "tokens per minute (TPM)",
        "requests per minute (RPM)",
        "ThrottlingException",
        "Service Unavailable",
        "the context window too small for this",
        "check your plan and billing details",
        "max_tokens must be at least 1",
    ];
    for (text, requested, limit) in LISTED {
        for body in bodies(text) {
            assert_overflow(400, &body, *requested, *limit);
        }
        for phrase in excluding {
            for both in [format!("{phrase}: {text}"), format!("{text}. {phrase}")] {
                let got = error(400, &message(&both));
                let is_overflow = matches!(got, ProviderError::ContextOverflow { .. });
                assert!(!is_overflow, "{both}: {got:?}");
            }
        }
    }
}

#[test]
fn a_limit_of_something_else_is_no_overflow() {
    for text in [
        "the request body exceeds the limit of 10 MB",
        "the number of tools exceeds the limit of 128",
        "input file exceeds the limit of 20",
        "the schema exceeds the limit of 5 levels",
        "it exceeds the limit of your plan",
    ] {
        let got = error(400, &message(text));
        assert!(
            matches!(got, ProviderError::InvalidRequest { .. }),
            "{text}: {got:?}"
        );
    }
}

/// Spellings that differ from a row above by a word.
const EXTRA: &[&str] = &[
    "input exceeds maximum context length",
    "input exceeds model's maximum context length",
    "request exceeds max context length",
    "23 tokens exceeds the limit of 4",
    "exceed_context_size_error",
    "text too long",
];

#[test]
fn other_spellings_are_overflows_too() {
    for text in EXTRA {
        let got = error(400, &message(text));
        assert!(
            matches!(got, ProviderError::ContextOverflow { .. }),
            "{text}: {got:?}"
        );
    }
}

#[test]
fn structured_overflows() {
    let llama = r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9001,"n_ctx":4096}}"#;
    let openrouter = r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"prompt is too long: 9 tokens > 8 maximum\"}}"}}}"#;
    let gemini = r#"[{"error":{"code":400,"message":"The input token count (20) exceeds the maximum number of tokens allowed (10).","status":"INVALID_ARGUMENT"}}]"#;
    let filed_as_a_failure = r#"{"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}"#;
    let openai = r#"{"error":{"message":"Too big.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#;
    for (body, requested, limit) in [
        (llama, Some(9_001), Some(4_096)),
        (openrouter, Some(9), Some(8)),
        (gemini, Some(20), Some(10)),
        (openai, None, None),
        (filed_as_a_failure, None, None),
    ] {
        for status in [400, 0, 500] {
            assert_overflow(status, body, requested, limit);
        }
    }
}

#[test]
fn cerebras_says_nothing() {
    let bare = |status, empty_is_overflow| {
        let refusal = Refusal {
            status: Some(status),
            empty_is_overflow,
            ..Refusal::default()
        };
        classify(refusal, None)
    };
    for status in [400, 413] {
        let got = bare(status, true);
        assert!(
            matches!(got, ProviderError::ContextOverflow { .. }),
            "{got:?}"
        );
    }
    assert!(matches!(
        bare(400, false),
        ProviderError::InvalidRequest { .. }
    ));
    assert!(matches!(
        bare(413, false),
        ProviderError::PayloadTooLarge { .. }
    ));
    assert!(matches!(
        error(413, "<html><h1>413 Request Entity Too Large</h1></html>"),
        ProviderError::ContextOverflow { .. }
    ));
}

#[test]
fn what_is_no_overflow() {
    let table: &[(u16, &str, &str)] = &[
        (
            413,
            "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000",
            "permission",
        ),
        (
            429,
            "Too many tokens, please wait before trying again.",
            "rate",
        ),
        (
            400,
            "ThrottlingException: Too many tokens, please wait",
            "rate",
        ),
        (
            429,
            "Rate limit reached for gpt-4o on requests per min (RPM)",
            "rate",
        ),
        (
            503,
            "Service unavailable: too many tokens in flight",
            "overloaded",
        ),
        (529, "Overloaded", "overloaded"),
        (500, "Internal server error", "overloaded"),
        (0, "overloaded_error", "overloaded"),
        (0, "something odd", "overloaded"),
        (0, "rate_limit_error", "rate"),
        (400, "context window too small for this tool set", "invalid"),
        (400, "max_tokens must be at most 8192", "invalid"),
        (
            400,
            "max_tokens is too large: 99. This model supports at most 16 completion tokens, whereas you provided 99.",
            "invalid",
        ),
        (400, "Your credit balance is too low", "payment"),
        (
            429,
            "You exceeded your current quota, please check your plan and billing details",
            "payment",
        ),
        (402, "Insufficient Balance", "payment"),
        (401, "invalid x-api-key", "unauthorized"),
        (
            400,
            "API key not valid. Please pass a valid API key.",
            "unauthorized",
        ),
        (
            403,
            "Your key may not use this model; maximum context length is 5",
            "permission",
        ),
        (404, "The model `x` does not exist", "model"),
        (404, "Not Found", "invalid"),
        (400, "model_not_found", "model"),
        (408, "Request timeout", "timeout"),
        (413, "image exceeds 5 MB maximum", "payload"),
        (400, "input image exceeds the limit of 20 MB", "invalid"),
        (
            429,
            "Token limit exceeded: 90,000 tokens per minute",
            "rate",
        ),
        (
            400,
            "rate_limit_exceeded: too many tokens, retry later",
            "rate",
        ),
        (
            400,
            "The response was filtered due to the prompt triggering content management policy",
            "content",
        ),
        (
            400,
            "messages: text content blocks must be non-empty",
            "invalid",
        ),
        (422, "bad", "invalid"),
    ];
    for (status, text, expected) in table {
        let got = match error(*status, &message(text)) {
            ProviderError::RateLimited { .. } => "rate",
            ProviderError::Overloaded { .. } => "overloaded",
            ProviderError::InvalidRequest { .. } => "invalid",
            ProviderError::PaymentRequired { .. } => "payment",
            ProviderError::Unauthorized { .. } => "unauthorized",
            ProviderError::PermissionDenied { .. } => "permission",
            ProviderError::ModelNotFound { .. } => "model",
            ProviderError::Timeout { .. } => "timeout",
            ProviderError::PayloadTooLarge { .. } => "payload",
            ProviderError::ContentRefused { .. } => "content",
            _ => "other",
        };
        assert_eq!(got, *expected, "{status} {text}");
    }
}

/// Refusals of servers as others wrote them down, who had not seen this table: an overflow, or
/// something that only sounds like one.
#[test]
fn refusals_that_others_wrote_down_are_told_apart() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/overflow");
    let (mut read, mut wrong) = (0, Vec::new());
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let status = u16::try_from(case["status"].as_u64().unwrap()).unwrap();
            let found = error(status, case["body"].as_str().unwrap());
            let is_overflow = matches!(found, ProviderError::ContextOverflow { .. });
            if case["overflow"] != is_overflow {
                wrong.push(format!("{line}: {found:?}"));
            }
            read += 1;
        }
    }
    // Some are told in words that nobody else uses.
    assert!(wrong.len() <= 4, "{}", wrong.join("\n"));
    assert!(
        wrong.iter().all(|it| it.contains("\"overflow\": true")),
        "{wrong:?}"
    );
    assert!(read >= 360, "{read}");
}

#[test]
fn messages_are_short_and_without_the_key() {
    let long = format!("bad key sk-secret {}", "x".repeat(9_000));
    let text = error(401, &message(&long)).to_string();
    assert!(!text.contains("sk-secret") && text.contains("[key]"));
    assert!(text.chars().count() < 500);
    assert!(error(500, "").to_string().contains("HTTP 500"));
    assert!(
        error(400, "{\"detail\":[{\"msg\":\"nope\"}]}")
            .to_string()
            .contains("nope")
    );
}

#[test]
fn silent_forms() {
    let usage = |input, cache, output| Usage {
        input_tokens: input,
        cache_read_tokens: cache,
        output_tokens: output,
        ..Usage::default()
    };
    let check = |stop, usage, window| silent_overflow(stop, usage, window).is_some();
    assert!(check(StopReason::Stop, usage(60, 50, 1), Some(100)));
    assert!(!check(StopReason::Stop, usage(50, 50, 1), Some(100)));
    assert!(check(StopReason::Length, usage(99, 0, 0), Some(100)));
    assert!(!check(StopReason::Length, usage(98, 0, 0), Some(100)));
    assert!(!check(StopReason::Length, usage(98, 0, 1), Some(100)));
    assert!(check(StopReason::Length, usage(60, 20, 20), Some(100)));
    assert!(!check(StopReason::Length, usage(60, 20, 19), Some(100)));
    assert!(!check(StopReason::Stop, usage(99, 9, 1), None));
    assert!(!check(StopReason::ToolUse, usage(u64::MAX, 9, 1), Some(1)));
}

proptest::proptest! {
    #[test]
    fn any_body_is_survived(body in ".{0,200}", numbers in "[0-9,>+ k(]{0,60}") {
        let _ = error(400, &body);
        let _ = error(400, &format!("prompt is too long: {numbers}"));
    }
}

#[test]
fn a_sentence_of_the_shape_is_an_overflow_without_a_known_phrase() {
    for (status, text) in [
        (500, "Requested tokens (2285) exceed context window of 2048"),
        (400, "n_keep (2285) >= n_ctx (2048)"),
        (
            422,
            "the prompt has 2,285 tokens; this model supports 2,048",
        ),
        (400, "输入长度 2285 超过了 2048"),
        (
            422,
            "input has 2,285 tokens but this model can only take 2,048",
        ),
        (
            500,
            "error in forward function: prompt length (2285) exceeds maximum input length (2048)",
        ),
        (
            400,
            "Too many input tokens. Max input tokens: 2048, request input token count: 2285",
        ),
    ] {
        assert_overflow(status, &message(text), Some(2_285), Some(2_048));
    }
    let sum = "The prompt is 2284 tokens long, so 1 more requires a length of 2285, but the maximum \
               is just 2048!";
    assert_overflow(400, &message(sum), Some(2_284), Some(2_048));
    let nested = r#"{"error":"{\"error\":{\"message\":\"Requested tokens (2285) exceed 2048\"}}"}"#;
    assert_overflow(400, nested, Some(2_285), Some(2_048));
    let base =
        r#"{"base_resp":{"status_code":1039,"status_msg":"tokens 2285 exceed the limit 2048"}}"#;
    assert_overflow(400, base, Some(2_285), Some(2_048));
}

#[test]
fn an_option_that_is_wrong_is_no_overflow() {
    let text = "invalid option: num_ctx 262144 is larger than the context length (131072)";
    let found = error(400, &message(text));
    assert!(
        matches!(found, ProviderError::InvalidRequest { .. }),
        "{found:?}"
    );
}

#[test]
fn rates_that_the_shape_would_take_are_none() {
    let text = "Limit 60000, Requested 14810 tokens per minute (TPM)";
    assert!(matches!(
        error(429, &message(text)),
        ProviderError::RateLimited { .. }
    ));
}

#[test]
fn what_no_wait_cures_is_not_waited_for() {
    let too_large =
        "Rate limit reached on tokens per minute (TPM): Limit 6000, Used 0, Requested 14810";
    assert!(matches!(
        error(429, &message(too_large)),
        ProviderError::PermissionDenied { message } if message.contains("6000 tokens")
    ));
    for text in [
        "余额不足或无可用资源包",
        "Extra usage is required for long context requests",
    ] {
        assert!(matches!(
            error(429, &message(text)),
            ProviderError::PaymentRequired { .. }
        ));
    }
}

#[test]
fn a_page_and_a_status_give_no_sizes() {
    let page = "<html><head><title>413 Request Entity Too Large</title></head></html>";
    assert_overflow(413, page, None, None);
    assert_overflow(413, "request of 413 exceeds the limit of 413", None, None);
}
