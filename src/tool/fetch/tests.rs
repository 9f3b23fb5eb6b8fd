//! Fetching from a web that is a table: names with their addresses, addresses with answers.

use std::collections::HashMap;
use std::sync::Mutex;

use serde_json::json;

use super::*;
use crate::tool::test_scope::TestScope;
use crate::transcript::Part;

/// Host names with addresses, pages with answers, and what was asked.
#[derive(Default)]
struct TableWeb {
    hosts: HashMap<&'static str, Vec<&'static str>>,
    pages: HashMap<&'static str, WebAnswer>,
    asked: Mutex<Vec<String>>,
}

impl WebSource for TableWeb {
    fn resolve<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> BoxFuture<'a, Result<Vec<SocketAddr>, String>> {
        let found = self.hosts.get(host).map(|all| {
            let all = all.iter();
            all.map(|ip| SocketAddr::new(ip.parse().unwrap(), port))
                .collect()
        });
        Box::pin(async move { found.ok_or_else(|| format!("there is no host {host}")) })
    }

    fn get<'a>(
        &'a self,
        url: &'a str,
        addresses: &'a [SocketAddr],
        max_bytes: usize,
    ) -> BoxFuture<'a, Result<WebAnswer, String>> {
        self.asked
            .lock()
            .unwrap()
            .push(format!("{url} at {}", addresses[0]));
        let answer = self.pages.get(url).cloned();
        Box::pin(async move {
            let mut answer = answer.ok_or_else(|| "nobody answers".to_owned())?;
            answer.is_cut = answer.body.len() > max_bytes;
            answer.body.truncate(max_bytes);
            Ok(answer)
        })
    }
}

fn page(text: &str) -> WebAnswer {
    WebAnswer {
        status: 200,
        content_type: "text/plain".to_owned(),
        body: text.as_bytes().to_vec(),
        ..WebAnswer::default()
    }
}

fn sends_to(location: &str) -> WebAnswer {
    WebAnswer {
        status: 302,
        location: Some(location.to_owned()),
        ..WebAnswer::default()
    }
}

async fn fetch(web: TableWeb, arguments: Value) -> (ToolOutcome, Vec<String>) {
    let web = Arc::new(web);
    let tool = FetchTool {
        web: Arc::clone(&web) as Arc<dyn WebSource>,
        may_connect: is_public,
    };
    let job = TestScope::new().job();
    let outcome = tool.run(arguments.as_object().unwrap().clone(), job).await;
    let asked = web.asked.lock().unwrap().clone();
    (outcome, asked)
}

fn text(outcome: &ToolOutcome) -> String {
    match &outcome.content[..] {
        [Part::Text(text)] => text.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_page_is_asked_for_at_the_address_that_was_checked() {
    let web = TableWeb {
        hosts: HashMap::from([("docs.example", vec!["93.184.216.34"])]),
        pages: HashMap::from([
            ("https://docs.example/a?b=c", sends_to("/two")),
            ("https://docs.example/two", page("The text.")),
        ]),
        ..TableWeb::default()
    };
    let arguments = json!({"url": "HTTPS://docs.example/a?b=c#part"});
    let (outcome, asked) = fetch(web, arguments).await;
    assert!(!outcome.is_error);
    let text = text(&outcome);
    assert!(
        text.starts_with("[https://docs.example/two: text/plain, data"),
        "{text}"
    );
    assert!(text.ends_with("\n\nThe text."), "{text}");
    assert_eq!(
        asked,
        [
            "https://docs.example/a?b=c at 93.184.216.34:443",
            "https://docs.example/two at 93.184.216.34:443",
        ]
    );
}

#[tokio::test]
async fn nothing_leads_into_the_users_own_network() {
    let hosts = || {
        HashMap::from([
            ("inside.example", vec!["10.0.0.7"]),
            ("both.example", vec!["93.184.216.34", "127.0.0.1"]),
            ("open.example", vec!["93.184.216.34"]),
            ("meta.example", vec!["169.254.169.254"]),
            ("localhost", vec!["127.0.0.1"]),
        ])
    };
    for url in [
        "http://inside.example/",
        "https://both.example/",
        "http://meta.example/latest",
        "http://localhost:8080/",
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
    ] {
        let web = TableWeb {
            hosts: hosts(),
            ..TableWeb::default()
        };
        let (outcome, asked) = fetch(web, json!({ "url": url })).await;
        assert!(outcome.is_error, "{url}");
        let text = text(&outcome);
        assert!(text.contains("public Internet"), "{url}: {text}");
        assert_eq!(asked, [""; 0], "{url}");
    }
    // A redirect is checked like an address.
    for (location, words) in [
        ("http://127.0.0.1/", "another host"),
        (
            "https://other.example/x",
            "another host: https://other.example/x",
        ),
        ("http://open.example:8080/", "another host"),
        ("file:///etc/passwd", "none"),
        ("https://open.example@evil.example/", "none"),
    ] {
        let web = TableWeb {
            hosts: hosts(),
            pages: HashMap::from([("http://open.example/", sends_to(location))]),
            ..TableWeb::default()
        };
        let (outcome, asked) = fetch(web, json!({ "url": "http://open.example/" })).await;
        let text = text(&outcome);
        assert!(
            outcome.is_error && text.contains(words),
            "{location}: {text}"
        );
        assert_eq!(asked.len(), 1, "{location}");
    }
}

#[tokio::test]
async fn long_pages_come_in_parts_and_failures_say_what_came() {
    let web = || TableWeb {
        hosts: HashMap::from([("a.example", vec!["93.184.216.34"])]),
        pages: HashMap::from([
            ("https://a.example/long", page(&"x".repeat(PAGE_CHARS + 10))),
            ("https://a.example/loop", sends_to("/loop")),
            (
                "https://a.example/gone",
                WebAnswer {
                    status: 404,
                    body: b"<h1>Not here</h1>".to_vec(),
                    ..WebAnswer::default()
                },
            ),
        ]),
        ..TableWeb::default()
    };
    let (first, _) = fetch(web(), json!({"url": "https://a.example/long"})).await;
    assert!(text(&first).ends_with("go on with offset 40000]"));
    let arguments = json!({"url": "https://a.example/long", "offset": 40_000});
    let (rest, _) = fetch(web(), arguments).await;
    assert!(text(&rest).ends_with("\n\nxxxxxxxxxx"));
    for (path, words) in [
        ("gone", "status 404. Not here"),
        ("loop", "more than 5 redirects"),
        ("missing", "nobody answers"),
    ] {
        let url = format!("https://a.example/{path}");
        let (outcome, _) = fetch(web(), json!({ "url": url })).await;
        let text = text(&outcome);
        assert!(outcome.is_error && text.contains(words), "{text}");
    }
}

#[test]
fn an_address_is_written_in_full_and_without_a_name_before_the_host() {
    let parsed = |url: &str| {
        let arguments = json!({ "url": url });
        parse(arguments.as_object().unwrap()).map(|(url, _)| url.to_string())
    };
    assert_eq!(parsed(" https://a.example ").unwrap(), "https://a.example/");
    for url in [
        "a.example",
        "file:///etc/passwd",
        "ftp://a.example/",
        "data:text/plain,x",
        "https://docs.example@evil.example/",
        "https://",
        "",
    ] {
        assert!(parsed(url).is_err(), "{url}");
    }
    assert!(parsed(&format!("https://a.example/{}", "x".repeat(MAX_URL_CHARS))).is_err());
}
