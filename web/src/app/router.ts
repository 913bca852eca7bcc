/** The address is the state: rooms, open panels and chosen steps are read from it, and each move is a `go`. */
import { useMemo, useSyncExternalStore } from "react";

const changed = new Set<() => void>();
const announce = () => changed.forEach((listener) => listener());
if (typeof window !== "undefined") window.addEventListener("popstate", announce);

export function go(to: string, how: "push" | "replace" = "push"): void {
  if (to === location.pathname + location.search) return;
  if (how === "push") history.pushState(null, "", to);
  else history.replaceState(null, "", to);
  announce();
}

export interface Place {
  path: string[];
  query: URLSearchParams;
}

export function usePlace(): Place {
  const href = useSyncExternalStore(
    (listener) => {
      changed.add(listener);
      return () => changed.delete(listener);
    },
    () => location.pathname + location.search,
  );
  return useMemo(() => {
    const url = new URL(href, location.origin);
    const path = url.pathname.split("/").filter(Boolean).map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
    return { path, query: url.searchParams };
  }, [href]);
}

/** The present address with some of its parameters set or, by null, dropped. */
export function withQuery(changes: Record<string, string | null>): string {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}
