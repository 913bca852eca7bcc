/** Which words of an answer are proven by which record. Pure. */
import { list, object, text } from "../api/read";

export interface Source {
  n: number;
  /** The words of the answer. */
  text: string;
  tool: string | null;
  /** Where in the tool's result the fact stands. */
  path: string;
  value: unknown;
}

/** The citations as the server sends them, one for each different text, numbered from 1. */
export function citations(raw: unknown): Source[] {
  const out: Source[] = [];
  for (const entry of list(object(raw).citations ?? raw)) {
    const one = object(entry);
    const words = text(one.text);
    if (words === null || out.some((old) => old.text === words)) continue;
    out.push({ n: out.length + 1, text: words, tool: text(one.tool), path: text(one.source) ?? text(one.path) ?? "", value: one.value ?? null });
  }
  return out;
}

export type Marked = string | { text: string; n: number };

/** Splits running words at what is proven. "¥19" is not found inside "¥199", nor a word inside a longer one. */
export function marker(sources: readonly Source[]): (words: string) => Marked[] {
  if (sources.length === 0) return (words) => [words];
  const longest = [...sources].sort((a, b) => b.text.length - a.text.length);
  const edge = /[\p{L}\p{N}]/u;
  const han = /\p{Script=Han}/u;
  const one = ({ text: words }: Source) => {
    const first = words[0] ?? "";
    const last = words.at(-1) ?? "";
    const before = edge.test(first) && !han.test(first) ? "(?<![\\p{L}\\p{N}.,]|[\\p{L}\\p{N}][.,])" : "";
    const after = edge.test(last) && !han.test(last) ? "(?![a-zA-Z0-9]|[.,][0-9])" : "";
    return `${before}${words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}${after}`;
  };
  const pattern = new RegExp(`(${longest.map(one).join("|")})`, "u");
  return (words) =>
    words
      .split(pattern)
      .filter((piece) => piece !== "")
      .map((piece) => {
        const source = sources.find((s) => s.text === piece);
        return source === undefined ? piece : { text: piece, n: source.n };
      });
}
