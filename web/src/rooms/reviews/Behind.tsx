import { useEffect, useState, type ReactNode } from "react";
import { useSpeech } from "../../i18n";
import { useLoad } from "../../ui/load";
import { Panel } from "../../ui/Panel";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { useReviewWords } from "./useWords";

/** The reviews behind a number, with a search in them. */
export function Behind({ dataset, filter, title, inline = false, onClose }: { dataset: string; filter: api.Filter; title: string; inline?: boolean; onClose?: () => void }) {
  const { t } = useSpeech();
  const w = useReviewWords();
  const [words, setWords] = useState("");
  const [text, setText] = useState("");
  const [sort, setSort] = useState("newest");
  useEffect(() => {
    const timer = setTimeout(() => setText(words.trim()), 300);
    return () => clearTimeout(timer);
  }, [words]);
  const asked = { ...filter, ...(text === "" ? {} : { query: text }), sort: text === "" ? sort : "relevance" };
  const { value, error, slow, reload, set } = useLoad(`behind ${dataset} ${JSON.stringify(asked)}`, (signal) => api.reviews(dataset, asked, 0, signal));
  const more = async () => {
    if (value === null) return;
    const page = await api.reviews(dataset, asked, value.items.length);
    set({ total: page.total, items: [...value.items, ...page.items] });
  };
  const body = (
    <div className="behind">
      <div className="behind-tools">
        <input className="field" type="search" aria-label={w.searchPlaceholder} placeholder={w.searchPlaceholder} value={words} onChange={(event) => setWords(event.target.value)} />
        <select className="field" aria-label={t.app.menu} value={sort} onChange={(event) => setSort(event.target.value)} disabled={text !== ""}>
          {["newest", "oldest", "helpful"].map((name) => (
            <option key={name} value={name}>
              {w.sort[name]}
            </option>
          ))}
        </select>
      </div>
      {error != null && value === null && <Trouble error={error} onRetry={reload} />}
      {value === null && error == null && slow && <div className="skeleton-lines" aria-hidden />}
      {value !== null && (
        <>
          <p className="quiet" role="status">
            {w.behind(value.total)}
          </p>
          <ul className="review-list">
            {value.items.map((review) => (
              <li key={review.id} data-polarity={review.polarity}>
                <p className="review-head">
                  {review.rating != null && <b>{review.rating}/5</b>}
                  <span dir="auto">{[review.product_name ?? review.product, review.variant].filter(Boolean).join(" · ")}</span>
                  <small>{[review.at, review.verified ? w.verified : null].filter(Boolean).join(" · ")}</small>
                </p>
                {review.title && (
                  <p dir="auto">
                    <b>{review.title}</b>
                  </p>
                )}
                <p className="review-text" dir="auto">
                  {review.text ? marked(review.text, review.highlights ?? []) : <i>{w.noText}</i>}
                </p>
                <small className="id">{review.id}</small>
              </li>
            ))}
          </ul>
          {value.items.length < value.total && (
            <button type="button" className="quiet-button" onClick={() => void more()}>
              {t.app.more}
            </button>
          )}
        </>
      )}
    </div>
  );
  return inline ? (
    <section className="reviews-part">{body}</section>
  ) : (
    <Panel title={title} onClose={() => onClose?.()}>
      {body}
    </Panel>
  );
}

/** The text with what was searched marked in it; places count characters as people do. */
function marked(text: string, places: [number, number][]): ReactNode {
  if (places.length === 0) return text;
  const letters = [...text];
  const out: ReactNode[] = [];
  let at = 0;
  for (const [from, to] of [...places].sort((a, b) => a[0] - b[0])) {
    if (from < at || to <= from) continue;
    out.push(letters.slice(at, from).join(""), <mark key={from}>{letters.slice(from, to).join("")}</mark>);
    at = to;
  }
  out.push(letters.slice(at).join(""));
  return out;
}
