/**
 * Readers of what the server sends. They are lenient: a field that is missing or of another kind becomes
 * "unknown", never a broken page. Names follow the server's JSON on the left and ours on the right.
 */
import type {
  Availability, Card, Checkpoint, Condition, Effect, FactKey, FileRow, GraphShape, ImportRow, ImportState, Lang, OptionGroup, Page, Preview,
  ProblemSample, Product, Question, RunEvent, RunEventKind, RunPath, RunRow, RunStatus, RunUsage, Status, ThreadRow, Variant,
} from "./types";

export type Json = Record<string, unknown>;

export const object = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : typeof value === "number" ? String(value) : null;
export const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
const texts = (value: unknown): string[] =>
  typeof value === "string" ? (value === "" ? [] : [value]) : list(value).map(text).filter((t): t is string => t !== null);
const snake = (value: string): string => value.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();

/** A text that may be plain or `{zh, en}`. */
export function localized(value: unknown, lang: Lang): string | null {
  const plain = text(value);
  if (plain !== null) return plain;
  const both = object(value);
  return text(both[lang]) ?? text(both.en) ?? text(both.zh);
}

/** An amount as people read it: the server's own text, or `{minor, currency}`. */
export function money(value: unknown, currency: unknown, lang: Lang): string | null {
  const plain = typeof value === "string" ? text(value) : null;
  if (plain !== null) return plain;
  const parts = object(value);
  const minor = number(parts.minor);
  const code = text(parts.currency) ?? text(currency);
  if (minor === null || code === null) return null;
  try {
    const style = { style: "currency", currency: code, currencyDisplay: "narrowSymbol" } as const;
    const tag = lang === "zh" ? "zh-CN" : "en";
    const digits = new Intl.NumberFormat(tag, style).resolvedOptions().maximumFractionDigits ?? 2;
    const unit = 10 ** digits;
    return new Intl.NumberFormat(tag, { ...style, minimumFractionDigits: minor % unit === 0 ? 0 : digits }).format(minor / unit);
  } catch {
    return `${code} ${(minor / 100).toFixed(2)}`;
  }
}

const AVAILABILITIES: Availability[] = ["in_stock", "preorder", "backorder", "out_of_stock", "unknown"];

export function availability(value: unknown): Availability {
  const word = snake(text(value) ?? "unknown");
  return AVAILABILITIES.find((known) => known === word) ?? "unknown";
}

export function options(value: unknown): OptionGroup[] {
  const groups = Array.isArray(value)
    ? value.map((entry) => {
        if (Array.isArray(entry)) return { name: text(entry[0]) ?? "", values: texts(entry[1]) };
        const group = object(entry);
        return { name: text(group.name) ?? "", values: texts(group.values ?? group.value) };
      })
    : Object.entries(object(value)).map(([name, values]) => ({ name, values: texts(values) }));
  return groups.filter((group) => group.values.length > 0);
}

export function card(value: unknown, lang: Lang): Card | null {
  const raw = object(value);
  const id = text(raw.id);
  if (id === null) return null;
  return {
    id,
    title: localized(raw.title, lang) ?? id,
    brand: text(raw.brand),
    priceText: text(raw.price_text) ?? money(raw.price, raw.currency, lang),
    listPriceText: text(raw.list_price_text) ?? money(raw.list_price, raw.currency, lang),
    image: sameOrigin(raw.image),
    availability: availability(raw.availability),
    colours: texts(raw.colours),
    matched: texts(raw.matched),
    options: options(raw.options),
    why: texts(raw.why),
  };
}

export const cards = (value: unknown, lang: Lang): Card[] =>
  list(object(value).products ?? object(value).items ?? value)
    .map((entry) => card(entry, lang))
    .filter((c): c is Card => c !== null);

/** Pictures come from our own server only: a path, never another host. */
export function sameOrigin(value: unknown): string | null {
  const path = text(value);
  return path !== null && /^\/(?!\/)/.test(path) ? path : null;
}

const nameOfPicture = (value: unknown): string | null => text(object(value).file) ?? text(object(value).source);

function variant(value: unknown, lang: Lang, pictures: (string | null)[]): Variant {
  const raw = object(value);
  const own = nameOfPicture(raw.image);
  const chosen: Record<string, string> = {};
  for (const [name, option] of Object.entries(object(raw.options))) chosen[name] = text(option) ?? "";
  const stock = raw.stock;
  return {
    sku: text(raw.sku) ?? "",
    options: chosen,
    priceText: text(raw.price_text) ?? money(raw.price, raw.currency, lang),
    listPriceText: text(raw.list_price_text) ?? money(raw.list_price, raw.currency, lang),
    stock: number(object(stock).pieces) ?? number(stock),
    availability: availability(raw.availability),
    picture: own !== null && pictures.includes(own) ? pictures.indexOf(own) : null,
  };
}

