import { describe, expect, test } from "vitest";
import { band, extent, linear, ticks, trace } from "../../src/ui/charts/scale";

describe("charts", () => {
  test("marks stand at round numbers inside the range", () => {
    expect(ticks(0, 100, 4)).toEqual([0, 25, 50, 75, 100]);
    expect(ticks(3.1, 4.9, 4)).toEqual([3.5, 4, 4.5]);
    expect(ticks(0, 0.35, 4)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(ticks(5, 5, 4)).toEqual([5]);
  });
  test("a range with one value still has a width, and floors and ceilings hold", () => {
    const [low, high] = extent([4, 4], 1, 5);
    expect(low).toBeLessThan(4);
    expect(high).toBeGreaterThan(4);
    expect(extent([0, 100], 0, 100)).toEqual([0, 100]);
    expect(extent([])).toEqual([0, 1]);
  });
  test("a missing value breaks the line and is not drawn as zero", () => {
    const x = linear([0, 2], [0, 20]);
    expect(x(1)).toBe(10);
    expect(trace([{ x: 0, y: 1 }, null, { x: 2, y: 3 }])).toBe("M0.0 1.0M2.0 3.0");
    expect(band([{ x: 0, low: 1, high: 2 }, null, { x: 2, low: 1, high: 4 }])).toBe("M0.0 2.0L2.0 4.0L2.0 1.0L0.0 1.0Z");
  });
});
