//! Names in code, told from words by their shape and by what stands around them: two humps,
//! an underscore, `::`, a call's parentheses, back quotes. No dictionary: what a shape does
//! not tell is taken for a name only where it is set as code.

use super::classify::{IdentifierKind, extension, is_standard};

/// Longest name, in bytes.
const MAX_NAME_BYTES: usize = 80;
/// Shortest name, in bytes.
const MIN_NAME_BYTES: usize = 3;

/// Words that introduce a name in code.
const DEFINES: [&str; 17] = [
    "fn",
    "def",
    "class",
    "struct",
    "enum",
    "trait",
    "interface",
    "type",
    "function",
    "func",
    "impl",
    "mod",
    "module",
    "const",
    "static",
    "let",
    "var",
];

/// Words of languages and of their standard libraries: they are in every program.
const COMMON: &[&str] = &[
    "addEventListener",
    "and",
    "any",
    "args",
    "as_bytes",
    "as_ref",
    "as_str",
    "assert_eq",
    "async",
    "await",
    "bool",
    "boolean",
    "break",
    "BTreeMap",
    "BTreeSet",
    "bytes",
    "catch",
    "char",
    "class",
    "code",
    "const",
    "continue",
    "data",
    "def",
    "default",
    "dict",
    "elif",
    "else",
    "Err",
    "Error",
    "error",
    "except",
    "expect",
    "export",
    "false",
    "False",
    "FileNotFoundError",
    "finally",
    "float",
    "for",
    "forEach",
    "format",
    "from",
    "FromStr",
    "func",
    "function",
    "get",
    "getElementById",
    "HashMap",
    "HashSet",
    "i32",
    "i64",
    "impl",
    "import",
    "int",
    "into_iter",
    "isinstance",
    "is_empty",
    "is_err",
    "is_none",
    "is_ok",
    "is_some",
    "item",
    "items",
    "iter",
    "key",
    "KeyError",
    "keys",
    "lambda",
    "len",
    "let",
    "list",
    "log",
    "main",
    "map",
    "map_err",
    "match",
    "mod",
    "mut",
    "name",
    "new",
    "None",
    "not",
    "null",
    "number",
    "object",
    "Ok",
    "or_default",
    "or_else",
    "parseInt",
    "pass",
    "path",
    "PathBuf",
    "print",
    "printf",
    "println",
    "pub",
    "push",
    "push_str",
    "raise",
    "range",
    "Result",
    "return",
    "root",
    "RuntimeError",
    "self",
    "Self",
    "set",
    "setState",
    "setTimeout",
    "size",
    "Some",
    "static",
    "std",
    "str",
    "String",
    "string",
    "struct",
    "super",
    "switch",
    "test",
    "text",
    "this",
    "throw",
    "to_owned",
    "to_string",
    "toString",
    "true",
    "True",
    "try",
    "tuple",
    "type",
    "TypeError",
    "typeof",
    "u32",
    "u64",
    "u8",
    "undefined",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "usize",
    "useEffect",
    "useState",
    "user",
    "value",
    "ValueError",
    "values",
    "var",
    "vec",
    "Vec",
    "VecDeque",
    "void",
    "while",
    "with",
    "with_capacity",
    "write",
    "writeln",
    "yield",
];

/// Names of products and people's words that are written like names in code.
const PRODUCTS: &[&str] = &[
    "ChatGPT",
    "CoffeeScript",
    "DevOps",
    "DynamoDB",
    "eBay",
    "FastAPI",
    "FreeBSD",
    "GitHub",
    "GitLab",
    "GraphQL",
    "iOS",
    "iPad",
    "iPhone",
    "JavaScript",
    "LaTeX",
    "LibreOffice",
    "LinkedIn",
    "macOS",
    "MacBook",
    "MariaDB",
    "MongoDB",
    "MySQL",
    "NodeJS",
    "NumPy",
    "OpenAI",
    "OpenBSD",
    "OpenSSL",
    "OpenTelemetry",
    "PayPal",
    "PostgreSQL",
    "PowerShell",
    "PyPI",
    "PyTorch",
    "RabbitMQ",
    "SQLite",
    "StackOverflow",
    "TensorFlow",
    "TypeScript",
    "VSCode",
    "WebAssembly",
    "WhatsApp",
    "WordPress",
    "YouTube",
];

/// Errors of POSIX and Node.js that have no number.
const ERRNO: [&str; 26] = [
    "EACCES",
    "EADDRINUSE",
    "EAGAIN",
    "EBADF",
    "EBUSY",
    "ECONNABORTED",
    "ECONNREFUSED",
    "ECONNRESET",
    "EEXIST",
    "EHOSTUNREACH",
    "EINTR",
    "EINVAL",
    "EISDIR",
    "ELOOP",
    "EMFILE",
    "ENOENT",
    "ENOMEM",
    "ENOSPC",
    "ENOTDIR",
    "ENOTEMPTY",
    "ENOTFOUND",
    "EPERM",
    "EPIPE",
    "EROFS",
    "ETIMEDOUT",
    "EXDEV",
];

