//! A command from its key to its written outcome, over any [`Records`].

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::apply::{decision_id, mail_id, name};
use super::case::Pause;
use super::import::{merged_customer, merged_order};
use super::{
    Action, Case, Change, Command, Delivery, DeskError, Done, Guard, GuardKind, Imported, Kind, Mail, MailState,
    MailStep, OrderRules, Query, Record, Recorded, Records, Row, Sort, apply,
};
use crate::customer::Customer;
use crate::order::Order;
use crate::{CommandKey, CustomerId, OrderId, ProductId, StorageError, TenantId};

/// The most decisions of one order that are looked at.
const DECISIONS: usize = 500;

/// The outcome of a command under its key.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    action: String,
    order: Option<OrderId>,
    done: Done,
}

/// Carries a command out inside one transaction: everything is written, or nothing.
///
/// # Errors
/// [`DeskError`]: a refusal and a key that was used for another command write nothing; after a failure of the storage the
/// transaction must be rolled back.
pub async fn execute<R: Records>(
    records: &mut R,
    (tenant, rules): (&TenantId, &OrderRules),
    key: &CommandKey,
    command: &Command,
    at: Timestamp,
) -> Result<Done, DeskError> {
    if let Some(row) = records.get(Kind::Command, key.as_str()).await? {
        let kept: Kept = row.read()?;
        if kept.action != name(&command.action) || kept.order.as_ref() != order_of(&command.action) {
            return Err(DeskError::KeyReused);
        }
        return Ok(Done { repeated: true, ..kept.done });
    }
    let case = load(records, Case::new(tenant.clone(), key.clone(), rules.clone()), command).await?;
    // The same request under another key is the same request.
    if let Some(new) = &command.decision {
        let id = decision_id(&case, &new.order, &new.request_key)?;
        if let Some(row) = records.get(Kind::Decision, id.as_str()).await? {
            let recorded: Recorded = row.read()?;
            let row = records.get(Kind::Command, recorded.key.as_str()).await?;
            let row = row.ok_or_else(|| StorageError::Failed(format!("the outcome of {} is missing", recorded.key)))?;
            return Ok(Done { repeated: true, ..row.read::<Kept>()?.done });
        }
    }
    let applied = apply(&case, command, at)?;
    for change in &applied.changes {
        records.put(row_of(&case, change, at)?).await?;
    }
    let kept =
        Kept { action: name(&command.action), order: order_of(&command.action).cloned(), done: applied.done.clone() };
    let mut row = Row::new(Kind::Command, key.as_str(), &kept)?;
    row.order = kept.order.map(|o| o.to_string());
    records.put(row).await?;
    Ok(applied.done)
}

/// The order an action names.
fn order_of(action: &Action) -> Option<&OrderId> {
    match action {
        Action::Record { order } => order.as_ref(),
        Action::Refund { order, .. }
        | Action::SettleRefund { order, .. }
        | Action::CancelOrder { order, .. }
        | Action::ChangeAddress { order, .. }
        | Action::ChangeItems { order, .. }
        | Action::ChangePayment { order, .. }
        | Action::CreateReturn { order, .. }
        | Action::CreateExchange { order, .. }
        | Action::MoveReturn { order, .. }
        | Action::MoveOrder { order, .. }
        | Action::LearnTracking { order, .. }
        | Action::MatchOrder { order, .. } => Some(order),
        Action::RequestApproval(new) => Some(&new.order),
        Action::OpenTicket(new) => new.order.as_ref(),
        Action::ChangeCustomerAddress { .. }
        | Action::DecideApproval { .. }
        | Action::TakeTicket { .. }
        | Action::ReplyTicket { .. }
        | Action::GiveBackTicket { .. }
        | Action::CloseTicket { .. }
        | Action::SettleMail { .. }
        | Action::PauseRefunds { .. }
        | Action::MarkCustomer { .. }
        | Action::StartVerification { .. }
        | Action::CheckCode { .. } => None,
    }
}

async fn record<R: Records, T: serde::de::DeserializeOwned>(
    records: &mut R,
    kind: Kind,
    id: &str,
) -> Result<Option<T>, StorageError> {
    records.get(kind, id).await?.map(|row| row.read()).transpose()
}

