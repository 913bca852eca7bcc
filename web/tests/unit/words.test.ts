import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { en } from "../../src/i18n/en";
import { zh } from "../../src/i18n/zh";

const keys = (value: unknown, path = ""): string[] =>
  typeof value === "object" && value !== null ? Object.entries(value).flatMap(([k, v]) => keys(v, `${path}.${k}`)) : [path];
const texts = (value: unknown): string[] =>
  typeof value === "string" ? [value] : typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];

test("both languages have the same words to say", () => {
  // the values of a catalogue are mostly English as they stand: Chinese has words for more of them
  const own = (words: unknown) => keys(words).filter((key) => !key.startsWith(".shop.values.")).sort();
  expect(own(zh)).toEqual(own(en));
  expect(keys(zh)).toEqual(expect.arrayContaining(keys(en)));
});

test("nothing shouts, nothing is empty, and Chinese is not left in English", () => {
  for (const said of [...texts(en), ...texts(zh)]) {
    expect(said.trim()).not.toBe("");
    expect(said).not.toMatch(/[!！]/);
    expect(said).not.toMatch(/\p{Extended_Pictographic}/u);
    expect(said).not.toMatch(/\bAI\b/);
  }
  const latin = texts(zh).filter((said) => !/[\u4e00-\u9fff]/.test(said));
  expect(latin.sort()).toEqual(["English", "Switch to English", "https://example.com/products.csv", "–"].sort());
});

/** Relative luminance and contrast after WCAG 2.2. */
function contrast(a: string, b: string): number {
  const luminance = (hex: string) => {
    const [r, g, bl] = [1, 3, 5].map((n) => parseInt(hex.slice(n, n + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number];
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

test("text stands out from its ground by 4.5 to 1, marks by 3 to 1, in both themes", () => {
  const css = readFileSync("src/styles/tokens.css", "utf8");
  for (const theme of ["light", "dark"]) {
    const block = new RegExp(`data-theme="${theme}"\\]\\s*\\{([^}]*)\\}`).exec(css)?.[1] ?? "";
    const token = Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/gi)].map((m) => [m[1], m[2]])) as Record<string, string>;
    const pairs: [string, string, number][] = [];
    for (const ground of ["paper", "card", "wash"]) for (const ink of ["ink", "muted"]) pairs.push([ink, ground, 4.5]);
    for (const ink of ["seal", "jade", "amber", "indigo"]) for (const ground of ["paper", "card"]) pairs.push([ink, ground, 4.5]);
    pairs.push(["on-seal", "seal", 4.5], ["on-seal", "seal-press", 4.5], ["seal", "seal-wash", 4.5], ["jade", "jade-wash", 4.5], ["indigo", "indigo-wash", 4.5], ["ink", "amber-wash", 4.5]);
    pairs.push(["line-strong", "card", 3], ["amber-mark", "card", 3], ["seal", "paper", 3]);
    for (const [ink, ground, least] of pairs) {
      const found = contrast(token[ink] ?? "", token[ground] ?? "");
      expect(found, `${theme}: ${ink} on ${ground} is ${found.toFixed(2)}`).toBeGreaterThanOrEqual(least);
    }
  }
});
