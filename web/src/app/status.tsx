import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { status as load } from "../api/client";
import { inZone } from "../ui/time";
import type { Status } from "../api/types";

const Context = createContext<Status | null>(null);
export const useStatus = (): Status | null => use(Context);

/** The shop's name, its size and the model's state; asked again each minute while the page is looked at. */
export function StatusProvider({ children }: { children: ReactNode }) {
  const [status, setStatus] = useState<Status | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const ask = () => {
      if (document.visibilityState === "hidden") return;
      load(stop.signal).then(
        (next) => {
          inZone(next.shop.timeZone);
          setStatus(next);
        },
        () => undefined,
      );
    };
    ask();
    const timer = setInterval(ask, 60_000);
    document.addEventListener("visibilitychange", ask);
    window.addEventListener("online", ask);
    return () => {
      stop.abort();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
      window.removeEventListener("online", ask);
    };
  }, []);
  return <Context value={status}>{children}</Context>;
}
