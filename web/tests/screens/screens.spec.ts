import { expect, test, type Browser, type Page } from "@playwright/test";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const out = process.env.SCREENS_DIR ?? fileURLToPath(new URL("../../../docs/screens", import.meta.url));
/** `png` to look at them with a tool that reads no WebP. */
const format = process.env.SCREENS_FORMAT === "png" ? "png" : "webp";
mkdirSync(out, { recursive: true });

interface Look {
  lang: "zh" | "en";
  theme: "light" | "dark";
  size: "wide" | "phone";
  /** Every room with its panels, or the rooms alone. */
  rooms: "all" | "main";
}
const looks: Look[] = [
  { lang: "zh", theme: "light", size: "wide", rooms: "all" },
  { lang: "en", theme: "dark", size: "wide", rooms: "all" },
  { lang: "en", theme: "light", size: "wide", rooms: "main" },
  { lang: "zh", theme: "dark", size: "wide", rooms: "main" },
  { lang: "zh", theme: "light", size: "phone", rooms: "all" },
  { lang: "en", theme: "dark", size: "phone", rooms: "main" },
];

const wishes = { zh: ["正式的红色连衣裙，1000 元以内", "600 元以内有吗"], en: ["A red dress for a party, under 1000", "under 600 please"] };
const CSV = `Handle,Title,Vendor,Type,Variant Price,Variant Compare At Price,Variant SKU,Option1 Name,Option1 Value,Image Src
linen-wrap-dress,Linen wrap dress,Hewn,Dresses,329.00,399.00,HW-LWD-S,Size,S,https://example.com/p/linen-wrap-dress.jpg
linen-wrap-dress,,,,329.00,399.00,HW-LWD-M,Size,M,
canvas-tote,Canvas tote,Hewn,Bags,129.00,,HW-CT,Size,One size,https://example.com/p/canvas-tote.jpg
wool-coat,Wool coat with a belt,Hewn,Coats,1299.00,1599.00,HW-WC-38,Size,38,https://example.com/p/wool-coat.jpg
wool-coat,,,,1299.00,1599.00,HW-WC-40,Size,40,
silk-scarf,Silk scarf,Atelier Nord,Scarves,ask,,AN-SS,Size,One size,https://example.com/p/silk-scarf.jpg
,,Hewn,Shirts,199.00,,HW-XX,Size,M,
linen-shirt,Linen shirt,Hewn,Shirts,249.00,,HW-LS-M,Size,M,https://example.com/p/linen-shirt.jpg
`;
const feed = { name: "spring-products.csv", mimeType: "text/csv", buffer: Buffer.from(CSV) };

async function open(browser: Browser, look: Look): Promise<{ page: Page; shot: (name: string) => Promise<void> }> {
  const context = await browser.newContext({
    viewport: look.size === "wide" ? { width: 1440, height: 900 } : { width: 390, height: 844 },
    locale: look.lang === "zh" ? "zh-CN" : "en-GB",
    colorScheme: look.theme,
    reducedMotion: "reduce",
    ...(look.size === "phone" ? { hasTouch: true, isMobile: true } : {}),
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const shot = async (name: string) => {
    await page.waitForLoadState("networkidle");
    await page.waitForTimeout(250);
    const { data } = (await devtools.send("Page.captureScreenshot", { format, ...(format === "webp" ? { quality: 82 } : {}) })) as { data: string };
    writeFileSync(`${out}/${name}-${look.lang}-${look.theme}${look.size === "phone" ? "-phone" : ""}.${format}`, Buffer.from(data, "base64"));
  };
  return { page, shot };
}

async function say(page: Page, words: string, turns: number): Promise<void> {
  await page.locator(".composer textarea").fill(words);
  await page.locator(".composer textarea").press("Enter");
  await expect(page.locator(".said-by-shop")).toHaveCount(turns);
  await expect(page.locator(".send[type=submit]")).toBeVisible();
  await expect(page.locator(".said-by-shop").last().locator(".card").first()).toBeVisible();
  await page.waitForTimeout(600);
}

for (const look of looks) {
  test(`screens ${look.lang} ${look.theme} ${look.size}`, async ({ browser }) => {
    const { page, shot } = await open(browser, look);
    const all = look.rooms === "all";
    await page.goto("/shop");
    await expect(page.locator(".wishes button").first()).toBeVisible();
    await expect(page.locator(".composer textarea")).toBeVisible();
    if (all) await shot("shop-empty");

    await say(page, wishes[look.lang][0] ?? "", 1);
    if (look.size === "wide") await page.locator(".card").nth(1).hover();
    await shot("shop");
    await say(page, wishes[look.lang][1] ?? "", 2);

    if (all) {
      await shot("shop-refined");
      await page.locator(".said-by-shop").first().locator(".card h3 a").first().click();
      await expect(page.locator(".product h3")).toBeVisible();
      await shot("product");
      await page.keyboard.press("Escape");
    }
    if (all && look.size === "wide") {
      const cards = page.locator(".said-by-shop").first().locator(".card");
      for (const n of [0, 1, 2]) {
        await cards.nth(n).hover();
        await cards.nth(n).locator(".card-actions button").nth(1).click();
      }
      await page.locator(".compared .button").click();
      await expect(page.locator(".compare")).toBeVisible();
      await shot("compare");
    }

    await page.goto("/runs");
    await expect(page.locator(".runs-table tbody tr").first()).toBeVisible();
    if (all) await shot("runs");
    await page.locator(".run-link").first().click();
    await expect(page.locator(".timeline li").first()).toBeVisible();
    await expect(page.locator(".changes li").first()).toBeVisible();
    await shot("run");

    await page.goto("/data");
    await expect(page.locator(".drop")).toBeVisible();
    if (all) await shot("data-empty");
    await page.locator("[data-testid=feed]").setInputFiles(feed);
    await expect(page.locator(".rows-table")).toBeVisible();
    await shot("data");
    await page.context().close();
  });
}

// Last, and at a real server only when that is meant: it puts another catalogue on the shelves.
test("screens of an import", async ({ browser }) => {
  test.skip(Boolean(process.env.MERCER_URL) && !process.env.MERCER_IMPORT, "replaces the catalogue: set MERCER_IMPORT=1 where that is meant");
  for (const look of looks.filter((l) => l.rooms === "all")) {
    const { page, shot } = await open(browser, look);
    await page.goto("/data");
    await page.locator("[data-testid=feed]").setInputFiles(feed);
    await page.locator(".understood .primary").click();
    await expect(page.locator(".report")).toBeVisible({ timeout: 20_000 });
    const kind = page.locator(".report summary").first();
    if (await kind.count()) await kind.click();
    await shot("import");
    await page.context().close();
  }
});
