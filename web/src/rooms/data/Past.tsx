import { useEffect } from "react";
import * as api from "../../api/client";
import { recall, useSpeech } from "../../i18n";
import { Link } from "../../ui/Link";
import { useLoad } from "../../ui/load";
import { When } from "../../ui/When";
import { short } from "../../ui/short";

export function Past({ current, beat }: { current: string | null; beat: number }) {
  const { t, lang } = useSpeech();
  const { value, reload } = useLoad("imports", (signal) => api.imports(signal));
  const running = value?.items.some((row) => row.state === "running" || row.state === "queued") ?? false;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), running ? 2_000 : 20_000);
    return () => clearInterval(timer);
  }, [running, reload]);
  useEffect(() => reload(), [current, beat, reload]);
  if (value === null) return null;
  const figures = (n: number) => n.toLocaleString(lang === "zh" ? "zh-CN" : "en");
  return (
    <section className="past" aria-labelledby="past-title">
      <h2 id="past-title">{t.data.past}</h2>
      {value.items.length === 0 ? (
        <p className="quiet">{t.data.pastNone}</p>
      ) : (
        <div className="table-box">
          <table>
            <thead>
              <tr>
                <th scope="col">{t.data.source}</th>
                <th scope="col">{t.data.when}</th>
                <th scope="col">{t.runs.state}</th>
                <th scope="col" className="num">
                  {t.data.products}
                </th>
                <th scope="col" className="num">
                  {t.data.skipped}
                </th>
              </tr>
            </thead>
            <tbody>
              {value.items.map((row) => (
                <tr key={row.id} data-current={row.id === current}>
                  <td>
                    <Link to={`/data/${encodeURIComponent(row.id)}`}>{row.source ?? recall(`mercer.import.${row.id}`) ?? short(row.id)}</Link>
                  </td>
                  <td>{row.created === null ? t.app.none : <When at={row.created} />}</td>
                  <td>
                    <span className="status" data-status={row.state}>
                      <i aria-hidden />
                      {t.data.states[row.state]}
                    </span>
                  </td>
                  <td className="num">{row.state === "running" || row.state === "queued" ? t.app.none : figures(row.products)}</td>
                  <td className="num">{row.state === "running" || row.state === "queued" ? t.app.none : figures(row.skipped)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
