import type { DataMessagePartProps } from "@assistant-ui/react";
import { createContext, use, useCallback, useMemo, useState, type ReactNode } from "react";
import { list, object, text } from "../api/read";
import { useSpeech } from "../i18n";
import { MarkContext } from "../ui/Markdown";
import { citations, marker, type Source } from "./sources";
import { useView } from "./view";

interface Cited {
  sources: Source[];
  shown: number | null;
  show: (n: number | null) => void;
}

const CitedContext = createContext<Cited>({ sources: [], shown: null, show: () => undefined });

/** Around an answer: which of its words are proven by which record. */
export function CitedMessage({ content, children }: { content: readonly unknown[]; children: ReactNode }) {
  const [shown, show] = useState<number | null>(null);
  const data = content.map(object).find((part) => part.type === "data" && part.name === "citations")?.data;
  const key = JSON.stringify(data ?? null);
  const sources = useMemo(() => citations(JSON.parse(key)), [key]);
  const value = useMemo(() => ({ sources, shown, show }), [sources, shown]);
  return <CitedContext value={value}>{children}</CitedContext>;
}

/** Marks the proven words of an answer with the number of their record; the mark opens it. */
export function CitedWords({ children }: { children: ReactNode }) {
  const { t } = useSpeech();
  const { sources, shown, show } = use(CitedContext);
  const mark = useCallback(
    (words: string): ReactNode =>
      marker(sources)(words).map((piece, n) =>
        typeof piece === "string" ? (
          piece
        ) : (
          <span key={n}>
            {piece.text}
            <button type="button" className="footnote" aria-expanded={shown === piece.n} aria-label={t.shop.sourceOf(piece.text)} title={t.shop.sourceOf(piece.text)} onClick={() => show(shown === piece.n ? null : piece.n)}>
              {piece.n}
            </button>
          </span>
        ),
      ),
    [sources, shown, show, t],
  );
  return sources.length === 0 ? children : <MarkContext value={mark}>{children}</MarkContext>;
}

/** The records behind an answer; the one whose mark was pressed stands open. */
export function Sources({ data }: DataMessagePartProps) {
  const { t } = useSpeech();
  const { words } = useView();
  const { shown, show } = use(CitedContext);
  const [open, setOpen] = useState(false);
  const all = useMemo(() => citations(list(object(data).citations ?? data)), [data]);
  if (all.length === 0) return null;
  return (
    <details className="sources" open={open || shown !== null} onToggle={(event) => (event.currentTarget.open ? setOpen(true) : (setOpen(false), show(null)))}>
      <summary>{t.shop.sources(all.length)}</summary>
      <ol>
        {all.map((source) => (
          <li key={source.n} value={source.n} data-shown={source.n === shown}>
            <span dir="auto">{source.text}</span>
            <small>
              {source.tool === null ? null : `${words.tools[source.tool] ?? source.tool.replaceAll("_", " ")} · `}
              <code>{source.path}</code>
              {source.value !== null && ` = ${text(source.value) ?? JSON.stringify(source.value)}`}
            </small>
          </li>
        ))}
      </ol>
    </details>
  );
}
