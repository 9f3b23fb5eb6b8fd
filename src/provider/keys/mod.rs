//! Keys of providers: where each comes from and how it is had when a request needs it.
//! Invariant: no `Debug`, error or log has a key.

pub(super) mod keyring;
pub(super) mod provider_key;
