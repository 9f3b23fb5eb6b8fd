//! Logging in to a server of the Model Context Protocol: the real program, a resource server
//! and an authorization server on this machine, and no browser but this test.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, ChildStdout};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use url::Url;

use super::mcp_web::{Act, McpWeb, header, newest};
use super::program::{Program, Ran, ran};
use super::web::{Answer, Asked, Web, missing};

/// What the authorization server does and knows.
#[derive(Default)]
pub struct Authority {
    base: String,
    /// Seconds that a token is good for.
    pub expires_in: u64,
    /// Refresh tokens are refused.
    pub is_revoked: bool,
    /// The challenge of the newest login.
    challenge: String,
    /// Tokens given, counted.
    pub given: usize,
    /// What is taken out of or put into its metadata.
    pub metadata: BTreeMap<String, Value>,
    /// What each login asked for.
    pub asked: Vec<BTreeMap<String, String>>,
    /// Calls of tools and resources need this permission.
    pub needed: Option<String>,
    /// What a revocation is answered with.
    pub revocation: u16,
}

/// A resource server and its authorization server.
pub struct Place {
    pub resource: McpWeb,
    pub authority: Web,
    state: Arc<Mutex<Authority>>,
}

impl Place {
    pub fn start() -> Self {
        let state = Arc::new(Mutex::new(Authority {
            expires_in: 3_600,
            revocation: 200,
            ..Authority::default()
        }));
        let known = Arc::clone(&state);
        let authority = Web::start(move |asked| known.lock().unwrap().answer(asked));
        state.lock().unwrap().base.clone_from(&authority.base);
        let (known, at) = (Arc::clone(&state), authority.base.clone());
        let resource = McpWeb::start(move |asked, body| {
            let host = header(asked, "host").unwrap_or_default();
            if asked
                .target
                .starts_with("/.well-known/oauth-protected-resource")
            {
                let about = json!({"resource": format!("http://{host}/mcp"),
                    "authorization_servers": [at], "scopes_supported": ["tickets"]});
                return json_act(&about);
            }
            if asked.target.starts_with("/.well-known/") {
                return Act::Answer(404, String::new(), String::new());
            }
            let good = format!("Bearer at-{}", known.lock().unwrap().given);
            if header(asked, "authorization") != Some(good.as_str()) {
                let about = format!(
                    "www-authenticate: Bearer resource_metadata=\"http://{host}/.well-known/\
                     oauth-protected-resource/mcp\"\r\n"
                );
                return Act::Answer(401, about, String::new());
            }
            if let Some(needed) = known.lock().unwrap().lacks(body) {
                let about = format!(
                    "www-authenticate: Bearer error=\"insufficient_scope\", scope=\"{needed}\"\r\n"
                );
                return Act::Answer(403, about, String::new());
            }
            newest(asked, body)
        });
        Self {
            resource,
            authority,
            state,
        }
    }

    /// The program with this server in its configuration.
    pub fn program(&self) -> Program {
        let program = Program::new();
        configure(&program, &format!("{}/mcp", self.resource.base));
        program
    }

    pub fn set(&self, change: impl FnOnce(&mut Authority)) {
        change(&mut self.state.lock().unwrap());
    }

    /// The forms that were posted to the token endpoint.
    pub fn token_forms(&self) -> Vec<String> {
        let asked = self.authority.asked().into_iter();
        let forms = asked.filter(|asked| asked.target == "/token");
        forms.map(|asked| asked.body).collect()
    }
}

pub fn configure(program: &Program, url: &str) {
    let folder = program.home().join("plimsoll");
    std::fs::create_dir_all(&folder).unwrap();
    let text = format!("# mine\n[mcp.web]\nurl = \"{url}\"\ndeadline = 20\n");
    std::fs::write(folder.join("config.toml"), text).unwrap();
}

fn json_act(value: &Value) -> Act {
    let kind = "content-type: application/json\r\n".to_owned();
    Act::Answer(200, kind, value.to_string())
}

impl Authority {
    fn answer(&mut self, asked: &Asked) -> Answer {
        let path = asked.target.split('?').next().unwrap_or_default();
        match path {
            "/.well-known/oauth-authorization-server" => self.about(),
            "/register" => {
                let form: Value = serde_json::from_str(&asked.body).unwrap();
                let answer = json!({"client_id": "c-1", "redirect_uris": form["redirect_uris"]});
                with_status(201, &answer)
            }
            "/authorize" => self.authorize(asked),
            "/token" => self.token(asked),
            "/revoke" => (self.revocation, String::new(), String::new()),
            _ => missing(),
        }
    }