export function product(value: unknown, lang: Lang): Product | null {
  const outer = object(value);
  const raw = Object.keys(object(outer.product)).length > 0 ? object(outer.product) : outer;
  const id = text(raw.id);
  if (id === null) return null;
  const shown = card({ ...object(outer.card), ...raw }, lang);
  const variants = list(raw.variants).map((v) => variant(v, lang, list(raw.images).map(nameOfPicture)));
  const best = AVAILABILITIES.find((word) => variants.some((v) => v.availability === word)) ?? "unknown";
  const prices = [...new Set(variants.map((v) => v.priceText).filter((p): p is string => p !== null))];
  const pictures = list(raw.images).map((entry, n) => sameOrigin(object(entry).url ?? entry) ?? `/api/v1/products/${encodeURIComponent(id)}/image?n=${n}`);
  const facts: Product["facts"] = [];
  const fact = (key: FactKey, values: string[]) => {
    if (values.length > 0) facts.push({ key, values });
  };
  fact("colour", texts(raw.colours));
  fact("material", texts(raw.materials ?? raw.material));
  fact("gender", texts(raw.gender));
  fact("age", texts(raw.age_group));
  fact("season", texts(raw.seasons ?? raw.season));
  fact("usage", texts(raw.usage));
  const rating = number(raw.rating_centistars);
  return {
    id,
    title: shown?.title ?? id,
    description: localized(raw.description, lang) ?? "",
    brand: text(raw.brand),
    category: list(raw.category).map((level) => localized(level, lang)).filter((l): l is string => l !== null),
    priceText: shown?.priceText ?? (prices.length > 1 ? `${prices[0]} – ${prices.at(-1)}` : (prices[0] ?? null)),
    listPriceText: shown?.listPriceText ?? variants.find((v) => v.listPriceText)?.listPriceText ?? null,
    availability: raw.availability === undefined ? best : availability(raw.availability),
    images: pictures.length > 0 ? pictures : shown?.image ? [shown.image] : [],
    facts,
    attributes: Object.entries(object(raw.attributes)).map(([name, v]) => ({ name, value: text(v) ?? JSON.stringify(v) })),
    variants,
    url: text(raw.url),
    rating: rating === null ? null : rating / 100,
  };
}

export function status(value: unknown): Status {
  const raw = object(value);
  const shop = object(raw.shop);
  const model = object(raw.model);
  const state = text(model.state);
  const examples = object(raw.examples);
  return {
    shop: { name: localized(shop.name, "en") ?? "Mercer", nameZh: text(shop.name_zh) ?? localized(shop.name, "zh"), products: number(shop.products) ?? 0, currency: text(shop.currency), timeZone: text(shop.time_zone) },
    model: {
      state: state === "model" || state === "rules" || state === "trouble" ? state : "rules",
      name: text(model.name),
      reason: text(model.reason),
    },
    version: text(raw.version) ?? "",
    examples: { zh: texts(examples.zh), en: texts(examples.en) },
  };
}

export function conditions(value: unknown): Condition[] {
  return list(object(value).conditions ?? value)
    .map(object)
    .filter((raw) => text(raw.id) !== null)
    .map((raw) => ({ id: text(raw.id) ?? "", label: text(raw.label) ?? text(raw.id) ?? "", field: snake(text(raw.field) ?? ""), image: sameOrigin(raw.image) }));
}

export function thread(value: unknown): ThreadRow {
  const raw = object(value);
  return {
    id: text(raw.id) ?? text(raw.thread) ?? text(raw.thread_id) ?? "",
    title: text(raw.title),
    agent: text(raw.agent) ?? "",
    created: text(raw.created) ?? "",
    updated: text(raw.updated) ?? text(raw.created) ?? "",
    status: text(raw.status) === null ? null : snake(text(raw.status) ?? ""),
  };
}

export function page<T>(value: unknown, read: (entry: unknown) => T): Page<T> {
  const raw = object(value);
  return { items: list(raw.items ?? value).map(read), next: text(raw.next) };
}

export function file(value: unknown): FileRow {
  const raw = object(value);
  const id = text(raw.id) ?? "";
  return {
    id,
    url: sameOrigin(raw.url) ?? `/api/v1/files/${id}`,
    mediaType: text(raw.media_type) ?? "image/jpeg",
    width: number(raw.width),
    height: number(raw.height),
    bytes: number(raw.bytes),
  };
}

