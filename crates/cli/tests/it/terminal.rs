//! The commands: what they print, and the codes they end with.

use std::path::Path;

use crate::program::Place;

const FEED: &str = "id,title,price,currency,category\np1,Red Dress,199,CNY,Dresses\np2,Blue Skirt,159,CNY,Skirts\np3,Black Down Jacket,799,CNY,Coats\n";

#[test]
fn products_are_imported_found_and_imported_again_without_a_change() {
    let place = Place::new();
    let empty = place.run(&["search", "dress"]);
    assert_eq!(empty.code, Some(3), "{empty:#?}");
    assert!(empty.err.contains("mercer import products"), "says what to do: {empty:#?}");
    place.file("shop.csv", FEED.as_bytes());
    let look = place.run(&["import", "products", "shop.csv", "--preview"]);
    assert_eq!(look.code, Some(0), "{look:#?}");
    assert!(look.out.contains("Nothing was changed"), "{look:#?}");

    let first = place.run(&["import", "products", "shop.csv", "--json"]);
    assert_eq!(first.code, Some(0), "{first:#?}");
    assert_eq!((&first.json()["catalogue"]["added"], &first.json()["catalogue"]["swapped"]), (&3.into(), &true.into()));
    let again = place.run(&["import", "products", "shop.csv", "--json"]);
    assert_eq!(
        (&again.json()["catalogue"]["unchanged"], &again.json()["catalogue"]["swapped"]),
        (&3.into(), &false.into())
    );

    let found = place.run(&["search", "red dress", "--json"]);
    assert_eq!((found.code, &found.json()["hits"][0]["product"]["id"]), (Some(0), &"p1".into()), "{found:#?}");
    assert!(place.run(&["search", "red", "dress"]).out.contains("Red Dress"));
    let other = place.run(&["search", "dress", "--tenant", "neighbour"]);
    assert_eq!(other.code, Some(3), "another shop has other products: {other:#?}");

    place.file("mixed.csv", format!("{FEED}p9,,99,CNY,\n").as_bytes());
    let mixed = place.run(&["import", "products", "mixed.csv", "--skipped", "skipped.csv"]);
    assert_eq!(mixed.code, Some(5), "{mixed:#?}");
    assert!(std::fs::read_to_string(place.path().join("skipped.csv")).unwrap().contains("p9"));
    let strict = place.run(&["import", "products", "mixed.csv", "--strict"]);
    assert!(matches!(strict.code, Some(1 | 5)) && strict.err.contains("nothing was changed"), "{strict:#?}");
}

#[test]
fn bad_input_has_a_clear_error_and_the_catalogue_stays() {
    let place = Place::new();
    place.file("shop.csv", FEED.as_bytes());
    assert_eq!(place.run(&["import", "products", "shop.csv"]).code, Some(0));
    let wide = format!("id,{}\np1,{}\n", vec!["c"; 100_000].join(","), vec!["1"; 100_000].join(","));
    for (name, content, says) in [
        ("empty.csv", &b""[..], "empty"),
        ("picture.csv", &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], "not a product feed"),
        ("page.csv", &b"<!doctype html><html></html>"[..], "web page"),
        ("wide.csv", wide.as_bytes(), "limit"),
    ] {
        place.file(name, content);
        let refused = place.run(&["import", "products", name]);
        assert_eq!(refused.code, Some(1), "{name}: {refused:#?}");
        assert!(refused.err.contains(says) && !refused.err.contains("panicked"), "{name}: {refused:#?}");
    }
    for address in ["http://127.0.0.1:9/feed.csv", "http://169.254.169.254/latest/", "http://[::1]/feed", "nowhere.csv"]
    {
        let refused = place.run(&["import", "products", address]);
        assert_eq!(refused.code, Some(1), "{refused:#?}");
        assert!(refused.err.starts_with("error: "), "{refused:#?}");
    }
    let found = place.run(&["search", "dress", "--json"]).json();
    assert_eq!(found["hits"][0]["product"]["id"], "p1", "nothing was lost");

    assert_eq!(place.run(&["import", "products", "shop.csv", "--format", "odd"]).code, Some(1));
    assert_eq!(place.run(&["odd"]).code, Some(2));
    assert_eq!(place.run(&["search"]).code, Some(2));
    place.file("bad.toml", b"tenat = 'a'\n");
    let settings = place.run(&["config", "--config", "bad.toml"]);
    assert_eq!(settings.code, Some(4));
    assert!(settings.err.contains("tenat") && settings.err.contains("hint:"), "{settings:#?}");
    assert_eq!(place.run(&["chat", "hello", "--locale", "xx"]).code, Some(1));
    assert_eq!(place.run(&["chat", "hello", "--thread", "thr_unknown"]).code, Some(1));
}

