//! Whole conversations as a person reads them. A change here is a change that customers see.

use mercer_shop::Lang;

use crate::talk::{Reply, Talk};

async fn conversation(name: &str, locale: Lang, lines: &[&str]) {
    let mut talk = Talk::by_rules().await;
    talk.locale = locale;
    let mut page = String::new();
    for line in lines {
        let reply = match line.strip_prefix("- ") {
            Some(chip) => talk.remove(chip).await,
            None => talk.say(line).await,
        };
        assert_eq!(reply.streamed(), reply.text(), "what was streamed is what is kept");
        page.push_str(&reply.page(line, &talk.products));
        for claim in unsupported(&reply) {
            page.push_str(&format!("  ! nothing supports {claim}\n"));
        }
        page.push('\n');
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, page));
}

/// What the gate would not let a model say, the words in quotation marks aside: those are examples or conditions.
fn unsupported(reply: &Reply) -> Vec<String> {
    let lang = mercer_agent::Lang::from_tag(reply.message.lang.tag());
    let gate = mercer_agent::gate::check(reply.text(), &reply.state.evidence, &[], lang);
    gate.unsupported()
        .filter(|claim| claim.kind != mercer_agent::gate::Kind::Quote)
        .map(|claim| format!("{:?} {:?}", claim.kind, claim.text))
        .collect()
}

#[tokio::test]
async fn a_dress_is_found_refined_asked_about_and_compared_in_english() {
    conversation(
        "dress.en",
        Lang::En,
        &[
            "Hello",
            "I'm looking for a red dress under 500",
            "make them formal",
            "in blue",
            "cheaper",
            "show me black dresses",
            "tell me about the first one",
            "what sizes does it have?",
            "does it come in red?",
            "is it in stock?",
            "all dresses",
            "more",
            "compare 1 and 2",
            "something similar to the first",
            "what about the ninth?",
            "thanks",
        ],
    )
    .await;
}

#[tokio::test]
async fn a_dress_is_found_refined_asked_about_and_compared_in_chinese() {
    conversation(
        "dress.zh",
        Lang::En,
        &[
            "你好",
            "我想要红色连衣裙，500元以下",
            "换成蓝色的",
            "便宜点",
            "男士衬衫",
            "换成长袖的",
            "第二个",
            "这个有别的颜色吗",
            "有什么尺码",
            "多少钱",
            "有货吗",
            "所有连衣裙",
            "更多",
            "比较1和2",
            "和第一个类似的",
            "第九个呢",
            "谢谢",
        ],
    )
    .await;
}

#[tokio::test]
async fn what_the_shop_does_not_have_or_do_is_said_in_english() {
    conversation(
        "limits.en",
        Lang::En,
        &[
            "do you have aprons?",
            "do you sell bags?",
            "I want a gift for my wife",
            "what do you sell?",
            "what's the cheapest thing you have?",
            "the most expensive watch",
            "how many dresses do you have?",
            "purple jeans",
            "not blue",
            "- category:any:Jeans",
            "where is my order?",
            "any discount on watches?",
            "help",
        ],
    )
    .await;
}

#[tokio::test]
async fn what_the_shop_does_not_have_or_do_is_said_in_chinese() {
    conversation(
        "limits.zh",
        Lang::Zh,
        &[
            "有围裙吗",
            "有包吗",
            "想给女朋友买个礼物",
            "你们卖什么",
            "店里最贵的是什么",
            "最便宜的手表",
            "有多少件连衣裙",
            "不要黑色的羽绒服",
            "我的订单到哪了",
            "能退货吗",
            "羽绒服有优惠吗",
            "帮助",
        ],
    )
    .await;
}
