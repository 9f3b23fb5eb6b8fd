//! Images and documents that the server documents not to take.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;

/// A picture whose header says this size.
fn png(width: u32, height: u32) -> Part {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 6, 0, 0, 0, 1, 2, 3, 4]);
    Part::Image(Image {
        data: STANDARD.encode(bytes).into(),
        mime: "image/png".to_owned(),
        name: Some("shot.png".to_owned()),
    })
}

fn pdf(chars: usize) -> Part {
    Part::Image(Image {
        data: "A".repeat(chars).into(),
        mime: "application/pdf".to_owned(),
        name: None,
    })
}

fn sent(parts: Vec<Part>) -> Vec<Value> {
    let message = Message::User(UserMessage { content: parts });
    body(vec![message])["messages"][0]["content"]
        .as_array()
        .unwrap()
        .clone()
}

#[test]
fn an_image_with_too_many_pixels_is_told_in_words() {
    for ((width, height), is_sent) in [
        ((8_000, 8_000), true),
        ((8_001, 10), false),
        ((10, 8_001), false),
    ] {
        let blocks = sent(vec![png(width, height)]);
        assert_eq!(blocks[0]["type"] == "image", is_sent, "{width} {height}");
        if !is_sent {
            let said = blocks[0]["text"].as_str().unwrap();
            let size = format!("{width} × {height} pixels");
            assert!(said.contains("shot.png") && said.contains(&size), "{said}");
        }
    }
}

#[test]
fn among_many_images_none_is_larger_than_two_thousand_pixels() {
    for (small, is_sent) in [(19, true), (20, false)] {
        let mut parts = vec![png(2_001, 5)];
        parts.extend((0..small).map(|_| png(2_000, 2_000)));
        let blocks = sent(parts);
        assert_eq!(blocks[0]["type"] == "image", is_sent, "beside {small}");
        let others = &blocks[1..];
        assert!(others.iter().all(|block| block["type"] == "image"));
    }
}

/// The server would refuse it with 413, and every later request.
#[test]
fn a_request_is_never_larger_than_the_server_takes() {
    let large = 10 * 1024 * 1024;
    let blocks = sent(vec![pdf(large), pdf(large), pdf(large)]);
    let kinds: Vec<&str> = blocks.iter().filter_map(|b| b["type"].as_str()).collect();
    assert_eq!(kinds, ["text", "document", "document"], "the oldest");
    assert!(blocks[0]["text"].as_str().unwrap().contains("32 MB"));
    let bytes: usize = blocks.iter().map(|block| block.to_string().len()).sum();
    assert!(bytes < 32 * 1024 * 1024);
}
