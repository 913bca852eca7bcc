//! Customers and the ways they pay.

use indexmap::IndexMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::contact::{Address, Email};
use crate::{CustomerId, Lang, MethodId, Money};

/// What kind of payment a method is; it decides where a refund can go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MethodKind {
    /// A credit or debit card.
    Card,
    /// PayPal.
    Paypal,
    /// Alipay.
    Alipay,
    /// WeChat Pay.
    WechatPay,
    /// A gift card with a balance that the shop keeps.
    GiftCard,
    /// Credit at the shop.
    StoreCredit,
    /// Cash to the carrier: there is nothing to which money could be sent back.
    CashOnDelivery,
    /// A bank transfer.
    BankTransfer,
    /// Anything else, such as a shop platform's own payments.
    Other,
}

impl MethodKind {
    /// Reads the name a shop platform uses; what is not known is [`Other`](Self::Other).
    #[must_use]
    pub fn read(name: &str) -> Self {
        let name = name.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        if has(&["gift_card", "gift card", "giftcard", "礼品卡"]) {
            Self::GiftCard
        } else if has(&["store credit", "store_credit", "余额"]) {
            Self::StoreCredit
        } else if has(&["cash on delivery", "cash_on_delivery", "货到付款"]) || name == "cod" {
            Self::CashOnDelivery
        } else if has(&["paypal"]) {
            Self::Paypal
        } else if has(&["alipay", "支付宝"]) {
            Self::Alipay
        } else if has(&["wechat", "weixin", "微信"]) {
            Self::WechatPay
        } else if has(&["bank", "bacs", "transfer", "sepa", "转账"]) {
            Self::BankTransfer
        } else if has(&["card", "visa", "mastercard", "amex", "stripe", "信用卡"]) {
            Self::Card
        } else {
            Self::Other
        }
    }

    /// Whether the shop keeps the balance itself.
    #[must_use]
    pub fn has_balance(self) -> bool {
        matches!(self, Self::GiftCard | Self::StoreCredit)
    }
}

/// One way to pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentMethod {
    /// Its id.
    pub id: MethodId,
    /// What it is.
    pub kind: MethodKind,
    /// The brand of a card, as the shop names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand: Option<String>,
    /// The last digits that may be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_four: Option<String>,
    /// What is on it, when the shop keeps that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<Money>,
}

/// A sign of abuse. It leads to a person, never to a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbuseSignal {
    /// Returns far more than others.
    ReturnRate,
    /// Often says that parcels did not arrive.
    NotReceivedClaims,
    /// Sent an empty box.
    EmptyBox,
    /// Wears and returns.
    Wardrobing,
    /// Sent another article back.
    SwappedItem,
    /// Gave a tracking number that does not exist.
    FakeTracking,
}

/// A customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    /// The shop's id.
    pub id: CustomerId,
    /// How they are called.
    pub name: String,
    /// Where mail goes. Mail goes nowhere else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// Telephone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// Their own address, which later orders start from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<Address>,
    /// The language they are written to in.
    #[serde(default)]
    pub lang: Lang,
    /// Member tier as the shop names it, `standard` when it has none; the policy gives it a meaning.
    #[serde(default = "standard")]
    pub tier: String,
    /// Ways to pay, by id.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub methods: IndexMap<MethodId, PaymentMethod>,
    /// Signs of abuse on record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<AbuseSignal>,
    /// Parcels with cash on delivery that were refused.
    #[serde(default)]
    pub cod_refusals: u32,
    /// When the record was made.
    pub created: Timestamp,
    /// What the last import said, by hash; empty when none did.
    #[serde(default)]
    pub source_hash: String,
    /// Counts the changes, from 1.
    pub version: u64,
}

fn standard() -> String {
    "standard".to_owned()
}

impl Customer {
    /// A customer of whom only the id and the name are known.
    #[must_use]
    pub fn new(id: CustomerId, name: impl Into<String>, created: Timestamp) -> Self {
        Self {
            id,
            name: name.into(),
            email: None,
            phone: None,
            address: None,
            lang: Lang::default(),
            tier: standard(),
            methods: IndexMap::new(),
            signals: Vec::new(),
            cod_refusals: 0,
            created,
            source_hash: String::new(),
            version: 1,
        }
    }

    /// One of their ways to pay.
    #[must_use]
    pub fn method(&self, id: &MethodId) -> Option<&PaymentMethod> {
        self.methods.get(id)
    }
}
