//! Pages, notices and refusals of `read`.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::tool::files::read_log::ReadState;
use crate::tool::page::PAGE_BYTES;
use crate::tool::test_scope::{TestScope, text};

async fn read_text(t: &TestScope, arguments: Value) -> String {
    let outcome = t.run(&ReadTool, arguments).await;
    assert!(!outcome.is_error, "{}", text(&outcome));
    text(&outcome)
}

async fn read_error(t: &TestScope, arguments: Value) -> String {
    let outcome = t.run(&ReadTool, arguments).await;
    assert!(outcome.is_error, "{}", text(&outcome));
    text(&outcome)
}

#[tokio::test]
async fn small_files_come_as_they_are() {
    let t = TestScope::new();
    for content in ["one\n", "one", "one\n\ntwo\n", "  ü漢\t\n"] {
        t.write("a", content);
        assert_eq!(read_text(&t, json!({"path": "a"})).await, content);
    }
    assert_eq!(t.scope.reads.check(&t.path("a")), ReadState::Unchanged);
    t.write("empty", "");
    assert_eq!(
        read_text(&t, json!({"path": "empty"})).await,
        "[empty is empty]"
    );
    assert_eq!(t.scope.reads.check(&t.path("empty")), ReadState::Unchanged);
}

#[tokio::test]
async fn long_files_come_in_pages_that_join_up() {
    let t = TestScope::new();
    let lines: Vec<String> = (1..=4_500).map(|n| format!("line {n}\n")).collect();
    t.write("a", lines.concat());
    let first = read_text(&t, json!({"path": "a"})).await;
    assert!(first.starts_with("line 1\nline 2\n"));
    assert!(first.ends_with("line 2000\n\n[lines 1–2,000 of 4,500; continue with offset=2001]"),);
    let last = read_text(&t, json!({"path": "a", "offset": "4001"})).await;
    assert!(last.starts_with("line 4001\n"));
    assert!(last.ends_with("[lines 4,001–4,500 of 4,500; this is the end]"));
    let two = read_text(&t, json!({"path": "a", "offset": 10, "limit": 2})).await;
    assert_eq!(
        two,
        "line 10\nline 11\n\n[lines 10–11 of 4,500; continue with offset=12]"
    );
    let error = read_error(&t, json!({"path": "a", "offset": 4501})).await;
    assert_eq!(
        error,
        "a has only 4,500 lines; offset=4501 is beyond its end."
    );
}

#[tokio::test]
async fn a_page_is_bounded_in_bytes() {
    let t = TestScope::new();
    t.write("a", format!("{}\n", "x".repeat(1_000)).repeat(100));
    let page = read_text(&t, json!({"path": "a"})).await;
    assert!(page.len() < PAGE_BYTES + 200);
    assert!(
        page.ends_with("[lines 1–51 of 100; continue with offset=52]"),
        "{page}"
    );
}

#[tokio::test]
async fn long_lines_are_cut() {
    let t = TestScope::new();
    t.write("a", format!("{}\nend\n", "漢".repeat(100_000)));
    let page = read_text(&t, json!({"path": "a"})).await;
    let kept = "漢".repeat(LINE_CHARS);
    assert_eq!(
        page,
        format!(
            "{kept} … [line cut; it has 300,000 bytes]\nend\n\n[1 line cut to 2,000 characters]"
        )
    );
}

#[tokio::test]
async fn encodings() {
    let t = TestScope::new();
    t.write("bom", "\u{feff}a\r\nb\r\n");
    assert_eq!(
        read_text(&t, json!({"path": "bom"})).await,
        "a\nb\n\n[lines end in CR LF]"
    );
    t.write("latin", b"caf\xe9\n");
    let latin = read_text(&t, json!({"path": "latin"})).await;
    assert!(
        latin.starts_with("caf�\n\n[not all of it is UTF-8"),
        "{latin}"
    );
    t.write("wide", b"\xff\xfea\0");
    assert!(
        read_error(&t, json!({"path": "wide"}))
            .await
            .contains("UTF-16")
    );
    t.write("bin", b"\x7fELF\0\0\0");
    assert!(
        read_error(&t, json!({"path": "bin"}))
            .await
            .contains("binary file (7 bytes)")
    );
    assert_eq!(t.scope.reads.check(&t.path("bin")), ReadState::NeverRead);
}

#[tokio::test]
async fn images_are_attached_up_to_a_size() {
    let t = TestScope::new();
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.extend([7; 40]);
    t.write("pic/a.png", &bytes);
    let outcome = t.run(&ReadTool, json!({"path": "pic/a.png"})).await;
    let Some(Part::Image(image)) = outcome.content.get(1) else {
        panic!("no image: {outcome:?}");
    };
    assert_eq!(
        (image.mime.as_str(), image.name.as_deref()),
        ("image/png", Some("a.png"))
    );
    assert_eq!(BASE64.decode(image.data.as_bytes()).unwrap(), bytes);
    assert_eq!(text(&outcome), "[pic/a.png: image/png, 48 bytes]");
    bytes.resize(MAX_IMAGE_BYTES as usize + 1, 0);
    t.write("big.png", &bytes);
    assert!(
        read_error(&t, json!({"path": "big.png"}))
            .await
            .contains("at most 5,242,880")
    );
}

