import { ArrowUp, FileText } from "lucide-react";
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { list, object, text } from "../../api/read";
import { useSpeech } from "../../i18n";
import { Bars } from "../../ui/charts/Bars";
import { MarkContext, Markdown } from "../../ui/Markdown";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { useOpen, useReviewWords } from "./useWords";

interface Turn {
  question: string;
  answer: api.Answer | null;
  error: unknown;
}

/** Questions in words over the data set, and answers whose numbers have footnotes that open the reviews. */
export function Ask({ dataset }: { dataset: string }) {
  const { t, lang } = useSpeech();
  const w = useReviewWords();
  const [words, setWords] = useState("");
  const [turns, setTurns] = useState<Turn[]>([]);
  const [report, setReport] = useState<Report | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const busy = turns.some((turn) => turn.answer === null && turn.error === null);
  const ask = async (question: string) => {
    if (busy || question.trim() === "") return;
    setWords("");
    const before = turns.flatMap((turn) => (turn.answer === null ? [] : [{ role: "user", content: turn.question }, { role: "assistant", content: turn.answer.answer }]));
    setTurns([...turns, { question, answer: null, error: null }]);
    const end = (change: Partial<Turn>) => setTurns((old) => old.map((turn, n) => (n === old.length - 1 ? { ...turn, ...change } : turn)));
    try {
      end({ answer: await api.ask(dataset, question.trim(), before.slice(-10)) });
    } catch (error) {
      end({ error });
    }
  };
  const write = () => {
    stop.current?.abort();
    const now = new AbortController();
    stop.current = now;
    setReport({ steps: {}, short: null, full: null, risks: [], citations: [], fallback: false, done: false, error: null });
    api
      .generate(dataset, lang, (told) => setReport((old) => (old === null ? old : grown(old, told))), now.signal)
      .catch((error: unknown) => !now.signal.aborted && setReport((old) => (old === null ? old : { ...old, error })))
      .finally(() => setReport((old) => (old === null ? old : { ...old, done: true })));
  };
  return (
    <section className="ask-reviews" aria-label={w.ask}>
      <form
        className="ask-box"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void ask(words);
        }}
      >
        <input className="field" aria-label={w.ask} placeholder={w.askPlaceholder} value={words} onChange={(event) => setWords(event.target.value)} maxLength={1000} />
        <button type="submit" className="button primary" disabled={busy || words.trim() === ""}>
          <ArrowUp aria-hidden />
          {w.send}
        </button>
        <button type="button" className="button" onClick={write} disabled={report !== null && !report.done}>
          <FileText aria-hidden />
          {report !== null && !report.done ? w.reporting : w.report}
        </button>
      </form>
      {turns.length === 0 && report === null && (
        <ul className="ask-examples">
          {w.questions.map((question) => (
            <li key={question}>
              <button type="button" className="chip" onClick={() => void ask(question)}>
                {question}
              </button>
            </li>
          ))}
        </ul>
      )}
      {turns.map((turn, n) => (
        <article key={n} className="asked" aria-busy={turn.answer === null && turn.error === null}>
          <h3 dir="auto">{turn.question}</h3>
          {turn.answer === null && turn.error === null && (
            <p className="quiet" role="status">
              {w.asking}
            </p>
          )}
          {turn.error != null && <Trouble error={turn.error} />}
          {turn.answer !== null && (
            <>
              <Cited words={turn.answer.answer} citations={turn.answer.citations ?? []} />
              {(turn.answer.charts ?? []).map((chart) => (
                <Chart key={chart.title} chart={chart} />
              ))}
              {turn.answer.fallback && <p className="by-rules">{w.byRules}</p>}
            </>
          )}
        </article>
      ))}
      {report !== null && (
        <article className="asked report-made" aria-busy={!report.done}>
          {!report.done && (
            <ul className="report-steps" role="status">
              {Object.entries(report.steps).map(([step, state]) => (
                <li key={step} data-state={state}>
                  {w.steps[step] ?? step}
                </li>
              ))}
            </ul>
          )}
          {report.error != null && <Trouble error={report.error} onRetry={write} />}
          {report.short !== null && (
            <>
              <h3>{w.short}</h3>
              <Cited words={report.short} citations={report.citations} />
            </>
          )}
          {report.risks.length > 0 && (
            <>
              <h3>{w.risks}</h3>
              <ul className="alerts">
                {report.risks.map((risk, n) => (
                  <li key={n} data-severity={risk.severity}>
                    <Cited words={risk.text} citations={report.citations} quiet />
                  </li>
                ))}
              </ul>
            </>
          )}
          {report.full !== null && (
            <>
              <h3>{w.full}</h3>
              <Cited words={report.full} citations={report.citations} markdown />
            </>
          )}
          {report.fallback && <p className="by-rules">{w.byRules}</p>}
          {report.done && (
            <button type="button" className="quiet-button" onClick={() => setReport(null)}>
              {t.app.close}
            </button>
          )}
        </article>
      )}
    </section>
  );
}

