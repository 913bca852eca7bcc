import { useSpeech } from "../../i18n";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { ShareButton } from "./Number";
import { useOpen, useReviewWords } from "./useWords";

export function Complaints({ dataset }: { dataset: api.Dataset }) {
  const { lang } = useSpeech();
  const w = useReviewWords();
  const { value, error, slow, reload } = useLoad(`complaints ${dataset.id} ${dataset.version ?? 0} ${lang}`, (signal) => api.analysis<{ complaints?: api.Complaint[]; note?: string }>(dataset.id, "complaints", { lang, top: 15 }, signal));
  if (value === null) return error != null ? <Trouble error={error} onRetry={reload} /> : slow ? <div className="skeleton-lines" aria-hidden /> : null;
  return (
    <section className="reviews-part">
      {(value.complaints ?? []).length === 0 && <p className="quiet">{value.note ?? w.noComplaints}</p>}
      <ol className="complaints">
        {(value.complaints ?? []).map((one) => (
          <ComplaintRow key={one.id} one={one} whole />
        ))}
      </ol>
    </section>
  );
}

/** One complaint: how many, how it moves, what it comes with, and three customers in their own words. */
export function ComplaintRow({ one, whole = false }: { one: api.Complaint; whole?: boolean }) {
  const w = useReviewWords();
  const open = useOpen();
  const direction = one.trend?.direction ?? "unknown";
  return (
    <li>
      <header>
        <button type="button" className="complaint-name" onClick={() => open(one.filter ?? { complaint: one.id }, one.title)} dir="auto">
          {one.title}
        </button>
        {one.share && <ShareButton share={{ ...one.share, ...(one.share.filter ? {} : { filter: one.filter ?? { complaint: one.id } }) }} title={one.title} />}
        {w.trend[direction] && (
          <small data-direction={direction}>
            {w.trend[direction]}
            {one.since && ` ${w.since(one.since)}`}
          </small>
        )}
      </header>
      {whole && (one.causes ?? []).length > 0 && (
        <p className="causes">
          {w.causes}{" "}
          {(one.causes ?? []).slice(0, 3).map((cause) => (
            <span key={`${cause.kind} ${cause.value}`} className="chip">
              {cause.value} {cause.lift !== undefined && `× ${cause.lift.toFixed(1)}`}
            </span>
          ))}
        </p>
      )}
      <ul className="quotes" aria-label={w.quotes}>
        {(one.quotes ?? []).slice(0, whole ? 3 : 1).map((quote) => (
          <li key={quote.id}>
            <button type="button" onClick={() => open({ ids: quote.id }, one.title)}>
              <q dir="auto">{quote.text}</q>
              <small>{[quote.at, quote.rating === undefined ? null : `${quote.rating}/5`].filter(Boolean).join(" · ")}</small>
            </button>
          </li>
        ))}
      </ul>
    </li>
  );
}
