//! Trains the scorer of rules and writes `assets/rules-model.bin`.
//!
//! ```console
//! cargo run --release --example rules_model
//! ```
//!
//! It reads the labelled messages in `tests/data/rules`, all but attacks, withdrawals and the
//! `unseen*` files, which are there to measure with. The same files give the same weights.

use std::collections::VecDeque;
use std::error::Error;
use std::path::Path;

use plimsoll::context::rules::{FeatureGroup, Lesson, MODEL_BUCKETS, lessons};
use serde::Deserialize;

/// How much the lessons count against small weights: the less, the smaller the weights.
const LESSON_COST: f64 = 0.2;
/// Steps of the descent at most,
const MAX_STEPS: usize = 200;
/// which ends where a step gains no more than this share of what is left.
const LEAST_GAIN: f64 = 1e-6;
/// Steps that tell how the slope bends.
const MEMORY: usize = 8;
/// Of what the slope promises, the share that a step must gain.
const LEAST_PROMISE: f64 = 1e-4;
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

/// Logistic regression with small weights: what it costs has one least point, whatever the order
/// of the lessons. It is found by L-BFGS.
fn trained(examples: &[Example]) -> Vec<f32> {
    let mut at = Point::of(vec![0.0; MODEL_BUCKETS], examples);
    let mut bends: VecDeque<Bend> = VecDeque::new();
    for _ in 0..MAX_STEPS {
        let direction = descent(&at.slope, &bends);
        let promise = dot(&direction, &at.slope);
        let mut length = 1.0;
        let next = loop {
            let moved = at.weights.iter().zip(&direction);
            let next = Point::of(moved.map(|(w, d)| w + length * d).collect(), examples);
            if next.cost <= at.cost + LEAST_PROMISE * length * promise || length < f64::EPSILON {
                break next;
            }
            length /= 2.0;
        };
        let gain = at.cost - next.cost;
        if gain <= LEAST_GAIN * at.cost {
            break;
        }
        bends.push_back(Bend::between(&at, &next));
        if bends.len() > MEMORY {
            bends.pop_front();
        }
        at = next;
    }
    at.weights.iter().map(|weight| *weight as f32).collect()
}

/// Weights, what they cost, and how the cost changes with each.
struct Point {
    weights: Vec<f64>,
    cost: f64,
    slope: Vec<f64>,
}

impl Point {
    fn of(weights: Vec<f64>, examples: &[Example]) -> Self {
        let mut cost = dot(&weights, &weights) / 2.0;
        let mut slope = weights.clone();
        for Example { lesson, is_rule } in examples {
            let weight = |bucket: &u32| weights.get(*bucket as usize).copied().unwrap_or_default();
            let of_group = |group: &FeatureGroup| {
                let weights: f64 = group.buckets.iter().map(weight).sum();
                weights * f64::from(group.value)
            };
            let sum: f64 = lesson.groups.iter().map(of_group).sum();
            let target = if *is_rule { 1.0 } else { -1.0 };
            // ln(1 + e^-x) without overflow.
            let wrong = -target * sum;
            cost += LESSON_COST * (wrong.max(0.0) + (-wrong.abs()).exp().ln_1p());
            let error = -LESSON_COST * target / (1.0 + (-wrong).exp());
            for group in &lesson.groups {
                let error = error * f64::from(group.value);
                for bucket in &group.buckets {
                    if let Some(slope) = slope.get_mut(*bucket as usize) {
                        *slope += error;
                    }
                }
            }
        }
        Self {
            weights,
            cost,
            slope,
        }
    }
}

/// How the slope changed over a step.
struct Bend {
    step: Vec<f64>,
    change: Vec<f64>,
    /// Their product.
    product: f64,
}

impl Bend {
    fn between(from: &Point, to: &Point) -> Self {
        let difference = |a: &[f64], b: &[f64]| -> Vec<f64> {
            let both = a.iter().zip(b);
            both.map(|(a, b)| a - b).collect()
        };
        let step = difference(&to.weights, &from.weights);
        let change = difference(&to.slope, &from.slope);
        let product = dot(&step, &change);
        Self {
            step,
            change,
            product,
        }
    }
}

/// Where to go: down the slope, as far as the bends say (Nocedal's two loops).
fn descent(slope: &[f64], bends: &VecDeque<Bend>) -> Vec<f64> {
    let mut direction: Vec<f64> = slope.iter().map(|it| -it).collect();
    let mut shares = Vec::new();
    for bend in bends.iter().rev() {
        let share = dot(&bend.step, &direction) / bend.product;
        add(&mut direction, -share, &bend.change);
        shares.push(share);
    }
    if let Some(newest) = bends.back() {
        let scale = newest.product / dot(&newest.change, &newest.change);
        for it in &mut direction {
            *it *= scale;
        }
    }
    for (bend, share) in bends.iter().zip(shares.iter().rev()) {
        let back = dot(&bend.change, &direction) / bend.product;
        add(&mut direction, share - back, &bend.step);
    }
    direction
}

fn add(to: &mut [f64], factor: f64, other: &[f64]) {
    for (to, other) in to.iter_mut().zip(other) {
        *to += factor * other;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