async fn load<R: Records>(records: &mut R, mut case: Case, command: &Command) -> Result<Case, DeskError> {
    let pause: Option<Pause> = record(records, Kind::Switch, "refunds_paused").await?;
    case.paused = pause.filter(|p| p.paused).map(|p| p.reason);
    let mut order = order_of(&command.action).cloned();
    let mut mail_key = command.mail.as_ref().map(|m| m.key.clone());
    match &command.action {
        Action::DecideApproval { id, ruling, .. } => {
            case.approval = record(records, Kind::Approval, id.as_str()).await?;
            if let Some(approval) = &case.approval {
                order = Some(approval.asked.order.clone());
                mail_key = ruling_mail(approval, ruling).or(mail_key);
            }
        }
        Action::TakeTicket { id }
        | Action::ReplyTicket { id, .. }
        | Action::GiveBackTicket { id, .. }
        | Action::CloseTicket { id, .. } => {
            case.ticket = record(records, Kind::Ticket, id.as_str()).await?;
            order = case.ticket.as_ref().and_then(|t| t.about.order.clone());
        }
        Action::SettleMail { id, .. } => case.mail = record(records, Kind::Mail, id.as_str()).await?,
        Action::StartVerification { email, .. } | Action::CheckCode { email, .. } => {
            case.guard = Some(guard(records, GuardKind::Email, email.as_str()).await?);
            case.customer = customer_by_email(records, email.as_str()).await?;
        }
        Action::MatchOrder { order, .. } => {
            case.guard = Some(guard(records, GuardKind::Order, order.as_str()).await?);
        }
        _ => {}
    }
    if let Some(id) = order.or_else(|| command.ticket.as_ref().and_then(|t| t.order.clone())) {
        case.order = find_order(records, &id).await?;
    }
    let named: Option<CustomerId> = match (&case.order, &command.action) {
        (Some(order), _) => Some(order.customer.clone()),
        (None, Action::ChangeCustomerAddress { customer, .. } | Action::MarkCustomer { customer, .. }) => {
            Some(customer.clone())
        }
        (None, Action::OpenTicket(new)) => new.customer.clone(),
        _ => None,
    };
    if let Some(id) = named {
        case.customer = record(records, Kind::Customer, id.as_str()).await?;
    }
    if let Some(mail) = &command.mail {
        case.addressee = record(records, Kind::Customer, mail.to.as_str()).await?;
    }
    if let Some(key) = mail_key {
        let id = mail_id(&case, &key)?;
        case.mail = record(records, Kind::Mail, id.as_str()).await?;
    }
    load_around_order(records, &mut case).await?;
    Ok(case)
}

fn ruling_mail(approval: &super::Approval, ruling: &super::Ruling) -> Option<String> {
    let mail = match ruling {
        super::Ruling::Approve { mail } | super::Ruling::Edit { mail, .. } => {
            mail.as_ref().or(approval.asked.command.mail.as_ref())
        }
        super::Ruling::Reject { mail, .. } => mail.as_ref().or(approval.asked.mail_if_rejected.as_ref()),
    };
    mail.map(|mail| mail.key.clone())
}

async fn load_around_order<R: Records>(records: &mut R, case: &mut Case) -> Result<(), StorageError> {
    let Some(order) = case.order.clone() else { return Ok(()) };
    let products: Vec<ProductId> = order.lines.iter().filter_map(|line| line.product.clone()).collect();
    for id in products {
        if !case.products.contains_key(&id)
            && let Some(product) = record(records, Kind::Product, id.as_str()).await?
        {
            case.products.insert(id, product);
        }
    }
    let of_order =
        Query { order: Some(order.id.to_string()), sort: Sort::OldestFirst, ..Query::all(Kind::Decision, DECISIONS) };
    for row in records.list(&of_order).await? {
        case.decisions.push(row.read()?);
    }
    Ok(())
}

