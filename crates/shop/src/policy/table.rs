//! Tables of situations: what is the case, and what the rules should say to it.
//!
//! A table is CSV. The columns are described in `docs/policy.md`; an empty cell is *not asked* on the side of what is expected, and
//! the usual case (`whole_order` yes, one piece, nothing special) on the side of the facts. `?` is *not known*.

use jiff::Span;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{Decision, Evidence, Facts, LineFacts, Parcel, Rules, decide};
use crate::order::{LineFlag, OrderState, Receipt};
use crate::{Currency, LineId, Money};

/// Why a table cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct TableError {
    /// The line of the file, from 1.
    pub line: u64,
    /// Why.
    pub reason: String,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Situation {
    /// The line of the file, from 1.
    pub line: u64,
    /// What it is about.
    pub name: String,
    /// What is the case.
    pub facts: Facts,
    /// What is expected, by column.
    pub expected: Vec<(String, String)>,
}

/// A cell that is not as expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// The line of the file.
    pub line: u64,
    /// What it is about.
    pub name: String,
    /// The column.
    pub column: String,
    /// What was expected.
    pub expected: String,
    /// What the rules say.
    pub found: String,
}

/// A table of situations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// Its rows.
    pub situations: Vec<Situation>,
}

impl Table {
    /// Reads a table.
    ///
    /// # Errors
    /// [`TableError`]: the first row that is not one.
    pub fn read(text: &str) -> Result<Self, TableError> {
        let mut reader =
            csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(text.as_bytes());
        let broken = |error: csv::Error| TableError {
            line: error.position().map_or(0, csv::Position::line),
            reason: error.to_string(),
        };
        let columns = reader.headers().map_err(broken)?.clone();
        let mut situations = Vec::new();
        for record in reader.records() {
            let record = record.map_err(broken)?;
            let line = record.position().map_or(0, csv::Position::line);
            let row = Row { cells: columns.iter().zip(record.iter()).collect() };
            situations.push(row.situation(line).map_err(|reason| TableError { line, reason })?);
        }
        Ok(Self { situations })
    }

    /// Every cell in which the rules say something else.
    #[must_use]
    pub fn check(&self, rules: &Rules) -> Vec<Mismatch> {
        let mut wrong = Vec::new();
        for situation in &self.situations {
            let decision = decide(rules, &situation.facts);
            for (column, expected) in &situation.expected {
                let found = said(&decision, column);
                if found != *expected {
                    wrong.push(Mismatch {
                        line: situation.line,
                        name: situation.name.clone(),
                        column: column.clone(),
                        expected: expected.clone(),
                        found,
                    });
                }
            }
        }
        wrong
    }
}

/// What a decision says in a column.
fn said(decision: &Decision, column: &str) -> String {
    let word = |value: serde_json::Result<serde_json::Value>| {
        value.ok().and_then(|v| v.as_str().map(ToOwned::to_owned)).unwrap_or_default()
    };
    let words = |values: Vec<String>| values.join(" ");
    match column {
        "decision" => decision.verdict.name().to_owned(),
        "confidence" => decision.confidence.to_string(),
        "amount" => decision.amount.decimal(),
        "freight" => word(serde_json::to_value(decision.freight)),
        "payout" => word(serde_json::to_value(decision.payout)),
        "deadline" => {
            let claim = decision.deadlines.iter().find(|d| d.what == "claim");
            claim.map_or_else(|| "none".to_owned(), |d| d.date.to_string())
        }
        "rules" => words(decision.rules.iter().map(ToString::to_string).collect()),
        "needs" => words(decision.needs.iter().map(|n| word(serde_json::to_value(n))).collect()),
        "unknown" => words(decision.unknown.clone()),
        _ => String::new(),
    }
}

/// Columns that say what is expected.
const EXPECTED: [&str; 9] =
    ["decision", "confidence", "amount", "freight", "payout", "deadline", "rules", "needs", "unknown"];

struct Row<'a> {
    cells: Vec<(&'a str, &'a str)>,
}