    /// The permission that a call of a tool lacks.
    fn lacks(&self, body: &Value) -> Option<&str> {
        let needed = self.needed.as_deref()?;
        let newest = self.asked.last().and_then(|asked| asked.get("scope"));
        let is_granted = newest.is_some_and(|all| all.split(' ').any(|it| it == needed));
        let needs = body["method"] == "tools/call" || body["method"] == "resources/read";
        (needs && !is_granted).then_some(needed)
    }

    fn about(&self) -> Answer {
        let at = |path: &str| json!(format!("{}{path}", self.base));
        let mut about = json!({
            "issuer": self.base,
            "authorization_endpoint": at("/authorize"),
            "token_endpoint": at("/token"),
            "registration_endpoint": at("/register"),
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
        });
        let fields = about.as_object_mut().unwrap();
        fields.extend(self.metadata.clone());
        with_status(200, &about)
    }

    fn authorize(&mut self, asked: &Asked) -> Answer {
        let url = Url::parse(&format!("{}{}", self.base, asked.target)).unwrap();
        let given: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
        assert_eq!(given["code_challenge_method"], "S256");
        assert_eq!(given["response_type"], "code");
        assert!(given["resource"].ends_with("/mcp"), "{given:?}");
        self.challenge.clone_from(&given["code_challenge"]);
        self.asked.push(given.clone());
        let mut back = Url::parse(&given["redirect_uri"]).unwrap();
        assert_eq!(back.host_str(), Some("127.0.0.1"));
        back.query_pairs_mut()
            .append_pair("code", "code-1")
            .append_pair("state", &given["state"]);
        (302, format!("location: {back}\r\n"), String::new())
    }

    fn token(&mut self, asked: &Asked) -> Answer {
        let form: BTreeMap<String, String> = url::form_urlencoded::parse(asked.body.as_bytes())
            .into_owned()
            .collect();
        let is_good = match form["grant_type"].as_str() {
            "authorization_code" => {
                let digest =
                    ring::digest::digest(&ring::digest::SHA256, form["code_verifier"].as_bytes());
                let challenge = BASE64_URL_SAFE_NO_PAD.encode(digest.as_ref());
                form["code"] == "code-1" && challenge == self.challenge
            }
            "refresh_token" => {
                !self.is_revoked && form["refresh_token"] == format!("rt-{}", self.given)
            }
            _ => false,
        };
        if !is_good {
            return with_status(400, &json!({"error": "invalid_grant"}));
        }
        self.given += 1;
        let answer = json!({
            "access_token": format!("at-{}", self.given),
            "refresh_token": format!("rt-{}", self.given),
            "token_type": "Bearer",
            "expires_in": self.expires_in,
        });
        with_status(200, &answer)
    }
}

fn with_status(status: u16, value: &Value) -> Answer {
    let kind = "content-type: application/json\r\n";
    (status, kind.to_owned(), value.to_string())
}

/// A page as a browser asks for it: status, `Location`, body.
pub fn page(address: &str) -> (u16, String, String) {
    let url = Url::parse(address).unwrap();
    let at = (url.host_str().unwrap(), url.port().unwrap());
    let mut stream = TcpStream::connect(at).unwrap();
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let request = format!(
        "GET {target} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
        at.0
    );
    stream.write_all(request.as_bytes()).unwrap();
    // Other servers of these tests keep connections open: one answer is read.
    let mut reader = BufReader::new(stream);
    let (mut head, mut line) = (String::new(), String::new());
    while reader.read_line(&mut line).unwrap() > 0 && !line.trim().is_empty() {
        head += &line;
        line.clear();
    }
    let value = |name: &str| {
        head.lines().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found
                .eq_ignore_ascii_case(name)
                .then(|| value.trim().to_owned())
        })
    };
    let mut body = vec![0; value("content-length").unwrap().parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (
        status,
        value("location").unwrap_or_default(),
        String::from_utf8(body).unwrap(),
    )
}

