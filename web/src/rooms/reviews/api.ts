/** The review analyst's calls. Fields are as the server names them; anything may be missing. */
import { act, base, call, follow, json, query } from "../../api/client";
import { list, object } from "../../api/read";
import { events } from "../../api/sse";

const enc = encodeURIComponent;
const root = `${base}/reviews`;

export type Filter = Record<string, string>;

/** A number with its 95 % interval, in percent, and the query that opens the reviews behind it. */
export interface Share {
  count: number;
  n: number;
  percent: number;
  low: number;
  high: number;
  filter?: Filter;
}

export interface Dataset {
  id: string;
  name?: string;
  demo?: boolean;
  reviews?: number;
  version?: number;
  from?: string | null;
  to?: string | null;
  updated?: string;
}

export interface Overview {
  reviews: number;
  products?: number;
  sentiment?: { positive?: Share; neutral?: Share; negative?: Share };
  rating?: { mean: number; shrunk?: number; low?: number; high?: number; n?: number; stars?: { stars: number; count: number; percent: number; filter?: Filter }[] } | null;
  health?: { score?: number; low?: number; high?: number; n?: number; components?: { name: string; weight: number; value: number }[]; note?: string; refused?: string };
  spam?: { low: number; high: number; suspect?: number; n?: number; note?: string; filter?: Filter };
  languages?: { language: string; count: number; percent: number; filter?: Filter }[];
  demo?: boolean;
}

export interface Sentiment {
  series?: { start: string; reviews: number; rating?: number | null; negative?: Share; positive?: Share; partial?: boolean }[];
  anomalies?: { day: string; to?: string; kind: string; text?: string; p?: number; test?: string; n?: number; filter?: Filter }[];
  anomaly_note?: string;
  dimensions?: { dimension: string; label?: string; mentions: number; positive?: Share; negative?: Share; filter?: Filter }[];
  variants?: { variant: string; name?: string; reviews: number; rating?: number | null; negative?: Share; filter?: Filter }[];
}

export interface Complaint {
  id: string;
  title: string;
  count: number;
  share?: Share;
  severity?: number;
  trend?: { direction: string; recent?: Share; before?: Share; p?: number };
  since?: string | null;
  causes?: { kind: string; value: string; lift?: number; q?: number; with?: Share }[];
  quotes?: { id: string; text: string; at?: string; rating?: number; product?: string }[];
  filter?: Filter;
}

export interface Topic {
  topic: number;
  label?: string;
  words?: { word: string; weight: number }[];
  share?: Share;
  negative?: Share;
  filter?: Filter;
}

export interface Segments {
  refused?: string;
  meaning?: string;
  users?: number;
  cells?: { segment: string; label?: string; users: number; percent: number; low?: number; high?: number; n?: number; recency?: number; frequency?: number; monetary?: number }[];
  clusters?: { cluster: number; label?: string; users: number; percent: number; recency?: number; frequency?: number; monetary?: number; rating?: number | null; filter?: Filter }[];
}

export interface Review {
  id: string;
  product?: string;
  product_name?: string | null;
  user?: string;
  rating?: number | null;
  title?: string | null;
  text?: string;
  at?: string | null;
  verified?: boolean | null;
  variant?: string | null;
  polarity?: string;
  highlights?: [number, number][];
  spam?: string[];
}

export interface Citation {
  n: number;
  tool?: string;
  path?: string;
  text?: string;
  review_ids?: string[];
  filter?: Filter;
}

export interface Answer {
  answer: string;
  tools_used?: string[];
  fallback?: boolean;
  citations?: Citation[];
  charts?: { kind: string; title: string; unit?: string; points: { label: string; value: number; low?: number; high?: number; filter?: Filter }[] }[];
}

export interface Job {
  id: string;
  dataset: string;
  state: "running" | "done" | "failed" | "cancelled";
  phase?: string;
  rows?: number;
  bytes?: number;
  total_bytes?: number;
  rate?: number;
  seconds_left?: number | null;
  name?: string;
  report?: { rows?: number; added?: number; updated?: number; unchanged?: number; skipped?: number; problems?: { kind: string; count: number; samples?: string[] }[]; warnings?: string[] } | null;
  error?: string | null;
}

export interface Preview {
  upload: string;
  name?: string;
  format?: string;
  encoding?: string;
  columns: { name: string; maps_to: string | null }[];
  fields?: string[];
  rows?: string[][];
  warnings?: string[];
}

export const datasets = async (signal?: AbortSignal): Promise<Dataset[]> => list(object(await json(`${root}/datasets`, signal)).items) as Dataset[];
export const remove = (id: string) => act("DELETE", `${root}/datasets/${enc(id)}`);
export const analysis = async <T>(dataset: string, kind: string, parameters: Record<string, string | number> = {}, signal?: AbortSignal): Promise<T> =>
  (await json(`${root}/datasets/${enc(dataset)}/analysis/${enc(kind)}${query(parameters)}`, signal)) as T;
export const reviews = async (dataset: string, filter: Filter, offset: number, signal?: AbortSignal): Promise<{ total: number; items: Review[] }> => {
  const raw = object(await json(`${root}/datasets/${enc(dataset)}/reviews${query({ limit: 30, ...filter, offset })}`, signal));
  return { total: typeof raw.total === "number" ? raw.total : 0, items: list(raw.items) as Review[] };
};

export async function preview(file: File): Promise<Preview> {
  const form = new FormData();
  form.append("file", file, file.name);
  const raw = object(await act("POST", `${root}/preview`, form));
  return { ...raw, columns: list(raw.columns) } as unknown as Preview;
}
export const startImport = async (body: { upload: string; dataset: string; mapping?: Record<string, string>; format?: string }): Promise<Job> => (await act("POST", `${root}/imports`, body)) as Job;
export const job = async (id: string, signal?: AbortSignal): Promise<Job> => (await json(`${root}/imports/${enc(id)}`, signal)) as Job;
export const cancelJob = async (id: string): Promise<Job> => (await act("POST", `${root}/imports/${enc(id)}/cancel`)) as Job;
export const skippedUrl = (id: string): string => `${root}/imports/${enc(id)}/skipped.csv`;
export const followJob = (id: string, take: (job: Job) => boolean, stop: AbortSignal) => follow(`${root}/imports/${enc(id)}/events`, ({ data }) => take(data as Job), stop);

export const ask = async (dataset: string, question: string, history: { role: string; content: string }[]): Promise<Answer> =>
  (await act("POST", "/agent/summary/ask", { dataset_id: dataset, question, history })) as Answer;

export interface Told {
  event: string;
  data: Record<string, unknown>;
}

/** Writes a whole report; each part is given as it comes. */
export async function generate(dataset: string, language: string, take: (told: Told) => void, stop: AbortSignal): Promise<void> {
  const response = await call("/agent/summary/generate", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ dataset_id: dataset, language }),
    signal: stop,
  });
  if (response.body === null) return;
  for await (const event of events(response.body)) {
    if (event.event === null) continue;
    try {
      take({ event: event.event, data: object(JSON.parse(event.data)) });
    } catch {
      // a half-written line is no part of the report
    }
  }
}
