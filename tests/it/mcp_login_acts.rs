//! Around a login to a server: the browser that is opened, an address that is pasted, a
//! permission that is missing, a client that is known by an address, and the end of it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Result;
use plimsoll::config::{EnvironmentVars, McpDefer, McpSettings};
use plimsoll::mcp::{LinkPhase, McpPlace, McpServers};
use plimsoll::provider::Trust;
use portable_pty::CommandBuilder;
use serde_json::{Map, json};

use super::alone::ALONE;
use super::mcp_login::{Place, configure, credentials, is_logged_in, log_in, page};
use super::mcp_web::header;
use super::program::Program;
use super::pty::Pty;

/// `plim mcp login web` on a terminal.
fn login_on_terminal(program: &Program, more: &[&str]) -> Result<Pty> {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_plim"));
    command.args(["mcp", "login", "web"]);
    command.args(more);
    command.env_clear();
    command.env("TERM", "xterm-256color");
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", program.home());
    command.env("PLIMSOLL_HOME", program.home().join("plimsoll"));
    command.env("BROWSER", program.home().join("browser"));
    for (name, value) in ALONE {
        command.env(name, value);
    }
    command.cwd(program.dir());
    Pty::start(command, 200, 40)
}

fn with_browser(program: &Program) {
    make_browser(program.home());
}