/// A login that has said where it goes on.
struct Begun {
    child: Child,
    out: BufReader<ChildStdout>,
    said: String,
    address: String,
}

fn begin(program: &Program) -> Begun {
    let mut child = program.command(&["mcp", "login", "web"]).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let (mut said, mut address) = (String::new(), String::new());
    while address.is_empty() {
        let mut line = String::new();
        if out.read_line(&mut line).unwrap() == 0 {
            let ran = ran(child.wait_with_output().unwrap());
            panic!("{ran:?}");
        }
        if line.starts_with("http") {
            line.trim().clone_into(&mut address);
        }
        said += &line;
    }
    Begun {
        child,
        out,
        said,
        address,
    }
}

impl Begun {
    /// The address that the browser is sent back to.
    fn way_back(&self) -> String {
        let (status, location, _) = page(&self.address);
        assert_eq!(status, 302);
        location
    }

    fn end(mut self) -> Ran {
        self.out.read_to_string(&mut self.said).unwrap();
        let mut ran = ran(self.child.wait_with_output().unwrap());
        ran.out = self.said;
        ran
    }
}

pub fn log_in(program: &Program) -> Ran {
    let begun = begin(program);
    let (status, _, body) = page(&begun.way_back());
    assert_eq!(status, 200);
    assert!(body.contains("continues in the terminal"), "{body}");
    begun.end()
}

pub fn credentials(program: &Program) -> String {
    let path = program.home().join("plimsoll").join("credentials.toml");
    std::fs::read_to_string(path).unwrap_or_default()
}

pub fn is_logged_in(program: &Program) -> bool {
    let listed = program.run(&["mcp", "list", "--json"]).json();
    listed[0]["logged_in"].as_bool().unwrap()
}

#[test]
fn a_login_is_found_registered_kept_for_its_owner_and_used() {
    let place = Place::start();
    let program = place.program();
    let before = program.run(&["mcp", "test", "web"]);
    assert_eq!(before.code, 1, "{before:?}");
    assert!(before.out.starts_with("web: needs login"), "{before:?}");
    assert!(before.err.contains("plim mcp login web"), "{before:?}");

    let ran = log_in(&program);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("logged in to web"), "{ran:?}");
    assert!(
        !format!("{ran:?}").contains("at-1"),
        "a token is never printed: {ran:?}"
    );
    let path = program.home().join("plimsoll").join("credentials.toml");
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(credentials(&program).contains("at-1"));
    assert!(is_logged_in(&program));

    let after = program.run(&["mcp", "test", "web"]);
    assert_eq!(after.code, 0, "{after:?}");
    assert!(after.out.contains("web__echo"), "{after:?}");
    assert!(!format!("{after:?}").contains("at-1"), "{after:?}");
    let asked = place.resource.asked();
    let mut calls = asked.iter().filter(|it| it.target == "/mcp");
    assert_eq!(
        header(calls.next_back().unwrap(), "authorization"),
        Some("Bearer at-1")
    );
    let at_authority = place.authority.asked();
    assert!(
        at_authority
            .iter()
            .all(|asked| !asked.head.contains("at-1"))
    );
    let registered = at_authority
        .iter()
        .find(|it| it.target == "/register")
        .unwrap();
    let form: Value = serde_json::from_str(&registered.body).unwrap();
    assert_eq!(form["client_name"], "Plimsoll");
    assert_eq!(form["token_endpoint_auth_method"], "none");

    let gone = program.run(&["mcp", "logout", "web"]);
    assert_eq!(gone.code, 0, "{gone:?}");
    assert!(!credentials(&program).contains("at-1"));
    assert_eq!(program.run(&["mcp", "logout", "web"]).code, 1);
    assert_eq!(program.run(&["mcp", "test", "web"]).code, 1);
}

#[test]
fn whoever_comes_back_with_another_state_changes_nothing() {
    let place = Place::start();
    let program = place.program();
    let begun = begin(&program);
    let back = begun.way_back();
    let mut forged = Url::parse(&back).unwrap();
    forged.set_query(Some("code=code-1&state=forged"));
    let (status, _, body) = page(forged.as_str());
    assert_eq!(status, 400);
    assert!(body.contains("Nothing was done"), "{body}");
    assert!(place.token_forms().is_empty(), "no code was exchanged");
    let (status, ..) = page(&back);
    assert_eq!(status, 200);
    assert_eq!(begun.end().code, 0, "the true one still counts");
}