impl<'a> Row<'a> {
    fn cell(&self, name: &str) -> &'a str {
        self.cells.iter().find(|(column, _)| *column == name).map_or("", |(_, value)| value)
    }

    fn or(&self, name: &str, usual: &'a str) -> &'a str {
        match self.cell(name) {
            "" => usual,
            cell => cell,
        }
    }

    /// A cell as a word of a type; `?` is not known.
    fn word<T: for<'de> Deserialize<'de>>(&self, name: &str, usual: &'a str) -> Result<Option<T>, String> {
        let cell = self.or(name, usual);
        if cell == "?" {
            return Ok(None);
        }
        let value = serde_json::Value::String(cell.to_owned());
        serde_json::from_value(value).map(Some).map_err(|_unknown| format!("{name}: {cell:?} is not one of its words"))
    }

    fn yes(&self, name: &str, usual: &'a str) -> Result<Option<bool>, String> {
        match self.or(name, usual) {
            "?" => Ok(None),
            "yes" => Ok(Some(true)),
            "no" => Ok(Some(false)),
            other => Err(format!("{name}: {other:?} is neither yes, no nor ?")),
        }
    }

    fn money(&self, name: &str, usual: &'a str, currency: Currency) -> Result<Money, String> {
        Money::parse_decimal(self.or(name, usual), currency).map_err(|error| format!("{name}: {error}"))
    }

    fn date(&self, name: &str, usual: &'a str) -> Result<Date, String> {
        self.or(name, usual).parse().map_err(|_bad| format!("{name}: not a date"))
    }

    fn number(&self, name: &str, usual: &'a str) -> Result<u32, String> {
        self.or(name, usual).parse().map_err(|_bad| format!("{name}: not a number"))
    }

    fn situation(&self, line: u64) -> Result<Situation, String> {
        let currency = Currency::new(self.or("currency", "CNY")).map_err(|e| e.to_string())?;
        let today = self.date("today", "2026-06-10")?;
        let line_facts = self.line_facts(today, currency)?;
        let on = match line_facts.parcel {
            Some(Parcel::Delivered { on, .. }) => Some(on),
            _ => None,
        };
        let last_delivery = match self.cell("last_delivery") {
            "" => on,
            "none" => None,
            _ => Some(self.date("last_delivery", "")?),
        };
        let signals = match self.cell("signals") {
            "" => Vec::new(),
            word => serde_json::from_value(serde_json::json!([word])).map_err(|e| format!("signals: {e}"))?,
        };
        let usual_state = match line_facts.parcel {
            Some(Parcel::NotShipped) => "paid",
            Some(Parcel::Delivered { .. }) => "delivered",
            _ => "shipped",
        };
        let shipping = self.money("shipping", "0", currency)?;
        let refundable = match self.cell("refundable") {
            "" => line_facts.limit.checked_add(shipping).map_err(|e| e.to_string())?,
            _ => self.money("refundable", "", currency)?,
        };
        let broken_coupon = match self.cell("broken_coupon") {
            "" => None,
            _ => Some(self.money("broken_coupon", "", currency)?),
        };
        let facts = Facts {
            jurisdiction: self.word("jurisdiction", "CN")?,
            today,
            placed: today,
            order: self.word("order", usual_state)?.unwrap_or(OrderState::Paid),
            reason: self.word("reason", "no_reason")?,
            evidence: self.word("evidence", "none")?.unwrap_or(Evidence::None),
            payment: self.word("payment", "prepaid")?,
            dispute_open: self.yes("dispute", "no")?,
            tier: self.or("tier", "standard").to_owned(),
            signals,
            whole_order: self.yes("whole_order", "yes")?.unwrap_or(true),
            shipping,
            express: self.money("express", "0", currency)?,
            broken_coupon,
            gift_kept: self.yes("gift_kept", "no")?.unwrap_or(false),
            last_delivery,
            refundable,
            lines: vec![line_facts],
        };
        let expected = self.cells.iter().filter(|(column, cell)| EXPECTED.contains(column) && !cell.is_empty());
        let expected = expected.map(|(column, cell)| ((*column).to_owned(), (*cell).to_owned())).collect();
        Ok(Situation { line, name: self.cell("situation").to_owned(), facts, expected })
    }

    fn line_facts(&self, today: Date, currency: Currency) -> Result<LineFacts, String> {
        let quantity = self.number("pieces", "1")?;
        let unit_price = self.money("price", "100", currency)?;
        let discount = self.money("discount", "0", currency)?;
        let due = unit_price.times(quantity).and_then(|m| m.checked_sub(discount)).map_err(|e| e.to_string())?;
        let flags: Option<Vec<LineFlag>> = match self.cell("marks") {
            "?" => None,
            marks => {
                let words: Vec<&str> = marks.split_whitespace().collect();
                Some(serde_json::from_value(serde_json::json!(words)).map_err(|e| format!("marks: {e}"))?)
            }
        };
        let limit = match self.cell("limit") {
            "" => due,
            _ => self.money("limit", "", currency)?,
        };
        Ok(LineFacts {
            line: LineId::new("1").map_err(|e| e.to_string())?,
            quantity,
            ordered: self.number("ordered", self.or("pieces", "1"))?,
            unit_price,
            discount,
            tax: Money::zero(currency),
            limit,
            category: Some(self.cell("category").to_owned()).filter(|c| !c.is_empty()),
            flags,
            exclusion_agreed: self.yes("agreed", "?")?,
            opened: self.yes("opened", "?")?,
            parcel: self.parcel(today)?,
        })
    }

    fn parcel(&self, today: Date) -> Result<Option<Parcel>, String> {
        let receipt: Receipt = self.word("receipt", "addressee")?.unwrap_or_default();
        Ok(Some(match self.or("parcel", "delivered") {
            "?" => return Ok(None),
            "not_shipped" => Parcel::NotShipped,
            "in_transit" => Parcel::InTransit,
            "waits_for_pickup" => Parcel::WaitsForPickup,
            "refused" => Parcel::Refused,
            "returning" => Parcel::Returning,
            "returned" => Parcel::Returned,
            "lost" => Parcel::Lost,
            "delivered" => {
                let day: i32 = self.or("day", "1").parse().map_err(|_bad| "day: not a number".to_owned())?;
                let back = Span::new().try_days(day).map_err(|e| e.to_string())?;
                Parcel::Delivered { on: today.checked_sub(back).map_err(|e| e.to_string())?, receipt }
            }
            other => return Err(format!("parcel: {other:?} is not one of its words")),
        }))
    }
}
