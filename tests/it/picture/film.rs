//! Screens one after the other as one SVG that moves by itself: without a script, in a loop,
//! each row drawn once for each of its contents. Where nothing moves (a printout, a browser
//! that is asked for less motion) the first screen is seen.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::Buffer;

use super::cells::{BASELINE, CELL_HEIGHT, CELL_WIDTH, MARGIN, PAPER, escaped, row};

/// Above the screen, for the caption.
const CAPTION_HEIGHT: f64 = 30.0;

/// Captions are no part of the screen.
const CAPTION_INK: &str = "#8fb8f0";

/// A screen that stands still for a while.
pub struct Frame {
    /// The cells.
    pub buffer: Buffer,
    /// What is to be seen, in a line.
    pub caption: String,
    /// How long it stands.
    pub millis: u64,
}

/// Things at one place that take turns: each with the frames in which it is there.
type Turns = BTreeMap<String, Vec<bool>>;

/// All frames as one picture.
pub fn svg(frames: &[Frame]) -> String {
    let area = frames.first().map(|frame| frame.buffer.area);
    let (columns, rows) = area.map_or((0, 0), |area| (area.width, area.height));
    let width = f64::from(columns) * CELL_WIDTH + 2.0 * MARGIN;
    let height = f64::from(rows) * CELL_HEIGHT + 2.0 * MARGIN + CAPTION_HEIGHT;
    let mut rules = Rules::new(frames);
    let mut body = String::new();
    let captions = turns(frames, |frame| {
        format!(
            "<text x=\"{MARGIN}\" y=\"{BASELINE}\" fill=\"{CAPTION_INK}\" font-weight=\"bold\" xml:space=\"preserve\">{}</text>\n",
            escaped(&frame.caption)
        )
    });
    rules.place(&captions, 0.0, MARGIN, &mut body);
    for number in 0..rows {
        let contents = turns(frames, |frame| row(&frame.buffer, number));
        let y = CAPTION_HEIGHT + MARGIN + f64::from(number) * CELL_HEIGHT;
        rules.place(&contents, MARGIN, y, &mut body);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\">\n<style>\n{}@media (prefers-reduced-motion:reduce){{g{{animation:none!important}}}}\n</style>\n<rect width=\"100%\" height=\"100%\" rx=\"10\" fill=\"{PAPER}\"/>\n{body}</svg>\n",
        rules.css
    )
}

fn turns(frames: &[Frame], draw: impl Fn(&Frame) -> String) -> Turns {
    let mut turns = Turns::new();
    for (number, frame) in frames.iter().enumerate() {
        let shown = turns
            .entry(draw(frame))
            .or_insert_with(|| vec![false; frames.len()]);
        if let Some(shown) = shown.get_mut(number) {
            *shown = true;
        }
    }
    turns
}

/// The rules of what is there when.
struct Rules {
    /// When each frame begins, in percent of the whole.
    begins: Vec<f64>,
    seconds: f64,
    names: BTreeMap<Vec<bool>, String>,
    css: String,
}

impl Rules {
    fn new(frames: &[Frame]) -> Self {
        let total: u64 = frames.iter().map(|frame| frame.millis).sum();
        let mut begins = Vec::new();
        let mut at = 0;
        for frame in frames {
            begins.push(100.0 * at as f64 / total.max(1) as f64);
            at += frame.millis;
        }
        Self {
            begins,
            seconds: total as f64 / 1000.0,
            names: BTreeMap::new(),
            css: String::new(),
        }
    }

    /// Puts things that take turns at a place.
    fn place(&mut self, turns: &Turns, x: f64, y: f64, body: &mut String) {
        for (content, shown) in turns.iter().filter(|(content, _)| !content.is_empty()) {
            let mut when = String::new();
            if shown.contains(&false) {
                let _ = write!(when, " class=\"{}\"", self.name(shown));
            }
            if shown.first() == Some(&false) {
                when.push_str(" visibility=\"hidden\"");
            }
            let _ = write!(
                body,
                "<g transform=\"translate({x} {y})\"{when}>\n{content}</g>\n"
            );
        }
    }

    /// The class of what is there in these frames.
    fn name(&mut self, shown: &[bool]) -> String {
        if let Some(name) = self.names.get(shown) {
            return name.clone();
        }
        let name = format!("t{}", self.names.len());
        let _ = write!(self.css, "@keyframes {name}{{");
        let mut before = None;
        for (begin, is_there) in self.begins.iter().zip(shown) {
            if before != Some(is_there) {
                let state = if *is_there { "visible" } else { "hidden" };
                let _ = write!(self.css, "{begin:.3}%{{visibility:{state}}}");
            }
            before = Some(is_there);
        }
        let last = if shown.last() == Some(&true) {
            "visible"
        } else {
            "hidden"
        };
        let _ = writeln!(
            self.css,
            "100%{{visibility:{last}}}}}.{name}{{animation:{name} {}s step-end infinite}}",
            self.seconds
        );
        self.names.insert(shown.to_vec(), name.clone());
        name
    }
}
