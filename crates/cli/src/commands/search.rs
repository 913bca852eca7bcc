//! `mercer search`: the catalogue from a terminal, from the own index or an existing search service.

use std::sync::Arc;

use anyhow::Context;
use mercer_search::{Catalog, Catalogs, SearchRequest, SearchResponse, Sort};
use mercer_shop::{Lang, Product};

use crate::args::{Search, SortBy};
use crate::settings::Settings;
use crate::{Outcome, output};

pub(crate) fn run(
    runtime: &tokio::runtime::Runtime,
    settings: &Settings,
    search: &Search,
    json: bool,
) -> anyhow::Result<Outcome> {
    let text = search.query.join(" ");
    let lang = Lang::of(&text).unwrap_or_default();
    let request = SearchRequest {
        lang: Some(lang),
        sort: match search.sort {
            SortBy::Relevance => Sort::Relevance,
            SortBy::PriceAsc => Sort::PriceAsc,
            SortBy::PriceDesc => Sort::PriceDesc,
            SortBy::Newest => Sort::Newest,
            SortBy::Popular => Sort::Popular,
            SortBy::Rating => Sort::Rating,
        },
        offset: search.offset,
        limit: search.limit,
        facets: search.facets,
        explain: search.explain,
        ..SearchRequest::text(text)
    };
    let response = match &settings.remote_search {
        Some(remote) => runtime.block_on(mercer_search::remote::ProductSearch::search(
            &crate::world::remote(remote, settings.currency)?,
            &request,
        ))?,
        None => {
            let catalog = Arc::new(Catalogs::new(settings.data.join("tenants")))
                .tenant(&settings.tenant)
                .context("opening the catalogue")?;
            if catalog.is_empty()? {
                output::note("The catalogue is empty. Bring products in: mercer import products FILE");
            }
            Catalog::search(&catalog, &request)?
        }
    };
    if json {
        output::json(&response)?;
    } else {
        print(&response, lang);
    }
    Ok(if response.hits.is_empty() { Outcome::NothingFound } else { Outcome::Done })
}

fn print(response: &SearchResponse, lang: Lang) {
    let zh = lang == Lang::Zh;
    let labels = |conditions: &[mercer_search::Condition]| {
        conditions.iter().map(|c| c.label(lang)).collect::<Vec<_>>().join(" · ")
    };
    if !response.understood.conditions.is_empty() {
        output::line(format!(
            "{}: {}",
            if zh { "理解为" } else { "understood" },
            labels(&response.understood.conditions)
        ));
    }
    if let Some(corrected) = &response.corrected {
        output::line(format!("{}: {corrected}", if zh { "按此查找" } else { "searched for" }));
    }
    if !response.relaxed.is_empty() {
        output::line(format!(
            "{}: {}",
            if zh { "没有完全符合的，放宽了" } else { "nothing met everything, given up" },
            labels(&response.relaxed)
        ));
    }
    if !response.dropped_words.is_empty() {
        output::line(format!(
            "{}: {}",
            if zh { "没有找到的词" } else { "words not found" },
            response.dropped_words.join(" ")
        ));
    }
    if let Some(meant) = &response.did_you_mean {
        output::line(format!("{}: {meant}?", if zh { "是不是要找" } else { "did you mean" }));
    }
    for (position, hit) in response.hits.iter().enumerate() {
        output::line(one_line(position + 1, &hit.product, &hit.matched, lang));
        for why in hit.why.iter().flatten() {
            output::line(format!("      {why}"));
        }
    }
    for facet in &response.facets {
        let values: Vec<String> =
            facet.values.iter().take(8).map(|(_, label, count)| format!("{label} {count}")).collect();
        output::line(format!("{:?}: {}", facet.field, values.join(" · ")));
    }
    let took = response.took.as_micros();
    let count = if zh { format!("共 {} 件", response.total) } else { format!("{} in all", response.total) };
    output::line(format!("{count} ({}.{} ms)", took / 1000, took % 1000 / 100));
}

/// A product as a line of text.
pub(crate) fn one_line(position: usize, product: &Product, matched: &[String], lang: Lang) -> String {
    let price = match (product.price_range(), lang) {
        (Some((low, high)), _) if low == high => low.to_string(),
        (Some((low, high)), _) => format!("{low}–{high}"),
        (None, Lang::Zh) => "价格未知".to_owned(),
        (None, Lang::En) => "price unknown".to_owned(),
    };
    let matched = if matched.is_empty() { String::new() } else { format!("  [{}]", matched.join(" · ")) };
    format!("{position:>3}. {}  {price}  ({}){matched}", product.title.get(lang), product.id)
}
