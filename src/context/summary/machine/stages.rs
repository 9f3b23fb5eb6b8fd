//! The stages of a run, in a line that a screen can show.

/// A stage, or a run of numbered ones.
struct StageRun<'s> {
    /// As it is called, while it is one.
    stage: &'s str,
    /// Of a numbered stage: what is numbered, and of how many.
    kind: Option<(&'s str, &'s str)>,
    first: usize,
    last: usize,
    count: usize,
}

/// The stages in order; numbered ones that follow each other are one: `part 1–86/86 · merge`.
pub(super) fn joined<'s>(stages: impl Iterator<Item = &'s str>) -> String {
    let mut runs: Vec<StageRun<'s>> = Vec::new();
    for stage in stages {
        let numbered = numbered(stage);
        let kind = numbered.map(|(what, _, of)| (what, of));
        let number = numbered.map_or(0, |(_, number, _)| number);
        match runs.last_mut() {
            Some(run)
                if kind.is_some()
                    && run.kind == kind
                    && (run.last..=run.last + 1).contains(&number) =>
            {
                run.last = number;
                run.count += 1;
            }
            _ => runs.push(StageRun {
                stage,
                kind,
                first: number,
                last: number,
                count: 1,
            }),
        }
    }
    let words: Vec<String> = runs.iter().map(StageRun::words).collect();
    words.join(" · ")
}

impl StageRun<'_> {
    fn words(&self) -> String {
        match self.kind {
            Some((what, of)) if self.first < self.last => {
                format!("{what} {}–{}/{of}", self.first, self.last)
            }
            Some((what, of)) if self.count > 1 => format!("{what} {}/{of}", self.last),
            _ => self.stage.to_owned(),
        }
    }
}

/// What is numbered, its number and of how many: of `part 3/86 · piece 1/2` the part.
fn numbered(stage: &str) -> Option<(&str, usize, &str)> {
    let mut at = 0;
    for word in stage.split(' ') {
        let number = word.split_once('/');
        let number = number.and_then(|(number, of)| {
            let is_count = of.parse::<usize>().is_ok();
            number.parse().ok().filter(|_| is_count).zip(Some(of))
        });
        if let Some((number, of)) = number {
            return Some((stage.get(..at)?.trim_end(), number, of));
        }
        at += word.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(stages: &[&str]) -> String {
        joined(stages.iter().copied())
    }

    #[test]
    fn numbered_stages_in_a_row_are_one() {
        let stages = [
            "part 1/3",
            "part 2/3 · piece 1/2",
            "part 2/3 · piece 2/2",
            "part 3/3",
        ];
        assert_eq!(of(&stages), "part 1–3/3");
        let stages = [
            "turn context · piece 1/2",
            "turn context · piece 2/2",
            "summary",
        ];
        assert_eq!(of(&stages), "turn context · piece 1–2/2 · summary");
        assert_eq!(
            of(&[
                "part 1/2",
                "part 2/2",
                "merge · group 1/2",
                "merge · group 2/2",
                "merge",
                "mended"
            ]),
            "part 1–2/2 · merge · group 1–2/2 · merge · mended"
        );
    }

    #[test]
    fn other_stages_stay_as_they_are() {
        assert_eq!(
            of(&["summary", "audit · retry 1", "audit · retry 2"]),
            "summary · audit · retry 1 · audit · retry 2"
        );
        assert_eq!(
            of(&["part 1/3", "oldest half without a model", "part 2/3"]),
            "part 1/3 · oldest half without a model · part 2/3"
        );
        assert_eq!(
            of(&["without a model (HTTP 500 1/2)"]),
            "without a model (HTTP 500 1/2)"
        );
        assert_eq!(of(&[]), "");
    }
}
