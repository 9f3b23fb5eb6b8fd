//! The kind of identifier that a token is by itself: what points at one thing wherever it
//! stands. Prose with slashes (`and/or`), decimals, round numbers (`300000`), file modes,
//! standard devices and standard names (`UTF-8`) are none. What code and quantities are
//! called is found with the line around it, in `symbols`.

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
    /// A host by its name, `db7.corp.example.com`, `redis-cache-02`.
    Host,
    /// An IP address, with a port or a mask where written.
    Ip,
    /// `call_…`, `ABC-123`, `#4512`.
    Id,
    /// A mail address.
    Mail,
    /// A name in code: a function, a type, a field, a module, a migration.
    Symbol,
    /// An option of a command, `--no-verify`.
    Flag,
    /// A variable or constant, `KELP_SPOOL_DIR`.
    Variable,
    /// `E0382`, `ENOENT`, `TS2345`.
    ErrorCode,
    /// A version, or a package with its version.
    Version,
    /// A branch, a revision or a range of them.
    GitRef,
    /// The number of a port.
    Port,
    /// A size or a sum of money, with its unit.
    Quantity,
    /// A day, `2026-03-10`.
    Date,
}

impl IdentifierKind {
    /// Whether upper and lower case mean the same.
    pub fn ignores_case(self) -> bool {
        matches!(self, Self::Uuid | Self::Hex)
    }

    /// Whether it points at one thing by its text alone, so that a misspelling of it is one
    /// of nothing else.
    pub fn is_pointer(self) -> bool {
        match self {
            Self::Uuid
            | Self::Hex
            | Self::Number
            | Self::Url
            | Self::Path
            | Self::WindowsPath
            | Self::HostPort
            | Self::Ip
            | Self::Id
            | Self::Mail => true,
            Self::Host
            | Self::Symbol
            | Self::Flag
            | Self::Variable
            | Self::ErrorCode
            | Self::Version
            | Self::GitRef
            | Self::Port
            | Self::Quantity
            | Self::Date => false,
        }
    }

    /// Whether it is the name of a file.
    pub fn is_file(self) -> bool {
        matches!(self, Self::Path | Self::WindowsPath)
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

/// How a number ends that measures something: a time limit, a size.
const ROUND: &str = "000";
/// The modes of files as git prints them.
const FILE_MODES: [&str; 4] = ["100644", "100755", "120000", "040000"];
/// Files that every system has and that hold nothing.
const DEVICES: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
    "/dev/random",
    "/dev/urandom",
];

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
        let is_measure = token.ends_with(ROUND) || FILE_MODES.contains(&token);
        return (!is_measure).then_some(IdentifierKind::Number);
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
    if is_mail(token) {
        return Some(IdentifierKind::Mail);
    }
    if is_id(token) {
        return Some(IdentifierKind::Id);
    }
    (is_host(token) || is_numbered_host(token)).then_some(IdentifierKind::Host)
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
    if bare.contains(':') || bare.contains("//") || DEVICES.contains(&bare) {
        return false;
    }
    // `a\.Type` is a regular expression, `\n/src` has an escape; a Windows path that is
    // written with both kinds of separator begins with its drive.
    let is_escaped = bare.contains("\\.") && !bare.contains("\\..\\") && !bare.starts_with("..");
    if is_escaped || bare.contains('\\') && bare.contains('/') || bare.ends_with('\\') {
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
    if joined_names(bare).is_some() || HALF_NAMES.iter().any(|half| bare.starts_with(half)) {
        return false;
    }
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

/// The names in `main.ts/renderer.ts`: a slash between files, not a path.
pub(super) fn joined_names(token: &str) -> Option<Vec<&str>> {
    let is_file = |piece: &str| {
        extension(piece).is_some_and(|ext| EXTENSIONS.contains(&ext.to_lowercase().as_str()))
    };
    let pieces: Vec<&str> = token.split('/').collect();
    (pieces.len() > 1 && pieces.iter().all(|piece| is_file(piece))).then_some(pieces)
}

/// How file names end that are named without their beginning.
const HALF_NAMES: [&str; 4] = ["_test.", "_spec.", ".test.", ".spec."];

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
pub(super) fn extension(name: &str) -> Option<&str> {
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

/// Ends of names of hosts that no code has at the end of a chain of names.
const TOP_LEVELS: [&str; 31] = [
    "arpa",
    "cloud",
    "cn",
    "co",
    "com",
    "corp",
    "de",
    "dev",
    "edu",
    "es",
    "eu",
    "example",
    "fr",
    "gov",
    "home",
    "intern",
    "internal",
    "intra",
    "io",
    "jp",
    "kr",
    "lan",
    "local",
    "localdomain",
    "net",
    "nl",
    "org",
    "private",
    "pl",
    "ru",
    "uk",
];
/// Beginnings of package names in Java and its kin, which are hosts turned round.
const PACKAGE_ROOTS: [&str; 6] = ["com", "org", "net", "java", "javax", "android"];

/// `db7.corp.example.com`, `db-prod.lindenhof.intern`; not `github.com`, which points at nothing.
fn is_host(token: &str) -> bool {
    let labels: Vec<&str> = token.split('.').collect();
    let is_label = |label: &&str| {
        let is_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        !label.is_empty() && !label.starts_with('-') && label.bytes().all(is_name)
    };
    let [first, .., last] = labels.as_slice() else {
        return false;
    };
    let is_own = labels.len() > 2 || first.bytes().any(|b| b.is_ascii_digit() || b == b'-');
    is_own
        && labels.iter().all(is_label)
        && first.starts_with(|c: char| c.is_ascii_alphabetic())
        && TOP_LEVELS.contains(last)
        && !PACKAGE_ROOTS.contains(first)
}

/// A machine of several, `redis-cache-02`, `web-01`; not `gpt-4` and not `iso-8859-1`.
fn is_numbered_host(token: &str) -> bool {
    let Some((name, number)) = token.rsplit_once('-') else {
        return false;
    };
    let parts: Vec<&str> = name.split('-').collect();
    let is_part = |part: &&str| {
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    let is_number = (1..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    let is_one_of_many = parts.len() > 1 || number.len() > 1 && number.starts_with('0');
    is_number && is_one_of_many && parts.iter().all(is_part)
}

fn is_mail(token: &str) -> bool {
    let Some((name, host)) = token.split_once('@') else {
        return false;
    };
    let is_word = |text: &str| {
        text.bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'+'))
    };
    !name.is_empty()
        && is_word(name)
        && is_word(host)
        && host.rsplit_once('.').is_some_and(|(domain, top)| {
            !domain.is_empty() && top.len() > 1 && top.bytes().all(|b| b.is_ascii_alphabetic())
        })
}

/// Prefixes of standards and algorithms that look like tickets.
const STANDARDS: &[&str] = &[
    "UTF", "SHA", "ISO", "AES", "RSA", "GPT", "HTTP", "TLS", "MD", "COVID", "IEEE", "ANSI", "CP",
    "IPV", "H",
];

/// Whether a name is one of a standard or an algorithm: `SHA`, which numbers follow.
pub(super) fn is_standard(name: &str) -> bool {
    STANDARDS.contains(&name)
}

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
            && !is_standard(project);
    }
    if let Some(number) = token.strip_prefix("CVE-") {
        return number.split('-').count() == 2
            && number.bytes().all(|b| b.is_ascii_digit() || b == b'-');
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
