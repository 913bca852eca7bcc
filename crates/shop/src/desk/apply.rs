//! Deciding a command over its case.

use jiff::Timestamp;
use serde_json::Value;

use super::case::{Case, Change};
use super::{
    Action, Actor, Approval, ApprovalState, AuditLine, Command, Done, Final, Mail, MailState, NewApproval, NewDecision,
    NewMail, NewTicket, Outcome, Recorded, Refusal, Ruling, Ticket, TicketState,
};
use super::{CodeCheck, DecisionState, SettleMail, TicketNote};
use crate::customer::Customer;
use crate::order::{Order, ReturnState};
use crate::policy::RuleId;
use crate::{ApprovalId, CustomerId, DecisionId, IdError, MailId, OrderId, TicketId};

/// What a command does to its case.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// What is told to who asked.
    pub done: Done,
    /// The records as they are afterwards.
    pub changes: Vec<Change>,
}

/// Decides a command over its case. Nothing is changed: what changes is in the answer.
///
/// # Errors
/// [`Refusal`]: why it is not carried out.
pub fn apply(case: &Case, command: &Command, at: Timestamp) -> Result<Applied, Refusal> {
    let mut work = Work {
        case: case.clone(),
        actor: command.actor.clone(),
        at,
        made: 0,
        by_person: None,
        touched: (false, false),
        changes: Vec::new(),
    };
    work.may(&command.action)?;
    if let (Some(expected), Some(order)) = (command.expect, &work.case.order)
        && order.version != expected
    {
        return Err(Refusal::Changed { expected, found: order.version });
    }
    let outcome = work.act(&command.action)?;
    let decision = command.decision.as_ref().map(|new| work.record(new, &outcome)).transpose()?;
    let mail = command.mail.as_ref().map(|new| work.queue(new)).transpose()?;
    let ticket = command.ticket.as_ref().map(|new| work.open_ticket(new)).transpose()?;
    Ok(work.finish(command, outcome, (decision, mail, ticket)))
}

/// A command at work: its copy of the case, and what it changed.
pub(super) struct Work {
    pub(super) case: Case,
    pub(super) actor: Actor,
    pub(super) at: Timestamp,
    pub(super) made: u32,
    /// The question to staff that this is the yes to.
    pub(super) by_person: Option<ApprovalId>,
    /// Whether the order and the customer were changed.
    touched: (bool, bool),
    pub(super) changes: Vec<Change>,
}

impl Work {
    /// A new id: the command's key and a count make it.
    pub(super) fn new_id<T: std::str::FromStr<Err = IdError>>(&mut self, prefix: &str) -> Result<T, Refusal> {
        self.made += 1;
        let id = self.case.id(prefix, &[self.case.key.as_str(), &self.made.to_string()]);
        id.parse().map_err(|error: IdError| Refusal::Amounts { detail: error.to_string() })
    }

    /// Whom the actor reaches: only what is theirs; `None` is everybody.
    pub(super) fn reach(&self) -> Option<&CustomerId> {
        match &self.actor {
            Actor::Customer(customer) | Actor::Agent { customer: Some(customer) } => Some(customer),
            Actor::Agent { customer: None } | Actor::Staff(_) | Actor::System => None,
        }
    }

    fn is_staff(&self) -> bool {
        matches!(self.actor, Actor::Staff(_) | Actor::System)
    }

    fn who(&self) -> String {
        match &self.actor {
            Actor::Customer(_) => "customer".to_owned(),
            Actor::Agent { .. } => "agent".to_owned(),
            Actor::Staff(name) => name.clone(),
            Actor::System => "system".to_owned(),
        }
    }

