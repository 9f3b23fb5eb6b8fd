//! Resources and prompts of servers in messages of the user: on the wire, and refused.

use std::sync::Arc;

use plimsoll::agent::{AgentEvent, SessionEvent};
use plimsoll::config::{EnvironmentVars, McpDefer};
use plimsoll::mcp::{McpPlace, McpServers};
use plimsoll::provider::Trust;
use serde_json::{Value, json};

use super::agent::{Agent, Harness, joined};
use super::mcp_web::{Act, McpWeb, answer, older};
use super::program::Program;
use super::server::{Server, Wire, text};
use super::web::Asked;

/// A server that offers a text, an image and a prompt.
fn offering(asked: &Asked, body: &Value) -> Act {
    let params = &body["params"];
    match body["method"].as_str().unwrap_or_default() {
        "initialize" => {
            let result = json!({
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
                "serverInfo": {"name": "web", "version": "1"},
            });
            answer(body, &result)
        }
        "resources/list" => answer(
            body,
            &json!({"resources": [
                {"uri": "note://1", "name": "one", "description": "The \u{1b}[31mfirst"},
                {"uri": "note://no spaces", "name": "two"},
                {"uri": "note://\u{1b}[2J", "name": "three"},
            ]}),
        ),
        "resources/read" => match params["uri"].as_str().unwrap() {
            "note://1" => answer(
                body,
                &json!({"contents": [{"uri": "note://1", "text": "buy \u{1b}[31mplums"}]}),
            ),
            "shot://1" => answer(
                body,
                &json!({"contents": [{"uri": "shot://1", "mimeType": "image/png",
                    "blob": "iVBORw0KGgo="}]}),
            ),
            _ => {
                let error = json!({"code": -32002, "message": "no such \u{1b}[31mnote"});
                let kind = "content-type: application/json\r\n".to_owned();
                let body = json!({"jsonrpc": "2.0", "id": body["id"], "error": error});
                Act::Answer(200, kind, body.to_string())
            }
        },
        "prompts/list" => answer(
            body,
            &json!({"prompts": [{"name": "review", "description": "Reviews \u{1b}[31ma file",
                "arguments": [{"name": "file", "required": true}, {"name": "tone"}]}]}),
        ),
        "prompts/get" => {
            let given = &params["arguments"];
            let words = format!("Review {}, be {}.", given["file"], given["tone"]);
            answer(
                body,
                &json!({"messages": [
                    {"role": "user", "content": {"type": "text", "text": words}},
                    {"role": "assistant", "content": {"type": "text", "text": "Gladly."}},
                ]}),
            )
        }
        _ => older(asked, body, "s1"),
    }
}

fn with_server(mut harness: Harness, web: &McpWeb) -> Harness {
    let setup = &mut harness.setup;
    setup.settings.mcp.defer = McpDefer::Always;
    setup.settings.mcp.servers = vec![web.described("web")];
    let place = McpPlace {
        cwd: setup.cwd.clone(),
        environment: EnvironmentVars::new(),
        lists_file: setup.paths.server_tools_file(),
        credentials_file: setup.paths.credentials_file(),
        trust: Trust::default(),
    };
    setup.servers = Arc::new(McpServers::new(&setup.settings.mcp, place));
    harness
}

async fn start(web: &McpWeb, answers: usize) -> (Server, Agent) {
    let script = (0..answers).map(|_| text("done")).collect::<Vec<_>>();
    let model = Server::start(Wire::OpenAi, script).await;
    let agent = with_server(Harness::new(&model), web).start().await;
    (model, agent)
}

fn notices(agent: &Agent) -> String {
    let texts = agent.events.iter().filter_map(|event| match event {
        AgentEvent::Notice(notice) => Some(format!("{}\n", notice.text)),
        _ => None,
    });
    texts.collect()
}

