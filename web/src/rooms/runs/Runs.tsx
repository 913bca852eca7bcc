import { useEffect, useState } from "react";
import * as api from "../../api/client";
import type { RunStatus } from "../../api/types";
import { go, usePlace, withQuery } from "../../app/router";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import { short } from "../../ui/short";
import { When } from "../../ui/When";
import { span } from "../../ui/time";
import { Run } from "./Run";
import "./runs.css";

const FILTERS: (RunStatus | "all")[] = ["all", "running", "interrupted", "failed", "done", "cancelled"];

export default function Runs({ id }: { id: string | null }) {
  return id === null ? <Table /> : <Run key={id} id={id} />;
}

function Table() {
  const { t } = useSpeech();
  const { query } = usePlace();
  const status = query.get("status");
  const thread = query.get("thread");
  const { value, error, slow, reload, set } = useLoad(`runs ${status ?? ""} ${thread ?? ""}`, (signal) =>
    api.runs({ ...(status ? { status } : {}), ...(thread ? { thread } : {}) }, signal),
  );
  const known = useLoad("names", (signal) => api.threads("", null, signal));
  const names = new Map((known.value?.items ?? []).flatMap((row) => (row.title === null ? [] : [[row.id, row.title] as const])));
  const [now, setNow] = useState(() => Date.now());
  const live = value?.items.some((run) => run.status === "running" || run.status === "queued") ?? false;
  useEffect(() => {
    const timer = setInterval(
      () => {
        if (document.visibilityState === "hidden") return;
        setNow(Date.now());
        reload();
      },
      live ? 2_000 : 15_000,
    );
    return () => clearInterval(timer);
  }, [live, reload]);
  const more = async () => {
    if (value?.next == null) return;
    const page = await api.runs({ ...(status ? { status } : {}), ...(thread ? { thread } : {}), before: value.next });
    set({ items: [...value.items, ...page.items.filter((r) => !value.items.some((old) => old.id === r.id))], next: page.next });
  };
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t.runs.title}</h1>
        <p>{t.runs.lead}</p>
      </header>
      <div className="filters" role="group" aria-label={t.runs.state}>
        {FILTERS.map((filter) => (
          <button key={filter} type="button" aria-pressed={(status ?? "all") === filter} onClick={() => go(withQuery({ status: filter === "all" ? null : filter }))}>
            {filter === "all" ? t.runs.all : t.runs.statuses[filter]}
          </button>
        ))}
      </div>
      {error != null && value === null && <Trouble error={error} onRetry={reload} />}
      {value === null && error == null && slow && <div className="skeleton-lines" aria-hidden />}
      {value !== null && value.items.length === 0 && <p className="quiet">{status === null && thread === null ? t.runs.none : t.runs.noneFiltered}</p>}
      {value !== null && value.items.length > 0 && (
        <div className="table-box">
          <table className="runs-table">
            <thead>
              <tr>
                <th scope="col">{t.runs.started}</th>
                <th scope="col">{t.runs.agent}</th>
                <th scope="col">{t.runs.state}</th>
                <th scope="col" className="num">
                  {t.runs.steps}
                </th>
                <th scope="col" className="num">
                  {t.runs.time}
                </th>
                <th scope="col">{t.runs.thread}</th>
              </tr>
            </thead>
            <tbody>
              {value.items.map((run) => (
                <tr key={run.id}>
                  <td>
                    <Link to={`/runs/${encodeURIComponent(run.id)}`} className="run-link">
                      <When at={run.created} />
                    </Link>
                  </td>
                  <td>{t.runs.agents[run.agent] ?? run.agent}</td>
                  <td>
                    <StatusMark status={run.status} />
                  </td>
                  <td className="num">{run.steps}</td>
                  <td className="num">{span((run.status === "running" || run.status === "queued" ? now : Date.parse(run.updated)) - Date.parse(run.created), t.time)}</td>
                  <td>
                    <Link to={`/shop/${encodeURIComponent(run.thread)}`} className={names.has(run.thread) ? "run-thread" : "run-thread id"} title={run.thread} dir="auto">
                      {names.get(run.thread) ?? short(run.thread)}
                    </Link>
                  </td>
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
    </div>
  );
}

export function StatusMark({ status }: { status: RunStatus }) {
  const { t } = useSpeech();
  return (
    <span className="status" data-status={status}>
      <i aria-hidden />
      {t.runs.statuses[status]}
    </span>
  );
}
