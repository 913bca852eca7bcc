//! What is broken in feeds: each bad row is reported by line, column, reason and kind; each bad file is an error that says what to do.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail like a test"
)]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mercer_search::feed::{FeedError, Limits, Options, Pictures, ProblemKind, Source, fingerprint, open, preview};
use mercer_shop::{Currency, Lang, Money};
use proptest::prelude::*;

use crate::feed_support::{all, by_id, file, import, products, shared};

fn refusal(name: &str, content: impl AsRef<[u8]>) -> String {
    import(name, content, Options::default()).unwrap_err().to_string()
}

#[test]
fn each_bad_row_is_reported_and_the_others_are_kept() {
    let csv = "id,title,price,season,barcode\n\
               1,One,10,Summer,12345678\n\
               ,Nobody,5,,\n\
               2,,10,,\n\
               3,Three,ask,Sommer,\n\
               1,Again,10,,\n\
               4,Four,,,\n\
               5,Five,10,,,extra\n\
               6,Six,10\n\
               7 a,Seven,0,,\n";
    let folder = tempfile::tempdir().unwrap();
    let skipped = folder.path().join("skipped.csv");
    let options = Options { skipped: Some(skipped.clone()), ..Options::default() };
    let (products, report) = import("p.csv", csv, options).unwrap();
    let ids: Vec<_> = products.iter().map(|p| p.id.as_str()).collect();
    assert_eq!(ids[0], "1");
    assert!(ids[1].starts_with('p') && ids[1].len() == 17, "an id is made: {ids:?}");
    assert_eq!(ids[2..], ["3", "4", "6", "7-a"]);
    for (kind, line, column, kept) in [
        (ProblemKind::MissingTitle, 4, Some("title"), false),
        (ProblemKind::BadPrice, 5, Some("price"), true),
        (ProblemKind::BadValue, 5, Some("season"), true),
        (ProblemKind::DuplicateId, 6, Some("id"), false),
        (ProblemKind::MissingPrice, 7, Some("price"), true),
        (ProblemKind::CellCount, 8, None, false),
        (ProblemKind::ZeroPrice, 10, Some("price"), true),
        (ProblemKind::BadId, 10, Some("id"), true),
    ] {
        let samples = &report.by_kind[&kind].samples;
        let found =
            samples.iter().find(|p| p.line == line).unwrap_or_else(|| panic!("{kind} in line {line}: {samples:?}"));
        assert_eq!((found.column.as_deref(), found.kept), (column, kept), "{kind}");
    }
    assert_eq!((report.rows, report.products, report.skipped), (9, 6, 3));
    assert_eq!(by_id(&products, "3").variants[0].price, None, "unreadable is unknown, not zero");
    let list = std::fs::read_to_string(skipped).unwrap();
    assert!(list.contains("p.csv,8,,cell_count,") && list.contains("5,Five,10,,,extra"), "{list}");
    assert_eq!(list.lines().count(), 4);
}

#[test]
fn strict_stops_at_the_first_bad_row() {
    let csv = "id,title\n1,One\n1,Two\n2,Three\n";
    let fixture = file("p.csv", csv);
    let options = Options { strict: true, ..Options::default() };
    let mut feed = open(&Source::File(fixture.path.as_path().into()), options).unwrap();
    assert!(feed.next().unwrap().is_ok());
    let stopped = feed.next().unwrap().unwrap_err();
    assert!(matches!(&stopped, FeedError::Strict(problem) if problem.line == 3), "{stopped}");
    assert!(feed.next().is_none());
}

#[test]
fn a_quote_never_closed_and_bytes_that_are_no_text_cost_one_row_each() {
    let mut csv = b"id,title\n1,\"open\n2,Two\n3,Caf\xff du monde\n".to_vec();
    csv.extend_from_slice("4,商品名称纯棉刺绣连衣裙羽绒服男士短款黑色红色蓝色\n".as_bytes());
    let (products, report) = import("p.csv", csv, Options::default()).unwrap();
    assert_eq!(products.iter().map(|p| p.id.as_str()).collect::<Vec<_>>(), ["2", "3", "4"]);
    assert_eq!((report.count(ProblemKind::UnclosedQuote), report.count(ProblemKind::BadBytes)), (1, 1));
}

