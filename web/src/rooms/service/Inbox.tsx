import { useEffect, useRef, useState, type FormEvent } from "react";
import { go, usePlace, withQuery } from "../../app/router";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import { When } from "../../ui/When";
import * as api from "./api";
import { CaseView, MailView, Record } from "./Case";
import { Opened } from "./Opened";
import { RefundDesk } from "./RefundDesk";
import { useServiceWords } from "./useWords";
import "./service.css";

const TABS = ["inbox", "conversations", "orders", "outbox", "audit", "refund"] as const;

/** The staff's room: what waits for a person, and the books behind it. */
export default function Inbox({ id }: { id: string | null }) {
  const w = useServiceWords();
  const { query } = usePlace();
  const tab = TABS.find((name) => name === query.get("tab")) ?? "inbox";
  return (
    <div className="page inbox">
      <header className="page-head">
        <h1>{w.inbox}</h1>
        <p>{w.inboxLead}</p>
      </header>
      <nav className="filters" aria-label={w.inbox}>
        {TABS.map((name) => (
          <button key={name} type="button" aria-pressed={tab === name} onClick={() => go(name === "inbox" ? "/inbox" : `/inbox?tab=${name}`)}>
            {w.tabs[name]}
          </button>
        ))}
      </nav>
      {tab === "inbox" && <Waiting id={id} />}
      {tab === "conversations" && <Conversations />}
      {tab === "orders" && <Orders number={query.get("order")} />}
      {tab === "outbox" && <Outbox />}
      {tab === "audit" && <Book />}
      {tab === "refund" && <RefundDesk />}
    </div>
  );
}

