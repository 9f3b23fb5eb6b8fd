//! The code blocks of a text, for copying.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// The text of each code block, in order, without fences and language.
pub fn code_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => open = Some(String::new()),
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            Event::Text(text) => {
                if let Some(block) = &mut open {
                    block.push_str(&text);
                }
            }
            _ => {}
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_in_order_without_their_fences() {
        let text = "One:\n\n```rust\nlet a = 1;\nlet b = 2;\n```\n\n- in a list\n\n  ```\n  x\n  \
                    ```\n\n`not this`\n\n    indented\n\n```sh\nunfinished";
        let blocks = code_blocks(text);
        assert_eq!(
            blocks,
            [
                "let a = 1;\nlet b = 2;\n",
                "x\n",
                "indented\n",
                "unfinished"
            ]
        );
    }
}
