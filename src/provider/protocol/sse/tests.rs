use super::*;
use proptest::prelude::*;

/// Events and whether the decoder failed, for bytes cut at `cuts`.
fn decode(bytes: &[u8], cuts: &[usize], limit: usize) -> (Vec<(String, String)>, bool) {
    let mut decoder = SseDecoder::with_limit(limit);
    let mut events = Vec::new();
    let mut failed = false;
    let mut from = 0;
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    ends.sort_unstable();
    ends.push(bytes.len());
    for end in ends {
        failed |= decoder.push(&bytes[from..end], &mut events).is_err();
        from = end;
    }
    events.extend(decoder.finish());
    let events = events.into_iter().map(|e| (e.name, e.data)).collect();
    (events, failed)
}

fn check(input: &str, expected: &[(&str, &str)]) {
    let every_byte: Vec<usize> = (0..input.len()).collect();
    for cuts in [&[][..], &every_byte] {
        let (events, failed) = decode(input.as_bytes(), cuts, MAX_EVENT_BYTES);
        let events: Vec<(&str, &str)> = events
            .iter()
            .map(|(n, d)| (n.as_str(), d.as_str()))
            .collect();
        assert_eq!(events, expected, "{input:?}");
        assert!(!failed);
    }
}

#[test]
fn the_protocol() {
    check("data: a\n\n", &[("", "a")]);
    check("data: a\r\n\r\ndata: b\r\n\r\n", &[("", "a"), ("", "b")]);
    check("data: a\r\rdata: b\r\r", &[("", "a"), ("", "b")]);
    check("event: ping\ndata: {}\n\n", &[("ping", "{}")]);
    check("data: a\ndata: b\n\n", &[("", "a\nb")]);
    check("data\n\n", &[("", "")]);
    check("data:a\ndata:  b\n\n", &[("", "a\n b")]);
    check(": keep-alive\n\ndata: a\n\n", &[("", "a")]);
    check("id: 7\nretry: 10\nwhat: ever\ndata: a\n\n", &[("", "a")]);
    check("event: lonely\n\ndata: a\n\n", &[("", "a")]);
    check("data: no blank line", &[("", "no blank line")]);
    check("data: one line end\n", &[("", "one line end")]);
    check("\u{feff}data: bom\n\n", &[("", "bom")]);
    check(
        "data: \u{feff}kept \u{6f22}\u{1f600}\n\n",
        &[("", "\u{feff}kept \u{6f22}\u{1f600}")],
    );
    check("", &[]);
}

#[test]
fn an_event_beyond_the_limit_is_an_error_that_stays() {
    let mut decoder = SseDecoder::with_limit(32);
    let mut events = Vec::new();
    decoder.push(b"data: good\n\n", &mut events).unwrap();
    let error = decoder.push(&[b'x'; 40], &mut events).unwrap_err();
    assert!(error.to_string().contains("32 bytes"));
    assert!(decoder.push(b"\n\ndata: late\n\n", &mut events).is_err());
    assert_eq!(decoder.finish(), None);
    assert_eq!(events.len(), 1);
}

#[test]
fn many_small_lines_of_one_event_are_bounded_too() {
    let mut decoder = SseDecoder::with_limit(100);
    let mut events = Vec::new();
    let failed = (0..100).any(|_| decoder.push(b"data: 0123456789\n", &mut events).is_err());
    assert!(failed);
}

#[test]
fn a_large_event_in_small_pieces_takes_linear_time() {
    let mut decoder = SseDecoder::default();
    let mut events = Vec::new();
    let started = std::time::Instant::now();
    decoder.push(b"data: ", &mut events).unwrap();
    for _ in 0..(4 * 1024 * 1024 / 16) {
        decoder.push(b"0123456789abcdef", &mut events).unwrap();
    }
    decoder.push(b"\n\n", &mut events).unwrap();
    assert_eq!(events.len(), 1);
    assert!(started.elapsed().as_secs() < 40, "quadratic");
}

proptest! {
    #[test]
    fn cuts_do_not_matter(
        lines in proptest::collection::vec("(data: ?|event: ?|: ?|id:|)[a-z\u{6f22}\u{1f600}:\u{feff}]{0,6}(\n|\r|\r\n)", 0..12),
        tail in "(|data: x|\u{feff})",
        cuts in proptest::collection::vec(0usize..400, 0..12),
        limit in 20usize..60,
    ) {
        let input = lines.concat() + &tail;
        let whole = decode(input.as_bytes(), &[], limit);
        prop_assert_eq!(decode(input.as_bytes(), &cuts, limit), whole);
    }

    #[test]
    fn any_bytes_are_survived(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        cuts in proptest::collection::vec(0usize..300, 0..8),
    ) {
        prop_assert_eq!(
            decode(&bytes, &cuts, MAX_EVENT_BYTES),
            decode(&bytes, &[], MAX_EVENT_BYTES)
        );
    }
}
