import { useSpeech } from "../../i18n";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { percent, useOpen, useReviewWords } from "./useWords";

/** Who the customers are, by when they came last, how often, and for how much. */
export function Segments({ dataset }: { dataset: api.Dataset }) {
  const { lang } = useSpeech();
  const w = useReviewWords();
  const open = useOpen();
  const { value, error, slow, reload } = useLoad(`segments ${dataset.id} ${dataset.version ?? 0} ${lang}`, (signal) => api.analysis<api.Segments>(dataset.id, "segments", { lang }, signal));
  if (value === null) return error != null ? <Trouble error={error} onRetry={reload} /> : slow ? <div className="skeleton-lines" aria-hidden /> : null;
  if (value.refused) return <p className="quiet">{value.refused}</p>;
  const number = (n: number | undefined) => (n === undefined ? "–" : n.toLocaleString(lang === "zh" ? "zh-CN" : "en", { maximumFractionDigits: 1 }));
  return (
    <section className="reviews-part">
      <p className="quiet">{value.meaning}</p>
      {[
        { title: w.segments, rows: (value.cells ?? []).map((cell) => ({ ...cell, key: cell.segment, filter: undefined as api.Filter | undefined })) },
        { title: w.clusters, rows: (value.clusters ?? []).map((cluster) => ({ ...cluster, key: String(cluster.cluster), low: undefined as number | undefined, high: undefined as number | undefined })) },
      ].map(
        (table) =>
          table.rows.length > 0 && (
            <div key={table.title}>
              <h3>{table.title}</h3>
              <div className="table-box">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{w.name}</th>
                      <th scope="col" className="num">
                        {w.users}
                      </th>
                      <th scope="col" className="num">
                        %
                      </th>
                      <th scope="col" className="num">
                        {w.recency}
                      </th>
                      <th scope="col" className="num">
                        {w.frequency}
                      </th>
                      <th scope="col" className="num">
                        {w.monetary}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {table.rows.map((row) => (
                      <tr key={row.key}>
                        <td>
                          {row.filter ? (
                            <button type="button" className="complaint-name" onClick={() => row.filter && open(row.filter, row.label ?? row.key)}>
                              {row.label ?? row.key}
                            </button>
                          ) : (
                            (row.label ?? row.key)
                          )}
                        </td>
                        <td className="num">{number(row.users)}</td>
                        <td className="num">
                          {percent(row.percent)}
                          {row.low !== undefined && row.high !== undefined && <small> ({w.between(percent(row.low), percent(row.high))})</small>}
                        </td>
                        <td className="num">{number(row.recency)}</td>
                        <td className="num">{number(row.frequency)}</td>
                        <td className="num">{number(row.monetary)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </div>
          ),
      )}
    </section>
  );
}
