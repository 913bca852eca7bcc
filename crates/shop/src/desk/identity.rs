//! Checks of who somebody is: codes by mail, order numbers with a contact; and the locks against guessing.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::CustomerId;

/// Wrong tries before a lock.
const TRIES: u32 = 5;
/// How long a lock holds, in minutes.
const LOCK_MINUTES: i64 = 30;

/// What came of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "check")]
pub enum CodeCheck {
    /// They are who they say.
    Verified,
    /// It is wrong.
    Wrong {
        /// Tries that are left.
        left: u32,
    },
    /// The code no longer holds, or there was none.
    Expired,
    /// Too many wrong tries.
    Locked {
        /// Until when.
        until: Timestamp,
    },
}

/// What is guarded against guessing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuardKind {
    /// The code that was mailed to an address.
    Email,
    /// The contact of an order.
    Order,
}

/// Counts the wrong tries against one address or one order number, whether it exists or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// What is guarded.
    pub kind: GuardKind,
    /// Which one.
    pub subject: String,
    /// Wrong tries since the last success or lock.
    pub wrong: u32,
    /// Locked until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked_until: Option<Timestamp>,
    /// The hash of the code that holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_hash: Option<String>,
    /// Until when it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
    /// Whose code it is, when there is such a customer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<CustomerId>,
}

impl Guard {
    pub(super) fn new(kind: GuardKind, subject: String) -> Self {
        Self { kind, subject, wrong: 0, locked_until: None, code_hash: None, expires: None, customer: None }
    }

    /// The lock that holds at a time.
    #[must_use]
    pub fn lock(&self, at: Timestamp) -> Option<Timestamp> {
        self.locked_until.filter(|until| *until > at)
    }

    /// Counts a wrong try.
    pub(super) fn miss(&mut self, at: Timestamp) -> CodeCheck {
        self.wrong += 1;
        if self.wrong < TRIES {
            return CodeCheck::Wrong { left: TRIES - self.wrong };
        }
        let until = at.checked_add(SignedDuration::from_mins(LOCK_MINUTES)).unwrap_or(Timestamp::MAX);
        self.wrong = 0;
        self.code_hash = None;
        self.locked_until = Some(until);
        CodeCheck::Locked { until }
    }

    /// Forgets the wrong tries; a code holds once.
    pub(super) fn pass(&mut self) -> CodeCheck {
        self.wrong = 0;
        self.locked_until = None;
        self.code_hash = None;
        self.expires = None;
        CodeCheck::Verified
    }

    /// Checks a code.
    pub(super) fn check(&mut self, code_hash: &str, at: Timestamp) -> CodeCheck {
        if let Some(until) = self.lock(at) {
            return CodeCheck::Locked { until };
        }
        let holds = self.expires.is_some_and(|expires| at < expires);
        match &self.code_hash {
            Some(right) if holds && right == code_hash => self.pass(),
            Some(_) if !holds => CodeCheck::Expired,
            // Nobody was sent a code, which must not look different from a wrong one.
            Some(_) | None => self.miss(at),
        }
    }
}
