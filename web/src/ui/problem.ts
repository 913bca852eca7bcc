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
    if (error.name === "StreamError" && isSentence(error.message) && chinese(error.message) === chinese(t.answer)) return error.message;
    if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) return t.offline;
  }
  return t.answer;
}

/** Whether a sentence begins in Chinese; one in the other language than the page's gives way to our own words. */
const chinese = (said: string): boolean => /^[^A-Za-z]{0,8}[\u4e00-\u9fff]/.test(said);

/** A text that a person can read: not JSON, not markup, not a stack, not a path, not long. */
export function isSentence(said: string): boolean {
  return said.length > 3 && said.length <= 300 && !/[{}<>]|\n\s+at |::|panicked|\/(home|usr|root|work)\//.test(said);
}
