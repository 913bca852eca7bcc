/** Calls to our own server. Each returns a read value or throws a `Problem` with words for people. */
import * as read from "./read";
import { events } from "./sse";
import type {
  Card, Checkpoint, Condition, Effect, FileRow, GraphShape, ImportRow, Lang, Page, Preview, Product, RunEvent, RunPath, RunRow, Status, ThreadRow,
} from "./types";

export type ProblemKind = "offline" | "gone" | "forbidden" | "busy" | "too_large" | "server" | "refused";

/** Something did not work: what the server said of it, and of which kind it is. */
export class Problem extends Error {
  constructor(readonly kind: ProblemKind, readonly status: number, readonly title: string | null, readonly detail: string | null, readonly code: string | null) {
    super(detail ?? title ?? kind);
    this.name = "Problem";
  }
}

export const base = "/api/v1";
const enc = encodeURIComponent;

function kindOf(status: number): ProblemKind {
  if (status === 404 || status === 410) return "gone";
  if (status === 401 || status === 403) return "forbidden";
  if (status === 413) return "too_large";
  if (status === 409 || status === 429) return "busy";
  return status >= 500 ? "server" : "refused";
}

export async function problemOf(response: Response): Promise<Problem> {
  let raw: read.Json = {};
  try {
    if (/json/.test(response.headers.get("content-type") ?? "")) raw = read.object(await response.json());
  } catch {
    // a broken body says nothing more than its status
  }
  return new Problem(kindOf(response.status), response.status, read.text(raw.title), read.text(raw.detail), read.text(raw.code));
}

let tongue: Lang = "zh";

/** In which language the server should word problems and warnings. */
export function speak(lang: Lang): void {
  tongue = lang;
}

