//! Refunds, cancellations and changes that move money.

use super::apply::Work;
use super::{LineChange, Outcome, RefundLines, RefundTo, Refusal, Release, Settlement};
use crate::contact::Address;
use crate::customer::MethodKind;
use crate::order::{Entry, EntryKind, EntryState, Order, OrderEvent, OrderState, Replacement, Share};
use crate::policy::{PolicyRef, ReasonClass, Verdict, Wanted};
use crate::{Availability, CustomerId, EntryId, LineId, MethodId, Money};

/// Why an entry is written.
#[derive(Clone, Default)]
struct Why {
    reason: Option<ReasonClass>,
    policy: Option<PolicyRef>,
    pending: bool,
}

impl Work {
    /// Nothing leaves while refunds are stopped or a dispute is open.
    fn money_may_leave(&self) -> Result<(), Refusal> {
        if let Some(reason) = &self.case.paused {
            return Err(Refusal::Paused { reason: reason.clone() });
        }
        if self.order()?.dispute_open == Some(true) {
            return Err(Refusal::Dispute);
        }
        Ok(())
    }

    pub(super) fn refund(
        &mut self,
        lines: &RefundLines,
        (amount, shipping): (Money, Money),
        reason: ReasonClass,
        policy: &PolicyRef,
        release: Release,
    ) -> Result<Outcome, Refusal> {
        self.money_may_leave()?;
        let order = self.order()?;
        for money in [amount, shipping, policy.amount] {
            if money.currency != order.currency {
                return Err(Refusal::Currency { expected: order.currency, found: money.currency });
            }
        }
        if amount.minor <= 0 || shipping.minor < 0 {
            return Err(Refusal::Nothing);
        }
        self.policy_allows(amount, policy)?;
        let order = self.order()?;
        let goods = amount.checked_sub(shipping)?;
        let limits = limits(order, &wanted(order, lines)?)?;
        let limit = Money::sum(order.currency, limits.iter().map(|(_, money)| *money))?;
        at_most(goods, limit, "line")?;
        if goods.minor < 0 {
            return Err(Refusal::Nothing);
        }
        let (_, delivery_back) = order.refunded_of(None)?;
        at_most(shipping, order.shipping.checked_sub(delivery_back)?, "delivery")?;
        let mut shares = shares(goods, &limits);
        if shipping.minor > 0 {
            shares.push(Share { line: None, quantity: 0, amount: shipping });
        }
        let id = order.id.clone();
        let pending = release == Release::WhenBack;
        let why = Why { reason: Some(reason), policy: Some(policy.clone()), pending };
        let entries = self.pay_back(amount, shares, &why)?;
        Ok(Outcome::Refunded { order: id, entries, amount, pending })
    }

    /// An agent pays what the policy approves and no more; beyond that a person has to say yes.
    fn policy_allows(&self, amount: Money, policy: &PolicyRef) -> Result<(), Refusal> {
        let a_person = self.by_person.is_some() || matches!(self.actor, super::Actor::Staff(_));
        if a_person {
            return Ok(());
        }
        if policy.verdict != Verdict::Approve {
            return Err(Refusal::NotAllowed);
        }
        at_most(amount, policy.amount, "policy")
    }

    /// Writes refund entries over the ways the order was paid. Never more than each paid, never more than all paid.
    fn pay_back(&mut self, amount: Money, shares: Vec<Share>, why: &Why) -> Result<Vec<EntryId>, Refusal> {
        let order = self.order()?;
        at_most(amount, order.refundable()?, "order")?;
        let tenders = order.tenders()?;
        let (cash, back): (Vec<_>, Vec<_>) = tenders.into_iter().partition(|t| t.kind == MethodKind::CashOnDelivery);
        let possible = Money::sum(order.currency, back.iter().map(|t| t.remaining))?;
        if amount.minor > possible.minor && cash.iter().any(|t| t.remaining.minor > 0) {
            return Err(Refusal::NeedsAccount);
        }
        at_most(amount, possible, "payment method")?;
        let weights: Vec<u64> = back.iter().map(|t| t.remaining.minor.unsigned_abs()).collect();
        let parts = amount.split(&weights);
        let mut left = shares;
        let mut entries = Vec::new();
        for (tender, part) in back.into_iter().zip(parts).filter(|(_, part)| part.minor > 0) {
            let (poured, rest) = pour(left, part);
            left = rest;
            entries.push(self.write(EntryKind::Refund, (&tender.method, tender.kind), part, (poured, why.clone()))?);
        }
        Ok(entries)
    }

