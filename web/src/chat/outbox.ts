/**
 * A message on its way. It stands in the tab's storage until the shop has taken it, so that a reload between
 * pressing Enter and the shop's first word does not lose it.
 */
import type { ChatMessage } from "./types";

interface Entry {
  message: ChatMessage;
  /** How many messages of the customer the thread had before. */
  before: number;
}

const key = (thread: string) => `mercer.outbox.${thread}`;

export function put(thread: string, message: ChatMessage, before: number): void {
  try {
    sessionStorage.setItem(key(thread), JSON.stringify({ message, before } satisfies Entry));
  } catch {
    // without storage the message lives as long as the page
  }
}

export function taken(thread: string): void {
  try {
    sessionStorage.removeItem(key(thread));
  } catch {
    // nothing was kept
  }
}

/** The message that did not arrive, when the thread's history has no more messages of the customer than before. */
export function lost(thread: string, history: readonly ChatMessage[]): ChatMessage | null {
  try {
    const raw = sessionStorage.getItem(key(thread));
    if (raw === null) return null;
    const { message, before } = JSON.parse(raw) as Entry;
    const arrived = history.some((m) => m.id === message.id) || history.filter((m) => m.role === "user").length > before;
    if (arrived) taken(thread);
    return arrived ? null : message;
  } catch {
    return null;
  }
}
