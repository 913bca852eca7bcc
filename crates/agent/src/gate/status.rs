//! States of stock and orders, as records and answers word them.

use std::ops::Range;

/// A state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Status {
    InStock,
    OutOfStock,
    Preorder,
    Shipped,
    Delivered,
    Refunded,
    Cancelled,
    Paid,
    Processing,
}

use Status::{Cancelled, Delivered, InStock, OutOfStock, Paid, Preorder, Processing, Refunded, Shipped};

/// How answers say it. A phrase that contains another stands before it.
const PHRASES: &[(&str, Status)] = &[
    ("not in stock", OutOfStock),
    ("n't in stock", OutOfStock),
    ("out of stock", OutOfStock),
    ("out-of-stock", OutOfStock),
    ("sold out", OutOfStock),
    ("no longer available", OutOfStock),
    ("currently unavailable", OutOfStock),
    ("not available", OutOfStock),
    ("in stock", InStock),
    ("available now", InStock),
    ("currently available", InStock),
    ("ready to ship", InStock),
    ("没有现货", OutOfStock),
    ("没有货", OutOfStock),
    ("没货", OutOfStock),
    ("无货", OutOfStock),
    ("缺货", OutOfStock),
    ("售罄", OutOfStock),
    ("卖完", OutOfStock),
    ("断货", OutOfStock),
    ("暂无库存", OutOfStock),
    ("没有库存", OutOfStock),
    ("有现货", InStock),
    ("有货", InStock),
    ("现货", InStock),
    ("库存充足", InStock),
    ("有库存", InStock),
    ("preorder", Preorder),
    ("pre-order", Preorder),
    ("预售", Preorder),
    ("预订", Preorder),
    ("has shipped", Shipped),
    ("been shipped", Shipped),
    ("was shipped", Shipped),
    ("been dispatched", Shipped),
    ("in transit", Shipped),
    ("on its way", Shipped),
    ("已发货", Shipped),
    ("已经发货", Shipped),
    ("运输中", Shipped),
    ("已寄出", Shipped),
    ("在路上", Shipped),
    ("been delivered", Delivered),
    ("was delivered", Delivered),
    ("已签收", Delivered),
    ("已送达", Delivered),
    ("已妥投", Delivered),
    ("been refunded", Refunded),
    ("was refunded", Refunded),
    ("refund has been", Refunded),
    ("refund was", Refunded),
    ("已退款", Refunded),
    ("已经退款", Refunded),
    ("退款成功", Refunded),
    ("退款已", Refunded),
    ("been cancelled", Cancelled),
    ("been canceled", Cancelled),
    ("was cancelled", Cancelled),
    ("was canceled", Cancelled),
    ("已取消", Cancelled),
    ("been paid", Paid),
    ("was paid", Paid),
    ("已付款", Paid),
    ("已支付", Paid),
    ("being processed", Processing),
    ("处理中", Processing),
    ("待发货", Processing),
    ("配货中", Processing),
];

/// How records say it, beside the phrases.
const CODES: &[(&str, Status)] = &[
    ("in_stock", InStock),
    ("instock", InStock),
    ("out_of_stock", OutOfStock),
    ("outofstock", OutOfStock),
    ("soldout", OutOfStock),
    ("backorder", Preorder),
    ("shipped", Shipped),
    ("in_transit", Shipped),
    ("delivered", Delivered),
    ("signed", Delivered),
    ("refunded", Refunded),
    ("cancelled", Cancelled),
    ("canceled", Cancelled),
    ("paid", Paid),
    ("processing", Processing),
    ("pending", Processing),
    ("preorder", Preorder),
    ("pre_order", Preorder),
];

/// The states a record's text names.
pub(super) fn in_evidence(text: &str) -> Vec<Status> {
    if text.len() > 200 {
        return Vec::new();
    }
    let lower = text.to_ascii_lowercase();
    let code =
        CODES.iter().find(|(code, _)| lower == *code || lower.replace(' ', "_") == *code).map(|(_, status)| *status);
    let phrases = in_answer(&lower).into_iter().map(|(_, status)| status);
    code.into_iter().chain(phrases).collect()
}

/// The states an answer claims, with their places. The text is in lower case.
pub(super) fn in_answer(lower: &str) -> Vec<(Range<usize>, Status)> {
    let mut found: Vec<(Range<usize>, Status)> = Vec::new();
    for (phrase, status) in PHRASES {
        for (at, _) in lower.match_indices(phrase) {
            let span = at..at + phrase.len();
            if !found.iter().any(|(taken, _)| taken.start < span.end && span.start < taken.end) {
                found.push((span, *status));
            }
        }
    }
    found.sort_by_key(|(span, _)| span.start);
    found
}
