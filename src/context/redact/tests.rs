use super::*;

#[test]
fn secrets_are_found_and_removed() {
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
    for (text, secret) in [
        (
            "key sk-proj-abcdefghij1234567890XYZ end",
            "abcdefghij1234567890XYZ",
        ),
        ("ghp_0123456789abcdefghijABCDEFGHIJ012345", "ghp_0123"),
        ("xoxb-123456789012-abcdefABCDEF", "xoxb-1234"),
        ("aws AKIAIOSFODNN7EXAMPL3 x", "AKIAIOSFODNN7EXAMPL3"),
        (jwt, "dozjgNryP4J3"),
        (
            "Authorization: Bearer abcDEF1234567890ghijk",
            "abcDEF1234567890ghijk",
        ),
        ("password = \"hunter2-Secret!\"", "hunter2-Secret!"),
        (
            "export API_KEY=a8f5f167f44f4964e6c998de",
            "a8f5f167f44f4964e6c998de",
        ),
        ("{\"client_secret\": \"Zx81-kk29-Qq77\"}", "Zx81-kk29-Qq77"),
        ("postgres://app:s3cr3tpw@db:5432/x", "s3cr3tpw"),
        ("GITHUB_TOKEN=a1b2c3d4e5f6a7b8c9d0", "a1b2c3d4e5f6a7b8c9d0"),
        (
            "https://x.example/a?v=1&X-Amz-Signature=0fe1dc2ba39485760fe1dc2ba3948576&z=2",
            "0fe1dc2ba39485760fe1dc2ba3948576",
        ),
        (
            "https://x.example/a?token=0fe1dc2ba39485760fe1&z=2",
            "0fe1dc2ba39485760fe1",
        ),
        ("deploy --password Tr0ub4dor-3 --now", "Tr0ub4dor-3"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----\nafter",
            "MIIEow",
        ),
    ] {
        let clean = redact(text);
        assert!(!clean.contains(secret), "{text} -> {clean}");
        assert!(clean.contains(PLACEHOLDER), "{text}");
        assert!(find(&clean).is_empty(), "again: {clean}");
    }
    assert!(
        redact("-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\nafter")
            .ends_with("\nafter")
    );
}

#[test]
fn every_rule_compiles_and_a_cut_key_is_removed() {
    assert_eq!(
        (WHOLE.len(), VALUE.len(), KEY_BEGIN.is_some()),
        (rules::TOKENS.len(), rules::VALUE_RULES, true)
    );
    let cut = "x -----BEGIN EC PRIVATE KEY-----\nMIIEow\nabc=\nthe end.";
    assert_eq!(redact(cut), "x [secret removed]the end.");
}

#[test]
fn ordinary_text_stays() {
    for text in [
        "the password field is required",
        "password: String",
        "let password = get_password();",
        "password = config.auth.password",
        "api_key = os.environ[\"API_KEY\"]",
        "secret: &str",
        "API_KEY=your-api-key-here1",
        "token bucket: 100000 requests",
        "sk-learn is a library",
        "basic understanding of things",
        "commit 8f3e21c9ab and 550e8400-e29b-41d4-a716-446655440000",
        "passwordless login: enabled",
        "token: String, next_token = parse_token(input)",
        "https://x.example/list?key=name&auth=none",
        "--password needs a value, --token too",
    ] {
        assert_eq!(redact(text), text);
    }
}
#[test]
fn a_known_secret_is_one_everywhere() {
    let mut known = KnownSecrets::default();
    known.learn("DB_PASSWORD=Tr0ub4dor-3 postgres://postgres:postgres@db/x");
    let text = "the database takes Tr0ub4dor-3, postgres is up";
    assert_eq!(
        known.redact(text),
        "the database takes [secret removed], postgres is up"
    );
    assert!(known.is_in("/srv/Tr0ub4dor-3/x.rs") && !known.is_in("/srv/x.rs"));
    assert_eq!((known.count_in(text), known.count_in("fine")), (1, 0));
}

