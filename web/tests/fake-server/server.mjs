// A stand-in for the shop's server, for tests only: speaks the same HTTP with slow streams, resume, errors and cuts.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { answer, fold } from "./brain.mjs";
import { byId, card, drawing, full, products } from "./catalogue.mjs";

const CSP = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".map": "application/json" };
const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

export function world({ pace = 12, dist = fileURLToPath(new URL("../../dist", import.meta.url)) } = {}) {
  const threads = new Map();
  const runs = new Map();
  const files = new Map();
  const imports = new Map();
  let count = 0;
  const id = (prefix) => `${prefix}_${Date.now().toString(36)}${(++count).toString(36).padStart(6, "0")}`;
  const now = () => new Date().toISOString();
  const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  function newThread(title = null, agent = "shopping", given = id("thr")) {
    const thread = { id: given, title, agent, created: now(), updated: now(), messages: [], checkpoints: [] };
    threads.set(given, thread);
    return thread;
  }

  function standing(thread) {
    for (const m of [...thread.messages].reverse()) {
      const part = m.parts.find((p) => p.type === "data-conditions");
      if (part) return part.data.conditions;
    }
    return [];
  }

  function start(thread, turn) {
    const run = { id: id("run"), thread: thread.id, agent: thread.agent, status: "running", created: now(), updated: now(), steps: 0, error: null, epoch: 1, metadata: {}, chunks: [], events: [], waiters: new Set(), cut: false };
    runs.set(run.id, run);
    thread.updated = now();
    const message = { id: id("msg"), role: "assistant", parts: [] };
    const wake = () => [...run.waiters].forEach((w) => w());
    const event = (body, node = null) => run.events.push({ run: run.id, seq: run.events.length + 1, at: now(), step: run.steps, node, body });
    const keep = (node, updates) => {
      run.steps++;
      const checkpoint = { id: id("chk"), step: run.steps, at: now(), nodes: [node], next: node === "answer" ? [] : ["answer"], updates, state: { messages: thread.messages.length, conditions: standing(thread), last: node } };
      thread.checkpoints.push(checkpoint);
      event({ type: "task_finished", task: node, node, updates }, node);
      event({ type: "checkpoint", id: checkpoint.id, next: checkpoint.next });
    };
    run.done = (async () => {
      event({ type: "run_started" });
      event({ type: "task_started", task: "understand", node: "understand" }, "understand");
      keep("understand", [{ understood: turn.text ?? "" }]);
      event({ type: "task_started", task: "tools", node: "tools" }, "tools");
      let words = false;
      for (const { chunk, wait, failed, cut } of answer({ ...turn, messageId: message.id, run: run.id, thread: thread.id, standing: standing(thread), pace })) {
        if (run.status === "cancelled") break;
        if (wait > 0) await delay(wait);
        if (run.status === "cancelled") break;
        if (chunk.type === "text-start" && !words) {
          words = true;
          keep("tools", [{ tools: 1 }]);
          event({ type: "task_started", task: "answer", node: "answer" }, "answer");
        }
        if (chunk.type.startsWith("tool-input-av")) event({ type: "custom", name: "tool_call", data: { name: chunk.toolName, arguments: chunk.input } }, "tools");
        if (chunk.type === "text-delta") event({ type: "message_delta", message: message.id, text: chunk.delta }, "answer");
        fold(message, chunk);
        if (!thread.messages.includes(message) && message.parts.length > 0) thread.messages.push(message);
        run.chunks.push(chunk);
        run.updated = now();
        if (failed) {
          run.status = "failed";
          message.metadata = { ...message.metadata, error: "failed" };
        }
        if (cut && !run.cut) {
          run.cut = true;
          run.waiters.forEach((w) => w("cut"));
        }
        wake();
      }
      if (run.status === "running") {
        keep("answer", [{ said: message.id }]);
        run.status = "done";
      }
      run.updated = now();
      thread.updated = now();
      event({ type: "run_finished", status: run.status, error: null });
      wake();
    })();
    return run;
  }

  async function stream(response, run) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", "x-vercel-ai-ui-message-stream": "v1" });
    let at = 0;
    let cut = false;
    let open = true;
    response.on("close", () => (open = false));
    while (open) {
      while (at < run.chunks.length) response.write(`data: ${JSON.stringify(run.chunks[at++])}\n\n`);
      if (cut) return response.destroy();
      if (run.status !== "running") break;
      await new Promise((resolve) => {
        const wake = (why) => {
          if (why === "cut") cut = true;
          run.waiters.delete(wake);
          resolve();
        };
        run.waiters.add(wake);
        response.once("close", wake);
      });
    }
    if (run.status === "cancelled") response.write(`data: ${JSON.stringify({ type: "abort" })}\n\n`);
    response.end("data: [DONE]\n\n");
  }

  async function events(response, list, over, from, waiters) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    let at = from;
    let open = true;
    response.on("close", () => (open = false));
    while (open) {
      for (const e of list().slice(at)) response.write(`id: ${e.seq}\nevent: ${e.body?.type ?? "progress"}\ndata: ${JSON.stringify(e)}\n\n`);
      at = list().length;
      if (over()) break;
      await Promise.race([delay(100), new Promise((resolve) => waiters?.add(resolve))]);
    }
    response.end();
  }

  function runImport(name, rows) {
    const row = { id: id("imp"), state: "running", source: name, format: "shopify_csv", rows: 0, products: 0, skipped: 0, total: rows, rate: 0, seconds_left: 0, created: now(), updated: now(), report: {}, log: [] };
    imports.set(row.id, row);
    (async () => {
      for (let n = 0; n <= 20; n++) {
        await delay(60);
        row.rows = Math.round((rows * n) / 20);
        row.skipped = Math.floor(row.rows / 60);
        row.products = row.rows - row.skipped;
        row.rate = rows / 1.2;
        row.seconds_left = Math.round((1.2 * (20 - n)) / 2) / 10;
        row.log.push({ seq: row.log.length + 1, ...view(row) });
      }
      row.state = "done";
      row.report = {
        by_kind: { price_not_a_number: Math.ceil(row.skipped * 0.6), missing_title: Math.floor(row.skipped * 0.4) },
        samples: [
          { kind: "price_not_a_number", line: 812, column: "Variant Price", reason: "“ask” is not a number", raw: "ask" },
          { kind: "missing_title", line: 1204, column: "Title", reason: "the title is empty", raw: "" },
        ],
      };
      row.log.push({ seq: row.log.length + 1, ...view(row) });
    })();
    return row;
  }
  const view = ({ log, ...row }) => ({ ...row });
  const shown = ({ chunks, events: _e, waiters, done, cut, ...run }) => run;

  const problem = (response, status, title, detail, code) => {
    response.writeHead(status, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ type: "about:blank", title, status, detail, code }));
  };
  const json = (response, body, status = 200) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };

  async function handle(request, response) {
    const url = new URL(request.url, "http://x");
    const path = url.pathname;
    const body = await read(request);
    const data = () => (body.length ? JSON.parse(body.toString()) : {});
    let m;
    if (path === "/api/v1/status") {
      return json(response, {
        shop: { name: "Hewn & Marl", name_zh: "阑珊衣铺", products: products.length, currency: "CNY", time_zone: "Asia/Shanghai" },
        model: { state: "rules", name: null, reason: null },
        version: "0.1.0",
        examples: {
          zh: ["300 元以下的红色连衣裙", "黑色大衣，通勤穿", "米色的帆布包"],
          en: ["A red dress under 300", "A black coat for work", "A sand canvas bag"],
        },
      });
    }
    if (path === "/api/chat" && request.method === "POST") {
      const { id: threadId, messages, locale } = data();
      const thread = threads.get(threadId) ?? newThread(null, "shopping", threadId);
      const said = messages.at(-1);
      const text = said.parts.filter((p) => p.type === "text").map((p) => p.text).join(" ");
      if (/\[busy\]/.test(text)) return problem(response, 429, "Too many questions at once", "The shop answers one question at a time here. Wait a moment.", "rate_limited");
      // an answer fails once a conversation, so that asking again helps
      const again = thread.messages.some((x) => x.metadata?.error);
      if (!thread.messages.some((x) => x.id === said.id)) thread.messages.push(said);
      const run = start(thread, { text: again ? text.replace(/\[fail\]/, "") : text, lang: locale === "zh" ? "zh" : "en", pictures: said.parts.filter((p) => p.type === "file").map((p) => p.url.split("/").pop()) });
      return stream(response, run);
    }
    if ((m = /^\/api\/chat\/([^/]+)\/stream$/.exec(path))) {
      const run = [...runs.values()].reverse().find((r) => r.thread === m[1]);
      if (!run || run.status !== "running") return response.writeHead(204).end();
      return stream(response, run);
    }
    if (path === "/api/v1/threads" && request.method === "POST") {
      const { title, agent } = data();
      if (title === "") return problem(response, 422, "No title", "A title has 1 to 200 characters.", "invalid");
      return json(response, strip(newThread(title ?? null, agent)), 201);
    }
    if (path === "/api/v1/threads") return json(response, { items: [...threads.values()].sort((a, b) => (a.updated < b.updated ? 1 : -1)).map(strip), next: null });
    if ((m = /^\/api\/v1\/threads\/([^/]+)(?:\/(\w+)(?:\/(.+))?)?$/.exec(path))) {
      const thread = threads.get(decodeURIComponent(m[1]));
      if (!thread) return problem(response, 404, "No such conversation", "This conversation is no longer here. It may have been deleted.", "thread_not_found");
      const [, , what, rest] = m;
      if (!what && request.method === "PATCH") thread.title = data().title;
      if (!what && request.method === "DELETE") return threads.delete(thread.id), response.writeHead(204).end();
      if (!what) return json(response, strip(thread));
      if (what === "messages") return json(response, { messages: thread.messages, conditions: standing(thread) });
      if (what === "history") return json(response, { items: [...thread.checkpoints].reverse().map(({ state, ...c }) => c) });
      if (what === "state") return json(response, { state: (thread.checkpoints.find((c) => c.id === url.searchParams.get("checkpoint")) ?? thread.checkpoints.at(-1))?.state ?? null });
      if (what === "fork") {
        const copy = newThread(`${thread.title ?? ""} ⑂`);
        copy.messages = structuredClone(thread.messages);
        return json(response, strip(copy), 201);
      }
      if (what === "conditions" && request.method === "DELETE") {
        const gone = decodeURIComponent(rest);
        const run = start(thread, { text: "", conditions: standing(thread).filter((c) => c.id !== gone), lang: url.searchParams.get("locale") ?? "en", pictures: [] });
        return json(response, { run: run.id }, 202);
      }
    }
    if (path === "/api/v1/runs") {
      const items = [...runs.values()].reverse().filter((r) => (!url.searchParams.get("status") || r.status === url.searchParams.get("status")) && (!url.searchParams.get("thread") || r.thread === url.searchParams.get("thread")));
      return json(response, { items: items.map(shown), next: null });
    }
    if ((m = /^\/api\/v1\/runs\/([^/]+)(?:\/(\w+))?$/.exec(path))) {
      const run = runs.get(m[1]);
      if (!run) return problem(response, 404, "No such run", "This run is no longer here.", "run_not_found");
      if (!m[2]) return json(response, shown(run));
      if (m[2] === "events") return events(response, () => run.events, () => run.status !== "running" && run.events.at(-1)?.body.type === "run_finished", Number(request.headers["last-event-id"] ?? 0), run.waiters);
      if (m[2] === "fork") {
        const from = threads.get(run.thread);
        const copy = newThread(`${from?.title ?? ""} ⑂`);
        copy.messages = structuredClone(from?.messages ?? []);
        return json(response, { thread: copy.id, run: null }, 201);
      }
      if (m[2] === "effects") return json(response, { items: [], next: null });
      if (m[2] === "cancel") {
        if (run.status === "running") run.status = "cancelled";
        [...run.waiters].forEach((w) => w());
        return json(response, shown(run), 202);
      }
    }
    if ((m = /^\/api\/v1\/graphs\/(\w+)$/.exec(path))) {
      return json(response, {
        name: m[1],
        mermaid: "graph TD",
        shape: {
          name: m[1],
          nodes: ["understand", "look", "model", "tools", "answer"].map((id) => ({ id, deferred: false })),
          edges: [
            ["__start__", "understand", "edge"], ["understand", "look", "branch"], ["understand", "model", "branch"], ["understand", "tools", "branch"], ["look", "model", "edge"],
            ["model", "tools", "branch"], ["tools", "model", "edge"], ["model", "answer", "branch"], ["tools", "answer", "branch"], ["answer", "__end__", "edge"],
          ].map(([from, to, kind]) => ({ from, to, kind })),
        },
      });
    }
    if (path === "/api/v1/files" && request.method === "POST") {
      const { type, bytes, name } = part(body, request.headers["content-type"]);
      if (!/^image\//.test(type)) return problem(response, 415, "Not a picture", "Only pictures can be added here: JPEG, PNG, WebP or GIF.", "unsupported_media");
      const file = id("fil");
      files.set(file, { type, bytes, name });
      return json(response, { id: file, url: `/api/v1/files/${file}`, media_type: type, width: 1, height: 1, bytes: bytes.length }, 201);
    }
    if ((m = /^\/api\/v1\/files\/([^/]+)$/.exec(path))) {
      const file = files.get(m[1]);
      response.writeHead(200, { "content-type": file?.type ?? "image/png" });
      return response.end(file?.bytes ?? PIXEL);
    }
    if ((m = /^\/api\/v1\/products\/([^/]+)(?:\/(\w+))?$/.exec(path))) {
      const product = byId.get(decodeURIComponent(m[1]));
      if (!product) return problem(response, 404, "No such product", "This product is no longer in the catalogue.", "product_not_found");
      const lang = url.searchParams.get("language") ?? "en";
      if (m[2] === "image") {
        response.writeHead(200, { "content-type": "image/svg+xml", "cache-control": "max-age=60" });
        return response.end(drawing(product, Number(url.searchParams.get("n") ?? 0)));
      }
      if (m[2] === "similar") return json(response, { items: products.filter((p) => p.kind === product.kind && p.id !== product.id).slice(0, 6).map((p) => card(p, lang)) });
      return json(response, full(product));
    }
    if (path === "/api/v1/imports/preview") {
      const form = /multipart/.test(request.headers["content-type"] ?? "");
      const { bytes, name } = form ? part(body, request.headers["content-type"]) : { bytes: Buffer.from("Handle,Title,Variant Price\na,Shirt,10\n"), name: data().url };
      const lines = bytes.toString("utf8").trim().split(/\r?\n/);
      if (!lines[0]?.includes(",")) return problem(response, 422, "Not a product file", "No columns were found in this file. A product file has a line of column names first.", "feed_unreadable");
      const columns = lines[0].split(",");
      const upload = id("fil");
      files.set(upload, { type: "text/csv", bytes, name });
      const fields = { title: "title", "variant price": "price", vendor: "brand", handle: "id", "image src": "image", "body (html)": "description", "variant sku": "sku" };
      return json(response, {
        upload,
        format: "shopify_csv",
        encoding: "UTF-8",
        columns: columns.map((c) => ({ name: c, maps_to: fields[c.toLowerCase()] ?? null })),
        rows: lines.slice(1, 7).map((l) => l.split(",")),
        warnings: columns.length > 3 ? ["The file names no currency; prices are read as CNY."] : [],
      });
    }
    if (path === "/api/v1/imports" && request.method === "POST") {
      const { upload, url: address } = data();
      return json(response, view(runImport(files.get(upload)?.name ?? address ?? "products.csv", 4440)), 202);
    }
    if (path === "/api/v1/imports") return json(response, { items: [...imports.values()].reverse().map(view), next: null });
    if ((m = /^\/api\/v1\/imports\/([^/]+)(?:\/([\w.]+))?$/.exec(path))) {
      const row = imports.get(m[1]);
      if (!row) return problem(response, 404, "No such import", "This import is no longer here.", "import_not_found");
      if (m[2] === "events") return events(response, () => row.log, () => row.state !== "running", 0);
      if (m[2] === "skipped.csv") {
        response.writeHead(200, { "content-type": "text/csv", "content-disposition": "attachment; filename=skipped.csv" });
        return response.end("line,column,reason\n812,Variant Price,not a number\n");
      }
      return json(response, view(row));
    }
    if (path.startsWith("/api/")) return problem(response, 404, "Not here", "This address is not served.", "not_found");
    return page(path, response);
  }

  async function page(path, response) {
    const wanted = normalize(path).replace(/^(\.\.[/\\])+/, "");
    for (const file of extname(wanted) ? [wanted] : ["index.html"]) {
      try {
        const content = await readFile(join(dist, file));
        response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-security-policy": CSP, "x-content-type-options": "nosniff" });
        return response.end(content);
      } catch {
        // falls through to the answer below
      }
    }
    return problem(response, 404, "Not here", "This address is not served.", "not_found");
  }

  const strip = ({ messages, checkpoints, ...t }) => ({ ...t, status: [...runs.values()].some((r) => r.thread === t.id && r.status === "running") ? "running" : "idle" });
  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      console.error(error);
      if (!response.headersSent) problem(response, 500, "It broke", String(error?.stack), "internal");
      else response.destroy();
    });
  });
  return { server, threads, runs, imports, start, newThread };
}

const read = (request) =>
  new Promise((resolve, reject) => {
    const parts = [];
    request.on("data", (p) => parts.push(p));
    request.on("end", () => resolve(Buffer.concat(parts)));
    request.on("error", reject);
  });

/** The first part of a multipart body. */
function part(body, type) {
  const boundary = `--${/boundary=(.+)$/.exec(type)[1]}`;
  const start = body.indexOf("\r\n\r\n") + 4;
  const end = body.indexOf(`\r\n${boundary}`, start);
  const head = body.subarray(0, start).toString("utf8");
  return { bytes: body.subarray(start, end), type: /content-type: (\S+)/i.exec(head)?.[1] ?? "", name: /filename="([^"]*)"/.exec(head)?.[1] ?? "file" };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = Number(process.env.PORT ?? 8787);
  world({ pace: Number(process.env.PACE ?? 12) }).server.listen(port, "127.0.0.1", () => console.log(`fake shop on http://127.0.0.1:${port}`));
}
