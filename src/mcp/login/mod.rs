//! Logging in to a server (OAuth 2.1, as the protocol describes it): which authorization server
//! it names, registration there, PKCE, a page in the browser, and a way back to this machine.
//!
//! The steps are those of the protocol's SDK, over our HTTP client and our store. A token is
//! kept for one server at one address; it is sent nowhere else, and printed never.

mod callback;
pub(super) mod logout;
pub(super) mod store;
mod web;

use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT, WWW_AUTHENTICATE};
use rmcp::transport::auth::{AuthorizationManager, AuthorizationRequest, AuthorizationSession};
use serde_json::{Value, json};

use self::callback::{Callback, parameter};
use self::store::LoginStore;
use self::web::LoginHttp;
use super::link::http::{HttpTarget, failure};
use super::link::process::ProgramPlace;
use super::link::reasons::{reason, with_cause};
use super::place::McpPlace;
use crate::config::{McpLogin, McpReach, McpServer};
use crate::provider::{ServerClients, ServerRedirects};

/// What the program is called at authorization servers.
const CLIENT_NAME: &str = "Plimsoll";
/// The most that one answer on the way to a login may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A login that waits for the user.
pub struct ServerLogin {
    session: AuthorizationSession,
    callback: Callback,
    state: String,
}

impl std::fmt::Debug for ServerLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ServerLogin")
    }
}

impl ServerLogin {
    /// Finds out where a login takes place, and registers there. Listens on a port of this
    /// machine from then on.
    ///
    /// # Errors
    ///
    /// Why there is no login, as one clause.
    pub async fn begin(server: &McpServer, place: &McpPlace) -> Result<Self, String> {
        let McpReach::Address {
            url,
            headers,
            login,
        } = &server.reach
        else {
            return Err("it is a program on this machine; those need no login".to_owned());
        };
        let programs = place.programs();
        let target = HttpTarget::new(url, headers, &programs)?;
        let clients = ServerClients::new(place.trust.clone());
        let asked = ask(&target, &clients).await?;
        let http = Arc::new(LoginHttp::new(clients, &target.url));
        let made = AuthorizationManager::new_with_oauth_http_client(target.url.clone(), http);
        let mut manager = made.await.map_err(|error| with_cause(&error))?;
        let found = manager.resolve_metadata_from_challenge(asked.challenge.as_deref());
        let found = found.await.map_err(|error| with_cause(&error))?;
        if !asked.is_refused && !found.source.is_discovered() {
            return Err("it does not ask for a login".to_owned());
        }
        web::check(&found.metadata.authorization_endpoint)?;
        manager.set_metadata(found.metadata.clone());
        let callback = Callback::listen(login.callback_port).await?;
        let store = LoginStore::new(&place.credentials_file, &server.name, &target.url);
        let mut scopes = if login.scopes.is_empty() {
            manager.select_initial_scopes(&[]).await
        } else {
            login.scopes.clone()
        };
        let more = store.step_up().into_iter();
        let more: Vec<String> = more.filter(|scope| !scopes.contains(scope)).collect();
        scopes.extend(more);
        let registering = Registering {
            login,
            programs: &programs,
            callback: &callback,
        };
        let registered = registering.register(&mut manager, scopes).await?;
        store.will_keep(registered.secret.clone(), found.metadata);
        manager.set_credential_store(store);
        let session = AuthorizationSession::new(manager, registered.request(&callback)).await;
        let session = session.map_err(|(_, error)| with_cause(&error))?;
        let state = parameter(&session.auth_url, "state").unwrap_or_default();
        Ok(Self {
            session,
            callback,
            state,
        })
    }

    /// The page that the user has to open.
    pub fn address(&self) -> &str {
        &self.session.auth_url
    }

    /// Waits until the browser comes back, and keeps what it brought.
    ///
    /// # Errors
    ///
    /// Why the user is not logged in, as one clause.
    pub async fn come_back(&self) -> Result<(), String> {
        let address = self.callback.wait(&self.state).await?;
        self.finish(&address).await
    }

