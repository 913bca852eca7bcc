import { useEffect, useRef, useState } from "react";
import { Problem } from "../../api/client";
import { go } from "../../app/router";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import { When } from "../../ui/When";
import * as api from "./api";
import { CaseView, Fact, MailView, Record } from "./Case";
import { useServiceWords } from "./useWords";

/** One thing of the inbox, with all that is needed to decide it. */
export function Opened({ id, onChange }: { id: string; onChange: () => void }) {
  const { t } = useSpeech();
  const w = useServiceWords();
  const { value, error, slow, reload } = useLoad(`item ${id}`, (signal) => api.item(id, signal));
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (cause) {
      setProblem(cause instanceof Problem && cause.status === 409 ? new Problem("busy", 409, null, cause.detail ?? w.decidedElsewhere, cause.code) : cause);
    } finally {
      setBusy(false);
      reload();
      onChange();
    }
  };
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), 5_000);
    return () => clearInterval(timer);
  }, [reload]);
  if (value === null) return error != null ? <Trouble error={error} onRetry={reload} /> : slow ? <div className="skeleton-lines" aria-hidden /> : <div />;
  const mails = value.mail && !("subject" in value.mail) ? value.mail : null;
  return (
    <article className="opened" aria-label={value.customer ?? value.id}>
      <header>
        <button type="button" className="quiet-button opened-back" onClick={() => go(`/inbox${location.search}`)}>
          {w.back}
        </button>
        <h2 dir="auto">
          {value.customer ?? w.kinds[value.kind]} {value.amount && <span>{api.amount(value.amount)}</span>}
        </h2>
        <p className="quiet">
          {value.reason_text ?? value.reason} · <When at={value.created} />
          {value.by && ` · ${w.takenBy(value.by)}`}
        </p>
        {value.summary && <p dir="auto">{value.summary}</p>}
      </header>
      {problem != null && <Trouble error={problem} />}
      {value.proposal && (
        <section>
          <h3>{w.proposal}</h3>
          <p dir="auto">
            {value.proposal.decision && <b>{w.decisions[value.proposal.decision] ?? value.proposal.decision} </b>}
            {value.proposal.confidence !== undefined && <small>{w.confidence(value.proposal.confidence)} </small>}
            {value.proposal.text}
          </p>
        </section>
      )}
      {(value.facts ?? []).length > 0 && (
        <dl className="facts">
          {(value.facts ?? []).map((fact) => (
            <Fact key={fact.label} name={fact.label}>
              {fact.value}
            </Fact>
          ))}
        </dl>
      )}
      {value.kind === "approval" && value.state !== "done" && <Decide item={value} busy={busy} act={act} />}
      {value.kind === "hand_over" && value.state !== "done" && <Take item={value} busy={busy} act={act} />}
      {mails !== null && value.state !== "done" && (
        <section>
          {mails.approve && (
            <>
              <h3>{w.approveMail}</h3>
              <MailView mail={mails.approve} />
            </>
          )}
          {mails.reject && (
            <>
              <h3>{w.rejectMail}</h3>
              <MailView mail={mails.reject} />
            </>
          )}
        </section>
      )}
      {(value.messages ?? []).length > 0 && (
        <section>
          <h3>{w.conversation}</h3>
          <ol className="overheard">
            {(value.messages ?? []).map((message) => (
              <li key={message.id} data-role={message.role}>
                <small>{message.author ?? w.who[message.role] ?? message.role}</small>
                <p dir="auto">{message.text}</p>
              </li>
            ))}
          </ol>
          {value.thread && <Link to={`/service/${encodeURIComponent(value.thread)}`}>{t.runs.openThread}</Link>}
        </section>
      )}
      {value.case && <CaseView of={value.case} />}
      {(value.audit ?? []).length > 0 && !value.case?.audit?.length && (
        <section>
          <h3>{w.audit}</h3>
          <Record entries={value.audit ?? []} />
        </section>
      )}
    </article>
  );
}