/// A value of a length, with letters of both sizes and digits.
fn random(length: usize) -> String {
    "aZ3kQ9xW7bT1mR5yU0pL8dF2"
        .chars()
        .cycle()
        .take(length)
        .collect()
}

/// A value of a length in hexadecimal.
fn hex(length: usize) -> String {
    "0fe1dc2ba3948576".chars().cycle().take(length).collect()
}

#[test]
fn tokens_that_say_whose_they_are_are_removed_wherever_they_are() {
    for (prefix, value) in [
        ("sk-", random(48)),
        ("sk-proj-", random(60)),
        ("sk-ant-api03-", random(90)),
        ("sk_live_", random(24)),
        ("whsec_", random(32)),
        ("ghp_", random(36)),
        ("github_pat_", random(82)),
        ("glpat-", random(20)),
        ("gldt-", random(20)),
        ("xoxb-", hex(24)),
        ("xapp-1-", random(40)),
        (
            "https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/",
            random(24),
        ),
        (
            "https://discord.com/api/webhooks/123456789012345678/",
            random(68),
        ),
        ("AKIA", "ABCDEFGH12345678".to_owned()),
        ("AIza", random(35)),
        ("GOCSPX-", random(28)),
        ("npm_", random(36)),
        ("pypi-", random(80)),
        ("hf_", random(34)),
        ("gsk_", random(52)),
        ("xai-", random(80)),
        ("r8_", random(37)),
        ("pplx-", random(48)),
        ("dop_v1_", hex(64)),
        ("doo_v1_", hex(64)),
        ("dckr_pat_", random(27)),
        ("shpat_", hex(32)),
        ("sq0csp-", random(43)),
        ("hvs.", random(90)),
        ("dapi", hex(32)),
        ("sbp_", hex(40)),
        ("ATATT3", random(180)),
        (
            "AGE-SECRET-KEY-1",
            "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2),
        ),
        ("SK", hex(32)),
        ("AC", hex(32)),
        ("123456789:AA", random(33)),
    ] {
        for text in [
            format!("{prefix}{value}"),
            format!("the key is {prefix}{value}, as said"),
            format!("{{\"x\": \"{prefix}{value}\"}}"),
            format!("X={prefix}{value}\nnext"),
        ] {
            let clean = redact(&text);
            assert!(!clean.contains(&value), "{text} -> {clean}");
            assert!(find(&clean).is_empty(), "again: {clean}");
        }
    }
}

#[test]
fn secrets_with_a_label_are_removed_in_every_layout() {
    let aws = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    let azure = format!("{}==", random(86));
    let twilio = hex(32);
    let cases = [
        format!("aws_secret_access_key = {aws}"),
        format!("export AWS_SECRET_ACCESS_KEY=\"{aws}\""),
        format!("\"SecretAccessKey\": \"{aws}\","),
        format!("secretAccessKey: '{aws}'"),
        format!("aws configure set aws_secret_access_key {aws}"),
        format!("aws_secret_access_key:\n  {aws}"),
        format!("AccountName=x;AccountKey={azure};EndpointSuffix=core.windows.net"),
        format!("\"accountKey\": \"{azure}\""),
        format!("AccountKey: {azure}"),
        format!("AccountKey =\n    {azure}"),
        format!("account_key = '{azure}'"),
        format!("az storage blob list --account-key {azure}"),
        format!("AZURE_STORAGE_KEY={azure}"),
        format!("Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey={azure}"),
        format!("TWILIO_AUTH_TOKEN={twilio}"),
        format!("authToken: \"{twilio}\""),
        "Server=db;User Id=sa;Pwd=Tr0ub4dor-3;".to_owned(),
        "redis://:Tr0ub4dor-3@cache:6379".to_owned(),
        format!("https://{}@github.com/a/b.git", random(40)),
        "machine example.org login me password Tr0ub4dor-3".to_owned(),
        "{\"auths\": {\"r.io\": {\"auth\": \"bWU6VHIwdWI0ZG9yLTMtYW5k\"}}}".to_owned(),
    ];
    for text in cases {
        let clean = redact(&text);
        for secret in [aws, &azure, &twilio, "Tr0ub4dor-3", &random(40), "bWU6VHIw"] {
            assert!(!clean.contains(secret), "{text} -> {clean}");
        }
        assert!(clean.contains(PLACEHOLDER), "{text} -> {clean}");
    }
}