const RUN_STATES: RunStatus[] = ["queued", "running", "interrupted", "done", "failed", "cancelled", "step_limit"];

export function run(value: unknown): RunRow {
  const raw = object(value);
  const word = snake(text(raw.status) ?? "queued");
  return {
    id: text(raw.id) ?? "",
    thread: text(raw.thread) ?? text(raw.thread_id) ?? "",
    agent: text(raw.agent) ?? "",
    status: RUN_STATES.find((known) => known === word) ?? "queued",
    created: text(raw.created) ?? "",
    updated: text(raw.updated) ?? "",
    steps: number(raw.steps) ?? 0,
    error: text(raw.error) ?? text(object(raw.error).message),
    errorCode: text(raw.error_code),
    metadata: raw.metadata ?? null,
    usage: usage(raw.usage),
    waiting: list(raw.waiting).map(question),
  };
}

function usage(value: unknown): RunUsage | null {
  const raw = object(value);
  const calls = number(raw.calls);
  if (calls === null || calls === 0) return null;
  return { calls, promptTokens: number(raw.prompt_tokens) ?? 0, completionTokens: number(raw.completion_tokens) ?? 0, cost: text(raw.cost_text) ?? text(raw.cost) };
}

function question(value: unknown): Question {
  const raw = object(value);
  return { id: text(raw.id) ?? "", node: text(raw.node), payload: raw.payload ?? null, schema: raw.schema ?? null };
}

export function effect(value: unknown): Effect {
  const raw = object(value);
  return { key: text(raw.key) ?? "", name: text(raw.name) ?? "", facts: texts(raw.facts), open: raw.state === "open", started: text(raw.started), result: raw.result ?? null };
}

export function runPath(value: unknown): RunPath {
  const raw = object(value);
  return {
    shape: graph(value),
    changed: raw.changed === true,
    taken: list(raw.taken).map((entry) => ({ from: text(object(entry).from) ?? "", to: text(object(entry).to) ?? "", times: number(object(entry).times) ?? 1 })),
  };
}

const EVENTS: RunEventKind[] = [
  "run_started", "run_resumed", "task_started", "task_retried", "task_finished", "message_delta", "message_restarted", "custom", "checkpoint", "interrupted", "run_finished",
];

export function runEvent(value: unknown): RunEvent {
  const raw = object(value);
  const body = object(raw.body ?? raw);
  const word = snake(text(body.type) ?? "other");
  return {
    epoch: number(raw.epoch) ?? 0,
    seq: number(raw.seq) ?? 0,
    at: text(raw.at) ?? "",
    step: number(raw.step),
    node: text(raw.node) ?? text(body.node),
    kind: EVENTS.find((known) => known === word) ?? "other",
    name: text(body.name),
    body,
  };
}

export function checkpoint(value: unknown): Checkpoint {
  const raw = object(value);
  return {
    id: text(raw.id) ?? "",
    step: number(raw.step) ?? 0,
    at: text(raw.at) ?? "",
    nodes: texts(raw.nodes ?? raw.node),
    next: texts(raw.next),
    updates: raw.updates ?? null,
  };
}

/** Graph shapes: nodes as names or `{name}`, edges as pairs or `{from, to}`, conditions as `{from, to: […]}`. */
export function graph(value: unknown): GraphShape {
  const outer = object(value);
  const raw = object(outer.shape ?? outer);
  const nodes = list(raw.nodes).map((n) => text(n) ?? text(object(n).name) ?? text(object(n).id)).filter((n): n is string => n !== null);
  const edges: GraphShape["edges"] = [];
  const add = (from: unknown, to: unknown, branch: boolean, label: unknown) => {
    for (const start of texts(from)) for (const end of texts(to)) {
      if (!edges.some((e) => e.from === start && e.to === end)) edges.push({ from: start, to: end, branch, label: text(label) });
    }
  };
  for (const entry of list(raw.edges)) {
    const pair = object(entry);
    if (Array.isArray(entry)) add(entry[0], entry[1], false, null);
    else add(pair.from ?? pair.source, pair.to ?? pair.target, pair.conditional === true || !["edge", "join"].includes(text(pair.kind) ?? "edge"), pair.label);
  }
  const branches = raw.conditions ?? raw.branches;
  if (Array.isArray(branches)) {
    for (const entry of branches) {
      const pair = object(entry);
      if (Array.isArray(entry)) add(entry[0], entry[1], true, null);
      else add(pair.from ?? pair.node, pair.to ?? pair.targets ?? pair.choices, true, pair.label);
    }
  } else {
    for (const [from, to] of Object.entries(object(branches))) add(from, to, true, null);
  }
  const entry = texts(raw.entry ?? raw.start);
  for (const edge of edges) for (const end of [edge.from, edge.to]) if (!nodes.includes(end)) nodes.push(end);
  return { name: text(outer.name) ?? text(raw.name) ?? "", nodes, edges, entry, mermaid: text(outer.mermaid) };
}

