//! Plan-and-solve, reflection and the profile.

use jiff::Timestamp;
use mercer_agent::Lang;
use mercer_agent::plan::{self, Outcome, Plan};
use mercer_agent::profile::{Learned, Origin, Profile};
use mercer_agent::reflect::{self, Preset, Reflect};
use serde::{Serialize, de::DeserializeOwned};

fn reloaded<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

fn critique(score: u32) -> String {
    let names = ["novelty", "rigour", "clarity", "evidence", "structure"];
    let scores = names.map(|name| format!("\"{name}\": {score}")).join(", ");
    format!("{{\"scores\": {{{scores}}}, \"advice\": \"shorter\"}}")
}

#[test]
fn reflection_keeps_the_best_draft_not_the_last() {
    let mut reflect = Reflect::new(Preset::paper(), "an abstract", "first", Lang::En);
    for (score, revision) in [(50, "second"), (80, "third"), (60, "fourth")] {
        assert!(matches!(reflect.next(), reflect::Step::Critique(_)));
        reflect.replied(&critique(score));
        let reflect::Step::Revise(prompt) = reflect.next() else { panic!("{:?}", reflect.next()) };
        assert!(prompt.contains("shorter"), "{prompt}");
        reflect.replied(revision);
        reflect = reloaded(&reflect);
    }
    reflect.replied(&critique(70));
    let reflect::Step::Done(best) = reflect.next() else { panic!("{:?}", reflect.next()) };
    assert_eq!((best.text.as_str(), best.critique.unwrap().score), ("second", 80));
}

#[test]
fn reflection_stops_at_the_bar_and_an_unreadable_critique_is_no_praise() {
    let mut reflect = Reflect::new(Preset::paper(), "an abstract", "first", Lang::En);
    reflect.replied(&critique(85));
    assert!(matches!(reflect.next(), reflect::Step::Done(draft) if draft.text == "first"));

    let mut reflect = Reflect::new(Preset::paper(), "an abstract", "first", Lang::Zh);
    reflect.replied("{\"scores\": {\"novelty\": 100}, \"advice\": \"\"}");
    assert!(matches!(reflect.next(), reflect::Step::Critique(_)), "asked once more");
    reflect.replied("very good!");
    let reflect::Step::Done(draft) = reflect.next() else { panic!("{:?}", reflect.next()) };
    assert_eq!(draft.critique, None);
}

fn a_plan(steps: &[&str]) -> String {
    let steps = steps
        .iter()
        .map(|step| format!("{{\"step\": \"{step}\", \"purpose\": \"to know\"}}"))
        .collect::<Vec<_>>()
        .join(", ");
    format!("```json\n{{\"steps\": [{steps}]}}\n```")
}

#[test]
fn a_plan_is_carried_out_replanned_after_a_failure_and_composed() {
    let mut plan = Plan::new("Which shoes sell best?", vec!["search".into()], plan::Limits::default(), Lang::En);
    plan.replied(&a_plan(&["find shoes", "count sales"]));
    let plan::Step::Execute { planned, .. } = plan.next() else { panic!("{:?}", plan.next()) };
    assert_eq!(planned.step, "find shoes");
    plan.carried(Ok("12 shoes".into()));
    plan = reloaded(&plan);
    plan.carried(Err("no sales table".into()));
    let plan::Step::Plan(prompt) = plan.next() else { panic!("{:?}", plan.next()) };
    assert!(prompt.contains("12 shoes") && prompt.contains("no sales table"), "{prompt}");
    plan.replied(&a_plan(&["count reviews"]));
    plan.carried(Ok("Trail has 388 reviews".into()));
    let plan::Step::Compose(prompt) = plan.next() else { panic!("{:?}", plan.next()) };
    assert!(prompt.contains("388 reviews"), "{prompt}");
    plan.replied("Trail, by its reviews.");
    assert_eq!(plan.next(), plan::Step::Done(Outcome::Answered { text: "Trail, by its reviews.".into() }));
    assert_eq!(plan.done().len(), 3);
}

#[test]
fn a_plan_ends_typed_when_no_plan_or_no_answer_comes() {
    let new = || Plan::new("?", Vec::new(), plan::Limits { steps: 2, plans: 2 }, Lang::Zh);
    let mut plan = new();
    plan.replied("I would search first.");
    plan.replied(&a_plan(&["a", "b", "c"]));
    assert_eq!(plan.next(), plan::Step::Done(Outcome::NoPlan), "three steps are more than two");
    let mut plan = new();
    for _ in 0..2 {
        plan.replied(&a_plan(&["a"]));
        plan.carried(Err("down".into()));
    }
    assert_eq!(plan.next(), plan::Step::Done(Outcome::StepsFailed));
    let mut plan = new();
    plan.replied(&a_plan(&["a"]));
    plan.carried(Ok("x".into()));
    plan.replied("  ");
    assert_eq!(plan.next(), plan::Step::Done(Outcome::NoAnswer));
}

#[test]
fn a_profile_keeps_typed_facts_and_a_confirmed_one_against_a_guess() {
    let at = Timestamp::UNIX_EPOCH;
    let mut profile = Profile::default();
    assert!(profile.learn(Learned::Size { of: "shoes".into(), size: "42".into() }, Origin::Confirmed, at));
    assert!(!profile.learn(Learned::Size { of: "Shoes".into(), size: "40".into() }, Origin::Inferred, at));
    assert_eq!(profile.size_of("shoes"), Some("42"));
    profile.learn(Learned::LikesColour("Black".into()), Origin::Said, at);
    profile.learn(Learned::AvoidsColour("black".into()), Origin::Said, at);
    assert!(profile.likes_colours.is_empty(), "the newer word counts");
    for n in 0..20 {
        profile.learn(Learned::LikesBrand(format!("brand {n}\u{202e}")), Origin::Inferred, at);
    }
    assert_eq!(profile.likes_brands.len(), 8);
    assert_eq!(profile.likes_brands[7].value, "brand 19");
    assert_eq!(reloaded(&profile), profile);
}
