import { describe, expect, test } from "vitest";
import { citations, marker } from "../../src/talk/sources";

describe("sources of an answer", () => {
  const sources = citations({ citations: [{ text: "¥199", source: "call 1, /items/0/price", tool: "search_products", value: 19900 }, { text: "24", source: "call 1, /total" }, { text: "24", source: "call 2, /total" }, { text: "已签收", source: "call 3, /state" }] });
  test("each different text has one number", () => {
    expect(sources.map((s) => [s.n, s.text])).toEqual([[1, "¥199"], [2, "24"], [3, "已签收"]]);
  });
  test("the proven words are marked, and not inside other numbers", () => {
    const mark = marker(sources);
    expect(mark("It is ¥199, one of 24.")).toEqual(["It is ", { text: "¥199", n: 1 }, ", one of ", { text: "24", n: 2 }, "."]);
    expect(mark("¥1990, ¥199.50 or 240, 1,24")).toEqual(["¥1990, ¥199.50 or 240, 1,24"]);
    expect(mark("包裹已签收了")).toEqual(["包裹", { text: "已签收", n: 3 }, "了"]);
  });
  test("without sources nothing is touched", () => {
    expect(marker([])("¥199")).toEqual(["¥199"]);
  });
});