#[test]
fn encodings_are_guessed_reported_and_can_be_overridden() {
    let chinese = "编号,名称,价格,颜色\n1,纯棉刺绣连衣裙,299,红色\n2,羽绒服男士短款,899,黑色\n";
    let gbk = encoding_rs::GBK.encode(chinese).0;
    let (found, report) = import("excel.csv", &gbk, Options::default()).unwrap();
    assert_eq!(found[0].title.zh.as_deref(), Some("纯棉刺绣连衣裙"));
    assert_eq!(found[0].variants[0].price, Some(Money::new(29_900, Currency::CNY)));
    assert!(report.formats[0].contains("gb18030, guessed"), "{:?}", report.formats);
    let big5 = encoding_rs::BIG5.encode("編號,品名,價格\n1,GPU顯示卡與電腦螢幕,299\n2,無線滑鼠與鍵盤,99\n").0;
    assert_eq!(products("big5.csv", &big5)[0].title.zh.as_deref(), Some("GPU顯示卡與電腦螢幕"));
    let western = encoding_rs::WINDOWS_1252.encode("id,title\n1,Café crème à l'été\n").0;
    assert_eq!(products("w.csv", &western)[0].title.en.as_deref(), Some("Café crème à l'été"));
    let options = Options { encoding: Some("windows-1252".to_owned()), ..Options::default() };
    let wrong = import("excel.csv", &gbk, options).unwrap_err();
    assert!(
        matches!(wrong, FeedError::NoProducts { .. }),
        "the merchant's word counts, also when it is wrong: {wrong}"
    );
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(chinese.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert_eq!(products("u.csv", utf16), found);
    let marked = [b"\xef\xbb\xbf", chinese.as_bytes()].concat();
    assert_eq!(products("bom.csv", marked), found);
    let options = Options { encoding: Some("klingon".to_owned()), ..Options::default() };
    assert!(matches!(import("x.csv", "id,title\n", options), Err(FeedError::Encoding(_))));
}

#[test]
fn files_that_are_no_feeds_say_what_they_are_and_what_to_do() {
    for (name, content, says) in [
        ("empty.csv", &b""[..], "is empty"),
        ("blank.csv", b" \n\n", "is empty"),
        ("a.csv", b"\x89PNG\r\n\x1a\n0000", "a PNG picture"),
        ("b.csv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "save it as CSV UTF-8"),
        ("c.csv", b"%PDF-1.7 x", "a PDF document"),
        ("d.csv", b"\x01\x02\x03\x04\x05\x06\x07\x08\x00\x01", "a binary file"),
        ("e.csv", b"<!DOCTYPE html><html><body>Log in</body></html>", "a web page"),
        ("f.csv", b"query,docid,rating\nlaptop,1,0\n", "does not look like a product catalogue"),
        ("g.json", b"[{\"id\":1,\"title\":\"x\"}", "cut off"),
        ("h.xml", b"<!DOCTYPE a [<!ENTITY b \"c\">]><rss><item><id>1</id><title>&b;</title></item></rss>", "DOCTYPE"),
        ("i.zip", b"PK\x03\x04 no archive", "pack it again"),
    ] {
        let refused = refusal(name, content);
        assert!(refused.contains(says), "{name}: {refused}");
    }
    let missing = open(&Source::File("/nowhere/feed.csv".into()), Options::default()).unwrap_err();
    assert!(missing.to_string().contains("check that it exists"), "{missing}");
}

#[test]
fn columns_rows_nesting_and_archives_are_bounded() {
    let wide = format!("id,title{}\n1,x\n", ",c".repeat(1_000_000));
    assert!(refusal("wide.csv", wide).contains("the number of columns passes the limit"));
    let usual =
        format!("id,title{}\n1,x{}\n", (0..300).map(|n| format!(",c{n}")).collect::<String>(), ",v".repeat(300));
    assert_eq!(products("usual.csv", usual)[0].attributes.len(), 300);
    let small = || Options { limits: Limits { row_bytes: 100_000, ..Limits::default() }, ..Options::default() };
    let long = format!("id,title\n1,{}\n", "x".repeat(2_000_000));
    assert!(import("long.csv", long, small()).unwrap_err().to_string().contains("the length of one row"));
    let endless = format!("[{{\"id\":1,\"title\":\"{}", "x".repeat(2_000_000));
    assert!(import("long.json", endless, small()).unwrap_err().to_string().contains("the length of one item"));
    let deep = format!("[{{\"id\":1,\"title\":\"x\",\"a\":{}{}}}]", "[".repeat(5_000), "]".repeat(5_000));
    assert!(refusal("deep.json", deep).contains("nesting"));
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("bomb.csv", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(b"id,title\n").unwrap();
    zip.write_all(&vec![b'a'; 3_000_000]).unwrap();
    let bomb = zip.finish().unwrap().into_inner();
    let limits = Limits { unpack_ratio: 10, unpack_free: 100_000, ..Limits::default() };
    let refused = import("bomb.zip", bomb, Options { limits, ..Options::default() }).unwrap_err().to_string();
    assert!(refused.contains("unpacked archive"), "{refused}");
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gz.write_all(&vec![b'a'; 3_000_000]).unwrap();
    let limits = Limits { unpack_ratio: 10, unpack_free: 100_000, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    assert!(import("bomb.csv.gz", gz.finish().unwrap(), options).unwrap_err().to_string().contains("unpacked archive"));
}

#[test]
fn archives_are_read_and_several_feeds_in_one_are_one_catalogue() {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(b"id;title;price\n1;One;1,50\n").unwrap();
    let (found, _) = import("a.csv.gz", gz.finish().unwrap(), Options::default()).unwrap();
    assert_eq!(found[0].variants[0].price, Some(Money::new(150, Currency::USD)));
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in [
        ("b.csv", "id,title\n2,Two\n1,Same\n"),
        ("a/a.csv", "id,title\n1,One\n"),
        ("x.jpg", "no"),
        ("c.csv", "a,b\n1,2\n"),
    ] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    let (found, report) = import("all.zip", zip.finish().unwrap().into_inner(), Options::default()).unwrap();
    assert_eq!(found.iter().map(|p| p.title.get(Lang::En)).collect::<Vec<_>>(), ["One", "Two"]);
    assert_eq!(report.count(ProblemKind::DuplicateId), 1);
    assert!(report.warnings.iter().any(|w| w.contains("c.csv")), "{:?}", report.warnings);
}

/// Answers every request with `reply`, until the test ends.
fn server(reply: &'static [u8]) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/feed.csv", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            count.fetch_add(1, Ordering::SeqCst);
            let mut request = [0; 2_048];
            let _n = stream.read(&mut request);
            let _sent = stream.write_all(reply);
            // A server that hangs keeps its connection.
            if reply.is_empty() {
                open.push(stream);
            }
        }
    });
    (address, asked)
}

fn fetched(address: &str, options: Options) -> Result<usize, FeedError> {
    Ok(all(open(&Source::parse(address), options)?)?.0.len())
}

#[test]
fn addresses_are_fetched_within_bounds_and_never_from_a_private_network() {
    let private = || Options { allow_private: true, ..Options::default() };
    let (address, asked) =
        server(b"HTTP/1.1 200 OK\r\nContent-Length: 15\r\nConnection: close\r\n\r\nid,title\n1,One\n");
    assert_eq!(fetched(&address, private()).unwrap(), 1);
    let before = asked.load(Ordering::SeqCst);
    let refused = fetched(&address, Options::default()).unwrap_err().to_string();
    assert!(refused.contains("private network"), "{refused}");
    let port = address.rsplit(':').next().unwrap();
    let by_name = fetched(&format!("http://localhost:{port}"), Options::default()).unwrap_err().to_string();
    assert!(by_name.contains("private network"), "{by_name}");
    assert_eq!(asked.load(Ordering::SeqCst), before, "nothing was asked");
    let limits = Limits { download_bytes: 10, ..Limits::default() };
    let large = fetched(&address, Options { limits, ..private() }).unwrap_err().to_string();
    assert!(large.contains("larger than 10 bytes"), "{large}");
    let (loops, _) =
        server(b"HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    assert!(fetched(&loops, private()).unwrap_err().to_string().contains("redirects more than"));
    let (odd, _) =
        server(b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    assert!(fetched(&odd, private()).unwrap_err().to_string().contains("only http and https"));
    let (gone, _) = server(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    assert!(fetched(&gone, private()).unwrap_err().to_string().contains("404"));
    let (hangs, _) = server(b"");
    let limits = Limits { fetch_silence: Duration::from_millis(200), ..Limits::default() };
    let silent = fetched(&hangs, Options { limits, ..private() }).unwrap_err().to_string();
    assert!(silent.contains("does not answer"), "{silent}");
}

#[test]
fn the_same_feed_gives_the_same_fingerprints_and_progress_ends_at_its_end() {
    let csv = "id,title,price\n1,One,10\n2,Two,11\n";
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let progress = move |p: &mercer_search::feed::Progress| kept.lock().unwrap().push(p.clone());
    let (first, report) =
        import("p.csv", csv, Options { progress: Some(Arc::new(progress)), ..Options::default() }).unwrap();
    let (second, again) = import("q.csv", csv, Options::default()).unwrap();
    assert_eq!(first.iter().map(fingerprint).collect::<Vec<_>>(), second.iter().map(fingerprint).collect::<Vec<_>>());
    assert_ne!(fingerprint(&first[0]), fingerprint(&first[1]));
    assert_eq!(report.source_hash, again.source_hash);
    let seen = seen.lock().unwrap();
    let last = seen.last().unwrap();
    assert_eq!((last.bytes, last.total_bytes, last.products, last.rows), (33, 33, 2, 2));
    assert_eq!(last.phase, mercer_search::feed::Phase::Done);
}

#[test]
fn our_own_json_comes_back_as_it_went_out_and_a_flat_form_is_enough() {
    let csv = "id,group,title,title_zh,price,currency,option:Size,attribute:Fit,category,image\n\
               t-s,t,Tee,T恤,19.90,EUR,S,Slim,Clothing > Tops,http://x/1.jpg\n\
               t-m,t,Tee,,18.90,EUR,M,Slim,,http://x/2.jpg\n";
    let made = products("own.csv", csv);
    assert_eq!((made.len(), made[0].variants.len()), (1, 2));
    let tee = &made[0];
    assert_eq!((tee.title.zh.as_deref(), tee.attributes["Fit"].as_str()), (Some("T恤"), "Slim"));
    assert_eq!((tee.variants[1].sku.as_str(), tee.variants[1].options["Size"].as_str()), ("t-m", "M"));
    assert_eq!(tee.variants[0].price, Some(Money::new(1_990, Currency::EUR)));
    let jsonl: String = made.iter().map(|p| serde_json::to_string(p).unwrap() + "\n").collect();
    let (back, report) = import("own.jsonl", jsonl, Options::default()).unwrap();
    assert_eq!(back, made);
    assert!(report.formats[0].contains("mercer (JSON"), "{:?}", report.formats);
    let wrong =
        "{\"id\":\"a\",\"title\":{\"en\":\"A\"}}\n{\"id\":\"b\",\"title\":{\"en\":\"B\\u202e\"},\"variants\":[]}\n";
    let (kept, report) = import("own.jsonl", wrong, Options::default()).unwrap();
    assert_eq!((kept[0].title.get(Lang::En), kept[0].variants.len()), ("B", 1));
    let bad = &report.by_kind[&ProblemKind::BadSyntax].samples[0];
    assert!(bad.reason.contains("missing field `variants`"), "{}", bad.reason);
    let flat = "{\"id\":7,\"title\":\"Lamp\",\"price\":\"$ 12.50\",\"colour\":[\"Red\",\"Blue\"],\"category\":[\"Home\",\"Light\"]}\n\
                not json\n{\"id\":8,\"title\":\"Chair\",\"price\":12}\n[1]\n";
    let (lamps, report) = import("flat.jsonl", flat, Options::default()).unwrap();
    assert_eq!(lamps.len(), 2);
    assert_eq!((lamps[0].colours.len(), lamps[0].category.len()), (2, 2));
    assert_eq!(report.count(ProblemKind::BadSyntax), 2);
}

#[test]
fn a_mapping_file_reads_what_names_do_not_tell() {
    let toml = "price_unit = \"minor\"\ncurrency = \"CNY\"\ncategory_separator = \"::\"\nlist_separator = \"~\"\nother_columns = \"ignore\"\n\
                [columns]\nK1 = \"id\"\nK2 = \"title.zh\"\nK3 = \"price\"\nK4 = \"category\"\nK5 = \"colour\"\nK6 = \"option:尺码\"\n\
                [constants]\nbrand = \"掌柜\"\nimage = \"pics/{K1}.png\"\n";
    let mapping = mercer_search::feed::Mapping::parse(toml).unwrap();
    let csv = "K1;K2;K3;K4;K5;K6;K7\n1;裙子;29900;女装::裙;红~蓝;M;x\n";
    let options = Options { mapping: Some(mapping), ..Options::default() };
    let (found, _) = import("k.csv", csv, options).unwrap();
    let dress = &found[0];
    assert_eq!((dress.title.zh.as_deref(), dress.brand.as_deref()), (Some("裙子"), Some("掌柜")));
    assert_eq!(dress.variants[0].price, Some(Money::new(29_900, Currency::CNY)));
    assert_eq!((dress.category.len(), dress.colours.as_slice()), (2, &["红".to_owned(), "蓝".to_owned()][..]));
    assert_eq!((dress.images[0].source.as_str(), dress.attributes["尺码"].as_str()), ("pics/1.png", "M"));
    assert!(!dress.attributes.contains_key("K7"));
    let json = r#"{"items":"data.list","columns":{"code":"id","info.label":"title","cost.value":"price","cost.unit":"currency"}}"#;
    let mapping = mercer_search::feed::Mapping::parse(json).unwrap();
    let nested = r#"{"meta":{"list":[{"x":1}]},"data":{"list":[{"code":"A","info":{"label":"Lamp"},"cost":{"value":5,"unit":"EUR"}}]}}"#;
    let (found, _) = import("n.json", nested, Options { mapping: Some(mapping), ..Options::default() }).unwrap();
    assert_eq!((found[0].id.as_str(), found[0].variants[0].price), ("A", Some(Money::new(500, Currency::EUR))));
    let wrong = mercer_search::feed::Mapping::parse("[columns]\na = \"titel\"\n").unwrap_err().to_string();
    assert!(wrong.contains("\"titel\" is not a field; use one of id, group"), "{wrong}");
}

#[test]
fn a_preview_shows_format_columns_rows_and_problems() {
    let fixture = file("p.csv", "编号;名称;售价;颜色;备注\n1;连衣裙;299;红色;新\n2;外套;问;黑色;\n");
    let shown = preview(&Source::File(fixture.path.as_path().into()), &Options::default(), 5).unwrap();
    let columns: Vec<_> =
        shown.columns.iter().map(|c| (c.name.as_str(), c.maps_to.as_deref().unwrap_or("-"))).collect();
    let expected =
        [("编号", "id"), ("名称", "title"), ("售价", "price"), ("颜色", "colour"), ("备注", "attribute:备注")];
    assert_eq!(columns, expected);
    assert_eq!((shown.container, shown.delimiter, shown.encoding.name), ("CSV", Some(';'), "UTF-8"));
    assert_eq!((shown.rows.len(), shown.products.len(), shown.problems.len()), (2, 2, 1));
    assert!(shown.confidence > 0.3 && shown.confidence < 0.9);
    assert!(shown.warnings.iter().any(|w| w.contains("CNY is assumed")), "{:?}", shown.warnings);
}

#[test]
fn pictures_are_found_by_id_and_path_and_nothing_outside_is_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("pics/m/b")).unwrap();
    std::fs::write(folder.path().join("pics/12503.jpg"), b"one").unwrap();
    std::fs::write(folder.path().join("pics/m/b/mb01-blue.PNG"), b"two").unwrap();
    std::fs::write(folder.path().join("secret.jpg"), b"secret").unwrap();
    let pictures = Pictures::open(&folder.path().join("pics")).unwrap();
    assert_eq!(pictures.len(), 2);
    let read = |name: &str| pictures.read(name).unwrap();
    assert_eq!(read("12503").as_deref(), Some(&b"one"[..]));
    assert_eq!(read("12503.jpg").as_deref(), Some(&b"one"[..]));
    assert_eq!(read("/m/b/mb01-blue.png").as_deref(), Some(&b"two"[..]));
    for outside in [
        "../secret.jpg",
        "m/../../secret.jpg",
        "..\\secret.jpg",
        "secret",
        "/etc/passwd",
        "http://x/12503.jpg",
        "",
        "\0",
    ] {
        assert_eq!(read(outside), None, "{outside}");
    }
    let Some(zip) = shared("fashion-kaggle/images-640.zip") else { return };
    let zipped = Pictures::open(&zip).unwrap();
    assert_eq!(zipped.len(), 640);
    assert!(zipped.read("12503").unwrap().unwrap().starts_with(b"\xff\xd8"));
    let Some(magento) = shared("magento/images-256.zip") else { return };
    assert!(Pictures::open(&magento).unwrap().read("/m/b/mb01-blue-0.jpg").unwrap().is_some());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_input_breaks_the_import(
        head in prop::sample::select(vec![
            "id,title,price,group\n", "[{\"id\":1,\"title\":\"a\",\"variants\":[{\"price\":", "<rss><item><id>1</id><title>", "{\"id\":\"",
            "Handle,Title,Option1 Name,Option1 Value,Variant Price\n", "ID,Type,SKU,Name,Regular price,Published,Parent\n",
            "sku,product_type,name,store_view_code,price,configurable_variations,additional_attributes\n",
            "name,slug,optionGroups,optionValues,sku\n", "",
        ]),
        body in "[a-z0-9,;\"'\n\t<>&{}\\[\\]:=|/\\\\.$€\\-商]{0,300}",
        tail in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        let content = [head.as_bytes(), body.as_bytes(), &tail].concat();
        let fixture = file("fuzz.csv", content);
        let source = Source::File(fixture.path.as_path().into());
        let _shown = preview(&source, &Options::default(), 3);
        if let Ok(feed) = open(&source, Options::default()) {
            for product in feed.map_while(Result::ok) {
                prop_assert!(!product.variants.is_empty());
                prop_assert!(!product.title.is_empty());
            }
        }
    }
}
