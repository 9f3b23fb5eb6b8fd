//! Which proxy a request goes through, as far as the environment says it: for errors, which
//! would else name a host that nobody tried to reach. The HTTP library reads the same variables.

use reqwest::Url;

use super::address::shown;
use crate::provider::error::ProviderError;
use crate::provider::registry::environment::Environment;

/// The variables that name proxies, and the hosts that are reached without one.
#[derive(Clone, Debug, Default)]
pub(in crate::provider) struct ProxyVariables {
    https: Option<NamedProxy>,
    http: Option<NamedProxy>,
    /// Hosts and domains; `*` is all of them.
    excepted: Vec<String>,
}

/// A proxy and who names it.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::provider) struct NamedProxy {
    variable: &'static str,
    address: String,
}

impl std::fmt::Debug for NamedProxy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.variable, shown(&self.address))
    }
}

impl NamedProxy {
    /// ` through the proxy 127.0.0.1:3128 (HTTPS_PROXY)`, to follow the name of a host.
    pub(super) fn clause(&self) -> String {
        format!(
            " through the proxy {} ({})",
            shown(&self.address),
            self.variable
        )
    }

    /// Whether it is an address at all.
    fn is_usable(&self) -> bool {
        let address = &self.address;
        let url = if address.contains("://") {
            Url::parse(address)
        } else {
            Url::parse(&format!("http://{address}"))
        };
        url.is_ok_and(|url| url.host_str().is_some_and(|host| !host.is_empty()))
    }
}

impl ProxyVariables {
    pub(in crate::provider) fn of(environment: &Environment) -> Self {
        let named = |names: [&'static str; 4]| {
            let mut set = names.into_iter().filter_map(|variable| {
                let address = environment.get(variable)?.to_owned();
                Some(NamedProxy { variable, address })
            });
            set.next()
        };
        let mut excepted = ["NO_PROXY", "no_proxy"].into_iter();
        let excepted = excepted.find_map(|name| environment.get(name));
        let excepted = excepted.unwrap_or_default().split(',');
        Self {
            https: named(["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]),
            http: named(["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]),
            excepted: excepted
                .map(|host| host.trim().trim_start_matches('.').to_ascii_lowercase())
                .filter(|host| !host.is_empty())
                .collect(),
        }
    }

    /// The proxy of a request to an address that is not on this machine.
    pub(super) fn of_url(&self, url: &str) -> Option<&NamedProxy> {
        let url = Url::parse(url).ok()?;
        let host = url.host_str()?.to_ascii_lowercase();
        let is_excepted = |domain: &String| {
            let above = host.strip_suffix(domain.as_str());
            domain == "*" || above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
        };
        if self.excepted.iter().any(is_excepted) {
            return None;
        }
        match url.scheme() {
            "https" => self.https.as_ref(),
            _ => self.http.as_ref(),
        }
    }

    /// Fails where a proxy is named that cannot be one: the library would go without it.
    pub(super) fn check(&self, url: &str) -> Result<(), ProviderError> {
        match self.of_url(url).filter(|proxy| !proxy.is_usable()) {
            Some(proxy) => Err(ProviderError::NotSetUp {
                message: format!(
                    "{} is {:?}; expected the URL of a proxy, such as http://127.0.0.1:3128",
                    proxy.variable,
                    shown(&proxy.address)
                ),
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(set: &[(&str, &str)]) -> ProxyVariables {
        let set = set.iter();
        let environment: Environment = set
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        ProxyVariables::of(&environment)
    }

    #[test]
    fn the_variable_of_the_scheme_comes_first_and_hosts_can_be_excepted() {
        let all = variables(&[
            ("HTTPS_PROXY", "http://me:secret@one:1"),
            ("http_proxy", "two:2"),
            ("ALL_PROXY", "three:3"),
            ("NO_PROXY", "localhost, .example.org,api.test"),
        ]);
        let clause = |url: &str| all.of_url(url).map(NamedProxy::clause);
        let through = |it: &str| Some(format!(" through the proxy {it}"));
        for (url, expected) in [
            (
                "https://api.openai.com/v1",
                through("http://one:1 (HTTPS_PROXY)"),
            ),
            ("http://box:8080/v1", through("two:2 (http_proxy)")),
            ("https://a.example.org", None),
            ("https://example.org", None),
            (
                "https://notexample.org",
                through("http://one:1 (HTTPS_PROXY)"),
            ),
            ("http://api.test:9/v1", None),
            ("no address", None),
        ] {
            assert_eq!(clause(url), expected, "{url}");
        }
        let one = variables(&[("all_proxy", "three:3"), ("no_proxy", "*")]);
        assert_eq!(one.of_url("https://a"), None);
        let one = variables(&[("all_proxy", "three:3")]);
        let said = one.of_url("https://a").map(NamedProxy::clause);
        assert_eq!(said, through("three:3 (all_proxy)"));
    }

    #[test]
    fn what_is_no_address_is_said_before_anything_is_sent() {
        for nonsense in ["nonsense:::", "http://", "://x", "http://a b"] {
            let set = variables(&[("HTTPS_PROXY", nonsense)]);
            let error = set.check("https://api.test").unwrap_err().to_string();
            assert!(error.contains("HTTPS_PROXY is"), "{error}");
            assert!(set.check("http://api.test").is_ok());
        }
        for usable in ["http://a:1", "a:1", "socks5://a:1", "10.0.0.1:3128"] {
            let set = variables(&[("HTTPS_PROXY", usable)]);
            assert!(set.check("https://api.test").is_ok(), "{usable}");
        }
    }
}
