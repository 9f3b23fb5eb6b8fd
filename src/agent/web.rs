//! The Internet for the tool that reads pages: names by the system, pages by the HTTP client
//! that models are reached with.

use std::net::SocketAddr;

use futures::future::BoxFuture;

use crate::provider::{FetchedPage, PageClient, Trust};
use crate::tool::{WebAnswer, WebSource};

/// See the module's description.
#[derive(Clone, Debug)]
pub(in crate::agent) struct SystemWeb {
    pages: PageClient,
}

impl SystemWeb {
    pub(in crate::agent) fn new(trust: Trust) -> Self {
        Self {
            pages: PageClient::new(trust),
        }
    }
}

impl WebSource for SystemWeb {
    fn resolve<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> BoxFuture<'a, Result<Vec<SocketAddr>, String>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, port)).await;
            let found = found.map_err(|error| format!("{host} has no address: {error}"))?;
            Ok(found.collect())
        })
    }

    fn get<'a>(
        &'a self,
        url: &'a str,
        addresses: &'a [SocketAddr],
        max_bytes: usize,
    ) -> BoxFuture<'a, Result<WebAnswer, String>> {
        Box::pin(async move {
            let FetchedPage {
                status,
                content_type,
                location,
                body,
                is_cut,
            } = self.pages.get(url, addresses, max_bytes).await?;
            Ok(WebAnswer {
                status,
                content_type,
                location,
                body,
                is_cut,
            })
        })
    }
}
