import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useSpeech } from "../../i18n";
import { Bars } from "../../ui/charts/Bars";
import { LineChart } from "../../ui/charts/LineChart";
import { useLoad } from "../../ui/load";
import { Trouble } from "../../ui/Trouble";
import * as api from "./api";
import { ComplaintRow } from "./Complaints";
import { Figure } from "./Number";
import { percent, useOpen, useReviewWords } from "./useWords";

/** Four numbers with intervals, the series with its anomalies, what is talked about, the first complaints. */
export function Overview({ dataset }: { dataset: api.Dataset }) {
  const { lang } = useSpeech();
  const w = useReviewWords();
  const open = useOpen();
  const [by, setBy] = useState("week");
  const version = dataset.version ?? 0;
  const overview = useLoad(`overview ${dataset.id} ${version} ${lang}`, (signal) => api.analysis<api.Overview>(dataset.id, "overview", { lang }, signal));
  const sentiment = useLoad(`sentiment ${dataset.id} ${version} ${lang} ${by}`, (signal) => api.analysis<api.Sentiment>(dataset.id, "sentiment", { lang, by }, signal));
  const complaints = useLoad(`complaints3 ${dataset.id} ${version} ${lang}`, (signal) => api.analysis<{ complaints?: api.Complaint[] }>(dataset.id, "complaints", { lang, top: 3 }, signal));
  const alerts = useLoad(`alerts ${dataset.id} ${version} ${lang}`, (signal) => api.analysis<{ alerts?: { severity: string; title: string; text?: string; since?: string | null; filter?: api.Filter }[] }>(dataset.id, "alerts", { lang }, signal));
  const o = overview.value;
  if (o === null) return overview.error != null ? <Trouble error={overview.error} onRetry={overview.reload} /> : overview.slow ? <div className="skeleton-lines" aria-hidden /> : null;
  const share = (s: api.Share | undefined) => (s === undefined ? "–" : percent(s.percent));
  const between = (s: api.Share | undefined) => (s === undefined ? undefined : `${w.between(percent(s.low), percent(s.high))} · ${w.n(s.n)}`);
  const series = sentiment.value?.series ?? [];
  const mark = new Map((sentiment.value?.anomalies ?? []).map((a) => [a.day, a.text ?? a.kind]));
  const marked = (start: string, n: number) => {
    const next = series[n + 1]?.start ?? "9999";
    for (const [day, words] of mark) if (day >= start && day < next) return words;
    return null;
  };
  const openSpan = (n: number, title: string, more: api.Filter = {}) => {
    const from = series[n]?.start;
    if (from === undefined) return;
    const next = series[n + 1]?.start;
    open({ from, ...(next === undefined ? {} : { to: dayBefore(next) }), ...more }, title);
  };
  return (
    <div className="overview">
      {(alerts.value?.alerts ?? []).length > 0 && (
        <ul className="alerts" aria-label={w.alerts}>
          {(alerts.value?.alerts ?? []).map((alert, n) => (
            <li key={n} data-severity={alert.severity}>
              <TriangleAlert aria-hidden />
              <span>
                <b>{alert.title}</b> {alert.text}
              </span>
              {alert.filter && (
                <button type="button" className="quiet-button" onClick={() => alert.filter && open(alert.filter, alert.title)}>
                  {w.open}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="figures-row">
        <Figure name={w.reviews} value={o.reviews.toLocaleString(lang === "zh" ? "zh-CN" : "en")} words={(o.languages ?? []).map((l) => `${l.language} ${percent(l.percent)}`).join(" · ")} filter={{}} />
        {o.rating ? (
          <Figure name={w.mean} value={o.rating.mean.toFixed(2)} words={`${o.rating.low === undefined || o.rating.high === undefined ? w.of5 : w.between(o.rating.low.toFixed(2), o.rating.high.toFixed(2))}${o.rating.n === undefined ? "" : ` · ${w.n(o.rating.n)}`}`} filter={{ rating_min: "1" }} />
        ) : (
          <Figure name={w.positive} value={share(o.sentiment?.positive)} words={between(o.sentiment?.positive)} filter={o.sentiment?.positive?.filter} tone="good" />
        )}
        <Figure name={w.negative} value={share(o.sentiment?.negative)} words={between(o.sentiment?.negative)} filter={o.sentiment?.negative?.filter} tone="bad" />
        <Figure
          name={w.health}
          hint={o.health?.note ?? w.healthHint}
          value={o.health?.score === undefined ? w.refused : o.health.score.toFixed(0)}
          words={o.health?.refused ?? (o.health?.low === undefined || o.health.high === undefined ? undefined : `${w.between(o.health.low.toFixed(0), o.health.high.toFixed(0))} · ${w.n(o.health.n ?? 0)}`)}
        />
      </div>
      {o.spam && (
        <p className="quiet spam-note" title={o.spam.note}>
          {w.spam}: {percent(o.spam.low)} – {percent(o.spam.high)}. {w.spamHint}
        </p>
      )}

      {series.length > 1 && (
        <section className="reviews-part">
          <header>
            <h2>{w.over}</h2>
            <div className="filters" role="group" aria-label={w.over}>
              {["day", "week", "month"].map((unit) => (
                <button key={unit} type="button" aria-pressed={by === unit} onClick={() => setBy(unit)}>
                  {w.by[unit]}
                </button>
              ))}
            </div>
          </header>
          <div className="two">
            <LineChart
              title={w.negativeOver}
              tone="seal"
              floor={0}
              format={(v) => percent(v)}
              count={w.n}
              points={series.map((s, n) => ({ name: s.start, value: s.negative?.percent ?? null, low: s.negative?.low ?? null, high: s.negative?.high ?? null, n: s.reviews, mark: marked(s.start, n) }))}
              onOpen={(point, n) => openSpan(n, `${w.negative} · ${point.name}`, { polarity: "negative" })}
            />
            {series.some((s) => s.rating != null) ? (
              <LineChart
                title={w.ratingOver}
                tone="indigo"
                floor={1}
                ceiling={5}
                format={(v) => v.toFixed(1)}
                count={w.n}
                points={series.map((s) => ({ name: s.start, value: s.rating ?? null, n: s.reviews }))}
                onOpen={(point, n) => openSpan(n, point.name)}
              />
            ) : (
              <LineChart title={w.countOver} tone="indigo" floor={0} format={(v) => v.toFixed(0)} count={w.n} points={series.map((s) => ({ name: s.start, value: s.reviews }))} onOpen={(point, n) => openSpan(n, point.name)} />
            )}
          </div>
          <h3>{w.anomalies}</h3>
          {(sentiment.value?.anomalies ?? []).length === 0 ? (
            <p className="quiet">{sentiment.value?.anomaly_note ?? w.noAnomalies}</p>
          ) : (
            <ul className="anomalies">
              {(sentiment.value?.anomalies ?? []).map((a, n) => (
                <li key={n}>
                  <button type="button" onClick={() => a.filter && open(a.filter, a.text ?? a.day)}>
                    <b>{a.to && a.to !== a.day ? `${a.day} – ${a.to}` : a.day}</b> {a.text} {a.test && <small>{`${a.test}, p ${a.p !== undefined && a.p < 0.001 ? "< 0.001" : `= ${a.p?.toFixed(3) ?? "–"}`}`}</small>}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}

      {(sentiment.value?.dimensions ?? []).length > 0 && (
        <section className="reviews-part">
          <h2>{w.dimensions}</h2>
          <Bars
            label={w.dimensions}
            bars={(sentiment.value?.dimensions ?? []).map((d) => ({
              key: d.dimension,
              name: d.label ?? d.dimension,
              parts: [
                { tone: "jade" as const, name: w.positive, value: d.positive?.count ?? 0 },
                { tone: "line" as const, name: w.neutral, value: Math.max(0, d.mentions - (d.positive?.count ?? 0) - (d.negative?.count ?? 0)) },
                { tone: "seal" as const, name: w.negative, value: d.negative?.count ?? 0 },
              ],
              words: `${w.mentions(d.mentions)} · ${w.negative} ${share(d.negative)}`,
              onOpen: () => open({ dimension: d.dimension }, d.label ?? d.dimension),
            }))}
          />
        </section>
      )}

      <section className="reviews-part">
        <h2>{w.complaints}</h2>
        {complaints.value !== null && (complaints.value.complaints ?? []).length === 0 && <p className="quiet">{w.noComplaints}</p>}
        <ol className="complaints">
          {(complaints.value?.complaints ?? []).map((one) => (
            <ComplaintRow key={one.id} one={one} />
          ))}
        </ol>
      </section>
    </div>
  );
}

function dayBefore(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - 1);
  return at.toISOString().slice(0, 10);
}
