//! One connection for many requests, also when the end of an answer comes in two pieces.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use super::*;

/// Answers in chunks; the last, empty one comes after the answer is over.
async fn serve(mut socket: TcpStream, over: Arc<Notify>) {
    let mut buffer = [0; 4096];
    while matches!(socket.read(&mut buffer).await, Ok(1..)) {
        let event = "data: end\n\n";
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{event}\r\n",
            event.len()
        );
        let _ = socket.write_all(head.as_bytes()).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        let _ = socket.write_all(b"0\r\n\r\n").await;
        over.notify_one();
    }
}

#[tokio::test]
async fn a_connection_is_used_again_although_the_answer_ended_before_its_bytes() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let accepted = Arc::new(AtomicUsize::new(0));
    let count = accepted.clone();
    let over = Arc::new(Notify::new());
    let told = over.clone();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(serve(socket, told.clone()));
        }
    });
    let client = call(&base, DEFAULT_STALL).client;
    for _ in 0..4 {
        let mut call = call(&base, DEFAULT_STALL);
        call.client = client.clone();
        let items: Vec<_> = stream_answer(call, Echo::default(), CancellationToken::new())
            .collect()
            .await;
        assert_eq!(texts(&items), ["end"]);
        over.notified().await;
        tokio::time::sleep(Duration::from_millis(80)).await;
    }
    assert_eq!(accepted.load(Ordering::SeqCst), 1);
}