interface Report {
  steps: Record<string, string>;
  short: string | null;
  full: string | null;
  risks: { severity: string; text: string }[];
  citations: api.Citation[];
  fallback: boolean;
  done: boolean;
  error: unknown;
}

function grown(old: Report, { event, data }: api.Told): Report {
  switch (event) {
    case "progress":
      return { ...old, steps: { ...old.steps, [text(data.step) ?? ""]: text(data.state) ?? "" } };
    case "short":
      return { ...old, short: text(data.text) };
    case "full":
      return { ...old, full: text(data.text) };
    case "risks":
      return { ...old, risks: list(data.items).map((item) => ({ severity: text(object(item).severity) ?? "medium", text: text(object(item).text) ?? "" })) };
    case "done":
      return { ...old, done: true, fallback: data.fallback === true, citations: list(data.citations) as api.Citation[] };
    case "error":
      return { ...old, done: true, error: new Error(text(data.detail) ?? text(data.title) ?? "") };
    default:
      return old;
  }
}

/** Words with [n] marks as buttons that open the reviews behind the number, and the list of footnotes under them. */
function Cited({ words, citations, markdown = false, quiet = false }: { words: string; citations: api.Citation[]; markdown?: boolean; quiet?: boolean }) {
  const w = useReviewWords();
  const open = useOpen();
  const look = (citation: api.Citation) => open(citation.filter ?? { ids: (citation.review_ids ?? []).join(",") }, citation.text ?? `[${citation.n}]`);
  const opens = (citation: api.Citation) => citation.filter !== undefined || (citation.review_ids ?? []).length > 0;
  const byNumber = new Map(citations.map((citation) => [citation.n, citation]));
  const pieces = (line: string): ReactNode[] =>
    line.split(/(\[\d{1,3}\])/).map((piece, n) => {
      const number = /^\[(\d{1,3})\]$/.exec(piece)?.[1];
      const citation = number === undefined ? undefined : byNumber.get(Number(number));
      if (citation === undefined) return number === undefined ? piece : null;
      return opens(citation) ? (
        <button key={n} type="button" className="footnote" title={citation.tool} aria-label={`${w.open}: ${citation.text ?? ""}`} onClick={() => look(citation)}>
          {citation.n}
        </button>
      ) : (
        <sup key={n} title={citation.tool}>
          {citation.n}
        </sup>
      );
    });
  return (
    <>
      {markdown ? (
        <MarkContext value={pieces}>
          <Markdown text={words} />
        </MarkContext>
      ) : (
        <div className="cited" dir="auto">
          {words.split("\n").map((line, n) => (
            <p key={n}>{pieces(line)}</p>
          ))}
        </div>
      )}
      {!quiet && citations.length > 0 && (
        <details className="footnotes">
          <summary>
            {w.footnotes} ({citations.length})
          </summary>
          <ol>
            {citations.map((citation) => (
              <li key={citation.n} value={citation.n}>
                {opens(citation) ? (
                  <button type="button" onClick={() => look(citation)}>
                    {citation.text} <code>{citation.tool}</code>
                  </button>
                ) : (
                  <>
                    {citation.text} <code>{citation.tool}</code>
                  </>
                )}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function Chart({ chart }: { chart: NonNullable<api.Answer["charts"]>[number] }) {
  const open = useOpen();
  return (
    <figure className="asked-chart">
      <figcaption>{chart.title}</figcaption>
      <Bars
        label={chart.title}
        bars={chart.points.map((point) => ({
          key: point.label,
          name: point.label,
          parts: [{ tone: "indigo" as const, name: point.label, value: point.value }],
          words: `${Number(point.value.toFixed(2))}${chart.unit ? ` ${chart.unit}` : ""}`,
          ...(point.filter ? { onOpen: () => point.filter && open(point.filter, point.label) } : {}),
        }))}
      />
    </figure>
  );
}
