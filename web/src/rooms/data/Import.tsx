import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import * as api from "../../api/client";
import type { ImportRow } from "../../api/types";
import { recall, useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { Trouble } from "../../ui/Trouble";
import { span } from "../../ui/time";

const over = (row: ImportRow): boolean => row.state === "done" || row.state === "failed" || row.state === "cancelled";

/** An import while it runs and after: the bar with rate and time left, then the report by kind of problem. */
export function Import({ id, onEnd }: { id: string; onEnd: () => void }) {
  const { t } = useSpeech();
  const [row, setRow] = useState<ImportRow | null>(null);
  const [error, setError] = useState<unknown>(null);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  useEffect(() => {
    const stop = new AbortController();
    const take = (next: ImportRow) => setRow((old) => (old === null ? next : { ...next, source: next.source ?? old.source, format: next.format ?? old.format, problems: next.problems.length > 0 ? next.problems : old.problems }));
    (async () => {
      try {
        const first = await api.importOf(id, stop.signal);
        take(first);
        if (over(first)) return;
        await api.followImport(
          id,
          (next) => {
            take(next);
            return !over(next);
          },
          stop.signal,
        );
        if (stop.signal.aborted) return;
        take(await api.importOf(id, stop.signal));
        ended.current();
      } catch (cause) {
        if (!stop.signal.aborted) setError(cause);
      }
    })();
    return () => stop.abort();
  }, [id]);
  if (error != null && row === null) return <Trouble error={error} onRetry={() => location.reload()} />;
  if (row === null) return null;
  const share = row.state === "done" ? 1 : row.share;
  return (
    <section className="import" aria-labelledby="import-title">
      <header>
        <div>
          <h2 id="import-title">{row.source ?? recall(`mercer.import.${id}`) ?? id}</h2>
          <p className="quiet" aria-live="polite">
            {t.data.states[row.state]}
            {row.state === "done" && ` · ${t.data.doneHint(row.products)}`}
            {row.state === "failed" && ` · ${t.data.failedHint}`}
          </p>
        </div>
        <Link to="/data" className="button">
          {t.data.another}
        </Link>
      </header>
      {!over(row) && (
        <>
          <progress className="bar" aria-label={t.data.progress} {...(share === null ? {} : { value: share, max: 1 })} />
          <p className="bar-words">
            <span>{share === null ? t.data.soFar(row.rows) : `${Math.floor(share * 100)} % · ${t.data.soFar(row.rows)}`}</span>
            {row.rate !== null && row.rate > 0 && <span>{t.data.rate(row.rate)}</span>}
            {row.secondsLeft !== null && <span>{t.data.left(span(Math.max(1, Math.ceil(row.secondsLeft)) * 1000, t.time))}</span>}
          </p>
        </>
      )}
      {row.error !== null && (
        <p className="run-error" role="alert">
          {row.error}
        </p>
      )}
      <dl className="figures">
        <Figure name={t.data.rows} value={row.rows} />
        <Figure name={t.data.products} value={row.products} tone="good" />
        <Figure name={t.data.skipped} value={row.skipped} tone={row.skipped > 0 ? "waiting" : undefined} />
      </dl>
      {over(row) && row.state !== "failed" && (
        <section className="report" aria-labelledby="report-title">
          <header>
            <h3 id="report-title">{t.data.report}</h3>
            {row.skipped > 0 && (
              <a className="button" href={api.skippedUrl(id)} download>
                <Download aria-hidden />
                {t.data.download}
              </a>
            )}
          </header>
          {row.changes !== null && <p className="changes-words">{t.data.catalogue(row.changes.added, row.changes.changed, row.changes.removed, row.changes.unchanged)}</p>}
          {row.problems.length === 0 ? (
            <p className="quiet">{t.data.noProblems}</p>
          ) : (
            <ul>
              {row.problems.map((problem) => (
                <li key={problem.kind}>
                  <details>
                    <summary>
                      <span>{t.data.kinds[problem.kind] ?? problem.kind.replaceAll("_", " ")}</span>
                      <b>{problem.count.toLocaleString()}</b>
                    </summary>
                    <ul>
                      {problem.samples.map((sample, n) => (
                        <li key={n}>
                          {sample.line !== null && <span className="id">{t.data.line(sample.line)}</span>}
                          {sample.column !== null && <code>{sample.column}</code>}
                          <span dir="auto">{sample.reason ?? sample.raw ?? ""}</span>
                        </li>
                      ))}
                    </ul>
                  </details>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </section>
  );
}

function Figure({ name, value, tone }: { name: string; value: number; tone?: "good" | "waiting" | undefined }) {
  const { lang } = useSpeech();
  return (
    <div data-tone={tone}>
      <dt>{name}</dt>
      <dd>{value.toLocaleString(lang === "zh" ? "zh-CN" : "en")}</dd>
    </div>
  );
}
