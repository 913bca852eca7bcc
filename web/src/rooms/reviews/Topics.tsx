import { useState } from "react";
import { useSpeech } from "../../i18n";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { ShareButton } from "./Number";
import { useOpen, useReviewWords } from "./useWords";

/** Groups of words that go together, with how often they are talked about. */
export function Topics({ dataset }: { dataset: api.Dataset }) {
  const { lang } = useSpeech();
  const w = useReviewWords();
  const open = useOpen();
  const [k, setK] = useState(8);
  const { value, error, slow, reload } = useLoad(`topics ${dataset.id} ${dataset.version ?? 0} ${lang} ${k}`, (signal) => api.analysis<{ method?: string; note?: string; topics?: api.Topic[] }>(dataset.id, "topics", { lang, k }, signal));
  return (
    <section className="reviews-part">
      <div className="filters" role="group" aria-label={w.topics}>
        {[5, 8, 12, 20].map((n) => (
          <button key={n} type="button" aria-pressed={k === n} onClick={() => setK(n)}>
            {n}
          </button>
        ))}
      </div>
      {value === null && (error != null ? <Trouble error={error} onRetry={reload} /> : slow ? <div className="skeleton-lines" aria-hidden /> : null)}
      {value?.method === "keywords" && <p className="quiet">{w.keywords}</p>}
      {value?.note && <p className="quiet">{value.note}</p>}
      <ul className="topics">
        {(value?.topics ?? []).map((topic) => {
          const most = Math.max(1e-9, ...(topic.words ?? []).map((word) => word.weight));
          return (
            <li key={topic.topic}>
              <button type="button" className="complaint-name" onClick={() => topic.filter && open(topic.filter, topic.label ?? "")} dir="auto">
                {topic.label}
              </button>
              {topic.share && <ShareButton share={topic.share} title={topic.label ?? ""} />}
              <p className="topic-words" dir="auto">
                {(topic.words ?? []).slice(0, 12).map((word) => (
                  <span key={word.word} data-weight={Math.ceil((word.weight / most) * 4)}>
                    {word.word}
                  </span>
                ))}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