    /// Writes one entry, and moves a balance that the shop keeps.
    fn write(
        &mut self,
        kind: EntryKind,
        (method, method_kind): (&MethodId, MethodKind),
        amount: Money,
        (shares, why): (Vec<Share>, Why),
    ) -> Result<EntryId, Refusal> {
        let id: EntryId = self.new_id("led")?;
        let (at, approval) = (self.at, self.by_person.clone());
        let state = if why.pending { EntryState::Pending } else { EntryState::Done };
        if state == EntryState::Done {
            self.move_balance(method, kind, amount)?;
        }
        let entry = Entry {
            id: id.clone(),
            kind,
            state,
            method: method.clone(),
            method_kind,
            amount,
            at,
            shares,
            reason: why.reason,
            policy: why.policy,
            approval,
        };
        self.order_mut()?.ledger.push(entry);
        Ok(id)
    }

    fn move_balance(&mut self, method: &MethodId, kind: EntryKind, amount: Money) -> Result<(), Refusal> {
        let keeps = self.case.customer.as_ref().and_then(|c| c.method(method)).and_then(|m| m.balance);
        let Some(balance) = keeps.filter(|_| amount.minor != 0) else { return Ok(()) };
        let after = match kind {
            EntryKind::Refund => balance.checked_add(amount)?,
            EntryKind::Payment => balance.checked_sub(amount)?,
        };
        if after.minor < 0 {
            return Err(Refusal::Balance { method: method.to_string(), balance, needed: amount });
        }
        if let Some(held) = self.customer_mut()?.methods.get_mut(method) {
            held.balance = Some(after);
        }
        Ok(())
    }

    pub(super) fn settle_refund(&mut self, id: &EntryId, outcome: Settlement) -> Result<Outcome, Refusal> {
        if outcome == Settlement::Paid {
            self.money_may_leave()?;
        }
        let order = self.order()?;
        let entry = order.ledger.iter().find(|e| e.id == *id && e.kind == EntryKind::Refund);
        let entry = entry.cloned().ok_or_else(|| Refusal::missing("ledger entry"))?;
        let next = match (entry.state, outcome) {
            (EntryState::Pending, Settlement::Paid) => EntryState::Done,
            (EntryState::Pending, Settlement::Withdrawn) => EntryState::Withdrawn,
            (EntryState::Pending | EntryState::Done, Settlement::Failed) => EntryState::Failed,
            (state, _) => return Err(Refusal::Over { state: format!("{state:?}").to_lowercase() }),
        };
        let order = order.id.clone();
        match (entry.state, next) {
            (EntryState::Pending, EntryState::Done) => {
                self.move_balance(&entry.method, EntryKind::Refund, entry.amount)?
            }
            (EntryState::Done, EntryState::Failed) => {
                self.move_balance(&entry.method, EntryKind::Payment, entry.amount)?
            }
            _ => {}
        }
        if let Some(entry) = self.order_mut()?.ledger.iter_mut().find(|e| e.id == *id) {
            entry.state = next;
        }
        let pending = next == EntryState::Pending;
        Ok(Outcome::Refunded { order, entries: vec![id.clone()], amount: entry.amount, pending })
    }

    pub(super) fn cancel(&mut self, lines: Option<&[LineId]>, reason: &str) -> Result<Outcome, Refusal> {
        let rules = self.case.rules.cancel.clone();
        let order = self.order()?;
        let part =
            order.state == OrderState::PartlyShipped && lines.is_some_and(|l| l.iter().all(|l| not_shipped(order, l)));
        if !rules.states.contains(&order.state) && !part {
            return Err(Refusal::State { state: order.state, wish: "be cancelled".to_owned() });
        }
        self.unlocked()?;
        if let Some(allowed) = rules.reasons.filter(|allowed| !allowed.iter().any(|a| a == reason)) {
            return Err(Refusal::Reason { reason: reason.to_owned(), allowed });
        }
        let all: Vec<LineId> = order.lines.iter().filter(|l| !l.is_cancelled()).map(|l| l.id.clone()).collect();
        let named = lines.map_or_else(|| all.clone(), <[LineId]>::to_vec);
        if named.is_empty() {
            return Err(Refusal::NoLines);
        }
        let whole = all.iter().all(|line| named.contains(line));
        if rules.whole_order_only && !whole {
            return Err(Refusal::WholeOrderOnly);
        }
        let refunded = self.give_back_for_cancelled(&named, whole)?;
        let order = self.order_mut()?;
        for line in order.lines.iter_mut().filter(|line| named.contains(&line.id)) {
            line.cancelled = line.quantity;
        }
        if whole {
            order.state = order.state.after(OrderEvent::Cancel).unwrap_or(OrderState::Cancelled);
            order.cancel_reason = Some(reason.to_owned());
        }
        Ok(Outcome::Order { order: order.id.clone(), state: order.state, refunded })
    }

