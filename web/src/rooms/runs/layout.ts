/** Places the steps of a graph in rows by their distance from the entry. Pure: the same shape gives the same picture. */
import type { GraphShape } from "../../api/types";

export interface Place {
  name: string;
  x: number;
  y: number;
  terminal: boolean;
}

export interface Line {
  from: string;
  to: string;
  path: string;
  back: boolean;
  branch: boolean;
  label: string | null;
}

export interface Picture {
  width: number;
  height: number;
  places: Place[];
  lines: Line[];
}

export const BOX = { width: 132, height: 36 };
const GAP = { x: 28, y: 40 };
const MARGIN = 20;

export const terminal = (name: string): boolean => /^_*(start|end)_*$/i.test(name);

export function layout(shape: GraphShape): Picture {
  const names = shape.nodes;
  const targets = new Set(shape.edges.map((e) => e.to));
  const given = shape.entry.filter((name) => names.includes(name));
  const roots = given.length > 0 ? [...names.filter((n) => /^_*start_*$/i.test(n)), ...given] : names.filter((n) => !targets.has(n));
  const row = new Map<string, number>();
  const queue = [...(roots.length > 0 ? roots : names.slice(0, 1))];
  for (const name of queue) row.set(name, /^_*start_*$/i.test(name) ? 0 : roots.some((r) => /^_*start_*$/i.test(r)) ? 1 : 0);
  // nearest first: a way back to an earlier step does not push that step down
  for (let n = 0; n < queue.length; n++) {
    const from = queue[n];
    if (from === undefined) break;
    for (const edge of shape.edges) {
      if (edge.from !== from || row.has(edge.to)) continue;
      row.set(edge.to, (row.get(from) ?? 0) + 1);
      queue.push(edge.to);
    }
  }
  let last = Math.max(0, ...row.values());
  for (const name of names) if (!row.has(name)) row.set(name, ++last);
  // the end stands at the end
  const ends = names.filter((n) => /^_*end_*$/i.test(n));
  const bottom = Math.max(0, ...names.filter((n) => !ends.includes(n)).map((n) => row.get(n) ?? 0));
  for (const end of ends) row.set(end, bottom + 1);

  const rows: string[][] = [];
  for (const name of names) (rows[row.get(name) ?? 0] ??= []).push(name);
  const filled = rows.filter((r) => r !== undefined && r.length > 0);
  const widest = Math.max(1, ...filled.map((r) => r.length));
  const width = widest * BOX.width + (widest - 1) * GAP.x + 2 * MARGIN + 48;
  const place = new Map<string, Place>();
  filled.forEach((members, y) => {
    const span = members.length * BOX.width + (members.length - 1) * GAP.x;
    members.forEach((name, n) =>
      place.set(name, { name, x: (width - span) / 2 + n * (BOX.width + GAP.x), y: MARGIN + y * (BOX.height + GAP.y), terminal: terminal(name) }),
    );
  });
  let detours = 0;
  const lines = shape.edges.flatMap((edge): Line[] => {
    const a = place.get(edge.from);
    const b = place.get(edge.to);
    if (a === undefined || b === undefined) return [];
    const back = b.y <= a.y;
    const path = b.y === a.y && a !== b ? across(a, b) : back ? around(a, b, width, detours++) : down(a, b);
    return [{ from: edge.from, to: edge.to, back, branch: edge.branch, label: edge.label, path }];
  });
  return { width, height: MARGIN * 2 + filled.length * BOX.height + (filled.length - 1) * GAP.y, places: [...place.values()], lines };

  function down(a: Place, b: Place): string {
    const x1 = a.x + BOX.width / 2;
    const x2 = b.x + BOX.width / 2;
    const y1 = a.y + BOX.height;
    const y2 = b.y - 3;
    const blocked = y2 - y1 > GAP.y && [...place.values()].some((p) => p !== a && p !== b && p.y > a.y && p.y < b.y && Math.abs(p.x - a.x) < BOX.width && Math.abs(p.x - b.x) < BOX.width);
    if (blocked) {
      const side = Math.min(a.x, b.x) - 18;
      return `M ${a.x} ${a.y + BOX.height / 2} C ${side} ${a.y + BOX.height / 2}, ${side} ${a.y + BOX.height / 2}, ${side} ${a.y + BOX.height + 12} L ${side} ${b.y - 12} C ${side} ${b.y + BOX.height / 2}, ${side} ${b.y + BOX.height / 2}, ${b.x - 3} ${b.y + BOX.height / 2}`;
    }
    const mid = (y1 + y2) / 2;
    return `M ${x1} ${y1} C ${x1} ${mid}, ${x2} ${mid}, ${x2} ${y2}`;
  }

  /** Between neighbours of a row; there and back again run side by side. */
  function across(a: Place, b: Place): string {
    const right = b.x > a.x;
    const y = a.y + BOX.height / 2 + (right ? -7 : 7);
    return `M ${right ? a.x + BOX.width : a.x} ${y} L ${right ? b.x - 3 : b.x + BOX.width + 3} ${y}`;
  }

  function around(a: Place, b: Place, full: number, n: number): string {
    const x1 = a.x + BOX.width;
    const x2 = b.x + BOX.width + 3;
    const y1 = a.y + BOX.height / 2;
    const y2 = b.y + BOX.height / 2;
    const side = Math.min(full - 6, Math.max(x1, x2) + 20 + n * 10);
    return `M ${x1} ${y1} C ${side} ${y1}, ${side} ${y1}, ${side} ${(y1 + y2) / 2} C ${side} ${y2}, ${side} ${y2}, ${x2} ${y2}`;
  }
}
