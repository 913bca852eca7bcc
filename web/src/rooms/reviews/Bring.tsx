import { FileUp } from "lucide-react";
import { useEffect, useRef, useState, type DragEvent } from "react";
import { go } from "../../app/router";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { Trouble } from "../../ui/Trouble";
import { span } from "../../ui/time";
import * as api from "./api";
import { useReviewWords } from "./useWords";
import "../data/data.css";

/** A file of reviews: what was understood of it, then the import with its progress and report. */
export function Bring({ job, onDone }: { job: string | null; onDone: () => void }) {
  const w = useReviewWords();
  const [looked, setLooked] = useState<api.Preview | null>(null);
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const input = useRef<HTMLInputElement>(null);
  const look = async (file: File) => {
    setBusy(true);
    setError(null);
    try {
      setLooked(await api.preview(file));
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  if (job !== null) return <Progress key={job} id={job} onDone={onDone} />;
  if (looked !== null) return <Understood looked={looked} onBack={() => setLooked(null)} />;
  return (
    <section aria-busy={busy}>
      <div
        className="drop"
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event: DragEvent) => {
          event.preventDefault();
          setOver(false);
          const file = event.dataTransfer.files[0];
          if (file) void look(file);
        }}
      >
        <FileUp aria-hidden />
        <p>
          <strong>{busy ? w.looking : w.drop}</strong>
          <span>{w.dropHint}</span>
        </p>
        <button type="button" className="button primary" disabled={busy} onClick={() => input.current?.click()}>
          {w.file}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          data-testid="reviews-file"
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = "";
            if (file) void look(file);
          }}
        />
      </div>
      {error != null && <Trouble error={error} />}
    </section>
  );
}

