//! Returns, exchanges, and what carriers and packers tell.

use super::apply::Work;
use super::money::wanted;
use super::{LineChange, Outcome, RefundLines, Refusal};
use crate::order::{Event, Order, OrderEvent, OrderState, ParcelState, Return, ReturnKind, ReturnLine, ReturnState};
use crate::policy::{ReasonClass, Wanted};
use crate::{LineId, MethodId, Money, ReturnId};

impl Work {
    /// Whether pieces of these lines may go back at all now.
    fn may_return(&self, lines: &[LineId], wish: &str) -> Result<(), Refusal> {
        let order = self.order()?;
        let rules = &self.case.rules.returns;
        if !rules.states.contains(&order.state) {
            return Err(Refusal::State { state: order.state, wish: wish.to_owned() });
        }
        let arrived = |line: &LineId| order.shipment_of(line).is_some_and(|s| s.state == ParcelState::Delivered);
        if order.state != OrderState::Delivered && !lines.iter().all(arrived) {
            return Err(Refusal::State { state: order.state, wish: wish.to_owned() });
        }
        if rules.once && !order.returns.is_empty() {
            return Err(Refusal::ReturnOpen);
        }
        if lines.is_empty() {
            return Err(Refusal::NoLines);
        }
        Ok(())
    }

    /// Pieces of a line that open returns have taken already.
    fn pieces_fit(&self, pieces: &[Wanted]) -> Result<(), Refusal> {
        let order = self.order()?;
        wanted(order, &RefundLines::Some(pieces.to_vec()))?;
        for piece in pieces {
            let open = order.open_returns().flat_map(|r| &r.lines).filter(|l| l.line == piece.line);
            let taken: u32 = open.map(|l| l.quantity).sum();
            let (back, _) = order.refunded_of(Some(&piece.line))?;
            let has = order.line(&piece.line).map_or(0, |l| l.quantity.saturating_sub(l.cancelled));
            if taken > 0 && taken.saturating_add(back).saturating_add(piece.quantity) > has {
                return Err(Refusal::ReturnOpen);
            }
        }
        Ok(())
    }

    pub(super) fn create_return(
        &mut self,
        lines: &[Wanted],
        (reason, words): (ReasonClass, &str),
        method: Option<&MethodId>,
        send_by: Option<jiff::civil::Date>,
    ) -> Result<Outcome, Refusal> {
        let ids: Vec<LineId> = lines.iter().map(|w| w.line.clone()).collect();
        self.may_return(&ids, "be returned")?;
        if let Some(method) = method {
            if self.customer()?.method(method).is_none() {
                return Err(Refusal::NoMethod { method: method.to_string() });
            }
            self.may_go_to(self.case.rules.returns.refund_to, method)?;
        }
        self.pieces_fit(lines)?;
        let lines = lines.iter().map(|w| ReturnLine { line: w.line.clone(), quantity: w.quantity, replacement: None });
        let lines = lines.collect();
        let new = self.new_return(ReturnKind::Return, lines, (reason, words))?;
        self.keep_return(Return { method: method.cloned(), send_by, ..new })
    }

    pub(super) fn create_exchange(
        &mut self,
        changes: &[LineChange],
        (reason, words): (ReasonClass, &str),
        method: &MethodId,
    ) -> Result<Outcome, Refusal> {
        let ids: Vec<LineId> = changes.iter().map(|c| c.line.clone()).collect();
        self.may_return(&ids, "be exchanged")?;
        let (replacements, difference) = self.replacements(changes)?;
        self.method_for(method, difference)?;
        let order = self.order()?;
        let pieces = |line: &LineId| order.line(line).map_or(0, |l| l.quantity.saturating_sub(l.cancelled));
        let lines: Vec<ReturnLine> = changes
            .iter()
            .zip(replacements)
            .map(|(change, replacement)| ReturnLine {
                line: change.line.clone(),
                quantity: pieces(&change.line),
                replacement: Some(replacement),
            })
            .collect();
        let wanted: Vec<Wanted> = lines.iter().map(|l| Wanted { line: l.line.clone(), quantity: l.quantity }).collect();
        self.pieces_fit(&wanted)?;
        let new = self.new_return(ReturnKind::Exchange, lines, (reason, words))?;
        self.keep_return(Return { method: Some(method.clone()), difference: Some(difference), ..new })
    }

    fn new_return(
        &mut self,
        kind: ReturnKind,
        lines: Vec<ReturnLine>,
        (reason, words): (ReasonClass, &str),
    ) -> Result<Return, Refusal> {
        Ok(Return {
            id: self.new_id("ret")?,
            kind,
            state: ReturnState::Requested,
            lines,
            reason,
            words: words.to_owned(),
            method: None,
            difference: None,
            decision: None,
            requested: self.at,
            send_by: None,
        })
    }

    fn keep_return(&mut self, new: Return) -> Result<Outcome, Refusal> {
        let (id, difference) = (new.id.clone(), new.difference);
        let order = self.order_mut()?;
        order.returns.push(new);
        Ok(Outcome::Return { order: order.id.clone(), id, difference })
    }

    pub(super) fn move_return(&mut self, id: &ReturnId, to: ReturnState) -> Result<Outcome, Refusal> {
        let order = self.order()?;
        let from = order.return_of(id).ok_or_else(|| Refusal::missing("return"))?.state;
        if !from.may_become(to) {
            return Err(Refusal::ReturnStep { from, to });
        }
        let order = self.order_mut()?;
        let mut difference: Option<Money> = None;
        if let Some(found) = order.returns.iter_mut().find(|r| r.id == *id) {
            found.state = to;
            difference = found.difference;
        }
        Ok(Outcome::Return { order: order.id.clone(), id: id.clone(), difference })
    }

    pub(super) fn move_order(&mut self, event: OrderEvent) -> Result<Outcome, Refusal> {
        let order = self.order()?;
        let wish = format!("{event:?}").to_lowercase();
        let next = order.state.after(event).ok_or(Refusal::State { state: order.state, wish })?;
        // Calling off moves money and has its own command.
        if event == OrderEvent::Cancel {
            return Err(Refusal::State { state: order.state, wish: "be cancelled this way".to_owned() });
        }
        let order = self.order_mut()?;
        order.state = next;
        Ok(Outcome::Order { order: order.id.clone(), state: next, refunded: Money::zero(order.currency) })
    }

    pub(super) fn learn_tracking(&mut self, tracking: &str, events: &[Event]) -> Result<Outcome, Refusal> {
        let known = self.order()?.shipments.iter().any(|s| s.tracking == tracking);
        if !known {
            return Err(Refusal::missing("parcel"));
        }
        let order = self.order_mut()?;
        if let Some(shipment) = order.shipments.iter_mut().find(|s| s.tracking == tracking) {
            shipment.learn(events.to_vec());
        }
        if everything_arrived(order) {
            order.state = order.state.after(OrderEvent::Deliver).unwrap_or(order.state);
        }
        Ok(Outcome::Order { order: order.id.clone(), state: order.state, refunded: Money::zero(order.currency) })
    }
}

fn everything_arrived(order: &Order) -> bool {
    let arrived = |line: &crate::order::Line| {
        line.is_cancelled() || order.shipment_of(&line.id).is_some_and(|s| s.state == ParcelState::Delivered)
    };
    order.state == OrderState::Shipped && order.lines.iter().all(arrived)
}