/// The objects that a name may be reached through without being part of it.
const RECEIVERS: [&str; 4] = ["self.", "this.", "cls.", "$this->"];
/// Roots of what a language's own library has.
const LIBRARIES: [&str; 14] = [
    "std::",
    "core::",
    "alloc::",
    "console.",
    "Math.",
    "JSON.",
    "Object.",
    "Array.",
    "Promise.",
    "process.",
    "window.",
    "document.",
    "os.",
    "sys.",
];

/// First parts of the names of branches.
const BRANCHES: [&str; 9] = [
    "origin", "upstream", "feature", "feat", "bugfix", "hotfix", "refs", "chore", "fix",
];

/// What stands around a token in its line.
#[derive(Clone, Copy)]
pub(super) struct TokenPlace<'a> {
    /// The line up to the token.
    pub before: &'a str,
    /// The line after it.
    pub after: &'a str,
    /// The line is code, not prose.
    pub is_code: bool,
}

impl TokenPlace<'_> {
    /// It is a code span of its own.
    fn is_span(self) -> bool {
        self.before.ends_with('`') && self.after.starts_with('`')
    }

    fn is_called(self) -> bool {
        self.after.starts_with("()") || self.is_code && self.after.starts_with('(')
    }

    /// A word such as `fn` stands before it, and what follows a definition after it.
    fn is_defined(self) -> bool {
        let Some(rest) = self.before.strip_suffix(' ') else {
            return false;
        };
        let follows = self.after.trim_start_matches(' ');
        let goes_on = follows.starts_with(['(', '{', '<', ':', ';', '=']) || follows.is_empty();
        goes_on
            && DEFINES.iter().any(|word| {
                rest.strip_suffix(word).is_some_and(|before| {
                    !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                })
            })
    }
}

/// The name in a token, if it is one, as a slice of the token.
pub(super) fn symbol<'a>(
    token: &'a str,
    place: TokenPlace<'_>,
) -> Option<(IdentifierKind, &'a str)> {
    if !token.is_ascii() {
        return None;
    }
    if is_package(token) {
        return Some((IdentifierKind::Version, token));
    }
    let name = token.trim_start_matches(['@', '&', '$', '%', '!', '~', '^', '>', '+']);
    let name = RECEIVERS
        .iter()
        .find_map(|receiver| name.strip_prefix(receiver))
        .unwrap_or(name);
    if !(MIN_NAME_BYTES..=MAX_NAME_BYTES).contains(&name.len()) || is_common(name) {
        return None;
    }
    kind_of(name, place).map(|kind| (kind, name))
}

/// The kind of a name where nothing is known of its surroundings.
pub(super) fn kind_by_shape(name: &str) -> Option<IdentifierKind> {
    let nowhere = TokenPlace {
        before: "",
        after: "",
        is_code: false,
    };
    kind_of(name, nowhere)
}

fn is_common(name: &str) -> bool {
    COMMON.contains(&name) || PRODUCTS.contains(&name)
}

fn kind_of(name: &str, place: TokenPlace<'_>) -> Option<IdentifierKind> {
    if is_version(name) || is_package(name) {
        return Some(IdentifierKind::Version);
    }
    if is_git_ref(name) {
        return Some(IdentifierKind::GitRef);
    }
    if is_word(name) {
        return kind_of_word(name, place);
    }
    let is_set = place.is_span() || place.is_called();
    let is_symbol = is_qualified(name, "::", 2, is_set)
        || is_qualified(name, "#", 2, is_set)
        || is_dotted(name, is_set)
        || place.is_span() && is_hyphenated(name);
    is_symbol.then_some(IdentifierKind::Symbol)
}

/// A name of letters, digits and underscores.
fn kind_of_word(name: &str, place: TokenPlace<'_>) -> Option<IdentifierKind> {
    if is_error_code(name) {
        return Some(IdentifierKind::ErrorCode);
    }
    let core = name.trim_matches('_');
    let has_letter = core.bytes().any(|b| b.is_ascii_alphabetic());
    if !has_letter || core.len() < MIN_NAME_BYTES {
        return None;
    }
    let has_lower = core.bytes().any(|b| b.is_ascii_lowercase());
    if core.contains('_') {
        return Some(if has_lower {
            IdentifierKind::Symbol
        } else {
            IdentifierKind::Variable
        });
    }
    let begins = core.starts_with(|c: char| c.is_ascii_alphabetic());
    if begins && has_lower && has_humps(core) {
        return Some(IdentifierKind::Symbol);
    }
    let is_set = place.is_span() || place.after.starts_with("()") || place.is_defined();
    (begins && is_set).then_some(if has_lower {
        IdentifierKind::Symbol
    } else {
        IdentifierKind::Variable
    })
}