function Understood({ looked, onBack }: { looked: api.Preview; onBack: () => void }) {
  const { t } = useSpeech();
  const w = useReviewWords();
  const [dataset, setDataset] = useState(() => nameOf(looked.name ?? "reviews"));
  const [mapping, setMapping] = useState<Record<string, string>>({});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const to = (column: { name: string; maps_to: string | null }) => mapping[column.name] ?? column.maps_to ?? "";
  const start = async () => {
    setBusy(true);
    setError(null);
    try {
      const chosen = Object.fromEntries(looked.columns.flatMap((column) => (to(column) === "" ? [] : [[to(column), column.name] as const])));
      const job = await api.startImport({ upload: looked.upload, dataset, ...(Object.keys(mapping).length > 0 ? { mapping: chosen } : {}), ...(looked.format ? { format: looked.format } : {}) });
      go(`/reviews/${encodeURIComponent(`import:${job.id}`)}`);
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <section className="understood" aria-labelledby="understood-title">
      <header>
        <div>
          <h2 id="understood-title">{t.data.previewTitle}</h2>
          <p className="quiet">
            {looked.name} · {[looked.format, looked.encoding].filter(Boolean).join(" · ")} · {t.data.nothingWritten}
          </p>
        </div>
        <div className="understood-buttons">
          <button type="button" className="button" onClick={onBack}>
            {t.data.another}
          </button>
          <button type="button" className="button primary" disabled={busy || !/^[a-z0-9_-]{1,64}$/.test(dataset)} onClick={() => void start()}>
            {w.start}
          </button>
        </div>
      </header>
      {error != null && <Trouble error={error} />}
      <label className="bring-name">
        {w.datasetName}
        <input className="field" value={dataset} pattern="[a-z0-9_\-]{1,64}" onChange={(event) => setDataset(event.target.value)} />
        <small className="quiet">{w.datasetHint}</small>
      </label>
      {(looked.warnings ?? []).map((warning) => (
        <p key={warning} className="quiet">
          {warning}
        </p>
      ))}
      <div className="table-box" tabIndex={0} role="region" aria-label={t.data.firstRows}>
        <table className="rows-table">
          <thead>
            <tr>
              {looked.columns.map((column) => (
                <th key={column.name} scope="col">
                  <span className="column-name">{column.name}</span>
                  <select className="maps-to" aria-label={`${column.name}: ${w.mapsTo}`} value={to(column)} data-ignored={to(column) === ""} onChange={(event) => setMapping({ ...mapping, [column.name]: event.target.value })}>
                    <option value="">{w.ignored}</option>
                    {(looked.fields ?? Object.keys(w.fields)).map((field) => (
                      <option key={field} value={field}>
                        {w.fields[field] ?? field}
                      </option>
                    ))}
                  </select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(looked.rows ?? []).slice(0, 6).map((row, n) => (
              <tr key={n}>
                {looked.columns.map((column, m) => (
                  <td key={column.name} dir="auto">
                    <span>{row[m] ?? ""}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const nameOf = (file: string): string => file.toLowerCase().replace(/\.[a-z0-9.]+$/, "").replace(/[^a-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 64) || "reviews";

function Progress({ id, onDone }: { id: string; onDone: () => void }) {
  const { t } = useSpeech();
  const w = useReviewWords();
  const [job, setJob] = useState<api.Job | null>(null);
  const [error, setError] = useState<unknown>(null);
  const ended = useRef(onDone);
  ended.current = onDone;
  useEffect(() => {
    const stop = new AbortController();
    (async () => {
      try {
        let now = await api.job(id, stop.signal);
        setJob(now);
        if (now.state !== "running") return;
        await api.followJob(
          id,
          (next) => {
            setJob(next);
            return next.state === "running";
          },
          stop.signal,
        );
        if (stop.signal.aborted) return;
        now = await api.job(id, stop.signal);
        setJob(now);
        ended.current();
      } catch (cause) {
        if (!stop.signal.aborted) setError(cause);
      }
    })();
    return () => stop.abort();
  }, [id]);
  if (job === null) return error != null ? <Trouble error={error} /> : null;
  const share = job.total_bytes ? (job.bytes ?? 0) / job.total_bytes : null;
  return (
    <section className="import" aria-labelledby="job-title">
      <header>
        <div>
          <h2 id="job-title">{job.name ?? job.dataset}</h2>
          <p className="quiet" aria-live="polite">
            {w.states[job.state]}
            {job.state === "running" && job.phase && ` · ${w.phases[job.phase] ?? job.phase}`}
          </p>
        </div>
        {job.state === "running" ? (
          <button type="button" className="button danger" onClick={() => void api.cancelJob(id).then(setJob, setError)}>
            {t.app.cancel}
          </button>
        ) : (
          job.state === "done" && (
            <Link to={`/reviews/${encodeURIComponent(job.dataset)}`} className="button primary">
              {w.openData}
            </Link>
          )
        )}
      </header>
      {job.state === "running" && (
        <>
          <progress className="bar" aria-label={t.data.progress} {...(share === null ? {} : { value: share, max: 1 })} />
          <p className="bar-words">
            <span>{t.data.soFar(job.rows ?? 0)}</span>
            {job.rate !== undefined && job.rate > 0 && <span>{w.rate(job.rate)}</span>}
            {job.seconds_left != null && <span>{t.data.left(span(Math.max(1, Math.ceil(job.seconds_left)) * 1000, t.time))}</span>}
          </p>
        </>
      )}
      {job.error && (
        <p className="run-error" role="alert">
          {job.error}
        </p>
      )}
      {error != null && <Trouble error={error} />}
      {job.report && (
        <section className="report">
          <p>{w.jobReport(job.report.added ?? 0, job.report.unchanged ?? 0, job.report.skipped ?? 0)}</p>
          {(job.report.skipped ?? 0) > 0 && (
            <a className="button" href={api.skippedUrl(id)} download>
              {w.skippedRows}
            </a>
          )}
          <ul>
            {(job.report.problems ?? []).map((problem) => (
              <li key={problem.kind}>
                <details>
                  <summary>
                    <span>{problem.kind}</span>
                    <b>{problem.count}</b>
                  </summary>
                  <ul>
                    {(problem.samples ?? []).map((sample) => (
                      <li key={sample} dir="auto">
                        {sample}
                      </li>
                    ))}
                  </ul>
                </details>
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  );
}
