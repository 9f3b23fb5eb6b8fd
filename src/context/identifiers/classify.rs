//! The kind of identifier that a token is, if any. Prose with slashes (`and/or`), versions,
//! decimals and standard names (`UTF-8`) are none.

use std::net::{IpAddr, Ipv6Addr};

use super::tokens::is_combining;

/// The kind of an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentifierKind {
    /// 8-4-4-4-12 hex digits.
    Uuid,
    /// Eight or more hex digits, or a short commit id.
    Hex,
    /// Six or more digits.
    Number,
    /// With a scheme.
    Url,
    /// A file path, absolute or relative, with `:line` where written.
    Path,
    /// A Windows or UNC path.
    WindowsPath,
    /// A host with a port.
    HostPort,
    /// An IP address, with a port or a mask where written.
    Ip,
    /// `call_…`, `ABC-123`, `#4512`.
    Id,
}

impl IdentifierKind {
    /// Whether upper and lower case mean the same.
    pub fn ignores_case(self) -> bool {
        matches!(self, Self::Uuid | Self::Hex)
    }
}

/// Lengths of a UUID's groups.
const UUID_GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
/// Fewest digits of a number that identifies something.
const MIN_NUMBER_DIGITS: usize = 6;
/// Fewest hex digits without letters and digits mixed.
const MIN_HEX_DIGITS: usize = 8;
/// Length of a commit id as git abbreviates it.
const SHORT_COMMIT_DIGITS: usize = 7;

/// Says what the token is; `None` for words, decimals and everything else.
pub fn classify(token: &str) -> Option<IdentifierKind> {
    let bytes = token.as_bytes();
    if !bytes
        .iter()
        .any(|b| b.is_ascii_digit() || matches!(b, b'/' | b'\\' | b'.' | b':'))
        && !is_all_hex(token)
    {
        return None;
    }
    if is_url(token) {
        return Some(IdentifierKind::Url);
    }
    if is_uuid(token) {
        return Some(IdentifierKind::Uuid);
    }
    if token.len() >= MIN_NUMBER_DIGITS && bytes.iter().all(u8::is_ascii_digit) {
        return Some(IdentifierKind::Number);
    }
    if is_hex_id(token) {
        return Some(IdentifierKind::Hex);
    }
    if is_ip(token) {
        return Some(IdentifierKind::Ip);
    }
    if is_windows_path(token) {
        return Some(IdentifierKind::WindowsPath);
    }
    if is_path(token) {
        return Some(IdentifierKind::Path);
    }
    if is_host_port(token) {
        return Some(IdentifierKind::HostPort);
    }
    is_id(token).then_some(IdentifierKind::Id)
}

fn is_url(token: &str) -> bool {
    token.split_once("://").is_some_and(|(scheme, rest)| {
        scheme.len() > 1
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && rest.chars().filter(|c| c.is_alphanumeric()).count() > 2
    })
}

fn is_uuid(token: &str) -> bool {
    let groups: Vec<&str> = token.split('-').collect();
    groups.len() == UUID_GROUPS.len()
        && groups
            .iter()
            .zip(UUID_GROUPS)
            .all(|(group, len)| group.len() == len && is_all_hex(group))
}

fn is_all_hex(token: &str) -> bool {
    token.len() >= SHORT_COMMIT_DIGITS && token.bytes().all(|b| b.is_ascii_hexdigit())
        || token.len() == 4 && token.bytes().all(|b| b.is_ascii_hexdigit())
}

fn is_hex_id(token: &str) -> bool {
    let digits = token.strip_prefix("0x").unwrap_or(token);
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return false;
    }
    let has_digit = digits.bytes().any(|b| b.is_ascii_digit());
    let has_letter = digits.bytes().any(|b| b.is_ascii_alphabetic());
    let is_one_case = !digits.bytes().any(|b| b.is_ascii_uppercase())
        || !digits.bytes().any(|b| b.is_ascii_lowercase());
    digits.len() >= MIN_HEX_DIGITS
        || digits.len() == SHORT_COMMIT_DIGITS && has_digit && has_letter && is_one_case
}

fn is_ip(token: &str) -> bool {
    let bare = token.split_once('/').map_or(token, |(address, mask)| {
        if mask.len() <= 3 && mask.bytes().all(|b| b.is_ascii_digit()) {
            address
        } else {
            token
        }
    });
    let with_port = bare
        .rsplit_once(':')
        .filter(|(_, port)| is_port(port))
        .map_or(bare, |(host, _)| host);
    let is_v4 = matches!(with_port.parse::<IpAddr>(), Ok(IpAddr::V4(_)));
    is_v4 || bare.len() > 5 && bare.parse::<Ipv6Addr>().is_ok()
}

fn is_port(text: &str) -> bool {
    (2..=5).contains(&text.len()) && text.parse::<u16>().is_ok_and(|port| port > 0)
}

fn is_windows_path(token: &str) -> bool {
    let mut chars = token.chars();
    let drive = matches!(
        (chars.next(), chars.next(), chars.next()),
        (Some(letter), Some(':'), Some('\\' | '/')) if letter.is_ascii_alphabetic()
    ) && token.len() > 3;
    let unc = token.strip_prefix("\\\\").is_some_and(|rest| {
        rest.split('\\').filter(|piece| !piece.is_empty()).count() > 1
            && rest.starts_with(|c: char| c.is_ascii_alphanumeric())
    });
    drive || unc
}

