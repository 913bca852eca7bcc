import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Speaking } from "../../src/i18n";
import { Markdown } from "../../src/ui/Markdown";
import { inlines, parse, safe } from "../../src/ui/prose";

const html = (text: string) =>
  renderToStaticMarkup(
    <Speaking initial="en">
      <Markdown text={text} />
    </Speaking>,
  );

test("markup in an answer is shown and never becomes markup of the page", () => {
  const page = html("<script>alert(1)</script> <img src=x onerror=alert(1)> <b>no</b>");
  expect(page).not.toMatch(/<script|<img|<b>/);
  expect(page).toContain("&lt;script&gt;");
});

test("a link goes to http or to our own pages or nowhere", () => {
  expect(safe("https://example.com/a b")).toBe("https://example.com/a%20b");
  expect(safe("/shop?product=1")).toBe("/shop?product=1");
  for (const bad of ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "//evil.example", "/\\evil.example", "file:///etc/passwd", "vbscript:x", "\u0001javascript:alert(1)"]) {
    expect(safe(bad), bad).toBeNull();
  }
  expect(html("[click](javascript:alert(1)).")).toContain("<p dir=\"auto\">click.</p>");
  expect(inlines("[x](https://example.com/a_(b))")).toEqual([{ type: "link", text: "x", href: "https://example.com/a_(b)" }]);
});

test("a picture from elsewhere is named, not fetched", () => {
  const page = html("![a red dress](https://evil.example/x.png)");
  expect(page).not.toContain("evil.example");
  expect(page).toContain("a red dress");
});

test("JSON in an answer folds away, other code stays", () => {
  expect(parse('```json\n{"a": 1}\n```')[0]).toMatchObject({ type: "code", data: true });
  expect(parse('{"product": {"id": "P1", "price": 10}}')[0]).toMatchObject({ type: "code", data: true });
  expect(parse("```\nlet x\n```")[0]).toMatchObject({ type: "code", data: false });
});

test("what is cut in the middle is read as far as it goes", () => {
  expect(parse("```js\nnever closed")).toEqual([{ type: "code", text: "never closed", data: false }]);
  expect(inlines("half **bold")).toEqual([{ type: "text", text: "half **bold" }]);
  expect(inlines("[half](https://exa")).toEqual([{ type: "text", text: "[half](https://exa" }]);
  expect(parse("")).toEqual([]);
});

test("lists, tables, quotes, headings and Chinese numbering are read", () => {
  expect(parse("1、红色\n2、蓝色")[0]).toMatchObject({ type: "list", ordered: true, items: ["红色", "蓝色"] });
  expect(parse("3. three\n4. four")[0]).toMatchObject({ start: 3 });
  expect(parse("- a\n- b\n\n> q\n\n## h\n\n---").map((b) => b.type)).toEqual(["list", "quote", "heading", "rule"]);
  expect(parse("| a | b |\n|---|---|\n| 1 | 2 |")[0]).toEqual({ type: "table", head: ["a", "b"], rows: [["1", "2"]] });
  expect(inlines("价格 **¥176**，`SKU-1`")).toEqual([
    { type: "text", text: "价格 " },
    { type: "strong", text: "¥176" },
    { type: "text", text: "，" },
    { type: "code", text: "SKU-1" },
  ]);
  expect(inlines("2 * 3 * 4 and snake__case__name")).toEqual([{ type: "text", text: "2 * 3 * 4 and snake__case__name" }]);
});

test("hostile repetition takes no time", () => {
  const before = performance.now();
  for (const bad of ["*".repeat(20_000), "[".repeat(20_000), "`".repeat(20_000), "**a".repeat(7_000), "![".repeat(9_000), "|".repeat(20_000), "> ".repeat(9_000)]) {
    parse(bad).forEach((b) => "text" in b && inlines(b.text));
  }
  expect(performance.now() - before).toBeLessThan(1_500);
});
