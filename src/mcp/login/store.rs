//! What logins left: tokens of servers, in the file of `plim login`, each for one server at
//! one address. A server that is described with another address has none.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, CredentialRefreshGuard,
    CredentialStore, OAuthClientConfig, StoredCredentials,
};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use url::Url;

use super::web::LoginHttp;
use crate::config::ConfigError;
use crate::config::secrets::{self, ServerToken};
use crate::disk::private;
use crate::mcp::link::reasons::with_cause;
use crate::provider::ServerClients;

/// How often, and how many times, the lock of another process is tried.
const LOCK_EVERY: Duration = Duration::from_millis(50);
const LOCK_TRIES: u32 = 600;

/// See the module's description.
#[derive(Clone)]
pub(in crate::mcp) struct LoginStore {
    file: PathBuf,
    server: String,
    url: String,
    /// What belongs to the next credentials.
    next: Arc<Mutex<Option<Beside>>>,
}

/// What is kept beside the credentials.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Beside {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<AuthorizationMetadata>,
    /// Permissions that a call lacked; the next login asks for them too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lacking: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct KeptLogin {
    credentials: StoredCredentials,
    #[serde(flatten)]
    beside: Beside,
}

/// A kind of token, as RFC 7009 names them.
#[derive(Clone, Copy)]
pub(super) enum TokenKind {
    Refresh,
    Access,
}

impl TokenKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Refresh => "refresh_token",
            Self::Access => "access_token",
        }
    }
}

/// A login whose tokens are to be revoked.
pub(super) struct RevocableLogin {
    pub client_id: String,
    pub client_secret: Option<String>,
    pub tokens: Vec<(TokenKind, String)>,
    metadata: AuthorizationMetadata,
}

impl RevocableLogin {
    /// What the authorization server says of itself.
    pub(super) fn fact(&self, name: &str) -> Option<&serde_json::Value> {
        self.metadata.additional_fields.get(name)
    }

    /// Whether the authorization server wants the secret beside the token, and not as a header.
    pub(super) fn sends_secret_in_form(&self) -> bool {
        let methods = self
            .fact("revocation_endpoint_auth_methods_supported")
            .or_else(|| self.fact("token_endpoint_auth_methods_supported"))
            .and_then(serde_json::Value::as_array);
        let has = |name: &str| methods.is_some_and(|all| all.iter().any(|it| it == name));
        has("client_secret_post") && !has("client_secret_basic")
    }
}

impl LoginStore {
    pub(in crate::mcp) fn new(file: &Path, server: &str, url: &Url) -> Self {
        Self {
            file: file.to_owned(),
            server: server.to_owned(),
            url: url.to_string(),
            next: Arc::default(),
        }
    }

    /// What is kept with the credentials that come next.
    pub(super) fn will_keep(&self, client_secret: Option<String>, metadata: AuthorizationMetadata) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        *next = Some(Beside {
            client_secret,
            metadata: Some(metadata),
            lacking: Vec::new(),
        });
    }

    /// Keeps what a call lacked, for the next login. Without a login there is nothing to add
    /// to.
    pub(in crate::mcp) fn keep_lacking(&self, scopes: &[String]) {
        let Ok(Some(mut kept)) = self.kept() else {
            return;
        };
        let before = kept.beside.lacking.len();
        for scope in scopes {
            if !kept.beside.lacking.contains(scope) {
                kept.beside.lacking.push(scope.clone());
            }
        }
        if kept.beside.lacking.len() == before {
            return;
        }
        if let Err(error) = self.write(&kept) {
            tracing::warn!(%error, "what a login lacks could not be kept");
        }
    }

    /// What a login has to ask for beside what it asks for at first: when a call lacked
    /// something, that and all that is granted now.
    pub(super) fn step_up(&self) -> Vec<String> {
        let Some(kept) = self.kept().ok().flatten() else {
            return Vec::new();
        };
        if kept.beside.lacking.is_empty() {
            return Vec::new();
        }
        let granted = kept.credentials.granted_scopes.into_iter();
        granted.chain(kept.beside.lacking).collect()
    }

    /// The login, to be revoked.
    pub(super) fn revocable(&self) -> Option<RevocableLogin> {
        let kept = self.kept().ok().flatten()?;
        let response = serde_json::to_value(&kept.credentials.token_response).ok()?;
        let token = |kind: TokenKind| Some((kind, response.get(kind.name())?.as_str()?.to_owned()));
        // The one that renews first: it is good for longest.
        let tokens = [TokenKind::Refresh, TokenKind::Access].map(token);
        Some(RevocableLogin {
            client_id: kept.credentials.client_id,
            client_secret: kept.beside.client_secret,
            tokens: tokens.into_iter().flatten().collect(),
            metadata: kept.beside.metadata.unwrap_or_default(),
        })
    }

    /// The state machine that renews the tokens of this server; `None` when nobody is logged
    /// in to it.
    pub(in crate::mcp) async fn manager(
        &self,
        clients: &ServerClients,
    ) -> Result<Option<AuthorizationManager>, String> {
        // A file that cannot be read is named by `plim doctor`.
        let Some(kept) = self.kept().ok().flatten() else {
            return Ok(None);
        };
        let url = Url::parse(&self.url).map_err(|error| error.to_string())?;
        let http = Arc::new(LoginHttp::new(clients.clone(), &url));
        let made = AuthorizationManager::new_with_oauth_http_client(url, http).await;
        let mut manager = made.map_err(|error| with_cause(&error))?;
        manager.set_credential_store(self.clone());
        let found = manager.resolve_metadata().await;
        let found = found.ok().filter(|found| found.source.is_discovered());
        // An authorization server that does not answer now may answer when it is needed.
        if let Some(metadata) = found.map(|it| it.metadata).or(kept.beside.metadata) {
            manager.set_metadata(metadata);
        }
        let is_valid = manager.initialize_from_store().await;
        if !is_valid.map_err(|error| with_cause(&error))? {
            return Ok(None);
        }
        if let Some(secret) = kept.beside.client_secret {
            let client = OAuthClientConfig::new(kept.credentials.client_id, &self.url);
            let configured = manager.configure_client(client.with_client_secret(secret));
            configured.map_err(|error| with_cause(&error))?;
        }
        Ok(Some(manager))
    }

    /// Whether there is a login.
    pub(in crate::mcp) fn has_login(&self) -> bool {
        matches!(self.kept(), Ok(Some(_)))
    }

    fn kept(&self) -> Result<Option<KeptLogin>, AuthError> {
        let found =
            secrets::server_token(&self.file, &self.server).map_err(|error| not_stored(&error))?;
        let found = found.filter(|token| token.url == self.url);
        // One that this version cannot read is none.
        Ok(found.and_then(|it| serde_json::from_str(it.login.expose_secret()).ok()))
    }

    fn keep(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let next = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            next.take()
        };
        let beside = match next {
            Some(beside) => beside,
            None => self.kept()?.map(|it| it.beside).unwrap_or_default(),
        };
        self.write(&KeptLogin {
            credentials,
            beside,
        })
    }

    fn write(&self, kept: &KeptLogin) -> Result<(), AuthError> {
        let text = serde_json::to_string(kept)
            .map_err(|error| AuthError::CredentialStoreError(error.to_string()))?;
        let token = ServerToken {
            url: self.url.clone(),
            login: SecretString::from(text),
        };
        secrets::store_server_token(&self.file, &self.server, &token)
            .map_err(|error| not_stored(&error))
    }

    fn forget(&self) -> Result<(), AuthError> {
        let forgotten = secrets::forget_server_token(&self.file, &self.server);
        forgotten.map(|_| ()).map_err(|error| not_stored(&error))
    }
}

