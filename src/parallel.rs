//! Two pure computations at the same time: the result is that of one after the other.

use std::sync::LazyLock;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// More threads have nothing to do: a piece of work is halved once or twice.
const MAX_THREADS: usize = 4;

/// Threads that stay: what a pattern has learnt of its texts is kept by thread, so that a new one
/// begins slowly. `None` where the system gives none.
static POOL: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let cores = available_parallelism().map_or(1, usize::from);
    let threads = cores.clamp(2, MAX_THREADS);
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    pool.build().ok()
});

/// The results of both; the second is computed by the calling thread. They run one after the
/// other where the system gives no threads.
pub(crate) fn both<A: Send, B>(first: impl Fn() -> A + Sync, second: impl FnOnce() -> B) -> (A, B) {
    let mut done = None;
    let second = match POOL.as_ref() {
        Some(pool) => pool.in_place_scope(|scope| {
            scope.spawn(|_| done = Some(first()));
            second()
        }),
        None => second(),
    };
    (done.unwrap_or_else(first), second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_results_come_back() {
        let text = String::from("text");
        let (len, first) = both(|| text.len(), || text.chars().next());
        assert_eq!((len, first), (4, Some('t')));
    }
}
