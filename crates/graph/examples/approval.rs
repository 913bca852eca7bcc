//! A chain with an approval: a refund is prepared, a person says yes or no, and only then is money moved.
//!
//! `cargo run -p mercer-graph --example approval`
//!
//! For those who know LangGraph: [`Step::interrupt`] is `interrupt()`, but code before it does not run a second time;
//! `engine.resume(&run, answer)` is `Command(resume=…)`; what is outside is done in `ctx.effect`, so that it happens once whatever
//! crashes.

#![expect(clippy::print_stdout, reason = "it is a program that shows something")]

use std::sync::Arc;

use mercer_graph::{
    ApplyError, Ctx, EffectFault, EffectKey, Engine, EngineOptions, Graph, Interrupt, MemoryStore, NewThread,
    NodeError, OnUnknown, RunOptions, State, Step,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What is known about the refund. It changes only by applying updates.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Refund {
    order: String,
    amount: u32,
    approved: Option<bool>,
    receipt: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Change {
    Asked { order: String },
    Priced { amount: u32 },
    Decided { approved: bool },
    Paid { receipt: String },
}

impl State for Refund {
    type Update = Change;

    fn apply(&mut self, change: Change) -> Result<(), ApplyError> {
        match change {
            Change::Asked { order } => self.order = order,
            Change::Priced { amount } => self.amount = amount,
            Change::Decided { approved } => self.approved = Some(approved),
            Change::Paid { receipt } => self.receipt = Some(receipt),
        }
        Ok(())
    }
}

/// The services of the nodes.
#[derive(Debug, Clone)]
struct Bank;

impl Bank {
    async fn pay(&self, order: &str, amount: u32) -> Result<String, EffectFault> {
        println!("  the bank pays {amount} for {order}");
        Ok(format!("receipt of {order}"))
    }
}

type Next = Result<Step<Refund>, NodeError>;

async fn price(_: Ctx<Bank>, _: Arc<Refund>) -> Next {
    Ok(Step::update(Change::Priced { amount: 299 }))
}

async fn approve(ctx: Ctx<Bank>, refund: Arc<Refund>) -> Next {
    let Some(answer) = ctx.answer("approve") else {
        let question = json!({ "order": refund.order, "amount": refund.amount });
        return Ok(Step::interrupt(Interrupt::new("approve", question).with_schema(json!({ "type": "boolean" }))));
    };
    Ok(Step::update(Change::Decided { approved: answer == true }))
}

async fn pay(ctx: Ctx<Bank>, refund: Arc<Refund>) -> Next {
    // The key is made of business facts: whoever tries to pay this order again gets this receipt.
    let key = EffectKey::of([&refund.order, &refund.amount.to_string()]);
    let receipt = ctx.effect("pay", key, OnUnknown::Ask, ctx.deps().pay(&refund.order, refund.amount)).await?;
    Ok(Step::update(Change::Paid { receipt }))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let graph = Graph::named("refund")
        .entry("price")
        .node("price", price)
        .edge("price", "approve")
        .node("approve", approve)
        .branch("approve", |refund| if refund.approved == Some(true) { "pay" } else { "refuse" }, ["pay", "refuse"])
        .node("pay", pay)
        .end("pay")
        .node("refuse", |_, _| std::future::ready(Ok(Step::nothing())))
        .end("refuse")
        .build()?;
    println!("{}", graph.mermaid());

    let engine = Engine::new(MemoryStore::new(), EngineOptions::default());
    let refunds = engine.register(graph, Bank);
    let thread = engine.create_thread(NewThread { agent: "refund".into(), ..NewThread::default() }).await?;
    let run = refunds.start(&thread, vec![Change::Asked { order: "ORD-1".into() }], RunOptions::default()).await?;
    let parked = engine.wait(&run).await?;
    for question in engine.questions(&parked).await? {
        println!("{} waits for {:?}: {}", parked.status, question.id, question.payload);
    }

    let refused = engine.resume(&run, json!("yes")).await;
    println!(
        "an answer that does not fit changes nothing: {}",
        refused.err().map_or_else(String::new, |e| e.to_string())
    );
    engine.resume(&run, json!(true)).await?;
    println!("{}", engine.wait(&run).await?.status);
    if let Some(snapshot) = refunds.state(&thread).await? {
        println!("{:?}", snapshot.state);
    }
    Ok(())
}
