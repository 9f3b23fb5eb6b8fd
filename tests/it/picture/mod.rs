//! README's moving picture, `assets/demo.svg`: a person works through the demo session, with
//! the real agent, update loop and renderer and the offline provider. It fails when it is
//! stale; `BLESS=1 cargo test` makes it again.

mod cells;
mod film;
mod stage;

use std::path::Path;

use plimsoll::agent::{AgentEvent, CompactionEvent, ContextEvent, TurnEvent};
use plimsoll::tui::testing::text_of;

use self::film::Frame;
use self::stage::Stage;

/// More than this takes long to load beside a text.
const MAX_BYTES: usize = 400_000;

/// The gauge is behind the review.
const UNDER_REVIEW: &str = "under review";

/// A moment of the film that its caption speaks of.
struct Moment {
    name: &'static str,
    tokens: u64,
    screen: String,
}

/// The film, and the moments in it.
async fn shoot() -> (Vec<Frame>, Vec<Moment>) {
    let mut stage = Stage::open().await;
    let mut moments = Vec::new();
    let mut hold = |stage: &mut Stage, name, caption: String, millis| {
        stage.caption = caption;
        stage.frame(millis);
        moments.push(Moment {
            name,
            tokens: stage.tokens,
            screen: stage.screen(),
        });
    };
    let opened = in_thousands(stage.tokens);
    let caption = format!("The next request takes {opened} of 32k tokens; ╎ is the load line.");
    hold(&mut stage, "opened", caption, 3_500);

    stage.announce("1 · Two files are read.");
    stage
        .type_line("read src/store/arrivals.rs and read src/store/bookings.rs")
        .await;
    let is_end = |event: &AgentEvent| matches!(event, AgentEvent::Turn(TurnEvent::Finished(_)));
    stage.until(is_end).await;
    stage.settle().await;
    let read = in_thousands(stage.tokens);
    let caption = format!("1 · Two files are read: {opened} → {read} tokens.");
    hold(&mut stage, "read", caption, 3_500);

    prune(&mut stage).await;
    let pruned = in_thousands(stage.tokens);
    let caption =
        format!("2 · /prune trims old tool results: {read} → {pruned}; /pruned lists why.");
    hold(&mut stage, "pruned", caption, 4_000);

    compact(&mut stage).await;
    let caption = "3 · /compact waits for your review: a accepts, x leaves everything as it was.";
    hold(&mut stage, UNDER_REVIEW, caption.to_owned(), 6_000);
    stage.press("a").await;
    let is_applied = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Compaction(CompactionEvent::Applied { .. })
        )
    };
    stage.until(is_applied).await;
    stage.settle().await;
    let compacted = in_thousands(stage.tokens);
    let caption = format!("4 · Accepted, the summary replaces older messages: {compacted}.");
    hold(&mut stage, "compacted", caption, 4_000);

    stage.announce("5 · /undo");
    stage.type_line("/undo").await;
    let is_undone = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Compaction(CompactionEvent::Undone { .. })
        )
    };
    stage.until(is_undone).await;
    stage.settle().await;
    let undone = in_thousands(stage.tokens);
    let caption = format!("5 · /undo brings the messages back: {undone}. Nothing was lost.");
    hold(&mut stage, "undone", caption, 4_500);
    (stage.frames, moments)
}

/// `/prune`, up to the smaller view.
async fn prune(stage: &mut Stage) {
    stage.announce("2 · /prune trims old tool results.");
    stage.type_line("/prune").await;
    let is_pruned =
        |event: &AgentEvent| matches!(event, AgentEvent::Context(ContextEvent::Pruned { .. }));
    stage.until(is_pruned).await;
    stage.settle().await;
}

/// `/compact`, up to its review.
async fn compact(stage: &mut Stage) {
    stage.announce("3 · /compact, with instructions");
    stage
        .type_line("/compact keep commit ids and the decision about row 4471")
        .await;
    let has_sources =
        |event: &AgentEvent| matches!(event, AgentEvent::Compaction(CompactionEvent::Sources(_)));
    stage.until(has_sources).await;
    stage.settle().await;
    stage.pause();
    stage.frame(1_500);
    stage.press("enter").await;
    stage.settle().await;
}

#[tokio::test(start_paused = true)]
async fn the_committed_picture_is_what_the_program_draws() {
    let (frames, moments) = shoot().await;
    for moment in moments.iter().filter(|it| it.name != UNDER_REVIEW) {
        let rounded = format!("{:.0}k", moment.tokens as f64 / 1000.0);
        let is_there = |text: &str| moment.screen.contains(text);
        assert!(
            is_there(&in_thousands(moment.tokens)) || is_there(&rounded),
            "{}: the gauge does not say {}\n{}",
            moment.name,
            moment.tokens,
            moment.screen
        );
    }
    let tokens: Vec<u64> = moments.iter().map(|moment| moment.tokens).collect();
    let [opened, read, pruned, _, compacted, undone] = tokens[..] else {
        panic!("{tokens:?}");
    };
    assert!(opened < read, "the gauge rises: {tokens:?}");
    assert!(pruned < read && compacted < pruned, "{tokens:?}");
    assert_eq!(undone, pruned, "nothing was lost");
    let svg = film::svg(&frames);
    assert!(svg.len() <= MAX_BYTES, "{} bytes", svg.len());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo.svg");
    crate::documents::same_or_bless(&path, &svg);
}

/// Tokens as the gauge writes them: `20.1k`.
fn in_thousands(tokens: u64) -> String {
    let text = format!("{:.1}", tokens as f64 / 1000.0);
    text.trim_end_matches(".0").to_owned() + "k"
}

#[test]
fn every_frame_is_in_the_picture_in_its_time_and_the_first_without_motion() {
    let frame = |text: &str, millis| Frame {
        buffer: ratatui::buffer::Buffer::with_lines([text, "same"]),
        caption: format!("says {text}"),
        millis,
    };
    let frames = [
        frame("once", 1_000),
        frame("then", 3_000),
        frame("once", 1_000),
    ];
    assert!(text_of(&frames[1].buffer).contains("then"));
    let svg = film::svg(&frames);
    assert_eq!(svg.matches(">same</text>").count(), 1, "{svg}");
    assert_eq!(svg.matches(">once</text>").count(), 1, "{svg}");
    let times = "{0.000%{visibility:visible}20.000%{visibility:hidden}80.000%{visibility:visible}100%{visibility:visible}}";
    assert!(svg.contains(times), "{svg}");
    assert!(svg.contains("5s step-end infinite"), "{svg}");
    let still: Vec<&str> = svg
        .split("<g ")
        .filter(|group| !group.contains("visibility=\"hidden\""))
        .collect();
    assert!(still.iter().any(|group| group.contains(">once<")), "{svg}");
    assert!(!still.iter().any(|group| group.contains(">then<")), "{svg}");
    assert!(!svg.contains("<script"));
}
