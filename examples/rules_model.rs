//! Trains the scorer of rules and writes `assets/rules-model.bin`.
//!
//! ```console
//! cargo run --release --example rules_model
//! ```
//!
//! It reads the labelled messages in `tests/data/rules`, all but attacks, withdrawals and the
//! `unseen*` files, which are there to measure with. The same files give the same weights.

use std::error::Error;
use std::path::Path;

use plimsoll::context::rules::{Lesson, MODEL_BUCKETS, lessons};
use serde::Deserialize;

/// Times that every lesson is gone through.
const ROUNDS: usize = 16;
/// How far a lesson moves a weight at first.
const STEP: f32 = 0.08;
/// How much a weight shrinks in a lesson, by the bucket's step.
const SHRINK: f32 = 2.0e-5;
/// Of its cues a lesson keeps this share: words have to tell what the tables lack.
const KEPT_CUES: f64 = 0.7;
/// Of a rule's letters, the share that a part needs to be the rule,
const LEAST_PART: f32 = 0.6;
/// and of a part's letters the share that the rule needs.
const LEAST_RULE: f32 = 0.7;
/// Largest weight that is stored.
const MOST: f32 = 127.0;

#[derive(Deserialize)]
struct Labelled {
    text: String,
    rules: Vec<String>,
}

/// A lesson with its answer.
struct Example {
    lesson: Lesson,
    is_rule: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = run(&root.join("tests/data/rules"))?;
    std::fs::write(root.join("assets/rules-model.bin"), model)?;
    Ok(())
}

/// The model that the labelled messages of a folder teach: what a weight of 1 is worth, then a
/// signed byte for each weight.
pub fn run(folder: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|it| it.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let mut examples = Vec::new();
    for file in files.iter().filter(|file| teaches(file)) {
        for line in std::fs::read_to_string(file)?.lines() {
            examples.extend(examples_of(&serde_json::from_str(line)?));
        }
    }
    let weights = trained(&examples);
    let most = |most: f32, weight: &f32| most.max(weight.abs());
    let scale = weights.iter().fold(f32::MIN_POSITIVE, most) / MOST;
    let stored = weights.iter().map(|it| (it / scale).round() as i8);
    let bytes = stored.map(i8::cast_unsigned);
    Ok(scale.to_le_bytes().into_iter().chain(bytes).collect())
}

/// Whether a file holds messages to learn from.
fn teaches(file: &Path) -> bool {
    let others = ["attacks", "withdrawals", "unseen"];
    let name = file.file_name().and_then(|it| it.to_str());
    name.is_some_and(|name| !others.iter().any(|other| name.starts_with(other)))
}

/// The lessons of a message whose answer is known: those that hold half a rule are left out.
fn examples_of(message: &Labelled) -> Vec<Example> {
    let rules: Vec<String> = message.rules.iter().map(|rule| words(rule)).collect();
    let all = lessons(&message.text).into_iter();
    all.filter_map(|lesson| {
        let is_rule = answer(&words(&lesson.text), &rules)?;
        Some(Example { lesson, is_rule })
    })
    .collect()
}

fn answer(text: &str, rules: &[String]) -> Option<bool> {
    if text.is_empty() {
        return None;
    }
    let length = |text: &str| text.chars().count() as f32;
    for rule in rules {
        if text.contains(rule.as_str()) {
            return (length(rule) >= LEAST_RULE * length(text)).then_some(true);
        }
        if rule.contains(text) {
            return (length(text) >= LEAST_PART * length(rule)).then_some(true);
        }
    }
    let shares = |one: &str, other: &str| {
        let halves = halves(one);
        halves.iter().any(|it| !it.is_empty() && other.contains(it))
    };
    let overlaps = |rule: &String| shares(text, rule) || shares(rule, text);
    (!rules.iter().any(overlaps)).then_some(false)
}

fn halves(text: &str) -> [&str; 2] {
    let middle = text.chars().count() / 2;
    let at = text.char_indices().nth(middle).map_or(0, |(at, _)| at);
    let (first, second) = text.split_at_checked(at).unwrap_or((text, ""));
    [first, second]
}

/// Lower-case words between single spaces.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// Logistic regression, one lesson after the other, each weight with a step of its own. What
/// comes out is the mean over the second half of the rounds.
fn trained(examples: &[Example]) -> Vec<f32> {
    let mut learner = Learner {
        weights: vec![0.0; MODEL_BUCKETS],
        squares: vec![1.0; MODEL_BUCKETS],
    };
    let mut sums = vec![0.0_f32; MODEL_BUCKETS];
    let mut random = Random(1);
    let mut order: Vec<&Example> = examples.iter().collect();
    for round in 0..ROUNDS {
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        for example in &order {
            learner.learn(example, random.dropped());
        }
        if round >= ROUNDS / 2 {
            for (sum, weight) in sums.iter_mut().zip(&learner.weights) {
                *sum += weight;
            }
        }
    }
    let averaged = (ROUNDS - ROUNDS / 2) as f32;
    sums.iter().map(|sum| sum / averaged).collect()
}

struct Learner {
    weights: Vec<f32>,
    /// The squares of the slopes of each weight so far, from 1 on.
    squares: Vec<f32>,
}

impl Learner {
    /// Learns from a lesson without the cues in `dropped`.
    fn learn(&mut self, example: &Example, dropped: u128) {
        let lesson = &example.lesson;
        let words = lesson.words.iter().map(|at| (*at, lesson.word_value));
        let cues = lesson.cues.iter().filter(|(_, cues)| cues & dropped == 0);
        let active: Vec<(u32, f32)> = words.chain(cues.map(|(at, _)| (*at, 1.0))).collect();
        let weight = |at: u32| self.weights.get(at as usize).copied().unwrap_or_default();
        let sum: f32 = active.iter().map(|(at, value)| weight(*at) * value).sum();
        let target = if example.is_rule { 1.0 } else { 0.0 };
        let error = 1.0 / (1.0 + (-sum).exp()) - target;
        for (at, value) in active {
            let at = at as usize;
            let both = (self.weights.get_mut(at), self.squares.get_mut(at));
            if let (Some(weight), Some(squares)) = both {
                let slope = error * value;
                *squares += slope * slope;
                *weight -= STEP / squares.sqrt() * slope + SHRINK * *weight;
            }
        }
    }
}

/// A generator of numbers that is the same everywhere (a linear congruence).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        let factor = 6_364_136_223_846_793_005;
        self.0 = self.0.wrapping_mul(factor);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end
    }

    /// Cues to be left out of a lesson.
    fn dropped(&mut self) -> u128 {
        let least = (KEPT_CUES * f64::from(1_u32 << 31)) as u32;
        (0..u128::BITS).fold(0, |dropped, bit| {
            dropped | u128::from(self.next() > least) << bit
        })
    }
}