const NO_CURRENCY = /does not name a currency/i;

export function preview(value: unknown): Preview {
  const raw = object(value);
  // the server names a part of the feed by its file there, which says nothing about an upload
  const part = text(raw.part);
  const plain = (words: string) => (part !== null && text(raw.upload) !== null && words.startsWith(`${part}: `) ? words.slice(part.length + 2) : words);
  const warnings = list(raw.warnings).map((w) => plain(text(w) ?? text(object(w).message) ?? JSON.stringify(w)));
  return {
    upload: text(raw.upload) ?? "",
    format: text(raw.format) ?? "",
    confidence: number(raw.confidence),
    encoding: text(raw.encoding) ?? text(object(raw.encoding).name),
    columns: list(raw.columns).map((c) => ({ name: text(object(c).name) ?? text(c) ?? "", mapsTo: text(object(c).maps_to) })),
    rows: list(raw.rows).map((row) => list(row).map((cell) => (cell === null || cell === undefined ? "" : String(cell)))),
    warnings: warnings.filter((w) => !NO_CURRENCY.test(w)),

    problems: list(raw.problems).slice(0, 5).map((p) => ({ kind: text(object(p).kind) ?? "", sample: sample(p) })),
    total: number(raw.total),
  };
}

const IMPORT_STATES: ImportState[] = ["queued", "running", "done", "failed", "cancelled"];

export function importRow(value: unknown): ImportRow {
  const raw = object(value);
  const whole = object(raw.report);
  const report = { ...whole, ...object(whole.feed) };
  const request = object(raw.request);
  const changed = object(whole.catalogue);
  const word = snake(text(raw.state) ?? "queued");
  const rows = number(raw.rows) ?? number(report.rows) ?? 0;
  const total = number(raw.total) ?? number(report.total);
  return {
    id: text(raw.id) ?? "",
    state: IMPORT_STATES.find((known) => known === word) ?? "queued",
    source: text(raw.source) ?? text(raw.name) ?? text(request.name) ?? text(request.url) ?? text(request.path),
    format: text(raw.format) ?? text(request.format) ?? text(report.format),
    rows,
    products: number(raw.products) ?? number(report.products) ?? 0,
    skipped: number(raw.skipped) ?? number(report.skipped) ?? 0,
    total,
    share: number(raw.share) ?? number(raw.progress) ?? part(rows, total) ?? part(number(raw.bytes), number(raw.total_bytes)),
    rate: number(raw.rate),
    secondsLeft: number(raw.seconds_left),
    created: text(raw.created),
    updated: text(raw.updated),
    error: text(raw.error) ?? text(report.error),
    changes: Object.keys(changed).length === 0 ? null : { added: number(changed.added) ?? 0, changed: number(changed.changed) ?? 0, removed: number(changed.removed) ?? 0, unchanged: number(changed.unchanged) ?? 0 },
    problems: problems(report),
  };
}

const part = (done: number | null, all: number | null): number | null => (done !== null && all !== null && all > 0 ? Math.min(1, done / all) : null);

function sample(value: unknown): ProblemSample {
  const raw = object(value);
  return { line: number(raw.line), column: text(raw.column), reason: text(raw.reason) ?? text(value), raw: text(raw.raw) ?? (texts(raw.raw).join(" | ") || null) };
}

function problems(report: Json): ImportRow["problems"] {
  const all = list(report.samples).map((s) => ({ kind: text(object(s).kind), ...sample(s) }));
  const kinds = Array.isArray(report.by_kind)
    ? report.by_kind.map((entry) => {
        const raw = object(entry);
        const kind = text(raw.kind) ?? text(Array.isArray(entry) ? entry[0] : null) ?? "";
        return { kind, count: number(raw.count) ?? number(Array.isArray(entry) ? entry[1] : null) ?? 0, samples: list(raw.samples).map(sample) };
      })
    : Object.entries(object(report.by_kind)).map(([kind, count]) => ({
        kind,
        count: number(count) ?? number(object(count).count) ?? (number(object(count).skipped) ?? 0) + (number(object(count).noted) ?? 0),
        samples: list(object(count).samples).map(sample),
      }));
  for (const group of kinds) if (group.samples.length === 0) group.samples = all.filter((s) => s.kind === group.kind || s.reason === group.kind).slice(0, 5);
  return kinds.filter((group) => group.count > 0).sort((a, b) => b.count - a.count);
}