#[test]
fn hashes_ids_and_code_are_no_secrets() {
    for text in [
        "\"integrity\": \"sha512-aZ3kQ9xW7bT1mR5yU0pL8dF2aZ3kQ9xW7bT1mR5yU0pL8dF2aZ3kQ9xW7bT1mR5yU0pL8dF2aZ3kQ9xW7bT1mR==\"",
        "checksum = \"e5e76742e5294153d4dde1207dbec5bdd81eef6fabdc0d2118babadabfd858aa\"",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "commit 8f3e21c9ab04d1e7f6a5b4c3d2e1f0a9b8c7d6e5",
        "550e8400-e29b-41d4-a716-446655440000",
        ".sk-folding-cube-animation-delay { color: red }",
        "SKIP and SKU 12345, AC/DC, ACCOUNT_ID",
        "the account key is stored elsewhere",
        "primary_key = [\"id\"], foreign_key: true",
        "accountKey: Option<String>, AccountKey=account.key()",
        "PWD=/home/User1/src OLDPWD=/tmp/X9",
        "git@github.com:a/b.git ssh://git@host/x https://user@host.example/x",
        "secret_access_key: the name of the second half of a pair",
        "hf_hub_download(repo_id) gsk_ npm_config_registry",
        "dapi and r8_x and pplx-api",
        "machine learning login page password field",
        "\"auth\": \"none\"",
        "at 12:34:56 the build 1234567890:AAA failed",
        "password: SecretString, client_secret: &'a str",
        "https://example.org/a:b@c",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn keys_of_clouds_and_services_are_found_with_and_without_their_label() {
    let aws = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEY1";
    let azure = format!("{}==", "aB3/".repeat(21) + "Zk");
    let digital_ocean = format!("dop_v1_{}", "0a1b2c3d".repeat(8));
    let twilio = format!("SK{}", "0a1b2c3d".repeat(4));
    let labels = [
        "aws_secret_access_key",
        "AWS_SECRET_ACCESS_KEY",
        "SecretAccessKey",
        "Secret access key",
    ];
    let joints = [
        " = ", "=", ": ", "\":\"", "=\"", "  ", "\t", " is ", " | ", "`: `",
    ];
    for label in labels {
        for joint in joints {
            assert_gone(&format!("[default]\n{label}{joint}{aws}\nregion = x"), aws);
        }
    }
    let storage = [
        "AccountKey",
        "account_key",
        "AZURE_STORAGE_KEY",
        "SharedAccessKey",
    ];
    for label in storage {
        for joint in joints {
            assert_gone(
                &format!("x {label}{joint}{azure};EndpointSuffix=core"),
                &azure,
            );
        }
    }
    let connection = format!("DefaultEndpointsProtocol=https;AccountName=a;AccountKey={azure};E=1");
    assert_gone(&connection, &azure);
    assert_gone(
        &format!("{{\"keyName\": \"key1\", \"value\": \"{azure}\"}}"),
        &azure,
    );
    let checksum = format!("\"integrity\": \"sha512-{azure}\"");
    assert_eq!(redact(&checksum), checksum);
    for secret in [&digital_ocean, &twilio] {
        for text in [
            "{}",
            "key: {}",
            "`{}`",
            "(\"{}\")",
            "https://x.example/?k={}&z",
            "a={},",
        ] {
            assert_gone(&text.replace("{}", secret), secret);
        }
    }
}

/// The secret is found, and so is it in another text that nothing around it gives away.
fn assert_gone(text: &str, secret: &str) {
    let clean = redact(text);
    assert!(!clean.contains(secret), "{text} -> {clean}");
    let mut known = KnownSecrets::default();
    known.learn(text);
    let again = format!("it was {secret} all along");
    assert!(!known.redact(&again).contains(secret), "{text}");
}