    fn may(&self, action: &Action) -> Result<(), Refusal> {
        let identity = matches!(action, Action::MatchOrder { .. });
        if let (Some(mine), Some(order)) = (self.reach(), &self.case.order)
            && order.customer != *mine
            && !identity
        {
            return Err(Refusal::missing("order"));
        }
        let staff = match action {
            Action::SettleRefund { .. }
            | Action::MoveOrder { .. }
            | Action::LearnTracking { .. }
            | Action::DecideApproval { .. }
            | Action::TakeTicket { .. }
            | Action::ReplyTicket { .. }
            | Action::GiveBackTicket { .. }
            | Action::CloseTicket { .. }
            | Action::SettleMail { .. }
            | Action::PauseRefunds { .. }
            | Action::MarkCustomer { .. } => true,
            Action::MoveReturn { to, .. } => !matches!(to, ReturnState::Withdrawn | ReturnState::Sent),
            // A customer asks; it is an agent, by the policy, or a person who pays.
            Action::Refund { .. } => matches!(self.actor, Actor::Customer(_)),
            Action::Record { .. }
            | Action::CancelOrder { .. }
            | Action::ChangeAddress { .. }
            | Action::ChangeCustomerAddress { .. }
            | Action::ChangeItems { .. }
            | Action::ChangePayment { .. }
            | Action::CreateReturn { .. }
            | Action::CreateExchange { .. }
            | Action::RequestApproval(_)
            | Action::OpenTicket(_)
            | Action::StartVerification { .. }
            | Action::CheckCode { .. }
            | Action::MatchOrder { .. } => false,
        };
        if staff && !self.is_staff() { Err(Refusal::StaffOnly) } else { Ok(()) }
    }

    pub(super) fn act(&mut self, action: &Action) -> Result<Outcome, Refusal> {
        match action {
            Action::Record { order } => {
                if order.is_some() {
                    self.order()?;
                }
                Ok(Outcome::Recorded)
            }
            Action::Refund { lines, amount, shipping, reason, policy, release, .. } => {
                self.refund(lines, (*amount, *shipping), *reason, policy, *release)
            }
            Action::SettleRefund { entry, outcome, .. } => self.settle_refund(entry, *outcome),
            Action::CancelOrder { lines, reason, .. } => self.cancel(lines.as_deref(), reason),
            Action::ChangeAddress { address, .. } => self.change_address(address),
            Action::ChangeCustomerAddress { customer, address } => self.change_own_address(customer, address),
            Action::ChangeItems { changes, method, .. } => self.change_items(changes, method),
            Action::ChangePayment { method, .. } => self.change_payment(method),
            Action::CreateReturn { lines, reason, words, method, send_by, .. } => {
                self.create_return(lines, (*reason, words), method.as_ref(), *send_by)
            }
            Action::CreateExchange { changes, reason, words, method, .. } => {
                self.create_exchange(changes, (*reason, words), method)
            }
            Action::MoveReturn { id, to, .. } => self.move_return(id, *to),
            Action::MoveOrder { event, .. } => self.move_order(*event),
            Action::LearnTracking { tracking, events, .. } => self.learn_tracking(tracking, events),
            Action::RequestApproval(new) => self.ask(new),
            Action::DecideApproval { ruling, revision, .. } => self.rule(ruling, *revision),
            Action::OpenTicket(new) => Ok(Outcome::Ticket { ticket: self.open_ticket(new)? }),
            Action::TakeTicket { .. } => self.move_ticket(TicketState::Taken, None),
            Action::ReplyTicket { text, .. } => self.move_ticket(TicketState::Taken, Some(text)),
            Action::GiveBackTicket { note, .. } => self.move_ticket(TicketState::GivenBack, Some(note)),
            Action::CloseTicket { note, .. } => self.move_ticket(TicketState::Closed, Some(note)),
            Action::SettleMail { outcome, reason, .. } => self.settle_mail(*outcome, reason),
            Action::PauseRefunds { paused, reason } => {
                let (by, since) = (self.who(), self.at);
                self.changes.push(Change::Pause { paused: *paused, reason: reason.clone(), by, since });
                Ok(Outcome::Paused { paused: *paused })
            }
            Action::MarkCustomer { signal, on, .. } => {
                let customer = self.customer_mut()?;
                customer.signals.retain(|s| s != signal);
                if *on {
                    customer.signals.push(*signal);
                }
                Ok(Outcome::Customer { customer: customer.id.clone() })
            }
            Action::StartVerification { code_hash, expires, .. } => self.start_verification(code_hash, *expires),
            Action::CheckCode { code_hash, .. } => self.check_code(code_hash),
            Action::MatchOrder { contact, .. } => self.match_order(contact),
        }
    }

