/** The studio's calls. Fields are as the server names them; anything may be missing. */
import { act, base, follow, json, query } from "../../api/client";
import { list, object } from "../../api/read";

const enc = encodeURIComponent;
const root = `${base}/studio`;

interface Part {
  ready?: boolean;
  text?: string | null;
  name?: string | null;
}
interface Choice {
  id: string;
  label: string;
  text?: string | null;
  profile?: string;
  ready?: boolean;
}

export interface Capabilities {
  cutout?: Part;
  image_model?: Part;
  vision_model?: Part;
  ocr?: Part;
  font?: Part;
  kinds?: Choice[];
  presentations?: Choice[];
  looks?: Choice[];
  max_attempts?: { default?: number; most?: number };
}

export interface Profile {
  id: string;
  name: string;
  group?: string;
  width?: number;
  height?: number;
  format?: string;
  notes?: string[];
}

export type Verdict = "pass" | "warn" | "fail";

export interface Gate {
  id: string;
  label: string;
  verdict: Verdict;
  measured?: string;
  wanted?: string;
  reason?: string | null;
}

export interface Attempt {
  n: number;
  url?: string | null;
  width?: number;
  height?: number;
  strategy_label?: string;
  by_rules?: boolean;
  model?: string | null;
  state?: string;
  error?: string | null;
  verdict?: Verdict | null;
  score?: number | null;
  scores?: { id: string; label: string; score: number | null }[];
  gates?: Gate[];
  checklist?: { question: string; answer: string; by?: string }[];
  retry_text?: string | null;
  feedback?: string[];
  best?: boolean;
}

export interface Step {
  id: string;
  label: string;
  state: string;
  visits?: number;
  summary?: string | null;
  can_resume?: boolean;
}

export interface Job {
  id: string;
  run_id?: string;
  title?: string;
  kind_text?: string;
  profile?: string;
  brief?: string;
  status: string;
  status_text?: string;
  error?: string | null;
  waiting?: { interrupt: string; text: string; choices: { id: string; label: string }[] } | null;
  photo_url?: string;
  nodes?: Step[];
  product?: { title?: string; colours?: { name: string; hex: string; share: number }[] } | null;
  strategy?: { label?: string; why?: string } | null;
  prompt?: { final?: string; negative?: string } | null;
  attempts?: Attempt[];
  best?: number | null;
  approved?: boolean | null;
  result?: { attempt?: number; url?: string; reason?: string; by_rules?: boolean } | null;
}

export interface JobRow {
  id: string;
  title?: string;
  kind_text?: string;
  status: string;
  created?: string;
  photo?: string;
  picture?: string | null;
}

export interface Export {
  profile: string;
  name: string;
  url: string;
  width?: number;
  height?: number;
  bytes?: number;
  ok: boolean;
  checks?: Gate[];
  ai_label?: { text?: string } | null;
}

export const capabilities = async (signal?: AbortSignal) => (await json(`${root}/capabilities`, signal)) as Capabilities;
export const profiles = async (signal?: AbortSignal) => list(object(await json(`${root}/profiles`, signal)).items) as Profile[];
export const jobs = async (before: string | null, signal?: AbortSignal): Promise<{ items: JobRow[]; next: string | null }> => {
  const raw = object(await json(`${root}/jobs${query({ limit: 24, before })}`, signal));
  return { items: list(raw.items) as JobRow[], next: typeof raw.next === "string" ? raw.next : null };
};
export const job = async (id: string, signal?: AbortSignal) => (await json(`${root}/jobs/${enc(id)}`, signal)) as Job;
export const make = async (body: Record<string, unknown>) => (await act("POST", `${root}/jobs`, body)) as Job;
export const refine = async (id: string, text: string) => (await act("POST", `${root}/jobs/${enc(id)}/refine`, { text })) as Job;
export const resume = async (id: string, node: string) => (await act("POST", `${root}/jobs/${enc(id)}/resume`, { node })) as Job;
export const answer = async (id: string, interrupt: string, choice: string) => (await act("POST", `${root}/jobs/${enc(id)}/answer`, { interrupt, choice })) as Job;
export const cancel = async (id: string) => (await act("POST", `${root}/jobs/${enc(id)}/cancel`, {})) as Job;
export const remove = (id: string) => act("DELETE", `${root}/jobs/${enc(id)}`);
export const exportFor = async (id: string, profile: string) => (await act("POST", `${root}/jobs/${enc(id)}/exports`, { profile, attempt: null })) as Export;
export const watch = (id: string, take: (job: Job) => boolean, stop: AbortSignal) =>
  follow(
    `${root}/jobs/${enc(id)}/events`,
    ({ data }) => {
      const raw = object(data);
      if (typeof raw.status !== "string") return raw.attempt !== undefined; // a preview; an empty one is the end
      return take(raw as unknown as Job);
    },
    stop,
  );
