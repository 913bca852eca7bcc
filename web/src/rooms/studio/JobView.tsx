import { ArrowLeft, Square, Trash2 } from "lucide-react";
import { useEffect, useState, type FormEvent } from "react";
import { go, usePlace, withQuery } from "../../app/router";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { Exports } from "./Exports";
import { Gates } from "./Gates";
import { useStudioWords } from "./useWords";

const working = (job: api.Job | null): boolean => job !== null && (job.status === "running" || job.status === "queued");

/** A job: its steps lighting up, its attempts side by side, the chosen picture, and what can be done with it. */
export function JobView({ id }: { id: string }) {
  const { t } = useSpeech();
  const w = useStudioWords();
  const { query } = usePlace();
  const [job, setJob] = useState<api.Job | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setError(null);
    (async () => {
      try {
        const first = await api.job(id, stop.signal);
        setJob(first);
        if (!working(first)) return;
        await api.watch(
          id,
          (next) => {
            setJob(next);
            return working(next);
          },
          stop.signal,
        );
        if (!stop.signal.aborted) setJob(await api.job(id, stop.signal));
      } catch (cause) {
        if (!stop.signal.aborted) setError(cause);
      }
    })();
    return () => stop.abort();
  }, [id, turn]);
  const act = async (work: () => Promise<api.Job>) => {
    setProblem(null);
    try {
      setJob(await work());
      setTurn((n) => n + 1);
    } catch (cause) {
      setProblem(cause);
    }
  };
  if (job === null) return error != null ? <Trouble error={error} onRetry={() => setTurn((n) => n + 1)} /> : <div className="skeleton-lines" aria-hidden />;
  const attempts = job.attempts ?? [];
  const asked = Number(query.get("attempt"));
  const shown = attempts.find((one) => one.n === asked) ?? attempts.find((one) => one.best) ?? attempts.find((one) => one.n === job.best) ?? attempts.at(-1) ?? null;
  const busy = working(job);
  return (
    <div className="job" aria-busy={busy}>
      <header className="job-head">
        <Link to="/studio" className="quiet-button">
          <ArrowLeft aria-hidden />
          {w.back}
        </Link>
        <h2 dir="auto">{job.title ?? job.kind_text}</h2>
        <span className="status" data-status={job.status}>
          <i aria-hidden />
          {job.status_text ?? w.status[job.status] ?? job.status}
        </span>
        <span className="job-buttons">
          {busy ? (
            <button type="button" className="button danger" onClick={() => void act(() => api.cancel(id))}>
              <Square aria-hidden />
              {w.cancel}
            </button>
          ) : (
            <button type="button" className="icon-button" aria-label={w.remove} title={w.remove} onClick={() => void api.remove(id).then(() => go("/studio"), setProblem)}>
              <Trash2 aria-hidden />
            </button>
          )}
        </span>
      </header>
      {problem != null && <Trouble error={problem} />}
      {job.error && (
        <p className="run-error" role="alert">
          {job.error}
        </p>
      )}
      {job.waiting && (
        <section className="job-waiting" role="alert">
          <p>{job.waiting.text}</p>
          {job.waiting.choices.map((choice) => (
            <button key={choice.id} type="button" className="button" onClick={() => job.waiting && void act(() => api.answer(id, job.waiting?.interrupt ?? "", choice.id))}>
              {choice.label}
            </button>
          ))}
        </section>
      )}
      <div className="job-body">
        <section aria-labelledby="path-title">
          <h3 id="path-title">{w.path}</h3>
          <ol className="path">
            {(job.nodes ?? []).map((step) => (
              <li key={step.id} data-state={step.state} aria-current={step.state === "running" ? "step" : undefined}>
                <span className="path-name">
                  {step.label}
                  {(step.visits ?? 0) > 1 && <small> × {step.visits}</small>}
                  <span className="visually-hidden"> {w.states[step.state] ?? step.state}</span>
                </span>
                {step.summary && (
                  <span className="path-words" dir="auto">
                    {step.summary}
                  </span>
                )}
                {step.can_resume && !busy && (
                  <button type="button" className="path-again" title={w.fromHint(step.label)} onClick={() => void act(() => api.resume(id, step.id))}>
                    {w.fromHere}
                  </button>
                )}
              </li>
            ))}
          </ol>
          {job.strategy?.why && <p className="quiet">{job.strategy.why}</p>}
        </section>
        <section className="job-picture">
          {shown?.url ? (
            <a href={shown.url} target="_blank" rel="noopener">
              <img src={`${shown.url}?w=1024`} alt={`${w.attempt(shown.n)}${shown.verdict ? `, ${w.verdicts[shown.verdict]}` : ""}`} />
            </a>
          ) : (
            job.photo_url && <img src={`${job.photo_url}?w=640`} alt={w.original} className="job-original" data-busy={busy} />
          )}
          {job.result?.reason && !busy && (
            <p className="job-why" dir="auto">
              <b>{w.why}</b> {job.result.reason} <span className="quiet">{job.approved ? w.approved : w.notApproved}</span>
            </p>
          )}
        </section>
        <section aria-label={w.gates} className="job-measured">
          {shown !== null && (
            <>
              <h3>
                {w.attempt(shown.n)} {shown.by_rules && <span className="by-rules">{w.byRules}</span>}
              </h3>
              {shown.error && <p className="run-error">{shown.error}</p>}
              <p className="quiet">
                {[shown.strategy_label, shown.model, shown.score == null ? (shown.state === "made" ? w.notScored : null) : w.score(shown.score)].filter(Boolean).join(" · ")}
              </p>
              {(shown.scores ?? []).some((s) => s.score !== null) && (
                <dl className="scores">
                  {(shown.scores ?? []).map((s) => (
                    <div key={s.id}>
                      <dt>{s.label}</dt>
                      <dd>{s.score === null ? t.app.none : s.score.toFixed(1)}</dd>
                    </div>
                  ))}
                </dl>
              )}
              <Gates gates={shown.gates ?? []} />
              {(shown.checklist ?? []).length > 0 && (
                <>
                  <h3>{w.checklist}</h3>
                  <ul className="checklist">
                    {(shown.checklist ?? []).map((one) => (
                      <li key={one.question} data-answer={one.answer}>
                        <span dir="auto">{one.question}</span> <b>{w.answers[one.answer] ?? one.answer}</b>
                      </li>
                    ))}
                  </ul>
                </>
              )}
              {shown.retry_text && <p className="quiet">{shown.retry_text}</p>}
            </>
          )}
        </section>
      </div>
      <section aria-labelledby="film-title">
        <h3 id="film-title">{w.film}</h3>
        <ul className="film">
          {attempts.map((one) => (
            <li key={one.n} data-shown={one.n === shown?.n}>
              <button type="button" aria-pressed={one.n === shown?.n} onClick={() => go(withQuery({ attempt: String(one.n) }), "replace")}>
                {one.url ? <img src={`${one.url}?w=320`} alt={w.attempt(one.n)} loading="lazy" /> : <span className="studio-blank">{one.state === "refused" ? w.refused : w.failed}</span>}
                <span>
                  {w.attempt(one.n)} {one.best && <b>{w.best}</b>}
                </span>
                {one.verdict && (
                  <small data-verdict={one.verdict}>
                    {w.verdicts[one.verdict]}
                    {one.score != null && ` · ${w.score(one.score)}`}
                  </small>
                )}
              </button>
            </li>
          ))}
          {busy && <li className="film-next" aria-hidden />}
        </ul>
      </section>
      {attempts.some((one) => one.url) && !busy && (
        <>
          <Refine onSend={(text) => void act(() => api.refine(id, text))} />
          <Exports job={job} />
        </>
      )}
    </div>
  );
}

function Refine({ onSend }: { onSend: (text: string) => void }) {
  const w = useStudioWords();
  const [text, setText] = useState("");
  return (
    <form
      className="refine"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (text.trim() === "") return;
        onSend(text.trim());
        setText("");
      }}
    >
      <label htmlFor="refine">{w.refine}</label>
      <input id="refine" className="field" value={text} placeholder={w.refineHint} maxLength={1000} onChange={(event) => setText(event.target.value)} />
      <button type="submit" className="button primary" disabled={text.trim() === ""}>
        {w.refineSend}
      </button>
    </form>
  );
}
