import { expect, test } from "vitest";
import * as read from "../../src/api/read";
import { events } from "../../src/api/sse";
import { isSentence } from "../../src/ui/problem";

const stream = (...pieces: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
const all = async (...pieces: string[]) => {
  const out = [];
  for await (const event of events(stream(...pieces))) out.push(event);
  return out;
};

test("events are read however the bytes are cut", async () => {
  const whole = "id: 7\nevent: checkpoint\ndata: {\"a\":\ndata: 1}\n\n: keep-alive\n\ndata: 二\r\n\r\n";
  const bytes = [...whole].map(String);
  expect(await all(...bytes)).toEqual(await all(whole));
  expect(await all(whole)).toEqual([
    { id: "7", event: "checkpoint", data: '{"a":\n1}' },
    { id: "7", event: null, data: "二" },
  ]);
  expect(await all("data: half an eve")).toEqual([]);
});

test("a card is read from the catalogue's fields and keeps what is unknown unknown", () => {
  expect(read.card({ id: "P1", title: "T", price: null, availability: "mystery", image: "https://elsewhere/x.jpg", matched: ["red"], options: [{ name: "Size", values: ["S"] }] }, "en")).toEqual({
    id: "P1", title: "T", brand: null, priceText: null, listPriceText: null, image: null, availability: "unknown", colours: [], matched: ["red"], options: [{ name: "Size", values: ["S"] }], why: [],
  });
  expect(read.card({ title: "no id" }, "en")).toBeNull();
  expect(read.cards({ products: [null, 3, { id: "a" }] }, "en").map((c) => c.id)).toEqual(["a"]);
});

test("a product is read from the shop's own record", () => {
  const product = read.product(
    {
      id: "P1",
      title: { zh: "红裙", en: "Red dress" },
      category: [{ en: "Clothing" }, { en: "Dress", zh: "连衣裙" }],
      variants: [
        { sku: "a", price: { minor: 17600, currency: "CNY" }, stock: { pieces: 3 }, availability: "in_stock", options: { Size: "S" } },
        { sku: "b", price: { minor: 19900, currency: "CNY" }, stock: "not_tracked", availability: "out_of_stock" },
      ],
      images: [{ source: "x.jpg" }],
      rating_centistars: 430,
    },
    "zh",
  );
  expect(product).toMatchObject({ title: "红裙", category: ["Clothing", "连衣裙"], priceText: "¥176 – ¥199", availability: "in_stock", rating: 4.3, images: ["/api/v1/products/P1/image?n=0"] });
  expect(product?.variants[0]).toMatchObject({ stock: 3 });
  expect(product?.variants[1]).toMatchObject({ stock: null });
});

test("runs, events and graphs are read in either spelling", () => {
  expect(read.run({ id: "run_1", thread: "thr_1", status: "StepLimit", error: { code: "x", message: "too far" } })).toMatchObject({ status: "step_limit", error: "too far" });
  expect(read.runEvent({ seq: 3, at: "", step: 1, node: null, body: { type: "TaskFinished", node: "tools" } })).toMatchObject({ kind: "task_finished", node: "tools" });
  const shape = read.graph({ name: "g", shape: { nodes: [{ id: "a", deferred: false }], edges: [{ from: "__start__", to: "a", kind: "edge" }, { from: "a", to: "__end__", kind: "branch" }] } });
  expect(shape.nodes).toEqual(["a", "__start__", "__end__"]);
  expect(shape.edges.map((e) => e.branch)).toEqual([false, true]);
});

test("an import says how far it is and what went wrong by kind", () => {
  expect(read.importRow({ id: "imp_1", state: "running", rows: 50, total: 200, rate: 10, seconds_left: 15 })).toMatchObject({ share: 0.25, secondsLeft: 15 });
  const done = read.importRow({ id: "imp_1", state: "done", report: { rows: 10, products: 8, skipped: 2, by_kind: { missing_title: 1, price: 2 }, samples: [{ kind: "price", line: 3, reason: "not a number" }] } });
  expect(done.problems.map((p) => [p.kind, p.count, p.samples.length])).toEqual([["price", 2, 1], ["missing_title", 1, 0]]);
});

test("only sentences are shown to people", () => {
  expect(isSentence("The shop is closed today.")).toBe(true);
  for (const bad of ['{"error":1}', "<html>", "thread 'main' panicked at x", "at /home/me/x.rs:1", "a\n   at foo", ""]) expect(isSentence(bad), bad).toBe(false);
});
