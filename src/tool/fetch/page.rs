//! A body as text for a model: HTML becomes Markdown, text stays as it is, everything else
//! is refused with its type.

use htmd::HtmlToMarkdown;

use super::WebAnswer;

/// Elements within each other; a page with more is read without its structure. Each one is a
/// call of the converter within a call.
const MAX_DEPTH: usize = 400;
/// Stack for a page of that depth, with room to spare.
const STACK_BYTES: usize = 32 * 1024 * 1024;
/// Characters of an error page that are shown.
const BEGINNING_CHARS: usize = 300;
/// Elements that hold nothing to read.
const SKIPPED: [&str; 7] = [
    "script", "style", "noscript", "template", "svg", "iframe", "head",
];
/// Types beside `text/…` that are text.
const TEXT_TYPES: [&str; 8] = [
    "application/json",
    "application/xml",
    "application/javascript",
    "application/yaml",
    "application/x-yaml",
    "application/toml",
    "application/rss+xml",
    "application/atom+xml",
];

/// The type of a body, without its parameters.
pub(super) fn kind(content_type: &str) -> String {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    if kind.is_empty() {
        "text/plain".to_owned()
    } else {
        kind.to_ascii_lowercase()
    }
}

/// The body as text.
pub(super) async fn to_text(answer: WebAnswer) -> Result<String, String> {
    let kind = kind(&answer.content_type);
    let is_html = matches!(kind.as_str(), "text/html" | "application/xhtml+xml");
    let is_text =
        kind.starts_with("text/") || TEXT_TYPES.contains(&kind.as_str()) || kind.ends_with("+json");
    if !is_text && !is_html {
        let bytes = answer.body.len();
        return Err(format!("it is {kind} ({bytes} bytes), which is no text"));
    }
    let text = decoded(&answer.body, &answer.content_type);
    if is_html {
        markdown(text).await
    } else {
        Ok(text)
    }
}

/// The beginning of a page that says what went wrong, on one line.
pub(super) fn beginning(body: &[u8]) -> String {
    let text = without_tags(&String::from_utf8_lossy(body));
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(BEGINNING_CHARS).collect()
}

/// UTF-8, or the encoding of western Europe where the server names it.
fn decoded(body: &[u8], content_type: &str) -> String {
    let named = content_type.to_ascii_lowercase();
    let is_latin = ["iso-8859-1", "windows-1252", "us-ascii"]
        .iter()
        .any(|name| named.contains(name));
    match std::str::from_utf8(body) {
        Ok(text) => text.to_owned(),
        Err(_) if is_latin => body.iter().map(|&byte| char::from(byte)).collect(),
        Err(_) => String::from_utf8_lossy(body).into_owned(),
    }
}

/// On a thread of its own, with a stack for deep pages.
async fn markdown(html: String) -> Result<String, String> {
    if depth(&html) > MAX_DEPTH {
        return Ok(without_tags(&html));
    }
    let (done, converted) = tokio::sync::oneshot::channel();
    let work = move || {
        let reader = HtmlToMarkdown::builder()
            .skip_tags(SKIPPED.to_vec())
            .build();
        let text = reader.convert(&html);
        // Whoever waited for it may have been stopped.
        let _ = done.send(text.map_err(|error| error.to_string()));
    };
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(work)
        .map_err(|error| error.to_string())?;
    let failed = |_| "its HTML cannot be converted".to_owned();
    Ok(converted.await.map_err(failed)??.trim().to_owned())
}

/// The most elements within each other, by the tags as they are written.
fn depth(html: &str) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for (at, _) in html.match_indices('<') {
        let rest = html.get(at + 1..).unwrap_or_default();
        match rest.as_bytes().first() {
            Some(b'/') => now = now.saturating_sub(1),
            Some(byte) if byte.is_ascii_alphabetic() && !is_void(rest) => {
                now += 1;
                most = most.max(now);
            }
            _ => {}
        }
    }
    most
}

/// Whether an element has no end, or one that may be left out.
fn is_void(tag: &str) -> bool {
    const VOID: [&str; 18] = [
        "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link",
        "meta", "option", "p", "source", "td", "tr",
    ];
    let end = tag
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(tag.len());
    let name = tag.get(..end).unwrap_or_default();
    VOID.iter().any(|void| void.eq_ignore_ascii_case(name))
}

/// The text between tags.
fn without_tags(html: &str) -> String {
    let mut out = String::with_capacity(html.len() / 2);
    let mut is_tag = false;
    for c in html.chars() {
        match c {
            '<' => is_tag = true,
            '>' if is_tag => {
                is_tag = false;
                out.push(' ');
            }
            c if !is_tag => out.push(c),
            _ => {}
        }
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(content_type: &str, body: &[u8]) -> Result<String, String> {
        to_text(WebAnswer {
            status: 200,
            content_type: content_type.to_owned(),
            body: body.to_vec(),
            ..WebAnswer::default()
        })
        .await
    }

    #[tokio::test]
    async fn html_becomes_markdown_and_text_stays() {
        let html = b"<html><head><title>T</title><script>x()</script></head><body><h1>Head</h1>\
            <p>One <a href=\"/two\">two</a> &amp; <code>three</code></p><ul><li>a<li>b</ul>\
            </body></html>";
        let text = read("text/html; charset=utf-8", html).await.unwrap();
        assert!(text.starts_with("# Head"), "{text}");
        assert!(text.contains("One [two](/two) & `three`"), "{text}");
        assert!(!text.contains("x()"), "{text}");
        let json = br#"{"a": "<b>"}"#;
        for kind in ["application/json", "application/vnd.api+json", "text/plain"] {
            assert_eq!(read(kind, json).await.unwrap(), r#"{"a": "<b>"}"#);
        }
        assert_eq!(
            read("text/plain; charset=ISO-8859-1", b"caf\xe9")
                .await
                .unwrap(),
            "café"
        );
        let refused = read("image/png", b"\x89PNG").await.unwrap_err();
        assert!(refused.contains("image/png (4 bytes)"), "{refused}");
    }

    #[tokio::test]
    async fn a_page_that_is_nested_without_end_is_read_without_its_structure() {
        let html = format!("<p>begin</p>{}text", "<div>".repeat(200_000));
        let text = read("text/html", html.as_bytes()).await.unwrap();
        assert!(text.starts_with("begin") && text.ends_with("text"));
        let deep = format!(
            "{}text{}",
            "<div>".repeat(MAX_DEPTH - 1),
            "</div>".repeat(MAX_DEPTH - 1)
        );
        assert_eq!(read("text/html", deep.as_bytes()).await.unwrap(), "text");
        // Without ends of what has none that counts.
        let list = format!("<ul>{}</ul>", "<li>x<br>".repeat(2_000));
        assert!(
            read("text/html", list.as_bytes())
                .await
                .unwrap()
                .contains('*')
        );
    }
}
