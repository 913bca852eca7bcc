import { createContext, use, useEffect, useMemo, useState, type ReactNode } from "react";
import { speak } from "../api/client";
import type { Lang } from "../api/types";
import { en, type Words } from "./en";
import { zh } from "./zh";

interface Speech {
  lang: Lang;
  t: Words;
  setLang: (lang: Lang) => void;
}

const Context = createContext<Speech | null>(null);
export const words: Record<Lang, Words> = { zh, en };

export function Speaking({ children, initial }: { children: ReactNode; initial?: Lang }) {
  const [lang, setLang] = useState<Lang>(() => initial ?? (document.documentElement.lang.startsWith("zh") ? "zh" : "en"));
  speak(lang); // before the rooms below ask the server for anything
  useEffect(() => {
    document.documentElement.lang = lang === "zh" ? "zh-CN" : "en";
    remember("mercer.lang", lang);
  }, [lang]);
  const value = useMemo(() => ({ lang, setLang, t: words[lang] }), [lang]);
  return <Context value={value}>{children}</Context>;
}

export function useSpeech(): Speech {
  const speech = use(Context);
  if (speech === null) throw new Error("useSpeech outside of Speaking");
  return speech;
}

/** Storage may be forbidden or full: then a choice lasts as long as the page. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // nothing to do
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
