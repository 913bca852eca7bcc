/** The service room's and the inbox's calls. Fields are as the server names them; anything may be missing. */
import { act, base, follow, json, query } from "../../api/client";
import { list, object } from "../../api/read";
import type { Page } from "../../api/types";
import type { ChatMessage } from "../../chat/types";

const enc = encodeURIComponent;

export interface Money {
  minor?: number;
  currency?: string;
  text?: string;
}
export const amount = (money: Money | null | undefined): string => money?.text ?? "–";

export interface Line {
  line: string;
  title: string;
  options?: string;
  quantity?: number;
  unit_price?: Money;
  paid?: Money;
  refunded?: Money;
  amount?: Money;
  state?: string;
  state_text?: string;
  image?: string | null;
  product?: string | null;
}

export interface ConfirmCard {
  kind?: string;
  action: string;
  title: string;
  order?: string;
  lines?: Line[];
  amount?: Money | null;
  to?: string | null;
  details?: { label: string; value: string }[];
  digest: string;
  yes?: string;
  no?: string;
}

export interface Identity {
  state: "anonymous" | "code_sent" | "verified" | "locked";
  name?: string;
  email?: string;
  attempts_left?: number;
  locked_until?: string;
}

export interface ServiceThread {
  thread_id: string;
  identity: Identity;
  open_cards?: { id: string; payload: ConfirmCard }[];
  order?: string | null;
  orders?: string[];
  hand_over?: { ticket: string; reason: string; since?: string; by?: string | null } | null;
  busy?: boolean;
}

export interface Mail {
  id: string;
  subject: string;
  state: string;
  at?: string;
  to?: string;
  text?: string;
  html?: string;
  error?: string | null;
  attempts?: number;
  order?: string | null;
}

export interface Case {
  order: {
    number: string;
    state: string;
    state_text?: string;
    placed?: string;
    placed_words?: string;
    total?: Money;
    paid?: Money;
    refunded?: Money;
    shipping?: Money;
    payments?: { method?: string; label?: string; captured?: Money; refunded?: Money }[];
    address?: string;
    note?: string | null;
    lines?: Line[];
  };
  customer?: { name?: string; email?: string; tier?: string };
  shipments?: { carrier?: string; tracking?: string; state?: string; state_text?: string; events?: { at?: string; words?: string; state?: string; state_text?: string; place?: string; text?: string }[] }[];
  policy?: {
    decision: string;
    confidence?: number;
    rule_ids?: string[];
    facts?: { name: string; label?: string; value: string }[];
    rules?: { id: string; text?: string; source?: string; kind?: string }[];
    amount?: Money | null;
    lines?: { line: string; amount?: Money; derivation?: string }[];
    freight?: string;
    deadline?: string | null;
    needs?: string[];
    alternatives?: string[];
  } | null;
  refund?: { state: string; decision?: string | null; amount?: Money | null; entries?: { id: string; at?: string; amount?: Money; to?: string; reason?: string; rule_ids?: string[] }[]; approval?: string | null; run_id?: string | null };
  returns?: { id: string; state: string; state_text?: string; reason?: string; deadline?: string | null; lines?: Line[] }[];
  mails?: Mail[];
  tickets?: { id: string; state: string; kind?: string; summary?: string }[];
  audit?: Audit[];
}

export interface Audit {
  at: string;
  who?: string;
  what?: string;
  text?: string;
  rule_ids?: string[];
  run_id?: string | null;
  order?: string | null;
}

export interface Item {
  id: string;
  kind: "approval" | "hand_over" | "mail";
  state: "open" | "taken" | "done";
  created: string;
  age_words?: string;
  sla?: "ok" | "soft" | "hard";
  order?: string | null;
  customer?: string | null;
  amount?: Money | null;
  reason_text?: string;
  reason?: string;
  risk?: string[];
  summary?: string;
  thread?: string | null;
  by?: string | null;
}

export interface Opened extends Item {
  case?: Case | null;
  facts?: { label: string; value: string }[];
  proposal?: { decision?: string; confidence?: number; text?: string } | null;
  suggested_answer?: string | null;
  messages?: { id: string; role: string; text: string; at?: string; author?: string; by_rules?: boolean }[];
  mail?: { approve?: { subject: string; text: string; html?: string }; reject?: { subject: string; text: string; html?: string } } | Mail | null;
  revision?: number;
  audit?: Audit[];
}

export interface InboxPage extends Page<Item> {
  counts: Record<string, number>;
  paused: boolean;
}

const page = <T>(raw: unknown): Page<T> => {
  const whole = object(raw);
  return { items: list(whole.items) as T[], next: typeof whole.next === "string" ? whole.next : null };
};

