import { useCallback, useEffect, useRef, useState } from "react";

export interface Loaded<T> {
  value: T | null;
  error: unknown;
  loading: boolean;
  /** True once loading has lasted 150 ms: only then a skeleton may show. */
  slow: boolean;
  reload: () => void;
  set: (value: T) => void;
}

/** Loads when `key` changes; `key === null` loads nothing. The old value stays while the new one of the same key comes. */
export function useLoad<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string | null; value: T | null; error: unknown; loading: boolean }>({ key, value: null, error: null, loading: key !== null });
  const [slow, setSlow] = useState(false);
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (key === null) {
      setState({ key, value: null, error: null, loading: false });
      return;
    }
    const stop = new AbortController();
    setState((old) => ({ key, value: old.key === key ? old.value : null, error: null, loading: true }));
    setSlow(false);
    const timer = setTimeout(() => setSlow(true), 150);
    latest.current(stop.signal).then(
      (value) => !stop.signal.aborted && setState({ key, value, error: null, loading: false }),
      (error: unknown) => !stop.signal.aborted && setState((old) => ({ ...old, error, loading: false })),
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, turn]);
  const reload = useCallback(() => setTurn((n) => n + 1), []);
  const set = useCallback((value: T) => setState((old) => ({ ...old, value })), []);
  const fresh = state.key === key;
  return { value: fresh ? state.value : null, error: fresh ? state.error : null, loading: fresh ? state.loading : key !== null, slow, reload, set };
}
