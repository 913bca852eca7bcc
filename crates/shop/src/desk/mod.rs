//! The one door through which money and orders change.
//!
//! A [`Command`] says what somebody wants done; [`apply`] decides it over the records of its [`Case`] without a clock, a
//! random number or a database; a [`Desk`] loads the case, calls it and writes everything that follows (the order with its ledger, the
//! mail in the outbox, the audit line, the outcome under the command's key) in one transaction. The same key again gives
//! the recorded outcome and changes nothing. A refusal writes nothing.

mod apply;
mod approval;
mod audit;
mod case;
mod command;
mod decision;
mod done;
mod identity;
mod import;
mod mail;
mod memory;
mod money;
mod record;
mod refusal;
mod returns;
mod rules;
mod run;
mod ticket;
mod view;

pub use apply::apply;
pub use approval::{Approval, ApprovalState, NewApproval, Ruling};
pub use audit::AuditLine;
pub use case::{Case, Change};
pub use command::{Action, Actor, Command, LineChange, RefundLines, Release, SettleMail, Settlement};
pub use decision::{DecisionState, Final, NewDecision, Recorded};
pub use done::{Done, Outcome};
pub use identity::{CodeCheck, Guard, GuardKind};
pub use import::{Imported, Record};
pub use mail::{Delivery, Mail, MailState, MailStep, NewMail};
pub use memory::MemoryDesk;
pub use record::{Kind, Page, Query, Records, Row, Sort};
pub use refusal::{DeskError, Refusal};
pub use rules::{CancelRules, ChangeRules, OrderRules, RefundTo, ReturnRules};
pub use run::{execute, import_records, mail_step};
pub use ticket::{NewTicket, Ticket, TicketKind, TicketNote, TicketState};
pub use view::{Answer, Desk};