#[test]
fn a_login_that_is_refused_says_why_and_stores_nothing() {
    let place = Place::start();
    let program = place.program();
    let begun = begin(&program);
    let mut refused = Url::parse(&begun.way_back()).unwrap();
    let state = refused
        .query_pairs()
        .find(|it| it.0 == "state")
        .unwrap()
        .1
        .into_owned();
    refused.set_query(None);
    refused
        .query_pairs_mut()
        .append_pair("error", "access_denied")
        .append_pair("error_description", "not \u{1b}[31myou")
        .append_pair("state", &state);
    page(refused.as_str());
    let ran = begun.end();
    assert_eq!(ran.code, 1);
    assert!(
        ran.err
            .contains("the login was refused: access_denied not you"),
        "{ran:?}"
    );
    assert_eq!(credentials(&program), "");
}

#[test]
fn a_token_that_expired_is_renewed_and_one_that_was_revoked_needs_a_login() {
    let place = Place::start();
    let program = place.program();
    place.set(|it| it.expires_in = 0);
    assert_eq!(log_in(&program).code, 0);
    place.set(|it| it.expires_in = 3_600);
    let renewed = program.run(&["mcp", "test", "web"]);
    assert_eq!(renewed.code, 0, "{renewed:?}");
    assert!(
        credentials(&program).contains("rt-2"),
        "the newer refresh token is kept"
    );
    let forms = place.token_forms();
    assert!(
        forms[1].contains("refresh_token=rt-1") && forms[1].contains("resource="),
        "{forms:?}"
    );

    // The server takes no token of before, and the refresh token is revoked.
    place.set(|it| {
        it.given += 1;
        it.is_revoked = true;
    });
    let over = program.run(&["mcp", "test", "web"]);
    assert_eq!(over.code, 1, "{over:?}");
    assert!(over.out.starts_with("web: needs login"), "{over:?}");
    assert!(!is_logged_in(&program), "what was rejected is forgotten");
    assert!(!format!("{over:?}").contains("rt-2"), "{over:?}");
}

#[test]
fn another_address_under_the_same_name_gets_no_token() {
    let place = Place::start();
    let program = place.program();
    assert_eq!(log_in(&program).code, 0);
    let other = McpWeb::start(newest);
    configure(&program, &format!("{}/mcp", other.base));
    let ran = program.run(&["mcp", "test", "web"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let asked = other.asked();
    assert!(!asked.is_empty());
    assert!(asked.iter().all(|it| header(it, "authorization").is_none()));
    assert!(!is_logged_in(&program));
}

#[test]
fn an_authority_that_cannot_be_trusted_is_refused_before_anything_is_opened() {
    for (key, value, expected) in [
        (
            "authorization_endpoint",
            json!("file:///etc/passwd"),
            "not encrypted",
        ),
        (
            "authorization_endpoint",
            json!("javascript:alert(1)"),
            "not encrypted",
        ),
        (
            "authorization_endpoint",
            json!("http://example.org/a"),
            "not encrypted",
        ),
        ("issuer", json!("https://example.org"), "issuer"),
        ("code_challenge_methods_supported", json!(["plain"]), "PKCE"),
        ("registration_endpoint", json!(null), "client_id"),
    ] {
        let place = Place::start();
        place.set(|it| {
            it.metadata.insert(key.to_owned(), value.clone());
        });
        let ran = place.program().run(&["mcp", "login", "web"]);
        assert_eq!(ran.code, 1, "{key}: {ran:?}");
        assert!(ran.err.contains("not logged in to web: "), "{key}: {ran:?}");
        assert!(ran.err.contains(expected), "{key}: {ran:?}");
        assert!(!ran.out.contains("http"), "{key}: {ran:?}");
    }
}

#[test]
fn a_server_that_asks_for_no_login_gets_none() {
    let web = McpWeb::start(|asked, body| {
        if asked.target.starts_with("/.well-known/") {
            return Act::Answer(404, String::new(), String::new());
        }
        newest(asked, body)
    });
    let program = Program::new();
    configure(&program, &format!("{}/mcp", web.base));
    let ran = program.run(&["mcp", "login", "web"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("it does not ask for a login"), "{ran:?}");
}
