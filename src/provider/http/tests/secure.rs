//! Real handshakes with a server whose certificate an authority of the test has signed.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::*;
use crate::provider::settings::{Roots, Timeouts};

/// `https://127.0.0.1:PORT` of a server for these names, and its authority as PEM.
async fn server(names: &[&str]) -> (String, String) {
    let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let key = KeyPair::generate().unwrap();
    let leaf = CertificateParams::new(names)
        .unwrap()
        .signed_by(&key, &authority)
        .unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::clone(leaf.der())], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(socket).await else {
                    return;
                };
                let mut buffer = [0; 4096];
                let _ = stream.read(&mut buffer).await;
                let answer = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\ndata: end\n\n";
                let _ = stream.write_all(answer).await;
                let _ = stream.shutdown().await;
            });
        }
    });
    (base, authority.pem())
}

async fn ask(base: &str, trust: Trust) -> Vec<Result<StreamEvent, ProviderError>> {
    let mut call = call(base, DEFAULT_STALL);
    call.client = Arc::new(HttpClient::new(DEFAULT_STALL, trust));
    stream_answer(call, Echo::default(), CancellationToken::new())
        .collect()
        .await
}

fn failure(items: &[Result<StreamEvent, ProviderError>]) -> String {
    match items {
        [Err(error @ ProviderError::NotSetUp { .. })] => {
            assert!(!error.is_retryable());
            error.to_string()
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_authority_of_ones_own_is_believed_when_it_is_named_and_else_said() {
    let (base, pem) = server(&["127.0.0.1"]).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, pem).unwrap();
    for roots in [Roots::System, Roots::Bundled] {
        let trust = Trust {
            roots,
            ca_file: Some(file.clone()),
        };
        let items = ask(&base, trust).await;
        assert_eq!(texts(&items), ["end"], "{roots:?}: {items:?}");
        let text = failure(
            &ask(
                &base,
                Trust {
                    roots,
                    ca_file: None,
                },
            )
            .await,
        );
        assert!(text.contains("tls.ca_file"), "{roots:?}: {text}");
        assert!(!text.contains("sk-secret"), "{text}");
    }
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused_in_words() {
    let (base, pem) = server(&["elsewhere.example"]).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, pem).unwrap();
    let trust = Trust {
        ca_file: Some(file),
        ..Trust::default()
    };
    let text = failure(&ask(&base, trust).await);
    assert!(text.contains("base URL"), "{text}");
}

/// The times of one provider, each against a server that hangs just there.
#[tokio::test]
async fn each_timeout_of_a_provider_is_kept_where_a_server_hangs() {
    const SHORT: Duration = Duration::from_millis(300);
    let hanging = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = hanging.local_addr().unwrap();
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((socket, _)) = hanging.accept().await {
            held.push(socket);
        }
    });
    let mut cut = events(&["data: a\n\nda"]);
    cut.push(ScriptStep::Hang);
    let silent = ScriptedServer::start(vec![vec![ScriptStep::Hang]]).await;
    let stalling = ScriptedServer::start(vec![cut]).await;
    let times = |connect, first_byte, stall| Timeouts {
        connect,
        first_byte,
        stall,
    };
    for (base, timeouts, arrived, said) in [
        // The handshake never comes.
        (
            format!("https://{address}"),
            times(Some(SHORT), None, None),
            0,
            "did not accept the connection",
        ),
        (
            silent.base.clone(),
            times(None, Some(SHORT), None),
            0,
            "did not answer",
        ),
        (
            stalling.base.clone(),
            times(None, None, Some(SHORT)),
            1,
            "stopped sending",
        ),
    ] {
        let mut call = call(&base, DEFAULT_STALL);
        call.client = Arc::new(call.client.with_timeouts(timeouts));
        let began = std::time::Instant::now();
        let unended = Echo {
            needs_end: true,
            ..Echo::default()
        };
        let items: Vec<_> = stream_answer(call, unended, CancellationToken::new())
            .collect()
            .await;
        assert!(began.elapsed() < Duration::from_secs(40), "{said}");
        assert_eq!(texts(&items).len(), arrived, "{items:?}");
        match items.last() {
            Some(Err(error @ ProviderError::Timeout { message })) => {
                assert!(message.contains(said), "{message}");
                assert!(error.is_retryable());
            }
            other => panic!("{said}: {other:?}"),
        }
    }
}
