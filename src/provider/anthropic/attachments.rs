//! Which images and documents go out, and what is said in place of the others. Pure.
//!
//! One that the server does not take would have the whole request refused, and every later
//! one with it: its documented limits are kept before it is asked.

use super::body::{AnthropicMessage, ContentBlock, MediaSource, ToolResultBlock};
use crate::provider::protocol::attachment::Attachment;
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
/// Characters of base64 that they may take together: a request has 32 MB, and the words of the
/// largest window need a few of them.
const MAX_ATTACHED_CHARS: usize = 26 * 1024 * 1024;

/// An attachment as a block.
pub(super) fn block(image: &Image) -> ContentBlock<'_> {
    let source = |media_type| MediaSource::Base64 {
        media_type,
        data: &image.data,
    };
    match Attachment::of(image) {
        Attachment::Image(mime) => match why_not(image) {
            Some(why) => {
                let name = image.name.as_deref().unwrap_or("attachment");
                ContentBlock::text(format!("[{name}: {why}, it cannot be sent to this model]"))
            }
            None => ContentBlock::Image {
                source: source(mime),
                cache_control: None,
            },
        },
        Attachment::Pdf => ContentBlock::Document {
            source: source("application/pdf"),
            cache_control: None,
        },
        Attachment::Note(text) => ContentBlock::text(text),
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

/// Leaves the newest images and documents, and of many images those that are not too large;
/// of the others it is said that they were there.
pub(super) fn cap(messages: &mut [AnthropicMessage<'_>]) {
    let (mut kept, mut chars, mut images) = (0, 0, 0);
    each_from_the_newest(messages, &mut |one| {
        kept += 1;
        chars += data(one).len();
        if kept > MAX_ATTACHMENTS {
            *one = ContentBlock::text("[an earlier image, left out]");
        } else if chars > MAX_ATTACHED_CHARS {
            *one = ContentBlock::text(
                "[an attachment, left out: the request would be larger than 32 MB]",
            );
        } else if matches!(one, ContentBlock::Image { .. }) {
            images += 1;
        }
    });
    if images <= FEW_IMAGES {
        return;
    }
    each_from_the_newest(messages, &mut |one| {
        let is_image = matches!(one, ContentBlock::Image { .. });
        let size = picture_size_px(data(one)).filter(|_| is_image);
        if let Some((width, height)) = size.filter(|(w, h)| *w.max(h) > MAX_EDGE_OF_MANY_PX) {
            *one = ContentBlock::text(format!(
                "[an image of {width} × {height} pixels, left out: among more than {FEW_IMAGES} \
                 none may have more than {MAX_EDGE_OF_MANY_PX} a side]"
            ));
        }
    });
}

/// The bytes of an attachment in base64; empty for other blocks.
fn data<'a>(block: &ContentBlock<'a>) -> &'a str {
    match block {
        ContentBlock::Image { source, .. } | ContentBlock::Document { source, .. } => {
            let MediaSource::Base64 { data, .. } = source;
            data
        }
        _ => "",
    }
}

/// Images and documents, those in results among them.
fn each_from_the_newest<'a>(
    messages: &mut [AnthropicMessage<'a>],
    act: &mut dyn FnMut(&mut ContentBlock<'a>),
) {
    let messages = messages.iter_mut().rev();
    for block in messages.flat_map(|message| message.blocks.iter_mut().rev()) {
        match block {
            ContentBlock::ToolResult(ToolResultBlock { content, .. }) => {
                for one in content.iter_mut().rev() {
                    on_attachment(one, act);
                }
            }
            block => on_attachment(block, act),
        }
    }
}

fn on_attachment<'a>(block: &mut ContentBlock<'a>, act: &mut dyn FnMut(&mut ContentBlock<'a>)) {
    if matches!(
        block,
        ContentBlock::Image { .. } | ContentBlock::Document { .. }
    ) {
        act(block);
    }
}
