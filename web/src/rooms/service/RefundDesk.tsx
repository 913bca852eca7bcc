import { useEffect, useState, type FormEvent } from "react";
import { go, usePlace, withQuery } from "../../app/router";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { useServiceWords } from "./useWords";

const BLANK = { user: "", order: "", reason: "", email: "" };

/** The refund agent on its own: an order, a reason, and the steps by which it comes to its decision. */
export function RefundDesk() {
  const { lang } = useSpeech();
  const w = useServiceWords();
  const { query } = usePlace();
  const run = query.get("run");
  const stories = useLoad("stories", (signal) => api.stories(signal));
  const [form, setForm] = useState(BLANK);
  const [locale, setLocale] = useState<string>(lang);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const start = async (body: typeof BLANK) => {
    setBusy(true);
    setError(null);
    try {
      const begun = await api.startRefund({ ...body, locale });
      go(withQuery({ run: begun.run_id }));
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  const field = (name: keyof typeof BLANK, label: string, type = "text") => (
    <label>
      {label}
      <input className="field" type={type} value={form[name]} required onChange={(event) => setForm({ ...form, [name]: event.target.value })} />
    </label>
  );
  return (
    <section className="refund-desk" aria-label={w.storiesTitle}>
      <p className="quiet">{w.storiesHint}</p>
      <ul className="stories">
        {(stories.value ?? []).map((story) => (
          <li key={story.id}>
            <button type="button" disabled={busy} onClick={() => void start({ user: story.user, order: story.order, reason: story.reason[lang], email: story.email })}>
              <b dir="auto">
                {story.user} · {story.order}
              </b>
              <span dir="auto">{story.reason[lang]}</span>
            </button>
          </li>
        ))}
      </ul>
      <form
        className="refund-form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void start(form);
        }}
      >
        {field("user", w.user)}
        {field("order", w.number)}
        {field("reason", w.reason)}
        {field("email", w.email2, "email")}
        <label>
          {w.language}
          <select className="field" value={locale} onChange={(event) => setLocale(event.target.value)}>
            <option value="zh">中文</option>
            <option value="en">English</option>
          </select>
        </label>
        <button type="submit" className="button primary" disabled={busy}>
          {w.decide}
        </button>
      </form>
      {error != null && <Trouble error={error} />}
      {run !== null && <Progress key={run} id={run} />}
    </section>
  );
}

function Progress({ id }: { id: string }) {
  const w = useServiceWords();
  const { value, error, reload } = useLoad(`refund ${id}`, (signal) => api.refund(id, signal));
  const running = value === null || value.status === "running";
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(reload, 400);
    return () => clearInterval(timer);
  }, [running, reload]);
  if (value === null) return error != null ? <Trouble error={error} onRetry={reload} /> : null;
  const { result } = value;
  return (
    <section className="refund-run" aria-busy={running}>
      <ol className="refund-steps">
        {(value.steps ?? []).map((step, n) => (
          <li key={n}>
            <code>{step.node}</code>
            <span dir="auto">{step.text}</span>
          </li>
        ))}
        {running && (
          <li className="quiet" role="status">
            {w.deciding}
          </li>
        )}
      </ol>
      {result != null && (
        <div className="refund-result" data-decision={result.final_decision} role="status">
          <b>{w.decisions[result.final_decision ?? ""] ?? result.final_decision}</b>
          {result.confidence !== undefined && <span>{w.confidence(result.confidence)}</span>}
          <span>{w.emailSent[String(result.email_sent === true)]}</span>
          {(result.rule_ids ?? []).map((rule) => (
            <code key={rule}>{rule}</code>
          ))}
          {result.order_id && <Link to={`/inbox?tab=orders&order=${encodeURIComponent(result.order_id)}`}>{result.order_id}</Link>}
        </div>
      )}
      <Link to={`/runs/${encodeURIComponent(result?.run_id ?? id)}`}>{w.run}</Link>
    </section>
  );
}