export const thread = async (id: string, signal?: AbortSignal) => (await json(`${base}/service/threads/${enc(id)}`, signal)) as ServiceThread;
export const caseOf = async (id: string, order: string | null, signal?: AbortSignal) => (await json(`${base}/service/threads/${enc(id)}/case${query({ order })}`, signal)) as Case;
export const answer = (id: string, interrupt: string, digest: string, yes: boolean) => act("POST", `${base}/service/threads/${enc(id)}/answer`, { interrupt, digest, yes });
export const byOrder = (id: string, order: string, contact: string) => act("POST", `${base}/service/threads/${enc(id)}/identity/order`, { order, contact });
export const sendCode = (id: string, email: string) => act("POST", `${base}/service/threads/${enc(id)}/identity/code`, { email });
export const checkCode = (id: string, code: string) => act("POST", `${base}/service/threads/${enc(id)}/identity/check`, { code });

/** Words of a person and changes of the case, as they come. */
export const watch = (id: string, take: (event: { kind: "message" | "state"; message?: ChatMessage; state?: ServiceThread }) => void, stop: AbortSignal) =>
  follow(
    `${base}/service/threads/${enc(id)}/events`,
    ({ data }) => {
      const raw = object(data);
      if (Array.isArray(raw.parts)) take({ kind: "message", message: raw as unknown as ChatMessage });
      else if (typeof raw.thread_id === "string") take({ kind: "state", state: raw as unknown as ServiceThread });
      else take({ kind: "state" });
      return true;
    },
    stop,
  );

export const inbox = async (kind: string | null, state: string, before: string | null, signal?: AbortSignal): Promise<InboxPage> => {
  const raw = object(await json(`${base}/inbox${query({ kind, state, before, limit: 50 })}`, signal));
  return { ...page<Item>(raw), counts: object(raw.counts) as Record<string, number>, paused: raw.refunds_paused === true };
};
export const item = async (id: string, signal?: AbortSignal) => (await json(`${base}/inbox/${enc(id)}`, signal)) as Opened;
export const settleApproval = (id: string, body: { decision: "approve" | "edit" | "reject"; amount?: string; reason?: string; revision?: number }) => act("POST", `${base}/approvals/${enc(id)}`, body);
export const ticket = (id: string, what: "take" | "reply" | "give-back" | "close", body: Record<string, string> = {}) => act("POST", `${base}/tickets/${enc(id)}/${what}`, body);
export const takeThread = async (id: string) => (await act("POST", `${base}/service/threads/${enc(id)}/take`, {})) as Item;
export const pauseRefunds = (paused: boolean, reason: string) => act("POST", `${base}/refunds/pause`, { paused, reason });
export const conversations = async (before: string | null, signal?: AbortSignal) =>
  page<{ thread_id: string; title?: string | null; updated: string; status?: string; customer?: string | null; order?: string | null; hand_over?: { by?: string | null; ticket?: string } | null }>(await json(`${base}/service/conversations${query({ before, limit: 50 })}`, signal));
export const orders = async (q: string, before: string | null, signal?: AbortSignal) =>
  page<{ number: string; state: string; state_text?: string; customer?: string; total?: Money; placed?: string; refunded?: Money }>(await json(`${base}/orders${query({ q, before, limit: 50 })}`, signal));
export const order = async (number: string, signal?: AbortSignal) => (await json(`${base}/orders/${enc(number)}`, signal)) as Case;
export const outbox = async (before: string | null, signal?: AbortSignal) => page<Mail>(await json(`${base}/outbox${query({ before, limit: 50 })}`, signal));
export const mail = async (id: string, signal?: AbortSignal) => (await json(`${base}/outbox/${enc(id)}`, signal)) as Mail;
export const settleMail = (id: string, as: string, reason: string) => act("POST", `${base}/outbox/${enc(id)}/settle`, { as, reason });
export const audit = async (before: string | null, signal?: AbortSignal) => page<Audit>(await json(`${base}/audit${query({ before, limit: 50 })}`, signal));

export interface RefundState {
  status: "running" | "waiting" | "done";
  result?: { user?: string; order_id?: string; final_decision?: string; confidence?: number; email_sent?: boolean; rule_ids?: string[]; run_id?: string } | null;
  steps?: { node: string; text: string; at?: string }[];
  thread_id?: string;
}
export const startRefund = async (body: { user: string; order: string; reason: string; email: string; locale: string }) => (await act("POST", `${base}/refunds`, body)) as { run_id: string };
export const refund = async (id: string, signal?: AbortSignal) => (await json(`${base}/refunds/${enc(id)}`, signal)) as RefundState;
export const stories = async (signal?: AbortSignal) => list(object(await json(`${base}/refunds/stories`, signal)).items) as { id: string; order: string; user: string; reason: { zh: string; en: string }; email: string }[];
