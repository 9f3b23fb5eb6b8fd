//! Which images and documents go out, and what is said in place of the others. Pure.
//!
//! One that the server does not take would have the whole request refused, and every later
//! one with it: its documented limits are kept before it is asked.

use serde_json::{Value, json};

use super::wire::Wire;
use crate::provider::attachment::Attachment;
use crate::transcript::{Image, picture_size_px};

/// The largest image, in characters of base64.
const MAX_IMAGE_CHARS: usize = 5 * 1024 * 1024;
/// The longest edge of an image in pixels,
const MAX_EDGE_PX: u64 = 8_000;
/// and that of one among more than
const FEW_IMAGES: usize = 20;
/// so many.
const MAX_EDGE_OF_MANY_PX: u64 = 2_000;

/// As many images and documents may be in a request.
const MAX_ATTACHMENTS: usize = 100;
/// What they may take together in characters of base64: a request has 32 MB, and the words
/// of the largest window need a few of them.
const MAX_ATTACHED_CHARS: usize = 26 * 1024 * 1024;

/// An attachment as a block.
pub(super) fn block(image: &Image) -> Value {
    let source = |mime: &str| json!({"type": "base64", "media_type": mime, "data": &*image.data});
    match Attachment::of(image) {
        Attachment::Image(mime) => match why_not(image) {
            Some(why) => {
                let name = image.name.as_deref().unwrap_or("attachment");
                note(&format!("[{name}: {why}, it cannot be sent to this model]"))
            }
            None => json!({"type": "image", "source": source(mime)}),
        },
        Attachment::Pdf => json!({"type": "document", "source": source("application/pdf")}),
        Attachment::Note(text) => note(&text),
    }
}

fn why_not(image: &Image) -> Option<String> {
    if image.data.len() > MAX_IMAGE_CHARS {
        return Some("larger than 5 MB".to_owned());
    }
    let (width, height) = picture_size_px(&image.data)?;
    (width.max(height) > MAX_EDGE_PX)
        .then(|| format!("{width} × {height} pixels, more than {MAX_EDGE_PX} a side"))
}

fn note(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// Leaves the newest images and documents, and of many images those that are not too large;
/// of the others it is said that they were there.
pub(super) fn cap(messages: &mut [Wire]) {
    let (mut kept, mut chars, mut images) = (0, 0, 0);
    each_from_the_newest(messages, &mut |one| {
        kept += 1;
        chars += data(one).len();
        if kept > MAX_ATTACHMENTS {
            *one = note("[an earlier image, left out]");
        } else if chars > MAX_ATTACHED_CHARS {
            *one = note("[an attachment, left out: the request would be larger than 32 MB]");
        } else if one["type"] == "image" {
            images += 1;
        }
    });
    if images <= FEW_IMAGES {
        return;
    }
    each_from_the_newest(messages, &mut |one| {
        let size = picture_size_px(data(one)).filter(|_| one["type"] == "image");
        if let Some((width, height)) = size.filter(|(w, h)| *w.max(h) > MAX_EDGE_OF_MANY_PX) {
            *one = note(&format!(
                "[an image of {width} × {height} pixels, left out: among more than {FEW_IMAGES} \
                 none may have more than {MAX_EDGE_OF_MANY_PX} a side]"
            ));
        }
    });
}

fn data(block: &Value) -> &str {
    block["source"]["data"].as_str().unwrap_or_default()
}

/// Images and documents, those in results among them.
fn each_from_the_newest(messages: &mut [Wire], act: &mut dyn FnMut(&mut Value)) {
    for message in messages.iter_mut().rev() {
        for block in message.blocks.iter_mut().rev() {
            if let Some(Value::Array(inner)) = block.get_mut("content") {
                inner
                    .iter_mut()
                    .rev()
                    .for_each(|one| on_attachment(one, act));
            }
            on_attachment(block, act);
        }
    }
}

fn on_attachment(block: &mut Value, act: &mut dyn FnMut(&mut Value)) {
    if matches!(block["type"].as_str(), Some("image" | "document")) {
        act(block);
    }
}