/** Approve, approve less, or reject with a reason. `a` and `r` do the same as the buttons. */
function Decide({ item, busy, act }: { item: api.Opened; busy: boolean; act: (work: () => Promise<unknown>) => Promise<void> }) {
  const { t } = useSpeech();
  const w = useServiceWords();
  const [mode, setMode] = useState<"none" | "edit" | "reject">("none");
  const [reason, setReason] = useState("");
  const [less, setLess] = useState("");
  const approve = useRef<HTMLButtonElement>(null);
  const revision = item.revision === undefined ? {} : { revision: item.revision };
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      // the key brings the person to the button; money moves when they press it
      if (event.key === "a") approve.current?.focus();
      if (event.key === "r") setMode("reject");
    };
    window.addEventListener("keydown", keys);
    return () => window.removeEventListener("keydown", keys);
  }, []);
  return (
    <section className="decide">
      {mode === "none" ? (
        <div className="confirm-buttons">
          <button ref={approve} type="button" className="button primary" disabled={busy} onClick={() => void act(() => api.settleApproval(item.id, { decision: "approve", ...revision }))}>
            {w.approve} {item.amount && api.amount(item.amount)}
          </button>
          <button type="button" className="button" disabled={busy} onClick={() => setMode("edit")}>
            {w.edit}
          </button>
          <button type="button" className="button danger" disabled={busy} onClick={() => setMode("reject")}>
            {w.reject}
          </button>
        </div>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void act(() => api.settleApproval(item.id, mode === "edit" ? { decision: "edit", amount: less, reason, ...revision } : { decision: "reject", reason, ...revision }));
          }}
        >
          {mode === "edit" && (
            <label>
              {w.amountOf}
              <input className="field" inputMode="decimal" value={less} onChange={(event) => setLess(event.target.value)} required />
            </label>
          )}
          <label>
            {w.reasonOf}
            <input className="field" value={reason} onChange={(event) => setReason(event.target.value)} required maxLength={400} autoFocus />
          </label>
          <div className="confirm-buttons">
            <button type="submit" className={mode === "edit" ? "button primary" : "button danger"} disabled={busy}>
              {mode === "edit" ? w.edit : w.reject}
            </button>
            <button type="button" className="button" onClick={() => setMode("none")}>
              {t.app.cancel}
            </button>
          </div>
        </form>
      )}
    </section>
  );
}

/** Take a conversation over, answer it, give it back or close it. */
function Take({ item, busy, act }: { item: api.Opened; busy: boolean; act: (work: () => Promise<unknown>) => Promise<void> }) {
  const w = useServiceWords();
  const [text, setText] = useState("");
  const [note, setNote] = useState("");
  const taken = item.state === "taken";
  return (
    <section className="decide">
      {!taken && (
        <button type="button" className="button primary" disabled={busy} onClick={() => void act(() => api.ticket(item.id, "take"))}>
          {w.take}
        </button>
      )}
      {item.suggested_answer && (
        <figure className="case-note">
          <figcaption>{w.suggested}</figcaption>
          <blockquote dir="auto">{item.suggested_answer}</blockquote>
          {taken && (
            <button type="button" className="quiet-button" onClick={() => setText(item.suggested_answer ?? "")}>
              {w.useIt}
            </button>
          )}
        </figure>
      )}
      {taken && (
        <>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const words = text;
              void act(async () => {
                await api.ticket(item.id, "reply", { text: words });
                setText("");
              });
            }}
          >
            <label>
              {w.reply}
              <textarea className="field" rows={3} value={text} onChange={(event) => setText(event.target.value)} required maxLength={4000} dir="auto" />
            </label>
            <div className="confirm-buttons">
              <button type="submit" className="button primary" disabled={busy || text.trim() === ""}>
                {w.send}
              </button>
              <button type="button" className="button" disabled={busy} onClick={() => void act(() => api.ticket(item.id, "give-back", note === "" ? {} : { note }))}>
                {w.giveBack}
              </button>
            </div>
          </form>
          <form
            className="close-case"
            onSubmit={(event) => {
              event.preventDefault();
              void act(() => api.ticket(item.id, "close", { note }));
            }}
          >
            <label>
              {w.closeNote}
              <input className="field" value={note} onChange={(event) => setNote(event.target.value)} required maxLength={400} />
            </label>
            <button type="submit" className="button" disabled={busy}>
              {w.close}
            </button>
          </form>
        </>
      )}
    </section>
  );
}
