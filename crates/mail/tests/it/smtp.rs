use std::time::Duration;

use mercer_mail::{Folder, Letter, Mailer, Outcome, Patience, Smtp, SmtpUrlError};

use crate::sink::{Act, Sink};

fn letter() -> Letter {
    Letter {
        key: "default/ORD-1/refund/1:1/29900/sha256:ab".into(),
        from: "掌柜 <service@shop.example>".into(),
        to: "zhang@example.com".into(),
        subject: "您的退款已办理：¥299".into(),
        text: "张三，您好。\n\n退款 ¥299 已退回原支付方式。\n.\n完。\n".into(),
        html: "<p>张三，您好。</p><p>退款 <b>¥299</b> 已退回原支付方式。</p>".into(),
        date: "2026-11-30T10:00:00Z".parse().unwrap(),
    }
}

async fn send(act: Act) -> (Outcome, usize) {
    let sink = Sink::open(act).await;
    let quick = Duration::from_millis(400);
    let smtp =
        Smtp::from_url(&sink.url).unwrap().with_patience(Patience { connect: quick, command: quick, text: quick });
    let outcome = smtp.send(&letter()).await;
    (outcome, sink.taken().len())
}

#[tokio::test]
async fn a_mail_arrives_with_its_identity_and_says_that_no_person_wrote_it() {
    let sink = Sink::open(Act::Take).await;
    let smtp = Smtp::from_url(&sink.url).unwrap();
    let outcome = smtp.send(&letter()).await;
    assert_eq!(outcome, Outcome::Sent { reply: "250 taken as sink-1".into() });
    let taken = sink.taken();
    let [mail] = taken.as_slice() else { panic!("{taken:?}") };
    assert_eq!(mail.to, "zhang@example.com");
    let id = letter().message_id().unwrap();
    assert!(id.ends_with("@shop.example>"), "{id}");
    for header in [format!("Message-ID: {id}"), "Auto-Submitted: auto-generated".into(), "To: zhang@example.com".into()]
    {
        assert!(mail.data.contains(&header), "{header} in {}", mail.data);
    }
    assert!(mail.data.contains("multipart/alternative"));
    assert!(!mail.data.contains("¥"), "the body is encoded for seven bits");
}

#[tokio::test]
async fn what_is_refused_before_the_text_was_certainly_not_sent() {
    for (at, line) in
        [("MAIL", "550 no"), ("RCPT", "550 no such box"), ("DATA", "554 no"), (".", "550 looks like spam")]
    {
        let (outcome, taken) = send(Act::Say(at, line)).await;
        assert!(matches!(outcome, Outcome::Failed { .. }), "{at}: {outcome:?}");
        assert_eq!(taken, 0);
    }
    for (at, line) in [("MAIL", "451 later"), ("RCPT", "451 grey"), ("DATA", "421 closing"), (".", "451 try again")] {
        let (outcome, taken) = send(Act::Say(at, line)).await;
        assert!(matches!(outcome, Outcome::Later { .. }), "{at}: {outcome:?}");
        assert_eq!(taken, 0);
    }
}

#[tokio::test]
async fn a_line_that_breaks_or_hangs_before_the_text_may_be_tried_again() {
    for act in [Act::HangAtGreeting, Act::DropAt("EHLO"), Act::DropAt("MAIL"), Act::DropAt("RCPT"), Act::DropAt("DATA")]
    {
        let (outcome, taken) = send(act.clone()).await;
        assert!(matches!(outcome, Outcome::Later { .. }), "{act:?}: {outcome:?}");
        assert_eq!(taken, 0);
    }
    let nobody = Smtp::from_url("smtp://127.0.0.1:9").unwrap();
    assert!(matches!(nobody.send(&letter()).await, Outcome::Later { .. }));
}

#[tokio::test]
async fn after_the_text_silence_is_unknown_and_never_a_failure() {
    for act in [Act::DropAt("."), Act::HangAfterText] {
        let (outcome, taken) = send(act.clone()).await;
        assert!(matches!(outcome, Outcome::Unknown { .. }), "{act:?}: {outcome:?}");
        assert_eq!(taken, 1, "the server has it");
    }
}

#[tokio::test]
async fn a_hostile_subject_or_address_adds_no_header_and_no_receiver() {
    let sink = Sink::open(Act::Take).await;
    let smtp = Smtp::from_url(&sink.url).unwrap();
    let subject = "hi\r\nBcc: all@evil.example\r\n\r\nbody".to_owned();
    let outcome = smtp.send(&Letter { subject, ..letter() }).await;
    assert!(matches!(outcome, Outcome::Sent { .. }), "{outcome:?}");
    assert!(!sink.taken()[0].data.contains("\nBcc:"), "{}", sink.taken()[0].data);
    for to in ["a@x.example>\r\nRCPT TO:<b@y.example", "\"Support\" <shop@x.example> <evil@y.example>", "", "a b@x"] {
        let outcome = smtp.send(&Letter { to: to.into(), ..letter() }).await;
        assert!(matches!(outcome, Outcome::Failed { .. }), "{to}: {outcome:?}");
    }
    assert_eq!(sink.taken().len(), 1);
}

#[tokio::test]
async fn without_a_server_a_mail_is_one_file_however_often_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mailer = Folder::new(folder.path().join("outbox"));
    for _ in 0..2 {
        assert!(matches!(mailer.send(&letter()).await, Outcome::Sent { .. }));
    }
    let files: Vec<_> = std::fs::read_dir(folder.path().join("outbox")).unwrap().collect();
    assert_eq!(files.len(), 1);
    let file = mailer.file(&letter().message_id().unwrap());
    assert!(std::fs::read_to_string(file).unwrap().starts_with("From:"));
}

#[test]
fn a_password_is_never_sent_in_the_clear_unless_that_is_said() {
    assert!(Smtp::from_url("smtps://u:p@mail.example").is_ok());
    assert!(Smtp::from_url("smtp://mail.example:2525").is_ok());
    assert!(Smtp::from_url("smtp://u:p@mail.example?tls=required").is_ok());
    assert!(Smtp::from_url("smtp://u:p@127.0.0.1:2525").is_ok());
    assert_eq!(Smtp::from_url("smtp://u:p@mail.example").unwrap_err(), SmtpUrlError::Clear("mail.example".into()));
    for bad in ["", "mail.example:25", "http://mail.example", "smtp://mail.example?tls=maybe", "smtps://x?tls=none"] {
        assert!(matches!(Smtp::from_url(bad), Err(SmtpUrlError::Form(_))), "{bad}");
    }
    let shown = format!("{:?}", Smtp::from_url("smtps://u:secret@mail.example").unwrap());
    assert!(!shown.contains("secret"), "{shown}");
}