#[tokio::test]
async fn what_cannot_be_read_says_what_to_do() {
    let t = TestScope::new();
    t.write("src/main.rs", "");
    let check = async |path: &str, expected: &str| {
        assert_eq!(read_error(&t, json!({"path": path})).await, expected);
    };
    check(
        "src",
        "src is a directory. Use `list` to see what is in it.",
    )
    .await;
    check(
        "src/mian.rs",
        "src/mian.rs does not exist. There is src/main.rs.",
    )
    .await;
    check(
        "src/zzz",
        "src/zzz does not exist. Use `list` to see what is there.",
    )
    .await;
    check(
        "nowhere/a",
        "nowhere/a does not exist. Its directory does not exist either; use `list` to look around.",
    )
    .await;
    let _socket = std::os::unix::net::UnixListener::bind(t.path("socket")).unwrap();
    assert!(
        read_error(&t, json!({"path": "socket"}))
            .await
            .contains("not a regular file")
    );
}

#[tokio::test]
async fn cancelled_reads_stop() {
    let t = TestScope::new();
    t.write("a", "x\n");
    let cancel = CancellationToken::new();
    cancel.cancel();
    let outcome = t.run_until(&ReadTool, json!({"path": "a"}), cancel).await;
    assert!(outcome.is_error);
}

#[test]
fn plans_name_what_is_outside() {
    let t = TestScope::new();
    let plan = t.plan(&ReadTool, json!({"path": "a[1].rs"})).unwrap();
    assert_eq!(
        (plan.title.as_str(), plan.pattern.as_str()),
        ("a[1].rs", "a[[]1[]].rs")
    );
    assert!(plan.outside.is_empty());
    let plan = t.plan(&ReadTool, json!({"path": "/etc/passwd"})).unwrap();
    assert_eq!(plan.outside, [std::path::PathBuf::from("/etc/passwd")]);
    assert!(t.plan(&ReadTool, json!({"path": "a", "limit": 0})).is_err());
    assert!(t.plan(&ReadTool, json!({})).is_err());
}

proptest! {
    #[test]
    fn any_bytes_in_any_pieces_give_the_same_page(
        bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..400),
        piece in 1..50usize,
        first in 1..20u64,
    ) {
        let page = |pieces: &mut dyn Iterator<Item = &[u8]>| {
            let mut pager = LinePager::new(first, 7);
            pieces.for_each(|piece| pager.push(piece));
            pager.finish()
        };
        let whole = page(&mut std::iter::once(bytes.as_slice()));
        let parts = page(&mut bytes.chunks(piece));
        prop_assert_eq!(&whole.text, &parts.text);
        prop_assert_eq!(whole.total_lines, parts.total_lines);
        prop_assert!(whole.shown_lines <= 7);
        let lines = bytes.split_inclusive(|byte| *byte == b'\n').count() as u64;
        prop_assert_eq!(whole.total_lines, lines);
    }
}

#[tokio::test]
async fn the_running_system_is_not_read_wherever_it_is_mounted() {
    let t = TestScope::new();
    for path in [
        "/proc/self/environ",
        "/proc/1/cmdline",
        "/dev/zero",
        "/sys/kernel/notes",
    ] {
        let outcome = t.run(&ReadTool, json!({ "path": path })).await;
        assert!(outcome.is_error, "{path}");
        assert!(
            text(&outcome).contains("running system"),
            "{}",
            text(&outcome)
        );
    }
    #[cfg(target_os = "linux")]
    {
        let environ = std::fs::File::open("/proc/self/environ").unwrap();
        assert!(crate::tool::files::text_file::is_system_file(&environ));
        t.write("a", "");
        let plain = std::fs::File::open(t.path("a")).unwrap();
        assert!(!crate::tool::files::text_file::is_system_file(&plain));
    }
}

#[tokio::test]
async fn a_link_that_leads_elsewhere_after_the_plan_is_not_read() {
    let t = TestScope::new();
    t.write("a", "mine");
    std::fs::write(t.root().join("secret"), "theirs").unwrap();
    let call = json!({"path": "a"});
    let target = t.plan(&ReadTool, call.clone()).unwrap().target;
    std::fs::remove_file(t.path("a")).unwrap();
    std::os::unix::fs::symlink(t.root().join("secret"), t.path("a")).unwrap();
    let job = ToolJob { target, ..t.job() };
    let outcome = ReadTool
        .run(crate::tool::test_scope::object(call), job)
        .await;
    assert!(outcome.is_error && !text(&outcome).contains("theirs"));
}
