//! Logging out: the login is deleted here in any case, and its tokens are revoked where they
//! came from when that offers it (RFC 7009).

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::Value;
use url::Url;
use url::form_urlencoded::{Serializer, byte_serialize};

use super::store::{LoginStore, RevocableLogin, TokenKind};
use super::web::LoginHttp;
use crate::config::ConfigError;
use crate::config::secrets;
use crate::mcp::link::reasons::reason;
use crate::mcp::place::McpPlace;
use crate::provider::{ServerClients, ServerRedirects};

/// What became of the tokens of a login that was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// They are revoked, by this host.
    Done(String),
    /// The authorization server names no way to revoke them.
    NotOffered,
    /// They may still be good. Why, as one clause.
    Failed(String),
}

/// Deletes the login of a server, by its name, and revokes its tokens. `None`: there is none.
///
/// # Errors
///
/// The file of the logins cannot be read or written; nothing was revoked then.
pub async fn log_out(server: &str, place: &McpPlace) -> Result<Option<Revocation>, ConfigError> {
    let file = &place.credentials_file;
    let Some(token) = secrets::server_token(file, server)? else {
        return Ok(None);
    };
    let login = Url::parse(&token.url).ok().and_then(|url| {
        let login = LoginStore::new(file, server, &url).revocable()?;
        Some((url, login))
    });
    secrets::forget_server_token(file, server)?;
    let Some((url, login)) = login else {
        return Ok(Some(Revocation::NotOffered));
    };
    let http = LoginHttp::new(ServerClients::new(place.trust.clone()), &url);
    Ok(Some(revoke(&http, &login).await))
}

/// Revokes the tokens of a login.
async fn revoke(http: &LoginHttp, login: &RevocableLogin) -> Revocation {
    let Some(endpoint) = login.fact("revocation_endpoint").and_then(Value::as_str) else {
        return Revocation::NotOffered;
    };
    for (kind, token) in &login.tokens {
        let sent = match request(login, endpoint, *kind, token) {
            Ok(request) => http.answer(request, ServerRedirects::Never).await,
            Err(error) => Err(error.to_string()),
        };
        match sent {
            Ok(answer) if answer.status().is_success() => {}
            Ok(answer) => {
                let (kind, status) = (kind.name(), answer.status());
                return Revocation::Failed(format!("the {kind} was answered with HTTP {status}"));
            }
            Err(why) => return Revocation::Failed(reason(&why)),
        }
    }
    let host = Url::parse(endpoint).ok();
    let host = host.as_ref().and_then(Url::host_str);
    Revocation::Done(host.unwrap_or_default().to_owned())
}

fn request(
    login: &RevocableLogin,
    endpoint: &str,
    kind: TokenKind,
    token: &str,
) -> Result<http::Request<Vec<u8>>, http::Error> {
    let mut form = Serializer::new(String::new());
    form.append_pair("token", token);
    form.append_pair("token_type_hint", kind.name());
    let mut request =
        http::Request::post(endpoint).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    match &login.client_secret {
        Some(secret) if !login.sends_secret_in_form() => {
            let part = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
            let pair = format!("{}:{}", part(&login.client_id), part(secret));
            let basic = format!("Basic {}", BASE64_STANDARD.encode(pair));
            request = request.header(AUTHORIZATION, basic);
        }
        secret => {
            form.append_pair("client_id", &login.client_id);
            if let Some(secret) = secret {
                form.append_pair("client_secret", secret);
            }
        }
    }
    request.body(form.finish().into_bytes())
}