function Waiting({ id }: { id: string | null }) {
  const { t } = useSpeech();
  const w = useServiceWords();
  const { query } = usePlace();
  const kind = query.get("kind");
  const state = query.get("state") === "done" ? "done" : "open";
  const { value, error, slow, reload, set } = useLoad(`inbox ${kind ?? ""} ${state}`, (signal) => api.inbox(kind, state, null, signal));
  const [at, setAt] = useState(0);
  const items = value?.items ?? [];
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), 10_000);
    return () => clearInterval(timer);
  }, [reload]);
  const opened = id;
  const open = (item: api.Item) => go(`/inbox/${encodeURIComponent(item.id)}${location.search}`);
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      if (event.key === "j" || event.key === "k") {
        const here = opened === null ? at : items.findIndex((one) => one.id === opened);
        const next = Math.min(items.length - 1, Math.max(0, here + (event.key === "j" ? 1 : -1)));
        setAt(next);
        const item = items[next];
        if (opened !== null && item !== undefined) open(item);
        list.current?.querySelectorAll("a")[next]?.focus();
      }
    };
    window.addEventListener("keydown", keys);
    return () => window.removeEventListener("keydown", keys);
  });
  const more = async () => {
    if (value?.next == null) return;
    const page = await api.inbox(kind, state, value.next);
    set({ ...value, items: [...value.items, ...page.items], next: page.next });
  };
  return (
    <>
      <Pause paused={value?.paused ?? false} onChange={reload} />
      <div className="inbox-filters">
        <div className="filters" role="group" aria-label={w.reason}>
          <button type="button" aria-pressed={kind === null} onClick={() => go(withQuery({ kind: null }))}>
            {t.runs.all}
          </button>
          {["approval", "hand_over", "mail"].map((name) => (
            <button key={name} type="button" aria-pressed={kind === name} onClick={() => go(withQuery({ kind: name }))}>
              {w.kinds[name]} {value !== null && (value.counts[name] ?? 0) > 0 && <b>{value.counts[name]}</b>}
            </button>
          ))}
        </div>
        <div className="filters" role="group" aria-label={t.runs.state}>
          {["open", "done"].map((name) => (
            <button key={name} type="button" aria-pressed={state === name} onClick={() => go(withQuery({ state: name === "open" ? null : name }))}>
              {name === "open" ? w.open : w.done}
            </button>
          ))}
        </div>
      </div>
      {error != null && value === null && <Trouble error={error} onRetry={reload} />}
      {value === null && error == null && slow && <div className="skeleton-lines" aria-hidden />}
      <div className="inbox-body" data-open={opened !== null}>
        <div>
          {value !== null && items.length === 0 && <p className="quiet">{state === "open" ? w.nothing : w.noDone}</p>}
          <ul className="inbox-list" ref={list}>
            {items.map((item) => (
              <li key={item.id} data-current={item.id === opened}>
                <Link to={`/inbox/${encodeURIComponent(item.id)}${location.search}`} aria-current={item.id === opened ? "true" : undefined}>
                  <span className="inbox-main">
                    <b dir="auto">{item.customer ?? item.order ?? w.kinds[item.kind]}</b>
                    <span className="inbox-reason" dir="auto">
                      {item.reason_text ?? item.reason ?? item.summary}
                    </span>
                  </span>
                  <span className="inbox-side">
                    {item.amount && <b className="num">{api.amount(item.amount)}</b>}
                    <small data-sla={item.sla ?? "ok"}>
                      {item.age_words ?? <When at={item.created} />}
                      {item.sla && item.sla !== "ok" && ` · ${w.sla[item.sla]}`}
                    </small>
                  </span>
                  {((item.risk ?? []).length > 0 || item.by) && (
                    <span className="inbox-risk">
                      {(item.risk ?? []).map((one) => (
                        <small key={one}>{w.risk[one] ?? one.replaceAll("_", " ")}</small>
                      ))}
                      {item.by && <small data-tone="jade">{w.takenBy(item.by)}</small>}
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
          {value?.next != null && (
            <button type="button" className="quiet-button" onClick={() => void more()}>
              {t.app.more}
            </button>
          )}
          {items.length > 0 && <p className="quiet keys">{w.keys}</p>}
        </div>
        {opened !== null && <Opened key={opened} id={opened} onChange={reload} />}
      </div>
    </>
  );
}

/** The switch that stops all refunds, and the banner while it is off. */
function Pause({ paused, onChange }: { paused: boolean; onChange: () => void }) {
  const { t } = useSpeech();
  const w = useServiceWords();
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const [error, setError] = useState<unknown>(null);
  const change = async (event: FormEvent, next: boolean) => {
    event.preventDefault();
    setError(null);
    try {
      await api.pauseRefunds(next, reason);
      setAsking(false);
      setReason("");
      onChange();
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <section className="pause" data-paused={paused}>
      {paused && <b>{w.paused}</b>}
      {!paused && !asking && (
        <button type="button" className="quiet-button" onClick={() => setAsking(true)}>
          {w.pause}
        </button>
      )}
      {(asking || paused) && (
        <form onSubmit={(event) => void change(event, !paused)}>
          <p className="quiet">{w.pauseHint}</p>
          {!paused && (
            <label>
              {w.pauseWhy}
              <input className="field" value={reason} onChange={(event) => setReason(event.target.value)} required maxLength={400} />
            </label>
          )}
          <button type="submit" className={paused ? "button" : "button danger"}>
            {paused ? w.resume : w.pause}
          </button>
          {asking && !paused && (
            <button type="button" className="button" onClick={() => setAsking(false)}>
              {t.app.cancel}
            </button>
          )}
        </form>
      )}
      {error != null && <Trouble error={error} />}
    </section>
  );
}

function Conversations() {
  const { t } = useSpeech();
  const w = useServiceWords();
  const { value, error, slow, reload } = useLoad("conversations", (signal) => api.conversations(null, signal));
  const [problem, setProblem] = useState<unknown>(null);
  const take = async (id: string) => {
    setProblem(null);
    try {
      const item = await api.takeThread(id);
      go(`/inbox/${encodeURIComponent(item.id)}`);
    } catch (cause) {
      setProblem(cause);
    }
  };
  if (value === null) return error != null ? <Trouble error={error} onRetry={reload} /> : slow ? <div className="skeleton-lines" aria-hidden /> : null;
  return (
    <>
      {problem != null && <Trouble error={problem} />}
      {value.items.length === 0 && <p className="quiet">{t.shop.noThreads}</p>}
      <ul className="inbox-list">
        {value.items.map((row) => (
          <li key={row.thread_id}>
            <div className="inbox-row">
              <span className="inbox-main">
                <b dir="auto">{row.title ?? t.shop.untitled}</b>
                <span className="inbox-reason" dir="auto">
                  {[row.customer, row.order].filter(Boolean).join(" · ")}
                </span>
              </span>
              <small>
                <When at={row.updated} />
              </small>
              {row.hand_over?.ticket ? (
                <Link to={`/inbox/${encodeURIComponent(row.hand_over.ticket)}`} className="button">
                  {row.hand_over.by ? w.takenBy(row.hand_over.by) : w.open}
                </Link>
              ) : (
                <button type="button" className="button" onClick={() => void take(row.thread_id)}>
                  {w.take}
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function Orders({ number }: { number: string | null }) {
  const { t } = useSpeech();
  const w = useServiceWords();
  const [words, setWords] = useState("");
  const [q, setQ] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setQ(words.trim()), 250);
    return () => clearTimeout(timer);
  }, [words]);
  const { value, error, reload, set } = useLoad(number === null ? `orders ${q}` : null, (signal) => api.orders(q, null, signal));
  const one = useLoad(number, (signal) => api.order(number ?? "", signal));
  if (number !== null) {
    return (
      <>
        <button type="button" className="quiet-button" onClick={() => go(withQuery({ order: null }))}>
          {w.back}
        </button>
        {one.error != null && <Trouble error={one.error} onRetry={one.reload} />}
        {one.value !== null && (
          <div className="inbox-case">
            <CaseView of={one.value} />
          </div>
        )}
      </>
    );
  }
  const more = async () => {
    if (value?.next == null) return;
    const page = await api.orders(q, value.next);
    set({ items: [...value.items, ...page.items], next: page.next });
  };
  return (
    <>
      <input className="field inbox-search" type="search" aria-label={w.search} placeholder={w.search} value={words} onChange={(event) => setWords(event.target.value)} />
      {error != null && <Trouble error={error} onRetry={reload} />}
      {value !== null && (
        <div className="table-box">
          <table>
            <thead>
              <tr>
                <th scope="col">{w.order}</th>
                <th scope="col">{w.customer}</th>
                <th scope="col">{t.runs.state}</th>
                <th scope="col">{w.placed}</th>
                <th scope="col" className="num">
                  {w.total}
                </th>
                <th scope="col" className="num">
                  {w.refunded}
                </th>
              </tr>
            </thead>
            <tbody>
              {value.items.map((row) => (
                <tr key={row.number}>
                  <td>
                    <Link to={`/inbox?tab=orders&order=${encodeURIComponent(row.number)}`}>{row.number}</Link>
                  </td>
                  <td dir="auto">{row.customer}</td>
                  <td>{row.state_text ?? row.state}</td>
                  <td>{row.placed && <When at={row.placed} />}</td>
                  <td className="num">{api.amount(row.total)}</td>
                  <td className="num">{row.refunded?.minor ? api.amount(row.refunded) : ""}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {value?.next != null && (
        <button type="button" className="quiet-button" onClick={() => void more()}>
          {t.app.more}
        </button>
      )}
    </>
  );
}

function Outbox() {
  const w = useServiceWords();
  const { value, error, reload } = useLoad("outbox", (signal) => api.outbox(null, signal));
  if (value === null) return error != null ? <Trouble error={error} onRetry={reload} /> : null;
  return value.items.length === 0 ? (
    <p className="quiet">{w.nothing}</p>
  ) : (
    <ul className="inbox-mails">
      {value.items.map((mail) => (
        <li key={mail.id}>
          <MailRow mail={mail} onChange={reload} />
        </li>
      ))}
    </ul>
  );
}

function MailRow({ mail, onChange }: { mail: api.Mail; onChange: () => void }) {
  const w = useServiceWords();
  const whole = useLoad(`mail ${mail.id} ${mail.state}`, (signal) => api.mail(mail.id, signal));
  const [error, setError] = useState<unknown>(null);
  const settle = async (as: string) => {
    setError(null);
    try {
      await api.settleMail(mail.id, as, "");
      onChange();
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <>
      <MailView mail={{ ...mail, ...whole.value }} />
      {(mail.state === "unknown" || mail.state === "failed") && (
        <p className="mail-settle">
          {["sent", "again", "failed"]
            .filter((as) => as !== mail.state)
            .map((as) => (
              <button key={as} type="button" className="button" onClick={() => void settle(as)}>
                {w.settle[as]}
              </button>
            ))}
        </p>
      )}
      {error != null && <Trouble error={error} />}
    </>
  );
}

function Book() {
  const { t } = useSpeech();
  const { value, error, reload, set } = useLoad("audit", (signal) => api.audit(null, signal));
  if (value === null) return error != null ? <Trouble error={error} onRetry={reload} /> : null;
  const more = async () => {
    if (value.next == null) return;
    const page = await api.audit(value.next);
    set({ items: [...value.items, ...page.items], next: page.next });
  };
  return (
    <>
      <Record entries={value.items} />
      {value.next != null && (
        <button type="button" className="quiet-button" onClick={() => void more()}>
          {t.app.more}
        </button>
      )}
    </>
  );
}
