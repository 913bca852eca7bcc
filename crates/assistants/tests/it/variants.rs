//! Questions about one variant, sales, ratings, and taking a wish back.

use mercer_assistants::shopping::Models;

use crate::sample::sample;
use crate::talk::Talk;

#[tokio::test]
async fn a_question_about_a_colour_and_a_size_is_answered_for_that_one_variant() {
    let Some(products) = sample() else { return };
    let mut talk = Talk::over(products, Models::default()).await;
    let shown = talk.say("Slit Evening Gown with Straps").await;
    let place = shown.ids().iter().position(|id| *id == "mercer-d002").unwrap() + 1;
    talk.say(&format!("number {place}")).await;
    for (text, says) in [
        ("is it available in black size L?", "No, Slit Evening Gown with Straps in black in size L is sold out."),
        ("has it black in L?", "No, Slit Evening Gown with Straps in black in size L is sold out."),
        (
            "is it available in red size L?",
            "Yes, Slit Evening Gown with Straps in red in size L is in stock: 107 left.",
        ),
        ("is it sold out in red size L?", "No, Slit Evening Gown with Straps in red in size L is in stock: 107 left."),
        ("is it available in green size L?", "is not made in green"),
        (
            &*format!("does number {place} come in black in size M?"),
            "Slit Evening Gown with Straps in black in size M is ",
        ),
        ("黑色L码有货吗", "卖完了：吊带开衩曳地晚礼服（黑色，L 码）已售完。"),
        ("这件红色L码有货吗", "有，吊带开衩曳地晚礼服（红色，L 码）有货，还有 107 件。"),
        ("这件绿色L码有货吗", "没有绿色"),
    ] {
        let reply = talk.say(text).await;
        assert!(reply.text().contains(says), "{text}: {}", reply.text());
    }
}

#[tokio::test]
async fn a_question_whether_it_is_sold_out_gets_the_right_yes_or_no() {
    let mut talk = Talk::by_rules().await;
    let dresses = talk.say("dresses").await;
    let crimson = dresses.ids().iter().position(|id| *id == "d06");
    talk.say("light down jacket").await;
    for (text, says) in [
        ("is the first one sold out in L?", "No, Light Down Jacket in size L is in stock"),
        ("第一个L码卖完了吗", "没有卖完，轻薄羽绒服（L 码）有货，还有"),
        ("is the first one sold out in XS?", "does not come in size XS"),
    ] {
        let reply = talk.say(text).await;
        assert!(reply.text().contains(says), "{text}: {}", reply.text());
    }
    if let Some(at) = crimson {
        talk.say("dresses").await;
        let reply = talk.say(&format!("is number {} sold out in M?", at + 1)).await;
        assert!(reply.text().starts_with("Yes, "), "{}", reply.text());
    }
}

#[tokio::test]
async fn without_ratings_nothing_is_called_best_rated() {
    let Some(mut products) = sample() else { return };
    for product in &mut products {
        product.rating_centistars = None;
    }
    let mut talk = Talk::over(products, Models::default()).await;
    for (text, says) in [("the best rated dress", "There are no ratings"), ("评分最高的连衣裙", "没有评分")]
    {
        let reply = talk.say(text).await;
        assert!(reply.text().contains(says) && !reply.ids().is_empty(), "{text}: {}", reply.text());
        assert!(!reply.chips().contains(&"best rated first".to_owned()), "{:?}", reply.chips());
    }
}

#[tokio::test]
async fn words_that_found_nothing_do_not_stay_and_a_wish_can_be_taken_back() {
    let mut talk = Talk::by_rules().await;
    talk.say("asdkjh qwe").await;
    let reply = talk.say("👗 red").await;
    assert!(!reply.text().contains("asdkjh") && !reply.ids().is_empty(), "{}", reply.text());
    for text in ["reset", "start over", "forget it", "重新来", "算了"] {
        talk.say("red dresses").await;
        let reply = talk.say(text).await;
        assert!(reply.chips().is_empty(), "{text}: {:?}", reply.chips());
    }
}

#[tokio::test]
async fn a_sale_is_a_question_about_the_earlier_price_or_something_that_cannot_be_filtered() {
    let mut talk = Talk::by_rules().await;
    assert_eq!(talk.say("the most expensive dress").await.ids()[0], "d02");
    let reply = talk.say("is it on sale?").await;
    assert!(reply.text().starts_with("Yes") && reply.text().contains("¥1099"), "{}", reply.text());
    for (text, says) in [
        ("on sale", "cannot filter by discount"),
        ("dresses on sale", "cannot filter by discount"),
        ("特价", "不能按折扣筛选"),
        ("打折", "不能按折扣筛选"),
    ] {
        let reply = talk.say(text).await;
        assert!(reply.text().contains(says) && !reply.text().contains("not carry"), "{text}: {}", reply.text());
    }
}

#[tokio::test]
async fn what_is_cheaper_is_settled_over_the_wish_between_two_or_below_one() {
    let mut talk = Talk::by_rules().await;
    talk.say("dresses").await;
    for text in ["which one is the cheapest?", "哪个最便宜"] {
        let reply = talk.say(text).await;
        assert_eq!(reply.ids().first(), Some(&"d08"), "{text}: {}", reply.text());
    }
    let shown = talk.say("shirts").await;
    let (first, second, third) = (shown.ids()[0].to_owned(), shown.ids()[1].to_owned(), shown.ids()[2].to_owned());
    let price = shown.cards()[0].price.unwrap();
    assert_eq!(talk.say("第一个和第三个比哪个便宜").await.ids(), [first.as_str(), third.as_str()]);
    assert_eq!(talk.say("1和2哪个贵").await.ids(), [first.as_str(), second.as_str()]);
    let below = talk.say("is there anything cheaper than the first?").await;
    assert!(below.cards().iter().all(|card| card.price.unwrap() < price), "{}", below.text());
    let second = talk.say("dresses").await.cards()[1].price.unwrap();
    assert!(talk.say("第二个").await.ids().len() == 1);
    let below = talk.say("有没有比这个更便宜的").await;
    assert!(!below.ids().is_empty(), "{}", below.text());
    assert!(below.cards().iter().all(|card| card.price.unwrap() < second), "{}", below.text());
}