#[tokio::test]
async fn a_resource_that_is_mentioned_goes_into_the_message() {
    let web = McpWeb::start(offering);
    let (model, mut agent) = start(&web, 3).await;
    agent
        .ask("what is in @web:note://1? And @web:note://1, again")
        .await;
    let sent = joined(&model.body(0));
    assert!(sent.contains("what is in @web:note://1?"), "{sent}");
    assert!(sent.contains("[resource note://1]\nbuy plums"), "{sent}");
    assert_eq!(web.asked_for("resources/read", 1).len(), 1, "once");

    agent.ask("look at @web:shot://1").await;
    assert!(
        model.body(1).to_string().contains("iVBORw0KGgo"),
        "an attachment"
    );

    agent.ask("and @web:note://9 or @nobody:note://1?").await;
    let sent = model.body(2)["messages"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .to_string();
    assert!(!sent.contains("[resource"), "{sent}");
    let said = notices(&agent);
    assert!(
        said.contains("@web:note://9 could not be read: no such note"),
        "{said}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_prompt_becomes_the_message_and_one_that_cannot_be_is_not_sent() {
    let web = McpWeb::start(offering);
    let (model, mut agent) = start(&web, 1).await;
    for (typed, expected) in [
        ("/web:review", "its argument file is missing"),
        ("/web:gone x", "web has no prompt \"gone\"; it has review"),
    ] {
        let end = agent.ask(typed).await;
        let error = end.error.unwrap();
        assert!(error.text.contains(expected), "{error:?}");
    }
    agent.ask("/web:review \"my file.rs\" tone=kind").await;
    let body = model.body(0);
    let messages = body["messages"].as_array().unwrap();
    let asked = messages.last().unwrap()["content"].to_string();
    assert!(
        asked.contains("my file.rs") && asked.contains("kind"),
        "{asked}"
    );
    let mark = "/web:review \\\"my file.rs\\\" tone=kind\\n\\n<mcp>\\n";
    assert!(asked.contains(mark), "a server's words are marked: {asked}");
    assert!(asked.contains("an answer that the prompt gives") && asked.contains("Gladly."));
    agent.stop().await;
}

#[tokio::test]
async fn what_servers_offer_is_told_without_what_cannot_be_typed() {
    let web = McpWeb::start(offering);
    let (_model, mut agent) = start(&web, 0).await;
    let is_offer =
        |event: &AgentEvent| matches!(event, AgentEvent::Session(SessionEvent::ServersOffer(_)));
    let event = agent.until(is_offer).await;
    let AgentEvent::Session(SessionEvent::ServersOffer(offers)) = event else {
        panic!("{event:?}");
    };
    let resources: Vec<_> = offers.resources.iter().collect();
    assert_eq!(resources.len(), 1, "{resources:?}");
    assert_eq!(
        (resources[0].uri.as_str(), resources[0].about.as_str()),
        ("note://1", "The first")
    );
    let prompt = &offers.prompts[0];
    assert_eq!(
        (prompt.name.as_str(), prompt.about.as_str()),
        ("review", "Reviews a file")
    );
    assert!(prompt.arguments[0].is_required && !prompt.arguments[1].is_required);
    agent.stop().await;
}

#[test]
fn a_message_without_a_screen_takes_resources_and_prompts_too() {
    let web = McpWeb::start(offering);
    let program = Program::new();
    let folder = program.home().join("plimsoll");
    std::fs::create_dir_all(&folder).unwrap();
    let text = format!("[mcp.web]\nurl = \"{}/mcp\"\n", web.base);
    std::fs::write(folder.join("config.toml"), text).unwrap();
    let ran = program.run(&["--offline", "-p", "see @web:note://1"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let kept = std::fs::read_to_string(program.session()).unwrap();
    assert!(
        kept.contains("buy plums") && !kept.contains("\\u001b"),
        "{kept}"
    );
    let refused = program.run(&["--offline", "-p", "/web:review"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(
        refused.err.contains("its argument file is missing"),
        "{refused:?}"
    );
}
