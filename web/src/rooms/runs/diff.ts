/** What changed between two states, as a list of places and values. Pure. */
export interface Change {
  path: string;
  kind: "added" | "removed" | "changed";
  before: unknown;
  after: unknown;
}

const MOST = 200;

export function diff(before: unknown, after: unknown): Change[] {
  const out: Change[] = [];
  walk("", before, after);
  return out;

  function walk(path: string, a: unknown, b: unknown): void {
    if (out.length >= MOST || Object.is(a, b)) return;
    if (Array.isArray(a) && Array.isArray(b)) {
      for (let n = 0; n < Math.max(a.length, b.length); n++) step(`${path}[${n}]`, n < a.length, n < b.length, a[n], b[n]);
      return;
    }
    if (isObject(a) && isObject(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) step(path === "" ? key : `${path}.${key}`, key in a, key in b, a[key], b[key]);
      return;
    }
    out.push({ path: path === "" ? "·" : path, kind: "changed", before: a, after: b });
  }

  function step(path: string, had: boolean, has: boolean, a: unknown, b: unknown): void {
    if (had && has) walk(path, a, b);
    else if (out.length < MOST) out.push({ path, kind: has ? "added" : "removed", before: a, after: b });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
