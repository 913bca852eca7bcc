import { useEffect, useState } from "react";
import { useSpeech } from "../i18n";
import { ago, exact } from "./time";

export function When({ at }: { at: string }) {
  const { t, lang } = useSpeech();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={exact(at, lang)}>
      {ago(at, now, t.time, lang)}
    </time>
  );
}