/// A browser in a home that notes what it was started with.
pub fn make_browser(home: &Path) {
    let browser = home.join("browser");
    let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$HOME/opened.part\"\n\
                  mv \"$HOME/opened.part\" \"$HOME/opened\"\n";
    std::fs::write(&browser, script).unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn opened(program: &Program) -> Option<String> {
    opened_at(program.home())
}

/// What the browser of a home was started with.
pub fn opened_at(home: &Path) -> Option<String> {
    std::fs::read_to_string(home.join("opened")).ok()
}

/// The address in what a login has written.
fn printed(pty: &Pty) -> Option<String> {
    let text = String::from_utf8_lossy(&pty.state().bytes).into_owned();
    let mut lines = text.lines();
    let address = lines.find(|line| line.starts_with("http"))?;
    Some(address.trim().to_owned())
}

#[test]
fn the_browser_is_opened_at_the_address_and_brings_the_login_back() -> Result<()> {
    let place = Place::start();
    let program = place.program();
    with_browser(&program);
    let pty = login_on_terminal(&program, &[])?;
    pty.wait_for("The login is open in your browser")?;
    pty.wait("the browser", |_| opened(&program).is_some())?;
    let address = opened(&program).unwrap();
    assert_eq!(Some(address.trim()), printed(&pty).as_deref());
    assert_eq!(address.lines().count(), 1, "one argument: {address}");
    let (_, back, _) = page(address.trim());
    assert_eq!(page(&back).0, 200);
    pty.wait_for("logged in to web")?;
    assert!(is_logged_in(&program));
    Ok(())
}

#[test]
fn an_address_that_is_pasted_logs_in_and_no_browser_is_opened() -> Result<()> {
    let place = Place::start();
    let program = place.program();
    with_browser(&program);
    let mut pty = login_on_terminal(&program, &["--no-browser"])?;
    pty.wait_for("paste the address")?;
    let (_, back, _) = page(&printed(&pty).unwrap());
    pty.send("http://127.0.0.1:1/callback?code=c&state=wrong\n")?;
    pty.wait_for("that is not the address at which this login ends")?;
    assert!(place.token_forms().is_empty());
    pty.send(&format!("{back}\n"))?;
    pty.wait_for("logged in to web")?;
    assert!(is_logged_in(&program));
    assert_eq!(opened(&program), None);
    Ok(())
}

/// The bodies of what was sent to be revoked, with the header that says who asks.
fn revoked(place: &Place) -> Vec<String> {
    let asked = place.authority.asked().into_iter();
    let asked = asked.filter(|asked| asked.target == "/revoke");
    asked
        .map(|asked| {
            let who = header(&asked, "authorization").unwrap_or_default();
            format!("{who} {}", asked.body)
        })
        .collect()
}

fn offer_revocation(place: &Place) {
    let at = json!(format!("{}/revoke", place.authority.base));
    place.set(|it| {
        it.metadata.insert("revocation_endpoint".to_owned(), at);
    });
}

#[test]
fn a_logout_revokes_both_tokens_where_that_is_offered() {
    let place = Place::start();
    offer_revocation(&place);
    let program = place.program();
    assert_eq!(log_in(&program).code, 0);
    let gone = program.run(&["mcp", "logout", "web"]);
    assert_eq!(gone.code, 0, "{gone:?}");
    assert!(
        gone.out
            .contains("login of web deleted here; 127.0.0.1 has revoked its tokens"),
        "{gone:?}"
    );
    assert!(!credentials(&program).contains("-1"));
    let sent = revoked(&place);
    assert_eq!(
        sent,
        [
            " token=rt-1&token_type_hint=refresh_token&client_id=c-1",
            " token=at-1&token_type_hint=access_token&client_id=c-1"
        ]
    );
    assert!(!format!("{gone:?}").contains("at-1"));
}

#[test]
fn a_logout_with_a_secret_says_who_asks_by_header() {
    let place = Place::start();
    offer_revocation(&place);
    let program = place.program();
    configure_more(
        &program,
        &place,
        "client_id = \"me\"\nclient_secret = \"s:1\"\n",
    );
    assert_eq!(log_in(&program).code, 0);
    assert_eq!(program.run(&["mcp", "logout", "web"]).code, 0);
    let sent = revoked(&place);
    // "me:s%3A1"
    assert!(
        sent[0].starts_with("Basic bWU6cyUzQTE= token=rt-1"),
        "{sent:?}"
    );
    assert!(!sent[0].contains("client_secret"), "{sent:?}");
}

#[test]
fn a_logout_deletes_the_login_also_when_nothing_is_revoked_and_says_so() {
    let place = Place::start();
    let program = place.program();
    assert_eq!(log_in(&program).code, 0);
    let gone = program.run(&["mcp", "logout", "web"]);
    assert!(gone.out.contains("names no way to revoke them"), "{gone:?}");
    assert!(!credentials(&program).contains("-1"));

    offer_revocation(&place);
    place.set(|it| it.revocation = 503);
    assert_eq!(log_in(&program).code, 0);
    let gone = program.run(&["mcp", "logout", "web"]);
    assert_eq!(gone.code, 0, "{gone:?}");
    assert!(
        gone.out
            .contains("its tokens were not revoked: the refresh_token was answered with HTTP 503"),
        "{gone:?}"
    );
    assert!(!credentials(&program).contains("-1"));
}

fn configure_more(program: &Program, place: &Place, more: &str) {
    configure(program, &format!("{}/mcp", place.resource.base));
    let path = program.home().join("plimsoll/config.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text + more).unwrap();
}

#[test]
fn a_client_that_is_known_by_an_address_registers_nowhere() {
    const CLIENT: &str = "https://plim.example/client.json";
    let place = Place::start();
    place.set(|it| {
        let name = "client_id_metadata_document_supported".to_owned();
        it.metadata.insert(name, json!(true));
        it.metadata
            .insert("registration_endpoint".to_owned(), json!(null));
    });
    let program = place.program();
    configure_more(&program, &place, &format!("client_id = \"{CLIENT}\"\n"));
    let ran = log_in(&program);
    assert_eq!(ran.code, 0, "{ran:?}");
    let asked = place.authority.asked();
    assert!(asked.iter().all(|asked| asked.target != "/register"));
    place.set(|it| assert_eq!(it.asked[0]["client_id"], CLIENT));
    let form = &place.token_forms()[0];
    assert!(
        form.contains("client_id=https%3A%2F%2Fplim.example%2Fclient.json"),
        "{form}"
    );
    assert!(!form.contains("client_secret"), "{form}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_that_a_call_lacks_is_named_and_the_next_login_asks_for_it() {
    let place = Place::start();
    let program = place.program();
    assert_eq!(log_in(&program).code, 0);
    place.set(|it| {
        assert_eq!(it.asked[0]["scope"], "tickets");
        it.needed = Some("tickets:write".to_owned());
    });
    let servers = Arc::new(servers(&program, &place));
    let news = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&news);
    servers.tell(move |it| heard.lock().unwrap().push(it));
    servers.start();
    servers.settled(Duration::from_mins(1)).await;
    let arguments = || Map::from_iter([("text".to_owned(), json!("x"))]);
    let refused = servers.call("web", "echo", arguments()).await;
    let said = format!("{refused:?}");
    let lacks = "the login lacks the permission tickets:write";
    assert!(
        refused.is_error && said.contains(lacks) && said.contains("`plim mcp login web`"),
        "{said}"
    );
    assert_eq!(servers.reports()[0].phase, LinkPhase::Ready, "others go on");
    {
        let news = news.lock().unwrap();
        assert!(news[0].text.contains(lacks), "{news:?}");
        assert!(
            news[0]
                .hint
                .as_ref()
                .unwrap()
                .contains("plim mcp login web")
        );
    }

    let message = servers.filled("see @web:doc://x").await.unwrap();
    assert_eq!(
        message.problems.len(),
        1,
        "the message is sent without it: {message:?}"
    );
    let problem = &message.problems[0];
    assert!(
        problem.contains(lacks) && problem.contains("`plim mcp login web`"),
        "{problem}"
    );
    assert_eq!(servers.reports()[0].phase, LinkPhase::Ready);

    // Another program logs in; the session that runs uses what it brought.
    assert_eq!(log_in(&program).code, 0);
    place.set(|it| assert_eq!(it.asked[1]["scope"], "tickets tickets:write"));
    let answered = servers.call("web", "echo", arguments()).await;
    assert!(!answered.is_error, "{answered:?}");
    servers.close().await;

    // The login after that has nothing to add.
    assert_eq!(log_in(&program).code, 0);
    place.set(|it| assert_eq!(it.asked[2]["scope"], "tickets"));
}

/// The servers of a session that uses the logins of the program.
fn servers(program: &Program, place: &Place) -> McpServers {
    let settings = McpSettings {
        defer: McpDefer::Always,
        servers: vec![place.resource.described("web")],
    };
    let home = program.home().join("plimsoll");
    let place = McpPlace {
        cwd: program.dir().to_owned(),
        environment: EnvironmentVars::new(),
        lists_file: home.join("lists.json"),
        credentials_file: home.join("credentials.toml"),
        trust: Trust::default(),
    };
    McpServers::new(&settings, place)
}
