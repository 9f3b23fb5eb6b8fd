//! The facts in the name of a model of OpenAI. Pure.

/// The o-series and GPT-5 and later refuse `max_tokens`.
pub(in crate::provider) fn is_reasoning_name(model: &str) -> bool {
    /// The first generation of GPT with the new field.
    const FIRST_GPT: u32 = 5;
    let name = model.rsplit('/').next().unwrap_or(model);
    let is_o = name
        .strip_prefix('o')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let generation = name.strip_prefix("gpt-").and_then(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit());
        let digits = rest.get(..end.unwrap_or(rest.len()))?;
        digits.parse::<u32>().ok()
    });
    is_o || generation.is_some_and(|generation| generation >= FIRST_GPT)
}