/// An order by its number, or by its letters and digits when exactly one order has those.
async fn find_order<R: Records>(records: &mut R, id: &OrderId) -> Result<Option<Order>, StorageError> {
    if let Some(order) = record(records, Kind::Order, id.as_str()).await? {
        return Ok(Some(order));
    }
    let query = Query { lookup: Some(id.loose()), ..Query::all(Kind::Order, 2) };
    match records.list(&query).await?.as_slice() {
        [only] => Ok(Some(only.read()?)),
        _ => Ok(None),
    }
}

async fn customer_by_email<R: Records>(records: &mut R, email: &str) -> Result<Option<Customer>, StorageError> {
    let query = Query { lookup: Some(email.to_owned()), ..Query::all(Kind::Customer, 1) };
    records.list(&query).await?.first().map(Row::read).transpose()
}

async fn guard<R: Records>(records: &mut R, kind: GuardKind, subject: &str) -> Result<Guard, StorageError> {
    let fresh = Guard::new(kind, subject.to_owned());
    Ok(record(records, Kind::Guard, &guard_id(&fresh)).await?.unwrap_or(fresh))
}

fn guard_id(guard: &Guard) -> String {
    match guard.kind {
        GuardKind::Email => format!("email:{}", guard.subject),
        GuardKind::Order => format!("order:{}", guard.subject),
    }
}

fn row_of(case: &Case, change: &Change, at: Timestamp) -> Result<Row, StorageError> {
    let mut row = match change {
        Change::Order(order) => order_row(order)?,
        Change::Customer(customer) => customer_row(customer)?,
        Change::Decision(recorded) => {
            let mut row = Row::new(Kind::Decision, recorded.id.as_str(), recorded)?;
            row.order = Some(recorded.decided.order.to_string());
            row.lookup = Some(recorded.decided.request_key.clone());
            row
        }
        Change::Approval(approval) => {
            let mut row = Row::new(Kind::Approval, approval.id.as_str(), approval)?;
            row.order = Some(approval.asked.order.to_string());
            row.lookup = approval.asked.thread.clone();
            row.state = Some(approval.state.name().to_owned());
            row
        }
        Change::Ticket(ticket) => {
            let mut row = Row::new(Kind::Ticket, ticket.id.as_str(), ticket)?;
            row.order = ticket.about.order.as_ref().map(ToString::to_string);
            row.customer = ticket.about.customer.as_ref().map(ToString::to_string);
            row.lookup = ticket.about.thread.clone();
            row.state = Some(ticket.state.name().to_owned());
            row
        }
        Change::Mail(mail) => mail_row(mail)?,
        Change::Guard(guard) => Row::new(Kind::Guard, guard_id(guard), guard)?,
        Change::Pause { paused, reason, by, since } => {
            let pause = Pause { paused: *paused, reason: reason.clone(), by: by.clone(), since: *since };
            Row::new(Kind::Switch, "refunds_paused", &pause)?
        }
        Change::Audit(line) => {
            let mut row = Row::new(Kind::Audit, case.id("aud", &[case.key.as_str(), &at.to_string()]), line)?;
            row.order = line.order.as_ref().map(ToString::to_string);
            row.customer = line.customer.as_ref().map(ToString::to_string);
            row
        }
    };
    if row.customer.is_none() {
        row.customer = case.customer.as_ref().map(|c| c.id.to_string());
    }
    Ok(row)
}

fn order_row(order: &Order) -> Result<Row, StorageError> {
    let mut row = Row::new(Kind::Order, order.id.as_str(), order)?;
    row.customer = Some(order.customer.to_string());
    row.lookup = Some(order.id.loose());
    row.state = Some(order.state.name().to_owned());
    row.due = Some(order.placed);
    Ok(row)
}

fn customer_row(customer: &Customer) -> Result<Row, StorageError> {
    let mut row = Row::new(Kind::Customer, customer.id.as_str(), customer)?;
    row.customer = Some(customer.id.to_string());
    row.lookup = customer.email.as_ref().map(ToString::to_string);
    Ok(row)
}

fn mail_row(mail: &Mail) -> Result<Row, StorageError> {
    let mut row = Row::new(Kind::Mail, mail.id.as_str(), mail)?;
    row.order = mail.order.as_ref().map(ToString::to_string);
    row.customer = Some(mail.customer.to_string());
    row.state = Some(mail.state.name().to_owned());
    row.due = Some(mail.due);
    Ok(row)
}

