//! Opens an address in the person's browser, when they said so.

use std::process::{Command, Stdio};

use url::Url;

/// Opens an address of the web: with the program in `BROWSER`, or with the desktop's own. `env`
/// gives variables of the environment. Whether a program was started.
pub fn open(address: &str, env: impl Fn(&str) -> Option<String>) -> bool {
    let scheme = Url::parse(address).map(|url| url.scheme().to_owned());
    if !matches!(scheme.as_deref(), Ok("http" | "https")) {
        return false;
    }
    let Some(program) = program(env) else {
        return false;
    };
    let started = Command::new(program)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut browser) = started else {
        return false;
    };
    // Somebody has to hear of its end.
    std::thread::spawn(move || browser.wait());
    true
}

fn program(env: impl Fn(&str) -> Option<String>) -> Option<String> {
    let set = |name: &str| env(name).filter(|value| !value.is_empty());
    if let Some(browser) = set("BROWSER") {
        return Some(browser);
    }
    let is_near = set("SSH_CONNECTION").is_none();
    if cfg!(target_os = "macos") && is_near {
        return Some("open".to_owned());
    }
    let has_desktop = set("DISPLAY").is_some() || set("WAYLAND_DISPLAY").is_some();
    has_desktop.then(|| "xdg-open".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_the_persons_or_the_desktops() {
        let with = |set: &'static [(&str, &str)]| {
            program(move |name| {
                let found = set.iter().find(|(it, _)| *it == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(with(&[("BROWSER", "ff")]).as_deref(), Some("ff"));
        assert_eq!(with(&[("SSH_CONNECTION", "x"), ("BROWSER", "")]), None);
        if cfg!(target_os = "linux") {
            assert_eq!(with(&[("DISPLAY", ":0")]).as_deref(), Some("xdg-open"));
            assert_eq!(with(&[]), None);
        }
    }

    #[test]
    fn only_addresses_of_the_web_are_opened() {
        for address in ["file:///etc/passwd", "javascript:x", "no address", "-h"] {
            let opened = open(address, |_| Some("true".to_owned()));
            assert!(!opened, "{address}");
        }
        assert!(open("https://example.org/", |_| Some("true".to_owned())));
        assert!(!open("https://example.org/", |_| None));
        let missing = |_: &str| Some("/no/such/browser".to_owned());
        assert!(!open("https://example.org/", missing));
    }
}