    pub(super) fn order(&self) -> Result<&Order, Refusal> {
        self.case.order.as_ref().ok_or_else(|| Refusal::missing("order"))
    }

    pub(super) fn customer(&self) -> Result<&Customer, Refusal> {
        self.case.customer.as_ref().ok_or_else(|| Refusal::missing("customer"))
    }

    /// The order, to be changed. What is changed is written.
    pub(super) fn order_mut(&mut self) -> Result<&mut Order, Refusal> {
        self.touched.0 = true;
        self.case.order.as_mut().ok_or_else(|| Refusal::missing("order"))
    }

    /// The customer, to be changed.
    pub(super) fn customer_mut(&mut self) -> Result<&mut Customer, Refusal> {
        self.touched.1 = true;
        self.case.customer.as_mut().ok_or_else(|| Refusal::missing("customer"))
    }

    /// Records a decision with what was done.
    fn record(&mut self, new: &NewDecision, outcome: &Outcome) -> Result<DecisionId, Refusal> {
        let order = self.order()?;
        if order.id != new.order {
            return Err(Refusal::missing("order"));
        }
        let id = decision_id(&self.case, &new.order, &new.request_key)?;
        let standing = |d: &&Recorded| d.state == DecisionState::Standing && d.id != id && d.overlaps(&new.lines);
        let in_the_way: Vec<Recorded> = self.case.decisions.iter().filter(standing).cloned().collect();
        let allowed = |d: &Recorded| new.supersedes.as_ref() == Some(&d.id) || self.is_staff();
        if let Some(other) = in_the_way.iter().find(|d| !allowed(d)) {
            return Err(Refusal::DecisionStands { decision: other.id.clone() });
        }
        for mut other in in_the_way {
            other.state = DecisionState::Superseded;
            self.changes.push(Change::Decision(Box::new(other)));
        }
        let approval = match outcome {
            Outcome::Asked { approval } => Some(approval.clone()),
            _ => None,
        };
        let waits = approval.is_some() || matches!(new.decision, Final::Conditional | Final::Escalate);
        let recorded = Recorded {
            id: id.clone(),
            decided: new.clone(),
            state: if waits { DecisionState::Standing } else { DecisionState::Settled },
            at: self.at,
            key: self.case.key.clone(),
            approval,
        };
        self.changes.push(Change::Decision(Box::new(recorded)));
        Ok(id)
    }

    fn queue(&mut self, new: &NewMail) -> Result<MailId, Refusal> {
        let id = mail_id(&self.case, &new.key)?;
        if self.case.mail.as_ref().is_some_and(|mail| mail.id == id) {
            return Ok(id);
        }
        // A mail about an order goes to its buyer, whoever asks.
        let buyer = self.case.order.as_ref().map(|order| &order.customer);
        if buyer.is_some_and(|buyer| *buyer != new.to) || self.reach().is_some_and(|mine| *mine != new.to) {
            return Err(Refusal::missing("customer"));
        }
        let known = [&self.case.addressee, &self.case.customer];
        let customer = known.into_iter().flatten().find(|c| c.id == new.to);
        let customer = customer.ok_or_else(|| Refusal::missing("customer"))?;
        let address = customer.email.clone().ok_or(Refusal::NoEmail)?;
        let mail = Mail {
            id: id.clone(),
            key: new.key.clone(),
            customer: new.to.clone(),
            address,
            lang: new.lang,
            template: new.template.clone(),
            subject: new.subject.clone(),
            text: new.text.clone(),
            html: new.html.clone(),
            order: new.order.clone().or_else(|| self.case.order.as_ref().map(|o| o.id.clone())),
            state: MailState::Queued,
            attempts: 0,
            queued: self.at,
            due: self.at,
            settled: None,
            word: String::new(),
        };
        self.changes.push(Change::Mail(Box::new(mail)));
        Ok(id)
    }