    fn give_back_for_cancelled(&mut self, named: &[LineId], whole: bool) -> Result<Money, Refusal> {
        let order = self.order()?;
        let mut limits = Vec::new();
        for id in named {
            let line = order.line(id).ok_or_else(|| Refusal::NoLine { line: id.to_string() })?;
            if line.is_cancelled() {
                return Err(Refusal::LineCancelled { line: id.clone() });
            }
            let (back, _) = order.refunded_of(Some(id))?;
            let left = line.quantity.saturating_sub(line.cancelled).saturating_sub(back);
            // The pieces are counted as called off, not as paid back.
            limits.push((Wanted { line: id.clone(), quantity: 0 }, order.refund_limit(id, left)?));
        }
        let refundable = order.refundable()?;
        let lines = Money::sum(order.currency, limits.iter().map(|(_, money)| *money))?;
        let amount = if whole || lines.minor > refundable.minor { refundable } else { lines };
        if amount.minor == 0 {
            return Ok(amount);
        }
        self.money_may_leave()?;
        let goods = if amount.minor < lines.minor { amount } else { lines };
        let mut shares = shares(goods, &limits);
        let rest = amount.checked_sub(goods)?;
        if rest.minor > 0 {
            shares.push(Share { line: None, quantity: 0, amount: rest });
        }
        let why = Why { reason: Some(ReasonClass::TransitCancel), ..Why::default() };
        self.pay_back(amount, shares, &why)?;
        Ok(amount)
    }

    /// Some shops lock an order whose articles were changed.
    pub(super) fn unlocked(&self) -> Result<(), Refusal> {
        let locks = self.case.rules.change.items_once_then_locked;
        if locks && self.order()?.items_modified { Err(Refusal::AlreadyModified) } else { Ok(()) }
    }

    fn may_change(&self, wish: &str) -> Result<(), Refusal> {
        let order = self.order()?;
        if !self.case.rules.change.states.contains(&order.state) {
            return Err(Refusal::State { state: order.state, wish: wish.to_owned() });
        }
        self.unlocked()
    }

    pub(super) fn change_address(&mut self, address: &Address) -> Result<Outcome, Refusal> {
        self.may_change("be sent elsewhere")?;
        if !address.is_complete() {
            return Err(Refusal::Address);
        }
        let order = self.order_mut()?;
        order.address = address.clone();
        Ok(outcome(order, Money::zero(order.currency)))
    }

    pub(super) fn change_own_address(&mut self, id: &CustomerId, address: &Address) -> Result<Outcome, Refusal> {
        if self.reach().is_some_and(|mine| mine != id) || self.customer()?.id != *id {
            return Err(Refusal::missing("customer"));
        }
        if !address.is_complete() {
            return Err(Refusal::Address);
        }
        self.customer_mut()?.address = Some(address.clone());
        Ok(Outcome::Customer { customer: id.clone() })
    }

    /// What each line becomes, from the shop's records, and what that costs more; negative is less.
    pub(super) fn replacements(&self, changes: &[LineChange]) -> Result<(Vec<Replacement>, Money), Refusal> {
        let order = self.order()?;
        if changes.is_empty() {
            return Err(Refusal::NoLines);
        }
        let mut found = Vec::new();
        let mut difference = Money::zero(order.currency);
        for (at, change) in changes.iter().enumerate() {
            let line = order.line(&change.line).ok_or_else(|| Refusal::NoLine { line: change.line.to_string() })?;
            if changes.iter().take(at).any(|earlier| earlier.line == change.line) {
                return Err(Refusal::NoLine { line: change.line.to_string() });
            }
            if line.is_cancelled() {
                return Err(Refusal::LineCancelled { line: line.id.clone() });
            }
            let refused = || Refusal::Variant { sku: change.sku.to_string() };
            let product = line.product.as_ref().and_then(|id| self.case.products.get(id)).ok_or_else(refused)?;
            let variant = product.variants.iter().find(|v| v.sku == change.sku).ok_or_else(refused)?;
            let unit_price =
                variant.price.filter(|_| variant.availability == Availability::InStock).ok_or_else(refused)?;
            let more = unit_price.checked_sub(line.unit_price)?.times(line.quantity.saturating_sub(line.cancelled))?;
            difference = difference.checked_add(more)?;
            found.push(Replacement { sku: change.sku.clone(), options: variant.options.clone(), unit_price });
        }
        Ok((found, difference))
    }

