import { useSpeech } from "../../i18n";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { ShareButton } from "./Number";
import { useOpen, useReviewWords } from "./useWords";

interface Row {
  product: string;
  name?: string;
  reviews: number;
  rating?: { mean?: number; shrunk?: number } | null;
  negative?: api.Share;
  rank?: number;
  filter?: api.Filter;
}

interface Change {
  id?: string;
  what: string;
  text?: string;
  significant?: boolean;
  filter?: api.Filter;
}

/** The products by what is said of them, and what changed of late. */
export function Products({ dataset }: { dataset: api.Dataset }) {
  const { lang } = useSpeech();
  const w = useReviewWords();
  const open = useOpen();
  const version = dataset.version ?? 0;
  const { value, error, slow, reload } = useLoad(`products ${dataset.id} ${version} ${lang}`, (signal) => api.analysis<{ products?: Row[] }>(dataset.id, "products", { lang }, signal));
  const changes = useLoad(`changes ${dataset.id} ${version} ${lang}`, (signal) => api.analysis<{ changes?: Change[] }>(dataset.id, "changes", { lang, days: 30 }, signal));
  if (value === null) return error != null ? <Trouble error={error} onRetry={reload} /> : slow ? <div className="skeleton-lines" aria-hidden /> : null;
  return (
    <section className="reviews-part">
      {(changes.value?.changes ?? []).length > 0 && (
        <>
          <h2>{w.changes}</h2>
          <ul className="anomalies">
            {(changes.value?.changes ?? []).map((change, n) => (
              <li key={n}>
                <button type="button" onClick={() => change.filter && open(change.filter, change.text ?? change.what)}>
                  {change.text ?? change.what} {change.significant && <small>{w.significant}</small>}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>{w.products}</h2>
      <div className="table-box">
        <table>
          <thead>
            <tr>
              <th scope="col">{w.name}</th>
              <th scope="col" className="num">
                {w.reviews}
              </th>
              <th scope="col" className="num">
                {w.mean}
              </th>
              <th scope="col">{w.negative}</th>
            </tr>
          </thead>
          <tbody>
            {(value.products ?? []).map((row) => (
              <tr key={row.product}>
                <td dir="auto">
                  <button type="button" className="complaint-name" onClick={() => open(row.filter ?? { product: row.product }, row.name ?? row.product)}>
                    {row.name ?? row.product}
                  </button>
                </td>
                <td className="num">{row.reviews}</td>
                <td className="num">{row.rating?.mean?.toFixed(2) ?? "–"}</td>
                <td>{row.negative && <ShareButton share={row.negative} title={row.name ?? row.product} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