fn is_word(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// A part of a qualified name.
fn is_part(part: &str) -> bool {
    is_word(part) && part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Whether a letter is large behind a small letter or digit, and a small one follows in the
/// name: `tokenStore`, `TokenStore`; not `README`, `iOS`, `v2X`.
fn has_humps(name: &str) -> bool {
    let bytes = name.as_bytes();
    let humps = bytes.windows(2).filter(|pair| match pair {
        [one, two] => !one.is_ascii_uppercase() && two.is_ascii_uppercase(),
        _ => false,
    });
    let small = bytes.iter().filter(|b| b.is_ascii_lowercase()).count();
    humps.count() > 0 && small > 1 && name.len() > 4
}

fn is_qualified(name: &str, joint: &str, least: usize, is_set: bool) -> bool {
    let mut parts = name.split(joint);
    let is_own = !LIBRARIES.iter().any(|library| name.starts_with(library));
    name.matches(joint).count() + 1 >= least && (is_own || is_set) && parts.all(is_part)
}

/// `config.tokenStore`, `a.b.c`; not `e.g`, `example.com`.
fn is_dotted(name: &str, is_set: bool) -> bool {
    let parts: Vec<&str> = name.split('.').collect();
    let is_name = parts.len() > 1 && parts.iter().all(|part| is_part(part) && part.len() > 1);
    let is_library = LIBRARIES.iter().any(|library| name.starts_with(library));
    let is_marked = is_set
        || parts.len() > 2 && !is_host(name)
        || parts.iter().any(|part| {
            part.trim_matches('_').contains('_') || has_humps(part) && !is_common(part)
        });
    is_name && is_marked && !is_library && (is_set || !is_host(name))
}

/// The ends of the names of hosts.
fn is_host(name: &str) -> bool {
    const TOP: [&str; 12] = [
        "com", "org", "net", "io", "dev", "example", "internal", "local", "de", "cn", "app", "ai",
    ];
    name.rsplit_once('.')
        .is_some_and(|(_, top)| TOP.contains(&top))
}

fn is_hyphenated(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    begins
        && name.contains('-')
        && name
            .split('-')
            .all(|part| !part.is_empty() && is_word(part))
}

/// `1.24.0`, `v0.7`, `^2.1.0-rc.1`.
fn is_version(name: &str) -> bool {
    let bare = name.strip_prefix('v').unwrap_or(name);
    let core = bare.split(['-', '+']).next().unwrap_or(bare);
    let parts = core.split('.').count();
    let is_numbers = core.split('.').all(|part| {
        !part.is_empty() && part.len() <= 6 && part.bytes().all(|b| b.is_ascii_digit())
    });
    let tail = bare.get(core.len()..).unwrap_or_default();
    let is_tail = tail
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+'));
    is_numbers && is_tail && (parts == 3 || parts == 2 && bare.len() < name.len())
}

/// `serde@1.0.200`, `@types/node@22`.
fn is_package(name: &str) -> bool {
    name.rsplit_once('@').is_some_and(|(package, version)| {
        let is_name = package
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'_' | b'.' | b'@'));
        let number = version.trim_start_matches(['^', '~', 'v']);
        is_name
            && package.bytes().any(|b| b.is_ascii_alphabetic())
            && number.starts_with(|c: char| c.is_ascii_digit())
            && number
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+'))
    })
}

/// `origin/main`, `HEAD~2`, `main..topic`.
fn is_git_ref(name: &str) -> bool {
    let is_ref = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| {
                b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'_' | b'.' | b'~' | b'^')
            })
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    let is_head = |text: &str| {
        text.strip_prefix("HEAD")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['~', '^']))
    };
    let is_commit = |text: &str| text.len() >= 7 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let is_sure = |text: &str| {
        is_head(text)
            || is_commit(text)
            || is_version(text)
            || ["main", "master", "develop"].contains(&text)
            || is_branch(text)
    };
    if let Some((from, to)) = name.split_once("...").or(name.split_once("..")) {
        return is_ref(from) && is_ref(to) && !to.contains("..") && (is_sure(from) || is_sure(to));
    }
    name.len() > 4 && is_head(name) || is_branch(name)
}

fn is_branch(name: &str) -> bool {
    let Some((first, rest)) = name.split_once('/') else {
        return false;
    };
    let is_name = rest
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'_' | b'.' | b'#'));
    let is_plain = rest.bytes().all(|b| b.is_ascii_alphabetic());
    let is_remote = ["origin", "upstream", "refs"].contains(&first);
    BRANCHES.contains(&first)
        && is_name
        && rest.starts_with(|c: char| c.is_ascii_alphanumeric())
        && rest.len() > 2
        && extension(rest).is_none()
        && (is_remote || !is_plain)
}

/// Letters and at least three digits, `E0382`; the errors that have names; signals.
fn is_error_code(name: &str) -> bool {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = name.len() - digits.len();
    let is_numbered = (1..=5).contains(&letters)
        && (3..=5).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !is_standard(name.get(..letters).unwrap_or_default());
    let is_signal = name.strip_prefix("SIG").is_some_and(|signal| {
        (3..=5).contains(&signal.len()) && signal.bytes().all(|b| b.is_ascii_uppercase())
    });
    is_numbered || is_signal || ERRNO.contains(&name)
}
