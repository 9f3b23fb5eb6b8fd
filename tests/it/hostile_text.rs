//! Text that tokenizers choke on is counted all the same, and soon.

use std::time::{Duration, Instant};

use plimsoll::context::ruler::{Bpe, Ruler};
use plimsoll::transcript::Encoding;

const CHARS: usize = 1_000_000;
/// Of each text, on a busy machine, in a build without optimisation. What is quadratic
/// takes hours.
const PATIENCE: Duration = Duration::from_secs(30);

#[test]
fn a_megabyte_without_words_is_counted_soon() {
    let ruler = Bpe::new(Encoding::O200k);
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let base64 = (0..CHARS as u32).map(|n| {
        let letter = n.wrapping_mul(2_654_435_761) >> 26;
        char::from(letters[letter as usize])
    });
    for text in [
        " ".repeat(CHARS),
        "\n".repeat(CHARS),
        "a".repeat(CHARS),
        "啊".repeat(CHARS / 3),
        base64.collect(),
    ] {
        let begun = Instant::now();
        assert!(ruler.text_tokens(&text) > 1_000);
        let took = begun.elapsed();
        assert!(took < PATIENCE, "{:?}: {took:?}", text.chars().next());
    }
}
