import { expect, test, type Browser, type Page } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const out = process.env.SCREENS_DIR ?? fileURLToPath(new URL("../../../docs/screens", import.meta.url));
mkdirSync(out, { recursive: true });

const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const looks = [
  { lang: "zh", theme: "light", size: "wide" },
  { lang: "en", theme: "dark", size: "wide" },
  { lang: "en", theme: "light", size: "wide" },
  { lang: "zh", theme: "dark", size: "wide" },
  { lang: "zh", theme: "light", size: "phone" },
  { lang: "en", theme: "dark", size: "phone" },
] as const;

const wishes = { zh: "300 元以下的红色连衣裙", en: "A red dress under 300" };
const CSV = ["Handle,Title,Vendor,Variant Price,Variant SKU,Image Src,Tags", ...Array.from({ length: 6 }, (_, n) => `dress-${n},Wrap dress ${n},Hewn,${129 + n * 10}.00,HW-${n},https://example.com/${n}.jpg,summer`)].join("\n");

async function open(browser: Browser, look: (typeof looks)[number]): Promise<Page> {
  const context = await browser.newContext({
    viewport: look.size === "wide" ? wide : phone,
    locale: look.lang === "zh" ? "zh-CN" : "en-GB",
    colorScheme: look.theme,
    reducedMotion: "reduce",
    ...(look.size === "phone" ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
  });
  return context.newPage();
}

for (const look of looks) {
  test(`screens ${look.lang} ${look.theme} ${look.size}`, async ({ browser }) => {
    const page = await open(browser, look);
    const shot = (name: string) => page.screenshot({ path: `${out}/${name}-${look.lang}-${look.theme}-${look.size}.png`, animations: "disabled" });
    await page.goto("/shop");
    await expect(page.locator(".wishes button").first()).toBeVisible();
    await expect(page.locator(".composer textarea")).toBeVisible();
    await shot("shop-empty");

    await page.locator(".composer textarea").fill(wishes[look.lang]);
    await page.locator(".composer textarea").press("Enter");
    await expect(page.locator(".card").first()).toBeVisible();
    await expect(page.locator(".said-by-shop .prose").first()).toBeVisible();
    await expect(page.locator(".send[type=submit]")).toBeVisible();
    await page.waitForTimeout(700);
    if (look.size === "wide") await page.locator(".card").nth(1).hover();
    await shot("shop");

    if (look.size === "wide") {
      await page.locator(".card h3 a").first().click();
      await expect(page.locator(".product h3")).toBeVisible();
      await page.waitForTimeout(500);
      await shot("shop-product");
      await page.keyboard.press("Escape");
      for (const n of [0, 1, 2]) {
        await page.locator(".card").nth(n).hover();
        await page.locator(".card").nth(n).locator(".card-actions button").nth(1).click();
      }
      await page.locator(".compared .button").click();
      await expect(page.locator(".compare")).toBeVisible();
      await page.waitForTimeout(500);
      await shot("shop-compare");
    }

    await page.goto("/runs");
    await expect(page.locator(".runs-table tbody tr").first()).toBeVisible();
    await shot("runs");
    await page.locator(".run-link").first().click();
    await expect(page.locator(".timeline li").first()).toBeVisible();
    await page.waitForTimeout(600);
    await shot("run");

    await page.goto("/data");
    await expect(page.locator(".drop")).toBeVisible();
    await shot("data");
    await page.locator("[data-testid=feed]").setInputFiles({ name: "products.csv", mimeType: "text/csv", buffer: Buffer.from(CSV) });
    await expect(page.locator(".rows-table")).toBeVisible();
    await shot("data-preview");
    if (!process.env.MERCER_URL) {
      await page.locator(".understood .primary").click();
      await expect(page.locator(".report")).toBeVisible({ timeout: 20_000 });
      await page.locator(".report summary").first().click();
      await shot("data-report");
    }
    await page.context().close();
  });
}