/// Does a step of the sender: gives the mails it changed, as they are afterwards.
///
/// # Errors
/// When the storage fails; the transaction must be rolled back then.
pub async fn mail_step<R: Records>(records: &mut R, step: &MailStep, at: Timestamp) -> Result<Vec<Mail>, StorageError> {
    let due = |state: MailState, limit: usize| Query {
        states: vec![state.name().to_owned()],
        due_by: Some(at),
        sort: Sort::OldestFirst,
        ..Query::all(Kind::Mail, limit)
    };
    let rows = match step {
        MailStep::Claim { limit, .. } => records.list(&due(MailState::Queued, *limit)).await?,
        MailStep::Expire => records.list(&due(MailState::Sending, usize::MAX)).await?,
        MailStep::Settle { id, .. } => records.get(Kind::Mail, id.as_str()).await?.into_iter().collect(),
    };
    let mut changed = Vec::new();
    for row in rows {
        let mut mail: Mail = row.read()?;
        match step {
            MailStep::Claim { lease, .. } => {
                mail.state = MailState::Sending;
                mail.attempts += 1;
                mail.due = at.checked_add(*lease).unwrap_or(Timestamp::MAX);
            }
            MailStep::Expire => {
                mail.state = MailState::Unknown;
                mail.settled = Some(at);
                "the sender stopped while it had this mail".clone_into(&mut mail.word);
            }
            MailStep::Settle { delivery, .. } => {
                if mail.state != MailState::Sending {
                    continue;
                }
                settle(&mut mail, delivery, at);
            }
        }
        records.put(mail_row(&mail)?).await?;
        changed.push(mail);
    }
    Ok(changed)
}

fn settle(mail: &mut Mail, delivery: &Delivery, at: Timestamp) {
    let (state, word) = match delivery {
        Delivery::Sent { reply } => (MailState::Sent, reply),
        Delivery::Unknown { reason } => (MailState::Unknown, reason),
        Delivery::Failed { reason } => (MailState::Failed, reason),
        Delivery::Retry { reason, .. } => (MailState::Queued, reason),
    };
    mail.state = state;
    mail.word.clone_from(word);
    mail.settled = (state != MailState::Queued).then_some(at);
    if let Delivery::Retry { at: next, .. } = delivery {
        mail.due = *next;
    }
}

/// Takes records in.
///
/// # Errors
/// When the storage fails; the transaction must be rolled back then.
pub async fn import_records<R: Records>(records: &mut R, incoming: &[Record]) -> Result<Imported, StorageError> {
    let mut counts = Imported::default();
    for one in incoming {
        let (before, after) = match one {
            Record::Order(order) => {
                let stored: Option<Order> = record(records, Kind::Order, order.id.as_str()).await?;
                if stored.as_ref().is_some_and(|s| s.source_hash == order.source_hash) {
                    counts.same += 1;
                    continue;
                }
                let known = stored.is_some();
                (known, order_row(&stored.map_or_else(|| (**order).clone(), |s| merged_order(s, order)))?)
            }
            Record::Customer(customer) => {
                let stored: Option<Customer> = record(records, Kind::Customer, customer.id.as_str()).await?;
                if stored.as_ref().is_some_and(|s| s.source_hash == customer.source_hash) {
                    counts.same += 1;
                    continue;
                }
                let merged = stored.as_ref().map_or_else(|| (**customer).clone(), |s| merged_customer(s, customer));
                (stored.is_some(), customer_row(&merged)?)
            }
            Record::Product(product) => {
                let row = Row::new(Kind::Product, product.id.as_str(), product)?;
                let stored = records.get(Kind::Product, product.id.as_str()).await?;
                if stored.as_ref().is_some_and(|s| s.doc == row.doc) {
                    counts.same += 1;
                    continue;
                }
                (stored.is_some(), row)
            }
        };
        records.put(after).await?;
        if before {
            counts.changed += 1;
        } else {
            counts.new += 1;
        }
    }
    Ok(counts)
}