/// Without slashes only these make a file name; with them any extension does.
const EXTENSIONS: &[&str] = &[
    "rs", "toml", "md", "json", "jsonl", "ts", "tsx", "js", "jsx", "mjs", "cjs", "py", "pyi", "go",
    "java", "c", "h", "cc", "cpp", "hpp", "cs", "rb", "php", "sh", "bash", "zsh", "fish", "yml",
    "yaml", "lock", "txt", "sql", "html", "htm", "css", "scss", "proto", "kt", "kts", "swift",
    "scala", "xml", "csv", "tsv", "ini", "cfg", "conf", "log", "env", "ipynb", "vue", "svelte",
    "lua", "zig", "ex", "exs", "erl", "hs", "ml", "png", "jpg", "jpeg", "gif", "svg", "pdf", "bat",
    "ps1", "gradle", "tf", "diff", "patch", "db", "sqlite", "wasm", "zip", "gz", "tar", "docx",
    "xlsx", "pptx", "snap", "mdx", "rst", "tex", "nix", "dart", "pl", "r", "jl", "vim",
];

fn is_path(token: &str) -> bool {
    if token.chars().any(|c| {
        !(c.is_alphanumeric()
            || is_combining(c)
            || matches!(
                c,
                '/' | '\\' | '.' | '-' | '_' | '+' | '@' | '~' | '#' | '%' | '$' | ':'
            ))
    }) {
        return false;
    }
    let bare = without_line(token);
    if bare.contains(':') || bare.contains("//") {
        return false;
    }
    let rooted = bare.starts_with("~/") || bare.starts_with("./") || bare.starts_with("../");
    let segments: Vec<&str> = bare
        .split(['/', '\\'])
        .filter(|piece| !piece.is_empty())
        .collect();
    let Some(last) = segments.last().filter(|piece| has_letter(piece)) else {
        return false;
    };
    let is_absolute = bare.starts_with('/');
    if is_absolute {
        // `/compact` is a command, `/usr/lib` a path.
        return segments.len() > 1 && segments.iter().any(|s| s.len() > 1)
            || extension(last).is_some();
    }
    if rooted {
        return true;
    }
    match extension(last) {
        Some(_) if segments.len() > 1 => true,
        Some(ext) => {
            // Node.js, Vue.js: names of projects, not of files.
            let is_project = ext == "js" && last.starts_with(|c: char| c.is_ascii_uppercase());
            EXTENSIONS.contains(&ext.to_lowercase().as_str()) && !is_project
        }
        None => last.starts_with('.') && segments.len() > 1 || is_dotfile(bare),
    }
}

/// Well-known files that are nothing but an extension.
fn is_dotfile(name: &str) -> bool {
    matches!(
        name,
        ".env" | ".gitignore" | ".dockerignore" | ".npmrc" | ".editorconfig"
    )
}

fn has_letter(piece: &str) -> bool {
    piece.chars().any(char::is_alphabetic)
}

/// The extension of a file name, when it looks like one.
fn extension(name: &str) -> Option<&str> {
    let (stem, ext) = name.rsplit_once('.')?;
    let is_word = (1..=10).contains(&ext.len())
        && ext.bytes().all(|b| b.is_ascii_alphanumeric())
        && ext.bytes().any(|b| b.is_ascii_alphabetic());
    (!stem.is_empty() && is_word).then_some(ext)
}

/// A path without `:line` or `:line:column`.
pub fn without_line(token: &str) -> &str {
    let mut bare = token;
    for _ in 0..2 {
        match bare.rsplit_once(':') {
            Some((path, line))
                if !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit() || b == b'-') =>
            {
                bare = path;
            }
            _ => break,
        }
    }
    bare
}

fn is_host_port(token: &str) -> bool {
    let Some((host, port)) = token.rsplit_once(':') else {
        return false;
    };
    let is_name = host
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'));
    let is_host =
        host == "localhost" || host.contains('.') && has_letter(host) || host.contains('-');
    is_port(port) && is_name && is_host && host.len() > 2
}

/// Prefixes of standards and algorithms that look like tickets.
const STANDARDS: &[&str] = &[
    "UTF", "SHA", "ISO", "AES", "RSA", "GPT", "HTTP", "TLS", "MD", "COVID", "IEEE", "ANSI", "CP",
    "IPV", "H",
];

fn is_id(token: &str) -> bool {
    if let Some(number) = token.strip_prefix('#') {
        return (2..=7).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    }
    if let Some((project, number)) = token.rsplit_once('-')
        && (2..=10).contains(&project.len())
        && project
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        && project.starts_with(|c: char| c.is_ascii_uppercase())
    {
        return (1..=7).contains(&number.len())
            && number.bytes().all(|b| b.is_ascii_digit())
            && !STANDARDS.contains(&project);
    }
    token.split_once('_').is_some_and(|(prefix, rest)| {
        (2..=12).contains(&prefix.len())
            && prefix.bytes().all(|b| b.is_ascii_lowercase())
            && rest.len() >= 8
            && rest
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
            && rest.bytes().filter(u8::is_ascii_digit).count() >= 2
    })
}
