//! Which tools' results may be pruned: allow and deny lists of `*` globs,
//! case-insensitive, deny wins.

/// The two lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToolFilter {
    allow: Vec<String>,
    deny: Vec<String>,
}

impl ToolFilter {
    /// An empty allow list allows everything.
    pub(crate) fn new(allow: &[String], deny: &[String]) -> Self {
        let lower = |list: &[String]| list.iter().map(|glob| glob.to_lowercase()).collect();
        Self {
            allow: lower(allow),
            deny: lower(deny),
        }
    }

    /// Whether results of this tool may be pruned.
    pub(crate) fn may_prune(&self, tool: &str) -> bool {
        if self.allow.is_empty() && self.deny.is_empty() {
            return true;
        }
        let tool = tool.to_lowercase();
        let matches = |globs: &[String]| globs.iter().any(|glob| is_match(glob, &tool));
        !matches(&self.deny) && (self.allow.is_empty() || matches(&self.allow))
    }
}

/// `*` stands for any run of characters; everything else for itself. Linear: each
/// literal piece is searched once, the last one from the end.
fn is_match(glob: &str, text: &str) -> bool {
    let Some((prefix, rest)) = glob.split_once('*') else {
        return glob == text;
    };
    let Some(mut text) = text.strip_prefix(prefix) else {
        return false;
    };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let Some(suffix) = pieces.pop() else {
        return true;
    };
    for piece in pieces {
        let Some((_, after)) = text.split_once(piece) else {
            return false;
        };
        text = after;
    }
    text.ends_with(suffix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (glob, text, expected) in [
            ("read", "read", true),
            ("read", "reader", false),
            ("*", "", true),
            ("mcp_*", "mcp_files_read", true),
            ("*_read", "mcp_files_read", true),
            ("m*f*d", "mcp_files_read", true),
            ("m*x*d", "mcp_files_read", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(is_match(glob, text), expected, "{glob} {text}");
        }
    }

    #[test]
    fn deny_wins_and_case_does_not_matter() {
        let list = |items: &[&str]| items.iter().map(ToString::to_string).collect::<Vec<_>>();
        let filter = ToolFilter::new(&list(&["Mcp_*"]), &list(&["*secret*"]));
        assert!(filter.may_prune("MCP_files"));
        assert!(!filter.may_prune("mcp_SECRET_store"));
        assert!(!filter.may_prune("read"));
    }
}
