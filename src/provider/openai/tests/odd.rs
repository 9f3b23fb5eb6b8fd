//! Servers that speak HTTP or server-sent events oddly, and what is made of each.

use super::*;

const CHUNK: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\n";
const END: &str =
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
const STREAM: &str = "content-type: text/event-stream\r\n";

/// What came, and how it ended: `stop`, or the beginning of the error.
async fn outcome(script: Vec<ScriptStep>) -> (String, String) {
    let (items, _) = run(vec![script]).await;
    let mut text = String::new();
    for item in &items {
        if let Ok(StreamEvent::Text(more)) = item {
            text += more;
        }
    }
    let end = match items.last() {
        Some(Ok(StreamEvent::Stop(stop))) => format!("{stop:?}").to_lowercase(),
        Some(Err(error)) => error.to_string(),
        other => format!("{other:?}"),
    };
    (text, end)
}

async fn check(name: &str, script: Vec<ScriptStep>, text: &str, end: &str) {
    let (got, ended) = outcome(script).await;
    assert_eq!(got, text, "{name}: {ended}");
    assert!(ended.starts_with(end), "{name}: {ended}");
    assert!(ended.chars().count() < 500, "{name}: {ended}");
}

/// A gzip file of one block that is stored as it is.
fn gzip(text: &str) -> Vec<u8> {
    let crc = text.bytes().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    });
    let len = u16::try_from(text.len()).unwrap();
    let mut out = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    out.extend(len.to_le_bytes());
    out.extend((!len).to_le_bytes());
    out.extend(text.as_bytes());
    out.extend((!crc).to_le_bytes());
    out.extend(u32::from(len).to_le_bytes());
    out
}

fn with_body(head: &str, body: &[u8]) -> Vec<ScriptStep> {
    let head = format!(
        "HTTP/1.1 200 OK\r\n{head}content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    vec![
        ScriptStep::Send(head.into_bytes()),
        ScriptStep::Send(body.to_vec()),
    ]
}

#[tokio::test]
async fn what_http_can_do_to_an_answer() {
    let whole = format!("{CHUNK}{END}");
    let zipped = gzip(&whole);
    check(
        "gzip",
        with_body(&format!("{STREAM}content-encoding: gzip\r\n"), &zipped),
        "hi",
        "stop",
    )
    .await;
    let chunked = format!(
        "HTTP/1.1 200 OK\r\n{STREAM}transfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n{:x}\r\n{whole}\r\n0\r\nx-sum: 1\r\n\r\n",
        whole.len()
    );
    check(
        "trailers",
        vec![ScriptStep::Send(chunked.into_bytes())],
        "hi",
        "stop",
    )
    .await;
    let bom = [b"\xEF\xBB\xBF".as_slice(), whole.as_bytes()].concat();
    check("byte order mark", with_body(STREAM, &bom), "hi", "stop").await;
    check(
        "no content type",
        with_body("", whole.as_bytes()),
        "hi",
        "stop",
    )
    .await;
    let page = "<html><head><title>Sign in</title></head><body>hotel</body></html>";
    check(
        "a page in place of the answer",
        with_body(
            "content-type: text/html; charset=utf-8\r\n",
            page.as_bytes(),
        ),
        "",
        "the provider refused the request: 127.0.0.1",
    )
    .await;
    check(
        "a page as an error",
        response(
            502,
            "content-type: text/html\r\n",
            "<html><h1>Bad gateway</h1></html>",
        ),
        "",
        "the provider is overloaded or failing: Bad gateway (HTTP 502)",
    )
    .await;
    for (status, end) in [
        (204, "network error: the connection ended"),
        (301, "the provider refused"),
        (308, "the provider refused"),
    ] {
        let script = response(status, "location: http://127.0.0.1:1/v1\r\n", "");
        check("bare status", script, "", end).await;
    }
}

#[tokio::test]
async fn what_a_stream_can_look_like() {
    let body = |text: String| with_body(STREAM, text.as_bytes());
    let long = "x".repeat(10 * 1024 * 1024);
    let line = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{long}\"}}}}]}}\n\n{END}");
    check("a line of 10 MB", body(line), &long, "stop").await;
    let runaway = format!("{CHUNK}data: {}", "x".repeat(17 * 1024 * 1024));
    check(
        "a line without an end",
        body(runaway),
        "hi",
        "invalid answer",
    )
    .await;
    for (name, text, expected, end) in [
        (
            "usage null",
            format!("data: {{\"choices\":[],\"usage\":null}}\n\n{CHUNK}{END}"),
            "hi",
            "stop",
        ),
        (
            "choices missing",
            format!("data: {{\"id\":\"x\"}}\n\n{CHUNK}{END}"),
            "hi",
            "stop",
        ),
        (
            "choices null",
            format!("data: {{\"choices\":null}}\n\n{CHUNK}{END}"),
            "hi",
            "stop",
        ),
        (
            "no reason but an end",
            format!("{CHUNK}data: [DONE]\n\n"),
            "hi",
            "stop",
        ),
        (
            "neither",
            CHUNK.to_owned(),
            "hi",
            "network error: the connection ended before the answer was complete",
        ),
        (
            "no blank after the colon",
            format!("{CHUNK}{END}").replace("data: ", "data:"),
            "hi",
            "stop",
        ),
        (
            "keep-alives",
            format!(": ping\n\n:\n\n{CHUNK}: ping\n\n{END}"),
            "hi",
            "stop",
        ),
        (
            "an error between",
            format!(
                "{CHUNK}data: {{\"error\":{{\"message\":\"boom\",\"type\":\"server_error\"}}}}\n\n{END}"
            ),
            "hi",
            "the provider is overloaded or failing: boom",
        ),
        (
            "an error event",
            format!("{CHUNK}event: error\ndata: {{\"message\":\"slow down\",\"code\":429}}\n\n"),
            "hi",
            "rate limited: slow down",
        ),
        (
            "after the end",
            format!("{CHUNK}{END}{CHUNK}"),
            "hi",
            "stop",
        ),
        (
            "no JSON",
            format!("{CHUNK}data: <html>\n\n"),
            "hi",
            "invalid answer: an event is not JSON",
        ),
        (
            "half a character",
            format!("{}{END}", CHUNK.replace("hi", r"h\ud83d")),
            "h\u{fffd}",
            "stop",
        ),
    ] {
        check(name, body(text), expected, end).await;
    }
}

/// OpenRouter says so of some models: the answer is as long as it may be, and is no failure.
#[tokio::test]
async fn an_error_beside_the_reason_that_the_answer_is_long_enough_is_no_error() {
    let length = "{\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}";
    let error = "{\"error\":{\"message\":\"Token limit reached\",\"code\":400}}";
    let both = "{\"error\":{\"message\":\"Token limit reached\"},\
                \"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}";
    for events in [vec![length, error], vec![both]] {
        let events = format!("data: {}\n\n", events.join("\n\ndata: "));
        let script = response(200, STREAM, &format!("{CHUNK}{events}"));
        check("length", script, "hi", "length").await;
        let bare = response(200, STREAM, &format!("data: {error}\n\n"));
        assert!(!outcome(bare).await.1.starts_with("length"));
    }
}
