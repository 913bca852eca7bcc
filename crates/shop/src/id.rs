//! Identifiers as validated newtypes: a value of one of these types can be stored, compared and shown without a second look.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a text is not an identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// The text is empty or only blanks.
    #[error("{what} is empty")]
    Empty {
        /// Which identifier was read.
        what: &'static str,
    },
    /// The text is longer than the identifier may be.
    #[error("{what} has {length} bytes; at most {limit} are allowed")]
    TooLong {
        /// Which identifier was read.
        what: &'static str,
        /// Its length in bytes.
        length: usize,
        /// The most it may have.
        limit: usize,
    },
    /// The text holds a character that the identifier may not have.
    #[error("{what} holds {character:?}, which is not allowed there")]
    Character {
        /// Which identifier was read.
        what: &'static str,
        /// The first such character.
        character: char,
    },
}

fn check(what: &'static str, text: &str, limit: usize, allowed: fn(char) -> bool) -> Result<String, IdError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(IdError::Empty { what });
    }
    if text.len() > limit {
        return Err(IdError::TooLong { what, length: text.len(), limit });
    }
    match text.chars().find(|&c| !allowed(c)) {
        Some(character) => Err(IdError::Character { what, character }),
        None => Ok(text.to_owned()),
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal, $limit:literal, $allowed:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Reads an identifier, trimming blanks around it.
            ///
            /// # Errors
            /// When it is empty, too long or holds a character that is not allowed.
            pub fn new(text: impl AsRef<str>) -> Result<Self, IdError> {
                check($what, text.as_ref(), $limit, $allowed).map(Self)
            }

            /// The identifier as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }
    };
}

id!(
    /// A product (SPU) of one shop, as the shop's own catalogue names it. Visible characters without blanks, at most 200 bytes.
    ProductId, "product id", 200, |c| !c.is_control() && !c.is_whitespace()
);
id!(
    /// A stock keeping unit: one buyable variant. Visible characters and inner blanks, at most 200 bytes.
    Sku, "SKU", 200, |c| !c.is_control()
);
id!(
    /// A tenant: one shop among those a server holds. Also a folder name, hence lower-case ASCII letters, digits, `-` and `_`.
    TenantId, "tenant", 64, |c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_'
);

id!(
    /// A customer, as the shop's own system names them.
    CustomerId, "customer id", 200, |c| !c.is_control() && !c.is_whitespace()
);
id!(
    /// A line of an order, as the shop names it; unique within its order.
    LineId, "order line", 200, |c| !c.is_control() && !c.is_whitespace()
);
id!(
    /// A way to pay that belongs to one customer, such as `gift_card_7794233`.
    MethodId, "payment method", 200, |c| !c.is_control() && !c.is_whitespace()
);
id!(
    /// A return or an exchange, `ret_…`.
    ReturnId, "return", 80, |c| c.is_ascii_graphic()
);
id!(
    /// One entry of an order's ledger, `led_…`.
    EntryId, "ledger entry", 80, |c| c.is_ascii_graphic()
);
id!(
    /// A matter for a person, `tkt_…`.
    TicketId, "ticket", 80, |c| c.is_ascii_graphic()
);
id!(
    /// A question to staff, `apv_…`.
    ApprovalId, "approval", 80, |c| c.is_ascii_graphic()
);
id!(
    /// A mail in the outbox, `mail_…`.
    MailId, "mail", 80, |c| c.is_ascii_graphic()
);
id!(
    /// A recorded decision, `dec_…`.
    DecisionId, "decision", 80, |c| c.is_ascii_graphic()
);
id!(
    /// The key of a command, made of business facts by who asks: the same facts are the same key, and are done once.
    CommandKey, "command key", 400, |c| !c.is_control()
);

impl TenantId {
    /// The tenant of a server with one shop, `default`.
    #[must_use]
    pub fn single() -> Self {
        Self("default".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_trimmed_and_never_empty_and_a_tenant_never_leaves_its_folder() {
        assert_eq!(ProductId::new(" 12503 ").unwrap().as_str(), "12503");
        assert_eq!(ProductId::new("  "), Err(IdError::Empty { what: "product id" }));
        assert!(TenantId::new("../etc").is_err());
        assert!(TenantId::new("Shop").is_err());
        assert!(matches!(Sku::new("x".repeat(201)), Err(IdError::TooLong { length: 201, .. })));
    }
}
