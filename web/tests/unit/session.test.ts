// @vitest-environment node
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Session, standing, title } from "../../src/chat/session";
import { convert, countOf, gist } from "../../src/chat/convert";
// @ts-expect-error the stand-in is plain JavaScript
import { world } from "../fake-server/server.mjs";

const shop = world({ pace: 4 });
const plain = globalThis.fetch;
let down = false;

beforeAll(async () => {
  await new Promise<void>((resolve) => shop.server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(shop.server.address() as AddressInfo).port}`;
  globalThis.fetch = (input, init) => (down ? Promise.reject(new TypeError("fetch failed")) : plain(typeof input === "string" ? base + input : input, init));
});
afterAll(() => {
  globalThis.fetch = plain;
  shop.server.closeAllConnections();
  shop.server.close();
});

function open(id: string | null) {
  const session = new Session(id, "shopping", () => "en", () => undefined, () => undefined);
  void session.open();
  return session;
}
async function until(session: Session, holds: (view: ReturnType<Session["snapshot"]>) => boolean, what: string) {
  const deadline = Date.now() + 8_000;
  while (!holds(session.snapshot())) {
    if (Date.now() > deadline) throw new Error(`never: ${what}\n${JSON.stringify(session.snapshot(), null, 1).slice(0, 1500)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return session.snapshot();
}
const words = (session: Session) => session.snapshot().messages.map((m) => m.parts.map((p) => (p.type === "text" ? p.text : "")).join(""));
const settled = (view: { status: string; messages: readonly { role: string }[] }) => view.status === "ready" && view.messages.at(-1)?.role === "assistant";

test("a wish is answered with words, cards, tool lines and conditions that stand", async () => {
  const session = open(null);
  await session.send("a red dress under 300");
  const view = await until(session, settled, "an answer");
  expect(view.id).toMatch(/^thr_/);
  expect(words(session)[1]).toContain("4 products meet");
  const last = view.messages[1];
  expect(last?.metadata?.by_rules).toBe(true);
  expect(view.conditions.map((c) => c.label)).toEqual(["dress", "red", "under ¥300"]);
  const shown = convert(last as never).content as unknown as { type: string }[];
  expect(shown.map((p) => p.type)).toEqual(["tool-call", "text", "data"]);
  session.close();
});

test("a condition is taken away at the shop, and the answer is made anew", async () => {
  const session = open(null);
  await session.send("a red dress");
  await until(session, settled, "an answer");
  await session.drop({ id: "colour:red", label: "red", field: "colour", image: null });
  const view = await until(session, (v) => settled(v) && v.messages.length === 3, "the new answer");
  expect(view.conditions.map((c) => c.id)).toEqual(["category:dress"]);
  session.close();
});

test("a page that comes in the middle of an answer sees all of it, once", async () => {
  const session = open(null);
  void session.send("a red dress [slow]");
  await until(session, (v) => v.status === "streaming", "words");
  const id = session.snapshot().id;
  session.close();
  const again = open(id);
  await until(again, (v) => v.status === "streaming", "the stream to be joined");
  const view = await until(again, settled, "the rest");
  expect(view.messages.map((m) => m.role)).toEqual(["user", "assistant"]);
  expect(words(again)[1]).toMatch(/products meet .*colours\?$/);
  again.close();
}, 20_000);

test("a cut line is taken up again by itself", async () => {
  const session = open(null);
  await session.send("a blue shirt [cut]");
  const view = await until(session, (v) => settled(v) && !v.reconnecting, "the whole answer");
  expect(view.messages).toHaveLength(2);
  expect(words(session)[1]).toMatch(/colours\?$/);
  session.close();
});

test("an answer that fails says so, keeps what was said, and can be asked for again", async () => {
  const session = open(null);
  await session.send("a green coat [fail]");
  const view = await until(session, (v) => v.status === "error", "the failure");
  expect((view.error as Error).message).toContain("stopped answering");
  expect(words(session)[1]).toContain("products meet");
  await session.retry();
  const after = await until(session, settled, "the second try");
  expect(after.messages.map((m) => m.role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(after.messages[1]?.metadata?.error).not.toBeNull();
  expect(words(session)[3]).toMatch(/colours\?$/);
  session.close();
});

test("a message sent without a line goes out when the line is back", async () => {
  const session = open(null);
  await session.send("a black bag");
  await until(session, settled, "the first answer");
  down = true;
  const sent = session.send("in sand");
  await until(session, (v) => v.status === "error", "the failure");
  down = false;
  await sent;
  const view = await until(session, (v) => settled(v) && v.messages.length === 4, "the answer");
  expect(view.messages.map((m) => m.role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(view.conditions.map((c) => c.id)).toContain("colour:sand");
  session.close();
}, 15_000);

test("stopping ends the run at the shop and keeps what was said", async () => {
  const session = open(null);
  void session.send("a white shoe [slow]");
  const view = await until(session, (v) => v.status === "streaming" && v.messages.at(-1)?.role === "assistant", "words");
  await session.stop();
  expect(session.snapshot().status === "ready" || session.snapshot().status === "streaming").toBe(true);
  await until(session, (v) => v.status === "ready", "the stop");
  const run = shop.runs.get(view.messages.at(-1)?.metadata?.run);
  expect(run.status).toBe("cancelled");
  session.close();
}, 15_000);

test("a refusal is said in the shop's own words", async () => {
  const session = open(null);
  await session.send("hello [busy]");
  const view = await until(session, (v) => v.status === "error", "the refusal");
  expect((view.error as Error).message).toBe("The shop answers one question at a time here. Wait a moment.");
  session.close();
});

test("a conversation is named after its wish", () => {
  expect(title("  a red\n dress ")).toBe("a red dress");
  expect(title("a very long wish that goes on and on about dresses and coats")).toBe("a very long wish that goes on and on about…");
  expect([...title("红".repeat(80))]).toHaveLength(49);
});

test("odd parts from the shop do no harm", () => {
  const message = { id: "m", role: "assistant", parts: [{ type: "data-step", id: "c1", data: { name: "search_products", summary: "searched → 3" } }, { type: "tool-x", toolCallId: "c1", state: "output-error", errorText: "no" }, { type: "data-unknown", data: 1 }, { type: "step-start" }, { type: "reasoning", text: "hm" }] } as never;
  expect((convert(message).content as unknown as { type: string }[]).map((p) => p.type)).toEqual(["tool-call", "data"]);
  expect(standing([message])).toEqual([]);
  expect(gist({ query: "连衣裙", filters: { colour: ["red"], price: { max: 300 } }, limit: 20 })).toBe("连衣裙 · red · 300");
  expect(countOf({ total: 24, items: [] })).toBe(24);
  expect(countOf("x")).toBeNull();
});

test("a reload before the shop took the message sends it, once", async () => {
  const kept = new Map<string, string>();
  globalThis.sessionStorage = { getItem: (k: string) => kept.get(k) ?? null, setItem: (k: string, v: string) => void kept.set(k, v), removeItem: (k: string) => void kept.delete(k) } as unknown as Storage;
  const session = open(null);
  await session.send("a black bag");
  const { id } = await until(session, settled, "the first answer");
  expect(kept.size).toBe(0);
  down = true;
  void session.send("in sand");
  await until(session, (v) => v.status === "error", "the failure");
  session.close();
  expect(kept.size).toBe(1);
  down = false;
  const again = open(id);
  const view = await until(again, (v) => settled(v) && v.messages.length === 4, "the answer");
  expect(view.messages.map((m) => m.role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(kept.size).toBe(0);
  again.close();
}, 15_000);
