//! How a tool of a server is called: the server's name, two low lines, the tool's. Models take
//! `[A-Za-z0-9_-]{1,64}`, and servers say what they like.

use super::content::harmless;

/// Between the name of a server and that of its tool.
pub(super) const JOINT: &str = "__";
/// Longer names are refused by providers.
const MAX_CHARS: usize = 64;
/// Characters of the mark that tells apart names that had to be changed.
const MARK_CHARS: usize = 6;

/// The name of a tool. The same two names give the same one every time; a tool's name that had
/// to be changed ends with a mark, so that it is no other tool's.
pub(super) fn tool_name(server: &str, tool: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let room = MAX_CHARS - server.len() - JOINT.len();
    if !tool.is_empty() && tool.len() <= room && tool.chars().all(is_plain) {
        return format!("{server}{JOINT}{tool}");
    }
    let plain = harmless(tool);
    let plain = plain.chars().map(|c| if is_plain(c) { c } else { '_' });
    let plain: String = plain.take(room - MARK_CHARS - 1).collect();
    let mark = hash(tool) & 0x00ff_ffff;
    format!("{server}{JOINT}{plain}_{mark:06x}")
}

/// FNV-1a, 64 bits: stable from run to run.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::McpServer;

    #[test]
    fn usual_names_stay_and_others_are_marked() {
        assert_eq!(tool_name("files", "read_file"), "files__read_file");
        let odd = tool_name("files", "read\u{1b}[2J file");
        assert!(odd.starts_with("files__read_file_"), "{odd}");
        assert_ne!(tool_name("a", "x y"), tool_name("a", "x.y"));
        assert!(tool_name("a", "").starts_with("a___"));
    }

    proptest! {
        #[test]
        fn a_name_fits_every_provider_and_belongs_to_one_server(
            server in "[A-Za-z0-9-]{1,16}(_[a-z]{1,8})?",
            other in "[A-Za-z0-9-]{1,16}(_[a-z]{1,8})?",
            tool in ".{0,90}",
            second in ".{0,90}",
        ) {
            prop_assume!(McpServer::is_name(&server) && McpServer::is_name(&other));
            let name = tool_name(&server, &tool);
            prop_assert!(name.len() <= MAX_CHARS);
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            prop_assert!(name.chars().all(is_plain));
            prop_assert_eq!(name.split_once(JOINT).map(|it| it.0), Some(server.as_str()));
            if server != other {
                prop_assert_ne!(name, tool_name(&other, &second));
            }
        }
    }
}
