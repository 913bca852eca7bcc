/** Reads Markdown-lite into blocks and inline pieces. Pure; never throws; linear in the length of the text. */

export type Block =
  | { type: "paragraph"; text: string }
  | { type: "heading"; text: string }
  | { type: "quote"; text: string }
  | { type: "list"; ordered: boolean; start: number; items: string[] }
  | { type: "code"; text: string; data: boolean }
  | { type: "table"; head: string[]; rows: string[][] }
  | { type: "rule" };

export type Inline =
  | { type: "text" | "strong" | "em" | "struck" | "code"; text: string }
  | { type: "link"; text: string; href: string };

const BULLET = /^ {0,3}[-*•+]\s+(.*)$/;
const NUMBER = /^ {0,3}(\d{1,4})(?:[.)]\s+|、\s*)(.*)$/;

export function parse(source: string): Block[] {
  const rows = source.replace(/\r\n?/g, "\n").split("\n");
  const blocks: Block[] = [];
  let words: string[] = [];
  const flush = () => {
    if (words.length > 0) {
      const text = words.join("\n");
      blocks.push(looksLikeData(text) ? { type: "code", text, data: true } : { type: "paragraph", text });
    }
    words = [];
  };
  for (let n = 0; n < rows.length; n++) {
    const row = rows[n] ?? "";
    const fence = /^\s*(```+|~~~+)\s*([\w-]*)/.exec(row);
    if (fence) {
      flush();
      const close = fence[1] ?? "```";
      const body: string[] = [];
      while (++n < rows.length && !(rows[n] ?? "").trim().startsWith(close)) body.push(rows[n] ?? "");
      const text = body.join("\n");
      blocks.push({ type: "code", text, data: /^json/i.test(fence[2] ?? "") || looksLikeData(text) });
      continue;
    }
    if (row.trim() === "") {
      flush();
      continue;
    }
    const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(row);
    if (heading) {
      flush();
      blocks.push({ type: "heading", text: heading[1] ?? "" });
      continue;
    }
    if (/^ {0,3}([-*_])( *\1){2,} *$/.test(row)) {
      flush();
      blocks.push({ type: "rule" });
      continue;
    }
    if (/^ {0,3}>/.test(row)) {
      flush();
      const quoted: string[] = [];
      for (; n < rows.length && /^ {0,3}>/.test(rows[n] ?? ""); n++) quoted.push((rows[n] ?? "").replace(/^ {0,3}> ?/, ""));
      n--;
      blocks.push({ type: "quote", text: quoted.join("\n") });
      continue;
    }
    if (row.includes("|") && /^\s*\|?[\s:|-]*-[\s:|-]*$/.test(rows[n + 1] ?? "") && (rows[n + 1] ?? "").includes("|")) {
      flush();
      const head = cells(row);
      const body: string[][] = [];
      for (n += 2; n < rows.length && (rows[n] ?? "").includes("|"); n++) body.push(cells(rows[n] ?? ""));
      n--;
      blocks.push({ type: "table", head, rows: body });
      continue;
    }
    const bullet = BULLET.exec(row);
    const numbered = NUMBER.exec(row);
    if (bullet || numbered) {
      flush();
      const ordered = bullet === null;
      const last = blocks.at(-1);
      const item = (bullet ? bullet[1] : numbered?.[2]) ?? "";
      const into =
        last?.type === "list" && last.ordered === ordered ? last : { type: "list" as const, ordered, start: Number(numbered?.[1] ?? 1), items: [] as string[] };
      if (into !== last) blocks.push(into);
      into.items.push(item);
      while (/^\s{2,}\S/.test(rows[n + 1] ?? "") && !BULLET.test((rows[n + 1] ?? "").trimStart()) && !NUMBER.test((rows[n + 1] ?? "").trimStart())) {
        into.items[into.items.length - 1] += `\n${(rows[++n] ?? "").trim()}`;
      }
      continue;
    }
    words.push(row);
  }
  flush();
  return blocks;
}

const cells = (row: string): string[] => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

function looksLikeData(text: string): boolean {
  const t = text.trim();
  if (!/^[[{]/.test(t) || !/[\]}]$/.test(t) || t.length < 12) return false;
  try {
    return typeof JSON.parse(t) === "object";
  } catch {
    return false;
  }
}

const PIECE =
  /(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)|!\[([^\]\n]{0,200})\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}\)|\[([^\]\n]{1,300})\]\(((?:[^()\s]|\([^()\s]{0,200}\)){1,2000})\)|\*\*(\S(?:[^\n]{0,600}?\S)?)\*\*|(?<!\w)__(\S(?:[^\n]{0,600}?\S)?)__(?!\w)|~~(\S(?:[^\n]{0,600}?\S)?)~~|\*([^\s*](?:[^*\n]{0,600}?[^\s*])?)\*(?![\w*])/g;

export function inlines(source: string): Inline[] {
  const out: Inline[] = [];
  let at = 0;
  const plain = (text: string) => {
    if (text !== "") out.push({ type: "text", text });
  };
  for (const match of source.matchAll(PIECE)) {
    plain(source.slice(at, match.index));
    at = match.index + match[0].length;
    const [all, , code, picture, label, target, strong, strong2, struck, em] = match;
    if (code !== undefined) out.push({ type: "code", text: code.trim() || code });
    else if (picture !== undefined) plain(picture);
    else if (label !== undefined) {
      const href = safe(target ?? "");
      if (href === null) plain(label);
      else out.push({ type: "link", text: label, href });
    } else if (strong !== undefined || strong2 !== undefined) out.push({ type: "strong", text: strong ?? strong2 ?? "" });
    else if (struck !== undefined) out.push({ type: "struck", text: struck });
    else if (em !== undefined) out.push({ type: "em", text: em });
    else plain(all);
  }
  plain(source.slice(at));
  return out;
}

/** http and https, or a path of our own; nothing that runs, opens a file or leaves by `//`. */
export function safe(target: string): string | null {
  if (/^\/(?![/\\])/.test(target)) return target;
  try {
    const url = new URL(target);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}
