//! The facts of this machine: certificates, proxies, clock, folders, terminal.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use plimsoll::agent::AgentSetup;
use plimsoll::disk::open;
use plimsoll::provider::{EndpointReport, Registry, Roots, has_system_roots, shown_url};
use plimsoll::session::to_rfc3339;
use plimsoll::transcript::Timestamp;

use super::DoctorProblem;

/// Variables that send requests through a proxy, or past it.
const PROXY_VARIABLES: [&str; 8] = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
];

/// 2026-01-01T00:00:00Z: a clock before that is wrong, and no certificate holds.
const EARLIEST: Timestamp = Timestamp(1_767_225_600_000);

/// Signed requests are refused from about this difference on.
const MAX_CLOCK_SKEW_MS: i64 = 5 * 60 * 1_000;

/// See the module's description.
pub(super) struct MachineReport {
    /// The trusted certificates.
    pub roots: String,
    /// Proxy variables that are set, without names and passwords.
    pub proxies: Vec<(&'static str, String)>,
    /// The present, RFC 3339.
    pub clock: String,
    /// Where sessions are kept, and whether they can be.
    pub sessions: PathBuf,
    pub sessions_writable: bool,
    /// The terminal in a few words.
    pub terminal: String,
}

impl MachineReport {
    pub(super) fn of(setup: &AgentSetup, problems: &mut Vec<DoctorProblem>) -> Self {
        let now = setup.clock.now();
        if now < EARLIEST {
            problems.push(DoctorProblem::error(
                format!("the clock says {}", to_rfc3339(now)),
                "correct the clock: certificates are not valid at that time",
            ));
        }
        let sessions = setup.paths.sessions_dir();
        let sessions_writable = is_writable(&sessions);
        if !sessions_writable {
            problems.push(DoctorProblem::error(
                format!("{} cannot be written", sessions.display()),
                "check its permissions, or set PLIMSOLL_HOME to a writable folder",
            ));
        }
        Self {
            roots: roots(setup, problems),
            proxies: proxies(setup),
            clock: to_rfc3339(now),
            sessions,
            sessions_writable,
            terminal: terminal(setup),
        }
    }
}

/// A clock that differs from those of all servers that told theirs is the one that is wrong.
pub(super) fn wrong_clock<'a>(
    setup: &AgentSetup,
    registry: &Registry,
    asked: impl Iterator<Item = &'a EndpointReport>,
) -> Option<DoctorProblem> {
    let now = setup.clock.now();
    let told = asked.filter_map(|report| {
        let ahead = now.0 - registry.server_time(&report.id)?.0;
        Some((report.name.as_str(), ahead))
    });
    let told: Vec<(&str, i64)> = told.collect();
    let (name, ahead) = told.first()?;
    let is_off = |ahead: i64| ahead.abs() > MAX_CLOCK_SKEW_MS;
    if !told.iter().all(|(_, ahead)| is_off(*ahead)) {
        return None;
    }
    let way = if *ahead > 0 { "ahead of" } else { "behind" };
    Some(DoctorProblem::warning(
        format!(
            "the clock says {}, {} {way} that of {name}",
            to_rfc3339(now),
            long_time(ahead.unsigned_abs())
        ),
        "correct the clock: with a wrong time, certificates are refused and costs appear on the \
         wrong day",
    ))
}

/// `7 min`, `3 h`, `12 d`.
fn long_time(milliseconds: u64) -> String {
    const MINUTE_MS: u64 = 60_000;
    const HOUR_MINUTES: u64 = 60;
    const DAY_MINUTES: u64 = 24 * HOUR_MINUTES;
    match milliseconds / MINUTE_MS {
        minutes if minutes >= 2 * DAY_MINUTES => format!("{} d", minutes / DAY_MINUTES),
        minutes if minutes >= 2 * HOUR_MINUTES => format!("{} h", minutes / HOUR_MINUTES),
        minutes => format!("{minutes} min"),
    }
}

fn roots(setup: &AgentSetup, problems: &mut Vec<DoctorProblem>) -> String {
    let agent = &setup.settings.agent;
    let mut text = match agent.network.tls_roots {
        Roots::Bundled => "bundled".to_owned(),
        Roots::System if has_system_roots() => "system".to_owned(),
        Roots::System => "bundled (the system has none)".to_owned(),
    };
    if let Some(file) = &agent.network.tls_ca_file {
        let file = setup.cwd.join(file);
        text.push_str(", and ");
        text.push_str(&file.display().to_string());
        if let Err(error) = open::following(&file) {
            problems.push(DoctorProblem::error(
                format!("tls.ca_file {}: {error}", file.display()),
                "correct the path, or unset tls.ca_file",
            ));
        }
    }
    text
}

/// The variable that sends requests through a proxy.
pub(super) fn proxy_variable(setup: &AgentSetup) -> Option<&'static str> {
    let mut set = proxies(setup).into_iter().map(|(name, _)| name);
    set.find(|name| !name.eq_ignore_ascii_case("no_proxy"))
}

fn proxies(setup: &AgentSetup) -> Vec<(&'static str, String)> {
    let set = PROXY_VARIABLES.into_iter().filter_map(|name| {
        let value = setup.environment.get(name)?;
        let is_list = name.eq_ignore_ascii_case("no_proxy");
        let shown = if is_list {
            value.clone()
        } else {
            shown_url(value)
        };
        (!value.is_empty()).then_some((name, shown))
    });
    set.collect()
}

/// Whether files can be made in a folder, or in the one above it that exists.
fn is_writable(folder: &Path) -> bool {
    let existing = folder.ancestors().find(|path| path.exists());
    existing.is_some_and(|folder| tempfile::tempfile_in(folder).is_ok())
}

fn terminal(setup: &AgentSetup) -> String {
    let variable = |name: &str| {
        let value = setup.environment.get(name).map(String::as_str);
        value.unwrap_or_default().to_owned()
    };
    if !std::io::stdout().is_terminal() {
        return "stdout is not a terminal".to_owned();
    }
    let size = crossterm::terminal::size()
        .map_or_else(|_| "size unknown".to_owned(), |(w, h)| format!("{w}×{h}"));
    let colours = match variable("COLORTERM").as_str() {
        "truecolor" | "24bit" => "16 million colours",
        _ if variable("TERM").contains("256") => "256 colours",
        _ => "16 colours",
    };
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .map(variable)
        .find(|value| !value.is_empty())
        .unwrap_or_default();
    let is_utf8 = locale.to_lowercase().replace('-', "").contains("utf8");
    let letters = if is_utf8 { "UTF-8" } else { "no UTF-8 locale" };
    format!("{}, {size}, {colours}, {letters}", variable("TERM"))
}
