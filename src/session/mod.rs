//! The session log: append-only JSON Lines on disk, [`Transcript`](crate::transcript::Transcript)
//! in memory. The records on disk are private types, converted at this edge.
