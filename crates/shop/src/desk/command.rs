//! What somebody wants done.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{NewApproval, NewDecision, NewMail, NewTicket, Ruling};
use crate::contact::{Address, Email};
use crate::customer::AbuseSignal;
use crate::order::{OrderEvent, ReturnState};
use crate::policy::{PolicyRef, ReasonClass, Wanted};
use crate::{ApprovalId, CustomerId, EntryId, LineId, MailId, MethodId, Money, OrderId, ReturnId, Sku, TicketId};

/// Who wants it. This comes from the session, never from a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// A customer who is known to be this one: they reach only what is theirs.
    Customer(CustomerId),
    /// An agent, by the rules; for a customer when one is named.
    Agent {
        /// For whom it acts: it reaches only what is theirs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        customer: Option<CustomerId>,
    },
    /// A person of the shop, by name.
    Staff(String),
    /// The program itself: an import, a sender, a clock.
    System,
}

/// For which pieces money is paid back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundLines {
    /// For everything that is left.
    All,
    /// For these.
    Some(Vec<Wanted>),
}

/// When a refund's money moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Release {
    /// At once.
    Now,
    /// When the parcel or the goods are back: until then the entries are pending.
    WhenBack,
}

/// A line that becomes another variant of its product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineChange {
    /// The line.
    pub line: LineId,
    /// The variant it becomes. Its price comes from the shop's records.
    pub sku: Sku,
}

/// What came of a promised refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    /// The goods are back: the money moves.
    Paid,
    /// The payment provider refused it.
    Failed,
    /// It is taken back before the money moved.
    Withdrawn,
}

/// What a person says of a mail whose fate is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettleMail {
    /// It arrived.
    Sent,
    /// It did not, and is not to be sent again.
    Failed,
    /// It is to be sent again.
    Again,
}

/// A wish, with who wishes it and what goes with it in the same transaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Who.
    pub actor: Actor,
    /// What.
    pub action: Action,
    /// The version of the order that it was decided on; another version is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<u64>,
    /// The decision it follows from, recorded with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<NewDecision>,
    /// A mail, queued with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<NewMail>,
    /// A ticket, opened with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<NewTicket>,
}

impl Command {
    /// A wish with nothing else.
    #[must_use]
    pub fn new(actor: Actor, action: Action) -> Self {
        Self { actor, action, expect: None, decision: None, mail: None, ticket: None }
    }

    /// With a decision.
    #[must_use]
    pub fn with_decision(mut self, decision: NewDecision) -> Self {
        self.decision = Some(decision);
        self
    }

    /// With a mail.
    #[must_use]
    pub fn with_mail(mut self, mail: NewMail) -> Self {
        self.mail = Some(mail);
        self
    }

    /// With a ticket.
    #[must_use]
    pub fn with_ticket(mut self, ticket: NewTicket) -> Self {
        self.ticket = Some(ticket);
        self
    }