    /// One of the customer's ways to pay, when it can bear the difference.
    pub(super) fn method_for(&self, id: &MethodId, difference: Money) -> Result<MethodKind, Refusal> {
        let method = self.customer()?.method(id).ok_or_else(|| Refusal::NoMethod { method: id.to_string() })?;
        let short = method.balance.filter(|balance| balance.minor < difference.minor);
        match short.filter(|_| method.kind.has_balance()) {
            Some(balance) => Err(Refusal::Balance { method: id.to_string(), balance, needed: difference }),
            None => Ok(method.kind),
        }
    }

    pub(super) fn change_items(&mut self, changes: &[LineChange], method: &MethodId) -> Result<Outcome, Refusal> {
        self.may_change("be changed")?;
        let (replacements, difference) = self.replacements(changes)?;
        let kind = self.method_for(method, difference)?;
        let amount = Money { minor: difference.minor.saturating_abs(), ..difference };
        let direction = if difference.minor > 0 { EntryKind::Payment } else { EntryKind::Refund };
        if direction == EntryKind::Refund && amount.minor > 0 {
            self.money_may_leave()?;
            let to = self.case.rules.change.difference_to;
            self.may_go_to(to, method)?;
            at_most(amount, self.order()?.refundable()?, "order")?;
            if to == RefundTo::Original {
                let tenders = self.order()?.tenders()?;
                let left =
                    tenders.iter().find(|t| t.method == *method).map_or(Money::zero(amount.currency), |t| t.remaining);
                at_most(amount, left, "payment method")?;
            }
        }
        // A difference of nothing is written too: the ledger tells that it was reckoned.
        self.write(direction, (method, kind), amount, (Vec::new(), Why::default()))?;
        let order = self.order_mut()?;
        for (change, replacement) in changes.iter().zip(replacements) {
            if let Some(line) = order.lines.iter_mut().find(|line| line.id == change.line) {
                line.sku = replacement.sku;
                line.options = replacement.options;
                line.unit_price = replacement.unit_price;
            }
        }
        order.items_modified = true;
        let refunded = if direction == EntryKind::Refund { amount } else { Money::zero(order.currency) };
        Ok(outcome(order, refunded))
    }

    /// Whether money of this order may go to one of the customer's ways to pay.
    pub(super) fn may_go_to(&self, rule: RefundTo, method: &MethodId) -> Result<(), Refusal> {
        let original = self.order()?.ledger.iter().any(|e| e.kind == EntryKind::Payment && e.method == *method);
        let own = self.customer()?.method(method);
        let (fits, to): (bool, &[&str]) = match rule {
            RefundTo::Original => (original, &["where it came from"]),
            RefundTo::OriginalOrGiftCard => {
                let card = own.is_some_and(|m| m.kind == MethodKind::GiftCard);
                (original || card, &["where it came from", "onto a gift card of the customer"])
            }
            RefundTo::AnyOwn => (own.is_some(), &["to a payment method of the customer"]),
        };
        if fits { Ok(()) } else { Err(Refusal::Target { to: to.iter().map(|t| (*t).to_owned()).collect() }) }
    }

