import { Problem } from "../api/client";
import type { Words } from "../i18n/en";

/** What went wrong in words for people: the server's own sentence when it has one, ours otherwise. Never a stack or a raw body. */
export function explain(error: unknown, t: Words["problem"]): string {
  if (error instanceof Problem) {
    const said = error.detail ?? error.title;
    return error.kind !== "server" && said !== null && isSentence(said) ? said : t[error.kind];
  }
  if (error instanceof Error) {
    if (error.name === "CutError") return t.cut;
    if (error.name === "StreamError" && isSentence(error.message)) return error.message;
    if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) return t.offline;
  }
  return t.answer;
}

/** A text that a person can read: not JSON, not markup, not a stack, not a path, not long. */
export function isSentence(said: string): boolean {
  return said.length > 3 && said.length <= 300 && !/[{}<>]|\n\s+at |::|panicked|\/(home|usr|root|work)\//.test(said);
}
