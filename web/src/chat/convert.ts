/** Turns our messages into what assistant-ui renders: tool lines first, then words, then cards and the rest. */
import type { ThreadMessageLike } from "@assistant-ui/react";
import { object, text } from "../api/read";
import type { ChatMessage, ChatPart } from "./types";

export interface ToolStep {
  summary: string | null;
  failed: boolean;
}

type Content = Exclude<ThreadMessageLike["content"], string>[number];

export function convert(message: ChatMessage): ThreadMessageLike {
  const base = { id: message.id, role: message.role, metadata: { custom: { byRules: message.metadata?.by_rules === true, run: message.metadata?.run ?? null, failed: message.metadata?.error != null, author: message.metadata?.author ?? null } } };
  if (message.role !== "assistant") {
    return { ...base, content: message.parts.map(userPart).filter((p): p is Content => p !== null) };
  }
  const steps = new Map<string, ChatPart>();
  for (const part of message.parts) if (part.type === "data-step") steps.set(text(object(part.data).id) ?? part.id ?? `step-${steps.size}`, part);
  const tools: Content[] = [];
  const words: Content[] = [];
  const rest: Content[] = [];
  const seen = new Set<string>();
  // text that the model took back: the n-th text part no longer counts
  const retracted = new Set(message.parts.filter((p) => p.type === "data-retract").map((p) => object(p.data).index));
  let texts = 0;
  message.parts.forEach((part, n) => {
    if (part.type === "dynamic-tool" || part.type.startsWith("tool-")) {
      const id = part.toolCallId ?? `call-${n}`;
      if (seen.has(id)) return;
      seen.add(id);
      tools.push(tool(id, part.toolName ?? part.type.slice(5), part.input, part.state === "output-available" ? part.output : undefined, part.state === "output-error" ? (part.errorText ?? "") : null, object(steps.get(id)?.data)));
    } else if (part.type === "data-step") {
      const data = object(part.data);
      const id = text(data.id) ?? part.id ?? `step-${n}`;
      const shownByTool = message.parts.some((p) => p.toolCallId === id);
      if (seen.has(id) || shownByTool) return;
      seen.add(id);
      tools.push(tool(id, text(data.name) ?? text(data.tool) ?? "", data.arguments ?? data.input, data.output, data.ok === false ? (text(data.error) ?? "") : null, data));
    } else if (part.type === "text") {
      if (!retracted.has(texts++)) words.push({ type: "text", text: part.text ?? "" });
    } else if (part.type === "file" && part.url) {
      rest.push({ type: "image", image: part.url });
    } else if (part.type.startsWith("data-") && part.type !== "data-conditions" && part.type !== "data-retract") {
      rest.push({ type: "data", name: part.type.slice(5), data: part.data } as Content);
    }
  });
  return { ...base, content: [...tools, ...words, ...rest] };
}

function tool(id: string, name: string, input: unknown, output: unknown, error: string | null, step: Record<string, unknown>): Content {
  const failed = error !== null || step.ok === false;
  const said = text(step.summary) ?? text(object(output).summary);
  const artifact: ToolStep = { summary: said, failed };
  const inner = object(output);
  const found = "output" in inner && "summary" in inner ? inner.output : output;
  const result = failed ? (error ?? "") : (found ?? step.output);
  return {
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    args: object(input) as never,
    argsText: JSON.stringify(input ?? {}),
    ...(result === undefined ? (said === null ? {} : { result: null }) : { result }),
    isError: failed,
    artifact,
  } as Content;
}

function userPart(part: ChatPart): Content | null {
  if (part.type === "text") return { type: "text", text: part.text ?? "" };
  if (part.type === "file" && part.url) return { type: "image", image: part.url };
  return null;
}

/** One line on what a tool was asked: the words and numbers of its arguments, without names and braces. */
export function gist(args: unknown): string {
  const out: string[] = [];
  const walk = (value: unknown, depth: number) => {
    if (typeof value === "string" && value.trim() !== "") out.push(value.trim());
    else if (typeof value === "number") out.push(String(value));
    else if (depth < 3 && Array.isArray(value)) value.forEach((v) => walk(v, depth + 1));
    else if (depth < 3 && typeof value === "object" && value !== null) Object.entries(value).forEach(([k, v]) => k !== "limit" && k !== "offset" && walk(v, depth + 1));
  };
  walk(args, 0);
  const line = out.join(" · ");
  return line.length > 120 ? `${line.slice(0, 117)}…` : line;
}

/** How many things a result holds, when it says so. */
export function countOf(result: unknown): number | null {
  const raw = object(result);
  if (typeof raw.total === "number") return raw.total;
  for (const key of ["items", "products", "hits", "results"]) if (Array.isArray(raw[key])) return (raw[key] as unknown[]).length;
  return Array.isArray(result) ? result.length : null;
}