    pub(super) fn change_payment(&mut self, method: &MethodId) -> Result<Outcome, Refusal> {
        self.may_change("be paid in another way")?;
        let order = self.order()?;
        let (id, total) = (order.id.clone(), order.total()?);
        let [paid] = order.ledger.as_slice() else { return Err(Refusal::SeveralPayments) };
        let paid = paid.clone();
        if paid.kind != EntryKind::Payment || paid.state != EntryState::Done {
            return Err(Refusal::SeveralPayments);
        }
        if paid.method == *method {
            return Err(Refusal::SameMethod);
        }
        let on_delivery = paid.method_kind == MethodKind::CashOnDelivery && paid.amount.minor == 0;
        let amount = if on_delivery { total } else { paid.amount };
        let kind = self.method_for(method, amount)?;
        self.money_may_leave()?;
        self.write(EntryKind::Payment, (method, kind), amount, (Vec::new(), Why::default()))?;
        if !on_delivery {
            self.write(EntryKind::Refund, (&paid.method, paid.method_kind), amount, (Vec::new(), Why::default()))?;
        }
        let order = self.order_mut()?;
        if order.state == OrderState::Unpaid {
            order.state = OrderState::Paid;
        }
        Ok(Outcome::Order { order: id, state: order.state, refunded: Money::zero(amount.currency) })
    }
}

fn outcome(order: &Order, refunded: Money) -> Outcome {
    Outcome::Order { order: order.id.clone(), state: order.state, refunded }
}

fn at_most(wanted: Money, limit: Money, of: &str) -> Result<(), Refusal> {
    let limit = Money { minor: limit.minor.max(0), ..limit };
    if wanted.minor > limit.minor { Err(Refusal::TooMuch { wanted, limit, of: of.to_owned() }) } else { Ok(()) }
}

fn not_shipped(order: &Order, line: &LineId) -> bool {
    !order.shipments.iter().any(|s| s.lines.is_empty() || s.lines.contains(line))
}

/// The pieces that are meant, each line once, none more than are left.
pub(super) fn wanted(order: &Order, lines: &RefundLines) -> Result<Vec<Wanted>, Refusal> {
    let left = |line: &LineId| -> Result<u32, Refusal> {
        let found = order.line(line).ok_or_else(|| Refusal::NoLine { line: line.to_string() })?;
        let (back, _) = order.refunded_of(Some(line))?;
        Ok(found.quantity.saturating_sub(found.cancelled).saturating_sub(back))
    };
    let mut wanted: Vec<Wanted> = Vec::new();
    match lines {
        RefundLines::All => {
            for line in &order.lines {
                wanted.push(Wanted { line: line.id.clone(), quantity: left(&line.id)? });
            }
            wanted.retain(|w| w.quantity > 0);
        }
        RefundLines::Some(named) => {
            for one in named {
                match wanted.iter_mut().find(|w| w.line == one.line) {
                    Some(same) => same.quantity = same.quantity.saturating_add(one.quantity),
                    None => wanted.push(one.clone()),
                }
            }
        }
    }
    for one in &wanted {
        let left = left(&one.line)?;
        if order.line(&one.line).is_some_and(crate::order::Line::is_cancelled) {
            return Err(Refusal::LineCancelled { line: one.line.clone() });
        }
        if one.quantity == 0 || one.quantity > left {
            return Err(Refusal::Quantity { line: one.line.clone(), wanted: one.quantity, left });
        }
    }
    Ok(wanted)
}

fn limits(order: &Order, wanted: &[Wanted]) -> Result<Vec<(Wanted, Money)>, Refusal> {
    wanted.iter().map(|w| Ok((w.clone(), order.refund_limit(&w.line, w.quantity)?))).collect()
}

/// Shares an amount out to lines in proportion to what each may get.
fn shares(amount: Money, limits: &[(Wanted, Money)]) -> Vec<Share> {
    let weights: Vec<u64> = limits.iter().map(|(_, limit)| limit.minor.unsigned_abs()).collect();
    let parts = amount.split(&weights);
    let share = |((wanted, _), amount): (&(Wanted, Money), Money)| Share {
        line: Some(wanted.line.clone()),
        quantity: wanted.quantity,
        amount,
    };
    limits.iter().zip(parts).map(share).collect()
}

/// Takes shares worth `amount` off the front; a share that is cut keeps its pieces in the first part.
fn pour(shares: Vec<Share>, amount: Money) -> (Vec<Share>, Vec<Share>) {
    let (mut poured, mut rest, mut left) = (Vec::new(), Vec::new(), amount.minor);
    for mut share in shares {
        if left == 0 && share.amount.minor > 0 {
            rest.push(share);
        } else if share.amount.minor <= left {
            left -= share.amount.minor;
            poured.push(share);
        } else {
            let cut = Money { minor: left, ..share.amount };
            poured.push(Share { amount: cut, ..share.clone() });
            share.amount.minor -= left;
            share.quantity = 0;
            left = 0;
            rest.push(share);
        }
    }
    (poured, rest)
}