#[test]
fn a_chat_in_one_line_answers_in_the_language_it_is_asked_in_and_goes_on() {
    let place = Place::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample-shop/products.jsonl");
    let rows = std::fs::read_to_string(sample).unwrap();
    place.file("shop.jsonl", rows.lines().take(60).collect::<Vec<_>>().join("\n").as_bytes());
    assert_eq!(place.run(&["import", "products", "shop.jsonl"]).code, Some(0));
    let english = place.run(&["chat", "show me red dresses", "--json"]);
    assert_eq!(english.code, Some(0), "{english:#?}");
    let english = english.json();
    assert!(!english["products"].as_array().unwrap().is_empty(), "{english:#}");
    let chinese = place.run(&["chat", "红色连衣裙，1000元以内", "--json"]).json();
    let titles: Vec<&str> =
        chinese["products"].as_array().unwrap().iter().map(|card| card["title"].as_str().unwrap()).collect();
    assert!(!titles.is_empty() && titles.iter().all(|title| !title.is_ascii()), "{titles:?}");
    let thread = english["thread_id"].as_str().unwrap();
    let more = place.run(&["chat", "--thread", thread, "cheaper", "--json"]).json();
    assert_eq!(more["thread_id"], thread);
    let runs = place.run(&["runs", "list", "--json"]).json();
    assert_eq!(runs.as_array().unwrap().len(), 3);
    let shown = place.run(&["runs", "show", english["run_id"].as_str().unwrap(), "--json"]).json();
    assert_eq!(shown["run"]["status"], "done");
    assert_eq!(place.run(&["runs", "show", "run_unknown"]).code, Some(1));
}

#[test]
fn settings_are_explained_and_no_key_is_ever_shown() {
    let place = Place::new().with("MERCER_MODEL", "some-model").with("MERCER_MODEL_API_KEY", "sk-very-secret");
    for arguments in [&["config"][..], &["config", "--explain"], &["config", "--json"]] {
        let shown = place.run(arguments);
        assert_eq!(shown.code, Some(0), "{shown:#?}");
        assert!(shown.out.contains("some-model") && !format!("{shown:?}").contains("very-secret"), "{shown:#?}");
    }
    assert!(place.run(&["config", "--explain"]).out.contains("MERCER_MODEL"));
}

#[test]
fn keys_are_made_listed_and_taken_back_and_only_their_hash_is_kept() {
    let place = Place::new();
    let made = place.run(&["key", "create", "--name", "web", "--scope", "staff", "--json"]);
    assert_eq!(made.code, Some(0), "{made:#?}");
    let secret = made.json()["key"].as_str().unwrap().to_owned();
    let kept = std::fs::read_to_string(place.path().join("mercer-data/keys.toml")).unwrap();
    assert!(secret.len() > 40 && !kept.contains(&secret));
    let twice = place.run(&["key", "create", "--name", "web"]);
    assert_eq!(twice.code, Some(1), "{twice:#?}");
    let list = place.run(&["key", "list", "--json"]);
    assert_eq!((&list.json()[0]["name"], &list.json()[0]["scope"]), (&"web".into(), &"staff".into()));
    assert!(!list.out.contains(&secret));
    assert_eq!(place.run(&["key", "revoke", "web"]).code, Some(0));
    assert_eq!(place.run(&["key", "revoke", "web"]).code, Some(1));
    let beyond = place.run(&["serve", "--listen", "0.0.0.0:0"]);
    assert_eq!(beyond.code, Some(1));
    assert!(beyond.err.contains("mercer key create"), "{beyond:#?}");
}

#[test]
fn the_doctor_says_what_is_well_and_what_to_do() {
    let place = Place::new();
    let well = place.run(&["doctor", "--json"]);
    assert_eq!(well.code, Some(0), "{well:#?}");
    let parts: Vec<String> =
        well.json().as_array().unwrap().iter().map(|check| check["part"].as_str().unwrap().to_owned()).collect();
    assert_eq!(parts, ["settings", "disk", "database", "catalogue", "model"]);
    let ill = Place::new().with("MERCER_MODEL", "m").with("MERCER_MODEL_BASE_URL", "http://127.0.0.1:9/v1");
    let ill = ill.run(&["doctor"]);
    assert_eq!(ill.code, Some(1), "{ill:#?}");
    assert!(ill.out.contains("trouble") && ill.out.contains("mercer config --explain"), "{ill:#?}");
}

#[test]
fn search_is_measured_against_judgements() {
    let place = Place::new();
    place.file("shop.csv", FEED.as_bytes());
    place.run(&["import", "products", "shop.csv"]);
    place.file("judged.csv", b"query,docid,rating\nred dress,p1,3\nblue skirt,p2,3\n");
    let measured = place.run(&["eval", "search", "--judgements", "judged.csv", "--json"]);
    assert_eq!(measured.code, Some(0), "{measured:#?}");
    assert!(measured.json()["ndcg"].as_f64().unwrap() > 0.99, "{measured:#?}");
    assert_eq!(place.run(&["eval", "search", "--judgements", "nowhere.csv"]).code, Some(1));
}
