import { expect, test, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { answered, ask, wish } from "./help";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const tool = (window as unknown as { axe: { run: (options: unknown) => Promise<{ violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[] }> } }).axe;
    const found = await tool.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
    return found.violations.flatMap((v) => v.nodes.map((n) => `${v.id} (${v.impact}) ${n.target.join(" ")} ${n.failureSummary.split("\n")[1] ?? ""}`));
  });
}

for (const theme of ["light", "dark"] as const) {
  test(`every room can be read and used by everybody, ${theme}`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme: theme, reducedMotion: "reduce", viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto("/shop");
    await expect(page.locator(".wishes button").first()).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await ask(page, wish);
    await answered(page, 1);
    expect(await faults(page)).toEqual([]);
    await page.locator(".card h3 a").first().click();
    await expect(page.locator(".product h3")).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await page.goto("/runs");
    await page.locator(".run-link").first().click();
    await expect(page.locator(".timeline li").first()).toBeVisible();
    await expect(page.locator(".changes li, .state-json").first()).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await page.goto("/data");
    await page.locator("[data-testid=feed]").setInputFiles({ name: "products.csv", mimeType: "text/csv", buffer: Buffer.from("Handle,Title,Variant Price,Tags\na,Shirt,10,x\n") });
    await expect(page.locator(".rows-table")).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await context.close();
  });
}
