import { ArrowLeft, GitFork, MessageSquare, Play, Square } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import * as api from "../../api/client";
import type { Checkpoint, RunEvent, RunPath } from "../../api/types";
import { go, usePlace, withQuery } from "../../app/router";
import { useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import { span } from "../../ui/time";
import { diff } from "./diff";
import { Effects } from "./Effects";
import { Graph } from "./Graph";
import { Questions } from "./Questions";
import { short } from "../../ui/short";
import { StatusMark } from "./Runs";
import { Timeline } from "./Timeline";
import { useRun } from "./useRun";

export function Run({ id }: { id: string }) {
  const { t } = useSpeech();
  const { query } = usePlace();
  const { run, events, live, error, again } = useRun(id);
  const [stopping, setStopping] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const graph = useLoad(run === null ? null : `graph ${run.agent} ${run.status} ${run.steps}`, async (): Promise<RunPath> => {
    try {
      return await api.runPath(id);
    } catch {
      return { shape: await api.graph(run?.agent ?? ""), changed: false, taken: [] };
    }
  });
  const [path, setPath] = useState<RunPath | null>(null);
  useEffect(() => {
    if (graph.value !== null) setPath(graph.value);
  }, [graph.value]);
  const steps = events.filter((e) => e.kind === "checkpoint" || e.kind === "run_finished").length;
  const history = useLoad(run === null ? null : `history ${run.thread} ${steps} ${run.status}`, () => api.history(run?.thread ?? ""));
  const checkpoints = useMemo(() => mine(events, history.value ?? []), [events, history.value]);
  const chosen = query.get("step");
  const running = run !== null && (run.status === "running" || run.status === "queued" || run.status === "interrupted");
  const cancel = async () => {
    setStopping(true);
    setProblem(null);
    try {
      await api.cancelRun(id);
    } catch (cause) {
      setProblem(cause);
    } finally {
      setStopping(false);
    }
  };
  if (error != null && run === null) {
    return (
      <div className="page">
        <Trouble error={error} onRetry={() => location.reload()} />
      </div>
    );
  }
  const taken = new Map<string, number>();
  for (const event of events) if (event.kind === "task_finished" && event.node !== null) taken.set(event.node, (taken.get(event.node) ?? 0) + 1);
  const at = new Set<string>();
  for (const event of events) {
    if (event.node === null) continue;
    if (event.kind === "task_started") at.add(event.node);
    if (event.kind === "task_finished") at.delete(event.node);
  }
  const selected = checkpoints.find((c) => c.id === chosen) ?? null;
  return (
    <div className="page run">
      <header className="run-head">
        <Link to="/runs" className="quiet-button">
          <ArrowLeft aria-hidden />
          {t.runs.title}
        </Link>
        <h1>
          {run === null ? "…" : (t.runs.agents[run.agent] ?? run.agent)} <span className="id">{short(id)}</span>
        </h1>
        {run !== null && (
          <p className="run-facts">
            <StatusMark status={run.status} />
            <span>
              {t.runs.steps} <b>{run.steps}</b>
            </span>
            <span>
              {t.runs.time} <b>{span(Date.parse(run.updated) - Date.parse(run.created), t.time)}</b>
            </span>
            {run.usage !== null && (
              <span>
                {t.runs.tokens} <b>{(run.usage.promptTokens + run.usage.completionTokens).toLocaleString()}</b>
                {run.usage.cost !== null && ` · ${run.usage.cost}`}
              </span>
            )}
            {live && running && <span className="live">{t.runs.live}</span>}
          </p>
        )}
        <div className="run-buttons">
          {run !== null && (
            <Link to={`/${run.agent === "service" ? "service" : "shop"}/${encodeURIComponent(run.thread)}`} className="button">
              <MessageSquare aria-hidden />
              {t.runs.openThread}
            </Link>
          )}
          {running && (
            <button type="button" className="button danger" disabled={stopping} onClick={() => void cancel()}>
              <Square aria-hidden />
              {stopping ? t.runs.cancelling : t.runs.cancel}
            </button>
          )}
        </div>
        {problem != null && <Trouble error={problem} />}
        {run?.error != null && (
          <p className="run-error">
            <b>{t.runs.error}</b> {run.error}
          </p>
        )}
      </header>
      {run !== null && <Questions run={run} onDone={again} />}
      <div className="run-body">
        {path !== null && path.shape.nodes.length > 0 && (
          <section className="run-graph" aria-labelledby="graph-title">
            <h2 id="graph-title">{t.runs.graph}</h2>
            <p className="quiet">{t.runs.graphHint}</p>
            {path.changed && <p className="run-error">{t.runs.graphChanged}</p>}
            <Graph shape={path.shape} taken={taken} at={running ? at : new Set()} ended={run?.status === "done"} walked={path.taken.length > 0 ? path.taken : null} />
          </section>
        )}
        <section aria-labelledby="time-title" className="run-time">
          <h2 id="time-title">{t.runs.timeline}</h2>
          <Timeline events={events} start={run?.created ?? null} chosen={selected?.id ?? null} onChoose={(step) => go(withQuery({ step }), "replace")} />
        </section>
        {run !== null && <Effects run={run} steps={steps} onSettled={again} />}
        {run !== null && <StateView key={selected?.id ?? "latest"} run={id} thread={run.thread} checkpoints={checkpoints} selected={selected} />}
      </div>
    </div>
  );
}

/** The checkpoints of this run among those of its thread, oldest first. */
function mine(events: RunEvent[], history: Checkpoint[]): Checkpoint[] {
  const ids = new Set(events.filter((e) => e.kind === "checkpoint").map((e) => e.body.id));
  const own = history.filter((c) => ids.has(c.id));
  const list = own.length > 0 ? own : events.filter((e) => e.kind === "checkpoint" && typeof e.body.id === "string").map((e) => ({ id: String(e.body.id), step: e.step ?? 0, at: e.at, nodes: e.node === null ? [] : [e.node], next: [], updates: null }));
  return [...list].sort((a, b) => a.step - b.step || (a.id < b.id ? -1 : 1));
}

function StateView({ run, thread, checkpoints, selected }: { run: string; thread: string; checkpoints: Checkpoint[]; selected: Checkpoint | null }) {
  const { t } = useSpeech();
  const [whole, setWhole] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const here = selected ?? checkpoints.at(-1) ?? null;
  const before = here === null ? null : (checkpoints[checkpoints.indexOf(here) - 1] ?? null);
  const { value, error: failed } = useLoad(here === null ? null : `${here.id} ${before?.id ?? ""}`, async () => {
    const [now, then] = await Promise.all([api.stateAt(thread, here?.id ?? null), before === null ? Promise.resolve(null) : api.stateAt(thread, before.id)]);
    return { now, then };
  });
  const changes = useMemo(() => (value === null || before === null ? null : diff(value.then, value.now)), [value, before]);
  const fork = async (goOn: boolean) => {
    setError(null);
    try {
      const made = await api.forkRun(run, here?.id ?? null, goOn);
      go(made.run === null ? `/shop/${encodeURIComponent(made.thread)}` : `/runs/${encodeURIComponent(made.run)}`);
    } catch (cause) {
      setError(cause);
    }
  };
  if (here === null) return null;
  return (
    <section className="run-state" aria-labelledby="state-title">
      <header>
        <h2 id="state-title">{whole || before === null ? t.runs.stateAt(here.step) : t.runs.diffTitle(before.step, here.step)}</h2>
        <div className="run-state-buttons">
          {before !== null && (
            <button type="button" className="button" aria-pressed={whole} onClick={() => setWhole(!whole)}>
              {whole ? t.runs.diff : t.runs.full}
            </button>
          )}
          {(here.next?.length ?? 0) > 0 && (
            <button type="button" className="button" title={t.runs.goOnHint} onClick={() => void fork(true)}>
              <Play aria-hidden />
              {t.runs.goOn}
            </button>
          )}
          <button type="button" className="button" title={t.runs.forkHint} onClick={() => void fork(false)}>
            <GitFork aria-hidden />
            {t.runs.fork}
          </button>
        </div>
      </header>
      {error != null && <Trouble error={error} />}
      {failed != null && <Trouble error={failed} />}
      {value !== null &&
        (whole || changes === null ? (
          <pre className="state-json" tabIndex={0} role="region" aria-label={t.runs.stateAt(here.step)}>
            {JSON.stringify(value.now, null, 2)}
          </pre>
        ) : changes.length === 0 ? (
          <p className="quiet">{t.runs.noDiff}</p>
        ) : (
          <ul className="changes">
            {changes.map((change) => (
              <li key={change.path} data-kind={change.kind}>
                <code>{change.path}</code>
                {change.kind !== "added" && (
                  <pre tabIndex={0} role="region" aria-label={`${change.path}: ${t.runs.before}`}>
                    <del>{show(change.before)}</del>
                  </pre>
                )}
                {change.kind !== "removed" && (
                  <pre tabIndex={0} role="region" aria-label={`${change.path}: ${t.runs.after}`}>
                    <ins>{show(change.after)}</ins>
                  </pre>
                )}
              </li>
            ))}
          </ul>
        ))}
    </section>
  );
}

function show(value: unknown): string {
  const words = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "–");
  return words.length > 1200 ? `${words.slice(0, 1200)}…` : words;
}
