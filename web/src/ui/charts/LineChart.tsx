import { useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useWidth } from "./useWidth";
import { band, extent, linear, ticks, trace } from "./scale";
import "./charts.css";

export interface Point {
  /** What the point stands for, in words: "week of 3 March". */
  name: string;
  value: number | null;
  low?: number | null;
  high?: number | null;
  /** How many observations are behind it. */
  n?: number | null;
  /** Something happened here: told in the tooltip and marked on the line. */
  mark?: string | null;
}

interface Props {
  title: string;
  points: Point[];
  format: (value: number) => string;
  floor?: number;
  ceiling?: number;
  tone?: "ink" | "jade" | "seal" | "indigo";
  /** "n = 34" in the reader's language. */
  count: (n: number) => string;
  onOpen?: ((point: Point, index: number) => void) | undefined;
}

const HEIGHT = 180;
const EDGE = { top: 14, right: 12, bottom: 24, left: 44 };

/** A line over time with its interval; each point opens what is behind it. Arrow keys walk along it. */
export function LineChart({ title, points, format, floor, ceiling, tone = "ink", count, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 640);
  const [at, setAt] = useState<number | null>(null);
  const id = useId();
  const drawn = useMemo(() => {
    const values = points.flatMap((p) => [p.value, p.low ?? null, p.high ?? null]).filter((v): v is number => v !== null);
    const [low, high] = extent(values, floor, ceiling);
    const x = linear([0, Math.max(1, points.length - 1)], [EDGE.left, width - EDGE.right]);
    const y = linear([low, high], [HEIGHT - EDGE.bottom, EDGE.top]);
    const places = points.map((p, n) => (p.value === null ? null : { x: x(n), y: y(p.value) }));
    return {
      x,
      y,
      places,
      line: trace(places),
      area: band(points.map((p, n) => (p.low == null || p.high == null ? null : { x: x(n), low: y(p.low), high: y(p.high) }))),
      marks: ticks(low, high, 4),
    };
  }, [points, width, floor, ceiling]);
  const names = every(points.length, Math.max(2, Math.floor(width / 110)));
  const chosen = at === null ? null : (points[at] ?? null);
  const place = at === null ? null : (drawn.places[at] ?? null);
  const keys = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      const step = event.key === "ArrowRight" ? 1 : -1;
      setAt((old) => Math.min(points.length - 1, Math.max(0, (old ?? (step > 0 ? -1 : points.length)) + step)));
    }
    if (event.key === "Enter" && at !== null && chosen !== null) onOpen?.(chosen, at);
    if (event.key === "Escape") setAt(null);
  };
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      <div className="chart-box" ref={box} tabIndex={0} role="group" aria-label={title} onKeyDown={keys} onMouseLeave={() => setAt(null)}>
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden data-tone={tone}>
          {drawn.marks.map((mark) => (
            <g key={mark}>
              <line className="chart-grid" x1={EDGE.left} x2={width - EDGE.right} y1={drawn.y(mark)} y2={drawn.y(mark)} />
              <text className="chart-name" x={EDGE.left - 8} y={drawn.y(mark)} textAnchor="end" dominantBaseline="central">
                {format(mark)}
              </text>
            </g>
          ))}
          {names.map((n) => (
            <text key={n} className="chart-name" x={drawn.x(n)} y={HEIGHT - 6} textAnchor={n === 0 ? "start" : n === points.length - 1 ? "end" : "middle"}>
              {points[n]?.name}
            </text>
          ))}
          {drawn.area !== "" && <path className="chart-band" d={drawn.area} />}
          <path className="chart-line" d={drawn.line} />
          {drawn.places.map((p, n) => (p === null ? null : points[n]?.mark ? <circle key={n} className="chart-mark" cx={p.x} cy={p.y} r={4.5} /> : points.length <= 40 ? <circle key={n} className="chart-dot" cx={p.x} cy={p.y} r={2.25} /> : null))}
          {place !== null && <circle className="chart-here" cx={place.x} cy={place.y} r={5} />}
          <rect
            x={EDGE.left}
            y={0}
            width={Math.max(0, width - EDGE.left - EDGE.right)}
            height={HEIGHT - EDGE.bottom}
            fill="transparent"
            data-open={onOpen !== undefined}
            onMouseMove={(event) => {
              const left = event.currentTarget.getBoundingClientRect().left;
              const share = (event.clientX - left) / Math.max(1, width - EDGE.left - EDGE.right);
              setAt(Math.min(points.length - 1, Math.max(0, Math.round(share * (points.length - 1)))));
            }}
            onClick={() => at !== null && chosen !== null && onOpen?.(chosen, at)}
          />
        </svg>
        <p className="chart-words" aria-live="polite">
          {chosen !== null && (
            <>
              <b>{chosen.name}</b> {chosen.value === null ? "–" : format(chosen.value)}
              {chosen.low != null && chosen.high != null && ` (${format(chosen.low)} – ${format(chosen.high)})`}
              {chosen.n != null && ` · ${count(chosen.n)}`}
              {chosen.mark && <em> {chosen.mark}</em>}
            </>
          )}
        </p>
      </div>
    </figure>
  );
}

/** At most `most` places out of `length`, the first and the last among them. */
function every(length: number, most: number): number[] {
  if (length <= most) return [...Array(length).keys()];
  return [...new Set([...Array(most).keys()].map((n) => Math.round((n * (length - 1)) / (most - 1))))];
}
