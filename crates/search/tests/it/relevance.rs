//! The ranking against people's judgements.

use mercer_search::feed::{Options, Source, open};
use mercer_search::{Catalog, SearchRequest, eval};
use mercer_shop::Lang;

use crate::feed_support::shared;

/// Plain BM25 (k1 1.2, b 0.5, plural stemming) on title, supplier and short description has 0.739 here: `benches/peers/search.py`.
const LEAST: f64 = 0.8;

#[test]
fn electronics_rank_well_above_plain_bm25_and_head_queries_look_right() {
    let (Some(data), Some(judgements)) = (shared("chorus"), shared("chorus/judgements.csv")) else { return };
    let dir = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(dir.path()).unwrap();
    let mut import = catalog.begin_import().unwrap();
    for product in open(&Source::path(data), Options::default()).unwrap() {
        import.add(product.unwrap()).unwrap();
    }
    assert_eq!(import.commit().unwrap().products, 19_406);
    let evaluation = eval::judgements(&judgements).unwrap().evaluate(&catalog).unwrap();
    assert!(evaluation.ndcg >= LEAST, "nDCG@10 {:.4}", evaluation.ndcg);
    assert!(evaluation.recall >= 0.9, "recall@100 {:.4}", evaluation.recall);
    for (query, wanted) in [
        ("laptop", &["notebook", "laptop"][..]),
        ("notebook", &["notebook"]),
        ("tv", &["tv"]),
        ("mouse", &["mouse", "trackball"]),
    ] {
        let response = catalog.search(&SearchRequest { limit: 3, ..SearchRequest::text(query) }).unwrap();
        for hit in &response.hits {
            let title = hit.product.title.get(Lang::En).to_lowercase();
            assert!(wanted.iter().any(|word| title.contains(word)), "{query}: {title}");
            for accessory in [" case", " bag", " mount", " cart", " pad", " lock"] {
                assert!(!title.contains(accessory), "{query}: {title}");
            }
        }
    }
}
