/**
 * What the server says and takes, by hand until `npm run types` can read the OpenAPI document.
 * Everything that arrives passes through `read.ts` first, so the rooms may trust these shapes.
 */

export type Lang = "zh" | "en";

export interface Status {
  shop: { name: string; nameZh: string | null; products: number; currency: string | null; timeZone: string | null };
  model: { state: "model" | "rules" | "trouble"; name: string | null; reason: string | null };
  version: string;
  examples: { zh: string[]; en: string[] };
}

export type Availability = "in_stock" | "preorder" | "backorder" | "out_of_stock" | "unknown";

export interface OptionGroup {
  name: string;
  values: string[];
}

/** A product as it stands on a card; every word of it comes from the catalogue. */
export interface Card {
  id: string;
  title: string;
  brand: string | null;
  priceText: string | null;
  listPriceText: string | null;
  image: string | null;
  availability: Availability;
  colours: string[];
  matched: string[];
  options: OptionGroup[];
  why: string[];
}

export interface Variant {
  sku: string;
  options: Record<string, string>;
  priceText: string | null;
  listPriceText: string | null;
  stock: number | null;
  availability: Availability;
  /** Which of the product's pictures shows it. */
  picture: number | null;
}

export interface Product {
  id: string;
  title: string;
  description: string;
  brand: string | null;
  category: string[];
  priceText: string | null;
  listPriceText: string | null;
  availability: Availability;
  images: string[];
  facts: { key: FactKey; values: string[] }[];
  attributes: { name: string; value: string }[];
  variants: Variant[];
  url: string | null;
  rating: number | null;
}

export type FactKey = "colour" | "material" | "gender" | "age" | "season" | "usage";

export interface Condition {
  id: string;
  label: string;
  field: string;
  image: string | null;
}

export interface ThreadRow {
  id: string;
  title: string | null;
  agent: string;
  created: string;
  updated: string;
  status: string | null;
}

export interface FileRow {
  id: string;
  url: string;
  mediaType: string;
  width: number | null;
  height: number | null;
  bytes: number | null;
}

export type RunStatus = "queued" | "running" | "interrupted" | "done" | "failed" | "cancelled" | "step_limit";

export interface RunRow {
  id: string;
  thread: string;
  agent: string;
  status: RunStatus;
  created: string;
  updated: string;
  steps: number;
  error: string | null;
  errorCode: string | null;
  metadata: unknown;
  /** Tokens in and out, money and time of the model's calls, when a model was asked. */
  usage: RunUsage | null;
  /** What waits for an answer. */
  waiting: Question[];
}

export interface RunUsage {
  calls: number;
  promptTokens: number;
  completionTokens: number;
  cost: string | null;
}

export interface Question {
  id: string;
  node: string | null;
  payload: unknown;
  schema: unknown;
}

export interface Effect {
  key: string;
  name: string;
  facts: string[];
  open: boolean;
  started: string | null;
  result: unknown;
}

/** The graph of a run with the way it took. */
export interface RunPath {
  shape: GraphShape;
  changed: boolean;
  taken: { from: string; to: string; times: number }[];
}

export type RunEventKind =
  | "run_started"
  | "run_resumed"
  | "task_started"
  | "task_retried"
  | "task_finished"
  | "message_delta"
  | "message_restarted"
  | "custom"
  | "checkpoint"
  | "interrupted"
  | "run_finished"
  | "other";

export interface RunEvent {
  /** Rises each time another worker takes the run up; unsaved events of an earlier epoch may be told again with the same numbers. */
  epoch: number;
  seq: number;
  at: string;
  step: number | null;
  node: string | null;
  kind: RunEventKind;
  /** The name of a custom event. */
  name: string | null;
  body: Record<string, unknown>;
}

export interface Checkpoint {
  id: string;
  step: number;
  at: string;
  nodes: string[];
  next: string[];
  updates: unknown;
}

export interface GraphShape {
  name: string;
  nodes: string[];
  edges: { from: string; to: string; label: string | null; branch: boolean }[];
  entry: string[];
  mermaid: string | null;
}

export interface Preview {
  upload: string;
  format: string;
  /** How sure the guess of the format is, 0 to 1. */
  confidence: number | null;
  encoding: string | null;
  columns: { name: string; mapsTo: string | null }[];
  rows: string[][];
  warnings: string[];
  problems: { kind: string; sample: ProblemSample }[];
  total: number | null;
}

export type ImportState = "queued" | "running" | "done" | "failed" | "cancelled";

export interface ImportRow {
  id: string;
  state: ImportState;
  source: string | null;
  format: string | null;
  rows: number;
  products: number;
  skipped: number;
  /** Rows of the whole feed, when it is known. */
  total: number | null;
  /** Share done, 0 to 1, when it is known. */
  share: number | null;
  rate: number | null;
  secondsLeft: number | null;
  created: string | null;
  updated: string | null;
  error: string | null;
  changes: { added: number; changed: number; removed: number; unchanged: number } | null;
  problems: { kind: string; count: number; samples: ProblemSample[] }[];
}

export interface ProblemSample {
  line: number | null;
  column: string | null;
  reason: string | null;
  raw: string | null;
}

export interface Page<T> {
  items: T[];
  next: string | null;
}