    /// Only on this version of the order.
    #[must_use]
    pub fn on_version(mut self, version: u64) -> Self {
        self.expect = Some(version);
        self
    }
}

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do")]
pub enum Action {
    /// Nothing but what goes with the command: a decision, a mail, a ticket.
    Record {
        /// The order it is about, when it is about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<OrderId>,
    },
    /// Pay back, to where the money came from.
    Refund {
        /// The order.
        order: OrderId,
        /// For which pieces.
        lines: RefundLines,
        /// How much in all.
        amount: Money,
        /// The part of it that is for delivery.
        shipping: Money,
        /// Why.
        reason: ReasonClass,
        /// The decision it follows from: its amount is the most that is paid.
        policy: PolicyRef,
        /// When the money moves.
        release: Release,
    },
    /// Say what came of a pending refund.
    SettleRefund {
        /// The order.
        order: OrderId,
        /// The entry.
        entry: EntryId,
        /// What came of it.
        outcome: Settlement,
    },
    /// Call an order off, or lines of it, before it is packed. What was paid goes back to where it came from.
    CancelOrder {
        /// The order.
        order: OrderId,
        /// Which lines; `None` is all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<Vec<LineId>>,
        /// Why, in the shop's words for it.
        reason: String,
    },
    /// Send an order elsewhere.
    ChangeAddress {
        /// The order.
        order: OrderId,
        /// Where.
        address: Address,
    },
    /// Change a customer's own address.
    ChangeCustomerAddress {
        /// Whose.
        customer: CustomerId,
        /// Where.
        address: Address,
    },
    /// Take other variants of the same products.
    ChangeItems {
        /// The order.
        order: OrderId,
        /// What becomes what.
        changes: Vec<LineChange>,
        /// From or to which of the customer's ways to pay the difference goes.
        method: MethodId,
    },
    /// Pay in another way.
    ChangePayment {
        /// The order.
        order: OrderId,
        /// With which of the customer's ways to pay.
        method: MethodId,
    },
    /// Ask to send pieces back.
    CreateReturn {
        /// The order.
        order: OrderId,
        /// Which pieces.
        lines: Vec<Wanted>,
        /// Why.
        reason: ReasonClass,
        /// In the buyer's words.
        words: String,
        /// Where the money is to go; `None` is where it came from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        method: Option<MethodId>,
        /// Until when it must be sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        send_by: Option<jiff::civil::Date>,
    },
    /// Ask to get other variants of the same products for pieces that were delivered.
    CreateExchange {
        /// The order.
        order: OrderId,
        /// What becomes what.
        changes: Vec<LineChange>,
        /// Why.
        reason: ReasonClass,
        /// In the buyer's words.
        words: String,
        /// From or to which of the customer's ways to pay the difference goes.
        method: MethodId,
    },
    /// Take a return or an exchange one state further.
    MoveReturn {
        /// The order.
        order: OrderId,
        /// The return.
        id: ReturnId,
        /// The next state.
        to: ReturnState,
    },
    /// Tell what happened to an order as a whole.
    MoveOrder {
        /// The order.
        order: OrderId,
        /// What happened.
        event: OrderEvent,
    },
    /// Take in what a carrier said.
    LearnTracking {
        /// The order.
        order: OrderId,
        /// The tracking number.
        tracking: String,
        /// What was said.
        events: Vec<crate::order::Event>,
    },
    /// Ask staff before something is done.
    RequestApproval(Box<NewApproval>),
    /// Answer such a question; a yes does what was asked in the same transaction.
    DecideApproval {
        /// Which.
        id: ApprovalId,
        /// The answer.
        ruling: Ruling,
        /// The revision that was looked at.
        revision: u64,
    },
    /// Open a ticket.
    OpenTicket(NewTicket),
    /// Take a ticket.
    TakeTicket {
        /// Which.
        id: TicketId,
    },
    /// Write to a ticket's conversation.
    ReplyTicket {
        /// Which.
        id: TicketId,
        /// What.
        text: String,
    },
    /// Give a conversation back to the agent.
    GiveBackTicket {
        /// Which.
        id: TicketId,
        /// For the agent or the next person.
        #[serde(default)]
        note: String,
    },
    /// Close a ticket.
    CloseTicket {
        /// Which.
        id: TicketId,
        /// What came of it.
        #[serde(default)]
        note: String,
    },
    /// Say what became of a mail whose fate is not known.
    SettleMail {
        /// Which.
        id: MailId,
        /// What.
        outcome: SettleMail,
        /// How that is known.
        reason: String,
    },
    /// Stop all refunds, or go on.
    PauseRefunds {
        /// Whether they stop.
        paused: bool,
        /// Why.
        reason: String,
    },
    /// Note a sign of abuse, or take it off.
    MarkCustomer {
        /// Whose.
        customer: CustomerId,
        /// Which sign.
        signal: AbuseSignal,
        /// Whether it stands.
        on: bool,
    },
    /// Begin to check who somebody is: a code goes to the address on record.
    StartVerification {
        /// Who it is said to be, by e-mail.
        email: Email,
        /// The hash of the code.
        code_hash: String,
        /// Until when the code holds.
        expires: Timestamp,
    },
    /// Check a code.
    CheckCode {
        /// Who it is said to be, by e-mail.
        email: Email,
        /// The hash of what was typed.
        code_hash: String,
    },
    /// Check an order number and an e-mail address or the end of a telephone number.
    MatchOrder {
        /// The order.
        order: OrderId,
        /// The contact that was typed.
        contact: String,
    },
}