    /// Keeps what an address brings that the user pasted: the one that the browser ended at.
    ///
    /// # Errors
    ///
    /// Why the user is not logged in, as one clause.
    pub async fn pasted(&self, address: &str) -> Result<(), String> {
        let address = address.trim();
        if parameter(address, "state").is_none_or(|state| state != self.state) {
            return Err("that is not the address at which this login ends".to_owned());
        }
        self.finish(address).await
    }

    async fn finish(&self, address: &str) -> Result<(), String> {
        if let Some(error) = parameter(address, "error") {
            let about = parameter(address, "error_description").unwrap_or_default();
            return Err(reason(&format!("the login was refused: {error} {about}")));
        }
        let exchanged = self.session.handle_callback_url(address).await;
        exchanged.map(|_| ()).map_err(|error| with_cause(&error))
    }
}

/// How the program is known to an authorization server.
struct Registered {
    id: String,
    secret: Option<String>,
    scopes: Vec<String>,
}

/// What a registration is made of.
struct Registering<'a> {
    login: &'a McpLogin,
    programs: &'a ProgramPlace,
    callback: &'a Callback,
}

impl Registering<'_> {
    async fn register(
        &self,
        manager: &mut AuthorizationManager,
        scopes: Vec<String>,
    ) -> Result<Registered, String> {
        // An id may also be the address of a document that says who the program is: it is sent
        // as it stands.
        if let Some(id) = &self.login.client_id {
            let secret = self.login.client_secret.as_ref();
            let secret = secret.map(|secret| self.programs.filled(secret));
            return Ok(Registered {
                id: self.programs.filled(id)?,
                secret: secret.transpose()?,
                scopes,
            });
        }
        let asked: Vec<&str> = scopes.iter().map(String::as_str).collect();
        let back = self.callback.address();
        let registered = manager.register_client(CLIENT_NAME, &back, &asked);
        let registered = registered.await.map_err(|error| {
            let why = with_cause(&error);
            format!("the program could not register itself ({why}); a `client_id` in its configuration is used instead of that")
        })?;
        Ok(Registered {
            id: registered.client_id,
            secret: registered.client_secret,
            scopes,
        })
    }
}

impl Registered {
    fn request(self, callback: &Callback) -> AuthorizationRequest {
        let request = AuthorizationRequest::new(callback.address())
            .with_client_name(CLIENT_NAME)
            .with_initial_scope_selection()
            .with_scopes(self.scopes)
            .with_preregistered_client(self.id);
        match self.secret {
            Some(secret) => request.with_client_secret(secret),
            None => request,
        }
    }
}

/// What a server says to a stranger.
struct StrangerAsked {
    /// The header `WWW-Authenticate`.
    challenge: Option<String>,
    /// It wants to know who asks.
    is_refused: bool,
}

/// Asks without a token, to be told where one comes from.
async fn ask(target: &HttpTarget, clients: &ServerClients) -> Result<StrangerAsked, String> {
    let client = clients.client(target.url.as_str(), PATIENCE, ServerRedirects::SameHost)?;
    let greeting = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "plimsoll", "version": env!("CARGO_PKG_VERSION")}}});
    let headers = target.headers.iter();
    let headers = headers.map(|(name, value)| (name.clone(), value.clone()));
    let asked = client
        .post(target.url.clone())
        .header(ACCEPT, "text/event-stream, application/json")
        .headers(headers.collect())
        .json::<Value>(&greeting)
        .send();
    let answer = match tokio::time::timeout(PATIENCE, asked).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => return Err(failure(&error).why),
        Err(_) => return Err(format!("it did not answer within {} s", PATIENCE.as_secs())),
    };
    let challenge = answer.headers().get(WWW_AUTHENTICATE);
    Ok(StrangerAsked {
        challenge: challenge.and_then(|it| it.to_str().ok().map(str::to_owned)),
        is_refused: answer.status().as_u16() == 401,
    })
}
