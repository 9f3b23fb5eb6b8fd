//! Keys in the system's keyring, with a stand-in for the tool that asks it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use super::program::Program;
use super::providers::{KEY, program as alone};
use super::web::{Web, chat};

/// Keeps keys as files; counts how often it is asked.
const RING: &str = r#"#!/bin/sh
for last; do :; done
echo "$1" >> "$RING/asked"
case "$1" in
    store) cat > "$RING/$last" ;;
    lookup) cat "$RING/$last" 2>/dev/null || exit 1 ;;
    clear) rm -f "$RING/$last" ;;
esac
"#;

const LOCKED: &str = "#!/bin/sh\necho 'Cannot autolaunch D-Bus without X11' >&2\nexit 1\n";

const HANGING: &str = "#!/bin/sh\nsleep 90\n";

fn install(folder: &Path, tool: &str) {
    let path = folder.join("secret-tool");
    std::fs::write(&path, tool).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn program(tools: &Path, web: &Web) -> Program {
    let path = format!("{}:/usr/bin:/bin", tools.display());
    alone()
        .with("PATH", &path)
        .with("RING", &tools.display().to_string())
        .with("MISTRAL_BASE_URL", &format!("{}/v1", web.base))
}

const ASK: [&str; 6] = ["-m", "mistral/x", "-S", "retry.max_attempts=1", "-p", "hi"];

#[test]
fn a_key_is_kept_in_the_keyring_and_asked_for_once() {
    let web = Web::start(|_| chat("hello"));
    let tools = tempfile::tempdir().unwrap();
    install(tools.path(), RING);
    let plim = program(tools.path(), &web);
    // In the file first: the keyring takes its place.
    assert_eq!(plim.pipe(&["login", "mistral"], "sk-older").code, 0);
    let stored = plim.pipe(&["login", "mistral", "--keyring"], &format!("{KEY}\n"));
    assert_eq!(stored.code, 0, "{stored:?}");
    assert!(
        stored.out.contains("system keyring (secret-tool)"),
        "{stored:?}"
    );
    let file = plim.home().join("plimsoll/credentials.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(KEY) && !text.contains("sk-older"), "{text}");
    assert!(text.contains("mistral"), "{text}");

    let asked = || std::fs::read_to_string(tools.path().join("asked")).unwrap();
    let before = asked().lines().count();
    assert_eq!(plim.run(&["models", "--json"]).code, 0);
    assert_eq!(asked().lines().count(), before, "nobody needs it yet");
    let ran = plim.run(&ASK);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(asked().lines().count(), before + 1, "{}", asked());
    let sent = web.asked();
    assert!(
        sent.iter()
            .any(|asked| asked.head.contains(&format!("Bearer {KEY}")))
    );

    let doctor = plim.run(&["doctor", "-m", "mistral/x"]);
    assert!(doctor.out.contains("key from system keyring"), "{doctor:?}");
    assert!(
        doctor
            .out
            .contains("environment ▸ api_key_cmd ▸ system keyring")
    );
    assert!(!doctor.out.contains(KEY) && !doctor.err.contains(KEY));
    // The environment comes before it.
    let keyed = plim.with("MISTRAL_API_KEY", "sk-of-the-environment");
    assert_eq!(keyed.run(&ASK).code, 0);
    let last = web.asked().pop().unwrap();
    assert!(last.head.contains("sk-of-the-environment"), "{last:?}");

    let forgotten = keyed.run(&["logout", "mistral"]);
    assert_eq!(forgotten.code, 0, "{forgotten:?}");
    assert!(!tools.path().join("mistral").exists());
    assert_eq!(keyed.run(&["logout", "mistral"]).code, 1);
}

#[test]
fn a_machine_without_a_keyring_says_so_and_starts_as_fast() {
    let web = Web::start(|_| chat("hello"));
    let tools = tempfile::tempdir().unwrap();
    install(tools.path(), LOCKED);
    let plim = program(tools.path(), &web);
    let refused = plim.pipe(&["login", "mistral", "--keyring"], KEY);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(
        refused.err.contains("Cannot autolaunch D-Bus"),
        "{refused:?}"
    );
    assert!(refused.err.contains("without --keyring"), "{refused:?}");
    assert!(!plim.home().join("plimsoll/credentials.toml").exists());

    // Filed on a day when it worked.
    install(tools.path(), RING);
    assert_eq!(plim.pipe(&["login", "mistral", "--keyring"], KEY).code, 0);
    install(tools.path(), LOCKED);
    let ran = plim.run(&ASK);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.err.contains("the system keyring refused"), "{ran:?}");
    assert!(ran.err.contains("plim login mistral"), "{ran:?}");
    install(tools.path(), HANGING);
    let began = Instant::now();
    assert_eq!(plim.run(&["models"]).code, 0);
    let context = plim.run(&["doctor", "-m", "mistral/x"]);
    assert!(began.elapsed() < Duration::from_secs(45), "{context:?}");
    assert!(
        context.out.contains("keyring has not answered"),
        "{context:?}"
    );
}

#[test]
fn a_missing_tool_is_named() {
    let web = Web::start(|_| chat("hello"));
    let tools = tempfile::tempdir().unwrap();
    let empty = tools.path().display().to_string();
    let plim = program(tools.path(), &web).with("PATH", &empty);
    let refused = plim.pipe(&["login", "mistral", "--keyring"], KEY);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(
        refused.err.contains("secret-tool is not installed"),
        "{refused:?}"
    );
}
