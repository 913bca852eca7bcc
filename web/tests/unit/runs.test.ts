import { expect, test } from "vitest";
import { diff } from "../../src/rooms/runs/diff";
import { BOX, layout } from "../../src/rooms/runs/layout";
import { append } from "../../src/rooms/runs/useRun";
import { runEvent } from "../../src/api/read";
import { span } from "../../src/ui/time";
import { en } from "../../src/i18n/en";

const shape = (edges: [string, string][], entry: string[] = []) => ({
  name: "g",
  nodes: [...new Set(edges.flat())],
  edges: edges.map(([from, to]) => ({ from, to, label: null, branch: false })),
  entry,
  mermaid: null,
});

test("steps stand below the ones that lead to them, and no two overlap", () => {
  const picture = layout(shape([["__start__", "a"], ["a", "b"], ["a", "c"], ["b", "d"], ["c", "d"], ["d", "a"], ["d", "__end__"]]));
  const at = new Map(picture.places.map((p) => [p.name, p]));
  const y = (name: string) => at.get(name)?.y ?? -1;
  expect(y("a")).toBeLessThan(y("b"));
  expect(y("b")).toBe(y("c"));
  expect(y("d")).toBeLessThan(y("__end__"));
  for (const p of picture.places) for (const q of picture.places) if (p !== q) expect(Math.abs(p.x - q.x) >= BOX.width || Math.abs(p.y - q.y) >= BOX.height).toBe(true);
  expect(picture.lines.filter((l) => l.back).map((l) => `${l.from} ${l.to}`)).toEqual(["d a"]);
});

test("a graph without beginning, of one step, or of none is drawn too", () => {
  expect(layout(shape([["a", "b"], ["b", "a"]])).places).toHaveLength(2);
  expect(layout({ ...shape([]), nodes: ["only"] }).places).toHaveLength(1);
  expect(layout(shape([])).places).toHaveLength(0);
});

test("a difference names each place that changed", () => {
  expect(diff({ a: 1, b: [1, 2], c: { d: "x" } }, { a: 1, b: [1, 3, 4], c: {}, e: null })).toEqual([
    { path: "b[1]", kind: "changed", before: 2, after: 3 },
    { path: "b[2]", kind: "added", before: undefined, after: 4 },
    { path: "c.d", kind: "removed", before: "x", after: undefined },
    { path: "e", kind: "added", before: undefined, after: null },
  ]);
  expect(diff({ a: [1] }, { a: [1] })).toEqual([]);
});

test("times are said in the unit that fits", () => {
  expect([40, 1_400, 42_000, 61_000, 3_700_000, -1].map((n) => span(n, en.time))).toEqual(["40 ms", "1.4 s", "42 s", "1 min 1 s", "1 h 1 min", "–"]);
});

test("events told twice count once, and a later epoch replaces what an earlier one did not keep", () => {
  const event = (epoch: number, seq: number) => runEvent({ epoch, seq, at: "", body: { type: "message_delta" } });
  const first = append([], [event(1, 1), event(1, 2), event(1, 3), event(1, 4)]);
  expect(append(first, [event(1, 3), event(1, 4), event(1, 5)]).map((e) => e.seq)).toEqual([1, 2, 3, 4, 5]);
  expect(append(first, [event(2, 3), event(2, 4)]).map((e) => `${e.epoch}-${e.seq}`)).toEqual(["1-1", "1-2", "2-3", "2-4"]);
});
