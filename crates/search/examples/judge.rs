//! `judge FEED JUDGEMENTS.csv [QUERY…]`: imports a feed (file, folder or address) and measures the ranking.
//!
//! With queries it prints their results instead.
#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::error::Error;
use std::path::Path;

use mercer_search::{Catalog, SearchRequest, eval, feed};
use mercer_shop::Lang;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, data, judgements, query @ ..] = arguments.as_slice() else {
        return Err("usage: judge DATA JUDGEMENTS.csv [QUERY]".into());
    };
    let dir = tempfile::tempdir()?;
    let catalog = Catalog::open(dir.path())?;
    let mut import = catalog.begin_import()?;
    for product in feed::open(&feed::Source::parse(data), feed::Options::default())? {
        import.add(product?)?;
    }
    eprintln!("{:?}", import.commit()?);
    if query.is_empty() {
        let evaluation = eval::judgements(Path::new(judgements))?.evaluate(&catalog)?;
        for judged in &evaluation.queries {
            let ratings: String = judged.top.iter().map(|(_, r)| r.map_or("-".to_owned(), |r| r.to_string())).collect();
            println!("{:.3} {ratings:<10} {:>6} {}", judged.ndcg, judged.total, judged.query);
        }
        println!("nDCG@10 {:.4} recall@100 {:.4} latency {:?}", evaluation.ndcg, evaluation.recall, evaluation.latency);
    }
    for query in query {
        let response = catalog.search(&SearchRequest { explain: true, ..SearchRequest::text(query) })?;
        println!(
            "## {query}: {} {:?} dropped {:?} corrected {:?}",
            response.total, response.understood, response.dropped_words, response.corrected
        );
        for hit in response.hits {
            println!("{:8.3} {:>9} {}", hit.score, hit.product.id, hit.product.title.get(Lang::En));
        }
    }
    Ok(())
}
