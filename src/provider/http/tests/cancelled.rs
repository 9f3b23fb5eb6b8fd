//! Cancelling at every byte of an answer: what has arrived stays, and nothing hangs.

use futures::future::join_all;

use super::*;

const ANSWER: &str = "data: one\n\ndata: zwei\r\n\r\n: note\ndata: 三\n\n";

/// How many events the first bytes complete.
fn complete(bytes: &[u8]) -> usize {
    let ends = [
        ANSWER.find("\n\n").unwrap() + 2,
        // The first CR of the blank line ends the event already.
        ANSWER.find("\r\n\r\n").unwrap() + 3,
        ANSWER.len(),
    ];
    ends.iter().filter(|&&end| end <= bytes.len()).count()
}

async fn cancel_after(bytes: &'static [u8]) {
    let mut script = events(&[]);
    script.push(ScriptStep::Send(bytes.to_vec()));
    script.push(ScriptStep::Hang);
    let server = ScriptedServer::start(vec![script]).await;
    let cancel = CancellationToken::new();
    let call = call(&server.base, DEFAULT_STALL);
    let mut stream = stream_answer(call, Echo::default(), cancel.clone());
    let mut arrived = Vec::new();
    for _ in 0..complete(bytes) {
        arrived.extend(stream.next().await);
    }
    let kept: Vec<String> = ["one", "zwei", "三"]
        .iter()
        .take(complete(bytes))
        .map(|&text| text.to_owned())
        .collect();
    assert_eq!(texts(&arrived), kept, "{} bytes", bytes.len());
    cancel.cancel();
    let rest: Vec<_> = stream.collect().await;
    assert_eq!(
        rest,
        [Err(ProviderError::Cancelled)],
        "{} bytes",
        bytes.len()
    );
}

#[tokio::test]
async fn what_arrived_before_any_byte_is_kept_when_it_is_cancelled_there() {
    let bytes = ANSWER.as_bytes();
    let all = (0..=bytes.len()).map(|n| cancel_after(&bytes[..n]));
    let all = tokio::time::timeout(Duration::from_secs(30), join_all(all));
    all.await.unwrap();
}