    fn open_ticket(&mut self, new: &NewTicket) -> Result<TicketId, Refusal> {
        if new.order.is_some() {
            self.order()?;
        }
        let id: TicketId = self.new_id("tkt")?;
        let ticket = Ticket {
            id: id.clone(),
            about: new.clone(),
            state: TicketState::Open,
            by: None,
            opened: self.at,
            changed: self.at,
            notes: Vec::new(),
            revision: 1,
        };
        self.changes.push(Change::Ticket(Box::new(ticket)));
        Ok(id)
    }

    fn move_ticket(&mut self, to: TicketState, text: Option<&String>) -> Result<Outcome, Refusal> {
        let (by, at) = (self.who(), self.at);
        let mut ticket = self.case.ticket.clone().ok_or_else(|| Refusal::missing("ticket"))?;
        let taken_by_another =
            ticket.state == TicketState::Taken && ticket.by.as_ref().is_some_and(|holder| *holder != by);
        if ticket.state == TicketState::Closed || (to == TicketState::Taken && text.is_none() && taken_by_another) {
            return Err(Refusal::Over { state: ticket.state.name().to_owned() });
        }
        ticket.state = to;
        ticket.by = match to {
            TicketState::Taken => Some(by.clone()),
            TicketState::Open | TicketState::GivenBack => None,
            TicketState::Closed => ticket.by.or(Some(by.clone())),
        };
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            ticket.notes.push(TicketNote { by, at, text: text.clone() });
        }
        ticket.changed = at;
        ticket.revision += 1;
        let id = ticket.id.clone();
        if to == TicketState::Closed {
            self.settle_decisions(|d| d.decided.decision == Final::Escalate && d.approval.is_none());
        }
        self.changes.push(Change::Ticket(Box::new(ticket)));
        Ok(Outcome::Ticket { ticket: id })
    }

    fn settle_decisions(&mut self, which: impl Fn(&Recorded) -> bool) {
        for decision in &self.case.decisions {
            if decision.state == DecisionState::Standing && which(decision) {
                let settled = Recorded { state: DecisionState::Settled, ..decision.clone() };
                self.changes.push(Change::Decision(Box::new(settled)));
            }
        }
    }

    fn ask(&mut self, new: &NewApproval) -> Result<Outcome, Refusal> {
        let order = self.order()?;
        let about = match &new.command.action {
            Action::Refund { order, .. }
            | Action::CancelOrder { order, .. }
            | Action::ChangeAddress { order, .. }
            | Action::ChangeItems { order, .. }
            | Action::CreateReturn { order, .. }
            | Action::CreateExchange { order, .. } => order,
            _ => return Err(Refusal::NotApprovable),
        };
        if *about != new.order || order.id != new.order {
            return Err(Refusal::missing("order"));
        }
        let customer = order.customer.clone();
        let id: ApprovalId = self.new_id("apv")?;
        let approval = Approval {
            id: id.clone(),
            customer,
            asked: new.clone(),
            state: ApprovalState::Open,
            opened: self.at,
            by: None,
            answered: None,
            ruling: None,
            revision: 1,
        };
        self.changes.push(Change::Approval(Box::new(approval)));
        Ok(Outcome::Asked { approval: id })
    }

    fn rule(&mut self, ruling: &Ruling, revision: u64) -> Result<Outcome, Refusal> {
        let mut approval = self.case.approval.clone().ok_or_else(|| Refusal::missing("approval"))?;
        if approval.state != ApprovalState::Open {
            return Err(Refusal::Over { state: approval.state.name().to_owned() });
        }
        if approval.revision != revision {
            return Err(Refusal::Changed { expected: revision, found: approval.revision });
        }
        let id = approval.id.clone();
        let stored = (*approval.asked.command).clone();
        let (outcome, mail) = match ruling {
            Ruling::Approve { mail } => (self.do_asked(&id, &stored, None)?, mail.clone().or(stored.mail)),
            Ruling::Edit { amount, mail, .. } => {
                (self.do_asked(&id, &stored, Some(*amount))?, mail.clone().or(stored.mail))
            }
            Ruling::Reject { mail, .. } => {
                let mail = mail.clone().or_else(|| approval.asked.mail_if_rejected.clone());
                (Outcome::Rejected { approval: id.clone() }, mail)
            }
        };
        if let Some(mail) = &mail {
            self.queue(mail)?;
        }
        self.settle_decisions(|d| d.approval.as_ref() == Some(&id));
        let rejected = matches!(ruling, Ruling::Reject { .. });
        approval.state = if rejected { ApprovalState::Rejected } else { ApprovalState::Approved };
        approval.by = Some(self.who());
        approval.answered = Some(self.at);
        approval.ruling = Some(ruling.clone());
        approval.revision += 1;
        self.changes.push(Change::Approval(Box::new(approval)));
        Ok(outcome)
    }

    /// Does what was asked, as the person who said yes.
    fn do_asked(&mut self, id: &ApprovalId, stored: &Command, lower: Option<crate::Money>) -> Result<Outcome, Refusal> {
        let mut action = stored.action.clone();
        if let Some(lower) = lower {
            let Action::Refund { amount, shipping, .. } = &mut action else { return Err(Refusal::NotApprovable) };
            if lower.currency != amount.currency {
                return Err(Refusal::Currency { expected: amount.currency, found: lower.currency });
            }
            if lower.minor > amount.minor {
                return Err(Refusal::TooMuch { wanted: lower, limit: *amount, of: "what was asked".to_owned() });
            }
            *amount = lower;
            shipping.minor = shipping.minor.min(lower.minor);
        }
        self.by_person = Some(id.clone());
        let done = self.act(&action)?;
        Ok(Outcome::Approved { approval: id.clone(), done: Box::new(done) })
    }

    fn settle_mail(&mut self, outcome: SettleMail, reason: &str) -> Result<Outcome, Refusal> {
        let mut mail = self.case.mail.clone().ok_or_else(|| Refusal::missing("mail"))?;
        if !matches!(mail.state, MailState::Unknown | MailState::Failed) {
            return Err(Refusal::Over { state: mail.state.name().to_owned() });
        }
        mail.state = match outcome {
            SettleMail::Sent => MailState::Sent,
            SettleMail::Failed => MailState::Failed,
            SettleMail::Again => MailState::Queued,
        };
        mail.settled = (mail.state != MailState::Queued).then_some(self.at);
        mail.due = self.at;
        mail.word = format!("{}: {reason}", self.who());
        let id = mail.id.clone();
        self.changes.push(Change::Mail(Box::new(mail)));
        Ok(Outcome::Mail { mail: id })
    }

    fn start_verification(&mut self, code_hash: &str, expires: Timestamp) -> Result<Outcome, Refusal> {
        let mut guard = self.case.guard.clone().ok_or_else(|| Refusal::missing("guard"))?;
        if let Some(until) = guard.lock(self.at) {
            return Err(Refusal::Locked { until });
        }
        guard.customer = self.case.customer.as_ref().map(|c| c.id.clone());
        guard.code_hash = guard.customer.is_some().then(|| code_hash.to_owned());
        guard.expires = Some(expires);
        self.changes.push(Change::Guard(Box::new(guard)));
        Ok(Outcome::CodeSent { expires })
    }

    fn check_code(&mut self, code_hash: &str) -> Result<Outcome, Refusal> {
        let mut guard = self.case.guard.clone().ok_or_else(|| Refusal::missing("guard"))?;
        let check = guard.check(code_hash, self.at);
        let customer = guard.customer.clone().filter(|_| check == CodeCheck::Verified);
        self.changes.push(Change::Guard(Box::new(guard)));
        Ok(Outcome::Checked { check, customer })
    }

    fn match_order(&mut self, contact: &str) -> Result<Outcome, Refusal> {
        let mut guard = self.case.guard.clone().ok_or_else(|| Refusal::missing("guard"))?;
        let (check, customer) = if let Some(until) = guard.lock(self.at) {
            (CodeCheck::Locked { until }, None)
        } else if let Some(customer) = self.case.customer.as_ref().filter(|_| self.contact_fits(contact)) {
            (guard.pass(), Some(customer.id.clone()))
        } else {
            (guard.miss(self.at), None)
        };
        self.changes.push(Change::Guard(Box::new(guard)));
        Ok(Outcome::Checked { check, customer })
    }

    fn contact_fits(&self, contact: &str) -> bool {
        let (Some(order), Some(customer)) = (&self.case.order, &self.case.customer) else { return false };
        if contact.contains('@') {
            let given = crate::contact::Email::new(contact);
            return given.is_some() && given == customer.email;
        }
        let phones = [customer.phone.as_deref(), Some(order.address.phone.as_str())];
        phones.into_iter().flatten().any(|phone| crate::contact::is_phone_tail(phone, contact))
    }

    fn finish(
        mut self,
        command: &Command,
        outcome: Outcome,
        (decision, mail, ticket): (Option<DecisionId>, Option<MailId>, Option<TicketId>),
    ) -> Applied {
        let (at, key) = (self.at, self.case.key.clone());
        let rules: Vec<RuleId> = match (&command.decision, &command.action) {
            (Some(decision), _) => decision.policy.rules.clone(),
            (None, Action::Refund { policy, .. }) => policy.rules.clone(),
            _ => Vec::new(),
        };
        let identity = matches!(
            command.action,
            Action::StartVerification { .. } | Action::CheckCode { .. } | Action::MatchOrder { .. }
        );
        if let Some(order) = self.case.order.as_mut().filter(|_| self.touched.0) {
            order.version += 1;
            order.touched = true;
            self.changes.push(Change::Order(Box::new(order.clone())));
        }
        if let Some(customer) = self.case.customer.as_mut().filter(|_| self.touched.1) {
            customer.version += 1;
            self.changes.push(Change::Customer(Box::new(customer.clone())));
        }
        let order = self.case.order.clone().filter(|_| !identity);
        let audit = AuditLine {
            at,
            actor: command.actor.clone(),
            what: name(&command.action),
            order: order.as_ref().map(|o| o.id.clone()),
            customer: self.case.customer.as_ref().map(|c| c.id.clone()),
            outcome: serde_json::to_value(&outcome).unwrap_or(Value::Null),
            rules,
            decision: decision.clone(),
            run: command.decision.as_ref().and_then(|d| d.run.clone()),
            key,
        };
        self.changes.push(Change::Audit(Box::new(audit)));
        let done = Done { at, outcome, decision, mail, ticket, version: order.map(|o| o.version), repeated: false };
        Applied { done, changes: self.changes }
    }
}

/// The action's name in stored records.
pub(super) fn name(action: &Action) -> String {
    let json = serde_json::to_value(action).unwrap_or_default();
    json.get("do").and_then(Value::as_str).unwrap_or("command").to_owned()
}

pub(super) fn decision_id(case: &Case, order: &OrderId, request_key: &str) -> Result<DecisionId, Refusal> {
    let id = case.id("dec", &[order.as_str(), request_key]);
    DecisionId::new(id).map_err(|error| Refusal::Amounts { detail: error.to_string() })
}

pub(super) fn mail_id(case: &Case, key: &str) -> Result<MailId, Refusal> {
    MailId::new(case.id("mail", &[key])).map_err(|error| Refusal::Amounts { detail: error.to_string() })
}
