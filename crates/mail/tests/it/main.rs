//! Mail against a real server on this machine's loopback that does what bad servers do.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop a test that goes wrong, as the tests themselves do")]

mod sink;
mod smtp;