export async function call(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    const headers = new Headers(init.headers);
    headers.set("accept-language", tongue);
    response = await fetch(path, { ...init, headers });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Problem("offline", 0, null, null, null);
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

export const json = (path: string, signal?: AbortSignal): Promise<unknown> =>
  call(path, { signal: signal ?? null, headers: { accept: "application/json" } }).then((r) => r.json());

/** Every POST that acts carries a key, so that a repeat after a lost answer does not act twice. */
export async function act(method: string, path: string, body?: unknown): Promise<unknown> {
  const form = body instanceof FormData;
  const response = await call(path, {
    method,
    headers: {
      accept: "application/json",
      ...(method === "POST" ? { "idempotency-key": key() } : {}),
      ...(body !== undefined && !form ? { "content-type": "application/json" } : {}),
    },
    body: body === undefined ? null : form ? body : JSON.stringify(body),
  });
  const words = await response.text();
  return words === "" ? null : JSON.parse(words);
}

export function key(): string {
  // `randomUUID` is only there in secure contexts; a shop may well run on plain http in its own network
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}

export function query(parameters: Record<string, string | number | null | undefined>): string {
  const parts = Object.entries(parameters).filter(([, v]) => v !== null && v !== undefined && v !== "");
  return parts.length === 0 ? "" : `?${parts.map(([k, v]) => `${enc(k)}=${enc(String(v))}`).join("&")}`;
}

export const status = async (signal?: AbortSignal): Promise<Status> => read.status(await json(`${base}/status`, signal));

export const threads = async (agent: string, before?: string | null, signal?: AbortSignal): Promise<Page<ThreadRow>> =>
  read.page(await json(`${base}/threads${query({ agent, limit: 30, before })}`, signal), read.thread);
export const thread = async (id: string): Promise<ThreadRow> => read.thread(await json(`${base}/threads/${enc(id)}`));
export const createThread = async (agent: string, title: string): Promise<ThreadRow> => read.thread(await act("POST", `${base}/threads`, title === "" ? { agent } : { agent, title }));
export const renameThread = (id: string, title: string): Promise<unknown> => act("PATCH", `${base}/threads/${enc(id)}`, { title });
export const deleteThread = (id: string): Promise<unknown> => act("DELETE", `${base}/threads/${enc(id)}`);
/** What was said, and the conditions that stand, when the server says them apart from the messages. */
export const messages = async (id: string): Promise<{ messages: unknown[]; conditions: Condition[] | null }> => {
  const raw = read.object(await json(`${base}/threads/${enc(id)}/messages`));
  return { messages: read.list(raw.messages), conditions: Array.isArray(raw.conditions) ? read.conditions(raw.conditions) : null };
};
export const removeCondition = (thread: string, id: string, locale: string): Promise<unknown> =>
  act("DELETE", `${base}/threads/${enc(thread)}/conditions/${enc(id)}${query({ locale })}`);
export const history = async (thread: string): Promise<Checkpoint[]> =>
  read.page(await json(`${base}/threads/${enc(thread)}/history?limit=200`), read.checkpoint).items;
export const stateAt = async (thread: string, checkpoint: string | null): Promise<unknown> => {
  const answer = await json(`${base}/threads/${enc(thread)}/state${query({ checkpoint })}`);
  return read.object(answer).state ?? answer;
};
export const fork = async (thread: string, checkpoint: string | null): Promise<ThreadRow> =>
  read.thread(await act("POST", `${base}/threads/${enc(thread)}/fork`, checkpoint === null ? {} : { checkpoint }));

export const runs = async (filter: { agent?: string; thread?: string; status?: string; limit?: number; before?: string | null }, signal?: AbortSignal): Promise<Page<RunRow>> =>
  read.page(await json(`${base}/runs${query({ limit: 50, ...filter })}`, signal), read.run);
export const run = async (id: string, signal?: AbortSignal): Promise<RunRow> => read.run(await json(`${base}/runs/${enc(id)}`, signal));
export const cancelRun = (id: string): Promise<unknown> => act("POST", `${base}/runs/${enc(id)}/cancel`);
/** The graph as the run met it; of a server that does not tell it, the graph of its agent. */
export const runPath = async (id: string): Promise<RunPath> => read.runPath(await json(`${base}/runs/${enc(id)}/graph`));
export const effects = async (id: string, signal?: AbortSignal): Promise<Effect[]> => read.page(await json(`${base}/runs/${enc(id)}/effects`, signal), read.effect).items;
export const settleEffect = (id: string, key: string, happened: boolean, result: unknown): Promise<unknown> =>
  act("POST", `${base}/runs/${enc(id)}/effects/settle`, happened ? { key, happened, result } : { key, happened });
/** Answers the questions of a waiting run, or goes on with one that stopped. */
export const resumeRun = (id: string, body: { answers?: Record<string, unknown>; step_limit?: number }): Promise<unknown> => act("POST", `${base}/runs/${enc(id)}/resume`, body);
export const forkRun = async (id: string, checkpoint: string | null, goOn: boolean): Promise<{ thread: string; run: string | null }> => {
  const made = read.object(await act("POST", `${base}/runs/${enc(id)}/fork`, { ...(checkpoint === null ? {} : { checkpoint }), go_on: goOn }));
  return { thread: read.text(made.thread) ?? "", run: read.text(made.run) };
};
export const graph = async (agent: string): Promise<GraphShape> => read.graph(await json(`${base}/graphs/${enc(agent)}`));

export async function upload(picture: File): Promise<FileRow> {
  const form = new FormData();
  form.append("file", picture, picture.name || "picture");
  return read.file(await act("POST", `${base}/files`, form));
}

export const product = async (id: string, lang: Lang, signal?: AbortSignal): Promise<Product> => {
  const found = read.product(await json(`${base}/products/${enc(id)}${query({ language: lang })}`, signal), lang);
  if (found === null) throw new Problem("gone", 404, null, null, null);
  return found;
};
export const similar = async (id: string, lang: Lang, signal?: AbortSignal): Promise<Card[]> =>
  read.cards(await json(`${base}/products/${enc(id)}/similar${query({ limit: 6, language: lang })}`, signal), lang);

export async function previewImport(source: File | string): Promise<Preview> {
  if (typeof source === "string") return read.preview(await act("POST", `${base}/imports/preview`, { url: source }));
  const form = new FormData();
  form.append("file", source, source.name);
  return read.preview(await act("POST", `${base}/imports/preview`, form));
}
export const startImport = async (request: { upload?: string; url?: string; format?: string; mapping?: { columns: Record<string, string> }; currency?: string }): Promise<ImportRow> =>
  read.importRow(await act("POST", `${base}/imports`, request));
export const imports = async (signal?: AbortSignal): Promise<Page<ImportRow>> => read.page(await json(`${base}/imports`, signal), read.importRow);
export const importOf = async (id: string, signal?: AbortSignal): Promise<ImportRow> => read.importRow(await json(`${base}/imports/${enc(id)}`, signal));
export const skippedUrl = (id: string): string => `${base}/imports/${enc(id)}/skipped.csv`;

/**
 * Follows a stream of events until it ends, `stop` is aborted, or `take` answers false. A cut line is taken up again
 * with `Last-Event-ID`, at first after a third of a second, later after ten.
 */
export async function follow(path: string, take: (event: { id: string | null; data: unknown }) => boolean, stop: AbortSignal): Promise<void> {
  let last: string | null = null;
  let wait = 333;
  while (!stop.aborted) {
    try {
      const response: Response = await call(path, { signal: stop, headers: { accept: "text/event-stream", ...(last === null ? {} : { "last-event-id": last }) } });
      if (response.status === 204 || response.body === null) return;
      for await (const event of events(response.body)) {
        wait = 333;
        if (event.id !== null) last = event.id;
        if (event.data === "[DONE]") return;
        let data: unknown;
        try {
          data = JSON.parse(event.data);
        } catch {
          continue;
        }
        if (stop.aborted || !take({ id: event.id, data })) return;
      }
    } catch (cause) {
      if (stop.aborted) return;
      if (cause instanceof Problem && cause.kind !== "offline" && cause.kind !== "server" && cause.kind !== "busy") throw cause;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(10_000, wait * 2);
  }
}

export const followRun = (id: string, take: (event: RunEvent) => boolean, stop: AbortSignal): Promise<void> =>
  follow(`${base}/runs/${enc(id)}/events`, (event) => take(read.runEvent(event.data)), stop);
export const followImport = (id: string, take: (row: ImportRow) => boolean, stop: AbortSignal): Promise<void> =>
  follow(`${base}/imports/${enc(id)}/events`, (event) => take(read.importRow(event.data)), stop);
