/** Scales for small charts. Pure. */

/** Round steps (1, 2, 2.5 or 5 times a power of ten) that cover `low..high` with about `count` marks. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!Number.isFinite(low) || !Number.isFinite(high) || high <= low) return [low];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((n) => n * power >= rough) ?? 10) * power;
  const out: number[] = [];
  for (let n = Math.ceil(low / step); n * step <= high + step * 1e-9; n++) out.push(Number((n * step).toPrecision(12)));
  return out;
}

export interface Scale {
  (value: number): number;
}

export const linear = (from: [number, number], to: [number, number]): Scale => {
  const width = from[1] - from[0];
  return (value) => (width === 0 ? (to[0] + to[1]) / 2 : to[0] + ((value - from[0]) / width) * (to[1] - to[0]));
};

/** The lowest and highest of some numbers, a little widened so that a line does not run along the frame. */
export function extent(values: number[], floor?: number, ceiling?: number): [number, number] {
  const known = values.filter(Number.isFinite);
  if (known.length === 0) return [0, 1];
  let low = Math.min(...known);
  let high = Math.max(...known);
  if (low === high) {
    low -= Math.abs(low) * 0.1 || 0.5;
    high += Math.abs(high) * 0.1 || 0.5;
  }
  const margin = (high - low) * 0.08;
  return [floor === undefined ? low - margin : Math.max(floor, low - margin), ceiling === undefined ? high + margin : Math.min(ceiling, high + margin)];
}

/** A path through points; a gap where a value is missing. */
export function trace(points: ({ x: number; y: number } | null)[]): string {
  let out = "";
  let pen = false;
  for (const point of points) {
    if (point === null) {
      pen = false;
      continue;
    }
    out += `${pen ? "L" : "M"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
    pen = true;
  }
  return out;
}

/** The area between an upper and a lower line. */
export function band(points: ({ x: number; low: number; high: number } | null)[]): string {
  const known = points.filter((p): p is { x: number; low: number; high: number } => p !== null);
  if (known.length < 2) return "";
  const there = known.map((p, n) => `${n === 0 ? "M" : "L"}${p.x.toFixed(1)} ${p.high.toFixed(1)}`).join("");
  const back = [...known].reverse().map((p) => `L${p.x.toFixed(1)} ${p.low.toFixed(1)}`).join("");
  return `${there}${back}Z`;
}
