import { useCallback, useEffect, useState } from "react";
import * as api from "../../api/client";
import type { RunEvent, RunRow } from "../../api/types";

export interface Followed {
  run: RunRow | null;
  events: RunEvent[];
  live: boolean;
  error: unknown;
  /** Asks the server again: after an answer or a decision the run goes on, with events of its own. */
  again: () => void;
}

/** Adds what is new. What an earlier epoch told and did not keep gives way to what the later one tells. */
export function append(old: RunEvent[], fresh: RunEvent[]): RunEvent[] {
  const all = [...old];
  for (const event of fresh) {
    for (let last = all.at(-1); last !== undefined && last.epoch < event.epoch && last.seq >= event.seq; last = all.at(-1)) all.pop();
    const last = all.at(-1);
    if (last === undefined || event.seq > last.seq) all.push(event);
  }
  return all;
}

/** A run and its events, stored ones first, then as they happen. */
export function useRun(id: string): Followed {
  const [run, setRun] = useState<RunRow | null>(null);
  const [events, setEvents] = useState<RunEvent[]>([]);
  const [live, setLive] = useState(true);
  const [error, setError] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => setTurn((n) => n + 1), []);
  useEffect(() => {
    const stop = new AbortController();
    let waiting: RunEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | null = null;
    const ask = () => api.run(id, stop.signal).then(setRun, (cause: unknown) => !stop.signal.aborted && setError(cause));
    const flush = () => {
      timer = null;
      const fresh = waiting;
      waiting = [];
      setEvents((old) => append(old, fresh));
    };
    void ask();
    setLive(true);
    api
      .followRun(
        id,
        (event) => {
          waiting.push(event);
          timer ??= setTimeout(flush, 60);
          if (event.kind === "checkpoint" || event.kind === "interrupted" || event.kind === "run_finished") void ask();
          return event.kind !== "run_finished";
        },
        stop.signal,
      )
      .catch((cause: unknown) => !stop.signal.aborted && setError(cause))
      .finally(() => {
        if (stop.signal.aborted) return;
        setLive(false);
        void ask();
      });
    return () => {
      stop.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [id, turn]);
  return { run, events, live, error, again };
}