#[async_trait]
impl CredentialStore for LoginStore {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        Ok(self.kept()?.map(|it| it.credentials))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        self.keep(credentials)
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.forget()
    }

    /// A login that the server does not renew is over, unless there is a newer one by now.
    async fn on_refresh_token_rejected(&self, old: &StoredCredentials) -> Result<(), AuthError> {
        let Some(now) = self.kept()? else {
            return Ok(());
        };
        let text = |credentials: &StoredCredentials| serde_json::to_value(credentials).ok();
        if text(&now.credentials) == text(old) {
            self.forget()?;
        }
        Ok(())
    }

    /// Two processes do not use the same refresh token at the same time: many servers take it
    /// once.
    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let file = private::append(&self.file.with_extension("lock"));
        let file = file.map_err(|error| AuthError::CredentialStoreError(error.to_string()))?;
        for _ in 0..LOCK_TRIES {
            match File::try_lock(&file) {
                Ok(()) => return Ok(Some(CredentialRefreshGuard::new(file))),
                Err(std::fs::TryLockError::WouldBlock) => tokio::time::sleep(LOCK_EVERY).await,
                // A file system without locks.
                Err(std::fs::TryLockError::Error(_)) => return Ok(None),
            }
        }
        Err(AuthError::CredentialStoreError(
            "another process has been renewing a login for half a minute".to_owned(),
        ))
    }
}

fn not_stored(error: &ConfigError) -> AuthError {
    AuthError::CredentialStoreError(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credentials(client: &str) -> StoredCredentials {
        serde_json::from_value(serde_json::json!({"client_id": client, "token_response": {
            "access_token": "at-secret", "token_type": "bearer", "refresh_token": "rt-secret"}}))
        .unwrap()
    }

    #[tokio::test]
    async fn a_token_is_kept_for_one_server_at_one_address() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("credentials.toml");
        let url = Url::parse("https://example.org/mcp").unwrap();
        let store = LoginStore::new(&file, "a", &url);
        store.will_keep(Some("cs".to_owned()), AuthorizationMetadata::default());
        store.save(credentials("one")).await.unwrap();
        assert_eq!(store.load().await.unwrap().unwrap().client_id, "one");
        let secret = |store: &LoginStore| store.kept().unwrap().unwrap().beside.client_secret;
        assert_eq!(secret(&store).as_deref(), Some("cs"));
        // A renewal keeps what is beside.
        store.save(credentials("two")).await.unwrap();
        assert_eq!(secret(&store).as_deref(), Some("cs"));
        let elsewhere = Url::parse("https://example.com/mcp").unwrap();
        for other in [
            LoginStore::new(&file, "a", &elsewhere),
            LoginStore::new(&file, "b", &url),
        ] {
            assert!(other.load().await.unwrap().is_none());
        }
        // What was rejected is forgotten, what is newer is not.
        store
            .on_refresh_token_rejected(&credentials("one"))
            .await
            .unwrap();
        assert!(store.load().await.unwrap().is_some());
        let newest = store.load().await.unwrap().unwrap();
        store.on_refresh_token_rejected(&newest).await.unwrap();
        assert!(store.load().await.unwrap().is_none());
    }

    #[tokio::test]
    async fn one_renewal_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let url = Url::parse("https://example.org/mcp").unwrap();
        let store = LoginStore::new(&folder.path().join("credentials.toml"), "a", &url);
        let first = store.acquire_refresh_guard().await.unwrap();
        let second = tokio::time::timeout(LOCK_EVERY * 4, store.acquire_refresh_guard()).await;
        assert!(second.is_err(), "it waits");
        drop(first);
        assert!(store.acquire_refresh_guard().await.unwrap().is_some());
    }
}
