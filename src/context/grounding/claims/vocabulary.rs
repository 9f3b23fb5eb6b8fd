//! Words of letters and digits that name nothing of a conversation.

/// Ends of host names.
pub(super) const TOP_LEVELS: [&str; 34] = [
    "com",
    "org",
    "net",
    "io",
    "dev",
    "de",
    "internal",
    "local",
    "lan",
    "corp",
    "cloud",
    "app",
    "ai",
    "co",
    "uk",
    "fr",
    "it",
    "es",
    "nl",
    "pl",
    "ru",
    "cn",
    "jp",
    "kr",
    "eu",
    "us",
    "info",
    "test",
    "example",
    "invalid",
    "localhost",
    "home",
    "intra",
    "tr",
];

/// Words of letters and digits that everybody uses.
pub(super) const VOCABULARY: [&str; 44] = [
    "e2e", "i18n", "l10n", "a11y", "k8s", "utf8", "utf16", "s3", "b64", "base64", "sha1", "sha256",
    "sha512", "md5", "oauth2", "http2", "http3", "ipv4", "ipv6", "x86", "x64", "arm64", "amd64",
    "h1", "h2", "h3", "p0", "p1", "p2", "p3", "mp3", "mp4", "n1", "2d", "3d", "1st", "2nd", "3rd",
    "es6", "py3", "q1", "q2", "q3", "q4",
];
