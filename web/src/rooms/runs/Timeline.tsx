import { useMemo } from "react";
import { object, text } from "../../api/read";
import type { RunEvent } from "../../api/types";
import { useSpeech } from "../../i18n";
import type { Words } from "../../i18n/en";
import { clock, exact, span } from "../../ui/time";
import { gist } from "../../chat/convert";

interface Row {
  key: string;
  event: RunEvent;
  /** Characters of a message that came in pieces. */
  written: number;
  /** Text of the same message, cut. */
  excerpt: string;
  /** The event that ended the task which this one began. */
  ended: RunEvent | null;
}

/** The events of a run, the words of one message gathered into one line. A kept step can be chosen to see its state. */
export function Timeline({ events, start, chosen, onChoose }: { events: RunEvent[]; start: string | null; chosen: string | null; onChoose: (checkpoint: string) => void }) {
  const { t, lang } = useSpeech();
  const rows = useMemo(() => gather(events), [events]);
  const zero = start === null ? NaN : Date.parse(start);
  return (
    <ol className="timeline">
      {rows.map(({ key, event, written, excerpt, ended }) => {
        const since = Date.parse(event.at) - zero;
        const id = event.kind === "checkpoint" ? text(event.body.id) : null;
        const words = (
          <>
            <b>{event.node ?? (event.kind === "custom" ? (event.name ?? "") : t.runs.events[event.kind])}</b>
            {ended !== null ? (
              <span>
                {t.runs.events.task_finished} · {span(Math.max(0, Date.parse(ended.at) - Date.parse(event.at)), t.time)}
              </span>
            ) : (
              event.node !== null && event.kind !== "checkpoint" && event.kind !== "custom" && <span>{t.runs.events[event.kind]}</span>
            )}
            {event.kind === "custom" && event.node !== null && <span>{event.name}</span>}
            {event.kind === "custom" && <span className="timeline-gist">{gist(event.body.data)}</span>}
            {written > 0 && (
              <span className="timeline-gist" dir="auto">
                {t.runs.characters(written)} · {excerpt}
              </span>
            )}
            {id !== null && event.step !== null && (
              <span>
                {t.runs.checkpoint} {event.step}
              </span>
            )}
            {event.kind === "run_finished" && <span>{ending(text(object(event.body).status), t)}</span>}
          </>
        );
        return (
          <li key={key} data-kind={event.kind}>
            <time dateTime={event.at} title={exact(event.at, lang)}>
              {Number.isFinite(since) ? `+${span(Math.max(0, since), t.time)}` : clock(event.at, lang)}
            </time>
            {id === null ? (
              <div className="timeline-words">{words}</div>
            ) : (
              <button type="button" className="timeline-words" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
                {words}
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function ending(status: string | null, t: Words): string {
  return status === null ? "" : ((t.runs.statuses as Record<string, string>)[status] ?? status);
}

function gather(events: RunEvent[]): Row[] {
  const rows: Row[] = [];
  const begun = new Map<string, Row>();
  events.forEach((event, n) => {
    const last = rows.at(-1);
    const task = text(event.body.task) ?? event.node;
    if (event.kind === "task_finished" && task !== null) {
      const start = begun.get(task);
      if (start !== undefined) {
        start.ended = event;
        begun.delete(task);
        return;
      }
    }
    const piece = event.kind === "message_delta" ? (text(event.body.text) ?? "") : "";
    if (event.kind === "message_delta" && last?.event.kind === "message_delta" && last.event.body.message === event.body.message) {
      last.written += [...piece].length;
      if (last.excerpt.length < 80) last.excerpt += piece;
      return;
    }
    const row: Row = { key: `${event.seq}-${n}`, event, written: [...piece].length, excerpt: piece, ended: null };
    if (event.kind === "task_started" && task !== null) begun.set(task, row);
    rows.push(row);
  });
  return rows;
}
