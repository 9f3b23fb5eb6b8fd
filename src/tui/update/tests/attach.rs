//! Images: by mention, by paste, and what becomes of those that are none.

use crate::agent::{Op, SubmitWhen, TurnOp};
use crate::transcript::Image;
use crate::tui::effect::{AttachPurpose, Effect};
use crate::tui::input::Input;
use crate::tui::msg::Msg;
use crate::tui::testing::Harness;

fn image(name: &str) -> Image {
    Image {
        data: "AAAA".into(),
        mime: "image/png".to_owned(),
        name: Some(name.to_owned()),
    }
}

/// The file that is to be read, answered with `result`.
#[track_caller]
fn read(it: &mut Harness, path: &str, result: Result<Image, String>) {
    let asked = it
        .take_effects()
        .into_iter()
        .find_map(|effect| match effect {
            Effect::Attach { path, why } => Some((path, why)),
            _ => None,
        });
    let (asked, why) = asked.expect("a file is read");
    assert_eq!(asked.to_str(), Some(path));
    it.send(Msg::Attached(why, result));
}

fn submitted(it: &mut Harness) -> Option<(String, usize)> {
    it.take_effects()
        .into_iter()
        .find_map(|effect| match effect {
            Effect::Send(Op::Turn(TurnOp::Submit { text, images, .. })) => {
                Some((text, images.len()))
            }
            _ => None,
        })
}

#[test]
fn an_image_stays_in_the_composer_when_a_command_is_sent() {
    for command in ["/todo", "/no-such-thing", "!ls", "!!ls"] {
        let mut it = Harness::new(80, 24);
        it.type_text(command);
        it.model.composer.attach(image("shot.png"));
        it.keys("esc enter");
        assert!(submitted(&mut it).is_none(), "{command}");
        let kept = it.model.composer.buffer.images();
        assert_eq!(kept, [image("shot.png")], "{command}");
        assert_eq!(it.model.composer.buffer.text(), "", "{command}");
        it.type_text("what is it?");
        it.keys("enter");
        let sent = submitted(&mut it);
        assert_eq!(sent, Some(("what is it?".to_owned(), 1)), "{command}");
    }
}

#[test]
fn mentioned_images_are_attached_when_the_message_is_sent() {
    let mut it = Harness::new(80, 24);
    it.type_text("compare @a.png with @~/b.JPG, please mail me@c.png");
    it.keys("esc alt-enter");
    read(&mut it, "a.png", Ok(image("a.png")));
    assert!(
        it.screen().contains("compare [a.png] with"),
        "{}",
        it.screen()
    );
    read(&mut it, "~/b.JPG", Ok(image("b.JPG")));
    let (text, images) = submitted(&mut it).expect("it is sent");
    assert_eq!(
        (text.as_str(), images),
        ("compare  with , please mail me@c.png", 2)
    );
}

#[test]
fn what_a_draft_mentions_and_holds_is_counted_before_it_is_sent() {
    let mut it = Harness::new(80, 24);
    it.type_text("compare @a.png with this");
    it.wait(150);
    let counted = Effect::CountMentions {
        text: "compare @a.png with this".to_owned(),
        images: Vec::new(),
    };
    assert!(it.take_effects().contains(&counted));
    it.keys("ctrl-c");
    it.model.composer.attach(image("b.png"));
    it.type_text(" look");
    it.wait(150);
    let (text, images) = (" look".to_owned(), vec![image("b.png")]);
    let counted = Effect::Send(Op::Turn(TurnOp::Draft { text, images }));
    assert!(it.take_effects().contains(&counted));
}

#[test]
fn a_mention_that_cannot_be_read_is_said_and_then_text() {
    let mut it = Harness::new(80, 24);
    it.type_text("see @gone.png now");
    it.keys("enter");
    read(
        &mut it,
        "gone.png",
        Err("gone.png: no such file".to_owned()),
    );
    assert_eq!(submitted(&mut it), None);
    assert!(
        it.screen().contains("enter sends it as text"),
        "{}",
        it.screen()
    );
    it.keys("enter");
    assert_eq!(
        submitted(&mut it),
        Some(("see @gone.png now".to_owned(), 0))
    );
}

#[test]
fn a_shell_command_keeps_its_at_signs() {
    let mut it = Harness::new(80, 24);
    it.type_text("!ls x @a.png");
    it.keys("esc enter");
    let effects = it.take_effects();
    assert!(
        !effects.iter().any(|it| matches!(it, Effect::Attach { .. })),
        "{effects:?}"
    );
}

#[test]
fn a_pasted_path_attaches_or_stays_what_it_is() {
    let mut it = Harness::new(80, 24);
    for (pasted, path) in [
        ("/tmp/my\\ shot.png ", "/tmp/my shot.png"),
        ("'/tmp/a.jpeg'", "/tmp/a.jpeg"),
        ("file:///tmp/my%20shot.webp\n", "/tmp/my shot.webp"),
    ] {
        it.send(Msg::Input(Input::Paste(pasted.to_owned())));
        read(&mut it, path, Ok(image("shot")));
    }
    assert_eq!(it.model.composer.buffer.images().len(), 3);
    it.keys("ctrl-c");
    it.send(Msg::Input(Input::Paste("no/such.png".to_owned())));
    read(
        &mut it,
        "no/such.png",
        Err("no/such.png: no such file".to_owned()),
    );
    assert_eq!(it.model.composer.buffer.text(), "no/such.png");
    assert!(it.screen().contains("no such file"));
}

#[test]
fn an_answer_that_comes_late_sends_nothing() {
    let mut it = Harness::new(80, 24);
    it.type_text("see @a.png");
    it.keys("esc enter ctrl-c");
    it.take_effects();
    let why = AttachPurpose::Mention {
        path: "a.png".to_owned(),
        when: SubmitWhen::NextStep,
    };
    it.send(Msg::Attached(why, Ok(image("a.png"))));
    assert_eq!(submitted(&mut it), None);
    assert!(it.model.composer.buffer.is_empty());
}
